/* tests/io/test_scene_run.c - scenes as running worlds: spots, spreads, events, determinism, errors with positions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/scene.h"
#include "support/allocator.h"
#include "support/scene_runs.h"
#include "throng/model/orca.h"

static const char hall[] =
    "{\n"
    "  \"version\": 1, \"name\": \"hall\", \"duration\": 60,\n"
    "  \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}],\n"
    "    \"obstacles\": [{\"name\": \"box\", \"rectangle\": [[9, 0], [10, 4]]}, {\"rectangle\": [[9, 6], [10, 10]]}],\n"
    "    \"doors\": [{\"name\": \"door\", \"rectangle\": [[9, 4], [10, 6]]}]},\n"
    "  \"goals\": [{\"name\": \"exit\", \"disc\": {\"centre\": [18, 5], \"radius\": 1}}],\n"
    "  \"populations\": [\n"
    "    {\"name\": \"red\", \"count\": 40, \"region\": {\"rectangle\": [[0, 0], [8, 10]]}, \"route\": [\"exit\"],\n"
    "     \"speed\": {\"mean\": 1.3, \"spread\": 0.3}, \"radius\": {\"from\": 0.15, \"to\": 0.3}}],\n"
    "  \"events\": [%s]\n"
    "}\n";

static scene_run make(const char *events, uint64_t seed, uint32_t workers) {
  return scene_run_make(hall, events, (th_run_def){.seed = seed, .workers = workers});
}

static void spots_are_free_and_apart(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    scene_run f = make("", seed, 1);
    const th_ground *ground = th_world_ground(th_run_world(f.run));
    th_agents a = th_world_agents(th_run_world(f.run));
    assert_int_equal(a.count, 40);
    for (uint32_t i = 0; i < a.count; i++) {
      bool inside = a.x[i] >= 0 && a.x[i] <= 8 && th_ground_clearance(ground, a.x[i], a.y[i]) >= a.radius[i] - 1e-4f;
      if (!inside)
        fail_msg("seed %llu: agent %u at %g, %g", (unsigned long long)seed, i, (double)a.x[i], (double)a.y[i]);
      for (uint32_t j = 0; j < i; j++) {
        double apart = hypot((double)(a.x[i] - a.x[j]), (double)(a.y[i] - a.y[j]));
        if (apart < (double)(a.radius[i] + a.radius[j]) - 1e-5) {
          fail_msg("seed %llu: %u and %u overlap", (unsigned long long)seed, i, j);
        }
      }
    }
    scene_run_free(&f);
  }
}

static void spreads_have_their_mean_and_limits(void **state) {
  (void)state;
  double speed = 0, square = 0, radius = 0;
  uint32_t count = 0;
  for (uint64_t seed = 1; seed <= 25; seed++) {
    scene_run f = make("", seed, 1);
    th_agents a = th_world_agents(th_run_world(f.run));
    for (uint32_t i = 0; i < a.count; i++, count++) {
      th_agent_def def;
      assert_true(th_world_agent_def(th_run_world(f.run), a.id[i], &def));
      assert_true(def.speed >= 0.4f - 1e-5f && def.speed <= 2.2f + 1e-5f); /* mean +- 3 deviations */
      assert_true(def.radius >= 0.15f && def.radius <= 0.3f);
      speed += (double)def.speed;
      square += (double)(def.speed * def.speed);
      radius += (double)def.radius;
    }
    scene_run_free(&f);
  }
  double mean = speed / count, deviation = sqrt(square / count - mean * mean);
  assert_true(fabs(mean - 1.3) < 0.03);              /* 1000 draws: 3 standard errors */
  assert_true(fabs(deviation - 0.3 * 0.987) < 0.02); /* truncation at 3 deviations leaves 98.7 % of the spread */
  assert_true(fabs(radius / count - 0.225) < 0.005);
}

static void the_same_seed_gives_the_same_run(void **state) {
  (void)state;
  uint64_t hash[3];
  static const uint32_t workers[3] = {1, 1, 3};
  for (int i = 0; i < 3; i++) {
    scene_run f = make("{\"at\": 3, \"close\": \"door\"}, {\"at\": 6, \"open\": \"door\"}", 5, workers[i]);
    scene_run_to(&f, 9);
    hash[i] = th_world_hash(th_run_world(f.run));
    scene_run_free(&f);
  }
  assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
  scene_run other = make("{\"at\": 3, \"close\": \"door\"}, {\"at\": 6, \"open\": \"door\"}", 6, 1);
  scene_run_to(&other, 9);
  assert_true(th_world_hash(th_run_world(other.run)) != hash[0]);
  scene_run_free(&other);
}

