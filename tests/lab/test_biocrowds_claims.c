/* tests/lab/test_biocrowds_claims.c - the experiments with BioCrowds and Tree Paths, run again with few seeds: every
 * claim holds, and figures and films are there. The page in docs has twenty seeds. */
#include "support/experiments.h"

static void pass(const char *ids, const char *seeds) { experiments_pass_with("biocrowds", ids, seeds, true); }

/* shows: BIO-34, BIO-69, BIO-71 */
static void routes(void **state) {
  (void)state;
  pass("T1", "--seeds 1..2");
}

/* shows: BIO-38, BIO-41, BIO-43, BIO-45, BIO-48 */
static void chases(void **state) {
  (void)state;
  pass("T2", "--seeds 1..4");
  pass("T3", "--seeds 1..1"); /* T4: see films */
  pass("T5", "--seeds 1..1");
}

/* shows: BIO-54, BIO-56, BIO-60 */
static void shapes(void **state) {
  (void)state;
  pass("T6", "--seeds 1..2");
  pass("T7", "--seeds 1..6");
}

/* shows: BIO-11, BIO-14, BIO-15, BIO-16 */
static void crowds(void **state) {
  (void)state;
  pass("T8-lanes T8-door", "--seeds 1..2");
  pass("T8-density T9", "--seeds 1..1");
}

/* shows: BIO-35 */
static void walls_and_seeds(void **state) {
  (void)state;
  pass("T10", "--seeds 1..1");
  experiments_pass_with("biocrowds", "T11", "--seeds 1..5", false);
}

/* Frames where there is no ffmpeg: two seconds of an escape with its trees; its claims hold, too. */
/* shows: BIO-47, BIO-66 */
static void films(void **state) {
  (void)state;
  char folder[] = "/tmp/throng-biocrowds-XXXXXX", command[1024];
  assert_non_null(mkdtemp(folder));
  snprintf(command, sizeof command,
           "cd %s && '" TH_LAB_PROGRAM
           "' reproduce biocrowds.T4 --seeds 1..1 --film --out o >output 2>&1 || { cat output; false; }",
           folder);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "cd %s && { test -s o/T4.mp4 || test -s o/T4/00050.png; }", folder);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command,
           "cd %s && ! '" TH_LAB_PROGRAM "' reproduce bvp.E13 --seeds 1..2 >output 2>&1 && grep -q biocrowds output",
           folder);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes), cmocka_unit_test(chases),          cmocka_unit_test(shapes),
      cmocka_unit_test(crowds), cmocka_unit_test(walls_and_seeds), cmocka_unit_test(films),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
