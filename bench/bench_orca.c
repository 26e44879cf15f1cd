/* bench/bench_orca.c - whole steps of worlds with the model `orca`.
 *
 * These are the four workloads on which other libraries are timed, with the same numbers and the same rule (bench.h).
 * All defaults are on: walls, shares, layers, contact correction. In `orca.own_params` everybody has a neighbour
 * distance and a horizon of its own, so that parameters are read from as many places as there are agents; in the other
 * worlds all share one set, which the world keeps once.
 */
#include "bench.h"
#include "workload_world.h"

static void run(th_bench *bench, const char *workload, uint32_t count) {
  char name[96];
  snprintf(name, sizeof name, "orca.%s.%u", workload, count);
  th_workload_world w;
  if (!th_bench_wants(bench, name) ||
      !th_workload_world_make(&w,
                              &(th_workload_world_def){.name = workload, .count = count, .workers = 1, .brief = true}))
    return;
  th_bench_side side = th_bench_stepping(w.world);
  th_bench_time(&side, 1, th_bench_now);
  double us = side.median * 1e6 / (double)w.work.count;
  snprintf(name, sizeof name, "orca.%s.%u.us", workload, count);
  th_bench_report(bench, name, us, "us");
  snprintf(name, sizeof name, "orca.%s.%u", workload, count);
  th_bench_report_phases(bench, name, w.world, us, "us");
  th_workload_world_free(&w);
}

/* Steps two crowds of `cross` in turns. False when one could not be made. */
static bool two_crowds(const th_workload_world_def def[2], double (*clock)(void), double seconds[2], bool *same) {
  th_workload_world w[2] = {0};
  bool made = th_workload_world_make(&w[0], &def[0]) && th_workload_world_make(&w[1], &def[1]);
  th_bench_side side[2] = {th_bench_stepping(w[0].world), th_bench_stepping(w[1].world)};
  if (made) th_bench_time(side, 2, clock);
  for (int k = 0; k < 2; k++) seconds[k] = side[k].median;
  *same = made && th_world_hash(w[0].world) == th_world_hash(w[1].world);
  for (int k = 0; k < 2; k++)
    if (w[k].world) th_workload_world_free(&w[k]);
  return made;
}

static void scaling(th_bench *bench) {
  static const char name[] = "orca.scaling.2.cross.10000";
  const th_workload_world_def one = {.name = "cross", .count = 10000, .workers = 1, .brief = true};
  th_workload_world_def two = one;
  two.workers = 2;
  double seconds[2];
  bool same;
  if (!th_bench_wants(bench, name) || !two_crowds((th_workload_world_def[]){one, two}, th_bench_wall, seconds, &same))
    return;
  th_bench_report(bench, name, seconds[0] / seconds[1], "x");
  if (!same) fprintf(stderr, "bench: one and two workers differ\n");
}

static void own_params(th_bench *bench) {
  const th_workload_world_def shared = {.name = "cross", .count = 10000, .workers = 1, .brief = true};
  th_workload_world_def own = shared;
  own.own_params = true;
  double seconds[2];
  bool same;
  if (!th_bench_wants(bench, "orca.own_params") ||
      !two_crowds((th_workload_world_def[]){shared, own}, th_bench_now, seconds, &same))
    return;
  th_bench_report(bench, "orca.own_params.cross.10000.us", seconds[1] * 1e6 / 10000.0, "us");
  th_bench_report(bench, "orca.own_params_over_shared.cross.10000", seconds[1] / seconds[0], "x");
}

/* What people cost: room ahead, shoulders, soft solve and more rounds of contacts, against bare bodies. */
static void people(th_bench *bench) {
  const th_workload_world_def bare = {.name = "cross", .count = 10000, .workers = 1, .brief = true};
  th_workload_world_def people = bare;
  people.people = true;
  double seconds[2];
  bool same;
  if (!th_bench_wants(bench, "orca.people") ||
      !two_crowds((th_workload_world_def[]){bare, people}, th_bench_now, seconds, &same))
    return;
  th_bench_report(bench, "orca.people.cross.10000.us", seconds[1] * 1e6 / 10000.0, "us");
  th_bench_report(bench, "orca.people_over_bare.cross.10000", seconds[1] / seconds[0], "x");
}

void th_bench_orca(th_bench *bench) {
  static const char *const workload[] = {"ring", "disc", "blocks", "cross"};
  for (int i = 0; i < 4; i++)
    for (uint32_t count = 1000; count <= 100000; count *= 10) run(bench, workload[i], count);
  own_params(bench);
  people(bench);
  scaling(bench);
}
