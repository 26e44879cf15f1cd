/* base/platform/windows/child.c - none is started: callers do without, as where the program is not installed. */
#include "base/platform/child.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#include <errno.h>

int th_child_start(th_child *child, const char *const *argument) {
  (void)child;
  (void)argument;
  return ENOENT;
}

bool th_child_send(th_child *child, const void *bytes, size_t size) {
  (void)child;
  (void)bytes;
  (void)size;
  return false;
}

int th_child_end(th_child *child) {
  (void)child;
  return -1;
}

#endif
