/* model/steering/leader_following.c - keeps a distance to a leader, whatever the leader's heading.
 *
 *   farther than D   pulls with F (d - D)/D_F
 *   nearer than D    pushes with F ((D - d)/D)^2, or slows down by 1 - d/D (deceleration)
 *   leader stands    within 0.8 m of D: stops and looks at the leader
 *
 * Pushing alone makes a follower turn round and walk back when its leader brakes. Slowing down lets the gap open by
 * itself; only behind a slower leader it also steps back, the more the slower that one is (Popelova 2011, 3.6; reading
 * The author's later release steps back by at least 0.5 m/s from the least difference on: then the speed of a
 * follower flips in every decision. A leader out of sight is looked for where it was seen last; one that was never
 * seen, by turning round; without a leader the agent stands. Formations are in leader_formation.c. Cost: about 40
 * operations.
 */
#include "model/steering/steer.h"

#define STEP_BACK 0.5f /* [m/s], from a leader of half the follower's speed */

static void remember(const th_steer_self *self, const th_link *leader) {
  th_steering_state *state = self->state;
  const th_vec2 v = {leader->vx, leader->vy};
  state->leader_known = 1;
  state->leader_at = th_view_point(self->view, self->lane, leader->x, leader->y);
  state->leader_v = th_steer_inward(self, v);
  if (th_length2(v) > TH_STEER_STANDS) state->leader_direction = th_unit2(state->leader_v);
}

bool th_steer_find_leader(const th_steer_self *self, th_steering_force *out, th_steer_leader_view *leader) {
  const th_link *link = th_view_link(self->view, self->lane, TH_ROLE_LEADER);
  if (!link) {
    out->stop = true;
    return false;
  }
  if (link->seen) remember(self, link);
  if (self->state->leader_known) {
    leader->at =
        link->seen ? (th_vec2){link->x, link->y} : th_view_place(self->view, self->lane, self->state->leader_at);
    leader->v = th_steer_outward(self, self->state->leader_v);
    leader->seen = link->seen;
    leader->distance = th_length2(th_minus2(leader->at, self->at));
    if (link->seen || leader->distance > TH_STEER_NEAR) return true;
  }
  out->force = th_steer_rotation(self, self->params->side == TH_STEER_LEFT ? 1.0f : -1.0f);
  out->agrees = false;
  return false;
}

/* Too near: slows down; behind a slower leader it also steps back. `away` is a unit vector from the leader. */
static th_vec2 slow_down(const th_steer_self *self, const th_steer_leader_view *leader, th_vec2 away) {
  const th_steering_leader *p = &self->params->leader;
  const th_vec2 brake = th_steer_brake(self, 1.0f - leader->distance / p->distance);
  const float speed = th_length2(leader->v);
  float push = 0.0f;
  if (speed <= TH_STEER_STANDS)
    push = self->speed > 0.0f ? 2.0f * self->a * self->speed : p->force;
  else if (speed < self->speed)
    push = STEP_BACK * (self->speed - speed) / speed;
  return th_along2(brake, push, away);
}

static float repulsion_of(const th_steering_leader *p, float distance) {
  float x = p->reading == TH_STEER_PRINTED ? distance / p->distance : (p->distance - distance) / p->distance;
  return p->force * x * x;
}

static void keep_distance(const th_steer_self *self, const th_steer_leader_view *leader, th_steering_force *out) {
  const th_steering_leader *p = &self->params->leader;
  const float d = leader->distance;
  th_vec2 away = d > 0.0f ? th_scaled2(th_minus2(self->at, leader->at), 1.0f / d) : th_scaled2(self->h, -1.0f);
  bool stands = th_length2(leader->v) <= TH_STEER_STANDS;
  out->agrees = d > p->distance;
  if (stands && fabsf(d - p->distance) <= TH_STEER_NEAR) {
    out->stop = out->looks = true;
    out->focus = leader->at;
  } else if (d > p->distance) {
    out->force = th_scaled2(away, -p->force * (d - p->distance) / p->force_distance);
  } else if (p->deceleration && d < p->distance) {
    out->force = slow_down(self, leader, away);
  } else if (d < p->distance) {
    out->force = th_scaled2(away, repulsion_of(p, d));
  }
}

void th_steer_leader(const th_steer_self *self, th_steering_force *out) {
  th_steer_leader_view leader;
  if (!th_steer_find_leader(self, out, &leader)) return;
  if (self->params->leader.type == TH_FOLLOW_FORMATION)
    th_steer_formation(self, &leader, out);
  else
    keep_distance(self, &leader, out);
}
