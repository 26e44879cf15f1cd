/* tests/lab/test_relax_values.c - tabulated potentials and directions of small maps, with and without a bias. */
#include <math.h>

#include "support/relaxed_grids.h"

/* shows: BVP-09, BVP-10, BVP-11 */
static void five_by_five_has_the_printed_values(void **state) {
  (void)state;
  static const struct {
    double eps;
    float vx, vy;
    double p[3][3]; /* j = 3, 2, 1; i = 1, 2, 3 */
    double gx, gy;
  } table[] = {
      {0, 0, 0, {{.973214, .937500, .901786}, {.955357, .875000, .669643}, {.973214, .937500, .901786}}, .142857, 0},
      {1,
       0,
       1,
       {{.988645, .972270, .954162}, {.964621, .892548, .688759}, {.965936, .916811, .862487}},
       .137931,
       -.027730},
      {1, 1, 0, {{.918947, .875217, .865839}, {.862961, .742634, .525749}, {.918947, .875217, .865839}}, .168606, 0},
      {2, 0, 1, {{1, 1, 1}, {.982143, .928571, .732143}, {.970663, .918367, .845663}}, .125000, -.040816},
  };
  drawn d = draw_room(5, 5);
  draw_cell(&d, 4, 2, TH_TILE_GOAL);
  for (int t = 0; t < 4; t++)
    for (int storage = 0; storage < 2; storage++)
      for (int flip = 0; flip < 2; flip++) {
        float sign = flip ? -1.0f : 1.0f;
        th_relax_def def =
            literal(TH_METHOD_SEIDEL, (double)sign * table[t].eps, sign * table[t].vx, sign * table[t].vy);
        def.storage = (th_storage)storage;
        th_relaxation *r = settled_on(&d, def);
        for (uint32_t j = 0; j < 3; j++)
          for (uint32_t i = 0; i < 3; i++) assert_near(th_relaxation_p(r, i + 1, 3 - j), table[t].p[j][i], 6e-7);
        double gx, gy;
        th_relaxation_descent(r, 2, 2, &gx, &gy);
        assert_near(gx, table[t].gx, 6e-7);
        assert_near(gy, table[t].gy, 6e-7);
        th_relaxation_free(r);
      }
  free(d.cell);
}

/* shows: BVP-06 */
static void the_first_sweep_has_the_printed_values(void **state) {
  (void)state;
  drawn d = draw_room(5, 5);
  draw_cell(&d, 4, 2, TH_TILE_GOAL);
  for (int biased = 0; biased < 2; biased++) {
    th_relax_def def = literal(TH_METHOD_SEIDEL, biased, 0.0f, 1.0f);
    def.storage = TH_STORAGE_P;
    th_relaxation *r = relax_on(&d, def);
    th_relaxation_sweep(r, 1);
    for (uint32_t j = 1; j < 4; j++)
      for (uint32_t i = 1; i < 4; i++) {
        double expected = 1.0;
        if (i == 3 && j == 2) expected = 0.75;
        if (i == 3 && j == 3) expected = biased ? 0.96875 : 0.9375;
        assert_true(th_relaxation_p(r, i, j) == expected);
      }
    th_relaxation_free(r);
  }
  free(d.cell);
}

/* Values of a 15 x 15 map with the goal in the east: converged, and after 30 alternating sweeps. */
static const struct {
  float vx, vy;
  double p, angle, p30, angle30;
} local[] = {
    {0.0f, 0.0f, 0.911401, 0.00, 0.942033, 0.14},     {0.0f, 1.0f, 0.972992, -35.45, 0.975328, -33.15},
    {0.0f, -1.0f, 0.972992, 35.45, 0.975323, 33.22},  {1.0f, 0.0f, 0.708871, 0.00, 0.735799, 0.17},
    {-1.0f, 0.0f, 0.998254, 0.00, 0.998415, 0.02},    {0.7f, -0.7f, 0.852464, 48.15, 0.866310, 42.99},
    {-0.7f, -0.7f, 0.995550, 16.55, 0.995968, 15.58},
};

/* shows: BVP-09, BVP-12 */
static void local_maps_have_the_printed_values(void **state) {
  (void)state;
  drawn d = draw_local(15);
  for (int k = 0; k < 7; k++)
    for (int storage = 0; storage < 2; storage++) {
      th_relax_def def = literal(TH_METHOD_SEIDEL_ALTERNATING, 0.7, local[k].vx, local[k].vy);
      def.storage = (th_storage)storage;
      th_relaxation *r = relax_on(&d, def);
      th_relaxation_sweep(r, 30);
      assert_near(th_relaxation_p(r, 7, 7), local[k].p30, 6e-7);
      assert_near(angle(r, 7), local[k].angle30, 0.006);
      assert_true(th_relaxation_converge(r));
      assert_near(th_relaxation_p(r, 7, 7), local[k].p, 6e-7);
      assert_near(angle(r, 7), local[k].angle, 0.006);
      th_relaxation_free(r);
    }
  free(d.cell);
}