static void everyone_arrives(void **state) {
  (void)state;
  scene_run f = make("", 1, 1);
  scene_run_to(&f, 40);
  assert_int_equal(th_world_counters(th_run_world(f.run)).arrived, 40);
  assert_true(th_world_time(th_run_world(f.run)) < 39); /* ends when nobody is under way */
  scene_run_free(&f);
}

/* Nobody passes a closed door; all pass when it opens again, though everyone was lost in between. */
static void doors_close_and_open(void **state) {
  (void)state;
  scene_run f = make("{\"at\": 0, \"close\": \"door\"}, {\"at\": 8, \"open\": \"door\"}", 1, 1);
  scene_run_to(&f, 7.9);
  th_agents a = th_world_agents(th_run_world(f.run));
  for (uint32_t i = 0; i < a.count; i++) assert_true(a.x[i] < 9);
  assert_int_equal(th_ground_version(th_world_ground(th_run_world(f.run))), 2);
  scene_run_to(&f, 60);
  assert_int_equal(th_ground_version(th_world_ground(th_run_world(f.run))), 3);
  assert_int_equal(th_world_counters(th_run_world(f.run)).arrived, 40);
  scene_run_free(&f);
}

static void obstacles_come_and_go(void **state) {
  (void)state;
  scene_run f = make(
      "{\"at\": 1, \"add\": {\"name\": \"crate\", \"rectangle\": [[14, 4], [15, 6]]}}, "
      "{\"at\": 1, \"remove\": \"box\"}, {\"at\": 2, \"remove\": \"crate\"}",
      1, 1);
  scene_run_to(&f, 1.5);
  const th_ground *ground = th_world_ground(th_run_world(f.run));
  assert_int_equal(th_ground_version(ground), 2); /* both edits of one moment make one version */
  assert_true(th_ground_locate(ground, 14.5f, 5).cell == TH_NO_CELL);
  assert_true(th_ground_locate(ground, 9.5f, 2).cell != TH_NO_CELL);
  scene_run_to(&f, 2.5);
  assert_true(th_ground_locate(th_world_ground(th_run_world(f.run)), 14.5f, 5).cell != TH_NO_CELL);
  scene_run_free(&f);
}

static void populations_change_and_leave(void **state) {
  (void)state;
  scene_run f = make(
      "{\"at\": 1, \"change\": {\"population\": \"red\", \"speed\": 0.25, \"eps\": 0.5}}, "
      "{\"at\": 2, \"dismiss\": \"red\"}",
      1, 1);
  scene_run_to(&f, 1.5);
  th_agents a = th_world_agents(th_run_world(f.run));
  assert_int_equal(a.count, 40);
  for (uint32_t i = 0; i < a.count; i++) {
    th_agent_def def;
    assert_true(th_world_agent_def(th_run_world(f.run), a.id[i], &def));
    assert_true(def.speed == 0.25f && def.eps == 0.5f && def.route_count == 1);
    assert_int_equal(th_run_population(f.run, a.id[i]), 0);
  }
  scene_run_to(&f, 3);
  assert_int_equal(th_world_agents(th_run_world(f.run)).count, 0);
  scene_run_free(&f);
}

static void goals_move(void **state) {
  (void)state;
  scene_run f =
      make("{\"at\": 0, \"move\": {\"goal\": \"exit\", \"disc\": {\"centre\": [2, 5], \"radius\": 1}}}", 1, 1);
  scene_run_to(&f, 40);
  assert_int_equal(th_world_counters(th_run_world(f.run)).arrived, 40);
  assert_true(th_world_time(th_run_world(f.run)) < 15); /* the new goal lies among them */
  scene_run_free(&f);
}

