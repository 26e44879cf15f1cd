/* ground/chart/layout.h - the surface that patches are cut from and charts are laid flat by. */
#ifndef TH_GROUND_CHART_LAYOUT_H
#define TH_GROUND_CHART_LAYOUT_H

#include "geometry/mesh/smooth.h"
#include "ground/chart/patches.h"
#include "ground/mesh/ground.h"

/* The ground as it is, or without its fine relief. */
typedef struct th_layout {
  th_allocator allocator;
  th_smooth_def smooth; /* scale 0: the ground as it is */
  bool held;            /* the smooth surface of `version` is there */
  uint32_t version;
  th_mesh mesh;          /* its vertices; all other arrays are the ground's */
  th_mesh_frames frames; /* `walked` are the ground's */
} th_layout;

/* How to smooth a ground that was cut into these patches as it is: scale 0 unless its fine relief tore them. */
th_smooth_def th_layout_choose(const th_ground *ground, const th_patches *patches, const th_patches_def *def);

/* How to cut it then: the ground is off from the smooth surface by some per cent everywhere, so more is tolerated. */
th_patches_def th_layout_patches_def(const th_patches_def *def);

/* The frames to cut and to lay flat by, kept until another version is asked for; NULL when out of memory. O(n) for a
 * version that is not held. Outside parallel passes. */
const th_mesh_frames *th_layout_frames(th_layout *layout, const th_ground *ground);
void th_layout_free(th_layout *layout);

/* Takes over what another layout holds. */
void th_layout_take(th_layout *layout, th_layout *other);

#endif