/* shows: BVP-10 */
static void eps_bends_as_printed(void **state) {
  (void)state;
  static const double table[][2] = {{-0.1, 9.68},  {0.0, 0.0},    {0.1, -9.68},  {0.3, -24.31}, {0.7, -35.45},
                                    {1.0, -37.81}, {1.2, -38.66}, {2.0, -41.81}, {3.0, -60.79}, {4.0, 153.96}};
  drawn d = draw_local(15);
  for (int k = 0; k < 10; k++) {
    th_relaxation *r = settled_on(&d, literal(TH_METHOD_SEIDEL, table[k][0], 0.0f, 1.0f));
    assert_near(angle(r, 7), table[k][1], 0.006);
    double max = 0.0, min = 1.0;
    for (uint32_t c = 0; c < 225; c++) {
      max = fmax(max, th_relaxation_p(r, c % 15, c / 15));
      min = fmin(min, th_relaxation_p(r, c % 15, c / 15));
    }
    if (table[k][0] <= 2.0)
      assert_true(max <= 1.0 && min >= 0.0);
    else
      assert_near(max, table[k][0] == 3.0 ? 1.03 : 1.04, 0.006);
    th_relaxation_free(r);
  }
  free(d.cell);
}

static void angles_grow_with_the_map_as_printed(void **state) {
  (void)state;
  static const double table[][2] = {{11, -29.9}, {15, -35.5}, {19, -38.3}, {23, -40.0},
                                    {27, -41.0}, {31, -41.8}, {35, -42.3}};
  for (int k = 0; k < 7; k++) {
    drawn d = draw_local((uint32_t)table[k][0]);
    th_relaxation *r = settled_on(&d, literal(TH_METHOD_SOR, 0.7, 0.0f, 1.0f));
    assert_near(angle(r, (uint32_t)table[k][0] / 2), table[k][1], 0.06);
    th_relaxation_free(r);
    free(d.cell);
  }
}

/* The descent deviates away from v as printed, towards v with pull. */
/* shows: BVP-56 */
static void the_descent_deviates_away_from_v_or_towards_it(void **state) {
  (void)state;
  drawn d = draw_local(15);
  th_relax_def def = literal(TH_METHOD_SEIDEL, 0.7, 0.0f, 1.0f);
  th_relaxation *as_printed = settled_on(&d, def);
  def.sense = TH_SENSE_PULL;
  th_relaxation *pull = settled_on(&d, def);
  def.sense = TH_SENSE_LITERAL;
  def.eps = -0.7;
  th_relaxation *negative = settled_on(&d, def);
  assert_true(angle(as_printed, 7) < -30.0);
  assert_true(angle(pull, 7) > 30.0);
  assert_true(difference(pull, negative) == 0.0);
  th_relaxation_free(as_printed);
  th_relaxation_free(pull);
  th_relaxation_free(negative);
  free(d.cell);
}

/* Start value and order decide how well 30 sweeps point at the goal. */
static void start_and_order_decide_how_well_few_sweeps_lead(void **state) {
  (void)state;
  static const struct {
    th_method method;
    double start, east, north;
  } table[] = {{TH_METHOD_SEIDEL, 1, 2.1, 2.1},
               {TH_METHOD_SEIDEL_ALTERNATING, 1, 0.1, 0.03},
               {TH_METHOD_SEIDEL, 0, 15.4, 15.4},
               {TH_METHOD_SEIDEL_ALTERNATING, 0, 0.04, 1.0}};
  for (int k = 0; k < 4; k++)
    for (int north = 0; north < 2; north++) {
      drawn d = draw_room(15, 15);
      draw_box(&d, north ? 6 : 14, north ? 14 : 6, north ? 9 : 15, north ? 15 : 9, TH_TILE_GOAL);
      th_relax_def def = literal(table[k].method, 0.0, 0.0f, 0.0f);
      def.start = table[k].start;
      th_relaxation *r = relax_on(&d, def);
      th_relaxation_sweep(r, 30);
      double expected = north ? table[k].north : table[k].east;
      assert_near(fabs(angle(r, 7) - (north ? 90.0 : 0.0)), expected, expected < 0.05 ? 0.006 : 0.06);
      th_relaxation_free(r);
      free(d.cell);
    }
}

