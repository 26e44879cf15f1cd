/* lab/bvp/flatness.c - the cost of flatness: cells from which a field does not lead to the goal,
 * and time.
 *
 * Harmonic potentials fall by about exp(-pi * distance / width) along a corridor, so there is no direction to the goal
 * where p = 1 - u rounds to 1 (Dapper 2007, section 3.2.2). Serpentines of growing length show it: p as printed in
 * double and in float, u = 1 - p, and the direct solution with rescaling. A cell is lost when stepping to the best
 * neighbour from there never ends on the goal.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "lab/bvp/experiments.h"
#include "lab/bvp/grid.h"
#include "throng/throng.h"

#define NONE NAN

enum { SIDES = 6, SOLVERS = 4, WIDTH = 5 };

static const uint32_t sides[SIDES] = {19, 31, 43, 61, 91, 121};
static const char *const solver_name[SOLVERS] = {"p in float", "p in double", "u in double", "direct"};

typedef struct result_row {
  double lost, seconds; /* share of the free cells; of one field from nothing */
} result_row;

typedef struct workspace {
  th_bvp_grid grid;
  double height[TH_BVP_MAX_SIDE * TH_BVP_MAX_SIDE];
  uint8_t grey[TH_BVP_MAX_SIDE * TH_BVP_MAX_SIDE];
} workspace;

/* Approximate length of the middle line of the corridors [m]. */
static double length_of(uint32_t side) {
  double corridors = (side - 2.0 + 1.0) / (WIDTH + 1.0);
  return corridors * (side - 2.0 - WIDTH) + (corridors - 1.0) * (WIDTH + 1.0);
}

static th_result relax(workspace *w, int k, double *seconds, th_error *error) {
  const th_grid map = {.width = w->grid.width, .height = w->grid.height, .cell = w->grid.cell};
  th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, 0.0, 0.0f, 0.0f);
  th_relaxation *field = NULL;
  if (k == 0) def.precision = TH_PRECISION_FLOAT;
  if (k == 2) {
    def.storage = TH_STORAGE_U;
    def.min = 0.0; /* until no cell changes by more than 1e-6 of itself */
    def.tolerance = 1e-6;
  }
  double before = th_clock_processor_seconds();
  th_result result = th_relaxation_make(&def, &map, &field, error);
  if (result != TH_OK) return result;
  (void)th_relaxation_converge(field);
  *seconds = th_clock_processor_seconds() - before;
  th_relaxation_read_u(field, w->height);
  th_relaxation_free(field);
  return TH_OK;
}

static void read_logs(workspace *w, const th_ground *ground, const th_field *field) {
  for (uint32_t j = 0; j < w->grid.height; j++)
    for (uint32_t i = 0; i < w->grid.width; i++) {
      th_place place = th_ground_locate(ground, (float)i + 0.5f, (float)j + 0.5f);
      w->height[j * w->grid.width + i] = th_field_log(field, place);
    }
}

static th_result direct(workspace *w, double *seconds, th_error *error) {
  const uint32_t width = w->grid.width, height = w->grid.height;
  for (uint32_t j = 0; j < height; j++)
    for (uint32_t i = 0; i < width; i++)
      w->grey[(height - 1 - j) * width + i] = w->grid.cell[j * width + i] == TH_TILE_WALL ? 0 : 255;
  const th_image image = {w->grey, width, height, 1.0f, {0.0f, 0.0f}, 128};
  th_flat_def def = th_default_flat_def();
  def.image = &image;
  def.cell = 1.0f;
  def.radius_class[0] = 0.0f;
  th_ground *ground = NULL;
  th_solver *solver = NULL;
  th_field *field = NULL;
  th_field_def wanted = th_default_field_def();
  wanted.goal = th_point_shape(1.5f, 1.5f);
  th_result result = th_ground_make_flat(&def, &ground, error);
  double before = th_clock_processor_seconds();
  if (result == TH_OK) result = th_solver_make(&(th_solver_def){.ground = ground}, &solver, error);
  if (result == TH_OK) result = th_field_make(solver, &wanted, &field, error);
  *seconds = th_clock_processor_seconds() - before;
  if (result == TH_OK) read_logs(w, ground, field);
  th_field_release(field);
  th_solver_release(solver);
  th_ground_release(ground);
  return result;
}

