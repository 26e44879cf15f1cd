/* tests/base/test_files.c - files, folders, names and locks of the platform layer, whatever the platform. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "base/platform/file.h"
#include "base/platform/lock.h"
#include "base/platform/path.h"
#include "base/platform/system.h"
#include "support/unit.h"

#ifdef TH_SYSTEM_POSIX
#include <sys/stat.h>
#include <unistd.h>
#endif

#define FOLDER "build/test_files"
#define NAME(name) FOLDER "/" name

static int make_folder(void **state) {
  (void)state;
  (void)th_file_make_folder("build");
  return !th_file_make_folder(FOLDER);
}

static void put(const char *path, const char *text) {
  FILE *file = th_file_fresh(path);
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text) {
  char found[64] = "";
  FILE *file = th_file_open(path, NULL);
  assert_non_null(file);
  assert_int_equal(fread(found, 1, sizeof found - 1, file), strlen(text));
  fclose(file);
  assert_string_equal(found, text);
  assert_int_equal(th_file_size(path), strlen(text));
}

/* Line ends, and the byte that ends a text on Windows, are bytes like others. */
static void bytes_stay_as_they_are(void **state) {
  (void)state;
  put(NAME("bytes"),
      "a\nb\r\nc\x1a"
      "d");
  assert_holds(NAME("bytes"),
               "a\nb\r\nc\x1a"
               "d");
  FILE *file = th_file_stream(NAME("bytes"), "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, 2, SEEK_SET), 0);
  assert_int_equal(fputc('\n', file), '\n');
  fclose(file);
  assert_holds(NAME("bytes"),
               "a\n\n\r\nc\x1a"
               "d");
  assert_true(th_file_remove(NAME("bytes")));
}

static void names_have_any_alphabet(void **state) {
  (void)state;
  const char *folder = NAME("Größe"), *name = NAME("Größe/群衆 площадь"), *other = NAME("Größe/πλῆθος");
  assert_true(th_file_make_folder(folder));
  put(name, "crowd");
  assert_holds(name, "crowd");
  assert_true(th_file_rename(name, other));
  assert_int_equal(th_file_look(name), TH_FILE_NOTHING);
  assert_holds(other, "crowd");
  assert_true(th_file_remove(other));
}

static void renaming_replaces(void **state) {
  (void)state;
  put(NAME("old"), "old");
  put(NAME("new"), "new");
  assert_true(th_file_rename(NAME("new"), NAME("old")));
  assert_holds(NAME("old"), "new");
  assert_false(th_file_name_taken(NAME("new")));
  errno = 0;
  assert_false(th_file_rename(NAME("new"), NAME("old")));
  assert_int_equal(errno, ENOENT);
  assert_holds(NAME("old"), "new");
  assert_true(th_file_remove(NAME("old")));
  assert_false(th_file_remove(NAME("old")));
  assert_int_equal(errno, ENOENT);
}

static void renaming_to_a_free_name_replaces_nothing(void **state) {
  (void)state;
  put(NAME("old"), "old");
  put(NAME("new"), "new");
  errno = 0;
  assert_false(th_file_rename_new(NAME("new"), NAME("old")));
  assert_int_equal(errno, EEXIST);
  assert_holds(NAME("old"), "old");
  assert_true(th_file_remove(NAME("old")));
  assert_true(th_file_rename_new(NAME("new"), NAME("old")));
  assert_holds(NAME("old"), "new");
  assert_false(th_file_name_taken(NAME("new")));
  assert_true(th_file_remove(NAME("old")));
}

static void kinds_are_told(void **state) {
  (void)state;
  th_error error = {0};
  put(NAME("file"), "x");
  assert_int_equal(th_file_look(NAME("file")), TH_FILE_REGULAR);
  assert_int_equal(th_file_look(FOLDER), TH_FILE_FOLDER);
  assert_int_equal(th_file_look(NAME("nothing")), TH_FILE_NOTHING);
  assert_int_equal(th_file_size(FOLDER), 0);
  assert_true(th_file_make_folder(FOLDER)); /* there already */
  assert_false(th_file_make_folder(NAME("no/such")));
  assert_true(th_file_may_write_into(FOLDER));
  assert_null(th_file_open(FOLDER, &error));
  assert_non_null(strstr(error.text, "found a folder"));
  assert_null(th_file_open(NAME("nothing"), &error));
  assert_int_equal(error.code, TH_ERROR_FILE);
  assert_true(th_file_same(NAME("file"), FOLDER "/../test_files/file"));
  assert_false(th_file_same(NAME("file"), FOLDER));
  assert_false(th_file_same(NAME("nothing"), NAME("nothing")));
  assert_true(th_file_remove(NAME("file")));
}

#ifdef TH_SYSTEM_POSIX
static void links_and_pipes_are_not_followed(void **state) {
  (void)state;
  th_error error = {0};
  put(NAME("target"), "safe");
  (void)unlink(NAME("link"));
  (void)unlink(NAME("pipe"));
  assert_int_equal(symlink("target", NAME("link")), 0);
  put(NAME("link"), "mine");
  assert_holds(NAME("target"), "safe");
  assert_holds(NAME("link"), "mine");
  assert_true(th_file_remove(NAME("link")));
  assert_int_equal(symlink("nowhere", NAME("link")), 0);
  assert_true(th_file_name_taken(NAME("link")));
  assert_int_equal(th_file_look(NAME("link")), TH_FILE_NOTHING);
  assert_int_equal(mkfifo(NAME("pipe"), 0600), 0);
  assert_int_equal(th_file_look(NAME("pipe")), TH_FILE_DEVICE);
  assert_null(th_file_open(NAME("pipe"), &error));
  assert_non_null(strstr(error.text, "found a pipe"));
  assert_true(th_file_remove(NAME("link")) && th_file_remove(NAME("pipe")) && th_file_remove(NAME("target")));
}
#endif

static void a_lock_has_one_holder(void **state) {
  (void)state;
  intptr_t first = -1, second = -1;
  assert_int_equal(th_lock_take(NAME("lock"), &first), TH_LOCK_TAKEN);
  assert_int_equal(th_lock_take(NAME("lock"), &second), TH_LOCK_HELD);
  th_lock_give(NAME("lock"), first);
  assert_false(th_file_name_taken(NAME("lock")));
  assert_int_equal(th_lock_take(NAME("lock"), &second), TH_LOCK_TAKEN);
  th_lock_give(NAME("lock"), second);
  assert_int_equal(th_lock_take(NAME("no/such/lock"), &first), TH_LOCK_IMPOSSIBLE);
}

static void names_have_folders(void **state) {
  (void)state;
  assert_string_equal(th_path_last_separator("a/b/c.json"), "/c.json");
  assert_null(th_path_last_separator("c.json"));
  assert_true(th_path_is_absolute("/a"));
  assert_false(th_path_is_absolute("a/b"));
  assert_false(th_path_is_absolute(""));
#ifdef TH_SYSTEM_WINDOWS
  assert_true(th_path_is_absolute("c:/a") && th_path_is_absolute("\\a"));
  assert_string_equal(th_path_last_separator("a/b\\c.json"), "\\c.json");
#else
  assert_false(th_path_is_absolute("c:/a") || th_path_is_absolute("\\a"));
#endif
}

static void real_names_are_absolute(void **state) {
  (void)state;
  char real[TH_PATH_ROOM], same[TH_PATH_ROOM];
  assert_true(th_file_real_path(FOLDER, real));
  assert_true(th_path_is_absolute(real));
  assert_null(strchr(real, '\\'));
  assert_true(th_file_real_path(FOLDER "/../test_files/.", same));
  assert_string_equal(real, same);
  assert_string_equal(th_path_last_separator(real), "/test_files");
  assert_false(th_file_real_path(NAME("nothing"), real));
}

static void capital_letters_do_not_count(void **state) {
  (void)state;
  assert_true(th_letters_same(".PNG", ".png") && th_letters_same("", ""));
  assert_false(th_letters_same(".png", ".pn") || th_letters_same(".pn", ".png") || th_letters_same("[", "{"));
  assert_true(th_letters_begin("Polygon (", "POLYGON") && th_letters_begin("x", ""));
  assert_false(th_letters_begin("POLY", "POLYGON"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_stay_as_they_are),
      cmocka_unit_test(names_have_any_alphabet),
      cmocka_unit_test(renaming_replaces),
      cmocka_unit_test(renaming_to_a_free_name_replaces_nothing),
      cmocka_unit_test(kinds_are_told),
#ifdef TH_SYSTEM_POSIX
      cmocka_unit_test(links_and_pipes_are_not_followed),
#endif
      cmocka_unit_test(a_lock_has_one_holder),
      cmocka_unit_test(names_have_folders),
      cmocka_unit_test(real_names_are_absolute),
      cmocka_unit_test(capital_letters_do_not_count),
  };
  return cmocka_run_group_tests(tests, make_folder, NULL);
}
