/* tests/people/test_same_crowd.c - the same crowd from C and from a scene, to the last bit. */
#include "support/scene_runs.h"
#include "support/worlds.h"

static const char hall[] =
    "{\"version\": 1, \"name\": \"hall\", \"duration\": 60, \"ground\": {\"cell\": 0.25, %s},"
    "\"goals\": [{\"name\": \"exit\", \"point\": [19, 5], \"sink\": true}],"
    "\"populations\": [{\"name\": \"people\", \"positions\": [[2, 3], [3, 3], [4, 3], [5, 3], [2, 4], [3, 4], [4, 4], "
    "[5, 4], "
    "[2, 5], [3, 5], [4, 5], [5, 5], [2, 6], [3, 6], [4, 6], [5, 6]], \"route\": [\"exit\"]}]}";
static const char ground_text[] =
    "\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}], \"obstacles\": [{\"rectangle\": [[9, 0], [9.5, 4.5]]}, "
    "{\"rectangle\": [[9, 5.5], [9.5, 10]]}]";

static th_world *from_c(const th_env *env) {
  th_vec2 corner[3][4];
  const th_polygon outline = th_box_polygon(0, 0, 20, 10, corner[0]);
  const th_polygon wall[2] = {th_box_polygon(9, 0, 9.5f, 4.5f, corner[1]),
                              th_box_polygon(9, 5.5f, 9.5f, 10, corner[2])};
  th_flat_def flat = th_default_flat_def();
  flat.env = *env, flat.outline = &outline, flat.outline_count = 1, flat.obstacle = wall, flat.obstacle_count = 2;
  flat.cell = 0.25f;
  th_world_def def = th_default_world_def();
  def.env = *env;
  th_world *world = NULL;
  OK(th_ground_make_flat(&flat, &def.ground, &error));
  OK(th_world_make(&def, &world, &error));
  th_ground_release(def.ground);
  th_goal_def exit = th_default_goal_def();
  exit.shape = th_point_shape(19, 5), exit.sink = true;
  th_agent_def someone = th_default_agent_def();
  someone.route_count = 1;
  OK(th_world_add_goal(world, &exit, &someone.route[0].goal, &error));
  for (int i = 0; i < 16; i++) {
    someone.point = (th_vec3){2.0f + (float)(i % 4), 3.0f + (float)(i / 4), 0.0f};
    OK(th_world_add_agents(world, &someone, 1, NULL, &error));
  }
  return world;
}

/* th_default_agent_def is a person as scenes have it, and contact rounds follow by themselves. */
static void c_and_scene_are_one_crowd(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_world *world = from_c(&env);
  scene_run s = scene_run_make(hall, ground_text, (th_run_def){.seed = 1, .workers = 1});
  for (int n = 0; n < 400 && !th_world_done(world); n++) {
    th_world_step(world);
    OK(th_run_step(s.run, &error));
    const th_agents a = th_world_agents(world), b = th_world_agents(th_run_world(s.run));
    assert_int_equal(a.count, b.count);
    for (uint32_t i = 0; i < a.count; i++) assert_true(a.x[i] == b.x[i] && a.y[i] == b.y[i] && a.body[i] == b.body[i]);
  }
  print_message("all out after %.1f s\n", th_world_time(world));
  assert_true(th_world_done(world) && th_world_counters(world).arrived == 16);
  assert_true(th_world_time(world) == th_world_time(th_run_world(s.run)));
  scene_run_free(&s);
  th_world_free(world);
  assert_int_equal(h.faults, 0);
}

/* What a scene and a population say about people reaches their agents; what they do not say is the default. */
static void parameters_reach_their_agents(void **state) {
  (void)state;
  static const char text[] =
      "{\"version\": 1, \"name\": \"sets\", \"duration\": 5, \"people\": {\"time_gap\": 1.2, \"time_gap_spread\": 0},"
      "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 10]]}]}, \"populations\": ["
      "{\"name\": \"as the scene\", \"positions\": [[1, 1]]},"
      "{\"name\": \"own\", \"positions\": [[3, 1]], \"people\": {\"shoulders\": 0.8}},"
      "{\"name\": \"bodies\", \"positions\": [[5, 1]], \"people\": false}]%s}";
  scene_run s = scene_run_make(text, "", (th_run_def){.seed = 1, .workers = 1});
  th_world *world = th_run_world(s.run);
  const th_agents a = th_world_agents(world);
  th_agent_def def[3];
  for (uint32_t i = 0; i < 3; i++) assert_true(th_world_agent_def(world, a.id[i], &def[i]));
  assert_true(def[0].people->time_gap == 1.2f && def[0].people->shoulders == th_default_people.shoulders);
  assert_true(def[1].people->time_gap == 1.2f && def[1].people->shoulders == 0.8f);
  assert_true(!def[2].people && def[2].acceleration_max == 8.0f && def[0].acceleration_max == 2.0f);
  scene_run_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(c_and_scene_are_one_crowd),
      cmocka_unit_test(parameters_reach_their_agents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
