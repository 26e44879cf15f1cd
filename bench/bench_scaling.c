/* bench/bench_scaling.c - how much faster two workers make charts and fields than one.
 *
 *   chart.scaling.2   all one-ring conformal maps of 68,958 faces (the maps of dynamic planarization)
 *   field.scaling.2   64 fields along edges of the same mesh, spread over the workers
 *
 * One and two workers take turns, so that other programs disturb both; the ratio of the median wall times is reported.
 * On a machine with fewer than two idle cores it says nothing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "ground/chart/cache.h"
#include "make/shapes.h"
#include "throng/field.h"
#include "throng/ground.h"

enum { ROUNDS = 5, FIELDS = 64, MAX_WORKERS = 2 };

typedef struct scaling {
  th_ground *ground;
  const th_mesh *mesh;
  th_mesh_frames frames;
  th_patches patches;
  uint32_t *all;                  /* patches */
  th_solver *solver[MAX_WORKERS]; /* one per worker */
  bool failed;
} scaling;

static bool begin(scaling *s) {
  th_soup soup = th_soup_begin(NULL);
  th_mesh_ground_def def = th_default_mesh_ground_def();
  th_patches_def one_face = th_default_patches_def();
  th_mesh mesh;
  if (th_make_sized(&soup, TH_MAKE_BUNNY, NULL) || th_soup_mesh(&soup, &mesh, NULL)) return false;
  def.mesh = &mesh;
  th_result result = th_ground_make_mesh(&def, &s->ground, NULL);
  th_mesh_free(&mesh);
  if (result) return false;
  s->mesh = th_ground_mesh(s->ground);
  one_face.one_face = true;
  if (!th_mesh_frames_make(&s->frames, s->mesh)) return false;
  if (th_patches_make(&s->patches, &s->mesh->allocator, &s->frames, &one_face, NULL, NULL)) return false;
  s->all = malloc(s->patches.count * sizeof *s->all);
  for (uint32_t p = 0; s->all && p < s->patches.count; p++) s->all[p] = p;
  th_solver_def solver = th_default_solver_def();
  solver.ground = s->ground;
  for (int w = 0; w < MAX_WORKERS; w++)
    if (th_solver_make(&solver, &s->solver[w], NULL)) return false;
  return s->all != NULL;
}

static void end(scaling *s) {
  for (int w = 0; w < MAX_WORKERS; w++) th_solver_release(s->solver[w]);
  free(s->all);
  th_patches_free(&s->patches);
  th_mesh_frames_free(&s->frames);
  th_ground_release(s->ground);
}

static bool make_charts(scaling *s, th_pool *pool) {
  th_chart_cache_def def = th_default_chart_cache_def(0.0f);
  th_chart_cache charts;
  def.chart.method = TH_CHART_LSCM;
  if (th_chart_cache_make(&charts, &s->mesh->allocator, s->mesh, &s->patches, &def, NULL)) return false;
  th_result result = th_chart_cache_prepare(&charts, &s->frames, s->all, s->patches.count, pool, NULL);
  th_chart_cache_free(&charts);
  return result == TH_OK;
}

static void make_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  scaling *s = context;
  for (uint32_t n = begin; n < end; n++) {
    uint32_t face = (uint32_t)((uint64_t)n * s->mesh->face_count / FIELDS);
    th_field_def def = th_default_field_def();
    th_field *field = NULL;
    def.kind = TH_FIELD_EDGES;
    def.goal =
        th_point_shape_at(th_ground_point(s->ground, th_ground_place_of(s->ground, face, (th_vec3){1.0f, 0.0f, 0.0f})));
    if (th_field_make(s->solver[worker], &def, &field, NULL)) s->failed = true;
    th_field_release(field);
  }
}

static bool make_fields(scaling *s, th_pool *pool) {
  th_parallel_for(pool, FIELDS, 1, make_block, s);
  return !s->failed;
}

static void measure(th_bench *bench, const char *name, scaling *s, bool (*work)(scaling *, th_pool *)) {
  th_pool *pool[MAX_WORKERS] = {NULL};
  double seconds[MAX_WORKERS][ROUNDS];
  bool made = true;
  for (uint32_t w = 0; w < MAX_WORKERS; w++) made &= th_pool_make(NULL, w + 1, &pool[w], NULL) == TH_OK;
  for (int n = 0; made && n < ROUNDS; n++)
    for (int w = 0; made && w < MAX_WORKERS; w++) {
      double start = th_bench_wall();
      made = work(s, pool[w]);
      seconds[w][n] = th_bench_wall() - start;
    }
  if (made) {
    char key[64];
    double one = th_bench_median(seconds[0], ROUNDS), two = th_bench_median(seconds[1], ROUNDS);
    snprintf(key, sizeof key, "%s.one_ms", name);
    th_bench_report(bench, key, one * 1e3, "ms");
    th_bench_report(bench, name, one / two, "x");
  }
  for (uint32_t w = 0; w < MAX_WORKERS; w++) th_pool_free(pool[w]);
}

void th_bench_scaling(th_bench *bench) {
  bool charts = th_bench_wants(bench, "chart.scaling.2"), fields = th_bench_wants(bench, "field.scaling.2");
  scaling s = {0};
  if (!charts && !fields) return;
  bool made = begin(&s);
  if (made && charts) measure(bench, "chart.scaling.2", &s, make_charts);
  if (made && fields) measure(bench, "field.scaling.2", &s, make_fields);
  end(&s);
}
