/* tests/io/test_graph.c - paths of scenes over a navigation graph: the shortest way, from point to point; what is wrong
 * is told. */
#include "support/worlds.h"
#include "throng/guide.h"
#include "throng/scene.h"

#define SCENE(path)                                                                                               \
  "{\"version\": 1, \"name\": \"g\", \"duration\": 20, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, " \
  "20]]}]},"                                                                                                      \
  "\"guides\": [{\"name\": \"way\", \"path\": " path                                                              \
  "}],"                                                                                                           \
  "\"populations\": [{\"name\": \"one\", \"positions\": [[1, 1]], \"guide\": \"way\"}]}"

static th_result make(const char *text, th_scene **scene, th_run **run, th_error *error) {
  *run = NULL;
  th_result result = th_scene_parse(text, strlen(text), scene, error);
  return result ? result : th_run_make(&(th_run_def){.scene = *scene}, run, error);
}

/* Round a square: the long way has one edge less, the short way is taken, and its end points are kept. */
/* shows: STEER-50 */
static void the_shortest_way_is_taken(void **state) {
  (void)state;
  static const th_vec3 expected[] = {{1, 1, 0},   {2, 2, 0},   {10, 2, 0}, {10, 10, 0},
                                     {11, 11, 0}, {10, 10, 0}, {10, 2, 0}, {2, 2, 0}};
  th_scene *scene;
  th_run *run;
  OK(make(SCENE("{\"points\": [[1, 1], [11, 11], [2, 2]], \"width\": 3, \"graph\": [[[2, 2], [10, 2], [10, 10]],"
                "[[2, 2], [2, 18]], [[2, 18], [10, 10]]]}"),
          &scene, &run, &error));
  th_guide_id id;
  assert_int_equal(th_world_guides(th_run_world(run), &id, 1), 1);
  const th_path_params *path = th_world_guide_params(th_run_world(run), id);
  assert_int_equal(path->count, sizeof expected / sizeof *expected);
  for (uint32_t i = 0; i < path->count; i++)
    assert_true(path->point[i].x == expected[i].x && path->point[i].y == expected[i].y);
  assert_true(path->width == 3.0f);
  th_run_free(run);
  th_scene_free(scene);
}

static void refused(const char *text, const char *said) {
  th_scene *scene;
  th_run *run;
  th_error error = {0};
  assert_int_not_equal(make(text, &scene, &run, &error), TH_OK);
  if (!strstr(error.text, said)) fail_msg("%s: %s", error.where, error.text);
}

static void what_is_wrong_is_told(void **state) {
  (void)state;
  refused(SCENE("{\"points\": [[1, 1], [11, 11]], \"graph\": []}"), "expected a list of edges");
  refused(SCENE("{\"points\": [[1, 1], [11, 11]], \"graph\": [[[2, 2]]]}"), "at least 2 points");
  refused(SCENE("{\"points\": [[1, 1], [11, 11]], \"graph\": [[[2, 2], [3, 3]], [[10, 10], [11, 11]]]}"),
          "lead from point 0 to point 1");
  refused(SCENE("{\"graph\": [[[2, 2], [3, 3]]]}"), "points");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_shortest_way_is_taken),
      cmocka_unit_test(what_is_wrong_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
