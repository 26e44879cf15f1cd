/* tests/world/test_step.c - a step is advise and integrate, or advise and accept; a wrong order is told and does
 * nothing. */
#include "support/stage.h"
#include "world/world.h"

static void begin(stage *s) {
  stage_begin(s, worlds_house, NULL);
  s->goal = worlds_goal(s->world, 6, 14);
}

static void advise_and_integrate_are_a_step(void **state) {
  (void)state;
  stage a, b;
  begin(&a);
  begin(&b);
  for (int i = 0; i < 30; i++) {
    worlds_walker(a.world, 1.0f + 0.2f * (float)i, 3, a.goal);
    worlds_walker(b.world, 1.0f + 0.2f * (float)i, 3, b.goal);
  }
  for (int n = 0; n < 50; n++) {
    th_world_step(a.world);
    th_world_advise(b.world);
    th_world_integrate(b.world);
    assert_true(th_world_hash(a.world) == th_world_hash(b.world));
  }
  assert_int_equal(th_world_step_count(a.world), 50);
  assert_true(fabs(th_world_time(a.world) - 5.0) < 1e-5);
  stage_end(&a);
  stage_end(&b);
}

static void calls_in_the_wrong_order_are_faults(void **state) {
  (void)state;
  stage s;
  begin(&s);
  worlds_walker(s.world, 2, 2, s.goal);
  uint64_t hash = th_world_hash(s.world);
  th_world_integrate(s.world);
  assert_int_equal(s.h.faults, 1);
  assert_non_null(strstr(s.h.last, "th_world_integrate"));
  th_vec3 at = {2, 3, 0};
  th_world_accept(s.world, &at, 1);
  assert_int_equal(s.h.faults, 2);
  assert_true(th_world_hash(s.world) == hash);
  th_world_advise(s.world);
  hash = th_world_hash(s.world);
  th_world_advise(s.world);
  assert_int_equal(s.h.faults, 3);
  assert_true(th_world_hash(s.world) == hash);
  th_world_accept(s.world, &at, 2); /* a wrong count: still advised */
  assert_int_equal(s.h.faults, 4);
  assert_true(th_world_hash(s.world) == hash);
  th_world_accept(s.world, &at, 1);
  assert_int_equal(s.h.faults, 4);
  assert_int_equal(th_world_step_count(s.world), 1);
  stage_end(&s);
}

/* The host moves the bodies: places are taken over, those in walls are refused and told. */
static void the_host_may_move_bodies(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_id id[4];
  for (int i = 0; i < 4; i++) id[i] = worlds_walker(s.world, 2.0f + (float)i, 3, s.goal);
  worlds_steps(s.world, 3);
  th_world_advise(s.world);
  th_agents a = th_world_agents(s.world);
  th_vec3 at[4] = {{0, 0, 0}};
  for (uint32_t i = 0; i < 4; i++) {
    assert_true(a.advised_vy[i] > 0.1f); /* the advice can be read */
    at[i].x = a.x[i] + 0.05f;
    at[i].y = a.y[i] + a.advised_vy[i] * 0.1f;
  }
  uint32_t in_wall = th_world_row(s.world, id[1]), nowhere = th_world_row(s.world, id[2]);
  th_vec2 old = worlds_at(s.world, id[1]);
  at[in_wall] = (th_vec3){8.0f, 1.0f, 0};
  at[nowhere].x = NAN;
  th_world_accept(s.world, at, 4);
  assert_int_equal(worlds_events(s.world, TH_EVENT_REFUSED, id[1]), 1);
  assert_int_equal(worlds_events(s.world, TH_EVENT_REFUSED, id[2]), 1);
  assert_int_equal(worlds_events(s.world, TH_EVENT_REFUSED, NOBODY), 2);
  th_vec2 p = worlds_at(s.world, id[1]);
  assert_true(p.x == old.x && p.y == old.y);
  a = th_world_agents(s.world);
  uint32_t row = th_world_row(s.world, id[0]);
  assert_true(a.x[row] == at[row].x && a.y[row] == at[row].y);
  assert_true(fabsf(a.vx[row] - 0.5f) < 1e-3f); /* the realised velocity */
  assert_true(fabsf(a.previous_x[row] - (at[row].x - 0.05f)) < 1e-6f);
  worlds_steps(s.world, 3);
  stage_end(&s);
}

/* An engine that does what it was advised arrives like one that does not care. */
static void accepted_bodies_arrive(void **state) {
  (void)state;
  stage s;
  begin(&s);
  th_agent_id id = worlds_walker(s.world, 2, 2, s.goal);
  for (int n = 0; n < 300 && th_world_has_agent(s.world, id); n++) {
    th_world_advise(s.world);
    th_agents a = th_world_agents(s.world);
    th_vec3 at = {a.x[0] + a.advised_vx[0] * 0.1f, a.y[0] + a.advised_vy[0] * 0.1f, 0};
    th_world_accept(s.world, &at, 1);
  }
  assert_false(th_world_has_agent(s.world, id));
  stage_end(&s);
}

