/* tests/app/test_validate.c - the quick tests of `throng validate`, its files and its exit codes. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support/folder.h"
#include "support/unit.h"

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

/* One person walks as fast as given, up and down too, sets off when it should, and many have the speeds given. */
static void single_people_do_as_they_are_told(void **state) {
  (void)state;
  const int code =
      validate("rimea.1 rimea.2 rimea.3 rimea.5 rimea.7 nist.2.1 nist.2.2 meeting --model orca --seeds 1..2 --json");
  json_t *all = load("output"), *row;
  size_t i, held = 0;
  json_array_foreach(json_object_get(all, "results"), i, row) {
    held += json_is_true(json_object_get(row, "holds"));
    if (!json_is_true(json_object_get(row, "holds")))
      print_message("%s misses\n", json_string_value(json_object_get(row, "test")));
    assert_int_equal(json_integer_value(json_object_get(row, "seeds")), 2);
    assert_true(json_array_size(json_object_get(row, "readings")) > 0);
  }
  assert_int_equal(held, 8);
  assert_int_equal(code, 0);
  json_decref(all);
}

/* Which path people take: the quicker one or, where the scene wants it, the shorter one; a lift, for as
 * long as it rides, unless stairs are quicker; the other exit when the nearer one closes. */
static void people_take_the_path_that_is_left(void **state) {
  (void)state;
  const int code = validate("rimea.14 nist.2.7 nist.4.1 --model orca --seeds 6..6 --json");
  json_t *all = load("output"), *row;
  size_t i, readings = 0;
  json_array_foreach(json_object_get(all, "results"), i, row) {
    if (!json_is_true(json_object_get(row, "holds")))
      print_message("%s misses\n", json_string_value(json_object_get(row, "test")));
    readings += json_array_size(json_object_get(row, "readings"));
  }
  assert_int_equal(readings, 5 + 10 + 6 + 6);
  assert_int_equal(code, 0);
  json_decref(all);
}

/* Everybody leaves the three storeys, and faster people leave sooner. */
static void a_house_empties(void **state) {
  (void)state;
  assert_int_equal(validate("rimea.8 --model orca --seeds 6..6 --out house"), 0);
  assert_true(text_has("house/validation.md", "leave at every speed, of 96 | 96 | 96 |"));
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

/* Two calls for different tests and models: the page has both. */
static void results_of_earlier_calls_are_kept(void **state) {
  (void)state;
  assert_int_equal(validate("nist.2.1 --model orca --seeds 1..1 --out kept"), 0);
  assert_int_equal(validate("rimea.1 --model follow --seeds 1..1 --out kept"), 0);
  json_t *all = load("kept/validation/results.json");
  assert_int_equal(json_array_size(all), 2);
  json_decref(all);
  assert_true(text_has("kept/validation.md", "`orca`") && text_has("kept/validation.md", "`follow`"));
  assert_true(text_has("kept/validation.md", "Open: groups"));
}

/* A door that nobody looks at: follow walks into the crowd before it. The code says so, and a figure is drawn. */
static void a_missed_band_is_told(void **state) {
  (void)state;
  struct stat about;
  char path[200];
  assert_int_equal(validate("nist.5.2 --model follow --seeds 1..1 --out missed"), 1);
  assert_true(text_has("output", "MISSES"));
  assert_true(text_has("missed/validation.md", "**misses**"));
  snprintf(path, sizeof path, "%s/missed/validation/egress.png", folder);
  assert_true(stat(path, &about) == 0 && about.st_size > 5000);
}

static void wrong_names_are_refused(void **state) {
  (void)state;
  assert_int_equal(validate("nothing"), 2);
  assert_int_equal(validate("rimea.1 --model nobody"), 2);
  assert_true(text_has("errors", "nobody"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_people_do_as_they_are_told),
      cmocka_unit_test(people_take_the_path_that_is_left),
      cmocka_unit_test(a_house_empties),
      cmocka_unit_test(nobody_is_pushed_out_before_its_time),
      cmocka_unit_test(results_of_earlier_calls_are_kept),
      cmocka_unit_test(a_missed_band_is_told),
      cmocka_unit_test(wrong_names_are_refused),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
