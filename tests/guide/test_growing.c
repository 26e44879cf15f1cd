/* tests/guide/test_growing.c - guides that grow: who is told to them, when and in which order; their memory is state.
 */
#include "support/worlds.h"
#include "throng/guide.h"

/* A guide that writes down what it is told. */
typedef struct diary {
  uint64_t steps, agents, sum; /* sum: depends on the order */
  uint32_t wrong, linked, goals, walking;
  float x[8];
} diary;

typedef struct diary_params {
  int32_t pages;
} diary_params;

static const th_param diary_param[] = {
    {"pages", TH_PARAM_INT, offsetof(diary_params, pages), "", 1, 64, 1, "size of the memory", NULL},
};

static size_t diary_size(const void *params, const th_ground *ground) {
  (void)ground;
  return sizeof(diary) * (size_t)((const diary_params *)params)->pages;
}

static void diary_init(void *memory, const void *params, const th_ground *ground) {
  (void)params;
  ((diary *)memory)->sum = th_ground_version(ground);
}

static void diary_grow(const th_guide_update *update) {
  diary *d = update->memory;
  d->wrong += update->count == 0 || d->steps > update->step;
  d->steps++;
  d->linked = d->goals = d->walking = 0;
  for (uint32_t i = 0; i < update->count; i++) {
    d->wrong += i && update->agent[i] <= update->agent[i - 1];
    d->wrong += update->place[i].cell != th_ground_locate(update->ground, update->place[i].x, update->place[i].y).cell;
    d->wrong += !(update->radius[i] > 0.0f);
    d->agents++;
    d->sum = d->sum * 6364136223846793005u + update->agent[i] + (uint64_t)(update->place[i].x * 4096.0f);
    d->linked += update->link[i * TH_MAX_LINKS].place.cell != TH_NO_CELL;
    d->goals += update->goal[i] != NULL;
    d->walking += update->state[i] == TH_AGENT_WALKING;
    d->x[i % 8] = update->place[i].x;
  }
}

/* Leads to the right, and finds its own agents' places of this step in the memory. */
static void diary_ask(const th_guide_query *query) {
  const diary *d = query->memory;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    bool told = false;
    for (int k = 0; k < 8; k++) told |= d->x[k] == query->x[lane];
    query->want[lane] = (th_guide_answer){
        .dx = told ? 1.0f : -1.0f, .left = INFINITY, .state = (uint8_t)(told ? TH_ANSWER_LEAD : TH_ANSWER_LOST)};
  }
}

static const th_guide diary_guide = {.name = "diary",
                                     .summary = "writes down what it is told",
                                     .param = diary_param,
                                     .param_count = 1,
                                     .param_size = sizeof(diary_params),
                                     .ask = diary_ask,
                                     .memory_size = diary_size,
                                     .memory_init = diary_init,
                                     .learn = diary_grow};

/* The host reads a guide's memory through a question only; the test keeps the last one it saw. */
typedef struct pair {
  th_ground *ground;
  th_world *world;
  th_guide_id guide[3];
  th_agent_id agent[12];
} pair;

static const diary *seen[3];

static void peek(const th_guide_query *query) {
  seen[((const diary_params *)query->params)->pages - 1] = query->memory;
  diary_ask(query);
}

static const th_guide peeking = {.name = "peeking",
                                 .summary = "a diary that the test can read",
                                 .param = diary_param,
                                 .param_count = 1,
                                 .param_size = sizeof(diary_params),
                                 .ask = peek,
                                 .memory_size = diary_size,
                                 .memory_init = diary_init,
                                 .learn = diary_grow};

