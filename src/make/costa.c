/* make/costa.c - Costa's minimal surface (C. Costa, 1984) by the formulas of A. Gray, "Modern Differential
 * Geometry of Curves and Surfaces", 1997.
 *
 * It is the square torus without three points, mapped by Weierstrass' zeta and P of the lattice (1, i):
 *   x = 1/2 Re[ -zeta(w) + pi u + pi^2/(4 e1) + pi/(2 e1) (zeta(w - 1/2) - zeta(w - i/2)) ]
 *   y = 1/2 Re[ -i zeta(w) + pi v + pi^2/(4 e1) - pi/(2 e1) (i zeta(w - 1/2) - i zeta(w - i/2)) ]
 *   z = sqrt(2 pi)/4 ln |(P(w) - e1) / (P(w) + e1)|,   w = u + i v
 * The three points 0, 1/2 and i/2 are the ends; discs about them are cut out of a square grid, and the rims are pushed
 * onto circles. Both functions come from their Fourier series in q = exp(-2 pi), which gains 2.7 digits per term.
 */
#include <math.h>

#include "base/exp_log.h"
#include "base/trig.h"
#include "make/shapes.h"

#define E1 6.8751858180203728 /* P(1/2) for the lattice (1, i) */
#define TERMS 8
#define CUT 0.1 /* radius of the discs, in periods */

typedef struct complex_number {
  double re, im;
} complex_number;

static complex_number times(complex_number a, complex_number b) {
  return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static complex_number over(complex_number a, complex_number b) {
  double d = b.re * b.re + b.im * b.im;
  return (complex_number){(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
}

/* sin(x + i y) = sin x cosh y + i cos x sinh y; cos(x + i y) = cos x cosh y - i sin x sinh y */
static void sincos_of(complex_number w, complex_number *sine, complex_number *cosine) {
  double s, c, grow = th_exp_double(w.im), ch = 0.5 * (grow + 1.0 / grow), sh = 0.5 * (grow - 1.0 / grow);
  th_sincos_double(w.re, &s, &c);
  *sine = (complex_number){s * ch, c * sh};
  *cosine = (complex_number){c * ch, -s * sh};
}

/* zeta(w) = pi w + pi cot(pi w) + 4 pi sum q^n/(1 - q^n) sin(2 pi n w), P = -zeta'. Brought to |Im w| <= 1/2 first:
 * zeta(w + i) = zeta(w) - i pi and zeta(w + 1) = zeta(w) + pi, by Legendre's relation on the square lattice. */
static complex_number zeta_of(complex_number w, complex_number *p) {
  const double pi = TH_PI_DOUBLE;
  double m = floor(w.re + 0.5), n = floor(w.im + 0.5);
  w.re -= m;
  w.im -= n;
  complex_number s, c, zeta;
  sincos_of((complex_number){pi * w.re, pi * w.im}, &s, &c);
  complex_number cot = over(c, s), csc2 = over((complex_number){1.0, 0.0}, times(s, s));
  zeta = (complex_number){pi * w.re + pi * cot.re + pi * m, pi * w.im + pi * cot.im - pi * n};
  *p = (complex_number){-pi + pi * pi * csc2.re, pi * pi * csc2.im};
  for (int k = 1; k <= TERMS; k++) {
    double q = th_exp_double(-2.0 * pi * k), a = q / (1.0 - q);
    sincos_of((complex_number){2.0 * pi * k * w.re, 2.0 * pi * k * w.im}, &s, &c);
    zeta.re += 4.0 * pi * a * s.re;
    zeta.im += 4.0 * pi * a * s.im;
    p->re -= 8.0 * pi * pi * k * a * c.re;
    p->im -= 8.0 * pi * pi * k * a * c.im;
  }
  return zeta;
}

static void costa_point(double u, double v, double *out) {
  const double pi = TH_PI_DOUBLE, half = pi / (2.0 * E1), shift = pi * pi / (4.0 * E1);
  complex_number p, unused, zeta = zeta_of((complex_number){u, v}, &p);
  complex_number a = zeta_of((complex_number){u - 0.5, v}, &unused), b = zeta_of((complex_number){u, v - 0.5}, &unused);
  out[0] = 0.5 * (-zeta.re + pi * u + shift + half * (a.re - b.re));
  out[1] = 0.5 * (zeta.im + pi * v + shift + half * (a.im - b.im)); /* Re(-i c) = Im c */
  double low = (p.re - E1) * (p.re - E1) + p.im * p.im, high = (p.re + E1) * (p.re + E1) + p.im * p.im;
  out[2] = sqrt(2.0 * pi) / 8.0 * th_log_double(low / high);
}

static const double end_u[3] = {0.0, 0.5, 0.0}, end_v[3] = {0.0, 0.0, 0.5};

/* Vector from the nearest end, on the torus; returns its length. */
static double from_end(double u, double v, int *end, double *du, double *dv) {
  double best = HUGE_VAL;
  for (int k = 0; k < 3; k++) {
    double x = u - end_u[k], y = v - end_v[k];
    x -= floor(x + 0.5);
    y -= floor(y + 0.5);
    double d = sqrt(x * x + y * y);
    if (d >= best) continue;
    best = d;
    *end = k;
    *du = x;
    *dv = y;
  }
  return best;
}

/* The grid lies half a cell off the ends; vertices within one and a half cells of a rim are pushed off or onto it. */
static void place(uint32_t n, uint32_t i, uint32_t j, double *u, double *v) {
  int end = 0;
  double du = 0.0, dv = 0.0;
  *u = (i + 0.5) / n;
  *v = (j + 0.5) / n;
  double d = from_end(*u, *v, &end, &du, &dv);
  if (d >= CUT + 0.5 / n) return;
  *u = end_u[end] + du * CUT / d;
  *v = end_v[end] + dv * CUT / d;
}

void th_make_costa(th_soup *soup, uint32_t n, double size) {
  uint32_t first = soup->vertex_count;
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < n; i++) {
      double u, v, p[3];
      place(n, i, j, &u, &v);
      costa_point(u, v, p);
      th_soup_vertex(soup, size * p[0], size * p[1], size * p[2]);
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < n; i++) {
      int end;
      double du, dv;
      if (from_end((i + 1.0) / n, (j + 1.0) / n, &end, &du, &dv) < CUT) continue;
      uint32_t right = (i + 1) % n, up = (j + 1) % n;
      th_soup_quad(soup, first + j * n + i, first + j * n + right, first + up * n + right, first + up * n + i);
    }
  }
}
