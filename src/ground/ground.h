/* ground/ground.h - inside a ground: what fields, views and walking read directly. */
#ifndef TH_GROUND_GROUND_H
#define TH_GROUND_GROUND_H

#include <stdatomic.h>

#include "ground/flat/walls.h"
#include "throng/ground.h"

#define TH_MAX_CELLS (1u << 28) /* of a raster; also of an image */

/* A wall as walking reads it: start, unit direction, length. */
typedef struct th_wall_line {
  double ax, ay, ux, uy, length;
} th_wall_line;

typedef struct th_mesh_ground th_mesh_ground; /* ground/mesh/ground.h */

struct th_ground {
  atomic_uint references;
  th_env env;
  uint32_t version;
  th_ground_kind kind;
  th_mesh_ground *mesh; /* mesh ground: then everything up to radius_class but `cell`, the mean edge, is empty */

  /* Raster: width x height square cells, row by row from the lower left. The outermost ring is always solid, so a
   * stencil needs no bounds check. Cell (i, j) covers [x0 + i*cell, x0 + (i+1)*cell) x [y0 + j*cell, ...). */
  float x0, y0, cell, inverse_cell;
  uint32_t width, height;
  uint8_t *solid;   /* 1: touched by anything solid */
  float *clearance; /* signed metres to the nearest wall at the cell's centre, capped at clearance_limit */
  float clearance_limit;

  /* Cells a body of each class may not stand in: clearance of the centre below the radius. blocked[k] holds 0 or 1;
   * it includes `solid`. */
  float radius_class[TH_MAX_CLASSES];
  uint32_t class_count;
  uint8_t *blocked[TH_MAX_CLASSES];

  th_segment *wall; /* walkable space on the left */
  uint32_t wall_count;
  th_walls walls;            /* owns `wall` */
  th_segment_grid wall_grid; /* buckets of `wall` */
  th_wall_line *line;        /* of each wall */
  th_shapes *shapes;         /* what the ground was made of: for edits, recordings and drawing */
  th_box bounds;             /* of the outline */

  /* A point lies at most this far from the centre of its cell, rounding included [m]. */
  float half_diagonal;

  /* Raster cells that differ from the version before, as one rectangle [i0, i1) x [j0, j1); empty for version 1. */
  uint32_t changed_i0, changed_j0, changed_i1, changed_j1;
};

static inline th_lattice th_ground_lattice(const th_ground *ground) {
  return (th_lattice){(double)ground->x0, (double)ground->y0, (double)ground->cell, ground->width, ground->height};
}

/* Raster cell that holds x, y; the result is clamped to the border ring. */
static inline uint32_t th_ground_cell(const th_ground *ground, float x, float y) {
  float fi = (x - ground->x0) * ground->inverse_cell, fj = (y - ground->y0) * ground->inverse_cell;
  float mi = (float)(ground->width - 1), mj = (float)(ground->height - 1);
  fi = fi > 0.0f ? (fi < mi ? fi : mi) : 0.0f;
  fj = fj > 0.0f ? (fj < mj ? fj : mj) : 0.0f;
  return (uint32_t)fj * ground->width + (uint32_t)fi;
}

/* True when somebody may stand there. Flat ground looks at x, y; mesh ground at the face. */
bool th_ground_holds(const th_ground *ground, th_place place);

/* Moves a place that became solid to the nearest one that is not; true when it moved. A place that may stay gets its
 * cell anew. */
bool th_ground_displace(const th_ground *ground, th_place *place);

/* Exact: the point lies in an outline and in nothing solid. */
bool th_ground_is_walkable(const th_ground *ground, float x, float y);

#endif
