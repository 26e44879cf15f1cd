/* make/statue.c - solids blended from simple ones: a figure with handles, a plate with holes; and the list of
 * surfaces by the sizes that the reproduced works print.
 *
 * Distances to spheres, capsules, rings and boxes are joined by a smooth minimum (I. Quilez' polynomial form:
 * min(a, b) - h^2 k / 4, h = max(k - |a - b|, 0) / k), which rounds the joints and keeps the topology of the union as
 * long as k is small compared with the gaps.
 */
#include <math.h>

#include "base/error.h"
#include "base/trig.h"
#include "make/shapes.h"

#define MAX_HANDLES 12

typedef struct figure {
  uint32_t handles;
  double c[MAX_HANDLES], s[MAX_HANDLES], z[MAX_HANDLES];
} figure;

typedef struct plate {
  uint32_t holes, columns, rows;
} plate;

static double join(double a, double b, double k) {
  double h = k - fabs(a - b);
  h = h > 0.0 ? h / k : 0.0;
  return (a < b ? a : b) - 0.25 * h * h * k;
}

/* Distance to the segment (ax, ay, az)-(bx, by, bz) minus the radius. */
static double capsule(const double *p, const double *a, const double *b, double radius) {
  double ap = 0.0, ab = 0.0, d = 0.0;
  for (int k = 0; k < 3; k++) {
    ap += (p[k] - a[k]) * (b[k] - a[k]);
    ab += (b[k] - a[k]) * (b[k] - a[k]);
  }
  double t = ap / ab;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  for (int k = 0; k < 3; k++) {
    double x = p[k] - a[k] - t * (b[k] - a[k]);
    d += x * x;
  }
  return sqrt(d) - radius;
}

/* A ring in the vertical plane through the axis, half in the body. */
static double handle(const figure *f, uint32_t i, const double *p) {
  double out = p[0] * f->c[i] + p[1] * f->s[i] - 1.25, side = p[1] * f->c[i] - p[0] * f->s[i], up = p[2] - f->z[i];
  double from_ring = sqrt(out * out + up * up) - 0.62;
  return sqrt(from_ring * from_ring + side * side) - 0.2;
}

static double statue(void *user, const double *p) {
  static const double foot[3] = {0, 0, 0.5}, neck[3] = {0, 0, 3.7}, head[3] = {0, 0.1, 4.4}, crown[3] = {0, 0.15, 4.6};
  static const double left[3] = {-0.35, 0, 4.9}, right[3] = {0.35, 0, 4.9}, brow[3] = {0, 0.1, 4.5};
  const figure *f = user;
  double d = capsule(p, foot, neck, 0.75);
  d = join(d, capsule(p, head, crown, 0.5), 0.3);
  d = join(d, capsule(p, brow, left, 0.16), 0.1);
  d = join(d, capsule(p, brow, right, 0.16), 0.1);
  for (uint32_t i = 0; i < f->handles; i++) d = join(d, handle(f, i, p), 0.12);
  return d;
}

th_result th_make_statue(th_soup *soup, uint32_t genus, uint32_t faces, th_error *error) {
  if (genus > MAX_HANDLES)
    return th_fail(error, TH_ERROR_RANGE, "statue", "expected at most %d handles, found %u", MAX_HANDLES, genus);
  figure f = {.handles = genus};
  for (uint32_t i = 0; i < genus; i++) { /* by the golden angle, rising: neighbours in height stand far apart */
    th_sincos_double(2.39996322972865 * i, &f.s[i], &f.c[i]);
    f.z[i] = genus > 1 ? 0.9 + 2.4 * i / (genus - 1) : 2.0;
  }
  th_make_hull skin = {statue, &f, {-2.3, -2.3, -0.5}, {2.3, 2.3, 5.4}, faces, genus};
  return th_make_hull_of(soup, &skin, error);
}

/* Distance to the nearest hole's axis in the plate's own plane. */
static double from_holes(const plate *q, double x, double y) {
  double best = HUGE_VAL;
  for (uint32_t i = 0; i < q->holes; i++) {
    double dx = x - (2.0 * (i % q->columns) + 1.0 - q->columns), dy = y - (2.0 * (i / q->columns) + 1.0 - q->rows);
    double d = sqrt(dx * dx + dy * dy);
    if (d < best) best = d;
  }
  return best;
}

static double sieve(void *user, const double *p) {
  const plate *q = user;
  double wide = q->columns + 0.2, deep = q->rows + 0.2, span = wide > deep ? wide : deep;
  double z = p[2] - 0.25 * (p[0] * p[0] - p[1] * p[1]) / span; /* a saddle */
  double x = fabs(p[0]) - wide, y = fabs(p[1]) - deep, w = fabs(z) - 0.1;
  double ox = x > 0.0 ? x : 0.0, oy = y > 0.0 ? y : 0.0, ow = w > 0.0 ? w : 0.0;
  double inner = fmax(x, fmax(y, w)), box = sqrt(ox * ox + oy * oy + ow * ow) + (inner < 0.0 ? inner : 0.0) - 0.25;
  return -join(-box, from_holes(q, p[0], p[1]) - 0.6, 0.25);
}

th_result th_make_sieve(th_soup *soup, uint32_t genus, uint32_t faces, th_error *error) {
  plate q = {.holes = genus, .columns = 1};
  while (q.columns * q.columns < genus) q.columns++;
  q.rows = genus ? (genus + q.columns - 1) / q.columns : 1;
  double wide = q.columns + 0.7, deep = q.rows + 0.7, span = wide > deep ? wide : deep, high = 0.25 * span + 0.6;
  th_make_hull skin = {sieve, &q, {-wide, -deep, -high}, {wide, deep, high}, faces, genus};
  return th_make_hull_of(soup, &skin, error);
}

th_result th_make_sized(th_soup *soup, th_make_size size, th_error *error) {
  switch (size) {
    case TH_MAKE_CAR:
      th_make_car(soup);
      return TH_OK;
    case TH_MAKE_COSTA:
      th_make_costa(soup, 37, 1.0);
      return TH_OK;
    case TH_MAKE_MOTHER:
      return th_make_statue(soup, 4, 10000, error);
    case TH_MAKE_BUNNY:
      return th_make_statue(soup, 0, 68958, error);
    case TH_MAKE_HEPTOROID:
      return th_make_sieve(soup, 22, 40084, error);
    case TH_MAKE_FERTILITY:
      return th_make_statue(soup, 4, 40000, error);
    case TH_MAKE_GLOB:
      return th_make_sieve(soup, 7, 29774, error);
    case TH_MAKE_BALL:
      return th_make_icosphere(soup, 5, 10.0, 0.15, error);
    default:
      return th_fail(error, TH_ERROR_RANGE, "mesh", "expected a size by name, found number %d", (int)size);
  }
}
