/* field/field.c - making a field and asking for its values.
 *
 * The making is a fixed row of stations (goal, distances, potential, nodes) that share one draft. Distances are
 * marched for every kind: they decide exactly what can be reached, and agents ask how far they still have to go.
 * One screen serves three ends, since all of them only raise the diagonal: what the weights of the shared biased field
 * lack to 4 (field/grid/personal_vector.c), the blend's (cell kappa)^2, and the faint loss that makes the operator with
 * Neumann walls regular.
 */
#include "field/field.h"

#include <math.h>

#include "base/error.h"
#include "base/fetch.h"
#include "base/memory.h"
#include "field/grid/edges.h"
#include "field/grid/geodesic.h"
#include "field/grid/goal.h"
#include "field/grid/personal_vector.h"
#include "field/mesh/field.h"

#define NEUMANN_LENGTHS 3.0 /* screening length of Neumann walls in diagonals of the raster */

th_field_def th_default_field_def(void) {
  th_field_def def = {.kind = TH_FIELD_HARMONIC, .quickest = true, .relax = th_default_relax_def()};
  def.relax.method = TH_METHOD_DIRECT;
  return def;
}

static th_result check_def(const th_ground *ground, const th_field_def *def, th_error *error) {
  if ((unsigned)def->kind > TH_FIELD_EDGES)
    return th_fail(error, TH_ERROR_RANGE, "field.kind", "expected harmonic, geodesic, blend or edges, found %d",
                   (int)def->kind);
  if ((unsigned)def->walls > TH_WALLS_NEUMANN)
    return th_fail(error, TH_ERROR_RANGE, "field.walls", "expected dirichlet or neumann, found %d", (int)def->walls);
  if (def->kind == TH_FIELD_BLEND && !(def->blend >= 0.0f && def->blend <= 1.0f))
    return th_fail(error, TH_ERROR_RANGE, "field.blend", "expected 0 to 1, found %g", (double)def->blend);
  if (!(def->eps >= 0.0f && def->eps <= 2.0f))
    return th_fail(error, TH_ERROR_RANGE, "field.eps",
                   "expected 0 to 2 (beyond it the equation has no solution between 0 and 1), found %g",
                   (double)def->eps);
  if (def->radius_class >= ground->class_count)
    return th_fail(error, TH_ERROR_RANGE, "field.radius_class", "expected a class below %u, found %u",
                   ground->class_count, def->radius_class);
  th_result result = th_relax_field_check(def, error);
  bool biased = def->relax.eps != 0.0 && (def->relax.v.x != 0.0f || def->relax.v.y != 0.0f);
  if (result == TH_OK && ground->kind == TH_GROUND_MESH && def->relax.method != TH_METHOD_DIRECT && biased)
    result = th_fail(error, TH_ERROR_RANGE, "field.relax",
                     "expected eps 0 for a relaxation on mesh ground, which has no direction for v, found %g",
                     def->relax.eps);
  return result == TH_OK ? th_goal_check(&def->goal, error) : result;
}

/* What is added to the 4 of the stencil. The blend's law cell * kappa = blend^2 / 2 spends its range evenly: the
 * screening length runs from 200 cells (0.1) over 8 (0.5) to 2.5 (0.9), where the grid is still isotropic to 1 %. */
static double screen_of(const th_ground *ground, const th_field_def *def) {
  double screen = 2.0 * th_personal_vector_less((double)def->eps);
  if (def->kind == TH_FIELD_BLEND) {
    double kappa = 0.5 * (double)def->blend * (double)def->blend;
    screen += kappa * kappa;
  }
  if (def->walls == TH_WALLS_NEUMANN) {
    double w = (double)ground->width, h = (double)ground->height;
    screen += 1.0 / (NEUMANN_LENGTHS * NEUMANN_LENGTHS * (w * w + h * h));
  }
  return screen;
}

static void shape_field(const th_field_build *build, const th_solver *solver, th_field *field) {
  const th_ground *ground = build->ground;
  atomic_init(&field->references, 1);
  field->env = solver->env;
  field->version = ground->version;
  field->width = ground->width;
  field->height = ground->height;
  field->x0 = ground->x0;
  field->y0 = ground->y0;
  field->cell = ground->cell;
  field->inverse_cell = ground->inverse_cell;
  field->max_i = nextafterf((float)(ground->width - 1), 0.0f);
  field->max_j = nextafterf((float)(ground->height - 1), 0.0f);
  field->eps = build->def->eps;
  field->mirror = build->geodesic || build->def->walls == TH_WALLS_NEUMANN;
}

