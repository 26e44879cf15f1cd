/* tests/world/test_param_sets.c - equal parameters are one set, whatever comes, changes and goes. */
#include "support/busy_world.h"
#include "support/slow.h"
#include "world/world.h"

/* ---------------------------------------------------------------- the table alone */

enum { TABLE_ROWS = 40, TABLE_STRIDE = 16 };

/* What a table must do, by looking through all of it. */
typedef struct plain_table {
  uint64_t value[TABLE_ROWS + 1];
  uint32_t users[TABLE_ROWS + 1];
} plain_table;

static uint32_t plain_join(plain_table *t, uint64_t value) {
  uint32_t lowest = 0;
  for (uint32_t i = 0; i <= TABLE_ROWS; i++)
    if (t->users[i] && t->value[i] == value) return t->users[i]++, i;
  while (t->users[lowest]) lowest++;
  t->value[lowest] = value;
  t->users[lowest] = 1;
  return lowest;
}

static uint32_t join(th_param_sets *sets, uint64_t value) {
  uint64_t block[2] = {value, ~value};
  memcpy(th_param_sets_draft(sets), block, sizeof block);
  return th_param_sets_join(sets);
}

static void compare(const th_param_sets *sets, const plain_table *t) {
  uint32_t count = 0;
  for (uint32_t i = 0; i <= TABLE_ROWS; i++) {
    const uint64_t block[2] = {t->value[i], ~t->value[i]};
    if (!t->users[i]) continue;
    count++;
    assert_int_equal(sets->users[i], t->users[i]);
    assert_memory_equal(th_param_sets_bytes(sets, i), block, sizeof block);
  }
  assert_int_equal(th_param_sets_count(sets), count);
}

/* Joins and leaves at random, with few values (much sharing) to many (full, every probe crowded). */
static void wander(uint64_t seed, uint64_t values, const th_allocator *a) {
  th_param_sets sets;
  plain_table plain = {0};
  uint32_t held[TABLE_ROWS], count = 0;
  uint64_t bits = seed;
  assert_true(th_param_sets_make(&sets, a, TABLE_STRIDE, 5));
  for (uint32_t turn = 0; turn < 3000; turn++) {
    const bool full = count == TABLE_ROWS, replace = count && worlds_below(&bits, 3) == 0;
    if (count == sets.rows && !full)
      assert_true(th_param_sets_grow(&sets, a, TABLE_ROWS < 2 * count ? TABLE_ROWS : 2 * count));
    const uint32_t at = count ? worlds_below(&bits, count) : 0;
    if (replace || (!full && worlds_below(&bits, turn % 600 < 300 ? 8 : 3))) {
      const uint64_t value = worlds_bits(&bits) % values;
      const uint32_t number = join(&sets, value), expected = plain_join(&plain, value);
      if (number != expected) fail_msg("seed %u, turn %u: set %u, not %u", (unsigned)seed, turn, number, expected);
      if (!replace) {
        held[count++] = number;
        continue;
      }
      plain.users[held[at]]--;
      th_param_sets_leave(&sets, held[at]);
      held[at] = number;
    } else if (count) {
      plain.users[held[at]]--;
      th_param_sets_leave(&sets, held[at]);
      held[at] = held[--count];
    }
    compare(&sets, &plain);
  }
  while (count) th_param_sets_leave(&sets, held[--count]);
  assert_int_equal(th_param_sets_count(&sets), 0);
  for (size_t i = 0; i < sets.slots; i++) assert_int_equal(sets.slot[i], 0);
  th_param_sets_free(&sets, a);
}

static void the_table_keeps_equal_values_once(void **state) {
  (void)state;
  static const uint64_t values[] = {1, 3, 30, 200, UINT64_MAX};
  failing f = {0};
  th_allocator a = failing_allocator(&f);
  for (uint64_t seed = 1; seed <= 4; seed++)
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) wander(seed, values[i], &a);
  failing_assert_empty(&f);
}

static th_result grow_table(const th_env *env, void *context) {
  (void)context;
  th_param_sets sets;
  bool made = th_param_sets_make(&sets, &env->allocator, TABLE_STRIDE, 3);
  for (uint64_t i = 0; made && i < 3; i++) join(&sets, i);
  bool grown = made && th_param_sets_grow(&sets, &env->allocator, 30);
  if (made) assert_int_equal(th_param_sets_count(&sets), 3);
  for (uint32_t i = 0; made && i < 3; i++) assert_int_equal(join(&sets, i), i); /* found again, grown or not */
  if (made) th_param_sets_free(&sets, &env->allocator);
  return grown ? TH_OK : TH_ERROR_MEMORY;
}

