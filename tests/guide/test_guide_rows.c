/* tests/guide/test_guide_rows.c - guides that keep a row for each agent: whose it is, how long, and who changes it.
 */
#include "support/worlds.h"
#include "throng/guide.h"

#define WORDS 40 /* a row that is no multiple of a cache line */

/* A row counts what its own agent was told. */
typedef struct page {
  uint32_t agent, learnt, asked, unit_size;
  uint64_t links; /* depends on all links */
  uint32_t word[WORDS];
} page;

typedef struct page_params {
  int32_t units; /* agents learn together by the remainder of their number; 0: all */
} page_params;

static const th_param page_param[] = {
    {"units", TH_PARAM_INT, offsetof(page_params, units), "", 0, 64, 0, "agents that learn together", NULL},
};

static size_t page_size(const void *params, const th_ground *ground) {
  (void)params;
  (void)ground;
  return sizeof(page);
}

static uint32_t page_unit(const th_guide_update *update, uint32_t i) {
  return update->agent[i] % (uint32_t)((const page_params *)update->params)->units << 12;
}

static void page_learn(const th_guide_update *update) {
  for (uint32_t k = 0; k < update->member_count; k++) {
    uint32_t i = update->member[k];
    page *p = update->row[i];
    assert_true(k == 0 || i > update->member[k - 1]); /* in the order of ids */
    assert_true(((uintptr_t)p & 63u) == 0);
    assert_true(p->agent == 0 || p->agent == update->agent[i]);
    p->agent = update->agent[i];
    p->learnt++;
    p->unit_size = update->member_count;
    p->links = 0;
    for (uint32_t n = 0; n < TH_MAX_LINKS; n++) {
      const th_guide_link *link = &update->link[i * TH_MAX_LINKS + n];
      if (link->place.cell != TH_NO_CELL) p->links = p->links * 100 + link->agent + 1;
      assert_int_equal(link->role, link->place.cell != TH_NO_CELL && !link->agent ? TH_ROLE_TARGET : TH_ROLE_NONE);
    }
    for (uint32_t w = 0; w < WORDS; w++)
      p->word[w] += update->agent[i] * (w + 1) + (uint32_t)(update->place[i].x * 64.0f);
  }
}

/* Each agent goes where its row says. */
static void page_ask(const th_guide_query *query) {
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    page *p = query->row[lane];
    assert_int_equal(p->agent, query->agent[lane]);
    p->asked++;
    float dx = p->word[p->learnt % WORDS] & 16u ? 1.0f : -1.0f;
    query->want[lane] = (th_guide_answer){.dx = dx, .left = INFINITY, .state = TH_ANSWER_LEAD};
  }
}

static const th_guide together = {.name = "together",
                                  .summary = "a row for each agent",
                                  .param = page_param,
                                  .param_count = 1,
                                  .param_size = sizeof(page_params),
                                  .ask = page_ask,
                                  .learn = page_learn,
                                  .row_size = page_size};

static th_guide in_units(void) {
  th_guide kind = together;
  kind.name = "units";
  kind.unit_of = page_unit;
  return kind;
}

typedef struct scene {
  th_ground *ground;
  th_world *world;
  th_guide kind;
  th_guide_id guide[2];
  th_agent_id agent[90];
} scene;

enum { AGENTS = 90 };

static th_result scene_try(scene *s, const th_env *env, uint32_t workers, th_error *error) {
  *s = (scene){.kind = in_units()};
  th_result result = worlds_try_house(env, 0.5f, &s->ground, error);
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.ground = s->ground;
  def.workers = workers;
  def.agent_capacity = 4; /* grows on the way */
  if (!result) result = th_world_make(&def, &s->world, error);
  if (!result) result = th_world_add_guide(s->world, &together, NULL, &s->guide[0], error);
  if (!result) result = th_world_add_guide(s->world, &s->kind, &(page_params){7}, &s->guide[1], error);
  for (uint32_t i = 0; i < AGENTS && !result; i++) {
    th_agent_def agent = worlds_agent_def(1.0f + 0.4f * (float)(i % 12), 1.0f + 0.9f * (float)(i / 12), NOWHERE);
    agent.guide = i % 5 ? s->guide[i % 2] : TH_NULL_GUIDE;
    agent.speed = 0.5f + 0.01f * (float)i;
    if (i == 7) {
      agent.link_count = 3;
      agent.link[0] = (th_link_def){.agent = s->agent[2]};
      agent.link[1] = (th_link_def){.to_point = true, .point = {2, 2, 0}, .role = TH_ROLE_TARGET};
      agent.link[2] = (th_link_def){.agent = s->agent[4]};
    }
    result = th_world_add_agents(s->world, &agent, 1, &s->agent[i], error);
  }
  return result;
}

