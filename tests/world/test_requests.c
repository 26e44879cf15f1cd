/* tests/world/test_requests.c - fields are made beside the steps and come into force at a fixed step, whoever makes
 * them. */
#include "base/simd/simd.h"
#include "field/field.h"
#include "support/mesh_worlds.h"
#include "support/stage.h"
#include "world/field_requests.h"

static void begin(stage *s, uint32_t workers, uint32_t latency) {
  th_world_def def = th_default_world_def();
  def.workers = workers;
  def.latency = latency;
  stage_begin(s, worlds_house, &def);
}

static uint32_t pending(const th_world *world) {
  uint32_t count = 0;
  for (const th_request *r = world->request; r; r = r->next) count++;
  return count;
}

static void fields_come_after_their_latency(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 2; workers++) {
    for (uint32_t latency = 1; latency <= 5; latency += 2) {
      stage s;
      begin(&s, workers, latency);
      worlds_steps(s.world, 3);
      th_goal_id goal = worlds_goal(s.world, 5, 5);
      th_agent_id id = worlds_walker(s.world, 2, 8, goal);
      for (uint32_t i = 0; i < latency; i++) {
        assert_int_equal(pending(s.world), 1);
        assert_null(th_world_field(s.world, goal, 0.2f));
        th_vec2 p = worlds_at(s.world, id);
        assert_true(p.x == 2 && p.y == 8); /* waits for its field */
        th_world_step(s.world);
      }
      th_world_step(s.world);
      assert_int_equal(pending(s.world), 0);
      assert_non_null(th_world_field(s.world, goal, 0.2f));
      assert_true(worlds_at(s.world, id).y < 8);
      stage_end(&s);
    }
  }
}

/* The goal goes away while its field is being made; another takes its number and its place in the table. */
static void a_goal_may_go_while_its_field_is_made(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 2; workers++) {
    stage s;
    begin(&s, workers, 4);
    th_goal_id goal = worlds_goal(s.world, 5, 2);
    th_agent_id first = worlds_walker(s.world, 2, 8, goal);
    th_world_step(s.world);
    th_world_remove_goal(s.world, goal);
    th_world_remove_agent(s.world, first);
    th_goal_id other = worlds_goal(s.world, 5, 14);
    th_agent_id id = worlds_walker(s.world, 2, 8, other);
    assert_int_equal(other.index, goal.index);
    for (int i = 0; i < 4; i++) {
      th_world_step(s.world); /* the first field arrives meanwhile and must not be taken for the other's */
      assert_true(worlds_at(s.world, id).y == 8);
    }
    worlds_steps(s.world, 6);
    assert_true(worlds_at(s.world, id).y > 8);
    stage_end(&s);
  }
}

static void requests_may_be_withdrawn(void **state) {
  (void)state;
  stage s;
  begin(&s, 2, 3);
  th_goal_id goal[3];
  for (int i = 0; i < 3; i++) {
    goal[i] = worlds_goal(s.world, 2.0f + (float)i, 5);
    worlds_walker(s.world, 2, 8, goal[i]);
  }
  assert_int_equal(pending(s.world), 3);
  th_request_withdraw(s.world, 1);
  assert_int_equal(pending(s.world), 2);
  assert_int_equal(s.world->request->item[0].entry, 0);
  assert_int_equal(s.world->request->next->item[0].entry, 2);
  th_request_withdraw(s.world, 7); /* nothing of that name */
  assert_int_equal(pending(s.world), 2);
  worlds_steps(s.world, 5);
  stage_end(&s);
}