static void the_table_survives_failing_allocations(void **state) {
  (void)state;
  assert_int_equal(failing_every(grow_table, NULL), 10);
}

/* ---------------------------------------------------------------- a world */

typedef struct stage {
  failing f;
  th_env env;
  th_ground *ground;
  th_world *world;
  th_goal_id goal;
} stage;

static void begin(stage *s, uint32_t capacity) {
  th_world_def def = th_default_world_def();
  *s = (stage){0};
  s->env = failing_env(&s->f);
  worlds_rect rect = worlds_rectangle(0, 0, 40, 30);
  OK(worlds_try_ground(&s->env, &(worlds_plan){&rect, 0, 0, 1.0f, 0}, &s->ground, &error));
  def.env = s->env;
  def.ground = s->ground;
  def.agent_capacity = capacity;
  OK(th_world_make(&def, &s->world, &error));
  s->goal = worlds_goal(s->world, 38, 15);
}

static void end(stage *s) {
  worlds_end(s->world, s->ground);
  failing_assert_empty(&s->f);
}

static probe_params probe_of(uint32_t i) { return (probe_params){0.5f + 0.001f * (float)i, 3.0f, 5, 0.0f}; }

static th_agent_def agent_of(const stage *s, uint32_t i, const probe_params *params) {
  th_agent_def def = worlds_agent_def(1.0f + 0.8f * (float)(i % 40), 1.0f + 0.8f * (float)(i / 40), s->goal);
  def.model = &probe_model;
  def.params = params;
  return def;
}

static th_agent_id add(stage *s, uint32_t i, const probe_params *params) {
  th_agent_def def = agent_of(s, i, params);
  return worlds_add(s->world, &def);
}

static void change(stage *s, th_agent_id id, const probe_params *params) {
  th_agent_def def;
  assert_true(th_world_agent_def(s->world, id, &def));
  def.params = params;
  OK(th_world_change_agent(s->world, id, &def, &error));
}

static float weight_of(const th_world *world, th_agent_id id) {
  th_agent_def def;
  assert_true(th_world_agent_def(world, id, &def));
  return ((const probe_params *)def.params)->weight;
}

/* Distinct sets of a model; each has as many users as rows hold it. */
static uint32_t sets_of(const th_world *world, const th_model *model) {
  uint32_t m = 0;
  while (m < world->model_count && world->model[m].model != model) m++;
  if (m == world->model_count) return 0;
  const th_param_sets *sets = &world->model[m].sets;
  uint32_t *users = calloc((size_t)sets->used + 1, sizeof *users);
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (world->rows.model[row] == m) users[world->model[m].set[row]]++;
  for (uint32_t i = 0; i < sets->used; i++) assert_int_equal(users[i], sets->users[i]);
  free(users);
  return th_param_sets_count(sets);
}

static void agents_share_equal_parameters(void **state) {
  (void)state;
  stage s;
  begin(&s, 64);
  probe_params common = probe_of(0), own = probe_of(1);
  th_agent_id id[10];
  for (uint32_t i = 0; i < 10; i++) id[i] = add(&s, i, &common);
  assert_int_equal(sets_of(s.world, &probe_model), 1);
  change(&s, id[3], &own); /* splits off */
  assert_int_equal(sets_of(s.world, &probe_model), 2);
  for (uint32_t i = 0; i < 10; i++) assert_true(weight_of(s.world, id[i]) == (i == 3 ? own : common).weight);
  change(&s, id[3], &common); /* joins again */
  assert_int_equal(sets_of(s.world, &probe_model), 1);
  change(&s, id[0], &own);
  th_world_remove_agent(s.world, id[0]);
  assert_int_equal(sets_of(s.world, &probe_model), 1);
  for (uint32_t i = 1; i < 10; i++) {
    assert_true(weight_of(s.world, id[i]) == common.weight);
    th_world_remove_agent(s.world, id[i]);
  }
  assert_int_equal(sets_of(s.world, &probe_model), 0);
  end(&s);
}

