/* tests/field/test_roomy.c - roomy fields on flat ground: against the geodesic field, against a search of our own over
 * long steps, and along walks.
 */
#include <math.h>
#include <pthread.h>

#include "field/field.h"
#include "field/grid/geodesic.h"
#include "field/room.h"
#include "support/allocator.h"
#include "support/raster_grounds.h"
#include "support/walker.h"

static th_solver *solver_for(th_ground *map) {
  th_solver *solver = NULL;
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = map}, &solver, NULL), TH_OK);
  return solver;
}

static th_field_def roomy(float weight, float within) {
  th_field_def def = th_default_field_def();
  def.kind = TH_FIELD_ROOMY;
  def.room_weight = weight;
  def.room_within = within;
  return def;
}

static th_field *field_to(th_solver *solver, th_field_def def, th_vec2 goal) {
  th_field *field = NULL;
  th_error error = {0};
  def.goal = th_point_shape(goal.x, goal.y);
  if (th_field_make(solver, &def, &field, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return field;
}

static uint32_t free_cell(const th_ground *map, uint32_t radius_class, uint64_t *state) {
  for (;;) {
    uint32_t c = map_below(state, map->flat->width * map->flat->height);
    if (!map->flat->blocked[radius_class][c]) return c;
  }
}

static th_vec2 centre_of(const th_ground *map, uint32_t c) {
  return map_centre(map, c % map->flat->width, c / map->flat->width);
}

static bool same_nodes(const th_field *a, const th_field *b) {
  return memcmp(a->node, b->node, sizeof(th_node) * a->width * a->height) == 0;
}

static void a_weight_of_0_is_the_geodesic_field(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    uint64_t s = seed;
    th_ground *map = map_rooms(60, 50, 12, seed);
    th_solver *solver = solver_for(map);
    th_field_def def = roomy(0.0f, 2.0f), other = def;
    def.radius_class = other.radius_class = seed % 2;
    other.kind = TH_FIELD_GEODESIC;
    const th_vec2 goal = centre_of(map, free_cell(map, seed % 2, &s));
    th_field *field = field_to(solver, def, goal), *geodesic = field_to(solver, other, goal);
    assert_true(same_nodes(field, geodesic));
    th_field_release(field);
    def.room_weight = 0.1f;
    field = field_to(solver, def, goal);
    assert_false(same_nodes(field, geodesic));
    th_field_release(geodesic);
    th_field_release(field);
    th_solver_release(solver);
    map_free(map);
  }
}

/* ---------------------------------------------------------------- a search of our own */

enum { W = 44, H = 36, FAR = 7 };

typedef struct search {
  const th_ground *map;
  uint8_t kind[W * H];
  double cost[W * H], total[W * H], length[W * H];
} search;

/* Mean cost along the straight line between two cells, between those of the centres around. */
static double mean_cost(const search *s, uint32_t a, uint32_t b) {
  double sum = 0.0;
  for (int k = 0; k <= 32; k++) {
    const double t = k / 32.0, x = (1.0 - t) * (a % W) + t * (b % W), y = (1.0 - t) * (a / W) + t * (b / W);
    const uint32_t i = (uint32_t)x, j = (uint32_t)y, right = i + 1 < W, up = j + 1 < H ? W : 0;
    const double u = x - i, v = y - j, *c = s->cost + j * W + i;
    sum += (k == 0 || k == 32 ? 0.5 : 1.0) *
           ((1.0 - v) * ((1.0 - u) * c[0] + u * c[right]) + v * ((1.0 - u) * c[up] + u * c[up + right]));
  }
  return sum / 32.0;
}

/* Dijkstra over straight steps to all cells in sight that are no farther than FAR: 112 directions. */
static void search_run(search *s, uint32_t goal) {
  const th_grid_sight sight = {W, s->kind, TH_CELL_WALL};
  bool done[W * H] = {0};
  for (uint32_t c = 0; c < W * H; c++) s->total[c] = s->length[c] = c == goal ? 0.0 : INFINITY;
  for (;;) {
    uint32_t best = W * H;
    for (uint32_t c = 0; c < W * H; c++)
      if (!done[c] && s->total[c] < INFINITY && (best == W * H || s->total[c] < s->total[best])) best = c;
    if (best == W * H) return;
    done[best] = true;
    for (int dj = -FAR; dj <= FAR; dj++)
      for (int di = -FAR; di <= FAR; di++) {
        const int i = (int)(best % W) + di, j = (int)(best / W) + dj;
        if (i < 1 || j < 1 || i >= W - 1 || j >= H - 1 || (di == 0 && dj == 0)) continue;
        const uint32_t to = (uint32_t)(j * W + i);
        if (done[to] || s->kind[to] == TH_CELL_WALL || !th_grid_sees(&sight, best, to)) continue;
        const double way = hypot(di, dj), total = s->total[best] + way * mean_cost(s, best, to);
        if (total < s->total[to]) s->total[to] = total, s->length[to] = s->length[best] + way;
      }
  }
}

static void fill_costs(search *s, const th_field_def *def) {
  for (uint32_t c = 0; c < W * H; c++) {
    s->kind[c] = s->map->flat->solid[c] ? TH_CELL_WALL : TH_CELL_FREE;
    s->cost[c] = th_room_cost(s->map, def, (double)s->map->flat->clearance[c]);
  }
}

/* The mean error of costs and of lengths, and the largest of costs, relative to those of the search. */
static void compare(search *s, uint32_t goal, double error[3], uint32_t *count) {
  static double total[W * H], length[W * H];
  th_cell_list cells = {&goal, 1, 1};
  const th_march march = {W, H, s->kind, &cells, s->cost, length};
  const th_env env = th_env_complete(NULL);
  s->kind[goal] = TH_CELL_PINNED;
  assert_int_equal(th_geodesic_march(&env.allocator, &march, total, NULL), TH_OK);
  search_run(s, goal);
  for (uint32_t c = 0; c < W * H; c++) {
    assert_true(isfinite(total[c]) == isfinite(s->total[c]) && isfinite(length[c]) == isfinite(total[c]));
    if (!isfinite(total[c]) || s->total[c] < 4.0) continue;
    error[0] += fabs(total[c] / s->total[c] - 1.0);
    error[1] += fabs(length[c] / s->length[c] - 1.0);
    error[2] = fmax(error[2], fabs(total[c] / s->total[c] - 1.0));
    assert_true(length[c] <= total[c]);
    (*count)++;
  }
}

/* Steps of the search graze corners, which the march goes round by the centre of a cell: with no cost at all the two
 * differ by 0.7 % in the mean and 7 % at most. */
static void costs_and_lengths_match_a_search_over_long_steps(void **state) {
  (void)state;
  static const float rule[5][2] = {{0.0f, 4.0f}, {0.1f, 4.0f}, {0.3f, 4.0f}, {0.3f, 1.0f}, {1.0f, 2.0f}};
  static search s;
  for (int k = 0; k < 5; k++) {
    double error[3] = {0.0, 0.0, 0.0};
    uint32_t count = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
      uint64_t draw = seed + 70;
      th_ground *map = map_rooms(W, H, 5, seed);
      const th_field_def def = roomy(rule[k][0], rule[k][1]);
      s.map = map;
      fill_costs(&s, &def);
      compare(&s, free_cell(map, 0, &draw), error, &count);
      map_free(map);
    }
    print_message("weight %.1f within %.0f m: costs are off by %.4f in the mean, %.4f at most; lengths by %.4f\n",
                  (double)rule[k][0], (double)rule[k][1], error[0] / count, error[2], error[1] / count);
    assert_true(error[0] / count < 0.01 && error[2] < 0.09 && error[1] / count < 0.01);
  }
}

