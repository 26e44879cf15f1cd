/* model/steering/classic.h - the behaviours of Reynolds as steerings. Each returns the velocity that it wants as a
 * force.
 */
#ifndef TH_MODEL_STEERING_CLASSIC_H
#define TH_MODEL_STEERING_CLASSIC_H

#include "model/steering/steer.h"

/* classic_aim.c: towards and away from somebody or something */
void th_classic_seek(const th_steer_self *self, th_steering_force *out);
void th_classic_flee(const th_steer_self *self, th_steering_force *out);
void th_classic_arrival(const th_steer_self *self, th_steering_force *out);
void th_classic_pursuit(const th_steer_self *self, th_steering_force *out);
void th_classic_offset_pursuit(const th_steer_self *self, th_steering_force *out);
void th_classic_evasion(const th_steer_self *self, th_steering_force *out);
void th_classic_interpose(const th_steer_self *self, th_steering_force *out);

/* classic_ground.c: by the ground */
void th_classic_wander(const th_steer_self *self, th_steering_force *out);
void th_classic_flow(const th_steer_self *self, th_steering_force *out);
void th_classic_containment(const th_steer_self *self, th_steering_force *out);
void th_classic_hide(const th_steer_self *self, th_steering_force *out);

/* classic_crowd.c: by the people in sight */
void th_classic_unaligned(const th_steer_self *self, th_steering_force *out);
void th_classic_separation(const th_steer_self *self, th_steering_force *out);
void th_classic_cohesion(const th_steer_self *self, th_steering_force *out);
void th_classic_alignment(const th_steer_self *self, th_steering_force *out);
void th_classic_flocking(const th_steer_self *self, th_steering_force *out);
void th_classic_queuing(const th_steer_self *self, th_steering_force *out);

/* Somebody, or a point, and how it moves. */
typedef struct th_classic_body {
  th_vec2 at, v;
} th_classic_body;

/* classic_aim.c: the link with this role; without one the target of the agent if `or_target`. False: there is none. */
bool th_classic_find(const th_steer_self *self, uint32_t role, bool or_target, th_classic_body *body);
/* At a place, slower within `radius`, and stands there. */
void th_classic_arrive(const th_steer_self *self, th_vec2 place, float radius, th_steering_force *out);

#endif
