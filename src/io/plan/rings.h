/* io/plan/rings.h - the shapes of a plan in metres, cleaned, with lines that meet joined. */
#ifndef TH_IO_PLAN_RINGS_H
#define TH_IO_PLAN_RINGS_H

#include "throng/file/plan.h"

/* A new plan of the same layers, scaled by `unit`. Points closer than 0.1 mm to the one before are left out, and shapes
 * without an extent, which are counted. Open lines of a layer that meet within 1 mm become one; a line that returns to
 * its beginning becomes a ring. */
th_result th_rings_make(const th_plan *plan, double unit, th_plan *rings, uint32_t *dropped, th_error *error);

#endif
