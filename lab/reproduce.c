/* lab/reproduce.c - `throng_lab reproduce`: published experiments, measured again.
 *
 * Without a name the experiments are listed; NAME runs a group ("bvp"), NAME.ID one experiment ("bvp.E13"). Every claim
 * is compared with its band. An experiment without a run is open; a claim outside its band fails unless it is pinned as
 * a known difference and no worse than that (lab/judge.h). Either makes the exit code 1. Figures go to the
 * folder --out, by default out/reproduce, and for a whole group a page with all of it (GROUP.md); --film also makes
 * films, where figures are drawn from recordings.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/platform/clock.h"
#include "lab/commands.h"
#include "lab/judge.h"
#include "lab/page.h"

enum { SEEDS = 20 }; /* of experiments that run several, unless --seeds says otherwise */

static const char *const verdict_text[] = {"holds", "does not hold", "open", "fails", "error"};

/* An experiment, what it found, and for each claim how it was judged. */
typedef struct outcome {
  const th_experiment *experiment;
  th_lab lab;
  const th_pin *pin[TH_LAB_CLAIMS]; /* NULL = none */
  th_verdict claim[TH_LAB_CLAIMS], all;
} outcome;

void th_lab_claim(th_lab *lab, const th_claim *claim) {
  if (lab->count < TH_LAB_CLAIMS)
    lab->claim[lab->count++] = *claim;
  else
    lab->claim[TH_LAB_CLAIMS - 1] = (th_claim){.text = "more claims than there is room for", .unit = "", .value = NAN};
}

static bool is_of(const th_pin *pin, const th_experiment *e) {
  size_t length = strlen(e->name);
  return !strncmp(pin->experiment, e->name, length) && pin->experiment[length] == '.' &&
         !strcmp(pin->experiment + length + 1, e->id);
}

static double unit_of(const th_pin *pin) { return pin && pin->yardsticks ? th_yardstick() : 1.0; }

/* A pin that belongs to no claim, or to two, is as wrong as a claim that misses its band. */
static th_verdict judge_all(outcome *o) {
  th_verdict worst = o->lab.count ? TH_HOLDS : TH_FAILS;
  for (const th_pin *pin = th_pins; pin->experiment; pin++) {
    uint32_t found = 0;
    if (!is_of(pin, o->experiment)) continue;
    for (uint32_t k = 0; k < o->lab.count; k++)
      if (!strcmp(pin->claim, o->lab.claim[k].text)) o->pin[k] = pin, found++;
    if (found != 1) {
      fprintf(stderr, "throng_lab: %s: expected one claim \"%s\", which is pinned, found %u\n", pin->experiment,
              pin->claim, found);
      worst = TH_BROKEN;
    }
  }
  for (uint32_t k = 0; k < o->lab.count; k++) {
    o->claim[k] = th_judge(&o->lab.claim[k], o->pin[k], unit_of(o->pin[k]));
    worst = o->claim[k] > worst ? o->claim[k] : worst;
  }
  return worst;
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *claim_row(const outcome *o, uint32_t k) {
  const th_claim *c = &o->lab.claim[k];
  const th_pin *pin = o->pin[k];
  json_t *row = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:s}", "text", c->text, "unit", c->unit, "value",
                          number(c->value), "min", number(c->min), "max", number(c->max), "thesis", number(c->thesis),
                          "earlier", number(c->earlier), "verdict", verdict_text[o->claim[k]]);
  if (o->claim[k] != TH_HOLDS && c->reason) json_object_set_new(row, "reason", json_string(c->reason));
  if (pin) json_object_set_new(row, "pin", json_real(pin->value));
  if (pin) json_object_set_new(row, "slack", json_real(pin->slack));
  if (pin && pin->yardsticks) json_object_set_new(row, "yardstick", json_real(th_yardstick()));
  return row;
}

static json_t *experiment_row(const outcome *o) {
  const th_experiment *e = o->experiment;
  json_t *claims = json_array();
  for (uint32_t k = 0; k < o->lab.count; k++) json_array_append_new(claims, claim_row(o, k));
  json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", e->name, "id", e->id, "title", e->title, "thesis",
                          e->thesis, "verdict", verdict_text[o->all], "claims", claims);
  if (o->lab.figure[0]) json_object_set_new(row, "figure", json_string(o->lab.figure));
  if (o->lab.timed) json_object_set_new(row, "timed", json_true());
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

