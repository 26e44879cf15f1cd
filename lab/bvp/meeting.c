/* lab/bvp/meeting.c - meetings and races in a corridor: E22, E23, E24. */
#include "lab/bvp/meeting.h"

#include <stdio.h>

#include "lab/bvp/experiments.h"

#define NONE NAN

void th_bvp_meeting(th_bvp_walker walker[2], float radius) {
  walker[0] = walker[1] = th_bvp_corridor_walker(th_bvp_thesis_params(15));
  walker[0].radius = walker[1].radius = radius;
  walker[1].x = 74.5f;
  walker[1].hx = -1.0f;
  walker[1].goal[0] = 1;
}

th_bvp_trial th_bvp_meeting_trial(const th_bvp_walker *walker, uint32_t count, uint32_t steps) {
  static const th_vec3 right[4] = {{76, 9, 0}, {77, 9, 0}, {77, 12, 0}, {76, 12, 0}},
                       left[4] = {{3, 9, 0}, {4, 9, 0}, {4, 12, 0}, {3, 12, 0}};
  static const th_shape goal[2] = {{.kind = TH_SHAPE_POLYGON, .point = right, .count = 4},
                                   {.kind = TH_SHAPE_POLYGON, .point = left, .count = 4}};
  th_bvp_trial trial = th_bvp_corridor(walker, count, steps);
  trial.goal = goal;
  trial.goal_count = 2;
  return trial;
}

void th_bvp_on_sight(th_bvp_params *params, th_bvp_kind kind, float eps, float sight) {
  params->trigger = TH_BVP_AHEAD;
  params->sight = sight;
  params->sense = TH_SENSE_PULL;
  params->behaviour[TH_BVP_SIGHT].kind = (int32_t)kind;
  params->behaviour[TH_BVP_SIGHT].strength = eps / params->cell;
  params->behaviour[TH_BVP_SIGHT].hand = TH_BVP_RIGHT;
}

/* ---------------------------------------------------------------- E22: avoiding */

static double turning_of_both(const th_bvp_run *run) { return th_bvp_turning(run, 0) + th_bvp_turning(run, 1); }

static void claim_e22(th_lab *lab, const th_bvp_run *harmonic, const th_bvp_run *aside) {
  double near = th_bvp_min(harmonic, 0, 1), far = th_bvp_min(aside, 0, 1);
  double back = fmax(fabs(th_bvp_y_at(aside, 0, 72.0) - 10.5), fabs(th_bvp_y_at(aside, 1, 8.0) - 10.5));
  double slow = (double)(harmonic->arrived[0] + harmonic->arrived[1]);
  th_lab_claim(lab, &(th_claim){"least distance, harmonic only", "cells", near, 1, far, NONE, 1.8, NULL});
  th_lab_claim(lab, &(th_claim){"least distance with v on sight", "cells", far, near + 0.1, 20, NONE, 5.3, NULL});
  th_lab_claim(lab, &(th_claim){"off the middle before the goal, afterwards", "cells", back, 0, 1, 0, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"turning with v by turning without", "",
                                turning_of_both(aside) / turning_of_both(harmonic), 0, 0.9999, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"steps of both with v by those without", "",
                                (double)(aside->arrived[0] + aside->arrived[1]) / slow, 0, 1, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"arrive, of four", "", th_bvp_arrived(harmonic) + th_bvp_arrived(aside), 4, 4, 4, NONE, NULL});
}

th_result th_bvp_e22(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2][2];
  th_bvp_run harmonic = {0}, aside = {0};
  th_bvp_meeting(walker[0], 0.5f);
  th_bvp_meeting(walker[1], 0.5f);
  for (int k = 0; k < 2; k++) th_bvp_on_sight(&walker[1][k].params, TH_BVP_ACROSS, 0.6f, 20.0f);
  th_bvp_trial one = th_bvp_meeting_trial(walker[0], 2, 2000), two = th_bvp_meeting_trial(walker[1], 2, 2000);
  th_result result = th_bvp_try(&one, &harmonic, error);
  if (result == TH_OK) result = th_bvp_try(&two, &aside, error);
  if (result == TH_OK) {
    claim_e22(lab, &harmonic, &aside);
    th_bvp_panel panel[2] = {{&harmonic, "(a) harmonic", &one}, {&aside, "(b) v across on sight, eps = 0.6", &two}};
    result = th_bvp_draw(lab, panel, 2, "E22: two agents avoid each other", error);
  }
  th_bvp_run_free(&harmonic);
  th_bvp_run_free(&aside);
  return result;
}

