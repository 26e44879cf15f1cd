/* tests/whole/test_time_steps.c - how long a crowd takes does not depend on the length of the steps.
 *
 * Fifty against fifty through a corridor of 2 m, with steps of 0.02, 0.05, 0.1 and 0.2 s: the means over the seeds lie
 * within two standard deviations of the seeds. Doors are stricter, for their seeds vary by 1 to 3 %: docs/orca.md has
 * the figures.
 */
#include <math.h>

#include "support/scene_runs.h"
#include "support/slow.h"

static const char corridor[] =
    "{\"version\": 1, \"name\": \"corridor\", \"duration\": 150, %s, \"ground\": {\"outline\": ["
    "{\"rectangle\": [[-5, 0], [0, 10]]}, {\"rectangle\": [[0, 4], [10, 6]]}, {\"rectangle\": [[10, 0], [15, 10]]}]},"
    "\"goals\": [{\"name\": \"east\", \"line\": [[14, 1], [14, 9]], \"sink\": true, \"field\": \"geodesic\"},"
    "{\"name\": \"west\", \"line\": [[-4, 1], [-4, 9]], \"sink\": true, \"field\": \"geodesic\"}], \"populations\": ["
    "{\"name\": \"right\", \"count\": 50, \"region\": {\"rectangle\": [[-5, 0], [-0.5, 10]]}, \"route\": [\"east\"],"
    "\"speed\": {\"mean\": 1.34, \"spread\": 0.26}},"
    "{\"name\": \"left\", \"count\": 50, \"region\": {\"rectangle\": [[10.5, 0], [15, 10]]}, \"route\": [\"west\"],"
    "\"speed\": {\"mean\": 1.34, \"spread\": 0.26}}]}";

typedef struct sample {
  double mean, variance;
} sample;

static sample times_at(double dt, uint32_t seeds) {
  char part[32];
  double sum = 0, squares = 0;
  snprintf(part, sizeof part, "\"dt\": %g", dt);
  for (uint32_t seed = 1; seed <= seeds; seed++) {
    scene_run s = scene_run_make(corridor, part, (th_run_def){.seed = seed, .workers = 1});
    scene_run_to(&s, 150);
    assert_int_equal(th_world_agents(th_run_world(s.run)).count, 0); /* everybody is through */
    const double time = th_world_time(th_run_world(s.run));
    sum += time, squares += time * time;
    scene_run_free(&s);
  }
  const double mean = sum / seeds;
  return (sample){mean, (squares - seeds * mean * mean) / (seeds - 1)};
}

static void means_agree_within_the_spread_of_the_seeds(void **state) {
  (void)state;
  static const double dt[4] = {0.02, 0.05, 0.1, 0.2};
  sample at[4];
  double mean = 0, variance = 0;
  for (int k = SLOW_BUILD ? 2 : 0; k < 4; k++) {
    at[k] = times_at(dt[k], LONG_RUN(6, 2));
    print_message("dt %g s: %.1f s, spread %.1f s\n", dt[k], at[k].mean, sqrt(at[k].variance));
    mean += at[k].mean / (SLOW_BUILD ? 2 : 4), variance += at[k].variance / (SLOW_BUILD ? 2 : 4);
  }
  if (SLOW_BUILD) return; /* two seeds tell no spread */
  for (int k = 0; k < 4; k++) assert_true(fabs(at[k].mean - mean) < 2 * sqrt(variance));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(means_agree_within_the_spread_of_the_seeds),
  };
  return cmocka_run_group_tests_name("time_steps", tests, NULL, NULL);
}
