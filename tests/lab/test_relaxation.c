/* tests/lab/test_relaxation.c - the relaxation methods against each other, against tabulated values, and their
 * limits. */
#include <math.h>

#include "base/memory.h"
#include "lab/published/grid/sor.h"
#include "support/relaxed_grids.h"

static const th_method methods[] = {TH_METHOD_JACOBI, TH_METHOD_SEIDEL, TH_METHOD_SEIDEL_ALTERNATING, TH_METHOD_SOR};
enum { METHODS = 4 };

/* shows: BVP-04 */
static void walls_and_goals_stay(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++)
    for (int n = 0; n < 4; n++) {
      drawn d = draw_rooms(40, 31, 7);
      th_relax_def def = literal(methods[k], 1.7, 0.6f, -0.9f);
      def.storage = n & 1 ? TH_STORAGE_P : TH_STORAGE_U;
      def.precision = n & 2 ? TH_PRECISION_FLOAT : TH_PRECISION_DOUBLE;
      th_relaxation *r = relax_on(&d, def);
      for (int round = 0; round < 20; round++) {
        th_relaxation_sweep(r, 17);
        for (uint32_t c = 0; c < 40 * 31; c++) {
          double p = th_relaxation_p(r, c % 40, c / 40), u = th_relaxation_u(r, c % 40, c / 40);
          if (d.cell[c] == TH_TILE_WALL) assert_true(p == 1.0 && u == 0.0);
          if (d.cell[c] == TH_TILE_GOAL) assert_true(p == 0.0 && u == 1.0);
        }
      }
      th_relaxation_free(r);
      free(d.cell);
    }
}

/* The alternating order is said to need fewer sweeps; to this tolerance it needs up to 3 % more. */
/* shows: BVP-05, BVP-06, BVP-07, BVP-08 */
static void methods_agree(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    print_message("seed %d\n", (int)seed);
    drawn d = draw_rooms(48, 40, seed);
    th_relaxation *r[METHODS];
    for (int k = 0; k < METHODS; k++) r[k] = settled_on(&d, literal(methods[k], 0.0, 0.0f, 0.0f));
    for (int k = 1; k < METHODS; k++) assert_near(difference(r[0], r[k]), 0.0, 1e-9);
    uint64_t sweeps[METHODS];
    for (int k = 0; k < METHODS; k++) sweeps[k] = th_relaxation_swept(r[k]);
    print_message("sweeps: jacobi %d, seidel %d, alternating %d, sor %d\n", (int)sweeps[0], (int)sweeps[1],
                  (int)sweeps[2], (int)sweeps[3]);
    assert_true(sweeps[1] < sweeps[0]);
    assert_true(sweeps[2] > sweeps[1] && 100 * sweeps[2] < 103 * sweeps[1]);
    assert_true(3 * sweeps[3] < sweeps[1]);
    for (int k = 0; k < METHODS; k++) th_relaxation_free(r[k]);
    free(d.cell);
  }
}

/* Sweeps until every cell has heard of the goal. */
static int sweeps_to_reach(const drawn *d, th_method method) {
  th_relaxation *r = relax_on(d, literal(method, 0.0, 0.0f, 0.0f));
  const uint32_t w = d->grid.width;
  int sweeps = 0;
  for (bool waiting = true; waiting; sweeps++) {
    th_relaxation_sweep(r, 1);
    waiting = false;
    for (uint32_t c = 0; c < w * d->grid.height; c++)
      waiting |= d->cell[c] == TH_TILE_FREE && th_relaxation_u(r, c % w, c / w) == 0.0;
  }
  th_relaxation_free(r);
  return sweeps;
}

/* Against the fixed order, that is with the goal where the order ends, alternating needs fewer sweeps; where the fixed
 * order happens to run away from the goal it does not. Values always travel faster. */
