/* throng/mesh_file.h - files of meshes: OBJ, PLY, STL and glTF (also binary, .glb).
 *
 * Part of throng_io, not of the core library. Polygons with more than three corners are cut into triangles; polygons
 * with fewer are left out; all meshes of a file become one, each where the file's scene places it. glTF has y up by its
 * standard and is turned to z up; the other formats say nothing and are taken as they are, unless th_mesh_axes
 * says what is up. Coordinates are read in single precision; a shift is added before, in double precision, to those of
 * OBJ, PLY and the text form of STL, which may have more digits.
 * Threads: any; calls on one mesh must not overlap.
 */
#ifndef THRONG_MESH_FILE_H
#define THRONG_MESH_FILE_H

#include "building.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which axis of a file looks up; it becomes z. As given: z, of glTF y. */
typedef enum th_mesh_up { TH_MESH_UP_GIVEN, TH_MESH_UP_Y, TH_MESH_UP_Z } th_mesh_up;

/** How the axes of a file lie on the ground; all zero: as they are. */
typedef struct th_mesh_axes {
  th_mesh_up up;
  double shift[3]; /* added to all points, after scale and turn [m], finite. Brings maps of whole countries near 0,
                      where single precision resolves a body */
} th_mesh_axes;

/** Reads a file; its name's ending tells the format. The vertices and faces of `def` are left empty; its other members
 *  say how to build the mesh from those of the file. `axes` may be NULL. Messages name vertices by the numbers of the
 *  file, where it has some (OBJ from 1, PLY from 0), else by their coordinates; face numbers count the triangles, in
 *  STL the facets, from 0. A .gltf may name files beside it. At most 2 GB. Any thread. */
TH_API th_result th_mesh_load(const th_mesh_def *def, const th_mesh_axes *axes, const char *path, th_mesh *mesh,
                              th_error *error);

/** The bytes of such a file; `format` is "obj", "ply", "stl", "gltf" or "glb". */
typedef struct th_mesh_bytes {
  const void *bytes;
  size_t size;
  const char *format;
} th_mesh_bytes;

TH_API th_result th_mesh_decode(const th_mesh_def *def, const th_mesh_axes *axes, const th_mesh_bytes *bytes,
                                th_mesh *mesh, th_error *error);

/** Writes a mesh as .obj (text) or .ply (binary, little-endian, doubles), by the ending of the name, through
 *  `path`.part. Read back, faces have the same corners; vertices may have other numbers. */
TH_API th_result th_mesh_save(const th_mesh *mesh, const char *path, th_error *error);

/** A mesh with the level and the terrain of each face: of the description of a building (.json), or of a mesh file that
 *  th_building_save wrote. Other mesh files have one terrain, "floor", and no level. `def` and `axes` as
 *  in th_mesh_load; the description of a building has its own axes and takes no others. */
TH_API th_result th_building_load(const th_mesh_def *def, const th_mesh_axes *axes, const char *path,
                                  th_building *building, th_error *error);

/** Writes .ply or .obj; both are read back with levels, terrains and speeds. Replaces `path` through `path`.part. */
TH_API th_result th_building_save(const th_building *building, const char *path, th_error *error);

#ifdef __cplusplus
}
#endif
#endif
