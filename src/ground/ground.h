/* ground/ground.h - inside a ground: what fields, views and walking read directly. */
#ifndef TH_GROUND_GROUND_H
#define TH_GROUND_GROUND_H

#include <stdatomic.h>

#include "ground/flat/ground.h"
#include "throng/ground.h"

#define TH_MAX_CELLS (1u << 28) /* of a raster; also of an image */

typedef struct th_mesh_ground th_mesh_ground;   /* ground/mesh/ground.h */
typedef struct th_marker_shelf th_marker_shelf; /* ground/markers/shelf.h */
typedef struct th_path_shelf th_path_shelf;     /* ground/path/shelf.h */
typedef struct th_ground_calls th_ground_calls; /* ground/calls.h */

/* What both kinds of ground have, and a pointer to one of the two. */
struct th_ground {
  atomic_uint references;
  const th_ground_calls *calls;
  th_env env;
  uint32_t version;
  float cell;                         /* side of a raster cell, or the mean edge [m] */
  float clearance_limit;              /* [m] */
  float radius_class[TH_MAX_CLASSES]; /* [m] */
  uint32_t class_count;
  th_box bounds;          /* of the outline, or of the vertices from above */
  th_flat_ground *flat;   /* flat ground; else NULL */
  th_mesh_ground *mesh;   /* mesh ground; else NULL */
  th_markers_def markers; /* of the set that models use */
  th_marker_shelf *shelf; /* sets of markers of this version that were asked for */
  th_path_shelf *paths;   /* what paths on this version need */
};

static inline bool th_ground_is_mesh(const th_ground *ground) { return ground->mesh != NULL; }

/* The raster; without cells on mesh ground. */
static inline th_lattice th_ground_lattice(const th_ground *ground) {
  const th_flat_ground *flat = ground->flat;
  if (!flat) return (th_lattice){.cell = (double)ground->cell};
  return (th_lattice){(double)flat->x0, (double)flat->y0, (double)ground->cell, flat->width, flat->height};
}

/* Flat ground: raster cell that holds x, y; the result is clamped to the border ring. */
static inline uint32_t th_ground_cell(const th_ground *ground, float x, float y) {
  const th_flat_ground *flat = ground->flat;
  float fi = (x - flat->x0) * flat->inverse_cell, fj = (y - flat->y0) * flat->inverse_cell;
  float mi = (float)(flat->width - 1), mj = (float)(flat->height - 1);
  fi = fi > 0.0f ? (fi < mi ? fi : mi) : 0.0f;
  fj = fj > 0.0f ? (fj < mj ? fj : mj) : 0.0f;
  return (uint32_t)fj * flat->width + (uint32_t)fi;
}

/* How far beside a mesh, seen from above, a point may lie that stands for a place on it [m]. */
static inline float th_ground_beside(const th_ground *ground) {
  return 2.0f * (ground->cell > 1.0f ? ground->cell : 1.0f);
}

/* The place that a given point of an agent or a goal stands for: that of th_ground_locate_at, unless that lies more
 * than th_ground_beside away, seen from above. */
th_place th_ground_foot(const th_ground *ground, th_vec3 point, int32_t level);

/* True when an agent may stand there. Flat ground looks at x, y; mesh ground at the face. */
bool th_ground_holds(const th_ground *ground, th_place place);

/* Moves a place that became solid to the nearest one that is not; true when it moved. The cell of a place that may stay
 * is computed again. */
bool th_ground_displace(const th_ground *ground, th_place *place);

/* Exact: the point lies in an outline and in nothing solid. */
bool th_ground_is_walkable(const th_ground *ground, float x, float y);

#endif