/* What th_world_agent_def gave is given back, by the only user and by one of several; defaults are a set as well. */
static void a_set_may_be_given_back_to_its_agent(void **state) {
  (void)state;
  stage s;
  begin(&s, 2); /* no room but the one for replacing */
  probe_params first = probe_of(1), second = probe_of(2);
  th_agent_id a = add(&s, 0, &first), b = add(&s, 1, &second);
  th_agent_def def;
  for (uint32_t k = 0; k < 5; k++) {
    assert_true(th_world_agent_def(s.world, k % 2 ? a : b, &def));
    def.speed = 1.0f;
    OK(th_world_change_agent(s.world, k % 2 ? a : b, &def, &error));
    assert_int_equal(sets_of(s.world, &probe_model), 2);
  }
  assert_true(weight_of(s.world, a) == first.weight && weight_of(s.world, b) == second.weight);
  assert_true(th_world_agent_def(s.world, a, &def));
  OK(th_world_change_agent(s.world, b, &def, &error)); /* the other one's */
  assert_int_equal(sets_of(s.world, &probe_model), 1);
  change(&s, a, NULL);
  probe_params initial = {0};
  th_param_defaults(probe_model.param, probe_model.param_count, &initial);
  assert_true(weight_of(s.world, a) == initial.weight && weight_of(s.world, b) == first.weight);
  change(&s, b, &initial);
  assert_int_equal(sets_of(s.world, &probe_model), 1);
  end(&s);
}

static void models_do_not_share(void **state) {
  (void)state;
  stage s;
  begin(&s, 16);
  th_agent_id id[6];
  for (uint32_t i = 0; i < 6; i++) id[i] = add(&s, i, &(probe_params){0.5f + 0.1f * (float)i, 3, 5, 0});
  for (uint32_t i = 0; i < 4; i++) {
    th_agent_def def;
    assert_true(th_world_agent_def(s.world, id[i], &def));
    def.model = &th_model_follow;
    def.params = NULL;
    OK(th_world_change_agent(s.world, id[i], &def, &error));
    assert_int_equal(sets_of(s.world, &probe_model), 5 - i);
    assert_int_equal(sets_of(s.world, &th_model_follow), 1);
  }
  th_world_remove_agent(s.world, id[0]); /* filled with one of the other model */
  assert_true(weight_of(s.world, id[4]) == 0.5f + 0.1f * 4.0f);
  assert_true(weight_of(s.world, id[5]) == 0.5f + 0.1f * 5.0f);
  assert_int_equal(sets_of(s.world, &probe_model), 2);
  worlds_steps(s.world, 40);
  assert_int_equal(sets_of(s.world, &th_model_follow), 1);
  end(&s);
}

/* Every row differs, up to the capacity, through growth and after rows were put in order. */
static void all_may_be_distinct(void **state) {
  (void)state;
  enum { MANY = 300 };
  static th_agent_id id[MANY];
  stage s;
  begin(&s, 8);
  for (uint32_t i = 0; i < MANY; i++) {
    probe_params params = probe_of(i);
    id[i] = add(&s, i, &params);
    if (i + 1 == s.world->rows.capacity) { /* full: replace one and put it back */
      probe_params other = probe_of(5000);
      change(&s, id[i / 2], &other);
      assert_int_equal(sets_of(s.world, &probe_model), i + 1);
      params = probe_of(i / 2);
      change(&s, id[i / 2], &params);
    }
    assert_int_equal(sets_of(s.world, &probe_model), i + 1);
  }
  worlds_steps(s.world, 70);
  assert_true(th_world_agents(s.world).count > MANY / 2);
  bool moved = false;
  for (uint32_t i = 0; i < MANY; i++) {
    if (!th_world_has_agent(s.world, id[i])) continue;
    assert_true(weight_of(s.world, id[i]) == probe_of(i).weight);
    moved |= th_world_row(s.world, id[i]) != i;
  }
  assert_true(moved);
  assert_int_equal(sets_of(s.world, &probe_model), th_world_agents(s.world).count);
  end(&s);
}

static void changes_without_end_take_no_more_memory(void **state) {
  (void)state;
  const uint32_t turns = LONG_RUN(1000000, 20000);
  stage s;
  begin(&s, 4);
  probe_params common = probe_of(0);
  th_agent_id id = add(&s, 0, &common);
  add(&s, 1, &common);
  th_agent_def def;
  assert_true(th_world_agent_def(s.world, id, &def));
  failing_lock(&s.f);
  for (uint32_t i = 1; i <= turns; i++) {
    common.weight = (float)i / (float)turns; /* most are new */
    def.params = &common;
    OK(th_world_change_agent(s.world, id, &def, &error));
  }
  failing_unlock(&s.f);
  assert_int_equal(sets_of(s.world, &probe_model), 2);
  assert_true(weight_of(s.world, id) == 1.0f);
  const th_param_sets *sets = &s.world->model[s.world->rows.model[0]].sets;
  assert_int_equal(sets->used, 3); /* the common one, the own one and the one that replaces it */
  end(&s);
}

