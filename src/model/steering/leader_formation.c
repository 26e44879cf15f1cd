/* model/steering/leader_formation.c - keeps a place given by distance and angle from a leader's direction.
 *
 * With v the leader's velocity (its mean over the last decisions, with memory) and w the offset of the wanted place,
 *
 *   place = leader + tick v + D unit(v turned right by the angle),   force = unit(w) F |w| / D_F
 *
 * The mean keeps a follower from running to and fro when its leader dodges something. Where the straight path would
 * pass the leader closer than max(1.5 m, D/2), it is bent round the leader: K |w| is added to w across it, away from
 * the leader's side. While the leader stands, its last direction counts; before it ever walked, the follower's own
 * (Popelova 2011, 3.6; R-5; the bend as in the author's later release). Cost: about 80 operations.
 */
#include "base/trig.h"
#include "model/steering/steer.h"

#define ROUND 1.5f /* [m] */

enum { STREAM_SIDE = 0x57f8 };

/* The leader's velocity, or its mean over what is remembered, this decision included. */
static th_vec2 velocity_of(const th_steer_self *self, const th_steer_leader_view *leader) {
  const th_steering_leader *p = &self->params->leader;
  th_steering_state *state = self->state;
  if (!p->memory || p->memory_size < 1) return leader->v;
  if (leader->seen) {
    state->memory[state->memory_next] = state->leader_v;
    state->memory_next = (uint8_t)((state->memory_next + 1) % TH_STEER_MEMORY);
    if (state->memory_count < TH_STEER_MEMORY) state->memory_count++;
  }
  uint32_t count = state->memory_count < p->memory_size ? state->memory_count : (uint32_t)p->memory_size;
  th_vec2 sum = {0.0f, 0.0f};
  for (uint32_t i = 1; i <= count; i++)
    sum = th_plus2(sum, state->memory[(state->memory_next + TH_STEER_MEMORY - i) % TH_STEER_MEMORY]);
  return count ? th_steer_outward(self, th_scaled2(sum, 1.0f / (float)count)) : leader->v;
}

static th_vec2 direction_of(const th_steer_self *self, th_vec2 v) {
  if (th_length2(v) > TH_STEER_STANDS) return th_unit2(v);
  const th_vec2 last = self->state->leader_direction;
  return last.x != 0.0f || last.y != 0.0f ? th_steer_outward(self, last) : self->h;
}

/* The offset of the place, bent round the leader, who is at `middle` during this decision. */
static th_vec2 bend(const th_steer_self *self, th_vec2 offset, th_vec2 middle) {
  const float near = fmaxf(ROUND, 0.5f * self->params->leader.distance), length = th_length2(offset);
  const th_vec2 to = th_minus2(middle, self->at), u = th_unit2(offset);
  if (!(length > th_length2(to))) return offset;
  const float along = th_clamp(th_dot2(to, u), 0.0f, length), off = th_cross2(u, to);
  const float d = th_length2(th_minus2(to, th_scaled2(u, along)));
  const float k = off == 0.0f ? 1.0f : th_clamp((near - d) / near, 0.0f, 1.0f);
  const float side = off == 0.0f ? th_steer_side(self, STREAM_SIDE) : off > 0.0f ? -1.0f : 1.0f;
  return th_along2(offset, side * k, th_left2(offset));
}

void th_steer_formation(const th_steer_self *self, const th_steer_leader_view *leader, th_steering_force *out) {
  const th_steering_leader *p = &self->params->leader;
  const th_vec2 v = velocity_of(self, leader), next = th_along2(leader->at, self->tick, v);
  float s, c;
  th_sincosf(p->angle * (float)TH_DEGREE, &s, &c);
  const th_vec2 place = th_along2(next, p->distance, th_turned2(direction_of(self, v), c, -s));
  const th_vec2 offset = th_minus2(place, self->at);
  const float length = th_length2(offset);
  out->agrees = false;
  if (th_length2(leader->v) <= TH_STEER_STANDS && length < TH_STEER_NEAR) {
    out->stop = out->looks = true;
    out->focus = leader->at;
    return;
  }
  const th_vec2 middle = th_along2(leader->at, 0.5f * self->tick, v);
  const th_vec2 bent = p->circumvention ? bend(self, offset, middle) : offset;
  out->force = th_scaled2(th_unit2(bent), p->force * length / p->force_distance);
}
