/* field/grid/field.c - makes a field on flat ground.
 *
 * Five stages run in a fixed order (goal, distances, potential, nodes, what the raster cut off) and share one draft.
 * Distances are marched for every kind of field: they decide exactly what can be reached, and agents read their
 * remaining distance. One screen serves three purposes, since all of them only raise the diagonal: 4 minus the sum of
 * weights of the shared biased field (personal_vector.c), the blend's (cell kappa)^2, and the small loss that makes the
 * operator with Neumann walls regular.
 */
#include "field/grid/field.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "field/grid/blocked/cut_off.h"
#include "field/grid/edges.h"
#include "field/grid/geodesic.h"
#include "field/grid/goal.h"
#include "field/grid/personal_vector.h"
#include "field/room.h"

#define NEUMANN_LENGTHS 3.0 /* screening length of Neumann walls in diagonals of the raster */

/* The screen that is added to the 4 of the stencil. The blend's law cell * kappa = blend^2 / 2 spends its range evenly:
 * the screening length runs from 200 cells (0.1) over 8 (0.5) to 2.5 (0.9), where the grid is still isotropic to 1
 * %. */
static double screen_of(const th_ground *ground, const th_field_def *def) {
  double screen = 2.0 * th_personal_vector_less((double)def->eps);
  if (def->kind == TH_FIELD_BLEND) {
    double kappa = 0.5 * (double)def->blend * (double)def->blend;
    screen += kappa * kappa;
  }
  if (def->walls == TH_WALLS_NEUMANN) {
    double w = (double)ground->flat->width, h = (double)ground->flat->height;
    screen += 1.0 / (NEUMANN_LENGTHS * NEUMANN_LENGTHS * (w * w + h * h));
  }
  return screen;
}

static void shape_field(const th_field_build *build, const th_solver *solver, th_field *field) {
  const th_ground *ground = build->ground;
  atomic_init(&field->references, 1);
  field->calls = &th_grid_field_calls;
  field->env = solver->env;
  field->version = ground->version;
  field->width = ground->flat->width;
  field->height = ground->flat->height;
  field->x0 = ground->flat->x0;
  field->y0 = ground->flat->y0;
  field->cell = ground->cell;
  field->inverse_cell = ground->flat->inverse_cell;
  field->max_i = nextafterf((float)(ground->flat->width - 1), 0.0f);
  field->max_j = nextafterf((float)(ground->flat->height - 1), 0.0f);
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
  build->lead = build->distance;
  if (!build->field->node || (!build->geodesic && !build->field->u) || !build->kind || !build->distance)
    return th_fail_memory(error, "field");
  solver->kind->kinds(solver, build->def->radius_class, build->kind);
  return TH_OK;
}

static void give_memory(th_field_build *build) {
  TH_GIVE(build->allocator, build->goal.cell, build->goal.capacity);
  TH_GIVE(build->allocator, build->cost, build->size);
  TH_GIVE(build->allocator, build->distance, build->size);
  TH_GIVE(build->allocator, build->kind, build->size);
}

/* As the march of distances, with what a cell costs near walls. */
static th_result march_roomy(th_field_build *build, th_march *march, th_error *error) {
  double *cell_cost = TH_TAKE(build->allocator, double, build->size);
  build->lead = build->cost = TH_TAKE(build->allocator, double, build->size);
  build->band = th_room_cost(build->ground, build->def, 0.0);
  th_result result = cell_cost && build->cost ? TH_OK : th_fail_memory(error, "field");
  for (size_t c = 0; result == TH_OK && c < build->size; c++)
    cell_cost[c] = th_room_cost(build->ground, build->def, (double)build->ground->flat->clearance[c]);
  march->cost = cell_cost;
  march->length = build->distance;
  if (result == TH_OK) result = th_geodesic_march(build->allocator, march, build->cost, error);
  TH_GIVE(build->allocator, cell_cost, build->size);
  return result;
}

static th_result find_distances(th_field_build *build, th_error *error) {
  th_march march = {build->ground->flat->width, build->ground->flat->height, build->kind, &build->goal, NULL, NULL};
  if (build->def->kind == TH_FIELD_EDGES) return th_grid_edges_run(build->allocator, &march, build->distance, error);
  if (th_room_matters(build->def)) return march_roomy(build, &march, error);
  return th_geodesic_march(build->allocator, &march, build->distance, error);
}

static th_result solve_field(th_solver *solver, th_field_build *build, th_error *error) {
  th_result result = take_memory(build, solver, error);
  if (result == TH_OK) result = th_solver_nearest_free(solver, build->def->radius_class, error);
  build->nearest_free = solver->nearest_free[build->def->radius_class].owner;
  if (result == TH_OK) result = th_goal_find(build, error);
  if (result != TH_OK) return result;
  for (uint32_t n = 0; n < build->goal.count; n++) build->kind[build->goal.cell[n]] = TH_CELL_PINNED;
  result = find_distances(build, error);
  if (result == TH_OK && build->def->planner)
    result = th_grid_field_plan(build, error);
  else if (result == TH_OK && !build->geodesic)
    result = build->def->eps > 0.0f ? th_personal_vector_solve(solver, build, error)
                                    : th_grid_potential_solve(solver, build, error);
  if (result != TH_OK) return result;
  if (!build->field->across) th_node_fill(build);
  if (build->def->kind == TH_FIELD_EDGES)
    th_grid_edges_aim(build);
  else
    th_false_tops_remove(build);
  return build->def->planner || build->field->across ? TH_OK : th_cut_off_lead(build, error);
}

th_result th_grid_field_make(th_solver *solver, const th_field_def *def, th_field **field, th_error *error) {
  const th_ground *ground = solver->ground;
  th_field_build build = {.ground = ground,
                          .allocator = &solver->env.allocator,
                          .def = def,
                          .size = (size_t)ground->flat->width * ground->flat->height,
                          .screen = screen_of(ground, def),
                          .band = 1.0,
                          .geodesic = def->kind == TH_FIELD_GEODESIC || def->kind == TH_FIELD_EDGES ||
                                      def->kind == TH_FIELD_ROOMY ||
                                      (def->kind == TH_FIELD_BLEND && def->blend == 1.0f)};
  th_result result = solve_field(solver, &build, error);
  give_memory(&build);
  if (result == TH_OK)
    *field = build.field;
  else
    th_field_release(build.field);
  return result;
}
