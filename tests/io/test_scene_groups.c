/* tests/io/test_scene_groups.c - groups of scenes, and events that change, merge, split and make them. */
#include "support/scene_runs.h"
#include "throng/group.h"

static const char square[] =
    "{\n"
    "  \"version\": 1, \"name\": \"square\", \"duration\": 10, \"people\": false, \"dt\": 0.1,\n"
    "  \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 12]]}]},\n"
    "  \"populations\": [\n"
    "    {\"name\": \"red\", \"model\": \"biocrowds\", \"positions\": [[2, 2], [2, 4], [2, 6]]},\n"
    "    {\"name\": \"blue\", \"model\": \"biocrowds\", \"positions\": [[4, 2], [4, 4]]}],\n"
    "  \"groups\": [{\"name\": \"dance\", \"populations\": [\"red\"], \"area\": [{\"rectangle\": [[8, 4], [12, "
    "8]]}]}],\n"
    "  \"events\": [%s]\n"
    "}\n";

static th_result try(const char *events, scene_run *f, th_error *error) {
  return scene_run_try(square, events, (th_run_def){.seed = 0}, f, error);
}

/* Members of the n-th group that exists. */
static uint32_t members(const scene_run *f, uint32_t n, th_group_def *def) {
  th_group_id id[4];
  const th_world *world = th_run_world(f->run);
  assert_true(th_world_groups(world, id, 4) > n);
  assert_true(th_world_group_def(world, id[n], def));
  return th_world_group_members(world, id[n], NULL, 0);
}

static uint32_t groups(const scene_run *f) { return th_world_groups(th_run_world(f->run), NULL, 0); }

static void events_change_groups(void **state) {
  (void)state;
  scene_run f;
  th_error error = {0};
  const char *events =
      "{\"at\": 1, \"group\": {\"name\": \"dance\", \"populations\": [\"red\", \"blue\"], \"align\": \"both\","
      " \"area\": [{\"rectangle\": [[6, 2], [14, 10]]}], \"leader\": \"blue\"}},"
      "{\"at\": 2, \"group\": {\"name\": \"rest\", \"populations\": [\"blue\"], \"align\": \"queue\", \"spacing\": 2}},"
      "{\"at\": 3, \"dismiss\": \"red\"},"
      "{\"at\": 4, \"group\": {\"name\": \"rest\", \"populations\": [\"red\"]}},"
      "{\"at\": 5, \"group\": {\"name\": \"dance\", \"populations\": [\"blue\"]}}";
  if (try(events, &f, &error)) fail_msg("%u: %s", error.line, error.text);
  th_group_def def;
  assert_true(groups(&f) == 1 && members(&f, 0, &def) == 3 && def.align == TH_ALIGN_NONE);
  scene_run_to(&f, 1.1); /* more members, another area, rows, a leader */
  assert_true(groups(&f) == 1 && members(&f, 0, &def) == 5 && def.align == TH_ALIGN_BOTH);
  assert_true(def.area_count == 1 && def.area[0].point[0].x == 6 && def.leader.index == 4);
  scene_run_to(&f, 2.1); /* a name that is new: a part of it is split off */
  assert_true(groups(&f) == 2 && members(&f, 0, &def) == 3 && th_is_null_agent(def.leader));
  assert_true(members(&f, 1, &def) == 2 && def.align == TH_ALIGN_QUEUE && def.spacing == 2 && !def.area_count);
  scene_run_to(&f, 4.1); /* who has left the world is no member */
  assert_true(members(&f, 0, &def) == 0 && members(&f, 1, &def) == 0 && def.align == TH_ALIGN_NONE);
  scene_run_to(&f, 5.1);
  assert_true(members(&f, 0, &def) == 2 && !def.area_count);
  scene_run_free(&f);
}

/* Errors name the line; an area beside the ground is found when the event happens, and nothing has changed then. */
static void bad_events_are_told(void **state) {
  (void)state;
  static const struct {
    const char *event, *says;
  } row[] = {{"{\"at\": 1, \"group\": {\"populations\": [\"red\"]}}", "expected the key \"name\""},
             {"{\"at\": 1, \"group\": {\"name\": \"dance\", \"populations\": [\"green\"]}}", "name of a population"},
             {"{\"at\": 1, \"group\": {\"name\": \"dance\", \"populations\": [\"red\"], \"factor\": 0}}", "1 to 1000"},
             {"{\"at\": 1, \"group\": {\"name\": \"dance\"}}", "\"populations\""}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    scene_run f;
    th_error error = {0};
    assert_true(try(row[k].event, &f, &error) != TH_OK);
    assert_int_equal(error.line, 8);
    if (!strstr(error.text, row[k].says)) fail_msg("%s", error.text);
    scene_run_free(&f);
  }
  scene_run f;
  th_error error = {0};
  const char *nowhere =
      "{\"at\": 1, \"group\": {\"name\": \"dance\", \"populations\": [\"red\"],"
      " \"area\": [{\"rectangle\": [[30, 0], [40, 9]]}]}}";
  if (try(nowhere, &f, &error)) fail_msg("%u: %s", error.line, error.text);
  th_result result = TH_OK;
  for (int n = 0; n < 20 && result == TH_OK; n++) result = th_run_step(f.run, &error);
  assert_int_equal(result, TH_ERROR_GEOMETRY);
  assert_true(error.line == 8 && strstr(error.text, "found no marker in it"));
  th_group_def def;
  assert_true(members(&f, 0, &def) == 3 && def.area[0].point[0].x == 8);
  scene_run_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_change_groups), cmocka_unit_test(bad_events_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
