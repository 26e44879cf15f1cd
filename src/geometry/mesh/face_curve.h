/* geometry/mesh/face_curve.h - orders faces so that consecutive ones are near each other in space. */
#ifndef TH_GEOMETRY_MESH_FACE_CURVE_H
#define TH_GEOMETRY_MESH_FACE_CURVE_H

#include "throng/mesh.h"

/* `order` becomes the numbers 0 ... count - 1 along the curve: of faces, or of entries of `face` when it is given.
 * False when out of memory. */
bool th_face_curve(const th_mesh *mesh, const uint32_t *face, uint32_t count, uint32_t *order);

#endif
