/* tests/world/test_snapshot.c - a restored world goes on bit for bit as the one that was saved, in the same world or in
 * a fresh one, with fields, edits, sources, delays and waits pending; a snapshot that does not fit changes nothing. */
#include "base/hash.h"
#include "support/busy_world.h"
#include "support/slow.h"
#include "support/stage.h"
#include "throng/group.h"
#include "world/state/snapshot.h"

#define STEPS 60
#define AFTER LONG_RUN(12, 3)

/* Saves before each step of a run, then restores each into `into` and follows the trace. */
static void follow(const worlds_saved *all, const uint64_t *trace, busy *into, const char *what) {
  for (uint32_t s = 0; s < STEPS; s += LONG_RUN(1, 2)) {
    OK(th_world_restore(into->world, all[s].memory, all[s].size, &error));
    if (th_world_hash(into->world) != trace[s]) fail_msg("%s: restored at step %u, the hash differs", what, s);
    for (uint32_t k = s; k < s + AFTER && k < STEPS; k++) {
      busy_steps(into, 1);
      if (th_world_hash(into->world) != trace[k + 1])
        fail_msg("%s: restored at step %u, differs after step %u", what, s, k + 1);
    }
  }
}

static void a_restored_world_goes_on_alike(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy original, other;
  worlds_saved all[STEPS];
  uint64_t trace[STEPS + 1];
  busy_make(&original, &def);
  for (uint32_t s = 0; s < STEPS; s++) {
    all[s] = worlds_save(original.world);
    trace[s] = th_world_hash(original.world);
    busy_steps(&original, 1);
  }
  trace[STEPS] = th_world_hash(original.world);
  follow(all, trace, &original, "same world");
  def.workers = 3;
  def.capacity = 70;
  busy_make(&other, &def);
  OK(th_world_reserve(other.world, 400, &error)); /* sources emit up to the same number */
  follow(all, trace, &other, "fresh world");
  busy_end(&other);
  busy_end(&original);
  for (uint32_t s = 0; s < STEPS; s++) free(all[s].memory);
  assert_int_equal(h.faults, 0);
}

/* Each snapshot into a world that has never stepped. */
static void a_fresh_world_takes_over(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy original, fresh;
  busy_make(&original, &def);
  for (uint32_t s = 0; s < 40; s += 3) {
    worlds_saved one = worlds_save(original.world);
    busy_make(&fresh, &def);
    OK(th_world_restore(fresh.world, one.memory, one.size, &error));
    for (uint32_t k = 0; k < 3; k++) {
      if (th_world_hash(fresh.world) != th_world_hash(original.world)) fail_msg("saved at %u, differs after %u", s, k);
      busy_steps(&fresh, 1);
      busy_steps(&original, 1);
    }
    busy_end(&fresh);
    free(one.memory);
  }
  busy_end(&original);
}

static void a_snapshot_has_the_size_that_was_told(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy b;
  busy_make(&b, &def);
  busy_steps(&b, 9);
  worlds_saved one = worlds_save(b.world);
  uint8_t *guarded = malloc(one.size + 16);
  memset(guarded, 0x5a, one.size + 16);
  assert_int_equal(th_world_snapshot(b.world, guarded, one.size), one.size);
  assert_memory_equal(guarded, one.memory, one.size); /* the same state gives the same bytes */
  for (int i = 0; i < 16; i++) assert_int_equal(guarded[one.size + (size_t)i], 0x5a);
  assert_int_equal(th_world_snapshot(b.world, guarded, one.size / 2), one.size);
  free(guarded);
  free(one.memory);
  busy_end(&b);
}

static void damaged_snapshots_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy b;
  busy_make(&b, &def);
  busy_steps(&b, 9);
  worlds_saved one = worlds_save(b.world);
  busy_steps(&b, 2);
  uint8_t *bytes = one.memory;
  REFUSED(b.world, th_world_restore(b.world, NULL, 0, &error), TH_ERROR_FORMAT, "snapshot");
  REFUSED(b.world, th_world_restore(b.world, bytes, 7, &error), TH_ERROR_FORMAT, "snapshot");
  for (size_t size = 64; size < one.size; size += one.size / 37)
    REFUSED(b.world, th_world_restore(b.world, bytes, size, &error), TH_ERROR_FORMAT, "snapshot");
  for (size_t at = 0; at < one.size; at += one.size / 101) {
    bytes[at] ^= 0x10;
    REFUSED(b.world, th_world_restore(b.world, bytes, one.size, &error), TH_ERROR_FORMAT, "snapshot");
    bytes[at] ^= 0x10;
  }
  OK(th_world_restore(b.world, bytes, one.size, &error));
  free(one.memory);
  busy_end(&b);
}