/* ---------------------------------------------------------------- E23: approach */

th_result th_bvp_e23(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2];
  th_bvp_run run;
  th_bvp_meeting(walker, 0.5f);
  walker[0].link = 2;
  th_bvp_on_sight(&walker[0].params, TH_BVP_TOWARD, 0.8f, 20.0f);
  th_bvp_on_sight(&walker[1].params, TH_BVP_CONSTANT, 0.8f, 20.0f);
  walker[1].params.behaviour[TH_BVP_SIGHT].v = (th_vec2){0.0f, 1.0f};
  th_bvp_trial trial = th_bvp_meeting_trial(walker, 2, 2000);
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  double high[2] = {0.0, 0.0};
  for (uint32_t w = 0; w < 2; w++)
    for (uint32_t k = 0; k < run.tracks.track[w].count; k++)
      high[w] = fmax(high[w], (double)run.tracks.y[run.tracks.track[w].first + k] - 10.5);
  th_lab_claim(lab, &(th_claim){"a2 towards its wall", "cells", high[1], 1, 9.5, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"a1 to the side of a2", "cells", high[0], 0.5, 9.5, NONE, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){"least gap between the bodies", "cells", th_bvp_min_gap(&run), 0, INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"arrive", "", th_bvp_arrived(&run), 2, 2, 2, NONE, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E23: a1 (from the left) keeps v at a2, which goes to its wall", error);
  th_bvp_run_free(&run);
  return result;
}

/* ---------------------------------------------------------------- E24: race of equals */

enum { RACERS = 6 };

/* The smallest of the largest distances between two paths, compared at equal x. */
static double min_unlike(const th_bvp_run *run) {
  double min = INFINITY;
  for (uint32_t a = 0; a < RACERS; a++)
    for (uint32_t b = a + 1; b < RACERS; b++) {
      double max = 0.0;
      for (double x = 12.0; x < 70.0; x += 1.0) max = fmax(max, fabs(th_bvp_y_at(run, a, x) - th_bvp_y_at(run, b, x)));
      min = fmin(min, max);
    }
  return min;
}

th_result th_bvp_e24(th_lab *lab, th_error *error) {
  th_bvp_walker walker[RACERS];
  th_bvp_run run;
  for (int k = 0; k < RACERS; k++) {
    th_bvp_params params = th_bvp_constant_params(15, 0.0f, -1.0f, 0.7f);
    params.sense = TH_SENSE_PULL; /* all want the right-hand side */
    walker[k] = th_bvp_corridor_walker(params);
    walker[k].x = 5.5f + (float)(k % 2);
    walker[k].y = 5.5f + 2.0f * (float)k;
  }
  th_bvp_trial trial = th_bvp_corridor(walker, RACERS, 2000);
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  uint32_t first = 0;
  for (uint32_t k = 1; k < RACERS; k++)
    if (run.arrived[k] && run.arrived[k] < run.arrived[first]) first = k;
  th_lab_claim(lab, &(th_claim){"the two paths that are most alike differ by", "cells", min_unlike(&run), 0.1, INFINITY,
                                NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"overlaps, pairs and steps", "", th_bvp_overlaps(&run), 0, 0, 0, 0, NULL});
  th_lab_claim(lab, &(th_claim){"arrive", "", th_bvp_arrived(&run), RACERS, RACERS, RACERS, NONE, NULL});
  th_lab_claim(
      lab, &(th_claim){
               "the winner is the one nearest to the right wall: its number from there", "", first + 1.0, 1, 1, 1, NONE,
               "foretold: in a straight corridor with a goal in its middle the inner ones have the shorter path"});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E24: six equal agents, v at the right wall", error);
  th_bvp_run_free(&run);
  return result;
}
