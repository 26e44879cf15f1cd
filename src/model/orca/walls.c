/* model/orca/walls.c - half-planes of walls.
 *
 * A wall rules out velocities that bring the disc of the agent onto the segment within the wall horizon: a cone with
 * the segment, grown by the radius and divided by the horizon, as its blunt tip. The half-plane touches that region at
 * its boundary point nearest to the current velocity, and the agent does all of the avoiding. Where two walls meet, the
 * solid corner is either convex (the cone ends in a tangent to the corner's disc) or not (the tip continues straight,
 * and the next wall has its own cone); a tangent that points into the next wall is dropped, since that wall has its own
 * line. A wall that lies wholly beyond the half-plane of a nearer one is left out. This is how van den Berg et al. 2011
 * treat static obstacles; walls here are separate segments, so the walls that share an end are found first, once per
 * view and only for walls in reach. Cost: 5 ns per wall and agent, plus 30 ns per line that is kept.
 */
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "model/orca/solve.h"

#define TOGETHER 1e-3f /* [m]: ends nearer than this are one corner */

typedef struct line {
  th_vec2 p, d;
} line;

/* The agent that looks, and the cone of one wall as it sees it. */
typedef struct seat {
  float x, y, radius, rate; /* rate = 1 / horizon */
  th_vec2 v;
} seat;
typedef struct cone {
  th_vec2 left, right;         /* ends of the blunt tip's middle [m/s] */
  th_vec2 left_leg, right_leg; /* unit directions outwards */
  bool left_foreign, right_foreign, one_end;
} cone;

/* ---------------------------------------------------------------- corners */

static bool same_point(float ax, float ay, float bx, float by) {
  return fabsf(ax - bx) < TOGETHER && fabsf(ay - by) < TOGETHER;
}

/* Juts out, seen from the walkable side on the left: turns right, or right back as the two sides of a thin wall do. */
static bool juts_out(th_vec2 from, th_vec2 to) { return th_cross2(from, to) < -1e-3f || th_dot2(from, to) < -0.99f; }

static void join(th_orca_wall *w, const th_orca_wall *all, uint32_t count) {
  th_vec2 u = {w->ux, w->uy};
  w->joined = true;
  w->convex_a = w->convex_b = true;
  for (uint32_t i = 0; i < count && !(w->after && w->before); i++) {
    const th_orca_wall *o = &all[i];
    if (o == w || !(o->length > 0.0f)) continue;
    if (!w->after && same_point(o->ax, o->ay, w->bx, w->by)) {
      w->after = true;
      w->nx = o->ux;
      w->ny = o->uy;
      w->convex_b = juts_out(u, (th_vec2){o->ux, o->uy});
    }
    if (!w->before && same_point(o->bx, o->by, w->ax, w->ay)) {
      w->before = true;
      w->px = o->ux;
      w->py = o->uy;
      w->convex_a = juts_out((th_vec2){o->ux, o->uy}, u);
    }
  }
}

static void take_over(th_orca_wall *w, const th_segment *s) {
  float ex = s->bx - s->ax, ey = s->by - s->ay, length = sqrtf(ex * ex + ey * ey);
  *w = (th_orca_wall){.ax = s->ax, .ay = s->ay, .bx = s->bx, .by = s->by, .length = length};
  if (!(length > 0.0f)) return;
  w->ux = ex / length;
  w->uy = ey / length;
}

/* ---------------------------------------------------------------- one wall */

/* Tangent from the origin to the disc of radius r at c; `side` is 1 for the left one, -1 for the right one. */
static th_vec2 tangent(th_vec2 c, float r, float side) {
  float d2 = th_dot2(c, c), leg = sqrtf(fmaxf(d2 - r * r, 0.0f)), k = 1.0f / d2, s = side * r;
  return (th_vec2){(c.x * leg - c.y * s) * k, (c.y * leg + c.x * s) * k};
}

/* The body touches the wall: only coming nearer is ruled out. */
static bool touching(const th_orca_wall *w, const seat *s, th_vec2 a, th_vec2 b, line *out) {
  th_vec2 u = {w->ux, w->uy};
  float at = -th_dot2(a, u), high = -th_cross2(u, a), r2 = s->radius * s->radius;
  const bool end_a = at < 0.0f;
  const bool end_b = at > w->length;
  if (end_a ? th_dot2(a, a) > r2 : end_b ? th_dot2(b, b) > r2 : high > s->radius) return false;
  th_vec2 c = end_a ? a : b;
  float length = th_length2(c);
  *out = (line){{0, 0}, u};
  if (end_a || end_b)
    out->d =
        (end_a ? w->convex_a : w->convex_b) && length > 0.0f ? th_scaled2(th_left2(c), 1.0f / length) : (th_vec2){0, 0};
  return true;
}

