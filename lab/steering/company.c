/* lab/steering/company.c - experiments with people who walk together: leaders and partners. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/steering/experiments.h"
#include "lab/steering/lab.h"

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
  th_result result = th_steer_scenes_run(lab, name, 3, 0, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 2, 0, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 2, 1, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 2, 1, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 3, 0, &r, error);
  if (result == TH_OK) {
    double least = INFINITY, standing = 0;
    for (int k = 0; k < 3; k++) {
      least = fmin(least, th_steer_least(&r[k]));
      for (uint32_t i = 0; i < 5; i++) standing += th_steer_speed(&r[k], i, r[k].ticks) < 5;
    }
    TH_STEER_CLAIM(lab, "least distance in all three", "cm", least, 50, INFINITY, NAN, NULL);
    TH_STEER_CLAIM(lab, "of fifteen stand in the end", "", standing, 15, 15, 15, NULL);
    TH_STEER_CLAIM(lab, "1/1: widest gap after 20 s", "cm", widest(&r[0], 80), 300, 500, 400, NULL);
    TH_STEER_CLAIM(lab, "3/1: widest gap after 12 s", "cm", widest(&r[1], 48), 600, 900, 750,
                   "the leader runs at once, and the one behind it only when it has fallen behind");
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
  th_result result = th_steer_scenes_run(lab, name, 4, 3, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 2, 1, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 2, 1, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 1, 0, &r, error);
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
  th_result result = th_steer_scenes_run(lab, name, 1, 0, &r, error);
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
