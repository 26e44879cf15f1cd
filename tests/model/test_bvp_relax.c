/* tests/model/test_bvp_relax.c - the relaxation: lanes against plain code, plain code against known values. */
#include <stdio.h>
#include <stdlib.h>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "base/platform/pages.h"
#include "base/random.h"
#include "support/bvp_reference.h"

#define MAX_CELLS (64 * 64)

/* Random maps of every kind: with and without goals inside, weights up to the limit of 2. */
typedef struct trial {
  uint32_t n, sweeps;
  bool alternate, goals;
  uint64_t seed;
} trial;

static bool is_open(const trial *t, uint32_t lane, uint32_t cell) {
  uint32_t i = cell % t->n, j = cell / t->n;
  if (i == 0 || j == 0 || i + 1 == t->n || j + 1 == t->n) return false;
  return th_random_unit(t->seed, 1, lane, cell) > 0.2f;
}
static double fixed_value(const trial *t, uint32_t lane, uint32_t cell, double floor) {
  uint32_t i = cell % t->n, j = cell / t->n;
  bool inner = i > 0 && j > 0 && i + 1 < t->n && j + 1 < t->n;
  if (inner && !t->goals) return floor;
  return th_random_unit(t->seed, 2, lane, cell) < (inner ? 0.3f : 0.1f) ? 1.0 : floor;
}
static float pull_of(const trial *t, uint32_t lane, uint32_t axis) {
  return th_random_range(t->seed, 3 + axis, lane, 0, -2.0f, 2.0f);
}

#define LANES_EQUAL(name, real, floor, run, plain)                                                                  \
  static void name(const trial *t, uint32_t lanes, void (*run)(const th_bvp_maps *maps)) {                          \
    const uint32_t cells = t->n * t->n;                                                                             \
    real *u = th_pages_take(sizeof(real) * MAX_CELLS * 32, 64);                                                     \
    real *limit = th_pages_take(sizeof(real) * MAX_CELLS * 32, 64);                                                 \
    real *weight = th_pages_take(sizeof(real) * 128, 64);                                                           \
    static real expected[32][MAX_CELLS];                                                                            \
    for (uint32_t lane = 0; lane < lanes; lane++) {                                                                 \
      uint8_t free_cell[MAX_CELLS];                                                                                 \
      real *e = expected[lane];                                                                                     \
      for (uint32_t k = 0; k < cells; k++) {                                                                        \
        free_cell[k] = is_open(t, lane, k);                                                                         \
        e[k] = free_cell[k] ? (real)th_random_unit(t->seed, 9, lane, k) : (real)fixed_value(t, lane, k, floor);     \
        u[k * lanes + lane] = e[k];                                                                                 \
        limit[k * lanes + lane] = free_cell[k] ? (real)INFINITY : e[k];                                             \
      }                                                                                                             \
      reference m = {t->n, t->sweeps, t->alternate, pull_of(t, lane, 0), pull_of(t, lane, 1)};                      \
      real x = (real)m.ex * (real)0.125, y = (real)m.ey * (real)0.125;                                              \
      real w[4] = {(real)0.25 + x, (real)0.25 - x, (real)0.25 + y, (real)0.25 - y};                                 \
      for (uint32_t i = 0; i < 4; i++) weight[i * lanes + lane] = w[i];                                             \
      plain(e, free_cell, &m);                                                                                      \
    }                                                                                                               \
    th_bvp_maps maps = {t->n, t->sweeps, lanes, t->alternate, t->goals, u, limit, weight};                          \
    run(&maps);                                                                                                     \
    for (uint32_t lane = 0; lane < lanes; lane++)                                                                   \
      for (uint32_t k = 0; k < cells; k++)                                                                          \
        if (memcmp(&u[k * lanes + lane], &expected[lane][k], sizeof(real)) != 0)                                    \
          fail_msg("seed %llu, n %u: lane %u, cell %u: %.17g, plain code %.17g", (unsigned long long)t->seed, t->n, \
                   lane, k, (double)u[k * lanes + lane], (double)expected[lane][k]);                                \
    th_pages_give(u);                                                                                               \
    th_pages_give(limit);                                                                                           \
    th_pages_give(weight);                                                                                          \
  }
