/* lab/planarization/maps.c - the distortion, time and memory of all maps of a surface. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "ground/chart/atlas.h"
#include "lab/planarization/crowd.h"

static void add_chart(const th_atlas *atlas, const th_mesh_frames *frames, const th_chart *chart,
                      th_planar_maps *maps) {
  const th_patches *p = &atlas->patches;
  for (uint32_t n = 0; n < chart->cluster_count; n++) {
    const th_chart_map *map = th_chart_maps(chart, n);
    for (uint32_t k = p->start[chart->cluster[n]]; k < p->start[chart->cluster[n] + 1]; k++) {
      const uint32_t face = p->face[k];
      const th_chart_map *m = &map[k - p->start[chart->cluster[n]]];
      th_point corner[3];
      if (!th_chart_holds(m)) continue;
      for (uint32_t i = 0; i < 3; i++) {
        const th_point q = th_frames_corner(frames, 3 * face + i);
        const th_vec2 at = th_chart_point(m, (float)q.x, (float)q.y);
        corner[i] = (th_point){(double)at.x, (double)at.y};
      }
      const bool own = p->patch_of[face] == chart->patch;
      th_stretch_add(&maps->stretch, th_stretch_of(&frames->face[face], corner).l2,
                     face == p->centre[chart->patch] ? TH_STRETCH_CENTRAL
                     : own                           ? TH_STRETCH_INNER
                                                     : TH_STRETCH_RIM);
    }
  }
}

static th_result measure(th_atlas *atlas, th_ground *ground, uint32_t *all, th_planar_maps *maps) {
  const float reach = atlas->def.patches.one_face ? 0.01f : TH_PLANAR_VISION;
  for (uint32_t k = 0; k < atlas->patches.count; k++) all[k] = k;
  const double begin = th_clock_processor_seconds();
  th_result result = th_atlas_prepare(atlas, ground, reach, all, atlas->patches.count, NULL);
  if (result != TH_OK) return result;
  maps->seconds = th_clock_processor_seconds() - begin;
  maps->maps = atlas->patches.count;
  maps->bytes = (double)atlas->charts.bytes;
  for (uint32_t k = 0; k < atlas->patches.count; k++)
    add_chart(atlas, &ground->mesh->frames, th_atlas_chart(atlas, k), maps);
  maps->faces = (double)maps->stretch.count / maps->maps;
  return TH_OK;
}

th_result th_planar_maps_measure(const th_env *env, th_ground *ground, bool one_face, th_planar_maps *maps,
                                 th_error *error) {
  const th_env own = th_env_complete(env);
  th_atlas_def def = th_default_atlas_def();
  th_atlas *atlas = NULL;
  *maps = (th_planar_maps){0};
  def.allocator = own.allocator;
  def.patches.one_face = one_face;
  if (one_face) def.charts.chart.method = TH_CHART_LSCM;
  th_result result = th_atlas_make(&def, ground, NULL, &atlas, error);
  if (result != TH_OK) return result;
  const uint32_t count = atlas->patches.count;
  uint32_t *all = TH_TAKE(&own.allocator, uint32_t, count);
  result = all ? measure(atlas, ground, all, maps) : TH_ERROR_MEMORY;
  if (result != TH_OK) result = th_fail_memory(error, "maps");
  TH_GIVE(&own.allocator, all, count);
  th_atlas_free(atlas);
  return result;
}
