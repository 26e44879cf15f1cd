/* lab/bvp/fields.c - experiments on shared fields: E01 to E05, E38.
 *
 * Harmonic fields have no local minimum, so that descent leads to the goal from every cell; but far from the goal p
 * differs from 1 by less than rounding. Sub-goals lead out of such flat regions (Dapper 2007, sections 3.2 and 4.2).
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "lab/bvp/cells.h"
#include "lab/bvp/experiments.h"

#define NONE NAN

/* ---------------------------------------------------------------- E01, E03: a room with obstacles */

enum { ROOM_WIDTH = 36, ROOM_HEIGHT = 26 };

static void draw_room(th_bvp_grid *grid) {
  th_bvp_grid_scratch(grid, ROOM_WIDTH, ROOM_HEIGHT);
  th_bvp_grid_fill(grid, TH_TILE_WALL, 9, 7, 13, 18);
  th_bvp_grid_fill(grid, TH_TILE_WALL, 18, 1, 21, 9);
  th_bvp_grid_fill(grid, TH_TILE_WALL, 19, 16, 28, 20);
  th_bvp_grid_fill(grid, TH_TILE_GOAL, 30, 4, 33, 7);
}

/* Free cells that lie below all four neighbours. */
static uint32_t local_minima(const th_relaxation *f) {
  uint32_t w, h, count = 0;
  th_relaxation_size(f, &w, &h);
  for (uint32_t j = 1; j + 1 < h; j++)
    for (uint32_t i = 1; i + 1 < w; i++) {
      if (th_relaxation_tile(f, i, j) != TH_TILE_FREE) continue;
      double p = th_relaxation_p(f, i, j);
      count += p < th_relaxation_p(f, i - 1, j) && p < th_relaxation_p(f, i + 1, j) &&
               p < th_relaxation_p(f, i, j - 1) && p < th_relaxation_p(f, i, j + 1);
    }
  return count;
}

/* Cells from which walking along the descent, in steps of a fifth of a cell, does not end on the goal. */
static th_result count_stranded(const th_relaxation *field, uint32_t *stranded, th_error *error) {
  th_flatness_def def = th_default_flatness_def();
  th_subgoals *walk = NULL;
  uint32_t w, h;
  th_result result = th_subgoals_make(field, &def, &walk, error);
  if (result != TH_OK) return result;
  th_relaxation_size(field, &w, &h);
  *stranded = 0;
  for (uint32_t j = 0; j < h; j++)
    for (uint32_t i = 0; i < w; i++) {
      if (th_relaxation_tile(field, i, j) != TH_TILE_FREE) continue;
      th_descender who = {i + 0.5, j + 0.5, 0};
      th_descent state = TH_DESCENT_MOVED;
      for (uint32_t step = 0; step < 2000 && state == TH_DESCENT_MOVED; step++)
        state = th_subgoals_step(walk, &who, 0.2);
      *stranded += state != TH_DESCENT_ARRIVED;
    }
  th_subgoals_free(walk);
  return TH_OK;
}

th_result th_bvp_e01(th_lab *lab, th_error *error) {
  th_bvp_grid grid;
  th_relaxation *field = NULL;
  uint32_t lost = 0, stranded = 0;
  double height[ROOM_WIDTH * ROOM_HEIGHT];
  draw_room(&grid);
  th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, 0.0, 0.0f, 0.0f);
  th_result result = th_bvp_relax_grid(&grid, &def, 0, &field, error);
  if (result != TH_OK) return result;
  th_relaxation_read_p(field, height);
  for (uint32_t k = 0; k < ROOM_WIDTH * ROOM_HEIGHT; k++) height[k] = -height[k];
  th_grid map = {.width = grid.width, .height = grid.height, .cell = grid.cell};
  result = th_grid_lost(&map, height, &lost, error);
  if (result == TH_OK) result = count_stranded(field, &stranded, error);
  th_lab_claim(lab,
               &(th_claim){"free cells below all their neighbours", "cells", local_minima(field), 0, 0, 0, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"free cells from which stepping downhill misses the goal", "cells", lost, 0, 0, 0, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"free cells from which following eq. 3.6 misses the goal", "cells", stranded, 0, 0, 0,
                                NONE, NULL});
  const th_relaxation *one = field;
  const char *name = "harmonic";
  if (result == TH_OK) result = th_bvp_draw_cells(lab, &one, &name, 1, "E01: harmonic field in a room", error);
  th_relaxation_free(field);
  return result;
}

