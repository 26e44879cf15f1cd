/* tests/io/test_scene_write.c - a scene that is written, read and written again is the same scene.
 *
 * All scenes of the repository and random plans go through the writer: the text follows the schema, a second writing
 * has the same bytes, and a run of the text begins with the hash of a run of the file and comes to what the golden file
 * says of it, or, where it says nothing, has its hash after 100 steps. What the kinds of keys look like is asserted on
 * small scenes.
 */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/scene/scene.h"
#include "support/allocator.h"
#include "support/folder.h"
#include "support/golden.h"
#include "support/plan_scene.h"
#include "support/scene_runs.h"
#include "support/schema.h"
#include "support/slow.h"

static json_t *schema;
static golden_lines golden;

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

typedef struct course {
  uint64_t first, last, agents; /* hashes of the world before the first step and at the end, and the golden one then */
} course;

/* For so many steps, or to the end. */
static course course_of(const th_scene *scene, const char *name, int steps) {
  th_run *run = NULL;
  th_error error = {0};
  if (th_run_make(&(th_run_def){.scene = scene}, &run, &error)) fail_msg("%s: %s: %s", name, error.where, error.text);
  course c = {.first = th_world_hash(th_run_world(run))};
  for (int i = 0; i < steps && !th_run_done(run); i++)
    if (th_run_step(run, &error)) fail_msg("%s: %s", name, error.text);
  c.last = th_world_hash(th_run_world(run));
  c.agents = golden_hash(th_run_world(run));
  th_run_free(run);
  return c;
}

/* The golden file tells what the scene itself does: then only what was written need run. */
static void assert_runs_alike(const th_scene *scene, const th_scene *again, const char *name) {
  const golden_line *line = NULL;
  const int steps = LONG_RUN(100, 10);
  for (uint32_t i = 0; i < golden.count && !line; i++)
    if (!strcmp(golden.line[i].name, name)) line = &golden.line[i];
  const course a = course_of(scene, name, line ? 0 : steps), b = course_of(again, name, line ? GOLDEN_EARLY : steps);
  if (a.first != b.first) fail_msg("%s begins differently when it was written", name);
  if (line ? b.agents != line->early : a.last != b.last) fail_msg("%s runs differently when it was written", name);
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
  if (runs) assert_runs_alike(scene, again, name);
  th_scene_free(again);
  th_text_free(text);
  th_text_free(second);
}

/* Names of the golden file begin with `before`. */
static uint32_t try_folder(const char *path, const char *before) {
  DIR *list = opendir(path);
  uint32_t count = 0;
  assert_non_null(list);
  for (struct dirent *entry; (entry = readdir(list));) {
    const size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".json") || !strcmp(entry->d_name, "schema.json")) continue;
    char file[400], name[300];
    th_scene *scene = NULL;
    th_error error = {0};
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    snprintf(name, sizeof name, "%s%.*s", before, (int)(length - 5), entry->d_name);
    if (SLOW_BUILD && count++ % 8) continue;
    if (th_scene_load(file, &scene, &error)) fail_msg("%s: %s", error.where, error.text);
    assert_same(scene, name, true);
    th_scene_free(scene);
    count += !SLOW_BUILD;
  }
  closedir(list);
  return count;
}

static void every_scene_of_the_repository_comes_back(void **state) {
  (void)state;
  uint32_t count = 0;
  static const char *const path[][2] = {{"scenes", ""},
                                        {TH_MATRIX, "matrix/"},
                                        {"scenes/steering", "steering/"},
                                        {"scenes/biocrowds", "biocrowds/"},
                                        {"lab/people", "lab/people/"}};
  assert_int_equal(golden_read(&golden), 0);
  for (size_t i = 0; i < sizeof path / sizeof *path; i++) count += try_folder(path[i][0], path[i][1]);
  print_message("%u scenes\n", count);
  assert_true(count >= 200);
}

static void random_plans_come_back(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= LONG_RUN(24, 2); seed++) {
    for (int mesh = 0; mesh < 2; mesh++) {
      plan_crowd crowd = {0};
      double exit_width;
      char name[40],
          *text = plan_scene_text(seed, &(plan_scene_def){.mesh = mesh, .duration = 60}, &crowd, &exit_width);
      snprintf(name, sizeof name, "plan %d, mesh %d", (int)seed, mesh);
      th_scene *scene = read_text(text, NULL);
      assert_same(scene, name, seed <= 4);
      th_scene_free(scene);
      free(text);
    }
  }
}

/* ---------------------------------------------------------------- what the text looks like */

