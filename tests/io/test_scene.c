/* tests/io/test_scene.c - reading scenes: every key, every kind of error with its position, overrides, memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/scene.h"
#include "support/allocator.h"
#include "throng/guide.h"
#include "throng/model.h"

static const char full[] =
    "{\n"
    "  \"version\": 1, \"name\": \"full\", \"description\": \"every key\",\n"
    "  \"ground\": {\n"
    "    \"outline\": [{\"name\": \"hall\", \"rectangle\": [[0, 0], [20, 10]]}, {\"polygon\": [[20, 0], [25, 0], [20, "
    "5]]}],\n"
    "    \"obstacles\": [{\"name\": \"pillar\", \"disc\": {\"centre\": [10, 5], \"radius\": 1}}],\n"
    "    \"doors\": [{\"name\": \"door\", \"rectangle\": [[5, 0], [5.5, 4]], \"closed\": true}],\n"
    "    \"cell\": 0.2, \"radius_classes\": [0.2, 0.4]\n"
    "  },\n"
    "  \"goals\": [\n"
    "    {\"name\": \"east\", \"line\": [[19, 1], [19, 9]], \"field\": \"blend\", \"blend\": 0.5, \"arrive\": 0.25},\n"
    "    {\"name\": \"west\", \"disc\": {\"centre\": [2, 5], \"radius\": 1}, \"walls\": \"neumann\", \"sink\": true},\n"
    "    {\"name\": \"spot\", \"point\": [15, 5]}\n"
    "  ],\n"
    "  \"guides\": [{\"name\": \"loop\", \"path\": {\"points\": [[1, 1], [9, 1], [9, 9]], \"ahead\": 2, \"closed\": "
    "true}}],\n"
    "  \"populations\": [\n"
    "    {\"name\": \"red\", \"count\": 5, \"region\": {\"rectangle\": [[1, 1], [4, 9]]},\n"
    "     \"route\": [\"spot\", {\"goal\": \"east\", \"wait\": 3}], \"loop\": true, \"remove\": false,\n"
    "     \"model\": \"follow\", \"params\": {\"slow_within\": 0.5}, \"speed\": {\"mean\": 1.3, \"spread\": 0.2},\n"
    "     \"radius\": {\"from\": 0.2, \"to\": 0.3}, \"delay\": {\"from\": 0, \"to\": 4}, \"speed_max\": 3, \"height\": "
    "1.6,\n"
    "     \"acceleration_max\": 5, \"turn_max\": 3, \"share\": 1, \"v\": [0, 1], \"eps\": 0.5, \"heading\": [1, 0], "
    "\"collide\": "
    "false,\n"
    "     \"layers\": 2, \"avoids\": 3},\n"
    "    {\"name\": \"blue\", \"positions\": [[12, 2], [13, 2]], \"route\": [\"west\"], \"guide\": \"loop\", "
    "\"speed\": 1}\n"
    "  ],\n"
    "  \"sources\": [{\"name\": \"gate\", \"region\": {\"rectangle\": [[17, 1], [18, 9]]}, \"rate\": 2, \"begin\": 1,\n"
    "    \"end\": 30, \"total\": 40, \"route\": [\"west\"], \"speed\": {\"mean\": 1.2, \"spread\": 0.1}}],\n"
    "  \"events\": [\n"
    "    {\"at\": 9, \"close\": \"door\"}, {\"at\": 5, \"open\": \"door\"}, {\"at\": 6, \"remove\": \"pillar\"},\n"
    "    {\"at\": 7, \"add\": {\"name\": \"box\", \"rectangle\": [[7, 7], [8, 8]]}}, {\"at\": 8, \"remove\": "
    "\"box\"},\n"
    "    {\"at\": 8, \"move\": {\"goal\": \"spot\", \"point\": [16, 6]}},\n"
    "    {\"at\": 8, \"change\": {\"population\": \"red\", \"speed\": 0.5}}, {\"at\": 20, \"dismiss\": \"blue\"}\n"
    "  ],\n"
    "  \"measure\": {\"lines\": [{\"name\": \"cut\", \"from\": [10, 0], \"to\": [10, 10]}],\n"
    "              \"areas\": [{\"name\": \"box\", \"rectangle\": [[6, 1], [8, 3]]}]},\n"
    "  \"recording\": {\"every\": 0.5},\n"
    "  \"expect\": {\"arrived\": {\"min\": 10}, \"time\": {\"min\": 5, \"max\": 60}, \"worst_overlap\": 0,\n"
    "             \"flow\": {\"cut\": {\"min\": 0.1}}, \"density\": {\"box\": {\"max\": 2}}},\n"
    "  \"shows\": [\"BVP-01\"],\n"
    "  \"duration\": 60, \"dt\": 0.05, \"seed\": 7, \"workers\": 2\n"
    "}\n";

static th_scene *parse(const char *text) {
  th_scene *scene = NULL;
  th_error error = {0};
  if (th_scene_parse(text, strlen(text), &scene, &error) != TH_OK) {
    fail_msg("%s:%u:%u: %s", error.where, error.line, error.column, error.text);
  }
  return scene;
}

static void reads_ground_goals_and_guides(void **state) {
  (void)state;
  th_scene *scene = parse(full);
  assert_string_equal(scene->name, "full");
  assert_int_equal(scene->ground.outline_count, 2);
  assert_int_equal(scene->ground.outline[0].shape.count, 4);
  assert_true(scene->ground.outline[0].shape.point[2].x == 20 && scene->ground.outline[0].shape.point[2].y == 10);
  assert_int_equal(scene->ground.obstacle[0].shape.count, 48);
  assert_true(scene->ground.door[0].closed);
  assert_int_equal(scene->ground.def.class_count, 2);
  assert_true(scene->ground.def.radius_class[1] == 0.4f && scene->ground.def.cell == 0.2f);
  assert_int_equal(scene->goal_count, 3);
  assert_int_equal(scene->goal[0].def.field, TH_FIELD_BLEND);
  assert_true(scene->goal[0].def.blend == 0.5f && scene->goal[0].def.arrive == 0.25f && !scene->goal[0].def.sink);
  assert_int_equal(scene->goal[1].def.shape.kind, TH_SHAPE_DISC);
  assert_int_equal(scene->goal[1].def.walls, TH_WALLS_NEUMANN);
  assert_true(scene->goal[1].def.sink && scene->goal[2].def.arrive == th_default_goal_def().arrive);
  assert_ptr_equal(scene->guide[0].kind, &th_guide_path);
  const th_path_params *path = scene->guide[0].params;
  assert_true(path->count == 3 && path->point[1].x == 9 && path->point[1].z == 0 && path->closed && path->ahead == 2);
  th_scene_free(scene);
}

/* A disc as an area: 48 corners on the circle, evenly spread. */
static void discs_become_round_polygons(void **state) {
  (void)state;
  th_scene *scene = parse(full);
  const th_shape *disc = &scene->ground.obstacle[0].shape;
  for (uint32_t i = 0; i < disc->count; i++) {
    double angle = 2 * 3.14159265358979323846 * i / 48;
    assert_true(fabs((double)disc->point[i].x - (10 + cos(angle))) < 1e-6);
    assert_true(fabs((double)disc->point[i].y - (5 + sin(angle))) < 1e-6);
  }
  th_scene_free(scene);
}

