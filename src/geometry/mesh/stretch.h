/* geometry/mesh/stretch.h - how much a flat map shrinks or enlarges a triangle.
 *
 * L2 stretch (Sander, Snyder, Gortler, Hoppe, "Texture mapping progressive meshes", 2001): a unit circle of the map
 * becomes an ellipse on the surface with half-axes Gamma >= gamma; L2 = sqrt((Gamma^2 + gamma^2) / 2). 1: not
 * distorted; above 1: the map shrank the triangle; below 1: it enlarged it.
 */
#ifndef TH_GEOMETRY_MESH_STRETCH_H
#define TH_GEOMETRY_MESH_STRETCH_H

#include "geometry/mesh/frames.h"

typedef struct th_stretch {
  double l2, large, small; /* large and small: the half-axes */
} th_stretch;

/* Of the face whose corners lie at p[0 .. 2] of the map. Infinite when the map gives it no area. */
th_stretch th_stretch_of(const th_face_frame *frame, const th_point *p);

#define TH_STRETCH_BINS 41
#define TH_STRETCH_MIN 0.8 /* middle of the first bin */
#define TH_STRETCH_BIN 0.01

/* Shares of L2 over many triangles; each triangle counts once for every map that holds it. */
typedef struct th_stretch_table {
  uint64_t count, central, rim;  /* triangles; of these, at the centre and at the border of their map */
  uint64_t bin[TH_STRETCH_BINS]; /* the first and the last take what lies beyond */
  double sum, worst;             /* of L2; the largest |L2 - 1| */
  double central_off, rim_off;   /* sums of |L2 - 1| */
} th_stretch_table;

typedef enum th_stretch_where { TH_STRETCH_INNER, TH_STRETCH_CENTRAL, TH_STRETCH_RIM } th_stretch_where;

void th_stretch_add(th_stretch_table *table, double l2, th_stretch_where where);

/* Of all triangles the share with |L2 - 1| at most `within`, to the width of a bin. */
double th_stretch_share(const th_stretch_table *table, double within);

#endif
