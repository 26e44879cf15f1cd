/* io/whole_file.c - files that a scene or a host names, read whole: a reader then checks what it reads against the
 * bytes that are there. Cost: one allocation.
 */
#include "io/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/file.h"

static th_result load(const th_allocator *allocator, const char *path, FILE *stream, size_t max, th_file_bytes *file,
                      th_error *error) {
  const long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
  if (size < 0 || fseek(stream, 0, SEEK_SET) != 0)
    return th_fail(error, TH_ERROR_FILE, path, "expected a file with a size: %s", strerror(errno));
  if ((unsigned long)size > max)
    return th_fail(error, TH_ERROR_CAPACITY, path, "expected at most %zu bytes, found %ld", max, size);
  file->size = (size_t)size;
  file->bytes = TH_TAKE(allocator, uint8_t, file->size);
  if (!file->bytes) return th_fail_memory(error, path);
  if (fread(file->bytes, 1, file->size, stream) == file->size) return TH_OK;
  return th_fail(error, TH_ERROR_FILE, path, "expected %ld bytes, found fewer", size);
}

th_result th_file_load(const th_allocator *allocator, const char *path, size_t max, th_file_bytes *file,
                       th_error *error) {
  *file = (th_file_bytes){0};
  FILE *stream = th_file_open(path, error);
  if (!stream) return TH_ERROR_FILE;
  th_result result = load(allocator, path, stream, max, file, error);
  fclose(stream);
  if (result != TH_OK) th_file_unload(allocator, file);
  return result;
}

void th_file_unload(const th_allocator *allocator, th_file_bytes *file) {
  TH_GIVE(allocator, file->bytes, file->size);
  *file = (th_file_bytes){0};
}
