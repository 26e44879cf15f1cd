/* tests/app/test_steering_claims.c - the scenes of the steering library, run again: every claim holds, or differs no
 * more than is known, and every experiment leaves a figure of trajectories with time marks and forces. */

#include "support/experiments.h"
#include "support/slow.h"

static void pass(const char *ids, bool figures) { experiments_pass("steering", ids, figures); }

/* shows: STEER-98, STEER-102, STEER-103, STEER-104, STEER-105 */
static void one_agent(void **state) {
  (void)state;
  pass(LONG_RUN("AT-01 AT-02 AT-03 AT-04 AT-05 AT-06 AT-14 AT-15 AT-17 AT-31", "AT-01 AT-03"), true);
}

/* shows: STEER-106 */
static void a_town(void **state) {
  (void)state;
  pass(LONG_RUN("town", "AT-02"), true);
}

/* shows: STEER-99, STEER-107, STEER-108, STEER-109, STEER-110 */
static void encounters(void **state) {
  (void)state;
  pass(LONG_RUN("AT-07 AT-08 AT-09 AT-10 AT-11 AT-12 AT-13 AT-30", "AT-07 AT-11"), true);
}

/* shows: STEER-111, STEER-112, STEER-113 */
static void company(void **state) {
  (void)state;
  pass(LONG_RUN("AT-19 AT-21 AT-22 AT-23 AT-24 AT-25 AT-26 AT-27 AT-28", "AT-19 AT-25"), true);
}

/* shows: STEER-114, STEER-115 */
static void smoothness_in_full_mode(void **state) {
  (void)state;
  pass(LONG_RUN("quality", "AT-31"), false);
}

/* Turning, least distance, contacts and arrival stand in every report. */
/* shows: STEER-101 */
static void reports_measure_smoothness(void **state) {
  (void)state;
  char folder[] = "/tmp/throng-steering-XXXXXX", command[1024];
  assert_non_null(mkdtemp(folder));
  snprintf(command, sizeof command, "'" TH_PROGRAM "' run scenes/steering/head_on_full.json --quiet --out %s", folder);
  assert_int_equal(system(command), 0);
  static const char *const name[] = {"turning", "min_distance", "contacts", "arrival", "jitter"};
  for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
    snprintf(command, sizeof command, "grep -q '%s' %s/report.json", name[k], folder);
    if (system(command) != 0) fail_msg("the report lacks %s", name[k]);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_agent),
      cmocka_unit_test(a_town),
      cmocka_unit_test(encounters),
      cmocka_unit_test(company),
      cmocka_unit_test(smoothness_in_full_mode),
      cmocka_unit_test(reports_measure_smoothness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
