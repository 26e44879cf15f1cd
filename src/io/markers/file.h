/* io/markers/file.h - markers from the bytes of their file. */
#ifndef TH_IO_MARKERS_FILE_H
#define TH_IO_MARKERS_FILE_H

#include "io/whole_file.h"
#include "throng/markers.h"

#define TH_MARKERS_BYTES (((size_t)1 << 31) - 1) /* the most */

/* As th_markers_load; `where` names the bytes in errors. */
th_result th_markers_file_read(const th_ground *ground, const th_file_bytes *file, const char *where,
                               const th_markers **markers, th_error *error);

#endif
