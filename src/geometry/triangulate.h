/* geometry/triangulate.h - constrained Delaunay triangulation of points on a lattice, with exact decisions.
 *
 * When memory runs out, `failed` is set; when crossing lines cannot be resolved, `tangled` is set. All later calls then
 * do nothing, so callers check once at the end.
 */
#ifndef TH_GEOMETRY_TRIANGULATE_H
#define TH_GEOMETRY_TRIANGULATE_H

#include "throng/base.h"

#define TH_LATTICE 16384         /* units per metre: 0.06 mm */
#define TH_LATTICE_MAX (1 << 28) /* of a coordinate: 16,384 m */
#define TH_NOWHERE UINT32_MAX

typedef struct th_lattice_point {
  int32_t x, y;
} th_lattice_point;

/* Half-edge h = 3 t + k runs from corner[h] to the next corner of triangle t; corners run counter-clockwise. The first
 * four points are the corners of a box round everything. */
typedef struct th_triangulation {
  th_allocator allocator;
  th_lattice_point *point;
  uint32_t *leaving; /* of each point a half-edge that leaves it */
  uint32_t *corner, *twin;
  uint8_t *fixed;  /* of each half-edge: a constraint */
  int32_t *label;  /* of each triangle; pieces of a triangle inherit it */
  uint32_t *stack; /* half-edges to look at */
  uint32_t point_count, triangle_count, stack_count;
  uint32_t point_capacity, leaving_capacity, corner_capacity, twin_capacity, fixed_capacity, label_capacity,
      stack_capacity;
  uint32_t last; /* triangle where the search begins */
  bool failed, tangled;
} th_triangulation;

void th_triangulate_begin(th_triangulation *triangulation, const th_allocator *allocator);
void th_triangulate_free(th_triangulation *triangulation);

/* The point's number, that of the old point if there is one at that place; TH_NOWHERE when out of memory. */
uint32_t th_triangulate_insert(th_triangulation *triangulation, th_lattice_point point);

/* Makes the straight line between two points a chain of constraints. It bends by up to half a unit where it crosses
 * another one: the crossing becomes a point of the lattice. */
void th_triangulate_constrain(th_triangulation *triangulation, uint32_t a, uint32_t b);

/* The triangle that holds a point; for a point on an edge one of the two. */
uint32_t th_triangulate_locate(th_triangulation *triangulation, th_lattice_point point);

/* The half-edge from u to w, TH_NOWHERE when they are not joined. */
uint32_t th_triangulate_find(const th_triangulation *triangulation, uint32_t u, uint32_t w);

/* Triangles that no constraint parts from triangle `from`, into `list`; their label becomes `mark`. Returns how many.
 */
uint32_t th_triangulate_region(th_triangulation *triangulation, uint32_t from, int32_t mark, uint32_t *list);

static inline uint32_t th_triangulate_next(uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
static inline uint32_t th_triangulate_prev(uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }

/* Twice the area of (a, b, c), positive when counter-clockwise; exact. */
static inline int64_t th_lattice_side(th_lattice_point a, th_lattice_point b, th_lattice_point c) {
  return ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) - ((int64_t)b.y - a.y) * ((int64_t)c.x - a.x);
}

/* Twice the area of a triangle. */
static inline int64_t th_triangulate_area2(const th_triangulation *c, uint32_t t) {
  const uint32_t *v = c->corner + 3 * (size_t)t;
  return th_lattice_side(c->point[v[0]], c->point[v[1]], c->point[v[2]]);
}

/* Used between the two files of this module. */
void th_triangulate_flip(th_triangulation *triangulation, uint32_t h);
void th_triangulate_push(th_triangulation *triangulation, uint32_t h);
void th_triangulate_settle(th_triangulation *triangulation);

#endif
