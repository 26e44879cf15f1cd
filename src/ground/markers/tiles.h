/* ground/markers/tiles.h - space cut into cubes, and the faces that may have markers in each.
 *
 * A tile is a cube of 16 marker distances, aligned with the origin, so its number depends on its place alone.
 * Tiles have one of eight colours, by the parities of i, j, k. Two tiles of one colour do not touch, and the gap
 * between them is many marker distances wide.
 */
#ifndef TH_GROUND_MARKERS_TILES_H
#define TH_GROUND_MARKERS_TILES_H

#include "base/tasks.h"
#include "geometry/segment.h"
#include "ground/ground.h"
#include "throng/markers.h"

#define TH_TILE_SPAN 16 /* marker distances along a side */
#define TH_TILE_COLOURS 8
#define TH_TILE_NONE UINT32_MAX

/* A face as markers need it: corners in its own frame, and that frame in space. Flat ground is two faces: the halves
 * of its bounding box. */
typedef struct th_marker_face {
  double origin[3], x[3], y[3], normal[3];
  th_point corner[3];
} th_marker_face;

uint32_t th_marker_face_count(const th_ground *ground);
bool th_marker_face_open(const th_ground *ground, uint32_t face);
th_marker_face th_marker_face_of(const th_ground *ground, uint32_t face);

static inline void th_marker_point(const th_marker_face *f, th_point p, double *xyz) {
  for (int k = 0; k < 3; k++) xyz[k] = f->origin[k] + f->x[k] * p.x + f->y[k] * p.y;
}

/* A triangle of a face, and its four parts. */
typedef struct th_marker_cell {
  th_point corner[3];
  uint32_t face;
} th_marker_cell;

void th_marker_cell_points(const th_marker_cell *cell, th_point point[6]); /* corners; middles of 01, 12, 20 */
void th_marker_cell_split(const th_marker_cell *cell, th_marker_cell part[4]);
double th_marker_cell_edge(const th_marker_cell *cell); /* the longest one [m] */
void th_marker_cell_box(const th_marker_cell *cell, const th_marker_face *face, double low[3], double high[3]);

typedef struct th_marker_tiles {
  double side; /* [m] */
  uint32_t count, face_entries;
  uint64_t *key;        /* ascending */
  uint32_t *first_face; /* first entry of each tile in `face`; count + 1 */
  uint32_t *face;       /* faces that meet each tile, ascending */
} th_marker_tiles;

static inline uint64_t th_tile_key(int64_t i, int64_t j, int64_t k) {
  const int64_t half = 1 << 20;
  return (uint64_t)(k + half) << 42 | (uint64_t)(j + half) << 21 | (uint64_t)(i + half);
}
static inline void th_tile_at(uint64_t key, int64_t at[3]) {
  for (int n = 0; n < 3; n++) at[n] = (int64_t)(key >> (21 * n) & 0x1fffff) - (1 << 20);
}
/* The flips of each axis' lowest bit do not depend on the offset, which is even. */
static inline uint32_t th_tile_colour(uint64_t key) {
  return (uint32_t)((key & 1) | (key >> 21 & 1) << 1 | (key >> 42 & 1) << 2);
}

th_result th_marker_tiles_make(th_marker_tiles *tiles, const th_ground *ground, const th_markers_def *def,
                               th_error *error);
void th_marker_tiles_free(th_marker_tiles *tiles, const th_allocator *allocator);
uint32_t th_marker_tiles_find(const th_marker_tiles *tiles, uint64_t key); /* TH_TILE_NONE: there is none */

#endif