/* shows: BVP-07 */
static void alternating_order_takes_fewer_sweeps_against_the_order(void **state) {
  (void)state;
  drawn d = draw_rooms(64, 64, 3);
  for (uint32_t c = 0; c < 64 * 64; c++)
    if (d.cell[c] == TH_TILE_GOAL) d.cell[c] = TH_TILE_FREE;
  draw_cell(&d, 62, 62, TH_TILE_GOAL);
  th_relax_def def = literal(TH_METHOD_SEIDEL, 0.0, 0.0f, 0.0f);
  def.min = 0.0;
  def.tolerance = 1e-6;
  th_relaxation *fixed = settled_on(&d, def);
  def.method = TH_METHOD_SEIDEL_ALTERNATING;
  th_relaxation *alternating = settled_on(&d, def);
  print_message("sweeps: fixed %d, alternating %d\n", (int)th_relaxation_swept(fixed),
                (int)th_relaxation_swept(alternating));
  assert_true(th_relaxation_swept(alternating) < th_relaxation_swept(fixed));
  assert_near(difference(fixed, alternating), 0.0, 1e-3);
  drawn serpentine = draw_serpentine(60, 5);
  int slow = sweeps_to_reach(&serpentine, TH_METHOD_SEIDEL);
  int fast = sweeps_to_reach(&serpentine, TH_METHOD_SEIDEL_ALTERNATING);
  print_message("serpentine reached after: fixed %d, alternating %d\n", slow, fast);
  assert_true(10 * fast < slow);
  th_relaxation_free(fixed);
  th_relaxation_free(alternating);
  free(serpentine.cell);
  free(d.cell);
}

/* The printed form of the update, cell by cell: an independent program for the same sweeps. */
static void reference_sweep(const drawn *d, double *p, double eps, double vx, double vy) {
  const uint32_t w = d->grid.width;
  for (uint32_t i = 1; i + 1 < w; i++)
    for (uint32_t j = 1; j + 1 < d->grid.height; j++) {
      uint32_t c = j * w + i;
      if (d->cell[c] != TH_TILE_FREE) continue;
      p[c] = 0.25 * (p[c - 1] + p[c + 1] + p[c - w] + p[c + w]) +
             eps / 8.0 * ((p[c + 1] - p[c - 1]) * vx + (p[c + w] - p[c - w]) * vy);
    }
}

/* shows: BVP-06, BVP-09 */
static void sweeps_are_the_printed_ones(void **state) {
  (void)state;
  static const double bias[4][3] = {{0.0, 0.0, 0.0}, {0.7, 0.0, 1.0}, {1.3, -0.75, 0.5}, {-2.0, 1.0, 1.0}};
  for (int k = 0; k < 4; k++) {
    drawn d = draw_rooms(33, 29, 11);
    double p[33 * 29];
    for (int c = 0; c < 33 * 29; c++) p[c] = d.cell[c] == TH_TILE_GOAL ? 0.0 : 1.0;
    th_relax_def def = literal(TH_METHOD_SEIDEL, bias[k][0], (float)bias[k][1], (float)bias[k][2]);
    def.storage = k & 1 ? TH_STORAGE_P : TH_STORAGE_U;
    th_relaxation *r = relax_on(&d, def);
    for (int n = 0; n < 60; n++) {
      reference_sweep(&d, p, bias[k][0], bias[k][1], bias[k][2]);
      th_relaxation_sweep(r, 1);
      for (uint32_t c = 0; c < 33 * 29; c++) assert_near(th_relaxation_p(r, c % 33, c / 33), p[c], 1e-14);
    }
    th_relaxation_free(r);
    free(d.cell);
  }
}

/* shows: BVP-09 */
static void no_bias_is_laplace_to_the_bit(void **state) {
  (void)state;
  drawn d = draw_rooms(50, 50, 3);
  th_relaxation *plain = relax_on(&d, literal(TH_METHOD_SEIDEL, 0.0, 0.0f, 0.0f));
  th_relaxation *no_eps = relax_on(&d, literal(TH_METHOD_SEIDEL, 0.0, 0.0f, 1.0f));
  th_relaxation *biased = relax_on(&d, literal(TH_METHOD_SEIDEL, 0.8, 0.0f, 1.0f));
  th_relaxation_sweep(plain, 400);
  th_relaxation_sweep(no_eps, 400);
  th_relaxation_sweep(biased, 400);
  assert_true(difference(plain, no_eps) == 0.0);
  assert_true(difference(plain, biased) > 0.01);
  th_relaxation_free(plain);
  th_relaxation_free(no_eps);
  th_relaxation_free(biased);
  free(d.cell);
}