/* Guides, sources, sinks, waits and delays of one scene; the world alone is the same as the one of a run. */
static const char square[] =
    "{\"version\": 1, \"name\": \"square\", \"duration\": 60, \"dt\": 0.05, \"seed\": 3,\n"
    " \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 20]]}]},\n"
    " \"goals\": [{\"name\": \"corner\", \"point\": [18, 18]},\n"
    "           {\"name\": \"gate\", \"line\": [[19, 2], [19, 6]], \"sink\": true}],\n"
    " \"guides\": [{\"name\": \"round\", \"path\": {\"points\": [[2, 2], [18, 2], [18, 18]], \"ahead\": 0.5}}],\n"
    " \"populations\": [\n"
    "  {\"name\": \"guided\", \"positions\": [[2, 3]], \"guide\": \"round\", \"route\": [\"corner\"], \"speed\": 2},\n"
    "  {\"name\": \"waits\", \"positions\": [[15, 15]], \"route\": [{\"goal\": \"corner\", \"wait\": 10}, \"gate\"]},\n"
    "  {\"name\": \"late\", \"positions\": [[17, 4]], \"route\": [\"gate\"], \"delay\": 8}],\n"
    " \"sources\": [{\"name\": \"door\", \"region\": {\"disc\": {\"centre\": [10, 10], \"radius\": 2}}, \"rate\": 2,\n"
    "   \"begin\": 1, \"end\": 11, \"total\": 12, \"route\": [\"gate\"], \"radius\": {\"from\": 0.15, \"to\": 0.25}}]}";

static void guides_sources_waits_and_delays(void **state) {
  (void)state;
  scene_run f = {0};
  th_error error = {0};
  assert_int_equal(th_scene_parse(square, sizeof square - 1, &f.scene, &error), TH_OK);
  if (th_run_make(&(th_run_def){.scene = f.scene}, &f.run, &error) != TH_OK) fail_msg("%s", error.text);
  th_world *world = th_run_world(f.run), *alone = NULL;
  assert_int_equal(th_scene_make_world(f.scene, NULL, &alone, &error), TH_OK);
  assert_true(th_world_hash(alone) == th_world_hash(world));
  th_world_free(alone);
  th_agent_id guided = th_world_agents(world).id[0];
  float lowest = 20; /* the guided one goes along the lower side first; the straight way would not */
  while (th_world_has_agent(world, guided) && th_world_time(world) < 30) {
    uint32_t row = th_world_row(world, guided);
    if (th_world_agents(world).x[row] > 12 && th_world_agents(world).x[row] < 16) {
      lowest = fminf(lowest, th_world_agents(world).y[row]);
    }
    assert_int_equal(th_run_step(f.run, &error), TH_OK);
  }
  assert_true(lowest < 3);
  scene_run_to(&f, 60);
  assert_int_equal(th_world_counters(world).removed, 3 + 12); /* the source stops at its total */
  assert_true(th_world_time(world) > 20 && th_world_time(world) < 59);
  scene_run_free(&f);
}

/* ---------------------------------------------------------------- errors */

static void expect_error(const char *from, const char *to, uint32_t line, const char *says) {
  char text[4096], changed[4096];
  snprintf(text, sizeof text, hall, "");
  const char *at = strstr(text, from);
  assert_non_null(at);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  th_scene *scene = NULL;
  th_run *run = NULL;
  th_error error = {0};
  assert_int_equal(th_scene_parse(changed, strlen(changed), &scene, &error), TH_OK);
  th_result result = th_run_make(&(th_run_def){.scene = scene}, &run, &error);
  if (result == TH_OK || error.line != line || !strstr(error.text, says)) {
    fail_msg("%s: expected line %u and %s, found %u:%u %s", to, line, says, error.line, error.column, error.text);
  }
  assert_null(run);
  th_scene_free(scene);
}

static void what_the_world_refuses_is_found_in_the_file(void **state) {
  (void)state;
  expect_error("[18, 5], \"radius\": 1", "[9.5, 2], \"radius\": 0.3", 6, "/goals/0: ");  /* in a wall */
  expect_error("[18, 5]", "[180, 5]", 6, "/goals/0: ");                                  /* off the ground */
  expect_error("\"count\": 40", "\"count\": 4000", 8, "room for 4000 bodies of radius"); /* by the area alone */
  expect_error("\"count\": 40", "\"count\": 1000", 8, "room for 1000 bodies, found");    /* too many */
  expect_error("\"count\": 40, \"region\": {\"rectangle\": [[0, 0], [8, 10]]}", "\"positions\": [[1, 1], [9.5, 2]]", 8,
               "/populations/0/positions/1: expected a walkable place");
  expect_error("[[9, 4], [10, 6]]", "[[90, 4], [91, 6]]", 5, "/ground/doors/0");
  expect_error("\"rectangle\": [[9, 0], [10, 4]]", "\"polygon\": [[2, 1], [4, 3], [2, 3], [4, 1]]", 4,
               "/ground/obstacles/0");
}

