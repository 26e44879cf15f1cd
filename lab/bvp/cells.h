/* lab/bvp/cells.h - figures cell by cell: local maps with their zones, rings of sub-goals. */
#ifndef TH_LAB_BVP_CELLS_H
#define TH_LAB_BVP_CELLS_H

#include "lab/bvp/grid.h"
#include "model/bvp/state.h"
#include "throng/world.h"

/* What an agent has drawn and found at its last decision. */
typedef struct th_bvp_window {
  uint32_t n, free_ring;
  float cell;                 /* [m] */
  uint64_t row[TH_BVP_MAX_N]; /* blocked cells */
  uint32_t goal_i, goal_j, goal_width;
  th_vec2 place;       /* where it decided */
  th_vec2 flow, slope; /* global and local gradient, unit vectors; 0, 0 = none */
  th_vec2 v;           /* eps v, as it is meant: the side it pulls to, or as printed */
} th_bvp_window;

/* The window of an agent after a step, and the direction of its goal's field. */
void th_bvp_window_of(const th_world *world, th_agent_id agent, th_goal_id goal, th_bvp_window *window);

/* For each run: the world with agents, labels, trails and the window of walker 0, and that window beside it. */
typedef struct th_bvp_inset {
  const th_bvp_run *run;
  const th_bvp_trial *trial;
  const th_bvp_window *window;
  const char *title;
} th_bvp_inset;
th_result th_bvp_draw_insets(th_lab *lab, const th_bvp_inset *inset, uint32_t count, const char *title,
                             th_error *error);

/* A map with rings of sub-goals (number of the ring, 0 = none), flat cells and a walker's trail. */
typedef struct th_bvp_rings {
  const th_bvp_grid *grid;
  const uint8_t *ring, *flat;
  const float *x, *y; /* trail, in cells */
  uint32_t count;
  const char *title;
} th_bvp_rings;
th_result th_bvp_draw_rings(th_lab *lab, const th_bvp_rings *rings, th_error *error);

/* Up to six fields of maps, shared or local: the potential of every cell as a shade, its descent as an arrow, all of
 * one length. */
th_result th_bvp_draw_cells(th_lab *lab, const th_relaxation *const *field, const char *const *name, uint32_t count,
                            const char *title, th_error *error);

#endif