/* ---------------------------------------------------------------- walks */

static void left_is_the_length_of_the_walk(void **state) {
  (void)state;
  static const float weight[3] = {0.1f, 0.3f, 1.0f};
  static th_vec2 path[20000];
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint64_t s = seed;
    th_ground *map = map_rooms(90, 80, 10, seed);
    th_solver *solver = solver_for(map);
    const th_vec2 goal = centre_of(map, free_cell(map, 0, &s));
    th_field *field = field_to(solver, roomy(weight[seed % 3], 3.0f), goal);
    double mean = 0.0, worst = 0.0;
    int walks = 0;
    for (int n = 0; n < 60; n++) {
      const th_place from = map_place(map, centre_of(map, free_cell(map, 0, &s)));
      const double left = (double)th_field_gradient_at(field, from).left;
      if (!th_field_reaches(field, from) || left < 5.0) continue;
      const uint32_t count = th_field_trace(field, from, path, 20000);
      assert_in_range(count, 2, 20000);
      double length = hypot((double)(path[count - 1].x - goal.x), (double)(path[count - 1].y - goal.y));
      for (uint32_t k = 1; k < count; k++)
        length += hypot((double)(path[k].x - path[k - 1].x), (double)(path[k].y - path[k - 1].y));
      mean += left / length - 1.0;
      worst = fmax(worst, fabs(left / length - 1.0));
      walks++;
    }
    print_message("seed %d: %d walks, left / length - 1 = %.4f in the mean, %.4f at most\n", (int)seed, walks,
                  mean / walks, worst);
    assert_true(walks > 20 && fabs(mean / walks) < 0.01 && worst < 0.03);
    th_field_release(field);
    th_solver_release(solver);
    map_free(map);
  }
}

