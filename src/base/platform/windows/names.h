/* base/platform/windows/names.h - names in UTF-8 as Windows wants them, and its errors as errno. */
#ifndef TH_BASE_PLATFORM_WINDOWS_NAMES_H
#define TH_BASE_PLATFORM_WINDOWS_NAMES_H

#include <errno.h>
#include <stdbool.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "base/platform/file.h"

/* False, with errno, when it is too long or no UTF-8. */
static inline bool th_wide_name(wchar_t wide[TH_PATH_ROOM], const char *path) {
  if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, TH_PATH_ROOM)) return true;
  errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EILSEQ;
  return false;
}

/* Passes the result on; when it is false, errno tells why. */
static inline bool th_windows_result(BOOL done) {
  if (done) return true;
  switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
      errno = ENOENT;
      break;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_DISK_FULL:
      errno = ENOSPC;
      break;
    default:
      errno = EACCES;
  }
  return false;
}

#endif
