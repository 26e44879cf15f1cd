/* ground/chart/facet_meeting.c - whether a body on one face can meet a body on another above the surface.
 *
 * For feet p and q on faces with normals m and n, bodies that reach up to S along them, e = q - p and c = |e|:
 *
 *   D^2 = |e + t n - s m|^2 >= c^2 - 2 S (a + b),   a = max(0, m . e), b = max(0, -n . e)
 *
 * where a is how high q lies above the plane of p's face, and b the reverse. On convex ground a = b = 0, so axes are
 * never nearer than feet and nothing is listed. Elsewhere "what counts" (overhead.h) needs
 *
 *   2 S (a + b) >= c^2 - D^2 >= need(c) = max(0.36 c^2, 0.25 R (2 c - 0.25 R)),   R the least sum of radii,
 *
 * since c >= 1.25 D and c - D >= 0.25 R. Bodies that stand upright (along z) have parallel axes, and D^2 >= c^2 - h^2
 * where h = |e_z| is how much higher one stands: there h^2 takes the place of 2 S (a + b), and h >= 0.6 c.
 *
 * The vectors e of two triangles fill the convex hull of the nine between their corners. Both conditions say that one
 * of a few linear functions l of e (a, b, a + b; z, -z) is at least k |e| - h, where k and h are those of a tangent of
 * need(c). So the question is whether a hull meets a cone, which Frank and Wolfe (1956) answer in a few steps: the
 * gradient at the best e so far gives a plane, and when all corners lie on the far side of it there is no meeting. This
 * does not depend on how small a body is beside a face. Only the remaining bounds (the reach of axes, bodies level with
 * each other) take facets as a whole, and these are cut in four where they are large beside the reach.
 */
#include "ground/chart/facet_meeting.h"

#include <math.h>

#include "geometry/vector.h"

#define MAX_CUTS 12
#define MAX_STEPS 24
#define CORNERS 9
#define MAX_HULL (CORNERS + 20) /* of nine corners k are cut off: at most k (9 - k) <= 20 edges cross the plane */
#define TINY 1e-12

th_facet_box th_facet_box_empty(void) {
  return (th_facet_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

void th_facet_box_join(th_facet_box *box, const double *point) {
  for (int k = 0; k < 3; k++) {
    box->low[k] = point[k] < box->low[k] ? point[k] : box->low[k];
    box->high[k] = point[k] > box->high[k] ? point[k] : box->high[k];
  }
}

double th_facet_box_apart2(const th_facet_box *a, const th_facet_box *b) {
  double sum = 0.0;
  for (int k = 0; k < 3; k++) {
    double left = a->low[k] - b->high[k], right = b->low[k] - a->high[k], d = left > right ? left : right;
    sum += d > 0.0 ? d * d : 0.0;
  }
  return sum;
}

/* From the corners up to the highest points of axes over them. */
th_facet_box th_facet_axes(const th_facet *facet, double top) {
  th_facet_box box = th_facet_box_empty();
  for (int i = 0; i < 3; i++) {
    double up[3];
    for (int k = 0; k < 3; k++) up[k] = facet->p[i][k] + top * facet->up[k];
    th_facet_box_join(&box, facet->p[i]);
    th_facet_box_join(&box, up);
  }
  return box;
}

/* Centre and radius from the corners. */
static void enclose(th_facet *t) {
  double max = 0.0;
  for (int k = 0; k < 3; k++) t->centre[k] = (t->p[0][k] + t->p[1][k] + t->p[2][k]) / 3.0;
  for (int i = 0; i < 3; i++) {
    const double e[3] = {t->p[i][0] - t->centre[0], t->p[i][1] - t->centre[1], t->p[i][2] - t->centre[2]};
    max = fmax(max, th_dot3d(e, e));
  }
  t->radius = sqrt(max);
}

th_facet th_facet_of(const th_mesh *mesh, uint32_t face, bool plumb) {
  th_facet t;
  double n[3];
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++) t.p[i][k] = mesh->xyz[3 * (size_t)mesh->corner[3 * (size_t)face + i] + k];
  th_normal3d(t.p[0], t.p[1], t.p[2], n);
  double size = th_length3d(n);
  for (int k = 0; k < 3; k++) t.normal[k] = size > 0.0 ? n[k] / size : 0.0;
  for (int k = 0; k < 3; k++) t.up[k] = plumb ? (k == 2 ? 1.0 : 0.0) : t.normal[k];
  t.level = th_dot3d(t.normal, t.p[0]);
  enclose(&t);
  return t;
}

/* Corner i's quarter; the fourth is the one in the middle. */
static th_facet quarter(const th_facet *t, int i) {
  th_facet part = *t;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) part.p[c][k] = 0.5 * (t->p[c][k] + (i < 3 ? t->p[i][k] : t->p[(c + 1) % 3][k]));
  enclose(&part);
  return part;
}

