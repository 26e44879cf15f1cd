/* model/bvp/relax.h - relaxes local maps, one agent per lane. */
#ifndef TH_MODEL_BVP_RELAX_H
#define TH_MODEL_BVP_RELAX_H

#include "base/simd/simd.h"
#include "model/bvp/state.h"

/* The maps of as many agents as one or two registers have lanes. Cell k = j n + i of lane l is at [k * lanes + l]. The
 * function that is called decides whether values are float or double; all arrays are aligned to 64 bytes. */
typedef struct th_bvp_maps {
  uint32_t n;         /* 5 or more */
  uint32_t sweeps;    /* 1 or more */
  uint32_t lanes;     /* of one register of this instruction set, or twice as many */
  bool alternate;     /* the four sweep orders in turn; else always the first */
  bool general;       /* some closed cell inside the border has a value other than 0, or some weight is negative */
  void *u;            /* border and closed cells keep their value */
  const void *limit;  /* one number per cell: what it has at most. INFINITY where it is open; its value where it is
                       * closed.  The border is not read */
  const void *weight; /* right, left, top, bottom: four times as many as lanes */
} th_bvp_maps;

TH_LANES_DECLARE(void, th_bvp_relax_float, const th_bvp_maps *maps);
TH_LANES_DECLARE(void, th_bvp_relax_double, const th_bvp_maps *maps);

/* Sweep k runs from left to right unless bit 0 is set, upwards unless bit 1 is set. */
static inline uint32_t th_bvp_sweep_order(uint32_t sweep, bool alternate) { return alternate ? sweep & 3u : 0; }

/* Far from the goal u would fall below the smallest normal number, where arithmetic is a hundred times slower, means
 * nothing, and depends on whether the processor counts such numbers as 0. So walls and fresh cells are not 0 but a
 * floor that no value which matters can tell from 0. An average is not below the smallest number that it is made of, up
 * to rounding, which adds up to 2 percent in a thousand sweeps of the largest map; shares of that, with weights of
 * 2^-26 and more, are normal numbers. It costs nothing: a wall is the least of u and the floor. Where a weight is
 * negative, sums may cancel: what falls below TH_BVP_LEAST is 0 there, so that products are multiples of 2^-125
 * (2^-1022). No operation ever meets a subnormal number. u is kept TH_BVP_SCALE times as large, for more of it below 1.
 * Slopes below the floor, 2^-96 in floats, are flat. */
#define TH_BVP_SCALE 0x1p24
#define TH_BVP_FLOOR 0x1p-72f
#define TH_BVP_LEAST 0x1p-76f
#define TH_BVP_FLOOR_DOUBLE 0x1p-940
#define TH_BVP_LEAST_DOUBLE 0x1p-944

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

/* u, limits and weights for the widest register and the largest map. */
#define TH_BVP_SCRATCH ((2u * TH_BVP_MAX_N * TH_BVP_MAX_N + 8u) * 64u)

/* relax.c: publishes the relaxed map of one of the batch. Cell k is at values[k * stride]. */
void th_bvp_publish_map(const th_bvp_batch *batch, uint32_t number, const void *values, uint32_t stride);

/* Relaxes the maps that the states describe and writes their slopes; with `warm` the values are kept in the states. */
TH_LANES_DECLARE(void, th_bvp_relax_agents, const th_bvp_batch *batch);

#endif
