/* lab/published/grid/sweep.h - one sweep over runs of free cells, in float or double. */
#ifndef TH_PUBLISHED_GRID_SWEEP_H
#define TH_PUBLISHED_GRID_SWEEP_H

#include "throng/base.h"

/* Free cells begin to end - 1 of one row. Only these are ever written: walls and goals stay as they are. */
typedef struct th_run_of_cells {
  uint32_t begin, end;
} th_run_of_cells;

/* What a sweep reads. `value` (and `other`, for Jacobi) are width * height of float or double. */
typedef struct th_sweep {
  const th_run_of_cells *run; /* ascending */
  uint32_t run_count, width;
  void *value, *other, *line; /* `line` holds 2 * width */
  double east, west, north, south;
  double omega, tolerance, min;
  bool back, down; /* order: i descending, j descending */
  bool judge;      /* find out whether cells still change */
} th_sweep;

/* Each returns whether a cell changed by more than tolerance * max(|value|, min); false when not asked to judge. */
bool th_sweep_jacobi_double(const th_sweep *sweep);
bool th_sweep_seidel_double(const th_sweep *sweep);
bool th_sweep_sor_double(const th_sweep *sweep);
bool th_sweep_jacobi_float(const th_sweep *sweep);
bool th_sweep_seidel_float(const th_sweep *sweep);
bool th_sweep_sor_float(const th_sweep *sweep);

#endif
