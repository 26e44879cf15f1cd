/* geometry/mesh/smooth.h - a surface without its fine relief. */
#ifndef TH_GEOMETRY_MESH_SMOOTH_H
#define TH_GEOMETRY_MESH_SMOOTH_H

#include "throng/mesh.h"

typedef struct th_smooth_def {
  double scale; /* waves much shorter than three times this vanish, much longer ones stay [m] */
  double edge;  /* mean edge [m]: decides the number of rounds, not the result where edges are longer */
} th_smooth_def;

/* A face keeps at least this share of its area, so that vectors can be carried between the two surfaces. */
#define TH_SMOOTH_AREA 0.25

/* Writes the vertices of the smooth surface, three numbers each. Every vertex moves along the smooth surface's normal
 * only. A pure function of mesh and def; a vertex depends on those within as many edges as there are rounds. False when
 * out of memory. O(n (scale / edge)^2). */
bool th_mesh_smooth(const th_mesh *mesh, const th_smooth_def *def, double *xyz);

#endif