/* A floor plan of 8 x 4 pixels, half a metre each: a wall with a gap. The path is relative to the scene file. */
static void images_are_found_beside_the_scene(void **state) {
  (void)state;
  char folder[] = "/tmp/throng-scene-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/plan.pgm", folder);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(
      "P2 8 4 255 255 255 255 0 255 255 255 255 255 255 255 0 255 255 255 255 255 255 255 255 255 255 255 255 "
      "255 255 255 0 255 255 255 255\n",
      file);
  fclose(file);
  char text[640], name[64];
  snprintf(text, sizeof text,
           "{\"version\": 1, \"name\": \"plan\", \"duration\": 1, \"ground\": {\"cell\": 0.1, \"image\": "
           "{\"file\": \"plan.pgm\", \"metres_per_pixel\": 0.5, \"origin\": [10, 0]}}}");
  snprintf(name, sizeof name, "%s/scene.json", folder);
  th_scene *scene = NULL;
  th_ground *ground = NULL;
  th_error error = {0};
  th_scene_def def = {.text = text, .length = strlen(text), .path = name};
  assert_int_equal(th_scene_make(&def, &scene, &error), TH_OK);
  if (th_scene_make_ground(scene, &ground, &error) != TH_OK) fail_msg("%s", error.text);
  assert_true(th_ground_locate(ground, 11.75f, 1.75f).cell == TH_NO_CELL); /* dark, first row = top */
  assert_true(th_ground_locate(ground, 11.75f, 0.75f).cell != TH_NO_CELL); /* the gap */
  th_ground_release(ground);
  remove(path);
  assert_true(th_scene_make_ground(scene, &ground, &error) != TH_OK);
  assert_non_null(strstr(error.text, "/ground/image/file"));
  th_scene_free(scene);
  remove(folder);
}

static void an_event_that_fails_stops_the_run_before_the_step(void **state) {
  (void)state;
  scene_run f = make("{\"at\": 0.5, \"remove\": \"box\"}, {\"at\": 1, \"remove\": \"box\"}", 1, 1);
  th_error error = {0};
  th_result result = TH_OK;
  while (result == TH_OK && th_world_time(th_run_world(f.run)) < 2) result = th_run_step(f.run, &error);
  assert_true(result != TH_OK);
  assert_non_null(strstr(error.text, "/events/1"));
  assert_true(fabs(th_world_time(th_run_world(f.run)) - 1) < 0.01);
  scene_run_free(&f);
}

/* All flat maps before the first step, or each when someone comes: the same run. */
static void prepared_meshes_run_alike(void **state) {
  (void)state;
  static const char text[] =
      "{\"version\": 1, \"name\": \"hills\", \"duration\": 60, \"ground\": {\"mesh\": {%s"
      " \"make\": {\"shape\": \"terrain\", \"length\": 30, \"width\": 30, \"edge\": 1, \"height\": 2}}},"
      " \"goals\": [{\"name\": \"far\", \"point\": [27, 27, 0], \"arrive\": 2}],"
      " \"populations\": [{\"name\": \"hikers\", \"count\": 30, \"region\": {\"rectangle\": [[2, 2], [10, 10]]},"
      "   \"route\": [\"far\"], \"model\": \"orca\"}]}";
  uint64_t hash[2];
  for (int prepared = 0; prepared < 2; prepared++) {
    failing memory = {0};
    scene_run f = scene_run_make(text, prepared ? "\"prepare\": true," : "", (th_run_def){.env = failing_env(&memory)});
    assert_int_equal(f.scene->ground.mesh->prepare, prepared == 1);
    scene_run_to(&f, 0.2);
    uint64_t before = atomic_load(&memory.calls);
    scene_run_to(&f, 20.0);
    assert_true((atomic_load(&memory.calls) == before) == (prepared == 1)); /* else maps are made as people walk */
    hash[prepared] = th_world_hash(th_run_world(f.run));
    scene_run_free(&f);
    failing_assert_empty(&memory);
  }
  assert_true(hash[0] == hash[1]);
}

/* ---------------------------------------------------------------- what a scene says reaches the world */

static scene_run make_text(const char *text) { return scene_run_make("%s", text, (th_run_def){.seed = 0}); }

/* A planner of the host with one parameter: values fall from right to left, by a share of each other. */
static th_result plan_shares(void *user, const th_planner_cells *cells, double *u, th_error *error) {
  (void)error;
  for (uint32_t y = 0; y < cells->height; y++) {
    double value = 1.0;
    for (uint32_t x = cells->width; x-- > 0; value *= (double)*(const float *)user) u[y * cells->width + x] = value;
  }
  return TH_OK;
}

