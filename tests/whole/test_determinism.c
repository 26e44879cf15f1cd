/* tests/whole/test_determinism.c - the same calls give the same bits: for any number of workers, on every instruction
 * set, with the host's own threads, and whatever room was made beforehand. */
#include "support/busy_world.h"

#define STEPS 70

static uint64_t run(const busy_def *def, uint64_t trace[STEPS]) {
  busy b;
  busy_make(&b, def);
  for (uint32_t i = 0; i < STEPS; i++) {
    busy_steps(&b, 1);
    trace[i] = th_world_hash(b.world);
  }
  uint64_t hash = th_world_hash(b.world);
  busy_end(&b);
  return hash;
}

static void compare(const busy_def *def, const uint64_t expected[STEPS], const char *what) {
  uint64_t trace[STEPS];
  run(def, trace);
  for (uint32_t i = 0; i < STEPS; i++)
    if (trace[i] != expected[i]) fail_msg("%s: differs after step %u", what, i + 1);
}

static void workers_change_nothing(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  uint64_t expected[STEPS];
  run(&def, expected);
  static const uint32_t workers[] = {1, 2, 3, 8};
  for (size_t i = 0; i < 4; i++) {
    def.workers = workers[i];
    char what[32];
    snprintf(what, sizeof what, "%u workers", workers[i]);
    compare(&def, expected, what);
  }
  assert_int_equal(h.faults, 0);
}

static void instruction_sets_change_nothing(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  uint64_t expected[STEPS];
  def.simd = TH_SIMD_FOUR;
  run(&def, expected);
  for (th_simd simd = TH_SIMD_AVX2; simd <= TH_SIMD_AVX512; simd++) {
    def.simd = simd;
    def.workers = 2;
    if (th_simd_has(simd)) compare(&def, expected, th_simd_name(simd));
  }
}

static void backwards(void *user, uint32_t count, void (*task)(void *context, uint32_t index), void *context) {
  (void)user;
  while (count-- > 0) task(context, count);
}

static void tasks_of_the_host_change_nothing(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  uint64_t expected[STEPS];
  run(&def, expected);
  def.env.tasks.run = backwards;
  compare(&def, expected, "the host's tasks, last first");
}

/* Room for later is not state: growing on the way and reserving before give the same. */
static void capacity_changes_nothing(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  uint64_t expected[STEPS];
  run(&def, expected);
  def.capacity = 3000;
  compare(&def, expected, "more room");
}

/* A hash that never changes would pass everything above. */
static void hashes_of_steps_differ(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  uint64_t trace[STEPS];
  run(&def, trace);
  for (uint32_t i = 0; i < STEPS; i++)
    for (uint32_t k = 0; k < i; k++) assert_true(trace[i] != trace[k]);
}

/* Every call that changes what will happen changes the hash. */
static void the_hash_sees_calls(void **state) {
  (void)state;
  log_capture h = {0};
  busy_def def = BUSY_DEF(worlds_env(&h));
  busy b;
  busy_make(&b, &def);
  busy_steps(&b, 10);
  uint64_t seen[8], count = 0;
  seen[count++] = th_world_hash(b.world);
  th_vec2 at = {3, 3};
  th_shape shape = th_point_shape(at.x, at.y);
  OK(th_world_move_goal(b.world, b.goal[0], &shape, &error));
  seen[count++] = th_world_hash(b.world);
  OK(busy_door(&b, TH_EDIT_CLOSE, "east", &error));
  seen[count++] = th_world_hash(b.world);
  th_world_remove_source(b.world, b.source[0]);
  seen[count++] = th_world_hash(b.world);
  th_world_remove_guide(b.world, b.path);
  seen[count++] = th_world_hash(b.world);
  th_world_remove_goal(b.world, b.goal[3]);
  seen[count++] = th_world_hash(b.world);
  OK(th_world_set_dt(b.world, 0.07f, &error));
  seen[count++] = th_world_hash(b.world);
  for (uint64_t i = 0; i < count; i++)
    for (uint64_t k = 0; k < i; k++) assert_true(seen[i] != seen[k]);
  worlds_steps(b.world, 5);
  busy_end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(workers_change_nothing),           cmocka_unit_test(instruction_sets_change_nothing),
      cmocka_unit_test(tasks_of_the_host_change_nothing), cmocka_unit_test(capacity_changes_nothing),
      cmocka_unit_test(hashes_of_steps_differ),           cmocka_unit_test(the_hash_sees_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
