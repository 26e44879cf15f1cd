/* io/recording/file.c - replaces a file so that at every moment the old or the new one exists.
 *
 * A recording must have its final name while it grows (a user who kills the program looks for it there), and the file
 * that it replaces must survive a full disk. So the old file is renamed to path.old and renamed back when the new one
 * fails. A hot journal, left by a killed writer, belongs to the file beside it and moves with it: SQLite would
 * otherwise roll it back into the new file. Two writers would take each other's files away; a lock beside the file
 * keeps the second one out. It is not on the file itself, because flock and the locks of SQLite meet on network disks.
 */
#include "io/recording/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/lock.h"

bool th_file_path_join(char buffer[TH_PATH_ROOM], const char *path, const char *ending) {
  int n = snprintf(buffer, TH_PATH_ROOM, "%s%s", path, ending);
  return n > 0 && n < TH_PATH_ROOM;
}

bool th_file_is_replaceable(const char *path) {
  const th_file_kind kind = th_file_look(path);
  return kind == TH_FILE_NOTHING || kind == TH_FILE_REGULAR;
}

th_result th_file_check(const char *path, th_error *error) {
  char longest[TH_PATH_ROOM];
  if (!*path) return th_fail(error, TH_ERROR_FILE, path, "expected the name of a file, found nothing");
  if (!th_file_path_join(longest, path, ".part-journal"))
    return th_fail(error, TH_ERROR_FILE, path, "expected a name below %d characters, found %zu", TH_PATH_ROOM - 14,
                   strlen(path));
  if (!th_file_is_replaceable(path))
    return th_fail(error, TH_ERROR_FILE, path, "expected a file that may be replaced, found a folder or device");
  return TH_OK;
}

th_result th_file_lock(const char *path, intptr_t *lock, th_error *error) {
  char name[TH_PATH_ROOM];
  *lock = -1;
  if (!th_file_path_join(name, path, ".lock") || th_lock_take(name, lock) != TH_LOCK_HELD)
    return TH_OK; /* without the right to make a file here, the next step fails and says so */
  return th_fail(error, TH_ERROR_FILE, path,
                 "another run is writing this file; wait for its end, or write to another folder");
}

void th_file_unlock(const char *path, intptr_t lock) {
  char name[TH_PATH_ROOM];
  if (lock != -1 && th_file_path_join(name, path, ".lock")) th_lock_give(name, lock);
}

static void move_file(const char *path, const char *from, const char *to) {
  static const char *const side[] = {"", "-journal"};
  char a[TH_PATH_ROOM], b[TH_PATH_ROOM], ending[32];
  for (int k = 0; k < 2; k++) {
    snprintf(ending, sizeof ending, "%s%s", from, side[k]);
    if (!th_file_path_join(a, path, ending)) return;
    snprintf(ending, sizeof ending, "%s%s", to, side[k]);
    if (!th_file_path_join(b, path, ending)) return;
    if (!th_file_rename(a, b)) th_file_remove(b); /* no such journal: an older one must go, too */
  }
}

static bool exists(const char *path, const char *ending) {
  char name[TH_PATH_ROOM];
  return th_file_path_join(name, path, ending) && th_file_look(name) != TH_FILE_NOTHING;
}

th_result th_file_publish(const char *path, th_error *error) {
  char part[TH_PATH_ROOM];
  bool replaces = exists(path, "");
  if (replaces) move_file(path, "", ".old");
  if (th_file_path_join(part, path, ".part") && th_file_rename(part, path)) return TH_OK;
  int reason = errno;
  if (replaces) move_file(path, ".old", "");
  return th_fail(error, TH_ERROR_FILE, path, "cannot give the new file its name: %s", strerror(reason));
}

void th_file_settle(const char *path) {
  static const char *const ending[] = {".old", ".old-journal"};
  char name[TH_PATH_ROOM];
  for (int k = 0; k < 2; k++)
    if (th_file_path_join(name, path, ending[k])) th_file_remove(name);
}

bool th_file_restore(const char *path) {
  if (!exists(path, ".old")) return false;
  move_file(path, "", ".part");
  move_file(path, ".old", "");
  return true;
}
