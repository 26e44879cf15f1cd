/* geometry/mesh/conformal_map.h - least squares conformal maps with one triangle pinned. */
#ifndef TH_GEOMETRY_MESH_CONFORMAL_MAP_H
#define TH_GEOMETRY_MESH_CONFORMAL_MAP_H

#include "geometry/mesh/polar_map.h"

/* face[0] is the pinned triangle and vertex[0 .. 2] are its corners in their order; vertices of all faces are listed.
 */
typedef struct th_lscm_task {
  const th_mesh_frames *frames;
  const uint32_t *face, *vertex;
  uint32_t face_count, vertex_count;
} th_lscm_task;

typedef struct th_lscm {
  th_allocator allocator;
  uint32_t *local; /* of each vertex of the mesh its number in the task */
  uint32_t vertex_capacity;
  double *work;
  uint32_t work_capacity;
  uint32_t *index;
  uint32_t index_capacity;
  th_point *at; /* result: of each vertex of the task its planar coordinates */
  uint32_t at_capacity;
} th_lscm;

typedef enum th_lscm_result { TH_LSCM_DONE, TH_LSCM_SINGULAR, TH_LSCM_MEMORY } th_lscm_result;

bool th_lscm_make(th_lscm *l, const th_allocator *allocator, const th_mesh *mesh);
void th_lscm_free(th_lscm *l);

/* The pinned triangle keeps its shape and size; the origin is its centroid, the axes are those of its frame. */
th_lscm_result th_lscm_solve(th_lscm *l, const th_lscm_task *task);

/* The region of a map: every walkable face with a corner whose distance along edges from a corner of the given faces
 * is below `reach` (the corners themselves in any case). Fills d->face and d->vertex as th_lscm_task wants them, with
 * `centre`, one of the faces, pinned. */
void th_lscm_region(th_dgpc *d, const th_mesh_frames *frames, uint32_t centre, const uint32_t *face, uint32_t count,
                    double reach);

/* Vertices - edges + faces of the region in d: 1 for a disc. */
int32_t th_lscm_euler(const th_dgpc *d);

#endif
