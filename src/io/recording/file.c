/* io/recording/file.c - replaces a file so that at every moment the old or the new one exists.
 *
 * A recording must have its final name while it grows (a user who kills the program looks for it there), and the file
 * that it replaces must survive a full disk. So the old file is renamed to path.old and renamed back when the new one
 * fails. A hot journal, left by a killed writer, belongs to the file beside it and moves with it: SQLite would
 * otherwise roll it back into the new file.
 */
#include "io/recording/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

bool th_path_join(char buffer[TH_PATH_ROOM], const char *path, const char *ending) {
  int n = snprintf(buffer, TH_PATH_ROOM, "%s%s", path, ending);
  return n > 0 && n < TH_PATH_ROOM;
}

th_result th_path_check(const char *path, th_error *error) {
  char longest[TH_PATH_ROOM];
  struct stat about;
  if (!*path) return th_fail(error, TH_ERROR_FILE, path, "expected the name of a file, found nothing");
  if (!th_path_join(longest, path, ".part-journal"))
    return th_fail(error, TH_ERROR_FILE, path, "expected a name below %d characters, found %zu", TH_PATH_ROOM - 14,
                   strlen(path));
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return th_fail(error, TH_ERROR_FILE, path, "expected a file that may be replaced, found a folder or device");
  return TH_OK;
}

static void move_file(const char *path, const char *from, const char *to) {
  static const char *const side[] = {"", "-journal"};
  char a[TH_PATH_ROOM], b[TH_PATH_ROOM], ending[32];
  for (int k = 0; k < 2; k++) {
    snprintf(ending, sizeof ending, "%s%s", from, side[k]);
    if (!th_path_join(a, path, ending)) return;
    snprintf(ending, sizeof ending, "%s%s", to, side[k]);
    if (!th_path_join(b, path, ending)) return;
    if (rename(a, b) != 0) unlink(b); /* no such journal: an older one must go, too */
  }
}

static bool exists(const char *path, const char *ending) {
  char name[TH_PATH_ROOM];
  return th_path_join(name, path, ending) && access(name, F_OK) == 0;
}

th_result th_path_publish(const char *path, th_error *error) {
  char part[TH_PATH_ROOM];
  bool replaces = exists(path, "");
  if (replaces) move_file(path, "", ".old");
  if (th_path_join(part, path, ".part") && rename(part, path) == 0) return TH_OK;
  int reason = errno;
  if (replaces) move_file(path, ".old", "");
  return th_fail(error, TH_ERROR_FILE, path, "cannot give the new file its name: %s", strerror(reason));
}

void th_path_settle(const char *path) {
  static const char *const ending[] = {".old", ".old-journal"};
  char name[TH_PATH_ROOM];
  for (int k = 0; k < 2; k++)
    if (th_path_join(name, path, ending[k])) unlink(name);
}

bool th_path_restore(const char *path) {
  if (!exists(path, ".old")) return false;
  move_file(path, "", ".part");
  move_file(path, ".old", "");
  return true;
}