#define SCENE(ground, rest)                                                 \
  "{\"version\": 1, \"name\": \"x\", \"duration\": 5, \"ground\": {" ground \
  "}, \"goals\": "                                                          \
  "[{\"name\": \"g\", \"point\": [5, 5]}]" rest "}"
#define ROOM "\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}]"

/* Written for its own place, and the same once more. */
static char *written(const char *text) {
  th_scene *scene = read_text(text, NULL);
  char *out = write_to(scene, NULL);
  assert_same(scene, "a scene of the test", false);
  th_scene_free(scene);
  return out;
}

static void assert_holds(const char *text, const char *part) {
  char *out = written(text);
  if (!strstr(out, part)) fail_msg("no %s in\n%s", part, out);
  th_text_free(out);
}

static void it_reads_as_a_person_writes(void **state) {
  (void)state;
  char *out = written(
      "{\"duration\":60,\"populations\":[{\"speed\":{\"mean\":1.3400,\"spread\":0.2},\"name\":\"people\",\"route\":"
      "[\"exit\",{\"goal\":\"b\",\"wait\":0}],\"count\":40,\"region\":{\"polygon\":[[1,1],[8.0,1],[8,9],[1,9]]}}],"
      "\"goals\":[{\"sink\":true,\"name\":\"exit\",\"arrive\":0.5,\"line\":[[19,2],[19,8]]},{\"name\":\"b\",\"point\":"
      "[1e1,1.5E-1]}],\"version\":1,\"ground\":{\"outline\":[{\"rectangle\":[[20,10],[0,0]]}]},\"dt\":0.1,\"name\":"
      "\"door\",\"expect\":{},\"seed\":1}");
  assert_string_equal(out,
                      "{\n"
                      "  \"version\": 1,\n"
                      "  \"name\": \"door\",\n"
                      "  \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}]},\n"
                      "  \"goals\": [{\"name\": \"exit\", \"line\": [[19, 2], [19, 8]], \"sink\": true}, "
                      "{\"name\": \"b\", \"point\": [10, 0.15]}],\n"
                      "  \"populations\": [\n"
                      "    {\n"
                      "      \"name\": \"people\", \"count\": 40, \"region\": {\"rectangle\": [[1, 1], [8, 9]]}, "
                      "\"route\": [\"exit\", \"b\"],\n"
                      "      \"speed\": {\"mean\": 1.34, \"spread\": 0.2}\n"
                      "    }\n"
                      "  ],\n"
                      "  \"duration\": 60\n"
                      "}\n");
  th_text_free(out);
}

static void numbers_keep_their_bits(void **state) {
  (void)state;
  assert_holds(SCENE(ROOM, ", \"populations\": [{\"name\": \"p\", \"positions\": [[-0.0, 0.30000001192]]}]"),
               "[[-0.0, 0.3]]");
  assert_holds(SCENE(ROOM, ", \"expect\": {\"time\": 0.30000001192}"), "\"time\": 0.30000001192");
  assert_holds(SCENE(ROOM, ", \"expect\": {\"time\": {\"min\": -1e300, \"max\": 123456789012345678}}"),
               "{\"min\": -1e300, \"max\": 1.2345678901234568e17}");
  assert_holds(
      SCENE(ROOM, ", \"populations\": [{\"name\": \"p\", \"positions\": [[1, 1]], \"acceleration_max\": 1e6}]"),
      "\"acceleration_max\": 1000000");
  assert_holds(SCENE(ROOM, ", \"populations\": [{\"name\": \"p\", \"positions\": [[1, 1]], \"v\": [1e-40, 2.5e-7]}]"),
               "\"v\": [1e-40, 2.5e-7]");
}

static void texts_are_escaped(void **state) {
  (void)state;
  assert_holds(SCENE(ROOM, ", \"description\": \"a \\\"b\\\" \\\\ c\\n\\t\\u00e9\\u4e2d\""),
               "\"a \\\"b\\\" \\\\ c\\n\\u0009\u00e9\u4e2d\"");
}