static th_result take_memory(th_field_build *build, const th_solver *solver, th_error *error) {
  const th_allocator *allocator = build->allocator;
  build->field = TH_TAKE(allocator, th_field, 1);
  if (!build->field) return th_fail_memory(error, "field");
  shape_field(build, solver, build->field);
  build->field->node = TH_TAKE(allocator, th_node, build->size);
  if (!build->geodesic) build->field->u = TH_TAKE(allocator, double, build->size);
  build->kind = TH_TAKE(allocator, uint8_t, build->size);
  build->distance = TH_TAKE(allocator, double, build->size);
  if (!build->field->node || (!build->geodesic && !build->field->u) || !build->kind || !build->distance)
    return th_fail_memory(error, "field");
  const uint8_t *blocked = build->ground->blocked[build->def->radius_class];
  for (size_t c = 0; c < build->size; c++) build->kind[c] = blocked[c] ? TH_CELL_WALL : TH_CELL_FREE;
  return TH_OK;
}

static void give_memory(th_field_build *build) {
  TH_GIVE(build->allocator, build->goal.cell, build->goal.capacity);
  TH_GIVE(build->allocator, build->distance, build->size);
  TH_GIVE(build->allocator, build->kind, build->size);
}

static th_result solve_field(th_solver *solver, th_field_build *build, th_error *error) {
  th_result result = take_memory(build, solver, error);
  if (result == TH_OK) result = th_solver_exits(solver, build->def->radius_class, &build->nearest_free, error);
  if (result == TH_OK) result = th_goal_find(build, error);
  if (result != TH_OK) return result;
  for (uint32_t n = 0; n < build->goal.count; n++) build->kind[build->goal.cell[n]] = TH_CELL_PINNED;
  th_march march = {build->ground->width, build->ground->height, build->kind, &build->goal};
  const bool edges = build->def->kind == TH_FIELD_EDGES;
  result = edges ? th_grid_edges_run(build->allocator, &march, build->distance, error)
                 : th_march_run(build->allocator, &march, build->distance, error);
  if (result == TH_OK && build->def->relax.method != TH_METHOD_DIRECT)
    result = th_relax_field_solve(build, error);
  else if (result == TH_OK && !build->geodesic)
    result = build->def->eps > 0.0f ? th_personal_vector_solve(solver, build, error)
                                    : th_potential_solve(solver, build, error);
  if (result != TH_OK) return result;
  if (!build->field->across) th_node_fill(build);
  if (edges)
    th_grid_edges_aim(build);
  else
    th_false_tops_remove(build);
  return TH_OK;
}

th_result th_field_make(th_solver *solver, const th_field_def *def, th_field **field, th_error *error) {
  *field = NULL;
  const th_ground *ground = solver->ground;
  th_result result = check_def(ground, def, error);
  if (result != TH_OK) return result;
  if (solver->mesh) return th_mesh_field_make(solver, def, field, error);
  th_field_build build = {.ground = ground,
                          .allocator = &solver->env.allocator,
                          .def = def,
                          .size = (size_t)ground->width * ground->height,
                          .screen = screen_of(ground, def),
                          .geodesic = def->kind == TH_FIELD_GEODESIC || def->kind == TH_FIELD_EDGES ||
                                      (def->kind == TH_FIELD_BLEND && def->blend == 1.0f)};
  result = solve_field(solver, &build, error);
  give_memory(&build);
  if (result == TH_OK)
    *field = build.field;
  else
    th_field_release(build.field);
  return result;
}

th_field *th_field_retain(th_field *field) {
  atomic_fetch_add_explicit(&field->references, 1, memory_order_relaxed);
  return field;
}

void th_field_release(th_field *field) {
  if (!field || atomic_fetch_sub_explicit(&field->references, 1, memory_order_acq_rel) != 1) return;
  th_allocator allocator = field->env.allocator;
  th_mesh_field_release(field->mesh, &field->edges, &allocator);
  size_t size = (size_t)field->width * field->height;
  TH_GIVE(&allocator, field->log_u, size);
  TH_GIVE(&allocator, field->u, size);
  TH_GIVE(&allocator, field->across, size);
  TH_GIVE(&allocator, field->node, size);
  TH_GIVE(&allocator, field, 1);
}

const double *th_field_values(const th_field *field, uint32_t *width, uint32_t *height) {
  if (field->mesh) {
    *width = field->mesh->ground->mesh->mesh.vertex_count;
    *height = 1;
    return field->mesh->u;
  }
  *width = field->width;
  *height = field->height;
  return field->u;
}

void th_field_prefetch(const th_field *const *field, const uint32_t *cell, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!field[i]) continue;
    if (field[i]->node) th_fetch_line(&field[i]->node[cell[i]]);
    if (field[i]->across) th_fetch_line(&field[i]->across[cell[i]]);
    if (field[i]->mesh && field[i]->mesh->node) th_fetch_line(&field[i]->mesh->node[cell[i]]);
  }
}
