/* tests/field/test_sample.c - directions in lanes, and an agent's own vector on a shared field. */
#include <math.h>

#include "field/sample.h"
#include "support/allocator.h"
#include "support/field_questions.h"
#include "support/raster_grounds.h"
#include "support/slow.h"
#include "support/walker.h"

static th_field *field_to(th_ground *map, th_vec2 point, th_field_def def) {
  th_solver *solver = NULL;
  th_field *field = NULL;
  def.goal = th_point_shape(point.x, point.y);
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = map}, &solver, NULL), TH_OK);
  assert_int_equal(th_field_make(solver, &def, &field, NULL), TH_OK);
  th_solver_release(solver);
  return field;
}

static th_vec2 free_point(const th_ground *map, uint32_t radius_class, uint64_t *seed) {
  for (;;) {
    uint32_t c = map_below(seed, map->flat->width * map->flat->height);
    if (!map->flat->blocked[radius_class][c]) return map_centre(map, c % map->flat->width, c / map->flat->width);
  }
}

static float uniform(uint64_t *seed) { return (float)(map_random_bits(seed) >> 40) * 0x1p-24f; }

/* Every answer of a batch is the scalar answer to the bit, also off the map, in walls and for NaN. */
static void check_lanes(const th_ground *map, const th_field *field, th_simd level, uint64_t seed) {
  const float wide = (float)map->flat->width * map->cell, high = (float)map->flat->height * map->cell;
  for (int batch = 0; batch < 400; batch++) {
    field_question ask;
    field_question_begin(&ask, level);
    th_vec2 *v = ask.v;
    for (int n = 0; n < TH_FIELD_LANES; n++) {
      ask.x[n] = map->flat->x0 + (uniform(&seed) * 1.1f - 0.05f) * wide;
      ask.y[n] = map->flat->y0 + (uniform(&seed) * 1.1f - 0.05f) * high;
      if (map_below(&seed, 200) == 0) ask.x[n] = NAN;
      v[n].x = uniform(&seed) * 2.0f - 1.0f;
      v[n].y = uniform(&seed) * 2.0f - 1.0f;
    }
    th_field_sample_query(field, &ask.query);
    for (int n = 0; n < TH_FIELD_LANES; n++) {
      th_place place = {0, ask.x[n], ask.y[n]};
      th_vec2 d = th_field_direction(field, place, v[n], TH_SENSE_PULL);
      th_field_gradient s = th_field_gradient_at(field, place);
      const th_guide_answer *want = &ask.want[n];
      assert_memory_equal(&want->dx, &d.x, sizeof(float));
      assert_memory_equal(&want->dy, &d.y, sizeof(float));
      assert_memory_equal(&want->left, &s.left, sizeof(float));
      assert_true(want->slow == 0.0f);
      assert_int_equal(want->state == TH_ANSWER_LOST, !th_field_reaches(field, place));
      assert_int_equal(want->state == TH_ANSWER_ARRIVED, s.left == 0.0f && th_field_potential(field, place) == 1.0);
    }
  }
}

static void lanes_equal_scalar(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint64_t s = seed;
    th_ground *map = seed % 2 ? map_rooms(70, 50, 9, seed) : map_noise(50, 60, 20, seed);
    th_field_def def = th_default_field_def();
    def.kind = (th_field_kind)(seed % 3);
    def.blend = 0.4f;
    def.walls = seed == 5 ? TH_WALLS_NEUMANN : TH_WALLS_DIRICHLET;
    def.eps = 0.5f;
    def.radius_class = seed % 2;
    th_field *field = field_to(map, free_point(map, def.radius_class, &s), def);
    for (th_simd level = TH_SIMD_FOUR; level <= TH_SIMD_AVX512; level++)
      if (th_simd_has(level)) check_lanes(map, field, level, seed);
    th_field_release(field);
    map_free(map);
  }
}

/* The equation of one agent, relaxed: 4 h = sum of (1 +- eps v / 2) h over the neighbours, h = 1 on the goal. */
static double *own_solution(const th_ground *map, uint32_t goal, double ax, double ay) {
  const uint32_t w = map->flat->width, h = map->flat->height;
  double *u = calloc((size_t)w * h, sizeof(double)), worst = 1.0;
  u[goal] = 1.0;
  for (int sweep = 0; sweep < 20000 && worst > 1e-11; sweep++) {
    worst = 0.0;
    for (uint32_t c = w; c < w * (h - 1); c++) {
      if (map->flat->solid[c] || c == goal) continue;
      double sum = (1.0 + ax) * u[c + 1] + (1.0 - ax) * u[c - 1] + (1.0 + ay) * u[c + w] + (1.0 - ay) * u[c - w];
      double change = 0.25 * sum - u[c];
      u[c] += change;
      if (fabs(change) > worst * u[c]) worst = fabs(change) / u[c];
    }
  }
  return u;
}

/* Slope at a cell's centre of the quadratic spline through u: central differences, weighed 1/8, 3/4, 1/8 across, of
 * the coefficients u - (sum of the neighbours - 4 u) / 8. (A harmonic u is its own coefficients.) */
