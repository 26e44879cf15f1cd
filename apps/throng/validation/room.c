/* apps/throng/validation/room.c - crowds in buildings: RiMEA 9, 10, 13 and 15, NIST 4.1.
 *
 * A thousand people leave a room by four doors and by two; twelve rooms along a corridor with assigned exits; an exit
 * closes; a hundred people up and down stairs; five hundred round a corner and straight on.
 */
#include <math.h>
#include <stdio.h>

#include "validation/lab.h"

#define HEAD "{\"version\": 1, \"name\": \"room\", "

/* ---------------------------------------------------------------- a thousand people */

/* Doors of 1 m, 2 m from the corners, two in each of two opposite walls; people are gone 1.5 m behind them. */
static void room_of(char *text, size_t size, bool four) {
  snprintf(text, size,
           HEAD
           "\"duration\": 900, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [20, 20]]}, {\"rectangle\": [[-2,"
           "2], [0, 3]]}, {\"rectangle\": [[-2, 17], [0, 18]]}%s], \"cell\": 0.2}, \"goals\": [{\"name\": \"out\","
           "\"line\": %s, \"sink\": true}], \"populations\": [{\"name\": \"people\","
           "\"count\": 1000, \"region\": {\"rectangle\": [[0.3, 0.3], [19.7, 19.7]]}, \"route\": [\"out\"],"
           "\"model\": \"@model@\", \"speed\": {\"mean\": 1.34, \"spread\": 0.26}}]}",
           four ? ", {\"rectangle\": [[20, 2], [22, 3]]}, {\"rectangle\": [[20, 17], [22, 18]]}" : "",
           four ? "[[-1.6, 2.2], [-1.6, 17.8], [-1.6, 30], [21.6, 30], [21.6, 17.8], [21.6, 2.2]]"
                : "[[-1.6, 2.2], [-1.6, 17.8]]");
}

