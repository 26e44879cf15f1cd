/* lab/bvp/meeting.h - two agents that walk towards each other in the standard corridor. */
#ifndef TH_LAB_BVP_MEETING_H
#define TH_LAB_BVP_MEETING_H

#include "lab/bvp/lab.h"

/* Walker 0 from the left to goal 0, walker 1 from the right to goal 1, both harmonic. */
void th_bvp_meeting(th_bvp_walker walker[2], float radius);
th_bvp_trial th_bvp_meeting_trial(const th_bvp_walker *walker, uint32_t count, uint32_t steps);
/* A behaviour while an agent is ahead within `sight`; `across` is to the right; v pulls. */
void th_bvp_on_sight(th_bvp_params *params, th_bvp_kind kind, float eps, float sight);

#endif
