/* model/bvp/relax.h - relaxes local maps, one agent per lane. */
#ifndef TH_MODEL_BVP_RELAX_H
#define TH_MODEL_BVP_RELAX_H

#include <xmmintrin.h>

#include "base/simd/simd.h"
#include "model/bvp/state.h"

/* The maps of as many agents as one or two registers have lanes. Cell k = j n + i of lane l is at [k * lanes + l]. The
 * function that is called decides whether values are float or double; all arrays are aligned to 64 bytes. */
typedef struct th_bvp_maps {
  uint32_t n;         /* 5 or more */
  uint32_t sweeps;    /* 1 or more */
  uint32_t lanes;     /* of one register of this instruction set, or twice as many */
  bool alternate;     /* the four sweep orders in turn; else always the first */
  bool goals;         /* some closed cell inside the border has a value other than 0 */
  void *u;            /* border and closed cells keep their value */
  const void *open;   /* as wide as the values: all bits set where a cell is relaxed, else 0; the border is not read */
  const void *weight; /* right, left, top, bottom: four times as many as lanes */
} th_bvp_maps;

TH_LANES_DECLARE(void, th_bvp_relax_float, const th_bvp_maps *maps);
TH_LANES_DECLARE(void, th_bvp_relax_double, const th_bvp_maps *maps);

/* Sweep k runs from left to right unless bit 0 is set, upwards unless bit 1 is set. */
static inline uint32_t th_bvp_sweep_order(uint32_t sweep, bool alternate) { return alternate ? sweep & 3u : 0; }

/* Far from the goal u falls below the smallest normal number, where arithmetic is a hundred times slower and means
 * nothing: such values count as 0 while maps are relaxed. */
static inline uint32_t th_bvp_flush_begin(void) {
  uint32_t before = _mm_getcsr();
  _mm_setcsr(before | 0x8040u);
  return before;
}
static inline void th_bvp_flush_end(uint32_t before) { _mm_setcsr(before); }

/* Agents whose maps have the same n, sweeps, order and precision. */
typedef struct th_bvp_batch {
  th_bvp_state *state[TH_VIEW_LANES];
  uint32_t count;
  uint32_t n, sweeps;
  bool alternate, twice, warm; /* twice: in double precision */
  void *scratch;               /* TH_BVP_SCRATCH bytes */
  const th_work *traced;       /* NULL: nobody is traced */
  uint8_t lane[TH_VIEW_LANES]; /* of each, in that work */
} th_bvp_batch;

/* u, masks and weights for the widest register and the largest map. */
#define TH_BVP_SCRATCH ((2u * TH_BVP_MAX_N * TH_BVP_MAX_N + 8u) * 64u)

/* relax.c: publishes the relaxed map of one of the batch. Cell k is at values[k * stride]. */
void th_bvp_publish_map(const th_bvp_batch *batch, uint32_t number, const void *values, uint32_t stride);

/* Relaxes the maps that the states describe and writes their slopes; with `warm` the values are kept in the states. */
TH_LANES_DECLARE(void, th_bvp_relax_agents, const th_bvp_batch *batch);

#endif
