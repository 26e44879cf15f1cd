/* ground/displace.c - a new place for an agent on which a wall has appeared.
 *
 * Flat ground: the nearest free cell by rings round the old place. Mesh: the face whose centre is nearest in space.
 * Cost: the cells looked at, or all faces; both only for agents that were caught.
 */
#include <math.h>

#include "ground/mesh/ground.h"

static th_place nearest_cell(const th_ground *ground, float x, float y) {
  const th_flat_ground *flat = ground->flat;
  uint32_t cell = th_ground_cell(ground, x, y);
  int32_t ci = (int32_t)(cell % flat->width), cj = (int32_t)(cell / flat->width);
  int32_t width = (int32_t)flat->width, height = (int32_t)flat->height, max = width > height ? width : height;
  for (int32_t ring = 1; ring < max; ring++) {
    th_place best = {TH_NO_CELL, 0.0f, 0.0f};
    float min = INFINITY;
    for (int32_t j = cj - ring; j <= cj + ring; j++) {
      bool edge = j == cj - ring || j == cj + ring;
      for (int32_t i = ci - ring; i <= ci + ring; i += edge ? 1 : 2 * ring) {
        if (i < 0 || j < 0 || i >= width || j >= height || flat->solid[(size_t)j * flat->width + (size_t)i]) continue;
        float px = flat->x0 + ((float)i + 0.5f) * ground->cell, py = flat->y0 + ((float)j + 0.5f) * ground->cell;
        float d = (px - x) * (px - x) + (py - y) * (py - y);
        if (d < min) {
          min = d;
          best = (th_place){(uint32_t)j * flat->width + (uint32_t)i, px, py};
        }
      }
    }
    if (best.cell != TH_NO_CELL) return best;
  }
  return (th_place){cell, x, y};
}

static double distance2_to(const th_mesh *mesh, uint32_t face, const double p[3]) {
  double sum = 0.0;
  for (uint32_t i = 0; i < 3; i++) {
    double centre = 0.0;
    for (uint32_t k = 0; k < 3; k++) centre += mesh->xyz[3 * (size_t)mesh->corner[3 * face + k] + i] / 3.0;
    sum += (centre - p[i]) * (centre - p[i]);
  }
  return sum;
}

static th_place nearest_face(const th_ground *ground, th_place from) {
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

bool th_ground_holds(const th_ground *ground, th_place place) {
  if (!th_ground_is_mesh(ground)) return th_ground_locate(ground, place.x, place.y).cell != TH_NO_CELL;
  return place.cell < ground->mesh->mesh.face_count && !ground->mesh->blocked[place.cell];
}

bool th_ground_displace(const th_ground *ground, th_place *place) {
  if (th_ground_is_mesh(ground)) {
    if (th_ground_holds(ground, *place)) return false;
    *place = nearest_face(ground, *place);
    return true;
  }
  th_place found = th_ground_locate(ground, place->x, place->y);
  bool moved = found.cell == TH_NO_CELL;
  *place = moved ? nearest_cell(ground, place->x, place->y) : found;
  return moved;
}