static void reads_agents(void **state) {
  (void)state;
  th_scene *scene = parse(full);
  const th_scene_crowd *red = &scene->population[0].crowd, *blue = &scene->population[1].crowd;
  assert_int_equal(red->stop_count, 2);
  assert_int_equal(red->stop[0].goal, 2);
  assert_int_equal(red->stop[1].goal, 0);
  assert_true(red->stop[1].wait == 3 && red->def.loop && !red->def.remove && !red->def.collide);
  assert_ptr_equal(red->def.model, &th_model_follow);
  assert_true(((const th_follow_params *)red->def.params)->slow_within == 0.5f);
  assert_int_equal(red->spread.speed.kind, TH_SPREAD_NORMAL);
  assert_int_equal(red->spread.radius.kind, TH_SPREAD_UNIFORM);
  assert_true(red->spread.delay.max == 4 && red->def.eps == 0.5f && red->def.v.y == 1 && red->def.layers == 2 &&
              red->def.avoids == 3);
  assert_int_equal(scene->population[1].position.count, 2);
  assert_int_equal(blue->guide_index, 0);
  assert_string_equal(blue->def.model->name, "orca"); /* names none */
  assert_string_equal(scene->source[0].crowd.def.model->name, "orca");
  assert_true(blue->spread.speed.kind == TH_SPREAD_CONSTANT && blue->spread.speed.mean == 1 && blue->def.remove &&
              blue->def.collide);
  assert_true(scene->source[0].def.rate == 2 && scene->source[0].def.end == 30 && scene->source[0].def.total == 40);
  assert_int_equal(th_scene_agents(scene), 5 + 2 + 40);
  th_scene_free(scene);
}