LANES_EQUAL(check_float, float, TH_BVP_FLOOR, run, reference_relax_float)
LANES_EQUAL(check_double, double, TH_BVP_FLOOR_DOUBLE, run, reference_relax_double)

static void every_width_equals_plain_code(void **state) {
  (void)state;
  static const uint32_t sizes[] = {5, 6, 7, 8, 9, 10, 11, 15, 16, 21, 33, 63, 64};
  for (uint32_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
    trial t = {sizes[i / 2], 1 + i * 7 % 34, i % 3 != 0, i % 2 == 0, 4711 + i};
    for (uint32_t registers = 1; registers <= 2; registers++) {
      check_float(&t, 4 * registers, th_bvp_relax_float_four);
      check_double(&t, 2 * registers, th_bvp_relax_double_four);
#ifdef TH_WIDER
      if (th_simd_has(TH_SIMD_AVX2)) {
        check_float(&t, 8 * registers, th_bvp_relax_float_avx2);
        check_double(&t, 4 * registers, th_bvp_relax_double_avx2);
      }
      if (th_simd_has(TH_SIMD_AVX512)) {
        check_float(&t, 16 * registers, th_bvp_relax_float_avx512);
        check_double(&t, 8 * registers, th_bvp_relax_double_avx512);
      }
#endif
    }
  }
}

/* ---------------------------------------------------------------- subnormal numbers */

#ifdef __SSE2__

#define FLUSHES 0x8040u /* results and operands below the smallest normal number count as 0 */

/* A maze: walls in every other column with one gap each, up and down in turn, so that the value falls far below what a
 * float can hold. The goal lies at the end of the first passage. Lanes differ by their weights; those of a torn map are
 * negative. */
#define MAZE(name, real, floor, run)                                                            \
  static void name(real *u, uint32_t lanes, bool torn, void (*run)(const th_bvp_maps *maps)) {  \
    static _Alignas(64) real limit[33 * 33 * 32], weight[128];                                  \
    const uint32_t n = 33;                                                                      \
    for (uint32_t k = 0; k < n * n * lanes; k++) {                                              \
      uint32_t i = k / lanes % n, j = k / lanes / n, gap = i / 2 % 2 ? 1 : n - 2;               \
      bool inner = i > 0 && j > 0 && i + 1 < n && j + 1 < n;                                    \
      limit[k] = inner && (i % 2 || j == gap) ? (real)INFINITY : (real)(floor);                 \
      u[k] = i == 0 && j < 3 ? (real)TH_BVP_SCALE : (real)(floor);                              \
    }                                                                                           \
    for (uint32_t lane = 0; lane < lanes; lane++) {                                             \
      real x = (real)((torn ? 0.26 : 0.2) * (lane % 3) - 0.2), y = (real)(0.03 * lane / lanes); \
      real w[4] = {(real)0.25 + x, (real)0.25 - x, (real)0.25 + y, (real)0.25 - y};             \
      for (uint32_t i = 0; i < 4; i++) weight[i * lanes + lane] = w[i];                         \
    }                                                                                           \
    run(&(th_bvp_maps){n, 500, lanes, true, torn, u, limit, weight});                           \
  }
MAZE(maze_float, float, TH_BVP_FLOOR, run)
MAZE(maze_double, double, TH_BVP_FLOOR_DOUBLE, run)

