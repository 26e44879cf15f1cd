/* base/platform/windows/file.c - files by the calls of Windows that take names of any alphabet.
 *
 * Renaming replaces the former file, as elsewhere; the C library's own rename does not.
 */
#include "base/platform/file.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#include <string.h>
#include <wchar.h>

#include "base/error.h"
#include "base/platform/windows/names.h"

th_file_kind th_file_look(const char *path) {
  wchar_t wide[TH_PATH_ROOM];
  if (!th_wide_name(wide, path)) return TH_FILE_NOTHING;
  const DWORD about = GetFileAttributesW(wide);
  if (about == INVALID_FILE_ATTRIBUTES) return TH_FILE_NOTHING;
  if (about & FILE_ATTRIBUTE_DIRECTORY) return TH_FILE_FOLDER;
  return about & FILE_ATTRIBUTE_DEVICE ? TH_FILE_DEVICE : TH_FILE_REGULAR;
}

bool th_file_name_taken(const char *path) { return th_file_look(path) != TH_FILE_NOTHING; }

static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *about) {
  wchar_t wide[TH_PATH_ROOM];
  if (!th_wide_name(wide, path)) return false;
  HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                            FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file == INVALID_HANDLE_VALUE) return false;
  const bool known = GetFileInformationByHandle(file, about) != 0;
  CloseHandle(file);
  return known;
}

uint64_t th_file_size(const char *path) {
  BY_HANDLE_FILE_INFORMATION about;
  if (!identify(path, &about) || about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) return 0;
  return (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
}

bool th_file_same(const char *a, const char *b) {
  BY_HANDLE_FILE_INFORMATION first, second;
  return identify(a, &first) && identify(b, &second) && first.dwVolumeSerialNumber == second.dwVolumeSerialNumber &&
         first.nFileIndexHigh == second.nFileIndexHigh && first.nFileIndexLow == second.nFileIndexLow;
}

bool th_file_real_path(const char *path, char real[TH_PATH_ROOM]) {
  wchar_t wide[TH_PATH_ROOM], whole[TH_PATH_ROOM];
  if (!th_wide_name(wide, path)) return false;
  const DWORD length = GetFullPathNameW(wide, TH_PATH_ROOM, whole, NULL);
  if (length == 0 || length >= TH_PATH_ROOM || th_file_look(path) == TH_FILE_NOTHING) return false;
  if (!WideCharToMultiByte(CP_UTF8, 0, whole, -1, real, TH_PATH_ROOM, NULL, NULL)) return false;
  for (char *c = real; *c; c++)
    if (*c == '\\') *c = '/';
  return true;
}

FILE *th_file_open(const char *path, th_error *error) {
  const th_file_kind kind = th_file_look(path);
  if (kind == TH_FILE_FOLDER || kind == TH_FILE_DEVICE) {
    th_fail(error, TH_ERROR_FILE, path, "expected a file, found %s",
            kind == TH_FILE_FOLDER ? "a folder" : "a pipe or a device");
    return NULL;
  }
  FILE *file = th_file_stream(path, "rb");
  if (!file) th_fail(error, TH_ERROR_FILE, path, "expected a readable file: %s", strerror(errno));
  return file;
}

FILE *th_file_stream(const char *path, const char *mode) {
  wchar_t wide[TH_PATH_ROOM], wide_mode[TH_PATH_ROOM];
  return th_wide_name(wide, path) && th_wide_name(wide_mode, mode) ? _wfopen(wide, wide_mode) : NULL;
}

FILE *th_file_fresh(const char *path) {
  wchar_t wide[TH_PATH_ROOM];
  if (!th_wide_name(wide, path)) return NULL;
  if (!th_windows_result(DeleteFileW(wide)) && errno != ENOENT) return NULL;
  HANDLE made = CreateFileW(wide, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
  if (!th_windows_result(made != INVALID_HANDLE_VALUE)) return NULL;
  CloseHandle(made);
  return _wfopen(wide, L"r+b");
}

bool th_file_rename(const char *from, const char *to) {
  wchar_t a[TH_PATH_ROOM], b[TH_PATH_ROOM];
  return th_wide_name(a, from) && th_wide_name(b, to) &&
         th_windows_result(MoveFileExW(a, b, MOVEFILE_REPLACE_EXISTING));
}

bool th_file_rename_new(const char *from, const char *to) {
  wchar_t a[TH_PATH_ROOM], b[TH_PATH_ROOM];
  return th_wide_name(a, from) && th_wide_name(b, to) && th_windows_result(MoveFileExW(a, b, 0));
}

bool th_file_remove(const char *path) {
  wchar_t wide[TH_PATH_ROOM];
  return th_wide_name(wide, path) && th_windows_result(DeleteFileW(wide));
}

bool th_file_make_folder(const char *path) {
  wchar_t wide[TH_PATH_ROOM];
  return th_wide_name(wide, path) && (th_windows_result(CreateDirectoryW(wide, NULL)) || errno == EEXIST);
}

/* Rights are lists here; whether one may write is known when one does. */
bool th_file_may_write_into(const char *folder) {
  if (th_file_look(folder) == TH_FILE_FOLDER) return true;
  errno = ENOENT;
  return false;
}

#endif
