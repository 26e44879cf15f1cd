/* apps/throng/validation/bottleneck.c - doors and narrow corridors.
 *
 * NIST 5.1 and 5.2 (a hundred leave a room of 8 m x 5 m by a door of 1 m), 5.2 on hills of the same plan, too;
 * Seyfried et al. (2009): sixty people, 3.3 per m2, before a corridor 2.8 m long and 0.8 to 1.2 m wide, where flow
 * grows linearly with width and the jam holds 4 to 6 people per m2; RiMEA 12: how long the narrow part is, how far
 * behind it the goal lies, and two of them in a row.
 */
#include <math.h>
#include <stdio.h>

#include "validation/lab.h"

#define HEAD "{\"version\": 1, \"name\": \"bottleneck\", "
#define PEOPLE(count, x0, y0, x1, y1)                                                                           \
  "\"populations\": [{\"name\": \"people\", \"count\": " #count ", \"region\": {\"rectangle\": [[" #x0 ", " #y0 \
  "], [" #x1 ", " #y1                                                                                           \
  "]]}, \"route\": [\"exit\"], \"model\": \"@model@\", \"speed\": {\"mean\": 1.34, \"spread\": 0.26}}]"

/* ---------------------------------------------------------------- a door */

static const char door_goal[] =
    "\"goals\": [{\"name\": \"exit\", \"line\": [[11, 0.5], [11, 4.5]], \"sink\": true}],"
    "\"measure\": {\"lines\": [{\"name\": \"door\", \"from\": [8.1, 5], \"to\": [8.1, 0]}]}, \"duration\": 240, ";
static const char flat_door[] =
    "\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [12, 5]]}], \"obstacles\": [{\"rectangle\": [[8, 0], [8.2, "
    "2]]},"
    "{\"rectangle\": [[8, 3], [8.2, 5]]}], \"cell\": 0.1}, ";
static const char hilly_door[] =
    "\"ground\": {\"mesh\": {\"make\": {\"shape\": \"terrain\", \"length\": 12, \"width\": 5, \"edge\": 0.25, "
    "\"height\": 1,"
    "\"wave\": 8}}, \"obstacles\": [{\"rectangle\": [[8.05, -0.1], [8.2, 1.95]]}, {\"rectangle\": [[8.05, 3.05],"
    "[8.2, 5.1]]}]}, ";

static th_result door(th_valid_lab *lab, const char *ground, th_error *error) {
  char text[2400];
  snprintf(text, sizeof text, HEAD "%s%s" PEOPLE(100, 0.3, 0.3, 7.7, 4.7) "}", ground, door_goal);
  th_reading *all = th_valid_reading(lab, "leave, of 100", "", 100.0, 100.0);
  th_reading *flow = th_valid_reading(lab, "flow", "/m/s", 1.6, 2.0);
  th_reading *stop = th_valid_reading(lab, "longest time without anybody", "s", -INFINITY, 3.0);
  th_valid_published(flow, -INFINITY, 1.33, "NIST TN 1822");
  const th_conduct conduct = th_conduct_of(lab);
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    double out = 0.0;
    (void)th_metrics_line(trial.metrics, "door", NULL, NULL, &out);
    th_valid_note(all, trial.sum.arrived);
    th_valid_note(flow, out);
    th_valid_note(stop, th_metrics_line_gap(trial.metrics, "door"));
    th_conduct_note(&conduct, &trial.sum);
    if (i == 0) th_trial_egress(lab, &trial, ground == flat_door ? "egress" : "egress-hills");
    th_trial_end(&trial);
  }
  return TH_OK;
}

th_result th_valid_door(th_valid_lab *lab, th_error *error) { return door(lab, flat_door, error); }
th_result th_valid_door_hills(th_valid_lab *lab, th_error *error) { return door(lab, hilly_door, error); }

