/* tests/field/test_blend.c - one knob from the safest to the shortest way. */
#include <math.h>

#include "support/raster_grounds.h"
#include "support/unit.h"
#include "support/walker.h"

static th_field *blended(th_solver *solver, const th_vec2 *goal, th_field_kind kind, float blend) {
  th_field_def def = th_default_field_def();
  def.kind = kind;
  def.blend = blend;
  def.goal = th_point_shape(goal->x, goal->y);
  th_field *field = NULL;
  assert_int_equal(th_field_make(solver, &def, &field, NULL), TH_OK);
  return field;
}

/* Largest angle between two fields, in degrees. */
static double largest_angle(const th_ground *map, const th_field *a, const th_field *b) {
  double worst = 0.0;
  for (uint32_t c = 0; c < map->flat->width * map->flat->height; c++) {
    th_place place = map_place(map, map_centre(map, c % map->flat->width, c / map->flat->width));
    if (map->flat->solid[c] || !th_field_reaches(a, place)) continue;
    th_field_gradient s = th_field_gradient_at(a, place), t = th_field_gradient_at(b, place);
    worst = fmax(worst, walk_turn((th_vec2){s.dx, s.dy}, (th_vec2){t.dx, t.dy}));
  }
  return worst;
}

static void blend_ends_are_the_two_fields(void **state) {
  (void)state;
  th_ground *map = map_rooms(65, 57, 7, 21);
  th_vec2 goal = map_centre(map, 33, 30);
  map_fill(map, 32, 29, 35, 32, 0);
  map_finish(map);
  th_solver *solver = NULL;
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = map}, &solver, NULL), TH_OK);
  th_field *harmonic = blended(solver, &goal, TH_FIELD_HARMONIC, 0.0f);
  th_field *geodesic = blended(solver, &goal, TH_FIELD_GEODESIC, 0.0f);
  th_field *zero = blended(solver, &goal, TH_FIELD_BLEND, 0.0f), *one = blended(solver, &goal, TH_FIELD_BLEND, 1.0f);
  assert_true(largest_angle(map, harmonic, zero) <= 0.1);
  assert_true(largest_angle(map, geodesic, one) <= 2.0);
  assert_true(largest_angle(map, harmonic, geodesic) > 20.0);
  th_field_release(harmonic);
  th_field_release(geodesic);
  th_field_release(zero);
  th_field_release(one);
  th_solver_release(solver);
  map_free(map);
}

typedef struct scene {
  const char *name;
  uint32_t width, height, block[4][4]; /* i0, j0, i1, j1 */
  uint32_t start[2], goal[2];
} scene;

static const scene scenes[] = {
    {"column", 80, 41, {{36, 15, 44, 26}}, {8, 18}, {72, 22}},
    {"two doors", 70, 50, {{30, 1, 33, 20}, {30, 28, 33, 49}, {48, 12, 51, 49}}, {6, 40}, {63, 42}},
    {"corner", 60, 60, {{1, 20, 40, 59}}, {20, 10}, {50, 50}},
    {"room", 50, 50, {{0, 0, 0, 0}}, {10, 40}, {38, 12}},
};

/* Neither length nor least clearance rises with the knob, but for one cell or 1 %. */
static void check_scene(const scene *s) {
  th_ground *map = map_open(s->width, s->height);
  for (int k = 0; k < 4; k++) map_fill(map, s->block[k][0], s->block[k][1], s->block[k][2], s->block[k][3], 1);
  map_finish(map);
  th_vec2 goal = map_centre(map, s->goal[0], s->goal[1]), start = map_centre(map, s->start[0], s->start[1]);
  th_solver *solver = NULL;
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = map}, &solver, NULL), TH_OK);
  walk_rule rule = {map, 0, 0.1f, 100000, goal, 1.5};
  double length = INFINITY, clear = INFINITY;
  const double cell = (double)map->cell;
  for (int k = 0; k <= 10; k++) {
    th_field *field = blended(solver, &goal, TH_FIELD_BLEND, 0.1f * (float)k);
    walk_result r = walk(&rule, field, start);
    print_message("%-9s blend %.1f: %.2f m, clearance %.2f m\n", s->name, 0.1 * k, r.length, r.min_clear);
    assert_true(r.arrived);
    assert_true(r.length <= length + fmax(cell, 0.01 * length));
    assert_true(r.min_clear <= clear + cell);
    length = fmin(length, r.length);
    clear = fmin(clear, r.min_clear);
    if (k == 10) assert_true(r.length <= 1.02 * (double)th_field_gradient_at(field, map_place(map, start)).left + cell);
    th_field_release(field);
  }
  th_solver_release(solver);
  map_free(map);
}

static void blends_lie_between_the_two_fields(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) check_scene(&scenes[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blend_ends_are_the_two_fields),
                                     cmocka_unit_test(blends_lie_between_the_two_fields)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
