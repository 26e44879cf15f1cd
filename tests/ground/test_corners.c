/* tests/ground/test_corners.c - corners of paths: few, walkable in a straight line, on flat and mesh ground. */
#include "ground/walk.h"
#include "support/mesh_worlds.h"
#include "throng/field.h"

enum { MAX = 4000 };

static th_field *field_to(th_ground *ground, th_vec3 goal, th_field_kind kind, th_solver **solver) {
  th_field *field = NULL;
  th_field_def def = th_default_field_def();
  def.goal = th_point_shape_at(goal);
  def.kind = kind;
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = ground}, solver, NULL), TH_OK);
  assert_int_equal(th_field_make(*solver, &def, &field, NULL), TH_OK);
  return field;
}

static uint32_t path_to(th_ground *ground, th_vec3 from, th_vec3 goal, th_field_kind kind, th_place *path) {
  th_solver *solver = NULL;
  th_field *field = field_to(ground, goal, kind, &solver);
  const th_place begin = th_ground_locate_at(ground, from, TH_ANY_LEVEL, 5.0f);
  assert_true(begin.cell != TH_NO_CELL);
  const uint32_t count = th_field_trace_places(field, begin, path, MAX);
  assert_true(count > 1 && count <= MAX);
  th_field_release(field);
  th_solver_release(solver);
  return count;
}

/* A house of two rooms whose door is at the far end from both ends of the path. */
static th_ground *rooms(void) {
  static const th_vec2 hall[4] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}}, wall[4] = {{9, 0}, {10, 0}, {10, 10}, {9, 10}};
  const th_polygon outline = {NULL, hall, 4}, obstacle = {NULL, wall, 4};
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1;
  def.obstacle = &obstacle, def.obstacle_count = 1;
  def.radius_class[0] = 0.3f, def.class_count = 1;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  return ground;
}

/* Least distance to walls on the straight lines between places of flat ground, by sampling. */
static float room_of(const th_ground *ground, const th_place *place, uint32_t count) {
  float least = INFINITY;
  for (uint32_t i = 1; i < count; i++)
    for (int k = 0; k <= 200; k++) {
      const float t = (float)k / 200.0f, x = place[i - 1].x + t * (place[i].x - place[i - 1].x),
                  y = place[i - 1].y + t * (place[i].y - place[i - 1].y);
      least = fminf(least, th_ground_clearance(ground, x, y));
    }
  return least;
}

/* Round a wall: a handful of corners, first and last place kept, no line nearer to walls than body or path. */
static void a_path_round_a_wall_has_few_corners(void **state) {
  (void)state;
  static th_place path[MAX], corner[MAX];
  th_ground *ground = rooms();
  static const th_field_kind kind[] = {TH_FIELD_HARMONIC, TH_FIELD_GEODESIC, TH_FIELD_ROOMY};
  for (int k = 0; k < 3; k++) {
    const uint32_t count = path_to(ground, (th_vec3){3, 2, 0}, (th_vec3){17, 2, 0}, kind[k], path);
    for (int wide = 0; wide < 2; wide++) {
      const float radius = wide ? 0.3f : 0.0f;
      memcpy(corner, path, count * sizeof *path);
      const uint32_t corners = th_ground_corners(ground, corner, count, radius);
      if (!(count > 100 && corners >= 3 && corners <= 8)) fail_msg("%u places, %u corners", count, corners);
      assert_memory_equal(&corner[0], &path[0], sizeof *path);
      assert_memory_equal(&corner[corners - 1], &path[count - 1], sizeof *path);
      assert_true(room_of(ground, corner, corners) > fminf(radius, room_of(ground, path, count)) - 0.02f);
      assert_true(room_of(ground, corner, corners) > 0.0f);
      assert_true(th_ground_corners(ground, corner, corners, radius) <= corners);
    }
  }
  th_ground_release(ground);
}

/* A straight path has two ends; fewer than three places stay as they are. */
static void a_straight_path_has_two_ends(void **state) {
  (void)state;
  th_ground *ground = rooms();
  th_place path[101];
  for (uint32_t k = 0; k <= 100; k++) path[k] = th_ground_locate(ground, 1.0f, 1.0f + 0.1f * (float)k);
  assert_int_equal(th_ground_corners(ground, path, 101, 0.3f), 2);
  assert_true(path[0].y == 1.0f && fabsf(path[1].y - 11.0f) < 1e-5f);
  assert_int_equal(th_ground_corners(ground, path, 2, 0.3f), 2);
  assert_int_equal(th_ground_corners(ground, path, 1, 0.3f), 1);
  assert_int_equal(th_ground_corners(ground, NULL, 0, 0.3f), 0);
  th_ground_release(ground);
}

static double apart(const th_ground *ground, th_place a, th_place b) {
  const th_vec3 p = th_ground_point(ground, a), q = th_ground_point(ground, b);
  return sqrt((double)((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z)));
}

/* On a surface some direction from each corner leads straight to the next: found by trying all of them, finer and
 * finer, at the length of the path between both. */
static double nearest_shot(const th_ground *ground, th_place from, th_place to, double length) {
  double best = INFINITY, at = 0.0, width = 3.14159265;
  for (int round = 0; round < 6; round++, width /= 20.0) {
    const double middle = at;
    for (int k = -40; k <= 40; k++)
      for (int more = 0; more < 12; more++) {
        const double angle = middle + width * k / 40.0, far = length * (1.0 - 0.01 * more);
        th_place end = from;
        th_turn turn = {1.0f, 0.0f};
        th_ground_walk(ground, &end, (th_vec2){(float)(far * cos(angle)), (float)(far * sin(angle))}, 0.0f, &turn);
        const double off = apart(ground, end, to);
        if (off < best) best = off, at = angle;
      }
  }
  return best;
}

static void corners_on_surfaces_are_straight_apart(void **state) {
  (void)state;
  static th_place path[MAX], corner[MAX];
  static const int32_t shape[] = {TH_MAKE_SHAPE_PLANET, TH_MAKE_SHAPE_TERRAIN, TH_MAKE_SHAPE_TORUS};
  for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
    const th_make_params make = mesh_grounds_shape(shape[s]);
    th_ground *ground = mesh_grounds_make(&(th_env){0}, &make);
    uint64_t random = 5 + s;
    const th_vec3 from = th_ground_point(ground, mesh_grounds_place(ground, &random)),
                  goal = th_ground_point(ground, mesh_grounds_place(ground, &random));
    const uint32_t count = path_to(ground, from, goal, TH_FIELD_GEODESIC, path);
    memcpy(corner, path, count * sizeof *path);
    const uint32_t corners = th_ground_corners(ground, corner, count, 0.2f);
    print_message("shape %zu: %u places, %u corners\n", s, count, corners);
    assert_true(corners >= 2 && corners <= 12 && corners < count / 2);
    double length = 0.0;
    for (uint32_t i = 1, next = 1; i < count; i++) {
      length += apart(ground, path[i - 1], path[i]);
      if (memcmp(&path[i], &corner[next], sizeof *path)) continue;
      const double off = nearest_shot(ground, corner[next - 1], corner[next], length);
      if (off > 0.3 * (double)ground->cell) fail_msg("shape %zu, corner %u: %g m off", s, next, off);
      next++;
      length = 0.0;
    }
    th_ground_release(ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_path_round_a_wall_has_few_corners),
      cmocka_unit_test(a_straight_path_has_two_ends),
      cmocka_unit_test(corners_on_surfaces_are_straight_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
