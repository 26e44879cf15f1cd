/* bench/bench_mesh.c - the cost of a mesh: the crowd of `cross` on flat ground, on a flat mesh and on hills.
 *
 * All cases have the same agents with the same goals and the model `orca`; flat ground and each mesh are stepped in
 * turns. All charts are built before the first step, so that no timed step builds any: otherwise one step in six
 * would, as the crowd spreads onto new patches.
 */
#include <string.h>

#include "bench.h"
#include "workload_world.h"
#include "world/world.h"

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

typedef struct kind {
  const char *name;
  float edge, height;
} kind;

typedef struct figures {
  double us[2], prepare_ms, charts_mib; /* us: flat ground, mesh */
} figures;

static bool measure(th_bench *bench, const kind *k, figures *f) {
  th_workload_world flat, mesh;
  char name[96];
  bool made = make(&flat, 10000, 0.0f, 0.0f);
  made = make(&mesh, 10000, k->edge, k->height) && made;
  double begin = th_bench_now();
  made = made && th_world_prepare(mesh.world, NULL) == TH_OK;
  f->prepare_ms = (th_bench_now() - begin) * 1e3;
  if (made) {
    th_bench_side side[2] = {th_bench_stepping(flat.world), th_bench_stepping(mesh.world)};
    th_bench_time(side, 2, th_bench_now);
    for (int i = 0; i < 2; i++) f->us[i] = side[i].median * 1e6 / (double)flat.work.count;
    f->charts_mib = (double)mesh.world->mesh->atlas->charts.bytes / 1048576.0;
    snprintf(name, sizeof name, "orca.mesh.%s", k->name);
    th_bench_report_phases(bench, name, mesh.world, f->us[1], "us");
  }
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
    figures f;
    if (!measure(bench, k, &f)) continue;
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
