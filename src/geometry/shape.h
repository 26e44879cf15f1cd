/* geometry/shape.h - points, lines, discs and polygons: copies, extents, inside tests and distances. */
#ifndef TH_GEOMETRY_SHAPE_H
#define TH_GEOMETRY_SHAPE_H

#include "geometry/segment.h"

#define TH_DISC_CORNERS 48  /* of the polygon that stands for a disc */
#define TH_SHAPE_STOREY 1.5 /* above or below a polygon's mean height [m] */

/* What is on or off of a shape, in one number for hashes and snapshots; and back. */
static inline uint32_t th_shape_flags(const th_shape *shape) {
  return (shape->any_z ? 1u : 0u) | (shape->apart ? 2u : 0u);
}
static inline void th_shape_set_flags(th_shape *shape, uint32_t flags) {
  shape->any_z = flags & 1u;
  shape->apart = flags & 2u;
}

/* A copy with points of its own; false, with an empty shape, when out of memory. */
bool th_shape_copy(const th_allocator *allocator, const th_shape *from, th_shape *to);

/* Frees the points of a copy and empties it; an empty shape is allowed. */
void th_shape_free(const th_allocator *allocator, th_shape *shape);

bool th_shape_same(const th_shape *a, const th_shape *b);

/* Kind, number and range of the points, and radius; `where` names the shape in the error. */
th_result th_shape_check(const th_shape *shape, const char *where, th_error *error);

/* All points, wherever they are. */
const th_vec3 *th_shape_points(const th_shape *shape);

/* The sides of a line or polygon, from n = 0 on: the points a and b at the ends of side n; false when there are no
 * more.
 */
static inline bool th_shape_side(const th_shape *shape, uint32_t n, uint32_t *a, uint32_t *b) {
  const bool closed = shape->kind == TH_SHAPE_POLYGON;
  *a = shape->apart ? 2 * n : n;
  *b = closed && *a + 1 == shape->count ? 0 : *a + 1;
  return *a < shape->count && *b < shape->count;
}

/* Mean of the points. */
th_vec3 th_shape_middle(const th_shape *shape);

/* Extent seen from above; a disc of infinite radius has an infinite one. */
th_box th_shape_bounds(const th_shape *shape);

/* True when a disc (border included) or a polygon (even-odd rule) contains (x, y), seen from above. */
bool th_shape_covers(const th_shape *shape, double x, double y);

/* The same in space: a disc is a ball; a polygon contains points at most one storey off its mean
 * height, or at any. */
bool th_shape_holds(const th_shape *shape, double x, double y, double z);

/* Distance from (x, y) to the shape seen from above [m], 0 inside. */
double th_shape_near(const th_shape *shape, double x, double y);

/* The point of the shape nearest to p in space; p itself inside a disc or polygon. */
th_vec3 th_shape_nearest(const th_shape *shape, th_vec3 p);

/* A disc as a polygon with its points in `corner`; any other shape as it is. */
th_shape th_shape_outline(const th_shape *shape, th_vec3 corner[TH_DISC_CORNERS]);

#endif
