/* field/planned.c - values of a field from a planner of the host, checked before anything is made of them.
 *
 * Published planners solve the same equation with methods of their own, faults included; they are no part of the core,
 * but a field of their values is sampled, traced and followed like any other. Cost: that of the planner.
 */
#include "field/planned.h"

#include <math.h>

#include "base/error.h"

th_result th_planned_values(const th_planner *planner, const th_planner_cells *cells, double *u, th_error *error) {
  const uint32_t count = cells->width * cells->height;
  th_result result = planner->plan(planner->user, cells, u, error);
  if (result != TH_OK) return result;
  for (uint32_t c = 0; c < count; c++) {
    if (cells->kind[c] != TH_CELL_FREE)
      u[c] = cells->kind[c] == TH_CELL_PINNED ? 1.0 : 0.0;
    else if (!isfinite(u[c]))
      return th_fail_at(error, TH_ERROR_RANGE, "field.planner", c, "expected a finite value of cell %u, found %g", c,
                        u[c]);
  }
  return TH_OK;
}
