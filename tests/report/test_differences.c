/* Tests of the comparison of two variants over seeds: the distribution against published tables, samples that were
 * worked out by hand, and how often two equal variants are called different. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/chance.h"
#include "support/folder.h"
#include "throng/metrics.h"

enum { RUNS = 20, NUMBERS = 12 };

static char before[96], after[96];

static int make_paths(void **state) {
  if (make_folder(state)) return -1;
  snprintf(before, sizeof before, "%s", in_folder("before.json"));
  snprintf(after, sizeof after, "%s", in_folder("after.json"));
  return 0;
}

/* A report of `runs` runs, `number` for each, run by run; NAN is written as null. */
static void write_report(const char *path, uint32_t first_seed, uint32_t runs, uint32_t numbers, const double *number) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fprintf(out, "{\"runs\": [");
  for (uint32_t r = 0; r < runs; r++) {
    fprintf(out, "%s{\"seed\": %u, \"summary\": {", r ? ", " : "", first_seed + r);
    for (uint32_t k = 0; k < numbers; k++) {
      const double value = number[r * numbers + k];
      fprintf(out, "%s\"n%u\": ", k ? ", " : "", k);
      if (isnan(value))
        fprintf(out, "null");
      else
        fprintf(out, "%.17g", value);
    }
    fprintf(out, "}, \"lines\": [{\"name\": \"door\", \"flow\": %u, \"times\": [1, 2]}]}", 2);
  }
  fprintf(out, "]}\n");
  fclose(out);
}

static uint32_t compare(th_difference *list) {
  uint32_t count = 0;
  th_error error = {0};
  if (th_report_differences(before, after, list, &count, &error)) fail_msg("%s: %s", error.where, error.text);
  return count;
}

static void student_agrees_with_its_tables(void **state) {
  (void)state;
  static const struct {
    uint32_t freedom;
    double t, chance;
  } row[] = {{1, 12.7062, 0.05},  {2, 4.30265, 0.05},  {3, 5.84091, 0.01},  {4, 2.13185, 0.1},
             {10, 2.22814, 0.05}, {19, 2.86093, 0.01}, {30, 2.04227, 0.05}, {120, 1.97993, 0.05}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    assert_true(fabs(th_chance_student(row[i].t, row[i].freedom) - row[i].chance) < 2e-6);
    assert_true(fabs(th_chance_student(-row[i].t, row[i].freedom) - row[i].chance) < 2e-6);
  }
  assert_true(th_chance_student(0.0, 7) == 1.0);
  assert_true(th_chance_student(INFINITY, 7) == 0.0);
}

static void holm_stops_at_the_first_that_may_be_chance(void **state) {
  (void)state;
  /* 0.01 <= 0.05/4, 0.014 <= 0.05/3, 0.03 > 0.05/2: that one and all above it stay, 0.04 too */
  const double chance[] = {0.04, 0.01, NAN, 0.03, 0.014};
  bool differs[5];
  th_chance_holm(chance, 5, 0.05, differs);
  assert_true(differs[1] && differs[4]);
  assert_false(differs[0] || differs[2] || differs[3]);
  const double one[] = {0.05};
  th_chance_holm(one, 1, 0.05, differs);
  assert_true(differs[0]);
}

static void runs_of_one_seed_are_compared(void **state) {
  (void)state;
  th_difference list[TH_MAX_DIFFERENCES];
  const double a[] = {10, 20, 30, 40}, b[] = {11, 22, 31, 42}; /* off by 1, 2, 1, 2: 1.5 with a spread of 1/sqrt 3 */
  write_report(before, 1, 4, 1, a), write_report(after, 1, 4, 1, b);
  assert_int_equal(compare(list), 2); /* and the door's flow, which is the same everywhere */
  assert_string_equal(list[1].name, "lines.door.flow");
  assert_true(isnan(list[1].chance) && !list[1].differs && list[1].difference == 0.0);
  assert_true(list[0].paired && list[0].differs);
  assert_true(fabs(list[0].difference - 1.5) < 1e-12);
  assert_true(fabs(list[0].interval95 - 3.182 / sqrt(12.0)) < 1e-9); /* t(3) s / sqrt 4 */
  assert_true(fabs(list[0].chance - 0.013847) < 1e-5);               /* t = 1.5 / (1/sqrt 12) = 5.196 with 3 degrees */
  write_report(after, 5, 4, 1, b); /* other seeds: between 10 to 40 and 11 to 42 nobody can tell */
  assert_int_equal(compare(list), 2);
  assert_true(!list[0].paired && !list[0].differs && list[0].chance > 0.8);
}

