/* throng/published/relax.h - potentials by relaxation, on plain arrays of cells: no ground and no world is needed. Part
 * of throng_published, not of the core library.
 *
 * These are the solvers that the literature on potential fields uses, with their faults: far from the goal the gradient
 * vanishes. They are for experiments, for maps that change while they are relaxed, and for comparison; fields for
 * crowds are better solved directly (see field.h). The equation is lap p + eps (v . grad p) = 0 with p = 1 on walls and
 * p = 0 on goals; v is the behaviour vector. Cell (i, j) of a width x height array is cell[j * width + i], i along x, j
 * along y, and everything outside the array is wall. Results are the same to the last bit on every machine.
 * Threads: any number may read a relaxation while nobody changes it; calls that change it must not overlap.
 */
#ifndef THRONG_RELAX_H
#define THRONG_RELAX_H

#include "relax_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a cell is. Walls and goals keep their potential exactly, whatever the sweeps. */
typedef enum th_tile { TH_TILE_WALL = 0, TH_TILE_FREE = 1, TH_TILE_GOAL = 2 } th_tile;

/** A map as a plain array of th_tile, and the services of the host for what is made of it. */
typedef struct th_grid {
  th_env env;
  uint32_t width, height; /* [1, 65534] */
  const uint8_t *cell;
} th_grid;

TH_API th_grid th_default_grid(void); /* of no cell yet */

/** Cells i0 <= i < i1, j0 <= j < j1. */
typedef struct th_relax_window {
  uint32_t i0, j0, i1, j1;
} th_relax_window;

/** A potential that is being relaxed. */
typedef struct th_relaxation th_relaxation;

/** Converts between u and the potential p of the literature. */
static inline double th_p_of(double u) { return 1.0 - u; }
static inline double th_u_of(double p) { return 1.0 - p; }

/** Makes a relaxation before its first sweep. The map is copied. Fails on numbers out of range. */
TH_API th_result th_relaxation_make(const th_relax_def *def, const th_grid *grid, th_relaxation **relaxation,
                                    th_error *error);
TH_API th_result th_relaxation_copy(const th_relaxation *from, th_relaxation **relaxation, th_error *error);
TH_API void th_relaxation_free(th_relaxation *relaxation); /* NULL is allowed */

/** `count` sweeps more: 10 and then 20 give the bits of 30. Allocates nothing. */
TH_API void th_relaxation_sweep(th_relaxation *relaxation, uint32_t count);

/** The same, but only the cells of a window (clipped to the map) are relaxed. */
TH_API void th_relaxation_sweep_window(th_relaxation *relaxation, const th_relax_window *window, uint32_t count);

/** Sweeps until converged, at most def.max_sweeps times; tells whether it has. Allocates nothing. */
TH_API bool th_relaxation_converge(th_relaxation *relaxation);

/** Changes what cells are and how they are relaxed, between sweeps. A cell that becomes free keeps its potential. */
TH_API void th_relaxation_mark(th_relaxation *relaxation, uint32_t i, uint32_t j, th_tile tile);
TH_API th_result th_relaxation_bias(th_relaxation *relaxation, th_vec2 v, double eps, th_error *error);

/** Sweeps so far. */
TH_API uint64_t th_relaxation_swept(const th_relaxation *relaxation);

/** The over-relaxation factor in use: for SOR the given or computed one, else 1. */
TH_API double th_relaxation_omega(const th_relaxation *relaxation);

/** Kind and potential of a cell; outside the map: wall. */
TH_API th_tile th_relaxation_tile(const th_relaxation *relaxation, uint32_t i, uint32_t j);
TH_API double th_relaxation_p(const th_relaxation *relaxation, uint32_t i, uint32_t j);
TH_API double th_relaxation_u(const th_relaxation *relaxation, uint32_t i, uint32_t j);

/** Descent of p at a cell [1/cell]: half the differences of the stored values, (p[i-1] - p[i+1]) / 2 and likewise in
 *  j. */
TH_API void th_relaxation_descent(const th_relaxation *relaxation, uint32_t i, uint32_t j, double *gx, double *gy);

