/* tests/port/speed.c - how long a step takes, for comparing a port with the native build of the same run: crowds of
 * bench/workloads.h, four lanes, one worker. `speed NAME` prints microseconds per agent and step, the median of rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "workload_world.h"

enum { ROUNDS = 9, STEPS = 5, WARM = 10 };

static int by_value(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double median_step(th_world *world) {
  double round[ROUNDS];
  for (int i = 0; i < WARM; i++) th_world_step(world);
  for (int r = 0; r < ROUNDS; r++) {
    const double begin = seconds();
    for (int i = 0; i < STEPS; i++) th_world_step(world);
    round[r] = (seconds() - begin) / STEPS;
  }
  qsort(round, ROUNDS, sizeof *round, by_value);
  return round[ROUNDS / 2];
}

int main(int argc, char **argv) {
  static const struct {
    const char *name, *workload;
    const th_model *model;
    uint32_t count;
  } run[] = {{"orca.cross.10000", "cross", &th_model_orca, 10000}, {"bvp", "cross", &th_model_bvp, 2000}};
  for (size_t i = 0; argc > 1 && i < sizeof run / sizeof *run; i++) {
    if (strcmp(argv[1], run[i].name) != 0) continue;
    const th_workload_world_def def = {.name = run[i].workload,
                                       .count = run[i].count,
                                       .workers = 1,
                                       .simd = TH_SIMD_FOUR,
                                       .model = run[i].model,
                                       .brief = true};
    th_workload_world w;
    if (!th_workload_world_make(&w, &def)) return 1;
    printf("%.4f\n", 1e6 * median_step(w.world) / w.work.count);
    th_workload_world_free(&w);
    return 0;
  }
  return fprintf(stderr, "speed: expected orca.cross.10000 or bvp\n"), 2;
}
