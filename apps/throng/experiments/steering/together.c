/* apps/throng/experiments/steering/together.c - experiments with several agents: encounters, leaders, partners; and how
 * smooth the paths are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments/steering/experiments.h"
#include "experiments/steering/lab.h"

enum { CROWDS = 40 };

/* What runs of one scene with many seeds come to. */
typedef struct tally {
  double contacts, arrived; /* runs with centres closer than 50 cm; agents that arrived */
  double ticks;             /* mean of the last arrival, of runs in which all arrive */
  double failed;            /* runs in which somebody does not arrive */
  double stray;             /* mean over runs of the farthest anybody went from its straight line [cm] */
} tally;

/* Farthest from the line between start and end of the others' and own goals: lateral displacement of an agent. */
static double lateral(const th_steer_run *r, uint32_t agent) {
  const double *a = r->at[agent][0], *b = r->at[agent][r->ticks];
  const double ex = b[0] - a[0], ey = b[1] - a[1], length = hypot(ex, ey);
  double most = 0;
  for (uint32_t t = 0; t <= r->ticks && length > 0; t++)
    most = fmax(most, fabs(ex * (r->at[agent][t][1] - a[1]) - ey * (r->at[agent][t][0] - a[0])) / length);
  return most;
}

static th_result run_crowds(th_lab *lab, const char *name, bool figure, tally *sum, th_error *error) {
  th_steer_run *r = calloc(1, sizeof *r);
  th_result result = r ? TH_OK : TH_ERROR_MEMORY;
  double whole = 0;
  *sum = (tally){0};
  for (uint32_t seed = 1; seed <= CROWDS && result == TH_OK; seed++) {
    result = th_steer_scene_run(lab, name, seed, figure && seed == 1, r, error);
    if (result != TH_OK) break;
    const bool all = th_steer_arrived(r) == r->agents;
    double stray = 0;
    for (uint32_t i = 0; i < r->agents; i++) stray = fmax(stray, lateral(r, i));
    sum->contacts += th_steer_least(r) < 50;
    sum->arrived += th_steer_arrived(r);
    sum->failed += !all;
    sum->ticks += all ? th_steer_last(r) : 0;
    sum->stray += stray / CROWDS;
    whole += all;
  }
  if (whole > 0) sum->ticks /= whole;
  free(r);
  return result;
}

static th_result run_some(th_lab *lab, const char *const *name, uint32_t count, uint32_t shown, th_steer_run **r,
                          th_error *error) {
  *r = calloc(count, sizeof **r);
  th_result result = *r ? TH_OK : TH_ERROR_MEMORY;
  for (uint32_t i = 0; i < count && result == TH_OK; i++)
    result = th_steer_scene_run(lab, name[i], 0, i == shown, *r + i, error);
  return result;
}

/* ---------------------------------------------------------------- encounters */

