/* tests/support/wall_check.h - walls looked at from outside: segments against rectangles and segments, by code that the
 * library does not use. Everything in double precision, O(1) each. */
#ifndef TH_TESTS_SUPPORT_WALL_CHECK_H
#define TH_TESTS_SUPPORT_WALL_CHECK_H

#include <math.h>
#include <stdbool.h>

#define WALL_DEPTH 1e-3 /* [m]: nearer than this to a side nobody is inside */

typedef struct wall_box {
  double x0, y0, x1, y1;
} wall_box;

typedef struct wall_way {
  double ax, ay, bx, by; /* from, to */
} wall_way;

static inline bool wall_box_holds(const wall_box *b, double x, double y) {
  return x > b->x0 + WALL_DEPTH && x < b->x1 - WALL_DEPTH && y > b->y0 + WALL_DEPTH && y < b->y1 - WALL_DEPTH;
}

/* Where a way enters and leaves the box, as parts of its length, and over which pair of sides: 0 = left or right, 1 =
 * lower or upper. False when it does not touch. */
typedef struct wall_cut {
  double in, out;
  int side_in, side_out;
} wall_cut;

static inline bool wall_cut_by(wall_cut *cut, double from, double d, const double side[2], int axis) {
  if (d == 0.0) return from > side[0] && from < side[1];
  double near = (side[0] - from) / d, far = (side[1] - from) / d;
  if (near > far) {
    double swap = near;
    near = far, far = swap;
  }
  if (near > cut->in) cut->in = near, cut->side_in = axis;
  if (far < cut->out) cut->out = far, cut->side_out = axis;
  return cut->in < cut->out;
}

/* True when a body of `radius` cannot have walked this way past the box: it goes straight through, or cuts a corner
 * that is too large for a body that keeps its distance. */
static inline bool wall_box_crossed(const wall_box *b, const wall_way *w, double radius) {
  const double x[2] = {b->x0 + WALL_DEPTH, b->x1 - WALL_DEPTH}, y[2] = {b->y0 + WALL_DEPTH, b->y1 - WALL_DEPTH};
  wall_cut cut = {0.0, 1.0, -1, -1};
  if (!wall_cut_by(&cut, w->ax, w->bx - w->ax, x, 0) || !wall_cut_by(&cut, w->ay, w->by - w->ay, y, 1)) return false;
  bool through = cut.side_in >= 0 && cut.side_out >= 0 && cut.side_in == cut.side_out;
  return through || hypot(w->bx - w->ax, w->by - w->ay) <= radius;
}

static inline double wall_side(double ax, double ay, double bx, double by, double x, double y) {
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/* Two segments cross properly. */
static inline bool wall_ways_cross(const wall_way *v, const wall_way *w) {
  return wall_side(v->ax, v->ay, v->bx, v->by, w->ax, w->ay) * wall_side(v->ax, v->ay, v->bx, v->by, w->bx, w->by) <
             0.0 &&
         wall_side(w->ax, w->ay, w->bx, w->by, v->ax, v->ay) * wall_side(w->ax, w->ay, w->bx, w->by, v->bx, v->by) <
             0.0;
}

#endif