/* NIST 5.1: the room's exit leads into a corridor of 2 m x 12 m; people jam before the exit, not behind it. */
th_result th_valid_congestion(th_valid_lab *lab, th_error *error) {
  static const char text[] = HEAD
      "\"duration\": 240, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [8, 5]]}, {\"rectangle\": [[8, 2], [8.2,"
      "3]]}, {\"rectangle\": [[8.2, 1.5], [20.2, 3.5]]}], \"cell\": 0.1}, \"goals\": [{\"name\": \"exit\", \"line\":"
      "[[19.5, 1.8], [19.5, 3.2]], \"sink\": true}], \"measure\": {\"areas\": [{\"name\": "
      "\"exit\","
      "\"rectangle\": [[6.5, 1.5], [8, 3.5]]}, {\"name\": \"corridor\", \"rectangle\": [[12, 1.5], [13.5, "
      "3.5]]}]}, " PEOPLE(100, 0.3, 0.3, 7.7, 4.7) "}";
  th_reading *all = th_valid_reading(lab, "leave, of 100", "", 100.0, 100.0);
  th_reading *exit_peak = th_valid_reading(lab, "peak density at the room's exit", "/m2", NAN, NAN);
  th_reading *inside_peak = th_valid_reading(lab, "peak density in the corridor", "/m2", NAN, NAN);
  th_reading *more = th_valid_reading(lab, "peak at the exit above that in the corridor by", "/m2", 0.0, INFINITY);
  th_valid_published(more, 0.0, INFINITY, "NIST: congestion at the exit");
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    double peak[2] = {NAN, NAN};
    (void)th_metrics_area_peak(trial.metrics, "exit", &peak[0], NULL);
    (void)th_metrics_area_peak(trial.metrics, "corridor", &peak[1], NULL);
    th_valid_note(all, trial.sum.arrived);
    th_valid_note(exit_peak, peak[0]);
    th_valid_note(inside_peak, peak[1]);
    th_trial_end(&trial);
  }
  th_valid_note_pairs(more, exit_peak, inside_peak);
  return TH_OK;
}

/* ---------------------------------------------------------------- Seyfried's corridors */

/* Flow in the corridor's middle, longest stop, and the density before it while people 15 to 45 pass. */
typedef struct passage {
  double flow, stop, density;
} passage;

static passage passage_of(const th_trial *trial) {
  passage p = {NAN, th_metrics_line_gap(trial->metrics, "middle"), NAN};
  const th_line_log *line = th_trial_line(trial, "middle");
  (void)th_metrics_line(trial->metrics, "middle", NULL, NULL, &p.flow);
  if (line->count > 45) p.density = th_trial_density(trial, "jam", line->crossing[14].time, line->crossing[44].time);
  return p;
}

/* Cells of 0.05 m: with 0.1 m the walls of 0.9 and 1.1 m lie in the middle of cells, and a field leads people of 0.2 m
 * as if these corridors were 0.1 m narrower. */
static void narrow(char *text, size_t size, double width, double length) {
  const double low = 2.0 - width / 2, high = 2.0 + width / 2, end = 9.0 + length;
  snprintf(text, size,
           HEAD
           "\"duration\": 240, \"ground\": {\"outline\": [{\"polygon\": [[0, 0], [9, 0], [9, %g], [%g, %g], [%g, 0],"
           "[%g, 0], [%g, 4], [%g, 4], [%g, %g], [9, %g], [9, 4], [0, 4]]}], \"cell\": 0.05},"
           "\"goals\": [{\"name\": \"exit\", \"line\": [[%g, 0.5], [%g, 3.5]], \"sink\": true"
           "}], \"measure\": {\"lines\": [{\"name\": \"middle\", \"from\": [%g, 4], \"to\": [%g, 0]}],"
           "\"areas\": [{\"name\": \"jam\", \"rectangle\": [[8, 1.5], [9, 2.5]]}]}, " PEOPLE(60, 1.4, 0, 5.95, 4) "}",
           low, end, low, end, end + 4, end + 4, end, end, high, high, end + 3.5, end + 3.5, 9.0 + length / 2,
           9.0 + length / 2);
}

/* R2 of flow = slope x width. */
static double straightness(const double *width, const double *flow, uint32_t n) {
  double wf = 0.0, ww = 0.0, mean = 0.0, left = 0.0, all = 0.0;
  for (uint32_t k = 0; k < n; k++) wf += width[k] * flow[k], ww += width[k] * width[k], mean += flow[k] / n;
  for (uint32_t k = 0; k < n; k++) {
    left += (flow[k] - wf / ww * width[k]) * (flow[k] - wf / ww * width[k]);
    all += (flow[k] - mean) * (flow[k] - mean);
  }
  return 1.0 - left / all;
}

enum { WIDTHS = 5 };

