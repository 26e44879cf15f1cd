/* model/biocrowds/own.lanes.c - the nearest agent of sixteen markers at once.
 *
 * Sixteen markers of a row of squares lie within two metres, so they share their candidates: the agents of the squares
 * within reach of their box. Each candidate is compared with all sixteen. Cost: about 20 candidates, 8 instructions
 * each, for 16 markers.
 */
#include "model/biocrowds/cells.h"

#define PARTS (16 / TH_LANES)

void TH_LANES_NAME(th_biocrowds_own_nearest)(th_own_batch *b) {
  const th_own_crowd *c = b->crowd;
  const float reach = c->reach;
  const uint32_t i0 = th_cell_square(b->x0 - reach, c->x0, c->inverse, c->columns);
  const uint32_t i1 = th_cell_square(b->x1 + reach, c->x0, c->inverse, c->columns);
  const uint32_t j0 = th_cell_square(b->y0 - reach, c->y0, c->inverse, c->rows);
  const uint32_t j1 = th_cell_square(b->y1 + reach, c->y0, c->inverse, c->rows);
  vf x[PARTS], y[PARTS], best[PARTS];
  vi owner[PARTS];
  for (int p = 0; p < PARTS; p++) {
    x[p] = vf_load(b->x + p * TH_LANES);
    y[p] = vf_load(b->y + p * TH_LANES);
    best[p] = vf_set(3.0e38f);
    owner[p] = vi_set(-1);
  }
  for (uint32_t j = j0; j <= j1; j++)
    for (uint32_t n = c->start[j * c->columns + i0]; n < c->start[j * c->columns + i1 + 1]; n++) {
      const vf cx = vf_set(c->x[n]), cy = vf_set(c->y[n]);
      const vi slot = vi_set(c->slot[n]);
      for (int p = 0; p < PARTS; p++) {
        const vf dx = vf_sub(x[p], cx), dy = vf_sub(y[p], cy), d2 = vf_add(vf_mul(dx, dx), vf_mul(dy, dy));
        const vm closer = vm_or(vf_lt(d2, best[p]), vm_and(vf_eq(d2, best[p]), vi_lt(slot, owner[p])));
        best[p] = vf_select(closer, d2, best[p]);
        owner[p] = vi_select(closer, slot, owner[p]);
      }
    }
  const vf far = vf_set(reach * reach);
  for (int p = 0; p < PARTS; p++) {
    vi_store(b->owner + p * TH_LANES, vi_select(vf_le(best[p], far), owner[p], vi_set(-1)));
    vf_store(b->square + p * TH_LANES, best[p]);
  }
}
