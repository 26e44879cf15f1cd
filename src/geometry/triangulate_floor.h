/* geometry/triangulate_floor.h - polygons on one plane as triangles of an even size. */
#ifndef TH_GEOMETRY_TRIANGULATE_FLOOR_H
#define TH_GEOMETRY_TRIANGULATE_FLOOR_H

#include "geometry/triangulate.h"

#define TH_FLOOR_JOIN 8 /* units: points and lines closer than half a millimetre touch */

/* Areas are laid on top of each other in their order. */
typedef struct th_floor_area {
  const th_lattice_point *point;
  uint32_t count;
  int32_t label; /* 0: a hole */
  bool on_top;   /* only where there is floor already */
} th_floor_area;

typedef struct th_floor_def {
  th_allocator allocator;
  const th_floor_area *area;
  uint32_t area_count;
  const th_lattice_point (*seam)[2]; /* lines whose ends must be points, where they lie on a border */
  uint32_t seam_count;
  double edge;    /* wanted length [units] */
  double passage; /* least width of a passage that gets points in its middle [units]; 0: none does */
} th_floor_def;

/* Faces run counter-clockwise. twin as in th_mesh; border edges are never longer than 1.5 edges. */
typedef struct th_floor {
  th_allocator allocator;
  th_lattice_point *point;
  uint32_t *corner, *twin;
  int32_t *label;
  uint32_t point_count, face_count;
} th_floor;

/* Fails when out of memory, when crossing lines cannot be resolved, or when it needs more than 2^24 points. A floor may
 * be empty. */
th_result th_floor_make(const th_floor_def *def, th_floor *floor, th_error *error);
void th_floor_free(th_floor *floor);

/* Twice the area [units^2], and the least angle [degrees]. */
int64_t th_floor_area2(const th_floor *floor);
double th_floor_min_angle(const th_floor *floor);

/* Even-odd rule. */
bool th_floor_ring_holds(const th_lattice_point *point, uint32_t count, double x, double y);

/* What the files of this module share: lines between points. */
typedef struct th_floor_lines {
  th_allocator allocator;
  th_lattice_point *point;
  uint32_t (*line)[2];
  uint32_t point_count, point_capacity, line_count, line_capacity;
  bool failed;
} th_floor_lines;

/* The borders of areas and the seams; points that nearly touch a point or a line are tied to it. */
void th_floor_tie(const th_floor_def *def, th_floor_lines *lines);
uint32_t th_floor_point(th_floor_lines *lines, th_lattice_point point);
void th_floor_line(th_floor_lines *lines, uint32_t a, uint32_t b);
void th_floor_lines_free(th_floor_lines *lines);

#endif
