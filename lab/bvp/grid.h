/* lab/bvp/grid.h - grids of cells for the experiments on fields. */
#ifndef TH_LAB_BVP_GRID_H
#define TH_LAB_BVP_GRID_H

#include "lab/bvp/lab.h"
#include "throng/published/relax.h"

enum { TH_BVP_MAX_SIDE = 200 };

/* A map with wall around, in memory of its own. */
typedef struct th_bvp_grid {
  uint32_t width, height;
  uint8_t cell[TH_BVP_MAX_SIDE * TH_BVP_MAX_SIDE];
} th_bvp_grid;

void th_bvp_grid_scratch(th_bvp_grid *grid, uint32_t width, uint32_t height);
/* Cells i0 <= i < i1, j0 <= j < j1. */
void th_bvp_grid_fill(th_bvp_grid *grid, th_tile tile, uint32_t i0, uint32_t j0, uint32_t i1, uint32_t j1);
/* The empty local map: three goal cells in the middle of the east side. */
void th_bvp_grid_local(th_bvp_grid *grid, uint32_t n);
/* Walls across a square map, open at alternating ends over the width of the corridors between them. */
void th_bvp_grid_serpentine(th_bvp_grid *grid, uint32_t side, uint32_t free_width);
uint32_t th_bvp_grid_count(const th_bvp_grid *grid, th_tile tile);

/* The thesis' numbers: p stored, in double, the equation as printed. */
th_relax_def th_bvp_relax_def(th_method method, double eps, float vx, float vy);
/* Relaxes a map: `sweeps` times, or until it has converged when that is 0. */
th_result th_bvp_relax_grid(const th_bvp_grid *grid, const th_relax_def *def, uint32_t sweeps, th_relaxation **field,
                            th_error *error);
/* Angle of the descent at a cell [degrees]. */
double th_bvp_angle(const th_relaxation *field, uint32_t i, uint32_t j);

#endif
