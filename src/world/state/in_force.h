/* world/state/in_force.h - at which steps a world in real time took what it had asked for. */
#ifndef TH_WORLD_STATE_IN_FORCE_H
#define TH_WORLD_STATE_IN_FORCE_H

#include "world/field_requests.h"

#define TH_IN_FORCE_READY UINT32_MAX

bool th_in_force_reserve(th_world *world); /* for what is pending, and one request more: a step allocates nothing */
/* How many requests come into force in this step; TH_IN_FORCE_READY: those that are ready. */
uint32_t th_in_force_due(const th_world *world);
void th_in_force_tell(th_world *world, uint32_t count); /* so many came into force in this step */
void th_in_force_free(th_world *world);

#endif
