/* tests/io/test_scene_groups.c - groups of scenes, and events that change, merge, split and make them. */
#include <math.h>

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

/* A formation of the scene; another one for more members by an event, with a point for each; then none. */
static void formations_are_read_and_change(void **state) {
  (void)state;
  scene_run f;
  th_error error = {0};
  th_group_def def;
  const char *events =
      "{\"at\": 0, \"group\": {\"name\": \"march\", \"populations\": [\"red\"],"
      " \"formation\": {\"shape\": \"points\", \"points\": [[0, 0], [-1, 1], [-1, -1]], \"speed\": 0.7}}},"
      "{\"at\": 1, \"group\": {\"name\": \"march\", \"populations\": [\"red\", \"blue\"],"
      " \"formation\": {\"shape\": \"grid\", \"columns\": 2, \"spacing\": 0.9}}},"
      "{\"at\": 2, \"group\": {\"name\": \"march\", \"populations\": [\"red\", \"blue\"]}}";
  if (try(events, &f, &error)) fail_msg("%u: %s", error.line, error.text);
  scene_run_to(&f, 0.5);
  assert_true(members(&f, 1, &def) == 3 && def.formation.kind == TH_FORMATION_POINTS && def.formation.point_count == 3);
  assert_true(def.formation.point[1].x == -1 && def.formation.point[1].y == 1 && def.formation.speed == 0.7f);
  scene_run_to(&f, 1.5);
  assert_true(members(&f, 1, &def) == 5 && def.formation.kind == TH_FORMATION_GRID && def.formation.columns == 2);
  assert_true(def.formation.spacing == 0.9f && def.formation.point_count == 0);
  scene_run_to(&f, 2.5);
  assert_true(members(&f, 1, &def) == 5 && def.formation.kind == TH_FORMATION_NONE);
  scene_run_free(&f);
}

static const char fair[] =
    "{\"version\": 1, \"name\": \"fair\", \"duration\": 5,"
    " \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [40, 40]]}]},"
    " \"populations\": [{\"name\": \"guests\", \"count\": 400, \"region\": {\"rectangle\": [[1, 1], [39, 39]]}%s}]}";

/* Shares of groups of 1, 2 and 3 for a mean of 0.83: 0.64, 0.27 and 0.07; so 36 % of 400 / 1.47 groups have friends. */
static void populations_have_friends(void **state) {
  (void)state;
  th_error error = {0};
  scene_run f;
  uint32_t of_size[16] = {0}, with = 0;
  if (scene_run_try(fair, ", \"friends\": 0.83", (th_run_def){.seed = 0}, &f, &error)) fail_msg("%s", error.text);
  const th_world *world = th_run_world(f.run);
  static th_group_id id[400];
  const uint32_t count = th_world_groups(world, id, 400);
  for (uint32_t i = 0; i < count; i++) {
    th_agent_id friend[16];
    const uint32_t size = th_world_group_members(world, id[i], friend, 16);
    assert_true(size >= 2 && size <= 12);
    of_size[size]++, with += size;
    const th_vec3 a = th_world_agent_point(world, friend[0]), b = th_world_agent_point(world, friend[1]);
    assert_true(hypotf(a.x - b.x, a.y - b.y) < 15.0f); /* the last ones may have to look far */
  }
  const double groups = count + (400.0 - with);
  assert_true(fabs((400.0 - with) / groups - 0.642) < 0.08);
  assert_true(fabs(of_size[2] / groups - 0.266) < 0.07);
  assert_true(fabs(of_size[3] / groups - 0.074) < 0.04);
  scene_run_free(&f);
  if (scene_run_try(fair, "", (th_run_def){.seed = 0}, &f, &error)) fail_msg("%s", error.text);
  assert_int_equal(th_world_groups(th_run_world(f.run), NULL, 0), 0);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_change_groups),
                                     cmocka_unit_test(formations_are_read_and_change),
                                     cmocka_unit_test(populations_have_friends), cmocka_unit_test(bad_events_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
