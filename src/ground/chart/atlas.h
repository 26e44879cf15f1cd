/* ground/chart/atlas.h - the patches of mesh ground, with their charts. */
#ifndef TH_GROUND_CHART_ATLAS_H
#define TH_GROUND_CHART_ATLAS_H

#include "base/platform/fetch.h"
#include "ground/chart/cache.h"
#include "ground/chart/layout.h"

typedef struct th_atlas_def {
  th_allocator allocator;
  th_patches_def patches;
  th_chart_cache_def charts; /* its reach is that of th_atlas_prepare, its sheet that of th_atlas_show */
} th_atlas_def;

typedef struct th_atlas {
  th_atlas_def def;
  th_patches patches;
  th_layout layout; /* frames.mesh lies in it: an atlas does not move in memory */
  th_chart_cache charts;
  bool charted;     /* charts have been made */
  uint32_t version; /* of the ground that was cut into these patches */
} th_atlas;

th_atlas_def th_default_atlas_def(void);
th_result th_atlas_make(const th_atlas_def *def, const th_ground *ground, th_pool *pool, th_atlas **atlas,
                        th_error *error);
void th_atlas_free(th_atlas *atlas);

/* From now on charts have sheets of these markers (NULL: none) within that reach; the set is retained. */
void th_atlas_show(th_atlas *atlas, const th_markers *markers, float reach);

/* Makes the charts of these patches available, for that reach. Outside parallel passes. */
th_result th_atlas_prepare(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                           th_pool *pool);

/* The same before all patches that a step needs are known: renews and evicts none. */
th_result th_atlas_require(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                           th_pool *pool);

/* Makes the charts of all patches, these first, as far as the budget permits; renews none that wait. */
th_result th_atlas_fill(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                        th_pool *pool);

/* False when the charts must be discarded and rebuilt for that reach. A farther reach does not do either (it remains
 * after a restore to a time before an agent with that reach was added), because a conformal chart depends on everything
 * that it holds. */
static inline bool th_atlas_reaches(const th_atlas *atlas, float reach) {
  return atlas->charted && reach == atlas->def.charts.chart.reach;
}

/* True when the patches of the atlas are valid for the next version too: the same faces are blocked, and every patch
 * with a vertex that moved can still be laid flat with its edges within TH_CHART_STRETCH. Out of memory counts as
 * no. */
bool th_atlas_serves(const th_atlas *atlas, const th_ground *from, const th_ground *to, th_pool *pool);

/* Brings an atlas whose patches are still valid to the next version. The charts of the given patches are in use; those
 * of them that are out of date are renewed by th_atlas_prepare, at most def.charts.renewals per call. */
th_result th_atlas_follow(th_atlas *atlas, const th_ground *from, const th_ground *to, const uint32_t *patch,
                          uint32_t count, th_pool *pool);

/* As th_chart_renewal_resume, for the charts of that version of the ground. */
th_result th_atlas_resume(th_atlas *atlas, const th_ground *ground, const th_chart_wait *wait, uint32_t count,
                          th_pool *pool);

/* Discards all charts and sets the reach; no chart is built yet. */
th_result th_atlas_chart_for(th_atlas *atlas, const th_ground *ground, float reach);

/* NULL when there was no memory for it. */
static inline const th_chart *th_atlas_chart(const th_atlas *atlas, uint32_t patch) {
  return atlas->charted ? th_chart_cache_get(&atlas->charts, patch) : NULL;
}

/* Charts lie apart in memory, and a pass comes to them patch by patch: what it reads first of the next one, if there is
 * one, is fetched while it works on this one. */
static inline void th_atlas_fetch_after(const th_atlas *atlas, uint32_t patch) {
  const th_chart *next = patch + 1 < atlas->patches.count ? th_atlas_chart(atlas, patch + 1) : NULL;
  if (next) th_fetch_lines(next, sizeof *next);
}

#endif
