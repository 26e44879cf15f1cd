/* tests/app/test_validate.c - how `throng validate` judges, its quick tests, its files and its exit codes. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/folder.h"
#include "support/unit.h"
#include "validation/verdict.h"

#ifndef TH_PROGRAM
#define TH_PROGRAM "build/release/throng"
#endif

/* The exit code; standard output goes to the file `output`. */
static int validate(const char *arguments) {
  char command[600];
  snprintf(command, sizeof command, "cd %s && '" TH_PROGRAM "' validate %s >output 2>errors", folder, arguments);
  return WEXITSTATUS(system(command));
}

static json_t *load(const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  json_t *json = json_load_file(path, 0, NULL);
  if (!json) fail_msg("%s is not JSON", path);
  return json;
}

static bool text_has(const char *name, const char *words) {
  char path[200], text[60000];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "r");
  if (!file) return false;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  return strstr(text, words) != NULL;
}

/* ---------------------------------------------------------------- verdicts */

static void assert_near(double found, double expected, double within) {
  if (!(fabs(found - expected) <= within)) fail_msg("found %.12g, expected %.12g", found, expected);
}

/* 1, 2, 3, 4: mean 2.5, deviation sqrt(5 / 3), t of 3 degrees of freedom 3.182. */
static void intervals_are_students(void **state) {
  (void)state;
  const double four[4] = {1.0, 2.0, 3.0, 4.0}, equal[3] = {7.0, 7.0, 7.0};
  const th_interval of = th_interval_of(four, 4), same = th_interval_of(equal, 3), one = th_interval_of(four, 1);
  assert_near(of.mean, 2.5, 1e-12);
  assert_near(of.half, 3.182 * sqrt(5.0 / 3.0) / 2.0, 1e-9);
  assert_true(of.count == 4 && of.never == 0);
  assert_true(same.mean == 7.0 && same.half == 0.0);
  assert_true(one.mean == 1.0 && isinf(one.half)); /* a single seed tells nothing about chance */
  assert_near(th_student(19), 2.093, 1e-12);       /* twenty seeds */
  assert_near(th_student(31), 2.0395, 5e-4);
}

static th_judgement judged(double mean, double half, double min, double max) {
  const th_interval of = {mean, half, 5, 0};
  return th_judge_interval(&of, (th_band){min, max});
}

static void bands_hold_miss_or_stay_open(void **state) {
  (void)state;
  assert_int_equal(judged(1.8, 0.1, 1.6, 2.0), TH_BAND_HOLDS);
  assert_int_equal(judged(1.8, 0.2, 1.6, 2.0), TH_BAND_HOLDS); /* both ends belong to it */
  assert_int_equal(judged(1.8, 0.21, 1.6, 2.0), TH_BAND_UNDECIDED);
  assert_int_equal(judged(2.1, 0.11, 1.6, 2.0), TH_BAND_UNDECIDED); /* the mean is outside, the interval is not */
  assert_int_equal(judged(2.1, 0.09, 1.6, 2.0), TH_BAND_MISSES);
  assert_int_equal(judged(1.5, 0.09, 1.6, 2.0), TH_BAND_MISSES);
  assert_int_equal(judged(1.8, 0.5, 1.6, 2.0), TH_BAND_UNDECIDED); /* wider than the band */
  assert_int_equal(judged(1.2, 0.1, -INFINITY, 1.33), TH_BAND_HOLDS);
  assert_int_equal(judged(0.05, 0.1, -INFINITY, 1.33), TH_BAND_HOLDS); /* "at most" has no lower end */
  assert_int_equal(judged(100.0, 0.0, 100.0, 100.0), TH_BAND_HOLDS);
  assert_int_equal(judged(99.9, 0.2, 100.0, 100.0), TH_BAND_UNDECIDED);
  assert_int_equal(judged(1.0, INFINITY, 0.0, 2.0), TH_BAND_UNDECIDED); /* one seed */
  assert_int_equal(judged(1.0, 0.0, NAN, NAN), TH_BAND_NONE);
}

/* A run that never ended misses, however early the others were. */
static void what_never_comes_misses(void **state) {
  (void)state;
  const double time[4] = {50.0, 51.0, INFINITY, 49.0}, never[2] = {NAN, NAN};
  const th_interval of = th_interval_of(time, 4), none = th_interval_of(never, 2);
  assert_true(of.count == 3 && of.never == 1);
  assert_near(of.mean, 50.0, 1e-12);
  assert_int_equal(th_judge_interval(&of, (th_band){-INFINITY, 160.0}), TH_BAND_MISSES);
  assert_int_equal(th_judge_interval(&of, TH_NO_BAND), TH_BAND_NONE);
  assert_int_equal(th_judge_interval(&none, (th_band){-INFINITY, INFINITY}), TH_BAND_MISSES);
}

