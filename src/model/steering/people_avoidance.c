/* model/steering/people_avoidance.c - the settings of people avoidance of sixteen agents, and its force on one.
 *
 * The forces themselves come from people_avoidance.lanes.c, for all lanes at once. A character replaces the settings
 * that it knows. Cost: about 10 operations per agent.
 */
#include "model/steering/steer.h"

enum { STREAM_PEOPLE = 0x57e8 };

void th_steer_crowd_lane(th_steer_crowd *c, uint32_t lane, const th_steering_people *own, float tick, float tie) {
  const th_steering_people p = th_steering_character_of(*own);
  float wait = p.reading == TH_STEER_PRINTED ? p.projection : p.projection - tick;
  c->force[lane] = p.on ? p.force : 0.0f;
  c->distance[lane] = p.on ? p.distance : 0.0f;
  c->projection[lane] = p.projection;
  c->soon[lane] = wait > 0.0f ? 1.0f / wait : -1.0f;
  c->tie[lane] = tie;
  c->nearest[lane] = p.on ? p.nearest : 0;
  c->circumvents[lane] = p.circumvention;
  c->slows[lane] = p.deceleration;
  c->hurries[lane] = p.acceleration;
}

void th_steer_sense_people(const th_work *work, const th_steer_self *self, th_steer_senses *senses) {
  th_steer_crowd *c = &senses->crowd;
  uint32_t any = 0;
  c->view = work->view;
  c->seen = senses->seen;
  c->count = work->view->neighbours.pick_count;
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    const th_steer_self *s = &self[lane];
    c->vx[lane] = s->v.x;
    c->vy[lane] = s->v.y;
    c->a[lane] = s->a;
    th_steer_crowd_lane(c, lane, &s->params->people, s->tick, th_steer_side(s, STREAM_PEOPLE));
    c->distance[lane] = th_steer_distance(s, c->distance[lane]);
    any |= s->params->people.on;
  }
  if (any) TH_LANES_PICK(work->simd, th_steer_avoid)(c);
}

void th_steer_people(const th_steer_self *self, th_steering_force *out) {
  const th_steer_crowd *c = &self->senses->crowd;
  out->force = (th_vec2){c->fx[self->lane], c->fy[self->lane]};
  out->agrees = c->free >> self->lane & 1u;
}