/* shows: BVP-12 */
static void resumed_sweeps_are_the_same(void **state) {
  (void)state;
  drawn d = draw_rooms(40, 40, 5);
  for (int k = 0; k < METHODS; k++)
    for (int single = 0; single < 2; single++) {
      th_relax_def def = literal(methods[k], 0.4, 0.3f, 0.9f);
      def.precision = single ? TH_PRECISION_FLOAT : TH_PRECISION_DOUBLE;
      th_relaxation *at_once = relax_on(&d, def), *in_parts = relax_on(&d, def), *copy = NULL;
      th_relaxation_sweep(at_once, 35);
      th_relaxation_sweep(in_parts, 9);
      th_relaxation_sweep(in_parts, 1);
      assert_int_equal(th_relaxation_copy(in_parts, &copy, NULL), TH_OK);
      th_relaxation_sweep(in_parts, 25);
      th_relaxation_sweep(copy, 25);
      assert_true(difference(at_once, in_parts) == 0.0 && difference(at_once, copy) == 0.0);
      assert_int_equal(th_relaxation_swept(copy), 35);
      th_relaxation_free(at_once);
      th_relaxation_free(in_parts);
      th_relaxation_free(copy);
    }
  free(d.cell);
}

/* shows: BVP-12 */
static void error_falls_with_sweeps(void **state) {
  (void)state;
  drawn d = draw_rooms(40, 40, 6);
  th_relaxation *end = settled_on(&d, literal(TH_METHOD_SOR, 0.0, 0.0f, 0.0f));
  for (int k = 0; k < 3; k++) {
    th_relaxation *r = relax_on(&d, literal(methods[k], 0.0, 0.0f, 0.0f));
    double before = difference(r, end);
    for (int n = 0; n < 12; n++) {
      th_relaxation_sweep(r, 10);
      double now = difference(r, end);
      assert_true(now < before);
      before = now;
    }
    th_relaxation_free(r);
  }
  th_relaxation_free(end);
  free(d.cell);
}

/* shows: BVP-14, BVP-16 */
static void there_is_no_minimum_but_the_goal(void **state) {
  (void)state;
  for (uint64_t seed = 20; seed < 30; seed++) {
    print_message("seed %d\n", (int)seed);
    drawn d = draw_rooms(36, 36, seed);
    th_relax_def def = literal(TH_METHOD_SOR, 0.0, 0.0f, 0.0f);
    def.min = 0.0;
    def.omega = 0.0;
    th_relaxation *r = settled_on(&d, def);
    double u[36 * 36];
    th_relaxation_read_u(r, u);
    uint32_t lost = 99, cut = 0;
    assert_int_equal(th_grid_lost(&d.grid, u, &lost, NULL), TH_OK);
    for (uint32_t c = 0; c < 36 * 36; c++) cut += d.cell[c] == TH_TILE_FREE && u[c] == 0.0; /* walled in by boxes */
    assert_int_equal(lost, cut);
    th_relaxation_free(r);
    free(d.cell);
  }
}

/* shows: BVP-15 */
static void the_descent_on_a_ramp_is_exact(void **state) {
  (void)state;
  drawn d = draw_room(12, 3);
  for (uint32_t i = 1; i < 11; i++) draw_cell(&d, i, 1, TH_TILE_FREE);
  draw_cell(&d, 0, 1, TH_TILE_GOAL);
  th_relax_def def = literal(TH_METHOD_SEIDEL, 2.0, 0.0f, 0.0f);
  th_relaxation *r = relax_on(&d, def);
  double gx, gy;
  th_relaxation_descent(r, 1, 1, &gx, &gy);
  assert_true(gx == -0.5 && gy == 0.0);
  assert_true(th_relaxation_converge(r));
  for (uint32_t i = 1; i < 11; i++) {
    th_relaxation_descent(r, i, 1, &gx, &gy);
    assert_true(gx < 0.0 && gy == 0.0);
    assert_near(gx, (th_relaxation_p(r, i - 1, 1) - th_relaxation_p(r, i + 1, 1)) / 2.0, 1e-16);
  }
  th_relaxation_free(r);
  free(d.cell);
}

