/* io/pack/pack.h - packs: a scene with all files that it names, decoded, in one text. docs/scene.md has the form. */
#ifndef TH_IO_PACK_PACK_H
#define TH_IO_PACK_PACK_H

#include "io/pack/files.h"
#include "io/scene/read.h"

#define TH_PACK_VERSION 1

/* Triangles as a reader gave them: before anything is welded, repaired or scaled. */
typedef struct th_pack_mesh {
  uint32_t vertices, faces;
  const char *floats, *doubles, *corners; /* base64; floats when every coordinate is one */
  int32_t up;                             /* th_mesh_up; what the file was read with */
  double shift[3], metres_per_unit;
  struct th_pack_terrain *terrain;
  uint32_t terrain_count;         /* 0 = no marks */
  const char *level, *terrain_of; /* base64, int32 and uint8 of each face */
} th_pack_mesh;

typedef struct th_pack_terrain {
  const char *name;
  float speed, speed_up, speed_down;
  bool blocked;
} th_pack_terrain;

typedef struct th_pack_image {
  uint32_t width, height, dark;
  float metres_per_pixel;
  th_vec2 origin;
  const char *grey; /* base64 */
} th_pack_image;

/* One file: an image, a mesh, a text or other bytes. */
typedef struct th_pack_file {
  const char *name; /* as the scene has it */
  th_pack_image *image;
  th_pack_mesh *mesh;
  uint32_t size; /* of the bytes */
  const char *text, *bytes;
} th_pack_file;

typedef struct th_pack {
  uint32_t version;
  const char *name;  /* of the scene's file */
  const char *scene; /* its text */
  th_pack_file *file;
  uint32_t file_count;
} th_pack;

/* Whether a JSON tree is a pack. */
bool th_pack_is(const json_t *root);

/* Reads and checks a pack: the text of its scene, and its files. Both live as long as the reader's memory. */
th_result th_pack_read(th_scene_reader *reader, const json_t *root, th_json_text *scene, th_files **files);

/* files.c: the files of a pack. */
th_files th_files_of_pack(const th_pack *pack, const char *path);

#endif
