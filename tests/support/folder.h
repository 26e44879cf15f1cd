/* tests/support/folder.h - a folder of the test program's own, for the files that it writes.
 *
 *   cmocka_run_group_tests(tests, make_folder, drop_folder);    ... in_folder("a.png") ...
 */
#ifndef TH_TESTS_SUPPORT_FOLDER_H
#define TH_TESTS_SUPPORT_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/throng_test_XXXXXX";
static char file_path[96];

/* Valid until the next call. */
static inline const char *in_folder(const char *name) {
  snprintf(file_path, sizeof file_path, "%s/%s", folder, name);
  return file_path;
}

static inline int make_folder(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static inline int drop_folder(void **state) {
  (void)state;
  char command[96];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

#endif