/* The goal is the first cell; the walker's place would be the far end. */
static th_result try_side(workspace *w, uint32_t side, int k, result_row *row, th_error *error) {
  th_bvp_grid_serpentine(&w->grid, side, WIDTH);
  w->grid.cell[side + 1] = TH_TILE_GOAL;
  const th_grid map = {.width = side, .height = side, .cell = w->grid.cell};
  uint32_t lost = 0;
  th_result result = k == SOLVERS - 1 ? direct(w, &row->seconds, error) : relax(w, k, &row->seconds, error);
  if (result == TH_OK) result = th_grid_lost(&map, w->height, &lost, error);
  row->lost = (double)lost / th_bvp_grid_count(&w->grid, TH_TILE_FREE);
  return result;
}

static th_result try_all(result_row row[SOLVERS][SIDES], th_error *error) {
  const th_env env = th_env_complete(NULL);
  workspace *w = TH_TAKE(&env.allocator, workspace, 1);
  if (!w) return th_fail(error, TH_ERROR_MEMORY, "serpentine", "expected room for %zu bytes", sizeof *w);
  th_result result = TH_OK;
  for (int k = 0; k < SOLVERS; k++)
    for (int s = 0; s < SIDES && result == TH_OK; s++) result = try_side(w, sides[s], k, &row[k][s], error);
  TH_GIVE(&env.allocator, w, 1);
  return result;
}

static th_result draw(th_lab *lab, const double y[SOLVERS][SIDES], const char *title, const char *axis,
                      th_error *error) {
  double x[SIDES];
  for (int s = 0; s < SIDES; s++) x[s] = length_of(sides[s]);
  th_bvp_curves curves = {
      .title = title, .x_label = "cells of the path", .y_label = axis, .x = x, .count = SIDES, .lines = SOLVERS};
  for (int k = 0; k < SOLVERS; k++) {
    curves.y[k] = y[k];
    curves.name[k] = solver_name[k];
  }
  return th_bvp_draw_curves(lab, &curves, error);
}

th_result th_bvp_f01(th_lab *lab, th_error *error) {
  result_row row[SOLVERS][SIDES];
  double y[SOLVERS][SIDES];
  th_result result = try_all(row, error);
  if (result != TH_OK) return result;
  for (int k = 0; k < SOLVERS; k++)
    for (int s = 0; s < SIDES; s++) y[k][s] = 100.0 * row[k][s].lost;
  th_lab_claim(lab, &(th_claim){"lost on 61 x 61 cells, p in float", "%", y[0][3], 50, 100, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"p in double", "%", y[1][3], 50, y[0][3], NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"u in double: fewer", "%", y[2][3], 0, y[1][3], NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"direct: none, here and on 121 x 121", "%", y[3][3] + y[3][5], 0, 0, NONE, NONE, NULL});
  return draw(lab, y, "F01: cells of a serpentine that lead nowhere", "lost cells [%]", error);
}

th_result th_bvp_f02(th_lab *lab, th_error *error) {
  result_row row[SOLVERS][SIDES];
  double y[SOLVERS][SIDES];
  th_result result = try_all(row, error);
  if (result != TH_OK) return result;
  for (int k = 0; k < SOLVERS; k++)
    for (int s = 0; s < SIDES; s++) y[k][s] = 1e3 * row[k][s].seconds;
  lab->timed = true;
  th_lab_claim(lab, &(th_claim){"121 x 121 cells, p in float", "ms", y[0][5], 0, y[1][5], NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"p in double", "ms", y[1][5], 0, y[2][5], NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"u in double", "ms", y[2][5], y[3][5], INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"direct, with its factorisation", "ms", y[3][5], 0, y[2][5], NONE, NONE, NULL});
  return draw(lab, y, "F02: time of one field from nothing", "milliseconds", error);
}
