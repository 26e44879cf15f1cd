/* report/report.c - report.json: the numbers of one run, or of many seeds.
 *
 * A table of the members of the summary, then lines, areas and agents, each as one object; what several runs say
 * together is taken from their own parts (run_numbers.c). Cost: one pass over what was measured.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/file.h"
#include "io/text.h"
#include "report/metrics/metrics.h"
#include "report/run_numbers.h"

#define MAX_AGENTS 10000 /* listed one by one */
enum { MAX_MOTIONLESS = 100 };

typedef struct summary_key {
  const char *name;
  size_t offset;
  char type; /* d double, u uint32_t, U uint64_t */
} summary_key;

#define KEY(name, type) \
  { #name, offsetof(th_summary, name), type }
static const summary_key keys[] = {KEY(agents, 'u'),
                                   KEY(arrived, 'u'),
                                   KEY(lost, 'u'),
                                   KEY(stuck, 'u'),
                                   KEY(queued, 'u'),
                                   KEY(remaining, 'u'),
                                   KEY(motionless, 'u'),
                                   KEY(displaced, 'u'),
                                   KEY(duration, 'd'),
                                   KEY(arrival_first, 'd'),
                                   KEY(arrival_mean, 'd'),
                                   KEY(arrival_last, 'd'),
                                   KEY(path_mean, 'd'),
                                   KEY(speed_mean, 'd'),
                                   KEY(turning_mean, 'd'),
                                   KEY(jitter, 'd'),
                                   KEY(standing, 'd'),
                                   KEY(standing_turning, 'd'),
                                   KEY(backwards, 'd'),
                                   KEY(acceleration, 'd'),
                                   KEY(min_distance, 'd'),
                                   KEY(worst_overlap, 'd'),
                                   KEY(worst_full_overlap, 'd'),
                                   KEY(narrowed, 'd'),
                                   KEY(narrowed_free, 'd'),
                                   KEY(contacts, 'U'),
                                   KEY(contact_seconds, 'd'),
                                   KEY(wall_contacts, 'U'),
                                   KEY(wall_contact_seconds, 'd'),
                                   KEY(worst_wall_overlap, 'd')};
#define KEYS (sizeof keys / sizeof *keys)

static double key_value(const th_summary *summary, const summary_key *key) {
  const char *at = (const char *)summary + key->offset;
  if (key->type == 'd') return *(const double *)(const void *)at;
  if (key->type == 'u') return (double)*(const uint32_t *)(const void *)at;
  return (double)*(const uint64_t *)(const void *)at;
}

/* Nine digits exceed the accuracy of every measurement and are readable. */
static json_t *number(double value) {
  if (!isfinite(value)) return json_null();
  char text[40];
  snprintf(text, sizeof text, "%.9g", value);
  return json_real(strtod(text, NULL));
}

static json_t *key_json(const th_summary *summary, const summary_key *key) {
  double value = key_value(summary, key);
  return key->type == 'd' ? number(value) : json_integer((json_int_t)value);
}

static json_t *summary_json(const th_summary *summary) {
  json_t *object = json_object();
  for (size_t k = 0; k < KEYS; k++) json_object_set_new(object, keys[k].name, key_json(summary, &keys[k]));
  return object;
}

/* ---------------------------------------------------------------- one run */

static json_t *agents_json(const th_metrics *metrics) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < metrics->life_count && metrics->life_count <= MAX_AGENTS; k++) {
    const th_life *life = &metrics->life[k];
    json_t *one = json_object();
    json_object_set_new(one, "id", json_integer(k + 1));
    json_object_set_new(one, "entered", number(life->entered));
    json_object_set_new(one, "set_off", number(life->set_off));
    json_object_set_new(one, "arrived", number(life->arrived));
    json_object_set_new(one, "path", number(life->path));
    json_object_set_new(one, "speed", number(life->under_way > 0.0 ? life->path / life->under_way : NAN));
    json_object_set_new(one, "turning", number(life->turning));
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *curve_json(const th_metrics *metrics) {
  json_t *time = json_array(), *present = json_array(), *arrived = json_array(), *object = json_object();
  for (uint32_t k = 0; k < metrics->curve_count; k++) {
    json_array_append_new(time, number(metrics->curve[k].time));
    json_array_append_new(present, json_integer(metrics->curve[k].present));
    json_array_append_new(arrived, json_integer(metrics->curve[k].arrived));
  }
  json_object_set_new(object, "time", time);
  json_object_set_new(object, "present", present);
  json_object_set_new(object, "arrived", arrived);
  return object;
}

static json_t *lines_json(const th_metrics *metrics) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < metrics->line_count; k++) {
    const th_line_log *line = &metrics->line[k];
    uint32_t forwards = 0, backwards = 0;
    double flow = 0.0;
    (void)th_metrics_line(metrics, line->name, &forwards, &backwards, &flow);
    json_t *one = json_object(), *time = json_array(), *direction = json_array();
    for (uint32_t c = 0; c < line->count; c++) {
      json_array_append_new(time, number(line->crossing[c].time));
      json_array_append_new(direction, json_integer(line->crossing[c].forwards ? 1 : -1));
    }
    json_object_set_new(one, "name", json_string(line->name));
    json_object_set_new(one, "forwards", json_integer(forwards));
    json_object_set_new(one, "backwards", json_integer(backwards));
    json_object_set_new(one, "flow", number(flow));
    json_object_set_new(one, "longest_gap", number(th_metrics_line_gap(metrics, line->name)));
    json_object_set_new(one, "times", time);
    json_object_set_new(one, "directions", direction);
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *areas_json(const th_metrics *metrics) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < metrics->area_count; k++) {
    const th_area_log *area = &metrics->area[k];
    json_t *one = json_object(), *density = json_array(), *speed = json_array();
    double mean_density = 0.0, mean_speed = 0.0;
    (void)th_metrics_area(metrics, area->name, &mean_density, &mean_speed);
    for (uint32_t c = 0; c < metrics->curve_count; c++) {
      json_array_append_new(density, number(area->density[c]));
      json_array_append_new(speed, number(area->speed[c] >= 0.0 ? area->speed[c] : NAN));
    }
    json_object_set_new(one, "name", json_string(area->name));
    json_object_set_new(one, "size", number(area->size));
    json_object_set_new(one, "density", number(mean_density));
    json_object_set_new(one, "speed", number(mean_speed));
    json_object_set_new(one, "peak_density", number(area->most / area->size));
    json_object_set_new(one, "peak_time", number(area->most > 0.0 ? area->most_time : NAN));
    json_object_set_new(one, "densities", density);
    json_object_set_new(one, "speeds", speed);
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *exits_json(const th_metrics *metrics) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < metrics->exit_count; k++) {
    uint32_t arrived = 0;
    double first = NAN, last = NAN;
    if (!th_metrics_exit(metrics, metrics->exit[k].name, &arrived, &first, &last)) continue;
    json_t *one = json_object();
    json_object_set_new(one, "name", json_string(metrics->exit[k].name));
    json_object_set_new(one, "arrived", json_integer(arrived));
    json_object_set_new(one, "first", number(first));
    json_object_set_new(one, "last", number(last));
    json_array_append_new(list, one);
  }
  return list;
}

