/* model/steering/path_following.c - passes a corridor around the path of the guide, in the right direction.
 *
 * The agent does not walk on the path but anywhere in the corridor. A force acts when it walks in the wrong direction
 * (along the edge, F angle / pi) or when the place where it will be after the projection time lies outside the corridor
 * (back to the line of the edge, F min(2, (d - D)/D) + 0.3). Regulation adds a force along the edge, which makes the
 * agent turn before the border and cut bends. A corner is passed when it is nearer than D, or when the agent is beyond
 * the line across the edge there, so that nobody walks back to it (Popelova 2011, 3.4; reading R-3). The corners come
 * from the guide; the number of the next one is remembered. Cost: about 60 operations.
 */
#include "base/trig.h"
#include "model/steering/steer.h"

#define LEAST 0.3f   /* [m/s]: force at the border */
#define NARROW 0.01f /* [m]: a corridor is not narrower */

typedef struct edge {
  th_vec2 next, along; /* the corner ahead; unit vector of the edge that leads to it */
  float left;          /* distance to the corner [m] */
  bool last;           /* it is the end of the path */
} edge;

static th_vec2 corner(const th_view_path *path, uint32_t i) { return (th_vec2){path->x[i], path->y[i]}; }

static edge edge_to(const th_steer_self *self, const th_view_path *path) {
  const uint32_t i = self->state->path_next - path->number;
  const th_vec2 next = corner(path, i), back = {path->back_x, path->back_y}, previous = i ? corner(path, i - 1) : back;
  return (edge){.next = next,
                .along = th_unit2(th_minus2(next, previous)),
                .left = th_length2(th_minus2(next, self->at)),
                .last = path->count < TH_PATH_CORNERS && i + 1 == path->count};
}

static bool reached(const th_steer_self *self, const edge *e) {
  return e->left <= self->params->path.distance || th_dot2(th_minus2(self->at, e->next), e->along) >= 0.0f;
}

/* The edge that the agent is on; moves on by one corner when it is reached. True when it has just moved on. */
static bool find_edge(const th_steer_self *self, const th_view_path *path, edge *e) {
  th_steering_state *state = self->state;
  const uint32_t end = path->number + path->count;
  bool fresh = state->path_guide != path->guide || state->path_next < path->number;
  if (fresh) state->path_next = path->number;
  if (state->path_next >= end) state->path_next = end - 1;
  state->path_guide = path->guide;
  *e = edge_to(self, path);
  if (!reached(self, e) || state->path_next + 1 >= end) return fresh;
  state->path_next++;
  *e = edge_to(self, path);
  return true;
}

static float angle_to(const th_steer_self *self, th_vec2 along) {
  return fabsf(th_atan2f(th_cross2(along, self->v), th_dot2(along, self->v)));
}

static float push_of(const th_steering_path *p, float outside) {
  float x = outside / fmaxf(p->distance, NARROW);
  if (p->reading == TH_STEER_REPAIRED) x = x < 2.0f ? x : 2.0f;
  if (p->reading == TH_STEER_PRINTED) x = x < 0.0f ? x : 0.0f;
  return p->force * x + LEAST;
}

/* Back to the line of the edge, from where the agent will be; 0 inside the corridor. */
static th_vec2 keep_inside(const th_steer_self *self, const edge *e) {
  const th_steering_path *p = &self->params->path;
  const th_vec2 then = th_along2(self->at, p->projection, self->v);
  const float off = th_cross2(e->along, th_minus2(then, e->next)), outside = fabsf(off) - fmaxf(p->distance, NARROW);
  if (!(outside > 0.0f)) return (th_vec2){0.0f, 0.0f};
  return th_scaled2(th_left2(e->along), off > 0.0f ? -push_of(p, outside) : push_of(p, outside));
}

void th_steer_path(const th_steer_self *self, th_steering_force *out) {
  const th_steering_path *p = &self->params->path;
  const th_view_path *path = self->view->path ? &self->view->path[self->lane] : NULL;
  edge e;
  if (!path || !path->count) return;
  bool fresh = find_edge(self, path, &e);
  bool wrong = !fresh && e.left > self->state->path_last;
  self->state->path_last = e.left;
  if (e.last && e.left < p->stop) {
    out->stop = true;
    return;
  }
  if (e.last && reached(self, &e)) { /* near the end: straight to it */
    out->force = th_scaled2(th_unit2(th_minus2(e.next, self->at)), self->speed);
    return;
  }
  th_vec2 back = keep_inside(self, &e);
  if (wrong) back = th_scaled2(e.along, p->force * angle_to(self, e.along) / (float)TH_PI);
  out->agrees = !wrong && back.x == 0.0f && back.y == 0.0f;
  out->force = th_along2(back, p->regulation, e.along);
}