/* Everything that the world itself keeps: people, bodies, routes, waits, delays, links, a guide, a source, a group,
 * edits, and a field that is pending. */
static void fill_world(th_world *world) {
  const th_goal_id goal[2] = {worlds_goal(world, 2, 2), worlds_goal(world, 22, 3)};
  const th_path_params path = {.point = busy_path, .count = 4, .ahead = 1.0f};
  const worlds_rect rect = worlds_rectangle(9, 1, 15, 6), spring = worlds_rectangle(1, 12, 4, 15);
  const th_polygon area = {NULL, rect.point, 4};
  th_guide_id guide;
  th_agent_id member[6];
  OK(th_world_add_guide(world, &th_guide_path, &path, &guide, &error));
  for (int i = 0; i < 24; i++) {
    th_agent_def def = i % 3 ? th_default_agent_def() : th_default_body_def();
    def.point = (th_vec3){1.0f + (float)(i % 6), 6.0f + (float)(i / 6), 0};
    def.route_count = 2;
    def.route[0] = (th_stop){.goal = goal[i % 2], .wait = (float)(i % 4)};
    def.route[1].goal = goal[1 - i % 2];
    def.delay = i == 5 ? 1.0f : 0.0f;
    if (i == 7) def.guide = guide, def.route_count = 0;
    def.link_count = i == 9;
    def.link[0] = (th_link_def){.agent = member[0], .role = TH_ROLE_LEADER};
    th_agent_id id = worlds_add(world, &def);
    if (i < 6) member[i] = id;
  }
  th_group_def group = th_default_group_def();
  group.area = &area;
  group.area_count = 1;
  OK(th_world_add_group(world, &group, member, 6, NULL, &error));
  th_source_def source = th_default_source_def();
  source.region = (th_polygon){NULL, spring.point, 4};
  source.rate = 2;
  source.agent.route_count = 1;
  source.agent.route[0].goal = goal[1];
  OK(th_world_add_source(world, &source, NULL, &error));
  worlds_steps(world, 8);
  OK(th_world_edit(world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
  worlds_steps(world, 5);
  OK(th_world_edit(world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "east"}, 1, &error));
}

/* Every try makes the fields of the house once or twice: cells of 0.5 m are enough for what is read here. */
static th_ground *coarse_house(const th_env *env) {
  th_ground *ground = NULL;
  OK(worlds_try_house(env, 0.5f, &ground, &error));
  return ground;
}

/* Some numbers that hurt. */
static uint32_t wrong_word(uint64_t *bits) {
  static const uint32_t word[] = {0,          1,          2,          255,        65535,     65536,
                                  0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000, 0x7fc00000};
  return worlds_below(bits, 3) ? word[worlds_below(bits, 11)] : (uint32_t)worlds_bits(bits);
}

/* Blocks whose guard is right and whose contents are not are refused, or are the state of some world; sanitizers find
 * what is used without being checked. */
static void crafted_snapshots_do_no_harm(void **state) {
  (void)state;
  stage s;
  th_world_def def = th_default_world_def();
  def.latency = 3;
  stage_begin(&s, coarse_house, &def);
  fill_world(s.world);
  worlds_saved good = worlds_save(s.world);
  uint8_t *bytes = malloc(good.size);
  const size_t end = good.size - sizeof(uint64_t);
  uint32_t refused = 0, taken = 0;
  uint64_t bits = 5;
  assert_non_null(bytes);
  for (uint32_t n = 0; n < LONG_RUN(400, 120); n++) {
    memcpy(bytes, good.memory, good.size);
    for (uint32_t k = worlds_below(&bits, 3) + 1; k-- > 0;) {
      const uint32_t word = wrong_word(&bits);
      const size_t width = 1u << worlds_below(&bits, 3), at = worlds_below(&bits, (uint32_t)(end - width));
      memcpy(bytes + at - at % width, &word, width);
    }
    th_hash hash = th_hash_begin(TH_SNAPSHOT_MAGIC);
    th_hash_bytes(&hash, bytes, end);
    const uint64_t guard = th_hash_end(&hash);
    memcpy(bytes + end, &guard, sizeof guard);
    const bool restored = th_world_restore(s.world, bytes, good.size, NULL) == TH_OK;
    restored ? taken++ : refused++;
    if (!restored) continue;
    worlds_steps(s.world, 6);
    OK(th_world_restore(s.world, good.memory, good.size, &error));
  }
  assert_true(refused > 0 && taken > 0);
  free(bytes);
  free(good.memory);
  stage_end(&s);
}

/* Each of these was used as an index. */
static void rows_that_cannot_be_are_refused(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  fill_world(s.world);
  worlds_steps(s.world, 2);
  th_rows *rows = &s.world->rows;
  worlds_saved one;
#define WRONG(member, value)                                                                                \
  do {                                                                                                      \
    const __typeof__(rows->member) held = rows->member;                                                     \
    rows->member = (__typeof__(rows->member))(value);                                                       \
    one = worlds_save(s.world);                                                                             \
    rows->member = held;                                                                                    \
    REFUSED(s.world, th_world_restore(s.world, one.memory, one.size, &error), TH_ERROR_FORMAT, "snapshot"); \
    free(one.memory);                                                                                       \
  } while (0)
  WRONG(id[2].index, rows->id[1].index);
  WRONG(id[2].index, 60000);
  WRONG(agent[2], 0);
  WRONG(cell[3], 1000000);
  WRONG(previous_cell[3], 1000000);
  WRONG(x[4], NAN);
  WRONG(y[4], 1e30f);
  WRONG(radius[4], 0);
  WRONG(vx[4], INFINITY);
  WRONG(route[1].count, 200);
  WRONG(route[1].next, 9);
  WRONG(route[1].goal[0], 99);
  WRONG(route[1].field[0], 4000);
  WRONG(field[1], 4000);
  WRONG(guide[1], 7);
  WRONG(link_count[1], 100);
  WRONG(state[1], 9);
  WRONG(gait[1], 9);
  WRONG(in[1], 2);
  WRONG(group[1], 900);
#undef WRONG
  stage_end(&s);
}

static th_world *plain_world(th_ground *ground, uint64_t seed) {
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.ground = ground;
  def.seed = seed;
  OK(th_world_make(&def, &world, &error));
  return world;
}

/* Each size of the ground counts by itself. */
static void grounds_that_differ_in_one_size_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  static const th_vec2 size[3] = {{10, 10}, {10, 11}, {11, 10}};
  th_world *world[3];
  for (int k = 0; k < 3; k++) {
    th_ground *ground = worlds_box(&env, size[k].x, size[k].y);
    world[k] = plain_world(ground, 1);
    th_ground_release(ground);
  }
  worlds_saved plain = worlds_save(world[0]);
  for (int k = 1; k < 3; k++)
    REFUSED(world[k], th_world_restore(world[k], plain.memory, plain.size, &error), TH_ERROR_FORMAT, "snapshot");
  OK(th_world_restore(world[0], plain.memory, plain.size, &error));
  free(plain.memory);
  for (int k = 0; k < 3; k++) th_world_free(world[k]);
}

