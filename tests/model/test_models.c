/* tests/model/test_models.c - passes over patches, views and lanes: every agent that is due is served once, barriers
 * hold, states and parameters belong to their agents; models can be mixed and changed. */
#include "support/probe_model.h"
#include "support/stage.h"
#include "world/world.h"

static th_ground *hall(const th_env *env) { return worlds_box(env, 60, 30); }

static void begin(stage *s, uint32_t workers) {
  th_world_def def = th_default_world_def();
  def.workers = workers;
  stage_begin(s, hall, &def);
  s->goal = worlds_goal(s->world, 55, 15);
}

static probe_shared *shared_of(const th_world *world) {
  for (uint32_t i = 0; i < world->model_count; i++)
    if (world->model[i].model == &probe_model) return world->model[i].shared.data;
  fail_msg("no probe in this world");
  return NULL;
}

static const probe_state *state_of(const th_world *world, th_agent_id id) {
  uint32_t row = th_world_row(world, id);
  const th_model_slot *use = &world->model[world->rows.model[row]];
  return (const probe_state *)(const void *)(use->states + row * use->state_stride);
}

static void check_sound(const probe_shared *shared) {
  assert_int_equal(shared->wrong_own, 0);
  assert_int_equal(shared->wrong_barrier, 0);
  assert_int_equal(shared->wrong_twice, 0);
  assert_int_equal(shared->wrong_scratch, 0);
  assert_int_equal(shared->wrong_lane, 0);
}

/* 300 agents: two thirds probes with periods of 1, 3 and 7 steps, the rest follow. */
static uint32_t populate(stage *s, th_agent_id *id, uint32_t count) {
  static const probe_params params[3] = {{0.5f, 3.0f, 5, 0.0f}, {0.5f, 4.0f, 8, 0.3f}, {0.2f, 2.0f, 2, 0.7f}};
  uint32_t probes = 0;
  for (uint32_t i = 0; i < count; i++) {
    th_agent_def def = worlds_agent_def(1.0f + (float)(i % 40), 2.0f + (float)(i / 40), s->goal);
    def.speed = 0.3f; /* nobody arrives */
    if (i % 3) def.model = &probe_model, def.params = &params[i % 9 / 3], probes++;
    id[i] = worlds_add(s->world, &def);
  }
  return probes;
}

static void serve(uint32_t workers) {
  enum { COUNT = 300, STEPS = 42 };
  stage s;
  th_agent_id id[COUNT];
  begin(&s, workers);
  uint32_t probes = populate(&s, id, COUNT);
  probe_shared *shared = shared_of(s.world);
  for (uint32_t step = 0; step < STEPS; step++) {
    probe_clear(shared);
    th_world_step(s.world);
    check_sound(shared);
    assert_int_equal(shared->patches, COUNT); /* every agent is someone's own, whatever its model */
    assert_int_equal(shared->lanes, shared->views);
    assert_true(shared->views <= probes && shared->views >= probes / 3);
  }
  for (uint32_t i = 0; i < COUNT; i++) {
    if (i % 3 == 0) continue;
    uint32_t period = i % 9 / 3 == 0 ? 1 : i % 9 / 3 == 1 ? 3 : 7, served = state_of(s.world, id[i])->served;
    /* once a period; a new agent also decides until its guide has led it for the first time */
    if (served < STEPS / period || served > STEPS / period + 3)
      fail_msg("agent %u served %u times of period %u", i, served, period);
    assert_int_equal(state_of(s.world, id[i])->lanes, served);
  }
  assert_int_equal(s.h.faults, 0);
  stage_end(&s);
}

static void everyone_is_served_once(void **state) {
  (void)state;
  serve(1);
  serve(3);
}

/* Between decisions the last advice holds. */
static void advice_holds(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  static const probe_params slow = {0.0f, 3.0f, 4, 1.0f};
  th_agent_def def = worlds_agent_def(5, 5, s.goal);
  def.model = &probe_model;
  def.params = &slow;
  th_agent_id id = worlds_add(s.world, &def);
  uint32_t decided = 0, changed = 0;
  float last = 0.0f;
  for (uint32_t i = 0; i < 60; i++) {
    uint32_t before = state_of(s.world, id)->served;
    th_world_step(s.world);
    uint32_t row = th_world_row(s.world, id);
    float now = th_world_agents(s.world).advised_vx[row];
    bool served = state_of(s.world, id)->served != before;
    decided += served;
    changed += now != last;
    if (i > 3 && !served) assert_true(now == last && now > 0.5f);
    last = now;
  }
  assert_true(decided >= 6 && decided <= 9 && changed >= 1);
  stage_end(&s);
}

