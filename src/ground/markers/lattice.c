/* ground/markers/lattice.c - markers of flat ground on a square grid, shifted by noise.
 *
 * The grid begins half a width from the lower left corner of the ground. The noise is independent and uniform in each
 * coordinate; without it symmetry can balance the equations of trees. A marker belongs to the tile of its place without
 * noise, is a function of its column and row alone, and is dropped where it is not free.
 */
#include "base/random.h"
#include "ground/markers/fill.h"

#define STREAM 0x4d41524bu

static double shifted(double at, uint64_t bits, double noise) {
  return at + noise * (2.0 * th_random_to_double(bits) - 1.0);
}

bool th_marker_lattice(th_marker_scratch *scratch, const th_marker_fill *fill, uint32_t tile) {
  const th_box *b = &fill->ground->bounds;
  const double width = (double)fill->def->distance, noise = (double)fill->def->noise, side = fill->tiles->side;
  const double x0 = b->x0 + 0.5 * width, y0 = b->y0 + 0.5 * width;
  int64_t at[3];
  th_tile_at(fill->tiles->key[tile], at);
  int64_t first_i = (int64_t)ceil(((double)at[0] * side - x0) / width - 1.0);
  int64_t first_j = (int64_t)ceil(((double)at[1] * side - y0) / width - 1.0);
  for (int64_t j = first_j < 0 ? 0 : first_j; floor((y0 + width * (double)j) / side) <= (double)at[1]; j++)
    for (int64_t i = first_i < 0 ? 0 : first_i; floor((x0 + width * (double)i) / side) <= (double)at[0]; i++) {
      double x = x0 + width * (double)i, y = y0 + width * (double)j;
      if (floor(x / side) != (double)at[0] || floor(y / side) != (double)at[1]) continue;
      uint64_t bits = th_random(fill->def->seed, STREAM, (uint32_t)i, (uint64_t)j);
      float sx = (float)shifted(x, bits, noise), sy = (float)shifted(y, th_random_mix(bits), noise);
      if (!th_ground_is_walkable(fill->ground, sx, sy)) continue;
      if (!th_marker_found(scratch, (th_place){th_ground_cell(fill->ground, sx, sy), sx, sy})) return false;
    }
  return true;
}