/* What is read of all widths; specific flow as published, interpolated between those of the first and the last. */
typedef struct widths {
  double width[WIDTHS];
  th_reading *specific[WIDTHS], *stop, *jam;
  th_reading flow[WIDTHS]; /* people per second, for growth and the figure */
  th_conduct conduct;
} widths;

static widths widths_of(th_valid_lab *lab) {
  widths w = {.width = {0.8, 0.9, 1.0, 1.1, 1.2}};
  for (int k = 0; k < WIDTHS; k++) {
    char name[60];
    snprintf(name, sizeof name, "flow by width, %g m", w.width[k]);
    w.specific[k] = th_valid_reading(lab, name, "/m/s", 1.5, 2.1);
    th_valid_published_number(w.specific[k], 1.61 + (1.97 - 1.61) * (w.width[k] - 0.8) / 0.4, "Seyfried, 60 people");
  }
  w.stop = th_valid_reading(lab, "longest time without anybody, any width", "s", -INFINITY, 3.0);
  w.jam = th_valid_reading(lab, "density before it", "/m2", 3.5, 6.0);
  th_valid_published(w.jam, 4.0, 6.0, "Seyfried");
  w.conduct = th_conduct_of(lab);
  return w;
}

/* All widths for one seed. */
static th_result pass_widths(th_valid_lab *lab, widths *w, uint64_t seed, th_error *error) {
  double stop = 0.0, density = 0.0;
  for (int k = 0; k < WIDTHS; k++) {
    char text[2400];
    narrow(text, sizeof text, w->width[k], 2.8);
    th_trial trial = {.text = text, .seed = seed};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    const passage p = passage_of(&trial);
    th_valid_note(&w->flow[k], p.flow);
    th_valid_note(w->specific[k], p.flow / w->width[k]);
    stop = p.stop > stop ? p.stop : stop;
    density += p.density / WIDTHS;
    if (k == 0) th_conduct_note(&w->conduct, &trial.sum);
    th_trial_end(&trial);
  }
  th_valid_note(w->stop, stop);
  th_valid_note(w->jam, density);
  return TH_OK;
}

/* Flow grows with width from step to step, and as a line through the origin; R2 of the means is told. */
th_result th_valid_bottlenecks(th_valid_lab *lab, th_error *error) {
  widths w = widths_of(lab);
  double mean[WIDTHS];
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_result result = pass_widths(lab, &w, lab->seed_first + i, error);
    if (result != TH_OK) return result;
  }
  th_valid_curve *curve = th_valid_curve_of(lab, "bottleneck", lab->model);
  for (int k = 0; k < WIDTHS; k++) {
    char name[60];
    mean[k] = th_reading_mean(&w.flow[k]);
    th_valid_point(curve, w.width[k], mean[k]);
    if (k == 0) continue;
    snprintf(name, sizeof name, "growth of flow from %g to %g m", w.width[k - 1], w.width[k]);
    th_reading *growth = th_valid_reading(lab, name, "/s", 0.0, INFINITY);
    th_valid_note_pairs(th_valid_published(growth, 0.0, INFINITY, "RiMEA, Seyfried: grows"), &w.flow[k],
                        &w.flow[k - 1]);
  }
  th_valid_note_whole(th_valid_reading(lab, "R2 of a line through the origin, of the means", "", 0.9, INFINITY),
                      straightness(w.width, mean, WIDTHS));
  return TH_OK;
}

/* ---------------------------------------------------------------- RiMEA 12 */

/* Flow and last arrival of every seed; in the readings, which are no part of the lab. */
static th_result flow_of(th_valid_lab *lab, const char *text, th_reading *flow, th_reading *time, th_error *error) {
  *flow = *time = (th_reading){.count = 0};
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(flow, passage_of(&trial).flow);
    th_valid_note(time, trial.sum.arrived == trial.sum.agents ? trial.sum.arrival_last : INFINITY);
    th_trial_end(&trial);
  }
  return TH_OK;
}

static void note_ratio(th_reading *reading, const th_reading *a, const th_reading *b) {
  for (uint32_t i = 0; i < a->count && i < b->count; i++) th_valid_note(reading, a->value[i] / b->value[i]);
}

