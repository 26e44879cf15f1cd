/* report/differences.c - two variants of a scene, each run over seeds: which numbers differ, and by how much.
 *
 * Where both have the same seeds, seed k of one meets seed k of the other: the same crowd walks in both, so what crowds
 * have in common drops out of the differences (paired test). Otherwise means are compared by Welch's test (Biometrika
 * 34, 1947) with its degrees of freedom rounded down. A number that is the same in all runs is not tested. Verdicts are
 * corrected for the many numbers (chance.c); the intervals are each number's own.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json.h"
#include "report/chance.h"
#include "report/run_numbers.h"
#include "report/student.h"
#include "throng/metrics.h"

#define LEVEL 0.05

/* A report: its runs by their numbers. */
typedef struct variant {
  json_t *root, *numbers;
} variant;

typedef struct sample {
  double mean, squares; /* of the deviations */
  uint32_t n;
} sample;

static void add(sample *s, double value) { /* Welford's recurrence */
  if (!isfinite(value)) return;
  const double off = value - s->mean;
  s->mean += off / ++s->n;
  s->squares += off * (value - s->mean);
}

static double error_of(const sample *s) { return s->n > 1 ? s->squares / (s->n - 1) / s->n : INFINITY; }

static const json_t *run_of(const variant *v, size_t k) { return json_array_get(json_object_get(v->root, "runs"), k); }

static bool same_seeds(const variant *a, const variant *b) {
  const size_t count = json_array_size(a->numbers);
  bool same = count == json_array_size(b->numbers);
  for (size_t k = 0; k < count && same; k++)
    same = json_equal(json_object_get(run_of(a, k), "seed"), json_object_get(run_of(b, k), "seed"));
  return same;
}

static void judge(th_difference *d, double error, uint32_t freedom) {
  d->difference = d->mean[1] - d->mean[0];
  d->interval95 = NAN, d->chance = NAN;
  if (freedom == 0 || !isfinite(error)) return;
  d->interval95 = th_student(freedom) * sqrt(error);
  if (error > 0.0) d->chance = th_chance_student(d->difference / sqrt(error), freedom);
  if (error == 0.0 && d->difference != 0.0) d->chance = 0.0;
}

static void compare_pairs(const variant *a, const variant *b, th_difference *d) {
  sample one = {.n = 0}, other = {.n = 0}, off = {.n = 0};
  for (size_t k = 0; k < json_array_size(a->numbers); k++) {
    const double x = th_run_number(json_array_get(a->numbers, k), d->name);
    const double y = th_run_number(json_array_get(b->numbers, k), d->name);
    if (!isfinite(x) || !isfinite(y)) continue;
    add(&one, x), add(&other, y), add(&off, y - x);
  }
  d->mean[0] = one.n ? one.mean : NAN, d->mean[1] = other.n ? other.mean : NAN;
  d->runs[0] = d->runs[1] = off.n;
  judge(d, error_of(&off), off.n > 1 ? off.n - 1 : 0);
  if (off.n) d->difference = off.mean;
}

static void compare_means(const variant *a, const variant *b, th_difference *d) {
  const variant *of[2] = {a, b};
  sample s[2] = {{.n = 0}, {.n = 0}};
  for (int i = 0; i < 2; i++) {
    for (size_t k = 0; k < json_array_size(of[i]->numbers); k++)
      add(&s[i], th_run_number(json_array_get(of[i]->numbers, k), d->name));
    d->mean[i] = s[i].n ? s[i].mean : NAN, d->runs[i] = s[i].n;
  }
  const double e0 = error_of(&s[0]), e1 = error_of(&s[1]), error = e0 + e1;
  double freedom = fmin(s[0].n, s[1].n) > 1 ? 1.0 : 0.0;
  if (freedom > 0.0 && error > 0.0) freedom = error * error / (e0 * e0 / (s[0].n - 1) + e1 * e1 / (s[1].n - 1));
  judge(d, error, (uint32_t)freedom);
}

static th_result load(const char *path, variant *v, th_error *error) {
  const th_env env = th_env_complete(NULL);
  th_json_file file = {0};
  th_result result = th_json_load(&env, path, &file, error);
  if (result) return result;
  const th_json_text text = {path, file.text, file.length};
  result = th_json_parse(&text, &v->root, error);
  th_json_unload(&env, &file);
  if (result) return result;
  const json_t *runs = json_object_get(v->root, "runs");
  if (json_array_size(runs) == 0)
    return th_fail(error, TH_ERROR_FORMAT, path, "expected a report with runs, as report.json of a run");
  v->numbers = json_array();
  for (size_t k = 0; k < json_array_size(runs); k++)
    json_array_append_new(v->numbers, th_run_numbers(json_array_get(runs, k)));
  return TH_OK;
}

/* Fills up to `capacity` places; returns how many numbers both have. */
static uint32_t compare_all(const variant *a, const variant *b, th_difference *list, uint32_t capacity) {
  const bool paired = same_seeds(a, b);
  const json_t *other = json_array_get(b->numbers, 0);
  uint32_t count = 0;
  const char *name;
  json_t *value;
  json_object_foreach(json_array_get(a->numbers, 0), name, value) {
    if (!json_object_get(other, name)) continue;
    if (count++ >= capacity) continue;
    th_difference *d = &list[count - 1];
    *d = (th_difference){.paired = paired};
    snprintf(d->name, sizeof d->name, "%s", name);
    (paired ? compare_pairs : compare_means)(a, b, d);
  }
  return count;
}

/* The verdicts of all that are listed. */
static th_result decide(th_difference *list, uint32_t count, th_error *error) {
  double chance[TH_MAX_DIFFERENCES] = {0};
  bool differs[TH_MAX_DIFFERENCES];
  if (count > TH_MAX_DIFFERENCES)
    return th_fail(error, TH_ERROR_CAPACITY, "report", "expected at most %d numbers", TH_MAX_DIFFERENCES);
  for (uint32_t k = 0; k < count; k++) chance[k] = list[k].chance;
  th_chance_holm(chance, count, LEVEL, differs);
  for (uint32_t k = 0; k < count; k++) list[k].differs = differs[k];
  return TH_OK;
}

th_result th_report_differences(const char *before, const char *after, th_difference list[TH_MAX_DIFFERENCES],
                                uint32_t *count, th_error *error) {
  variant a = {0}, b = {0};
  *count = 0;
  th_result result = load(before, &a, error);
  if (!result) result = load(after, &b, error);
  if (!result) {
    const uint32_t found = compare_all(&a, &b, list, TH_MAX_DIFFERENCES);
    result = decide(list, found, error);
    if (!result) *count = found;
  }
  json_decref(a.numbers), json_decref(a.root);
  json_decref(b.numbers), json_decref(b.root);
  return result;
}
