/* throng/geometry.h - segments, polygons and shapes, shared by grounds and by what measures on them.
 *
 * Threads: any.
 */
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

typedef enum th_shape_kind { TH_SHAPE_POINT, TH_SHAPE_LINE, TH_SHAPE_DISC, TH_SHAPE_POLYGON } th_shape_kind;

/** A goal's shape: a point, a polyline, a disc or a polygon. On a mesh a point, or the centre of a disc, stands for the
 *  place that th_ground_locate_at finds within 2 m (or two mean edges of the mesh, if these are longer), or else for
 *  one as th_agent_def.point says; a line is the surface within that distance of its points in space; a disc is the
 *  surface within `radius` of its centre in space that is connected to the centre; a polygon is the surface inside it
 *  seen from above, on its level, or without a level at most 1.5 m above or below the mean z. Flat ground ignores z and
 *  level. */
typedef struct th_shape {
  th_shape_kind kind;
  const th_vec3 *point; /* [m]: 1 point; 2 or more; 1 (centre); 3 or more. NULL: its points are `own` */
  uint32_t count;
  float radius;   /* disc [m] (0, 1e4] */
  int32_t level;  /* mesh ground: of its faces; 0 = any */
  bool any_z;     /* mesh ground: a polygon without a level reaches every height; default false */
  bool apart;     /* a line: points 0 and 1, 2 and 3, ... are lines of their own, and whoever comes to one of them is
                     there: several exits are one goal, and everybody takes the nearest; default false = one polyline */
  th_vec3 own[4]; /* a shape of at most 4 points may hold them itself: it may be copied and kept */
} th_shape;

/** Shapes that hold their own points, in metres: for flat ground, and for a mesh at z = 0 (boxes: at every height). */
TH_API th_shape th_point_shape(float x, float y);
/** Radius (0, 1e4]. */
TH_API th_shape th_disc_shape(float x, float y, float radius);
/** From (ax, ay) to (bx, by). */
TH_API th_shape th_line_shape(float ax, float ay, float bx, float by);
/** A polygon: the rectangle between two opposite corners. */
TH_API th_shape th_box_shape(float x0, float y0, float x1, float y1);
/** A point in space, for a mesh. */
TH_API th_shape th_point_shape_at(th_vec3 point);
/** What lies within radius (0, 1e4] of a point in space, for a mesh. */
TH_API th_shape th_disc_shape_at(th_vec3 centre, float radius);

/** Point n < count of any shape, whether in `own` or in `point`. */
TH_API th_vec3 th_shape_at(const th_shape *shape, uint32_t n);

/** A rectangle as a polygon without a name: its corners are written to `corner`, which must outlive it. */
TH_API th_polygon th_box_polygon(float x0, float y0, float x1, float y1, th_vec2 corner[4]);

/** Points and vectors of a host whose y axis points up (right-handed: x right, z towards the viewer), as glTF has it:
 *  to our axes, z up, and back. Both are rotations, so faces keep their front. A left-handed host (z away from the
 *  viewer) negates its z before the one and after the other, and reverses the corners of its faces. */
static inline th_vec3 th_from_y_up(th_vec3 p) {
  const th_vec3 ours = {p.x, -p.z, p.y};
  return ours;
}
static inline th_vec3 th_to_y_up(th_vec3 p) {
  const th_vec3 theirs = {p.x, p.z, -p.y};
  return theirs;
}

#ifdef __cplusplus
}
#endif
#endif
