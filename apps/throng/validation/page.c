/* apps/throng/validation/page.c - the results of validation as JSON and as a page.
 *
 * Results are kept test by test and model by model, so that the whole may be run in pieces; page and figures are made
 * from them alone. Our own band decides. Where a value misses it, the page says by how much, and why as far as we know.
 */
#include "validation/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "throng/model.h"

/* ---------------------------------------------------------------- JSON */

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *reading_json(const th_reading *r) {
  double min = INFINITY, max = -INFINITY;
  for (uint32_t i = 0; i < r->count; i++) {
    min = fmin(min, isnan(r->value[i]) ? INFINITY : r->value[i]);
    max = fmax(max, isnan(r->value[i]) ? INFINITY : r->value[i]);
  }
  json_t *row = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "text", r->text, "unit", r->unit,
                          "mean", number(th_reading_mean(r)), "spread", number(th_reading_spread(r)), "least",
                          number(min), "most", number(max), "min", number(r->min), "max", number(r->max), "by_mean",
                          (int)r->mean, "holds", (int)th_reading_holds(r));
  return row;
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
  bool holds = lab->reading_count > 0;
  for (uint32_t i = 0; i < lab->reading_count; i++) {
    json_array_append_new(readings, reading_json(&lab->reading[i]));
    holds = holds && th_reading_holds(&lab->reading[i]);
  }
  for (uint32_t i = 0; i < lab->curve_count; i++) json_array_append_new(curves, curve_json(&lab->curve[i]));
  return json_pack("{s:s, s:s, s:i, s:f, s:b, s:o, s:o}", "test", test->id, "model", lab->model, "seeds",
                   (int)lab->seed_count, "seconds", seconds, "holds", (int)holds, "readings", readings, "curves",
                   curves);
}

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static double number_of(const json_t *row, const char *key) {
  const json_t *value = json_object_get(row, key);
  return json_is_number(value) ? json_number_value(value) : NAN;
}

bool th_valid_holds(const json_t *result) { return json_is_true(json_object_get(result, "holds")); }

static json_t *find(const json_t *all, const char *test, const char *model) {
  size_t i;
  json_t *row;
  json_array_foreach(all, i,
                     row) if (!strcmp(text_of(row, "test"), test) && !strcmp(text_of(row, "model"), model)) return row;
  return NULL;
}

