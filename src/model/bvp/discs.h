/* model/bvp/discs.h - draws the agents around one agent into its local map. */
#ifndef TH_MODEL_BVP_DISCS_H
#define TH_MODEL_BVP_DISCS_H

#include "base/simd/simd.h"
#include "throng/view.h"

#define TH_BVP_ALONG \
  0.3f /* two agents go in the same direction when the cosine of their wanted directions is at least this */

typedef struct th_bvp_discs {
  const th_neighbours *near;
  const th_view
      *person; /* for people: agents that go in the direction `want` (in the chart) are left out; NULL: all are drawn */
  th_vec2 want;
  float x, y, radius; /* the agent itself [m] */
  th_turn frame;
  uint32_t slot, avoids;  /* its own slot; layers it avoids */
  float reach;            /* agents farther away are ignored [m] */
  float vx, vy;           /* the agent's own velocity [m/s] */
  bool all;               /* draws agents that move away, too */
  float foresight;        /* others are drawn where they will be then [s] */
  float cell, inverse;    /* size of a cell and 1 / cell */
  int32_t c, first, last; /* centre and update zone of the map */
  th_vec2 d;              /* heading in the agent's frame */
  float cos_half;         /* of the view cone; -2 without one */
  uint64_t *row;          /* bits are set here */
} th_bvp_discs;

TH_LANES_DECLARE(void, th_bvp_draw_discs, const th_bvp_discs *discs);

#endif
