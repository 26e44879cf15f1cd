/* base/platform/posix/program.c - Linux shows the program's file in /proc; elsewhere it is not told. */
#define _GNU_SOURCE
#include "base/platform/program.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <string.h>
#include <unistd.h>

bool th_program_folder(char *folder, size_t size) {
  const ssize_t length = readlink("/proc/self/exe", folder, size);
  if (length <= 0 || (size_t)length >= size) return false;
  folder[length] = 0;
  char *slash = strrchr(folder, '/');
  if (!slash) return false;
  *slash = 0;
  return true;
}

#endif
