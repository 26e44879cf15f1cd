/* field/grid/planned.c - a field on flat ground whose values come from a planner of the host.
 *
 * The values become u; sampling then works as for every field. What the planner lost is not repaired: cells to which it
 * gives no direction are treated like cells that cannot reach the goal, so that agents there stop and report it instead
 * of following rounding errors. Cost: that of the planner.
 */
#include "field/planned.h"

#include <math.h>

#include "field/grid/field.h"

th_result th_grid_field_plan(th_field_build *build, th_error *error) {
  const th_flat_ground *flat = build->ground->flat;
  const th_planner_cells cells = {build->field->env, NULL, flat->width, flat->height, build->kind};
  double *u = build->field->u;
  th_result result = th_planned_values(build->def->planner, &cells, u, error);
  for (size_t c = 0; result == TH_OK && c < build->size; c++) {
    if (!(u[c] > 0.0)) build->distance[c] = INFINITY;
    u[c] = fabs(u[c]);
  }
  return result;
}
