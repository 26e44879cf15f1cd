/* lab/bvp/cost.c - steps per second against the number of agents: E32.
 *
 * Every agent decides in every step. Times are those of the current machine; each is the best of seven measurements, so
 * that other programs disturb little. Growth with n is compared with n^2, growth with sweeps with their number, and
 * obstacles should not change the time.
 */
#include <stdio.h>

#include "lab/bvp/experiments.h"
#include "lab/bvp/lab.h"

#define NONE NAN

enum { MAX = 1000, CURVE = 5, ROUNDS = 7 };

/* Lowers `seconds` to the processor time of one step of `agents` agents on a lattice. */
static th_result measure(uint32_t agents, int32_t n, int32_t sweeps, bool obstacles, double *seconds, th_error *error) {
  static th_vec2 const block[4] = {{30, 30}, {36, 30}, {36, 36}, {30, 36}},
                       other[4] = {{80, 70}, {92, 70}, {92, 82}, {80, 82}};
  static th_polygon const obstacle[2] = {{NULL, block, 4}, {NULL, other, 4}};
  th_bvp_walker walker[MAX];
  th_shape goal = th_box_shape(146.0f, 74.0f, 147.0f, 77.0f);
  for (uint32_t k = 0; k < agents; k++) {
    th_bvp_params params = th_bvp_constant_params(n, 0.0f, 1.0f, 0.7f);
    params.sweeps = sweeps;
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].x = 5.5f + 4.0f * (float)(k % 32);
    walker[k].y = 5.5f + 4.0f * (float)(k / 32);
    walker[k].radius = 0.3f;
    if (obstacles && walker[k].x > 29.0f && walker[k].x < 37.0f && walker[k].y > 29.0f && walker[k].y < 37.0f)
      walker[k].x += 10.2f;
    if (obstacles && walker[k].x > 79.0f && walker[k].x < 93.0f && walker[k].y > 69.0f && walker[k].y < 83.0f)
      walker[k].x += 16.2f;
  }
  th_bvp_trial trial = {.width = 150,
                        .height = 150,
                        .goal = &goal,
                        .goal_count = 1,
                        .walker = walker,
                        .walker_count = agents,
                        .steps = 12};
  if (obstacles) trial.obstacle = obstacle, trial.obstacle_count = 2;
  th_bvp_run run;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  *seconds = fmin(*seconds, run.seconds / run.steps);
  th_bvp_run_free(&run);
  return TH_OK;
}

/* The reason why a time may grow less than the sweeps do. */
static const char *const mapping =
    "relaxed in lanes, sweeps no longer dominate: drawing the map and turning take a fixed part of each decision";

/* The compared cases are measured in turn, so that a slow moment of the machine affects all of them. */
static th_result measure_laws(th_lab *lab, th_error *error) {
  double base = INFINITY, wide = INFINITY, once = INFINITY, twice = INFINITY, blocked = INFINITY;
  th_result result = TH_OK;
  for (int k = 0; k < ROUNDS && result == TH_OK; k++) {
    result = measure(320, 15, 60, false, &base, error);
    if (result == TH_OK) result = measure(320, 15, 60, true, &blocked, error);
    if (result == TH_OK) result = measure(320, 31, 60, false, &wide, error);
    if (result == TH_OK) result = measure(320, 31, 120, false, &once, error);
    if (result == TH_OK) result = measure(320, 31, 240, false, &twice, error);
  }
  if (result != TH_OK) return result;
  double square = 29.0 * 29.0 / (13.0 * 13.0);
  th_lab_claim(lab,
               &(th_claim){"n = 31 against 15: time by that of n^2", "", wide / base / square, 0.5, 2, 1, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"240 sweeps against 120 with n = 31: time", "", twice / once, 1.5, 2.5, 2, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"with obstacles against without: time", "", blocked / base, 0.6, 1.6, 1, NONE, NULL});
  return TH_OK;
}

th_result th_bvp_e32(th_lab *lab, th_error *error) {
  static const double agents[CURVE] = {100, 200, 300, 600, 1000};
  double thirty[CURVE], sixty[CURVE];
  th_result result = TH_OK;
  for (int k = 0; k < CURVE && result == TH_OK; k++) {
    double long_step = INFINITY, short_step = INFINITY;
    for (int round = 0; round < ROUNDS && result == TH_OK; round++) {
      result = measure((uint32_t)agents[k], 15, 60, false, &long_step, error);
      if (result == TH_OK) result = measure((uint32_t)agents[k], 15, 30, false, &short_step, error);
    }
    sixty[k] = 1.0 / long_step;
    thirty[k] = 1.0 / short_step;
  }
  if (result != TH_OK) return result;
  lab->timed = true;
  th_lab_claim(lab, &(th_claim){"300 agents, 60 sweeps", "steps/s", sixty[2], 2, INFINITY, 2, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"200 agents, 60 sweeps", "steps/s", sixty[1], 3.5, INFINITY, 3.5, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"agents at 2 steps/s, from the run with 1000", "", sixty[4] * 1000.0 / 2.0, 300,
                                INFINITY, 300, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"30 sweeps against 60: steps/s, 1000 agents", "", thirty[4] / sixty[4], 1.5, 2.5, 2,
                                NONE, mapping});
  result = measure_laws(lab, error);
  th_bvp_curves curves = {"E32: steps per second, local maps of 15 x 15 cells",
                          "agents",
                          "steps per second",
                          agents,
                          {sixty, thirty, NULL, NULL},
                          {"60 sweeps", "30 sweeps", NULL, NULL},
                          CURVE,
                          2};
  return result == TH_OK ? th_bvp_draw_curves(lab, &curves, error) : result;
}
