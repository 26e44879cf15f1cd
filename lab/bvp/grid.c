/* lab/bvp/grid.c - grids of cells for the experiments on fields. */
#include "lab/bvp/grid.h"

#include <string.h>

void th_bvp_grid_fill(th_bvp_grid *grid, th_tile tile, uint32_t i0, uint32_t j0, uint32_t i1, uint32_t j1) {
  for (uint32_t j = j0; j < j1; j++)
    for (uint32_t i = i0; i < i1; i++) grid->cell[j * grid->width + i] = (uint8_t)tile;
}

void th_bvp_grid_scratch(th_bvp_grid *grid, uint32_t width, uint32_t height) {
  memset(grid, 0, sizeof *grid);
  grid->width = width;
  grid->height = height;
  th_bvp_grid_fill(grid, TH_TILE_FREE, 1, 1, width - 1, height - 1);
}

void th_bvp_grid_local(th_bvp_grid *grid, uint32_t n) {
  th_bvp_grid_scratch(grid, n, n);
  th_bvp_grid_fill(grid, TH_TILE_GOAL, n - 1, n / 2 - 1, n, n / 2 + 2);
}

void th_bvp_grid_serpentine(th_bvp_grid *grid, uint32_t side, uint32_t free_width) {
  th_bvp_grid_scratch(grid, side, side);
  bool left = false;
  for (uint32_t j = 1 + free_width; j + 1 < side; j += free_width + 1, left = !left)
    th_bvp_grid_fill(grid, TH_TILE_WALL, left ? 1 + free_width : 1, j, left ? side - 1 : side - 1 - free_width, j + 1);
}

uint32_t th_bvp_grid_count(const th_bvp_grid *grid, th_tile tile) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < grid->width * grid->height; k++) count += grid->cell[k] == tile;
  return count;
}

th_relax_def th_bvp_relax_def(th_method method, double eps, float vx, float vy) {
  th_relax_def def = th_default_relax_def();
  def.method = method;
  def.storage = TH_STORAGE_P;
  def.sense = TH_SENSE_LITERAL;
  def.eps = eps;
  def.v = (th_vec2){vx, vy};
  return def;
}

th_result th_bvp_relax_grid(const th_bvp_grid *grid, const th_relax_def *def, uint32_t sweeps, th_relaxation **field,
                            th_error *error) {
  const th_grid map = {{.log = {th_bvp_hush, NULL}}, grid->width, grid->height, grid->cell};
  th_result result = th_relaxation_make(def, &map, field, error);
  if (result != TH_OK) return result;
  if (sweeps)
    th_relaxation_sweep(*field, sweeps);
  else
    th_relaxation_converge(*field);
  return TH_OK;
}

double th_bvp_angle(const th_relaxation *field, uint32_t i, uint32_t j) {
  double gx, gy;
  th_relaxation_descent(field, i, j, &gx, &gy);
  return atan2(gy, gx) * 57.29577951308232;
}
