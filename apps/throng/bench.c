/* apps/throng/bench.c - the benchmarks of bench/, when the program was built with them. */
#include <stdio.h>

#include "cli.h"

#ifdef TH_HAS_BENCH
#include "bench.h"

int th_command_bench(const th_options *options) {
  char name[] = "throng bench", json[] = "--json", prefix[256];
  char *argv[4] = {name, NULL, NULL, NULL};
  int argc = 1;
  if (options->argument_count) {
    snprintf(prefix, sizeof prefix, "%s", options->argument[0]);
    argv[argc++] = prefix;
  }
  if (options->json) argv[argc++] = json;
  return th_bench_main(argc, argv, th_bench_cases);
}

#else

int th_command_bench(const th_options *options) {
  (void)options;
  fprintf(stderr, "throng: this program was built without benchmarks (TH_BUILD_BENCH)\n");
  return TH_EXIT_ENVIRONMENT;
}

#endif
