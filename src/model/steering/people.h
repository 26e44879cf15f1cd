/* model/steering/people.h - what people avoidance works on: sixteen agents and the people that they see. */
#ifndef TH_MODEL_STEERING_PEOPLE_H
#define TH_MODEL_STEERING_PEOPLE_H

#include "base/simd/simd.h"
#include "throng/model/steering.h"
#include "throng/view.h"

typedef struct th_steer_crowd {
  const th_view *view;
  const uint32_t *seen;                            /* bit `lane` of seen[k]: it sees its k-th nearest */
  uint32_t count;                                  /* at most so many of the nearest; entries of `seen` */
  float vx[16], vy[16], a[16];                     /* velocity, 0 while standing; weight of the previous velocity */
  float force[16], distance[16];                   /* 0: people avoidance is off */
  float projection[16], soon[16];                  /* P [s]; 1 / (P - tick), 1 / P, or -1: always soon */
  float tie[16];                                   /* 1 = left or faster, -1 = right or slower */
  int32_t nearest[16];                             /* at most */
  int32_t circumvents[16], slows[16], hurries[16]; /* 1 or 0 */
  float fx[16], fy[16];                            /* out [m/s] */
  uint32_t free;                                   /* out: bit set where nothing repels or slows down */
} th_steer_crowd;

TH_LANES_DECLARE(void, th_steer_avoid, th_steer_crowd *crowd);

/* people_avoidance.c: the switches and numbers of a lane; `tie` as above. */
void th_steer_crowd_lane(th_steer_crowd *crowd, uint32_t lane, const th_steering_people *p, float tick, float tie);

#endif
