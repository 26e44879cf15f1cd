/* tests/support/folder.h - a folder of the test program's own, for the files that it writes.
 *
 *   cmocka_run_group_tests(tests, make_folder, drop_folder);    ... in_folder("a.png") ...
 */
#ifndef TH_TESTS_SUPPORT_FOLDER_H
#define TH_TESTS_SUPPORT_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

#include "support/unit.h"

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

/* All bytes of a file and a 0 after them, for free(). */
static inline char *file_bytes(const char *path, size_t *size) {
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  fseek(in, 0, SEEK_END);
  *size = (size_t)ftell(in);
  rewind(in);
  char *bytes = malloc(*size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, in), *size);
  bytes[*size] = 0;
  fclose(in);
  return bytes;
}

#endif
