/* tests/support/orca_reference.h - reciprocal avoidance in double precision, straight from the definition, and brute
 * force.
 *
 * Half-planes as published (van den Berg et al. 2011: cut-off disc, legs, overlap), but the best velocity is found by
 * trying every point where it can lie (the wanted velocity, feet on lines, crossings of lines, lines with the circle of
 * greatest speed), and the least penetration by nested search on a convex function. Slow, and without the incremental
 * programmes that it checks.
 */
#ifndef TH_TESTS_SUPPORT_ORCA_REFERENCE_H
#define TH_TESTS_SUPPORT_ORCA_REFERENCE_H

#include <math.h>

#include "support/unit.h"
#include "throng/model/orca.h"

typedef struct ref_vec {
  double x, y;
} ref_vec;
typedef struct ref_line {
  ref_vec p, d; /* permitted on the left */
} ref_line;
typedef struct ref_body {
  ref_vec at, v;
  double radius;
} ref_body;

enum { REF_DISC, REF_LEFT_LEG, REF_RIGHT_LEG, REF_OVERLAP, REF_CASES };

static inline double ref_dot(ref_vec a, ref_vec b) { return a.x * b.x + a.y * b.y; }
static inline double ref_det(ref_vec a, ref_vec b) { return a.x * b.y - a.y * b.x; }
static inline ref_vec ref_add(ref_vec a, double k, ref_vec b) { return (ref_vec){a.x + k * b.x, a.y + k * b.y}; }
static inline ref_vec ref_sub(ref_vec a, ref_vec b) { return (ref_vec){a.x - b.x, a.y - b.y}; }
static inline double ref_norm(ref_vec a) { return sqrt(ref_dot(a, a)); }

/* u moves the relative velocity to the nearest point of the obstacle's boundary; `part` of it is ours. */
static inline ref_line ref_half_plane(const ref_body *own, const ref_body *other, double horizon, double dt,
                                      double part, int *kind) {
  ref_vec x = ref_sub(other->at, own->at), rel = ref_sub(own->v, other->v), u, n;
  double r = own->radius + other->radius, d = ref_norm(x), time = d > r ? horizon : dt;
  ref_vec w = ref_add(rel, -1.0 / time, x);
  double length = ref_norm(w), back = ref_dot(w, x);
  bool disc = d <= r || (back < 0.0 && back * back > r * r * length * length);
  if (disc) {
    *kind = d <= r ? REF_OVERLAP : REF_DISC;
    n = (ref_vec){w.x / length, w.y / length};
    u = (ref_vec){(r / time - length) * n.x, (r / time - length) * n.y};
  } else { /* tangents leave the middle line at the angle asin(r / d) */
    bool left = ref_det(x, w) > 0.0;
    double angle = atan2(x.y, x.x) + (left ? asin(r / d) : -asin(r / d));
    ref_vec leg = {cos(angle), sin(angle)};
    double along = ref_dot(rel, leg);
    *kind = left ? REF_LEFT_LEG : REF_RIGHT_LEG;
    n = left ? (ref_vec){-leg.y, leg.x} : (ref_vec){leg.y, -leg.x};
    u = ref_sub((ref_vec){along * leg.x, along * leg.y}, rel);
  }
  return (ref_line){ref_add(own->v, part, u), {n.y, -n.x}};
}

static inline double ref_violation(const ref_line *l, ref_vec v) { return ref_det(l->d, ref_sub(l->p, v)); }

static inline double ref_deepest(const ref_line *l, uint32_t count, ref_vec v) {
  double worst = -INFINITY;
  for (uint32_t i = 0; i < count; i++) worst = fmax(worst, ref_violation(&l[i], v));
  return worst;
}

typedef struct ref_search {
  const ref_line *l;
  uint32_t count;
  double max, best;
  ref_vec wanted, found;
} ref_search;

static inline void ref_try(ref_search *s, ref_vec v) {
  double far = ref_norm(ref_sub(v, s->wanted));
  if (ref_norm(v) > s->max + 1e-9 || far >= s->best || ref_deepest(s->l, s->count, v) > 1e-9) return;
  s->best = far;
  s->found = v;
}

/* The permitted velocity nearest to the wanted one; false when there is none. */
static inline bool ref_best(const ref_line *l, uint32_t count, ref_vec wanted, double max, ref_vec *found) {
  ref_search s = {l, count, max, INFINITY, wanted, wanted};
  double length = ref_norm(wanted);
  if (length > max) s.wanted = (ref_vec){wanted.x * max / length, wanted.y * max / length};
  ref_try(&s, s.wanted);
  for (uint32_t i = 0; i < count; i++) {
    ref_vec p = l[i].p, d = l[i].d;
    ref_try(&s, ref_add(p, ref_dot(d, ref_sub(s.wanted, p)), d));
    double q = ref_dot(p, d), room = q * q + max * max - ref_dot(p, p);
    if (room >= 0.0) ref_try(&s, ref_add(p, -q - sqrt(room), d)), ref_try(&s, ref_add(p, -q + sqrt(room), d));
    for (uint32_t j = 0; j < i; j++) {
      double den = ref_det(d, l[j].d);
      if (fabs(den) > 1e-12) ref_try(&s, ref_add(p, ref_det(l[j].d, ref_sub(p, l[j].p)) / den, d));
    }
  }
  *found = s.found;
  return s.best < INFINITY;
}

/* The least depth that a velocity on the column x can have. */
static inline double ref_min_in_column(const ref_line *l, uint32_t count, double x, double max, ref_vec *at) {
  double high = sqrt(fmax(max * max - x * x, 0.0)), low = -high;
  for (int i = 0; i < 80; i++) {
    double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    if (ref_deepest(l, count, (ref_vec){x, a}) < ref_deepest(l, count, (ref_vec){x, b}))
      high = b;
    else
      low = a;
  }
  *at = (ref_vec){x, 0.5 * (low + high)};
  return ref_deepest(l, count, *at);
}

/* The velocity that violates the lines least. */
static inline double ref_min_depth(const ref_line *l, uint32_t count, double max, ref_vec *at) {
  double low = -max, high = max;
  ref_vec unused;
  for (int i = 0; i < 80; i++) {
    double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    if (ref_min_in_column(l, count, a, max, &unused) < ref_min_in_column(l, count, b, max, &unused))
      high = b;
    else
      low = a;
  }
  return ref_min_in_column(l, count, 0.5 * (low + high), max, at);
}

/* One decision among `count` bodies, all within sight, equal shares. */
static inline ref_vec ref_decide(const ref_body *body, uint32_t count, uint32_t self, ref_vec wanted, double max,
                                 double horizon, double dt) {
  ref_line line[64];
  uint32_t lines = 0;
  int kind;
  assert_true(count <= 64);
  for (uint32_t i = 0; i < count; i++)
    if (i != self) line[lines++] = ref_half_plane(&body[self], &body[i], horizon, dt, 0.5, &kind);
  ref_vec v;
  if (!ref_best(line, lines, wanted, max, &v)) ref_min_depth(line, lines, max, &v);
  return v;
}

#endif
