/* io/whole_file.h - files that a scene or a host names, read whole. */
#ifndef TH_IO_WHOLE_FILE_H
#define TH_IO_WHOLE_FILE_H

#include "throng/base.h"

typedef struct th_file_bytes {
  uint8_t *bytes;
  size_t size;
} th_file_bytes;

/* Reads a file of at most `max` bytes, where 2^31 - 1 is the most. `allocator` is complete; on failure nothing is to be
 * given back. */
th_result th_file_load(const th_allocator *allocator, const char *path, size_t max, th_file_bytes *file,
                       th_error *error);
void th_file_unload(const th_allocator *allocator, th_file_bytes *file);

#endif