/* Seeds differ by 40 s, and each takes 2 to 4 s longer against more people: only the pairs show it. */
static void pairs_show_what_means_hide(void **state) {
  (void)state;
  const double few[5] = {40.0, 50.0, 60.0, 70.0, 80.0}, many[5] = {43.0, 52.0, 63.0, 74.0, 83.0};
  double apart[5], back[5];
  th_pair(many, few, 5, apart);
  th_pair(few, many, 5, back);
  const th_interval longer = th_interval_of(apart, 5), a = th_interval_of(few, 5), b = th_interval_of(many, 5);
  const th_band grows = {0.0, INFINITY};
  assert_near(longer.mean, 3.0, 1e-12);
  assert_near(longer.half, 2.776 * sqrt(0.5 / 5.0), 1e-9);
  assert_int_equal(th_judge_interval(&longer, grows), TH_BAND_HOLDS);
  assert_true(a.mean + a.half > b.mean - b.half); /* intervals of the two overlap */
  const th_interval sooner = th_interval_of(back, 5);
  assert_int_equal(th_judge_interval(&sooner, grows), TH_BAND_MISSES);
  const double locked[2] = {INFINITY, 60.0};
  th_pair(locked, locked, 2, apart);
  assert_true(isnan(apart[0]) && apart[1] == 0.0);
}

static void a_test_is_as_good_as_its_worst_reading(void **state) {
  (void)state;
  assert_int_equal(th_judge_both(TH_BAND_NONE, TH_BAND_HOLDS), TH_BAND_HOLDS);
  assert_int_equal(th_judge_both(TH_BAND_UNDECIDED, TH_BAND_HOLDS), TH_BAND_UNDECIDED);
  assert_int_equal(th_judge_both(TH_BAND_UNDECIDED, TH_BAND_MISSES), TH_BAND_MISSES);
}

/* ---------------------------------------------------------------- runs */

static const char *verdict(const json_t *row, const char *key) { return json_string_value(json_object_get(row, key)); }

/* How many results hold our bands; the others are named. */
static size_t ours_held(const json_t *all) {
  size_t i, held = 0;
  json_t *row;
  json_array_foreach(json_object_get(all, "results"), i, row) {
    const bool holds = !strcmp(verdict(row, "ours"), "holds");
    held += holds;
    if (!holds) print_message("%s: %s\n", verdict(row, "test"), verdict(row, "ours"));
  }
  return held;
}

/* One person walks as fast as given, up and down too, sets off when it should, and many have the speeds given. */
static void single_people_do_as_they_are_told(void **state) {
  (void)state;
  const int code = validate(
      "rimea.1 rimea.2 rimea.3 rimea.5 rimea.7 nist.2.1 nist.2.2 nist.2.4 meeting --model orca --seeds 1..10 --json");
  json_t *all = load("output"), *row;
  size_t i;
  json_array_foreach(json_object_get(all, "results"), i, row) {
    assert_int_equal(json_integer_value(json_object_get(row, "seeds")), 10);
    assert_true(json_array_size(json_object_get(row, "readings")) > 0);
    assert_string_not_equal(verdict(row, "published"), "misses");
  }
  assert_int_equal(ours_held(all), 9);
  assert_int_equal(code, 0);
  json_decref(all);
}

/* Which path people take: the quicker one or, where the scene wants it, the shorter one; a lift, for as
 * long as it rides, unless stairs are quicker; the other exit when the nearer one closes. */
static void people_take_the_path_that_is_left(void **state) {
  (void)state;
  const int code = validate("rimea.14 nist.2.7 nist.4.1 --model orca --seeds 6..8 --json");
  json_t *all = load("output"), *row;
  size_t i, readings = 0;
  json_array_foreach(json_object_get(all, "results"), i, row) {
    readings += json_array_size(json_object_get(row, "readings"));
    assert_string_not_equal(verdict(row, "ours"), "misses"); /* one of sixty takes the stairs: undecided */
  }
  assert_int_equal(readings, 5 + 10 + 6 + 6);
  assert_true(ours_held(all) >= 3);
  assert_int_equal(code, 0);
  json_decref(all);
}

/* Everybody leaves the three storeys, and faster people leave sooner. */
static void a_house_empties(void **state) {
  (void)state;
  (void)validate("rimea.8 --model orca --seeds 6..7 --out house"); /* its band of acceleration is open: 1.1 m/s2 */
  assert_true(text_has("house/validation.md", "leave at every speed, of 96 | - | 96 | 96, n 10: - / holds |"));
  json_t *all = load("house/validation/results.json");
  const json_t *curve = json_array_get(json_object_get(json_array_get(all, 0), "curves"), 0);
  const json_t *time = json_object_get(curve, "y");
  assert_int_equal(json_array_size(time), 4);
  for (size_t k = 1; k < 4; k++)
    assert_true(json_number_value(json_array_get(time, k)) < json_number_value(json_array_get(time, k - 1)) - 5.0);
  json_decref(all);
}