/* Where people stand for ever; the summary has their number. */
static json_t *motionless_json(const th_metrics *metrics) {
  th_vec3 point[MAX_MOTIONLESS];
  const uint32_t count = th_metrics_motionless(metrics, point, MAX_MOTIONLESS);
  json_t *list = json_array();
  for (uint32_t k = 0; k < count && k < MAX_MOTIONLESS; k++) {
    json_t *one = json_array();
    json_array_append_new(one, number((double)point[k].x));
    json_array_append_new(one, number((double)point[k].y));
    json_array_append_new(one, number((double)point[k].z));
    json_array_append_new(list, one);
  }
  return list;
}

static json_t *run_json(const th_metrics *metrics, uint64_t seed) {
  th_summary summary = th_metrics_summary(metrics);
  json_t *object = json_object();
  json_object_set_new(object, "seed", json_integer((json_int_t)seed));
  json_object_set_new(object, "summary", summary_json(&summary));
  json_object_set_new(object, "motionless", motionless_json(metrics));
  json_object_set_new(object, "evacuation", curve_json(metrics));
  json_object_set_new(object, "exits", exits_json(metrics));
  json_object_set_new(object, "lines", lines_json(metrics));
  json_object_set_new(object, "areas", areas_json(metrics));
  json_object_set_new(object, "agents", agents_json(metrics));
  return object;
}

