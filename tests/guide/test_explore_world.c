/* tests/guide/test_explore_world.c - how explorations end; explorers of every model, in scenes, as state of a world. */
#include "io/scene/scene.h"
#include "support/explorers.h"
#include "throng/model.h"
#include "throng/model/bvp.h"

/* ---------------------------------------------------------------- ends */

static void unreachable_targets_are_told(void **state) {
  (void)state;
  for (int target = TH_EXPLORE_FOR_GOAL; target <= TH_EXPLORE_FOR_POINT; target++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_ground *ground = worlds_cells(&env); /* two rooms without a door */
    th_world *world = worlds_make(ground, &env);
    th_explore_params params = th_default_explore_params();
    params.target = target;
    params.point = (th_vec3){12, 4, 0};
    th_agent_def def = worlds_agent_def(2, 2, target == TH_EXPLORE_FOR_GOAL ? worlds_goal(world, 12, 4) : NOWHERE);
    OK(th_world_add_guide(world, &th_guide_explore, &params, &def.guide, &error));
    th_agent_id id = worlds_add(world, &def);
    for (uint32_t s = 0; s < 2000 && worlds_state(world, id) == TH_AGENT_WALKING; s++) th_world_step(world);
    assert_int_equal(worlds_state(world, id), TH_AGENT_LOST);
    assert_true(th_explore_read(th_world_guide_memory(world, def.guide, NULL)).area > 60.0f);
    worlds_end(world, ground);
  }
}

/* A person who stands where nobody can see or go: the search never ends, and begins anew. */
static void links_are_searched_again(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_cells(&env);
  th_world *world = worlds_make(ground, &env);
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_LINK;
  th_agent_def def = worlds_agent_def(2, 2, NOWHERE);
  def.link[0].agent = worlds_walker(world, 12, 4, NOWHERE);
  def.link_count = 1;
  OK(th_world_add_guide(world, &th_guide_explore, &params, &def.guide, &error));
  th_agent_id id = worlds_add(world, &def);
  worlds_steps(world, 800);
  assert_int_equal(worlds_state(world, id), TH_AGENT_WALKING);
  th_explored found = th_explore_read(th_world_guide_memory(world, def.guide, NULL));
  assert_true(found.rounds >= 1);
  assert_false(found.found);
  worlds_end(world, ground);
}

/* A door that closes is learnt when it is seen, not before. */
static void doors_are_seen(void **state) {
  (void)state;
  crew p;
  th_explore_params params = th_default_explore_params();
  crew_in_house(&p, &params, 1);
  th_agent_def def = crew_def(&p, 6.5f, 4, 0);
  def.speed = 0.0f;
  p.agent[0] = worlds_add(p.world, &def);
  worlds_steps(p.world, 2);
  th_explore_map map = th_explore_flat_open(memory_of(&p));
  uint32_t near_door = cell_at(&p, 7.9f, 4), far_door = cell_at(&p, 16, 8);
  assert_false(map.mark[near_door] & TH_EXPLORE_BLOCKED);
  th_edit close[2] = {{.kind = TH_EDIT_CLOSE, .name = "west"}, {.kind = TH_EDIT_CLOSE, .name = "east"}};
  OK(th_world_edit(p.world, close, 2, &error));
  worlds_steps(p.world, 3);
  assert_true(map.mark[near_door] & TH_EXPLORE_BLOCKED);
  assert_true(map.u[near_door] == 0.0);
  assert_int_equal(map.mark[far_door], 0);
  crew_end(&p);
}

/* ---------------------------------------------------------------- with everything else */

static void every_model_explores(void **state) {
  (void)state;
  for (const th_model *const *model = th_models(); *model; model++) {
    if (*model == &th_model_user) continue;
    crew p;
    th_explore_params params = th_default_explore_params();
    params.target = TH_EXPLORE_FOR_POINT;
    params.point = (th_vec3){12, 14, 0};
    crew_in_house(&p, &params, 1);
    th_agent_def def = crew_def(&p, 2, 3, 0);
    def.model = *model;
    p.agent[0] = worlds_add(p.world, &def);
    for (uint32_t s = 0; s < 6000 && !th_world_done(p.world); s++) worlds_steps(p.world, 1);
    print_message("%s: %u m2 seen after %u steps\n", (*model)->name, (unsigned)explored(&p).area,
                  (unsigned)th_world_step_count(p.world));
    if (worlds_state(p.world, p.agent[0]) != TH_AGENT_ARRIVED) fail_msg("%s does not arrive", (*model)->name);
    crew_end(&p);
  }
}

