/* apps/throng/validation/counterflow.c - people who walk towards each other.
 *
 * NIST 2.8: a hundred people of a room of 10 m x 10 m walk through a corridor of 10 m x 2 m into another room, against
 * 0, 10, 50 and 100 people who come from there. The test runs on flat ground and on hills of the same plan, whose edges
 * are as long as the cells of flat ground; there the limits are scaled by the time that one person alone takes. Other
 * tests: two people head on, and crowds at several time steps.
 */
#include <math.h>
#include <stdio.h>

#include "validation/lab.h"

#define CROWD(name, count, x0, x1, to)                                                              \
  "{\"name\": \"" name "\", \"count\": " count ", \"region\": {\"rectangle\": [[" x0 ", 0.3], [" x1 \
  ", 9.7]]},"                                                                                       \
  "\"route\": [\"" to "\"], \"model\": \"@model@\", \"speed\": {\"mean\": 1.34, \"spread\": 0.26}}"
#define GOALS                                                                                  \
  "\"goals\": [{\"name\": \"east\", \"line\": [[28.8, 0.5], [28.8, 9.5]], \"sink\": true,"     \
  "\"arrive\": 0.3}, {\"name\": \"west\", \"line\": [[1.2, 0.5], [1.2, 9.5]], \"sink\": true," \
  "\"arrive\": 0.3}]"

static const char flat[] =
    "\"ground\": {\"outline\": [{\"polygon\": [[0, 0], [10, 0], [10, 4], [20, 4], [20, 0], [30, 0], [30, 10], [20, 10],"
    "[20, 6], [10, 6], [10, 10], [0, 10]]}]}";
static const char hills[] =
    "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"terrain\", \"length\": 30, \"width\": 10, \"edge\": 0.25,"
    "\"height\": 1.5, \"wave\": 12}}, \"obstacles\": [{\"rectangle\": [[10, -0.1], [20, 4]]}, {\"rectangle\":"
    "[[10, 6], [20, 10.1]]}]}";

/* `east` people against `west`; one alone stands at a fixed place. */
static void scene_of(char *text, size_t size, const char *ground, uint32_t east, uint32_t west) {
  const int head = snprintf(
      text, size, "{\"version\": 1, \"name\": \"counterflow\", \"duration\": 300, %s, " GOALS ", \"populations\": [",
      ground);
  char *to = text + head;
  const size_t left = size - (size_t)head;
  if (east == 1)
    snprintf(to, left,
             "{\"name\": \"one\", \"positions\": [[2, 5, 0]], \"route\": [\"east\"], \"model\": \"@model@\"}]}");
  else if (west)
    snprintf(to, left, CROWD("a", "%u", "0.3", "9.7", "east") ", " CROWD("b", "%u", "20.3", "29.7", "west") "]}", east,
             west);
  else
    snprintf(to, left, CROWD("a", "%u", "0.3", "9.7", "east") "]}", east);
}

static th_result alone(th_valid_lab *lab, const char *ground, double *time, th_error *error) {
  char text[2400];
  scene_of(text, sizeof text, ground, 1, 0);
  th_trial trial = {.text = text, .seed = lab->seed_first};
  th_result result = th_trial_run(lab, &trial, error);
  if (result != TH_OK) return result;
  *time = trial.sum.arrival_last;
  th_trial_end(&trial);
  return TH_OK;
}

/* What the publication asks: the time grows with the people against, here seed by seed. */
static void note_growth(th_valid_lab *lab, const uint32_t *west, th_reading *const *time) {
  for (int k = 1; k < 4; k++) {
    char name[60];
    snprintf(name, sizeof name, "longer against %u than against %u by", west[k], west[k - 1]);
    th_reading *longer = th_valid_reading(lab, name, "s", NAN, NAN);
    th_valid_note_pairs(th_valid_published(longer, 0.0, INFINITY, "NIST: time grows"), time[k], time[k - 1]);
  }
}