th_result th_valid_room(th_valid_lab *lab, th_error *error) {
  th_reading *all = th_valid_reading(lab, "leave, of 1000", "", 1000.0, 1000.0);
  th_reading *ratio = th_valid_reading(lab, "time with two doors by that with four", "", 1.6, 2.4);
  th_valid_published(ratio, 1.6, 2.4, "RiMEA: about twice; limits of implementers");
  th_reading *each = th_valid_reading(lab, "flow of each of four doors", "/s", 1.2, 2.0);
  const th_conduct conduct = th_conduct_of(lab);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    double time[2] = {NAN, NAN};
    for (int k = 0; k < 2; k++) {
      char text[2400];
      room_of(text, sizeof text, k == 0);
      th_trial trial = {.text = text, .seed = lab->seed_first + i};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      time[k] = trial.sum.arrived == 1000 ? trial.sum.arrival_last : INFINITY;
      if (k == 0) th_valid_note(all, trial.sum.arrived);
      if (k == 0) th_conduct_note(&conduct, &trial.sum);
      if (k == 0 && i == 0) th_trial_egress(lab, &trial, "room");
      th_trial_end(&trial);
    }
    th_valid_note(ratio, time[1] / time[0]);
    th_valid_note(each, 1000.0 / 4.0 / time[0]);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- twelve rooms */

/* Six rooms of 3 m on either side of a corridor of 1.2 m, doors of 0.9 m in their middle; the main exit of 1.2 m at the
 * left end, the other one at the right. Rooms 5, 6, 11 and 12 are led to the other exit. */
th_result th_valid_rooms(th_valid_lab *lab, th_error *error) {
  char text[16000];
  int used = snprintf(text, sizeof text,
                      HEAD
                      "\"duration\": 120, \"ground\": {\"outline\": [{\"rectangle\": [[0, 4], [18, 5.2]]},"
                      "{\"rectangle\": [[-2, 4], [0, 5.2]]}, {\"rectangle\": [[18, 4], [20, 5.2]]}");
  for (int i = 0; i < 12; i++) {
    const double x = 3.0 * (i % 6), low = i < 6 ? 0.0 : 5.4, wall = i < 6 ? 3.8 : 5.2;
    used += snprintf(text + used, sizeof text - (size_t)used,
                     ", {\"rectangle\": [[%g, %g], [%g, %g]]}, {\"rectangle\": [[%g, %g], [%g, %g]]}", x + 0.1, low,
                     x + 2.9, low + 3.8, x + 1.05, wall, x + 1.95, wall + 0.2);
  }
  used += snprintf(
      text + used, sizeof text - (size_t)used,
      "], \"cell\": 0.1}, \"goals\": [{\"name\": \"main\", \"line\": [[-1.7, 4.3], [-1.7, 4.9]], \"sink\": true"
      "}, {\"name\": \"other\", \"line\": [[19.7, 4.3], [19.7, 4.9]], \"sink\": true"
      "}], \"measure\": {\"lines\": [{\"name\": \"main\", \"from\": [-1, 4], \"to\":"
      "[-1, 5.2]}, {\"name\": \"other\", \"from\": [19, 4], \"to\": [19, 5.2]}]}, \"populations\": [");
  for (int i = 0; i < 12; i++) {
    const double x = 3.0 * (i % 6), low = i < 6 ? 0.0 : 5.4;
    used += snprintf(
        text + used, sizeof text - (size_t)used,
        "%s{\"name\": \"room %d\", \"count\": %d, \"region\": {\"rectangle\": [[%g, %g], [%g, %g]]}, \"route\":"
        "[\"%s\"], \"model\": \"@model@\"}",
        i ? ", " : "", i + 1, i == 2 ? 1 : 2, x + 0.4, low + 0.4, x + 2.6, low + 3.4, i % 6 < 4 ? "main" : "other");
  }
  snprintf(text + used, sizeof text - (size_t)used, "]}");
  th_reading *main_exit = th_valid_reading(lab, "leave by the main exit, of 15", "", 15.0, 15.0);
  th_reading *other = th_valid_reading(lab, "leave by the other exit, of 8", "", 8.0, 8.0);
  th_valid_published(main_exit, 15.0, 15.0, "RiMEA, NIST");
  th_valid_published(other, 8.0, 8.0, "RiMEA, NIST");
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(main_exit, th_trial_line(&trial, "main")->count);
    th_valid_note(other, th_trial_line(&trial, "other")->count);
    th_trial_end(&trial);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- an exit closes */

static const char flat[] =
    "\"outline\": [{\"rectangle\": [[3, 0], [23, 8]]}, {\"rectangle\": [[0, 3.4], [3, 4.6]]}, {\"rectangle\":"
    "[[23, 3.4], [26, 4.6]]}]";
static const char hills[] =
    "\"mesh\": {\"make\": {\"shape\": \"terrain\", \"length\": 26, \"width\": 8, \"edge\": 0.25, \"height\": 1.5,"
    "\"wave\": 12}}, \"obstacles\": [{\"rectangle\": [[-0.1, -0.1], [3, 3.4]]}, {\"rectangle\": [[-0.1, 4.6],"
    "[3, 8.1]]}, {\"rectangle\": [[23, -0.1], [26.1, 3.4]]}, {\"rectangle\": [[23, 4.6], [26.1, 8.1]]}]";

/* Forty people near the west exit of a room that has another one in the east; the west one closes at a time. */
static void exits_of(char *text, size_t size, const char *ground, double closes) {
  snprintf(text, size,
           HEAD
           "\"duration\": 200, \"ground\": {%s, \"doors\": [{\"name\": \"west\", \"rectangle\": [[2.5, 3.4], [3, 4.6]]"
           "}]}, \"goals\": [{\"name\": \"out\", \"lines\": [[[0.5, 3.7], [0.5, 4.3]], [[25.5, 3.7], [25.5, 4.3]]],"
           "\"sink\": true}], \"populations\": [{\"name\": \"people\", \"count\": 40,"
           "\"region\": {\"rectangle\": [[5, 0.5], [11, 7.5]]}, \"route\": [\"out\"], \"model\": \"@model@\"}],"
           "\"events\": [{\"at\": %g, \"close\": \"west\"}], \"measure\": {\"lines\": [{\"name\": \"west\", \"from\":"
           "[2.8, 3.4], \"to\": [2.8, 4.6]}, {\"name\": \"east\", \"from\": [23.5, 3.4], \"to\": [23.5, 4.6]}]}}",
           ground, closes);
}

/* It closes at once, half-way, and after all have left. The ground changes one step after the event. */
static th_result close_exit(th_valid_lab *lab, const char *ground, th_error *error) {
  static const double closes[3] = {1.0, 10.0, 190.0};
  th_reading *all = th_valid_reading(lab, "leave, of 40, exit closed after 1, 10 and 190 s", "", 40.0, 40.0);
  th_reading *lost = th_valid_reading(lab, "find no path", "", -INFINITY, 0.0);
  th_reading *east[3] = {th_valid_reading(lab, "closed after 1 s: leave by the other exit", "", 40.0, 40.0),
                         th_valid_reading(lab, "after 10 s: by the other exit", "", 5.0, 35.0),
                         th_valid_reading(lab, "after 190 s: by the other exit", "", -INFINITY, 0.0)};
  th_reading *late = th_valid_reading(lab, "after 10 s: through its door later than 10.25 s", "", -INFINITY, 0.0);
  th_valid_published(all, 40.0, 40.0, "NIST");
  th_valid_published(east[0], 40.0, 40.0, "NIST: people take another one");
  for (int k = 0; k < 3; k++) {
    char text[1800];
    exits_of(text, sizeof text, ground, closes[k]);
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      th_trial trial = {.text = text, .seed = lab->seed_first + i};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      const th_line_log *west = th_trial_line(&trial, "west");
      th_valid_note(all, trial.sum.arrived);
      th_valid_note(lost, trial.sum.lost);
      th_valid_note(east[k], th_trial_passed(&trial, "east"));
      double after = 0.0;
      for (uint32_t c = 0; c < west->count; c++) after += west->crossing[c].time > 10.25;
      if (k == 1) th_valid_note(late, after);
      th_trial_end(&trial);
    }
  }
  return TH_OK;
}

th_result th_valid_exit_closes(th_valid_lab *lab, th_error *error) { return close_exit(lab, flat, error); }

th_result th_valid_exit_closes_hills(th_valid_lab *lab, th_error *error) { return close_exit(lab, hills, error); }

/* ---------------------------------------------------------------- straight, round a corner, farther */

/* Mean times of the short path, the corner and the long path: each at least as long as the one before. */
static void note_order(th_valid_lab *lab, const th_reading mean[3]) {
  th_reading *corner = th_valid_reading(lab, "mean time of the corner by that of the short path", "", 1.0, 3.0);
  th_reading *longest = th_valid_reading(lab, "mean time of the long path by that of the corner", "", 1.0, 3.0);
  th_valid_published(corner, 1.0, INFINITY, "RiMEA");
  th_valid_published(longest, 1.0, INFINITY, "RiMEA");
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_valid_note(corner, mean[1].value[i] / mean[0].value[i]);
    th_valid_note(longest, mean[2].value[i] / mean[1].value[i]);
  }
}