static bool make_shares(void *params, th_planner *planner) {
  *planner = (th_planner){plan_shares, params};
  return true;
}

static const th_param shares_param = {"falls_by", TH_PARAM_FLOAT, 0, "", 0, 1, 0.5, "from cell to cell", NULL};
static const th_scene_planner shares = {&shares_param, 1, sizeof(float), make_shares};

static scene_run make_planned(const char *text) {
  scene_run s = {0};
  th_error error = {0};
  th_scene_def def = th_default_scene_def();
  def.text = text;
  def.length = strlen(text);
  def.planner = &shares;
  if (th_scene_make(&def, &s.scene, &error) || th_run_make(&(th_run_def){.scene = s.scene}, &s.run, &error))
    fail_msg("%u:%u: %s", error.line, error.column, error.text);
  return s;
}

/* The field that `throng field` and `throng path` show is the one that agents follow, whatever the goal says. */
static void a_goal_has_one_field(void **state) {
  (void)state;
  static const char *const keys[] = {"\"field\": \"harmonic\", \"falls_by\": 0.9",
                                     "\"field\": \"blend\", \"blend\": 0.4",
                                     "\"field\": \"harmonic\", \"walls\": \"neumann\""};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"version\": 1, \"name\": \"one\", \"duration\": 5,"
             "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 8]]}], \"radius_classes\": [0.1, 0.4]},"
             "\"goals\": [{\"name\": \"exit\", \"point\": [11, 4], %s}],"
             "\"populations\": [{\"name\": \"red\", \"positions\": [[1, 1]], \"radius\": 0.3, \"route\": [\"exit\"]}]}",
             keys[k]);
    scene_run f = make_planned(text);
    scene_run_to(&f, 0.3);
    const th_world *world = th_run_world(f.run);
    const th_field *follows = th_world_field(world, th_run_goal(f.run, 0), 0.3f);
    th_field_def def = th_scene_goal_field(f.scene, 0, th_world_ground(world), 0.3f);
    assert_int_equal(def.radius_class, 1);
    assert_true((def.planner != NULL) == (k == 0));
    th_ground *ground = NULL;
    th_solver *solver = NULL;
    th_field *shown = NULL;
    assert_int_equal(th_scene_make_ground(f.scene, &ground, NULL), TH_OK);
    assert_int_equal(th_solver_make(&(th_solver_def){.ground = ground}, &solver, NULL), TH_OK);
    assert_int_equal(th_field_make(solver, &def, &shown, NULL), TH_OK);
    uint32_t width, height;
    const double *a = th_field_values(follows, &width, &height), *b = th_field_values(shown, &width, &height);
    assert_non_null(a);
    assert_memory_equal(a, b, sizeof *a * width * height);
    th_field_release(shown);
    th_solver_release(solver);
    th_ground_release(ground);
    scene_run_free(&f);
  }
}

#define EVERY_KEY                                                                                              \
  "\"route\": [{\"goal\": \"exit\", \"wait\": 2}, \"start\"], \"loop\": true, \"remove\": false, \"model\": "  \
  "\"orca\", "                                                                                                 \
  "\"params\": {\"distance\": 4}, \"guide\": \"line\", \"speed\": 1.2, \"speed_max\": 1.9, \"radius\": 0.25, " \
  "\"height\": 1.5, \"acceleration_max\": 3, \"turn_max\": 2, \"share\": 0.25, \"v\": [0, 1], \"eps\": 0.5, "  \
  "\"heading\": [0, 1], \"collide\": false, \"layers\": 2, \"avoids\": 5, \"links\": {\"target\": \"other\"}"

