/* tests/support/raster_grounds.h - test grounds given cell by cell: open rooms, rooms with boxes, serpentines,
 * corridors, random cells.
 *
 * A map is a th_ground whose raster is drawn by hand, so that a test knows every cell. Only the raster is there:
 * walls, shapes and edits are not. Cells are 1/2 m and the origin is not zero, so that a wrong unit or frame shows.
 *
 *   th_ground *map = map_rooms(129, 129, 8, 42);  ... map_door(map, ...) ... map_finish(map);  map_free(map);
 */
#ifndef TH_TESTS_SUPPORT_RASTER_GROUNDS_H
#define TH_TESTS_SUPPORT_RASTER_GROUNDS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ground/ground.h"

#define MAP_CELL 0.5f
#define MAP_X0 (-3.0f)
#define MAP_Y0 2.0f
#define MAP_WIDE 1.1f /* radius of the second class [m]; the first one has radius 0 */

static inline uint64_t map_random_bits(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline uint32_t map_below(uint64_t *state, uint32_t limit) { return (uint32_t)(map_random_bits(state) % limit); }

static inline void map_fill(th_ground *map, uint32_t i0, uint32_t j0, uint32_t i1, uint32_t j1, uint8_t solid) {
  for (uint32_t j = j0; j < j1 && j + 1 < map->flat->height; j++)
    for (uint32_t i = i0; i < i1 && i + 1 < map->flat->width; i++)
      if (i > 0 && j > 0) map->flat->solid[j * map->flat->width + i] = solid;
}

/* Metres from a cell's centre to the nearest solid cell, looking no further than `limit` cells. */
static inline float map_clearance(const th_ground *map, uint32_t c, int limit) {
  int w = (int)map->flat->width, h = (int)map->flat->height, ci = (int)c % w, cj = (int)c / w;
  float best = (float)limit;
  if (map->flat->solid[c]) return -0.5f * map->cell;
  for (int j = cj - limit; j <= cj + limit; j++)
    for (int i = ci - limit; i <= ci + limit; i++) {
      if (i < 0 || j < 0 || i >= w || j >= h || !map->flat->solid[j * w + i]) continue;
      float dx = fmaxf(fabsf((float)(i - ci)) - 0.5f, 0.0f), dy = fmaxf(fabsf((float)(j - cj)) - 0.5f, 0.0f);
      best = fminf(best, sqrtf(dx * dx + dy * dy));
    }
  return best * map->cell;
}

/* Recomputes what follows from `solid`. */
static inline void map_finish(th_ground *map) {
  for (uint32_t c = 0; c < map->flat->width * map->flat->height; c++) {
    map->flat->clearance[c] = map_clearance(map, c, 6);
    for (uint32_t k = 0; k < map->class_count; k++)
      map->flat->blocked[k][c] = map->flat->solid[c] || map->flat->clearance[c] < map->radius_class[k];
  }
}

/* A room of free cells inside the ring of solid ones; `width` and `height` count the ring. */
static inline th_ground *map_open(uint32_t width, uint32_t height) {
  size_t size = (size_t)width * height;
  th_ground *map = (th_ground *)calloc(1, sizeof *map);
  map->flat = (th_flat_ground *)calloc(1, sizeof *map->flat);
  atomic_init(&map->references, 1);
  map->version = 1;
  map->flat->x0 = MAP_X0, map->flat->y0 = MAP_Y0, map->cell = MAP_CELL, map->flat->inverse_cell = 1.0f / MAP_CELL;
  map->flat->width = width, map->flat->height = height;
  map->clearance_limit = 6.0f * MAP_CELL;
  map->class_count = 2;
  map->radius_class[1] = MAP_WIDE;
  map->flat->solid = (uint8_t *)malloc(size);
  map->flat->clearance = (float *)calloc(size, sizeof(float));
  map->flat->blocked[0] = (uint8_t *)calloc(size, 1), map->flat->blocked[1] = (uint8_t *)calloc(size, 1);
  memset(map->flat->solid, 1, size);
  map_fill(map, 1, 1, width, height, 0);
  map_finish(map);
  return map;
}

static inline void map_free(th_ground *map) {
  free(map->flat->solid);
  free(map->flat->clearance);
  free(map->flat->blocked[0]);
  free(map->flat->blocked[1]);
  free(map->flat);
  free(map);
}

/* A copy with its own version, for edits. */
static inline th_ground *map_copy(const th_ground *from) {
  th_ground *map = map_open(from->flat->width, from->flat->height);
  memcpy(map->flat->solid, from->flat->solid, (size_t)from->flat->width * from->flat->height);
  map->version = from->version + 1;
  map_finish(map);
  return map;
}

/* Boxes of wall, side up to an eighth of the map. */
static inline th_ground *map_rooms(uint32_t width, uint32_t height, uint32_t boxes, uint64_t seed) {
  th_ground *map = map_open(width, height);
  for (uint32_t n = 0; n < boxes; n++) {
    uint32_t i = 1 + map_below(&seed, width - 2), j = 1 + map_below(&seed, height - 2);
    uint32_t across = 2 + map_below(&seed, width / 8 + 1), along = 2 + map_below(&seed, height / 8 + 1);
    map_fill(map, i, j, i + across, j + along, 1);
  }
  map_finish(map);
  return map;
}

/* Corridors of `free_width` cells that turn at alternating ends. */
static inline th_ground *map_serpentine(uint32_t side, uint32_t free_width) {
  th_ground *map = map_open(side, side);
  bool at_left = false;
  for (uint32_t j = 1 + free_width; j + 1 < side; j += free_width + 1, at_left = !at_left)
    map_fill(map, at_left ? 1 + free_width : 1, j, at_left ? side - 1 : side - 1 - free_width, j + 1, 1);
  map_finish(map);
  return map;
}

/* Single solid cells, `percent` of all. */
static inline th_ground *map_noise(uint32_t width, uint32_t height, uint32_t percent, uint64_t seed) {
  th_ground *map = map_open(width, height);
  for (uint32_t j = 1; j + 1 < height; j++)
    for (uint32_t i = 1; i + 1 < width; i++)
      if (map_below(&seed, 100) < percent) map->flat->solid[j * width + i] = 1;
  map_finish(map);
  return map;
}

static inline th_vec2 map_centre(const th_ground *map, uint32_t i, uint32_t j) {
  return (th_vec2){map->flat->x0 + ((float)i + 0.5f) * map->cell, map->flat->y0 + ((float)j + 0.5f) * map->cell};
}

static inline th_place map_place(const th_ground *map, th_vec2 p) {
  return (th_place){th_ground_cell(map, p.x, p.y), p.x, p.y};
}

#endif