static void state_belongs_to_agents(void **state) {
  (void)state;
  stage s;
  th_agent_id id[100];
  begin(&s, 2);
  populate(&s, id, 100);
  worlds_steps(s.world, 40); /* rows are put into order at fixed steps */
  uint32_t served[100] = {0};
  for (uint32_t i = 0; i < 100; i++)
    if (i % 3) served[i] = state_of(s.world, id[i])->served;
  for (uint32_t i = 0; i < 100; i += 5) th_world_remove_agent(s.world, id[i]); /* rows move */
  for (uint32_t i = 0; i < 100; i++)
    if (i % 3 && i % 5) assert_int_equal(state_of(s.world, id[i])->served, served[i]);
  stage_end(&s);
}

static void models_can_be_changed(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  static const probe_params params = {0.7f, 3.0f, 5, 0.0f}, other = {0.1f, 3.0f, 5, 0.0f};
  th_agent_def def = worlds_agent_def(5, 5, s.goal);
  th_agent_id id = worlds_add(s.world, &def);
  worlds_steps(s.world, 5);
  def.model = &probe_model;
  def.params = &params;
  OK(th_world_change_agent(s.world, id, &def, &error));
  assert_true(state_of(s.world, id)->sum == 0.7f); /* state_init saw the parameters */
  worlds_steps(s.world, 5);
  assert_int_equal(state_of(s.world, id)->served, 5);
  def.params = &other;
  OK(th_world_change_agent(s.world, id, &def, &error));
  assert_int_equal(state_of(s.world, id)->served, 5); /* the same model keeps its memory */
  th_agent_def now;
  assert_true(th_world_agent_def(s.world, id, &now));
  assert_ptr_equal(now.model, &probe_model);
  assert_true(((const probe_params *)now.params)->weight == 0.1f);
  def.model = &th_model_follow;
  def.params = NULL;
  OK(th_world_change_agent(s.world, id, &def, &error));
  worlds_steps(s.world, 3);
  stage_end(&s);
}

static void shared_data_follows_the_ground(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  th_agent_def def = worlds_agent_def(2, 2, NOWHERE);
  def.model = &probe_model;
  worlds_add(world, &def);
  assert_int_equal(shared_of(world)->version, 1);
  OK(th_world_edit(world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
  assert_int_equal(shared_of(world)->version, 1);
  worlds_steps(world, 2);
  assert_int_equal(shared_of(world)->version, 2);
  worlds_end(world, ground);
}

static void nothing(const th_work *work) { (void)work; }

static void refuse(stage *s, const th_model *model) {
  th_agent_def def = worlds_agent_def(5, 5, s->goal);
  def.model = model;
  REFUSED(s->world, th_world_add_agents(s->world, &def, 1, NULL, &error), TH_ERROR_RANGE, model->name);
}

static void wrong_models_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  static const th_pass none = {"none", TH_OVER_VIEWS, 0, NULL}, odd = {"odd", (th_over)9, 0, nothing},
                       many = {"many", TH_OVER_VIEWS, TH_SEE_NEAREST, nothing},
                       hidden = {"hidden", TH_OVER_VIEWS, TH_SEE_WALLS | TH_SEE_IN_SIGHT, nothing};
  static const th_model empty = {.name = "empty"}, idle = {.name = "idle", .pass = &none, .pass_count = 1},
                        lost = {.name = "lost", .pass = &odd, .pass_count = 1},
                        blind = {.name = "blind", .pass = &many, .pass_count = 1},
                        alone = {.name = "alone", .pass = &hidden, .pass_count = 1};
  refuse(&s, &empty);
  refuse(&s, &idle);
  refuse(&s, &lost);
  refuse(&s, &blind);
  refuse(&s, &alone);
  stage_end(&s);
}

static void too_many_models_are_refused(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  static const th_pass pass = {"pass", TH_OVER_LANES, 0, nothing};
  static th_model model[TH_MAX_MODELS + 1];
  th_agent_def def = worlds_agent_def(5, 5, NOWHERE);
  for (uint32_t i = 0; i <= TH_MAX_MODELS; i++) {
    model[i] = (th_model){.name = "many", .pass = &pass, .pass_count = 1};
    def.model = &model[i];
    if (i < TH_MAX_MODELS) worlds_add(s.world, &def);
  }
  REFUSED(s.world, th_world_add_agents(s.world, &def, 1, NULL, &error), TH_ERROR_CAPACITY, "many");
  worlds_steps(s.world, 2);
  stage_end(&s);
}

static void wild(void *user, const th_work *work) {
  (void)user;
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    float value = lane % 3 == 0 ? NAN : lane % 3 == 1 ? INFINITY : 1e30f;
    work->advice.vx[lane] = value;
    work->advice.vy[lane] = -value;
    work->advice.hx[lane] = value;
    work->advice.hy[lane] = lane % 2 ? 0.0f : value;
  }
}

