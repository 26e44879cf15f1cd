/* lab/published/mesh/height.h - heights on a mesh, with the gradients that were asked for. */
#ifndef TH_PUBLISHED_MESH_HEIGHT_H
#define TH_PUBLISHED_MESH_HEIGHT_H

#include "throng/published/relax_mesh.h"

/* How one face slopes. */
typedef struct th_mesh_height_slope {
  double gradient[3]; /* [1/m], uphill */
  double steep;       /* its modulus; 0: null */
  double rate[3];     /* change of the corners' weights per metre downhill */
} th_mesh_height_slope;

struct th_mesh_height {
  th_env env;
  const th_mesh *mesh;
  double *height;
  uint8_t *tile;
  th_mesh_height_slope *slope;
  uint8_t *known; /* of each face: its slope has been found */
  uint32_t made;
  uint32_t vertices, faces; /* the mesh may be gone when this is freed */
};

const th_mesh_height_slope *th_mesh_height_slope_of(th_mesh_height *height_map, uint32_t face);

static inline void th_mesh_height_corners(const th_mesh *m, uint32_t face, double xyz[3][3]) {
  for (uint32_t c = 0; c < 3; c++)
    for (uint32_t k = 0; k < 3; k++) xyz[c][k] = m->xyz[3 * (size_t)m->corner[3 * (size_t)face + c] + k];
}

/* A spot that lies in the cell of a goal, or on its rim. */
bool th_mesh_height_is_goal(const th_mesh_height *height_map, const th_mesh_spot *spot);

/* One piece of a path: in one face, from weights to weights. */
typedef struct th_mesh_height_leg {
  uint32_t face;
  double from[3], to[3];
  double length;
  uint32_t half; /* that was followed, TH_NO_HALF: none */
} th_mesh_height_leg;

th_descent th_mesh_height_walk_leg(th_mesh_height *height_map, th_mesh_height_walker *walker, double max,
                                   th_mesh_height_leg *leg);

/* path.c: appends to a path; false when out of memory. */
bool th_mesh_height_path_start(th_mesh_height_path *path, const th_mesh_height *height_map,
                               const th_mesh_height_walker *walker);
bool th_mesh_height_path_add(th_mesh_height_path *path, const th_mesh_height *height_map,
                             const th_mesh_height_walker *walker, const th_mesh_height_leg *leg);

#endif
