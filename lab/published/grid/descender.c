/* lab/published/grid/descender.c - a point that walks down a potential and its sub-goals.
 *
 * Each step follows the normalised gradient of the cell that the point stands in: the simplest reading of the
 * literature, kept for its experiments (the fields of field.h sample smoothly). Cost: one difference in each direction
 * per step.
 */
#include <math.h>

#include "base/trig.h"
#include "lab/published/grid/relaxation.h"

static uint32_t cell_of(double x) { return x >= 0.0 && x < 4294967295.0 ? (uint32_t)x : UINT32_MAX; }

th_descent th_subgoals_step(const th_subgoals *subgoals, th_descender *walker, double length) {
  uint32_t i = cell_of(walker->x), j = cell_of(walker->y);
  if (th_relaxation_tile(th_subgoals_field(subgoals, 0), i, j) == TH_TILE_GOAL) return TH_DESCENT_ARRIVED;
  walker->level = th_subgoals_drop(subgoals, walker->level, i, j);
  const th_relaxation *field = th_subgoals_field(subgoals, walker->level);
  if (th_relaxation_tile(field, i, j) == TH_TILE_WALL) return TH_DESCENT_BLOCKED;
  if (th_relaxation_is_flat(field, i, j, th_subgoals_null_gradient(subgoals))) return TH_DESCENT_NULL;
  double gx, gy;
  th_relaxation_descent(field, i, j, &gx, &gy);
  const double size = th_hypot_double(gx, gy);
  const double x = walker->x + length * gx / size, y = walker->y + length * gy / size;
  i = cell_of(x), j = cell_of(y);
  if (th_relaxation_tile(field, i, j) == TH_TILE_WALL) return TH_DESCENT_BLOCKED;
  walker->x = x;
  walker->y = y;
  walker->level = th_subgoals_drop(subgoals, walker->level, i, j);
  return th_relaxation_tile(th_subgoals_field(subgoals, 0), i, j) == TH_TILE_GOAL ? TH_DESCENT_ARRIVED
                                                                                  : TH_DESCENT_MOVED;
}
