/* ground/atlas.c - the patches of one version of mesh ground, with their charts.
 *
 * Charts are made in parallel for the patches that need one, and kept. Cost: some microseconds a face, once.
 */
#include "atlas.h"

#include "base/error.h"
#include "base/memory.h"

th_atlas_def th_default_atlas_def(void) {
  return (th_atlas_def){.workers = 1,
                        .patches = th_default_patches_def(),
                        .chart = {.method = TH_CHART_DGPC, .clearance_cell = 0.25f, .clearance_limit = 4.0f}};
}

th_result th_atlas_make(const th_atlas_def *def, const th_ground *ground, th_pool *pool, th_atlas **atlas,
                        th_error *error) {
  const th_allocator *a = &def->allocator;
  th_atlas *t = *atlas = TH_TAKE(a, th_atlas, 1);
  if (!t) return th_fail_memory(error, "atlas");
  t->def = *def;
  t->ground = ground;
  const th_surface *s = ground->surface;
  th_result result = th_patches_make(&t->patches, a, &s->frames, &def->patches, pool, error);
  if (!result) {
    t->chart = TH_TAKE(a, th_chart *, t->patches.count);
    t->maker = TH_TAKE(a, th_chart_maker, def->workers);
    bool made = t->chart && t->maker;
    for (uint32_t i = 0; made && i < def->workers; i++)
      made = th_chart_maker_make(&t->maker[i], a, &s->mesh, &t->patches);
    if (!made) result = th_fail_memory(error, "atlas");
  }
  if (!result) return TH_OK;
  th_atlas_free(t);
  *atlas = NULL;
  return result;
}

void th_atlas_free(th_atlas *atlas) {
  if (!atlas) return;
  th_allocator a = atlas->def.allocator;
  for (uint32_t i = 0; atlas->chart && i < atlas->patches.count; i++) th_chart_free(atlas->chart[i], &a);
  TH_GIVE(&a, atlas->chart, atlas->patches.count);
  for (uint32_t i = 0; atlas->maker && i < atlas->def.workers; i++) th_chart_maker_free(&atlas->maker[i]);
  TH_GIVE(&a, atlas->maker, atlas->def.workers);
  th_patches_free(&atlas->patches);
  TH_GIVE(&a, atlas, 1);
}

typedef struct job {
  th_atlas *atlas;
  const uint32_t *patch;
} job;

static void build(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const job *j = context;
  th_atlas *t = j->atlas;
  for (uint32_t i = begin; i < end; i++) {
    th_chart **chart = &t->chart[j->patch[i]];
    if (!*chart)
      *chart = th_chart_build(&t->maker[worker], &t->ground->surface->frames, &t->patches, &t->def.chart, j->patch[i]);
  }
}

bool th_atlas_prepare(th_atlas *atlas, float reach, const uint32_t *patch, uint32_t count, th_pool *pool) {
  if (reach > atlas->reach) {
    for (uint32_t i = 0; i < atlas->patches.count; i++) {
      th_chart_free(atlas->chart[i], &atlas->def.allocator);
      atlas->chart[i] = NULL;
    }
    atlas->def.chart.reach = atlas->reach = reach;
  }
  bool missing = false;
  for (uint32_t i = 0; i < count; i++) missing |= !atlas->chart[patch[i]];
  if (!missing) return true;
  job work = {atlas, patch};
  th_parallel_for(pool, count, 1, build, &work);
  for (uint32_t i = 0; i < count; i++)
    if (!atlas->chart[patch[i]]) return false;
  return true;
}