th_result th_valid_merge(const char *folder, const json_t *fresh, json_t **all, th_error *error) {
  char path[1024];
  size_t i;
  json_t *row;
  th_cli_join(path, sizeof path, folder, "validation/results.json");
  json_t *before = json_load_file(path, 0, NULL);
  *all = json_array();
  json_array_foreach(before, i, row) if (!find(fresh, text_of(row, "test"), text_of(row, "model")))
      json_array_append(*all, row);
  json_array_foreach(fresh, i, row) json_array_append(*all, row);
  json_decref(before);
  if (json_dump_file(*all, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0) return TH_OK;
  return th_fail(error, TH_ERROR_FILE, path, "cannot be written");
}

/* ---------------------------------------------------------------- page */

static void print_band(FILE *out, const json_t *r) {
  const double min = number_of(r, "min"), max = number_of(r, "max");
  const char *unit = text_of(r, "unit"), *space = *unit ? " " : "";
  if (!isnan(min) && min == max)
    fprintf(out, "%.4g%s%s", min, space, unit);
  else if (isnan(max))
    fprintf(out, "at least %.4g%s%s", min, space, unit);
  else if (isnan(min) || min == 0.0)
    fprintf(out, "at most %.4g%s%s", max, space, unit);
  else
    fprintf(out, "%.4g to %.4g%s%s", min, max, space, unit);
}

/* "1.52 (1.44 to 1.6)", bold where it misses its band. */
static void print_reading(FILE *out, const json_t *r) {
  const double mean = number_of(r, "mean"), least = number_of(r, "least"), most = number_of(r, "most");
  const bool holds = json_is_true(json_object_get(r, "holds"));
  fprintf(out, " | %s", holds ? "" : "**");
  if (isnan(mean))
    fprintf(out, "never");
  else
    fprintf(out, "%.3g", mean);
  if (!isnan(least) && (isnan(most) || most - least > 1e-3 * fabs(mean))) {
    fprintf(out, " (%.3g to ", least);
    if (isnan(most))
      fprintf(out, "never)");
    else
      fprintf(out, "%.3g)", most);
  }
  fprintf(out, "%s", holds ? "" : "**");
}

/* Models in the order of the registry, the default first. */
static uint32_t list_models(const json_t *all, const char *name[16]) {
  uint32_t count = 0;
  const char *first = th_default_agent_def().model->name;
  for (int pass = 0; pass < 2; pass++)
    for (const th_model *const *m = th_models(); *m && count < 16; m++) {
      bool there = false;
      size_t i;
      json_t *row;
      json_array_foreach(all, i, row) there = there || !strcmp(text_of(row, "model"), (*m)->name);
      if (there && (strcmp((*m)->name, first) == 0) == (pass == 0)) name[count++] = (*m)->name;
    }
  return count;
}

/* The fewest seeds of any test of a model. */
static int seeds_of(const json_t *all, const char *model) {
  int fewest = TH_VALID_SEEDS;
  size_t i;
  json_t *row;
  json_array_foreach(all, i, row) {
    const int seeds = (int)json_integer_value(json_object_get(row, "seeds"));
    if (!strcmp(text_of(row, "model"), model) && seeds < fewest) fewest = seeds;
  }
  return fewest;
}

static void print_overview(FILE *out, const json_t *all, const char *const *model, uint32_t models) {
  fprintf(out, "| test | what | published");
  for (uint32_t m = 0; m < models; m++) fprintf(out, " | `%s`, seeds: %d", model[m], seeds_of(all, model[m]));
  fprintf(out, " |\n|---|---|---");
  for (uint32_t m = 0; m < models; m++) fprintf(out, "|---");
  fprintf(out, "|\n");
  for (const th_valid_test *t = th_valid_tests; t->id; t++) {
    fprintf(out, "| %s | %s | %s", t->id, t->title, t->published);
    for (uint32_t m = 0; m < models; m++) {
      const json_t *row = find(all, t->id, model[m]);
      fprintf(out, " | %s", t->open ? "open" : !row ? "not run" : th_valid_holds(row) ? "holds" : "**misses**");
    }
    fprintf(out, " |\n");
  }
}

static void print_reasons(FILE *out, const json_t *all, const th_valid_test *t, const char *const *model,
                          uint32_t models) {
  for (uint32_t m = 0; m < models; m++) {
    const json_t *row = find(all, t->id, model[m]);
    const char *reason = th_valid_reason(t->id, model[m]);
    if (row && !th_valid_holds(row) && reason) fprintf(out, "\n`%s`: %s.\n", model[m], reason);
  }
}

static void print_test(FILE *out, const json_t *all, const th_valid_test *t, const char *const *model,
                       uint32_t models) {
  const json_t *some = NULL;
  for (uint32_t m = 0; m < models && !some; m++) some = find(all, t->id, model[m]);
  fprintf(out, "\n### %s: %s\n\nPublished: %s.\n", t->id, t->title, t->published);
  if (t->open) fprintf(out, "\nOpen: %s.\n", t->open);
  if (!some) return;
  fprintf(out, "\n| measured | our band");
  for (uint32_t m = 0; m < models; m++) fprintf(out, " | `%s`", model[m]);
  fprintf(out, " |\n|---|---");
  for (uint32_t m = 0; m < models; m++) fprintf(out, "|---");
  fprintf(out, "|\n");
  for (size_t k = 0; k < json_array_size(json_object_get(some, "readings")); k++) {
    const json_t *r = json_array_get(json_object_get(some, "readings"), k);
    fprintf(out, "| %s%s | ", text_of(r, "text"),
            json_is_true(json_object_get(r, "by_mean")) ? ", mean of the seeds" : "");
    print_band(out, r);
    for (uint32_t m = 0; m < models; m++) {
      const json_t *row = find(all, t->id, model[m]);
      if (row)
        print_reading(out, json_array_get(json_object_get(row, "readings"), k));
      else
        fprintf(out, " | ");
    }
    fprintf(out, " |\n");
  }
  print_reasons(out, all, t, model, models);
}

static void print_figures(FILE *out, const json_t *all) {
  for (const th_valid_figure *f = th_valid_figure_list; f->name; f++) {
    size_t i, k;
    json_t *row, *curve;
    bool there = false;
    json_array_foreach(all, i, row) json_array_foreach(json_object_get(row, "curves"), k, curve) there =
        there || !strcmp(text_of(curve, "figure"), f->name);
    if (there) fprintf(out, "\n![%s](validation/%s.png)\n", f->title, f->name);
  }
}

th_result th_valid_page(const char *folder, const json_t *all, th_error *error) {
  char path[1024];
  const char *model[16];
  const uint32_t models = list_models(all, model);
  th_cli_join(path, sizeof path, folder, "validation.md");
  FILE *out = fopen(path, "w");
  if (!out) return th_fail(error, TH_ERROR_FILE, path, "cannot be written");
  fprintf(
      out,
      "# Validation\n\nPublished tests of crowds: RiMEA's guideline, NIST TN 1822, Weidmann's diagram, Seyfried's "
      "bottlenecks.\n`throng validate` runs them and writes this page; `throng validate nist.5.2 --model orca` runs "
      "one. Models have their\ndefaults; `%s` is the one that people get when none is named, and its verdicts are "
      "the exit code. Beside the published\nband stands our own, which decides; every seed must meet it unless the "
      "mean is named. Each cell has the mean of the\nseeds, and least and greatest in brackets; bold misses the "
      "band.\n\n",
      th_default_agent_def().model->name);
  print_overview(out, all, model, models);
  fprintf(out, "\n## Figures\n");
  print_figures(out, all);
  fprintf(out, "\n## Numbers\n");
  for (const th_valid_test *t = th_valid_tests; t->id; t++) print_test(out, all, t, model, models);
  if (fclose(out) == 0) return TH_OK;
  return th_fail(error, TH_ERROR_FILE, path, "cannot be written");
}
