/* base/platform/windows/program.c - the program's file, as Windows names it. */
#include "base/platform/program.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#include <string.h>

#include "base/platform/windows/names.h"

bool th_program_folder(char *folder, size_t size) {
  wchar_t name[MAX_PATH];
  const DWORD length = GetModuleFileNameW(NULL, name, MAX_PATH);
  if (length == 0 || length >= MAX_PATH) return false;
  if (WideCharToMultiByte(CP_UTF8, 0, name, -1, folder, (int)size, NULL, NULL) == 0) return false;
  char *slash = strrchr(folder, '\\');
  if (!slash) return false;
  *slash = 0;
  return true;
}

#endif