/* shows: BVP-34 */
static void goals_on_all_four_sides_are_found(void **state) {
  (void)state;
  static const uint32_t box[4][4] = {{14, 6, 15, 9}, {6, 14, 9, 15}, {0, 6, 1, 9}, {6, 0, 9, 1}};
  for (int k = 0; k < 4; k++) {
    drawn d = draw_room(15, 15);
    draw_box(&d, box[k][0], box[k][1], box[k][2], box[k][3], TH_TILE_GOAL);
    th_relaxation *r = relax_on(&d, literal(TH_METHOD_SEIDEL_ALTERNATING, 0.0, 0.0f, 0.0f));
    th_relaxation_sweep(r, 30);
    assert_near(remainder(angle(r, 7) - 90.0 * k, 360.0), 0.0, 2.0);
    th_relaxation_free(r);
    free(d.cell);
  }
}

/* The grid planner of the sibling thesis (eqs. 3.2 to 3.4), both forms: tags and their potentials, one sweep in plain
 * code from the mean of both potentials, the accumulated error as the rule to stop, the descent. */
/* shows: SBVP-60 */
static void the_grid_planner_plans_as_published(void **state) {
  (void)state;
  enum { SIDE = 17 };
  for (int form = 0; form < 2; form++) {
    drawn d = draw_room(SIDE, SIDE);
    draw_box(&d, 6, 5, 9, 12, TH_TILE_WALL);
    draw_box(&d, 14, 7, 16, 10, TH_TILE_GOAL);
    th_relax_def def = literal(TH_METHOD_SEIDEL, 0.9, 0.6f, 0.8f);
    def.storage = TH_STORAGE_P;
    def.sense = form ? TH_SENSE_LITERAL : TH_SENSE_PULL;
    def.start = 0.5;
    th_relaxation *r = relax_on(&d, def);
    const double unit = -0.9 / hypot((double)def.v.x, (double)def.v.y); /* 0.6f, 0.8f is nearly a unit vector */
    const double ex = (form ? 0.9 : unit) * (double)def.v.x, ey = (form ? 0.9 : unit) * (double)def.v.y;
    double p[SIDE][SIDE], e = INFINITY;
    for (uint32_t j = 0; j < SIDE; j++)
      for (uint32_t i = 0; i < SIDE; i++) {
        p[j][i] = th_relaxation_p(r, i, j);
        th_tile tile = th_relaxation_tile(r, i, j);
        assert_true(p[j][i] == (tile == TH_TILE_WALL ? 1.0 : tile == TH_TILE_GOAL ? 0.0 : 0.5));
        if (i == 0 || j == 0 || i == SIDE - 1 || j == SIDE - 1) assert_int_equal(tile, TH_TILE_WALL);
      }
    for (int sweep = 0; sweep < 2000 && e > 1e-9; sweep++) {
      e = 0.0;
      th_relaxation_sweep(r, 1);
      for (uint32_t j = 1; j + 1 < SIDE; j++)
        for (uint32_t i = 1; i + 1 < SIDE; i++) {
          if (th_relaxation_tile(r, i, j) != TH_TILE_FREE) continue;
          double right = p[j][i + 1], left = p[j][i - 1], top = p[j + 1][i], bottom = p[j - 1][i];
          double next = (bottom + top + right + left) / 4 + ((right - left) * ex + (top - bottom) * ey) / 8;
          e += fabs(next - p[j][i]);
          p[j][i] = next;
          assert_near(th_relaxation_p(r, i, j), next, 1e-12);
        }
    }
    assert_true(e <= 1e-9);
    double gx, gy;
    th_relaxation_descent(r, 4, 8, &gx, &gy);
    assert_near(gx, (p[8][3] - p[8][5]) / 2, 1e-12);
    assert_near(gy, (p[7][4] - p[9][4]) / 2, 1e-12);
    th_relaxation_free(r);
    free(d.cell);
  }
}

static void count_warning(void *user, th_log_level level, const char *text) {
  (void)text;
  *(int *)user += level == TH_LOG_WARNING;
}

static bool in_range(const th_relaxation *r) {
  for (uint32_t c = 0; c < 15 * 15; c++)
    if (!(th_relaxation_p(r, c % 15, c / 15) >= 0.0 && th_relaxation_p(r, c % 15, c / 15) <= 1.0)) return false;
  return true;
}

/* v is a direction: its length does not count, eps = 0 is Laplace, and v = 0 too. Within (-2, 2) p keeps its range, and
 * what lies outside is warned of, for every direction. */