static void shapes_come_back_as_what_they_were(void **state) {
  (void)state;
  assert_holds(SCENE(ROOM ", \"obstacles\": [{\"disc\": {\"centre\": [3.1, 4.7], \"radius\": 0.33}}]", ""),
               "{\"disc\": {\"centre\": [3.1, 4.7], \"radius\": 0.33}}");
  assert_holds(SCENE(ROOM ", \"obstacles\": [{\"polygon\": [[2, 1], [2, 2], [1, 2], [1, 1]]}]", ""),
               "{\"polygon\": [[2, 1], [2, 2], [1, 2], [1, 1]]}"); /* a box by other corners */
  assert_holds(SCENE("\"mesh\": {\"make\": {\"shape\": \"plane\"}}, \"obstacles\": [{\"disc\": {\"centre\": [3, 4, 0], "
                     "\"radius\": 1}, \"low\": -1}, {\"rectangle\": [[1, 1, 0], [2, 2, 0]], \"level\": -2}]",
                     ""),
               "{\"disc\": {\"centre\": [3, 4, 0], \"radius\": 1}, \"low\": -1},\n      "
               "{\"rectangle\": [[1, 1, 0], [2, 2, 0]], \"level\": -2}");
  assert_holds(
      SCENE("\"mesh\": {\"make\": {}}",
            ", \"populations\": [{\"name\": \"p\", \"count\": 1, \"region\": {\"everywhere\": true}}, "
            "{\"name\": \"q\", \"count\": 1, \"region\": {\"ball\": {\"centre\": [1, 2, 3], \"radius\": 4}}}]"),
      "{\"name\": \"p\", \"count\": 1, \"region\": {\"everywhere\": true}},\n"
      "    {\"name\": \"q\", \"count\": 1, "
      "\"region\": {\"ball\": {\"centre\": [1, 2, 3], \"radius\": 4}}}");
  assert_holds(
      "{\"version\": 1, \"name\": \"x\", \"duration\": 5, \"ground\": {\"periodic\": true, \"outline\": "
      "[{\"rectangle\": [[0, 0], [20, 2]]}]}, \"goals\": [{\"name\": \"g\", \"lines\": [[[1, 1], [2, 2]], [[3, 3], "
      "[4, 4]]]}]}",
      "{\"outline\": [{\"rectangle\": [[0, 0], [20, 2]]}], \"periodic\": true}");
}

static void what_was_drawn_or_planned_comes_back(void **state) {
  (void)state;
  assert_holds(
      SCENE(ROOM,
            ", \"populations\": [{\"name\": \"p\", \"positions\": [[1, 1]], \"speed\": {\"mean\": 1, \"spread\": "
            "0.1, \"distribution\": \"gamma\", \"max\": 1.5}, \"radius\": {\"from\": 0.2, \"to\": 0.3}, "
            "\"premovement\": {\"mean\": 3, \"spread\": 9}}]"),
      "\"speed\": {\"mean\": 1, \"spread\": 0.1, \"distribution\": \"gamma\", \"max\": 1.5},\n      "
      "\"radius\": {\"from\": 0.2, \"to\": 0.3}, \"premovement\": {\"mean\": 3, \"spread\": 9}");
  assert_holds(
      SCENE(ROOM,
            ", \"guides\": [{\"name\": \"w\", \"path\": {\"points\": [[1, 1], [9, 9]], \"graph\": [[[1, 1], [1, "
            "9]], [[1, 9], [9, 9]]]}}]"),
      "\"path\": {\"points\": [[1, 1], [9, 9]], \"graph\": [[[1, 1], [1, 9]], [[1, 9], [9, 9]]]}");
  assert_holds(SCENE(ROOM,
                     ", \"people\": {\"time_gap\": 1.5}, \"populations\": [{\"name\": \"p\", \"positions\": [[1, 1]], "
                     "\"people\": false, \"model\": \"bvp\", \"params\": {}}]"),
               "\"model\": \"bvp\", \"params\": {}, \"people\": false");
}

/* Draws of changes depend on their places in the file. */
static void events_keep_their_places(void **state) {
  (void)state;
  assert_holds(
      SCENE(ROOM ", \"doors\": [{\"name\": \"d\", \"rectangle\": [[8, 0], [9, 10]]}]",
            ", \"populations\": [{\"name\": \"p\", \"positions\": [[1, 1]]}], \"events\": [{\"at\": 4, \"close\": "
            "\"d\"}, {\"at\": 0, \"change\": {\"population\": \"p\", \"links\": {}, \"loop\": false}}, {\"at\": 2, "
            "\"move\": {\"goal\": \"g\", \"point\": [6, 6]}}, {\"at\": 3, \"add\": {\"name\": \"o\", \"rectangle\": "
            "[[2, 2], [3, 3]]}}, {\"at\": 3, \"remove\": \"o\"}]"),
      "\"events\": [\n    {\"at\": 4, \"close\": \"d\"},\n"
      "    {\"at\": 0, \"change\": {\"population\": \"p\", \"loop\": false, \"links\": {}}},\n"
      "    {\"at\": 2, \"move\": {\"goal\": \"g\", \"point\": [6, 6]}},\n"
      "    {\"at\": 3, \"add\": {\"name\": \"o\", \"rectangle\": [[2, 2], [3, 3]]}},\n"
      "    {\"at\": 3, \"remove\": \"o\"}\n  ]");
}

