/* bench/bench_steering.c - whole steps of worlds with the model `steering`.
 *
 * The crowd of `cross` with a pillar of 1 m every 10 m: obstacle and people avoidance in full mode and target
 * approaching, rays as the specification has them, the ten nearest within 10 m in sight, a decision in every step,
 * bodies that touch are moved apart. `over_orca` steps the model `orca` on the same scene in turns. Reported beside the
 * time: the deepest overlap of bodies in the first 120 steps, as a share of the sum of their radii, with and without
 * moving bodies apart.
 */
#include "bench.h"
#include "workload_world.h"
#include "world/world.h"

#define PILLARS 10.0f /* [m] */

static th_workload_world_def crowd_of(const th_model *model, const th_steering_params *params) {
  return (th_workload_world_def){.name = "cross",
                                 .count = 10000,
                                 .workers = 1,
                                 .brief = true,
                                 .model = model,
                                 .params = params,
                                 .pillars = PILLARS};
}

static th_steering_params every_step(void) {
  th_steering_params params = th_default_steering_params();
  params.period = 0.0f;
  params.sight = 10.0f;
  params.adapt = false;
  return params;
}

/* The time, and that of `orca` in the same run. */
static void over_orca(th_bench *bench) {
  const th_steering_params params = every_step();
  const th_workload_world_def def[2] = {crowd_of(&th_model_steering, &params), crowd_of(NULL, NULL)};
  th_workload_world w[2] = {0};
  bool made = th_workload_world_make(&w[0], &def[0]) && th_workload_world_make(&w[1], &def[1]);
  if (made) {
    th_bench_side side[2] = {th_bench_stepping(w[0].world), th_bench_stepping(w[1].world)};
    th_bench_time(side, 2, th_bench_now);
    double us = side[0].median * 1e6 / (double)w[0].work.count;
    th_bench_report(bench, "steering.cross.10000.us", us, "us");
    th_bench_report_phases(bench, "steering.cross.10000", w[0].world, us, "us");
    th_bench_report(bench, "steering.cross.10000.over_orca", side[0].median / side[1].median, "x");
  }
  for (int k = 0; k < 2; k++)
    if (w[k].world) th_workload_world_free(&w[k]);
}

static void overlap(th_bench *bench, const char *name, bool apart) {
  const th_steering_params params = every_step();
  th_workload_world_def def = crowd_of(&th_model_steering, &params);
  th_workload_world w;
  def.apart = apart;
  if (!th_bench_wants(bench, name) || !th_workload_world_make(&w, &def)) return;
  float worst = 0.0f;
  for (int step = 0; step < TH_BENCH_WARM + TH_BENCH_STEPS; step++) {
    th_world_step(w.world);
    if (step % 5 == 4) worst = fmaxf(worst, th_workload_look(&w).overlap);
  }
  th_bench_report(bench, name, (double)worst * 100.0, "%");
  th_workload_world_free(&w);
}

/* The worse of a plane and hills of 1 m edges, against flat ground. */
static void mesh_over_flat(th_bench *bench) {
  static const char name[] = "steering.mesh_over_flat.cross.10000";
  const th_steering_params params = every_step();
  double worst = 0.0;
  if (!th_bench_wants(bench, name) && !th_bench_wants(bench, "steering.mesh")) return;
  for (int k = 0; k < 2; k++) {
    th_workload_world_def flat = crowd_of(&th_model_steering, &params), mesh = flat;
    th_workload_world w[2] = {0};
    flat.space = flat.hold = mesh.hold = true;
    mesh.edge = 1.0f;
    mesh.height = k ? 2.0f : 0.0f;
    bool made = th_workload_world_make(&w[0], &flat) && th_workload_world_make(&w[1], &mesh);
    if (made && th_world_prepare(w[1].world, NULL) == TH_OK) {
      th_bench_side side[2] = {th_bench_stepping(w[0].world), th_bench_stepping(w[1].world)};
      th_bench_time(side, 2, th_bench_now);
      worst = fmax(worst, side[1].median / side[0].median);
      th_bench_report_phases(bench, k ? "steering.mesh.hills" : "steering.mesh.plane", w[1].world,
                             side[1].median * 1e6 / (double)w[1].work.count, "us");
    }
    for (int i = 0; i < 2; i++)
      if (w[i].world) th_workload_world_free(&w[i]);
  }
  th_bench_report(bench, name, worst, "x");
}

void th_bench_steering(th_bench *bench) {
  if (th_bench_wants(bench, "steering.cross.10000")) over_orca(bench);
  overlap(bench, "steering.cross.10000.overlap_apart", true);
  overlap(bench, "steering.cross.10000.overlap", false);
  mesh_over_flat(bench);
}
