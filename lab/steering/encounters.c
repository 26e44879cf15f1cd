/* lab/steering/encounters.c - experiments with people who meet: head-on, crossing, overtaking. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/steering/experiments.h"
#include "lab/steering/lab.h"

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

th_result th_steer_beside(th_lab *lab, th_error *error) {
  static const char *const name[] = {"head_on_obstacle"};
  th_steer_run *r;
  th_result result = th_steer_scenes_run(lab, name, 1, 0, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 2, 1, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 2, 1, &r, error);
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
  TH_STEER_CLAIM(lab, "D: contacts of 40, in nearly every run", "", sum[3].contacts, 36, 40, 40,
                 "in nine crowds no two come within 50 cm of each other; why is not known");
  TH_STEER_CLAIM(lab, "E: contacts of 40", "", sum[4].contacts, 0, 0, 0, NULL);
  TH_STEER_CLAIM(lab, "E: arrive of 160", "", sum[4].arrived, 160, 160, 160, NULL);
  return TH_OK;
}

/* Least and greatest speed of an agent between its first seconds and its arrival [cm/s]. */
static void speeds(const th_steer_run *r, uint32_t agent, double *slowest, double *fastest) {
  *slowest = INFINITY, *fastest = 0;
  for (uint32_t t = 8; t + 4 < (r->arrived[agent] ? r->arrived[agent] : r->ticks); t++) {
    *slowest = fmin(*slowest, th_steer_speed(r, agent, t));
    *fastest = fmax(*fastest, th_steer_speed(r, agent, t));
  }
}

th_result th_steer_group(th_lab *lab, th_error *error) {
  static const char *const name[] = {"group_a", "group_b", "group_c", "group_d"};
  th_steer_run *r;
  th_result result = th_steer_scenes_run(lab, name, 4, 3, &r, error);
  if (result == TH_OK) {
    const double single[4] = {lateral(&r[0], 3), lateral(&r[1], 3), lateral(&r[2], 3), lateral(&r[3], 3)};
    double group[4] = {0}, slowest[4], fastest[4];
    for (int k = 0; k < 4; k++) {
      for (uint32_t i = 0; i < 3; i++) group[k] = fmax(group[k], lateral(&r[k], i));
      speeds(&r[k], 3, &slowest[k], &fastest[k]);
    }
    TH_STEER_CLAIM(lab, "A: lateral move of the single one", "cm", single[0], 0, 400, 225, NULL);
    TH_STEER_CLAIM(lab, "B: lateral move of the single one", "cm", single[1], 150, INFINITY, 553, NULL);
    TH_STEER_CLAIM(lab, "C: lateral move of the single one", "cm", single[2], 100, INFINITY, 382, NULL);
    TH_STEER_CLAIM(lab, "D: lateral move of the single one", "cm", single[3], 0, 250, 168, NULL);
    TH_STEER_CLAIM(lab, "B: the single one moves farther than in all others by", "cm",
                   single[1] - fmax(fmax(single[0], single[2]), single[3]), 1, INFINITY, 171, NULL);
    TH_STEER_CLAIM(lab, "B: some member of the group moves farther than in all others by", "cm",
                   group[1] - fmax(fmax(group[0], group[2]), group[3]), 1, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "C: the group dominates: the single one moves farther than any of it by", "cm",
                   single[2] - group[2], 1, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "D: the single one changes its speed: greatest by least", "", fastest[3] / slowest[3], 1.2,
                   INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "D: the single one arrives earlier than in all others by", "ticks",
                   fmin(fmin(r[0].arrived[3], r[1].arrived[3]), r[2].arrived[3]) - r[3].arrived[3], 1, INFINITY, NAN,
                   NULL);
    TH_STEER_CLAIM(lab, "D: least distance", "cm", th_steer_least(&r[3]), 50, INFINITY, NAN, NULL);
  }
  free(r);
  return result;
}
