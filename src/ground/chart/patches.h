/* ground/chart/patches.h - a surface cut into pieces, about 12 m wide, whose agents share one chart.
 *
 * Patches consist of clusters, groups of faces about 2 m wide, numbered patch by patch, so that agents sorted by
 * cluster are sorted by patch. Blocked faces belong to none.
 */
#ifndef TH_GROUND_CHART_PATCHES_H
#define TH_GROUND_CHART_PATCHES_H

#include "base/tasks.h"
#include "geometry/mesh/frames.h"

typedef struct th_patches_def {
  float size;    /* of a patch where the surface does not bend [m], default 8 */
  float cluster; /* of a cluster [m], default 2 */
  bool one_face; /* every face is a patch: the maps of dynamic planarization */
  double rim;    /* relative change of an edge at which the disc of a patch ends, default 0.04 */
  double lean;   /* least cosine between the normals of a face and of its patch's centre, default 0.906: 25 degrees */
} th_patches_def;

typedef struct th_patches {
  th_allocator allocator;
  uint32_t face_count, count, cluster_count;
  uint32_t *patch_of;   /* of each face, TH_NO_ELEMENT for blocked ones */
  uint32_t *cluster_of; /* of each face, TH_NO_ELEMENT for blocked ones */
  uint32_t *first;      /* first cluster of each patch; count + 1 entries */
  uint32_t *start;      /* first entry of each cluster in `face`; cluster_count + 1 entries */
  uint32_t *face;       /* faces by cluster, ascending in each */
  uint32_t *rank_of;    /* of each walkable face its place in `face` */
  uint32_t *centre;     /* of each patch the face whose centroid is the origin of its chart */
  float *radius;        /* of each patch: no corner of its faces is farther from the centre along the surface [m] */
  uint32_t open_faces;  /* entries of `face` */
  float mean_edge;      /* of walkable faces when the patches were made [m] */
} th_patches;

th_patches_def th_default_patches_def(void);

/* A pure function of frames (with their blocked faces) and def. `pool` may be NULL. O(n log n). */
th_result th_patches_make(th_patches *patches, const th_allocator *allocator, const th_mesh_frames *frames,
                          const th_patches_def *def, th_pool *pool, th_error *error);
void th_patches_free(th_patches *patches);

/* The patches alone: patch_of, centre, count. False when out of memory. */
bool th_patches_cut(th_patches *patches, const th_mesh_frames *frames, const th_patches_def *def);

static inline uint32_t th_cluster_size(const th_patches *p, uint32_t cluster) {
  return p->start[cluster + 1] - p->start[cluster];
}

#endif