/* ---------------------------------------------------------------- files */

static void make_inside(const char *name, const char *text) {
  char path[160];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (!text) {
    assert_true(mkdir(path, 0777) == 0 || errno == EEXIST);
    return;
  }
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static void files_are_named_from_the_new_folder(void **state) {
  (void)state;
  static const struct {
    const char *file, *to, *expected;
  } all[] = {{"../mesh/x.obj", "a/b/s.json", "../../mesh/x.obj"},
             {"../mesh/x.obj", "a/t.json", "../mesh/x.obj"},
             {"../mesh/x.obj", "s.json", "mesh/x.obj"},
             {"../mesh/x.obj", "mesh/s.json", "x.obj"},
             {"/x.obj", "s.json", "/x.obj"},
             {"../meshes/x.obj", "s.json", "a/../meshes/x.obj"},
             {"y.obj", "mesh/s.json", "../a/y.obj"}};
  make_inside("a", NULL), make_inside("a/b", NULL), make_inside("mesh", NULL);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char text[300], from[160], to[160];
    snprintf(text, sizeof text, SCENE("\"mesh\": {\"file\": \"%s\"}", ", \"$schema\": \"https://a.b/c.json\""),
             all[i].file);
    snprintf(from, sizeof from, "%s/a/s.json", folder);
    snprintf(to, sizeof to, "%s/%s", folder, all[i].to);
    th_scene *scene = read_text(text, from);
    char *out = write_to(scene, to), expected[160];
    snprintf(expected, sizeof expected, "{\"file\": \"%s\"}", all[i].expected);
    if (!strstr(out, expected)) fail_msg("%s for %s: no %s in %s", all[i].file, all[i].to, expected, out);
    assert_non_null(strstr(out, "\"https://a.b/c.json\""));
    th_text_free(out);
    th_scene_free(scene);
  }
}

static void a_file_is_replaced_only_when_asked(void **state) {
  (void)state;
  th_scene *scene = read_text(SCENE(ROOM, ""), NULL);
  th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  size_t size;
  assert_int_equal(th_scene_save(scene, &def, &error), TH_ERROR_STATE);
  make_inside("mine.json", "mine");
  char path[128], *bytes, *text = write_to(scene, NULL);
  snprintf(path, sizeof path, "%s/mine.json", folder);
  def.path = path;
  assert_int_equal(th_scene_save(scene, &def, &error), TH_ERROR_FILE);
  assert_non_null(strstr(error.text, "found one that is there already"));
  bytes = file_bytes(path, &size);
  assert_string_equal(bytes, "mine");
  free(bytes);
  def.replace = true;
  assert_int_equal(th_scene_save(scene, &def, &error), TH_OK);
  bytes = file_bytes(path, &size);
  assert_string_equal(bytes, text);
  free(bytes);
  assert_int_not_equal(access(in_folder("mine.json.part"), F_OK), 0);
  unlink(path);
  def.replace = false;
  assert_int_equal(th_scene_save(scene, &def, &error), TH_OK);
  assert_int_not_equal(access(in_folder("mine.json.part"), F_OK), 0);
  snprintf(path, sizeof path, "%s/nowhere/mine.json", folder);
  assert_int_equal(th_scene_save(scene, &def, &error), TH_ERROR_FILE);
  th_text_free(text);
  th_scene_free(scene);
}

static th_result write_failing(const th_env *env, void *context) {
  const th_scene_write_def def = th_default_scene_write_def();
  const char *scene_text = context;
  th_scene *scene = NULL;
  char *text = NULL;
  th_error error = {0};
  const th_scene_def from = {.env = *env, .text = scene_text, .length = strlen(scene_text)};
  th_result result = th_scene_make(&from, &scene, &error);
  if (result == TH_OK) result = th_scene_write(scene, &def, &text, &error);
  assert_true((result == TH_OK) == (text != NULL));
  th_text_free(text);
  th_scene_free(scene);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  size_t size;
  char *text = file_bytes("scenes/station.json", &size);
  failing_every(write_failing, text);
  free(text);
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
      cmocka_unit_test(it_reads_as_a_person_writes),
      cmocka_unit_test(numbers_keep_their_bits),
      cmocka_unit_test(texts_are_escaped),
      cmocka_unit_test(shapes_come_back_as_what_they_were),
      cmocka_unit_test(what_was_drawn_or_planned_comes_back),
      cmocka_unit_test(events_keep_their_places),
      cmocka_unit_test(files_are_named_from_the_new_folder),
      cmocka_unit_test(a_file_is_replaced_only_when_asked),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(random_plans_come_back),
      cmocka_unit_test(every_scene_of_the_repository_comes_back),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
