/* base/platform/posix/lock.c - locks by flock. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/lock.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Its holder may have removed the name in between: then the lock is on a file without a name, and worth nothing. */
static bool has_name(int lock, const char *name) {
  struct stat held, named;
  return fstat(lock, &held) == 0 && stat(name, &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

th_lock_state th_lock_take(const char *name, intptr_t *lock) {
  for (;;) {
    const int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return TH_LOCK_IMPOSSIBLE;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
      const th_lock_state state = errno == EWOULDBLOCK ? TH_LOCK_HELD : TH_LOCK_IMPOSSIBLE;
      close(file);
      return state;
    }
    if (has_name(file, name)) {
      *lock = file;
      return TH_LOCK_TAKEN;
    }
    close(file);
  }
}

void th_lock_give(const char *name, intptr_t lock) {
  unlink(name);
  close((int)lock);
}

#endif
