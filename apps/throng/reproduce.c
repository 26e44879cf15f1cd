/* apps/throng/reproduce.c - `throng reproduce`: published experiments, measured again.
 *
 * Without a name the experiments are listed; NAME runs a group ("bvp"), NAME.ID one experiment ("bvp.E13"). Every claim
 * is compared with its band. An experiment without a run is open, one outside its band fails unless the table gives a
 * reason; either makes the exit code 1. Figures go to the folder --out, by default out/reproduce, and for a whole group
 * a page with all of it (GROUP.md).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "experiments/table.h"
#include "reproduce_page.h"

typedef enum verdict { HOLDS, REASON, OPEN, FAILS, BROKEN } verdict;

static const char *const verdict_text[] = {"holds", "does not hold", "open", "fails", "error"};

void th_lab_claim(th_lab *lab, const th_claim *claim) {
  if (lab->count < TH_LAB_CLAIMS)
    lab->claim[lab->count++] = *claim;
  else
    lab->claim[TH_LAB_CLAIMS - 1] = (th_claim){.text = "more claims than there is room for", .unit = "", .value = NAN};
}

static verdict judge(const th_claim *claim) {
  if (claim->value >= claim->min && claim->value <= claim->max) return HOLDS;
  return claim->reason ? REASON : FAILS;
}

static verdict judge_all(const th_lab *lab) {
  verdict worst = lab->count ? HOLDS : FAILS;
  for (uint32_t k = 0; k < lab->count; k++) {
    verdict one = judge(&lab->claim[k]);
    worst = one > worst ? one : worst;
  }
  return worst;
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *claim_row(const th_claim *c) {
  json_t *row = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "text", c->text, "unit", c->unit, "value",
                          number(c->value), "min", number(c->min), "max", number(c->max), "thesis", number(c->thesis),
                          "earlier", number(c->earlier), "verdict", verdict_text[judge(c)]);
  if (judge(c) == REASON) json_object_set_new(row, "reason", json_string(c->reason));
  return row;
}

static json_t *experiment_row(const th_experiment *e, const th_lab *lab, verdict v) {
  json_t *claims = json_array();
  for (uint32_t k = 0; k < lab->count; k++) json_array_append_new(claims, claim_row(&lab->claim[k]));
  json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", e->name, "id", e->id, "title", e->title, "thesis",
                          e->thesis, "verdict", verdict_text[v], "claims", claims);
  if (lab->figure[0]) json_object_set_new(row, "figure", json_string(lab->figure));
  if (lab->timed) json_object_set_new(row, "timed", json_true());
  return row;
}

static void print_band(const th_claim *c) {
  if (c->min == c->max)
    printf("expected %g", c->min);
  else if (!isfinite(c->max))
    printf("expected at least %g", c->min);
  else if (!isfinite(c->min))
    printf("expected at most %g", c->max);
  else
    printf("expected %g to %g", c->min, c->max);
}

static void print_experiment(const th_experiment *e, const th_lab *lab, verdict v) {
  printf("%-4s %-13s %s\n", e->id, verdict_text[v], e->title);
  for (uint32_t k = 0; k < lab->count; k++) {
    const th_claim *c = &lab->claim[k];
    printf("       %10.4g%s%s  %s: ", c->value, c->unit[0] ? " " : "", c->unit, c->text);
    print_band(c);
    if (!isnan(c->thesis)) printf(", thesis %g", c->thesis);
    if (!isnan(c->earlier)) printf(", earlier re-run %g", c->earlier);
    if (judge(c) == REASON) printf(" - does not hold: %s", c->reason);
    if (judge(c) == FAILS) printf(" - FAILS");
    printf("\n");
  }
}

static verdict run_one(const th_experiment *e, const char *folder, th_lab *lab) {
  *lab = (th_lab){.folder = folder, .id = e->id};
  if (!e->run) return OPEN;
  th_error error = {0};
  if (e->run(lab, &error) == TH_OK) return judge_all(lab);
  th_cli_fail(&error, TH_EXIT_FAILED);
  return BROKEN;
}

/* "bvp" names all of a group, "bvp.E13" one. */
static bool named(const th_experiment *e, const char *name) {
  size_t length = strlen(e->name);
  if (strncmp(name, e->name, length) != 0) return false;
  return name[length] == '\0' || (name[length] == '.' && strcmp(name + length + 1, e->id) == 0);
}

static int list(const th_options *options) {
  json_t *rows = json_array();
  for (const th_experiment *e = th_experiments; e->name; e++) {
    if (options->json)
      json_array_append_new(rows, json_pack("{s:s, s:s, s:s}", "name", e->name, "id", e->id, "title", e->title));
    else
      printf("%s.%s  %s\n", e->name, e->id, e->title);
  }
  if (options->json) return th_cli_print_json(json_pack("{s:o}", "experiments", rows));
  json_decref(rows);
  return TH_EXIT_OK;
}

static void print_counts(const uint32_t counts[5], double seconds) {
  uint32_t all = counts[HOLDS] + counts[REASON] + counts[OPEN] + counts[FAILS] + counts[BROKEN];
  printf("%u experiments: %u hold, %u do not hold for the reason given, %u open, %u fail, in %.1f s\n", all,
         counts[HOLDS], counts[REASON], counts[OPEN], counts[FAILS] + counts[BROKEN], seconds);
}

int th_command_reproduce(const th_options *options) {
  const char *name = options->argument_count ? options->argument[0] : NULL;
  const char *folder = options->out ? options->out : "out/reproduce";
  if (!name) return list(options);
  th_error error = {0};
  json_t *rows = json_array();
  uint32_t counts[5] = {0}, all = 0;
  double before = (double)clock() / CLOCKS_PER_SEC;
  for (const th_experiment *e = th_experiments; e->name && !th_cli_interrupted(); e++) {
    if (!named(e, name)) continue;
    th_lab lab;
    if (!all++ && th_cli_make_folder(folder, &error) != TH_OK) {
      json_decref(rows);
      return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
    }
    verdict v = run_one(e, folder, &lab);
    counts[v]++;
    json_array_append_new(rows, experiment_row(e, &lab, v));
    if (!options->json && !options->quiet) print_experiment(e, &lab, v);
  }
  if (!all) fprintf(stderr, "throng: no experiment is called \"%s\"\n", name);
  int printed = TH_EXIT_OK;
  bool group = all && !strchr(name, '.');
  if (group && th_reproduce_page(folder, name, rows, &error) != TH_OK)
    printed = th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  if (options->json && printed == TH_EXIT_OK)
    printed = th_cli_print_json(json_pack("{s:o}", "experiments", rows));
  else
    json_decref(rows);
  if (!options->json && !options->quiet && all) print_counts(counts, (double)clock() / CLOCKS_PER_SEC - before);
  if (printed != TH_EXIT_OK) return printed;
  return !all || counts[OPEN] || counts[FAILS] || counts[BROKEN] ? TH_EXIT_FAILED : TH_EXIT_OK;
}
