/* apps/throng/validation/streams.c - crowds that no publication tests: wide doors, crossing streams, rasters.
 *
 * Doors of 1.2 to 2.4 m; two streams of 4 m that cross at 45 to 120 degrees; a door of 1 m on several rasters, whose
 * flow should be that of the door and not of the raster. The bands are ours.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "validation/lab.h"

#define HEAD "{\"version\": 1, \"name\": \"streams\", "
#define RASTER "\"cell\": 0.1, \"radius_classes\": [0.2]"

/* ---------------------------------------------------------------- doors */

/* Flow of the middle: between the tenth part of the people and nine tenths of them, when the crowd stands before the
 * door. */
static double steady_flow(const th_line_log *line, uint32_t people) {
  const uint32_t first = people / 10, last = 9 * people / 10;
  if (line->count <= last) return NAN;
  return (last - first) / (line->crossing[last].time - line->crossing[first].time);
}

th_result th_valid_wide_doors(th_valid_lab *lab, th_error *error) {
  static const double width[4] = {1.2, 1.6, 2.0, 2.4};
  for (int k = 0; k < 4; k++) {
    char text[2000], name[60];
    const uint32_t people = (uint32_t)(100.0 * width[k]);
    snprintf(text, sizeof text,
             HEAD
             "\"duration\": 300, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 10]]}, {\"rectangle\": [[12,"
             "%g], [12.2, %g]]}, {\"rectangle\": [[12.2, 0], [17, 10]]}], " RASTER
             "}, \"goals\": [{\"name\": \"exit\", \"line\": [[16, 1], [16, 9]], \"sink\": true"
             "}], \"measure\": {\"lines\": [{\"name\": \"door\", \"from\": [12.1, 9], \"to\": [12.1, 1]}]},"
             "\"populations\": [{\"name\": \"people\", \"count\": %u, \"region\": {\"rectangle\": [[0.3, 0.3], [10,"
             "9.7]]}, \"route\": [\"exit\"], \"model\": \"@model@\", \"speed\": {\"mean\": 1.34, \"spread\": 0.26}}]}",
             5.0 - width[k] / 2, 5.0 + width[k] / 2, people);
    snprintf(name, sizeof name, "flow of a door of %g m", width[k]);
    th_reading *flow = th_valid_reading(lab, name, "/m/s", -INFINITY, 2.1);
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      th_trial trial = {.text = text, .seed = lab->seed_first + i};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      th_valid_note(flow, steady_flow(th_trial_line(&trial, "door"), people) / width[k]);
      th_trial_end(&trial);
    }
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- crossing streams */

#define ARM 20.0    /* from the middle to either end [m] */
#define HALF 2.0    /* half the width of a stream */
#define CARRIED 2.0 /* outside its own stream by more than this [m] */
#define AFTER 160.0 /* everybody is out by then [s] */

enum { MOST = 1024 };

/* By index of the agent: whose generation was seen last, its stream, and whether it was carried off. */
typedef struct crossing {
  double angle[2]; /* of the streams */
  uint32_t generation[MOST], carried;
  uint8_t stream[MOST];
  bool off[MOST];
} crossing;

/* How far along a stream, and how far beside it. */
static double along(const crossing *c, uint32_t k, double x, double y) {
  return x * cos(c->angle[k]) + y * sin(c->angle[k]);
}
static double beside(const crossing *c, uint32_t k, double x, double y) {
  return fabs(y * cos(c->angle[k]) - x * sin(c->angle[k]));
}

static void watch_crossing(void *user, th_run *run) {
  crossing *c = user;
  const th_agents a = th_world_agents(th_run_world(run));
  for (uint32_t i = 0; i < a.count; i++) {
    const uint32_t n = a.id[i].index;
    const double x = (double)a.x[i], y = (double)a.y[i];
    if (n >= MOST) continue;
    if (c->generation[n] != a.id[i].generation) { /* new: it stands where its stream begins */
      c->generation[n] = a.id[i].generation;
      c->stream[n] = along(c, 1, x, y) < along(c, 0, x, y);
      c->off[n] = false;
    }
    if (c->off[n] || beside(c, c->stream[n], x, y) <= HALF + CARRIED) continue;
    c->off[n] = true;
    c->carried++;
  }
}

/* A rectangle of the stream, in its own coordinates. */
static int add_area(char *text, size_t size, double angle, const double box[4]) {
  const double s = sin(angle), c = cos(angle);
  int used = snprintf(text, size, "{\"polygon\": [");
  for (int k = 0; k < 4; k++) {
    const double u = box[k == 1 || k == 2 ? 2 : 0], v = box[k < 2 ? 1 : 3];
    used += snprintf(text + used, size - (size_t)used, "%s[%.5f, %.5f]", k ? ", " : "", u * c - v * s, u * s + v * c);
  }
  return used + snprintf(text + used, size - (size_t)used, "]}");
}

/* Three people per second and stream, for a minute. */
static void streams_of(char *text, size_t size, const crossing *c) {
  static const double whole[4] = {-ARM, -HALF, ARM, HALF}, start[4] = {-ARM + 0.3, -1.7, -ARM + 4.0, 1.7};
  int used = snprintf(text, size, HEAD "\"duration\": %g, \"ground\": {" RASTER ", \"outline\": [", AFTER);
  for (int k = 0; k < 2; k++) {
    if (k) used += snprintf(text + used, size - (size_t)used, ", ");
    used += add_area(text + used, size - (size_t)used, c->angle[k], whole);
  }
  used += snprintf(text + used, size - (size_t)used, "]}, \"goals\": [");
  for (int k = 0; k < 2; k++) {
    const double s = sin(c->angle[k]), o = cos(c->angle[k]), u = ARM - 0.8, v = HALF - 0.4;
    used += snprintf(text + used, size - (size_t)used,
                     "%s{\"name\": \"%c\", \"line\": [[%.5f, %.5f], [%.5f, %.5f]], \"sink\": true"
                     "}",
                     k ? ", " : "", 'a' + k, u * o - v * s, u * s + v * o, u * o + v * s, u * s - v * o);
  }
  used += snprintf(text + used, size - (size_t)used, "], \"sources\": [");
  for (int k = 0; k < 2; k++) {
    used += snprintf(text + used, size - (size_t)used, "%s{\"name\": \"%c\", \"region\": ", k ? ", " : "", 'a' + k);
    used += add_area(text + used, size - (size_t)used, c->angle[k], start);
    used += snprintf(text + used, size - (size_t)used,
                     ", \"rate\": 3, \"end\": 60, \"route\": [\"%c\"], \"model\": \"@model@\", \"speed\": {\"mean\":"
                     "1.34, \"spread\": 0.26}}",
                     'a' + k);
  }
  snprintf(text + used, size - (size_t)used, "]}");
}

th_result th_valid_crossing(th_valid_lab *lab, th_error *error) {
  static const double degrees[4] = {45.0, 60.0, 90.0, 120.0};
  for (int k = 0; k < 4; k++) {
    char text[4000], name[3][80];
    snprintf(name[0], 80, "%g degrees: not out after %g s", degrees[k], AFTER);
    snprintf(name[1], 80, "%g degrees: carried more than %g m off", degrees[k], CARRIED);
    snprintf(name[2], 80, "%g degrees: last one out after", degrees[k]);
    th_reading *left = th_valid_reading(lab, name[0], "", NAN, NAN);
    th_reading *carried = th_valid_reading(lab, name[1], "", -INFINITY, 2.0);
    th_reading *time = th_valid_reading(lab, name[2], "s", -INFINITY, AFTER);
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      crossing c = {.angle = {0.0, degrees[k] * 3.141592653589793 / 180.0}};
      streams_of(text, sizeof text, &c);
      th_trial trial = {.text = text, .seed = lab->seed_first + i, .watch = watch_crossing, .user = &c};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      th_valid_note(left, (double)trial.sum.agents - trial.sum.arrived);
      th_valid_note(carried, c.carried);
      th_valid_note(time, trial.sum.arrived == trial.sum.agents ? trial.sum.arrival_last : INFINITY);
      th_trial_end(&trial);
    }
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- rasters */

/* The door of NIST 5.2 on a raster, moved against it by `off` along both axes. */
static th_result flow_on(th_valid_lab *lab, double cell, double off, th_reading *flow, th_error *error) {
  char text[2000];
  snprintf(text, sizeof text,
           HEAD
           "\"duration\": 240, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 5]]}], \"obstacles\":"
           "[{\"rectangle\": [[%g, 0], [%g, %g]]}, {\"rectangle\": [[%g, %g], [%g, 5]]}], \"cell\": %g}, \"goals\":"
           "[{\"name\": \"exit\", \"line\": [[11, 0.5], [11, 4.5]], \"sink\": true}],"
           "\"measure\": {\"lines\": [{\"name\": \"door\", \"from\": [%g, 5], \"to\": [%g, 0]}]}, \"populations\":"
           "[{\"name\": \"people\", \"count\": 100, \"region\": {\"rectangle\": [[0.3, 0.3], [7.7, 4.7]]}, \"route\":"
           "[\"exit\"], \"model\": \"@model@\", \"speed\": {\"mean\": 1.34, \"spread\": 0.26}}]}",
           8 + off, 8.2 + off, 2 + off, 8 + off, 3 + off, 8.2 + off, cell, 8.1 + off, 8.1 + off);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    double out = NAN;
    (void)th_metrics_line(trial.metrics, "door", NULL, NULL, &out);
    th_valid_note(flow, out);
    th_trial_end(&trial);
  }
  return TH_OK;
}

th_result th_valid_rasters(th_valid_lab *lab, th_error *error) {
  static const double cell[4] = {0.1, 0.0625, 0.125, 0.25};
  th_reading *base = NULL;
  for (int k = 0; k < 8; k++) {
    char name[80];
    th_reading flow = {.count = 0}, *to = &flow;
    const char *moved = k % 2 ? ", moved by 0.05 m" : "";
    if (k == 0) base = to = th_valid_reading(lab, "flow of a door of 1 m, cells of 0.1 m", "/m/s", NAN, NAN);
    th_result result = flow_on(lab, cell[k / 2], k % 2 ? 0.05 : 0.0, to, error);
    if (result != TH_OK) return result;
    if (k == 0) continue;
    snprintf(name, sizeof name, "cells of %g m%s: flow by that", cell[k / 2], moved);
    th_reading *ratio = th_valid_reading(lab, name, "", 0.92, 1.08);
    for (uint32_t i = 0; i < flow.count; i++) th_valid_note(ratio, flow.value[i] / base->value[i]);
  }
  return TH_OK;
}
