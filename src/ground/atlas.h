/* ground/atlas.h - the patches of one version of mesh ground, with their charts. */
#ifndef TH_GROUND_ATLAS_H
#define TH_GROUND_ATLAS_H

#include "ground/chart.h"
#include "ground/surface.h"

typedef struct th_atlas_def {
  th_allocator allocator;
  uint32_t workers;
  th_patches_def patches;
  th_chart_def chart; /* its reach is that of th_atlas_prepare */
} th_atlas_def;

typedef struct th_atlas {
  th_atlas_def def;
  const th_ground *ground; /* must outlive the atlas */
  th_patches patches;
  th_chart **chart; /* of each patch, or NULL */
  th_chart_maker *maker;
  float reach; /* of the charts */
} th_atlas;

th_atlas_def th_default_atlas_def(void);
th_result th_atlas_make(const th_atlas_def *def, const th_ground *ground, th_pool *pool, th_atlas **atlas,
                        th_error *error);
void th_atlas_free(th_atlas *atlas);

/* Makes the charts of these patches that are missing, or that reach less far than asked. False when out of memory. */
bool th_atlas_prepare(th_atlas *atlas, float reach, const uint32_t *patch, uint32_t count, th_pool *pool);

static inline const th_chart *th_atlas_chart(const th_atlas *atlas, uint32_t patch) { return atlas->chart[patch]; }

#endif
