/* geometry/segment.h - points, boxes and segments in double precision.
 *
 * Coordinates are stored as float and differ by few powers of two inside one ground, so the differences below are
 * exact in double and the sign of an orientation is right for every float input that a ground accepts.
 */
#ifndef TH_GEOMETRY_SEGMENT_H
#define TH_GEOMETRY_SEGMENT_H

#include <math.h>

#include "geometry/vector.h"
#include "throng/geometry.h"

typedef struct th_box {
  double x0, y0, x1, y1; /* empty when x0 > x1 */
} th_box;

static inline th_box th_box_empty(void) { return (th_box){HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL}; }

static inline bool th_box_is_empty(const th_box *box) { return !(box->x0 <= box->x1 && box->y0 <= box->y1); }

static inline void th_box_add(th_box *box, double x, double y) {
  box->x0 = x < box->x0 ? x : box->x0;
  box->y0 = y < box->y0 ? y : box->y0;
  box->x1 = x > box->x1 ? x : box->x1;
  box->y1 = y > box->y1 ? y : box->y1;
}

static inline void th_box_add_segment(th_box *box, const th_segment *s) {
  th_box_add(box, (double)s->ax, (double)s->ay);
  th_box_add(box, (double)s->bx, (double)s->by);
}

static inline void th_box_join(th_box *box, const th_box *other) {
  if (th_box_is_empty(other)) return;
  th_box_add(box, other->x0, other->y0);
  th_box_add(box, other->x1, other->y1);
}

static inline th_box th_box_grow(th_box box, double by) {
  return (th_box){box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by};
}

static inline bool th_box_meets(const th_box *a, const th_box *b) {
  return a->x0 <= b->x1 && b->x0 <= a->x1 && a->y0 <= b->y1 && b->y0 <= a->y1;
}

static inline th_box th_segment_box(const th_segment *s) {
  th_box box = th_box_empty();
  th_box_add_segment(&box, s);
  return box;
}

/* Twice the signed area of (a, b, p): positive when p lies left of the segment. */
static inline double th_segment_side(const th_segment *s, double x, double y) {
  double ax = (double)s->ax, ay = (double)s->ay;
  return ((double)s->bx - ax) * (y - ay) - ((double)s->by - ay) * (x - ax);
}

static inline double th_segment_length(const th_segment *s) {
  double ex = (double)s->bx - (double)s->ax, ey = (double)s->by - (double)s->ay;
  return sqrt(ex * ex + ey * ey);
}

/* The point of the segment nearest to (x, y); *at is 0 at a, 1 at b. */
static inline th_point th_segment_nearest(const th_segment *s, double x, double y, double *at) {
  double ax = (double)s->ax, ay = (double)s->ay, ex = (double)s->bx - ax, ey = (double)s->by - ay;
  double length2 = ex * ex + ey * ey;
  double t = length2 > 0.0 ? ((x - ax) * ex + (y - ay) * ey) / length2 : 0.0;
  t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
  *at = t;
  return (th_point){ax + t * ex, ay + t * ey};
}

static inline double th_segment_distance2(const th_segment *s, double x, double y) {
  double t;
  th_point c = th_segment_nearest(s, x, y, &t);
  return (x - c.x) * (x - c.x) + (y - c.y) * (y - c.y);
}

/* True when the segments share a point, ends included. */
bool th_segments_touch(const th_segment *p, const th_segment *q);

/* True when the segment shares a point with the closed box. */
bool th_segment_meets_box(const th_segment *s, const th_box *box);

#endif
