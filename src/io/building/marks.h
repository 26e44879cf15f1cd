/* io/building/marks.h - level and terrain of each triangle of a mesh file. */
#ifndef TH_IO_BUILDING_MARKS_H
#define TH_IO_BUILDING_MARKS_H

#include "io/whole_file.h"
#include "throng/building.h"

#define TH_MARKS_NAME 64

typedef struct th_marks {
  th_allocator allocator;
  th_terrain terrain[TH_MAX_TERRAINS]; /* without their names */
  char name[TH_MAX_TERRAINS][TH_MARKS_NAME];
  uint32_t terrain_count; /* 0 = the file has no marks */
  int32_t *level;         /* of each triangle of the file */
  uint8_t *terrain_of;
  uint32_t count, capacity; /* triangles */
} th_marks;

/* Reads the marks of a mesh file that th_building_save wrote; the ending of `path` tells the format. `marks` are to be
 * freed even after a failure. */
th_result th_marks_read(const char *path, const th_file_bytes *file, const th_allocator *allocator, th_marks *marks,
                        th_error *error);
void th_marks_free(th_marks *marks);

/* Gives a building that holds the mesh of the file its levels and terrains; one terrain and no level without marks. */
th_result th_marks_keep(const char *where, th_marks *marks, th_building *building, th_error *error);

#endif
