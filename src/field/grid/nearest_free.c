/* field/grid/nearest_free.c - finds the exit of a body that stands in a cell its class blocks.
 *
 * Bodies are pushed into the band that inflation blocks. The nearest free cell by distance alone may lie behind a thin
 * wall, so the owner of each free rim is spread outwards layer by layer through walkable cells only, and then two
 * layers into solid ones (a cell that a wall merely touches can still be stood in). Each cell takes the nearest of the
 * owners that its neighbours already have: a breadth-first distance transform that passes on the source. Cost: one pass
 * over the raster per layer, with about radius / cell layers.
 */
#include "field/grid/nearest_free.h"

#define SOLID_LAYERS 2

static uint64_t squared_distance(const th_ground *ground, uint32_t a, uint32_t b) {
  const th_flat_ground *flat = ground->flat;
  int64_t di = (int64_t)(a % flat->width) - (int64_t)(b % flat->width);
  int64_t dj = (int64_t)(a / flat->width) - (int64_t)(b / flat->width);
  return (uint64_t)(di * di + dj * dj);
}

static uint32_t nearest_owner(const th_ground *ground, const uint32_t *nearest_free, uint32_t c) {
  const uint32_t side[4] = {c - ground->flat->width, c - 1, c + 1, c + ground->flat->width};
  uint32_t best = TH_NO_CELL;
  uint64_t min = UINT64_MAX;
  for (int k = 0; k < 4; k++) {
    uint32_t owner = nearest_free[side[k]];
    if (owner == TH_NO_CELL) continue;
    uint64_t d = squared_distance(ground, owner, c);
    if (d < min || (d == min && owner < best)) min = d, best = owner;
  }
  return best;
}

/* One layer: all owners are decided before any is written, so the order of cells is irrelevant. */
static bool spread(const th_ground *ground, uint8_t solid, uint32_t *nearest_free, uint32_t *fresh) {
  const th_flat_ground *flat = ground->flat;
  const uint32_t width = flat->width, first = width + 1, end = width * (flat->height - 1) - 1;
  bool any = false;
  for (uint32_t c = first; c < end; c++) {
    bool wanted = nearest_free[c] == TH_NO_CELL && flat->solid[c] == solid && c % width != 0 && c % width != width - 1;
    fresh[c] = wanted ? nearest_owner(ground, nearest_free, c) : TH_NO_CELL;
    any |= fresh[c] != TH_NO_CELL;
  }
  if (!any) return false;
  for (uint32_t c = first; c < end; c++)
    if (fresh[c] != TH_NO_CELL) nearest_free[c] = fresh[c];
  return true;
}

void th_nearest_free_fill(const th_ground *ground, uint32_t radius_class, uint32_t *nearest_free, uint32_t *fresh) {
  const th_flat_ground *flat = ground->flat;
  size_t size = (size_t)flat->width * flat->height;
  const uint8_t *blocked = flat->blocked[radius_class];
  for (size_t c = 0; c < size; c++) nearest_free[c] = blocked[c] ? TH_NO_CELL : (uint32_t)c;
  while (spread(ground, 0, nearest_free, fresh)) continue;
  for (int layer = 0; layer < SOLID_LAYERS; layer++) (void)spread(ground, 1, nearest_free, fresh);
}
