/* bench/bench.c - the frame of bench.h: arguments, filter, output, clocks.
 *
 * Each result is printed at once, so the progress of long runs is visible and nothing has to be stored.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct th_bench {
  const char *prefix; /* "" for everything */
  bool json;
  uint32_t reported, broken;
};

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

bool th_bench_wants(const th_bench *bench, const char *name) {
  return begins(name, bench->prefix) || begins(bench->prefix, name);
}

void th_bench_report(th_bench *bench, const char *name, double value, const char *unit) {
  if (!begins(name, bench->prefix)) return;
  if (!isfinite(value)) {
    fprintf(stderr, "%s: expected a finite value, found %g\n", name, value);
    bench->broken++;
    return;
  }
  const char *comma = bench->reported++ ? ",\n" : "\n";
  if (bench->json)
    printf("%s{\"name\":\"%s\",\"value\":%.9g,\"unit\":\"%s\"}", comma, name, value, unit);
  else
    printf("%-48s %12.5g %s\n", name, value, unit);
  fflush(stdout);
}

static bool parse(th_bench *bench, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0)
      bench->json = true;
    else if (argv[i][0] == '-' || bench->prefix[0] != '\0')
      return false;
    else
      bench->prefix = argv[i];
  }
  return true;
}

int th_bench_main(int argc, char **argv, const th_bench_case *cases) {
  th_bench bench = {.prefix = ""};
  if (!parse(&bench, argc, argv)) {
    fprintf(stderr, "usage: %s [PREFIX] [--json]\n", argc > 0 ? argv[0] : "bench");
    return 2;
  }
  if (bench.json) printf("{\"results\":[");
  for (; cases->run; cases++) cases->run(&bench);
  if (bench.json) printf("\n]}\n");
  if (bench.reported == 0) fprintf(stderr, "no benchmark begins with \"%s\"\n", bench.prefix);
  if (bench.broken > 0) return 1;
  return bench.reported == 0 ? 3 : 0;
}

static double read_clock(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double th_bench_now(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double th_bench_wall(void) { return read_clock(CLOCK_MONOTONIC); }

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double th_bench_median(double *value, uint32_t count) {
  qsort(value, count, sizeof *value, ascending);
  return value[count / 2];
}