static void sorts_events_by_time_and_keeps_their_order(void **state) {
  (void)state;
  th_scene *scene = parse(full);
  static const int32_t act[] = {TH_ACT_OPEN, TH_ACT_REMOVE, TH_ACT_ADD,   TH_ACT_REMOVE,
                                TH_ACT_MOVE, TH_ACT_CHANGE, TH_ACT_CLOSE, TH_ACT_DISMISS};
  assert_int_equal(scene->event_count, 8);
  for (uint32_t i = 0; i < 8; i++) assert_int_equal(scene->event[i].act, act[i]);
  assert_true(scene->event[5].change->crowd.spread.speed.mean == 0.5f);
  assert_int_equal(scene->event[7].index, 1);
  th_scene_free(scene);
}

static void reads_the_rest(void **state) {
  (void)state;
  th_scene *scene = parse(full);
  assert_true(scene->duration == 60 && scene->world.dt == 0.05f && scene->recording.every == 0.5f);
  assert_int_equal(scene->world.seed, 7);
  assert_int_equal(scene->world.workers, 2);
  assert_int_equal(scene->measure.line_count, 1);
  assert_int_equal(scene->measure.area_count, 1);
  assert_true(scene->expect.arrived.given && scene->expect.arrived.min == 10 && scene->expect.arrived.max == HUGE_VAL);
  assert_true(scene->expect.worst_overlap.min == 0 && scene->expect.worst_overlap.max == 0);
  assert_false(scene->expect.stuck.given);
  assert_string_equal(scene->expect.flow[0].name, "cut");
  assert_string_equal(scene->shows[0], "BVP-01");
  th_scene_free(scene);
}

/* ---------------------------------------------------------------- errors */

/* One change of a good scene and what the reader must say about it. */
typedef struct wrong {
  const char *from, *to; /* replaced at its first occurrence */
  uint32_t line, column;
  const char *pointer, *says;
} wrong;

static const char small[] =
    "{\n"
    "  \"version\": 1, \"name\": \"small\", \"duration\": 10,\n"
    "  \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [10, 10]]}]},\n"
    "  \"goals\": [{\"name\": \"exit\", \"point\": [9, 5]}],\n"
    "  \"populations\": [\n"
    "    {\"name\": \"people\", \"count\": 3, \"speed\": 1.2,\n"
    "     \"region\": {\"rectangle\": [[1, 1], [3, 9]]}, \"route\": [\"exit\"]}\n"
    "  ]\n"
    "}\n";

static void replace(const char *from, const char *to, char *result, size_t size) {
  const char *at = strstr(small, from);
  assert_non_null(at);
  snprintf(result, size, "%.*s%s%s", (int)(at - small), small, to, at + strlen(from));
}

