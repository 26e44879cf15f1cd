/* report/run_numbers.c - every number of a run under one name, and what many runs say of it.
 *
 * What a run measured stands in report.json by kind: the summary, lines, areas. Intervals over seeds and comparisons of
 * variants want them alike, so they are read from there, whatever they are called: a number that a later version adds
 * takes part. Over several runs each is given as mean, standard deviation (n - 1) and the half width of its 95 %
 * interval, t(0.975, n - 1) s / sqrt(n) (Student 1908): seeds are few, and the normal quantile would give too narrow an
 * interval. A number that a run did not measure is null and left out of the mean. So is the last arrival of a run in
 * which people are still there at the end: it is that of those who got out, and would be the earlier, the more did not.
 */
#include "report/run_numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/student.h"

enum { NAME_ROOM = 160 };

static void add(json_t *to, const char *kind, const char *name, const json_t *from) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)from, key, value) {
    char whole[NAME_ROOM];
    if (!json_is_number(value) && !json_is_null(value)) continue;
    if (kind)
      snprintf(whole, sizeof whole, "%s.%s.%s", kind, name, key);
    else
      snprintf(whole, sizeof whole, "%s", key);
    json_object_set(to, whole, value);
  }
}

static void add_list(json_t *to, const char *kind, const json_t *run) {
  const json_t *list = json_object_get(run, kind);
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *one = json_array_get(list, i);
    const char *name = json_string_value(json_object_get(one, "name"));
    if (name) add(to, kind, name, one);
  }
}

json_t *th_run_numbers(const json_t *run) {
  json_t *numbers = json_object();
  add(numbers, NULL, NULL, json_object_get(run, "summary"));
  if (json_integer_value(json_object_get(numbers, "remaining")) > 0)
    json_object_set_new(numbers, "arrival_last", json_null());
  add_list(numbers, "lines", run);
  add_list(numbers, "areas", run);
  return numbers;
}

double th_run_number(const json_t *numbers, const char *name) {
  const json_t *value = json_object_get(numbers, name);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *over(const json_t *numbers, const char *name) {
  double sum = 0.0, squares = 0.0;
  uint32_t n = 0;
  for (size_t k = 0; k < json_array_size(numbers); k++) {
    const double value = th_run_number(json_array_get(numbers, k), name);
    if (isfinite(value)) sum += value, n++;
  }
  const double mean = n ? sum / n : NAN;
  for (size_t k = 0; k < json_array_size(numbers); k++) {
    const double value = th_run_number(json_array_get(numbers, k), name);
    if (isfinite(value)) squares += (value - mean) * (value - mean);
  }
  const double spread = n > 1 ? sqrt(squares / (n - 1)) : NAN;
  json_t *object = json_object();
  json_object_set_new(object, "mean", number(mean));
  json_object_set_new(object, "spread", number(spread));
  json_object_set_new(object, "interval95", number(n > 1 ? th_student(n - 1) * spread / sqrt((double)n) : NAN));
  json_object_set_new(object, "runs", json_integer(n));
  return object;
}

json_t *th_run_numbers_over(const json_t *numbers) {
  json_t *all = json_object();
  const char *name;
  json_t *value;
  json_object_foreach(json_array_get(numbers, 0), name, value) json_object_set_new(all, name, over(numbers, name));
  return all;
}
