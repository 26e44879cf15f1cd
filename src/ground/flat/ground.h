/* ground/flat/ground.h - inside a flat ground: what fields, views and walking read directly. */
#ifndef TH_GROUND_FLAT_GROUND_H
#define TH_GROUND_FLAT_GROUND_H

#include "ground/flat/walls.h"
#include "throng/ground.h"

/* A wall as walking reads it: start, unit direction, length. */
typedef struct th_wall_line {
  double ax, ay, ux, uy, length;
} th_wall_line;

typedef struct th_flat_ground {
  /* Raster: width x height square cells, row by row from the lower left. The outermost ring is always solid, so a
   * stencil needs no bounds check. Cell (i, j) covers [x0 + i*cell, x0 + (i+1)*cell) x [y0 + j*cell, ...). */
  float x0, y0, inverse_cell;
  uint32_t width, height;
  uint8_t *solid;   /* 1: touched by anything solid */
  float *clearance; /* signed distance [m] of the cell's centre to the nearest wall, capped at clearance_limit */

  /* Cells a body of each class may not stand in: clearance of the centre below the radius. blocked[k] holds 0 or 1;
   * it includes `solid`. */
  uint8_t *blocked[TH_MAX_CLASSES];

  th_segment *wall; /* walkable space on the left */
  uint32_t wall_count;
  th_walls walls;            /* owns `wall` */
  th_segment_grid wall_grid; /* buckets of `wall` */
  th_wall_line *line;        /* of each wall */
  th_shapes *shapes;         /* what the ground was made of: for edits, recordings and drawing */

  /* A point lies at most this far from the centre of its cell, rounding included [m]. */
  float half_diagonal;

  /* Raster cells that differ from the version before, as one rectangle [i0, i1) x [j0, j1); empty for version 1. */
  uint32_t changed_i0, changed_j0, changed_i1, changed_j1;
} th_flat_ground;

/* Parts of th_ground_release and th_ground_edit for flat ground. */
void th_flat_ground_free(th_ground *ground);
th_result th_flat_ground_edit(const th_ground *ground, const th_edit *edit, uint32_t count, uint32_t version,
                              th_ground **next, th_error *error);

#endif