/* Property: from random places and to random places of the house the object is always found, by both variants. */
static void random_houses_are_explored(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    uint64_t draw = seed;
    th_explore_params params = th_default_explore_params();
    params.relax = (int32_t)(seed & 1);
    params.sight = worlds_in(&draw, 1.5f, 6.0f);
    params.target = TH_EXPLORE_FOR_POINT;
    params.point = (th_vec3){worlds_in(&draw, 0.5f, 7.2f) + 8.0f * (float)worlds_below(&draw, 3),
                             worlds_in(&draw, 0.5f, 15.5f), 0};
    crew p;
    crew_in_house(&p, &params, 1);
    th_agent_def def = crew_def(&p, worlds_in(&draw, 0.5f, 7.2f) + 8.0f * (float)worlds_below(&draw, 3),
                                worlds_in(&draw, 0.5f, 15.5f), 0);
    p.agent[0] = worlds_add(p.world, &def);
    for (uint32_t s = 0; s < 9000 && !th_world_done(p.world); s++) worlds_steps(p.world, 1);
    if (worlds_state(p.world, p.agent[0]) != TH_AGENT_ARRIVED)
      fail_msg("seed %u: from (%g, %g) to (%g, %g), sight %g: not found", (unsigned)seed, def.point.x, def.point.y,
               params.point.x, params.point.y, params.sight);
    crew_end(&p);
  }
}

static void workers_change_nothing(void **state) {
  (void)state;
  static const uint32_t workers[] = {1, 2, 3, 8};
  uint64_t hash[4];
  for (int k = 0; k < 4; k++) {
    crew p;
    th_explore_params params = th_default_explore_params();
    crew_in_house(&p, &params, workers[k]);
    crew_enter(&p, 3);
    worlds_steps(p.world, 90);
    hash[k] = worlds_again(p.world, 90);
    assert_true(hash[k] == hash[0]);
    crew_end(&p);
  }
}

static th_result make_all(const th_env *env, void *context) {
  (void)context;
  th_ground *ground = NULL;
  th_world *world = NULL;
  th_error error = {0};
  th_world_def def = th_default_world_def();
  th_agent_def agent = th_default_body_def();
  agent.model = &th_model_follow;
  agent.point.x = 2, agent.point.y = 3;
  th_result result = worlds_try_house(env, 1.0f, &ground, &error);
  def.env = *env;
  def.ground = ground;
  def.agent_capacity = 2;
  if (!result) result = th_world_make(&def, &world, &error);
  if (!result) result = th_world_add_guide(world, &th_guide_explore, NULL, &agent.guide, &error);
  if (!result) result = th_world_add_agents(world, &agent, 1, NULL, &error);
  if (!result) worlds_steps(world, 20);
  th_world_free(world);
  th_ground_release(ground);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  assert_true(failing_every(make_all, NULL) > 50);
  failing f = {0};
  th_env env = failing_env(&f);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  th_agent_def agent = worlds_agent_def(2, 3, NOWHERE);
  OK(th_world_add_guide(world, &th_guide_explore, NULL, &agent.guide, &error));
  worlds_add(world, &agent);
  failing_lock(&f);
  worlds_steps(world, 100);
  failing_unlock(&f);
  worlds_end(world, ground);
  failing_assert_empty(&f);
}

/* ---------------------------------------------------------------- scenes */

#define SCENE(guide, crowd)                                                                         \
  "{\"version\": 1, \"name\": \"s\", \"duration\": 60, \"ground\": {\"outline\": [{\"rectangle\": " \
  "[[0, 0], [9, "                                                                                   \
  "6]]}]},"                                                                                         \
  "\"guides\": [{\"name\": \"g\", " guide                                                           \
  "}], \"populations\": ["                                                                          \
  "{\"name\": \"a\", \"positions\": [[1, 1], [1, 3]], \"guide\": \"g\", \"remove\": false, " crowd  \
  "},"                                                                                              \
  "{\"name\": \"b\", \"positions\": [[8, 5], [8, 4]]}]}"

