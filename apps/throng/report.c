/* apps/throng/report.c - report.json and the summary of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "run.h"

enum { MAX_CHECKS = 256 };

/* The report of the library, with the data that only the program has: expectations, interruption, the state's hash. */
static json_t *document(const th_session *s, json_t *expect, th_error *error) {
  th_report_def def = {.scene = s->scene->name,
                       .seed = s->seed,
                       .run = (const th_metrics *const *)s->all,
                       .run_count = s->run_count,
                       .wall_seconds = s->wall_seconds,
                       .steps = s->steps};
  for (int i = 0; i < TH_PHASE_COUNT; i++) def.phase_seconds[i] = s->phase_seconds[i];
  char *text = NULL, hash[24];
  if (th_report_text(&def, &text, error) != TH_OK) return NULL;
  json_t *root = json_loads(text, 0, NULL);
  th_text_free(text);
  if (!root) {
    th_fail_memory(error, "report");
    return NULL;
  }
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)s->hash);
  json_object_set_new(root, "hash", json_string(hash));
  json_object_set_new(root, "deterministic", json_boolean(!s->scene->world.realtime));
  if (s->scene->world.realtime)
    json_object_set_new(root, "note",
                        json_string("realtime: fields were used when they were ready; a second run may differ"));
  json_object_set_new(root, "file", json_string(s->scene->path));
  json_object_set(root, "warnings", s->findings.warnings);
  json_object_set_new(root, "interrupted", json_boolean(th_cli_interrupted()));
  json_object_set(root, "expect", expect);
  return root;
}

static void print_check(const th_check *check) {
  char range[64];
  if (check->min == check->max)
    snprintf(range, sizeof range, "%g", check->min);
  else if (!isfinite(check->max))
    snprintf(range, sizeof range, "at least %g", check->min);
  else if (!isfinite(check->min))
    snprintf(range, sizeof range, "at most %g", check->max);
  else
    snprintf(range, sizeof range, "%g to %g", check->min, check->max);
  printf("  %-7s %s: expected %s, found %g\n", check->good ? "good" : "WRONG", check->name, range, check->value);
}

/* Expectations of every seed; returns how many were not met. */
static uint32_t test_all(const th_session *s, json_t *expect, bool print) {
  th_check check[MAX_CHECKS];
  uint32_t wrong = 0, all = 0;
  for (uint32_t r = 0; r < s->run_count; r++) {
    const th_measured found = {s->all[r], s->fit + (size_t)r * s->scene->group_count};
    uint32_t count = th_cli_expect(s->scene, &found, check, MAX_CHECKS), bad = 0;
    for (uint32_t i = 0; i < count; i++) bad += !check[i].good;
    wrong += bad;
    all += count;
    json_array_append_new(
        expect, json_pack("{s:I, s:o}", "seed", (json_int_t)s->seed[r], "checks", th_cli_expect_json(check, count)));
    if (!print || (s->run_count > 1 && bad == 0)) continue;
    if (s->run_count > 1) printf("  seed %llu\n", (unsigned long long)s->seed[r]);
    for (uint32_t i = 0; i < count; i++) {
      if (s->run_count == 1 || !check[i].good) print_check(&check[i]);
    }
  }
  if (print && s->run_count > 1 && all) printf("  %u of %u expectations met\n", all - wrong, all);
  return wrong;
}

/* "in 18 of 20 runs; 2 not complete: 5 and 3 people still there"; nothing when all are complete. */
static void print_incomplete(const th_session *s) {
  enum { MOST = 8 };
  uint32_t incomplete = 0, told = 0;
  for (uint32_t i = 0; i < s->run_count; i++) incomplete += th_metrics_summary(s->all[i]).remaining > 0;
  if (!incomplete) return;
  printf(" in %u of %u runs; %u not complete: ", s->run_count - incomplete, s->run_count, incomplete);
  for (uint32_t i = 0; i < s->run_count && told < MOST; i++) {
    const uint32_t left = th_metrics_summary(s->all[i]).remaining;
    if (!left) continue;
    const bool last = told + 1 == incomplete;
    printf("%s%u", told == 0 ? "" : last ? " and " : ", ", left);
    told++;
  }
  printf("%s people still there", told < incomplete ? ", ..." : "");
}

