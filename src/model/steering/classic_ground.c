/* model/steering/classic_ground.c - wander, flow-field following, containment, hide.
 *
 * Wander turns its course by a random angle at every decision, a function of seed, agent and step, and lets the course
 * decay towards straight on, so the agent neither jitters nor circles for long. Flow-field following goes along the
 * guide. Containment looks classic_time ahead and turns by the part of the wall's normal that lies across the direction
 * of walking, the more the nearer the wall. Hide goes to the nearest place behind a wall that the target does not see,
 * and flees where there is none (Reynolds 1999). Cost: about 20 operations each; hide tests every wall of the view.
 */
#include "base/random.h"
#include "base/trig.h"
#include "model/steering/classic.h"

#define FALL_BACK 0.9f /* of the course of wander at each decision */
#define WIDEST 1.5707964f
#define BEHIND 0.75f /* [m] behind a wall */
#define SHORT 0.1f   /* [m]: walls that hide nobody */

enum { STREAM_WANDER = 0x5800, STREAM_SIDE };

void th_classic_wander(const th_steer_self *self, th_steering_force *out) {
  const float most = self->params->classic.wander * (float)TH_DEGREE;
  const uint32_t agent = self->view->agent[self->lane];
  const float by = th_random_range(self->work->seed, STREAM_WANDER, agent, self->work->step, -most, most);
  float s, c, *course = &self->state->wander;
  *course = th_clamp(*course * FALL_BACK + by, -WIDEST, WIDEST);
  th_sincosf(*course, &s, &c);
  out->force = th_scaled2(th_turned2(self->h, c, s), self->walk);
}

void th_classic_flow(const th_steer_self *self, th_steering_force *out) {
  const th_guide_answer *want = &self->view->want[self->lane];
  if (want->state == TH_ANSWER_LEAD)
    out->force = th_scaled2((th_vec2){want->dx, want->dy}, self->walk);
  else
    out->stop = want->left < INFINITY;
}

void th_classic_containment(const th_steer_self *self, th_steering_force *out) {
  const th_rays *ray = &self->senses->ahead;
  const uint32_t lane = self->lane;
  const th_vec2 n = {ray->nx[lane], ray->ny[lane]};
  if (n.x == 0.0f && n.y == 0.0f) return;
  const float near = 1.0f - ray->free[lane] / ray->length[lane], across = th_cross2(self->h, n);
  const float side = fabsf(across) > 0.05f ? (across > 0.0f ? 1.0f : -1.0f) : th_steer_side(self, STREAM_SIDE);
  out->agrees = false;
  out->force = th_scaled2(th_left2(self->h), side * self->walk * (0.5f + near));
}

/* The place behind the middle of a wall, if the wall hides it from `from`. Walkable space is to the left of a wall, so
 * one that hides it has its left side away from there. */
static bool behind(const th_segment *wall, th_vec2 from, th_vec2 *place) {
  const th_vec2 a = {wall->ax, wall->ay}, e = th_minus2((th_vec2){wall->bx, wall->by}, a);
  const float length = th_length2(e);
  if (length < SHORT) return false;
  const th_vec2 u = th_scaled2(e, 1.0f / length), n = th_left2(u);
  *place = th_along2(th_along2(a, 0.5f, e), BEHIND, n);
  const float off = th_dot2(n, th_minus2(a, from)); /* of the wall, beyond `from` */
  if (!(off > 0.0f)) return false;
  const th_vec2 met = th_along2(from, off / (off + BEHIND), th_minus2(*place, from));
  const float along = th_dot2(u, th_minus2(met, a));
  return along > 0.0f && along < length;
}

void th_classic_hide(const th_steer_self *self, th_steering_force *out) {
  th_classic_body target;
  th_vec2 best = {0.0f, 0.0f};
  float least = INFINITY;
  if (!th_classic_find(self, TH_ROLE_TARGET, true, &target)) return;
  for (uint32_t i = 0; i < self->view->wall_count; i++) {
    th_vec2 place;
    if (!behind(&self->view->wall[i], target.at, &place)) continue;
    const float d = th_length2(th_minus2(place, self->at));
    if (d < least && d <= self->params->sight) least = d, best = place;
  }
  if (least < INFINITY)
    th_classic_arrive(self, best, self->params->classic.radius, out);
  else
    out->force = th_scaled2(th_unit2(th_minus2(self->at, target.at)), self->walk);
}
