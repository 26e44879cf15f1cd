/* geometry/polygon.h - simple polygons: checks, area, inside. */
#ifndef TH_GEOMETRY_POLYGON_H
#define TH_GEOMETRY_POLYGON_H

#include "geometry/segment.h"

#define TH_FARTHEST 1e5f /* coordinates lie within +-TH_FARTHEST metres */

/* Signed area, positive when the points run counterclockwise [m^2]. */
double th_polygon_area(const th_vec2 *point, uint32_t count);

/* Even-odd rule in double precision for `count` points of which x and y stand `stride` floats apart; each border point
 * belongs to exactly one side. */
bool th_polygon_ring_holds(const float *xy, size_t stride, uint32_t count, double x, double y);

/* The same for a polygon's points. */
bool th_polygon_holds(const th_vec2 *point, uint32_t count, double x, double y);

/* Copies the points without repeated neighbours (many files repeat the first point at the end); returns how many
 * are left. `out` may be `point`. */
uint32_t th_polygon_clean(const th_vec2 *point, uint32_t count, th_vec2 *out);

th_box th_polygon_box(const th_vec2 *point, uint32_t count);

/* Fails unless the polygon is finite, in range, has an area and neither crosses nor touches itself. `where` and
 * `element` name it in the error. */
th_result th_polygon_check(const th_allocator *allocator, const th_polygon *polygon, const char *where,
                           uint32_t element, th_error *error);

#endif
