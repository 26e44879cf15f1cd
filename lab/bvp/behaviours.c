/* lab/bvp/behaviours.c - behaviours: E07 to E11.
 *
 * Where the thesis says in words that v draws an agent to its side, the sense is `pull`; see lab/bvp.md.
 */
#include <stdio.h>

#include "lab/bvp/cells.h"
#include "lab/bvp/experiments.h"
#include "lab/bvp/meeting.h"

#define NONE NAN

/* ---------------------------------------------------------------- E07: fixed v */

th_result th_bvp_e07(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2];
  th_bvp_run run;
  th_bvp_meeting(walker, 0.5f);
  walker[0].params = th_bvp_constant_params(15, 0.0f, 1.0f, 0.8f);
  walker[0].params.sense = TH_SENSE_PULL;
  th_bvp_trial trial = th_bvp_meeting_trial(walker, 2, 600);
  th_bvp_window window;
  trial.window = &window;
  trial.window_step = 60;
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  double wall = 20.0 - th_bvp_y_at(&run, 0, 25.0), middle = fabs(th_bvp_y_at(&run, 1, 60.0) - 10.5);
  double gap = th_bvp_min_gap(&run);
  th_lab_claim(lab, &(th_claim){"least gap between the bodies", "cells", gap, 0, INFINITY, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"a1 to its wall, before the meeting", "cells", wall, 0, 6.5, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"a2 off the middle, before the meeting", "cells", middle, 0, 1, 0, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"arrive", "", th_bvp_arrived(&run), 2, 2, 2, NONE, NULL});
  const th_bvp_inset inset = {&run, &trial, &window, "after 60 steps; local map of a1"};
  result = th_bvp_draw_insets(lab, &inset, 1, "E07: v at the upper wall (a1) and harmonic (a2)", error);
  th_bvp_run_free(&run);
  return result;
}

/* ---------------------------------------------------------------- E08: switching on sight */

/* First step at which two walkers are nearer than `sight`; UINT32_MAX = never. */
static uint32_t sighted(const th_bvp_run *run, double sight) {
  const th_tracks *t = &run->tracks;
  for (uint32_t k = 0; k < t->track[0].count && k < t->track[1].count; k++) {
    uint32_t i = t->track[0].first + k, j = t->track[1].first + k;
    if (hypot((double)t->x[i] - (double)t->x[j], (double)t->y[i] - (double)t->y[j]) < sight) return k;
  }
  return UINT32_MAX;
}

/* First step from `from` on at which a walker heads more than two degrees to the right of +x. */
static uint32_t turns_right(const th_bvp_run *run, uint32_t walker, uint32_t from) {
  const th_track *track = &run->tracks.track[walker];
  for (uint32_t k = from; k < track->count; k++)
    if (run->tracks.heading[track->first + k] < -0.035f) return k;
  return UINT32_MAX;
}

th_result th_bvp_e08(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2];
  th_bvp_run run;
  th_bvp_meeting(walker, 0.5f);
  th_bvp_on_sight(&walker[0].params, TH_BVP_ACROSS, 0.8f, 20.0f);
  th_bvp_trial trial = th_bvp_meeting_trial(walker, 2, 600);
  th_result result = th_bvp_try(&trial, &run, error);
  if (result != TH_OK) return result;
  uint32_t seen = sighted(&run, 20.0), turn = turns_right(&run, 0, seen);
  double before = seen < UINT32_MAX ? fabs((double)run.tracks.y[seen] - 10.5) : NAN;
  double min = 21.0;
  for (uint32_t k = 0; k < run.tracks.track[0].count; k++) min = fmin(min, (double)run.tracks.y[k]);
  th_lab_claim(lab, &(th_claim){"off the middle before the other is seen", "cells", before, 0, 0.5, 0, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"from sight to the turn", "steps", (double)turn - seen, 0, 5, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"to the right of the middle", "cells", 10.5 - min, 1, 9.5, NONE, NONE, NULL});
  th_lab_claim(lab, &(th_claim){"off the middle at x = 70, afterwards", "cells",
                                fabs(th_bvp_y_at(&run, 0, 70.0) - 10.5), 0, 1, 0, NONE, NULL});
  th_bvp_panel panel = {&run, "", &trial};
  result = th_bvp_draw(lab, &panel, 1, "E08: harmonic, and to the right while somebody is within 20", error);
  th_bvp_run_free(&run);
  return result;
}

