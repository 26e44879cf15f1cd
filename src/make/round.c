/* make/round.c - sphere, torus, tube and cone.
 *
 * Each is a grid of angles in which both sides of a seam share their vertices, so only the tip of a cone has to be
 * welded. The sphere is an icosahedron whose faces are repeatedly cut into four and projected onto the sphere; the
 * areas of its faces differ by less than 2 to 1.
 */
#include <math.h>

#include "base/trig.h"
#include "make/shapes.h"

static void add_icosahedron(th_soup *soup) {
  const double g = 0.5 * (1.0 + sqrt(5.0));
  for (int axis = 0; axis < 3; axis++) { /* three golden rectangles */
    for (int n = 0; n < 4; n++) {
      double p[3];
      p[axis] = 0.0;
      p[(axis + 1) % 3] = n & 1 ? 1.0 : -1.0;
      p[(axis + 2) % 3] = n & 2 ? g : -g;
      th_soup_vertex(soup, p[0], p[1], p[2]);
    }
  }
  /* Faces are the triples at mutual distance 2, seen from outside. */
  for (uint32_t a = 0; a < 12 && !soup->failed; a++) {
    for (uint32_t b = a + 1; b < 12; b++) {
      for (uint32_t c = b + 1; c < 12; c++) {
        const double *p = soup->xyz[a], *q = soup->xyz[b], *r = soup->xyz[c];
        double ab = 0, bc = 0, ca = 0;
        for (int k = 0; k < 3; k++) {
          ab += (p[k] - q[k]) * (p[k] - q[k]);
          bc += (q[k] - r[k]) * (q[k] - r[k]);
          ca += (r[k] - p[k]) * (r[k] - p[k]);
        }
        if (ab > 4.1 || bc > 4.1 || ca > 4.1) continue;
        double volume = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                        p[2] * (q[0] * r[1] - q[1] * r[0]);
        th_soup_face(soup, a, volume > 0.0 ? b : c, volume > 0.0 ? c : b);
      }
    }
  }
}

/* Onto the sphere; waves are products of sines, so the surface stays star-shaped about the centre. */
static void blow_up(th_soup *soup, double radius, double bumps) {
  for (uint32_t v = 0; v < soup->vertex_count; v++) {
    double *p = soup->xyz[v], size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), wave = 0.0;
    for (int k = 0; k < 3; k++) p[k] /= size;
    if (bumps > 0.0)
      wave = bumps * (th_sin_double(5.0 * p[0] + 1.0) * th_sin_double(4.0 * p[1]) + th_sin_double(6.0 * p[2])) * 0.5;
    for (int k = 0; k < 3; k++) p[k] *= radius * (1.0 + wave);
  }
}

/* Starts from an empty soup. Each cut projects the new vertices onto the sphere, so that faces stay similar. */
th_result th_make_icosphere(th_soup *soup, uint32_t level, double radius, double bumps, th_error *error) {
  add_icosahedron(soup);
  for (uint32_t i = 0; i < level; i++) {
    blow_up(soup, 1.0, 0.0);
    th_result result = th_soup_quarter(soup, error);
    if (result != TH_OK) return result;
  }
  blow_up(soup, radius, bumps);
  return TH_OK;
}

void th_make_torus(th_soup *soup, uint32_t around, uint32_t along, double large, double small) {
  uint32_t first = soup->vertex_count;
  for (uint32_t j = 0; j < along; j++) {
    double sj, cj;
    th_sincos_double(2.0 * TH_PI_DOUBLE * j / along, &sj, &cj);
    for (uint32_t i = 0; i < around; i++) {
      double si, ci;
      th_sincos_double(2.0 * TH_PI_DOUBLE * i / around, &si, &ci);
      th_soup_vertex(soup, (large + small * ci) * cj, (large + small * ci) * sj, small * si);
    }
  }
  for (uint32_t j = 0; j < along; j++) {
    for (uint32_t i = 0; i < around; i++) {
      uint32_t right = (i + 1) % around, up = (j + 1) % along;
      th_soup_quad(soup, first + j * around + i, first + up * around + i, first + up * around + right,
                   first + j * around + right);
    }
  }
}

void th_make_tube(th_soup *soup, const th_make_pipe *pipe) {
  uint32_t first = soup->vertex_count, around = pipe->around;
  for (uint32_t j = 0; j <= pipe->along; j++) {
    double t = (double)j / pipe->along, radius = pipe->low + (pipe->high - pipe->low) * t;
    double shift = pipe->bend * th_sin_double(2.0 * TH_PI_DOUBLE * t);
    for (uint32_t i = 0; i < around; i++) {
      double s, c;
      th_sincos_double(2.0 * TH_PI_DOUBLE * i / around, &s, &c);
      th_soup_vertex(soup, shift + radius * c, radius * s, pipe->length * t);
    }
  }
  for (uint32_t j = 0; j < pipe->along; j++) {
    for (uint32_t i = 0; i < around; i++) {
      uint32_t a = first + j * around + i, b = first + j * around + (i + 1) % around, c = b + around, d = a + around;
      if (pipe->inside)
        th_soup_quad(soup, a, d, c, b);
      else
        th_soup_quad(soup, a, b, c, d);
    }
  }
}