/* Sources of two parameters and a goal that takes agents away. */
static void a_step_allocates_nothing(void **state) {
  (void)state;
  static const th_vec2 region[2][4] = {{{30, 10}, {36, 10}, {36, 14}, {30, 14}},
                                       {{30, 16}, {36, 16}, {36, 20}, {30, 20}}};
  stage s;
  begin(&s, 40); /* sources also meet the limit */
  for (uint32_t i = 0; i < 2; i++) {
    probe_params params = probe_of(i);
    th_source_def def = th_default_source_def();
    def.agent = agent_of(&s, 0, &params);
    def.region = (th_polygon){NULL, region[i], 4};
    def.rate = 6.0f;
    OK(th_world_add_source(s.world, &def, NULL, &error));
  }
  worlds_steps(s.world, 1);
  failing_lock(&s.f);
  uint32_t max = 0;
  for (uint32_t i = 0; i < 200; i++) {
    th_world_step(s.world);
    uint32_t sets = sets_of(s.world, &probe_model);
    if (sets > max) max = sets;
    assert_true(sets <= 2);
  }
  failing_unlock(&s.f);
  assert_int_equal(max, 2);
  assert_true(th_world_counters(s.world).arrived > 10);
  end(&s);
}

/* ---------------------------------------------------------------- snapshots */

/* Half of them share, the others do not; some are of another model. */
static void populate(stage *s, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    probe_params params = probe_of(i % 2 ? i : 0);
    th_agent_def def = agent_of(s, i, &params);
    if (i % 5 == 3) def.model = &th_model_follow, def.params = NULL;
    worlds_add(s->world, &def);
  }
}

static void disturb(stage *s) {
  for (uint32_t i = 0; i < 5; i++) {
    th_agents a = th_world_agents(s->world);
    th_agent_def def = worlds_agent_def(10, 20.0f + (float)i, s->goal);
    th_user_params host = {busy_decide, NULL, 4.0f, 6};
    th_world_remove_agent(s->world, a.id[i * 7 % a.count]);
    OK(th_world_change_agent(s->world, th_world_agents(s->world).id[i], &def, &error)); /* follows now */
    def.model = &th_model_user; /* a model that came after the snapshot */
    def.params = &host;
    worlds_add(s->world, &def);
  }
  worlds_steps(s->world, 3);
}

static void snapshots_hold_sets(void **state) {
  (void)state;
  stage s;
  begin(&s, 16);
  populate(&s, 60);
  worlds_steps(s.world, 40);
  const uint64_t hash = th_world_hash(s.world);
  const uint32_t sets = sets_of(s.world, &probe_model);
  worlds_saved first = worlds_save(s.world);
  assert_true(sets > 20 && sets < 40);
  disturb(&s);
  assert_true(th_world_hash(s.world) != hash && sets_of(s.world, &th_model_user) == 1);
  OK(th_world_restore(s.world, first.memory, first.size, &error));
  assert_true(th_world_hash(s.world) == hash);
  assert_int_equal(sets_of(s.world, &probe_model), sets);
  assert_int_equal(sets_of(s.world, &th_model_follow), 1);
  assert_int_equal(sets_of(s.world, &th_model_user), 0);
  th_world_step(s.world);
  const uint64_t next = th_world_hash(s.world);
  OK(th_world_restore(s.world, first.memory, first.size, &error));
  th_world_step(s.world);
  assert_true(th_world_hash(s.world) == next);
  stage other; /* a world that has not used these models yet knows `follow` by name; the probe must have been there */
  begin(&other, 8);
  th_world_remove_agent(other.world, add(&other, 0, NULL));
  OK(th_world_restore(other.world, first.memory, first.size, &error));
  assert_true(th_world_hash(other.world) == hash);
  assert_int_equal(sets_of(other.world, &probe_model), sets);
  worlds_saved second = worlds_save(other.world);
  assert_int_equal(second.size, first.size);
  free(first.memory);
  free(second.memory);
  end(&other);
  end(&s);
}