/* ---------------------------------------------------------------- all runs */

static json_t *cost_json(const th_report_def *def) {
  double total = 0.0;
  json_t *object = json_object(), *seconds = json_object();
  for (int k = 0; k < TH_PHASE_COUNT; k++) {
    total += def->phase_seconds[k];
    json_object_set_new(seconds, th_phase_name((th_phase)k), number(def->phase_seconds[k]));
  }
  if (def->steps) json_object_set_new(object, "steps", json_integer((json_int_t)def->steps));
  if (def->wall_seconds > 0.0) json_object_set_new(object, "wall_seconds", number(def->wall_seconds));
  if (total > 0.0) json_object_set(object, "phase_seconds", seconds);
  if (total > 0.0 && def->steps) json_object_set_new(object, "us_per_step", number(1e6 * total / (double)def->steps));
  json_decref(seconds);
  return object;
}

static json_t *report_json(const th_report_def *def) {
  json_t *object = json_object(), *runs = json_array(), *numbers = json_array();
  json_object_set_new(object, "throng", json_string(th_version()));
  if (def->scene) json_object_set_new(object, "scene", json_string(def->scene));
  if (def->model) json_object_set_new(object, "model", json_string(def->model));
  for (uint32_t k = 0; k < def->run_count; k++) {
    json_t *run = run_json(def->run[k], def->seed ? def->seed[k] : k + 1);
    json_array_append_new(runs, run);
    json_array_append_new(numbers, th_run_numbers(run));
  }
  if (def->run_count > 1) json_object_set_new(object, "over_seeds", th_run_numbers_over(numbers));
  json_object_set_new(object, "cost", cost_json(def));
  json_object_set_new(object, "runs", runs);
  json_decref(numbers);
  return object;
}

th_report_def th_default_report_def(void) { return (th_report_def){0}; }

th_result th_report_text(const th_report_def *def, char **text, th_error *error) {
  const th_env env = th_env_complete(&def->env);
  json_t *object = report_json(def);
  *text = th_text_of_json(&env.allocator, object, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
  json_decref(object);
  return *text ? TH_OK : th_fail_memory(error, "report");
}

th_result th_report_write(const th_report_def *def, const char *path, th_error *error) {
  char part[4096], *text = NULL;
  if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
    return th_fail(error, TH_ERROR_FILE, path, "expected a name below %zu characters", sizeof part - 6);
  if (!th_file_is_replaceable(path))
    return th_fail(error, TH_ERROR_FILE, path, "expected a file that may be replaced, found a folder or device");
  th_result result = th_report_text(def, &text, error);
  if (result != TH_OK) return result;
  size_t size = strlen(text);
  FILE *out = th_file_fresh(part);
  bool good = out && fwrite(text, 1, size, out) == size && fputc('\n', out) != EOF;
  if (out) good = fclose(out) == 0 && good;
  good = good && th_file_rename(part, path);
  if (!good) {
    result = th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
    if (out) th_file_remove(part);
  }
  th_text_free(text);
  return result;
}
