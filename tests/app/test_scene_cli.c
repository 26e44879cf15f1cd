/* tests/app/test_scene_cli.c - the golden tests of the command line (tests/cli), as one test of the suite. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "support/slow.h"
#include "support/unit.h"

#ifndef TH_PROGRAM
#define TH_PROGRAM "build/release/throng"
#endif

/* minutes under sanitizers; tests of their own run what these run */
#define SKIP LONG_RUN("SKIP='terminal ogr' ", "SKIP='terminal ogr scenes same' ")

static void the_program_prints_what_the_golden_files_say(void **state) {
  (void)state;
  char command[512];
  snprintf(command, sizeof command, "%stests/cli/run.sh '" TH_PROGRAM "'", SKIP);
  assert_int_equal(system(command), 0);
}

static void a_terminal_gets_a_bar(void **state) {
  (void)state;
  int code = system("tests/cli/run.sh '" TH_PROGRAM "' terminal");
  if (WIFEXITED(code) && WEXITSTATUS(code) == 77) skip();
  assert_int_equal(code, 0);
}

/* Only where that program is: ./dev test --all installs it. */
static void plans_come_through_ogr2ogr(void **state) {
  (void)state;
  int code = system("tests/cli/run.sh '" TH_PROGRAM "' ogr");
  if (WIFEXITED(code) && WEXITSTATUS(code) == 77) skip();
  assert_int_equal(code, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_program_prints_what_the_golden_files_say),
                                     cmocka_unit_test(a_terminal_gets_a_bar),
                                     cmocka_unit_test(plans_come_through_ogr2ogr)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