th_result th_valid_long_bottleneck(th_valid_lab *lab, th_error *error) {
  th_reading flow[2], time[2];
  for (int k = 0; k < 2; k++) {
    char text[2400];
    narrow(text, sizeof text, 1.0, k ? 5.0 : 0.2);
    th_result result = flow_of(lab, text, &flow[k], &time[k], error);
    if (result != TH_OK) return result;
  }
  note_ratio(th_valid_reading(lab, "flow of 5 m by flow of 0.2 m", "", 0.5, 1.05), &flow[1], &flow[0]);
  th_reading *longer = th_valid_reading(lab, "last arrival of 5 m by that of 0.2 m", "", 1.0, 3.0);
  note_ratio(th_valid_published(longer, 1.0, INFINITY, "RiMEA: slower"), &time[1], &time[0]);
  return TH_OK;
}

/* The goal 0.5, 2 and 10 m behind a door of 1 m: beyond a short distance the flow through the door must not depend on
 * it. */
th_result th_valid_goal_behind(th_valid_lab *lab, th_error *error) {
  static const double far[3] = {0.5, 2.0, 10.0};
  th_reading flow[3], time[3];
  for (int k = 0; k < 3; k++) {
    char text[2400];
    snprintf(text, sizeof text,
             HEAD
             "\"duration\": 300, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [10, 10]]}, {\"rectangle\": [[10,"
             "4.5], [10.2, 5.5]]}, {\"rectangle\": [[10.2, 0], [21, 10]]}], \"cell\": 0.1}, \"goals\": [{\"name\":"
             "\"exit\", \"line\": [[%g, 4.6], [%g, 5.4]], \"arrive\": 0.3, \"sink\": true}],"
             "\"measure\": {\"lines\": [{\"name\": \"middle\", \"from\": [10.1, 6], \"to\": [10.1, 4]}], \"areas\":"
             "[{\"name\": \"jam\", \"rectangle\": [[9, 4.5], [10, 5.5]]}]}, " PEOPLE(150, 0.3, 0.3, 7, 9.7) "}",
             10.2 + far[k], 10.2 + far[k]);
    th_result result = flow_of(lab, text, &flow[k], &time[k], error);
    if (result != TH_OK) return result;
  }
  note_ratio(th_valid_reading(lab, "flow with the goal at 2 m by that at 10 m", "", 0.85, 1.15), &flow[1], &flow[2]);
  note_ratio(th_valid_reading(lab, "flow with the goal at 0.5 m by that at 10 m", "", 0.5, 1.3), &flow[0], &flow[2]);
  th_reading *later = th_valid_reading(lab, "last arrival later with the goal at 2 m than at 0.5 m", "s", NAN, NAN);
  th_valid_note_pairs(th_valid_published(later, 0.0, INFINITY, "RiMEA: grows at first"), &time[1], &time[0]);
  return TH_OK;
}

/* Three rooms and two doors of the same width: the jam is before the first one. */
th_result th_valid_two_bottlenecks(th_valid_lab *lab, th_error *error) {
  static const char text[] = HEAD
      "\"duration\": 300, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [10, 10]]}, {\"rectangle\": [[10, 4.5],"
      "[10.2, 5.5]]}, {\"rectangle\": [[10.2, 0], [20, 10]]}, {\"rectangle\": [[20, 4.5], [20.2, 5.5]]},"
      "{\"rectangle\": [[20.2, 0], [24, 10]]}], \"cell\": 0.1}, \"goals\": [{\"name\": \"exit\", \"line\": [[23, 1],"
      "[23, 9]], \"sink\": true}], \"measure\": {\"lines\": [{\"name\": \"middle\", \"from\":"
      "[10.1, 6], \"to\": [10.1, 4]}], \"areas\": [{\"name\": \"jam\", \"rectangle\": [[9, 4.5], [10, 5.5]]},"
      "{\"name\": \"second\", \"rectangle\": [[19, 4.5], [20, 5.5]]}]}, " PEOPLE(150, 0.3, 0.3, 7, 9.7) "}";
  th_reading *ratio = th_valid_reading(lab, "density before the second by that before the first", "", -INFINITY, 0.8);
  th_valid_published(ratio, -INFINITY, 1.0, "RiMEA: jam at the first");
  for (uint32_t i = 0; i < lab->seed_count; i++) {
    th_trial trial = {.text = text, .seed = lab->seed_first + i};
    th_result result = th_trial_run(lab, &trial, error);
    if (result != TH_OK) return result;
    th_valid_note(ratio, th_trial_density(&trial, "second", 20.0, 60.0) / th_trial_density(&trial, "jam", 20.0, 60.0));
    th_trial_end(&trial);
  }
  return TH_OK;
}
