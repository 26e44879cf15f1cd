/* tests/world/agent/test_sources.c - sources emit at their rate, in their region, within their time; a full world is
 * told. */
#include "geometry/polygon.h"
#include "support/stage.h"
#include "throng/guide.h"

static void begin(stage *s, uint32_t capacity) {
  th_world_def def = th_default_world_def();
  def.agent_capacity = capacity;
  stage_begin(s, worlds_house, &def);
  s->goal = worlds_goal(s->world, 22, 3);
}

static th_source_def source_def(const stage *s) {
  th_source_def def = th_default_source_def();
  def.agent.model = &th_model_follow;
  static const th_vec2 room[4] = {{1, 1}, {7, 1}, {7, 7}, {1, 7}};
  def.region = (th_polygon){NULL, room, 4};
  def.agent.route[0].goal = s->goal;
  def.agent.route_count = 1;
  return def;
}

static th_source_id add(stage *s, const th_source_def *def) {
  th_source_id id = TH_NULL_SOURCE;
  OK(th_world_add_source(s->world, def, &id, &error));
  return id;
}

static void sources_keep_their_rate(void **state) {
  (void)state;
  static const float rates[] = {0.7f, 3.0f, 10.0f};
  for (int i = 0; i < 3; i++) {
    stage s;
    begin(&s, 1000);
    th_source_def def = source_def(&s);
    def.rate = rates[i];
    th_source_id source = add(&s, &def);
    worlds_steps(s.world, 100);
    double due = (double)rates[i] * 10.0;
    uint64_t added = th_world_counters(s.world).added;
    if ((double)added < due - 1.5 || (double)added > due + 0.5)
      fail_msg("rate %g: %u in 10 s", (double)rates[i], (unsigned)added);
    assert_int_equal(th_world_source_emitted(s.world, source), added);
    stage_end(&s);
  }
}

/* New agents stand in the region, clear of walls and of each other, with sizes and speeds in their spreads. */
static void sources_emit_at_free_spots(void **state) {
  (void)state;
  stage s;
  begin(&s, 1000);
  th_source_def def = source_def(&s);
  static const th_vec2 triangle[3] = {{1, 1}, {7.5f, 1}, {1, 8}};
  def.region = (th_polygon){NULL, triangle, 3};
  def.rate = 8.0f;
  def.spread.radius = th_uniform_spread(0.1f, 0.3f);
  def.spread.speed = th_default_spread(TH_SPREAD_NORMAL, 1.34f, 0.4f);
  add(&s, &def);
  float min = 9, max = 0, slow = 9, fast = 0;
  uint32_t seen = 0;
  for (int n = 0; n < 100; n++) {
    th_world_step(s.world);
    uint32_t count;
    const th_event *event = th_world_events(s.world, &count);
    th_agents a = th_world_agents(s.world);
    for (uint32_t i = 0; i < count; i++) {
      if (event[i].kind != TH_EVENT_ADDED) continue;
      uint32_t row = th_world_row(s.world, event[i].agent);
      float x = a.x[row], y = a.y[row], r = a.radius[row];
      th_agent_def made;
      th_world_agent_def(s.world, event[i].agent, &made);
      assert_true(th_polygon_holds(triangle, 3, (double)x, (double)y));
      assert_true(th_ground_clearance(s.ground, x, y) >= r);
      for (uint32_t k = 0; k < a.count; k++)
        if (k != row && hypotf(a.x[k] - x, a.y[k] - y) < r + a.radius[k] - 1e-4f)
          fail_msg("step %d: on top of another", n);
      min = fminf(min, r), max = fmaxf(max, r);
      slow = fminf(slow, made.speed), fast = fmaxf(fast, made.speed);
      assert_true(made.speed >= 0.14f - 1e-5f && made.speed_max >= made.speed);
      seen++;
    }
  }
  assert_true(seen > 50);
  assert_true(min >= 0.1f && max <= 0.3f && max - min > 0.12f);
  assert_true(fast - slow > 0.8f && slow > 0.1f && fast < 1.34f + 1.3f);
  stage_end(&s);
}