/* Mean and 95 % interval of the most important numbers; the report has all of them. */
static void print_seeds(const th_session *s, const json_t *root) {
  static const char *const key[] = {"arrived", "arrival_last", "speed_mean"};
  static const char *const text[] = {"arrived", "last arrival [s]", "mean speed [m/s]"};
  for (int i = 0; i < 3; i++) {
    const json_t *number = json_object_get(json_object_get(root, "over_seeds"), key[i]);
    const json_t *mean = json_object_get(number, "mean"), *half = json_object_get(number, "interval95");
    const bool last = i == 1, known = json_is_number(mean), spread = json_is_number(half);
    if (!spread && !last) continue;
    if (!known && !th_metrics_summary(s->all[0]).remaining) continue; /* nobody wanted to arrive */
    printf("  %-17s", text[i]);
    if (known) printf(" %.4g", json_number_value(mean));
    if (spread) printf(" +- %.2g", json_number_value(half));
    if (last) print_incomplete(s);
    printf("\n");
  }
}

static void print_groups(const th_session *s) {
  for (uint32_t i = 0; i < s->scene->group_count; i++) {
    const th_group_fit *fit = &s->fit[i];
    const char *name = s->scene->group[i].name;
    if (!isfinite(fit->outside) && !isfinite(fit->askew) && !isfinite(fit->off_post)) continue;
    printf("  group %s: %u members", name ? name : "without a name", fit->members);
    if (isfinite(fit->outside)) printf(", %.0f %% in its area", 100 * (1 - fit->outside));
    if (isfinite(fit->off_post)) printf(", %.2f m off their posts", fit->off_post);
    if (isfinite(fit->askew)) printf(", nearest ones %.1f degrees off its axes", fit->askew);
    printf("\n");
  }
}

static void print_summary(const th_session *s, const json_t *root) {
  th_summary sum = th_metrics_summary(s->all[0]);
  printf("%s: %u agents, %.1f s, %llu steps in %.2f s%s\n", s->scene->name, sum.agents, sum.duration,
         (unsigned long long)s->steps, s->wall_seconds, th_cli_interrupted() ? " (interrupted)" : "");
  if (s->run_count > 1) {
    printf("  mean and 95 %% interval over %u seeds:\n", s->run_count);
    print_seeds(s, root);
    printf("  of seed %llu alone:\n", (unsigned long long)s->seed[0]);
  }
  th_measures_print(s->all[0], s->scene);
  print_groups(s);
}

static void note_overlap(const th_session *s) {
  th_summary worst = th_metrics_summary(s->all[0]);
  for (uint32_t i = 1; i < s->run_count; i++)
    worst.worst_overlap = fmax(worst.worst_overlap, th_metrics_summary(s->all[i]).worst_overlap);
  th_findings findings = s->findings; /* the list is shared */
  th_findings_of_numbers(&findings, &worst);
}

static int exit_code(uint32_t wrong) {
  if (th_cli_interrupted()) return TH_EXIT_INTERRUPTED;
  return wrong ? TH_EXIT_FAILED : TH_EXIT_OK;
}

int th_session_report(const th_session *s, const char *folder) {
  bool print = !s->options->json && !s->options->quiet;
  th_error error = {0};
  char path[1024];
  th_cli_join(path, sizeof path, folder, "report.json");
  json_t *expect = json_array(), *root = document(s, expect, &error);
  if (!root) {
    json_decref(expect);
    return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  }
  note_overlap(s);
  if (print) print_summary(s, root);
  bool tests = !s->options->no_expect && !th_cli_interrupted();
  uint32_t wrong = tests ? test_all(s, expect, print) : 0; /* fills the array that the document holds */
  json_decref(expect);
  char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  th_result result = text ? th_cli_write_text(path, text, &error) : th_fail_memory(&error, path);
  free(text);
  if (result != TH_OK) {
    json_decref(root);
    return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  }
  if (print) {
    static const char *const file[] = {"trajectory.sqlite", "figure.png", "figure.svg", "report.json"};
    for (int i = 0; i < 4; i++) {
      if (!s->figures && (i == 1 || i == 2)) continue;
      th_cli_join(path, sizeof path, folder, file[i]);
      printf("%s\n", path);
    }
  }
  int printed = s->options->json ? th_cli_print_json(json_incref(root)) : TH_EXIT_OK;
  json_decref(root);
  return printed != TH_EXIT_OK ? printed : exit_code(wrong);
}
