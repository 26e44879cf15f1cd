/* ground/chart/overhead.h - where on a mesh bodies can meet above the surface.
 *
 * Bodies stand along the normals of their faces, or plumb. In a valley, inside a tube, on facing walls or on floors
 * closer than a body is high, two of them may meet although their feet are far apart along the surface. For each
 * cluster of faces this lists the clusters whose bodies may meet its own like that, so that no other agents are tested:
 * on flat and on convex ground all lists are empty.
 *
 * Two bodies meet above the surface when the following holds. Their radii are r and r', the straight distance of their
 * feet is c, and that of their axes is D:
 *
 *   c >= 0.9 (r + r'),   c > D + 0.25 max(D, r + r')
 *
 * Nearer feet touch along the surface already. Axes that are hardly nearer than the feet add nothing either: there the
 * chart shows the same body at nearly the same distance.
 */
#ifndef TH_GROUND_CHART_OVERHEAD_H
#define TH_GROUND_CHART_OVERHEAD_H

#include "ground/chart/patches.h"

#define TH_OVERHEAD_BESIDE 0.9f /* of the radii: nearer feet are handled along the surface */
#define TH_OVERHEAD_NEARER 0.25f

/* The bodies for which the lists are valid. */
typedef struct th_overhead_def {
  float height;                 /* no body is higher [m] */
  float radius_min, radius_max; /* [m] */
  float gap;                    /* bodies farther from each other than this are left alone [m] */
  bool plumb;                   /* bodies stand along z; else along the normals of their faces */
} th_overhead_def;

/* Clusters first to last - 1: agents sorted by cluster are one run of slots. */
typedef struct th_overhead_run {
  uint32_t first, last;
} th_overhead_run;

/* A face in space: its frame's origin and axes, and the normal. */
typedef struct th_overhead_face {
  th_vec3 origin, x, y, normal;
} th_overhead_face;

typedef struct th_overhead {
  th_allocator allocator;
  th_overhead_def def;
  uint32_t cluster_count, face_count;
  uint32_t *first;      /* of each cluster its first entry in `run`; cluster_count + 1 */
  th_overhead_run *run; /* clusters whose bodies may meet its own, ascending; itself may be among them */
  uint8_t *crowded;     /* of each face: 1 where a body may meet another above */
  th_overhead_face *face;
  uint32_t runs, pairs; /* entries of `run`; clusters in all of them */
  uint64_t tested;      /* pairs of faces, or of parts of them, that were tested: the cost */
} th_overhead;

static inline bool th_overhead_counts(float feet, float axes, float radii) {
  return feet >= TH_OVERHEAD_BESIDE * radii && feet > axes + TH_OVERHEAD_NEARER * (axes > radii ? axes : radii);
}

/* What the lists are made from. */
typedef struct th_overhead_input {
  const th_allocator *allocator;
  const th_mesh_frames *frames;
  const th_patches *patches;
  th_pool *pool; /* or NULL */
} th_overhead_input;

/* A superset of what counts, and a pure function of frames, patches and def. Cost: O(faces x faces within a body's
 * height), for any radii. */
th_result th_overhead_make(const th_overhead_input *input, const th_overhead_def *def, th_overhead **overhead,
                           th_error *error);
void th_overhead_free(th_overhead *overhead);

#endif