th_result th_valid_corner_crowd(th_valid_lab *lab, th_error *error) {
  static const char *const ground[3] = {
      "{\"rectangle\": [[0, 0], [54, 20]]}",
      "{\"rectangle\": [[0, 0], [44, 20]]}, {\"rectangle\": [[24, 0], [44, 50]]}",
      "{\"rectangle\": [[0, 0], [85.4, 20]]}",
  };
  static const char *const goal[3] = {"[[53.5, 1], [53.5, 19]]", "[[25, 49.5], [43, 49.5]]", "[[84.9, 1], [84.9, 19]]"};
  th_reading mean[3];
  for (int k = 0; k < 3; k++) {
    char text[2000];
    mean[k] = (th_reading){.count = 0};
    snprintf(
        text, sizeof text,
        HEAD
        "\"duration\": 400, \"ground\": {\"outline\": [%s]}, \"goals\": [{\"name\": \"end\", \"line\": %s, \"sink\":"
        "true}], \"populations\": [{\"name\": \"people\", \"count\": 500, \"region\":"
        "{\"rectangle\": [[0.3, 0.3], [10, 19.7]]}, \"route\": [\"end\"], \"model\": \"@model@\", \"speed\":"
        "{\"mean\": 1.34, \"spread\": 0.26}}]}",
        ground[k], goal[k]);
    for (uint32_t i = 0; i < lab->seed_count; i++) {
      th_trial trial = {.text = text, .seed = lab->seed_first + i};
      th_result result = th_trial_run(lab, &trial, error);
      if (result != TH_OK) return result;
      th_valid_note(&mean[k], trial.sum.arrived == 500 ? trial.sum.arrival_mean : INFINITY);
      th_trial_end(&trial);
    }
  }
  note_order(lab, mean);
  return TH_OK;
}

