/* base/platform/posix/file.c - files by the calls of POSIX. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/file.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static th_file_kind kind_of(const struct stat *about) {
  if (S_ISREG(about->st_mode)) return TH_FILE_REGULAR;
  return S_ISDIR(about->st_mode) ? TH_FILE_FOLDER : TH_FILE_DEVICE;
}

th_file_kind th_file_look(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 ? kind_of(&about) : TH_FILE_NOTHING;
}

bool th_file_name_taken(const char *path) {
  struct stat about;
  return lstat(path, &about) == 0;
}

uint64_t th_file_size(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0;
}

bool th_file_same(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

bool th_file_real_path(const char *path, char real[TH_PATH_ROOM]) {
  _Static_assert(TH_PATH_ROOM >= PATH_MAX, "room for what realpath writes");
  return realpath(path, real) != NULL;
}

FILE *th_file_open(const char *path, th_error *error) {
  struct stat about;
  const int number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (number < 0) return th_fail(error, TH_ERROR_FILE, path, "expected a readable file: %s", strerror(errno)), NULL;
  const th_file_kind kind = fstat(number, &about) == 0 ? kind_of(&about) : TH_FILE_DEVICE;
  FILE *file = kind == TH_FILE_REGULAR ? fdopen(number, "rb") : NULL;
  if (file) return file;
  close(number);
  th_fail(error, TH_ERROR_FILE, path, "expected a file, found %s",
          kind == TH_FILE_FOLDER ? "a folder" : "a pipe or a device");
  return NULL;
}

FILE *th_file_stream(const char *path, const char *mode) { return fopen(path, mode); }

FILE *th_file_fresh(const char *path) {
  if (unlink(path) != 0 && errno != ENOENT) return NULL;
  const int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *file = made < 0 ? NULL : fdopen(made, "wb");
  if (made >= 0 && !file) close(made);
  return file;
}

bool th_file_rename(const char *from, const char *to) { return rename(from, to) == 0; }
bool th_file_rename_new(const char *from, const char *to) {
  if (link(from, to) == 0) {
    unlink(from);
    return true;
  }
  if (errno == EEXIST) return false;
  if (!th_file_name_taken(to)) return rename(from, to) == 0; /* a disk without links */
  errno = EEXIST;
  return false;
}
bool th_file_remove(const char *path) { return unlink(path) == 0; }
bool th_file_make_folder(const char *path) { return mkdir(path, 0777) == 0 || errno == EEXIST; }
bool th_file_may_write_into(const char *folder) { return access(folder, W_OK | X_OK) == 0; }

#endif
