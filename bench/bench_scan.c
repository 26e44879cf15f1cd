/* bench/bench_scan.c - a crowd on a scan: 100,000 faces with edges of 0.2 m and strong relief, 60 m tall.
 *
 * 300 people walk for 60 s on the scan and on the same relief with edges of 1 m, in turns of two seconds of their time,
 * so that a busy moment of the machine falls on both. The time is that of the steps with all charts that they make;
 * none is made beforehand.
 */
#include <stdio.h>

#include "bench.h"
#include "relief_world.h"
#include "world/world.h"

enum { STEPS = 600, TURN = 20 };

typedef struct walk {
  th_relief_world w;
  double seconds, charts_s;
  uint32_t built;
  size_t bytes;
} walk;

static bool begin(walk *k, double edge) {
  *k = (walk){0};
  return th_relief_world_make(
      &k->w, &(th_relief_world_def){.edge = edge, .height = 60.0, .rough = 0.3, .agents = 300, .workers = 1});
}

static void turn(walk *k) {
  double start = th_bench_now();
  for (int step = 0; step < TURN; step++) {
    th_world_step(k->w.world);
    k->built += k->w.world->mesh->atlas->charts.built;
  }
  k->seconds += th_bench_now() - start;
  size_t bytes = th_world_memory(k->w.world).charts;
  k->bytes = bytes > k->bytes ? bytes : k->bytes;
}

static void report(th_bench *bench, const char *name, const walk *k) {
  char key[96];
  const th_atlas *atlas = k->w.world->mesh->atlas;
  double phase[TH_PHASE_COUNT];
  th_world_profile(k->w.world, phase);
  snprintf(key, sizeof key, "charts.scan.%s.walk_s", name);
  th_bench_report(bench, key, k->seconds, "s");
  snprintf(key, sizeof key, "charts.scan.%s.patches", name);
  th_bench_report(bench, key, atlas->patches.count, "patches");
  snprintf(key, sizeof key, "charts.scan.%s.made", name);
  th_bench_report(bench, key, k->built, "charts");
  snprintf(key, sizeof key, "charts.scan.%s.made_again", name);
  th_bench_report(bench, key, k->built - atlas->charts.kept, "charts");
  snprintf(key, sizeof key, "charts.scan.%s.mb", name);
  th_bench_report(bench, key, (double)k->bytes / 1e6, "MB");
  snprintf(key, sizeof key, "charts.scan.%s.order_s", name);
  th_bench_report(bench, key, phase[TH_PHASE_ORDER], "s");
}

void th_bench_scan(th_bench *bench) {
  if (!th_bench_wants(bench, "charts.scan")) return;
  walk fine, coarse;
  bool made = begin(&fine, 0.2);
  made = begin(&coarse, 1.0) && made;
  for (int step = 0; made && step < STEPS; step += TURN) {
    turn(&fine);
    turn(&coarse);
  }
  if (made) report(bench, "100k", &fine);
  if (made) report(bench, "coarse", &coarse);
  if (made) th_bench_report(bench, "charts.scan.100k.over_coarse", fine.seconds / coarse.seconds, "x");
  th_relief_world_free(&fine.w);
  th_relief_world_free(&coarse.w);
}