/* Parameters lie in a snapshot row by row, with zeros for rows of another model. */
static void snapshots_hold_parameters_row_by_row(void **state) {
  (void)state;
  stage s;
  begin(&s, 8);
  populate(&s, 8);
  worlds_saved all = worlds_save(s.world);
  uint8_t expected[8][16] = {{0}};
  for (uint32_t i = 0; i < 8; i++) {
    probe_params params = probe_of(i % 2 ? i : 0);
    if (i % 5 != 3) memcpy(expected[i], &params, sizeof params);
  }
  uint32_t found = 0;
  for (size_t at = 0; at + sizeof expected <= all.size; at++)
    found += !memcmp((const uint8_t *)all.memory + at, expected, sizeof expected);
  assert_int_equal(found, 1);
  free(all.memory);
  end(&s);
}

/* A snapshot knows models by name: two of one name would mix their agents. */
static void models_of_one_name_are_refused(void **state) {
  (void)state;
  const th_model twin = probe_model;
  stage s;
  begin(&s, 8);
  add(&s, 0, NULL);
  th_agent_def def = agent_of(&s, 1, NULL);
  def.model = &twin;
  worlds_add(s.world, &def);
  worlds_saved all = worlds_save(s.world);
  REFUSED(s.world, th_world_restore(s.world, all.memory, all.size, &error), TH_ERROR_FORMAT, "snapshot");
  assert_int_equal(sets_of(s.world, &probe_model), 1);
  assert_int_equal(sets_of(s.world, &twin), 1);
  free(all.memory);
  end(&s);
}

typedef th_result attempt(stage *s, const worlds_saved *all);

static th_result grow(stage *s, const worlds_saved *all) {
  (void)all;
  return th_world_reserve(s->world, 200, NULL);
}

static th_result restore(stage *s, const worlds_saved *all) {
  return th_world_restore(s->world, all->memory, all->size, NULL);
}

/* Each allocation of a call fails once: then the world and its sets are as before. */
static void survive(attempt *call) {
  worlds_saved all = {0};
  uint64_t n = 0;
  for (bool failed = true; failed;) {
    stage s;
    begin(&s, 16);
    populate(&s, 30);
    if (!all.memory) all = worlds_save(s.world);
    disturb(&s);
    const uint64_t hash = th_world_hash(s.world);
    const uint32_t sets[3] = {sets_of(s.world, &probe_model), sets_of(s.world, &th_model_follow),
                              sets_of(s.world, &th_model_user)};
    s.f.fail_at = atomic_load(&s.f.calls) + ++n;
    th_result result = call(&s, &all);
    failed = atomic_load(&s.f.failed) != 0;
    s.f.fail_at = 0;
    assert_int_equal(result, failed ? TH_ERROR_MEMORY : TH_OK);
    if (failed) {
      if (th_world_hash(s.world) != hash) fail_msg("allocation %u: half applied", (unsigned)n);
      assert_int_equal(sets_of(s.world, &probe_model), sets[0]);
      assert_int_equal(sets_of(s.world, &th_model_follow), sets[1]);
      assert_int_equal(sets_of(s.world, &th_model_user), sets[2]);
    }
    populate(&s, 50); /* rows beyond the first capacity */
    worlds_steps(s.world, 2);
    end(&s);
  }
  assert_true(n > 30);
  free(all.memory);
}

static void growth_survives_failing_allocations(void **state) {
  (void)state;
  survive(grow);
}

static void restore_survives_failing_allocations(void **state) {
  (void)state;
  survive(restore);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_keeps_equal_values_once),
      cmocka_unit_test(the_table_survives_failing_allocations),
      cmocka_unit_test(agents_share_equal_parameters),
      cmocka_unit_test(a_set_may_be_given_back_to_its_agent),
      cmocka_unit_test(models_do_not_share),
      cmocka_unit_test(all_may_be_distinct),
      cmocka_unit_test(changes_without_end_take_no_more_memory),
      cmocka_unit_test(a_step_allocates_nothing),
      cmocka_unit_test(snapshots_hold_sets),
      cmocka_unit_test(snapshots_hold_parameters_row_by_row),
      cmocka_unit_test(models_of_one_name_are_refused),
      cmocka_unit_test(growth_survives_failing_allocations),
      cmocka_unit_test(restore_survives_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
