/* apps/throng/variants.c - two reports over seeds, as `throng compare` tells them: a line for each number that was
 * tested, and a verdict. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *difference_json(const th_difference *d) {
  return json_pack("{s:s, s:[o, o], s:[i, i], s:o, s:o, s:o, s:b, s:b}", "name", d->name, "means", number(d->mean[0]),
                   number(d->mean[1]), "runs", (int)d->runs[0], (int)d->runs[1], "difference", number(d->difference),
                   "interval95", number(d->interval95), "chance", number(d->chance), "paired", d->paired, "differs",
                   d->differs);
}

static void print_one(const th_difference *d) {
  if (isnan(d->chance)) return;
  printf("  %-28s %10.4g %10.4g %+10.3g +- %-8.2g %7.2g  %s\n", d->name, d->mean[0], d->mean[1], d->difference,
         d->interval95, d->chance, d->differs ? "differs" : "-");
}

static void print(const th_options *options, const th_difference *list, uint32_t count) {
  uint32_t tested = 0, differ = 0;
  for (uint32_t k = 0; k < count; k++) tested += isnan(list[k].chance) ? 0 : 1, differ += list[k].differs ? 1 : 0;
  printf("%s, then %s: %u and %u runs%s\n", options->argument[0], options->argument[1], list[0].runs[0],
         list[0].runs[1], list[0].paired ? " of the same seeds, compared seed by seed" : "");
  if (list[0].runs[0] < 2 || list[0].runs[1] < 2) {
    printf("  one run each tells nothing of chance: run both with --seeds 1..20\n");
    return;
  }
  if (tested) printf("  %-28s %10s %10s %10s +- %-8s %7s\n", "number", "before", "after", "change", "95 %", "chance");
  for (uint32_t k = 0; k < count; k++) print_one(&list[k]);
  printf("  %u of %u numbers differ (5 %% for all together); %u are the same in all runs or were not measured\n",
         differ, count, count - tested);
}

int th_cli_variants(const th_options *options) {
  th_error error = {0};
  uint32_t count = 0;
  if (options->argument_count != 2 || !th_cli_ends(options->argument[1], ".json"))
    return th_cli_usage("compare", "expected two report.json, or recordings");
  th_difference *list = calloc(TH_MAX_DIFFERENCES, sizeof *list);
  if (!list) return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  th_result result = th_report_differences(options->argument[0], options->argument[1], list, &count, &error);
  if (!result && count == 0)
    result = th_fail(&error, TH_ERROR_FORMAT, options->argument[1], "expected a number that the first report has");
  int code = result ? th_cli_fail(&error, th_cli_code(result)) : TH_EXIT_OK;
  if (!result && options->json) {
    json_t *numbers = json_array();
    for (uint32_t k = 0; k < count; k++) json_array_append_new(numbers, difference_json(&list[k]));
    code = th_cli_print_json(json_pack("{s:s, s:s, s:o}", "before", options->argument[0], "after", options->argument[1],
                                       "numbers", numbers));
  } else if (!result && !options->quiet) {
    print(options, list, count);
  }
  free(list);
  return code;
}
