/* field/mesh/planned.c - a field on mesh ground whose values come from a planner of the host.
 *
 * The values of the vertices become u; everything after that is as for fields that are solved. For a point, the goal is
 * the vertex whose cell holds it. Cost: that of the planner.
 */
#include "field/planned.h"

#include <math.h>

#include "base/error.h"
#include "base/exp_log.h"
#include "base/memory.h"
#include "field/mesh/field.h"

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

static void tell_kinds(const th_mesh_field_build *d, uint8_t *kind) {
  for (uint32_t v = 0; v < d->vertices; v++) kind[v] = d->kind[v] == TH_CELL_WALL ? TH_CELL_WALL : TH_CELL_FREE;
  if (d->spread) kind[goal_vertex(d)] = TH_CELL_PINNED;
  for (uint32_t n = 0; !d->spread && n < d->goal_count; n++) kind[d->goal[n]] = TH_CELL_PINNED;
}

th_result th_mesh_field_plan(th_mesh_field_build *d, th_error *error) {
  uint8_t *kind = TH_TAKE(d->allocator, uint8_t, d->vertices);
  double *u = d->field->u; /* until the field settles */
  if (!kind) return th_fail_memory(error, "field");
  tell_kinds(d, kind);
  const th_planner_cells cells = {d->solver->env, &d->mesh->mesh, d->vertices, 1, kind};
  th_result result = th_planned_values(d->def->planner, &cells, u, error);
  for (uint32_t v = 0; result == TH_OK && v < d->vertices; v++)
    d->field->log_u[v] = u[v] > 0.0 ? th_log_double(u[v]) : -INFINITY;
  TH_GIVE(d->allocator, kind, d->vertices);
  return result;
}
