/* apps/throng/reproduce.c - `throng reproduce`: published experiments, measured again.
 *
 * Every row of the table is measured and compared with its band. A row without a measurement is missing; one outside
 * its band fails unless the table gives a reason.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "experiments.h"

typedef struct verdict {
  double value;
  const char *text;
  bool good;
} verdict;

static verdict judge(const th_experiment *e) {
  verdict v = {NAN, "missing", false};
  th_error error = {0};
  if (!e->measure) return v;
  if (e->measure(&v.value, &error) != TH_OK) {
    th_cli_fail(&error, TH_EXIT_FAILED);
    v.text = "error";
    return v;
  }
  v.good = v.value >= e->least && v.value <= e->most;
  v.text = v.good ? "reproduced" : e->reason ? e->reason : "outside the band";
  v.good = v.good || e->reason;
  return v;
}

static json_t *row(const th_experiment *e, const verdict *v) {
  json_t *r = json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:b, s:s}", "name", e->name, "id", e->id, "text", e->text,
                        "unit", e->unit, "least", e->least, "most", e->most, "good", (int)v->good, "verdict", v->text);
  json_object_set_new(r, "value", isfinite(v->value) ? json_real(v->value) : json_null());
  json_object_set_new(r, "published", isfinite(e->published) ? json_real(e->published) : json_null());
  return r;
}

int th_command_reproduce(const th_options *options) {
  const char *name = options->argument_count ? options->argument[0] : NULL;
  json_t *rows = json_array();
  uint32_t count = 0, wrong = 0;
  for (const th_experiment *e = th_experiments; e->name; e++) {
    if (name && strcmp(name, e->name) != 0) continue;
    verdict v = judge(e);
    count++;
    wrong += !v.good;
    json_array_append_new(rows, row(e, &v));
    if (!options->json) {
      printf("%-10s %12g %s in %g to %g (published %g): %s\n", e->id, v.value, e->unit, e->least, e->most, e->published,
             v.text);
    }
  }
  if (name && count == 0) fprintf(stderr, "throng: no experiment is called \"%s\"\n", name);
  int printed = TH_EXIT_OK;
  if (options->json)
    printed = th_cli_print_json(json_pack("{s:o}", "experiments", rows));
  else
    json_decref(rows);
  if (!options->json && !options->quiet && !(name && count == 0))
    printf("%u experiments, %u not reproduced\n", count, wrong);
  if (printed != TH_EXIT_OK) return printed;
  return wrong || (name && count == 0) ? TH_EXIT_FAILED : TH_EXIT_OK;
}
