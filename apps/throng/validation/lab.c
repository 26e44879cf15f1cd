/* apps/throng/validation/lab.c - runs scenes of validation tests and keeps what they measure.
 *
 * A scene runs as with `throng run`, without files. Cost: that of the runs.
 */
#include "validation/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The scene with the model's name for every "@model@"; to be freed. */
static char *with_model(const char *text, const char *model) {
  static const char mark[] = "@model@";
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, mark)); at += sizeof mark - 1) count++;
  char *out = malloc(strlen(text) + count * strlen(model) + 1), *to = out;
  if (!out) return NULL;
  for (const char *at; (at = strstr(text, mark)); text = at + sizeof mark - 1) {
    to = (char *)memcpy(to, text, (size_t)(at - text)) + (at - text);
    to = (char *)memcpy(to, model, strlen(model)) + strlen(model);
  }
  memcpy(to, text, strlen(text) + 1);
  return out;
}

static th_result read_scene(const th_valid_lab *lab, const th_trial *trial, th_scene **scene, th_error *error) {
  char dt[40], duration[40];
  const char *set[TH_CLI_MAX_SETS + 2];
  uint32_t count = 0;
  char *text = with_model(trial->text, lab->model);
  if (!text) return th_fail_memory(error, "scene");
  snprintf(dt, sizeof dt, "dt=%.9g", trial->dt);
  snprintf(duration, sizeof duration, "duration=%.9g", trial->duration);
  if (trial->dt > 0.0) set[count++] = dt;
  if (trial->duration > 0.0) set[count++] = duration;
  for (uint32_t i = 0; i < lab->options->set_count; i++) set[count++] = lab->options->set[i];
  th_scene_def def = th_default_scene_def();
  def.path = "validation";
  def.text = text;
  def.length = strlen(text);
  def.set = set;
  def.set_count = count;
  th_result result = th_scene_make(&def, scene, error);
  free(text);
  return result;
}

th_result th_trial_run(th_valid_lab *lab, th_trial *trial, th_error *error) {
  th_scene *scene = NULL;
  trial->metrics = NULL;
  th_result result = read_scene(lab, trial, &scene, error);
  if (result != TH_OK) return result;
  th_options quiet = *lab->options;
  quiet.quiet = true;
  quiet.trace = quiet.log = NULL;
  quiet.duration = 0.0f;
  th_session session = {.options = &quiet, .scene = scene, .folder = lab->folder, .run_count = 1, .looked = true};
  session.space.whole = true;
  session.watch = trial->watch;
  session.watch_user = trial->user;
  result = th_session_seed(&session, trial->seed, NULL, error);
  trial->metrics = session.metrics;
  if (result == TH_OK) trial->sum = th_metrics_summary(trial->metrics);
  if (result != TH_OK) th_trial_end(trial);
  th_space_free(&session.space);
  th_scene_free(scene);
  return result;
}

void th_trial_end(th_trial *trial) {
  th_metrics_free(trial->metrics);
  trial->metrics = NULL;
}

/* ---------------------------------------------------------------- readings */

th_reading *th_valid_reading(th_valid_lab *lab, const char *text, const char *unit, double min, double max) {
  if (lab->reading_count < TH_VALID_READINGS) lab->reading_count++;
  th_reading *r = &lab->reading[lab->reading_count - 1];
  *r = (th_reading){.ours = {min, max}, .published = TH_NO_BAND};
  snprintf(r->text, sizeof r->text, "%s", text);
  snprintf(r->unit, sizeof r->unit, "%s", unit);
  return r;
}

th_reading *th_valid_published(th_reading *reading, double min, double max, const char *source) {
  reading->published = (th_band){min, max};
  snprintf(reading->source, sizeof reading->source, "%s", source);
  return reading;
}

th_reading *th_valid_published_number(th_reading *reading, double value, const char *source) {
  return th_valid_published(reading, (1.0 - TH_VALID_AROUND) * value, (1.0 + TH_VALID_AROUND) * value, source);
}

void th_valid_note(th_reading *reading, double value) {
  if (reading->count < TH_VALID_VALUES) reading->value[reading->count++] = value;
}

void th_valid_note_whole(th_reading *reading, double value) {
  reading->whole = true;
  th_valid_note(reading, value);
}

