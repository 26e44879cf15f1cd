/* bench/bench_mesh.c - the cost of a mesh: the crowd of `cross` on flat ground, on a flat mesh and on hills.
 *
 * All cases have the same agents with the same goals and the model `orca`; flat ground and each mesh are timed in turn,
 * so that ratios come from one run, and the smallest time of several crowds counts, so that other programs disturb
 * little. All charts are built before the first step, so that no timed step builds any: otherwise one step in six
 * would, as the crowd spreads onto new patches.
 */
#include <string.h>

#include "bench.h"
#include "workload_world.h"
#include "world/world.h"

enum { CROWDS = 4, ROUNDS = 15, STEPS = 10 }; /* short ones: a busy moment of the machine affects few */

/* Edge 0: flat ground, where the guide asks as it does on a mesh. */
static bool make(th_workload_world *c, uint32_t count, float edge, float height) {
  return th_workload_world_make(c, &(th_workload_world_def){.name = "cross",
                                                            .count = count,
                                                            .workers = 1,
                                                            .edge = edge,
                                                            .height = height,
                                                            .hold = true,
                                                            .brief = true,
                                                            .space = true});
}

static double round_of(th_workload_world *c) {
  double seconds[STEPS];
  for (int i = 0; i < STEPS; i++) {
    double begin = th_bench_now();
    th_world_step(c->world);
    seconds[i] = th_bench_now() - begin;
  }
  return th_bench_median(seconds, STEPS) * 1e6 / (double)c->work.count;
}

typedef struct kind {
  const char *name;
  float edge, height;
} kind;

static void phases(th_bench *bench, const char *name, const th_workload_world *c) {
  double seconds[TH_PHASE_COUNT];
  char key[96];
  th_world_profile(c->world, seconds);
  for (int i = 0; i < TH_PHASE_COUNT; i++) {
    snprintf(key, sizeof key, "orca.mesh.%s.%s_us", name, th_phase_name((th_phase)i));
    th_bench_report(bench, key, seconds[i] * 1e6 / (double)c->work.count / (double)th_world_step_count(c->world), "us");
  }
}

/* Smallest times of a step, that of flat ground first. */
typedef struct figures {
  double us[2], prepare_ms, charts_mib;
} figures;

static bool measure(th_bench *bench, const kind *k, bool first, figures *f) {
  th_workload_world flat, mesh;
  bool made = make(&flat, 10000, 0.0f, 0.0f);
  made = make(&mesh, 10000, k->edge, k->height) && made;
  double begin = th_bench_now();
  made = made && th_world_prepare(mesh.world, NULL) == TH_OK;
  f->prepare_ms = fmin(f->prepare_ms, (th_bench_now() - begin) * 1e3);
  for (int i = 0; made && i < ROUNDS; i++) {
    f->us[0] = fmin(f->us[0], round_of(&flat));
    f->us[1] = fmin(f->us[1], round_of(&mesh));
  }
  if (made) f->charts_mib = (double)mesh.world->mesh->atlas->charts.bytes / 1048576.0;
  if (made && first) phases(bench, k->name, &mesh);
  th_workload_world_free(&flat);
  th_workload_world_free(&mesh);
  return made;
}

static void report(th_bench *bench, const kind *k, const char *figure, double value, const char *unit) {
  char key[96];
  snprintf(key, sizeof key, "orca.mesh.%s.%s", k->name, figure);
  th_bench_report(bench, key, value, unit);
}

void th_bench_mesh(th_bench *bench) {
  static const kind list[] = {
      {"plane", 1.0f, 0.0f}, {"hills", 1.0f, 2.0f}, {"plane_half", 0.5f, 0.0f}, {"hills_half", 0.5f, 2.0f}};
  double worst = 0.0, worst_us = 0.0;
  for (size_t n = 0; n < sizeof list / sizeof *list; n++) {
    const kind *k = &list[n];
    char key[96];
    snprintf(key, sizeof key, "orca.mesh.%s", k->name);
    if (!th_bench_wants(bench, key) && !(n < 2 && th_bench_wants(bench, "orca.mesh.cross")) &&
        !(n < 2 && th_bench_wants(bench, "orca.mesh_over_flat")))
      continue;
    figures f = {{INFINITY, INFINITY}, INFINITY, 0.0};
    bool made = true;
    for (int i = 0; made && i < CROWDS; i++) made = measure(bench, k, i == 0, &f);
    if (!made) continue;
    report(bench, k, "us", f.us[1], "us");
    report(bench, k, "over_flat", f.us[1] / f.us[0], "x");
    report(bench, k, "prepare_ms", f.prepare_ms, "ms");
    report(bench, k, "charts", f.charts_mib, "MiB");
    if (n < 2) worst = fmax(worst, f.us[1] / f.us[0]);
    if (n < 2) worst_us = fmax(worst_us, f.us[1]);
  }
  if (worst <= 0.0) return;
  th_bench_report(bench, "orca.mesh_over_flat.cross.10000", worst, "x");
  th_bench_report(bench, "orca.mesh.cross.10000.us", worst_us, "us");
}
