/* ground/slide.h - a disc against wall lines in the plane: first contact and push, for every kind of ground.
 *
 * Each wall, grown by the radius, is a capsule; the first capsule that the centre's ray enters stops it (the
 * collide-and-slide scheme of Fauerby 2003). The distance to a convex set is convex along a line, so a body inside a
 * capsule that does not move towards the wall at once never comes nearer: overlap needs no special case. About 10 ns
 * per wall. Inline, because flat ground calls this in the step's hottest loop.
 */
#ifndef TH_GROUND_SLIDE_H
#define TH_GROUND_SLIDE_H

#include "geometry/vector.h"
#include "ground/ground.h"
#include "ground/walk.h"

#define TH_SLIDE_MAX 4      /* slides in one step */
#define TH_SLIDE_TOUCH 1e-9 /* [m]; a centre this near the capsule's border is on it */
#define TH_PUSH_SHARE 0.25  /* of an overlap, per call */
#define TH_PUSH_MAX 0.02    /* [m] per call */
#define TH_ESCAPE_MAX 0.1   /* [m] per call, out of solid space */

typedef struct th_contact {
  double t; /* share of the displacement before it; 1: none */
  th_point normal;
} th_contact;

/* Vector from the nearest point of the line to p; *at is that point's distance from the line's start [m]. */
static inline th_point th_slide_off(const th_wall_line *line, th_point p, double *at) {
  double ox = p.x - line->ax, oy = p.y - line->ay, along = ox * line->ux + oy * line->uy;
  along = along > 0.0 ? (along < line->length ? along : line->length) : 0.0;
  *at = along;
  return (th_point){ox - along * line->ux, oy - along * line->uy};
}

/* Unit vector away from the wall, and the distance; on the wall itself its left normal. */
static inline th_point th_slide_away(const th_wall_line *line, th_point p, double *distance) {
  double at;
  th_point off = th_slide_off(line, p, &at);
  *distance = th_length2d(off);
  if (!(*distance > 1e-12)) return (th_point){-line->uy, line->ux};
  double inverse = 1.0 / *distance;
  return (th_point){off.x * inverse, off.y * inverse};
}

/* Ray p + t d enters the circle about c: |p - c|^2 + 2 t (p - c).d + t^2 d^2 = r^2, the smaller root. */
static inline void th_slide_circle(th_point c, double radius, th_point p, th_point d, th_contact *first) {
  th_point o = {p.x - c.x, p.y - c.y};
  double b = th_dot2d(o, d), a = th_dot2d(d, d), root = b * b - a * (th_dot2d(o, o) - radius * radius);
  if (b >= 0.0 || root < 0.0) return;
  double t = (-b - sqrt(root)) / a;
  if (t < 0.0) t = 0.0;
  if (t >= first->t) return;
  first->t = t;
  first->normal = (th_point){(o.x + t * d.x) / radius, (o.y + t * d.y) / radius};
}

/* The flat flanks of the capsule: the distance h from the line shrinks to the radius between the ends of the wall.
 * Returns false when the round ends decide. */
static inline bool th_slide_flank(const th_wall_line *line, double radius, th_point p, th_point d, th_contact *first) {
  th_point o = {p.x - line->ax, p.y - line->ay}, u = {line->ux, line->uy}, n = {-u.y, u.x};
  double h = th_dot2d(o, n);
  if (h < 0.0) {
    h = -h;
    n = (th_point){-n.x, -n.y};
  }
  double speed = -th_dot2d(d, n);
  if (h < radius) return false;
  if (h - speed >= radius) return true; /* stays beside the line's strip in this step */
  double t = (h - radius) / speed;
  if (t >= first->t) return true; /* an end is not met sooner than the flank's line */
  double along = th_dot2d(o, u) + t * th_dot2d(d, u);
  if (along < 0.0 || along > line->length) return false;
  *first = (th_contact){t, n};
  return true;
}

/* Earliest contact of the path p + t d, `length` long, with one wall, when it comes before *first. */
static inline void th_slide_meet(const th_wall_line *line, double radius, th_point p, th_point d, double length,
                                 th_contact *first) {
  double at, border = radius + TH_SLIDE_TOUCH, reach = border + length;
  th_point off = th_slide_off(line, p, &at);
  double d2 = th_dot2d(off, off);
  if (d2 > reach * reach) return;
  if (d2 <= border * border) {
    double distance;
    th_point n = th_slide_away(line, p, &distance);
    if (first->t > 0.0 && th_dot2d(d, n) < -TH_SLIDE_TOUCH * length) *first = (th_contact){0.0, n};
    return;
  }
  if (th_slide_flank(line, radius, p, d, first)) return;
  th_point a = {line->ax, line->ay}, b = {line->ax + line->length * line->ux, line->ay + line->length * line->uy};
  th_slide_circle(a, radius, p, d, first);
  th_slide_circle(b, radius, p, d, first);
}

/* Adds what one wall still needs to a push out of all overlaps, after what the other walls have added. */
static inline void th_slide_push(const th_wall_line *line, double radius, th_point p, th_point *push) {
  double distance;
  th_point n = th_slide_away(line, p, &distance);
  double need = radius - distance - th_dot2d(*push, n);
  if (radius - distance < 0.25 * (double)TH_WALK_SKIN || need <= 0.0) return;
  *push = (th_point){push->x + need * n.x, push->y + need * n.y};
}

/* The part of the push that one call gives. */
static inline th_point th_slide_share(th_point push) {
  double length = TH_PUSH_SHARE * th_length2d(push);
  double scale = length > TH_PUSH_MAX ? TH_PUSH_SHARE * TH_PUSH_MAX / length : TH_PUSH_SHARE;
  return (th_point){scale * push.x, scale * push.y};
}

/* The rest of the displacement d after the contact, along its tangent. */
static inline th_point th_slide_rest(th_point d, const th_contact *contact) {
  double into = fmin(th_dot2d(d, contact->normal), 0.0), rest = 1.0 - contact->t;
  return (th_point){rest * (d.x - into * contact->normal.x), rest * (d.y - into * contact->normal.y)};
}

#endif
