/* tests/model/test_periods.c - decisions come at multiples of a period in seconds, whatever the step.
 *
 * The models count their decisions in the state of each agent. Agents walk so slowly that their guide leads them all
 * the time; a second passes before anything is counted, so that all have been led.
 */
#include <stddef.h>

#include "support/worlds.h"
#include "world/agent/agents.h"
#include "world/models.h"

enum { AGENTS = 64 };

typedef struct count_params {
  float period; /* [s] */
} count_params;

typedef struct count_state {
  uint64_t step; /* of the last decision */
  uint32_t decisions;
} count_state;

static float period_of(const void *params) { return ((const count_params *)params)->period; }

static void count(const th_work *work) {
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    count_state *state = work->state[lane];
    state->decisions++;
    state->step = work->step;
  }
}

static const th_param table[] = {
    {"period", TH_PARAM_FLOAT, offsetof(count_params, period), "s", 0, 100, 0, "time between decisions", NULL}};
static const th_pass passes[] = {{"count", TH_OVER_VIEWS, 0, count}};
#define COUNT_MODEL                                                                                        \
  .param = table, .param_count = 1, .param_size = sizeof(count_params), .state_size = sizeof(count_state), \
  .period = period_of, .pass = passes, .pass_count = 1
static const th_model spread_model = {.name = "spread", COUNT_MODEL};
static const th_model together_model = {.name = "together", COUNT_MODEL, .together = true};

typedef struct stage {
  log_capture h;
  th_ground *ground;
  th_world *world;
  th_agent_id id[AGENTS];
} stage;

static void begin(stage *s, const th_model *model, float period, float dt) {
  memset(s, 0, sizeof *s);
  th_env env = worlds_env(&s->h);
  s->ground = worlds_box(&env, 30, 20);
  th_world_def def = th_default_world_def();
  def.env = env;
  def.ground = s->ground;
  def.dt = dt;
  OK(th_world_make(&def, &s->world, &error));
  th_goal_id goal = worlds_goal(s->world, 28, 10);
  count_params params = {period};
  for (uint32_t i = 0; i < AGENTS; i++) {
    th_agent_def agent = worlds_agent_def(2.0f + (float)(i % 8), 2.0f + 2.0f * (float)(i / 8), goal);
    agent.speed = 0.01f;
    agent.model = model;
    agent.params = &params;
    s->id[i] = worlds_add(s->world, &agent);
  }
  while (th_world_time(s->world) < 1.0) th_world_step(s->world);
}

static void end(stage *s) {
  assert_int_equal(s->h.faults, 0);
  worlds_end(s->world, s->ground);
}

static const count_state *state_of(const stage *s, uint32_t agent) {
  uint32_t row = th_world_row(s->world, s->id[agent]);
  const th_model_slot *use = &s->world->model[s->world->rows.model[row]];
  return (const count_state *)(const void *)(use->states + row * use->state_stride);
}

static void counts(const stage *s, uint32_t decisions[AGENTS]) {
  for (uint32_t i = 0; i < AGENTS; i++) decisions[i] = state_of(s, i)->decisions;
}

/* Decisions since `before` are those of the seconds that have passed, give or take one. */
static void check_counts(const stage *s, const uint32_t before[AGENTS], double seconds, float period) {
  for (uint32_t i = 0; i < AGENTS; i++) {
    double made = state_of(s, i)->decisions - before[i], expected = seconds / (double)period;
    if (fabs(made - expected) > 1.0)
      fail_msg("agent %u: %g decisions of period %g s in %g s", i, made, (double)period, seconds);
  }
}

static const float dts[] = {0.02f, 0.05f, 0.1f, 0.25f, 1.0f / 3.0f};
static const float periods[] = {1.0f / 30.0f, 0.1f, 0.25f, 0.35f, 0.5f, 2.0f / 3.0f, 1.7f};
enum { DTS = sizeof dts / sizeof *dts, PERIODS = sizeof periods / sizeof *periods };

static void count_minute(const th_model *model, float period, float dt) {
  stage s;
  uint32_t before[AGENTS];
  begin(&s, model, period, dt);
  counts(&s, before);
  double from = th_world_time(s.world);
  for (uint32_t step = 0; (double)step * (double)dt < 60.0; step++) {
    th_world_step(s.world);
    for (uint32_t i = 1; model->together && i < AGENTS; i++)
      assert_int_equal(state_of(&s, i)->step, state_of(&s, 0)->step);
  }
  check_counts(&s, before, th_world_time(s.world) - from, fmaxf(period, dt));
  end(&s);
}

static void as_many_as_the_time_holds(void **state) {
  (void)state;
  for (uint32_t d = 0; d < DTS; d++)
    for (uint32_t p = 0; p < PERIODS; p++) {
      count_minute(&spread_model, periods[p], dts[d]);
      count_minute(&together_model, periods[p], dts[d]);
    }
}

/* Ten steps to a period: nearly a tenth of the agents in each of them, and each agent in every tenth. */
static void load_is_spread(void **state) {
  (void)state;
  stage s;
  begin(&s, &spread_model, 0.5f, 0.05f);
  for (uint32_t step = 0; step < 200; step++) {
    uint32_t before[AGENTS], decided = 0;
    counts(&s, before);
    th_world_step(s.world);
    for (uint32_t i = 0; i < AGENTS; i++) decided += state_of(&s, i)->decisions - before[i];
    assert_in_range(decided, AGENTS / 10 - 2, AGENTS / 10 + 3);
  }
  end(&s);
}

static void steps_of_all_lengths(void **state) {
  (void)state;
  for (uint32_t p = 3; p < PERIODS; p++) {
    stage s;
    uint32_t before[AGENTS];
    begin(&s, p % 2 ? &spread_model : &together_model, periods[p], 0.1f);
    counts(&s, before);
    double from = th_world_time(s.world);
    for (uint32_t step = 0; step < 300; step++) {
      OK(th_world_set_dt(s.world, dts[step * 7 / 3 % DTS], &error));
      th_world_step(s.world);
    }
    check_counts(&s, before, th_world_time(s.world) - from, periods[p]);
    end(&s);
  }
}

/* A restored world decides in the same steps as the one that went on; in twenty seconds nothing is lost or doubled. */
static void the_same_after_restore(void **state) {
  (void)state;
  for (uint32_t p = 0; p < PERIODS; p++) {
    stage s, other;
    uint32_t before[AGENTS];
    const th_model *model = p % 2 ? &spread_model : &together_model;
    begin(&s, model, periods[p], 0.1f);
    begin(&other, model, periods[p], 0.05f);
    counts(&s, before);
    double from = th_world_time(s.world);
    worlds_steps(s.world, 97);
    worlds_saved saved = worlds_save(s.world);
    OK(th_world_restore(other.world, saved.memory, saved.size, &error));
    free(saved.memory);
    worlds_steps(s.world, 103);
    worlds_steps(other.world, 103);
    assert_true(th_world_hash(s.world) == th_world_hash(other.world));
    check_counts(&other, before, th_world_time(s.world) - from, fmaxf(periods[p], 0.1f));
    end(&other);
    end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_as_the_time_holds), cmocka_unit_test(load_is_spread),
                                     cmocka_unit_test(steps_of_all_lengths), cmocka_unit_test(the_same_after_restore)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
