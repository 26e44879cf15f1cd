/* tests/test_scene_cli.c - the golden tests of the command line (tests/cli), as one test of the suite. */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

#ifndef TH_PROGRAM
#define TH_PROGRAM "build/release/throng"
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP "SKIP='scenes reproduce' " /* minutes there; tests of their own run what they run */
#else
#define SKIP ""
#endif

static void the_program_prints_what_the_golden_files_say(void **state) {
  (void)state;
  assert_int_equal(system(SKIP "tests/cli/run.sh '" TH_PROGRAM "'"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_program_prints_what_the_golden_files_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
