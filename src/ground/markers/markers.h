/* ground/markers/markers.h - a set of markers: its tiles, and the places by tile. */
#ifndef TH_GROUND_MARKERS_MARKERS_H
#define TH_GROUND_MARKERS_MARKERS_H

#include "ground/markers/tiles.h"

#define TH_MARKER_PAD 16 /* columns may be read so far past the end */

/* Markers by place: flat ground by squares, row by row; a mesh by faces. Marker n is entry n of all columns. */
typedef struct th_marker_index {
  float x0, y0, side, inverse; /* of the squares [m]; 1 / side */
  uint32_t columns, rows;      /* of a mesh: faces, 1 */
  uint32_t *start;             /* first marker of each square or face; columns x rows + 1 */
  float *x, *y;                /* places [m] */
  float *clearance;            /* no wall is nearer [m]; infinite where walls hide nothing */
} th_marker_index;

struct th_markers {
  atomic_uint references;
  th_allocator allocator;
  th_markers_def def;
  th_marker_tiles tiles;
  uint32_t *first; /* first entry of each tile in by_tile; tiles.count + 1 entries */
  uint32_t count;
  th_place *by_tile, *place; /* by tile; by place */
  th_marker_index index;
};

/* index.c: fills `place` and `index`. False when out of memory. */
bool th_marker_index_make(th_markers *set, const th_ground *ground);
void th_marker_index_free(th_markers *set);

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
void th_markers_retain(const th_markers *markers);
void th_markers_release(th_markers *markers);

#endif