static th_result against(th_valid_lab *lab, const char *ground, double scale, th_error *error) {
  static const uint32_t west[4] = {0, 10, 50, 100};
  static const double limit[4] = {55.0, 65.0, 80.0, 110.0};
  th_valid_curve *curve = th_valid_curve_of(lab, ground == flat ? "counterflow" : "counterflow-hills", lab->model);
  th_reading *through = th_valid_reading(lab, "get through, least share of all", "%", 100.0, 100.0), *time[4];
  th_valid_published(through, 100.0, 100.0, "NIST");
  for (int k = 0; k < 4; k++) {
    char name[60];
    snprintf(name, sizeof name, "100 against %u: the last one after", west[k]);
    time[k] = th_valid_reading(lab, name, "s", -INFINITY, limit[k] * scale);
  }
  const th_conduct conduct = th_conduct_of(lab);
  for (int k = 0; k < 4; k++) {
    char text[2400];
    scene_of(text, sizeof text, ground, 100, west[k]);
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      th_trial trial = {.text = text, .seed = lab->seed_first + i};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      const double share = 100.0 * trial.sum.arrived / (100.0 + west[k]);
      th_valid_note(time[k], share < 100.0 ? INFINITY : trial.sum.arrival_last);
      if (k == 0) th_valid_note(through, share);
      through->value[i] = fmin(through->value[i], share);
      if (k == 3) th_conduct_note(&conduct, &trial.sum);
      th_trial_end(&trial);
    }
    th_valid_point(curve, west[k], th_reading_mean(time[k]));
  }
  note_growth(lab, west, time);
  return TH_OK;
}

th_result th_valid_counterflow(th_valid_lab *lab, th_error *error) { return against(lab, flat, 1.0, error); }

th_result th_valid_counterflow_hills(th_valid_lab *lab, th_error *error) {
  double level = NAN, hilly = NAN;
  th_result result = alone(lab, flat, &level, error);
  if (result == TH_OK) result = alone(lab, hills, &hilly, error);
  if (result != TH_OK) return result;
  th_valid_note_whole(th_valid_reading(lab, "time of one alone by that on flat ground", "", 0.9, 2.0), hilly / level);
  return against(lab, hills, hilly / level, error);
}

/* ---------------------------------------------------------------- two people */

/* Head on, exactly opposite, in the open and in a corridor of 2 m: the time by that of one alone. */
th_result th_valid_meeting(th_valid_lab *lab, th_error *error) {
  static const char *const width[2] = {"10", "2"}, *const middle[2] = {"5", "1"};
  static const char *const name[2] = {"time by the free time, in the open",
                                      "time by the free time, in a corridor of 2 m"};
  for (int k = 0; k < 2; k++) {
    th_reading *reading = th_valid_reading(lab, name[k], "", 0.9, 1.1);
    double time[2] = {NAN, NAN}; /* nothing is drawn here: one seed is as good as another */
    for (int both = 0; both < 2; both++) {
      char text[1600];
      snprintf(text, sizeof text,
               "{\"version\": 1, \"name\": \"meeting\", \"duration\": 60, \"ground\": {\"outline\": [{\"rectangle\":"
               "[[0, 0], [22, %s]]}]}, \"goals\": [{\"name\": \"east\", \"line\": [[21, 0.3], [21, %s.7]]"
               "}, {\"name\": \"west\", \"line\": [[1, 0.3], [1, %s.7]]}],"
               "\"populations\": [{\"name\": \"a\", \"positions\": [[1, %s]], \"route\": [\"east\"], \"model\":"
               "\"@model@\"}%s%s%s]}",
               width[k], k ? "1" : "9", k ? "1" : "9", middle[k],
               both ? ", {\"name\": \"b\", \"positions\": [[21, " : "", both ? middle[k] : "",
               both ? "]], \"route\": [\"west\"], \"model\": \"@model@\"}" : "");
      th_trial trial = {.text = text, .seed = lab->seed_first};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      time[both] = trial.sum.arrived == trial.sum.agents ? trial.sum.arrival_last : INFINITY;
      th_trial_end(&trial);
    }
    th_valid_note_whole(reading, time[1] / time[0]);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- time steps */

/* The last arrival at each time step by that at 0.1 s, seed by seed. */
th_result th_valid_time_step(th_valid_lab *lab, th_error *error) {
  static const double dt[4] = {0.02, 0.05, 0.1, 0.2};
  char text[2400];
  th_reading time[4];
  scene_of(text, sizeof text, flat, 100, 50);
  for (int k = 0; k < 4; k++) {
    time[k] = (th_reading){.count = 0};
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      th_trial trial = {.text = text, .seed = lab->seed_first + i, .dt = dt[k]};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      th_valid_note(&time[k], trial.sum.arrived == 150 ? trial.sum.arrival_last : INFINITY);
      th_trial_end(&trial);
    }
  }
  for (int k = 0; k < 4; k++) {
    char name[80];
    if (k == 2) continue;
    snprintf(name, sizeof name, "100 against 50: last arrival with dt %g s by that with 0.1 s", dt[k]);
    th_reading *ratio = th_valid_reading(lab, name, "", 0.9, 1.1);
    for (uint32_t i = 0; i < time[k].count; i++) th_valid_note(ratio, time[k].value[i] / time[2].value[i]);
  }
  return TH_OK;
}