/* ---------------------------------------------------------------- a hundred on stairs */

/* The guideline's Fig. 16, digitised by an implementer: speeds seen from above, by density. */
enum { CHART = 6 };
static const double chart_density[CHART] = {0.6, 0.8, 1.0, 1.2, 1.4, 1.5};
static const double chart_high[2][CHART] = {{1.12, 1.00, 0.89, 0.81, 0.76, 0.73}, {1.02, 0.93, 0.86, 0.80, 0.76, 0.74}};
static const double chart_low[2][CHART] = {{0.66, 0.60, 0.55, 0.50, 0.48, 0.48}, {0.48, 0.46, 0.46, 0.46, 0.46, 0.46}};

/* NAN outside the chart. */
static double chart_at(const double *speed, double density) {
  for (int k = 1; k < CHART; k++)
    if (density >= chart_density[k - 1] && density <= chart_density[k])
      return speed[k - 1] +
             (speed[k] - speed[k - 1]) * (density - chart_density[k - 1]) / (chart_density[k] - chart_density[k - 1]);
  return NAN;
}

/* What is read of one direction. */
typedef struct ascent {
  bool up;
  th_reading *speed, *density, *flow;
  th_reading *on_chart, *in_band, *above, *below; /* shares of the samples; distances from the band's edges */
} ascent;

/* Samples of the stairs, one per second, against the chart at the density of the same moment. */
static void note_chart(const ascent *a, const th_area_log *area, uint32_t samples) {
  double all = 0.0, on = 0.0, in = 0.0, above = 0.0, below = 0.0;
  for (uint32_t c = 0; c < samples; c++) {
    if (!(area->density[c] > 0.0)) continue;
    const double low = chart_at(chart_low[a->up], area->density[c]),
                 high = chart_at(chart_high[a->up], area->density[c]);
    const double speed = area->speed[c] * 5.0 / hypot(5.0, 3.0); /* seen from above */
    all += 1.0;
    if (isnan(low)) continue;
    on += 1.0, in += speed >= low && speed <= high;
    above += speed - low, below += high - speed;
  }
  th_valid_note(a->on_chart, 100.0 * on / all);
  th_valid_note(a->in_band, 100.0 * in / on);
  th_valid_note(a->above, above / on);
  th_valid_note(a->below, below / on);
}

