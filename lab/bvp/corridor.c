/* lab/bvp/corridor.c - one parameter at a time in the standard corridor: E13, E14, E16, E33, E36.
 *
 * Walkers that do not see each other share one world, so that all values of a parameter are tried in one run.
 */
#include <stdio.h>

#include "lab/bvp/experiments.h"
#include "lab/bvp/grid.h"

#define NONE NAN

/* ---------------------------------------------------------------- E13, E14: six vectors */

static const th_vec2 six[6] = {{0.0f, 1.0f}, {0.0f, -1.0f}, {1.0f, 0.0f}, {-1.0f, 0.0f}, {0.7f, -0.7f}, {-0.7f, -0.7f}};

static void six_walkers(th_bvp_walker walker[6], float radius) {
  for (int k = 0; k < 6; k++) {
    walker[k] = th_bvp_corridor_walker(th_bvp_constant_params(15, six[k].x, six[k].y, 0.7f));
    walker[k].radius = radius;
  }
}

static void claim_e13(th_lab *lab, const th_bvp_run *run) {
  double y[6];
  for (uint32_t k = 0; k < 6; k++) y[k] = th_bvp_y_at(run, k, 40.0);
  double abrupt = th_bvp_y_at(run, 4, 15.0), gentle = th_bvp_y_at(run, 5, 15.0);
  double ratio = th_bvp_turning(run, 4) / th_bvp_turning(run, 5);
  th_lab_claim(lab, &(th_claim){"y of a1 at x = 40: below all others", "cells", y[0], 1,
                                fmin(fmin(y[2], y[3]), fmin(y[4], y[5])) - 1.0, NONE, 5.99, NULL});
  th_lab_claim(lab, &(th_claim){"y of a2: above all others", "cells", y[1],
                                fmax(fmax(y[2], y[3]), fmax(y[4], y[5])) + 1.0, 20, NONE, 15.00, NULL});
  th_lab_claim(lab, &(th_claim){"a1 and a2 mirror each other: sum of offsets", "cells", fabs(y[0] + y[1] - 21.0), 0,
                                0.5, 0, 0.01, NULL});
  th_lab_claim(lab, &(th_claim){"|y3 - y4|: both down the middle", "cells", fabs(y[2] - y[3]), 0, 0.5, 0, 0.09, NULL});
  th_lab_claim(lab, &(th_claim){"y of a5 at x = 15", "cells", abrupt, gentle + 0.5, 20, NONE, 13.76, NULL});
  th_lab_claim(
      lab, &(th_claim){"y of a6 at x = 15: nearer to the middle", "cells", gentle, 10.5, abrupt, NONE, 12.20, NULL});
  th_lab_claim(lab, &(th_claim){"turning of a5 by that of a6", "", ratio, 1.5, INFINITY, NONE, 2.05, NULL});
}