static th_result pair_try(pair *p, const th_env *env, uint32_t workers, const th_guide *kind, th_error *error) {
  *p = (pair){0};
  th_result result = worlds_try_house(env, 0.5f, &p->ground, error);
  th_world_def def = th_default_world_def();
  def.env = *env;
  def.ground = p->ground;
  def.workers = workers;
  def.agent_capacity = 4; /* grows on the way */
  if (!result) result = th_world_make(&def, &p->world, error);
  for (int i = 0; i < 3 && !result; i++)
    result = th_world_add_guide(p->world, kind, &(diary_params){i + 1}, &p->guide[i], error);
  for (uint32_t i = 0; i < 12 && !result; i++) {
    th_agent_def agent = worlds_agent_def(1.0f + 0.45f * (float)i, 1.0f + (float)(i * 5 % 12), NOWHERE);
    agent.guide = p->guide[i % 2]; /* the third has none */
    agent.speed = 0.5f + 0.05f * (float)i;
    if (i == 3) agent.link[0] = (th_link_def){.agent = p->agent[2]}, agent.link_count = 1;
    if (i == 5) agent.link[0] = (th_link_def){.to_point = true, .point = {2, 2, 0}}, agent.link_count = 1;
    if (i == 10) agent.delay = 1.0f;
    result = th_world_add_agents(p->world, &agent, 1, &p->agent[i], error);
  }
  return result;
}

static void pair_end(pair *p) {
  th_world_free(p->world);
  th_ground_release(p->ground);
}

static void a_guide_is_told_of_its_agents(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  pair p;
  memset(seen, 0, sizeof seen);
  OK(pair_try(&p, &env, 1, &peeking, &error));
  worlds_steps(p.world, 5);
  assert_null(seen[2]); /* nobody follows it */
  for (int i = 0; i < 2; i++) {
    assert_non_null(seen[i]);
    assert_int_equal(seen[i]->wrong, 0);
    assert_int_equal(seen[i]->steps, 5); /* once a step */
    assert_int_equal(seen[i]->agents, i == 0 ? 25 : 30);
    assert_int_equal(seen[i]->walking, i == 0 ? 5 : 6);
  }
  assert_int_equal(seen[1]->linked, 2);
  worlds_steps(p.world, 8); /* the delayed one has come */
  assert_int_equal(seen[0]->walking, 6);
  th_world_remove_agent(p.world, p.agent[2]);
  th_world_remove_agent(p.world, p.agent[0]);
  worlds_steps(p.world, 1);
  assert_int_equal(seen[0]->walking, 4);
  assert_int_equal(seen[1]->linked, 1); /* the linked agent is gone, the point stays */
  for (uint32_t i = 1; i < 12; i++)     /* who was asked was told in the same step */
    if (i != 2) assert_int_equal(worlds_state(p.world, p.agent[i]), TH_AGENT_WALKING);
  assert_int_equal(seen[0]->wrong + seen[1]->wrong, 0);
  assert_int_equal(h.faults, 0);
  pair_end(&p);
}

static void goals_are_told(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  pair p;
  OK(pair_try(&p, &env, 1, &peeking, &error));
  th_goal_id goal = worlds_goal(p.world, 20, 8);
  th_agent_def def = worlds_agent_def(2, 2, goal);
  def.guide = p.guide[0];
  worlds_add(p.world, &def);
  worlds_steps(p.world, 2);
  assert_int_equal(seen[0]->goals, 1);
  th_world_remove_goal(p.world, goal);
  worlds_steps(p.world, 1);
  assert_int_equal(seen[0]->goals, 0);
  pair_end(&p);
}

static void workers_change_nothing(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  static const uint32_t workers[] = {1, 2, 3, 8};
  uint64_t trace[40];
  for (uint32_t w = 0; w < 4; w++) {
    pair p;
    OK(pair_try(&p, &env, workers[w], &diary_guide, &error));
    for (uint32_t s = 0; s < 40; s++) {
      worlds_steps(p.world, 1);
      uint64_t hash = th_world_hash(p.world);
      if (w && hash != trace[s]) fail_msg("%u workers differ from one after step %u", workers[w], s);
      trace[s] = hash;
    }
    pair_end(&p);
  }
}

