/* ground/chart/atlas.c - the patches of mesh ground, with their charts.
 *
 * Patches depend on the ground alone. Charts also depend on how far agents see; when a model with a wider reach is
 * added, all charts are rebuilt. Patches are kept while vertices move, because agents are sorted by them and charts
 * belong to them; they are cut again only when one of them cannot be laid flat any more. Cost: that of
 * th_chart_cache_prepare; the test whether the patches can be kept costs about a third of building all charts of the
 * moved part.
 */
#include "ground/chart/atlas.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

th_atlas_def th_default_atlas_def(void) {
  return (th_atlas_def){.patches = th_default_patches_def(), .charts = th_default_chart_cache_def(0.0f)};
}

/* Cuts once more without fine relief where that has torn the patches. */
static th_result cut_smooth(th_atlas *t, const th_ground *ground, th_pool *pool, th_error *error) {
  t->layout.smooth = th_layout_choose(ground, &t->patches, &t->def.patches);
  if (t->layout.smooth.scale == 0.0) return TH_OK;
  th_patches_free(&t->patches);
  const th_mesh_frames *frames = th_layout_frames(&t->layout, ground);
  const th_patches_def def = th_layout_patches_def(&t->def.patches);
  return frames ? th_patches_make(&t->patches, &t->def.allocator, frames, &def, pool, error)
                : th_fail_memory(error, "atlas");
}

th_result th_atlas_make(const th_atlas_def *def, const th_ground *ground, th_pool *pool, th_atlas **atlas,
                        th_error *error) {
  th_atlas *t = *atlas = TH_TAKE(&def->allocator, th_atlas, 1);
  if (!t) return th_fail_memory(error, "atlas");
  t->def = *def;
  t->version = ground->version;
  t->layout.allocator = def->allocator;
  th_result result = th_patches_make(&t->patches, &def->allocator, &ground->mesh->frames, &def->patches, pool, error);
  if (!result && def->charts.chart.method == TH_CHART_DGPC) result = cut_smooth(t, ground, pool, error);
  if (!result) return TH_OK;
  th_layout_free(&t->layout);
  TH_GIVE(&def->allocator, t, 1);
  *atlas = NULL;
  return result;
}

void th_atlas_free(th_atlas *atlas) {
  if (!atlas) return;
  th_allocator a = atlas->def.allocator;
  if (atlas->charted) th_chart_cache_free(&atlas->charts);
  th_markers_release((th_markers *)(uintptr_t)atlas->def.charts.sheet.markers);
  th_layout_free(&atlas->layout);
  th_patches_free(&atlas->patches);
  TH_GIVE(&a, atlas, 1);
}

th_result th_atlas_chart_for(th_atlas *atlas, const th_ground *ground, float reach) {
  if (atlas->charted) th_chart_cache_free(&atlas->charts);
  atlas->charted = false;
  atlas->def.charts.chart.reach = reach;
  th_result result = th_chart_cache_make(&atlas->charts, &atlas->def.allocator, &ground->mesh->mesh, &atlas->patches,
                                         &atlas->def.charts, NULL);
  atlas->charted = !result;
  return result;
}

/* The reference keeps another set from taking the same address. */
void th_atlas_show(th_atlas *atlas, const th_markers *markers, float reach) {
  const th_sheet_def old = atlas->def.charts.sheet, sheet = {markers, reach};
  if (old.markers == markers && old.reach == reach) return;
  th_markers_retain(markers);
  atlas->def.charts.sheet = sheet;
  if (atlas->charted) th_chart_cache_show(&atlas->charts, &sheet);
  th_markers_release((th_markers *)(uintptr_t)old.markers);
}

/* The frames that charts of that reach are made from; NULL when out of memory. */
static const th_mesh_frames *frames_for(th_atlas *atlas, const th_ground *ground, float reach) {
  const th_mesh_frames *frames = th_layout_frames(&atlas->layout, ground);
  if (!frames || th_atlas_reaches(atlas, reach)) return frames;
  return th_atlas_chart_for(atlas, ground, reach) ? NULL : frames;
}

th_result th_atlas_prepare(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                           th_pool *pool) {
  const th_mesh_frames *frames = frames_for(atlas, ground, reach);
  return frames ? th_chart_cache_prepare(&atlas->charts, frames, patch, count, pool, NULL) : TH_ERROR_MEMORY;
}

th_result th_atlas_require(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                           th_pool *pool) {
  const th_mesh_frames *frames = frames_for(atlas, ground, reach);
  return frames ? th_chart_cache_require(&atlas->charts, frames, patch, count, pool, NULL) : TH_ERROR_MEMORY;
}

th_result th_atlas_fill(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                        th_pool *pool) {
  th_result result = th_atlas_require(atlas, ground, reach, patch, count, pool);
  return result ? result : th_chart_cache_fill(&atlas->charts, th_layout_frames(&atlas->layout, ground), pool, NULL);
}