static double largest_difference(const th_relaxation *a, const th_relaxation *b, uint32_t *cells) {
  uint32_t w, h;
  double worst = 0.0;
  th_relaxation_size(a, &w, &h);
  *cells = 0;
  for (uint32_t j = 0; j < h; j++)
    for (uint32_t i = 0; i < w; i++) {
      double d = fabs(th_relaxation_p(a, i, j) - th_relaxation_p(b, i, j));
      *cells += d != 0.0;
      worst = fmax(worst, d);
    }
  return worst;
}

th_result th_bvp_e03(th_lab *lab, th_error *error) {
  th_bvp_grid grid;
  th_relaxation *field[3] = {NULL, NULL, NULL};
  uint32_t same = 0, other = 0;
  th_result result = TH_OK;
  draw_room(&grid);
  for (int k = 0; k < 3 && result == TH_OK; k++) { /* harmonic; v with eps = 0; v with eps = 0.8 */
    th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, k == 2 ? 0.8 : 0.0, 0.0f, k ? 1.0f : 0.0f);
    result = th_bvp_relax_grid(&grid, &def, 0, &field[k], error);
  }
  if (result == TH_OK) {
    largest_difference(field[0], field[1], &same);
    double max = largest_difference(field[0], field[2], &other);
    th_lab_claim(lab,
                 &(th_claim){"cells that change when v is set but eps is 0", "cells", same, 0, 0, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"cells that change with eps = 0.8", "cells", other, 1, INFINITY, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"largest change of p with eps = 0.8", "", max, 0.01, 1, NONE, NONE, NULL});
    const th_relaxation *two[2] = {field[0], field[2]};
    const char *const name[2] = {"harmonic", "v = (0, 1), eps = 0.8"};
    result = th_bvp_draw_fields(lab, two, name, 2, "E03: the vector v deforms the field", error);
  }
  for (int k = 0; k < 3; k++) th_relaxation_free(field[k]);
  return result;
}

/* ---------------------------------------------------------------- E02, E38: flat regions */

/* A room, a long narrow passage, and a chamber in the top right corner, on a grid of side x side cells. */
static void draw_passage(th_bvp_grid *grid, uint32_t side) {
  th_bvp_grid_scratch(grid, side, side);
  uint32_t i0 = side * 40 / 100, i1 = side * 85 / 100, low = side * 80 / 100, high = side * 85 / 100;
  th_bvp_grid_fill(grid, TH_TILE_WALL, i0, 1, i1, low);
  th_bvp_grid_fill(grid, TH_TILE_WALL, i0, high, i1, side - 1);
  th_bvp_grid_fill(grid, TH_TILE_WALL, i1, 1, side - 1, side / 2);
  th_bvp_grid_fill(grid, TH_TILE_GOAL, side / 10, side / 10, side / 10 + side / 30, side / 10 + side / 30);
}

/* Share of the points of a 60 x 60 lattice that are free in both maps and flat in one but not in the other. */
static double disagreement(const th_relaxation *a, const th_relaxation *b, double *flat_share) {
  uint32_t wa, wb, ha, hb, both = 0, either = 0, open = 0;
  th_relaxation_size(a, &wa, &ha);
  th_relaxation_size(b, &wb, &hb);
  for (uint32_t j = 0; j < 60; j++)
    for (uint32_t i = 0; i < 60; i++) {
      uint32_t ia = (2 * i + 1) * wa / 120, ja = (2 * j + 1) * ha / 120;
      uint32_t ib = (2 * i + 1) * wb / 120, jb = (2 * j + 1) * hb / 120;
      if (th_relaxation_tile(a, ia, ja) != TH_TILE_FREE || th_relaxation_tile(b, ib, jb) != TH_TILE_FREE) continue;
      /* per world unit: a cell of the finer map is a smaller part of the world */
      bool fa = th_relaxation_is_flat(a, ia, ja, 1e-8 * 60.0 / wa);
      bool fb = th_relaxation_is_flat(b, ib, jb, 1e-8 * 60.0 / wb);
      open++;
      both += fa && fb;
      either += fa || fb;
    }
  *flat_share = (double)either / open;
  return either ? (double)both / either : 1.0;
}

/* Flat cells of the same map when u = 1 - p is stored, which keeps small numbers apart. */
static th_result claim_u(th_lab *lab, const th_bvp_grid *grid, th_precision precision, th_error *error) {
  th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, 0.0, 0.0f, 0.0f);
  th_relaxation *field = NULL;
  def.storage = TH_STORAGE_U;
  def.precision = precision;
  def.min = 0.0; /* relaxed until small numbers have settled as well */
  th_result result = th_bvp_relax_grid(grid, &def, 0, &field, error);
  if (result != TH_OK) return result;
  const char *text = precision == TH_PRECISION_FLOAT ? "stored as u, in floats: cells without any gradient"
                                                     : "stored as u: cells without any gradient";
  th_lab_claim(lab, &(th_claim){text, "cells", th_relaxation_flat(field, 0.0, NULL), 0, 0, NONE, NONE, NULL});
  th_relaxation_free(field);
  return TH_OK;
}

