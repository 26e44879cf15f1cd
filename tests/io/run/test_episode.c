/* tests/io/run/test_episode.c - a run that was changed by hand is saved as an episode: read and run again it has the
 * same hash in every step, and written again it is the same text. */
#include <stdlib.h>

#include "io/scene/events/acts.h"
#include "support/allocator.h"
#include "support/folder.h"
#include "support/scene_runs.h"
#include "support/schema.h"
#include "throng/run.h"

#define REST                                                                                                       \
  "\"goals\": [{\"name\": \"a\", \"point\": [18, 5]}, {\"name\": \"b\", \"point\": [2, 5]}], \"populations\": "    \
  "[{\"name\": "                                                                                                   \
  "\"p\", \"count\": 12, \"region\": {\"rectangle\": [[1, 1], [8, 9]]}, \"route\": [\"a\"], \"remove\": false}], " \
  "\"events\": [{\"at\": 3, \"change\": {\"population\": \"p\", \"speed\": {\"from\": 0.8, \"to\": 1.6}}}], "      \
  "\"seed\": %s}"
static const char flat[] =
    "{\"version\": 1, \"name\": \"episode\", \"duration\": 30, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], "
    "[20, 10]]}], "
    "\"doors\": [{\"name\": \"gate\", \"rectangle\": [[9.8, 0], [10.2, 10]]}]}, " REST;
static const char mesh[] =
    "{\"version\": 1, \"name\": \"episode\", \"duration\": 30, \"ground\": {\"mesh\": {\"make\": {\"shape\": "
    "\"plane\", "
    "\"length\": 20, \"width\": 10, \"edge\": 0.5}}, \"doors\": [{\"name\": \"gate\", \"rectangle\": [[9.5, 0], [10.5, "
    "10]]}]}, " REST;
static const char *const both[] = {flat, mesh};

/* What is done, before which step. */
static const struct {
  uint32_t step;
  const char *event;
} done[] = {
    {5, "{\"close\": \"gate\"}"},
    {9, "{\"change\": {\"region\": {\"disc\": {\"centre\": [5, 5], \"radius\": 2}}, \"speed\": 1.1}}"},
    {9, "{\"goal\": {\"name\": \"c\", \"point\": [4, 2.5], \"arrive\": 0.3}}"},
    {12,
     "{\"enter\": {\"name\": \"q\", \"count\": 3, \"region\": {\"rectangle\": [[14, 2], [17, 8]]}, \"route\": "
     "[\"b\"]}}"},
    {20, "{\"change\": {\"population\": \"p\", \"route\": [\"c\", {\"goal\": \"b\", \"wait\": 1.5}]}}"},
    {31, "{\"open\": \"gate\"}"},
    {33, "{\"push\": {\"agents\": [1, 3], \"velocity\": [0.5, -0.25, 0]}}"},
    {40, "{\"dt\": 0.05}"},
    {44, "{\"move\": {\"goal\": \"b\", \"point\": [3, 8]}}"},
};
enum { EVENTS = sizeof done / sizeof *done, STEPS = 80 };

static void act(th_run *run, uint64_t hash[STEPS]) {
  th_error error = {0};
  for (uint32_t step = 0, n = 0; step < STEPS; step++) {
    for (; n < EVENTS && done[n].step == step; n++)
      if (th_run_do(run, done[n].event, NULL, &error)) fail_msg("%s: %s", done[n].event, error.text);
    assert_int_equal(th_run_step(run, &error), TH_OK);
    hash[step] = th_world_hash(th_run_world(run));
  }
}

static char *episode_of(const th_run *run) {
  const th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  char *text = NULL;
  if (th_run_write(run, &def, NULL, 0, &text, &error)) fail_msg("%s: %s", error.where, error.text);
  return text;
}

static void replay(const char *text, const uint64_t hash[STEPS]) {
  const th_scene_write_def def = th_default_scene_write_def();
  th_scene *scene = NULL;
  th_run *run = NULL;
  th_error error = {0};
  if (th_scene_parse(text, strlen(text), &scene, &error)) fail_msg("%u: %s\n%s", error.line, error.text, text);
  assert_int_equal(th_run_make(&(th_run_def){.scene = scene, .workers = 2}, &run, &error), TH_OK);
  for (uint32_t step = 0; step < STEPS; step++) {
    if (th_run_step(run, &error)) fail_msg("%s\n%s", error.text, text);
    if (hash[step] != th_world_hash(th_run_world(run))) fail_msg("another hash after step %u:\n%s", step, text);
  }
  char *again = NULL;
  assert_int_equal(th_scene_write(scene, &def, &again, &error), TH_OK);
  assert_string_equal(again, text);
  th_text_free(again);
  th_run_free(run);
  th_scene_free(scene);
}

