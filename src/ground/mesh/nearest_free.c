/* ground/mesh/nearest_free.c - a new place for an agent on which a wall has appeared: the face whose centre is nearest
 * in space. Cost: one pass over all faces, only for such agents.
 */
#include <math.h>

#include "ground/calls.h"
#include "ground/mesh/ground.h"

static double distance2_to(const th_mesh *mesh, uint32_t face, const double p[3]) {
  double sum = 0.0;
  for (uint32_t i = 0; i < 3; i++) {
    double centre = 0.0;
    for (uint32_t k = 0; k < 3; k++) centre += mesh->xyz[3 * (size_t)mesh->corner[3 * face + k] + i] / 3.0;
    sum += (centre - p[i]) * (centre - p[i]);
  }
  return sum;
}

th_place th_mesh_ground_nearest_free(const th_ground *ground, th_place from) {
  const th_mesh_ground *s = ground->mesh;
  th_vec3 at = th_ground_point(ground, from);
  double p[3] = {(double)at.x, (double)at.y, (double)at.z}, min = INFINITY;
  uint32_t best = from.cell;
  for (uint32_t face = 0; face < s->mesh.face_count; face++) {
    if (s->blocked[face]) continue;
    double d2 = distance2_to(&s->mesh, face, p);
    if (d2 < min) min = d2, best = face;
  }
  return th_ground_place_of(ground, best, (th_vec3){1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 3.0f});
}