/* The same bits whether or not the processor flushes, in every width: nothing is ever small enough. */
static void subnormal_numbers_never_count(void **state) {
  (void)state;
  static _Alignas(64) float a[33 * 33 * 32], b[33 * 33 * 32];
  static _Alignas(64) double c[33 * 33 * 16], d[33 * 33 * 16];
  const uint32_t plain = _mm_getcsr() & ~FLUSHES;
  for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++)
    for (int torn = 0; torn < 2 && th_simd_has(simd); torn++) {
      const uint32_t lanes = simd == TH_SIMD_AVX512 ? 16 : simd == TH_SIMD_AVX2 ? 8 : 4;
      _mm_setcsr(plain | FLUSHES);
      maze_float(a, lanes, torn, TH_LANES_PICK(simd, th_bvp_relax_float));
      maze_double(c, lanes / 2, torn, TH_LANES_PICK(simd, th_bvp_relax_double));
      _mm_setcsr(plain);
      maze_float(b, lanes, torn, TH_LANES_PICK(simd, th_bvp_relax_float));
      maze_double(d, lanes / 2, torn, TH_LANES_PICK(simd, th_bvp_relax_double));
      assert_memory_equal(a, b, sizeof *a * 33 * 33 * lanes);
      assert_memory_equal(c, d, sizeof *c * 33 * 33 * lanes / 2);
    }
  assert_true(b[(31 * 33 + 31) * 4] < 4 * TH_BVP_FLOOR); /* the far end of the maze: it did come to the smallest */
}

#endif

/* A map of five by five with the goal in the middle of its right side: one sweep, and the limit. */
static void known_values_of_five_by_five(void **state) {
  (void)state;
  static const struct {
    double ex, ey, p[3][3]; /* rows from the top */
  } known[4] = {
      {0, 0, {{0.973214, 0.937500, 0.901786}, {0.955357, 0.875000, 0.669643}, {0.973214, 0.937500, 0.901786}}},
      {0, 1, {{0.988645, 0.972270, 0.954162}, {0.964621, 0.892548, 0.688759}, {0.965936, 0.916811, 0.862487}}},
      {1, 0, {{0.918947, 0.875217, 0.865839}, {0.862961, 0.742634, 0.525749}, {0.918947, 0.875217, 0.865839}}},
      {0, 2, {{1.000000, 1.000000, 1.000000}, {0.982143, 0.928571, 0.732143}, {0.970663, 0.918367, 0.845663}}},
  };
  for (int k = 0; k < 4; k++) {
    field f;
    field_make(&f, 5, 0.0);
    f.u[2 * 5 + 4] = 1.0;
    field_relax(&f, 1, false, known[k].ex, known[k].ey);
    if (k < 2) { /* after one sweep only two cells have heard of the goal */
      ASSERT_NEAR(field_p(&f, 3, 2), 0.75, 1e-12);
      ASSERT_NEAR(field_p(&f, 3, 3), k ? 0.96875 : 0.9375, 1e-12);
      ASSERT_NEAR(field_p(&f, 2, 2), 1.0, 0.0);
    }
    field_relax(&f, 400, false, known[k].ex, known[k].ey);
    for (uint32_t row = 0; row < 3; row++)
      for (uint32_t i = 0; i < 3; i++) ASSERT_NEAR(field_p(&f, i + 1, 3 - row), known[k].p[row][i], 6e-7);
  }
}

static void east_goal(field *f, uint32_t n, double start) {
  field_make(f, n, start);
  for (uint32_t j = n / 2 - 1; j <= n / 2 + 1; j++) f->u[j * n + n - 1] = 1.0;
}

/* The spec's table for 15 by 15 cells: the limit, and thirty sweeps in alternating order from p = 1. */
/* shows: BVP-93 */
static void known_values_of_fifteen_by_fifteen(void **state) {
  (void)state;
  static const struct {
    double x, y, p, angle, p30, angle30;
  } known[] = {
      {0, 0, 0.911401, 0.00, 0.942033, 0.14},         {0, 1, 0.972992, -35.45, 0.975328, -33.15},
      {0, -1, 0.972992, 35.45, 0.975323, 33.22},      {1, 0, 0.708871, 0.00, 0.735799, 0.17},
      {-1, 0, 0.998254, 0.00, 0.998415, 0.02},        {0.7, -0.7, 0.852464, 48.15, 0.866310, 42.99},
      {-0.7, -0.7, 0.995550, 16.55, 0.995968, 15.58},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    field f;
    east_goal(&f, 15, 0.0);
    field_relax(&f, 30, true, 0.7 * known[k].x, 0.7 * known[k].y);
    ASSERT_NEAR(field_p(&f, 7, 7), known[k].p30, 6e-7);
    ASSERT_NEAR(field_angle(&f), known[k].angle30, 0.006);
    field_relax(&f, 4000, true, 0.7 * known[k].x, 0.7 * known[k].y);
    ASSERT_NEAR(field_p(&f, 7, 7), known[k].p, 6e-7);
    ASSERT_NEAR(field_angle(&f), known[k].angle, 0.006);
  }
}