void th_valid_note_pairs(th_reading *reading, const th_reading *a, const th_reading *b) {
  const uint32_t count = a->count < b->count ? a->count : b->count;
  th_pair(a->value, b->value, count, reading->value);
  reading->count = count;
}

double th_reading_mean(const th_reading *reading) {
  double sum = 0.0;
  for (uint32_t i = 0; i < reading->count; i++) sum += reading->value[i];
  return reading->count ? sum / reading->count : NAN;
}

th_interval th_reading_interval(const th_reading *reading) {
  th_interval interval = th_interval_of(reading->value, reading->count);
  if (reading->whole) interval.half = 0.0;
  return interval;
}

th_valid_curve *th_valid_curve_of(th_valid_lab *lab, const char *figure, const char *name) {
  if (lab->curve_count == TH_VALID_CURVES) return NULL;
  th_valid_curve *curve = &lab->curve[lab->curve_count++];
  curve->count = 0;
  snprintf(curve->figure, sizeof curve->figure, "%s", figure);
  snprintf(curve->name, sizeof curve->name, "%s", name);
  return curve;
}

void th_valid_point(th_valid_curve *curve, double x, double y) {
  if (!curve || curve->count == TH_VALID_POINTS || !isfinite(x) || !isfinite(y)) return;
  curve->x[curve->count] = x;
  curve->y[curve->count++] = y;
}

th_conduct th_conduct_of(th_valid_lab *lab) {
  return (th_conduct){
      th_valid_reading(lab, "worst overlap of bodies as they are, shoulders turned", "%", -INFINITY, 5.0),
      th_valid_reading(lab, "worst overlap of full bodies", "%", -INFINITY, 25.0),
      th_valid_reading(lab, "time with shoulders turned outside jams", "%", -INFINITY, 5.0),
      th_valid_reading(lab, "turning while standing", "deg/s", -INFINITY, 10.0),
      th_valid_reading(lab, "time spent walking backwards", "%", -INFINITY, 1.0),
      th_valid_reading(lab, "acceleration, root mean square", "m/s2", -INFINITY, 1.0)};
}

/* A crowd in which nobody ever stood does not turn while standing. */
void th_conduct_note(const th_conduct *c, const th_summary *sum) {
  th_valid_note(c->overlap, 100.0 * sum->worst_overlap);
  th_valid_note(c->full, 100.0 * sum->worst_full_overlap);
  th_valid_note(c->narrowed, isnan(sum->narrowed_free) ? 0.0 : 100.0 * sum->narrowed_free);
  th_valid_note(c->turning, isnan(sum->standing_turning) ? 0.0 : 57.29577951308232 * sum->standing_turning);
  th_valid_note(c->backwards, 100.0 * sum->backwards);
  th_valid_note(c->acceleration, sum->acceleration);
}

/* ---------------------------------------------------------------- measured */

const th_line_log *th_trial_line(const th_trial *trial, const char *name) {
  for (uint32_t k = 0; k < trial->metrics->line_count; k++)
    if (!strcmp(trial->metrics->line[k].name, name)) return &trial->metrics->line[k];
  return NULL;
}

double th_trial_passed(const th_trial *trial, const char *name) {
  uint32_t there = 0, back = 0;
  return th_metrics_line(trial->metrics, name, &there, &back, NULL) ? fabs((double)there - (double)back) : NAN;
}

void th_trial_egress(th_valid_lab *lab, const th_trial *trial, const char *figure) {
  const th_metrics *m = trial->metrics;
  th_valid_curve *curve = th_valid_curve_of(lab, figure, lab->model);
  const uint32_t step = m->curve_count / (TH_VALID_POINTS - 2) + 1;
  for (uint32_t c = 0; c < m->curve_count; c += step) th_valid_point(curve, m->curve[c].time, m->curve[c].arrived);
}

double th_trial_density(const th_trial *trial, const char *name, double from, double to) {
  const th_metrics *m = trial->metrics;
  double sum = 0.0, count = 0.0;
  for (uint32_t k = 0; k < m->area_count; k++) {
    if (strcmp(m->area[k].name, name) != 0) continue;
    for (uint32_t c = 0; c < m->curve_count; c++)
      if (m->curve[c].time >= from && m->curve[c].time <= to) sum += m->area[k].density[c], count += 1.0;
  }
  return count > 0.0 ? sum / count : NAN;
}
