/* tests/io/soak_episodes.c - many random episodes, on flat ground and on a mesh, many mutations of them, and memory
 * that runs out in many places. */
#include "support/random_episodes.h"
#include "support/slow.h"
#include "support/unit.h"

enum { EPISODES = LONG_RUN(20, 4), EVENTS = LONG_RUN(1000, 200) };

static void episodes_are_replayed(void **state) {
  (void)state;
  for (uint64_t seed = 100; seed < 100 + EPISODES; seed++) episode_check(seed % 4 == 3, seed, EVENTS, 20);
}

static void mutated_episodes_run_or_are_refused(void **state) {
  (void)state;
  for (uint64_t seed = 200; seed < 200 + EPISODES; seed++)
    assert_true(episode_mutations(seed % 4 == 3, seed, 100, LONG_RUN(300, 40)) > 0);
}

static void little_memory_loses_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 300; seed < 300 + EPISODES; seed++) episode_short_of_memory(seed % 4 == 3, seed, 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(episodes_are_replayed),
      cmocka_unit_test(mutated_episodes_run_or_are_refused),
      cmocka_unit_test(little_memory_loses_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
