/* model/bvp/relax.c - pass 2: sorts 16 agents from any places into batches of equal maps and relaxes them.
 *
 * Nearly always all agents of a world have maps of the same size, and the pass is one batch. Cost: see relax.lanes.c.
 */
#include "model/bvp/relax.h"

#include <math.h>

#include "base/platform/compiler.h"

static bool same_map(const th_bvp_params *a, const th_bvp_params *b) {
  return a->n == b->n && a->sweeps == b->sweeps && a->order == b->order && a->precision == b->precision &&
         a->start == b->start;
}

void th_bvp_relax(const th_work *work) {
  uint32_t lanes = work->view->lanes, open = 0;
  for (uint32_t lane = 0; lane < lanes; lane++)
    open |= (uint32_t)(((const th_bvp_state *)work->state[lane])->lead != 0) << lane;
  while (open) {
    uint32_t first = th_lowest_bit(open);
    const th_bvp_params *params = work->params[first];
    th_bvp_batch batch = {.n = (uint32_t)params->n,
                          .sweeps = (uint32_t)params->sweeps,
                          .alternate = params->order == TH_BVP_ALTERNATING,
                          .twice = params->precision == TH_PRECISION_DOUBLE,
                          .warm = params->start == TH_BVP_WARM,
                          .scratch = work->scratch,
                          .traced = work->trace ? work : NULL};
    for (uint32_t lane = first; lane < lanes; lane++) {
      if (!(open >> lane & 1u) || !same_map(params, work->params[lane])) continue;
      batch.lane[batch.count] = (uint8_t)lane;
      batch.state[batch.count++] = work->state[lane];
      open &= ~(1u << lane);
    }
    TH_LANES_PICK((th_simd)work->simd, th_bvp_relax_agents)(&batch);
  }
}

void th_bvp_publish_map(const th_bvp_batch *batch, uint32_t number, const void *values, uint32_t stride) {
  const uint32_t lane = batch->lane[number], n = batch->n;
  const th_bvp_params *params = batch->traced->params[lane];
  float u[TH_BVP_MAX_N * TH_BVP_MAX_N], corner = -(float)(n / 2) * params->cell;
  if (!th_trace_wants(batch->traced->trace, lane)) return;
  for (uint32_t k = 0; k < n * n; k++)
    u[k] = batch->twice ? (float)(((const double *)values)[(size_t)k * stride] / TH_BVP_SCALE)
                        : ((const float *)values)[(size_t)k * stride] / (float)TH_BVP_SCALE;
  const th_trace_grid grid = {corner, corner, 1.0f, 0.0f, params->cell, n, n};
  th_trace_raster(batch->traced->trace, lane, &th_bvp_trace[TH_BVP_TRACE_MAP], &grid, u);
}

/* ((far + ahead) + behind) + near with all weights 1/4, as in the lanes; goal: three cells in the middle of the right
 * side. */
static void sweep_empty(float *u, uint32_t n, uint32_t order) {
  bool back = order & 1u, down = order & 2u;
  for (uint32_t b = 1; b + 1 < n; b++)
    for (uint32_t a = 1; a + 1 < n; a++) {
      uint32_t i = back ? n - 1 - a : a, j = down ? n - 1 - b : b;
      float *at = u + (size_t)j * n + i;
      float right = 0.25f * at[1], left = 0.25f * at[-1], top = 0.25f * at[n], bottom = 0.25f * at[-(ptrdiff_t)n];
      at[0] = (((back ? left : right) + (down ? bottom : top)) + (down ? top : bottom)) + (back ? right : left);
    }
}

float th_bvp_empty_modulus(uint32_t n, uint32_t sweeps, bool alternate) {
  float u[TH_BVP_MAX_N * TH_BVP_MAX_N];
  uint32_t c = n / 2;
  for (uint32_t k = 0; k < n * n; k++) u[k] = TH_BVP_FLOOR;
  for (uint32_t j = c - 1; j <= c + 1; j++) u[(size_t)j * n + n - 1] = (float)TH_BVP_SCALE;
  for (uint32_t k = 0; k < sweeps; k++) sweep_empty(u, n, th_bvp_sweep_order(k, alternate));
  const float *at = u + (size_t)c * n + c;
  const float half = 0.5f / (float)TH_BVP_SCALE;
  float gx = half * (at[1] - at[-1]), gy = half * (at[n] - at[-(ptrdiff_t)n]);
  return sqrtf(gx * gx + gy * gy);
}