/* False when the wall is seen from behind a corner that does not jut out: the wall there has its own line. */
static bool make_cone(const th_orca_wall *w, const seat *s, th_vec2 a, th_vec2 b, cone *c) {
  th_vec2 u = {w->ux, w->uy}, back = {-w->ux, -w->uy}, after = {w->nx, w->ny}, before = {-w->px, -w->py};
  float at = -th_dot2(a, u), high = -th_cross2(u, a);
  bool at_a = at < 0.0f && high <= s->radius, at_b = at > w->length && high <= s->radius; /* seen along its length */
  if ((at_a && !w->convex_a) || (at_b && !w->convex_b)) return false;
  th_vec2 l = at_a ? a : b, r = at_b ? b : a;
  bool convex_l = at_a ? w->convex_a : w->convex_b, convex_r = at_b ? w->convex_b : w->convex_a;
  *c = (cone){.left = th_scaled2(l, s->rate), .right = th_scaled2(r, s->rate), .one_end = at_a || at_b};
  c->left_leg = convex_l ? tangent(l, s->radius, 1.0f) : u;
  c->right_leg = convex_r ? tangent(r, s->radius, -1.0f) : back;
  /* the wall beyond each end, if any: along this one where both legs start from the other end */
  th_vec2 beyond_l = at_a ? u : after, beyond_r = at_b ? back : before;
  if (convex_l && (at_a || w->after) && th_cross2(c->left_leg, beyond_l) >= 0.0f) {
    c->left_leg = beyond_l;
    c->left_foreign = true;
  }
  if (convex_r && (at_b || w->before) && th_cross2(c->right_leg, beyond_r) <= 0.0f) {
    c->right_leg = beyond_r;
    c->right_foreign = true;
  }
  return true;
}

static line round_end(th_vec2 centre, th_vec2 v, float radius, th_vec2 otherwise) {
  th_vec2 w = th_minus2(v, centre);
  float length = th_length2(w);
  th_vec2 n = length > 1e-6f ? th_scaled2(w, 1.0f / length) : otherwise;
  return (line){th_along2(centre, radius, n), {n.y, -n.x}};
}

/* The line through the nearest point of the cone's boundary; false when that point belongs to another wall. */
static bool nearest_line(const cone *c, const seat *s, th_vec2 u, line *out) {
  float rho = s->radius * s->rate;
  th_vec2 tip = th_minus2(c->left, c->right), from_r = th_minus2(s->v, c->right), from_l = th_minus2(s->v, c->left);
  float t = c->one_end ? 0.5f : th_dot2(from_r, tip) / th_dot2(tip, tip);
  float tl = th_dot2(from_l, c->left_leg), tr = th_dot2(from_r, c->right_leg);
  if ((t < 0.0f && tr < 0.0f) || (c->one_end && tl < 0.0f && tr < 0.0f)) {
    *out = round_end(c->right, s->v, rho, th_left2(u));
    return true;
  }
  if (t > 1.0f && tl < 0.0f) {
    *out = round_end(c->left, s->v, rho, th_left2(u));
    return true;
  }
  th_vec2 to_tip = th_minus2(from_r, th_scaled2(tip, t)), to_l = th_minus2(from_l, th_scaled2(c->left_leg, tl)),
          to_r = th_minus2(from_r, th_scaled2(c->right_leg, tr));
  float tip2 = c->one_end || t < 0.0f || t > 1.0f ? INFINITY : th_dot2(to_tip, to_tip);
  float l2 = tl < 0.0f ? INFINITY : th_dot2(to_l, to_l), r2 = tr < 0.0f ? INFINITY : th_dot2(to_r, to_r);
  if (tip2 <= l2 && tip2 <= r2)
    *out = (line){c->right, u};
  else if (l2 <= r2)
    *out = (line){c->left, c->left_leg};
  else
    *out = (line){c->right, th_scaled2(c->right_leg, -1.0f)};
  out->p = th_along2(out->p, rho, th_left2(out->d));
  return tip2 <= l2 && tip2 <= r2 ? true : l2 <= r2 ? !c->left_foreign : !c->right_foreign;
}

/* ---------------------------------------------------------------- one agent */

