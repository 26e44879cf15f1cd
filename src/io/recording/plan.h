/* io/recording/plan.h - makes plans point by point. */
#ifndef TH_IO_RECORDING_PLAN_H
#define TH_IO_RECORDING_PLAN_H

#include "throng/recording.h"

/* False when out of memory; the plan stays as it was. A ring takes the points from `first` to the last one added. */
th_result th_floor_plan_of_wkt(const th_env *env, const char *wkt, th_floor_plan *plan, th_error *error); /* wkt.c */
bool th_floor_plan_add_point(th_floor_plan *plan, th_vec2 point);
bool th_floor_plan_add_ring(th_floor_plan *plan, uint32_t first, bool hole);

/* Signed area [m2]: positive when counter-clockwise. */
double th_floor_plan_ring_area(const th_vec2 *point, uint32_t count);

#endif
