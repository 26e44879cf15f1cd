/* lab/page.c - the results of a group of experiments, as a page that can be read and compared.
 *
 * It is made from the rows of the JSON output alone, so page and program cannot disagree. Numbers that depend on the
 * speed of the machine are marked with an asterisk: lab/reproduce_page leaves them out when it checks whether
 * pages are up to date. Memory does not depend on the machine, even where times are measured in the same
 * experiment.
 */
#include "lab/page.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static double number_of(const json_t *row, const char *key, double otherwise) {
  const json_t *value = json_object_get(row, key);
  return json_is_number(value) ? json_number_value(value) : otherwise;
}

static bool timed(const json_t *row) { return json_is_true(json_object_get(row, "timed")); }

static bool holds(const json_t *row) { return strcmp(text_of(row, "verdict"), "holds") == 0; }

/* A vertical bar would end the cell of a table. */
static void print_cell(FILE *file, const char *text) {
  for (; *text; text++) fprintf(file, *text == '|' ? "\\|" : "%c", *text);
}

static void print_band(FILE *file, const json_t *claim) {
  double min = number_of(claim, "min", -INFINITY), max = number_of(claim, "max", INFINITY);
  if (min == max)
    fprintf(file, "%.4g", min);
  else if (!isfinite(max))
    fprintf(file, "at least %.4g", min);
  else if (!isfinite(min))
    fprintf(file, "at most %.4g", max);
  else
    fprintf(file, "%.4g to %.4g", min, max);
}

static void print_optional(FILE *file, const json_t *claim, const char *key) {
  double value = number_of(claim, key, NAN);
  fprintf(file, " | ");
  if (!isnan(value)) fprintf(file, "%.4g", value);
}

static bool is_memory(const char *unit) {
  return !strcmp(unit, "bytes") || !strcmp(unit, "MiB") || !strcmp(unit, "GiB");
}

/* A pin in yardsticks tells how many of them; its claim has an asterisk already. */
static void print_pin(FILE *file, const json_t *claim) {
  double pin = number_of(claim, "pin", NAN), slack = number_of(claim, "slack", 0.0);
  if (isnan(pin) || holds(claim)) return;
  fprintf(file, ", pinned at %.4g", pin);
  if (slack > 0.0) fprintf(file, " within %.4g", slack);
  if (json_object_get(claim, "yardstick")) fprintf(file, " yardsticks");
}

static void print_claim(FILE *file, const json_t *claim, bool times) {
  const char *unit = text_of(claim, "unit"), *reason = text_of(claim, "reason");
  const char *star = times && !is_memory(unit) ? "*" : "";
  fprintf(file, "| ");
  print_cell(file, text_of(claim, "text"));
  fprintf(file, " | %.4g%s%s%s | ", number_of(claim, "value", NAN), unit[0] ? " " : "", unit, star);
  print_band(file, claim);
  print_optional(file, claim, "thesis");
  print_optional(file, claim, "earlier");
  fprintf(file, " | %s", text_of(claim, "verdict"));
  print_pin(file, claim);
  if (reason[0]) fprintf(file, ": ");
  print_cell(file, reason);
  fprintf(file, " |\n");
}

static void print_experiment(FILE *file, const json_t *row) {
  const json_t *claims = json_object_get(row, "claims");
  const char *star = timed(row) ? "*" : "";
  fprintf(file, "\n### %s %s\n\nThesis: %s. Verdict: **%s**%s.\n\n", text_of(row, "id"), text_of(row, "title"),
          text_of(row, "thesis"), text_of(row, "verdict"), star);
  if (star[0]) fprintf(file, "An asterisk marks what depends on the machine.\n\n");
  fprintf(file, "| claim | measured | expected | thesis | earlier | verdict |\n|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < json_array_size(claims); k++) print_claim(file, json_array_get(claims, k), timed(row));
  if (text_of(row, "figure")[0]) fprintf(file, "\n![%s](figures/%s)\n", text_of(row, "id"), text_of(row, "figure"));
}

/* A heading's anchor: small letters, blanks as hyphens, no other signs. */
static void print_anchor(FILE *file, const char *heading) {
  for (; *heading; heading++) {
    if (isalnum((unsigned char)*heading) || *heading == '-' || *heading == '_')
      fputc(tolower((unsigned char)*heading), file);
    else if (*heading == ' ')
      fputc('-', file);
  }
}

static void print_overview(FILE *file, const json_t *rows) {
  fprintf(file, "| id | experiment | verdict |\n|---|---|---|\n");
  for (size_t k = 0; k < json_array_size(rows); k++) {
    const json_t *row = json_array_get(rows, k);
    char heading[256];
    snprintf(heading, sizeof heading, "%s %s", text_of(row, "id"), text_of(row, "title"));
    fprintf(file, "| [%s](#", text_of(row, "id"));
    print_anchor(file, heading);
    fprintf(file, ") | %s | %s%s |\n", text_of(row, "title"), text_of(row, "verdict"), timed(row) ? "*" : "");
  }
}

/* How many there are, and how many hold. */
typedef struct counts {
  size_t all, good, claims, good_claims;
} counts;

static counts count(const json_t *rows, bool with_times) {
  counts n = {0};
  for (size_t k = 0; k < json_array_size(rows); k++) {
    const json_t *row = json_array_get(rows, k), *list = json_object_get(row, "claims");
    if (timed(row) && !with_times) continue;
    n.all++;
    n.good += holds(row);
    n.claims += json_array_size(list);
    for (size_t c = 0; c < json_array_size(list); c++) n.good_claims += holds(json_array_get(list, c));
  }
  return n;
}

/* All count. Where some measure time, the line depends on the machine, and the next one says what does not. */
static void print_counts(FILE *file, const json_t *rows) {
  const counts all = count(rows, true), steady = count(rows, false);
  const bool some = steady.all < all.all;
  fprintf(file, "**%zu of %zu experiments hold, %zu of %zu claims%s.**%s", all.good, all.all, all.good_claims,
          all.claims, some ? ", on the machine that ran them" : "", some ? "\n" : " ");
  if (some)
    fprintf(file, "Besides those that measure time, %zu of %zu experiments and %zu of %zu claims hold. ", steady.good,
            steady.all, steady.good_claims, steady.claims);
  fprintf(file,
          "Where a claim does not hold, its row says why, and at which\n"
          "value it is pinned: worse than that, it fails.\n\n");
}

th_result th_reproduce_page(const char *folder, const char *group, const json_t *rows, th_error *error) {
  char path[1024];
  if (snprintf(path, sizeof path, "%s/%s.md", folder, group) >= (int)sizeof path)
    return th_fail(error, TH_ERROR_FILE, folder, "expected a shorter path, found %zu letters", strlen(folder));
  FILE *file = th_file_stream(path, "wb");
  if (!file) return th_fail(error, TH_ERROR_FILE, path, "expected a file that can be written, found none");
  print_counts(file, rows);
  print_overview(file, rows);
  for (size_t k = 0; k < json_array_size(rows); k++) print_experiment(file, json_array_get(rows, k));
  bool written = !ferror(file);
  if (fclose(file) != 0 || !written)
    return th_fail(error, TH_ERROR_FILE, path, "expected room for the page, found none");
  return TH_OK;
}
