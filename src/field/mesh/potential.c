/* field/mesh/potential.c - the potential u of one goal on a mesh.
 *
 * field/direct/potential.c does the work. A goal in one face is a source there, spread over the face's corners; a
 * larger one is pinned. u is kept as its logarithm, for it has no lower bound.
 */
#include "field/direct/potential.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/mesh/field.h"

/* A source on up to three vertices. */
typedef struct corners {
  uint32_t vertex[3], count;
  double value[3];
} corners;

/* The free corners of the centre's face, by barycentric weight. */
static corners spread_source(const th_mesh_field_build *d) {
  const uint32_t *corner = d->mesh->mesh.corner + 3 * (size_t)d->centre.cell;
  double weight[3];
  th_frames_weights(&d->mesh->frames, d->centre.cell, (th_point){(double)d->centre.x, (double)d->centre.y}, weight);
  double sum = 0.0;
  for (int k = 0; k < 3; k++) sum += d->kind[corner[k]] != TH_CELL_WALL ? fmax(weight[k], 0.0) : 0.0;
  corners source = {.count = 0};
  for (int k = 0; k < 3; k++) {
    double w = sum > 0.0 ? fmax(weight[k], 0.0) / sum : 1.0;
    if (d->kind[corner[k]] == TH_CELL_WALL || w == 0.0) continue;
    source.vertex[source.count] = corner[k];
    source.value[source.count++] = w;
  }
  return source;
}

static th_result first_solve(th_potential *p, const th_mesh_field_build *d, double *x, th_error *error) {
  if (!d->spread) return th_potential_from_pinned(p, d->goal, d->goal_count, x, error);
  const corners source = spread_source(d);
  th_result result =
      th_potential_from_sources(p, (th_fronts_source){source.vertex, source.value, source.count}, x, error);
  if (result != TH_OK) return result;
  double peak = 0.0;
  for (uint32_t n = 0; n < source.count; n++) peak = fmax(peak, x[source.vertex[n]]);
  const double scale = 1.0 / peak;
  for (uint32_t v = 0; v < d->vertices; v++) x[v] *= scale;
  return TH_OK;
}

th_result th_mesh_field_potential(th_mesh_field_build *d, th_error *error) {
  th_cached_factor cached;
  th_result result = th_solver_factor(d->solver, d->def->radius_class, &d->rule, &cached, error);
  if (result != TH_OK) return result;
  const th_graph_operator op =
      th_mesh_graph_operator(&d->solver->mesh->graph, cached.factor->kind, cached.sink, d->rule.neumann);
  th_potential potential;
  size_t open; /* vertices that only edges of weight MIN join can stay open: the climb reaches them all the same */
  double *x = TH_TAKE(d->allocator, double, d->vertices);
  result = th_potential_make(&potential, cached.factor, &op, error);
  if (result == TH_OK && !x) result = th_fail_memory(error, "field");
  if (result == TH_OK) result = first_solve(&potential, d, x, error);
  if (result == TH_OK) result = th_potential_in_stages(&potential, d->field->left, x, d->field->log_u, &open, error);
  th_potential_free(&potential);
  TH_GIVE(d->allocator, x, d->vertices);
  return result;
}