static void sources_keep_time_and_total(void **state) {
  (void)state;
  stage s;
  begin(&s, 1000);
  th_source_def def = source_def(&s);
  def.rate = 5.0f;
  def.begin = 2.0f;
  def.end = 4.0f;
  add(&s, &def);
  assert_false(th_world_done(s.world));
  worlds_steps(s.world, 19);
  assert_int_equal(th_world_counters(s.world).added, 0);
  worlds_steps(s.world, 30);
  uint64_t added = th_world_counters(s.world).added;
  assert_true(added >= 9 && added <= 11);
  def.begin = 0.0f;
  def.end = INFINITY;
  def.total = 7;
  add(&s, &def);
  worlds_steps(s.world, 60);
  assert_int_equal(th_world_counters(s.world).added, added + 7);
  for (int n = 0; n < 600 && !th_world_done(s.world); n++) th_world_step(s.world);
  assert_true(th_world_done(s.world));
  assert_int_equal(th_world_agents(s.world).count, 0);
  stage_end(&s);
}

/* Events name the source that emitted, or could not; those of an agent whose delay ended name none. */
static void events_name_the_source(void **state) {
  (void)state;
  stage s;
  begin(&s, 6);
  th_source_def def = source_def(&s);
  th_source_id id[2];
  def.rate = 10.0f;
  for (uint32_t k = 0; k < 2; k++) {
    def.agent.speed = k ? 0.5f : 1.0f;
    assert_int_equal(th_world_add_source(s.world, &def, &id[k], NULL), TH_OK);
  }
  uint32_t added = 0, full = 0;
  for (int n = 0; n < 10; n++) {
    uint32_t count;
    th_world_step(s.world);
    const th_event *event = th_world_events(s.world, &count);
    for (uint32_t i = 0; i < count; i++) {
      th_agent_def made;
      bool second = th_same_source(event[i].source, id[1]);
      if (event[i].kind != TH_EVENT_ADDED && event[i].kind != TH_EVENT_FULL) continue;
      assert_true(second || th_same_source(event[i].source, id[0]));
      full += event[i].kind == TH_EVENT_FULL;
      if (event[i].kind == TH_EVENT_FULL) continue;
      assert_true(th_world_agent_def(s.world, event[i].agent, &made));
      assert_true(made.speed == (second ? 0.5f : 1.0f));
      added++;
    }
  }
  assert_int_equal(added, 6);
  assert_true(full > 0);
  stage_end(&s);
}

/* No room in the world, then no room in the region: events, no crash, and emission goes on when there is room again. */
static void a_full_world_is_told(void **state) {
  (void)state;
  stage s;
  begin(&s, 10);
  th_source_def def = source_def(&s);
  def.rate = 20.0f;
  def.agent.speed = 0.0f;
  add(&s, &def);
  worlds_steps(s.world, 20);
  assert_int_equal(th_world_agents(s.world).count, 10);
  assert_true(worlds_events(s.world, TH_EVENT_FULL, NOBODY) > 0);
  th_world_remove_agent(s.world, th_world_agents(s.world).id[3]);
  worlds_steps(s.world, 2);
  assert_int_equal(th_world_agents(s.world).count, 10);
  stage_end(&s);
  begin(&s, 1000);
  def = source_def(&s);
  const worlds_rect narrow = worlds_rectangle(1, 1, 2, 2);
  def.region.point = narrow.point;
  def.rate = 50.0f;
  def.agent.speed = 0.0f;
  add(&s, &def);
  worlds_steps(s.world, 40);
  assert_true(th_world_agents(s.world).count < 16);
  assert_true(worlds_events(s.world, TH_EVENT_FULL, NOBODY) > 0);
  assert_int_equal(s.h.faults, 0);
  stage_end(&s);
}

