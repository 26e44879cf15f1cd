/* lab/published/planner.c - fields by one of the literature's relaxation methods instead of the direct solver.
 *
 * The cells that a field hands over are relaxed to convergence, or by a fixed number of sweeps, and given back as u.
 * Precision that the method lost is not repaired: cells where the stored potential has no slope are told as cells
 * without a direction. On meshes the published distance weights and sweeps are used; without walls the relaxed field is
 * constant, so it is refused. Cost: see grid/relaxation.c; on maps of rooms from 16 x 16 to 129 x 129 cells the direct
 * solve was always faster.
 */
#include "throng/published/planner.h"

#include "base/error.h"
#include "lab/published/grid/relaxation.h"
#include "throng/published/relax_mesh.h"

static void read_grid(const th_relaxation *r, const th_relax_def *def, const th_planner_cells *cells, double *u) {
  const double null = def->storage == TH_STORAGE_P ? th_default_flatness_def().null_gradient : 0.0;
  th_relaxation_read_u(r, u);
  for (uint32_t j = 0; j < cells->height; j++)
    for (uint32_t i = 0; i < cells->width; i++) {
      const size_t c = (size_t)j * cells->width + i;
      if (u[c] > 0.0 && th_relaxation_is_flat(r, i, j, null)) u[c] = -u[c];
    }
}

static th_result plan_grid(const th_relax_def *def, const th_planner_cells *cells, double *u, th_error *error) {
  const th_grid grid = {cells->env, cells->width, cells->height, cells->kind};
  th_relaxation *r = NULL;
  th_result result = th_relaxation_make(def, &grid, &r, error);
  if (result != TH_OK) return result;
  if (def->sweeps > 0)
    th_relaxation_sweep(r, def->sweeps);
  else if (!th_relaxation_converge(r))
    cells->env.log.write(cells->env.log.user, TH_LOG_WARNING,
                         "field: the relaxation has not converged; it is used as it is");
  read_grid(r, def, cells, u);
  th_relaxation_free(r);
  return TH_OK;
}

static th_result relax_mesh(const th_relax_def *def, th_mesh_relax *relax, uint32_t vertices, double *u,
                            th_error *error) {
  th_mesh_relax_report report = {0};
  if (def->sweeps)
    th_mesh_relax_sweep(relax, def->sweeps);
  else
    report = th_mesh_relax_converge(relax);
  if (report.no_wall)
    return th_fail(error, TH_ERROR_GEOMETRY, "solver",
                   "expected a wall somewhere for a relaxation, found a closed surface: its field would be constant");
  for (uint32_t v = 0; v < vertices; v++) u[v] = th_mesh_relax_u(relax, v);
  return TH_OK;
}

static th_result plan_mesh(const th_relax_def *def, const th_planner_cells *cells, double *u, th_error *error) {
  th_mesh_relax_weights_def plain = th_default_mesh_relax_weights_def();
  th_mesh_relax_def how = th_mesh_relax_def_of(def);
  th_mesh_relax_weights *weights = NULL;
  th_mesh_relax *relax = NULL;
  if (def->eps != 0.0 && (def->v.x != 0.0f || def->v.y != 0.0f))
    return th_fail(error, TH_ERROR_RANGE, "relax.eps",
                   "expected eps 0 for a relaxation on mesh ground, which has no direction for v, found %g", def->eps);
  plain.env = how.env = cells->env;
  th_result result = th_relax_check(def, error);
  if (result == TH_OK) result = th_mesh_relax_weights_make(cells->mesh, &plain, &weights, error);
  if (result == TH_OK) result = th_mesh_relax_make(&how, weights, cells->kind, &relax, error);
  if (result == TH_OK) result = relax_mesh(def, relax, cells->width, u, error);
  th_mesh_relax_free(relax);
  th_mesh_relax_weights_free(weights);
  return result;
}

static th_result plan(void *user, const th_planner_cells *cells, double *u, th_error *error) {
  const th_relax_def *def = user;
  return cells->mesh ? plan_mesh(def, cells, u, error) : plan_grid(def, cells, u, error);
}

_Static_assert((int)TH_CELL_WALL == TH_TILE_WALL && (int)TH_CELL_FREE == TH_TILE_FREE &&
                   (int)TH_CELL_PINNED == TH_TILE_GOAL,
               "kinds of cells are tiles");

th_planner th_relax_planner(const th_relax_def *def) { return (th_planner){plan, (void *)def}; }