/* shows: SBVP-61 */
static void vectors_count_as_unit_vectors(void **state) {
  (void)state;
  drawn d = draw_local(15);
  for (int degree = 0; degree < 360; degree += 15) {
    const double x = cos(degree / DEGREES), y = sin(degree / DEGREES);
    static const double length[] = {1.0, 0.001, 3.0};
    th_relaxation *r[3];
    for (int k = 0; k < 3; k++) {
      th_relax_def def =
          literal(TH_METHOD_SEIDEL, degree % 2 ? -1.5 : 1.5, (float)(length[k] * x), (float)(length[k] * y));
      def.sense = TH_SENSE_PULL;
      r[k] = relax_on(&d, def);
      th_relaxation_sweep(r[k], 40);
    }
    for (uint32_t c = 0; c < 15 * 15; c++)
      for (int k = 1; k < 3; k++)
        assert_near(th_relaxation_p(r[0], c % 15, c / 15), th_relaxation_p(r[k], c % 15, c / 15), 1e-6);
    for (int k = 0; k < 3; k++) th_relaxation_free(r[k]);
    static const double eps[] = {1.99, -1.99, 2.0, -2.0, 2.4};
    for (int k = 0; k < 5; k++) {
      int warnings = 0;
      th_env env = {.log = {count_warning, &warnings}};
      th_relax_def def = literal(TH_METHOD_SEIDEL, 0.0, (float)x, (float)y);
      def.sense = TH_SENSE_PULL;
      d.grid.env = env;
      assert_int_equal(th_relaxation_make(&def, &d.grid, &r[0], NULL), TH_OK);
      assert_int_equal(th_relaxation_bias(r[0], def.v, eps[k], NULL), TH_OK);
      th_relaxation_sweep(r[0], 100);
      if (k < 2) assert_true(in_range(r[0]));
      if (warnings != (k >= 2)) fail_msg("%d degrees, eps %g: %d warnings", degree, eps[k], warnings);
      th_relaxation_free(r[0]);
    }
  }
  th_relaxation *none = relax_on(&d, literal(TH_METHOD_SEIDEL, 0.0, 0.6f, 0.8f));
  th_relaxation *laplace = relax_on(&d, literal(TH_METHOD_SEIDEL, 0.0, 0.0f, 0.0f));
  th_relax_def def = literal(TH_METHOD_SEIDEL, 5.0, 0.0f, 0.0f);
  def.sense = TH_SENSE_PULL;
  th_relaxation *nowhere = relax_on(&d, def);
  th_relaxation *all[3] = {none, laplace, nowhere};
  for (int k = 0; k < 3; k++) th_relaxation_sweep(all[k], 40);
  for (uint32_t c = 0; c < 15 * 15; c++)
    for (int k = 0; k < 3; k += 2)
      assert_true(th_relaxation_p(all[k], c % 15, c / 15) == th_relaxation_p(laplace, c % 15, c / 15));
  for (int k = 0; k < 3; k++) th_relaxation_free(all[k]);
  free(d.cell);
}

/* As printed, v counts with its length: twice as long is eps twice, and a component above 2 is warned of. */
static void literal_vectors_count_with_their_length(void **state) {
  (void)state;
  drawn d = draw_local(15);
  th_relaxation *unit = relax_on(&d, literal(TH_METHOD_SEIDEL, 1.5, 0.6f, 0.8f));
  th_relaxation *twice = relax_on(&d, literal(TH_METHOD_SEIDEL, 0.75, 1.2f, 1.6f));
  th_relaxation_sweep(unit, 40);
  th_relaxation_sweep(twice, 40);
  for (uint32_t c = 0; c < 15 * 15; c++)
    assert_near(th_relaxation_p(unit, c % 15, c / 15), th_relaxation_p(twice, c % 15, c / 15), 1e-6);
  th_relaxation_free(unit);
  th_relaxation_free(twice);
  int warnings = 0;
  th_env env = {.log = {count_warning, &warnings}};
  th_relax_def def = literal(TH_METHOD_SEIDEL, 2.49, 0.6f, 0.8f);
  d.grid.env = env;
  assert_int_equal(th_relaxation_make(&def, &d.grid, &unit, NULL), TH_OK);
  assert_int_equal(warnings, 0);
  assert_int_equal(th_relaxation_bias(unit, def.v, 2.51, NULL), TH_OK);
  assert_int_equal(warnings, 1);
  th_relaxation_free(unit);
  free(d.cell);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(five_by_five_has_the_printed_values),
      cmocka_unit_test(the_first_sweep_has_the_printed_values),
      cmocka_unit_test(local_maps_have_the_printed_values),
      cmocka_unit_test(eps_bends_as_printed),
      cmocka_unit_test(angles_grow_with_the_map_as_printed),
      cmocka_unit_test(the_descent_deviates_away_from_v_or_towards_it),
      cmocka_unit_test(start_and_order_decide_how_well_few_sweeps_lead),
      cmocka_unit_test(goals_on_all_four_sides_are_found),
      cmocka_unit_test(the_grid_planner_plans_as_published),
      cmocka_unit_test(vectors_count_as_unit_vectors),
      cmocka_unit_test(literal_vectors_count_with_their_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
