/* ground/markers/set.h - a set of markers: its tiles, and the places by tile. */
#ifndef TH_GROUND_MARKERS_SET_H
#define TH_GROUND_MARKERS_SET_H

#include "ground/markers/tiles.h"

struct th_markers {
  atomic_uint references;
  th_allocator allocator;
  th_markers_def def;
  th_marker_tiles tiles;
  uint32_t *first; /* first marker of each tile; tiles.count + 1 entries */
  uint32_t count;
  th_place *place;
};

/* A new set; or one that follows `old`, a set of `before`, the version before `ground`: tiles that nothing touched are
 * copied. Both have the same bits. `pool` may be NULL. */
typedef struct th_markers_job {
  const th_ground *ground;
  const th_markers_def *def;
  th_pool *pool;
  const th_markers *old; /* or NULL */
  const th_ground *before;
} th_markers_job;

th_result th_markers_make(const th_markers_job *job, th_markers **markers, th_error *error);
void th_markers_release(th_markers *markers);

#endif
