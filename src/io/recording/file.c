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
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

bool th_file_path_join(char buffer[TH_PATH_ROOM], const char *path, const char *ending) {
  int n = snprintf(buffer, TH_PATH_ROOM, "%s%s", path, ending);
  return n > 0 && n < TH_PATH_ROOM;
}

th_result th_file_check(const char *path, th_error *error) {
  char longest[TH_PATH_ROOM];
  struct stat about;
  if (!*path) return th_fail(error, TH_ERROR_FILE, path, "expected the name of a file, found nothing");
  if (!th_file_path_join(longest, path, ".part-journal"))
    return th_fail(error, TH_ERROR_FILE, path, "expected a name below %d characters, found %zu", TH_PATH_ROOM - 14,
                   strlen(path));
  if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
    return th_fail(error, TH_ERROR_FILE, path, "expected a file that may be replaced, found a folder or device");
  return TH_OK;
}

FILE *th_file_fresh(const char *path) {
  if (unlink(path) != 0 && errno != ENOENT) return NULL;
  int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *file = made < 0 ? NULL : fdopen(made, "wb");
  if (made >= 0 && !file) close(made);
  return file;
}

bool th_file_same(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/* Opens the file of the lock and locks it; -1 with EWOULDBLOCK when another writer has it. That writer may have
 * removed its name in between: then the lock is on a file without a name, and worth nothing. */
static int take_lock(const char *name) {
  for (;;) {
    struct stat held, named;
    int lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) return -1;
    if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
      int reason = errno;
      close(lock);
      errno = reason;
      return -1;
    }
    if (fstat(lock, &held) == 0 && stat(name, &named) == 0 && held.st_dev == named.st_dev &&
        held.st_ino == named.st_ino)
      return lock;
    close(lock);
  }
}

th_result th_file_lock(const char *path, int *lock, th_error *error) {
  char name[TH_PATH_ROOM];
  *lock = th_file_path_join(name, path, ".lock") ? take_lock(name) : -1;
  if (*lock >= 0 || errno != EWOULDBLOCK)
    return TH_OK; /* without the right to make a file here, the next step fails and says so */
  return th_fail(error, TH_ERROR_FILE, path,
                 "another run is writing this file; wait for its end, or write to another folder");
}

void th_file_unlock(const char *path, int lock) {
  char name[TH_PATH_ROOM];
  if (lock < 0) return;
  if (th_file_path_join(name, path, ".lock")) unlink(name);
  close(lock);
}

static void move_file(const char *path, const char *from, const char *to) {
  static const char *const side[] = {"", "-journal"};
  char a[TH_PATH_ROOM], b[TH_PATH_ROOM], ending[32];
  for (int k = 0; k < 2; k++) {
    snprintf(ending, sizeof ending, "%s%s", from, side[k]);
    if (!th_file_path_join(a, path, ending)) return;
    snprintf(ending, sizeof ending, "%s%s", to, side[k]);
    if (!th_file_path_join(b, path, ending)) return;
    if (rename(a, b) != 0) unlink(b); /* no such journal: an older one must go, too */
  }
}

static bool exists(const char *path, const char *ending) {
  char name[TH_PATH_ROOM];
  return th_file_path_join(name, path, ending) && access(name, F_OK) == 0;
}

th_result th_file_publish(const char *path, th_error *error) {
  char part[TH_PATH_ROOM];
  bool replaces = exists(path, "");
  if (replaces) move_file(path, "", ".old");
  if (th_file_path_join(part, path, ".part") && rename(part, path) == 0) return TH_OK;
  int reason = errno;
  if (replaces) move_file(path, ".old", "");
  return th_fail(error, TH_ERROR_FILE, path, "cannot give the new file its name: %s", strerror(reason));
}

void th_file_settle(const char *path) {
  static const char *const ending[] = {".old", ".old-journal"};
  char name[TH_PATH_ROOM];
  for (int k = 0; k < 2; k++)
    if (th_file_path_join(name, path, ending[k])) unlink(name);
}

bool th_file_restore(const char *path) {
  if (!exists(path, ".old")) return false;
  move_file(path, "", ".part");
  move_file(path, ".old", "");
  return true;
}