static const wrong errors[] = {
    /* unknown keys, with the nearest known one */
    {"\"speed\"", "\"sped\"", 6, 36, "/populations/0/sped", "did you mean \"speed\"?"},
    {"\"duration\"", "\"length\"", 2, 34, "/length", "found \"length\""},
    {"\"rectangle\": [[0", "\"rectangel\": [[0", 3, 27, "/ground/outline/0/rectangel", "\"rectangle\"?"},
    /* missing keys */
    {", \"duration\": 10", "", 1, 1, "/", "the key \"duration\""},
    {"\"count\": 3, ", "", 6, 5, "/populations/0", "\"count\" beside the region"},
    {", \"point\": [9, 5]", "", 4, 13, "/goals/0", "exactly one of point, line"},
    {"{\"rectangle\": [[1, 1], [3, 9]]}", "{}", 7, 16, "/populations/0/region", "exactly one of rectangle"},
    /* too many keys */
    {"\"point\": [9, 5]", "\"point\": [9, 5], \"line\": [[1, 1], [2, 2]]", 4, 47, "/goals/0/line", "found 2"},
    /* wrong types */
    {"\"speed\": 1.2", "\"speed\": \"fast\"", 6, 45, "/populations/0/speed", "found the text \"fast\""},
    {"\"count\": 3", "\"count\": 2.5", 6, 33, "/populations/0/count", "a whole number from 1"},
    {"\"goals\": [{\"name\": \"exit\", \"point\": [9, 5]}]", "\"goals\": 5", 4, 12, "/goals", "a list of objects"},
    {"\"name\": \"exit\"", "\"name\": 7", 4, 22, "/goals/0/name", "expected a text, found 7"},
    {"[9, 5]", "[9]", 4, 39, "/goals/0/point", "numbers [x, y]"},
    {"[9, 5]", "[9, null]", 4, 43, "/goals/0/point/1", "found null"},
    {"[\"exit\"]", "[]", 7, 58, "/populations/0/route", "1 to 8 goals"},
    /* ranges */
    {"\"duration\": 10", "\"duration\": 0", 2, 46, "/duration", "expected a number from 0.001"},
    {"\"version\": 1", "\"version\": 2", 2, 14, "/version", "from 1 to 1, found 2"},
    {"\"speed\": 1.2", "\"speed\": -1", 6, 45, "/populations/0/speed", "from 0 to 100 m/s, found -1"},
    {"\"speed\": 1.2", "\"speed\": {\"from\": 2, \"to\": 1}", 6, 45, "/populations/0/speed", "not above"},
    {"\"speed\": 1.2", "\"speed\": {\"mean\": 2}", 6, 45, "/populations/0/speed", "the key \"spread\""},
    {"\"speed\": 1.2", "\"speed\": {\"mean\": 2, \"sd\": 1}", 6, 57, "/populations/0/speed/sd", "\"spread\""},
    {"\"speed\": 1.2", "\"speed\": {\"mean\": 2, \"spread\": 1, \"max\": 1}", 6, 45, "/populations/0/speed",
     "expected min <= mean <= max, found 0, 2 and 1"},
    {"\"speed\": 1.2", "\"speed\": {\"mean\": 0, \"spread\": 1, \"distribution\": \"gamma\"}", 6, 45,
     "/populations/0/speed", "a mean above 0 m/s, found 0"},
    {"\"speed\": 1.2", "\"speed\": {\"distribution\": \"gama\"}", 6, 62, "/populations/0/speed/distribution",
     "did you mean \"gamma\"?"},
    {"\"speed\": 1.2", "\"speed\": {\"mean\": 1, \"spread\": -1}", 6, 67, "/populations/0/speed/spread",
     "from 0 to 100"},
    {"\"speed\": 1.2", "\"speed\": 3, \"speed_max\": 2", 6, 61, "/populations/0/speed_max", "at least the fastest"},
    {"[[1, 1], [3, 9]]", "[[1, 1], [1, 9]]", 7, 30, "/populations/0/region/rectangle", "opposite corners"},
    /* names that lead nowhere */
    {"[\"exit\"]", "[\"exti\"]", 7, 59, "/populations/0/route/0", "did you mean \"exit\"?"},
    {"\"speed\": 1.2", "\"guide\": \"west\"", 6, 45, "/populations/0/guide", "name of a guide"},
    {"\"speed\": 1.2", "\"model\": \"folow\"", 6, 45, "/populations/0/model", "expected a model (\"follow\""},
    {"\"speed\": 1.2", "\"params\": {\"horizn\": 1}", 6, 57, "/populations/0/params/horizn", "horizon"},
    {"\"version\": 1", "\"events\": [{\"at\": 1, \"open\": \"door\"}], \"version\": 1", 2, 32, "/events/0/open",
     "name of a door"},
    {"\"version\": 1", "\"events\": [{\"at\": 1}], \"version\": 1", 2, 14, "/events/0", "exactly one of open, close"},
    {"\"version\": 1", "\"expect\": {\"flow\": {\"cut\": 1}}, \"version\": 1", 2, 30, "/expect/flow/cut",
     "name of a measured line"},
    {"\"point\": [9, 5]}", "\"point\": [9, 5]}, {\"name\": \"exit\", \"point\": [8, 5]}", 4, 57, "/goals/1/name",
     "no other goal has"},
    /* syntax and duplicates */
    {"\"count\": 3,", "\"count\": 3", 6, 41, "", "syntax error"},
    {"\"count\": 3", "\"count\": 3, \"count\": 4", 6, 36, "/populations/0", "\"count\" a second time"},
    {"\"outline\": [{\"rectangle\": [[0, 0], [10, 10]]}]", "", 3, 13, "/ground", "an outline, an image or a map"},
};

