/* lab/published/grid/relaxation.h - inside a relaxation. */
#ifndef TH_PUBLISHED_GRID_RELAXATION_H
#define TH_PUBLISHED_GRID_RELAXATION_H

#include "lab/published/grid/sweep.h"
#include "throng/published/relax.h"

/* Stored with a ring of wall around the map, so that every cell has four neighbours. */
struct th_relaxation {
  th_env env;
  th_relax_def def;
  uint32_t width, height; /* with the ring */
  uint8_t *tile;
  void *value, *other; /* float or double; `other` for Jacobi only */
  void *line;
  th_run_of_cells *run;
  th_relax_window window; /* that the runs were cut to, without the ring */
  bool stale;             /* the runs do not fit the tiles */
  bool warned;            /* of a bias that is too strong */
  uint32_t run_count;
  double east, west, north, south, omega;
  uint64_t swept;
};

static inline size_t th_relaxation_cells(const th_relaxation *r) { return (size_t)r->width * r->height; }

/* Number of cell (i, j) in the stored arrays; cells outside the map give a cell of the ring. */
static inline size_t th_relaxation_at(const th_relaxation *r, uint32_t i, uint32_t j) {
  if (i >= r->width - 2 || j >= r->height - 2) return 0;
  return ((size_t)j + 1) * r->width + i + 1;
}

/* What is stored for a cell, u or p. */
static inline double th_relaxation_stored(const th_relaxation *r, size_t at) {
  return r->def.precision == TH_PRECISION_FLOAT ? (double)((const float *)r->value)[at]
                                                : ((const double *)r->value)[at];
}

/* read.c: stores a value. */
void th_relaxation_store(th_relaxation *r, size_t at, double value);

/* What a wall or goal holds. */
static inline double th_relaxation_fixed(const th_relaxation *r, uint8_t tile) {
  return (tile == TH_TILE_WALL) == (r->def.storage == TH_STORAGE_P) ? 1.0 : 0.0;
}

/* def.c: checks a def; sets the weights, and warns once when they are out of bounds. */
th_result th_relax_check(const th_relax_def *def, th_error *error);
void th_relaxation_weigh(th_relaxation *r);

/* subgoals.c: below this modulus a gradient counts as null. */
double th_subgoals_null_gradient(const th_subgoals *subgoals);

#endif
