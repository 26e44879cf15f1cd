/* apps/throng/validate.c - `throng validate`: published tests of crowds, for every model.
 *
 * Without a name all tests run; NAME runs those that are called so or whose names begin with it ("rimea", "nist.2").
 * Results are kept in the folder of --out beside those of earlier calls, so the whole may be run in pieces; page and
 * figures show all of them. The exit code is 1 when the default model misses a band of ours, or, with --model, when
 * that model does: published bands are told, and many are missed for known reasons.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/clock.h"
#include "cli.h"
#include "throng/model.h"
#include "validation/page.h"

/* A number must be whole: rimea.1 does not begin rimea.12a, but rimea.12 does. */
static bool begins_with(const char *id, const char *begin) {
  const size_t length = strlen(begin);
  if (strncmp(id, begin, length) != 0) return false;
  return length == 0 || !(isdigit((unsigned char)begin[length - 1]) && isdigit((unsigned char)id[length]));
}

static bool named(const th_options *options, const th_valid_test *test) {
  bool any = options->argument_count == 0;
  for (uint32_t i = 0; i < options->argument_count; i++)
    any = any || begins_with(test->id, options->argument[i]) || (!strcmp(options->argument[i], "quick") && test->quick);
  return any;
}

/* "; published at most 1.33 /m/s misses" */
static void print_verdict(const json_t *reading, const char *key) {
  char text[100];
  const json_t *band = json_object_get(reading, key);
  if (!json_is_object(band)) return;
  th_valid_band(text, sizeof text, band, th_valid_text(reading, "unit"));
  printf("; %s %s %s", key, text, th_valid_text(band, "verdict"));
}

static void print_result(const json_t *result) {
  size_t i;
  json_t *r;
  printf("%-18s %-10s published: %s, ours: %s\n", th_valid_text(result, "test"), th_valid_text(result, "model"),
         th_valid_text(result, "published"), th_valid_text(result, "ours"));
  json_array_foreach(json_object_get(result, "readings"), i, r) {
    char text[100];
    th_valid_measured(text, sizeof text, r);
    printf("  %-58s %s", th_valid_text(r, "text"), text);
    print_verdict(r, "published");
    print_verdict(r, "ours");
    printf("\n");
  }
  fflush(stdout);
}

/* One test for one model; NULL and an error when it cannot run. */
static json_t *run_one(const th_options *options, const th_valid_test *test, const char *model, const char *folder,
                       th_error *error) {
  static th_valid_lab lab; /* large; the program has one thread here */
  lab = (th_valid_lab){.options = options, .model = model, .folder = folder, .seed_first = 1};
  lab.seed_count = TH_VALID_DEFAULT_SEEDS;
  if (options->seed_first) {
    const uint64_t count = options->seed_last - options->seed_first + 1;
    lab.seed_first = options->seed_first;
    lab.seed_count = count < TH_VALID_SEEDS ? (uint32_t)count : TH_VALID_SEEDS;
  }
  const double before = th_clock_processor_seconds();
  if (test->run(&lab, error) != TH_OK) return NULL;
  return th_valid_result(test, &lab, th_clock_processor_seconds() - before);
}

/* How many runs of tests hold, leave undecided and miss their bands. */
typedef struct tally {
  uint32_t ran, open, published[3], ours[3];
  bool failed; /* the model that decides missed a band of ours */
} tally;

static void count_verdict(uint32_t counts[3], const char *verdict) {
  static const char *const name[3] = {"holds", "undecided", "misses"};
  for (int k = 0; k < 3; k++) counts[k] += !strcmp(verdict, name[k]);
}

/* All models, or the one of --model. */
static th_result run_test(const th_options *options, const th_valid_test *test, const char *folder, json_t *fresh,
                          tally *t, th_error *error) {
  const char *decides = options->model ? options->model : th_default_body_def().model->name;
  for (const th_model *const *m = th_models(); *m && !th_cli_interrupted(); m++) {
    if (*m == &th_model_user || (options->model && strcmp((*m)->name, options->model) != 0)) continue;
    json_t *result = run_one(options, test, (*m)->name, folder, error);
    if (!result) return error->code ? error->code : TH_ERROR_STATE;
    t->ran++;
    count_verdict(t->published, th_valid_text(result, "published"));
    count_verdict(t->ours, th_valid_text(result, "ours"));
    t->failed = t->failed || (!strcmp(th_valid_text(result, "ours"), "misses") && !strcmp((*m)->name, decides));
    if (!options->json && !options->quiet) print_result(result);
    json_array_append_new(fresh, result);
    json_t *all = NULL; /* kept at once: an interrupt loses nothing */
    th_result kept = th_valid_merge(folder, fresh, &all, error);
    json_decref(all);
    if (kept != TH_OK) return kept;
  }
  return TH_OK;
}

static th_result run_all(const th_options *options, const char *folder, json_t *fresh, tally *t, th_error *error) {
  char inner[1024];
  th_cli_join(inner, sizeof inner, folder, "validation");
  th_result result = th_cli_make_folder(inner, error);
  for (const th_valid_test *test = th_valid_tests; test->id && result == TH_OK && !th_cli_interrupted(); test++) {
    if (!named(options, test)) continue;
    if (test->run)
      result = run_test(options, test, folder, fresh, t, error);
    else
      t->open++;
  }
  json_t *all = NULL;
  if (result == TH_OK) result = th_valid_merge(folder, fresh, &all, error);
  if (result == TH_OK) result = th_valid_figures(folder, all, error);
  if (result == TH_OK) result = th_valid_page(folder, all, error);
  json_decref(all);
  return result;
}

static void print_tally(const tally *t, const char *folder) {
  printf("%u runs of tests; published bands: %u hold, %u undecided, %u miss; ours: %u hold, %u undecided, %u miss\n",
         t->ran, t->published[0], t->published[1], t->published[2], t->ours[0], t->ours[1], t->ours[2]);
  printf("%u tests are open; page and figures in %s\n", t->open, folder);
}

int th_command_validate(const th_options *options) {
  const char *folder = options->out ? options->out : "out/validation";
  th_error error = {0};
  if (options->model && !th_model_find(options->model))
    return th_cli_usage("validate", "expected a model after --model, found \"%s\"", options->model);
  if (options->seeds_of_scene) return th_cli_usage("validate", "expected --seeds A..B, found --seeds expect");
  bool any = false;
  for (const th_valid_test *test = th_valid_tests; test->id; test++) any = any || named(options, test);
  if (!any) return th_cli_usage("validate", "no test is called \"%s\"", options->argument[0]);
  th_cli_catch_interrupt();
  tally t = {0};
  json_t *fresh = json_array();
  th_result result = run_all(options, folder, fresh, &t, &error);
  if (result != TH_OK) {
    json_decref(fresh);
    return th_cli_fail(&error, th_cli_output_code(result));
  }
  if (!options->json && !options->quiet) print_tally(&t, folder);
  int code = TH_EXIT_OK;
  if (options->json)
    code = th_cli_print_json(json_pack("{s:o}", "results", fresh));
  else
    json_decref(fresh);
  return code != TH_EXIT_OK ? code : t.failed ? TH_EXIT_FAILED : TH_EXIT_OK;
}
