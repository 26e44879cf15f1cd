/* tests/lab/test_lab_cli.c - the golden tests of the laboratory's command line (tests/lab/cli). */
#include <stdlib.h>

#include "support/unit.h"

#ifndef TH_LAB_PROGRAM
#define TH_LAB_PROGRAM "build/release/throng_lab"
#endif

static void the_laboratory_prints_what_the_golden_files_say(void **state) {
  (void)state;
  assert_int_equal(system("CASES=tests/lab/cli tests/cli/run.sh '" TH_LAB_PROGRAM "'"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_laboratory_prints_what_the_golden_files_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
