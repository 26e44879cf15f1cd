/* field/grid/relaxed.c - a field by one of the literature's relaxation methods instead of the direct solver.
 *
 * The draft's raster is relaxed to convergence, or by a fixed number of sweeps, and handed on as u; sampling then works
 * as for every field. Precision that the method lost is not repaired: cells where the stored potential has no slope are
 * treated like cells that cannot reach the goal, so that agents there stop and report it instead of following rounding
 * errors. Cost: see relax/grid/relaxation.c; on maps of rooms from 16 x 16 to 129 x 129 cells the direct solve was
 * always faster.
 */
#include <math.h>

#include "base/error.h"
#include "field/grid/field.h"
#include "relax/grid/relaxation.h"

th_result th_relax_field_check(const th_field_def *def, th_error *error) {
  if (def->relax.method == TH_METHOD_DIRECT) return TH_OK;
  if (def->kind != TH_FIELD_HARMONIC || def->walls != TH_WALLS_DIRICHLET || def->eps != 0.0f)
    return th_fail(error, TH_ERROR_RANGE, "field.relax",
                   "expected a harmonic field with dirichlet walls and eps 0 (relaxation has its own eps), found kind "
                   "%d, walls %d, eps %g",
                   (int)def->kind, (int)def->walls, (double)def->eps);
  return th_relax_check(&def->relax, error);
}

/* u of every cell; what has no slope counts as out of reach. */
static void hand_on(const th_relaxation *r, th_field_build *build) {
  const double null = build->def->relax.storage == TH_STORAGE_P ? th_default_flatness_def().null_gradient : 0.0;
  const uint32_t w = build->ground->flat->width, h = build->ground->flat->height;
  th_relaxation_read_u(r, build->field->u);
  for (uint32_t j = 0; j < h; j++)
    for (uint32_t i = 0; i < w; i++) {
      const size_t c = (size_t)j * w + i;
      if (!(build->field->u[c] > 0.0) || th_relaxation_is_flat(r, i, j, null)) build->distance[c] = INFINITY;
    }
}

th_result th_relax_field_solve(th_field_build *build, th_error *error) {
  const th_field_def *def = build->def;
  const th_grid grid = {build->field->env, build->ground->flat->width, build->ground->flat->height, build->kind};
  th_relaxation *r = NULL;
  th_result result = th_relaxation_make(&def->relax, &grid, &r, error);
  if (result != TH_OK) return result;
  if (def->relax.sweeps > 0)
    th_relaxation_sweep(r, def->relax.sweeps);
  else if (!th_relaxation_converge(r))
    build->field->env.log.write(build->field->env.log.user, TH_LOG_WARNING,
                                "field: the relaxation has not converged; it is used as it is");
  hand_on(r, build);
  th_relaxation_free(r);
  return TH_OK;
}