/* Somebody who stands in the mouth of the exit steps aside: seed 4 has one whom others would push through it. */
static void nobody_is_pushed_out_before_its_time(void **state) {
  (void)state;
  assert_int_equal(validate("nist.1.1 --model orca --seeds 4..4"), 0);
}

/* A published band that is missed is never told as held, whatever ours says: a door of 1 m passes more than 1.33 people
 * per second. */
static void published_bands_are_judged_apart(void **state) {
  (void)state;
  (void)validate("rimea.1 nist.5.2 people.head_on --model orca --seeds 1..3 --out apart");
  assert_true(text_has("apart/validation.md",
                       "| rimea.1 | One person along a corridor | 40 m x 2 m at 1.33 m/s: 26 to 34 "
                       "s | holds / holds |"));
  assert_true(text_has("apart/validation.md", "| flow | at most 1.33 /m/s (NIST TN 1822) | 1.6 to 2 /m/s | "));
  assert_true(text_has("apart/validation.md", "n 3: **misses** / "));
  json_t *all = load("apart/validation/results.json");
  assert_string_equal(verdict(json_array_get(all, 1), "test"), "nist.5.2");
  assert_string_equal(verdict(json_array_get(all, 1), "published"), "misses");
  assert_string_equal(verdict(json_array_get(all, json_array_size(all) - 1), "published"), "none");
  json_decref(all);
}

/* Two calls for different tests and models: the page has both. */
static void results_of_earlier_calls_are_kept(void **state) {
  (void)state;
  assert_int_equal(validate("nist.2.1 --model orca --seeds 1..1 --out kept"), 0);
  assert_int_equal(validate("rimea.1 --model follow --seeds 1..1 --out kept"), 0);
  json_t *all = load("kept/validation/results.json");
  assert_int_equal(json_array_size(all), 2);
  json_decref(all);
  assert_true(text_has("kept/validation.md", "`orca`") && text_has("kept/validation.md", "`follow`"));
  assert_true(text_has("kept/validation.md", "Open: smoke"));
}

/* People who keep no gap pass a door too quickly. The code says so, and a figure is drawn. */
static void a_missed_band_is_told(void **state) {
  (void)state;
  struct stat about;
  char path[200];
  assert_int_equal(validate("nist.5.2 --model follow --seeds 1..3 --set people.time_gap=0.1 --out missed"), 1);
  assert_true(text_has("output", "ours: misses"));
  assert_true(text_has("missed/validation.md", "**misses** / **misses**"));
  snprintf(path, sizeof path, "%s/missed/validation/egress.png", folder);
  assert_true(stat(path, &about) == 0 && about.st_size > 5000);
}

/* Results of the form in which every seed had to meet one band are left out of a page of two. */
static void results_of_the_earlier_form_are_dropped(void **state) {
  (void)state;
  char path[200];
  assert_int_equal(validate("nist.2.1 --model orca --seeds 1..2 --out form"), 0);
  snprintf(path, sizeof path, "%s/form/validation/results.json", folder);
  json_t *old = json_pack("[{s:s, s:s, s:i, s:b, s:[], s:[]}]", "test", "rimea.1", "model", "orca", "seeds", 5, "holds",
                          1, "readings", "curves");
  assert_int_equal(json_dump_file(old, path, 0), 0);
  json_decref(old);
  assert_int_equal(validate("nist.2.1 --model orca --seeds 1..2 --out form"), 0);
  json_t *all = load("form/validation/results.json");
  assert_int_equal(json_array_size(all), 1);
  json_decref(all);
}

static void wrong_names_are_refused(void **state) {
  (void)state;
  assert_int_equal(validate("nothing"), 2);
  assert_int_equal(validate("rimea.1 --model nobody"), 2);
  assert_true(text_has("errors", "nobody"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(intervals_are_students),
      cmocka_unit_test(bands_hold_miss_or_stay_open),
      cmocka_unit_test(what_never_comes_misses),
      cmocka_unit_test(pairs_show_what_means_hide),
      cmocka_unit_test(a_test_is_as_good_as_its_worst_reading),
      cmocka_unit_test(single_people_do_as_they_are_told),
      cmocka_unit_test(people_take_the_path_that_is_left),
      cmocka_unit_test(a_house_empties),
      cmocka_unit_test(nobody_is_pushed_out_before_its_time),
      cmocka_unit_test(published_bands_are_judged_apart),
      cmocka_unit_test(results_of_earlier_calls_are_kept),
      cmocka_unit_test(results_of_the_earlier_form_are_dropped),
      cmocka_unit_test(a_missed_band_is_told),
      cmocka_unit_test(wrong_names_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