/* ---------------------------------------------------------------- bounds of whole facets */

/* From where to where `other` lies above the plane of `t`. */
typedef struct heights {
  double low, high;
} heights;

static inline heights heights_over(const th_facet *t, const th_facet *other) {
  double a = th_dot3d(t->normal, other->p[0]), b = th_dot3d(t->normal, other->p[1]),
         c = th_dot3d(t->normal, other->p[2]);
  double low = a < b ? a : b, high = a < b ? b : a;
  return (heights){(c < low ? c : low) - t->level, (c > high ? c : high) - t->level};
}

/* Whether bodies on g can be level, along f's normal, with those on f: on parallel planes they keep that distance, on
 * others it may shrink while they walk. */
static bool level(const th_meeting *w, const th_facet *f, const th_facet *g, const heights *h) {
  double cosine = th_dot3d(f->normal, g->normal), own = w->top * th_dot3d(f->normal, f->up),
         up = w->top * th_dot3d(f->normal, g->up);
  double allowed = w->max + (w->reach - w->max) * sqrt(fmax(0.0, 1.0 - cosine * cosine));
  return h->low + fmin(0.0, up) - fmax(0.0, own) <= allowed && fmin(0.0, own) - (h->high + fmax(0.0, up)) <= allowed;
}

/* How much higher a point of one can be than a point of the other, squared. */
static double steps(const th_facet *f, const th_facet *g) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    low[0] = fmin(low[0], f->p[i][2]), high[0] = fmax(high[0], f->p[i][2]);
    low[1] = fmin(low[1], g->p[i][2]), high[1] = fmax(high[1], g->p[i][2]);
  }
  double h = fmax(high[1] - low[0], high[0] - low[1]);
  return h > 0.0 ? h * h : 0.0;
}

/* What feet c apart need at least to count. */
static double need(const th_meeting *w, double c) {
  const double near = (double)TH_OVERHEAD_NEARER, share = 1.0 - 1.0 / ((1.0 + near) * (1.0 + near));
  return fmax(share * c * c, near * w->min * (2.0 * c - near * w->min));
}

/* ---------------------------------------------------------------- hull and cone */

/* All e with slope . e >= steep |e| - start. */
typedef struct cone {
  double slope[3], steep, start, min; /* and slope . e >= min */
} cone;

typedef struct hull {
  double p[MAX_HULL][3];
  int count;
} hull;

/* The part of the hull where slope . e >= min, given by points whose hull it is. */
static hull clip(const double (*corner)[3], const cone *c) {
  hull part = {.count = 0};
  double over[CORNERS];
  for (int i = 0; i < CORNERS; i++) {
    over[i] = th_dot3d(c->slope, corner[i]) - c->min;
    for (int k = 0; k < 3 && over[i] >= 0.0; k++) part.p[part.count][k] = corner[i][k];
    part.count += over[i] >= 0.0;
  }
  for (int i = 0; i < CORNERS; i++)
    for (int j = 0; j < CORNERS; j++) {
      if (!(over[i] >= 0.0) || over[j] >= 0.0) continue;
      double t = over[i] / (over[i] - over[j]), *p = part.p[part.count++];
      for (int k = 0; k < 3; k++) p[k] = corner[i][k] + t * (corner[j][k] - corner[i][k]);
    }
  return part;
}

/* How far from e towards e + d steep |e| - slope . e is least: 0 to 1. */
static double least_on_line(const cone *c, const double *e, const double *d) {
  double a = th_dot3d(d, d), b = th_dot3d(e, d), rise = th_dot3d(c->slope, d),
         bend = c->steep * c->steep * a - rise * rise;
  if (!(bend > 0.0)) return 1.0;
  double beside2 = fmax(0.0, th_dot3d(e, e) - b * b / a);
  double t = rise * sqrt(beside2 / bend) / sqrt(a) - b / a;
  return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static int lowest(const hull *h, const double *direction) {
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < h->count; i++) {
    double value = th_dot3d(direction, h->p[i]);
    if (value < least) best = i, least = value;
  }
  return best;
}

