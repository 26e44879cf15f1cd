/* lab/bvp/ablations.c - variants that were tried and dropped: E37, E39. */
#include <stdio.h>

#include "lab/bvp/experiments.h"
#include "lab/bvp/grid.h"
#include "lab/bvp/meeting.h"

#define NONE NAN

/* ---------------------------------------------------------------- E37: one shared field, altered around the agent */

typedef struct trail {
  double y[80]; /* y at each whole x */
} trail;

/* One step: the field within `half` cells of the agent is relaxed with its v, and followed; half = 0: without v. */
static th_result altered_step(const th_relaxation *shared, double *x, double *y, uint32_t half, th_error *error) {
  th_relaxation *own = NULL;
  th_result result = th_relaxation_copy(shared, &own, error);
  if (result != TH_OK) return result;
  uint32_t i = (uint32_t)*x, j = (uint32_t)*y;
  th_relax_window window = {i > half ? i - half : 0, j > half ? j - half : 0, i + half + 1, j + half + 1};
  result = th_relaxation_bias(own, (th_vec2){0.0f, 1.0f}, half ? 0.8 : 0.0, error);
  if (result == TH_OK) {
    double gx, gy;
    th_relaxation_sweep_window(own, &window, 30);
    th_relaxation_descent(own, i, j, &gx, &gy);
    double modulus = hypot(gx, gy);
    if (modulus > 0.0) *x += 0.5 * gx / modulus, *y += 0.5 * gy / modulus;
  }
  th_relaxation_free(own);
  return result;
}

static th_result walk_altered(const th_relaxation *shared, uint32_t half, trail *t, th_error *error) {
  double x = 5.5, y = 10.5;
  th_result result = TH_OK;
  for (int k = 0; k < 80; k++) t->y[k] = NAN;
  for (int step = 0; step < 400 && result == TH_OK && x < 76.0 && x > 1.0 && y > 1.0 && y < 20.0; step++) {
    double before = x;
    result = altered_step(shared, &x, &y, half, error);
    if (floor(x) > floor(before) && x < 80.0) t->y[(int)x] = y;
  }
  return result;
}

/* How far v moves the path of the model with local maps, at x = 40. */
static th_result shift_of_local_maps(th_lab *lab, double *shift, th_error *error) {
  th_bvp_walker walker[2];
  th_bvp_run run;
  for (int k = 0; k < 2; k++) {
    walker[k] = th_bvp_corridor_walker(th_bvp_constant_params(15, 0.0f, 1.0f, k ? 0.8f : 0.0f));
    walker[k].radius = 0.01f;
  }
  th_bvp_trial trial = th_bvp_corridor(walker, 2, 600);
  trial.alone = true;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  *shift = fabs(th_bvp_y_at(&run, 1, 40.0) - th_bvp_y_at(&run, 0, 40.0));
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E37: with local maps v = (0, 1), eps = 0.8 moves the whole path", error);
  th_bvp_run_free(&run);
  return result;
}

th_result th_bvp_e37(th_lab *lab, th_error *error) {
  th_bvp_grid grid;
  th_relaxation *shared = NULL;
  trail plain, bent, small;
  double local = NAN;
  th_bvp_grid_scratch(&grid, 80, 21);
  th_bvp_grid_fill(&grid, TH_TILE_GOAL, 76, 9, 77, 12);
  th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, 0.0, 0.0f, 0.0f);
  def.storage = TH_STORAGE_U; /* so that flatness is not what is measured */
  th_result result = th_bvp_relax_grid(&grid, &def, 0, &shared, error);
  if (result == TH_OK) result = walk_altered(shared, 0, &plain, error);
  if (result == TH_OK) result = walk_altered(shared, 7, &bent, error);
  if (result == TH_OK) result = walk_altered(shared, 2, &small, error);
  if (result == TH_OK) result = shift_of_local_maps(lab, &local, error);
  th_relaxation_free(shared);
  if (result != TH_OK) return result;
  double far = fabs(bent.y[40] - plain.y[40]), little = fabs(small.y[40] - plain.y[40]);
  th_lab_claim(lab, &(th_claim){"local maps: v moves the path at x = 40 by", "cells", local, 2, 10, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"shared field altered in 5 x 5 cells: by", "cells", little, 0, 0.5 * local, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"shared field altered in 15 x 15 cells: by", "cells", far, 0, 0.5 * local, NONE, NONE,
                           "the size of the region is not printed; one as large as a local map bends the path nearly "
                           "as much as a local map does"});
  return TH_OK;
}

/* ---------------------------------------------------------------- E39: view cone */

enum { SIDE = 8 };

/* Two groups of eight walk through each other. */
static th_result crowded(th_bvp_perception perception, th_bvp_walker walker[2 * SIDE], th_bvp_trial *trial,
                         th_bvp_run *run, th_error *error) {
  for (int k = 0; k < 2 * SIDE; k++) {
    th_bvp_walker pair[2];
    th_bvp_meeting(pair, 0.4f);
    int place = k % SIDE;
    walker[k] = pair[k / SIDE];
    walker[k].x = (k < SIDE ? 16.5f : 63.5f) + 2.0f * (float)(place / 4) * (k < SIDE ? -1.0f : 1.0f);
    walker[k].y = 7.0f + 2.0f * (float)(place % 4) + (k < SIDE ? 0.0f : 0.6f);
    walker[k].params.perception = (int32_t)perception;
  }
  *trial = th_bvp_meeting_trial(walker, 2 * SIDE, 1500);
  return th_bvp_try(trial, run, error);
}

/* Changes between turning left and turning right, of turns above two degrees per step. */
static double swings(const th_bvp_run *run) {
  const th_tracks *t = &run->tracks;
  double count = 0.0;
  for (uint32_t w = 0; w < run->walkers; w++) {
    double last = 0.0;
    for (uint32_t k = 1; k < t->track[w].count; k++) {
      uint32_t i = t->track[w].first + k;
      double turn = remainder((double)t->heading[i] - (double)t->heading[i - 1], 6.283185307179586);
      if (fabs(turn) < 0.035) continue;
      count += turn * last < 0.0;
      last = turn;
    }
  }
  return count;
}

th_result th_bvp_e39(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2][2 * SIDE];
  th_bvp_trial trial[2];
  th_bvp_run run[2] = {0};
  th_result result = crowded(TH_BVP_SQUARE, walker[0], &trial[0], &run[0], error);
  if (result == TH_OK) result = crowded(TH_BVP_CONE, walker[1], &trial[1], &run[1], error);
  if (result == TH_OK) {
    double square = swings(&run[0]), cone = swings(&run[1]);
    th_lab_claim(
        lab, &(th_claim){"changes between left and right, all around", "", square, 0, cone - 1.0, NONE, NONE, NULL});
    th_lab_claim(
        lab, &(th_claim){"with a view cone of 120 degrees: more", "", cone, square + 1.0, INFINITY, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"arrive, all around, of 16", "", th_bvp_arrived(&run[0]), 16, 16, NONE, NONE, NULL});
    th_bvp_panel panel[2] = {{&run[0], "all around", &trial[0]}, {&run[1], "view cone", &trial[1]}};
    result = th_bvp_draw(lab, panel, 2, "E39: two groups of eight meet", error);
  }
  th_bvp_run_free(&run[0]);
  th_bvp_run_free(&run[1]);
  return result;
}