static void every_error_names_its_place(void **state) {
  (void)state;
  uint32_t failures = 0;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    const wrong *w = &errors[i];
    char text[2048];
    replace(w->from, w->to, text, sizeof text);
    th_scene *scene = NULL;
    th_error error = {0};
    th_result result =
        th_scene_make(&(th_scene_def){.text = text, .length = strlen(text), .path = "bad.json"}, &scene, &error);
    bool good = result != TH_OK && !scene && error.line == w->line && error.column == w->column &&
                strstr(error.text, w->pointer) && strstr(error.text, w->says) && !strcmp(error.where, "bad.json");
    if (good) continue;
    failures++;
    print_error("%s -> %s: expected %u:%u %s ... %s, found %u:%u %s\n", w->from, w->to, w->line, w->column, w->pointer,
                w->says, error.line, error.column, error.text);
    th_scene_free(scene);
  }
  assert_int_equal(failures, 0);
}

static void overrides_are_checked_like_the_file(void **state) {
  (void)state;
  const char *good[] = {"populations.people.speed=0.7", "duration=3", "seed=99"};
  const char *bad[] = {"populations.0.speed=-2"};
  th_scene_def def = {.text = small, .length = sizeof small - 1, .set = good, .set_count = 3};
  th_scene *scene = NULL, *plain = parse(small);
  th_error error = {0};
  assert_int_equal(th_scene_make(&def, &scene, &error), TH_OK);
  assert_true(scene->population[0].crowd.spread.speed.mean == 0.7f && scene->duration == 3 && scene->world.seed == 99);
  assert_true(scene->hash != plain->hash);
  th_scene_free(scene);
  th_scene_free(plain);
  def.set = bad;
  def.set_count = 1;
  assert_int_equal(th_scene_make(&def, &scene, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, "--set populations.0.speed=-2");
  assert_int_equal(error.line, 0);
}

static void a_text_of_100_mb_is_refused(void **state) {
  (void)state;
  size_t size = (size_t)100 << 20;
  char *large = calloc(size, 1);
  assert_non_null(large);
  th_scene *scene = NULL;
  th_error error = {0};
  assert_int_equal(th_scene_parse(large, size, &scene, &error), TH_ERROR_CAPACITY);
  assert_non_null(strstr(error.text, "at most 64 MB, found 100 MB"));
  free(large);
}

static th_result make_once(const th_env *env, void *context) {
  (void)context;
  th_scene *scene;
  th_error error = {0};
  const char *set[] = {"seed=3"};
  th_scene_def def = {.env = *env, .text = full, .length = sizeof full - 1, .set = set, .set_count = 1};
  th_result result = th_scene_make(&def, &scene, &error);
  if (result == TH_OK) th_scene_free(scene);
  return result;
}

static void survives_every_failing_allocation(void **state) {
  (void)state;
  assert_true(failing_every(make_once, NULL) >= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_ground_goals_and_guides),
      cmocka_unit_test(discs_become_round_polygons),
      cmocka_unit_test(reads_agents),
      cmocka_unit_test(sorts_events_by_time_and_keeps_their_order),
      cmocka_unit_test(reads_the_rest),
      cmocka_unit_test(every_error_names_its_place),
      cmocka_unit_test(overrides_are_checked_like_the_file),
      cmocka_unit_test(a_text_of_100_mb_is_refused),
      cmocka_unit_test(survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
