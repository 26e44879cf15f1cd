/* base/platform/windows/lock.c - a file that nobody else may open, and that goes when it is closed. */
#include "base/platform/lock.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#include "base/platform/windows/names.h"

th_lock_state th_lock_take(const char *name, intptr_t *lock) {
  wchar_t wide[TH_PATH_ROOM];
  if (!th_wide_name(wide, name)) return TH_LOCK_IMPOSSIBLE;
  HANDLE file = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS,
                            FILE_ATTRIBUTE_NORMAL | FILE_FLAG_DELETE_ON_CLOSE, NULL);
  if (file == INVALID_HANDLE_VALUE)
    return GetLastError() == ERROR_SHARING_VIOLATION ? TH_LOCK_HELD : TH_LOCK_IMPOSSIBLE;
  *lock = (intptr_t)file;
  return TH_LOCK_TAKEN;
}

void th_lock_give(const char *name, intptr_t lock) {
  (void)name;
  CloseHandle((HANDLE)lock);
}

#endif
