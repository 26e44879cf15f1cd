/* field/grid/potential.c - the potential u of one goal on a grid.
 *
 * field/direct/potential.c does the work. A goal of one cell is a source there, u = A^-1 e_g / (A^-1)_gg, a larger one
 * is pinned. u itself is kept; where stages were needed, because some of it underflows to 0, its logarithm is kept too.
 */
#include "field/direct/potential.h"

#include <math.h>

#include "base/error.h"
#include "base/exp_log.h"
#include "base/memory.h"
#include "field/grid/field.h"

static th_result first_solve(th_potential *p, const th_field_build *build, th_error *error) {
  double *u = build->field->u;
  if (build->goal.count > 1) return th_potential_from_pinned(p, build->goal.cell, build->goal.count, u, error);
  const uint32_t goal = build->goal.cell[0];
  th_result result = th_potential_from_sources(p, (th_fronts_source){&goal, &(double){1.0}, 1}, u, error);
  if (result != TH_OK) return result;
  const double peak = u[goal];
  for (size_t c = 0; c < build->size; c++) u[c] /= peak;
  return TH_OK;
}

/* Sets goals to exactly 1 and cells that cannot reach them to exactly 0. Returns how many cells are still too low to
 * trust. */
static size_t settle(const th_field_build *build) {
  double *u = build->field->u;
  size_t low = 0;
  for (uint32_t n = 0; n < build->goal.count; n++) u[build->goal.cell[n]] = 1.0;
  for (size_t c = 0; c < build->size; c++) {
    if (!isfinite(build->distance[c]))
      u[c] = 0.0;
    else
      low += u[c] <= TH_POTENTIAL_MIN;
  }
  return low;
}

static th_result continue_in_stages(th_potential *p, const th_field_build *build, th_error *error) {
  th_field *field = build->field;
  field->log_u = TH_TAKE(build->allocator, double, build->size);
  if (!field->log_u) return th_fail_memory(error, "field");
  size_t open = 0;
  th_result result = th_potential_in_stages(p, build->distance, field->u, field->log_u, &open, error);
  if (result != TH_OK) return result;
  if (open > 0) return th_fail(error, TH_ERROR_STATE, "field", "%zu cells next to the goal's side stay open", open);
  for (size_t c = 0; c < build->size; c++) field->u[c] = th_exp_double(field->log_u[c]);
  return TH_OK;
}

th_result th_grid_potential_solve(th_solver *solver, th_field_build *build, th_error *error) {
  const th_ground *ground = build->ground;
  const th_factor_rule rule = {
      build->def->walls == TH_WALLS_NEUMANN, build->screen, 0.0, {build->less[0], build->less[1]}, ground->flat->width};
  th_cached_factor cached;
  th_result result = th_solver_factor(solver, build->def->radius_class, &rule, &cached, error);
  if (result != TH_OK) return result;
  const th_operator op = th_grid_solver_operator(ground, &rule, cached.factor->kind);
  const th_graph_operator graph = th_grid_graph_operator(&op);
  th_potential potential;
  result = th_potential_make(&potential, cached.factor, &graph, error);
  if (result == TH_OK) result = first_solve(&potential, build, error);
  if (result == TH_OK && settle(build) > 0) result = continue_in_stages(&potential, build, error);
  th_potential_free(&potential);
  return result;
}