/* An agent that is changed by every key has the def of one that was made with these keys. */
static void a_change_reaches_every_member(void **state) {
  (void)state;
  static const char *const made[2] = {EVERY_KEY, "\"speed\": 1"};
  static const char *const event[2] = {"", "{\"at\": 0, \"change\": {\"population\": \"red\", " EVERY_KEY "}}"};
  th_agent_def def[2];
  th_orca_params params[2];
  for (int k = 0; k < 2; k++) {
    char text[2048];
    snprintf(text, sizeof text,
             "{\"version\": 1, \"name\": \"every\", \"duration\": 5, \"dt\": 0.001,"
             "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 8]]}]},"
             "\"goals\": [{\"name\": \"exit\", \"point\": [11, 4]}, {\"name\": \"start\", \"point\": [1, 4]}],"
             "\"guides\": [{\"name\": \"line\", \"path\": {\"points\": [[2, 2], [2, 7]]}}],"
             "\"populations\": [{\"name\": \"red\", \"positions\": [[2, 2]], %s},"
             "{\"name\": \"other\", \"positions\": [[6, 6]]}], \"events\": [%s]}",
             made[k], event[k]);
    scene_run f = make_text(text);
    th_error error = {0};
    assert_int_equal(th_run_step(f.run, &error), TH_OK);
    assert_true(th_world_agent_def(th_run_world(f.run), th_world_agents(th_run_world(f.run)).id[0], &def[k]));
    params[k] = *(const th_orca_params *)def[k].params;
    scene_run_free(&f);
  }
  assert_memory_equal(&params[0], &params[1], sizeof *params);
#define SAME(member) assert_memory_equal(&def[0].member, &def[1].member, sizeof def[0].member)
  SAME(radius), SAME(height), SAME(speed), SAME(speed_max), SAME(acceleration_max), SAME(turn_max), SAME(share);
  SAME(layers), SAME(avoids), SAME(v), SAME(eps), SAME(model), SAME(guide), SAME(route), SAME(route_count), SAME(loop);
  SAME(remove), SAME(collide), SAME(link), SAME(link_count);
#undef SAME
  assert_ptr_equal(def[1].model, &th_model_orca);
  assert_true(def[1].turn_max == 2 && !def[1].collide && def[1].avoids == 5 && def[1].link_count == 1);
}

/* The calls that tell what a scene says. */
static void a_scene_tells_what_it_says(void **state) {
  (void)state;
  scene_run f = make("", 1, 1);
  assert_string_equal(th_scene_name(f.scene), "hall");
  assert_non_null(strstr(th_scene_text(f.scene), "\"hall\""));
  assert_int_equal(th_scene_hash(f.scene), f.scene->hash);
  assert_true(th_scene_duration(f.scene) == 60 && th_scene_world_def(f.scene)->dt == 0.1f);
  assert_int_equal(th_scene_goal_count(f.scene), 1);
  assert_string_equal(th_scene_goal_name(f.scene, 0), "exit");
  assert_int_equal(th_scene_goal_def(f.scene, 0)->shape.kind, TH_SHAPE_DISC);
  assert_int_equal(th_scene_population_count(f.scene), 1);
  assert_string_equal(th_scene_population_name(f.scene, 0), "red");
  assert_null(th_scene_goal_name(f.scene, 1));
  assert_null(th_scene_goal_def(f.scene, 1));
  assert_null(th_scene_population_name(f.scene, 1));
  scene_run_free(&f);
}

/* A field is solved as a job of the world: when memory is short there, the call succeeds and the field comes later. All
 * other failures are reported, and nothing stays behind in either case. */
static void survives_every_failing_allocation(void **state) {
  (void)state;
  scene_run f = make("", 1, 1);
  uint64_t refused = 0;
  for (uint64_t n = 1;; n++) {
    failing memory = {.fail_at = n};
    th_run *run = NULL;
    th_error error = {0};
    th_result result = th_run_make(&(th_run_def){.env = failing_env(&memory), .scene = f.scene}, &run, &error);
    if (result != TH_OK && result != TH_ERROR_MEMORY) fail_msg("%s: %s", error.where, error.text);
    if (result == TH_OK) th_run_free(run);
    failing_assert_empty(&memory);
    if (memory.failed == 0) break;
    refused += result == TH_ERROR_MEMORY;
  }
  assert_true(refused > 10);
  scene_run_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spots_are_free_and_apart),
      cmocka_unit_test(spreads_have_their_mean_and_limits),
      cmocka_unit_test(the_same_seed_gives_the_same_run),
      cmocka_unit_test(everyone_arrives),
      cmocka_unit_test(doors_close_and_open),
      cmocka_unit_test(obstacles_come_and_go),
      cmocka_unit_test(populations_change_and_leave),
      cmocka_unit_test(goals_move),
      cmocka_unit_test(guides_sources_waits_and_delays),
      cmocka_unit_test(what_the_world_refuses_is_found_in_the_file),
      cmocka_unit_test(images_are_found_beside_the_scene),
      cmocka_unit_test(an_event_that_fails_stops_the_run_before_the_step),
      cmocka_unit_test(prepared_meshes_run_alike),
      cmocka_unit_test(a_goal_has_one_field),
      cmocka_unit_test(a_change_reaches_every_member),
      cmocka_unit_test(a_scene_tells_what_it_says),
      cmocka_unit_test(survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