th_result th_steer_beside(th_lab *lab, th_error *error) {
  static const char *const name[] = {"head_on_obstacle"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 1, 0, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "arrive", "", th_steer_arrived(r), 2, 2, 2, NULL);
    TH_STEER_CLAIM(lab, "least distance of the two", "cm", th_steer_least(r), 50, INFINITY, 430, NULL);
    TH_STEER_CLAIM(lab, "least distance from the obstacle", "cm", fmin(r->clear[0], r->clear[1]), TH_STEER_CLEAR,
                   INFINITY, 15, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_overtake(th_lab *lab, th_error *error) {
  static const char *const name[] = {"overtaking_basic", "overtaking_circumvention"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 2, 1, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "basic: least distance", "cm", th_steer_least(&r[0]), 0, 50, 1, NULL);
    TH_STEER_CLAIM(lab, "basic: lateral move", "cm", lateral(&r[0], 0), 0, 1, 0, NULL);
    TH_STEER_CLAIM(lab, "circumvention: least distance", "cm", th_steer_least(&r[1]), 50, INFINITY, 298, NULL);
    TH_STEER_CLAIM(lab, "circumvention: the rear one arrives sooner by", "ticks",
                   (double)r[1].arrived[1] - (double)r[1].arrived[0], 1, INFINITY, NAN, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_head_on(th_lab *lab, th_error *error) {
  static const char *const name[] = {"head_on_none", "head_on_basic", "head_on_circumvention", "head_on_full"};
  tally sum[4];
  th_result result = TH_OK;
  for (int k = 0; k < 4 && result == TH_OK; k++) result = run_crowds(lab, name[k], k == 3, &sum[k], error);
  if (result != TH_OK) return result;
  TH_STEER_CLAIM(lab, "none: contacts of 40", "", sum[0].contacts, 40, 40, 40, NULL);
  TH_STEER_CLAIM(lab, "basic: contacts of 40", "", sum[1].contacts, 20, 40, 20, NULL);
  TH_STEER_CLAIM(lab, "circumvention: contacts of 40", "", sum[2].contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "full: contacts of 40", "", sum[3].contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "all four: arrive of 320", "", sum[0].arrived + sum[1].arrived + sum[2].arrived + sum[3].arrived,
                 320, 320, 320, NULL);
  return TH_OK;
}

th_result th_steer_pushing(th_lab *lab, th_error *error) {
  static const char *const name[] = {"pushing_none", "pushing_basic", "pushing_circumvention", "pushing_speed",
                                     "pushing_full"};
  tally sum[5];
  th_result result = TH_OK;
  for (int k = 0; k < 5 && result == TH_OK; k++) result = run_crowds(lab, name[k], k == 4, &sum[k], error);
  if (result != TH_OK) return result;
  TH_STEER_CLAIM(lab, "none: contacts of 40", "", sum[0].contacts, 20, 40, 40, NULL);
  TH_STEER_CLAIM(lab, "none: ticks", "", sum[0].ticks, 50, 70, 61, NULL);
  TH_STEER_CLAIM(lab, "basic: contacts of 40", "", sum[1].contacts, 0, 4, 0, NULL);
  TH_STEER_CLAIM(lab, "basic: ticks", "", sum[1].ticks, 65, 110, 80, NULL);
  TH_STEER_CLAIM(lab, "circumvention: ticks", "", sum[2].ticks, 90, 160, 137, NULL);
  TH_STEER_CLAIM(lab, "circumvention: farther from the line than basic by", "cm", sum[2].stray - sum[1].stray, 1,
                 INFINITY, NAN, NULL);
  TH_STEER_CLAIM(lab, "speed: contacts of 40", "", sum[3].contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "speed: ticks", "", sum[3].ticks, 55, 75, 64, NULL);
  TH_STEER_CLAIM(lab, "full: contacts of 40", "", sum[4].contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "full: ticks", "", sum[4].ticks, 55, 80, 66, NULL);
  return TH_OK;
}

th_result th_steer_surprise(th_lab *lab, th_error *error) {
  static const char *const name[] = {"surprise_none", "surprise_full"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 2, 1, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "none: least distance", "cm", th_steer_least(&r[0]), 0, 50, 6, NULL);
    TH_STEER_CLAIM(lab, "full: least distance", "cm", th_steer_least(&r[1]), 50, INFINITY, 143, NULL);
    TH_STEER_CLAIM(lab, "full: arrive", "", th_steer_arrived(&r[1]), 2, 2, 2, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_four(th_lab *lab, th_error *error) {
  static const char *const name[] = {"four_a", "four_b", "four_c", "four_d", "four_e"};
  tally sum[5];
  th_result result = TH_OK;
  for (int k = 0; k < 5 && result == TH_OK; k++) result = run_crowds(lab, name[k], k == 4, &sum[k], error);
  if (result != TH_OK) return result;
  TH_STEER_CLAIM(lab, "A: contacts of 40", "", sum[0].contacts, 36, 40, NAN, NULL);
  TH_STEER_CLAIM(lab, "B: contacts of 40", "", sum[1].contacts, 0, 10, 1, NULL);
  TH_STEER_CLAIM(
      lab, "C: contacts of 40", "", sum[2].contacts, 0, 0, 0,
      "in two crowds two of the four dodge the others into each other; circumvention alone does not brake, and "
      "the thesis itself speaks of fewer collisions, not of none");
  TH_STEER_CLAIM(lab, "D: contacts of 40", "", sum[3].contacts, 30, 40, 40, NULL);
  TH_STEER_CLAIM(lab, "E: contacts of 40", "", sum[4].contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "E: arrive of 160", "", sum[4].arrived, 160, 160, 160, NULL);
  return TH_OK;
}

th_result th_steer_group(th_lab *lab, th_error *error) {
  static const char *const name[] = {"group_a", "group_b", "group_c", "group_d"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 4, 3, &r, error);
  if (result == TH_OK) {
    const double single[4] = {lateral(&r[0], 3), lateral(&r[1], 3), lateral(&r[2], 3), lateral(&r[3], 3)};
    TH_STEER_CLAIM(lab, "A: lateral move of the single one", "cm", single[0], 0, 400, 225, NULL);
    TH_STEER_CLAIM(lab, "B: lateral move of the single one", "cm", single[1], 150, INFINITY, 553, NULL);
    TH_STEER_CLAIM(lab, "C: lateral move of the single one", "cm", single[2], 100, INFINITY, 382, NULL);
    TH_STEER_CLAIM(lab, "D: lateral move of the single one", "cm", single[3], 0, 250, 168, NULL);
    TH_STEER_CLAIM(lab, "B moves farther than D by", "cm", single[1] - single[3], 1, INFINITY, 385, NULL);
    TH_STEER_CLAIM(lab, "D: least distance", "cm", th_steer_least(&r[3]), 50, INFINITY, NAN, NULL);
  }
  free(r);
  return result;
}

/* ---------------------------------------------------------------- leaders */

/* Cosine between an agent's last heading and the direction to another agent. */
static double faces(const th_steer_run *r, uint32_t agent, uint32_t other) {
  const double x = r->at[other][r->ticks][0] - r->at[agent][r->ticks][0],
               y = r->at[other][r->ticks][1] - r->at[agent][r->ticks][1];
  return (x * r->look[agent][r->ticks][0] + y * r->look[agent][r->ticks][1]) / hypot(x, y);
}

th_result th_steer_follow(th_lab *lab, th_error *error) {
  static const char *const name[] = {"leader_far", "leader_near_off", "leader_near_on"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 3, 0, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "gap while the leader walks", "cm", th_steer_apart(&r[0], 0, 1, 100), 300, 360, 331, NULL);
    TH_STEER_CLAIM(lab, "gap when both stand", "cm", th_steer_apart(&r[0], 0, 1, r[0].ticks), 220, 380, 285, NULL);
    TH_STEER_CLAIM(lab, "looks at the leader: cosine", "", faces(&r[0], 1, 0), 0.98, 1, 1, NULL);
    TH_STEER_CLAIM(lab, "flips of turn or speed, per tick", "", th_steer_flips(&r[0], 1, 20, 110), 0, 0.02, 0, NULL);
    TH_STEER_CLAIM(lab, "too near, deceleration on: gap after 3 s", "cm", th_steer_apart(&r[2], 0, 1, 12), 240, 340,
                   297, NULL);
    TH_STEER_CLAIM(lab, "too near, deceleration on: turning", "degrees", th_steer_turning(&r[2], 1), 0, 5, 0, NULL);
    TH_STEER_CLAIM(lab, "too near, deceleration off: gap in the end", "cm", th_steer_apart(&r[1], 0, 1, r[1].ticks),
                   120, 260, 190, NULL);
  }
  free(r);
  return result;
}

/* Mean distance of a follower from its place beside the leader, by the leader's last step. */
static double place_error(const th_steer_run *r, uint32_t agent, double angle, double distance) {
  const double c = cos(angle / 57.29577951308232), s = sin(angle / 57.29577951308232);
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t t = 8; t <= r->ticks && t < r->arrived[0]; t++, count++) {
    const double vx = r->at[0][t][0] - r->at[0][t - 1][0], vy = r->at[0][t][1] - r->at[0][t - 1][1], v = hypot(vx, vy);
    if (!(v > 0)) continue;
    const double px = r->at[0][t][0] + distance * (vx * c - vy * s) / v,
                 py = r->at[0][t][1] + distance * (vx * s + vy * c) / v;
    sum += hypot(r->at[agent][t][0] - px, r->at[agent][t][1] - py);
  }
  return count ? sum / count : NAN;
}

th_result th_steer_cross(th_lab *lab, th_error *error) {
  static const char *const name[] = {"cross_tight", "cross_smooth"};
  static const double angle[3] = {-90, 90, 180};
  th_steer_run *r;
  th_result result = run_some(lab, name, 2, 0, &r, error);
  if (result == TH_OK) {
    double off[2] = {0, 0}, turning[2] = {0, 0}, standing = 0;
    for (int k = 0; k < 2; k++)
      for (uint32_t i = 1; i < 4; i++) {
        off[k] += place_error(&r[k], i, angle[i - 1], 300) / 3;
        turning[k] += th_steer_turning(&r[k], i) / 3;
        standing += th_steer_speed(&r[k], i, r[k].ticks) < 5;
      }
    TH_STEER_CLAIM(lab, "tight: mean distance from the place", "cm", off[0], 0, 120, 49, NULL);
    TH_STEER_CLAIM(lab, "smooth: mean distance from the place", "cm", off[1], 60, 300, 185, NULL);
    TH_STEER_CLAIM(lab, "tight: mean turning", "degrees", turning[0], 300, 1200, 760, NULL);
    TH_STEER_CLAIM(lab, "smooth turns less by", "degrees", turning[0] - turning[1], 1, INFINITY, 240, NULL);
    TH_STEER_CLAIM(lab, "of six followers stand in the end", "", standing, 6, 6, 6, NULL);
    /* right of the leader, who walks to the right of the picture at first: y is larger */
    TH_STEER_CLAIM(lab, "+90 degrees is on the right", "cm", r[0].at[2][20][1] - r[0].at[0][20][1], 200, 400, 300,
                   NULL);
  }
  free(r);
  return result;
}

th_result th_steer_memory(th_lab *lab, th_error *error) {
  static const char *const name[] = {"memory_off", "memory_on"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 2, 1, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "off: sharpest turn in a tick", "degrees", th_steer_sharpest(&r[0], 1, 30), 100, 180, 165,
                   NULL);
    TH_STEER_CLAIM(lab, "on: sharpest turn in a tick", "degrees", th_steer_sharpest(&r[1], 1, 30), 0, 100, 82, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_round(th_lab *lab, th_error *error) {
  static const char *const name[] = {"round_leader_off", "round_leader_on"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 2, 1, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "off: least distance", "cm", th_steer_least(&r[0]), 0, 30, 1, NULL);
    TH_STEER_CLAIM(lab, "on: least distance", "cm", th_steer_least(&r[1]), 100, INFINITY, 120, NULL);
    for (int k = 0; k < 2; k++)
      TH_STEER_CLAIM(lab, k ? "on: ahead of the leader in the end by" : "off: ahead of the leader in the end by", "cm",
                     r[k].at[1][r[k].ticks][0] - r[k].at[0][r[k].ticks][0], 200, 400, 300, NULL);
  }
  free(r);
  return result;
}

/* Largest gap between one and the next of the snake at a tick. */
static double widest(const th_steer_run *r, uint32_t tick) {
  double most = 0;
  for (uint32_t i = 1; i < r->agents; i++) most = fmax(most, th_steer_apart(r, i - 1, i, tick));
  return most;
}

static double fastest(const th_steer_run *r, uint32_t agent) {
  double most = 0;
  for (uint32_t t = 1; t <= r->ticks; t++) most = fmax(most, th_steer_speed(r, agent, t));
  return most;
}

th_result th_steer_snake(th_lab *lab, th_error *error) {
  static const char *const name[] = {"snake_walks", "snake_first_runs", "snake_runs"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 3, 0, &r, error);
  if (result == TH_OK) {
    double least = INFINITY, standing = 0;
    for (int k = 0; k < 3; k++) {
      least = fmin(least, th_steer_least(&r[k]));
      for (uint32_t i = 0; i < 5; i++) standing += th_steer_speed(&r[k], i, r[k].ticks) < 5;
    }
    TH_STEER_CLAIM(lab, "least distance in all three", "cm", least, 50, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "of fifteen stand in the end", "", standing, 15, 15, 15, NULL);
    TH_STEER_CLAIM(lab, "1/1: widest gap after 20 s", "cm", widest(&r[0], 80), 300, 500, 400, NULL);
    TH_STEER_CLAIM(lab, "3/1: widest gap after 12 s", "cm", widest(&r[1], 48), 450, 1200, 750, NULL);
    TH_STEER_CLAIM(lab, "3/3: widest gap after 12 s", "cm", widest(&r[2], 48), 300, 650, 450, NULL);
    TH_STEER_CLAIM(lab, "3/1: the second one runs at", "cm/s", fastest(&r[1], 1), 278, INFINITY, NAN, NULL);
  }
  free(r);
  return result;
}

/* ---------------------------------------------------------------- partners */

static double mean_gap(const th_steer_run *r, uint32_t from, uint32_t to) {
  double sum = 0;
  for (uint32_t t = from; t <= to; t++) sum += th_steer_apart(r, 0, 1, t);
  return sum / (to - from + 1);
}

th_result th_steer_pairs(th_lab *lab, th_error *error) {
  static const char *const name[] = {"beside", "pair_a", "pair_b", "pair_c"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 4, 3, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "side by side: mean gap", "cm", mean_gap(&r[0], 1, 80), 480, 520, 500, NULL);
    TH_STEER_CLAIM(lab, "side by side: look at each other in the end: cosine", "",
                   fmin(faces(&r[0], 0, 1), faces(&r[0], 1, 0)), 0.9, 1, 1, NULL);
    TH_STEER_CLAIM(lab, "A, one leads: gap on the way", "cm", mean_gap(&r[1], 40, 80), 130, 220, NAN, NULL);
    TH_STEER_CLAIM(lab, "B, equals: gap on the way", "cm", mean_gap(&r[2], 60, 90), 150, 300, NAN, NULL);
    TH_STEER_CLAIM(lab, "C, who wait: gap on the way", "cm", mean_gap(&r[3], 60, 90), 150, 300, NAN, NULL);
    TH_STEER_CLAIM(
        lab, "least distance in all four", "cm",
        fmin(fmin(th_steer_least(&r[0]), th_steer_least(&r[1])), fmin(th_steer_least(&r[2]), th_steer_least(&r[3]))),
        50, INFINITY, NAN, NULL);
  }
  free(r);
  return result;
}

/* The tick from which the one is ahead by less than half of what it was at first. */
static double abreast(const th_steer_run *r) {
  for (uint32_t t = 0; t <= r->ticks; t++)
    if (fabs(r->at[0][t][0] - r->at[1][t][0]) < 125) return t;
  return INFINITY;
}

th_result th_steer_give_way(th_lab *lab, th_error *error) {
  static const char *const name[] = {"give_way_off", "give_way_on"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 2, 1, &r, error);
  if (result == TH_OK) {
    const double off = abreast(&r[0]), on = abreast(&r[1]);
    TH_STEER_CLAIM(lab, "off: half abreast after", "ticks", off, 1, INFINITY, 40, NULL);
    TH_STEER_CLAIM(lab, "on, in the time without giving way: half abreast after", "", on / off, 0, 0.5, 0.275, NULL);
  }
  free(r);
  return result;
}

/* How far an agent goes back towards the start. */
static double back_walk(const th_steer_run *r, uint32_t agent) {
  double sum = 0;
  for (uint32_t t = 1; t <= r->ticks; t++) sum += fmax(0, r->at[agent][t - 1][0] - r->at[agent][t][0]);
  return sum;
}

th_result th_steer_wait(th_lab *lab, th_error *error) {
  static const char *const name[] = {"wait_off", "wait_on"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 2, 1, &r, error);
  if (result == TH_OK) {
    TH_STEER_CLAIM(lab, "off: walks back", "cm", back_walk(&r[0], 0), 600, 1500, 942, NULL);
    TH_STEER_CLAIM(lab, "on: walks back", "cm", back_walk(&r[1], 0), 0, 500, 358, NULL);
    TH_STEER_CLAIM(lab, "off: path of the first one", "cm", th_steer_length(&r[0], 0), 4500, 6000, 5301, NULL);
    TH_STEER_CLAIM(lab, "on: path of the first one", "cm", th_steer_length(&r[1], 0), 3300, 4600, 4110, NULL);
    TH_STEER_CLAIM(lab, "on: gap in the end", "cm", th_steer_apart(&r[1], 0, 1, r[1].ticks), 300, 500, 400, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_secret(th_lab *lab, th_error *error) {
  static const char *const name[] = {"secret"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 1, 0, &r, error);
  if (result == TH_OK) {
    double sum = 0, count = 0;
    for (uint32_t t = 0; t <= r->ticks; t++) {
      const double x = r->at[1][t][0], y = r->at[1][t][1];
      if (x > 700 && x < 3300 && y < 200) sum += 200 - y, count++;
    }
    TH_STEER_CLAIM(lab, "mean distance from the wall beside it", "cm", count > 0 ? sum / count : NAN, 120, 220, 160,
                   NULL);
    TH_STEER_CLAIM(lab, "least distance from the leader", "cm", th_steer_least(r), 500, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "speed in the end", "cm/s", th_steer_speed(r, 1, r->ticks), 0, 5, 0, NULL);
  }
  free(r);
  return result;
}

th_result th_steer_return(th_lab *lab, th_error *error) {
  static const char *const name[] = {"makes_room"};
  th_steer_run *r;
  th_result result = run_some(lab, name, 1, 0, &r, error);
  if (result == TH_OK) {
    double most = 0;
    for (uint32_t t = 0; t <= r->ticks; t++) most = fmax(most, hypot(r->at[0][t][0], r->at[0][t][1]));
    const double *end = r->at[0][r->ticks];
    TH_STEER_CLAIM(lab, "is displaced by at most", "cm", most, 50, 250, 157, NULL);
    TH_STEER_CLAIM(lab, "in the end from its target", "cm", hypot(end[0] - 50, end[1]), 0, 150, 145, NULL);
  }
  free(r);
  return result;
}

/* ---------------------------------------------------------------- smoothness */

/* All scenes in which every steering that is on has all of its extensions, but for those that the publication documents
 * as failing: target approaching with obstacle avoidance, or with wall following at its own weights, before a building
 * or a room (large_obstacle_a and _b, u_obstacle_a and _b, town_a and _b); and secret following, which passes its
 * leader in the end and turns back. */
static const char *const full[] = {
    "small_obstacle", "large_obstacle_c", "large_obstacle_d", "s_bend",         "u_obstacle_c",    "u_obstacle_d",
    "town_c",         "town_d",           "head_on_obstacle", "head_on_full",   "pushing_full",    "surprise_full",
    "four_e",         "zigzag_smooth",    "wall_outside",     "wall_inside",    "wall_front_on",   "tree_on",
    "speeds_up",      "changes",          "leader_far",       "leader_near_on", "snake_walks",     "snake_first_runs",
    "snake_runs",     "cross_tight",      "cross_smooth",     "memory_on",      "round_leader_on", "pair_a",
    "pair_c",         "beside",           "give_way_on",      "wait_on"};

/* Their steady stretches, from tick to tick: along a straight wall, in a straight corridor, freely to a target, behind
 * or beside somebody who walks straight on. */
static const struct {
  const char *name;
  uint32_t agent, from, to;
} steady[] = {{"wall_outside", 0, 4, 24},      {"wall_inside", 0, 2, 18},       {"secret", 0, 4, 120},
              {"zigzag_smooth", 0, 2, 18},     {"large_obstacle_d", 0, 45, 75}, {"u_obstacle_d", 0, 25, 50},
              {"town_d", 0, 60, 150},          {"small_obstacle", 0, 2, 10},    {"head_on_full", 0, 45, 60},
              {"changes", 0, 2, 18},           {"leader_far", 0, 10, 110},      {"leader_far", 1, 20, 110},
              {"leader_near_on", 1, 20, 80},   {"snake_walks", 1, 20, 45},      {"snake_walks", 4, 30, 55},
              {"snake_runs", 4, 15, 30},       {"cross_tight", 1, 20, 45},      {"cross_smooth", 2, 20, 45},
              {"round_leader_on", 1, 80, 160}, {"pair_a", 1, 20, 100},          {"pair_c", 0, 30, 90},
              {"beside", 0, 20, 80},           {"give_way_on", 1, 40, 90},      {"wait_on", 0, 80, 110}};

/* It turns by more than a full circle while it walks one metre: it spins on the spot. */
static bool spins(const th_steer_run *r, uint32_t agent) {
  for (uint32_t from = 2; from < r->ticks; from++) {
    double walked = 0, turn = 0;
    for (uint32_t t = from; t <= r->ticks && walked < 100 && t < from + 60; t++) {
      walked += th_steer_speed(r, agent, t) / 4.0;
      turn += fabs(th_steer_turn(r, agent, t));
      if (turn > 360) return true;
    }
  }
  return false;
}

th_result th_steer_quality(th_lab *lab, th_error *error) {
  th_steer_run *r = calloc(1, sizeof *r);
  th_result result = r ? TH_OK : TH_ERROR_MEMORY;
  double spun = 0, back = 0, touches = 0, contacts = 0, flips = 0, agents = 0;
  for (size_t k = 0; k < sizeof full / sizeof *full && result == TH_OK; k++) {
    result = th_steer_scene_run(lab, full[k], 0, false, r, error);
    contacts += result == TH_OK && r->agents > 1 && th_steer_least(r) < 50;
    for (uint32_t i = 0; i < r->agents && result == TH_OK; i++, agents++) {
      touches += r->clear[i] < TH_STEER_CLEAR;
      back += th_steer_sharpest(r, i, 2) > 90; /* bounces: it goes back within one tick */
      spun += spins(r, i);
    }
  }
  for (size_t k = 0; k < sizeof steady / sizeof *steady && result == TH_OK; k++) {
    result = th_steer_scene_run(lab, steady[k].name, 0, false, r, error);
    if (result == TH_OK) flips = fmax(flips, th_steer_flips(r, steady[k].agent, steady[k].from, steady[k].to));
  }
  free(r);
  if (result != TH_OK) return result;
  TH_STEER_CLAIM(lab, "agents in 34 scenes", "", agents, 68, 68, NAN, NULL);
  TH_STEER_CLAIM(lab, "scenes in which two touch", "", contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "agents that touch a wall", "", touches, 0, 0, 0,
                 "that of large_obstacle_c, where the target pulls straight through the wall (see AT-04)");
  TH_STEER_CLAIM(lab, "agents that go back within a tick", "", back, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "agents that spin on the spot", "", spun, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "most flips of turn or speed in 24 steady stretches, per tick", "", flips, 0, 0.02, 0, NULL);
  return TH_OK;
}