static void scene_end(scene *s) {
  th_world_free(s->world);
  th_ground_release(s->ground);
}

static const page *page_of(const scene *s, uint32_t i) {
  size_t size;
  const page *p = th_world_guide_row(s->world, s->agent[i], &size);
  assert_int_equal(size, p ? sizeof(page) : 0);
  return p;
}

/* Rows of agents are put into another order every 32 steps, and an agent that goes is replaced by the last one. */
static void rows_stay_with_agents(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  scene s;
  OK(scene_try(&s, &env, 2, &error));
  worlds_steps(s.world, 70);
  for (uint32_t i = 0; i < AGENTS; i += 9) th_world_remove_agent(s.world, s.agent[i]);
  worlds_steps(s.world, 5);
  for (uint32_t i = 0; i < AGENTS; i++) {
    if (i % 9 == 0) continue;
    const page *p = page_of(&s, i);
    assert_int_equal(p != NULL, i % 5 != 0);
    if (!p) continue;
    assert_int_equal(p->agent, s.agent[i].index);
    assert_int_equal(p->learnt, 75);
    assert_int_equal(p->asked, 75);
  }
  /* all links, agents by their ids */
  assert_true(page_of(&s, 7)->links == ((s.agent[2].index + 1) * 100 + 1) * 100 + s.agent[4].index + 1);
  /* the second guide's agents are those with odd numbers here: index = i + 1 is even, so 7 units of all even numbers */
  uint32_t count = 0, first = page_of(&s, 7)->agent % 7;
  for (uint32_t i = 1; i < AGENTS; i += 2) count += i % 5 && i % 9 && s.agent[i].index % 7 == first;
  assert_int_equal(page_of(&s, 7)->unit_size, count);
  assert_int_equal(h.faults, 0);
  assert_null(th_world_guide_row(s.world, s.agent[0], NULL)); /* stale */
  assert_int_equal(h.faults, 1);
  scene_end(&s);
}

/* Zeroed for a new agent and for one that comes from another guide; kept by a change that keeps the guide. */
static void rows_begin_empty(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  scene s;
  OK(scene_try(&s, &env, 1, &error));
  worlds_steps(s.world, 10);
  th_agent_def def;
  assert_true(th_world_agent_def(s.world, s.agent[1], &def));
  def.speed = 0.3f;
  OK(th_world_change_agent(s.world, s.agent[1], &def, &error));
  assert_int_equal(page_of(&s, 1)->learnt, 10);
  def.guide = s.guide[0];
  OK(th_world_change_agent(s.world, s.agent[1], &def, &error));
  assert_int_equal(page_of(&s, 1)->learnt, 0);
  def.guide = TH_NULL_GUIDE;
  OK(th_world_change_agent(s.world, s.agent[1], &def, &error));
  assert_null(page_of(&s, 1));
  th_world_remove_agent(s.world, s.agent[2]);
  def.guide = s.guide[0];
  s.agent[2] = worlds_add(s.world, &def); /* the id and the row of the one before */
  for (uint32_t w = 0; w < WORDS; w++) assert_int_equal(page_of(&s, 2)->word[w], 0);
  worlds_steps(s.world, 1);
  assert_int_equal(page_of(&s, 2)->learnt, 1);
  th_world_remove_guide(s.world, s.guide[0]);
  assert_null(page_of(&s, 2));
  worlds_steps(s.world, 2);
  assert_int_equal(h.faults, 0);
  scene_end(&s);
}

static void workers_change_nothing(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  static const uint32_t workers[] = {1, 2, 3, 8};
  uint64_t trace[40];
  for (uint32_t w = 0; w < 4; w++) {
    scene s;
    OK(scene_try(&s, &env, workers[w], &error));
    for (uint32_t k = 0; k < 40; k++) {
      if (k == 20) th_world_remove_agent(s.world, s.agent[11]);
      worlds_steps(s.world, 1);
      uint64_t hash = th_world_hash(s.world);
      if (w && hash != trace[k]) fail_msg("%u workers differ from one after step %u", workers[w], k);
      trace[k] = hash;
    }
    scene_end(&s);
  }
}