static void wrong_sources_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s, 100);
#define WRONG(field, value, code, name)                                             \
  do {                                                                              \
    th_source_def def = source_def(&s);                                             \
    def.field = value;                                                              \
    REFUSED(s.world, th_world_add_source(s.world, &def, NULL, &error), code, name); \
  } while (0)
  WRONG(rate, 0.0f, TH_ERROR_RANGE, "rate");
  WRONG(rate, -1.0f, TH_ERROR_RANGE, "rate");
  WRONG(rate, NAN, TH_ERROR_RANGE, "rate");
  WRONG(rate, 2e4f, TH_ERROR_RANGE, "rate");
  WRONG(begin, -1.0f, TH_ERROR_RANGE, "end");
  WRONG(begin, NAN, TH_ERROR_RANGE, "end");
  WRONG(end, -1.0f, TH_ERROR_RANGE, "end");
  WRONG(end, NAN, TH_ERROR_RANGE, "end");
  WRONG(spread.speed, th_default_spread(TH_SPREAD_NORMAL, 1.0f, -1.0f), TH_ERROR_RANGE, "speed");
  WRONG(spread.speed, th_default_spread(TH_SPREAD_NORMAL, NAN, 0.1f), TH_ERROR_RANGE, "speed");
  WRONG(spread.speed, th_uniform_spread(1.0f, 101.0f), TH_ERROR_RANGE, "speed");
  WRONG(spread.radius, th_uniform_spread(0.0f, 0.4f), TH_ERROR_RANGE, "radius");
  WRONG(spread.radius, th_default_spread(TH_SPREAD_NORMAL, 0.2f, NAN), TH_ERROR_RANGE, "radius");
  WRONG(region.count, 2, TH_ERROR_RANGE, "");
  WRONG(agent.route[0].goal.generation, 99, TH_ERROR_STATE, "route");
  WRONG(agent.model, NULL, TH_ERROR_STATE, "model");
  const worlds_rect outside = worlds_rectangle(30, 30, 40, 40);
  WRONG(region.point, outside.point, TH_ERROR_GEOMETRY, "region");
  stage_end(&s);
}

static void removed_sources_emit_nothing(void **state) {
  (void)state;
  stage s;
  begin(&s, 500);
  th_source_def def = source_def(&s);
  def.rate = 10.0f;
  th_source_id id = add(&s, &def);
  worlds_steps(s.world, 10);
  th_world_remove_source(s.world, id);
  uint64_t added = th_world_counters(s.world).added;
  worlds_steps(s.world, 10);
  assert_int_equal(th_world_counters(s.world).added, added);
  uint64_t hash = th_world_hash(s.world);
  th_world_remove_source(s.world, id);
  th_world_remove_source(s.world, TH_NULL_SOURCE);
  assert_true(s.h.faults == 2 && th_world_hash(s.world) == hash);
  stage_end(&s);
}

static void still(void *user, const th_guide_query *query) {
  (void)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) query->want[lane].state = TH_ANSWER_WAIT;
}

/* The goal and the guide that a source hands out go away: it emits people who have nowhere to go. */
static void sources_without_a_goal_end(void **state) {
  (void)state;
  stage s;
  begin(&s, 500);
  th_user_guide_params host = {still, NULL};
  th_guide_id guide;
  OK(th_world_add_guide(s.world, &th_guide_user, &host, &guide, &error));
  th_source_def def = source_def(&s);
  def.rate = 5.0f;
  add(&s, &def);
  def.agent.guide = guide;
  add(&s, &def);
  worlds_steps(s.world, 5);
  th_world_remove_goal(s.world, s.goal);
  th_world_remove_guide(s.world, guide);
  th_goal_id other = worlds_goal(s.world, 2, 14);
  worlds_walker(s.world, 2, 10, other);
  worlds_steps(s.world, 20);
  th_agents a = th_world_agents(s.world);
  uint32_t lost = 0;
  for (uint32_t i = 0; i < a.count; i++) lost += a.state[i] == TH_AGENT_LOST;
  assert_true(lost >= 10);
  assert_int_equal(lost, a.count - 1);
  stage_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources_keep_their_rate),      cmocka_unit_test(sources_emit_at_free_spots),
      cmocka_unit_test(sources_keep_time_and_total),  cmocka_unit_test(events_name_the_source),
      cmocka_unit_test(a_full_world_is_told),         cmocka_unit_test(wrong_sources_are_refused),
      cmocka_unit_test(removed_sources_emit_nothing), cmocka_unit_test(sources_without_a_goal_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
