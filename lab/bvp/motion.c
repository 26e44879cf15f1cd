/* lab/bvp/motion.c - heading and speed: E17, E19, E20. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bvp/experiments.h"
#include "lab/bvp/lab.h"

#define NONE NAN

/* ---------------------------------------------------------------- E17: cell size */

th_result th_bvp_e17(th_lab *lab, th_error *error) {
  static const float cell[3] = {0.8f, 0.59f, 0.42f};
  static const int32_t n[3] = {11, 15, 21};
  th_bvp_walker walker[3];
  th_bvp_run run;
  double turn[3];
  for (int k = 0; k < 3; k++) {
    th_bvp_params params = th_bvp_constant_params(n[k], 0.7f, 0.7f, 1.0f);
    params.cell = cell[k];
    params.behaviour[TH_BVP_FIRST].strength = 1.0f / cell[k];
    params.sweeps = 60;
    params.motion = TH_BVP_GRADIENT;
    params.speed_rule = TH_BVP_STEADY;
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].radius = 0.01f;
    walker[k].step = 0.3f;
  }
  th_bvp_trial trial = th_bvp_corridor(walker, 3, 1000);
  trial.alone = true;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  for (uint32_t k = 0; k < 3; k++)
    turn[k] = th_bvp_turning(&run, k) * 57.29577951308232 / (double)(run.tracks.track[k].count - 1);
  th_lab_claim(lab, &(th_claim){"mean turn a step with cells of 0.42 m by that with 0.8 m", "", turn[2] / turn[0], 0,
                                0.5, NONE, 0.09, NULL});
  th_lab_claim(lab,
               &(th_claim){"mean turn a step, cells of 0.8 m", "degrees", turn[0], turn[2], 180, NONE, 14.5, NULL});
  th_lab_claim(lab, &(th_claim){"cells of 0.59 m", "degrees", turn[1], turn[2], 180, NONE, 15.1, NULL});
  th_lab_claim(lab, &(th_claim){"cells of 0.42 m", "degrees", turn[2], 0, turn[0], NONE, 1.3, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E17: cells of 0.8, 0.59 and 0.42 m, motion along the gradient", error);
  th_bvp_run_free(&run);
  return result;
}

/* ---------------------------------------------------------------- E19: three kinds of motion in a race */

enum { RACERS = 8, RACES = 17 };

typedef struct race_def {
  th_bvp_motion motion;
  bool same;   /* all have the same v */
  float shift; /* of all starts, across the path [m] */
} race_def;

static th_result race(const race_def *def, th_bvp_walker walker[RACERS], th_bvp_trial *trial, th_bvp_run *run,
                      th_error *error) {
  static const th_vec3 corner[4] = {{116, 11, 0}, {117, 11, 0}, {117, 14, 0}, {116, 14, 0}};
  static const th_shape goal = {.kind = TH_SHAPE_POLYGON, .point = corner, .count = 4};
  for (int k = 0; k < RACERS; k++) {
    double angle = def->same ? 1.0 : 0.7854 * k;
    th_bvp_params params = th_bvp_constant_params(15, (float)cos(angle), (float)sin(angle), 0.7f);
    params.motion = (int32_t)def->motion;
    params.speed_rule = def->motion == TH_BVP_GRADIENT ? TH_BVP_STEADY
                        : def->motion == TH_BVP_MEAN   ? TH_BVP_MODULUS
                                                       : TH_BVP_TABLE;
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].x = 5.5f + 2.0f * (float)(k / 4);
    walker[k].y = 8.5f + 2.5f * (float)(k % 4) + def->shift;
    walker[k].radius = 0.4f;
  }
  *trial = (th_bvp_trial){.width = 120,
                          .height = 25,
                          .goal = &goal,
                          .goal_count = 1,
                          .walker = walker,
                          .walker_count = RACERS,
                          .steps = 2000};
  return th_bvp_try(trial, run, error);
}

static double all_turning(const th_bvp_run *run) {
  double sum = 0.0;
  for (uint32_t k = 0; k < run->walkers; k++) sum += th_bvp_turning(run, k);
  return sum;
}

typedef struct races {
  double turning[2][3][RACES]; /* own v, the same v; D1 to D3 [rad] */
  double smoothest;            /* races, own v and the same, in which D3 turns least */
  double overlaps, arrived;    /* with D3 */
} races;