static void snapshots_of_other_worlds_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *house = worlds_house(&env), *box = worlds_box(&env, 10, 10);
  th_world *a = plain_world(house, 1), *seed = plain_world(house, 2), *ground = plain_world(box, 1);
  th_agent_def probe = worlds_agent_def(2, 2, NOWHERE);
  worlds_saved plain = worlds_save(a);
  probe.model = &probe_model;
  worlds_add(a, &probe);
  worlds_saved with_model = worlds_save(a);
  th_world *fresh = plain_world(house, 1);
  REFUSED(seed, th_world_restore(seed, plain.memory, plain.size, &error), TH_ERROR_FORMAT, "snapshot");
  REFUSED(ground, th_world_restore(ground, plain.memory, plain.size, &error), TH_ERROR_FORMAT, "snapshot");
  REFUSED(fresh, th_world_restore(fresh, with_model.memory, with_model.size, &error), TH_ERROR_FORMAT, "snapshot");
  OK(th_world_restore(fresh, plain.memory, plain.size, &error));
  th_world_advise(fresh);
  th_error error = {0};
  assert_int_equal(th_world_restore(fresh, plain.memory, plain.size, &error), TH_ERROR_STATE);
  assert_int_equal(th_world_snapshot(fresh, NULL, 0), 0);
  th_world_integrate(fresh);
  th_world *worlds[] = {a, seed, ground, fresh};
  for (int i = 0; i < 4; i++) th_world_free(worlds[i]);
  th_ground_release(house);
  th_ground_release(box);
  free(plain.memory);
  free(with_model.memory);
}

