/* field/mesh/relaxed.c - a field on mesh ground by the relaxation of the literature instead of a direct solve.
 *
 * The published distance weights and sweeps (throng/published/relax_mesh.h) give u; everything after that is as for
 * fields that are solved. For a point, the goal is the vertex whose cell holds it. Without walls the relaxed field is
 * constant, so it is refused. Cost: thousands of sweeps.
 */
#include <math.h>

#include "base/error.h"
#include "base/explog.h"
#include "base/memory.h"
#include "field/mesh/field.h"
#include "throng/published/relax_mesh.h"

/* The free corner of the goal's face in whose cell the goal lies. */
static uint32_t goal_vertex(const th_mesh_field_build *d) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)d->centre.cell;
  double weight[3], max = -INFINITY;
  uint32_t best = corner[0];
  th_frames_weights(&d->mesh->frames, d->centre.cell, (th_point){(double)d->centre.x, (double)d->centre.y}, weight);
  for (int k = 0; k < 3; k++)
    if (d->kind[corner[k]] != TH_CELL_WALL && weight[k] > max) max = weight[k], best = corner[k];
  return best;
}

static void tag(const th_mesh_field_build *d, uint8_t *tile) {
  for (uint32_t v = 0; v < d->vertices; v++) tile[v] = d->kind[v] == TH_CELL_WALL ? TH_TILE_WALL : TH_TILE_FREE;
  if (d->spread) tile[goal_vertex(d)] = TH_TILE_GOAL;
  for (uint32_t n = 0; !d->spread && n < d->goal_count; n++) tile[d->goal[n]] = TH_TILE_GOAL;
}

static th_result run(const th_mesh_field_build *d, th_mesh_relax *relax, th_error *error) {
  th_mesh_relax_report report = {0};
  if (d->def->relax.sweeps)
    th_mesh_relax_sweep(relax, d->def->relax.sweeps);
  else
    report = th_mesh_relax_converge(relax);
  if (report.no_wall)
    return th_fail(error, TH_ERROR_GEOMETRY, "solver",
                   "expected a wall somewhere for a relaxation, found a closed surface: its field would be constant");
  for (uint32_t v = 0; v < d->vertices; v++) {
    double u = th_mesh_relax_u(relax, v);
    d->field->log_u[v] = u > 0.0 ? th_log_double(u) : -INFINITY;
  }
  return TH_OK;
}

th_result th_mesh_field_relax(th_mesh_field_build *d, th_error *error) {
  const th_env env = {.allocator = *d->allocator};
  th_mesh_relax_weights *weights = NULL;
  th_mesh_relax *relax = NULL;
  uint8_t *tile = TH_TAKE(d->allocator, uint8_t, d->vertices);
  th_result result = tile ? TH_OK : th_fail_memory(error, "field");
  if (!result)
    result = th_mesh_relax_weights_make(
        &d->mesh->mesh, &(th_mesh_relax_weights_def){.env = env, .alpha = 1, .beta = 1, .gamma = 1}, &weights, error);
  if (!result) {
    th_mesh_relax_def def = th_mesh_relax_def_of(&d->def->relax);
    def.env = env;
    tag(d, tile);
    result = th_mesh_relax_make(&def, weights, tile, &relax, error);
  }
  if (!result) result = run(d, relax, error);
  th_mesh_relax_free(relax);
  th_mesh_relax_weights_free(weights);
  TH_GIVE(d->allocator, tile, d->vertices);
  return result;
}