static th_vec2 spline_slope(const double *u, uint32_t c, uint32_t w) {
  double x = 0.0, y = 0.0;
  const double weight[3] = {0.125, 0.75, 0.125};
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      uint32_t n = (uint32_t)((int64_t)c + j * (int64_t)w + i);
      double coefficient = 1.5 * u[n] - 0.125 * (u[n + 1] + u[n - 1] + u[n + w] + u[n - w]);
      x += 0.5 * i * weight[j + 1] * coefficient;
      y += 0.5 * j * weight[i + 1] * coefficient;
    }
  double length = hypot(x, y);
  return (th_vec2){(float)(x / length), (float)(y / length)};
}

/* Within a quarter cell of a saddle the field leads off it on purpose, whatever the slope says. */
static bool is_weak(const double *u, uint32_t c, uint32_t w) {
  double gx = 0.5 * (u[c + 1] - u[c - 1]), gy = 0.5 * (u[c + w] - u[c - w]);
  double hx = u[c + 1] + u[c - 1] - 2.0 * u[c], hy = u[c + w] + u[c - w] - 2.0 * u[c];
  double hxy = 0.25 * (u[c + w + 1] - u[c + w - 1] - u[c - w + 1] + u[c - w - 1]);
  return hypot(gx, gy) < 0.5 * (0.5 * (hx + hy) + hypot(0.5 * (hx - hy), hxy));
}

static bool in_the_open(const th_ground *map, uint32_t c, uint32_t goal) {
  const int64_t w = map->flat->width;
  if (c % map->flat->width < 2 || c % map->flat->width > map->flat->width - 3 || c / map->flat->width < 2 ||
      c / map->flat->width > map->flat->height - 3)
    return false;
  for (int64_t j = -2; j <= 2; j++)
    for (int64_t i = -2; i <= 2; i++) {
      uint32_t n = (uint32_t)((int64_t)c + j * w + i);
      if (map->flat->solid[n] || n == goal) return false;
    }
  return true;
}

/* grad log u at a cell's centre, from logarithms: exact for exponentials, so an offset shifts it exactly. */
static th_vec2 log_slope(const double *u, uint32_t c, uint32_t w) {
  return (th_vec2){(float)(0.5 * log(u[c + 1] / u[c - 1])), (float)(0.5 * log(u[c + w] / u[c - w]))};
}

/* The same of one of a field's two solutions, from what its node holds: a neighbour's u over the cell's. */
static double node_ratio(const th_node *node, int side) {
  uint32_t bits = node->more[side / 2] >> (side % 2 ? 16 : 0) & 0xffff;
  return 1.0 + ((double)bits - 32768.0) * (double)node->scale;
}
static void node_slope(const th_node *node, double slope[2]) {
  slope[0] = 0.5 * log(node_ratio(node, TH_EAST) / node_ratio(node, TH_WEST));
  slope[1] = 0.5 * log(node_ratio(node, TH_NORTH) / node_ratio(node, TH_SOUTH));
}

/* Mixed by the squares of the agent's vector, and the offset added. */
static th_vec2 shared_slope(const th_field *field, uint32_t c, th_vec2 v) {
  double along[2], across[2], part = (double)(v.y * v.y);
  th_vec2 offset = th_field_offset(field, v, TH_SENSE_LITERAL);
  node_slope(&field->node[c], along);
  node_slope(&field->across[c], across);
  return (th_vec2){(float)(along[0] + part * (across[0] - along[0]) + (double)(offset.x * field->cell)),
                   (float)(along[1] + part * (across[1] - along[1]) + (double)(offset.y * field->cell))};
}

typedef struct angles {
  double mean, max;
} angles;

static void note(angles *a, double turn) {
  a->mean += turn;
  a->max = fmax(a->max, turn);
}

/* Angles between the shared field with an offset and each agent's own solution, over `count` vectors v of length 1: of
 * the cells' slopes, which is the identity itself, and of the directions agents get. */
static void offset_errors(float eps, int vectors, uint64_t seed, angles *slope, angles *direction) {
  th_ground *map = map_rooms(65, 65, 8, seed);
  uint32_t goal = 40 * 65 + 44, count = 0, weak = 0;
  assert_false(map->flat->solid[goal]);
  th_field_def def = th_default_field_def();
  def.eps = eps;
  th_field *field = field_to(map, map_centre(map, goal % 65, goal / 65), def);
  *slope = *direction = (angles){0};
  for (int k = 0; k < vectors; k++) {
    double turn = 6.283185307179586 * k / vectors;
    th_vec2 v = {(float)cos(turn), (float)sin(turn)};
    double *u = own_solution(map, goal, (double)(0.5f * eps * v.x), (double)(0.5f * eps * v.y));
    for (uint32_t c = 0; c < 65 * 65; c++) {
      th_place place = map_place(map, map_centre(map, c % 65, c / 65));
      if (map->flat->solid[c] || !th_field_reaches(field, place) || !in_the_open(map, c, goal)) continue;
      bool skip = is_weak(u, c, 65);
      weak += skip, count += !skip;
      if (skip) continue;
      note(slope, walk_turn(shared_slope(field, c, v), log_slope(u, c, 65)));
      note(direction, walk_turn(th_field_direction(field, place, v, TH_SENSE_LITERAL), spline_slope(u, c, 65)));
    }
    free(u);
  }
  slope->mean /= count, direction->mean /= count;
  print_message("eps %.1f: slopes %.4f, largest %.2f; directions %.4f, largest %.2f degrees; %u cells, %u at saddles\n",
                (double)eps, slope->mean, slope->max, direction->mean, direction->max, count, weak);
  assert_true(weak * 50 < count);
  th_field_release(field);
  map_free(map);
}

