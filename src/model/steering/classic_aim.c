/* model/steering/classic_aim.c - seek, flee, arrival, pursuit, offset pursuit, evasion, interpose.
 *
 * A behaviour of Reynolds (1999) wants a velocity and steers by the difference to its own. The combination does just
 * that with a force: alone, (a v + f)/(a + 1) is the velocity plus a part of f - v. So each returns the velocity that
 * it wants. One that must be kept exactly, to stop at a place, is returned as (a + 1) w - a v. The behaviour aims at
 * the link with the role target, else at the agent's target. Cost: about 20 operations each.
 */
#include "base/trig.h"
#include "model/steering/classic.h"

#define THERE 0.15f /* [m]: arrived */

bool th_classic_find(const th_steer_self *self, uint32_t role, bool or_target, th_classic_body *body) {
  const th_link *link = th_view_link(self->view, self->lane, role);
  *body = (th_classic_body){self->at, {0.0f, 0.0f}};
  if (!link) return or_target && self->params->target.by != TH_STEER_LINK && th_steer_target_of(self, &body->at);
  body->at = th_along2(self->at, link->distance, (th_vec2){link->dx, link->dy});
  if (link->inside) body->v = (th_vec2){link->vx, link->vy};
  return true;
}

/* Where somebody will be when the agent could be there, at most classic_time ahead. */
static th_vec2 meeting_point(const th_steer_self *self, const th_classic_body *other) {
  const float d = th_length2(th_minus2(other->at, self->at)), max = self->params->classic.time;
  const float time = self->walk > 0.0f && d < self->walk * max ? d / self->walk : max;
  return th_along2(other->at, time, other->v);
}

static void go(const th_steer_self *self, th_vec2 to, float speed, th_steering_force *out) {
  out->force = th_scaled2(th_unit2(th_minus2(to, self->at)), speed);
}

void th_classic_arrive(const th_steer_self *self, th_vec2 place, float radius, th_steering_force *out) {
  const th_vec2 offset = th_minus2(place, self->at);
  const float d = th_length2(offset);
  if (d < THERE) {
    out->stop = true;
  } else if (d < radius) {
    out->agrees = false;
    out->force = th_steer_exactly(self, th_scaled2(offset, self->walk / radius));
  } else {
    go(self, place, self->walk, out);
  }
}

void th_classic_seek(const th_steer_self *self, th_steering_force *out) {
  th_classic_body target;
  if (th_classic_find(self, TH_ROLE_TARGET, true, &target)) go(self, target.at, self->walk, out);
}

void th_classic_flee(const th_steer_self *self, th_steering_force *out) {
  th_classic_body target;
  if (th_classic_find(self, TH_ROLE_TARGET, true, &target)) go(self, target.at, -self->walk, out);
}

void th_classic_arrival(const th_steer_self *self, th_steering_force *out) {
  th_classic_body target;
  if (th_classic_find(self, TH_ROLE_TARGET, true, &target))
    th_classic_arrive(self, target.at, self->params->classic.radius, out);
}

void th_classic_pursuit(const th_steer_self *self, th_steering_force *out) {
  th_classic_body target;
  if (th_classic_find(self, TH_ROLE_TARGET, true, &target)) go(self, meeting_point(self, &target), self->walk, out);
}

void th_classic_evasion(const th_steer_self *self, th_steering_force *out) {
  th_classic_body target;
  if (th_classic_find(self, TH_ROLE_TARGET, true, &target)) go(self, meeting_point(self, &target), -self->walk, out);
}

/* The offset turns with the direction of the pursued; before the pursued walks, with the agent's own. */
void th_classic_offset_pursuit(const th_steer_self *self, th_steering_force *out) {
  const th_steering_classic *p = &self->params->classic;
  th_classic_body target;
  float s, c;
  if (!th_classic_find(self, TH_ROLE_TARGET, true, &target)) return;
  th_sincosf(p->angle * (float)TH_DEGREE, &s, &c);
  const th_vec2 ahead = th_length2(target.v) > TH_STEER_STANDS ? th_unit2(target.v) : self->h;
  const th_vec2 place = th_along2(meeting_point(self, &target), p->radius, th_turned2(ahead, c, -s));
  th_classic_arrive(self, place, self->walk * self->tick, out);
}

void th_classic_interpose(const th_steer_self *self, th_steering_force *out) {
  th_classic_body one, other;
  if (!th_classic_find(self, TH_ROLE_TARGET, true, &one) || !th_classic_find(self, TH_ROLE_PARTNER, false, &other))
    return;
  const th_vec2 now = th_scaled2(th_plus2(one.at, other.at), 0.5f);
  const th_classic_body middle = {now, th_scaled2(th_plus2(one.v, other.v), 0.5f)};
  th_classic_arrive(self, meeting_point(self, &middle), self->params->classic.radius, out);
}