static void an_episode_runs_again(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    uint64_t hash[STEPS];
    scene_run s = scene_run_make(both[m], "4", (th_run_def){.seed = 11}); /* not the scene's seed */
    act(s.run, hash);
    char *text = episode_of(s.run);
    replay(text, hash);
    assert_non_null(strstr(text, "\"seed\": 11"));
    assert_non_null(strstr(text, "{\"step\": 40, \"dt\": 0.05}"));
    assert_non_null(strstr(text, "\"wait\": 1.5"));
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *schema = schema_load("scenes/schema.json");
    assert_true(schema_valid(schema, schema, root));
    assert_int_equal(json_array_size(json_object_get(root, "events")), EVENTS + 1);
    json_decref(root), json_decref(schema);
    th_text_free(text);
    scene_run_free(&s);
  }
}

/* An episode may go on and be saved again. */
static void an_episode_goes_on(void **state) {
  (void)state;
  uint64_t hash[STEPS];
  scene_run s = scene_run_make(flat, "4", (th_run_def){.seed = 0}), next = {0};
  act(s.run, hash);
  char *text = episode_of(s.run);
  th_error error = {0};
  assert_int_equal(th_scene_parse(text, strlen(text), &next.scene, &error), TH_OK);
  assert_int_equal(th_run_make(&(th_run_def){.scene = next.scene}, &next.run, &error), TH_OK);
  for (uint32_t step = 0; step < STEPS; step++) assert_int_equal(th_run_step(next.run, &error), TH_OK);
  assert_int_equal(th_run_do(next.run, "{\"close\": \"gate\"}", NULL, &error), TH_OK);
  assert_int_equal(th_run_step(next.run, &error), TH_OK);
  char *longer = episode_of(next.run);
  assert_non_null(strstr(longer, "{\"step\": 80, \"close\": \"gate\"}"));
  json_t *root = json_loads(longer, 0, NULL);
  assert_int_equal(json_array_size(json_object_get(root, "marks")), 1);
  json_decref(root);
  th_text_free(text), th_text_free(longer);
  scene_run_free(&s), scene_run_free(&next);
}

static void it_is_saved_never_over_a_file_unasked(void **state) {
  (void)state;
  scene_run s = scene_run_make(flat, "4", (th_run_def){.seed = 0});
  th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  size_t size;
  def.path = in_folder("episode.json");
  assert_int_equal(th_run_do(s.run, "{\"close\": \"gate\"}", NULL, &error), TH_OK);
  assert_int_equal(th_run_save(s.run, &def, NULL, 0, &error), TH_OK);
  char *saved = file_bytes(def.path, &size), *text = episode_of(s.run);
  assert_string_equal(saved, text);
  assert_int_equal(th_run_save(s.run, &def, NULL, 0, &error), TH_ERROR_FILE);
  def.replace = true;
  assert_int_equal(th_run_save(s.run, &def, NULL, 0, &error), TH_OK);
  free(saved);
  th_text_free(text);
  scene_run_free(&s);
}

/* Every row of the vocabulary is written as it was given. */
static void every_event_comes_back(void **state) {
  (void)state;
  static const char path[] = "tests/fuzz/corpus/scene/acts.json";
  const th_scene_write_def def = th_default_scene_write_def();
  th_scene *scene = NULL;
  th_error error = {0};
  char *text = NULL;
  if (th_scene_load(path, &scene, &error)) fail_msg("%u: %s", error.line, error.text);
  assert_int_equal(th_scene_write(scene, &def, &text, &error), TH_OK);
  json_t *given = json_load_file(path, 0, NULL), *found = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  const json_t *events = json_object_get(given, "events");
  assert_true(json_equal(events, json_object_get(found, "events")));
#define X(act, name, value, of, row) +1
  assert_int_equal(json_array_size(events), TH_ACTS(X));
#undef X
  json_decref(given), json_decref(found);
  th_text_free(text);
  th_scene_free(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_episode_runs_again),
      cmocka_unit_test(an_episode_goes_on),
      cmocka_unit_test(it_is_saved_never_over_a_file_unasked),
      cmocka_unit_test(every_event_comes_back),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