/* The identity holds for the slopes of cells: 0.0005 degrees on average and 0.02 at most at eps 0.1. The directions
 * that agents get are interpolated between them: 0.02 and 0.7. */
static void offset_equals_own_solution(void **state) {
  (void)state;
  angles slope, direction;
  for (uint64_t seed = 11; seed <= 12; seed++) {
    offset_errors(0.1f, SLOW_BUILD ? 4 : 16, seed, &slope, &direction);
    assert_true(slope.mean <= 0.005 && slope.max <= 0.09 && direction.mean <= 0.025 && direction.max <= 0.8);
    offset_errors(0.3f, SLOW_BUILD ? 4 : 16, seed, &slope, &direction);
    assert_true(slope.mean <= 0.03 && slope.max <= 2.6 && direction.mean <= 0.08 && direction.max <= 2.6);
  }
  offset_errors(0.7f, 8, 11, &slope, &direction);
  assert_true(slope.mean <= 0.3 && direction.mean <= 0.8);
  offset_errors(1.4f, 8, 11, &slope, &direction);
  assert_true(slope.mean <= 1.5);
}

/* A goal in the east, v to the north: who is pulled goes north, the literal equation leads south. */
static void v_pulls_or_pushes(void **state) {
  (void)state;
  th_ground *map = map_open(61, 41);
  th_field_def def = th_default_field_def();
  def.eps = 0.7f;
  th_field *field = field_to(map, map_centre(map, 55, 20), def);
  th_place place = map_place(map, map_centre(map, 20, 20));
  th_vec2 north = {0.0f, 1.0f}, south = {0.0f, -1.0f};
  th_vec2 pull = th_field_direction(field, place, north, TH_SENSE_PULL);
  th_vec2 literal = th_field_direction(field, place, north, TH_SENSE_LITERAL);
  th_vec2 back = th_field_direction(field, place, south, TH_SENSE_LITERAL);
  assert_true(pull.y > 0.3f && literal.y < -0.3f && pull.x > 0.1f);
  assert_true(back.x == pull.x && back.y == pull.y);
  th_field_release(field);
  map_free(map);
}

static void v_has_a_limit(void **state) {
  (void)state;
  th_ground *map = map_open(20, 20);
  th_field_def def = th_default_field_def();
  def.eps = 1.6f;
  th_field *field = field_to(map, map_centre(map, 5, 5), def);
  th_error error = {0};
  assert_int_equal(th_field_admits(field, (th_vec2){1.25f, -1.25f}, &error), TH_OK);
  assert_int_equal(th_field_admits(field, (th_vec2){1.3f, 0.0f}, &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "1.25"));
  assert_int_equal(th_field_admits(field, (th_vec2){0.0f, NAN}, &error), TH_ERROR_RANGE);
  th_field_release(field);
  map_free(map);
}

/* The direction has no jumps inside the open: fine steps over cell borders turn it little. */
static void directions_are_continuous_over_borders(void **state) {
  (void)state;
  th_ground *map = map_open(60, 60);
  th_field *field = field_to(map, map_centre(map, 41, 22), th_default_field_def());
  double worst = 0.0;
  for (float y = 5.013f; y < 15.0f; y += 0.7f)
    for (float x = 5.0f; x < 50.0f; x += 0.01f) {
      th_place a = map_place(map, (th_vec2){map->flat->x0 + x * map->cell, map->flat->y0 + y * map->cell});
      th_place b = map_place(map, (th_vec2){map->flat->x0 + (x + 0.01f) * map->cell, map->flat->y0 + y * map->cell});
      th_field_gradient s = th_field_gradient_at(field, a), t = th_field_gradient_at(field, b);
      worst = fmax(worst, walk_turn((th_vec2){s.dx, s.dy}, (th_vec2){t.dx, t.dy}));
    }
  assert_true(worst < 0.2);
  th_field_release(field);
  map_free(map);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_equal_scalar),
      cmocka_unit_test(offset_equals_own_solution),
      cmocka_unit_test(v_pulls_or_pushes),
      cmocka_unit_test(v_has_a_limit),
      cmocka_unit_test(directions_are_continuous_over_borders),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