th_result th_atlas_follow(th_atlas *atlas, const th_ground *from, const th_ground *to, const uint32_t *patch,
                          uint32_t count, th_pool *pool) {
  if (!atlas->charted) return TH_OK;
  th_layout next = {.allocator = atlas->layout.allocator, .smooth = atlas->layout.smooth};
  const th_mesh_frames *before = th_layout_frames(&atlas->layout, from), *after = th_layout_frames(&next, to);
  if (!before || !after) { /* the next call rebuilds all charts */
    th_layout_free(&next);
    th_chart_cache_free(&atlas->charts);
    atlas->charted = false;
    return TH_ERROR_MEMORY;
  }
  th_result result = th_chart_cache_require(&atlas->charts, before, patch, count, pool, NULL);
  th_chart_renewal_follow(&atlas->charts, before, after, from->version, pool);
  th_layout_take(&atlas->layout, &next);
  return result;
}

th_result th_atlas_resume(th_atlas *atlas, const th_ground *ground, const th_chart_wait *wait, uint32_t count,
                          th_pool *pool) {
  const th_mesh_frames *frames = th_layout_frames(&atlas->layout, ground);
  return frames ? th_chart_renewal_resume(&atlas->charts, frames, wait, count, ground->version, pool) : TH_ERROR_MEMORY;
}

typedef struct trial {
  const th_patches *patches;
  const th_mesh_frames *from, *to;
  th_polar_map *map; /* one per worker */
  bool *failed;      /* one per worker */
} trial;

static bool moved(const trial *t, uint32_t face) {
  const uint32_t *corner = t->to->mesh->corner + 3 * (size_t)face;
  for (int k = 0; k < 3; k++) {
    size_t at = 3 * (size_t)corner[k];
    if (memcmp(t->from->mesh->xyz + at, t->to->mesh->xyz + at, 3 * sizeof(double)) != 0) return true;
  }
  return false;
}

/* Maps until the corners of all own faces have coordinates, as in building a chart; then checks each face. */
static bool lies_flat(const trial *t, th_polar_map *map, uint32_t patch) {
  const th_patches *p = t->patches;
  const uint32_t *corner = t->to->mesh->corner, end = p->start[p->first[patch + 1]];
  map->tag = p->patch_of;
  map->own = patch;
  th_polar_map_begin(map, t->to, p->centre[patch]);
  for (uint32_t n = p->start[p->first[patch]]; n < end; n++) {
    th_point at[3];
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t v = corner[3 * p->face[n] + k];
      while (!th_polar_map_has(map, v) && map->heap.count > 0 && !map->failed)
        th_polar_map_advance(map, th_polar_map_next(map));
      if (!th_polar_map_has(map, v)) return false;
      at[k] = (th_point){map->node[v].x, map->node[v].y};
    }
    if (!(th_polar_map_face_off(&t->to->face[p->face[n]], at) <= TH_CHART_STRETCH)) return false;
  }
  return !map->failed;
}

static void try_patches(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const trial *t = context;
  const th_patches *p = t->patches;
  for (uint32_t patch = begin; patch < end && !t->failed[worker]; patch++) {
    uint32_t n = p->start[p->first[patch]], last = p->start[p->first[patch + 1]];
    while (n < last && !moved(t, p->face[n])) n++;
    if (n < last) t->failed[worker] = !lies_flat(t, &t->map[worker], patch);
  }
}

bool th_atlas_serves(const th_atlas *atlas, const th_ground *from, const th_ground *to, th_pool *pool) {
  const th_mesh_ground *a = from->mesh, *b = to->mesh;
  const th_allocator *allocator = &atlas->def.allocator;
  if (a->mesh.face_count != b->mesh.face_count || memcmp(a->blocked, b->blocked, a->mesh.face_count) != 0) return false;
  if (atlas->def.patches.one_face) return true; /* a triangle lies flat */
  uint32_t workers = th_pool_workers(pool), made = 0;
  th_layout before = {.allocator = *allocator, .smooth = atlas->layout.smooth}, after = before;
  trial t = {&atlas->patches, th_layout_frames(&before, from), th_layout_frames(&after, to),
             TH_TAKE(allocator, th_polar_map, workers), TH_TAKE(allocator, bool, workers)};
  bool serves = t.from && t.to && t.map && t.failed;
  for (; serves && made < workers; made++) serves = th_polar_map_make(&t.map[made], allocator, &b->mesh);
  if (serves) th_parallel_for(pool, atlas->patches.count, 8, try_patches, &t);
  for (uint32_t w = 0; serves && w < workers; w++) serves = !t.failed[w];
  for (uint32_t w = 0; t.map && w < workers; w++) th_polar_map_free(&t.map[w]);
  TH_GIVE(allocator, t.map, workers);
  TH_GIVE(allocator, t.failed, workers);
  th_layout_free(&before);
  th_layout_free(&after);
  return serves;
}
