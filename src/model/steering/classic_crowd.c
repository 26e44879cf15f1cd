/* model/steering/classic_crowd.c - separation, cohesion, alignment, flocking, unaligned avoidance, queuing.
 *
 * All of them look at the people in sight, the nearest ones (Reynolds 1987 and 1999). Flocking adds the three rules of
 * boids. Unaligned collision avoidance turns aside for the neighbour that would come too near first if both kept their
 * velocities. Queuing slows down behind somebody slower who is straight ahead. Cost: about 10 operations per neighbour.
 */
#include "model/steering/classic.h"

/* What is known of the people in sight. */
typedef struct crowd {
  uint32_t count;    /* of all in sight */
  th_vec2 centre, v; /* their mean place and velocity */
  th_vec2 away;      /* sum of offsets from those within classic_radius, longer the nearer they are */
} crowd;

static bool sees(const th_steer_self *self, uint32_t k, th_classic_body *other) {
  const th_neighbours *near = &self->view->neighbours;
  if (!(self->senses->seen[k] >> self->lane & 1u) || k >= (uint32_t)self->params->people.nearest) return false;
  const uint32_t j = near->pick[k * TH_VIEW_LANES + self->lane];
  *other = (th_classic_body){{near->x[j], near->y[j]}, {near->vx[j], near->vy[j]}};
  return true;
}

static crowd look_round(const th_steer_self *self) {
  const float radius = self->params->classic.radius;
  crowd c = {0};
  th_classic_body other;
  for (uint32_t k = 0; k < self->view->neighbours.pick_count; k++) {
    if (!sees(self, k, &other)) continue;
    const th_vec2 from = th_minus2(self->at, other.at);
    const float d = th_length2(from);
    c.count++;
    c.centre = th_plus2(c.centre, other.at);
    c.v = th_plus2(c.v, other.v);
    if (d < radius && d > 0.0f) c.away = th_along2(c.away, (radius - d) / (radius * d), from);
  }
  if (c.count) {
    c.centre = th_scaled2(c.centre, 1.0f / (float)c.count);
    c.v = th_scaled2(c.v, 1.0f / (float)c.count);
  }
  return c;
}

/* Not longer than the wanted speed. */
static th_vec2 at_most(const th_steer_self *self, th_vec2 v) {
  const float size = th_length2(v);
  return size > self->walk ? th_scaled2(v, self->walk / size) : v;
}

static th_vec2 separation(const th_steer_self *self, const crowd *c) {
  return at_most(self, th_scaled2(c->away, 2.0f * self->walk));
}

static th_vec2 cohesion(const th_steer_self *self, const crowd *c) {
  const float radius = self->params->classic.radius;
  if (!c->count || !(radius > 0.0f)) return (th_vec2){0.0f, 0.0f};
  return at_most(self, th_scaled2(th_minus2(c->centre, self->at), self->walk / radius));
}

void th_classic_separation(const th_steer_self *self, th_steering_force *out) {
  const crowd c = look_round(self);
  out->force = separation(self, &c);
}

void th_classic_cohesion(const th_steer_self *self, th_steering_force *out) {
  const crowd c = look_round(self);
  out->force = cohesion(self, &c);
}

void th_classic_alignment(const th_steer_self *self, th_steering_force *out) {
  out->force = at_most(self, look_round(self).v);
}

void th_classic_flocking(const th_steer_self *self, th_steering_force *out) {
  const crowd c = look_round(self);
  const th_vec2 along = at_most(self, c.v);
  out->force = at_most(self, th_plus2(th_plus2(separation(self, &c), cohesion(self, &c)), along));
}

void th_classic_unaligned(const th_steer_self *self, th_steering_force *out) {
  const th_steering_classic *p = &self->params->classic;
  float soonest = p->time, side = 0.0f;
  th_classic_body other;
  for (uint32_t k = 0; k < self->view->neighbours.pick_count; k++) {
    if (!sees(self, k, &other)) continue;
    const th_vec2 r = th_minus2(other.at, self->at), w = th_minus2(other.v, self->v);
    const float w2 = th_dot2(w, w), t = w2 > 0.0f ? -th_dot2(r, w) / w2 : -1.0f;
    const th_vec2 then = th_along2(r, t, w);
    if (!(t > 0.0f) || !(t < soonest) || th_length2(then) > p->radius) continue;
    soonest = t;
    side = th_cross2(self->h, th_along2(r, t, other.v)) > 0.0f ? -1.0f : 1.0f;
  }
  if (side != 0.0f) out->force = th_scaled2(th_left2(self->h), side * self->walk * (1.0f - 0.5f * soonest / p->time));
}

void th_classic_queuing(const th_steer_self *self, th_steering_force *out) {
  const th_neighbours *near = &self->view->neighbours;
  const float radius = self->params->classic.radius;
  float brake = 0.0f;
  th_classic_body other;
  for (uint32_t k = 0; k < near->pick_count; k++) {
    if (!sees(self, k, &other)) continue;
    const uint32_t j = near->pick[k * TH_VIEW_LANES + self->lane];
    const th_vec2 r = th_minus2(other.at, self->at);
    const float ahead = th_dot2(r, self->h), beside = fabsf(th_cross2(self->h, r));
    const float bodies = self->view->radius[self->lane] + near->radius[j];
    if (!(ahead > 0.0f) || beside > bodies || !(ahead < radius + bodies)) continue;
    if (th_dot2(other.v, self->h) >= self->speed) continue;
    brake = fmaxf(brake, th_clamp(1.0f - (ahead - bodies) / fmaxf(radius, 1e-3f), 0.0f, 1.0f));
  }
  if (!(brake > 0.0f)) return;
  out->agrees = false;
  out->stop = brake >= 0.9f;
  out->force = th_steer_brake(self, brake);
}
