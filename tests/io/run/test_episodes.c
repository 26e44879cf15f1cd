/* tests/io/run/test_episodes.c - random episodes: done by hand, written, read, run again with 1 and 2 workers, gone
 * back in, mutated, and short of memory. soak_episodes does much more of it. */
#include "support/random_episodes.h"
#include "support/slow.h"
#include "support/unit.h"

static void flat_episodes_are_replayed(void **state) {
  (void)state;
  episode_check(false, 1, LONG_RUN(1000, 120), LONG_RUN(6, 2));
}

static void mesh_episodes_are_replayed(void **state) {
  (void)state;
  episode_check(true, 2, LONG_RUN(1000, 120), LONG_RUN(6, 2));
}

static void mutated_episodes_run_or_are_refused(void **state) {
  (void)state;
  const uint32_t least = LONG_RUN(1, 0); /* few can be read */
  assert_true(episode_mutations(false, 3, 60, LONG_RUN(200, 20)) >= least);
  assert_true(episode_mutations(true, 4, 60, LONG_RUN(40, 6)) >= least);
}

static void little_memory_loses_nothing(void **state) {
  (void)state;
  episode_short_of_memory(false, 5, LONG_RUN(24, 6));
  episode_short_of_memory(true, 6, LONG_RUN(10, 3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(little_memory_loses_nothing),
      cmocka_unit_test(mutated_episodes_run_or_are_refused),
      cmocka_unit_test(flat_episodes_are_replayed),
      cmocka_unit_test(mesh_episodes_are_replayed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
