/* tests/test_relax_values.c - tabulated potentials and directions of small maps, with and without a bias. */
#include <math.h>

#include "relaxing.h"

/* shows: BVP-09, BVP-10, BVP-11 */
static void test_five_by_five(void **state) {
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
static void test_first_sweep_of_five_by_five(void **state) {
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
static void test_local_map_values(void **state) {
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
      assert_true(th_relaxation_settle(r));
      assert_near(th_relaxation_p(r, 7, 7), local[k].p, 6e-7);
      assert_near(angle(r, 7), local[k].angle, 0.006);
      th_relaxation_free(r);
    }
  free(d.cell);
}

/* shows: BVP-10 */
static void test_sweep_of_eps(void **state) {
  (void)state;
  static const double table[][2] = {{-0.1, 9.68},  {0.0, 0.0},    {0.1, -9.68},  {0.3, -24.31}, {0.7, -35.45},
                                    {1.0, -37.81}, {1.2, -38.66}, {2.0, -41.81}, {3.0, -60.79}, {4.0, 153.96}};
  drawn d = draw_local(15);
  for (int k = 0; k < 10; k++) {
    th_relaxation *r = settled_on(&d, literal(TH_METHOD_SEIDEL, table[k][0], 0.0f, 1.0f));
    assert_near(angle(r, 7), table[k][1], 0.006);
    double most = 0.0, least = 1.0;
    for (uint32_t c = 0; c < 225; c++) {
      most = fmax(most, th_relaxation_p(r, c % 15, c / 15));
      least = fmin(least, th_relaxation_p(r, c % 15, c / 15));
    }
    if (table[k][0] <= 2.0)
      assert_true(most <= 1.0 && least >= 0.0);
    else
      assert_near(most, table[k][0] == 3.0 ? 1.03 : 1.04, 0.006);
    th_relaxation_free(r);
  }
  free(d.cell);
}

static void test_growth_with_map_size(void **state) {
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
static void test_sense(void **state) {
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
static void test_start_and_order(void **state) {
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
static void test_four_directions(void **state) {
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_five_by_five),         cmocka_unit_test(test_first_sweep_of_five_by_five),
      cmocka_unit_test(test_local_map_values),     cmocka_unit_test(test_sweep_of_eps),
      cmocka_unit_test(test_growth_with_map_size), cmocka_unit_test(test_sense),
      cmocka_unit_test(test_start_and_order),      cmocka_unit_test(test_four_directions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
