/* bench/bench_orca.c - whole steps of worlds with the model `orca`.
 *
 * These are the four workloads on which other libraries are timed, with the same numbers and the same rule: untimed
 * steps, then timed ones, the median step divided by the number of agents; here the smallest of several such medians,
 * because other programs on the machine can only add time. All defaults are on: walls, shares, layers, contact
 * correction.
 */
#include "bench.h"
#include "workload_world.h"

#define ROUNDS 3

/* Median seconds of one step. */
static double measure(th_world *world, double (*clock)(void)) {
  double seconds[TH_WORKLOAD_STEPS];
  for (int i = 0; i < TH_WORKLOAD_WARM; i++) th_world_step(world);
  for (int i = 0; i < TH_WORKLOAD_STEPS; i++) {
    double begin = clock();
    th_world_step(world);
    seconds[i] = clock() - begin;
  }
  return th_bench_median(seconds, TH_WORKLOAD_STEPS);
}

static void run(th_bench *bench, const char *workload, uint32_t count) {
  char name[96];
  snprintf(name, sizeof name, "orca.%s.%u", workload, count);
  if (!th_bench_wants(bench, name)) return;
  double min = INFINITY, phase[TH_PHASE_COUNT] = {0}, all = 0;
  for (int i = 0; i < ROUNDS; i++) {
    th_workload_world w;
    if (!th_workload_world_make(
            &w, &(th_workload_world_def){.name = workload, .count = count, .workers = 1, .brief = true}))
      return;
    double us = measure(w.world, th_bench_now) * 1e6 / (double)w.work.count;
    if (us < min) th_world_profile(w.world, phase);
    min = us < min ? us : min;
    th_workload_world_free(&w);
  }
  snprintf(name, sizeof name, "orca.%s.%u.us", workload, count);
  th_bench_report(bench, name, min, "us");
  for (int i = 0; i < TH_PHASE_COUNT; i++) all += phase[i];
  for (int i = 0; i < TH_PHASE_COUNT; i++) {
    snprintf(name, sizeof name, "orca.%s.%u.%s_us", workload, count, th_phase_name((th_phase)i));
    th_bench_report(bench, name, min * phase[i] / all, "us");
  }
}

/* Both worlds are timed in turn, round by round, and the smallest median of each counts. */
static void scaling(th_bench *bench) {
  static const char name[] = "orca.scaling.2.cross.10000";
  enum { TURNS = 16, STEPS = 8 };
  if (!th_bench_wants(bench, name)) return;
  th_workload_world w[2] = {0};
  double min[2] = {INFINITY, INFINITY}, seconds[STEPS];
  bool made = true;
  for (uint32_t k = 0; k < 2; k++)
    made = made && th_workload_world_make(&w[k], &(th_workload_world_def){
                                                     .name = "cross", .count = 10000, .workers = k + 1, .brief = true});
  for (int turn = 0; made && turn <= TURNS; turn++) {
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < STEPS; i++) {
        double begin = th_bench_wall();
        th_world_step(w[k].world);
        seconds[i] = th_bench_wall() - begin;
      }
      double median = th_bench_median(seconds, STEPS);
      if (turn && median < min[k]) min[k] = median; /* the first turn warms up */
    }
  }
  if (made) th_bench_report(bench, name, min[0] / min[1], "x");
  if (made && th_world_hash(w[0].world) != th_world_hash(w[1].world))
    fprintf(stderr, "bench: one and two workers differ\n");
  for (int k = 0; k < 2; k++)
    if (w[k].world) th_workload_world_free(&w[k]);
}

void th_bench_orca(th_bench *bench) {
  static const char *const workload[] = {"ring", "disc", "blocks", "cross"};
  for (int i = 0; i < 4; i++)
    for (uint32_t count = 1000; count <= 100000; count *= 10) run(bench, workload[i], count);
  scaling(bench);
}