/* Least distance from the corner (x, y) on the path round it. */
static double passes_at(const th_field *field, th_place from, double x, double y) {
  static th_vec2 path[4000];
  const uint32_t count = th_field_trace(field, from, path, 4000);
  double min = INFINITY;
  assert_in_range(count, 2, 4000);
  for (uint32_t k = 0; k < count; k++) min = fmin(min, hypot((double)path[k].x - x, (double)path[k].y - y));
  return min;
}

/* An L of corridors 4 m wide, in cells of 0.125 m. */
static void corners_are_passed_farther_off(void **state) {
  (void)state;
  static const th_vec2 outline[6] = {{0, 0}, {12, 0}, {12, 12}, {8, 12}, {8, 4}, {0, 4}};
  const th_polygon polygon = {.point = outline, .count = 6};
  th_flat_def ground_def = th_default_flat_def();
  ground_def.outline = &polygon;
  ground_def.outline_count = 1;
  ground_def.cell = 0.125f;
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(&ground_def, &ground, NULL), TH_OK);
  th_solver *solver = solver_for(ground);
  const float weight[4] = {0.0f, 0.1f, 0.3f, 1.0f};
  double before = 0.0;
  for (int k = 0; k < 4; k++) {
    th_field_def def = roomy(weight[k], k == 3 ? 0.5f : 4.0f);
    th_field *field = field_to(solver, def, (th_vec2){10.0f, 11.5f});
    const th_place from = {th_ground_cell(ground, 0.5f, 2.0f), 0.5f, 2.0f};
    const double at = passes_at(field, from, 8.0, 4.0);
    print_message("weight %.1f: %.3f m from the corner\n", (double)weight[k], at);
    assert_true(at > before + (k ? 0.01 : 0.2));
    before = at;
    th_field_release(field);
  }
  th_solver_release(solver);
  th_ground_release(ground);
}

/* Walks from the middle of a cell; what is left must have fallen after every STRIDE steps of 0.1 cells, in blocked
 * cells up to the half cell that an exit may lie behind. */
static void assert_left_falls(const th_ground *map, const th_field *field, uint32_t radius_class, uint32_t c) {
  enum { STRIDE = 12 };
  const walk_rule free = {.map = map, .radius_class = radius_class, .step = 0.1f},
                  walkable = {.map = map, .radius_class = 0, .step = 0.1f};
  th_vec2 p = centre_of(map, c);
  float before = INFINITY;
  for (uint32_t n = 0;; n++) {
    const th_field_gradient s = th_field_gradient_at(field, map_place(map, p));
    if (s.dx == 0.0f && s.dy == 0.0f) {
      assert_true(s.left == 0.0f);
      return;
    }
    if (n % STRIDE == 0) {
      if (!(s.left < before + (walk_blocked(&free, p) ? 0.5f * map->cell : 0.0f)) || n > 4000)
        fail_msg("from cell %u: %g m left after %u steps, %g before", c, (double)s.left, n, (double)before);
      before = s.left;
    }
    p = walk_step(walk_blocked(&free, p) ? &walkable : &free, p, (th_vec2){s.dx, s.dy});
  }
}

/* Blocked cells too: the second class blocks two cells beside every wall. */
static void left_falls_from_every_walkable_cell(void **state) {
  (void)state;
  static const th_field_kind kind[2] = {TH_FIELD_GEODESIC, TH_FIELD_ROOMY};
  uint32_t free = 0, blocked = 0;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    uint64_t s = seed;
    th_ground *map = map_rooms(60, 50, 7, seed);
    th_solver *solver = solver_for(map);
    th_field_def def = roomy(seed % 4 == 3 ? 0.3f : 0.1f, 4.0f);
    def.kind = kind[seed % 2];
    def.radius_class = 1;
    th_field *field = field_to(solver, def, centre_of(map, free_cell(map, 1, &s)));
    for (uint32_t c = 0; c < 60 * 50; c++) {
      if (map->flat->solid[c] || !th_field_reaches(field, map_place(map, centre_of(map, c)))) continue;
      assert_left_falls(map, field, 1, c);
      free += !map->flat->blocked[1][c];
      blocked += map->flat->blocked[1][c];
    }
    th_field_release(field);
    th_solver_release(solver);
    map_free(map);
  }
  print_message("%u free and %u blocked cells\n", free, blocked);
  assert_true(free > 5000 && blocked > 2000);
}

/* ---------------------------------------------------------------- making one */

typedef struct maker {
  th_solver *solver;
  th_vec2 goal;
  th_field *field;
} maker;

static void *make_one(void *user) {
  maker *m = user;
  th_field_def def = roomy(0.1f, 4.0f);
  def.goal = th_point_shape(m->goal.x, m->goal.y);
  (void)th_field_make(m->solver, &def, &m->field, NULL);
  return NULL;
}

