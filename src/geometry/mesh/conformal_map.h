/* geometry/mesh/conformal_map.h - least squares conformal maps with one triangle pinned. */
#ifndef TH_GEOMETRY_MESH_CONFORMAL_MAP_H
#define TH_GEOMETRY_MESH_CONFORMAL_MAP_H

#include "geometry/mesh/polar_map.h"

/* face[0] is the pinned triangle and vertex[0 .. 2] are its corners in their order; vertices of all faces are listed.
 */
typedef struct th_conformal_map_task {
  const th_mesh_frames *frames;
  const uint32_t *face, *vertex;
  uint32_t face_count, vertex_count;
} th_conformal_map_task;

typedef struct th_conformal_map {
  th_allocator allocator;
  uint32_t *local; /* of each vertex of the mesh its number in the task */
  uint32_t vertex_capacity;
  double *work;
  uint32_t work_capacity;
  uint32_t *index;
  uint32_t index_capacity;
  th_point *at; /* result: of each vertex of the task its planar coordinates */
  uint32_t at_capacity;
} th_conformal_map;

typedef enum th_conformal_map_result {
  TH_CONFORMAL_MAP_DONE,
  TH_CONFORMAL_MAP_SINGULAR,
  TH_CONFORMAL_MAP_MEMORY
} th_conformal_map_result;

bool th_conformal_map_make(th_conformal_map *l, const th_allocator *allocator, const th_mesh *mesh);
void th_conformal_map_free(th_conformal_map *l);

/* The pinned triangle keeps its shape and size; the origin is its centroid, the axes are those of its frame. */
th_conformal_map_result th_conformal_map_solve(th_conformal_map *l, const th_conformal_map_task *task);

/* The region of a map: every walkable face with a corner whose distance along edges from a corner of the given faces
 * is below `reach` (the corners themselves in any case). Fills d->face and d->vertex as th_conformal_map_task wants
 * them, with `centre`, one of the faces, pinned. */
void th_conformal_region(th_polar_map *d, const th_mesh_frames *frames, uint32_t centre, const uint32_t *face,
                         uint32_t count, double reach);

/* Vertices - edges + faces of the region in d: 1 for a disc. */
int32_t th_conformal_region_euler(const th_polar_map *d);

#endif