/* The valley lies on the side away from v, deeper as eps grows up to 2; beyond, potentials leave their range. */
/* shows: BVP-10 */
static void strength_bends_the_way(void **state) {
  (void)state;
  static const double eps[] = {-0.1, 0, 0.1, 0.3, 0.7, 1, 1.2, 2};
  static const double angle[] = {9.68, 0, -9.68, -24.31, -35.45, -37.81, -38.66, -41.81};
  for (size_t k = 0; k < 8; k++) {
    field f;
    east_goal(&f, 15, 0.0);
    field_relax(&f, 4000, true, 0.0, eps[k]);
    ASSERT_NEAR(field_angle(&f), angle[k], 0.006);
    for (uint32_t c = 0; c < 15 * 15; c++) assert_true(f.u[c] >= 0.0 && f.u[c] <= 1.0);
  }
  for (int k = 3; k <= 4; k++) {
    field f;
    double max = 0.0;
    east_goal(&f, 15, 0.0);
    field_relax(&f, 4000, true, 0.0, (double)k);
    for (uint32_t c = 0; c < 15 * 15; c++) max = fmax(max, 1.0 - f.u[c]);
    ASSERT_NEAR(max, k == 3 ? 1.03 : 1.04, 0.006);
  }
}

/* The same eps bends more on a larger map. */
static void larger_maps_bend_more(void **state) {
  (void)state;
  static const uint32_t size[] = {11, 15, 19, 23, 27, 31, 35};
  static const double angle[] = {-29.9, -35.5, -38.3, -40.0, -41.0, -41.8, -42.3};
  for (size_t k = 0; k < 7; k++) {
    field f;
    east_goal(&f, size[k], 0.0);
    field_relax(&f, 12000, true, 0.0, 0.7);
    ASSERT_NEAR(field_angle(&f), angle[k], 0.06);
  }
}

/* eps and v count as a product; without it the equation is that of Laplace. */
/* shows: BVP-09, BVP-11 */
static void only_the_product_counts(void **state) {
  (void)state;
  const double eps = 0.8, v[2] = {0.3, -0.9};
  field a, b;
  east_goal(&a, 15, 0.0);
  east_goal(&b, 15, 0.0);
  field_relax(&a, 30, true, eps * v[0], eps * v[1]);
  field_relax(&b, 30, true, -eps * -v[0], -eps * -v[1]);
  assert_memory_equal(a.u, b.u, sizeof(double) * 15 * 15);
  east_goal(&a, 15, 0.0);
  field_relax(&a, 3000, true, 0.0 * v[0], 0.0 * v[1]);
  for (uint32_t j = 1; j < 14; j++)
    for (uint32_t i = 1; i < 14; i++) {
      const double *at = a.u + j * 15 + i;
      ASSERT_NEAR(at[0], 0.25 * (at[1] + at[-1] + at[15] + at[-15]), 1e-14);
    }
}

/* What a start value and the order of sweeps do to thirty sweeps: a start at the goal's value misleads. */
static void start_at_the_walls_value(void **state) {
  (void)state;
  static const struct {
    double start;
    bool alternate;
    double error;
  } known[] = {{0, false, 2.1}, {0, true, 0.14}, {1, false, 15.4}, {1, true, 0.04}};
  for (int k = 0; k < 4; k++) {
    field f;
    east_goal(&f, 15, known[k].start);
    field_relax(&f, 30, known[k].alternate, 0.0, 0.0);
    ASSERT_NEAR(fabs(field_angle(&f)), known[k].error, 0.06);
  }
}