/* Walls in reach, nearest first. */
typedef struct reach {
  uint32_t count, index[TH_ORCA_WALLS];
  float d2[TH_ORCA_WALLS];
} reach;

static float distance2(const th_orca_wall *w, float x, float y) {
  float dx = x - w->ax, dy = y - w->ay, at = dx * w->ux + dy * w->uy;
  at = at > 0.0f ? (at < w->length ? at : w->length) : 0.0f;
  dx -= at * w->ux;
  dy -= at * w->uy;
  return dx * dx + dy * dy;
}

static void keep_nearest(reach *r, uint32_t index, float d2) {
  if (r->count == TH_ORCA_WALLS && d2 >= r->d2[r->count - 1]) return;
  uint32_t i = r->count < TH_ORCA_WALLS ? r->count++ : r->count - 1;
  for (; i > 0 && d2 < r->d2[i - 1]; i--) {
    r->d2[i] = r->d2[i - 1];
    r->index[i] = r->index[i - 1];
  }
  r->d2[i] = d2;
  r->index[i] = index;
}

static void look(const th_orca_wall *wall, uint32_t count, const seat *s, float distance, reach *r) {
  r->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const th_orca_wall *w = &wall[i];
    float high = w->ux * (s->y - w->ay) - w->uy * (s->x - w->ax);
    if (high < -TOGETHER || high >= distance || !(w->length > 0.0f)) continue;
    float d2 = distance2(w, s->x, s->y);
    if (d2 < distance * distance) keep_nearest(r, i, d2);
  }
}

/* True when both ends, grown by the radius, lie on the forbidden side of an earlier line. */
static bool covered(const line *l, uint32_t count, const seat *s, th_vec2 a, th_vec2 b) {
  float rho = s->radius * s->rate - TH_ORCA_FLAT;
  for (uint32_t i = 0; i < count; i++)
    if (th_cross2(th_minus2(th_scaled2(a, s->rate), l[i].p), l[i].d) >= rho &&
        th_cross2(th_minus2(th_scaled2(b, s->rate), l[i].p), l[i].d) >= rho)
      return true;
  return false;
}

/* Lines of one agent; those that no speed up to `max` violates are dropped at the end. */
static uint32_t lines_of(th_orca_wall *wall, uint32_t walls, const seat *s, const reach *r, line *l) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < r->count; k++) {
    th_orca_wall *w = &wall[r->index[k]];
    th_vec2 a = {w->ax - s->x, w->ay - s->y}, b = {w->bx - s->x, w->by - s->y};
    cone c;
    if (covered(l, count, s, a, b)) continue;
    if (!w->joined) join(w, wall, walls);
    if (touching(w, s, a, b, &l[count]))
      count += l[count].d.x != 0.0f || l[count].d.y != 0.0f;
    else if (make_cone(w, s, a, b, &c) && nearest_line(&c, s, (th_vec2){w->ux, w->uy}, &l[count]))
      count++;
  }
  return count;
}

static void put(th_orca_batch *b, uint32_t row, uint32_t lane, const line *l) {
  if (row == b->wall_rows) memset(b->wall[b->wall_rows++], 0, sizeof b->wall[0]);
  const float value[4] = {l->p.x, l->p.y, l->d.x, l->d.y};
  for (int c = 0; c < 4; c++) b->wall[row][c][lane] = value[c];
}

void th_orca_find_walls(th_orca_batch *b, th_orca_wall *wall, const float *inverse_horizon, const float *distance) {
  const th_view *v = b->view;
  uint32_t walls = v->wall_count < TH_ORCA_MAX_WALLS ? v->wall_count : TH_ORCA_MAX_WALLS;
  b->wall_rows = 0;
  for (uint32_t i = 0; i < walls; i++) take_over(&wall[i], &v->wall[i]);
  for (uint32_t lane = 0; walls && lane < v->lanes; lane++) {
    seat s = {v->x[lane], v->y[lane], v->radius[lane], inverse_horizon[lane], {v->vx[lane], v->vy[lane]}};
    float max = v->speed_max[lane], ahead = max / s.rate + s.radius;
    reach r;
    line l[TH_ORCA_WALLS + 1];
    look(wall, walls, &s, ahead < distance[lane] ? ahead : distance[lane], &r);
    uint32_t count = lines_of(wall, walls, &s, &r, l), rows = 0;
    for (uint32_t i = 0; i < count; i++)
      if (th_cross2(l[i].d, l[i].p) > -1.001f * max) put(b, rows++, lane, &l[i]);
  }
}
