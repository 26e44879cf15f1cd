/* tests/world/test_world_memory.c - a step allocates nothing; whichever allocation of a call fails, the call says so,
 * nothing leaks and the world is as it was before. */
#include "support/busy_world.h"
#include "support/slow.h"
#include "world/field_requests.h"

static th_result make_all(const th_env *env, void *context) {
  const busy_def *wish = context;
  busy_def def = *wish;
  def.env = *env;
  busy b;
  th_error error = {0};
  th_result result = busy_try(&b, &def, &error);
  if (result) {
    assert_true(strlen(error.text) > 5);
    return result;
  }
  busy_end(&b);
  return TH_OK;
}

static void making_survives_failing_allocations(void **state) {
  (void)state;
  busy_def def = BUSY_DEF(failing_env(NULL)); /* replaced */
  def.cell = 1.0f;
  def.capacity = 16; /* grows on the way */
  assert_true(failing_every(make_all, &def) > 200);
}

/* One call on a prepared world, with each of its allocations failing in turn. */
typedef struct trial {
  const char *name;
  th_result (*call)(busy *b, th_error *error);
} trial;

static th_result add_goal(busy *b, th_error *error) {
  th_vec2 at = {5, 5};
  th_goal_def def = worlds_point_def(&at);
  for (int i = 0; i < 13; i++) { /* the last of these needs more room */
    th_result result = th_world_add_goal(b->world, &def, NULL, error);
    if (result) return result;
  }
  return TH_OK;
}

static th_result add_one_goal(busy *b, th_error *error) {
  th_vec2 at = {5, 5};
  th_goal_def def = worlds_point_def(&at);
  return th_world_add_goal(b->world, &def, NULL, error);
}

static th_result add_agents(busy *b, th_error *error) {
  th_agent_def def[400];
  for (uint32_t i = 0; i < 400; i++) {
    def[i] = worlds_agent_def(1.0f + 0.015f * (float)i, 1.5f, b->goal[i % 5]);
    def[i].radius = i % 3 ? 0.2f : 0.3f;
    def[i].eps = 0.25f * (float)(i % 4);
  }
  return th_world_add_agents(b->world, def, 400, NULL, error);
}

static th_result change_agent(busy *b, th_error *error) {
  th_agent_def def = worlds_agent_def(1, 1, b->goal[2]);
  def.eps = 1.75f;
  def.route[1].goal = b->goal[3];
  def.route_count = 2;
  return th_world_change_agent(b->world, b->walker[1], &def, error);
}

static th_result set_route(busy *b, th_error *error) {
  const th_stop stop[2] = {{.goal = b->goal[3], .wait = 1.0f}, {.goal = b->goal[4]}};
  return th_world_set_route(b->world, b->walker[1], stop, 2, 1, error);
}

static th_result set_radius(busy *b, th_error *error) {
  return th_world_set_radius(b->world, b->walker[1], 1.4f, error);
}

static th_result add_source(busy *b, th_error *error) {
  static const th_vec2 region[4] = {{1, 1}, {3, 1}, {3, 3}, {1, 3}};
  th_source_def def = th_default_source_def();
  def.agent.model = &th_model_follow;
  def.agent.route[0].goal = b->goal[1];
  def.agent.route[1].goal = b->goal[2];
  def.agent.route_count = 2;
  def.agent.eps = 1.25f;
  def.region = (th_polygon){NULL, region, 4};
  return th_world_add_source(b->world, &def, NULL, error);
}

static th_result add_guide(busy *b, th_error *error) {
  th_path_params path = {.point = busy_path, .count = 4, .ahead = 1.0f};
  return th_world_add_guide(b->world, &th_guide_path, &path, NULL, error);
}

static th_result edit(busy *b, th_error *error) {
  worlds_rect box = worlds_rectangle(17, 6, 18, 7);
  th_edit list[2] = {{.kind = TH_EDIT_OPEN, .name = "west"}, {.kind = TH_EDIT_ADD, .shape = {"stone", box.point, 4}}};
  return th_world_edit(b->world, list, 2, error);
}

static th_result move_goal(busy *b, th_error *error) {
  th_vec3 line[3] = {{4, 4, 0}, {5, 4, 0}, {5, 5, 0}};
  th_shape shape = {.kind = TH_SHAPE_LINE, .point = line, .count = 3};
  return th_world_move_goal(b->world, b->goal[0], &shape, error);
}

static th_result reserve(busy *b, th_error *error) { return th_world_reserve(b->world, 1500, error); }