/* Advice without sense moves nobody out of the world and puts no NaN into it. */
static void wild_advice_makes_agents_stand(void **state) {
  (void)state;
  stage s;
  begin(&s, 1);
  th_user_params host = {wild, NULL, 5.0f, 4};
  for (uint32_t i = 0; i < 64; i++) {
    th_agent_def def = worlds_agent_def(2.0f + (float)(i % 16) * 3.0f, 3.0f + (float)(i / 16) * 6.0f, s.goal);
    def.model = &th_model_user;
    def.params = &host;
    def.acceleration_max = INFINITY;
    worlds_add(s.world, &def);
  }
  for (uint32_t n = 0; n < 20; n++) {
    th_world_step(s.world);
    th_agents a = th_world_agents(s.world);
    for (uint32_t i = 0; i < a.count; i++) {
      assert_true(th_ground_locate(s.ground, a.x[i], a.y[i]).cell != TH_NO_CELL);
      assert_true(isfinite(a.vx[i]) && isfinite(a.vy[i]) && isfinite(a.hx[i]) && isfinite(a.hy[i]));
      float h2 = a.hx[i] * a.hx[i] + a.hy[i] * a.hy[i], v2 = a.vx[i] * a.vx[i] + a.vy[i] * a.vy[i];
      assert_true(fabsf(h2 - 1.0f) < 1e-3f && v2 <= 2.0f * 2.0f * 1.001f);
    }
  }
  stage_end(&s);
}

typedef struct tally {
  _Atomic uint32_t views, lanes;
} tally;

static void count_lanes(void *user, const th_work *work) {
  tally *t = user;
  atomic_fetch_add(&t->views, 1);
  for (uint32_t lane = 0; lane < work->view->lanes; lane++)
    if (((const th_user_params *)work->params[lane])->user == user) atomic_fetch_add(&t->lanes, 1);
}

/* Callbacks share views; each is called once for a view that holds someone of its own. */
static void a_host_may_decide(void **state) {
  (void)state;
  stage s;
  begin(&s, 2);
  tally t[2] = {{0}, {0}};
  for (uint32_t i = 0; i < 50; i++) {
    th_user_params host = {i == 49 ? NULL : count_lanes, &t[i % 2], 5.0f, 4};
    th_agent_def def = worlds_agent_def(2.0f + (float)i, 15.0f, NOWHERE);
    def.model = &th_model_user;
    def.params = &host;
    worlds_add(s.world, &def);
  }
  worlds_steps(s.world, 4);
  assert_int_equal(t[0].lanes, 25 * 4);
  assert_int_equal(t[1].lanes, 24 * 4);
  assert_true(t[0].views <= 25 * 4 && t[0].views >= 2 * 4);
  stage_end(&s);
}

static void all_models_are_listed(void **state) {
  (void)state;
  uint32_t count = 0;
  for (const th_model *const *m = th_models(); *m; m++, count++) {
    assert_ptr_equal(th_model_find((*m)->name), *m);
    assert_non_null((*m)->summary);
    void *values = calloc(1, (*m)->param_size + 1);
    th_param_defaults((*m)->param, (*m)->param_count, values);
    assert_int_equal(th_param_check((*m)->param, (*m)->param_count, values, NULL), TH_OK);
    free(values);
  }
  assert_true(count >= 2);
  assert_null(th_model_find("nobody"));
  assert_ptr_equal(th_model_find("follow"), &th_model_follow);
  assert_string_equal(th_default_body_def().model->name, "orca");
  assert_string_equal(th_default_source_def().agent.model->name, "orca");
}

/* A value that a host writes as a th_precision means the same wherever it is read: the names of the choice stand at
 * the values of the enum, in every model and guide that has one. */
static void one_precision_for_all(void **state) {
  (void)state;
  uint32_t found = 0;
  for (const th_model *const *m = th_models(); *m; m++)
    for (uint32_t i = 0; i < (*m)->param_count; i++) {
      const th_param *p = &(*m)->param[i];
      if (strcmp(p->name, "precision")) continue;
      assert_int_equal(p->type, TH_PARAM_ENUM);
      assert_string_equal(p->choice[TH_PRECISION_DOUBLE], "double");
      assert_string_equal(p->choice[TH_PRECISION_FLOAT], "float");
      found++;
    }
  assert_int_equal(found, 1); /* of bvp */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_precision_for_all),
      cmocka_unit_test(everyone_is_served_once),
      cmocka_unit_test(advice_holds),
      cmocka_unit_test(state_belongs_to_agents),
      cmocka_unit_test(models_can_be_changed),
      cmocka_unit_test(shared_data_follows_the_ground),
      cmocka_unit_test(wrong_models_are_refused),
      cmocka_unit_test(too_many_models_are_refused),
      cmocka_unit_test(wild_advice_makes_agents_stand),
      cmocka_unit_test(a_host_may_decide),
      cmocka_unit_test(all_models_are_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