/** p of all cells, row by row, into width * height numbers. */
TH_API void th_relaxation_read_p(const th_relaxation *relaxation, double *p);
TH_API void th_relaxation_read_u(const th_relaxation *relaxation, double *u);
TH_API void th_relaxation_size(const th_relaxation *relaxation, uint32_t *width, uint32_t *height);

/* ---------------------------------------------------------------- flatness */

/** What counts as flat, and how agents get out of it. */
typedef struct th_flatness_def {
  double null_gradient;  /* the gradient is null below this modulus [1/cell]; default 1e-8 */
  double ring;           /* 1 - p of the level where sub-goals are put [0, 1]; default 1e-5 */
  uint32_t sweeps;       /* Gauss-Seidel sweeps after each; default 100 */
  uint32_t max_subgoals; /* sub-goals of one stack; default 1000 */
} th_flatness_def;

TH_API th_flatness_def th_default_flatness_def(void);

/** Whether the gradient at a free cell is null. Goals and walls are not flat. */
TH_API bool th_relaxation_is_flat(const th_relaxation *relaxation, uint32_t i, uint32_t j, double null_gradient);

/** Counts the flat cells and, when `mark` is not NULL, writes 1 or 0 for each cell of the map. */
TH_API uint32_t th_relaxation_flat(const th_relaxation *relaxation, double null_gradient, uint8_t *mark);

/** Counts the free cells from which stepping to the best of four neighbours never ends on a goal. `height` holds the
 *  function that such steps climb, for each cell: u, log u or -p. Cells without a path to a goal count as well. */
TH_API th_result th_grid_lost(const th_grid *grid, const double *height, uint32_t *lost, th_error *error);

/** Sub-goals over one relaxed field, shared by all agents that walk to its goal. Level 0 is that field; level k > 0 is
 *  a copy of level k - 1 with a ring of sub-goals where its p crosses the level 1 - def.ring. */
typedef struct th_subgoals th_subgoals;

/** Starts with level 0, a copy of `field`, whose env it uses. */
TH_API th_result th_subgoals_make(const th_relaxation *field, const th_flatness_def *def, th_subgoals **subgoals,
                                  th_error *error);
TH_API void th_subgoals_free(th_subgoals *subgoals); /* NULL is allowed */

/** The lowest level that has a gradient at a cell; makes the levels that this needs. TH_ERROR_UNREACHABLE when no cell
 *  can be marked, or TH_ERROR_CAPACITY after def.max_subgoals of them. */
TH_API th_result th_subgoals_reach(th_subgoals *subgoals, uint32_t i, uint32_t j, uint32_t *level, th_error *error);

/** The level of a walker that now stands on cell (i, j): sub-goals that have been reached are dropped. */
TH_API uint32_t th_subgoals_drop(const th_subgoals *subgoals, uint32_t level, uint32_t i, uint32_t j);

/** Levels above 0 that exist; the field of one; the ring that made it (1 = sub-goal, width * height). */
TH_API uint32_t th_subgoals_count(const th_subgoals *subgoals);
TH_API const th_relaxation *th_subgoals_field(const th_subgoals *subgoals, uint32_t level);
TH_API const uint8_t *th_subgoals_ring(const th_subgoals *subgoals, uint32_t level);

/** A point that walks down p; coordinates in cells, cell (i, j) is [i, i + 1) x [j, j + 1). */
typedef struct th_descender {
  double x, y;
  uint32_t level;
} th_descender;

typedef enum th_descent {
  TH_DESCENT_MOVED,
  TH_DESCENT_ARRIVED, /* on a goal of the map */
  TH_DESCENT_NULL,    /* no gradient here */
  TH_DESCENT_BLOCKED  /* the walker stands in a wall, or the step would end in one */
} th_descent;

/** One step of `length` cells along the descent of the walker's cell, on the walker's level. */
TH_API th_descent th_subgoals_step(const th_subgoals *subgoals, th_descender *walker, double length);

#ifdef __cplusplus
}
#endif
#endif