/* A map whose outermost cells are free is closed by itself. */
/* shows: BVP-01 */
static void a_map_without_a_border_is_walled_outside(void **state) {
  (void)state;
  drawn open = draw_room(9, 7), closed = draw_room(11, 9);
  draw_box(&open, 0, 0, 9, 7, TH_TILE_FREE);
  draw_cell(&open, 2, 3, TH_TILE_GOAL);
  draw_cell(&closed, 3, 4, TH_TILE_GOAL);
  th_relaxation *a = settled_on(&open, literal(TH_METHOD_SEIDEL, 0.5, 1.0f, 0.0f));
  th_relaxation *b = settled_on(&closed, literal(TH_METHOD_SEIDEL, 0.5, 1.0f, 0.0f));
  for (uint32_t j = 0; j < 7; j++)
    for (uint32_t i = 0; i < 9; i++) assert_true(th_relaxation_p(a, i, j) == th_relaxation_p(b, i + 1, j + 1));
  assert_true(th_relaxation_p(a, 9, 0) == 1.0 && th_relaxation_p(a, UINT32_MAX, 3) == 1.0);
  assert_int_equal(th_relaxation_tile(a, 0, 7), TH_TILE_WALL);
  th_relaxation_free(a);
  th_relaxation_free(b);
  free(open.cell);
  free(closed.cell);
}

static void windows_and_marks_bound_sweeps(void **state) {
  (void)state;
  drawn d = draw_room(30, 30);
  for (int k = 0; k < METHODS; k++) {
    th_relax_def def = literal(methods[k], 0.0, 0.0f, 0.0f);
    def.start = 0.0;
    th_relaxation *r = relax_on(&d, def);
    th_relaxation_sweep_window(r, &(th_relax_window){5, 5, 12, 99}, 30);
    for (uint32_t j = 1; j < 29; j++)
      for (uint32_t i = 1; i < 29; i++)
        if (i < 5 || i >= 12 || j < 5) assert_true(th_relaxation_p(r, i, j) == 0.0);
    assert_true(th_relaxation_p(r, 8, 28) > 0.1);
    double kept = th_relaxation_p(r, 8, 27);
    th_relaxation_mark(r, 8, 28, TH_TILE_GOAL);
    th_relaxation_mark(r, 8, 27, TH_TILE_FREE);
    assert_true(th_relaxation_p(r, 8, 28) == 0.0 && th_relaxation_p(r, 8, 27) == kept);
    th_relaxation_mark(r, 8, 26, TH_TILE_WALL);
    th_relaxation_sweep(r, 5);
    assert_true(th_relaxation_p(r, 8, 28) == 0.0 && th_relaxation_p(r, 8, 26) == 1.0);
    assert_true(th_relaxation_p(r, 2, 1) > 0.0);
    th_relaxation_free(r);
  }
  free(d.cell);
}

/* The best factor is Young's, and needs fewer sweeps than 1.8. */
/* shows: BVP-08 */
static void the_best_factor_takes_fewer_sweeps(void **state) {
  (void)state;
  drawn d = draw_room(101, 101);
  draw_cell(&d, 1, 1, TH_TILE_GOAL);
  th_relax_def def = literal(TH_METHOD_SOR, 0.0, 0.0f, 0.0f);
  th_relaxation *fixed = settled_on(&d, def);
  def.omega = 0.0;
  th_relaxation *best = settled_on(&d, def);
  print_message("omega %.4f: %d sweeps, 1.8: %d sweeps\n", th_relaxation_omega(best), (int)th_relaxation_swept(best),
                (int)th_relaxation_swept(fixed));
  assert_true(th_relaxation_swept(best) < th_relaxation_swept(fixed));
  assert_near(difference(best, fixed), 0.0, 1e-9);
  th_relaxation_free(fixed);
  th_relaxation_free(best);
  free(d.cell);
}

static void count_warning(void *user, th_log_level level, const char *text) {
  (void)text;
  if (level == TH_LOG_WARNING) ++*(int *)user;
}