/* Goals come back; sources and guides that came later go; those that are gone cannot come back. */
static void goals_come_back_and_later_things_go(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy b;
  busy_make(&b, &def);
  busy_steps(&b, 5);
  worlds_saved one = worlds_save(b.world);
  uint64_t hash = th_world_hash(b.world);
  th_world_remove_goal(b.world, b.goal[4]);
  th_goal_id extra = worlds_goal(b.world, 5, 5);
  th_source_def source = th_default_source_def();
  source.agent.model = &th_model_follow;
  worlds_rect rect = worlds_rectangle(1, 1, 3, 3);
  source.region = (th_polygon){NULL, rect.point, 4};
  source.agent.route[0].goal = extra;
  source.agent.route_count = 1;
  th_source_id later;
  OK(th_world_add_source(b.world, &source, &later, &error));
  th_guide_id guide;
  OK(th_world_add_guide(b.world, &th_guide_user, NULL, &guide, &error));
  worlds_steps(b.world, 10);
  OK(th_world_restore(b.world, one.memory, one.size, &error));
  assert_true(th_world_hash(b.world) == hash);
  h.faults = 0;
  th_world_remove_source(b.world, later);
  th_world_remove_guide(b.world, guide);
  th_world_remove_goal(b.world, extra);
  assert_int_equal(h.faults, 3);
  busy_steps(&b, 5);
  th_world_remove_source(b.world, b.source[0]);
  REFUSED(b.world, th_world_restore(b.world, one.memory, one.size, &error), TH_ERROR_FORMAT, "snapshot");
  busy_end(&b);
  busy_make(&b, &def);
  th_world_remove_guide(b.world, b.path);
  REFUSED(b.world, th_world_restore(b.world, one.memory, one.size, &error), TH_ERROR_FORMAT, "snapshot");
  busy_end(&b);
  free(one.memory);
}

static void pointers_of_the_host_stay(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  th_world *world = worlds_make(ground, &env);
  int marks[3];
  th_agent_id id[3];
  for (int i = 0; i < 3; i++) {
    th_agent_def def = worlds_agent_def(2.0f + (float)i, 2, NOWHERE);
    def.user = &marks[i];
    id[i] = worlds_add(world, &def);
  }
  worlds_saved one = worlds_save(world);
  th_world_remove_agent(world, id[0]);
  worlds_steps(world, 3);
  OK(th_world_restore(world, one.memory, one.size, &error));
  th_agents agents = th_world_agents(world);
  assert_null(agents.user[th_world_row(world, id[0])]); /* it was gone, and its pointer with it */
  for (int i = 1; i < 3; i++) assert_ptr_equal(agents.user[th_world_row(world, id[i])], &marks[i]);
  free(one.memory);
  worlds_end(world, ground);
}

/* The goal goes while its field is made, and another takes its place in the table: nobody wants the field any more, so
 * the one who heads for the other goal is as far with it as without, and a restored world goes on alike. */
static void fields_that_nobody_wants_leave_no_trace(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_world_def def = th_default_world_def();
  def.env = env, def.ground = worlds_house(&env), def.latency = 5;
  th_world *world[2];
  for (int k = 0; k < 2; k++) OK(th_world_make(&def, &world[k], &error));
  th_goal_id goal = worlds_goal(world[0], 5, 2);
  th_agent_id first = worlds_walker(world[0], 2, 8, goal);
  worlds_steps(world[0], 1);
  th_world_remove_goal(world[0], goal);
  th_world_remove_agent(world[0], first);
  worlds_walker(world[0], 2, 8, worlds_goal(world[0], 5, 14));
  worlds_saved one = worlds_save(world[0]);
  OK(th_world_restore(world[1], one.memory, one.size, &error));
  for (uint32_t step = 0; step < 12; step++) {
    if (th_world_hash(world[0]) != th_world_hash(world[1])) fail_msg("differs after %u steps", step);
    for (int k = 0; k < 2; k++) worlds_steps(world[k], 1);
  }
  free(one.memory);
  for (int k = 0; k < 2; k++) th_world_free(world[k]);
  th_ground_release(def.ground);
}

/* A snapshot knows models by name: two of one name would mix their agents. */
static void models_of_one_name_are_refused(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy b;
  busy_make(&b, &def);
  const th_model twin = th_model_follow;
  th_agent_def agent;
  assert_true(th_world_agent_def(b.world, th_world_agents(b.world).id[0], &agent));
  assert_ptr_equal(agent.model, &th_model_follow);
  agent.model = &twin;
  OK(th_world_add_agents(b.world, &agent, 1, NULL, &error));
  worlds_saved all = worlds_save(b.world);
  REFUSED(b.world, th_world_restore(b.world, all.memory, all.size, &error), TH_ERROR_FORMAT, "snapshot");
  free(all.memory);
  busy_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_restored_world_goes_on_alike),
      cmocka_unit_test(a_fresh_world_takes_over),
      cmocka_unit_test(a_snapshot_has_the_size_that_was_told),
      cmocka_unit_test(damaged_snapshots_are_refused),
      cmocka_unit_test(crafted_snapshots_do_no_harm),
      cmocka_unit_test(rows_that_cannot_be_are_refused),
      cmocka_unit_test(grounds_that_differ_in_one_size_are_refused),
      cmocka_unit_test(snapshots_of_other_worlds_are_refused),
      cmocka_unit_test(goals_come_back_and_later_things_go),
      cmocka_unit_test(pointers_of_the_host_stay),
      cmocka_unit_test(fields_that_nobody_wants_leave_no_trace),
      cmocka_unit_test(models_of_one_name_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