static void print_verdict(const outcome *o, uint32_t k) {
  const th_pin *pin = o->pin[k];
  const th_claim *c = &o->lab.claim[k];
  if (o->claim[k] == TH_HOLDS) return;
  printf(" - %s", o->claim[k] == TH_DIFFERS ? "does not hold" : "FAILS");
  if (pin) printf(", known with %g%s%s", pin->value * unit_of(pin), c->unit[0] ? " " : "", c->unit);
  if (c->reason) printf(": %s", c->reason);
}

static void print_experiment(const outcome *o) {
  printf("%-4s %-13s %s\n", o->experiment->id, verdict_text[o->all], o->experiment->title);
  for (uint32_t k = 0; k < o->lab.count; k++) {
    const th_claim *c = &o->lab.claim[k];
    printf("       %10.4g%s%s  %s: ", c->value, c->unit[0] ? " " : "", c->unit, c->text);
    print_band(c);
    if (!isnan(c->thesis)) printf(", thesis %g", c->thesis);
    if (!isnan(c->earlier)) printf(", earlier re-run %g", c->earlier);
    print_verdict(o, k);
    printf("\n");
  }
  if (o->lab.figure[0]) printf("       figure %s/%s\n", o->lab.folder, o->lab.figure);
}

static outcome run_one(const th_experiment *e, const char *folder, const th_options *options) {
  outcome o = {.experiment = e, .lab = {.folder = folder, .id = e->id, .film = options->film}, .all = TH_OPEN};
  o.lab.first = options->seed_first ? options->seed_first : 1;
  o.lab.last = options->seed_last ? options->seed_last : SEEDS;
  if (!e->run) return o;
  th_error error = {0};
  if (e->run(&o.lab, &error) == TH_OK) {
    o.all = judge_all(&o);
  } else {
    th_cli_fail(&error, TH_EXIT_FAILED);
    o.lab.count = 0;
    o.all = TH_BROKEN;
  }
  return o;
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
  uint32_t all = 0;
  for (int k = 0; k < 5; k++) all += counts[k];
  printf("%u experiments: %u hold, %u do not hold as known, %u open, %u fail, in %.1f s\n", all, counts[TH_HOLDS],
         counts[TH_DIFFERS], counts[TH_OPEN], counts[TH_FAILS] + counts[TH_BROKEN], seconds);
}

int th_command_reproduce(const th_options *options) {
  const char *name = options->argument_count ? options->argument[0] : NULL;
  const char *folder = options->out ? options->out : "out/reproduce";
  if (!name) return list(options);
  if (options->seed_first && strncmp(name, "biocrowds", 9) != 0)
    return th_cli_usage("reproduce", "seeds are for the experiments of biocrowds, found \"%s\"", name);
  th_error error = {0};
  json_t *rows = json_array();
  uint32_t counts[5] = {0}, all = 0;
  double before = th_clock_processor_seconds();
  for (const th_experiment *e = th_experiments; e->name && !th_cli_interrupted(); e++) {
    if (!named(e, name)) continue;
    if (!all++ && th_cli_make_folder(folder, &error) != TH_OK) {
      json_decref(rows);
      return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
    }
    outcome o = run_one(e, folder, options);
    counts[o.all]++;
    json_array_append_new(rows, experiment_row(&o));
    if (!options->json && !options->quiet) print_experiment(&o);
  }
  if (!all) fprintf(stderr, "throng_lab: no experiment is called \"%s\"\n", name);
  int printed = TH_EXIT_OK;
  bool group = all && !strchr(name, '.');
  if (group && th_reproduce_page(folder, name, rows, &error) != TH_OK)
    printed = th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  if (options->json && printed == TH_EXIT_OK)
    printed = th_cli_print_json(json_pack("{s:o}", "experiments", rows));
  else
    json_decref(rows);
  if (!options->json && !options->quiet && all) print_counts(counts, th_clock_processor_seconds() - before);
  if (printed != TH_EXIT_OK) return printed;
  return !all || counts[TH_OPEN] || counts[TH_FAILS] || counts[TH_BROKEN] ? TH_EXIT_FAILED : TH_EXIT_OK;
}
