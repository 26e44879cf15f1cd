/* io/building/read.h - the description of a building in a file or in a scene. */
#ifndef TH_IO_BUILDING_READ_H
#define TH_IO_BUILDING_READ_H

#include "io/scene/read.h"
#include "throng/building.h"

/* Table "building": the root of a building file, and ground.mesh.building of a scene. */
extern const th_table th_building_table;

typedef struct th_building_text th_building_text;

/* Makes the building. On failure `pointer` (TH_JSON_POINTER bytes) is the JSON pointer of what is wrong, inside the
 * building. */
th_result th_building_read_text(const th_env *env, const th_building_text *text, th_building *building, char *pointer,
                                th_error *error);

/* io/building/marks.c: levels and terrains of a mesh file written by th_mesh_save; a file without them has one terrain
 * and no level. `building` holds the mesh of that file. */
th_result th_marks_read(const char *path, const char *text, size_t length, th_building *building, th_error *error);

#endif
