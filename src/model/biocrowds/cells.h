/* model/biocrowds/cells.h - what the two kernels of the model work on. */
#ifndef TH_MODEL_BIOCROWDS_CELLS_H
#define TH_MODEL_BIOCROWDS_CELLS_H

#include "base/simd/simd.h"
#include "geometry/vector.h"
#include "throng/model.h"
#include "throng/model/biocrowds.h"
#include "view/view.h"

#define TH_NO_OWNER UINT32_MAX
#define TH_OWN_MARGIN 0.25f  /* [m]: a square of markers reaches so far beyond its patch */
#define TH_OWN_SQUARES 4096u /* of agents around a patch */
#define TH_CELL_OWNERS 16384u

/* What all agents of the model share on one version of the ground. */
typedef struct th_biocrowds_shared {
  uint32_t count;  /* markers */
  uint32_t *owner; /* slot of the world, or TH_NO_OWNER; of markers near agents, since the last decision */
} th_biocrowds_shared;

/* Agents around a patch, sorted into squares. */
typedef struct th_own_crowd {
  float x[TH_MAX_CANDIDATES + 16], y[TH_MAX_CANDIDATES + 16];
  int32_t slot[TH_MAX_CANDIDATES + 16]; /* of the world */
  uint32_t square[TH_MAX_CANDIDATES];
  uint32_t start[TH_OWN_SQUARES + 1];
  uint32_t columns, rows, count;
  float x0, y0, inverse;
  float reach; /* [m]: an agent farther away owns nothing */
} th_own_crowd;

/* The owners of up to sixteen markers that lie in a box. */
typedef struct th_own_batch {
  const th_own_crowd *crowd;
  const float *x, *y; /* sixteen may be read */
  uint32_t count;
  float x0, y0, x1, y1;
  int32_t owner[16]; /* out: slot, or -1 */
  float square[16];  /* out: squared distance */
} th_own_batch;

/* own.lanes.c: the nearest agent of each marker within reach; of two at the same distance the one with the lower
 * slot. */
TH_LANES_DECLARE(void, th_biocrowds_own_nearest, th_own_batch *batch);

/* Owners of the markers around a patch, by entry; sixteen more may be read. */
typedef struct th_cell_owners {
  bool holds; /* false: there are too many markers, or too few agents for them */
  uint32_t owner[TH_CELL_OWNERS + 16];
} th_cell_owners;

/* One agent and the markers around it. */
typedef struct th_cell_batch {
  const th_view_markers *markers;
  const uint32_t *owner; /* by number */
  const uint32_t *near;  /* by entry; NULL: read them by number */
  const float *weight;   /* by number; NULL: goal coherence */
  bool travels;          /* with a weight: goal coherence as well */
  uint32_t me;           /* slot of the world */
  float x, y, ux, uy;    /* place; unit vector to the goal or 0 */
  float reach;           /* personal space [m] */
  float sum, mx, my;     /* out: sum of weights; of weighted vectors [m] */
} th_cell_batch;

/* move.lanes.c: sums over the agent's own markers, sixteen at a time from the start of each row of squares, the sixteen
 * partial sums added as a tree. */
TH_LANES_DECLARE(void, th_biocrowds_move_sum, th_cell_batch *batch);

/* The square of a coordinate along a row or column. */
static inline uint32_t th_cell_square(float at, float origin, float inverse, uint32_t count) {
  return th_bin((at - origin) * inverse, count);
}

/* Squares [i0, i1] x [j0, j1] that the personal space of an agent touches. */
typedef struct th_cell_range {
  uint32_t i0, i1, j0, j1;
} th_cell_range;

static inline th_cell_range th_cell_squares(const th_view_markers *m, float x, float y, float reach) {
  return (th_cell_range){.i0 = th_cell_square(x - reach, m->x0, m->inverse, m->columns),
                         .i1 = th_cell_square(x + reach, m->x0, m->inverse, m->columns),
                         .j0 = th_cell_square(y - reach, m->y0, m->inverse, m->rows),
                         .j1 = th_cell_square(y + reach, m->y0, m->inverse, m->rows)};
}

#endif
