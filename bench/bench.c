/* bench/bench.c - the frame of bench.h: arguments, filter, repeats, timing rule, output, clocks.
 *
 * The results of a case are held until its last repeat, then printed with their median and range; so the progress of
 * long runs is visible case by case.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/clock.h"
#include "throng/world.h"

enum { MAX_REPEATS = 99, MAX_RESULTS = 256 /* of one case */, MAX_SIDES = 4 };

typedef struct result {
  char name[96], unit[24];
  double value[MAX_REPEATS];
  uint32_t count;
} result;

struct th_bench {
  const char *prefix; /* "" for everything */
  bool json;
  uint32_t repeats, reported, broken;
  result *result; /* of the case that runs */
  uint32_t results;
};

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

bool th_bench_wants(const th_bench *bench, const char *name) {
  return begins(name, bench->prefix) || begins(bench->prefix, name);
}

static result *result_of(th_bench *bench, const char *name, const char *unit) {
  for (uint32_t i = 0; i < bench->results; i++)
    if (strcmp(bench->result[i].name, name) == 0) return &bench->result[i];
  if (bench->results == MAX_RESULTS) return NULL;
  result *r = &bench->result[bench->results++];
  r->count = 0;
  snprintf(r->name, sizeof r->name, "%s", name);
  snprintf(r->unit, sizeof r->unit, "%s", unit);
  return r;
}

void th_bench_report(th_bench *bench, const char *name, double value, const char *unit) {
  if (!begins(name, bench->prefix)) return;
  result *r = isfinite(value) ? result_of(bench, name, unit) : NULL;
  if (r && r->count < MAX_REPEATS) {
    r->value[r->count++] = value;
    return;
  }
  fprintf(stderr, "%s: expected a finite value, found %g\n", name, value);
  bench->broken++;
}

static void print(th_bench *bench, result *r) {
  double median = th_bench_median(r->value, r->count), min = r->value[0], max = r->value[r->count - 1];
  const char *comma = bench->reported++ ? ",\n" : "\n";
  if (bench->json)
    printf("%s{\"name\":\"%s\",\"value\":%.9g,\"unit\":\"%s\",\"min\":%.9g,\"max\":%.9g,\"repeats\":%u}", comma,
           r->name, median, r->unit, min, max, r->count);
  else if (r->count > 1)
    printf("%-48s %12.5g %-10s %.5g .. %.5g of %u\n", r->name, median, r->unit, min, max, r->count);
  else
    printf("%-48s %12.5g %s\n", r->name, median, r->unit);
}

static void run_case(th_bench *bench, const th_bench_case *one) {
  bench->results = 0;
  for (uint32_t i = 0; i < bench->repeats; i++) one->run(bench);
  for (uint32_t i = 0; i < bench->results; i++) print(bench, &bench->result[i]);
  fflush(stdout);
}

static bool parse(th_bench *bench, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0) {
      bench->json = true;
    } else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
      char *end;
      unsigned long n = strtoul(argv[++i], &end, 10);
      if (*end || n < 1 || n > MAX_REPEATS) return false;
      bench->repeats = (uint32_t)n;
    } else if (argv[i][0] == '-' || bench->prefix[0] != '\0') {
      return false;
    } else {
      bench->prefix = argv[i];
    }
  }
  return true;
}

int th_bench_main(int argc, char **argv, const th_bench_case *cases) {
  th_bench bench = {.prefix = "", .repeats = 1, .result = calloc(MAX_RESULTS, sizeof(result))};
  bool good = bench.result && parse(&bench, argc, argv);
  if (!good) fprintf(stderr, "usage: %s [PREFIX] [--json] [--repeat 1 to 99]\n", argc > 0 ? argv[0] : "bench");
  if (good && bench.json) printf("{\"results\":[");
  for (; good && cases->run; cases++) run_case(&bench, cases);
  if (good && bench.json) printf("\n]}\n");
  free(bench.result);
  if (!good) return 2;
  if (bench.reported == 0) fprintf(stderr, "no benchmark begins with \"%s\"\n", bench.prefix);
  if (bench.broken > 0) return 1;
  return bench.reported == 0 ? 3 : 0;
}

double th_bench_now(void) { return th_clock_processor_seconds(); }

double th_bench_wall(void) { return th_clock_seconds(); }

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double th_bench_median(double *value, uint32_t count) {
  qsort(value, count, sizeof *value, ascending);
  return value[count / 2];
}

static double timed(const th_bench_side *side, double (*clock)(void)) {
  double begin = clock();
  side->step(side->user);
  return clock() - begin;
}

void th_bench_time(th_bench_side *side, uint32_t count, double (*clock)(void)) {
  double seconds[MAX_SIDES][TH_BENCH_STEPS];
  for (int i = -TH_BENCH_WARM; i < TH_BENCH_STEPS; i++)
    for (uint32_t k = 0; k < count; k++) {
      double one = timed(&side[k], clock);
      if (i >= 0) seconds[k][i] = one;
    }
  for (uint32_t k = 0; k < count; k++) side[k].median = th_bench_median(seconds[k], TH_BENCH_STEPS);
}

static void step_world(void *world) { th_world_step(world); }

th_bench_side th_bench_stepping(struct th_world *world) { return (th_bench_side){step_world, world, 0.0}; }

void th_bench_report_phases(th_bench *bench, const char *name, const struct th_world *world, double step,
                            const char *unit) {
  double phase[TH_PHASE_COUNT], all = 0.0;
  char key[96];
  th_world_profile(world, phase);
  for (int i = 0; i < TH_PHASE_COUNT; i++) all += phase[i];
  for (int i = 0; i < TH_PHASE_COUNT; i++) {
    snprintf(key, sizeof key, "%s.%s_%s", name, th_phase_name((th_phase)i), unit);
    th_bench_report(bench, key, step * phase[i] / all, unit);
  }
}
