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

/* file.c: whether a file is the description of a building, by its name. */
bool th_building_file_is_text(const char *name);

/* file.c: as th_building_load, from what a scene names. */
struct th_files;
th_result th_building_file_fetch(const struct th_files *files, const th_mesh_def *def, const th_mesh_axes *axes,
                                 const char *name, th_building *building, th_error *error);

#endif
