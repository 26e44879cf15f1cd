/* lab/published/mesh/read.c - values of a relaxation on a mesh, and whether they lead on from every cell. */
#include "lab/published/mesh/relaxation.h"

void th_mesh_relax_put(th_mesh_relax *r, uint32_t v, double stored) {
  if (r->def.precision == TH_PRECISION_FLOAT)
    ((float *)r->value)[v] = (float)stored;
  else
    ((double *)r->value)[v] = stored;
}

const th_mesh *th_mesh_relax_mesh(const th_mesh_relax *r) { return r->weights->mesh; }
const uint8_t *th_mesh_relax_tiles(const th_mesh_relax *r) { return r->tile; }
const uint32_t *th_mesh_relax_hops(const th_mesh_relax *r) { return r->hops; }

double th_mesh_relax_p(const th_mesh_relax *r, uint32_t v) {
  const double stored = th_mesh_relax_stored(r, v);
  return r->def.storage == TH_STORAGE_U ? th_p_of(stored) : stored;
}

double th_mesh_relax_u(const th_mesh_relax *r, uint32_t v) {
  const double stored = th_mesh_relax_stored(r, v);
  return r->def.storage == TH_STORAGE_U ? stored : th_u_of(stored);
}

static double height_of(const th_mesh_relax *r, uint32_t v) {
  const double stored = th_mesh_relax_stored(r, v);
  return r->def.storage == TH_STORAGE_U ? -stored : stored;
}

void th_mesh_relax_heights(const th_mesh_relax *r, double *height) {
  for (uint32_t v = 0; v < th_mesh_relax_size(r); v++) height[v] = height_of(r, v);
}

static bool has_lower(const th_mesh_relax *r, uint32_t v) {
  const th_mesh_relax_weights *w = r->weights;
  const double own = height_of(r, v);
  for (uint32_t k = w->row[v]; k < w->row[v + 1]; k++)
    if (height_of(r, w->neighbour[k]) < own) return true;
  return false;
}

uint32_t th_mesh_relax_pits(const th_mesh_relax *r) {
  uint32_t pits = 0;
  for (uint32_t n = 0; n < r->count; n++) pits += r->hops[r->cell[n]] != TH_NO_ELEMENT && !has_lower(r, r->cell[n]);
  return pits;
}
