/* tests/lab/test_relax_field.c - fields by relaxation beside the direct ones. */
#include <math.h>

#include "field/grid/point_goal.h"
#include "support/allocator.h"
#include "support/raster_grounds.h"
#include "throng/published/planner.h"
#include "throng/published/relax_mesh.h"

typedef struct stage {
  th_ground *map;
  th_solver *solver;
  th_vec2 goal;
} stage;

static stage stage_make(th_ground *map, uint32_t i, uint32_t j) {
  stage b = {map, NULL, map_centre(map, i, j)};
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = map}, &b.solver, NULL), TH_OK);
  return b;
}

static void stage_free(stage *b) {
  th_solver_release(b->solver);
  map_free(b->map);
}

/* A field, and how it is relaxed unless the method is direct. */
typedef struct wish {
  th_field_def field;
  th_relax_def relax;
} wish;

static wish def_of(const stage *b, th_method method) {
  wish def = {th_default_field_def(), th_default_relax_def()};
  def.field.goal = th_point_shape(b->goal.x, b->goal.y);
  def.relax.method = method;
  return def;
}

static th_result make(th_solver *solver, const wish *def, th_field **field, th_error *error) {
  const th_planner planner = th_relax_planner(&def->relax);
  th_field_def planned = def->field;
  if (def->relax.method != TH_METHOD_DIRECT) planned.planner = &planner;
  return th_field_make(solver, &planned, field, error);
}