static void means_of_other_seeds_are_compared_by_welch(void **state) {
  (void)state;
  th_difference list[TH_MAX_DIFFERENCES];
  const double a[] = {1, 2, 3, 4, 5}, b[] = {6, 8, 10, 12, 14, 16, NAN};
  write_report(before, 1, 5, 1, a), write_report(after, 1, 7, 1, b);
  compare(list);
  /* means 3 and 11, squared errors 0.5 and 14/6; freedom 2.8333^2 / (0.25/4 + 5.4444/5) = 6.97, rounded down */
  assert_true(fabs(list[0].difference - 8.0) < 1e-12);
  assert_int_equal(list[0].runs[1], 6);
  assert_true(fabs(list[0].interval95 - 2.447 * sqrt(0.5 + 14.0 / 6.0)) < 1e-9);
  assert_true(list[0].differs);
}

/* Sums of twelve even numbers are nearly normal. */
static double draw(uint64_t *state) {
  double sum = -6.0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(*state >> 11) * 0x1p-53;
  }
  return sum;
}

static void equal_variants_seldom_differ(void **state) {
  (void)state;
  enum { TRIALS = 200 };
  uint64_t bits = 1;
  uint32_t alarms = 0, missed = 0;
  th_difference list[TH_MAX_DIFFERENCES];
  for (uint32_t trial = 0; trial < TRIALS; trial++) {
    double a[RUNS * NUMBERS], b[RUNS * NUMBERS];
    for (uint32_t i = 0; i < RUNS * NUMBERS; i++) a[i] = draw(&bits), b[i] = draw(&bits) + (i % NUMBERS ? 0.0 : 1.5);
    write_report(before, 1, RUNS, NUMBERS, a), write_report(after, 100, RUNS, NUMBERS, b);
    const uint32_t count = compare(list);
    bool alarm = false;
    for (uint32_t k = 1; k < count; k++) alarm = alarm || list[k].differs;
    alarms += alarm, missed += !list[0].differs; /* the first one differs by one and a half spreads */
  }
  assert_true(alarms <= 20); /* 5 % are 10; 20 or more of 200 have a chance of 0.2 % */
  assert_true(alarms >= 1);  /* and it is no test that never says so */
  assert_true(missed <= 20);
}

static void what_is_no_report_is_refused(void **state) {
  (void)state;
  th_difference list[TH_MAX_DIFFERENCES];
  uint32_t count = 7;
  th_error error = {0};
  const double a[] = {1, 2};
  write_report(before, 1, 2, 1, a);
  assert_int_equal(th_report_differences(before, "/no/such/report.json", list, &count, &error), TH_ERROR_FILE);
  assert_int_equal(count, 0);
  FILE *out = fopen(after, "w");
  fprintf(out, "{\"runs\": []}\n");
  fclose(out);
  assert_int_equal(th_report_differences(before, after, list, &count, &error), TH_ERROR_FORMAT);
  assert_string_equal(error.where, after);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(student_agrees_with_its_tables), cmocka_unit_test(holm_stops_at_the_first_that_may_be_chance),
      cmocka_unit_test(runs_of_one_seed_are_compared),  cmocka_unit_test(means_of_other_seeds_are_compared_by_welch),
      cmocka_unit_test(equal_variants_seldom_differ),   cmocka_unit_test(what_is_no_report_is_refused),
  };
  return cmocka_run_group_tests(tests, make_paths, drop_folder);
}
