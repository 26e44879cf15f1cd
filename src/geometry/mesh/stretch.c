/* geometry/mesh/stretch.c - L2 stretch of triangles, and its histogram.
 *
 * The map's derivative S from the plane to the face is constant on a triangle; a = S_s.S_s, b = S_s.S_t, c = S_t.S_t
 * are dot products of its columns, so the face's own flat frame can be used instead of coordinates in space. O(1).
 */
#include "geometry/mesh/stretch.h"

th_stretch th_stretch_of(const th_face_frame *f, const th_point *p) {
  double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, vx = p[2].x - p[0].x, vy = p[2].y - p[0].y;
  double twice = ux * vy - uy * vx;
  if (twice == 0.0) return (th_stretch){INFINITY, INFINITY, INFINITY};
  /* columns of S: q1 = (bx, 0) and q2 = (cx, cy) expressed by the inverse of (u v) */
  double sx = (f->bx * vy - f->cx * uy) / twice, sy = -f->cy * uy / twice;
  double tx = (f->cx * ux - f->bx * vx) / twice, ty = f->cy * ux / twice;
  double a = sx * sx + sy * sy, b = sx * tx + sy * ty, c = tx * tx + ty * ty;
  double root = sqrt((a - c) * (a - c) + 4.0 * b * b), small = 0.5 * (a + c - root);
  return (th_stretch){sqrt(0.5 * (a + c)), sqrt(0.5 * (a + c + root)), sqrt(small > 0.0 ? small : 0.0)};
}

void th_stretch_add(th_stretch_table *t, double l2, th_stretch_where where) {
  double at = floor((l2 - TH_STRETCH_MIN) / TH_STRETCH_BIN + 0.5), off = fabs(l2 - 1.0);
  t->bin[at > 0.0 ? (at < TH_STRETCH_BINS - 1 ? (uint32_t)at : TH_STRETCH_BINS - 1) : 0]++;
  t->count++;
  t->sum += l2;
  t->worst = off > t->worst ? off : t->worst;
  if (where == TH_STRETCH_CENTRAL) {
    t->central++;
    t->central_off += off;
  } else if (where == TH_STRETCH_RIM) {
    t->rim++;
    t->rim_off += off;
  }
}

double th_stretch_share(const th_stretch_table *t, double within) {
  uint64_t held = 0;
  for (uint32_t k = 0; k < TH_STRETCH_BINS; k++)
    if (fabs(TH_STRETCH_MIN + TH_STRETCH_BIN * k - 1.0) <= within + 0.5 * TH_STRETCH_BIN) held += t->bin[k];
  return t->count ? (double)held / (double)t->count : 0.0;
}