/* A world ends while its jobs run. */
static void a_world_may_be_freed_while_requests_wait(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  for (int i = 0; i < 10; i++) {
    th_ground *ground = worlds_house(&env);
    th_world_def def = th_default_world_def();
    th_world *world = NULL;
    def.env = env;
    def.ground = ground;
    def.workers = 2;
    OK(th_world_make(&def, &world, &error));
    for (int k = 0; k < 8; k++) worlds_walker(world, 2, 2, worlds_goal(world, 2.0f + (float)k * 0.5f, 5));
    OK(th_world_edit(world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
    if (i % 2) th_world_step(world);
    worlds_end(world, ground);
  }
  failing_assert_empty(&f);
}

/* More requests than the queue of jobs holds. */
static void more_requests_than_the_queue_holds_are_served(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 6, 6);
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.env = env;
  def.ground = ground;
  def.workers = 2;
  OK(th_world_make(&def, &world, &error));
  enum { COUNT = 1500 };
  for (uint32_t i = 0; i < COUNT; i++)
    worlds_walker(world, 3, 3, worlds_goal(world, 1.0f + 0.1f * (float)(i % 40), 1.0f + 0.1f * (float)(i / 40)));
  worlds_steps(world, 2);
  assert_int_equal(pending(world), 0);
  assert_int_equal(th_world_agents(world).count + th_world_counters(world).removed, COUNT);
  worlds_end(world, ground);
}

static void turn_west(th_world *world, bool close) {
  th_edit edit = {.kind = close ? TH_EDIT_CLOSE : TH_EDIT_OPEN, .name = "west"};
  OK(th_world_edit(world, &edit, 1, &error));
}

/* Goals of all kinds, asked for one by one and, by doors, all at once: whoever makes them, the same steps see them. */
/* shows: PLAN-05 */
static void field_threads_change_nothing(void **state) {
  (void)state;
  enum { GOALS = 12, STEPS = 40 };
  static uint64_t first[STEPS], next[STEPS];
  static const uint32_t threads[] = {0, 1, 2, 4, 3};
  for (uint32_t k = 0; k < 5; k++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_ground *ground = worlds_house(&env);
    th_world_def def = th_default_world_def();
    def.env = env;
    def.ground = ground;
    def.workers = k == 4 ? 3 : 1;
    def.field_threads = threads[k];
    def.latency = 2;
    th_world *world;
    OK(th_world_make(&def, &world, &error));
    assert_int_equal(world->jobs != NULL, threads[k] > 0);
    for (uint32_t step = 0; step < STEPS; step++) {
      if (step < GOALS) {
        th_vec2 at = {18.0f + 0.4f * (float)step, 2.0f + 0.9f * (float)step};
        th_goal_def goal = worlds_point_def(&at);
        goal.field = step % 2 ? TH_FIELD_GEODESIC : TH_FIELD_HARMONIC;
        goal.walls = step % 3 ? TH_WALLS_DIRICHLET : TH_WALLS_NEUMANN;
        th_goal_id id;
        OK(th_world_add_goal(world, &goal, &id, &error));
        th_agent_def agent = worlds_agent_def(2.0f, 1.0f + (float)step, id);
        agent.eps = 0.5f * (float)(step % 3);
        worlds_add(world, &agent);
      }
      if (step % 10 == 9) turn_west(world, step % 20 == 9);
      th_world_step(world);
      (k ? next : first)[step] = th_world_hash(world);
    }
    if (k) assert_memory_equal(first, next, sizeof first);
    assert_int_equal(h.faults, 0);
    worlds_end(world, ground);
  }
}

/* A comparison of instruction sets compares the solver too: also its factors use the set of the world, those after an
 * edit included. */
static void instruction_sets_of_factors_change_nothing(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    log_capture h = {0};
    th_env env = worlds_env(&h);
    th_make_params shape = mesh_grounds_shape(TH_MAKE_SHAPE_PLANE);
    th_ground *ground = k < 2 ? worlds_house(&env) : mesh_grounds_make(&env, &shape);
    th_world_def def = th_default_world_def();
    def.env = env;
    def.ground = ground;
    def.simd = k % 2 ? TH_SIMD_AUTO : TH_SIMD_FOUR;
    th_world *world;
    OK(th_world_make(&def, &world, &error));
    worlds_walker(world, 2, 8, worlds_goal(world, 5, 5));
    for (uint32_t n = 0; n < 2; n++) {
      worlds_steps(world, 12);
      const th_solver *solver = world->solver->solver;
      assert_int_equal(solver->cached_count, 1);
      assert_ptr_equal(solver->cached[0].factor->fronts->dense, th_dense_pick(th_simd_choose(def.simd)));
      if (k < 2) turn_west(world, true);
    }
    worlds_end(world, ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_come_after_their_latency),
      cmocka_unit_test(a_goal_may_go_while_its_field_is_made),
      cmocka_unit_test(requests_may_be_withdrawn),
      cmocka_unit_test(a_world_may_be_freed_while_requests_wait),
      cmocka_unit_test(more_requests_than_the_queue_holds_are_served),
      cmocka_unit_test(field_threads_change_nothing),
      cmocka_unit_test(instruction_sets_of_factors_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