th_result th_bvp_e02(th_lab *lab, th_error *error) {
  static const uint32_t side[3] = {60, 120, 200};
  static const char *const name[3] = {"60 x 60", "120 x 120", "200 x 200"};
  static const char *const text[2] = {"flat in both by flat in either, 60 and 120 cells a side",
                                      "flat in both by flat in either, 60 and 200 cells a side"};
  th_bvp_grid grid;
  th_relaxation *field[3] = {NULL, NULL, NULL};
  th_result result = TH_OK;
  for (int k = 0; k < 3 && result == TH_OK; k++) {
    th_relax_def def = th_bvp_relax_def(TH_METHOD_SOR, 0.0, 0.0f, 0.0f);
    def.omega = 0.0;
    draw_passage(&grid, side[k]);
    result = th_bvp_relax_grid(&grid, &def, 0, &field[k], error);
  }
  double share = 0.0;
  for (int k = 1; k < 3 && result == TH_OK; k++)
    th_lab_claim(lab, &(th_claim){text[k - 1], "", disagreement(field[0], field[k], &share), 0.9, 1, NONE, NONE, NULL});
  if (result == TH_OK) {
    th_lab_claim(lab, &(th_claim){"share of the free cells that is flat", "", share, 0.01, 0.99, NONE, NONE, NULL});
    const th_relaxation *three[3] = {field[0], field[1], field[2]};
    result = th_bvp_draw_fields(lab, three, name, 3, "E02: the flat region does not depend on the grid", error);
    draw_passage(&grid, side[0]);
    if (result == TH_OK) result = claim_u(lab, &grid, TH_PRECISION_DOUBLE, error);
  }
  for (int k = 0; k < 3; k++) th_relaxation_free(field[k]);
  return result;
}

th_result th_bvp_e38(th_lab *lab, th_error *error) {
  static const char *const name[2] = {"double", "float"};
  th_bvp_grid grid;
  th_relaxation *field[2] = {NULL, NULL};
  uint32_t flat[2] = {0, 0};
  th_result result = TH_OK;
  draw_passage(&grid, 120);
  for (int k = 0; k < 2 && result == TH_OK; k++) {
    th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, 0.0, 0.0f, 0.0f);
    def.precision = k ? TH_PRECISION_FLOAT : TH_PRECISION_DOUBLE;
    result = th_bvp_relax_grid(&grid, &def, 0, &field[k], error);
    if (result == TH_OK) flat[k] = th_relaxation_flat(field[k], 1e-8, NULL);
  }
  if (result == TH_OK) {
    double ratio = flat[0] ? (double)flat[1] / flat[0] : NAN;
    th_lab_claim(lab, &(th_claim){"flat cells with double", "cells", flat[0], 1, INFINITY, NONE, NONE, NULL});
    th_lab_claim(
        lab, &(th_claim){"flat cells with float by those with double", "", ratio, 1.0001, INFINITY, NONE, NONE, NULL});
    const th_relaxation *two[2] = {field[0], field[1]};
    result = th_bvp_draw_fields(lab, two, name, 2, "E38: floats lose more of the field than doubles", error);
    draw_passage(&grid, 60);
    if (result == TH_OK) result = claim_u(lab, &grid, TH_PRECISION_DOUBLE, error);
    if (result == TH_OK) result = claim_u(lab, &grid, TH_PRECISION_FLOAT, error);
  }
  for (int k = 0; k < 2; k++) th_relaxation_free(field[k]);
  return result;
}

/* ---------------------------------------------------------------- E04, E05: sub-goals */

enum { TRAIL = 5001 };

typedef struct walk_end {
  uint32_t levels, dropped, steps;
  bool arrived, stays;                             /* with sub-goals; without them it does not move */
  bool in_order;                                   /* levels were left one after the other, from the top */
  uint8_t ring[TH_BVP_MAX_SIDE * TH_BVP_MAX_SIDE]; /* number of the sub-goal of a cell, 0 = none */
  float x[TRAIL], y[TRAIL];                        /* its path, in cells */
  uint32_t trail;
} walk_end;