static void *kept;
static size_t cached_size;

static th_result restore(busy *b, th_error *error) { return th_world_restore(b->world, kept, cached_size, error); }

static void keep_snapshot(const th_world *world) {
  cached_size = th_world_snapshot(world, NULL, 0);
  kept = malloc(cached_size);
  th_world_snapshot(world, kept, cached_size);
}

/* Prepares a world at step 13 (fields and edits pending), fails allocation number n of the call; true when it passed.
 */
static bool try_at(const trial *t, uint64_t n, uint32_t workers) {
  failing f = {0};
  busy_def def = BUSY_DEF(failing_env(&f));
  busy b;
  def.workers = workers;
  def.capacity = 70;
  def.cell = 1.0f;
  busy_make(&b, &def);
  busy_steps(&b, 13);
  uint64_t before = th_world_hash(b.world);
  f.fail_at = atomic_load(&f.calls) + n;
  th_error error = {0};
  th_result result = t->call(&b, &error);
  bool failed = atomic_load(&f.failed) != 0;
  f.fail_at = 0;
  if (failed && workers == 1) {
    if (result != TH_ERROR_MEMORY)
      fail_msg("%s: allocation %u failed: %s", t->name, (unsigned)n, th_result_name(result));
    if (t->call != add_goal && th_world_hash(b.world) != before)
      fail_msg("%s: allocation %u failed: half applied", t->name, (unsigned)n);
  }
  if (!failed) assert_int_equal(result, TH_OK);
  if (t->call != reserve && t->call != restore)
    busy_steps(&b, 2); /* the world must still be sound */
  else
    worlds_steps(b.world, 2);
  size_t size = th_world_snapshot(b.world, NULL, 0);
  assert_true(size > 0);
  busy_end(&b);
  failing_assert_empty(&f);
  return !failed;
}

static void every(const trial *t, uint32_t workers) {
  uint64_t n = 1, stride = LONG_RUN(1, 5);
  while (!try_at(t, n, workers)) {
    n += stride;
    if (n > 400) stride = LONG_RUN(7, 35); /* growing all columns makes many alike */
    if (n > 100000) fail_msg("%s: never succeeds", t->name);
  }
}

static void calls_survive_failing_allocations(void **state) {
  (void)state;
  static const trial trials[] = {
      {"add_goal", add_goal},   {"add one goal", add_one_goal}, {"add_agents", add_agents},
      {"change", change_agent}, {"add_source", add_source},     {"add_guide", add_guide},
      {"edit", edit},           {"move_goal", move_goal},       {"reserve", reserve},
      {"set_route", set_route}, {"set_radius", set_radius},
  };
  for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) every(&trials[i], 1);
}

/* A background job that runs out of memory must not crash, leak or hang; agents then wait. */
static void jobs_survive_failing_allocations(void **state) {
  (void)state;
  static const trial trials[] = {{"edit", edit}, {"move_goal", move_goal}, {"add_source", add_source}};
  for (size_t i = 0; i < 3; i++)
    for (uint64_t n = 1; n < 60; n += 3) try_at(&trials[i], n, 2);
}

static void restore_survives_failing_allocations(void **state) {
  (void)state;
  static const trial t = {"restore", restore};
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy b;
  def.cell = 1.0f;
  busy_make(&b, &def);
  busy_steps(&b, 29); /* several versions of the ground, fields and edits pending */
  keep_snapshot(b.world);
  busy_end(&b);
  every(&t, 1);
  free(kept);
}

static void a_step_allocates_nothing(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 2; workers++) {
    failing f = {0};
    busy_def def = BUSY_DEF(failing_env(&f));
    busy b;
    def.workers = workers;
    busy_make(&b, &def);
    uint64_t added = th_world_counters(b.world).added;
    for (uint32_t i = 0; i < 60; i++) {
      OK(busy_act(&b, &error));
      th_requests_wait(b.world); /* background jobs may allocate until here */
      failing_lock(&f);
      th_world_step(b.world);
      th_world_step(b.world);
      failing_unlock(&f);
    }
    assert_true(th_world_counters(b.world).added > added + 50); /* sources were at work */
    busy_end(&b);
    failing_assert_empty(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(making_survives_failing_allocations),
      cmocka_unit_test(calls_survive_failing_allocations),
      cmocka_unit_test(jobs_survive_failing_allocations),
      cmocka_unit_test(restore_survives_failing_allocations),
      cmocka_unit_test(a_step_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
