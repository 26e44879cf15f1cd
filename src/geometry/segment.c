/* geometry/segment.c - exact yes/no questions about segments.
 *
 * Two segments touch when each has its ends on both sides of the other's line, or an end of one lies on the other
 * (O'Rourke, Computational Geometry in C, section 1.5). A segment meets a box when none of the three axes x, y and the
 * segment's normal separates them. Cost: a few products each.
 */
#include "geometry/segment.h"

/* p is known to lie on the line of s. */
static bool within(const th_segment *s, double x, double y) {
  th_box box = th_segment_box(s);
  return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
}

bool th_segments_touch(const th_segment *p, const th_segment *q) {
  double pax = (double)p->ax, pay = (double)p->ay, pbx = (double)p->bx, pby = (double)p->by;
  double qax = (double)q->ax, qay = (double)q->ay, qbx = (double)q->bx, qby = (double)q->by;
  double qa = th_segment_side(p, qax, qay), qb = th_segment_side(p, qbx, qby);
  double pa = th_segment_side(q, pax, pay), pb = th_segment_side(q, pbx, pby);
  if (((qa > 0.0 && qb < 0.0) || (qa < 0.0 && qb > 0.0)) && ((pa > 0.0 && pb < 0.0) || (pa < 0.0 && pb > 0.0)))
    return true;
  return (qa == 0.0 && within(p, qax, qay)) || (qb == 0.0 && within(p, qbx, qby)) ||
         (pa == 0.0 && within(q, pax, pay)) || (pb == 0.0 && within(q, pbx, pby));
}

bool th_segment_meets_box(const th_segment *s, const th_box *box) {
  th_box own = th_segment_box(s);
  if (!th_box_meets(&own, box)) return false;
  double nx = (double)s->ay - (double)s->by, ny = (double)s->bx - (double)s->ax;
  double cx = 0.5 * (box->x0 + box->x1) - (double)s->ax, cy = 0.5 * (box->y0 + box->y1) - (double)s->ay;
  double half = 0.5 * ((box->x1 - box->x0) * fabs(nx) + (box->y1 - box->y0) * fabs(ny));
  return fabs(cx * nx + cy * ny) <= half * (1.0 + 1e-12);
}