static th_result run_races(races *r, th_error *error) {
  static const th_bvp_motion motion[3] = {TH_BVP_GRADIENT, TH_BVP_MEAN, TH_BVP_MASS};
  *r = (races){0};
  for (int n = 0; n < RACES; n++)
    for (int same = 0; same < 2; same++) {
      for (int k = 0; k < 3; k++) {
        th_bvp_walker walker[RACERS];
        th_bvp_trial trial;
        th_bvp_run run = {0};
        th_result result =
            race(&(race_def){motion[k], same, 0.0625f * (float)(n - RACES / 2)}, walker, &trial, &run, error);
        if (result != TH_OK) return result;
        r->turning[same][k][n] = all_turning(&run);
        if (k == 2) {
          r->overlaps += th_bvp_overlaps(&run);
          r->arrived += th_bvp_arrived(&run);
        }
        th_bvp_run_free(&run);
      }
      const double(*turning)[RACES] = r->turning[same];
      r->smoothest += turning[2][n] < turning[1][n] && turning[2][n] < turning[0][n];
    }
  return TH_OK;
}

static int by_size(const void *a, const void *b) {
  const double *p = a, *q = b;
  return (*p > *q) - (*p < *q);
}

static double median(const double *value) {
  double sorted[RACES];
  memcpy(sorted, value, sizeof sorted);
  qsort(sorted, RACES, sizeof *sorted, by_size);
  return sorted[RACES / 2];
}

static void claim_races(th_lab *lab, const races *r) {
  static const char close[] = "one of the 34 races has a touch";
  double turning[2][3];
  for (int same = 0; same < 2; same++)
    for (int k = 0; k < 3; k++) turning[same][k] = median(r->turning[same][k]);
  const double *own = turning[0], *same = turning[1];
  th_lab_claim(lab, &(th_claim){"turning of eight, D1, own v", "rad", own[0], own[1], INFINITY, NONE, 410, NULL});
  th_lab_claim(lab, &(th_claim){"D2", "rad", own[1], own[2], own[0], NONE, 159, NULL});
  th_lab_claim(lab, &(th_claim){"D3: the smoothest", "rad", own[2], 0, own[1], NONE, 52, NULL});
  th_lab_claim(lab, &(th_claim){"D1, the same v", "rad", same[0], same[1], INFINITY, NONE, 312, NULL});
  th_lab_claim(lab, &(th_claim){"D2, the same v", "rad", same[1], same[2], same[0], NONE, 103, NULL});
  th_lab_claim(lab, &(th_claim){"D3, the same v", "rad", same[2], 0, same[1], NONE, 34, NULL});
  th_lab_claim(lab, &(th_claim){"races in which D3 turns least, of 34", "", r->smoothest, 30, 34, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"overlaps with D3", "", r->overlaps, 0, 0, NONE, 0, close});
  th_lab_claim(lab, &(th_claim){"arrive with D3, of 272", "", r->arrived, 272, 272, NONE, NONE, NULL});
}

/* One race says little: in 22 of these 34 some lock beside each other with D2 and turn on the spot until the end, and a
 * sixteenth of a metre decides who. So starts are shifted, and medians are compared. */
th_result th_bvp_e19(th_lab *lab, th_error *error) {
  static const race_def drawn[3] = {{TH_BVP_GRADIENT, false, 0}, {TH_BVP_MEAN, false, 0}, {TH_BVP_MASS, false, 0}};
  static const char *const name[3] = {"D1: gradient", "D2: mean", "D3: weighted mean"};
  th_bvp_walker walker[3][RACERS];
  th_bvp_trial trial[3];
  th_bvp_run run[3] = {0};
  th_bvp_panel panel[3];
  races r;
  th_result result = run_races(&r, error);
  if (result == TH_OK) claim_races(lab, &r);
  for (int k = 0; k < 3 && result == TH_OK; k++) {
    result = race(&drawn[k], walker[k], &trial[k], &run[k], error);
    panel[k] = (th_bvp_panel){&run[k], name[k], &trial[k]};
  }
  if (result == TH_OK) result = th_bvp_draw(lab, panel, 3, "E19: eight agents with their own v", error);
  for (int k = 0; k < 3; k++) th_bvp_run_free(&run[k]);
  return result;
}