/* ---------------------------------------------------------------- E09: sinusoid */

/* Mean time between upward crossings of the middle, between x = 20 and 100. */
static double period_of(const th_bvp_run *run, uint32_t walker) {
  const th_tracks *t = &run->tracks;
  const th_track *track = &t->track[walker];
  double first = NAN, last = NAN;
  uint32_t crossings = 0;
  for (uint32_t k = 1; k < track->count; k++) {
    uint32_t i = track->first + k;
    double a = (double)t->y[i - 1] - 10.5, b = (double)t->y[i] - 10.5;
    if (t->x[i] < 20.0f || t->x[i] > 100.0f || !(a < 0.0 && b >= 0.0)) continue;
    last = k - 1 + a / (a - b);
    if (!crossings++) first = last;
  }
  return crossings > 1 ? (last - first) / (crossings - 1) : NAN;
}

static double swing(const th_bvp_run *run, uint32_t walker, float x0, float x1) {
  const th_tracks *t = &run->tracks;
  double low = INFINITY, high = -INFINITY;
  for (uint32_t k = 0; k < t->track[walker].count; k++) {
    uint32_t i = t->track[walker].first + k;
    if (t->x[i] < x0 || t->x[i] > x1) continue;
    low = fmin(low, (double)t->y[i]);
    high = fmax(high, (double)t->y[i]);
  }
  return 0.5 * (high - low);
}

/* Root mean square of y(t + lag) - y(t), between x = 20 and 100. */
static double unlike(const th_bvp_run *run, uint32_t walker, uint32_t lag) {
  const th_tracks *t = &run->tracks;
  const th_track *track = &t->track[walker];
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t k = 0; k + lag < track->count; k++) {
    uint32_t i = track->first + k;
    if (t->x[i] < 20.0f || t->x[i + lag] > 100.0f) continue;
    double d = (double)t->y[i + lag] - (double)t->y[i];
    sum += d * d;
    count++;
  }
  return count ? sqrt(sum / count) : NAN;
}

static th_bvp_walker swinging(th_bvp_kind kind) {
  th_bvp_walker w = th_bvp_corridor_walker(th_bvp_thesis_params(15));
  w.params.behaviour[TH_BVP_FIRST].kind = (int32_t)kind;
  w.params.behaviour[TH_BVP_FIRST].strength = 0.8f;
  w.radius = 0.3f;
  return w;
}

static void claim_e09(th_lab *lab, const th_bvp_run *open, const th_bvp_run *narrow) {
  double two = unlike(open, 1, 72) / unlike(open, 1, 36);
  double shrink = swing(narrow, 0, 52.0f, 68.0f) / swing(open, 0, 20.0f, 100.0f);
  th_lab_claim(lab, &(th_claim){"period of v = (1, sin wt)", "steps", period_of(open, 0), 33, 38, 36, 35.5, NULL});
  th_lab_claim(lab, &(th_claim){"amplitude", "cells", swing(open, 0, 20.0f, 100.0f), 1, 9, NONE, 3, NULL});
  th_lab_claim(lab,
               &(th_claim){"double sinusoid: y(t + 72) - y(t) by y(t + 36) - y(t)", "", two, 0, 0.5, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"amplitude between obstacles by that in the open", "", shrink, 0, 0.9, NONE, NONE, NULL});
  th_lab_claim(lab,
               &(th_claim){"arrive, of four", "", th_bvp_arrived(open) + th_bvp_arrived(narrow), 4, 4, 4, 4, NULL});
  th_lab_claim(lab, &(th_claim){"steps in which a wall stops somebody", "",
                                (double)(open->wall_contacts + narrow->wall_contacts), 0, 0, 0, 0, NULL});
}

