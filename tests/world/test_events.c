/* tests/world/test_events.c - events: each once, sorted by (kind, agent), of the last step and of the calls since. */
#include "support/stage.h"
#include "world/world.h"

static void check_sorted(const th_world *world) {
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  for (uint32_t i = 1; i < count; i++) {
    assert_true(event[i - 1].kind <= event[i].kind);
    if (event[i - 1].kind == event[i].kind) assert_true(event[i - 1].agent.index <= event[i].agent.index);
  }
}

static void begin(stage *s, uint32_t events) {
  th_world_def def = th_default_world_def();
  def.event_capacity = events;
  stage_begin(s, worlds_house, &def);
}

static void events_are_sorted(void **state) {
  (void)state;
  stage s;
  begin(&s, 4096);
  th_goal_id near = worlds_goal(s.world, 4, 4), far = worlds_goal(s.world, 4, 14);
  for (int i = 0; i < 120; i++) {
    th_agent_def def =
        worlds_agent_def(1.0f + 0.05f * (float)i, 3.0f + 0.01f * (float)(i * 37 % 100), i % 2 ? near : far);
    if (i % 5 == 0) def.delay = 0.1f * (float)(i % 11);
    worlds_add(s.world, &def);
  }
  uint64_t total = 0;
  for (int n = 0; n < 120; n++) {
    th_world_step(s.world);
    check_sorted(s.world);
    uint32_t count;
    const th_event *event = th_world_events(s.world, &count);
    for (uint32_t i = 0; i < count; i++) assert_true(event[i].step + 1 >= th_world_step_count(s.world));
    total += count;
  }
  assert_true(total > 150);
  stage_end(&s);
}

static void calls_make_events(void **state) {
  (void)state;
  stage s;
  begin(&s, 4096);
  th_agent_id id[40];
  for (int i = 0; i < 40; i++) id[i] = worlds_walker(s.world, 1.0f + 0.15f * (float)i, 3, NOWHERE);
  th_world_step(s.world);
  for (int i = 39; i >= 0; i -= 3) th_world_remove_agent(s.world, id[i]);
  check_sorted(s.world);
  assert_int_equal(worlds_events(s.world, TH_EVENT_REMOVED, NOBODY), 14);
  th_agent_id again = worlds_walker(s.world, 3, 3, NOWHERE); /* takes the lowest free number */
  th_world_remove_agent(s.world, again);
  check_sorted(s.world);
  assert_int_equal(worlds_events(s.world, TH_EVENT_REMOVED, again), 2);
  th_world_step(s.world);
  assert_int_equal(worlds_events(s.world, TH_EVENT_REMOVED, NOBODY), 0); /* until the next step */
  stage_end(&s);
}

/* Counters go on when the list is full. */
static void a_full_list_drops_events(void **state) {
  (void)state;
  stage s;
  begin(&s, 5);
  th_goal_id goal = worlds_goal(s.world, 4, 4);
  for (int i = 0; i < 30; i++) worlds_walker(s.world, 4.0f + 0.01f * (float)i, 4, goal);
  uint32_t max = 0, count;
  for (int n = 0; n < 60; n++) {
    th_world_step(s.world);
    th_world_events(s.world, &count);
    max = count > max ? count : max;
    check_sorted(s.world);
  }
  th_counters c = th_world_counters(s.world);
  assert_int_equal(max, 5);
  assert_int_equal(c.arrived, 30);
  assert_int_equal(c.removed, 30);
  assert_true(c.dropped_events >= 10);
  stage_end(&s);
}

static void delayed_agents_are_told(void **state) {
  (void)state;
  stage s;
  begin(&s, 100);
  th_goal_id goal = worlds_goal(s.world, 4, 4);
  th_agent_def def = worlds_agent_def(2, 2, goal);
  def.delay = 0.5f;
  th_agent_id id = worlds_add(s.world, &def);
  for (int n = 0; n < 5; n++) {
    assert_int_equal(worlds_state(s.world, id), TH_AGENT_DELAYED);
    assert_int_equal(th_world_within(s.world, (th_vec3){2, 2, 0}, 1, NULL, NULL, 0), 0); /* not there yet */
    assert_false(th_world_done(s.world));
    th_world_step(s.world);
    assert_int_equal(worlds_events(s.world, TH_EVENT_ADDED, id), 0);
  }
  th_world_step(s.world);
  assert_int_equal(worlds_events(s.world, TH_EVENT_ADDED, id), 1);
  assert_int_equal(worlds_state(s.world, id), TH_AGENT_WALKING);
  worlds_steps(s.world, 3);
  assert_true(worlds_at(s.world, id).x > 2.0f);
  stage_end(&s);
}

static void stand(void *user, const th_work *work) {
  (void)user;
  (void)work;
}

/* Whoever gets nowhere for 10 s is told, again after another 10 s; whoever walks is not. */
static void stuck_agents_are_told(void **state) {
  (void)state;
  stage s;
  begin(&s, 100);
  th_goal_id goal = worlds_goal(s.world, 22, 3);
  th_user_params host = {stand, NULL, 2.0f, 1};
  th_agent_def def = worlds_agent_def(2, 2, goal);
  def.model = &th_model_user;
  def.params = &host;
  th_agent_id lazy = worlds_add(s.world, &def);
  def = worlds_agent_def(4, 8, goal);
  def.speed = 0.1f;
  th_agent_id slow = worlds_add(s.world, &def);
  uint32_t stuck = 0, moving = 0, first = 0;
  for (uint32_t n = 1; n <= 250; n++) {
    th_world_step(s.world);
    uint32_t now = worlds_events(s.world, TH_EVENT_STUCK, lazy);
    if (now && !first) first = n;
    stuck += now;
    moving += worlds_events(s.world, TH_EVENT_STUCK, slow);
  }
  assert_int_equal(stuck, 2);
  assert_int_equal(moving, 0);
  assert_true(first >= 100 && first <= 105);
  assert_int_equal(th_world_counters(s.world).stuck, 2);
  stage_end(&s);
}

static void wall_contacts_are_counted(void **state) {
  (void)state;
  stage s;
  begin(&s, 100);
  static const th_vec3 through[2] = {{1, 1, 0}, {14, 1, 0}};
  th_path_params path = {.point = through, .count = 2, .ahead = 1.0f};
  th_guide_id guide;
  OK(th_world_add_guide(s.world, &th_guide_path, &path, &guide, &error));
  th_agent_def def = worlds_agent_def(1, 1, NOWHERE);
  def.guide = guide;
  th_agent_id id = worlds_add(s.world, &def);
  worlds_steps(s.world, 20);
  assert_int_equal(th_world_counters(s.world).wall_contacts, 0);
  worlds_steps(s.world, 60); /* the wall at x = 8 is in the way */
  assert_true(th_world_counters(s.world).wall_contacts > 10);
  float x = worlds_at(s.world, id).x;
  assert_true(x > 7.6f && x < 7.9f - 0.19f);
  stage_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_are_sorted),        cmocka_unit_test(calls_make_events),
      cmocka_unit_test(a_full_list_drops_events), cmocka_unit_test(delayed_agents_are_told),
      cmocka_unit_test(stuck_agents_are_told),    cmocka_unit_test(wall_contacts_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