static void threads_make_the_same_field(void **state) {
  (void)state;
  th_ground *map = map_rooms(90, 80, 10, 5);
  uint64_t s = 5;
  const th_vec2 goal = centre_of(map, free_cell(map, 0, &s));
  th_solver *solver = solver_for(map);
  th_field *alone = field_to(solver, roomy(0.1f, 4.0f), goal);
  maker m[4];
  pthread_t thread[4];
  th_solver *other = solver_for(map);
  for (int k = 0; k < 4; k++) {
    m[k] = (maker){other, goal, NULL};
    assert_int_equal(pthread_create(&thread[k], NULL, make_one, &m[k]), 0);
  }
  for (int k = 0; k < 4; k++) {
    pthread_join(thread[k], NULL);
    assert_non_null(m[k].field);
    assert_true(same_nodes(alone, m[k].field));
    th_field_release(m[k].field);
  }
  th_field_release(alone);
  th_solver_release(other);
  th_solver_release(solver);
  map_free(map);
}

/* What a solver that follows an edit makes is what a new one makes. */
static void doors_change_it_as_a_new_solver_would(void **state) {
  (void)state;
  th_ground *map = map_rooms(60, 50, 9, 3), *next = map_copy(map);
  map_fill(next, 20, 10, 24, 30, 1);
  map_finish(next);
  uint64_t s = 3;
  const th_vec2 goal = centre_of(next, free_cell(next, 0, &s));
  th_solver *solver = solver_for(map), *follows = NULL, *fresh = solver_for(next);
  th_field *was = field_to(solver, roomy(0.1f, 4.0f), goal);
  assert_int_equal(th_solver_follow(solver, next, &follows, NULL), TH_OK);
  th_field *one = field_to(follows, roomy(0.1f, 4.0f), goal), *other = field_to(fresh, roomy(0.1f, 4.0f), goal);
  assert_true(same_nodes(one, other));
  assert_false(same_nodes(one, was));
  th_field_release(was);
  th_field_release(one);
  th_field_release(other);
  th_solver_release(solver);
  th_solver_release(follows);
  th_solver_release(fresh);
  map_free(map);
  map_free(next);
}

static th_result build(const th_env *env, void *context) {
  th_ground *map = context;
  const th_vec2 goal = map_centre(map, 20, 9);
  th_solver *solver = NULL;
  th_field *field = NULL;
  th_field_def def = roomy(0.1f, 4.0f);
  def.goal = th_point_shape(goal.x, goal.y);
  th_result result = th_solver_make(&(th_solver_def){.env = *env, .ground = map}, &solver, NULL);
  if (result == TH_OK) result = th_field_make(solver, &def, &field, NULL);
  th_field_release(field);
  th_solver_release(solver);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  th_ground *map = map_open(30, 20);
  print_message("%llu allocations fail in turn\n", (unsigned long long)failing_every(build, map));
  assert_int_equal(atomic_load(&map->references), 1);
  map_free(map);
}

static void refuse(th_solver *solver, float weight, float within, const char *where, const char *found) {
  th_field_def def = roomy(weight, within);
  th_field *field = NULL;
  th_error error = {0};
  def.goal = th_point_shape(0.0f, 4.0f);
  assert_int_equal(th_field_make(solver, &def, &field, &error), TH_ERROR_RANGE);
  assert_null(field);
  assert_string_equal(error.where, where);
  assert_non_null(strstr(error.text, "expected 0"));
  assert_non_null(strstr(error.text, found));
}

static void bad_numbers_are_refused(void **state) {
  (void)state;
  th_ground *map = map_open(20, 20);
  th_solver *solver = solver_for(map);
  refuse(solver, -0.1f, 4.0f, "field.room_weight", "found -0.1");
  refuse(solver, 1.5f, 4.0f, "field.room_weight", "found 1.5");
  refuse(solver, NAN, 4.0f, "field.room_weight", "found nan");
  refuse(solver, 0.1f, 0.05f, "field.room_within", "found 0.05");
  refuse(solver, 0.1f, INFINITY, "field.room_within", "found inf");
  th_field_def other = roomy(7.0f, 0.0f); /* fields of other kinds do not read them */
  other.kind = TH_FIELD_GEODESIC;
  th_field_release(field_to(solver, other, map_centre(map, 5, 5)));
  th_solver_release(solver);
  map_free(map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_weight_of_0_is_the_geodesic_field),
      cmocka_unit_test(costs_and_lengths_match_a_search_over_long_steps),
      cmocka_unit_test(left_is_the_length_of_the_walk),
      cmocka_unit_test(corners_are_passed_farther_off),
      cmocka_unit_test(left_falls_from_every_walkable_cell),
      cmocka_unit_test(threads_make_the_same_field),
      cmocka_unit_test(doors_change_it_as_a_new_solver_would),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(bad_numbers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