th_result th_bvp_e09(th_lab *lab, th_error *error) {
  static const th_vec2 low[4] = {{50, 1}, {70, 1}, {70, 7}, {50, 7}},
                       high[4] = {{50, 14}, {70, 14}, {70, 20}, {50, 20}};
  static const th_polygon block[2] = {{NULL, low, 4}, {NULL, high, 4}};
  th_shape goal = th_box_shape(116.0f, 9.0f, 117.0f, 12.0f);
  th_bvp_walker walker[2] = {swinging(TH_BVP_SINUSOID), swinging(TH_BVP_DOUBLE_SINUSOID)};
  th_bvp_trial trial = {.width = 120,
                        .height = 21,
                        .goal = &goal,
                        .goal_count = 1,
                        .walker = walker,
                        .walker_count = 2,
                        .steps = 1500,
                        .alone = true};
  th_bvp_trial blocked = trial;
  blocked.obstacle = block;
  blocked.obstacle_count = 2;
  th_bvp_run open = {0}, narrow = {0};
  th_result result = th_bvp_try(&trial, &open, error);
  if (result == TH_OK) result = th_bvp_try(&blocked, &narrow, error);
  if (result == TH_OK) {
    claim_e09(lab, &open, &narrow);
    th_bvp_panel panel[2] = {{&open, "open corridor", &trial}, {&narrow, "beside obstacles", &blocked}};
    result = th_bvp_draw(lab, panel, 2, "E09: v = (1, sin wt) and (1, sin wt + sin wt/2), eps = 0.8", error);
  }
  th_bvp_run_free(&open);
  th_bvp_run_free(&narrow);
  return result;
}

/* ---------------------------------------------------------------- E10: v at the goal, v at another agent */

static void toward(th_bvp_walker *w, float eps) {
  w->params.behaviour[TH_BVP_FIRST].kind = eps == 0.0f ? TH_BVP_HARMONIC : TH_BVP_TOWARD;
  w->params.behaviour[TH_BVP_FIRST].strength = fabsf(eps);
  w->params.sense = eps < 0.0f ? TH_SENSE_LITERAL : TH_SENSE_PULL; /* here eps > 0 pulls */
  w->params.start = TH_BVP_WARM;
}

static const float pulls[3] = {0.0f, 0.8f, -0.8f};

static th_result to_goal(th_lab *lab, th_bvp_run *run, th_bvp_trial *trial, th_bvp_walker walker[3], th_error *error) {
  static const th_vec3 corner[4] = {{53, 4, 0}, {55, 4, 0}, {55, 6, 0}, {53, 6, 0}};
  static const th_shape goal = {.kind = TH_SHAPE_POLYGON, .point = corner, .count = 4};
  for (int k = 0; k < 3; k++) {
    walker[k] = th_bvp_corridor_walker(th_bvp_thesis_params(15));
    walker[k].y = 6.5f;
    walker[k].radius = 0.01f;
    walker[k].to_point = true;
    walker[k].point = (th_vec2){54.0f, 5.0f};
    toward(&walker[k], pulls[k]);
  }
  *trial = (th_bvp_trial){.width = 60,
                          .height = 40,
                          .goal = &goal,
                          .goal_count = 1,
                          .walker = walker,
                          .walker_count = 3,
                          .steps = 1000,
                          .alone = true};
  th_result result = th_bvp_try(trial, run, error);
  if (result != TH_OK) return result;
  double length[3];
  for (uint32_t k = 0; k < 3; k++) length[k] = run->arrived[k] ? th_bvp_length(run, k) : NAN;
  th_lab_claim(lab, &(th_claim){"path, harmonic", "cells", length[0], 48, 80, NONE, 54.1, NULL});
  th_lab_claim(
      lab, &(th_claim){"path with v at the goal: shorter", "cells", length[1], 48, length[0] - 0.1, NONE, 51.0, NULL});
  th_lab_claim(lab, &(th_claim){"path with the printed sign: longer", "cells", length[2], length[0], INFINITY, NONE,
                                63.5, NULL});
  return TH_OK;
}

static th_result to_agent(th_lab *lab, th_bvp_run *run, th_bvp_trial *trial, th_bvp_walker walker[4], th_error *error) {
  for (int k = 0; k < 3; k++) {
    walker[k] = th_bvp_corridor_walker(th_bvp_thesis_params(15));
    walker[k].link = 4;
    toward(&walker[k], pulls[k]);
  }
  walker[3] = th_bvp_stander(40.5f, 15.5f, 0.5f);
  *trial = th_bvp_corridor(walker, 4, 1000);
  trial->alone = true;
  th_result result = th_bvp_try(trial, run, error);
  if (result != TH_OK) return result;
  double min[3];
  for (uint32_t k = 0; k < 3; k++) min[k] = th_bvp_min(run, k, 3);
  th_lab_claim(lab,
               &(th_claim){"least distance to those who stand, harmonic", "cells", min[0], 1, 10, NONE, 5.2, NULL});
  th_lab_claim(lab, &(th_claim){"with v at it: nearer, no contact", "cells", min[1], 1, min[0] - 0.1, NONE, 3.1, NULL});
  th_lab_claim(lab, &(th_claim){"with the printed sign: farther", "cells", min[2], min[0], 20, NONE, 9.0, NULL});
  return TH_OK;
}