static th_field *field_of(const stage *b, wish def) {
  th_field *field = NULL;
  th_error error;
  if (make(b->solver, &def, &field, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return field;
}

static th_place place_at(const stage *b, uint32_t c) {
  return map_place(b->map, map_centre(b->map, c % b->map->flat->width, c / b->map->flat->width));
}

static double angle_between(th_field_gradient a, th_field_gradient b) {
  return fabs(atan2((double)(a.dx * b.dy - a.dy * b.dx), (double)(a.dx * b.dx + a.dy * b.dy))) * 57.29577951308232;
}

/* Slope of the solution itself, from the cells around. */
static th_field_gradient cell_slope(const stage *b, const th_field *field, uint32_t c) {
  double x = th_field_potential(field, place_at(b, c + 1)) - th_field_potential(field, place_at(b, c - 1));
  double y = th_field_potential(field, place_at(b, c + 49)) - th_field_potential(field, place_at(b, c - 49));
  double length = hypot(x, y);
  return (th_field_gradient){.dx = (float)(x / length), .dy = (float)(y / length)};
}

/* Every cell of every method against the direct solve. Directions of the direct one are made round near a goal of one
 * cell and differ there by the grid's print; so there the solutions' own slopes are held to the bound. */
static void a_relaxed_field_equals_the_direct_one(void **state) {
  (void)state;
  stage b = stage_make(map_rooms(49, 41, 4, 17), 5, 36);
  assert_false(b.map->flat->solid[36 * 49 + 5]);
  th_field *direct = field_of(&b, def_of(&b, TH_METHOD_DIRECT));
  for (int method = TH_METHOD_JACOBI; method <= TH_METHOD_SOR; method++) {
    wish def = def_of(&b, (th_method)method);
    def.relax.tolerance = 1e-12;
    th_field *field = field_of(&b, def);
    for (uint32_t c = 0; c < 49 * 41; c++) {
      th_place p = place_at(&b, c);
      if (b.map->flat->solid[c]) continue;
      double u = th_field_potential(direct, p), v = th_field_potential(field, p);
      assert_true(fabs(u - v) < 1e-8);
      if (!(u > 1e-4 && u < 1.0)) continue;
      double gap = hypot((double)(c % 49) - 5.0, (double)(c / 49) - 36.0);
      double angle = angle_between(th_field_gradient_at(direct, p), th_field_gradient_at(field, p));
      double own = angle_between(cell_slope(&b, direct, c), cell_slope(&b, field, c));
      assert_true(own < 0.1 && angle < (gap < 1.5 * TH_POINT_GOAL_REACH ? 1.1 + 30.0 / (gap * gap) : 0.1));
    }
    th_field_release(field);
  }
  th_field_release(direct);
  stage_free(&b);
}

/* After few sweeps a thicket holds cells that are reached beside others that are not. Walks that look for false tops
 * end in both; cells far from any wall keep the spline all the same. */
static void walks_into_unreached_cells_change_no_others(void **state) {
  (void)state;
  const uint32_t side = 300, open = 140;
  uint64_t seed = 3;
  th_ground *map = map_open(side, side);
  for (uint32_t j = open; j + 1 < side; j++)
    for (uint32_t i = open; i + 1 < side; i++) map->flat->solid[j * side + i] = map_below(&seed, 100) < 30;
  map_finish(map);
  stage b = stage_make(map, 20, 20);
  wish def = def_of(&b, TH_METHOD_SOR);
  def.relax.sweeps = 50;
  th_field *field = field_of(&b, def);
  uint32_t unreached = 0, lost = 0;
  for (uint32_t c = 0; c < side * side; c++) {
    const uint32_t i = c % side, j = c / side;
    const int32_t code = field->node[c].code;
    if (i < open - 12 && j < open - 12 && (code & TH_NODE_REACHES)) lost += !(code & TH_NODE_SMOOTH);
    unreached += (code & TH_NODE_FREE) && !(code & TH_NODE_REACHES);
  }
  assert_true(unreached > 1000);
  assert_int_equal(lost, 0);
  th_field_release(field);
  stage_free(&b);
}

/* What storing p loses is lost for agents too, and only that. */
/* shows: BVP-13 */
static void flat_cells_lead_nowhere(void **state) {
  (void)state;
  stage b = stage_make(map_serpentine(60, 5), 3, 3);
  uint32_t led[4] = {0};
  for (int k = 0; k < 4; k++) {
    wish def = def_of(&b, k == 0 ? TH_METHOD_DIRECT : TH_METHOD_SEIDEL_ALTERNATING);
    def.relax.storage = k < 2 ? TH_STORAGE_U : TH_STORAGE_P;
    def.relax.precision = k == 3 ? TH_PRECISION_FLOAT : TH_PRECISION_DOUBLE;
    if (k == 1) def.relax.min = 0.0;
    th_field *field = field_of(&b, def);
    for (uint32_t c = 0; c < 60 * 60; c++) {
      if (b.map->flat->solid[c]) continue;
      th_place p = place_at(&b, c);
      th_field_gradient s = th_field_gradient_at(field, p);
      bool reaches = th_field_reaches(field, p);
      led[k] += reaches;
      if (!reaches) assert_true(s.dx == 0.0f && s.dy == 0.0f && s.left == INFINITY);
      if (reaches) assert_true(isfinite(s.left) && isfinite(s.dx) && isfinite(s.dy));
    }
    th_field_release(field);
  }
  print_message("led to the goal: direct %u, u %u, p double %u, p float %u of 2887\n", led[0], led[1], led[2], led[3]);
  assert_int_equal(led[0], 2887);
  assert_int_equal(led[1], 2887);
  assert_int_equal(led[2], 180); /* all but the 2707 flat ones */
  assert_true(led[3] <= led[2]);
  stage_free(&b);
}

static void a_field_of_few_sweeps_reaches_one_cell_per_sweep(void **state) {
  (void)state;
  stage b = stage_make(map_open(80, 20), 3, 10);
  wish def = def_of(&b, TH_METHOD_JACOBI);
  def.relax.sweeps = 30;
  th_field *field = field_of(&b, def);
  for (uint32_t i = 1; i < 79; i++) {
    th_place p = place_at(&b, 10 * 80 + i);
    assert_int_equal(th_field_reaches(field, p), i <= 33); /* one cell a sweep */
    if (i > 3 && i < 33) assert_true(th_field_gradient_at(field, p).dx < -0.9f);
  }
  th_field_release(field);
  stage_free(&b);
}

/* In a corridor an agent bends towards v with pull, away from it as printed; the shared field agrees. */
/* shows: BVP-56 */
static void biased_fields_lead_as_shared_ones(void **state) {
  (void)state;
  stage b = stage_make(map_open(60, 21), 50, 10);
  th_place p = place_at(&b, 10 * 60 + 40);
  wish shared_def = def_of(&b, TH_METHOD_DIRECT);
  shared_def.field.eps = 0.25f;
  th_field *shared = field_of(&b, shared_def);
  for (int sense = 0; sense < 2; sense++) {
    wish def = def_of(&b, TH_METHOD_SOR);
    def.relax.sense = (th_sense)sense;
    def.relax.eps = 0.25;
    def.relax.v = (th_vec2){0.0f, 1.0f};
    th_field *field = field_of(&b, def);
    th_field_gradient s = th_field_gradient_at(field, p);
    th_vec2 d = th_field_direction(shared, p, def.relax.v, (th_sense)sense);
    double own = atan2((double)s.dy, (double)s.dx) * 57.29577951308232;
    double common = atan2((double)d.y, (double)d.x) * 57.29577951308232;
    print_message("%s: own field %.2f, shared field %.2f degrees\n", sense ? "literal" : "pull", own, common);
    assert_true(sense == TH_SENSE_PULL ? own > 5.0 : own < -5.0);
    assert_true(fabs(own - common) < 2.0);
    th_field_release(field);
  }
  th_field_release(shared);
  stage_free(&b);
}

static void refuse(const stage *b, wish def, const char *where) {
  th_field *field = NULL;
  th_error error = {0};
  assert_int_equal(make(b->solver, &def, &field, &error), TH_ERROR_RANGE);
  assert_null(field);
  assert_string_equal(error.where, where);
}

static void bad_numbers_are_refused(void **state) {
  (void)state;
  stage b = stage_make(map_open(20, 20), 3, 10);
  const wish good = def_of(&b, TH_METHOD_SEIDEL);
  wish def = good;
  def.field.kind = TH_FIELD_GEODESIC;
  refuse(&b, def, "field.planner");
  def = good;
  def.field.walls = TH_WALLS_NEUMANN;
  refuse(&b, def, "field.planner");
  def = good;
  def.field.eps = 0.5f;
  refuse(&b, def, "field.planner");
  def = good;
  def.relax.start = -1.0;
  refuse(&b, def, "relax.start");
  def = good;
  def.relax.method = (th_method)7;
  refuse(&b, def, "relax.method");
  stage_free(&b);
}

static th_result make_field(const th_env *env, void *context) {
  th_ground *map = map_open(12, 12);
  th_vec2 goal = map_centre(map, 3, 3);
  th_solver *solver = NULL;
  th_field *field = NULL;
  wish def = {th_default_field_def(), th_default_relax_def()};
  def.field.goal = th_point_shape(goal.x, goal.y);
  def.relax.method = *(const th_method *)context;
  def.relax.omega = 0.0;
  th_result result = th_solver_make(&(th_solver_def){.env = *env, .ground = map}, &solver, NULL);
  if (result == TH_OK) result = make(solver, &def, &field, NULL);
  th_field_release(field);
  th_solver_release(solver);
  map_free(map);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  th_method methods[] = {TH_METHOD_JACOBI, TH_METHOD_SOR};
  for (int k = 0; k < 2; k++) assert_true(failing_every(make_field, &methods[k]) > 10);
}

/* As fields are, which store nothing else. */
/* shows: BVP-13 */
static void relaxations_are_double_by_default(void **state) {
  (void)state;
  assert_int_equal(th_default_relax_def().precision, TH_PRECISION_DOUBLE);
  assert_int_equal(th_default_mesh_relax_def().precision, TH_PRECISION_DOUBLE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_relaxed_field_equals_the_direct_one),
      cmocka_unit_test(flat_cells_lead_nowhere),
      cmocka_unit_test(a_field_of_few_sweeps_reaches_one_cell_per_sweep),
      cmocka_unit_test(walks_into_unreached_cells_change_no_others),
      cmocka_unit_test(biased_fields_lead_as_shared_ones),
      cmocka_unit_test(bad_numbers_are_refused),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(relaxations_are_double_by_default),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
