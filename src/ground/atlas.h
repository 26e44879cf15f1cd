/* ground/atlas.h - the patches of mesh ground, with their charts. */
#ifndef TH_GROUND_ATLAS_H
#define TH_GROUND_ATLAS_H

#include "ground/charts.h"
#include "ground/surface.h"

typedef struct th_atlas_def {
  th_allocator allocator;
  th_patches_def patches;
  th_charts_def charts; /* its reach is that of th_atlas_prepare */
} th_atlas_def;

typedef struct th_atlas {
  th_atlas_def def;
  th_patches patches;
  th_charts charts;
  bool charted; /* charts have been made */
} th_atlas;

th_atlas_def th_default_atlas_def(void);
th_result th_atlas_make(const th_atlas_def *def, const th_ground *ground, th_pool *pool, th_atlas **atlas,
                        th_error *error);
void th_atlas_free(th_atlas *atlas);

/* Makes the charts of these patches available, for at least that reach. Outside parallel passes. */
th_result th_atlas_prepare(th_atlas *atlas, const th_ground *ground, float reach, const uint32_t *patch, uint32_t count,
                           th_pool *pool);

/* NULL when there was no memory for it. */
static inline const th_chart *th_atlas_chart(const th_atlas *atlas, uint32_t patch) {
  return atlas->charted ? th_charts_get(&atlas->charts, patch) : NULL;
}

#endif
