/* base/platform/path.h - how names of files are written. The library writes '/', which every system understands. */
#ifndef TH_BASE_PLATFORM_PATH_H
#define TH_BASE_PLATFORM_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/platform/system.h"

static inline bool th_path_is_separator(char c) {
#ifdef TH_SYSTEM_WINDOWS
  if (c == '\\') return true;
#endif
  return c == '/';
}

/* The last separator; NULL when the name has no folder. */
static inline const char *th_path_last_separator(const char *path) {
  const char *last = NULL;
  for (; *path; path++)
    if (th_path_is_separator(*path)) last = path;
  return last;
}

/* Does it begin at a root, rather than in a folder that is known otherwise? */
static inline bool th_path_is_absolute(const char *path) {
#ifdef TH_SYSTEM_WINDOWS
  if (*path && path[1] == ':') return true;
#endif
  return th_path_is_separator(*path);
}

#endif