th_result th_bvp_e10(th_lab *lab, th_error *error) {
  th_bvp_walker walker[2][4];
  th_bvp_trial trial[2];
  th_bvp_run run[2] = {0};
  th_result result = to_goal(lab, &run[0], &trial[0], walker[0], error);
  if (result == TH_OK) result = to_agent(lab, &run[1], &trial[1], walker[1], error);
  if (result == TH_OK) {
    th_bvp_panel panel[2] = {{&run[0], "v at the goal", &trial[0]}, {&run[1], "v at somebody who stands", &trial[1]}};
    result = th_bvp_draw(lab, panel, 2, "E10: harmonic, towards, and with the printed sign", error);
  }
  th_bvp_run_free(&run[0]);
  th_bvp_run_free(&run[1]);
  return result;
}

/* ---------------------------------------------------------------- E11: orthogonal vector */

static th_result meet(int kind, th_bvp_walker walker[2], th_bvp_trial *trial, th_bvp_run *run, th_error *error) {
  th_bvp_meeting(walker, 0.5f);
  for (int k = 0; k < 2 && kind; k++) {
    if (kind == 1) {
      walker[k].params.behaviour[TH_BVP_FIRST].kind = TH_BVP_ACROSS;
      walker[k].params.behaviour[TH_BVP_FIRST].hand = TH_BVP_RIGHT;
      walker[k].params.behaviour[TH_BVP_FIRST].strength = 0.8f;
      walker[k].params.sense = TH_SENSE_PULL;
    } else {
      th_bvp_on_sight(&walker[k].params, TH_BVP_ACROSS, 0.8f, 20.0f);
    }
  }
  *trial = th_bvp_meeting_trial(walker, 2, 600);
  return th_bvp_try(trial, run, error);
}

th_result th_bvp_e11(th_lab *lab, th_error *error) {
  th_bvp_walker walker[3][2];
  th_bvp_trial trial[3];
  th_bvp_run run[3] = {0}; /* harmonic, across from the start, across on sight */
  th_result result = TH_OK;
  for (int k = 0; k < 3 && result == TH_OK; k++) result = meet(k, walker[k], &trial[k], &run[k], error);
  if (result == TH_OK) {
    uint32_t seen = sighted(&run[2], 20.0);
    double apart = 0.0;
    for (uint32_t k = 0; k <= seen && k < run[0].tracks.track[0].count; k++)
      apart = fmax(apart, fabs((double)run[2].tracks.y[k] - (double)run[0].tracks.y[k]));
    double right1 = 10.5 - th_bvp_y_at(&run[1], 0, 40.0), right2 = th_bvp_y_at(&run[1], 1, 40.0) - 10.5;
    double late1 = 10.5 - th_bvp_y_at(&run[2], 0, 40.0), late2 = th_bvp_y_at(&run[2], 1, 40.0) - 10.5;
    th_lab_claim(lab, &(th_claim){"(b) and harmonic apart until sight", "cells", apart, 0, 0, 0, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"(a) a1 to its right at x = 40", "cells", right1, 0.5, 9.5, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"(a) a2 to its right", "cells", right2, 0.5, 9.5, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"(b) a1 to its right at x = 40", "cells", late1, 0.5, 9.5, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"(b) a2 to its right", "cells", late2, 0.5, 9.5, NONE, NONE, NULL});
    th_lab_claim(lab, &(th_claim){"arrive, of four", "", th_bvp_arrived(&run[1]) + th_bvp_arrived(&run[2]), 4, 4, 4,
                                  NONE, NULL});
    th_bvp_panel panel[2] = {{&run[1], "(a) from the start", &trial[1]}, {&run[2], "(b) on sight", &trial[2]}};
    result = th_bvp_draw(lab, panel, 2, "E11: v across the path, to the right", error);
  }
  for (int k = 0; k < 3; k++) th_bvp_run_free(&run[k]);
  return result;
}
