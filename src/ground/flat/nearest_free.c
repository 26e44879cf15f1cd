/* ground/flat/nearest_free.c - a new place for an agent on which a wall has appeared: the nearest free cell, by rings
 * round the old place. Cost: one test per cell visited, only for such agents.
 */
#include <math.h>

#include "ground/calls.h"

th_place th_flat_ground_nearest_free(const th_ground *ground, th_place from) {
  const float x = from.x, y = from.y;
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