th_result th_bvp_e13(th_lab *lab, th_error *error) {
  th_bvp_walker walker[6];
  th_bvp_run run;
  six_walkers(walker, 0.01f); /* a point: walls are not grown, as in the earlier re-run */
  th_bvp_trial trial = th_bvp_corridor(walker, 6, 1000);
  trial.alone = true;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  claim_e13(lab, &run);
  th_lab_claim(lab, &(th_claim){"agents that arrive", "", th_bvp_arrived(&run), 6, 6, 6, 6, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E13: six vectors v, one agent at a time, eps = 0.7", error);
  th_bvp_run_free(&run);
  return result;
}

/* The largest distance between the path of one of the six together and its own path alone. */
static double largest_change(const th_bvp_run *together, const th_bvp_run *alone) {
  double largest = 0.0;
  for (uint32_t k = 0; k < 6; k++)
    for (double x = 10.0; x < 75.0; x += 1.0)
      largest = fmax(largest, fabs(th_bvp_y_at(together, k, x) - th_bvp_y_at(alone, k, x)));
  return largest;
}

th_result th_bvp_e14(th_lab *lab, th_error *error) {
  th_bvp_walker walker[6];
  th_bvp_run run[3] = {0}; /* together, in the thesis' order, alone */
  th_result result = TH_OK;
  six_walkers(walker, 0.5f);
  for (int k = 0; k < 6; k++) walker[k].x = 5.5f + 1.5f * (float)(k % 2), walker[k].y = 5.5f + 2.0f * (float)k;
  th_bvp_trial trial = th_bvp_corridor(walker, 6, 1500);
  for (int k = 0; k < 3 && result == TH_OK; k++) {
    trial.sequential = k == 1;
    trial.alone = k == 2;
    result = th_bvp_try(&trial, &run[k], error);
  }
  if (result == TH_OK) {
    th_lab_claim(lab, &(th_claim){"agents that arrive", "", th_bvp_arrived(&run[0]), 6, 6, 6, NONE, NULL});
    th_lab_claim(lab,
                 &(th_claim){"agents that arrive, thesis' order", "", th_bvp_arrived(&run[1]), 6, 6, 6, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"overlaps, pairs and steps", "", th_bvp_overlaps(&run[0]), 0, 0, 0, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"overlaps in the thesis' order", "", th_bvp_overlaps(&run[1]), 0, 0, 0, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"largest change of a path against the one alone", "cells",
                                  largest_change(&run[0], &run[2]), 1, INFINITY, NONE, NONE, NULL});
    th_bvp_panel panel[2] = {{&run[2], "alone", &trial}, {&run[0], "together", &trial}};
    result = th_bvp_draw(lab, panel, 2, "E14: the six at the same time", error);
  }
  for (int k = 0; k < 3; k++) th_bvp_run_free(&run[k]);
  return result;
}

/* ---------------------------------------------------------------- E16: ten strengths */

/* Largest p of the empty 15 x 15 map, v = (0, 1), over all eps of a range. */
static th_result largest_p(double eps, double *max, th_error *error) {
  th_bvp_grid grid;
  th_relaxation *field = NULL;
  th_bvp_grid_local(&grid, 15);
  th_relax_def def = th_bvp_relax_def(TH_METHOD_SEIDEL_ALTERNATING, eps, 0.0f, 1.0f);
  def.max_sweeps = 20000;
  th_result result = th_bvp_relax_grid(&grid, &def, 0, &field, error);
  if (result != TH_OK) return result;
  *max = 0.0;
  for (uint32_t j = 0; j < 15; j++)
    for (uint32_t i = 0; i < 15; i++) *max = fmax(*max, th_relaxation_p(field, i, j));
  th_relaxation_free(field);
  return TH_OK;
}

static const float strengths[10] = {-0.1f, 0.0f, 0.1f, 0.3f, 0.7f, 1.0f, 1.2f, 2.0f, 3.0f, 4.0f};

static void claim_e16(th_lab *lab, const th_bvp_run *run) {
  double y[8], rises = 0.0, slowest = 0.0;
  uint32_t arrived = 0;
  for (uint32_t k = 0; k < 8; k++) {
    y[k] = th_bvp_y_at(run, k, 40.0);
    if (k) rises += y[k] >= y[k - 1];
    arrived += run->arrived[k] != 0;
    slowest = fmax(slowest, run->arrived[k]);
  }
  th_lab_claim(lab, &(th_claim){"pairs of strengths out of order at x = 40, -0.1 to 2", "", rises, 0, 0, 0, 0, NULL});
  th_lab_claim(lab, &(th_claim){"eps = -0.1 and 0.1 mirror each other: sum of offsets", "cells",
                                fabs(y[0] + y[2] - 2.0 * y[1]), 0, 0.5, 0, 0.18, NULL});
  th_lab_claim(lab, &(th_claim){"y at x = 40 with eps = 0: a straight line", "cells", y[1], 10, 11, 10.5, 10.58, NULL});
  th_lab_claim(
      lab, &(th_claim){"from eps = 1 to 2 the path moves by", "cells", y[5] - y[7], 0, y[1] - y[5], NONE, 1.01, NULL});
  th_lab_claim(lab, &(th_claim){"arrive, of the eight up to 2", "", arrived, 8, 8, 8, 8, NULL});
  th_lab_claim(lab, &(th_claim){"slowest of them", "steps", slowest, 1, 168, NONE, 168, NULL});
}

th_result th_bvp_e16(th_lab *lab, th_error *error) {
  th_bvp_walker walker[10];
  th_bvp_run run;
  double safe = 0.0, three = 0.0, four = 0.0;
  for (int k = 0; k < 10; k++) {
    walker[k] = th_bvp_corridor_walker(th_bvp_constant_params(15, 0.0f, 1.0f, strengths[k]));
    walker[k].radius = 0.01f;
  }
  th_bvp_trial trial = th_bvp_corridor(walker, 10, 2000);
  trial.alone = true;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  claim_e16(lab, &run);
  for (int k = 0; k < 8 && result == TH_OK; k++) {
    double max = 0.0;
    result = largest_p((double)strengths[k], &max, error);
    safe = fmax(safe, max);
  }
  if (result == TH_OK) result = largest_p(3.0, &three, error);
  if (result == TH_OK) result = largest_p(4.0, &four, error);
  uint32_t unsafe = 0;
  for (int k = 8; k < 10; k++) unsafe += run.arrived[k] == 0 || run.arrived[k] > 300;
  th_lab_claim(lab, &(th_claim){"unsafe at 3 and 4: late or never there", "", unsafe, 2, 2, 2, 2, NULL});
  th_lab_claim(lab, &(th_claim){"largest p up to eps = 2", "", safe, 0, 1, NONE, 1, NULL});
  th_lab_claim(lab, &(th_claim){"largest p with eps = 3", "", three, 1.025, 1.035, NONE, 1.03, NULL});
  th_lab_claim(lab, &(th_claim){"largest p with eps = 4", "", four, 1.035, 1.045, NONE, 1.04, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  if (result == TH_OK)
    result = th_bvp_draw(lab, &panel, 1, "E16: v = (0, 1), eps from -0.1 to 4, one agent at a time", error);
  th_bvp_run_free(&run);
  return result;
}

/* ---------------------------------------------------------------- E33: a corridor along y */

static double x_at(const th_bvp_run *run, uint32_t walker, float y) {
  const th_tracks *t = &run->tracks;
  const th_track *track = &t->track[walker];
  for (uint32_t k = 0; k < track->count; k++)
    if (t->y[track->first + k] >= y) return (double)t->x[track->first + k];
  return NAN;
}

static void claim_e33(th_lab *lab, const th_bvp_run *run) {
  double x[10], rises = 0.0;
  uint32_t safe = 0, unsafe = 0;
  for (uint32_t k = 0; k < 10; k++) x[k] = x_at(run, k, 40.0f);
  for (uint32_t k = 4; k < 8; k++) rises += x[k] >= x[k - 1]; /* 0.4 to 2.0: ever further from v */
  for (uint32_t k = 0; k < 8; k++) safe += run->arrived[k] != 0;
  for (uint32_t k = 8; k < 10; k++) unsafe += run->arrived[k] == 0;
  th_lab_claim(lab, &(th_claim){"eps = 0: x at y = 40", "cells", x[0], 10, 11, 10.5, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"v = (1, 0): off the middle", "cells", 10.5 - x[1], 2, 10, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"v = (-1, 0): off the middle, other side", "cells", x[2] - 10.5, 2, 10, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"v = (1, 1), eps = 0.4 to 2: pairs out of order", "", rises, 0, 0, 0, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"arrive, of the eight up to 2", "", safe, 8, 8, 8, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"do not arrive, of 2.4 and 7.2", "", unsafe, 1, 2, NONE, NONE, NULL});
}

th_result th_bvp_e33(th_lab *lab, th_error *error) {
  static const float v[10][3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.8f}, {-1.0f, 0.0f, 0.8f}, {1.0f, 1.0f, 0.4f},
                                 {1.0f, 1.0f, 0.8f}, {1.0f, 1.0f, 1.2f}, {1.0f, 1.0f, 1.6f},  {1.0f, 1.0f, 2.0f},
                                 {1.0f, 1.0f, 2.4f}, {1.0f, 1.0f, 7.2f}};
  th_bvp_walker walker[10];
  th_bvp_run run;
  th_shape goal = th_box_shape(9.0f, 76.0f, 12.0f, 77.0f);
  for (int k = 0; k < 10; k++) {
    walker[k] = th_bvp_corridor_walker(th_bvp_constant_params(15, v[k][0], v[k][1], v[k][2]));
    walker[k] = (th_bvp_walker){
        .x = 10.5f, .y = 5.5f, .hy = 1.0f, .radius = 0.01f, .step = 0.5f, .goal_count = 1, .params = walker[k].params};
  }
  th_bvp_trial trial = {.width = 21,
                        .height = 80,
                        .goal = &goal,
                        .goal_count = 1,
                        .walker = walker,
                        .walker_count = 10,
                        .steps = 1000,
                        .alone = true};
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  claim_e33(lab, &run);
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E33: vectors and strengths in a corridor along y", error);
  th_bvp_run_free(&run);
  return result;
}

/* ---------------------------------------------------------------- E36: eta */

th_result th_bvp_e36(th_lab *lab, th_error *error) {
  static const float eta[6] = {0.0f, 0.25f, 0.5f, 0.75f, 0.95f, 0.99f};
  th_bvp_walker walker[6];
  th_bvp_run run;
  double turning[6], rises = 0.0;
  for (int k = 0; k < 6; k++) {
    th_bvp_params params = th_bvp_constant_params(15, 0.7f, -0.7f, 0.7f);
    params.motion = TH_BVP_BLEND;
    params.speed_rule = TH_BVP_STEADY;
    params.eta = eta[k];
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].y = 5.5f; /* off the axis; from 8.5 even the heaviest drifts over the goal */
    walker[k].radius = 0.01f;
  }
  th_bvp_trial trial = th_bvp_corridor(walker, 6, 160);
  trial.alone = true;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  for (uint32_t k = 0; k < 6; k++) {
    turning[k] = th_bvp_turning(&run, k) / th_bvp_length(&run, k);
    if (k) rises += turning[k] >= turning[k - 1];
  }
  th_lab_claim(lab, &(th_claim){"pairs of eta whose turning is out of order", "", rises, 0, 0, 0, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"turning with eta = 0", "rad/cell", turning[0], turning[4], INFINITY, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"arrive, of eta = 0 to 0.75", "",
                       (run.arrived[0] != 0) + (run.arrived[1] != 0) + (run.arrived[2] != 0) + (run.arrived[3] != 0), 4,
                       4, 4, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"eta = 0.99 misses the goal", "", run.arrived[5] == 0, 1, 1, 1, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"steps in which a wall stops somebody", "", (double)run.wall_contacts, 1, INFINITY,
                                NONE, NONE, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E36: eta = 0, 0.25, 0.5, 0.75, 0.95 and 0.99, v = (0.7, -0.7)", error);
  th_bvp_run_free(&run);
  return result;
}
