/* tests/field/test_planned.c - fields and goals whose values come from a planner of the host. */
#include <stdatomic.h>

#include "support/mesh_fields.h"
#include "support/mesh_worlds.h"
#include "support/stage.h"

/* Hands over values that it was given, spoilt at one cell if wanted. */
typedef struct copier {
  const double *value;
  uint32_t spoilt; /* TH_NO_ELEMENT: none */
  double by;
  th_result result;
  _Atomic uint32_t calls;
  uint32_t pinned, walls;
} copier;

static th_result copy(void *user, const th_planner_cells *cells, double *u, th_error *error) {
  copier *c = user;
  (void)error;
  atomic_fetch_add(&c->calls, 1);
  c->pinned = c->walls = 0;
  for (uint32_t n = 0; n < cells->width * cells->height; n++) {
    u[n] = n == c->spoilt ? c->by : c->value[n];
    c->pinned += cells->kind[n] == TH_CELL_PINNED;
    c->walls += cells->kind[n] == TH_CELL_WALL;
  }
  return c->result;
}

typedef struct room {
  th_ground *ground;
  th_solver *solver;
  th_field_def def;
  th_field *direct;
  copier copier;
  th_planner planner;
} room;

static void room_begin(room *r, th_ground *ground, th_vec3 goal) {
  *r = (room){.ground = ground, .solver = solver_of(ground), .def = th_default_field_def()};
  r->direct = field_to_point(r->solver, r->def, goal);
  uint32_t width, height;
  r->copier = (copier){.value = th_field_values(r->direct, &width, &height), .spoilt = TH_NO_ELEMENT};
  r->planner = (th_planner){copy, &r->copier};
  r->def.goal = th_point_shape_at(goal);
  r->def.planner = &r->planner;
}

static void room_end(room *r) {
  th_field_release(r->direct);
  th_solver_release(r->solver);
  th_ground_release(r->ground);
}

static void values_of_a_planner_become_the_field(void **state) {
  (void)state;
  room r;
  room_begin(&r, worlds_box(&(th_env){0}, 12, 8), (th_vec3){9, 5, 0});
  th_field *field = NULL;
  OK(th_field_make(r.solver, &r.def, &field, &error));
  uint32_t width, height;
  const double *u = th_field_values(field, &width, &height);
  assert_int_equal(r.copier.calls, 1);
  assert_true(r.copier.pinned == 1 && r.copier.walls > 0);
  for (uint32_t c = 0; c < width * height; c++) assert_true(u[c] == r.copier.value[c]);
  for (float x = 1.0f; x < 12.0f; x += 1.0f) {
    const th_place from = th_ground_locate(r.ground, x, 2.0f);
    const th_field_gradient a = th_field_gradient_at(field, from), b = th_field_gradient_at(r.direct, from);
    assert_true(walk_arrives(r.ground, field, from, 0.1));
    assert_true(a.left == b.left && a.dx * b.dx + a.dy * b.dy > 0.99f);
  }
  th_field_release(field);
  room_end(&r);
}

static void values_of_vertices_become_the_field_of_a_mesh(void **state) {
  (void)state;
  room r;
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  make.length = 12, make.width = 8;
  room_begin(&r, mesh_grounds_make(&(th_env){0}, &make), (th_vec3){9, 5, 0});
  th_field *field = NULL;
  OK(th_field_make(r.solver, &r.def, &field, &error));
  assert_int_equal(r.copier.pinned, 1);
  for (uint64_t seed = 1; seed <= 50; seed++)
    assert_true(walk_arrives(r.ground, field, free_place(r.ground, seed), 0.1));
  th_field_release(field);
  room_end(&r);
}

/* A cell with a negative value keeps it, but leads nowhere. */
static void cells_without_a_direction_lead_nowhere(void **state) {
  (void)state;
  room r;
  room_begin(&r, worlds_box(&(th_env){0}, 12, 8), (th_vec3){9, 5, 0});
  const th_place place = th_ground_locate(r.ground, 3.1f, 3.1f);
  uint32_t width, height;
  (void)th_field_values(r.direct, &width, &height);
  const double u = th_field_potential(r.direct, place);
  for (uint32_t c = 0; c < width * height; c++)
    if (r.copier.value[c] == u) r.copier.spoilt = c;
  r.copier.by = -u;
  th_field *field = NULL;
  OK(th_field_make(r.solver, &r.def, &field, &error));
  const th_field_gradient found = th_field_gradient_at(field, place);
  assert_true(th_field_potential(field, place) == u);
  assert_false(th_field_reaches(field, place));
  assert_true(found.dx == 0.0f && found.dy == 0.0f && found.left == INFINITY);
  assert_true(th_field_reaches(field, th_ground_locate(r.ground, 3.1f, 4.1f)));
  th_field_release(field);
  room_end(&r);
}

