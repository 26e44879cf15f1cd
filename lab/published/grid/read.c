/* lab/published/grid/read.c - reading a relaxation: potentials and their descent.
 *
 * Both storages answer in p and in u through one subtraction; the digits that the subtraction rounds away are those
 * that this storage has lost. The descent is formed from the stored numbers (Dapper 2007, eq. 5.3 with the sign of eq.
 * 3.6), because the difference of two small u keeps the digits that the difference of two p near 1 does not have.
 */
#include "lab/published/grid/relaxation.h"

void th_relaxation_store(th_relaxation *r, size_t at, double value) {
  if (r->def.precision == TH_PRECISION_FLOAT)
    ((float *)r->value)[at] = (float)value;
  else
    ((double *)r->value)[at] = value;
}

uint64_t th_relaxation_swept(const th_relaxation *r) { return r->swept; }

double th_relaxation_omega(const th_relaxation *r) { return r->omega; }

void th_relaxation_size(const th_relaxation *r, uint32_t *width, uint32_t *height) {
  *width = r->width - 2;
  *height = r->height - 2;
}

th_tile th_relaxation_tile(const th_relaxation *r, uint32_t i, uint32_t j) {
  return (th_tile)r->tile[th_relaxation_at(r, i, j)];
}

static double p_at(const th_relaxation *r, size_t at) {
  double stored = th_relaxation_stored(r, at);
  return r->def.storage == TH_STORAGE_P ? stored : th_p_of(stored);
}

static double u_at(const th_relaxation *r, size_t at) {
  double stored = th_relaxation_stored(r, at);
  return r->def.storage == TH_STORAGE_U ? stored : th_u_of(stored);
}

double th_relaxation_p(const th_relaxation *r, uint32_t i, uint32_t j) { return p_at(r, th_relaxation_at(r, i, j)); }

double th_relaxation_u(const th_relaxation *r, uint32_t i, uint32_t j) { return u_at(r, th_relaxation_at(r, i, j)); }

static void read_all(const th_relaxation *r, double *out, double (*of)(const th_relaxation *r, size_t at)) {
  for (uint32_t j = 0; j + 2 < r->height; j++)
    for (uint32_t i = 0; i + 2 < r->width; i++) *out++ = of(r, th_relaxation_at(r, i, j));
}

void th_relaxation_read_p(const th_relaxation *r, double *p) { read_all(r, p, p_at); }

void th_relaxation_read_u(const th_relaxation *r, double *u) { read_all(r, u, u_at); }

void th_relaxation_descent(const th_relaxation *r, uint32_t i, uint32_t j, double *gx, double *gy) {
  const size_t at = th_relaxation_at(r, i, j);
  *gx = *gy = 0.0;
  if (at == 0) return;
  const double x = th_relaxation_stored(r, at + 1) - th_relaxation_stored(r, at - 1);
  const double y = th_relaxation_stored(r, at + r->width) - th_relaxation_stored(r, at - r->width);
  const double half = r->def.storage == TH_STORAGE_P ? -0.5 : 0.5;
  *gx = half * x;
  *gy = half * y;
}
