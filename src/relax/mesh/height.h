/* relax/mesh/height.h - inside a hill: heights on a mesh with the gradients that were asked for. */
#ifndef TH_RELAX_MESH_HEIGHT_H
#define TH_RELAX_MESH_HEIGHT_H

#include "throng/surface_relax.h"

/* How one face slopes. */
typedef struct th_hill_slope {
  double gradient[3]; /* [1/m], uphill */
  double steep;       /* its modulus; 0: null */
  double rate[3];     /* how the weights of the corners change a metre downhill */
} th_hill_slope;

struct th_hill {
  th_env env;
  const th_mesh *mesh;
  double *height;
  uint8_t *tile;
  th_hill_slope *slope;
  uint8_t *known; /* of each face: its slope has been found */
  uint32_t made;
  uint32_t vertices, faces; /* the mesh may be gone when this is freed */
};

const th_hill_slope *th_hill_slope_of(th_hill *hill, uint32_t face);

static inline void th_hill_corners(const th_mesh *m, uint32_t face, double xyz[3][3]) {
  for (uint32_t c = 0; c < 3; c++)
    for (uint32_t k = 0; k < 3; k++) xyz[c][k] = m->xyz[3 * (size_t)m->corner[3 * (size_t)face + c] + k];
}

/* A spot that lies in the cell of a goal, or on its rim. */
bool th_hill_is_goal(const th_hill *hill, const th_surface_spot *spot);

/* One piece of a way: in one face, from weights to weights. */
typedef struct th_surface_leg {
  uint32_t face;
  double from[3], to[3];
  double length;
  uint32_t half; /* that was followed, TH_NO_HALF: none */
} th_surface_leg;

th_descent th_surface_walk_leg(th_hill *hill, th_surface_walker *walker, double most, th_surface_leg *leg);

/* path.c: appends to a path; false when out of memory. */
bool th_surface_path_start(th_surface_path *path, const th_hill *hill, const th_surface_walker *walker);
bool th_surface_path_add(th_surface_path *path, const th_hill *hill, const th_surface_walker *walker,
                         const th_surface_leg *leg);

#endif
