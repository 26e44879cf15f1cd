/* io/mesh/import.h - the triangles of a mesh file. */
#ifndef TH_IO_MESH_IMPORT_H
#define TH_IO_MESH_IMPORT_H

#include "io/mesh/check.h"

/* What is done with the triangles of a file; `def` has them, as doubles, for the time of the call. */
typedef struct th_mesh_use {
  th_result (*run)(void *user, const th_mesh_def *def, th_error *error);
  void *user;
} th_mesh_use;

/* file.c: as th_mesh_decode and th_mesh_load, for another use than to build a mesh. `path` is for formats that name
 * other files, and may be NULL. */
th_result th_mesh_read(const th_mesh_def *def, const th_mesh_axes *axes, const th_mesh_bytes *bytes, const char *path,
                       const th_mesh_use *use, th_error *error);
th_result th_mesh_read_file(const th_mesh_def *def, const th_mesh_axes *axes, const char *path, const th_mesh_use *use,
                            th_error *error);

/* Checked bytes, or for a format that names other files a path, and what happens to the points. */
typedef struct th_mesh_import {
  th_mesh_bytes bytes;
  const char *path; /* NULL = the bytes */
  bool y_up;        /* to be turned to z up */
  const double *shift;
  const th_mesh_use *use;
} th_mesh_import;

/* import.c, or where the reading library is not there, without/import.c. */
th_result th_mesh_import_run(const th_mesh_import *import, const th_mesh_def *def, th_error *error);

#endif