static th_result stairs(th_valid_lab *lab, const ascent *a, th_error *error) {
  const bool up = a->up;
  char text[3000];
  const double start = up ? 0.0 : 15.0;
  snprintf(
      text, sizeof text,
      HEAD
      "\"duration\": 400, \"ground\": {\"mesh\": {\"building\": {\"levels\": [{\"number\": 1, \"z\": 0, \"outline\":"
      "[{\"rectangle\": [[0, 0], [10, 10]]}]}, {\"number\": 2, \"z\": 3, \"outline\": [{\"rectangle\": [[15, 0],"
      "[25, 10]]}]}], \"stairs\": [{\"from\": 1, \"to\": 2, \"rectangle\": [[10, 4], [15, 6]], \"rises\": \"east\","
      "\"speed\": 0.6, \"speed_up\": 0.53, \"speed_down\": 0.6}]}}}, \"goals\": [{\"name\": \"end\", \"line\":"
      "[[%g, 1, %g], [%g, 9, %g]], \"sink\": true}], \"populations\": [{\"name\":"
      "\"people\", \"count\": 100, \"region\": {\"rectangle\": [[%g, 0.5], [%g, 9.5]], \"level\": %d}, \"route\":"
      "[\"end\"], \"model\": \"@model@\", \"speed\": {\"mean\": 1.34, \"spread\": 0.26}}], \"measure\": {\"lines\":"
      "[{\"name\": \"middle\", \"from\": [12.5, 4], \"to\": [12.5, 6]}], \"areas\": [{\"name\": \"stairs\","
      "\"rectangle\": [[11, 4], [14, 6]]}]}}",
      up ? 24.0 : 1.0, up ? 3.0 : 0.0, up ? 24.0 : 1.0, up ? 3.0 : 0.0, start + 0.5, start + 9.5, up ? 1 : 2);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    double density = NAN, along = NAN, out = NAN;
    (void)th_metrics_area(trial.metrics, "stairs", &density, &along);
    (void)th_metrics_line(trial.metrics, "middle", NULL, NULL, &out);
    th_valid_note(a->speed, along * 5.0 / hypot(5.0, 3.0));
    th_valid_note(a->density, density);
    th_valid_note(a->flow, out / 2.0);
    note_chart(a, &trial.metrics->area[0], trial.metrics->curve_count);
    th_trial_end(&trial);
  }
  return TH_OK;
}

/* The readings of one direction, each named by it. */
static ascent ascent_of(th_valid_lab *lab, bool up) {
  char name[7][100];
  const char *to = up ? "up" : "down";
  snprintf(name[0], 100, "mean speed %s, seen from above", to);
  snprintf(name[1], 100, "flow %s", to);
  snprintf(name[2], 100, "%s: mean density on the stairs", to);
  snprintf(name[3], 100, "%s: seconds at densities of the chart, 0.6 to 1.5 /m2", to);
  snprintf(name[4], 100, "%s: of these inside its band of speeds", to);
  snprintf(name[5], 100, "%s: speed above the band's lower edge, mean of these", to);
  snprintf(name[6], 100, "%s: speed below the band's upper edge, mean of these", to);
  ascent a = {.up = up};
  a.speed = th_valid_reading(lab, name[0], "m/s", up ? 0.35 : 0.4, up ? 0.8 : 0.9);
  a.flow = th_valid_reading(lab, name[1], "/m/s", up ? 0.5 : 0.6, up ? 1.3 : 1.4);
  a.density = th_valid_reading(lab, name[2], "/m2", NAN, NAN);
  a.on_chart = th_valid_reading(lab, name[3], "%", NAN, NAN);
  a.in_band = th_valid_reading(lab, name[4], "%", NAN, NAN);
  a.above = th_valid_published(th_valid_reading(lab, name[5], "m/s", NAN, NAN), 0.0, INFINITY, "RiMEA, Fig. 16");
  a.below = th_valid_published(th_valid_reading(lab, name[6], "m/s", NAN, NAN), 0.0, INFINITY, "RiMEA, Fig. 16");
  return a;
}

th_result th_valid_stairs_crowd(th_valid_lab *lab, th_error *error) {
  ascent a[2];
  for (int up = 0; up < 2; up++) {
    a[up] = ascent_of(lab, up);
    th_result result = stairs(lab, &a[up], error);
    if (result != TH_OK) return result;
  }
  th_reading *faster = th_valid_reading(lab, "speed down by speed up", "", 1.0, 1.5);
  th_valid_published(faster, 1.0, INFINITY, "RiMEA: down faster than up");
  for (uint32_t i = 0; i < lab->seed_count; i++) th_valid_note(faster, a[0].speed->value[i] / a[1].speed->value[i]);
  return TH_OK;
}
