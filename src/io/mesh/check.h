/* io/mesh/check.h - checks the bytes of a mesh file before the reading library parses them. */
#ifndef TH_IO_MESH_CHECK_H
#define TH_IO_MESH_CHECK_H

#include "throng/mesh_file.h"

typedef struct th_mesh_source {
  const char *where;
  const uint8_t *bytes;
  size_t size;
} th_mesh_source;

/* Each checks that the file is complete and that its counts and indices fit its data. */
th_result th_mesh_check_obj(const th_mesh_source *source, th_error *error);
th_result th_mesh_check_ply(const th_mesh_source *source, th_error *error);
th_result th_mesh_check_stl(const th_mesh_source *source, th_error *error);
th_result th_mesh_check_glb(const th_mesh_source *source, th_error *error);

/* The vertex of an OBJ file (`user` is its th_mesh_source) that lies nearest to a point, counted from 1 as its faces
 * do: the reading library renumbers them. Reads the whole text; for messages. */
uint32_t th_mesh_obj_number(const void *user, const double xyz[3]);

/* Fails with the line of the text (1-based). */
th_result th_mesh_fail_line(th_error *error, const th_mesh_source *source, uint32_t line, const char *expected,
                            const char *found);

#endif
