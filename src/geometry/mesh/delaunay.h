/* geometry/mesh/delaunay.h - a mesh by its edge lengths alone, made Delaunay by flips; cotangent weights.
 *
 * The surface and its vertices stay; flips change only which vertices are joined by straight edges on the surface.
 * After the flips an edge may run over several faces of the mesh, and two vertices may be joined twice.
 */
#ifndef TH_GEOMETRY_MESH_DELAUNAY_H
#define TH_GEOMETRY_MESH_DELAUNAY_H

#include "throng/mesh.h"

typedef struct th_delaunay {
  th_allocator allocator;
  uint32_t vertex_count, face_count;
  uint32_t *corner; /* as in th_mesh */
  uint32_t *twin;
  double *length; /* of each half-edge [m]; twins are equal */
  double added;   /* length that mollification added to every edge [m] */
  uint64_t flips;
} th_delaunay;

/* Lengths of the mesh, mollified: every triangle keeps the strict triangle inequality by at least `slack` times the
 * mean edge (1e-6 is a good choice, 0 adds nothing to a mesh of sound faces), then flipped to Delaunay. */
th_result th_delaunay_make(th_delaunay *intrinsic, const th_mesh *mesh, double slack, th_error *error);
void th_delaunay_free(th_delaunay *intrinsic);

/* Cotangent of the angle against half-edge h: (a^2 + b^2 - c^2) / (4 area), c = length of h. */
double th_delaunay_cotangent(const th_delaunay *intrinsic, uint32_t h);

/* Weight of the edge of h: half the sum of the two cotangents against it. Inner edges of a Delaunay triangulation have
 * weights >= 0 but for rounding; an edge at the border has one angle only, and a negative weight where that is obtuse.
 * Both are cut at 0 here, so that the matrix is always an M-matrix. */
double th_delaunay_weight(const th_delaunay *intrinsic, uint32_t h);

/* Area of face f [m2], by Kahan's stable form of Heron's formula. */
double th_delaunay_area(const th_delaunay *intrinsic, uint32_t f);

#endif
