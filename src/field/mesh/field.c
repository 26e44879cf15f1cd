/* field/mesh/field.c - makes a field on mesh ground.
 *
 * The stages are those of flat ground (field/grid/field.c): goal, distances, potential, then the nodes for sampling.
 * The screens are those of flat ground per square metre: with the mean edge as cell, eps^2 / 4 / cell^2 of the shared
 * biased field and (blend^2 / 2 / cell)^2 of the blend, times the slowness squared where the quickest path is wanted.
 * For a large screen s, -log u tends to sqrt(s) times the distance (Varadhan 1967); with the slowness it tends to a
 * multiple of the time.
 */
#include "field/mesh/field.h"

#include <math.h>

#include "base/error.h"
#include "base/exp_log.h"
#include "base/memory.h"
#include "field/mesh/edges.h"
#include "field/room.h"

static th_factor_rule rule_of(const th_ground *ground, const th_field_def *def, bool quick) {
  const double cell = (double)ground->cell, eps = (double)def->eps, even = 0.25 * eps * eps;
  th_factor_rule rule = {.neumann = def->walls == TH_WALLS_NEUMANN, .screen = even / (cell * cell)};
  if (def->kind != TH_FIELD_BLEND) return rule;
  const double kappa = 0.5 * (double)def->blend * (double)def->blend;
  if (quick)
    rule.haste = kappa * kappa / (cell * cell);
  else
    rule.screen = (even + kappa * kappa) / (cell * cell);
  return rule;
}

static th_result take_memory(th_mesh_field_build *d, th_error *error) {
  const th_allocator *a = d->allocator;
  d->field = TH_TAKE(a, th_mesh_field, 1);
  if (!d->field) return th_fail_memory(error, "field");
  th_mesh_field *f = d->field;
  f->ground = th_ground_retain(d->solver->ground);
  f->geodesic = d->geodesic;
  f->node = TH_TAKE(a, th_face_node, d->faces);
  f->climb = TH_TAKE(a, double, d->vertices);
  f->left = TH_TAKE(a, double, d->vertices);
  const bool costs = d->geodesic && (d->quick || d->roomy);
  if (costs) f->time = TH_TAKE(a, double, d->vertices);
  if (!d->geodesic) {
    f->u = TH_TAKE(a, double, d->vertices);
    f->log_u = TH_TAKE(a, double, d->vertices);
  }
  d->kind = TH_TAKE(a, uint8_t, d->vertices);
  d->goal_face = TH_TAKE(a, uint8_t, d->faces);
  bool got = f->node && f->climb && f->left && (!costs || f->time) && (d->geodesic || (f->u && f->log_u)) && d->kind &&
             d->goal_face;
  if (!got) return th_fail_memory(error, "field");
  d->solver->kind->kinds(d->solver, d->def->radius_class, d->kind);
  return TH_OK;
}

static void give_memory(th_mesh_field_build *d) {
  TH_GIVE(d->allocator, d->goal, d->goal_capacity);
  TH_GIVE(d->allocator, d->goal_face, d->faces);
  TH_GIVE(d->allocator, d->kind, d->vertices);
}

/* u of each vertex as users see it: exactly 1 on the goal, 0 on walls and out of reach. */
static void settle(const th_mesh_field_build *d) {
  th_mesh_field *f = d->field;
  for (uint32_t v = 0; v < d->vertices; v++) {
    bool leads = f->left[v] < INFINITY && d->kind[v] != TH_CELL_WALL;
    if (!leads) f->log_u[v] = -INFINITY;
    f->u[v] = leads ? th_exp_double(f->log_u[v]) : 0.0;
  }
}

static th_result solve_field(th_mesh_field_build *d, th_error *error) {
  th_result result = th_solver_prepare(d->solver, error);
  if (result == TH_OK) result = th_solver_nearest_free(d->solver, d->def->radius_class, error);
  if (result == TH_OK) result = take_memory(d, error);
  if (result == TH_OK) result = th_mesh_field_goal_find(d, error);
  if (result == TH_OK && d->field->time)
    result = th_mesh_field_quickest(d, d->field->time, d->field->left, error);
  else if (result == TH_OK)
    result = th_mesh_field_march(d, d->field->left, error);
  if (result == TH_OK && !d->geodesic)
    result = d->def->planner ? th_mesh_field_plan(d, error) : th_mesh_field_potential(d, error);
  if (result == TH_OK) result = th_mesh_field_climb(d, error);
  if (result == TH_OK) result = th_mesh_field_nodes(d, error);
  if (result == TH_OK) result = th_mesh_field_ridges(d, error);
  if (result == TH_OK && !d->geodesic) settle(d);
  if (result != TH_OK) return result;
  d->field->goal = d->spread ? d->centre : (th_place){TH_NO_CELL, 0.0f, 0.0f};
  d->field->top = d->spread ? th_mesh_field_top(d) : TH_NO_ELEMENT;
  return result;
}

static th_field *wrap(const th_mesh_field_build *d) {
  th_field *field = TH_TAKE(d->allocator, th_field, 1);
  if (!field) return NULL;
  atomic_init(&field->references, 1);
  field->env = d->solver->env;
  field->version = d->ground->version;
  field->cell = d->ground->cell;
  field->inverse_cell = 1.0f / d->ground->cell;
  field->eps = d->def->eps;
  field->calls = d->def->kind == TH_FIELD_EDGES ? &th_edges_field_calls : &th_mesh_field_calls;
  field->mesh = d->field;
  field->edges = d->edges;
  return field;
}

static void release(th_mesh_field *f, const th_mesh_edges *edges, const th_allocator *a) {
  if (!f) return;
  const uint32_t vertices = f->ground->mesh->mesh.vertex_count, faces = f->ground->mesh->mesh.face_count;
  th_mesh_edges_release(edges, a, vertices);
  TH_GIVE(a, f->time, vertices);
  TH_GIVE(a, f->left, vertices);
  TH_GIVE(a, f->climb, vertices);
  TH_GIVE(a, f->log_u, vertices);
  TH_GIVE(a, f->u, vertices);
  TH_GIVE(a, f->node, faces);
  th_ground_release(f->ground);
  TH_GIVE(a, f, 1);
}

void th_mesh_field_end(th_field *field) { release(field->mesh, &field->edges, &field->env.allocator); }

th_result th_mesh_field_make(th_solver *solver, const th_field_def *def, th_field **field, th_error *error) {
  th_mesh_field_build d = {.solver = solver, .ground = solver->ground, .mesh = solver->ground->mesh};
  d.allocator = &solver->env.allocator;
  d.def = def;
  d.nearest_free = &solver->nearest_free[def->radius_class];
  d.vertices = d.mesh->mesh.vertex_count;
  d.faces = d.mesh->mesh.face_count;
  d.geodesic = def->kind == TH_FIELD_GEODESIC || def->kind == TH_FIELD_ROOMY ||
               (def->kind == TH_FIELD_BLEND && def->blend == 1.0f);
  d.roomy = th_room_matters(def);
  d.quick = def->quickest && th_mesh_ground_uneven(d.mesh);
  d.rule = rule_of(d.ground, def, d.quick);
  th_result result = def->kind == TH_FIELD_EDGES ? th_mesh_edges_build(&d, error) : solve_field(&d, error);
  if (result == TH_OK) {
    *field = wrap(&d);
    if (!*field) result = th_fail_memory(error, "field");
  }
  give_memory(&d);
  if (result != TH_OK) release(d.field, &d.edges, d.allocator);
  return result;
}