static void dt_may_change(void **state) {
  (void)state;
  stage s;
  begin(&s);
  static const float wrong[] = {0.0f, -0.1f, 1.5f, NAN, INFINITY, 0.0001f};
  for (int i = 0; i < 6; i++) REFUSED(s.world, th_world_set_dt(s.world, wrong[i], &error), TH_ERROR_RANGE, "dt");
  th_agent_id id = worlds_walker(s.world, 2, 2, s.goal);
  worlds_steps(s.world, 10);
  th_vec2 p = worlds_at(s.world, id);
  th_world_step(s.world);
  th_vec2 q = worlds_at(s.world, id);
  OK(th_world_set_dt(s.world, 0.025f, &error));
  th_world_step(s.world);
  th_vec2 r = worlds_at(s.world, id);
  float before = hypotf(q.x - p.x, q.y - p.y), after = hypotf(r.x - q.x, r.y - q.y);
  assert_true(fabsf(after / before - 0.25f) < 0.02f);
  assert_true(fabs(th_world_time(s.world) - 1.125) < 1e-5);
  th_world_advise(s.world);
  REFUSED(s.world, th_world_set_dt(s.world, 0.1f, &error), TH_ERROR_STATE, "th_world_set_dt");
  th_world_integrate(s.world);
  stage_end(&s);
}

static void wrong_worlds_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s);
#define WRONG(field, value, code, name)                          \
  do {                                                           \
    th_world_def def = th_default_world_def();                   \
    th_error error = {0};                                        \
    th_world *world = NULL;                                      \
    def.ground = s.ground;                                       \
    def.field = value;                                           \
    assert_int_equal(th_world_make(&def, &world, &error), code); \
    assert_null(world);                                          \
    assert_string_equal(error.where, name);                      \
    assert_true(strlen(error.text) > 5);                         \
  } while (0)
  WRONG(ground, NULL, TH_ERROR_STATE, "ground");
  WRONG(dt, 0.0f, TH_ERROR_RANGE, "dt");
  WRONG(dt, NAN, TH_ERROR_RANGE, "dt");
  WRONG(workers, 0, TH_ERROR_RANGE, "workers");
  WRONG(workers, 65, TH_ERROR_RANGE, "workers");
  WRONG(latency, 0, TH_ERROR_RANGE, "latency");
  WRONG(latency, 1001, TH_ERROR_RANGE, "latency");
  WRONG(contact_rounds, 33, TH_ERROR_RANGE, "contact_rounds");
  WRONG(agent_capacity, UINT32_MAX, TH_ERROR_RANGE, "agent_capacity");
  WRONG(event_capacity, 0, TH_ERROR_RANGE, "event_capacity");
  REFUSED(s.world, th_world_reserve(s.world, UINT32_MAX, &error), TH_ERROR_CAPACITY, "agents");
  th_world_free(NULL);
  stage_end(&s);
}

static void phases_have_names_and_times(void **state) {
  (void)state;
  stage s;
  begin(&s);
  static const char *const names[] = {"publish", "order",    "guide",  "people", "decide",
                                      "move",    "contacts", "commit", "finish"};
  for (int i = 0; i < TH_PHASE_COUNT; i++) assert_string_equal(th_phase_name((th_phase)i), names[i]);
  assert_string_equal(th_phase_name((th_phase)99), "unknown");
  for (int i = 0; i < 30; i++) worlds_walker(s.world, 1.0f + 0.2f * (float)i, 3, s.goal);
  worlds_steps(s.world, 20);
  double seconds[TH_PHASE_COUNT], total = 0.0;
  th_world_profile(s.world, seconds);
  for (int i = 0; i < TH_PHASE_COUNT; i++) {
    assert_true(seconds[i] >= 0.0);
    total += seconds[i];
  }
  assert_true(total > 0.0 && total < 60.0);
  stage_end(&s);
}

/* An empty world, and one whose only agent is external, have nothing to do. */
static void a_world_knows_when_it_is_done(void **state) {
  (void)state;
  stage s;
  begin(&s);
  assert_true(th_world_done(s.world));
  worlds_steps(s.world, 40);
  th_agent_def def = worlds_agent_def(2, 2, NOWHERE);
  def.external = true;
  worlds_add(s.world, &def);
  assert_true(th_world_done(s.world));
  th_agent_id id = worlds_walker(s.world, 3, 3, s.goal);
  assert_false(th_world_done(s.world));
  worlds_until_gone(s.world, id, 300);
  assert_true(th_world_done(s.world));
  stage_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(advise_and_integrate_are_a_step),
      cmocka_unit_test(calls_in_the_wrong_order_are_faults),
      cmocka_unit_test(the_host_may_move_bodies),
      cmocka_unit_test(accepted_bodies_arrive),
      cmocka_unit_test(dt_may_change),
      cmocka_unit_test(wrong_worlds_are_refused),
      cmocka_unit_test(phases_have_names_and_times),
      cmocka_unit_test(a_world_knows_when_it_is_done),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
