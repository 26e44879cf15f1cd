/* apps/throng/validation/results.c - the results of validation as JSON.
 *
 * Results are kept test by test and model by model, so that the whole may be run in pieces; page and figures are made
 * from them alone. Results of the earlier form, in which single seeds decided, have no verdicts of two bands and are
 * dropped.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "validation/page.h"

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

/* Null: there is no band. */
static json_t *band_json(th_band band, const char *source, th_judgement verdict) {
  if (verdict == TH_BAND_NONE) return json_null();
  json_t *row = json_pack("{s:o, s:o, s:s}", "min", number(band.min), "max", number(band.max), "verdict",
                          th_judgement_name(verdict));
  if (source) json_object_set_new(row, "source", json_string(source));
  return row;
}

static json_t *reading_json(const th_reading *r, th_judgement *published, th_judgement *ours) {
  const th_interval of = th_reading_interval(r);
  double least = INFINITY, most = -INFINITY;
  for (uint32_t i = 0; i < r->count; i++) {
    least = fmin(least, isnan(r->value[i]) ? INFINITY : r->value[i]);
    most = fmax(most, isnan(r->value[i]) ? INFINITY : r->value[i]);
  }
  const th_judgement by[2] = {th_judge_interval(&of, r->published), th_judge_interval(&of, r->ours)};
  *published = th_judge_both(*published, by[0]);
  *ours = th_judge_both(*ours, by[1]);
  return json_pack("{s:s, s:s, s:o, s:o, s:i, s:i, s:b, s:o, s:o, s:o, s:o}", "text", r->text, "unit", r->unit, "mean",
                   number(of.mean), "half", number(of.half), "n", (int)r->count, "never", (int)of.never, "whole",
                   (int)r->whole, "least", number(least), "most", number(most), "published",
                   band_json(r->published, r->source, by[0]), "ours", band_json(r->ours, NULL, by[1]));
}

static json_t *curve_json(const th_valid_curve *c) {
  json_t *x = json_array(), *y = json_array();
  for (uint32_t i = 0; i < c->count; i++) {
    json_array_append_new(x, json_real(c->x[i]));
    json_array_append_new(y, json_real(c->y[i]));
  }
  return json_pack("{s:s, s:s, s:o, s:o}", "figure", c->figure, "name", c->name, "x", x, "y", y);
}

json_t *th_valid_result(const th_valid_test *test, const th_valid_lab *lab, double seconds) {
  json_t *readings = json_array(), *curves = json_array();
  th_judgement published = TH_BAND_NONE, ours = TH_BAND_NONE;
  for (uint32_t i = 0; i < lab->reading_count; i++)
    json_array_append_new(readings, reading_json(&lab->reading[i], &published, &ours));
  for (uint32_t i = 0; i < lab->curve_count; i++) json_array_append_new(curves, curve_json(&lab->curve[i]));
  return json_pack("{s:s, s:s, s:I, s:i, s:f, s:s, s:s, s:o, s:o}", "test", test->id, "model", lab->model, "seed",
                   (json_int_t)lab->seed_first, "seeds", (int)lab->seed_count, "seconds", seconds, "published",
                   th_judgement_name(published), "ours", th_judgement_name(ours), "readings", readings, "curves",
                   curves);
}

const char *th_valid_text(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

double th_valid_number(const json_t *row, const char *key) {
  const json_t *value = json_object_get(row, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

void th_valid_band(char *text, size_t size, const json_t *band, const char *unit) {
  const double min = th_valid_number(band, "min"), max = th_valid_number(band, "max");
  const char *space = *unit ? " " : "";
  if (isnan(min) && isnan(max))
    snprintf(text, size, "none");
  else if (min == max)
    snprintf(text, size, "%.4g%s%s", min, space, unit);
  else if (isnan(max))
    snprintf(text, size, "at least %.4g%s%s", min, space, unit);
  else if (isnan(min))
    snprintf(text, size, "at most %.4g%s%s", max, space, unit);
  else
    snprintf(text, size, "%.4g to %.4g%s%s", min, max, space, unit);
}

/* As many digits as the interval tells, two of the interval itself; four at most. */
static void add_interval(char *text, size_t size, double mean, double half) {
  const int digits = half >= 5e-5 ? (int)fmax(0.0, fmin(4.0, 1.0 - floor(log10(half)))) : -1;
  if (digits < 0)
    snprintf(text, size, "%.4g", mean);
  else
    snprintf(text, size, "%.*f +- %.*f", digits, mean, digits, half);
}

void th_valid_measured(char *text, size_t size, const json_t *r) {
  const double mean = th_valid_number(r, "mean"), half = th_valid_number(r, "half");
  const int n = (int)th_valid_number(r, "n"), never = (int)th_valid_number(r, "never");
  char number[60] = "never";
  if (!isnan(mean) && isnan(half))
    snprintf(number, sizeof number, "%.4g", mean);
  else if (!isnan(mean))
    add_interval(number, sizeof number, mean, half);
  if (json_is_true(json_object_get(r, "whole")))
    snprintf(text, size, "%s, as a whole", number);
  else if (never && never < n)
    snprintf(text, size, "%s, n %d; never in %d of %d", number, n - never, never, n);
  else
    snprintf(text, size, "%s, n %d", number, n);
}

json_t *th_valid_find(const json_t *all, const char *test, const char *model) {
  size_t i;
  json_t *row;
  json_array_foreach(all, i, row) {
    if (!strcmp(th_valid_text(row, "test"), test) && !strcmp(th_valid_text(row, "model"), model)) return row;
  }
  return NULL;
}

th_result th_valid_merge(const char *folder, const json_t *fresh, json_t **all, th_error *error) {
  char path[1024];
  size_t i;
  json_t *row;
  th_cli_join(path, sizeof path, folder, "validation/results.json");
  json_t *before = json_load_file(path, 0, NULL);
  *all = json_array();
  json_array_foreach(before, i, row) {
    const bool of_this_form = *th_valid_text(row, "ours") != 0;
    if (of_this_form && !th_valid_find(fresh, th_valid_text(row, "test"), th_valid_text(row, "model")))
      json_array_append(*all, row);
  }
  json_array_foreach(fresh, i, row) json_array_append(*all, row);
  json_decref(before);
  if (json_dump_file(*all, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0) return TH_OK;
  return th_fail(error, TH_ERROR_FILE, path, "cannot be written");
}
