/* tests/io/test_scene_write.c - a scene that is written, read and written again is the same scene.
 *
 * All scenes of the repository and random plans go through the writer: the text follows the schema, a second writing has
 * the same bytes, and a run of the text has the hash of a run of the file after 100 steps. What the kinds of keys look
 * like is asserted on small scenes.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/scene/scene.h"
#include "support/allocator.h"
#include "support/folder.h"
#include "support/plan_scene.h"
#include "support/scene_runs.h"
#include "support/schema.h"
#include "support/slow.h"

static json_t *schema;

static char *write_to(const th_scene *scene, const char *path) {
  th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  char *text = NULL;
  def.path = path;
  if (th_scene_write(scene, &def, &text, &error)) fail_msg("%s: %s", error.where, error.text);
  return text;
}

static th_scene *read_text(const char *text, const char *path) {
  th_scene *scene = NULL;
  th_error error = {0};
  const th_scene_def def = {.path = path, .text = text, .length = strlen(text)};
  if (th_scene_make(&def, &scene, &error)) fail_msg("%u:%u: %s\n%s", error.line, error.column, error.text, text);
  return scene;
}

/* After 100 steps, or at the end. */
static uint64_t hash_of(const th_scene *scene, const char *name) {
  th_run *run = NULL;
  th_error error = {0};
  if (th_run_make(&(th_run_def){.scene = scene}, &run, &error)) fail_msg("%s: %s: %s", name, error.where, error.text);
  for (int i = 0; i < LONG_RUN(100, 10) && !th_run_done(run); i++)
    if (th_run_step(run, &error)) fail_msg("%s: %s", name, error.text);
  const uint64_t hash = th_world_hash(th_run_world(run));
  th_run_free(run);
  return hash;
}

/* The scene as it is written for a file of the test's own folder. */
static void assert_same(const th_scene *scene, const char *name, bool runs) {
  char place[128];
  snprintf(place, sizeof place, "%s/moved.json", folder);
  char *text = write_to(scene, place);
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  if (!schema_valid(schema, schema, root)) fail_msg("%s does not follow the schema:\n%s", name, text);
  json_decref(root);
  th_scene *again = read_text(text, place);
  char *second = write_to(again, place);
  if (strcmp(text, second) != 0) fail_msg("%s: written twice\n%s\nand\n%s", name, text, second);
  if (runs && hash_of(scene, name) != hash_of(again, name)) fail_msg("%s runs differently:\n%s", name, text);
  th_scene_free(again);
  th_text_free(text);
  th_text_free(second);
}

static uint32_t try_folder(const char *path) {
  DIR *list = opendir(path);
  uint32_t count = 0;
  assert_non_null(list);
  for (struct dirent *entry; (entry = readdir(list));) {
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".json") || !strcmp(entry->d_name, "schema.json")) continue;
    char file[400];
    th_scene *scene = NULL;
    th_error error = {0};
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (SLOW_BUILD && count++ % 8) continue;
    if (th_scene_load(file, &scene, &error)) fail_msg("%s: %s", error.where, error.text);
    assert_same(scene, file, true);
    th_scene_free(scene);
    count += !SLOW_BUILD;
  }
  closedir(list);
  return count;
}

static void every_scene_of_the_repository_comes_back(void **state) {
  (void)state;
  uint32_t count = 0;
  static const char *const path[] = {"scenes", "scenes/matrix", "scenes/steering", "scenes/biocrowds", "lab/people"};
  for (size_t i = 0; i < sizeof path / sizeof *path; i++) count += try_folder(path[i]);
  print_message("%u scenes\n", count);
  assert_true(count >= 200);
}

static void random_plans_come_back(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= LONG_RUN(24, 2); seed++) {
    for (int mesh = 0; mesh < 2; mesh++) {
      plan_crowd crowd = {0};
      double exit_width;
      char name[40], *text = plan_scene_text(seed, &(plan_scene_def){.mesh = mesh, .duration = 60}, &crowd, &exit_width);
      snprintf(name, sizeof name, "plan %d, mesh %d", (int)seed, mesh);
      th_scene *scene = read_text(text, NULL);
      assert_same(scene, name, seed <= 4);
      th_scene_free(scene);
      free(text);
    }
  }
}

static int begin(void **state) {
  schema = schema_load("scenes/schema.json");
  return make_folder(state);
}

static int end(void **state) {
  json_decref(schema);
  return drop_folder(state);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene_of_the_repository_comes_back),
      cmocka_unit_test(random_plans_come_back),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
