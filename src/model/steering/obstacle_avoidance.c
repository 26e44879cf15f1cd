/* model/steering/obstacle_avoidance.c - turns away from walls that rays meet.
 *
 * Five rays: ahead (weight 1), 15 degrees to either side (0.8), both long, and to the sides (0.5), short. A ray of
 * length R that is buried D deep pushes along the wall's normal with
 *
 *   W F (2 D / R)^O
 *
 * so with W F when half of it is buried. Two cases need help. A wall that is met head-on can only push the agent back:
 * then the push is turned half aside. A narrow round obstacle that only an oblique ray meets may push the agent across
 * it: then the push is mirrored at the agent's line (Popelova 2011, 3.1). Cost: five rays, and about 20 operations for
 * each that meets a wall.
 */
#include "base/random.h"
#include "model/steering/steer.h"

#define HEAD_ON 0.99862953f /* cosine of 3 degrees */

enum { STREAM_SIDE = 0x57e0 };

static const float weight[TH_RAY_COUNT] = {1.0f, 0.8f, 0.8f, 0.5f, 0.5f};

float th_steer_power(float x, int32_t order) {
  float y = x;
  for (int32_t i = 1; i < order; i++) y *= x;
  return y;
}

float th_steer_side(const th_steer_self *self, uint32_t stream) {
  if (self->params->side != TH_STEER_RANDOM) return self->params->side == TH_STEER_LEFT ? 1.0f : -1.0f;
  return th_random(self->work->seed, stream, self->view->agent[self->lane], self->work->step) >> 63 ? 1.0f : -1.0f;
}

th_vec2 th_steer_front_fix(const th_steer_self *self, th_vec2 push, float side) {
  float size = th_length2(push), along = th_dot2(self->v, push), turn = th_cross2(self->v, push);
  if (!(self->speed > 0.0f) || !(along <= -HEAD_ON * self->speed * size)) return push;
  if (turn != 0.0f) side = turn > 0.0f ? 1.0f : -1.0f;
  return th_along2(push, 0.5f * size, th_steer_beside(self, side));
}

/* One oblique ray alone meets something, and its push points to that ray's own side. */
static th_vec2 tree_fix(const th_steer_self *self, th_vec2 push, uint32_t ray) {
  float turn = th_cross2(self->v, push);
  bool across = ray == TH_RAY_OBLIQUE_LEFT ? turn > 0.0f : turn < 0.0f;
  if (!across || !(self->speed > 0.0f)) return push;
  th_vec2 u = th_scaled2(self->v, 1.0f / self->speed);
  return th_minus2(th_scaled2(u, 2.0f * th_dot2(push, u)), push);
}

static bool meets(const th_rays *rays, uint32_t lane) { return rays->nx[lane] != 0.0f || rays->ny[lane] != 0.0f; }

void th_steer_obstacle(const th_steer_self *self, th_steering_force *out) {
  const th_steering_obstacle *p = &self->params->obstacle;
  const uint32_t lane = self->lane;
  uint32_t hits = 0;
  for (uint32_t i = 0; i < TH_RAY_COUNT; i++) hits |= (uint32_t)meets(&self->senses->obstacle[i], lane) << i;
  if (!hits) return;
  out->agrees = false;
  bool tree = p->tree && (hits == 1u << TH_RAY_OBLIQUE_LEFT || hits == 1u << TH_RAY_OBLIQUE_RIGHT);
  float side = p->front ? th_steer_side(self, STREAM_SIDE) : 0.0f;
  for (uint32_t i = 0; i < TH_RAY_COUNT; i++) {
    const th_rays *r = &self->senses->obstacle[i];
    if (!(hits >> i & 1u)) continue;
    float length = r->length[lane], buried = length - r->free[lane];
    float size = weight[i] * p->force * th_steer_power(2.0f * buried / length, p->order);
    th_vec2 push = {r->nx[lane] * size, r->ny[lane] * size};
    if (tree) push = tree_fix(self, push, i);
    if (p->front && i <= TH_RAY_OBLIQUE_RIGHT) push = th_steer_front_fix(self, push, side);
    out->force = th_plus2(out->force, push);
  }
}
