/* tests/world/agent/test_premovement.c - people stand until their time comes: seen, giving way, the same after a
 * snapshot. */
#include "support/mesh_worlds.h"
#include "throng/model/orca.h"

static th_agent_id stander(th_world *world, float x, float y, th_goal_id goal, float premovement) {
  th_agent_def def = worlds_agent_def(x, y, goal);
  def.premovement = premovement;
  return worlds_add(world, &def);
}

static float moved(const th_world *world, th_agent_id id, th_vec3 from) {
  return mesh_grounds_apart(th_world_agent_point(world, id), from);
}

/* Each sets off at its own time, to the step, and tells so once. */
static void each_sets_off_at_its_time(th_ground *ground, const th_env *env) {
  static const float time[4] = {0.0f, 0.5f, 2.0f, 3.14f};
  th_world *world = worlds_make(ground, env);
  th_goal_id goal = worlds_goal(world, 18, 5);
  th_agent_id id[4];
  th_vec3 from[4];
  uint32_t told[4] = {0};
  double began[4] = {-1, -1, -1, -1};
  for (int i = 0; i < 4; i++) {
    id[i] = stander(world, 3.0f, 2.0f + 2.0f * (float)i, goal, time[i]);
    from[i] = th_world_agent_point(world, id[i]);
    assert_int_equal(th_world_agent_state(world, id[i]), i ? TH_AGENT_PREMOVEMENT : TH_AGENT_WALKING);
  }
  for (int step = 0; step < 50; step++) {
    const double before = th_world_time(world);
    assert_false(th_world_done(world));
    th_world_step(world);
    for (int i = 0; i < 4; i++) {
      told[i] += worlds_events(world, TH_EVENT_SET_OFF, id[i]);
      if (began[i] < 0 && moved(world, id[i], from[i]) > 1e-3f) began[i] = before;
    }
  }
  for (int i = 0; i < 4; i++) {
    assert_true(began[i] >= (double)time[i] - 1e-4 && began[i] <= (double)time[i] + 0.1001);
    assert_int_equal(told[i], i > 0);
  }
  th_world_free(world);
}

static void people_set_off_at_their_time(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params plane = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
  plane.length = 20.0f, plane.width = 10.0f;
  th_ground *ground[2] = {worlds_box(&env, 20, 10), mesh_grounds_make(&env, &plane)};
  for (int i = 0; i < 2; i++) {
    each_sets_off_at_its_time(ground[i], &env);
    th_ground_release(ground[i]);
  }
  assert_int_equal(h.faults, 0);
}

/* A delay comes first: the premovement time counts from the moment of entering. */
static void premovement_follows_the_delay(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 10);
  th_world *world = worlds_make(ground, &env);
  th_agent_def def = worlds_agent_def(3, 5, worlds_goal(world, 18, 5));
  def.delay = 1.0f;
  def.premovement = 1.0f;
  th_agent_id id = worlds_add(world, &def);
  th_agent_def now;
  assert_int_equal(th_world_agent_state(world, id), TH_AGENT_DELAYED);
  worlds_steps(world, 15);
  assert_int_equal(th_world_agent_state(world, id), TH_AGENT_PREMOVEMENT);
  assert_true(th_world_agent_def(world, id, &now) && fabsf(now.premovement - 0.5f) < 1e-4f && now.delay == 0.0f);
  uint64_t hash = th_world_hash(world);
  OK(th_world_change_agent(world, id, &now, &error)); /* as it is: nothing changes */
  assert_true(th_world_hash(world) == hash);
  worlds_steps(world, 6);
  assert_int_equal(th_world_agent_state(world, id), TH_AGENT_WALKING);
  assert_true(th_world_agent_def(world, id, &now) && now.premovement == 0.0f);
  def.premovement = -1.0f;
  def.delay = 0.0f;
  REFUSED(world, th_world_add_agent(world, &def, NULL, &error), TH_ERROR_RANGE, "premovement");
  worlds_end(world, ground);
}

/* A new time counts from now; a new route makes it set off at once. */
static void plans_may_change_before_it_sets_off(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 10);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal(world, 18, 5), other = worlds_goal(world, 18, 9);
  th_agent_id later = stander(world, 3, 3, goal, 2.0f), sooner = stander(world, 3, 5, goal, 50.0f);
  th_agent_def now;
  worlds_steps(world, 10);
  assert_true(th_world_agent_def(world, later, &now));
  now.premovement = 4.0f;
  OK(th_world_change_agent(world, later, &now, &error));
  OK(th_world_set_goal(world, sooner, other, &error));
  worlds_steps(world, 30);
  assert_int_equal(th_world_agent_state(world, later), TH_AGENT_PREMOVEMENT);
  assert_int_equal(th_world_agent_state(world, sooner), TH_AGENT_WALKING);
  worlds_steps(world, 11);
  assert_int_equal(th_world_agent_state(world, later), TH_AGENT_WALKING);
  worlds_end(world, ground);
}

/* Somebody who stands in a corridor is passed, never walked through. */
static void who_stands_is_seen_and_gives_way(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 2);
  th_world *world = worlds_make(ground, &env);
  th_goal_id goal = worlds_goal(world, 19, 1);
  th_agent_def def = worlds_agent_def(3, 1, goal);
  def.model = &th_model_orca;
  th_agent_id walks = worlds_add(world, &def);
  def.point.x = 8.0f, def.premovement = 100.0f;
  th_agent_id stands = worlds_add(world, &def);
  const th_vec3 from = th_world_agent_point(world, stands);
  float nearest = INFINITY, farthest = 0.0f;
  for (int step = 0; step < 120 && th_world_has_agent(world, walks); step++) {
    th_world_step(world);
    if (!th_world_has_agent(world, walks)) break;
    nearest =
        fminf(nearest, mesh_grounds_apart(th_world_agent_point(world, stands), th_world_agent_point(world, walks)));
    farthest = fmaxf(farthest, moved(world, stands, from));
  }
  assert_true(nearest > 0.39f);                   /* radii of 0.2 m */
  assert_true(farthest > 0.01f);                  /* gives way */
  assert_true(moved(world, stands, from) < 1.0f); /* but does not walk along */
  assert_int_equal(th_world_agent_state(world, stands), TH_AGENT_PREMOVEMENT);
  worlds_end(world, ground);
}

static void a_restored_world_goes_on(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 10);
  th_world *world = worlds_make(ground, &env), *twin = worlds_make(ground, &env);
  stander(world, 3, 3, worlds_goal(world, 18, 5), 2.0f);
  stander(twin, 3, 3, worlds_goal(twin, 18, 5), 2.0f);
  worlds_steps(world, 10);
  worlds_saved saved = worlds_save(world);
  OK(th_world_restore(twin, saved.memory, saved.size, &error));
  free(saved.memory);
  worlds_steps(world, 30);
  worlds_steps(twin, 30);
  assert_true(th_world_hash(world) == th_world_hash(twin));
  th_world_free(twin);
  worlds_end(world, ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(people_set_off_at_their_time),
      cmocka_unit_test(premovement_follows_the_delay),
      cmocka_unit_test(plans_may_change_before_it_sets_off),
      cmocka_unit_test(who_stands_is_seen_and_gives_way),
      cmocka_unit_test(a_restored_world_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