static void scenes_explore(void **state) {
  (void)state;
  static const char text[] =
      SCENE("\"explore\": {\"target\": \"link\", \"sight\": 2.5, \"relax\": \"sensed\"}",
            "\"links\": {\"leader\": \"b\", \"focus\": \"a\"}, \"model\": \"bvp\", \"params\": {\"sweeps\": 40}");
  th_scene *scene = NULL;
  th_run *run = NULL;
  OK(th_scene_parse(text, strlen(text), &scene, &error));
  const th_explore_params *params = scene->guide[0].params;
  assert_ptr_equal(scene->guide[0].kind, &th_guide_explore);
  assert_true(params->sight == 2.5f && params->target == TH_EXPLORE_FOR_LINK && params->relax == TH_EXPLORE_SENSED);
  assert_int_equal(params->sweeps, 30);
  OK(th_run_make(&(th_run_def){.scene = scene}, &run, &error));
  th_world *world = th_run_world(run);
  th_agents all = th_world_agents(world);
  for (uint32_t row = 0; row < all.count; row++) {
    th_agent_def def;
    assert_true(th_world_agent_def(world, all.id[row], &def));
    bool searcher = th_run_population(run, all.id[row]) == 0;
    bool first = searcher && all.id[row].index == 1; /* no link of its own */
    assert_int_equal(def.link_count, !searcher ? 0 : first ? 1 : 2);
    if (!searcher) continue;
    assert_int_equal(def.link[0].role, TH_ROLE_LEADER);
    if (!first) assert_true(def.link[1].role == TH_ROLE_FOCUS && def.link[1].agent.index == 1);
    assert_int_equal(th_run_population(run, def.link[0].agent), 1);
    assert_int_equal(((const th_bvp_params *)def.params)->sweeps, 40); /* a change keeps what is not changed */
  }
  while (!th_run_done(run)) OK(th_run_step(run, &error));
  assert_int_equal(th_world_counters(world).arrived, 2);
  th_run_free(run);
  th_scene_free(scene);
}

static void bad_scenes_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *found;
  } bad[] = {
      {SCENE("\"explore\": {\"sigth\": 1}", "\"speed\": 1"), "sight"},
      {SCENE("\"explore\": {\"sight\": -1}", "\"speed\": 1"), "0.1"},
      {SCENE("\"explore\": {\"target\": \"moon\"}", "\"speed\": 1"), "link"},
      {SCENE("\"explore\": [1]", "\"speed\": 1"), "parameters"},
      {SCENE("\"explore\": {\"ahead\": 2}", "\"speed\": 1"), "ahead"},
      {SCENE("\"explore\": {}, \"path\": {\"points\": [[1, 1], [2, 2]]}", "\"speed\": 1"), "explore"},
      {SCENE("\"path\": {\"closed\": true}", "\"speed\": 1"), "points"},
      {SCENE("\"path\": {\"points\": [[1, 1]]}", "\"speed\": 1"), "at least 2"},
      {SCENE("\"path\": {\"points\": [[1, 1], [2, 2]], \"width\": -1}", "\"speed\": 1"), "width"},
      {SCENE("\"user\": {}", "\"speed\": 1"), "explore"},
      {SCENE("\"explore\": {}", "\"links\": {\"leader\": \"c\"}"), "name of a population"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    th_scene *scene = NULL;
    th_error error = {0};
    if (th_scene_parse(bad[i].text, strlen(bad[i].text), &scene, &error) == TH_OK) fail_msg("case %zu is read", i);
    if (!strstr(error.text, bad[i].found)) fail_msg("case %zu: %s: %s", i, error.where, error.text);
  }
}

static void wrong_parameters_are_refused(void **state) {
  (void)state;
  crew p;
  th_explore_params params = th_default_explore_params();
  crew_in_house(&p, &params, 1);
  params.sight = 0.0f;
  REFUSED(p.world, th_world_add_guide(p.world, &th_guide_explore, &params, NULL, &error), TH_ERROR_RANGE, "sight");
  params = th_default_explore_params();
  params.sweeps = 0;
  REFUSED(p.world, th_world_add_guide(p.world, &th_guide_explore, &params, NULL, &error), TH_ERROR_RANGE, "sweeps");
  params = th_default_explore_params();
  params.target = 4;
  REFUSED(p.world, th_world_add_guide(p.world, &th_guide_explore, &params, NULL, &error), TH_ERROR_RANGE, "target");
  params = th_default_explore_params();
  params.point.x = NAN;
  REFUSED(p.world, th_world_add_guide(p.world, &th_guide_explore, &params, NULL, &error), TH_ERROR_RANGE, "point");
  assert_null(th_world_guide_memory(p.world, (th_guide_id){7, 1, 0}, NULL));
  assert_int_equal(p.h.faults, 1); /* a stale id */
  p.h.faults = 0;
  crew_end(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unreachable_targets_are_told),
      cmocka_unit_test(links_are_searched_again),
      cmocka_unit_test(doors_are_seen),
      cmocka_unit_test(every_model_explores),
      cmocka_unit_test(random_houses_are_explored),
      cmocka_unit_test(workers_change_nothing),
      cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(scenes_explore),
      cmocka_unit_test(bad_scenes_are_refused),
      cmocka_unit_test(wrong_parameters_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
