/* ground/flat/version.h - the stages by which a version of a flat ground is built, for the first and for later ones. */
#ifndef TH_GROUND_FLAT_VERSION_H
#define TH_GROUND_FLAT_VERSION_H

#include "ground/ground.h"

static inline size_t th_flat_version_cells(const th_ground *ground) {
  return (size_t)ground->flat->width * ground->flat->height;
}

/* An empty version with one reference; NULL when out of memory, as false of the others. */
th_ground *th_flat_version_take(const th_env *env, uint32_t version);

/* Walls and their buckets; `changed` grows by what differs from `old`, which may be NULL. */
bool th_flat_version_walls(th_ground *ground, const th_ground *old, th_box *changed);

/* Memory of the rasters. */
bool th_flat_version_rasters(th_ground *ground);

/* Computes every raster inside the window from shapes and walls. */
bool th_flat_version_fill(th_ground *ground, const th_window *window);

/* Refuses a ground without a walkable cell. */
th_result th_flat_version_check(const th_ground *ground, th_error *error);

#endif
