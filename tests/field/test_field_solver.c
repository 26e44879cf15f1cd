/* tests/field/test_field_solver.c - goals of every shape, edits, refusals, and what happens when memory runs out. */
#include <math.h>
#include <stdio.h>

#include "field/field.h"
#include "support/allocator.h"
#include "support/raster_grounds.h"
#include "support/slow.h"

static th_vec3 middle(const th_ground *map, uint32_t i, uint32_t j) {
  th_vec2 p = map_centre(map, i, j);
  return (th_vec3){p.x, p.y, 0};
}

static th_solver *solver_for(th_ground *map) {
  th_solver *solver = NULL;
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = map}, &solver, NULL), TH_OK);
  return solver;
}

static th_field *make(th_solver *solver, th_shape goal) {
  th_field_def def = th_default_field_def();
  def.goal = goal;
  th_field *field = NULL;
  th_error error = {0};
  if (th_field_make(solver, &def, &field, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return field;
}

static uint32_t count_goals(const th_ground *map, const th_field *field) {
  uint32_t count = 0, w, h;
  const double *u = th_field_values(field, &w, &h);
  assert_true(w == map->flat->width && h == map->flat->height);
  for (uint32_t c = 0; c < w * h; c++) {
    count += u[c] == 1.0;
    assert_true(map->flat->solid[c] ? u[c] == 0.0 : u[c] >= 0.0 && u[c] <= 1.0);
  }
  return count;
}

static void goals_of_every_shape_are_solved(void **state) {
  (void)state;
  th_ground *map = map_open(40, 30);
  th_solver *solver = solver_for(map);
  th_vec3 a = middle(map, 10, 10), line[2] = {a, middle(map, 17, 10)};
  th_vec3 box[4] = {middle(map, 5, 5), middle(map, 9, 5), middle(map, 9, 9), middle(map, 5, 9)};
  for (int k = 0; k < 4; k++) box[k].x -= 0.1f, box[k].y -= 0.1f;
  th_vec3 thin[3] = {{a.x, a.y, 0}, {a.x + 3.0f, a.y + 0.01f, 0}, {a.x + 3.0f, a.y + 0.02f, 0}};
  const th_shape shape[] = {{.kind = TH_SHAPE_POINT, .point = &a, .count = 1},
                            {.kind = TH_SHAPE_LINE, .point = line, .count = 2},
                            {.kind = TH_SHAPE_DISC, .point = &a, .count = 1, .radius = 1.01f},
                            {.kind = TH_SHAPE_POLYGON, .point = box, .count = 4},
                            {.kind = TH_SHAPE_POLYGON, .point = thin, .count = 3},
                            {.kind = TH_SHAPE_DISC, .point = &a, .count = 1, .radius = 0.01f}};
  const uint32_t cells[] = {1, 8, 13, 16, 7, 1};
  for (int k = 0; k < 6; k++) {
    th_field *field = make(solver, shape[k]);
    assert_int_equal(count_goals(map, field), cells[k]);
    th_field_release(field);
  }
  th_solver_release(solver);
  map_free(map);
}

/* A line of one cell pins; a point is a source. Both are the same problem. */
static void a_source_equals_a_pinned_goal(void **state) {
  (void)state;
  th_ground *map = map_rooms(60, 50, 6, 8);
  map_fill(map, 30, 20, 33, 23, 0);
  map_finish(map);
  th_solver *solver = solver_for(map);
  th_vec3 a = middle(map, 31, 21), pair[2] = {a, middle(map, 32, 21)};
  uint32_t w, h;
  th_field *point = make(solver, th_point_shape(a.x, a.y));
  th_field *line = make(solver, (th_shape){.kind = TH_SHAPE_LINE, .point = pair, .count = 2});
  const double *u = th_field_values(point, &w, &h), *v = th_field_values(line, &w, &h);
  double scale = 0.0; /* two goal cells attract more than one, everywhere */
  for (uint32_t c = 0; c < w * h; c++) {
    assert_true(v[c] >= u[c] * (1.0 - 1e-12));
    if (u[c] > 0.0) scale = fmax(scale, v[c] / u[c]);
  }
  assert_true(scale > 1.0 && scale < 3.0);
  /* Five-point equation in every free cell that is no goal. */
  for (uint32_t c = w; c < w * (h - 1); c++)
    if (u[c] > 0.0 && u[c] < 1.0)
      assert_true(fabs(u[c - 1] + u[c + 1] + u[c - w] + u[c + w] - 4.0 * u[c]) < 1e-11 * u[c] * 4.0 + 1e-300);
  th_field_release(point);
  th_field_release(line);
  th_solver_release(solver);
  map_free(map);
}

static void check_same(const th_field *a, const th_field *b) {
  uint32_t w, h;
  const double *u = th_field_values(a, &w, &h), *v = th_field_values(b, &w, &h);
  for (uint32_t c = 0; c < w * h; c++) assert_true(fabs(u[c] - v[c]) <= 1e-9 * fabs(v[c]));
}

/* Two rooms and a door on width x height cells: the short way shut and opened again. */
static void follow_a_door(uint32_t width, uint32_t height) {
  th_ground *open = map_rooms(width, height, 5, 4);
  map_fill(open, 40, 1, 42, height - 1, 1);
  map_fill(open, 40, 20, 42, 24, 0);
  map_fill(open, 40, height - 10, 42, height - 6, 0);
  map_fill(open, 9, 9, 12, 12, 0);
  map_finish(open);
  th_ground *shut = map_copy(open);
  map_fill(shut, 40, 20, 42, 24, 1);
  map_finish(shut);
  th_vec3 goal = middle(open, 10, 10), line[2] = {goal, middle(open, 11, 10)};
  const th_shape shape[2] = {{.kind = TH_SHAPE_POINT, .point = &goal, .count = 1},
                             {.kind = TH_SHAPE_LINE, .point = line, .count = 2}};
  th_solver *first = solver_for(open), *second = NULL, *third = NULL, *fresh = solver_for(shut);
  for (int k = 0; k < 2; k++) th_field_release(make(first, shape[k]));
  assert_int_equal(th_solver_follow(first, shut, &second, NULL), TH_OK);
  assert_int_equal(second->cached_count, 1);
  assert_int_equal(th_solver_follow(second, open, &third, NULL), TH_OK);
  for (int k = 0; k < 2; k++) {
    th_field *was = make(first, shape[k]), *now = make(second, shape[k]), *again = make(third, shape[k]);
    th_field *anew = make(fresh, shape[k]);
    check_same(now, anew);
    check_same(again, was);
    th_place far = map_place(open, map_centre(open, 60, 22));
    assert_true(th_field_gradient_at(now, far).left > th_field_gradient_at(was, far).left + 2.0f);
    th_field_release(was);
    th_field_release(now);
    th_field_release(again);
    th_field_release(anew);
  }
  th_solver_release(first);
  th_solver_release(second);
  th_solver_release(third);
  th_solver_release(fresh);
  map_free(open);
  map_free(shut);
}

static void a_solver_follows_a_door(void **state) {
  (void)state;
  follow_a_door(80, 60);
  if (!SLOW_BUILD) follow_a_door(512, 512);
}

static void a_solver_refuses_another_ground(void **state) {
  (void)state;
  th_ground *a = map_open(20, 20), *b = map_open(21, 20);
  th_solver *solver = solver_for(a), *other = NULL;
  th_error error = {0};
  assert_int_equal(th_solver_follow(solver, b, &other, &error), TH_ERROR_STATE);
  assert_null(other);
  assert_non_null(strstr(error.text, "20 x 20"));
  th_solver_release(solver);
  map_free(a);
  map_free(b);
}

/* A goal in the band that the class blocks moves to the nearest free cell; one in a wall is refused with its place. */
static void goals_near_walls_are_reached(void **state) {
  (void)state;
  th_ground *map = map_open(40, 30);
  map_fill(map, 15, 10, 25, 20, 1);
  map_finish(map);
  th_solver *solver = solver_for(map);
  th_vec2 near = map_centre(map, 1, 15), inside = map_centre(map, 20, 15), off = {-1000.0f, 3.0f};
  th_field_def def = th_default_field_def();
  def.radius_class = 1;
  def.goal = th_point_shape(near.x, near.y);
  th_field *field = NULL;
  th_error error = {0};
  assert_int_equal(map->flat->blocked[1][15 * 40 + 1], 1);
  assert_int_equal(th_field_make(solver, &def, &field, &error), TH_OK);
  uint32_t w, h, goal = 0;
  const double *u = th_field_values(field, &w, &h);
  while (u[goal] != 1.0) goal++;
  assert_true(goal / 40 == 15 && goal % 40 <= 4 && !map->flat->blocked[1][goal]);
  th_field_release(field);
  def.goal = th_point_shape(inside.x, inside.y);
  assert_int_equal(th_field_make(solver, &def, &field, &error), TH_ERROR_GEOMETRY);
  assert_null(field);
  char place[64];
  snprintf(place, sizeof place, "(%g, %g)", (double)inside.x, (double)inside.y);
  assert_non_null(strstr(error.text, place));
  def.goal = th_point_shape(off.x, off.y);
  assert_int_equal(th_field_make(solver, &def, &field, &error), TH_ERROR_GEOMETRY);
  assert_non_null(strstr(error.text, "off the ground"));
  th_solver_release(solver);
  map_free(map);
}

static void refuse(th_solver *solver, th_field_def def, const char *where) {
  th_field *field = NULL;
  th_error error = {0};
  assert_int_equal(th_field_make(solver, &def, &field, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, where);
  assert_null(field);
}

static void wrong_goals_are_refused(void **state) {
  (void)state;
  th_ground *map = map_open(20, 20);
  th_solver *solver = solver_for(map);
  th_vec3 point[3] = {middle(map, 5, 5), middle(map, 9, 5), {NAN, 0.0f, 0}};
  th_field_def good = th_default_field_def(), def;
  good.goal = (th_shape){.kind = TH_SHAPE_POINT, .point = point, .count = 1};
  def = good, def.eps = 2.5f, refuse(solver, def, "field.eps");
  def = good, def.eps = -0.1f, refuse(solver, def, "field.eps");
  def = good, def.eps = NAN, refuse(solver, def, "field.eps");
  def = good, def.kind = TH_FIELD_BLEND, def.blend = 1.5f, refuse(solver, def, "field.blend");
  def = good, def.radius_class = 2, refuse(solver, def, "field.radius_class");
  def = good, def.goal.kind = TH_SHAPE_LINE, refuse(solver, def, "goal");
  def = good, def.goal.kind = TH_SHAPE_DISC, refuse(solver, def, "goal");
  def = good, def.goal.kind = TH_SHAPE_POLYGON, def.goal.count = 3, refuse(solver, def, "goal");
  def = good, def.goal.count = 0, refuse(solver, def, "goal");
  def = good, def.goal.kind = TH_SHAPE_LINE, def.goal.point = NULL, def.goal.count = 5, refuse(solver, def, "goal");
  th_solver_release(solver);
  map_free(map);
}

typedef struct pair {
  th_ground *before, *after;
  th_vec3 line[2];
} pair;

static th_result build_all(const th_env *env, void *context) {
  pair *p = context;
  th_solver *solver = NULL, *next = NULL;
  th_field *field[4] = {0};
  th_result result = th_solver_make(&(th_solver_def){.env = *env, .ground = p->before}, &solver, NULL);
  for (int k = 0; k < 4 && result == TH_OK; k++) {
    th_field_def def = th_default_field_def();
    def.kind = k == 2 ? TH_FIELD_GEODESIC : TH_FIELD_HARMONIC;
    def.goal = (th_shape){.kind = k == 1 ? TH_SHAPE_LINE : TH_SHAPE_POINT, .point = p->line, .count = k == 1 ? 2 : 1};
    if (k == 3) result = th_solver_follow(solver, p->after, &next, NULL);
    if (result == TH_OK) result = th_field_make(k == 3 ? next : solver, &def, &field[k], NULL);
  }
  for (int k = 0; k < 4; k++) th_field_release(field[k]);
  th_solver_release(next);
  th_solver_release(solver);
  return result;
}

/* The serpentine needs several stages, so their allocations fail in turn as well. */
static void failing_allocations_are_survived(void **state) {
  (void)state;
  pair p = {map_serpentine(69, 3), map_serpentine(69, 3), {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}}};
  map_fill(p.after, 20, 4, 22, 5, 0);
  map_finish(p.after);
  p.line[0] = middle(p.before, 2, 2), p.line[1] = middle(p.before, 3, 2);
  print_message("%llu allocations fail in turn\n", (unsigned long long)failing_every(build_all, &p));
  assert_int_equal(atomic_load(&p.before->references), 1);
  assert_int_equal(atomic_load(&p.after->references), 1);
  map_free(p.before);
  map_free(p.after);
}

static th_result build_for_vectors(const th_env *env, void *context) {
  th_ground *map = context;
  th_vec2 goal = map_centre(map, 20, 9);
  th_solver *solver = NULL;
  th_field *field = NULL;
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape(goal.x, goal.y);
  def.eps = 0.5f;
  th_result result = th_solver_make(&(th_solver_def){.env = *env, .ground = map}, &solver, NULL);
  if (result == TH_OK) result = th_field_make(solver, &def, &field, NULL);
  th_field_release(field);
  th_solver_release(solver);
  return result;
}

static void failing_allocations_are_survived_with_vectors(void **state) {
  (void)state;
  th_ground *map = map_open(30, 20);
  print_message("%llu allocations fail in turn\n", (unsigned long long)failing_every(build_for_vectors, map));
  assert_int_equal(atomic_load(&map->references), 1);
  map_free(map);
}

static void traces_lead_to_the_goal(void **state) {
  (void)state;
  th_ground *map = map_rooms(60, 50, 6, 12);
  map_fill(map, 30, 20, 33, 23, 0);
  map_finish(map);
  th_solver *solver = solver_for(map);
  th_vec2 goal = map_centre(map, 31, 21), few[3];
  th_field *field = make(solver, th_point_shape(goal.x, goal.y));
  uint32_t paths = 0;
  for (uint32_t c = 0; c < 60 * 50; c += 13) {
    th_place from = map_place(map, map_centre(map, c % 60, c / 60));
    if (map->flat->solid[c] || !th_field_reaches(field, from)) continue;
    uint32_t count = th_field_trace(field, from, NULL, 0);
    assert_true(count > 0);
    th_vec2 *path = malloc(count * sizeof(th_vec2));
    assert_int_equal(th_field_trace(field, from, path, count), count);
    assert_true(path[0].x == from.x && path[0].y == from.y);
    assert_true(th_field_potential(field, map_place(map, path[count - 1])) == 1.0);
    for (uint32_t n = 1; n < count; n++) {
      assert_false(map->flat->solid[th_ground_cell(map, path[n].x, path[n].y)]);
      assert_true(hypotf(path[n].x - path[n - 1].x, path[n].y - path[n - 1].y) <= 0.5f * map->cell * 1.001f);
    }
    assert_int_equal(th_field_trace(field, from, few, 3), count);
    free(path);
    paths++;
  }
  assert_true(paths > 50);
  th_field_release(field);
  th_solver_release(solver);
  map_free(map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goals_of_every_shape_are_solved),
      cmocka_unit_test(a_source_equals_a_pinned_goal),
      cmocka_unit_test(a_solver_follows_a_door),
      cmocka_unit_test(a_solver_refuses_another_ground),
      cmocka_unit_test(goals_near_walls_are_reached),
      cmocka_unit_test(wrong_goals_are_refused),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(failing_allocations_are_survived_with_vectors),
      cmocka_unit_test(traces_lead_to_the_goal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
