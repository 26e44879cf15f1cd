/* bench/bench_chart.c - the cost of flattening surfaces.
 *
 *   dgpc57_us       geodesic polar coordinates of 57 vertices on a sphere of 20,480 faces, one core
 *   lscm_ring_us    region and conformal map of the ring of a face, 12 vertices, on the same sphere
 *   ring_chart_us   the same as a whole chart in its block of memory
 *   bunny...        68,958 faces of genus 0: patches 8 edges wide, all their charts for a reach of 4 edges,
 *                   and all rings
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bench.h"
#include "ground/chart/cache.h"
#include "make/shapes.h"

enum { REPEATS = 9, SAMPLES = 400 };

typedef struct surface {
  th_env env;
  th_mesh mesh;
  th_mesh_frames frames;
  th_polar_map map;
  th_conformal_map conformal_map;
} surface;

static bool surface_make(surface *s, th_soup *soup) {
  *s = (surface){.env = th_env_complete(NULL)};
  return th_soup_mesh(soup, &s->mesh, NULL) == TH_OK && th_mesh_frames_make(&s->frames, &s->mesh) &&
         th_polar_map_make(&s->map, &s->env.allocator, &s->mesh) &&
         th_conformal_map_make(&s->conformal_map, &s->env.allocator, &s->mesh);
}

static void surface_free(surface *s) {
  th_conformal_map_free(&s->conformal_map);
  th_polar_map_free(&s->map);
  th_mesh_frames_free(&s->frames);
  th_mesh_free(&s->mesh);
}

/* Faces spread over the surface, in no order. */
static uint32_t sample(const surface *s, uint32_t n) { return (uint32_t)((uint64_t)n * 7919u % s->mesh.face_count); }

static uint32_t lay_polar(surface *s, double limit) {
  uint32_t vertices = 0;
  for (uint32_t n = 0; n < SAMPLES; n++) {
    th_polar_map_begin(&s->map, &s->frames, sample(s, n));
    th_polar_map_advance(&s->map, limit);
    th_polar_map_close(&s->map);
    vertices += s->map.vertex_count;
  }
  return vertices;
}

static uint32_t lay_rings(surface *s, double reach) {
  uint32_t vertices = 0;
  for (uint32_t n = 0; n < SAMPLES; n++) {
    uint32_t f = sample(s, n);
    th_conformal_region(&s->map, &s->frames, f, &f, 1, reach);
    th_conformal_map_task task = {&s->frames, s->map.face, s->map.vertex, s->map.face_count, s->map.vertex_count};
    if (th_conformal_region_euler(&s->map) == 1 &&
        th_conformal_map_solve(&s->conformal_map, &task) == TH_CONFORMAL_MAP_DONE)
      vertices += s->map.vertex_count;
  }
  return vertices;
}

static double median_us(surface *s, uint32_t (*run)(surface *s, double size), double size) {
  double seconds[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    double begin = th_bench_now();
    run(s, size);
    seconds[k] = th_bench_now() - begin;
  }
  return th_bench_median(seconds, REPEATS) * 1e6 / SAMPLES;
}

static void measure_sphere(th_bench *bench) {
  th_soup soup = th_soup_begin(NULL);
  surface s = {0};
  if (th_make_icosphere(&soup, 5, 10.0, 0.0, NULL) != TH_OK || !surface_make(&s, &soup)) return;
  double low = 0.1, high = 5.0; /* [m]; the mean number of vertices grows with it */
  for (int k = 0; k < 30; k++) {
    double middle = 0.5 * (low + high);
    *(lay_polar(&s, middle) < 57 * SAMPLES ? &low : &high) = middle;
  }
  th_bench_report(bench, "chart.dgpc57.vertices", (double)lay_polar(&s, high) / SAMPLES, "vertices");
  th_bench_report(bench, "chart.dgpc57.us", median_us(&s, lay_polar, high), "us");
  th_bench_report(bench, "chart.lscm_ring.us", median_us(&s, lay_rings, 0.01), "us");
  surface_free(&s);
}

typedef struct whole {
  surface *s;
  th_patches_def patches;
  th_chart_cache_def charts;
  const char *name;
} whole;

/* Cuts into patches and makes every chart. */
static void measure_whole(th_bench *bench, const whole *w) {
  char name[64];
  th_patches p;
  th_chart_cache c;
  double begin = th_bench_now();
  if (th_patches_make(&p, &w->s->env.allocator, &w->s->frames, &w->patches, NULL, NULL) != TH_OK) return;
  double cut = th_bench_now() - begin;
  uint32_t *all = malloc(p.count * sizeof *all);
  for (uint32_t k = 0; all && k < p.count; k++) all[k] = k;
  if (!all || th_chart_cache_make(&c, &w->s->env.allocator, &w->s->mesh, &p, &w->charts, NULL) != TH_OK) {
    free(all);
    th_patches_free(&p);
    return;
  }
  begin = th_bench_now();
  bool prepared = th_chart_cache_prepare(&c, &w->s->frames, all, p.count, NULL, NULL) == TH_OK;
  double made = prepared ? th_bench_now() - begin : NAN; /* told by the frame */
  snprintf(name, sizeof name, "chart.%s.patches_ms", w->name);
  th_bench_report(bench, name, cut * 1e3, "ms");
  snprintf(name, sizeof name, "chart.%s.patches", w->name);
  th_bench_report(bench, name, p.count, "patches");
  snprintf(name, sizeof name, "chart.%s.charts_ms", w->name);
  th_bench_report(bench, name, made * 1e3, "ms");
  snprintf(name, sizeof name, "chart.%s.chart_us", w->name);
  th_bench_report(bench, name, made * 1e6 / p.count, "us");
  snprintf(name, sizeof name, "chart.%s.mib", w->name);
  th_bench_report(bench, name, (double)c.bytes / 1048576.0, "MiB");
  th_chart_cache_free(&c);
  th_patches_free(&p);
  free(all);
}

static void measure_bunny(th_bench *bench) {
  th_soup soup = th_soup_begin(NULL);
  surface s = {0};
  if (th_make_sized(&soup, TH_MAKE_BUNNY, NULL) != TH_OK || !surface_make(&s, &soup)) return;
  float edge = 0.0f;
  for (uint32_t f = 0; f < s.mesh.face_count; f++) edge += (float)(s.frames.face[f].bx / s.mesh.face_count);
  whole rings = {&s, th_default_patches_def(), th_default_chart_cache_def(0.0f), "bunny_rings"};
  rings.patches.one_face = true;
  rings.charts.chart.method = TH_CHART_LSCM;
  measure_whole(bench, &rings);
  whole patches = {&s, th_default_patches_def(), th_default_chart_cache_def(4.0f * edge), "bunny"};
  patches.patches.size = 8.0f * edge;
  patches.patches.cluster = 2.0f * edge;
  measure_whole(bench, &patches);
  surface_free(&s);
}

void th_bench_chart(th_bench *bench) {
  if (th_bench_wants(bench, "chart.dgpc57") || th_bench_wants(bench, "chart.lscm_ring")) measure_sphere(bench);
  if (th_bench_wants(bench, "chart.bunny")) measure_bunny(bench);
}
