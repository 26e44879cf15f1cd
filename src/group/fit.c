/* group/fit.c - how well members fill an area and stand in line.
 *
 * A member in line has its neighbours along the axes. Of all members within 45 degrees of an axis, which with two axes
 * are all members, the nearest one tells: the angle between it and the axis is 22.5 degrees on average where members
 * stand at random, and 0 in rows and columns (Rodrigues 2010, chapter 6, looks at such pictures; the number is ours).
 * Everything is seen from above. Cost: every pair of members.
 */
#include <math.h>

#include "base/trig.h"
#include "group/shape.h"

/* The angle between an offset and the nearest axis of the mask, 0 to pi / 4; above: no axis is that near. */
static double angle_to(const th_group_mask *mask, double x, double y) {
  const double c = (double)mask->c, s = (double)mask->s, along = fabs(x * c + y * s), across = fabs(y * c - x * s);
  const double to_first = mask->along ? th_atan2_double(across, along) : INFINITY;
  const double to_second = mask->across ? th_atan2_double(along, across) : INFINITY;
  return fmin(to_first, to_second);
}

double th_group_fit_askew(const th_vec3 *at, uint32_t count, const th_group_mask *mask) {
  const double limit = 0.25 * TH_PI + 1e-9;
  double sum = 0.0;
  uint32_t in_sight = 0;
  for (uint32_t i = 0; i < count; i++) {
    double least = INFINITY, askew = 0.0;
    for (uint32_t k = 0; k < count; k++) {
      const double x = (double)at[k].x - (double)at[i].x, y = (double)at[k].y - (double)at[i].y;
      if (k == i || x * x + y * y >= least) continue;
      const double angle = angle_to(mask, x, y);
      if (angle <= limit) least = x * x + y * y, askew = angle;
    }
    if (!(least < INFINITY)) continue;
    sum += askew;
    in_sight++;
  }
  return in_sight ? sum / in_sight * TH_DEGREES : NAN;
}

double th_group_fit_outside(const th_group_area *area, const th_vec3 *at, uint32_t count) {
  uint32_t outside = 0;
  if (th_group_area_is_empty(area) || !count) return NAN;
  for (uint32_t i = 0; i < count; i++) outside += !th_group_area_holds(area, at[i].x, at[i].y);
  return (double)outside / count;
}