/* False only where they do not meet; true after MAX_STEPS without an answer. */
static bool hull_meets_cone(const hull *h, const cone *c) {
  if (!h->count) return false;
  const double down[3] = {-c->slope[0], -c->slope[1], -c->slope[2]};
  double e[3];
  for (int at = lowest(h, down), k = 0; k < 3; k++) e[k] = h->p[at][k];
  for (int step = 0; step < MAX_STEPS; step++) {
    double size = th_length3d(e), gradient[3], towards[3];
    if (c->steep * size - th_dot3d(c->slope, e) <= c->start + TINY) return true;
    for (int k = 0; k < 3; k++) gradient[k] = c->steep * e[k] / size - c->slope[k];
    int at = lowest(h, gradient);
    if (th_dot3d(gradient, h->p[at]) > c->start + TINY) return false; /* homogeneous: this is a bound for all of h */
    th_minus3d(h->p[at], e, towards);
    double t = least_on_line(c, e, towards);
    for (int k = 0; k < 3; k++) e[k] += t * towards[k];
  }
  return true;
}

/* The cones of upright bodies: above, and below. */
static int upright_cones(const th_meeting *w, cone *c) {
  const double near = (double)TH_OVERHEAD_NEARER;
  for (int i = 0; i < 2; i++)
    c[i] = (cone){.slope = {0.0, 0.0, i ? -1.0 : 1.0},
                  .steep = sqrt(1.0 - 1.0 / ((1.0 + near) * (1.0 + near))),
                  .min = sqrt(w->gain)};
  return 2;
}

/* Those of bodies along normals, for feet at least `c` apart: a, b, and a + b. */
static int normal_cones(const th_meeting *w, const th_facet *f, const th_facet *g, double c, cone *to) {
  const double near = (double)TH_OVERHEAD_NEARER, share = 1.0 - 1.0 / ((1.0 + near) * (1.0 + near));
  double least = need(w, c), steep = least > share * c * c ? 2.0 * near * w->min : 2.0 * share * c;
  for (int i = 0; i < 3; i++) {
    to[i] = (cone){.steep = steep, .start = steep * c - least, .min = w->gain};
    for (int k = 0; k < 3; k++)
      to[i].slope[k] = 2.0 * w->top * ((i != 1 ? f->normal[k] : 0.0) - (i != 0 ? g->normal[k] : 0.0));
  }
  return 3;
}

static bool feet_may_count(const th_meeting *w, const th_facet *f, const th_facet *g, double least_apart) {
  double corner[CORNERS][3];
  cone c[3];
  for (int i = 0; i < CORNERS; i++) th_minus3d(g->p[i / 3], f->p[i % 3], corner[i]);
  int count = w->plumb ? upright_cones(w, c) : normal_cones(w, f, g, least_apart, c);
  for (int i = 0; i < count; i++) {
    hull part = clip((const double(*)[3])corner, &c[i]);
    if (hull_meets_cone(&part, &c[i])) return true;
  }
  return false;
}

/* ---------------------------------------------------------------- pairs of facets */

static bool may_meet(const th_meeting *w, const th_facet *f, const th_facet *g, int cuts, uint64_t *tested) {
  heights hf = heights_over(f, g), hg = heights_over(g, f);
  double gain = 2.0 * w->top * ((hf.high > 0.0 ? hf.high : 0.0) + (hg.high > 0.0 ? hg.high : 0.0));
  ++*tested;
  if (w->plumb) gain = steps(f, g);
  if (gain < w->gain) return false;
  double e[3];
  th_minus3d(g->centre, f->centre, e);
  double apart = th_length3d(e), both = f->radius + g->radius, least = fmax(apart - both, w->beside);
  if (gain < need(w, least) || apart + both < w->beside) return false;
  if (!level(w, f, g, &hf) || !level(w, g, f, &hg)) return false;
  th_facet_box af = th_facet_axes(f, w->top), ag = th_facet_axes(g, w->top);
  if (th_facet_box_apart2(&af, &ag) > w->reach * w->reach || !feet_may_count(w, f, g, least)) return false;
  if (!cuts || fmax(f->radius, g->radius) <= 0.125 * w->reach) return true;
  bool first = f->radius >= g->radius, any = false;
  for (int i = 0; i < 4 && !any; i++) {
    th_facet part = quarter(first ? f : g, i);
    any = first ? may_meet(w, &part, g, cuts - 1, tested) : may_meet(w, f, &part, cuts - 1, tested);
  }
  return any;
}

bool th_facets_may_meet(const th_meeting *meeting, const th_facet *f, const th_facet *g, uint64_t *tested) {
  return may_meet(meeting, f, g, MAX_CUTS, tested);
}

th_meeting th_meeting_of(const th_overhead_def *def) {
  double max = 2.0 * (double)def->radius_max;
  th_meeting w = {.top = fmax((double)def->height - (double)def->radius_min, (double)def->radius_max),
                  .reach = max + (double)def->gap,
                  .min = 2.0 * (double)def->radius_min,
                  .max = max,
                  .plumb = def->plumb};
  w.beside = (double)TH_OVERHEAD_BESIDE * w.min;
  w.gain = need(&w, w.beside);
  return w;
}
