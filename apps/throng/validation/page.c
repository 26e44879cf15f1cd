/* apps/throng/validation/page.c - the page of validation.
 *
 * Two bands are judged apart, that of the publication and our own, and stand side by side everywhere: a reader must
 * never take one for the other. Where a verdict is not "holds", the page says by how much, and why as far as we know.
 */
#include "validation/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "throng/model.h"

/* The columns of the page: models in the order of the registry, the default first. */
typedef struct page {
  FILE *out;
  const json_t *all;
  const char *model[16];
  uint32_t models;
} page;

static void list_models(page *p) {
  const char *first = th_default_agent_def().model->name;
  for (int pass = 0; pass < 2; pass++)
    for (const th_model *const *m = th_models(); *m && p->models < 16; m++) {
      bool there = false;
      size_t i;
      json_t *row;
      json_array_foreach(p->all, i, row) there = there || !strcmp(th_valid_text(row, "model"), (*m)->name);
      if (there && (strcmp((*m)->name, first) == 0) == (pass == 0)) p->model[p->models++] = (*m)->name;
    }
}

static const json_t *result_of(const page *p, const th_valid_test *t, uint32_t m) {
  return th_valid_find(p->all, t->id, p->model[m]);
}

/* A verdict, bold where it misses; a dash where there is no band. */
static const char *mark(const char *verdict) {
  if (!strcmp(verdict, "misses")) return "**misses**";
  return !*verdict || !strcmp(verdict, "none") ? "-" : verdict;
}

/* ---------------------------------------------------------------- all tests */

static void print_header(const page *p, const char *first, const char *rule) {
  fprintf(p->out, "%s", first);
  for (uint32_t m = 0; m < p->models; m++) fprintf(p->out, " | `%s`", p->model[m]);
  fprintf(p->out, " |\n%s", rule);
  for (uint32_t m = 0; m < p->models; m++) fprintf(p->out, "|---");
  fprintf(p->out, "|\n");
}

/* Tests of a model with this verdict of one of the two kinds of bands. */
static uint32_t count_of(const page *p, uint32_t m, const char *key, const char *verdict) {
  uint32_t count = 0;
  for (const th_valid_test *t = th_valid_tests; t->id; t++) {
    const json_t *row = t->run ? result_of(p, t, m) : NULL;
    count += row && !strcmp(th_valid_text(row, key), verdict);
  }
  return count;
}

static void print_counts(const page *p) {
  static const char *const key[2] = {"published", "ours"}, *const name[2] = {"published bands", "our bands"};
  static const char *const verdict[4] = {"holds", "undecided", "misses", "none"};
  static const char *const text[4] = {"hold", "undecided", "miss", "have none"};
  uint32_t open = 0;
  for (const th_valid_test *t = th_valid_tests; t->id; t++) open += !t->run;
  print_header(p, "| tests", "|---");
  for (int k = 0; k < 2; k++)
    for (int v = 0; v < 4; v++) {
      fprintf(p->out, "| %s: %s", name[k], text[v]);
      for (uint32_t m = 0; m < p->models; m++) fprintf(p->out, " | %u", count_of(p, m, key[k], verdict[v]));
      fprintf(p->out, " |\n");
    }
  fprintf(p->out, "\n%u tests are open: nothing was built that they could test.\n\n", open);
}

static void print_overview(const page *p) {
  print_header(p, "| test | what | published", "|---|---|---");
  for (const th_valid_test *t = th_valid_tests; t->id; t++) {
    fprintf(p->out, "| %s | %s | %s", t->id, t->title, t->published);
    for (uint32_t m = 0; m < p->models; m++) {
      const json_t *row = result_of(p, t, m);
      if (t->open || !row)
        fprintf(p->out, " | %s", t->open ? "open" : "not run");
      else
        fprintf(p->out, " | %s / %s", mark(th_valid_text(row, "published")), mark(th_valid_text(row, "ours")));
    }
    fprintf(p->out, " |\n");
  }
}

/* ---------------------------------------------------------------- one test */

static bool misses(const json_t *result) {
  return !strcmp(th_valid_text(result, "published"), "misses") || !strcmp(th_valid_text(result, "ours"), "misses");
}

static void print_reasons(const page *p, const th_valid_test *t) {
  for (uint32_t m = 0; m < p->models; m++) {
    const json_t *row = result_of(p, t, m);
    const char *reason = th_valid_reason(t->id, p->model[m]);
    if (row && misses(row) && reason) fprintf(p->out, "\n`%s`: %s.\n", p->model[m], reason);
  }
}

static void print_bands(const page *p, const json_t *r) {
  char text[100];
  const json_t *published = json_object_get(r, "published"), *ours = json_object_get(r, "ours");
  fprintf(p->out, "| %s", th_valid_text(r, "text"));
  th_valid_band(text, sizeof text, published, th_valid_text(r, "unit"));
  if (json_is_object(published))
    fprintf(p->out, " | %s (%s)", text, th_valid_text(published, "source"));
  else
    fprintf(p->out, " | -");
  th_valid_band(text, sizeof text, ours, th_valid_text(r, "unit"));
  fprintf(p->out, " | %s", json_is_object(ours) ? text : "-");
}

