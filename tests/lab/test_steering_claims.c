/* tests/lab/test_steering_claims.c - the scenes of the steering library, run again: every claim holds, or differs no
 * more than is known, and every experiment leaves a figure of trajectories with time marks and forces. */

#include <math.h>

#include "support/experiments.h"
#include "throng/world.h"

static void pass(const char *ids, bool figures) { experiments_pass("steering", ids, figures); }

/* shows: STEER-98, STEER-102, STEER-103, STEER-104, STEER-105 */
static void one_agent(void **state) {
  (void)state;
  pass("AT-01 AT-02 AT-03 AT-04 AT-05 AT-06 AT-14 AT-15 AT-17 AT-31", true);
}

/* shows: STEER-106 */
static void a_town(void **state) {
  (void)state;
  pass("town", true);
}

/* shows: STEER-107, STEER-108, STEER-109, STEER-110 */
static void encounters(void **state) {
  (void)state;
  pass("AT-07 AT-08 AT-09 AT-10 AT-11 AT-12 AT-13 AT-30", true);
}

/* shows: STEER-111, STEER-112, STEER-113 */
static void company(void **state) {
  (void)state;
  pass("AT-19 AT-21 AT-22 AT-23 AT-24 AT-25 AT-26 AT-27 AT-28", true);
}

/* shows: STEER-114, STEER-115 */
static void smoothness_in_full_mode(void **state) {
  (void)state;
  pass("quality", false);
}

/* All of them run unattended, from AT-01 to AT-31; AT-16, 18, 20, 29 and 32 are measured with others. Those that do not
 * hold are these and no others; what does not hold in them has a number and a reason in lab/steering.md. */
/* shows: STEER-99 */
static void which_acceptance_tests_do_not_hold(void **state) {
  (void)state;
  char line[1024], found[256] = "", id[16];
  uint32_t ran = 0;
  FILE *said = popen("'" TH_LAB_PROGRAM "' reproduce steering", "r");
  assert_non_null(said);
  while (fgets(line, sizeof line, said)) {
    if (sscanf(line, "%15s", id) != 1 || strncmp(line, "AT-", 3) != 0) continue;
    ran++;
    if (!strncmp(line + strlen(id) + 1, "does not hold", 13)) strcat(strcat(found, " "), id);
  }
  assert_int_equal(pclose(said), 0); /* and none fails */
  assert_int_equal(ran, 27);
  assert_string_equal(found, " AT-02 AT-04 AT-06 AT-12 AT-24");
}

/* ---------------------------------------------------------------- what every report measures */

enum { AGENTS = 2 };

/* What the places of a run come to, by plain loops over its recording. */
typedef struct measured {
  double turning[AGENTS], path[AGENTS], arrived[AGENTS]; /* [rad], [m], [s] */
  double least;                                          /* distance of the bodies [m] */
} measured;

static void shell(const char *format, const char *folder, const char *scene) {
  char command[1024];
  snprintf(command, sizeof command, format, folder, scene, folder);
  assert_int_equal(system(command), 0);
}

static measured from_recording(const char *folder) {
  char line[1024];
  double last[AGENTS][3] = {{0}}, at[AGENTS][2];
  measured m = {.least = INFINITY};
  snprintf(line, sizeof line, "%s/t.csv", folder);
  FILE *file = fopen(line, "r");
  assert_non_null(file);
  for (uint32_t rows = 0; fgets(line, sizeof line, file);) {
    double time, x, y, heading, radius;
    int id, state;
    if (sscanf(line, "%*d,%lf,%d,%lf,%lf,%*f,%*f,%lf,%lf,%*d,%*d,%d", &time, &id, &x, &y, &heading, &radius, &state) !=
        7)
      continue;
    const int i = id - 1;
    assert_true(i >= 0 && i < AGENTS);
    if (rows >= AGENTS) {
      m.turning[i] += fabs(remainder(heading - last[i][2], 6.283185307179586));
      m.path[i] += hypot(x - last[i][0], y - last[i][1]);
    }
    if (state == TH_AGENT_ARRIVED && m.arrived[i] == 0.0) m.arrived[i] = time;
    last[i][0] = at[i][0] = x, last[i][1] = at[i][1] = y, last[i][2] = heading;
    rows++;
    if (rows % AGENTS == 0) m.least = fmin(m.least, hypot(at[0][0] - at[1][0], at[0][1] - at[1][1]) - 2.0 * radius);
  }
  fclose(file);
  return m;
}

/* The n-th number with a name in the report; NAN when it is null. */
static double reported(const char *folder, const char *name, int n) {
  static char text[1 << 16];
  char key[64];
  snprintf(text, sizeof text, "%s/report.json", folder);
  FILE *file = fopen(text, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *at = text;
  for (int k = 0; k <= n; k++) {
    at = strstr(at, key);
    if (!at) fail_msg("the report lacks %s", name);
    at += strlen(key);
  }
  char *end;
  const double value = strtod(at, &end);
  return end == at ? NAN : value;
}

static void assert_near(double found, double wanted, double within) {
  if (!(fabs(found - wanted) <= within)) fail_msg("%.9g, not %.9g", found, wanted);
}

/* Turning in all and per metre, least distance, contacts and times of arrival, against the recording of the same run:
 * two who pass each other, two who run into each other, one who overtakes. */
/* shows: STEER-101 */
static void reports_measure_smoothness(void **state) {
  (void)state;
  static const char *const scene[] = {"head_on_full", "head_on_none", "overtaking_circumvention"};
  char folder[] = "/tmp/throng-steering-XXXXXX";
  assert_non_null(mkdtemp(folder));
  for (int k = 0; k < 3; k++) {
    shell("'" TH_PROGRAM "' run --quiet --out %s scenes/steering/%s.json", folder, scene[k]);
    shell("'" TH_PROGRAM "' convert --quiet %s/trajectory.sqlite %.0s%s/t.csv", folder, "");
    const measured m = from_recording(folder);
    const double turning = m.turning[0] + m.turning[1], path = m.path[0] + m.path[1];
    assert_near(reported(folder, "turning_mean", 0), 0.5 * turning, 1e-5);
    assert_near(reported(folder, "path_mean", 0), 0.5 * path, 1e-5);
    assert_near(reported(folder, "jitter", 0), turning / path, 1e-6);
    assert_near(reported(folder, "arrival_mean", 0), 0.5 * (m.arrived[0] + m.arrived[1]), 1e-6);
    assert_near(reported(folder, "arrival_last", 0), fmax(m.arrived[0], m.arrived[1]), 1e-6);
    assert_int_equal((int)reported(folder, "contacts", 1), m.least < 0.0); /* the first is a time of a phase */
    if (m.least < 2.0) assert_near(reported(folder, "min_distance", 0), m.least, 1e-5); /* farther is nobody near */
    for (int i = 0; i < AGENTS; i++) assert_near(reported(folder, "turning", i), m.turning[i], 1e-5);
  }
  shell("rm -r %s%.0s%.0s", folder, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_agent),
      cmocka_unit_test(a_town),
      cmocka_unit_test(encounters),
      cmocka_unit_test(company),
      cmocka_unit_test(smoothness_in_full_mode),
      cmocka_unit_test(which_acceptance_tests_do_not_hold),
      cmocka_unit_test(reports_measure_smoothness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
