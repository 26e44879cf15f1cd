/* model/steering/walk_along.c - reaches a target together with a partner, side by side.
 *
 * The axis runs from the middle between the two to the target T; beside T, D/2 to either side of the axis, are the
 * places of both. With Dm and Dp how far the agent and its partner are from theirs, d their distance, da that from the
 * axis:
 *
 *   to the own place      F 2^min(1.5, (Dm - Dp)/5 m), and 0.3 more for the one that is farther away
 *   to the partner        F (d - D)/D when farther than D
 *   from the partner      F (D - d)/D when nearer; with give_way F (D - 2 da)/D away from the axis instead
 *
 * so the one in front goes slower. An agent that waits for a partner far behind (Dp - Dm > 3 D) goes towards the axis,
 * where the partner will pass, and stands there (Popelova 2011, 3.7; ). A partner out of sight is looked for
 * by turning round; without one the agent stands. Both must have this steering on. Cost: about 80 operations.
 */
#include "base/exp_log.h"
#include "model/steering/steer.h"

#define LEAD 5.0f     /* [m]: a lead of as much halves the force */
#define PRINTED 0.01f /* [m]: the same as printed */
#define BEHIND 0.3f   /* [m/s] more for the one behind */
#define NARROW 0.01f  /* [m]: partners keep at least this distance */
#define LN2 0.69314718f

typedef struct pair {
  th_vec2 partner, to_partner; /* place; unit vector */
  th_vec2 mine, across;        /* own place beside the target; unit vector from the axis to the own side */
  float mine_left, partner_left, apart, off, wanted; /* Dm, Dp, d, da, D [m] */
} pair;

static pair look_at_pair(const th_steer_self *self, th_vec2 partner, th_vec2 target) {
  pair p = {.partner = partner, .wanted = fmaxf(self->params->along.distance, NARROW)};
  const th_vec2 middle = th_scaled2(th_plus2(self->at, partner), 0.5f), offset = th_minus2(target, middle);
  const th_vec2 axis = offset.x != 0.0f || offset.y != 0.0f ? th_unit2(offset) : self->h;
  const float off = th_cross2(axis, th_minus2(self->at, middle));
  const float mine = th_length2(th_minus2(target, self->at)), other = th_length2(th_minus2(target, partner));
  bool left = off != 0.0f ? off > 0.0f : mine > other; /* in line: the one in front takes the right */
  p.across = th_scaled2(th_left2(axis), left ? 1.0f : -1.0f);
  p.mine = th_along2(target, 0.5f * p.wanted, p.across);
  p.off = fabsf(off);
  p.apart = th_length2(th_minus2(partner, self->at));
  p.to_partner = th_unit2(th_minus2(partner, self->at));
  p.mine_left = th_length2(th_minus2(p.mine, self->at));
  p.partner_left = th_length2(th_minus2(th_along2(target, -0.5f * p.wanted, p.across), partner));
  return p;
}

static th_vec2 to_own_place(const th_steer_self *self, const pair *p) {
  const th_steering_along *along = &self->params->along;
  float lead = (p->mine_left - p->partner_left) / (along->reading == TH_STEER_PRINTED ? PRINTED : LEAD);
  lead = lead < 1.5f ? lead : 1.5f;
  float size = along->force * th_expf(lead * LN2) + (p->mine_left > p->partner_left ? BEHIND : 0.0f);
  return th_scaled2(th_unit2(th_minus2(p->mine, self->at)), size);
}

static th_vec2 apart_from(const th_steering_along *along, const pair *p) {
  float near = p->wanted - p->apart, beside = p->wanted - 2.0f * p->off;
  if (along->give_way) return th_scaled2(p->across, beside > 0.0f ? along->force * beside / p->wanted : 0.0f);
  return th_scaled2(p->to_partner, near > 0.0f ? -along->force * near / p->wanted : 0.0f);
}

void th_steer_along(const th_steer_self *self, th_steering_force *out) {
  const th_steering_along *along = &self->params->along;
  const th_link *link = th_view_link(self->view, self->lane, TH_ROLE_PARTNER);
  th_vec2 target;
  out->agrees = false;
  if (!link || !th_steer_target_of(self, &target)) {
    out->stop = true;
    return;
  }
  if (!link->seen) {
    out->force = th_steer_rotation(self, self->params->side == TH_STEER_LEFT ? 1.0f : -1.0f);
    return;
  }
  const pair p = look_at_pair(self, (th_vec2){link->x, link->y}, target);
  bool waits = along->wait && p.apart > p.wanted && p.partner_left - p.mine_left > 3.0f * p.wanted;
  if (p.mine_left < along->stop || (waits && p.off <= 0.5f * p.wanted)) {
    out->stop = out->looks = true;
    out->focus = p.partner;
    return;
  }
  th_vec2 to = {0.0f, 0.0f};
  if (waits)
    to = th_scaled2(th_minus2(p.to_partner, p.across), along->force * p.off / p.wanted);
  else if (p.apart > p.wanted)
    to = th_scaled2(p.to_partner, along->force * (p.apart - p.wanted) / p.wanted);
  out->force = th_plus2(th_plus2(to_own_place(self, &p), to), apart_from(along, &p));
}