static void refuse(room *r, th_result code, const char *where) {
  th_field *field = NULL;
  th_error error = {0};
  assert_int_equal(th_field_make(r->solver, &r->def, &field, &error), code);
  assert_null(field);
  if (where) assert_string_equal(error.where, where);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  room r;
  room_begin(&r, worlds_box(&(th_env){0}, 12, 8), (th_vec3){9, 5, 0});
  uint32_t width, height;
  (void)th_field_values(r.direct, &width, &height);
  r.copier.by = NAN;
  r.copier.spoilt = height / 2 * width + 8;
  refuse(&r, TH_ERROR_RANGE, "field.planner");
  r.copier.by = INFINITY;
  refuse(&r, TH_ERROR_RANGE, "field.planner");
  r.copier.spoilt = TH_NO_ELEMENT;
  r.copier.result = TH_ERROR_GEOMETRY;
  refuse(&r, TH_ERROR_GEOMETRY, NULL);
  r.copier.result = TH_OK;
  r.def.kind = TH_FIELD_ROOMY;
  refuse(&r, TH_ERROR_RANGE, "field.planner");
  r.def.kind = TH_FIELD_HARMONIC;
  r.def.walls = TH_WALLS_NEUMANN;
  refuse(&r, TH_ERROR_RANGE, "field.planner");
  r.def.walls = TH_WALLS_DIRICHLET;
  r.def.eps = 0.5f;
  refuse(&r, TH_ERROR_RANGE, "field.planner");
  r.def.eps = 0.0f;
  r.planner.plan = NULL;
  refuse(&r, TH_ERROR_STATE, "field.planner");
  room_end(&r);
}

/* ---------------------------------------------------------------- goals */

/* Climbs straight to the goal. */
static th_result by_distance(void *user, const th_planner_cells *cells, double *u, th_error *error) {
  (void)error;
  atomic_fetch_add((_Atomic uint32_t *)user, 1);
  uint32_t goal = 0;
  while (cells->kind[goal] != TH_CELL_PINNED) goal++;
  const double gx = goal % cells->width, gy = goal / cells->width;
  for (uint32_t c = 0; c < cells->width * cells->height; c++) {
    const double x = c % cells->width - gx, y = c / cells->width - gy;
    u[c] = 1.0 / (1.0 + sqrt(x * x + y * y));
  }
  return TH_OK;
}

static th_goal_id planned_goal(stage *s, const th_planner *planner) {
  th_goal_def def = worlds_point_def(&(th_vec2){4, 8});
  def.planner = planner;
  return worlds_goal_of(s->world, &def);
}

static void goals_are_planned_again_when_the_ground_changes(void **state) {
  (void)state;
  stage s;
  _Atomic uint32_t calls = 0;
  const th_planner planner = {by_distance, &calls};
  stage_begin(&s, worlds_house, NULL);
  th_goal_id goal = planned_goal(&s, &planner);
  th_goal_def told;
  assert_true(th_world_goal_def(s.world, goal, &told) && told.planner == &planner);
  th_agent_id agent = worlds_walker(s.world, 2, 3, goal);
  worlds_steps(s.world, 5);
  const uint32_t before = calls;
  assert_true(before >= 1);
  OK(th_world_edit(s.world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
  worlds_steps(s.world, 5);
  assert_true(calls > before);
  assert_true(worlds_until_gone(s.world, agent, 400) < 400);
  stage_end(&s);
}

static void a_goal_that_cannot_be_planned_is_refused(void **state) {
  (void)state;
  stage s;
  _Atomic uint32_t calls = 0;
  const th_planner planner = {by_distance, &calls};
  stage_begin(&s, worlds_house, NULL);
  th_goal_def def = worlds_point_def(&(th_vec2){4, 8});
  def.planner = &planner;
  def.field = TH_FIELD_ROOMY;
  REFUSED(s.world, th_world_add_goal(s.world, &def, NULL, &error), TH_ERROR_RANGE, "planner");
  stage_end(&s);
}

/* A planner is the host's: the same world has it, a fresh one with the same goal has its own, one without is refused.
 */
static void snapshots_need_the_planner_of_the_goal(void **state) {
  (void)state;
  stage s, fresh, bare;
  _Atomic uint32_t calls = 0;
  const th_planner planner = {by_distance, &calls};
  stage_begin(&s, worlds_house, NULL);
  stage_begin(&fresh, worlds_house, NULL);
  stage_begin(&bare, worlds_house, NULL);
  worlds_walker(s.world, 2, 3, planned_goal(&s, &planner));
  planned_goal(&fresh, &planner);
  planned_goal(&bare, NULL);
  assert_true(th_world_hash(fresh.world) != th_world_hash(bare.world));
  worlds_steps(s.world, 10);
  worlds_saved saved = worlds_save(s.world);
  const uint64_t hash = th_world_hash(s.world);
  worlds_steps(s.world, 10);
  OK(th_world_restore(s.world, saved.memory, saved.size, &error));
  assert_true(th_world_hash(s.world) == hash);
  OK(th_world_restore(fresh.world, saved.memory, saved.size, &error));
  worlds_steps(s.world, 10);
  worlds_steps(fresh.world, 10);
  assert_true(th_world_hash(s.world) == th_world_hash(fresh.world));
  REFUSED(bare.world, th_world_restore(bare.world, saved.memory, saved.size, &error), TH_ERROR_FORMAT, "snapshot");
  free(saved.memory);
  stage_end(&bare);
  stage_end(&fresh);
  stage_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_of_a_planner_become_the_field),
      cmocka_unit_test(values_of_vertices_become_the_field_of_a_mesh),
      cmocka_unit_test(cells_without_a_direction_lead_nowhere),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(goals_are_planned_again_when_the_ground_changes),
      cmocka_unit_test(a_goal_that_cannot_be_planned_is_refused),
      cmocka_unit_test(snapshots_need_the_planner_of_the_goal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