static void snapshots_hold_rows(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  scene s, fresh;
  OK(scene_try(&s, &env, 1, &error));
  OK(scene_try(&fresh, &env, 2, &error));
  worlds_steps(s.world, 9);
  th_world_remove_agent(s.world, s.agent[3]);
  worlds_steps(s.world, 30);
  worlds_saved saved = worlds_save(s.world);
  uint64_t then = th_world_hash(s.world);
  th_world_remove_agent(s.world, s.agent[7]);
  th_agent_def def = worlds_agent_def(9, 9, NOWHERE);
  def.guide = s.guide[1];
  worlds_add(s.world, &def);
  OK(th_world_restore(s.world, saved.memory, saved.size, &error));
  assert_true(th_world_hash(s.world) == then);
  worlds_steps(s.world, 9);
  uint64_t later = th_world_hash(s.world);
  worlds_steps(fresh.world, 50);
  for (int i = 0; i < 2; i++) {
    th_world *into = i ? fresh.world : s.world;
    OK(th_world_restore(into, saved.memory, saved.size, &error));
    assert_true(th_world_hash(into) == then);
    worlds_steps(into, 9);
    assert_true(th_world_hash(into) == later);
  }
  scene_end(&s);
  scene_end(&fresh);
  free(saved.memory);
}

static size_t too_large(const void *params, const th_ground *ground) {
  (void)params;
  (void)ground;
  return TH_MAX_GUIDE_ROW + 1;
}

static void too_large_rows_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  scene s;
  OK(scene_try(&s, &env, 1, &error));
  th_guide wrong = together;
  wrong.row_size = too_large;
  REFUSED(s.world, th_world_add_guide(s.world, &wrong, NULL, NULL, &error), TH_ERROR_CAPACITY, "together");
  scene_end(&s);
}

static th_result make_all(const th_env *env, void *context) {
  (void)context;
  scene s;
  th_error error = {0};
  th_result result = scene_try(&s, env, 1, &error);
  worlds_saved saved = {0};
  if (!result) {
    worlds_steps(s.world, 2);
    saved = worlds_save(s.world);
    uint64_t before = th_world_hash(s.world);
    result = th_world_restore(s.world, saved.memory, saved.size, &error);
    if (result) assert_true(th_world_hash(s.world) == before);
  }
  th_agent_def def;
  if (!result && th_world_agent_def(s.world, s.agent[1], &def)) {
    uint64_t before = th_world_hash(s.world);
    def.guide = s.guide[0];
    result = th_world_change_agent(s.world, s.agent[1], &def, &error);
    if (result) assert_true(th_world_hash(s.world) == before);
  }
  if (!result) result = th_world_reserve(s.world, 800, &error);
  if (s.world) worlds_steps(s.world, 1);
  free(saved.memory);
  scene_end(&s);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  assert_true(failing_every(make_all, NULL) > 100);
}

/* A source emits into rows that were made when it was added. */
static void a_step_allocates_nothing(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  scene s;
  OK(scene_try(&s, &env, 1, &error));
  OK(th_world_reserve(s.world, 400, &error));
  const th_vec2 corner[4] = {{14, 1}, {18, 1}, {18, 5}, {14, 5}};
  th_source_def source = th_default_source_def();
  source.region = (th_polygon){.point = corner, .count = 4};
  source.rate = 20;
  source.agent = worlds_agent_def(0, 0, NOWHERE);
  source.agent.guide = s.guide[1];
  OK(th_world_add_source(s.world, &source, NULL, &error));
  uint32_t before = th_world_agents(s.world).count;
  failing_lock(&f);
  worlds_steps(s.world, 40);
  failing_unlock(&f);
  th_agents a = th_world_agents(s.world);
  assert_true(a.count > before + 5);
  const page *p = th_world_guide_row(s.world, a.id[a.count - 1], NULL);
  assert_true(p && (p->agent == 0 || p->agent == a.id[a.count - 1].index));
  scene_end(&s);
  failing_assert_empty(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_stay_with_agents),      cmocka_unit_test(rows_begin_empty),
      cmocka_unit_test(workers_change_nothing),     cmocka_unit_test(snapshots_hold_rows),
      cmocka_unit_test(too_large_rows_are_refused), cmocka_unit_test(failing_allocations_are_survived),
      cmocka_unit_test(a_step_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
