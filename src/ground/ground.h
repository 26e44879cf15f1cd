/* ground/ground.h - inside a ground: what fields, views and walking read directly. */
#ifndef TH_GROUND_GROUND_H
#define TH_GROUND_GROUND_H

#include <stdatomic.h>

#include "throng/ground.h"

/* The shapes a flat ground was made of, kept for edits, recordings and drawing. */
typedef struct th_shapes th_shapes;
/* Wall segments in a uniform grid of buckets. */
typedef struct th_wall_index th_wall_index;

struct th_ground {
  atomic_uint references;
  th_env env;
  uint32_t version;

  /* Raster: width x height square cells, row by row from the lower left. The outermost ring is always solid, so a
   * stencil needs no bounds check. Cell (i, j) covers [x0 + i*cell, x0 + (i+1)*cell) x [y0 + j*cell, ...). */
  float x0, y0, cell, inverse_cell;
  uint32_t width, height;
  uint8_t *solid;    /* 1: touched by anything solid */
  float *clearance;  /* signed metres to the nearest wall at the cell's centre, capped at clearance_limit */
  float clearance_limit;

  /* Cells a body of each class may not stand in: clearance of the centre below the radius. blocked[k] holds 0 or 1;
   * it includes `solid`. */
  float radius_class[TH_MOST_CLASSES];
  uint32_t class_count;
  uint8_t *blocked[TH_MOST_CLASSES];

  th_segment *wall; /* walkable space on the left */
  uint32_t wall_count;
  th_wall_index *wall_index;
  th_shapes *shapes;

  /* Raster cells that differ from the version before, as one rectangle [i0, i1) x [j0, j1); empty for version 1. */
  uint32_t changed_i0, changed_j0, changed_i1, changed_j1;
};

/* Raster cell that holds x, y; the result is clamped to the border ring. */
static inline uint32_t th_ground_cell(const th_ground *ground, float x, float y) {
  float fi = (x - ground->x0) * ground->inverse_cell, fj = (y - ground->y0) * ground->inverse_cell;
  float mi = (float)(ground->width - 1), mj = (float)(ground->height - 1);
  fi = fi > 0.0f ? (fi < mi ? fi : mi) : 0.0f;
  fj = fj > 0.0f ? (fj < mj ? fj : mj) : 0.0f;
  return (uint32_t)fj * ground->width + (uint32_t)fi;
}

#endif