/* shows: BVP-10 */
static void strong_bias_is_warned_of(void **state) {
  (void)state;
  drawn d = draw_local(15);
  int warnings = 0;
  th_env env = {.log = {count_warning, &warnings}};
  th_relax_def def = literal(TH_METHOD_SEIDEL, 2.0, 0.0f, 1.0f);
  th_relaxation *r = NULL;
  d.grid.env = env;
  assert_int_equal(th_relaxation_make(&def, &d.grid, &r, NULL), TH_OK);
  assert_int_equal(warnings, 0);
  assert_int_equal(th_relaxation_bias(r, (th_vec2){1.0f, 0.0f}, -2.1, NULL), TH_OK);
  assert_int_equal(warnings, 1);
  th_relaxation_sweep(r, 100);
  assert_int_equal(th_relaxation_bias(r, (th_vec2){1.0f, 0.0f}, 3.0, NULL), TH_OK);
  assert_int_equal(warnings, 1);
  assert_int_equal(th_relaxation_bias(r, (th_vec2){1.0f, 0.0f}, NAN, NULL), TH_ERROR_RANGE);
  th_relaxation_free(r);
  free(d.cell);
}

static void refuse(th_relax_def def, th_grid grid, const char *where) {
  th_relaxation *r = (th_relaxation *)&def;
  th_error error = {0};
  assert_int_not_equal(th_relaxation_make(&def, &grid, &r, &error), TH_OK);
  assert_null(r);
  assert_string_equal(error.where, where);
}

static void bad_numbers_are_refused(void **state) {
  (void)state;
  drawn d = draw_local(15);
  th_relax_def good = literal(TH_METHOD_SOR, 0.0, 0.0f, 0.0f), def;
#define REFUSE(set, where) def = good, set, refuse(def, d.grid, where)
  REFUSE(def.method = TH_METHOD_DIRECT, "relax.method");
  REFUSE(def.method = (th_method)9, "relax.method");
  REFUSE(def.storage = (th_storage)2, "relax.storage");
  REFUSE(def.precision = (th_precision)2, "relax.precision");
  REFUSE(def.sense = (th_sense)2, "relax.sense");
  REFUSE(def.eps = NAN, "relax.eps");
  REFUSE(def.v.x = INFINITY, "relax.eps");
  REFUSE(def.start = 1.5, "relax.start");
  REFUSE(def.omega = 2.0, "relax.omega");
  REFUSE(def.tolerance = -1.0, "relax.tolerance");
  REFUSE(def.min = NAN, "relax.min");
  REFUSE(def.max_sweeps = 0, "relax.max_sweeps");
#undef REFUSE
  refuse(good, (th_grid){.width = 0, .height = 15, .cell = d.cell}, "grid");
  refuse(good, (th_grid){.width = 70000, .height = 15, .cell = d.cell}, "grid");
  d.cell[7] = 3;
  refuse(good, d.grid, "grid");
  free(d.cell);
}

static th_result make_and_free(const th_env *env, void *context) {
  drawn d = draw_local(15);
  th_relax_def def = literal(*(const th_method *)context, 0.0, 0.0f, 0.0f);
  def.omega = 0.0;
  th_relaxation *r = NULL, *copy = NULL;
  d.grid.env = *env;
  th_result result = th_relaxation_make(&def, &d.grid, &r, NULL);
  if (result == TH_OK) result = th_relaxation_copy(r, &copy, NULL);
  if (result == TH_OK) (void)th_relaxation_converge(copy);
  th_relaxation_free(r);
  th_relaxation_free(copy);
  free(d.cell);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) assert_true(failing_every(make_and_free, (void *)&methods[k]) > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_and_goals_stay),
      cmocka_unit_test(methods_agree),
      cmocka_unit_test(alternating_order_takes_fewer_sweeps_against_the_order),
      cmocka_unit_test(sweeps_are_the_printed_ones),
      cmocka_unit_test(no_bias_is_laplace_to_the_bit),
      cmocka_unit_test(resumed_sweeps_are_the_same),
      cmocka_unit_test(error_falls_with_sweeps),
      cmocka_unit_test(there_is_no_minimum_but_the_goal),
      cmocka_unit_test(the_descent_on_a_ramp_is_exact),
      cmocka_unit_test(a_map_without_a_border_is_walled_outside),
      cmocka_unit_test(windows_and_marks_bound_sweeps),
      cmocka_unit_test(the_best_factor_takes_fewer_sweeps),
      cmocka_unit_test(strong_bias_is_warned_of),
      cmocka_unit_test(bad_numbers_are_refused),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
