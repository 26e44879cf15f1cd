/* tests/app/test_numbers.c - `report` and `compare` give the numbers of the `run` that made the recording, for every
 * scene: all of report.json, to the last digit. */
#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/folder.h"
#include "support/slow.h"

#ifndef TH_PROGRAM
#define TH_PROGRAM "build/release/throng"
#endif

#define SECONDS LONG_RUN(6, 1)

/* What a command prints as JSON. */
static json_t *said(const char *command) {
  FILE *out = popen(command, "r");
  assert_non_null(out);
  json_t *json = json_loadf(out, 0, NULL);
  if (pclose(out) != 0 || !json) fail_msg("%s", command);
  return json;
}

static double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : -1;
}

static void compare_alike(const json_t *row, const json_t *run, const char *scene) {
  static const char *const key[][2] = {{"agents", "agents"},       {"arrived", "arrived"},
                                       {"time", "arrival_last"},   {"mean_speed", "speed_mean"},
                                       {"mean_path", "path_mean"}, {"worst_overlap", "worst_overlap"},
                                       {"contacts", "contacts"},   {"wall_contacts", "wall_contacts"}};
  const json_t *summary = json_object_get(run, "summary");
  for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
    const double a = number(row, key[k][0]), b = number(summary, key[k][1]);
    if (!(fabs(a - b) <= 1e-8 * fabs(b))) fail_msg("%s: compare says %s %.9g, run %.9g", scene, key[k][0], a, b);
  }
}

static void check_scene(const char *scene) {
  char command[1024], file[256];
  snprintf(command, sizeof command,
           "'" TH_PROGRAM "' run '%s' --out '%s' --duration %d --no-figures --no-expect --json 2>/dev/null", scene,
           folder, SECONDS);
  json_t *ran = said(command);
  snprintf(file, sizeof file, "%s/trajectory.sqlite", folder);
  snprintf(command, sizeof command, "'" TH_PROGRAM "' report '%s' --json", file);
  json_t *reported = said(command);
  if (!json_equal(json_object_get(ran, "runs"), json_object_get(reported, "runs"))) fail_msg("%s: report", scene);
  snprintf(command, sizeof command, "'" TH_PROGRAM "' compare '%s' '%s' --width 200 --json --out '%s/c.png'", file,
           file, folder);
  json_t *compared = said(command);
  compare_alike(json_array_get(json_object_get(compared, "recordings"), 0),
                json_array_get(json_object_get(ran, "runs"), 0), scene);
  json_decref(ran);
  json_decref(reported);
  json_decref(compared);
}

static void every_scene_has_one_set_of_numbers(void **state) {
  (void)state;
  glob_t all;
  assert_int_equal(glob("scenes/*.json", 0, NULL, &all), 0);
  assert_true(all.gl_pathc > 20);
  for (size_t k = 0; k < all.gl_pathc; k++)
    if (!strstr(all.gl_pathv[k], "schema.json")) check_scene(all.gl_pathv[k]);
  globfree(&all);
}

/* Contacts are counted from frames where a run left no numbers: bodies that touch by the last digit touch there too. */
static void frames_keep_the_width_of_bodies(void **state) {
  (void)state;
  char command[1024];
  snprintf(command, sizeof command,
           "'" TH_PROGRAM "' run scenes/orca_door.json --out '%s' --duration 20 --no-figures --no-expect --json",
           folder);
  json_t *ran = said(command);
  snprintf(command, sizeof command, "sqlite3 '%s/trajectory.sqlite' 'DELETE FROM throng_numbers'", folder);
  if (system(command) != 0) skip(); /* no sqlite3 here */
  snprintf(command, sizeof command, "'" TH_PROGRAM "' report '%s/trajectory.sqlite' --json", folder);
  json_t *reported = said(command);
  const json_t *a = json_object_get(json_array_get(json_object_get(ran, "runs"), 0), "summary");
  const json_t *b = json_object_get(json_array_get(json_object_get(reported, "runs"), 0), "summary");
  assert_true(number(a, "contacts") == number(b, "contacts"));
  assert_true(number(a, "arrived") == number(b, "arrived"));
  assert_true(number(a, "worst_overlap") - number(b, "worst_overlap") < 1e-5);
  json_decref(ran);
  json_decref(reported);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_has_one_set_of_numbers),
                                     cmocka_unit_test(frames_keep_the_width_of_bodies)};
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