/* ---------------------------------------------------------------- E20: mass */

static const float masses[5] = {0.0f, 4.0f, 12.0f, 24.0f, 100.0f};

/* Turns that a walker makes about a point. */
static double turns_about(const th_bvp_run *run, uint32_t walker, double x, double y) {
  const th_tracks *t = &run->tracks;
  const th_track *track = &t->track[walker];
  double sum = 0.0, last = NAN;
  for (uint32_t k = 0; k < track->count; k++) {
    double angle = atan2((double)t->y[track->first + k] - y, (double)t->x[track->first + k] - x);
    if (!isnan(last)) sum += remainder(angle - last, 6.283185307179586);
    last = angle;
  }
  return fabs(sum) / 6.283185307179586;
}

static th_result open_room(th_lab *lab, th_bvp_walker walker[5], th_bvp_trial *trial, th_bvp_run *run,
                           th_error *error) {
  static const th_vec3 corner[4] = {{100, 100, 0}, {101, 100, 0}, {101, 101, 0}, {100, 101, 0}};
  static const th_shape goal = {.kind = TH_SHAPE_POLYGON, .point = corner, .count = 4};
  for (int k = 0; k < 5; k++) {
    th_bvp_params params = th_bvp_thesis_params(15);
    params.mass = masses[k];
    params.speed_rule = TH_BVP_STEADY;
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].x = 100.5f;
    walker[k].y = 60.5f;
    walker[k].radius = 0.01f;
  }
  *trial = (th_bvp_trial){.width = 200,
                          .height = 200,
                          .goal = &goal,
                          .goal_count = 1,
                          .walker = walker,
                          .walker_count = 5,
                          .steps = 4000,
                          .alone = true};
  th_result result = th_bvp_try(trial, run, error);
  if (result != TH_OK) return result;
  static const double earlier[3] = {80, 82, 89};
  static const char *const text[3] = {"arrival with mass 0", "with mass 4", "with mass 12"};
  for (int k = 0; k < 3; k++)
    th_lab_claim(lab, &(th_claim){text[k], "steps", run->arrived[k], 1, 4000, NONE, earlier[k], NULL});
  th_lab_claim(lab,
               &(th_claim){"turns of mass 100 about the goal, which it never reaches", "",
                           run->arrived[4] ? 0.0 : turns_about(run, 4, 100.5, 100.5), 1, INFINITY, NONE, 6.3, NULL});
  th_lab_claim(lab, &(th_claim){"mass 24 arrives in the open room", "", run->arrived[3] != 0, 1, 1, 1, 0,
                                "foretold: the least turning circle is wider than the goal, so it orbits as well"});
  return TH_OK;
}

th_result th_bvp_e20(th_lab *lab, th_error *error) {
  th_bvp_walker walker[5], heavy[2];
  th_bvp_trial trial, corridor;
  th_bvp_run run = {0}, two = {0};
  th_result result = open_room(lab, walker, &trial, &run, error);
  for (int k = 0; k < 2; k++) {
    th_bvp_params params = th_bvp_thesis_params(15);
    params.mass = masses[3 + k];
    params.speed_rule = TH_BVP_STEADY;
    heavy[k] = th_bvp_corridor_walker(params);
    heavy[k].y = 4.5f;
    heavy[k].radius = 0.01f;
  }
  corridor = th_bvp_corridor(heavy, 2, 1000);
  corridor.alone = true;
  if (result == TH_OK) result = th_bvp_try(&corridor, &two, error);
  if (result == TH_OK) {
    th_lab_claim(lab, &(th_claim){"mass 24 in the corridor, off its axis: arrival", "steps", two.arrived[0], 1, 1000,
                                  NONE, 148, NULL});
    th_lab_claim(lab, &(th_claim){"mass 100 there: steps in which the wall stops it", "", (double)two.wall_contacts, 1,
                                  INFINITY, NONE, NONE, NULL});
    th_bvp_panel panel = {&run, "", &trial};
    result = th_bvp_draw(lab, &panel, 1, "E20: mass 0, 4, 12, 24 and 100 in an open room", error);
  }
  th_bvp_run_free(&run);
  th_bvp_run_free(&two);
  return result;
}
