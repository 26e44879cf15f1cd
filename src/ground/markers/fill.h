/* ground/markers/fill.h - the markers of one tile. */
#ifndef TH_GROUND_MARKERS_FILL_H
#define TH_GROUND_MARKERS_FILL_H

#include "ground/markers/tiles.h"

#define TH_TILE_APRON 2 /* cells of one marker distance around a tile */
#define TH_TILE_CELLS (TH_TILE_SPAN + 2 * TH_TILE_APRON)

/* A marker in space, in a list of its cube. */
typedef struct th_marker_spot {
  double at[3];
  double normal[3];
  uint32_t next;
} th_marker_spot;

/* One worker's memory. */
typedef struct th_marker_scratch {
  th_allocator allocator;
  th_marker_cell *cell, *fresh; /* that may still hold a marker; their parts */
  double *sum;                  /* area of the cells up to each */
  uint32_t cell_count, cell_capacity, fresh_capacity, sum_capacity;
  th_marker_spot *spot; /* markers of the tile and around it */
  uint32_t spot_count, spot_capacity;
  th_place *found; /* markers of the tile */
  uint32_t found_count, found_capacity;
  uint32_t *head;            /* first spot of each cube of one marker distance, TH_TILE_CELLS^3 */
  double corner[3], inverse; /* of the tile's apron [m]; 1 / marker distance */
  bool flat;                 /* all spots have one height */
  bool full;                 /* out of memory */
} th_marker_scratch;

/* What is to be filled. */
typedef struct th_marker_fill {
  const th_ground *ground;
  const th_markers_def *def;
  const th_marker_tiles *tiles;
  double distance; /* [m] */
} th_marker_fill;

bool th_marker_scratch_make(th_marker_scratch *scratch, const th_allocator *allocator);
void th_marker_scratch_free(th_marker_scratch *scratch);

/* Empties the scratch for a tile. Then the markers of its neighbours are made known; they may lie anywhere. */
void th_marker_scratch_begin(th_marker_scratch *scratch, const th_marker_fill *fill, uint64_t tile);
void th_marker_scratch_know(th_marker_scratch *scratch, const th_marker_fill *fill, th_place place);

/* spots.c: another marker, unless it lies beyond the apron. */
void th_marker_spot_put(th_marker_scratch *scratch, const double at[3], const double normal[3]);

/* spots.c: whether one marker of the same side is nearer than the distance to a point; to all corners of a triangle, or
 * of its parts: bit k is the k-th of th_marker_cell_split. The points are those of th_marker_cell_points. */
#define TH_TRIANGLE_HIDDEN 15u
bool th_marker_hides_point(const th_marker_scratch *scratch, const double at[3], const double normal[3],
                           double distance);
uint32_t th_marker_hides_triangle(const th_marker_scratch *scratch, const double at[6][3], const double normal[3],
                                  double distance);

/* Fills `found` with the markers of a tile: darts (throw.c) or those of a grid (lattice.c). False when out of memory.
 */
bool th_marker_throw(th_marker_scratch *scratch, const th_marker_fill *fill, uint32_t tile);
bool th_marker_lattice(th_marker_scratch *scratch, const th_marker_fill *fill, uint32_t tile);
bool th_marker_found(th_marker_scratch *scratch, th_place place);

#endif
