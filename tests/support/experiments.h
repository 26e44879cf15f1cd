/* tests/support/experiments.h - runs published experiments by the program and asks that they pass. */
#ifndef TESTS_EXPERIMENTS_H
#define TESTS_EXPERIMENTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/unit.h"

#ifndef TH_LAB_PROGRAM
#define TH_LAB_PROGRAM "build/release/throng_lab"
#endif

/* Runs experiments of a group, given as a text of ids, with options of the program; each must pass and leave its figure
 * where it draws one. */
static inline void experiments_pass_with(const char *group, const char *ids, const char *options, bool figures) {
  char folder[] = "/tmp/throng-experiments-XXXXXX", command[1024];
  assert_non_null(mkdtemp(folder));
  for (const char *id = ids; *id; id += strcspn(id, " "), id += strspn(id, " ")) {
    int length = (int)strcspn(id, " ");
    snprintf(command, sizeof command,
             "cd %s && '" TH_LAB_PROGRAM "' reproduce %s.%.*s %s --out o >output || { cat output; false; }", folder,
             group, length, id, options);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "test -s %s/o/%.*s.png", folder, length, id);
    if (figures) assert_int_equal(system(command), 0);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

static inline void experiments_pass(const char *group, const char *ids, bool figures) {
  experiments_pass_with(group, ids, "", figures);
}

#endif