static th_result walk_out(const th_relaxation *field, uint32_t i, uint32_t j, walk_end *end, th_error *error) {
  th_flatness_def def = th_default_flatness_def();
  th_subgoals *goals = NULL;
  *end = (walk_end){.in_order = true};
  th_result result = th_subgoals_make(field, &def, &goals, error);
  if (result != TH_OK) return result;
  th_descender who = {i + 0.5, j + 0.5, 0};
  end->stays = th_relaxation_is_flat(field, i, j, def.null_gradient);
  result = th_subgoals_reach(goals, i, j, &who.level, error);
  end->levels = who.level;
  th_descent state = TH_DESCENT_MOVED;
  for (; result == TH_OK && end->steps < 20000 && state == TH_DESCENT_MOVED; end->steps++) {
    if (end->steps % 4 == 0 && end->trail < TRAIL) {
      end->x[end->trail] = (float)who.x;
      end->y[end->trail++] = (float)who.y;
    }
    uint32_t before = who.level;
    state = th_subgoals_step(goals, &who, 0.25);
    uint32_t left = before - who.level;
    end->dropped += left;
    end->in_order = end->in_order && left <= 1;
  }
  end->arrived = state == TH_DESCENT_ARRIVED;
  uint32_t w, h;
  th_relaxation_size(field, &w, &h);
  for (uint32_t level = 1; level <= th_subgoals_count(goals); level++) {
    const uint8_t *ring = th_subgoals_ring(goals, level);
    for (uint32_t c = 0; c < w * h; c++)
      if (ring[c]) end->ring[c] = (uint8_t)level;
  }
  th_subgoals_free(goals);
  return result;
}

static th_result sub_goals(th_lab *lab, const th_bvp_grid *grid, uint32_t i, uint32_t j, walk_end *end,
                           th_error *error) {
  th_relaxation *field = NULL;
  th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, 0.0, 0.0f, 0.0f);
  th_result result = th_bvp_relax_grid(grid, &def, 0, &field, error);
  if (result == TH_OK) result = walk_out(field, i, j, end, error);
  if (result == TH_OK) {
    uint8_t mark[TH_BVP_MAX_SIDE * TH_BVP_MAX_SIDE];
    uint32_t flat = th_relaxation_flat(field, 1e-8, mark);
    th_lab_claim(lab, &(th_claim){"flat cells of the field", "cells", flat, 1, INFINITY, NONE,
                                  end->levels > 1 ? 2707 : NONE, NULL});
    char title[80];
    snprintf(title, sizeof title, "%s: out of the flat region from ring to ring", lab->id);
    const th_bvp_rings rings = {grid, end->ring, mark, end->x, end->y, end->trail, title};
    result = th_bvp_draw_rings(lab, &rings, error);
    if (result == TH_OK) result = claim_u(lab, grid, TH_PRECISION_DOUBLE, error);
  }
  th_relaxation_free(field);
  return result;
}

th_result th_bvp_e04(th_lab *lab, th_error *error) {
  th_bvp_grid grid;
  walk_end end;
  th_bvp_grid_scratch(&grid, 90, 9);
  th_bvp_grid_fill(&grid, TH_TILE_GOAL, 1, 1, 2, 8);
  th_result result = sub_goals(lab, &grid, 65, 4, &end, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"without sub-goals the agent has no gradient", "", end.stays, 1, 1, 1, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"sub-goals that were needed", "", end.levels, 1, 1, 1, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"with it the agent comes to the goal", "", end.arrived, 1, 1, 1, NONE, NULL});
  return TH_OK;
}

th_result th_bvp_e05(th_lab *lab, th_error *error) {
  th_bvp_grid grid;
  walk_end end;
  th_bvp_grid_serpentine(&grid, 60, 5);
  th_bvp_grid_fill(&grid, TH_TILE_GOAL, 3, 3, 4, 4);
  th_result result = sub_goals(lab, &grid, 56, 56, &end, error);
  if (result != TH_OK) return result;
  th_lab_claim(lab, &(th_claim){"free cells, the goal among them", "cells", th_bvp_grid_count(&grid, TH_TILE_FREE) + 1,
                                2887, 2887, NONE, 2887, NULL});
  th_lab_claim(lab, &(th_claim){"sub-goals on the stack", "", end.levels, 2, INFINITY, NONE, 21, NULL});
  th_lab_claim(lab,
               &(th_claim){"sub-goals dropped on the way", "", end.dropped, end.levels, end.levels, NONE, 21, NULL});
  th_lab_claim(lab, &(th_claim){"one after the other, from the top", "", end.in_order, 1, 1, 1, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"the agent comes to the goal", "", end.arrived, 1, 1, 1, NONE, NULL});
  return TH_OK;
}