static void print_reading(const page *p, const json_t *result, size_t k) {
  const json_t *r = json_array_get(json_object_get(result, "readings"), k);
  char text[100];
  if (!r) {
    fprintf(p->out, " | ");
    return;
  }
  th_valid_measured(text, sizeof text, r);
  fprintf(p->out, " | %s: %s / %s", text, mark(th_valid_text(json_object_get(r, "published"), "verdict")),
          mark(th_valid_text(json_object_get(r, "ours"), "verdict")));
}

static void print_test(const page *p, const th_valid_test *t) {
  const json_t *some = NULL;
  for (uint32_t m = 0; m < p->models && !some; m++) some = result_of(p, t, m);
  fprintf(p->out, "\n### %s: %s\n\nPublished: %s.\n", t->id, t->title, t->published);
  if (t->differs) fprintf(p->out, "\nNot as published: %s.\n", t->differs);
  if (t->open) fprintf(p->out, "\nOpen: %s.\n", t->open);
  if (!some) return;
  fprintf(p->out, "\n");
  print_header(p, "| measured | published band | our band", "|---|---|---");
  for (size_t k = 0; k < json_array_size(json_object_get(some, "readings")); k++) {
    print_bands(p, json_array_get(json_object_get(some, "readings"), k));
    for (uint32_t m = 0; m < p->models; m++) print_reading(p, result_of(p, t, m), k);
    fprintf(p->out, " |\n");
  }
  print_reasons(p, t);
}

/* ---------------------------------------------------------------- the page */

static void print_figures(const page *p) {
  fprintf(p->out, "\n## Figures\n");
  for (const th_valid_figure *f = th_valid_figure_list; f->name; f++) {
    size_t i, k;
    json_t *row, *curve;
    bool there = false;
    json_array_foreach(p->all, i, row) json_array_foreach(json_object_get(row, "curves"), k, curve) there =
        there || !strcmp(th_valid_text(curve, "figure"), f->name);
    if (there) fprintf(p->out, "\n![%s](validation/%s.png)\n", f->title, f->name);
  }
}

/* Which seeds results have; they may come from several calls. */
static void print_seeds(const page *p) {
  double fewest = INFINITY, most = 0.0, first = INFINITY, last = 0.0;
  size_t i;
  json_t *row;
  json_array_foreach(p->all, i, row) {
    const double seeds = th_valid_number(row, "seeds"), seed = th_valid_number(row, "seed");
    fewest = fmin(fewest, seeds), most = fmax(most, seeds);
    first = fmin(first, seed), last = fmax(last, seed + seeds - 1.0);
  }
  if (fewest == most && last - first + 1.0 == most)
    fprintf(p->out, "Here every test has seeds %.0f to %.0f.\n\n", first, last);
  else
    fprintf(p->out, "Here tests have %.0f to %.0f seeds each, of %.0f to %.0f.\n\n", fewest, most, first, last);
}

static void print_protocol(const page *p) {
  fprintf(
      p->out,
      "# Validation\n\nPublished tests of crowds: RiMEA's guideline, NIST TN 1822, Weidmann's diagram, Seyfried's "
      "bottlenecks, and readings of\nour own of how people conduct themselves (`people.*`). `throng validate` runs "
      "them "
      "and writes this page;\n`throng validate nist.5.2 --model orca` runs one. Models have their defaults; `%s` is "
      "the "
      "one that people get when none\nis named.\n\n"
      "Each number is measured for seeds 1 to %d unless others are asked for, and told as its mean +- the half width "
      "of "
      "its 95 %%\ninterval (Student's t). There are two bands, and two verdicts that stand as *published / ours*: that "
      "of the publication, where it\ngives a number, and one of our own, where we have one. A band **holds** when the "
      "whole interval lies inside, **misses** when\nit lies outside, and is *undecided* when the interval crosses a "
      "limit. Where a publication has one number, its band is\n%g %% to either side. What grows or falls is judged by "
      "differences seed by seed. A number without a band is only told. A test\nhas the worst verdict of its numbers. "
      "What never came about in some run misses its bands. The exit code is 1 when the\ndefault model misses a band of "
      "ours; the published verdicts are there to be read.\n\n"
      "Constants of people were chosen on seeds from 1001 on and on scenes of their own (lab/people.md); seeds 1 to 20 "
      "chose nothing.\n\n",
      th_default_agent_def().model->name, TH_VALID_DEFAULT_SEEDS, 100.0 * TH_VALID_AROUND);
}

th_result th_valid_page(const char *folder, const json_t *all, th_error *error) {
  char path[1024];
  page p = {.all = all};
  list_models(&p);
  th_cli_join(path, sizeof path, folder, "validation.md");
  p.out = th_file_stream(path, "wb");
  if (!p.out) return th_fail(error, TH_ERROR_FILE, path, "cannot be written");
  print_protocol(&p);
  print_seeds(&p);
  print_counts(&p);
  print_overview(&p);
  print_figures(&p);
  fprintf(p.out, "\n## Numbers\n");
  for (const th_valid_test *t = th_valid_tests; t->id; t++) print_test(&p, t);
  if (fclose(p.out) == 0) return TH_OK;
  return th_fail(error, TH_ERROR_FILE, path, "cannot be written");
}
