/* model/steering/wall_following.c - approaches a wall and walks along it, also round corners.
 *
 * Five rays: ahead, 30 degrees to either side and to the sides, so long that the ends of a side and an oblique ray lie
 * on a line along the wall. A ray of length R that meets the wall after s attracts with F (s/R)^O and, from s = 2R/3
 * on, repels with F (2 (1 - 3s/2R))^O: both balance at s = R/2. The ray ahead never attracts. A small automaton
 * remembers the side that is followed: where that side's rays lose the wall, the agent turns round the corner; where
 * the ray ahead and the oblique one meet a wall, it turns away. The wall is given up after ten decisions without it
 * (Popelova 2011, 3.5; her "concave" corner is an outer one of a building). Cost: five rays and about 60 operations.
 */
#include "model/steering/steer.h"

#define LOST_AFTER 10 /* decisions */

enum { STREAM_SIDE = 0x57f0 };

static bool meets(const th_steer_self *self, uint32_t ray) {
  const th_rays *r = &self->senses->wall[ray];
  return r->nx[self->lane] != 0.0f || r->ny[self->lane] != 0.0f;
}

/* Starts to follow a wall that both rays of a side meet. */
static void begin(const th_steer_self *self) {
  bool right = meets(self, TH_RAY_RIGHT) && meets(self, TH_RAY_OBLIQUE_RIGHT);
  bool left = meets(self, TH_RAY_LEFT) && meets(self, TH_RAY_OBLIQUE_LEFT);
  if (self->state->wall_side == TH_WALL_NONE)
    self->state->wall_side = right ? TH_WALL_RIGHT : left ? TH_WALL_LEFT : TH_WALL_NONE;
}

/* True when a sharp corner decides alone. */
static bool corners(const th_steer_self *self, th_steering_force *out) {
  const th_steering_wall *p = &self->params->wall;
  th_steering_state *state = self->state;
  if (state->wall_side == TH_WALL_NONE) return false;
  bool left = state->wall_side == TH_WALL_LEFT;
  float side = left ? 1.0f : -1.0f;
  bool oblique = meets(self, left ? TH_RAY_OBLIQUE_LEFT : TH_RAY_OBLIQUE_RIGHT);
  bool beside = meets(self, left ? TH_RAY_LEFT : TH_RAY_RIGHT);
  if (oblique || beside) {
    state->wall_lost = 0;
    if (!oblique || !meets(self, TH_RAY_FRONT)) return false;
    out->force = th_scaled2(th_steer_rotation(self, -side), p->convex);
    return true;
  }
  if (++state->wall_lost > LOST_AFTER) {
    state->wall_side = TH_WALL_NONE;
    state->wall_lost = 0;
    return false;
  }
  out->force = th_scaled2(th_steer_rotation(self, side), p->concave);
  return true;
}

static float pull_of(const th_steering_wall *p, uint32_t ray, float s, float length, bool *repels) {
  float attract = ray == TH_RAY_FRONT ? 0.0f : p->attract * p->force * th_steer_power(s / length, p->order);
  float depth = 2.0f * (1.0f - 1.5f * s / length);
  float repel = depth > 0.0f ? p->repel * p->force * th_steer_power(depth, p->order) : 0.0f;
  *repels |= repel > 0.0f;
  return repel - attract;
}

/* A ray of the side that is not followed. */
static bool ignored(const th_steer_self *self, uint32_t ray) {
  uint8_t side = self->params->wall.my_side ? self->state->wall_side : TH_WALL_NONE;
  if (side == TH_WALL_LEFT) return ray == TH_RAY_RIGHT || ray == TH_RAY_OBLIQUE_RIGHT;
  return side == TH_WALL_RIGHT && (ray == TH_RAY_LEFT || ray == TH_RAY_OBLIQUE_LEFT);
}

void th_steer_wall(const th_steer_self *self, th_steering_force *out) {
  const th_steering_wall *p = &self->params->wall;
  const uint32_t lane = self->lane;
  bool repels = false;
  begin(self);
  if (corners(self, out)) return;
  bool fix = p->front && self->state->wall_side == TH_WALL_NONE;
  for (uint32_t i = 0; i < TH_RAY_COUNT; i++) {
    const th_rays *r = &self->senses->wall[i];
    if (!meets(self, i) || ignored(self, i)) continue;
    float size = pull_of(p, i, r->free[lane], r->length[lane], &repels);
    th_vec2 push = {r->nx[lane] * size, r->ny[lane] * size};
    if (fix && i <= TH_RAY_OBLIQUE_RIGHT && size > 0.0f)
      push = th_steer_front_fix(self, push, th_steer_side(self, STREAM_SIDE));
    out->force = th_plus2(out->force, push);
  }
  out->agrees = !repels;
}
