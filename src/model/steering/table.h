/* model/steering/table.h - what the table of the model `steering` refers to. */
#ifndef TH_MODEL_STEERING_TABLE_H
#define TH_MODEL_STEERING_TABLE_H

#include <stddef.h>
#include <string.h>

#include "model/steering/steer.h"

/* steering.c: what the table refers to. */
void th_steering_decide(const th_work *work);
float th_steering_reach(const void *params);
uint32_t th_steering_nearest(const void *params);
float th_steering_period(const void *params);
size_t th_steering_state_bytes(const void *params);
uint32_t th_steering_needs(const void *params);

#endif