/* The memory alone makes the hash differ. */
static void the_hash_sees_memories(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  static th_guide forgetful;
  forgetful = diary_guide;
  forgetful.memory_init = NULL;
  pair p, q;
  OK(pair_try(&p, &env, 1, &diary_guide, &error));
  OK(pair_try(&q, &env, 1, &forgetful, &error));
  assert_true(th_world_hash(p.world) != th_world_hash(q.world));
  pair_end(&p);
  pair_end(&q);
}

static void snapshots_hold_memories(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  pair p, fresh, other;
  OK(pair_try(&p, &env, 1, &diary_guide, &error));
  OK(pair_try(&fresh, &env, 2, &diary_guide, &error));
  worlds_steps(p.world, 9);
  worlds_saved saved = worlds_save(p.world);
  uint64_t then = th_world_hash(p.world);
  worlds_steps(p.world, 9);
  uint64_t later = th_world_hash(p.world);
  th_guide_id extra; /* one that came after the snapshot goes */
  OK(th_world_add_guide(p.world, &diary_guide, &(diary_params){5}, &extra, &error));
  th_world *into[2] = {p.world, fresh.world};
  for (int i = 0; i < 2; i++) {
    OK(th_world_restore(into[i], saved.memory, saved.size, &error));
    assert_true(th_world_hash(into[i]) == then);
    worlds_steps(into[i], 9);
    assert_true(th_world_hash(into[i]) == later);
  }
  /* a world whose guides are gone is another world */
  OK(pair_try(&other, &env, 1, &diary_guide, &error));
  th_world_remove_guide(other.world, other.guide[2]);
  th_world_remove_guide(other.world, other.guide[1]);
  REFUSED(other.world, th_world_restore(other.world, saved.memory, saved.size, &error), TH_ERROR_FORMAT, "snapshot");
  pair_end(&other);
  pair_end(&p);
  pair_end(&fresh);
  free(saved.memory);
}

/* The same ids, but a memory of another size. */
static void memories_of_another_size_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_world *world[2];
  for (int i = 0; i < 2; i++) {
    world[i] = worlds_make(ground, &env);
    OK(th_world_add_guide(world[i], &diary_guide, &(diary_params){1 + i}, NULL, &error));
  }
  worlds_saved saved = worlds_save(world[0]);
  REFUSED(world[1], th_world_restore(world[1], saved.memory, saved.size, &error), TH_ERROR_FORMAT, "snapshot");
  free(saved.memory);
  th_world_free(world[1]);
  worlds_end(world[0], ground);
}

static th_result make_all(const th_env *env, void *context) {
  pair p;
  th_error error = {0};
  th_result result = pair_try(&p, env, 1, context, &error);
  worlds_saved saved = {0};
  if (!result) {
    worlds_steps(p.world, 3);
    saved = worlds_save(p.world);
    worlds_steps(p.world, 3);
    uint64_t before = th_world_hash(p.world);
    result = th_world_restore(p.world, saved.memory, saved.size, &error);
    if (result) assert_true(th_world_hash(p.world) == before);
    worlds_steps(p.world, 1);
  }
  if (!result) result = th_world_reserve(p.world, 100, &error);
  if (!result) worlds_steps(p.world, 1);
  if (!result) th_world_remove_guide(p.world, p.guide[0]);
  free(saved.memory);
  pair_end(&p);
  return result;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  static th_guide kind;
  kind = diary_guide;
  assert_true(failing_every(make_all, &kind) > 100);
}

static void a_step_allocates_nothing(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  pair p;
  OK(pair_try(&p, &env, 1, &diary_guide, &error));
  failing_lock(&f);
  worlds_steps(p.world, 20);
  failing_unlock(&f);
  pair_end(&p);
  failing_assert_empty(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_guide_is_told_of_its_agents),    cmocka_unit_test(goals_are_told),
      cmocka_unit_test(workers_change_nothing),           cmocka_unit_test(the_hash_sees_memories),
      cmocka_unit_test(snapshots_hold_memories),          cmocka_unit_test(memories_of_another_size_are_refused),
      cmocka_unit_test(failing_allocations_are_survived), cmocka_unit_test(a_step_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
