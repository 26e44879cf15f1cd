/* ground/atlas.c - the patches of mesh ground, with their charts.
 *
 * Patches follow from the ground; charts also from how far agents see, which grows when a model with a wider reach
 * comes in: then all are made anew. Cost: that of th_charts_prepare.
 */
#include "atlas.h"

#include "base/error.h"
#include "base/memory.h"

th_atlas_def th_default_atlas_def(void) {
  return (th_atlas_def){.patches = th_default_patches_def(), .charts = th_default_charts_def(0.0f)};
}

th_result th_atlas_make(const th_atlas_def *def, const th_ground *ground, th_pool *pool, th_atlas **atlas,
                        th_error *error) {
  th_atlas *t = *atlas = TH_TAKE(&def->allocator, th_atlas, 1);
  if (!t) return th_fail_memory(error, "atlas");
  t->def = *def;
  th_result result =
      th_patches_make(&t->patches, &def->allocator, &ground->surface->frames, &def->patches, pool, error);
  if (!result) return TH_OK;
  TH_GIVE(&def->allocator, t, 1);
  *atlas = NULL;
  return result;
}

void th_atlas_free(th_atlas *atlas) {
  if (!atlas) return;
  th_allocator a = atlas->def.allocator;
  if (atlas->charted) th_charts_free(&atlas->charts);
  th_patches_free(&atlas->patches);
  TH_GIVE(&a, atlas, 1);
}

th_result th_atlas_prepare(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                           th_pool *pool) {
  const th_surface *s = ground->surface;
  if (!atlas->charted || reach > atlas->def.charts.chart.reach) {
    if (atlas->charted) th_charts_free(&atlas->charts);
    atlas->charted = false;
    atlas->def.charts.chart.reach = reach;
    th_result result =
        th_charts_make(&atlas->charts, &atlas->def.allocator, &s->mesh, &atlas->patches, &atlas->def.charts, NULL);
    if (result) return result;
    atlas->charted = true;
  }
  return th_charts_prepare(&atlas->charts, &s->frames, patch, count, pool, NULL);
}
