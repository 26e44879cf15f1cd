/* throng/geometry.h - segments and polygons, shared by grounds and by what measures on them. */
#ifndef THRONG_GEOMETRY_H
#define THRONG_GEOMETRY_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A directed segment [m]. As a wall: agents stay on its left side. */
typedef struct th_segment {
  float ax, ay, bx, by;
} th_segment;

/** A simple polygon in either winding, 3 or more points. */
typedef struct th_polygon {
  const char *name; /* needed for doors and for obstacles that an edit removes; else NULL */
  const th_vec2 *point;
  uint32_t count;
} th_polygon;

#ifdef __cplusplus
}
#endif
#endif
