/* tests/world/test_no_world.c - every call on a world is a fault in the log, not a crash, when the world is NULL. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/unit.h"
#include "throng/draw.h"
#include "throng/throng.h"

#define REFUSED_RESULT(call)                   \
  do {                                         \
    error = (th_error){0};                     \
    assert_int_equal(call, TH_ERROR_STATE);    \
    assert_string_equal(error.where, "world"); \
  } while (0)

static uint32_t agents_and_sources(void) {
  th_error error;
  REFUSED_RESULT(th_world_add_agents(NULL, NULL, 0, NULL, &error));
  REFUSED_RESULT(th_world_add_agent(NULL, NULL, NULL, &error));
  th_world_remove_agent(NULL, (th_agent_id){0});
  assert_false(th_world_has_agent(NULL, (th_agent_id){0}));
  assert_true(th_world_agent_point(NULL, (th_agent_id){0}).x == 0);
  assert_true(th_world_agent_previous(NULL, (th_agent_id){0}).x == 0);
  assert_true(th_world_agent_velocity(NULL, (th_agent_id){0}).x == 0);
  assert_true(th_world_agent_heading(NULL, (th_agent_id){0}).x == 0);
  assert_int_equal(th_world_agent_state(NULL, (th_agent_id){0}), TH_AGENT_DELAYED);
  assert_true(th_world_agent_stop(NULL, (th_agent_id){0}) == UINT32_MAX);
  assert_null(th_world_agent_user(NULL, (th_agent_id){0}));
  REFUSED_RESULT(th_world_set_speed(NULL, (th_agent_id){0}, 1.0f, &error));
  REFUSED_RESULT(th_world_set_velocity(NULL, (th_agent_id){0}, (th_vec3){0}, &error));
  REFUSED_RESULT(th_world_set_speed_max(NULL, (th_agent_id){0}, 1.0f, &error));
  REFUSED_RESULT(th_world_set_radius(NULL, (th_agent_id){0}, 1.0f, &error));
  REFUSED_RESULT(th_world_set_layers(NULL, (th_agent_id){0}, 0, 0, &error));
  REFUSED_RESULT(th_world_set_params(NULL, (th_agent_id){0}, NULL, &error));
  REFUSED_RESULT(th_world_set_external(NULL, (th_agent_id){0}, true, &error));
  REFUSED_RESULT(th_world_set_guide(NULL, (th_agent_id){0}, (th_guide_id){0}, &error));
  REFUSED_RESULT(th_world_set_route(NULL, (th_agent_id){0}, NULL, 0, 0, &error));
  REFUSED_RESULT(th_world_set_goal(NULL, (th_agent_id){0}, (th_goal_id){0}, &error));
  th_world_set_user(NULL, (th_agent_id){0}, NULL);
  REFUSED_RESULT(th_world_change_agent(NULL, (th_agent_id){0}, NULL, &error));
  assert_false(th_world_agent_def(NULL, (th_agent_id){0}, NULL));
  REFUSED_RESULT(th_world_place_agent(NULL, (th_agent_id){0}, (th_vec3){0}, &error));
  REFUSED_RESULT(th_world_drive_agent(NULL, (th_agent_id){0}, (th_vec3){0}, (th_vec3){0}, (th_vec3){0}, &error));
  REFUSED_RESULT(th_world_add_source(NULL, NULL, NULL, &error));
  th_world_remove_source(NULL, (th_source_id){0});
  assert_false(th_world_has_source(NULL, (th_source_id){0}));
  assert_true(th_world_sources(NULL, NULL, 0) == 0);
  assert_true(th_world_source_emitted(NULL, (th_source_id){0}) == 0);
  return 31;
}

static uint32_t choices(void) {
  th_error error;
  REFUSED_RESULT(th_world_add_choice(NULL, NULL, NULL, &error));
  REFUSED_RESULT(th_world_change_choice(NULL, (th_choice_id){0}, NULL, &error));
  th_world_remove_choice(NULL, (th_choice_id){0});
  assert_false(th_world_has_choice(NULL, (th_choice_id){0}));
  assert_true(th_world_choices(NULL, NULL, 0) == 0);
  assert_false(th_world_choice_def(NULL, (th_choice_id){0}, NULL));
  assert_true(th_world_choice_taken(NULL, (th_choice_id){0}, 0) == 0);
  assert_true(th_world_choice_costs(NULL, (th_agent_id){0}, NULL, 0) == 0);
  return 8;
}

static uint32_t goals_guides_and_time(void) {
  th_error error;
  REFUSED_RESULT(th_world_reserve(NULL, 0, &error));
  REFUSED_RESULT(th_world_prepare(NULL, &error));
  REFUSED_RESULT(th_world_prepare_fields(NULL, 0, &error));
  uint32_t in_force = 7;
  assert_null(th_world_in_force(NULL, &in_force));
  assert_int_equal(in_force, 0);
  REFUSED_RESULT(th_world_follow_in_force(NULL, NULL, 0, &error));
  (void)th_world_memory(NULL);
  REFUSED_RESULT(th_world_add_goal(NULL, NULL, NULL, &error));
  REFUSED_RESULT(th_world_move_goal(NULL, (th_goal_id){0}, NULL, &error));
  th_world_remove_goal(NULL, (th_goal_id){0});
  assert_false(th_world_has_goal(NULL, (th_goal_id){0}));
  assert_true(th_world_goals(NULL, NULL, 0) == 0);
  assert_false(th_world_goal_def(NULL, (th_goal_id){0}, NULL));
  REFUSED_RESULT(th_world_add_guide(NULL, NULL, NULL, NULL, &error));
  th_world_remove_guide(NULL, (th_guide_id){0});
  assert_false(th_world_has_guide(NULL, (th_guide_id){0}));
  assert_true(th_world_guides(NULL, NULL, 0) == 0);
  assert_null(th_world_guide_kind(NULL, (th_guide_id){0}));
  assert_null(th_world_guide_params(NULL, (th_guide_id){0}));
  assert_null(th_world_guide_memory(NULL, (th_guide_id){0}, NULL));
  assert_null(th_world_guide_row(NULL, (th_agent_id){0}, NULL));
  th_world_step(NULL);
  th_world_advise(NULL);
  th_world_integrate(NULL);
  th_world_accept(NULL, NULL, 0);
  assert_true(th_world_step_count(NULL) == 0);
  assert_true(th_world_time(NULL) == 0);
  return 26;
}

static uint32_t reading_and_state(void) {
  th_error error;
  uint32_t count = 7;
  REFUSED_RESULT(th_world_set_dt(NULL, 1.0f, &error));
  assert_true(th_world_done(NULL));
  REFUSED_RESULT(th_world_edit(NULL, NULL, 0, &error));
  assert_null(th_world_ground(NULL));
  assert_true(th_world_backlog(NULL) == 0);
  assert_int_equal(th_world_marker_owners(NULL, NULL, 0), 0);
  assert_true(th_world_agents(NULL).count == 0);
  th_world_points(NULL, NULL);
  th_world_wants(NULL, NULL);
  (void)th_world_env(NULL);
  (void)th_world_trace_def(NULL);
  assert_true(th_world_row(NULL, (th_agent_id){0}) == UINT32_MAX);
  assert_null(th_world_events(NULL, &count));
  (void)th_world_counters(NULL);
  th_world_profile(NULL, NULL);
  assert_true(th_world_within(NULL, (th_vec3){0}, 1.0f, NULL, NULL, 0) == 0);
  assert_true(th_world_inside(NULL, (th_vec3){0}, (th_vec3){0}, NULL, NULL, 0) == 0);
  assert_true(th_is_null_agent(th_world_nearest(NULL, (th_vec3){0}, 1.0f, NULL)));
  assert_true(th_is_null_agent(th_world_ray(NULL, (th_vec3){0}, (th_vec3){0}, 1.0f, NULL, NULL)));
  assert_true(th_world_path(NULL, (th_vec3){0}, (th_goal_id){0}, 1.0f, NULL, 0) == 0);
  assert_true(isinf(th_world_distance(NULL, (th_vec3){0}, (th_goal_id){0}, 1.0f)));
  assert_null(th_world_field(NULL, (th_goal_id){0}, 1.0f));
  assert_true(th_world_hash(NULL) == 0);
  assert_true(th_world_snapshot(NULL, NULL, 0) == 0);
  REFUSED_RESULT(th_world_restore(NULL, NULL, 0, &error));
  th_world_draw(NULL, NULL);
  REFUSED_RESULT(th_world_trace(NULL, NULL, &error));
  REFUSED_RESULT(th_world_trace_agent(NULL, (th_agent_id){0}, true, &error));
  assert_true(th_world_traced(NULL, NULL, 0) == 0);
  assert_true(th_world_traces(NULL, (th_agent_id){0}, NULL, 0) == 0);
  assert_int_equal(count, 0);
  return 30;
}

/* The default log is standard error: it goes to a file for as long as the calls last. */
static void a_missing_world_is_a_fault(void **state) {
  (void)state;
  FILE *log = tmpfile();
  assert_non_null(log);
  fflush(stderr);
  int kept = dup(STDERR_FILENO);
  dup2(fileno(log), STDERR_FILENO);
  uint32_t calls = agents_and_sources() + choices() + goals_guides_and_time() + reading_and_state();
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  rewind(log);
  uint32_t faults = 0;
  for (char line[256]; fgets(line, sizeof line, log); faults++)
    assert_true(strstr(line, "fault: th_world_") && strstr(line, ": expected a world, found NULL"));
  fclose(log);
  assert_int_equal(faults, calls);
  th_world_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_missing_world_is_a_fault)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
