/* io/pack/files.h - the files that a scene names, decoded: from the disk, or from a pack in memory.
 *
 * A scene asks this table alone, and what any source gives goes through the same code afterwards. `env` is complete
 * wherever one is passed, and errors begin with the name of the file.
 */
#ifndef TH_IO_PACK_FILES_H
#define TH_IO_PACK_FILES_H

#include "io/building/marks.h"
#include "io/mesh/import.h"
#include "throng/image.h"

typedef struct th_files th_files;
struct th_files {
  const char *folder;         /* names are relative to it: a folder, or a pack; NULL = the folder of the program */
  const struct th_pack *pack; /* NULL = the disk */
  bool (*has)(const th_files *files, const char *name);
  /* As they are: the description of a building, markers. To be given back by th_file_unload. */
  th_result (*bytes)(const th_files *files, const th_env *env, const char *name, th_file_bytes *file, th_error *error);
  /* Of an image or of the YAML of a robot map. */
  th_result (*image)(const th_files *files, const th_env *env, const char *name, th_image_file *image, th_error *error);
  /* Of a mesh. The def and the axes say how; the vertices and faces of the def are those of the file. */
  th_result (*triangles)(const th_files *files, const th_mesh_def *def, const th_mesh_axes *axes, const char *name,
                         const th_mesh_use *use, th_error *error);
  th_result (*marks)(const th_files *files, const th_env *env, const char *name, th_marks *marks, th_error *error);
};

/* The disk. `folder` must live as long as the table. */
th_files th_files_of_disk(const char *folder);

/* The path of a file on the disk, and its name in messages; an error when it is too long. */
enum { TH_FILE_PATH = 2048 };
th_result th_files_path(const th_files *files, const char *name, char path[TH_FILE_PATH], th_error *error);

#endif
