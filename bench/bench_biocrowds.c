/* bench/bench_biocrowds.c - whole steps of worlds with the model `biocrowds`, and the markers that they stand on.
 *
 * The crowd is `cross`: one agent per square metre, neighbours walk against each other; 17.5 markers per square metre.
 * Everybody decides in every step. `over_orca` is the same crowd, ground and number of workers with the model `orca`,
 * stepped in turns.
 */
#include "bench.h"
#include "throng/markers.h"
#include "throng/model/biocrowds.h"
#include "workload_world.h"

#define MARGIN 20.0f

static th_workload_world_def crowd_of(uint32_t count, uint32_t workers) {
  return (th_workload_world_def){.name = "cross",
                                 .count = count,
                                 .workers = workers,
                                 .brief = true,
                                 .margin = MARGIN,
                                 .model = &th_model_biocrowds};
}

static void run(th_bench *bench, uint32_t count) {
  char name[96];
  snprintf(name, sizeof name, "biocrowds.%u.us", count);
  const th_workload_world_def def = crowd_of(count, 1);
  th_workload_world w;
  if (!th_bench_wants(bench, name) || !th_workload_world_make(&w, &def)) return;
  th_bench_side side = th_bench_stepping(w.world);
  th_bench_time(&side, 1, th_bench_now);
  const double us = side.median * 1e6 / (double)w.work.count;
  th_bench_report(bench, name, us, "us");
  snprintf(name, sizeof name, "biocrowds.%u", count);
  th_bench_report_phases(bench, name, w.world, us, "us");
  th_workload_world_free(&w);
}

/* Two worlds in turns: seconds of a step of each. */
static bool compare(const th_workload_world_def def[2], double (*clock)(void), double seconds[2]) {
  th_workload_world w[2] = {0};
  const bool made = th_workload_world_make(&w[0], &def[0]) && th_workload_world_make(&w[1], &def[1]);
  th_bench_side side[2] = {th_bench_stepping(w[0].world), th_bench_stepping(w[1].world)};
  if (made) th_bench_time(side, 2, clock);
  for (int k = 0; k < 2; k++) {
    seconds[k] = side[k].median;
    if (w[k].world) th_workload_world_free(&w[k]);
  }
  return made;
}

static void against_orca(th_bench *bench) {
  th_workload_world_def def[2] = {crowd_of(10000, 2), crowd_of(10000, 2)};
  def[1].model = NULL;
  double seconds[2];
  if (!th_bench_wants(bench, "biocrowds.10000.over_orca") && !th_bench_wants(bench, "biocrowds.10000.steps_per_s"))
    return;
  if (!compare(def, th_bench_wall, seconds)) return;
  th_bench_report(bench, "biocrowds.10000.steps_per_s", 1.0 / seconds[0], "1/s");
  th_bench_report(bench, "biocrowds.10000.over_orca", seconds[0] / seconds[1], "x");
}

static void mesh(th_bench *bench) {
  th_workload_world_def def[2] = {crowd_of(10000, 1), crowd_of(10000, 1)};
  def[0].edge = 1.0f;
  def[1].space = true;
  double seconds[2];
  if (!th_bench_wants(bench, "biocrowds.mesh_over_flat") || !compare(def, th_bench_now, seconds)) return;
  th_bench_report(bench, "biocrowds.mesh_over_flat", seconds[0] / seconds[1], "x");
}

static void markers(th_bench *bench) {
  static const char name[] = "markers.hall200.s";
  if (!th_bench_wants(bench, name)) return;
  th_vec2 corner[4];
  const th_polygon outline = th_box_polygon(0, 0, 200, 200, corner);
  th_flat_def def = th_default_flat_def();
  def.outline = &outline, def.outline_count = 1;
  th_ground *ground;
  if (th_ground_make_flat(&def, &ground, NULL)) return;
  const th_markers_def dense = th_default_markers_def();
  const th_markers *set;
  const double begin = th_bench_wall();
  const bool made = !th_ground_markers(ground, &dense, 2, &set, NULL);
  const double seconds = th_bench_wall() - begin;
  if (made) th_bench_report(bench, name, seconds, "s");
  if (made) th_bench_report(bench, "markers.hall200.per_m2", th_markers_count(set) / 40000.0, "1/m2");
  th_ground_release(ground);
}

void th_bench_biocrowds(th_bench *bench) {
  for (uint32_t count = 1000; count <= 100000; count *= 10) run(bench, count);
  against_orca(bench);
  mesh(bench);
  markers(bench);
}
