/* io/mesh/check.h - checks the bytes of a mesh file before the reading library parses them. */
#ifndef TH_IO_MESH_CHECK_H
#define TH_IO_MESH_CHECK_H

#include "throng/mesh_file.h"

typedef struct th_mesh_source {
  const char *where;
  const uint8_t *bytes;
  size_t size;
  struct th_mesh_mover *mover; /* NULL = the file is only checked */
} th_mesh_source;

/* The bytes of a file whose points are shifted while it is checked: the reading library keeps 32 bits of a coordinate,
 * which is half a metre on the map of a country. */
typedef struct th_mesh_mover {
  const th_allocator *allocator;
  double shift[3]; /* in units and axes of the file */
  uint8_t *bytes;  /* grows; what is not moved is copied */
  uint32_t size, capacity;
  size_t from; /* of the source, copied up to here */
  bool failed; /* out of memory */
} th_mesh_mover;

/* Replaces the coordinate `axis`, whose value is `value` and which ends at byte `end` of the source: a word of text, or
 * the `size` bytes of a float or double, low byte first unless `big`. Nothing happens without a mover. */
void th_mesh_move_text(const th_mesh_source *source, size_t end, uint32_t axis, double value);
void th_mesh_move_raw(const th_mesh_source *source, size_t end, uint32_t size, bool big, uint32_t axis, double value);

/* Copies the rest; false when memory ran out. */
bool th_mesh_move_end(const th_mesh_source *source);
void th_mesh_move_free(th_mesh_mover *mover);

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
