/* Tests of plans: lines as they are drawn, holes, units, far places, and memory that runs out. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/allocator.h"
#include "support/folder.h"
#include "throng/file/plan.h"
#include "throng/scene.h"

static void write_file(const char *path, const char *text) {
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

/* The scene of a GeoJSON text, to be freed; fails the test when there is none. */
static char *scene_of(const char *geojson, const th_plan_def *def, th_plan_made *made) {
  const char *path = in_folder("plan.geojson");
  th_plan plan;
  th_error error = {0};
  char *text = NULL;
  write_file(path, geojson);
  if (th_plan_load(NULL, path, &plan, &error)) fail_msg("%s: %s", error.where, error.text);
  if (th_plan_scene(&plan, def, &text, made, &error)) fail_msg("%s: %s", error.where, error.text);
  th_plan_free(&plan);
  return text;
}

#define FEATURE(layer, type, points)                                                                     \
  "{\"type\": \"Feature\", \"properties\": {\"LAYER\": \"" layer "\"}, \"geometry\": {\"type\": \"" type \
  "\", \"coordinates\": " points "}}"
#define FEATURES(list) "{\"type\": \"FeatureCollection\", \"features\": [" list "]}"
#define SQUARE "[[[0, 0], [8, 0], [8, 6], [0, 6], [0, 0]]]"

/* The four sides in any order and direction, one of them in two pieces, with a gap of half a millimetre. */
static void lines_that_meet_are_one_ring(void **state) {
  (void)state;
  const th_plan_def def = th_default_plan_def();
  th_plan_made a, b;
  char *ring = scene_of(FEATURES(FEATURE("floor", "Polygon", SQUARE)), &def, &a);
  char *lines =
      scene_of(
          FEATURES(
              FEATURE("floor", "LineString", "[[8, 6], [8, 0]]") ", " FEATURE("floor", "LineString", "[[0, 0], [0, 6]]") ", " FEATURE(
                  "floor", "LineString",
                  "[[0, 0], [5, 0], [5, 0.00001], [8, 0]]") ", " FEATURE("floor", "LineString",
                                                                         "[[8, 6], [3, 6]]") ", " FEATURE("floor",
                                                                                                          "LineString",
                                                                                                          "[[0, 6], "
                                                                                                          "[3, 6]]")),
          &def, &b);
  assert_int_equal(a.outlines, 1);
  assert_int_equal(b.outlines, 1);
  assert_non_null(strstr(ring, "[[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0]]"));
  assert_non_null(strstr(lines, "[[0.0, 0.0], [5.0, 0.0], [8.0, 0.0], [8.0, 6.0], [3.0, 6.0], [0.0, 6.0]]"));
  th_text_free(ring), th_text_free(lines);
}

static void holes_are_solid(void **state) {
  (void)state;
  const th_plan_def def = th_default_plan_def();
  th_plan_made made;
  char *text = scene_of(FEATURES(FEATURE("floor", "Polygon",
                                         "[[[0, 0], [8, 0], [8, 6], [0, 6], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 2], "
                                         "[1, 1]]]") ", " FEATURE("Columns", "Polygon",
                                                                  "[[[4, 1], [6, 1], [6, 3], [4, 3], [4, 1]], [[5, 2], "
                                                                  "[5, 2.5], [5.5, 2.5], [5, 2]]]")),
                        &def, &made);
  assert_int_equal(made.obstacles, 2); /* the hole of the floor, the column */
  assert_int_equal(made.filled, 1);    /* what is inside a column cannot be walked */
  assert_int_equal(made.exits, 0);
  assert_null(strstr(text, "populations"));
  th_text_free(text);
}

static void a_unit_is_asked_for_when_the_size_is_odd(void **state) {
  (void)state;
  th_plan_def def = th_default_plan_def();
  const char *path = in_folder("mm.geojson");
  th_plan plan;
  th_plan_made made;
  th_error error = {0};
  char *text = NULL;
  write_file(path, FEATURE("floor", "Polygon", "[[[0, 0], [8000, 0], [8000, 6000], [0, 6000], [0, 0]]]"));
  assert_int_equal(th_plan_load(NULL, path, &plan, NULL), TH_OK);
  assert_int_equal(th_plan_scene(&plan, &def, &text, &made, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, "unit");
  assert_null(text);
  def.unit = 0.001;
  assert_int_equal(th_plan_scene(&plan, &def, &text, &made, &error), TH_OK);
  assert_non_null(strstr(text, "[[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0]]"));
  assert_true(made.size[0] == 8.0 && made.size[1] == 6.0);
  def.thickness = NAN;
  assert_int_equal(th_plan_scene(&plan, &def, &text, &made, &error), TH_ERROR_RANGE);
  th_text_free(text);
  th_plan_free(&plan);
}

static void an_open_outline_is_refused(void **state) {
  (void)state;
  const th_plan_def def = th_default_plan_def();
  const char *path = in_folder("open.geojson");
  th_plan plan;
  th_plan_made made;
  th_error error = {0};
  char *text = NULL;
  write_file(path, FEATURE("floor", "LineString", "[[0, 0], [8, 0], [8, 6], [0, 6]]"));
  assert_int_equal(th_plan_load(NULL, path, &plan, NULL), TH_OK);
  assert_int_equal(th_plan_scene(&plan, &def, &text, &made, &error), TH_ERROR_GEOMETRY);
  assert_non_null(strstr(error.text, "ends at 0, 0 and 0, 6 m"));
  th_plan_free(&plan);
}

/* What was made is a scene that can be read. */
static void the_scene_is_one(void **state) {
  (void)state;
  const th_plan_def def = th_default_plan_def();
  th_plan_made made;
  th_error error = {0};
  char *text = scene_of(
      FEATURES(FEATURE("floor", "Polygon", SQUARE) ", " FEATURE(
          "wall", "LineString",
          "[[4, 0], [4, 3], [5, 3]]") ", " FEATURE("door", "LineString",
                                                   "[[4, 3], [4, 6]]") ", " FEATURE("exit", "Polygon",
                                                                                    "[[[7, 1], [8, 1], [8, 2], [7, "
                                                                                    "1]]]") ", " FEATURE("exit",
                                                                                                         "LineString",
                                                                                                         "[[7.5, 3], "
                                                                                                         "[7.5, 5], "
                                                                                                         "[7, 5.5]]")),
      &def, &made);
  assert_int_equal(made.obstacles, 2);
  assert_int_equal(made.doors, 1);
  assert_int_equal(made.exits, 2);
  th_scene *scene = NULL;
  if (th_scene_parse(text, strlen(text), &scene, &error)) fail_msg("%s: %s\n%s", error.where, error.text, text);
  th_scene_free(scene);
  th_text_free(text);
}

static th_result load_and_make(const th_env *env, void *context) {
  (void)context;
  th_plan plan;
  th_plan_made made;
  char *text = NULL;
  const th_plan_def def = th_default_plan_def();
  th_result result = th_plan_load(env, in_folder("court.wkt"), &plan, NULL);
  if (result) return result;
  result = th_plan_scene(&plan, &def, &text, &made, NULL);
  th_text_free(text);
  th_plan_free(&plan);
  return result;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  write_file(in_folder("court.wkt"), "POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0), (4 4, 4 6, 6 6, 6 4, 4 4))");
  assert_true(failing_every(load_and_make, NULL) > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_that_meet_are_one_ring),
      cmocka_unit_test(holes_are_solid),
      cmocka_unit_test(a_unit_is_asked_for_when_the_size_is_odd),
      cmocka_unit_test(an_open_outline_is_refused),
      cmocka_unit_test(the_scene_is_one),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
