/* geometry/mesh/bvh.h - boxes in boxes round the faces of a mesh: nearest point, first face on a ray, faces above a
 * point.
 */
#ifndef TH_GEOMETRY_MESH_BVH_H
#define TH_GEOMETRY_MESH_BVH_H

#include "throng/mesh.h"

typedef struct th_bvh_box {
  float low[3], high[3]; /* rounded outwards */
} th_bvh_box;

/* A complete binary tree in an array: the children of node i are 2 i + 1 and 2 i + 2; leaf j holds the faces
 * order[start(j)] to order[start(j + 1)]. */
typedef struct th_bvh {
  const th_mesh *mesh; /* not owned */
  th_bvh_box *box;
  uint32_t *order; /* faces along a space-filling curve */
  uint32_t leaves; /* a power of two */
} th_bvh;

/* A point of the mesh. */
typedef struct th_bvh_hit {
  uint32_t face;    /* TH_NO_ELEMENT: none */
  double weight[3]; /* barycentric, of the face's corners */
  double point[3];  /* [m] */
  double distance;  /* from the point asked for, or along the ray [m] */
} th_bvh_hit;

/* False when out of memory. O(n). */
bool th_bvh_make(th_bvh *bvh, const th_mesh *mesh);
void th_bvh_free(th_bvh *bvh);

/* Fits the boxes to vertices that have moved; the tree keeps its shape. Allocates nothing. */
void th_bvh_refit(th_bvh *bvh);

/* Nearest point within `reach`; of equals the face with the lowest index. Exact to rounding; slivers included. */
th_bvh_hit th_bvh_nearest(const th_bvh *bvh, const double *point, double reach);

/* First face that the ray from `point` along the unit vector `direction` meets within `length`, from either side, at a
 * distance of at least `from`; of equals the lowest index. A ray through a common edge meets one of its faces. */
typedef struct th_bvh_ray {
  double point[3], direction[3], from, length;
} th_bvh_ray;

th_bvh_hit th_bvh_ray_first(const th_bvh *bvh, const th_bvh_ray *ray);

/* The place of an agent at x, y, z: the point nearest in height on the vertical line through it, within `reach`; if
 * there is none, the nearest point within `reach`. */
th_bvh_hit th_bvh_locate(const th_bvh *bvh, const double *point, double reach);

/* The same among the faces with one label. */
typedef struct th_bvh_only {
  const int32_t *label; /* of each face */
  int32_t wanted;
} th_bvh_only;

/* Iterates over all faces that may lie within `reach` of a point, each once, leaf by leaf; some others occur too:
 *   for (th_bvh_walk w = th_bvh_walk_begin(bvh, point, reach); th_bvh_walk_next(&w, &face);) ... */
#define TH_BVH_DEPTH 64
typedef struct th_bvh_walk {
  const th_bvh *bvh;
  double point[3], reach2;
  uint32_t stack[TH_BVH_DEPTH], count; /* boxes still to come */
  uint32_t at, end;                    /* of the leaf at hand, in `order` */
} th_bvh_walk;

th_bvh_walk th_bvh_walk_begin(const th_bvh *bvh, const double *point, double reach);
bool th_bvh_walk_next(th_bvh_walk *walk, uint32_t *face);

th_bvh_hit th_bvh_nearest_only(const th_bvh *bvh, const double *point, double reach, const th_bvh_only *only);
th_bvh_hit th_bvh_locate_only(const th_bvh *bvh, const double *point, double reach, const th_bvh_only *only);

#endif