/* A goal in the corner: three cells around it, of which two touch the map, or one beside it, as a window that clips the
 * three at its side would leave. The published table has the second (0, 0.2, 180 and 11 degrees). */
static void start_values_and_corners(void **state) {
  (void)state;
  static const double known[4][2] = {{0, 0}, {0.16, 0.16}, {180, 180}, {6.13, 11.27}};
  for (int k = 0; k < 4; k++)
    for (int clipped = 0; clipped < 2; clipped++) {
      field f;
      field_make(&f, 15, k < 2 ? 0.0 : 1.0);
      f.u[13 * 15 + 14] = f.u[14 * 15 + 14] = 1.0;
      if (!clipped) f.u[14 * 15 + 13] = 1.0;
      field_relax(&f, 30, k % 2, 0.0, 0.0);
      ASSERT_NEAR(fabs(remainder(field_angle(&f) - 45.0, 360.0)), known[k][clipped], 0.01);
    }
}

/* The direction that one agent takes among people and beside a wall, drawn at random, with a vector of its own. */
static double decision(uint64_t seed, int32_t n, int32_t precision) {
  static _Alignas(64) uint8_t scratch[TH_BVP_SCRATCH];
  static one o;
  const float wall = th_random_range(seed, 6, 0, 0, 0.5f, 4.0f), turn = th_random_range(seed, 7, 0, 0, 0.0f, 6.28f);
  one_make(&o, scratch);
  o.params.n = n;
  o.params.precision = precision;
  o.params.behaviour[0].strength = th_random_range(seed, 5, 0, 0, 0.0f, 2.0f);
  o.params.behaviour[0].v = (th_vec2){cosf(3.0f * turn), sinf(3.0f * turn)};
  for (uint32_t k = 0; k < 81 * 81; k++)
    o.clearance[k] =
        wall - ((-10.0f + 0.25f * (float)(k % 81)) * cosf(turn) + (-10.0f + 0.25f * (float)(k / 81)) * sinf(turn));
  for (uint32_t k = 0; k < 6; k++)
    one_sees(&o, th_random_range(seed, 1, k, 0, -4.0f, 4.0f), th_random_range(seed, 2, k, 0, -4.0f, 4.0f), 0.2f);
  one_decide(&o);
  return one_angle(&o);
}

/* Fields are double. Local maps of the model are float: they store u, which keeps its digits
 * however small it is, so that decisions are the same within 0.0001 degrees. */
/* shows: BVP-13 */
static void local_maps_are_floats_that_decide_as_doubles(void **state) {
  (void)state;
  assert_int_equal(th_default_bvp_params(15).precision, TH_PRECISION_FLOAT);
  static const int32_t side[] = {15, 31, 63};
  for (int k = 0; k < 3; k++) {
    double worst = 0.0;
    uint32_t turned = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
      double twice = decision(seed, side[k], TH_PRECISION_DOUBLE), once = decision(seed, side[k], TH_PRECISION_FLOAT);
      worst = fmax(worst, fabs(remainder(once - twice, 360.0)));
      turned += fabs(twice) > 1.0;
    }
    print_message("%d cells a side: directions in floats differ by %.2g degrees at most\n", side[k], worst);
    assert_true(worst < 1e-4 && turned > 200);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_width_equals_plain_code),
#ifdef __SSE2__
      cmocka_unit_test(subnormal_numbers_never_count),
#endif

      cmocka_unit_test(known_values_of_five_by_five),  cmocka_unit_test(known_values_of_fifteen_by_fifteen),
      cmocka_unit_test(strength_bends_the_way),        cmocka_unit_test(larger_maps_bend_more),
      cmocka_unit_test(only_the_product_counts),       cmocka_unit_test(start_at_the_walls_value),
      cmocka_unit_test(start_values_and_corners),      cmocka_unit_test(local_maps_are_floats_that_decide_as_doubles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
