/* ground/path/free_space.h - where the centre of a body may be on flat ground, as triangles.
 *
 * The walls are grown by the radius of a body, with corners cut into pieces of at most 45 degrees, so that a point that
 * moves through the triangles stands for the body. Triangles lie in part 0, 1, ... of the ground: from one part there
 * is no path to another.
 */
#ifndef TH_GROUND_PATH_FREE_SPACE_H
#define TH_GROUND_PATH_FREE_SPACE_H

#include "geometry/triangulate.h"
#include "geometry/vector.h"
#include "ground/ground.h"

#define TH_ANY_PART UINT32_MAX

typedef struct th_free_space {
  th_allocator allocator;
  th_point *point;
  uint8_t *turns; /* of each point: a shortest path may turn there, since solid space bulges into it */
  uint32_t point_count;
  uint32_t *corner, *twin; /* of half-edges as in th_triangulation; TH_NOWHERE at walls */
  uint32_t *part;          /* of each face */
  uint32_t face_count, part_count;
  /* buckets of faces */
  double x0, y0, inverse;
  uint32_t columns, rows, *start, *item, item_count;
} th_free_space;

/* A point and the face that holds it; face = TH_NOWHERE: none. */
typedef struct th_free_spot {
  uint32_t face;
  th_point at;
} th_free_spot;

/* What a centre that keeps `radius` [m] from the walls of flat ground may reach. It may be empty. */
th_result th_free_space_make(const th_ground *ground, double radius, th_free_space **space, th_error *error);
void th_free_space_free(th_free_space *space); /* NULL is ignored */

/* The point where it is, else the nearest point of the part. No face when the part is empty. */
th_free_spot th_free_space_locate(const th_free_space *space, th_point p);
th_free_spot th_free_space_nearest(const th_free_space *space, th_point p, uint32_t part);

/* True when the straight line stays in the free space; *end is then `to` with its face. It may touch walls. */
bool th_free_space_sees(const th_free_space *space, th_free_spot from, th_point to, th_free_spot *end);

/* The triangles between grown walls, label 1 where a centre may be. False when out of memory or tangled (c says). */
bool th_grown_walls_draw(const th_ground *ground, double radius, th_point origin, th_triangulation *c);

/* Twice the area of (a, b, p), positive when p lies left of the line. */
static inline double th_free_space_side(th_point a, th_point b, th_point p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static inline th_point th_free_space_corner(const th_free_space *space, uint32_t h) {
  return space->point[space->corner[h]];
}

#endif
