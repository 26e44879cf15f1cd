/* tests/support/relaxed_grids.h - small maps for relaxations. */
#ifndef TH_TESTS_SUPPORT_RELAXED_GRIDS_H
#define TH_TESTS_SUPPORT_RELAXED_GRIDS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "throng/published/relax.h"

#define DEGREES 57.29577951308232

/* A map in memory that the test owns: a ring of wall around free cells. */
typedef struct drawn {
  th_grid grid;
  uint8_t *cell;
} drawn;

static inline drawn draw_room(uint32_t width, uint32_t height) {
  drawn d = {{.width = width, .height = height}, (uint8_t *)calloc((size_t)width * height, 1)};
  d.grid.cell = d.cell;
  for (uint32_t j = 1; j + 1 < height; j++) memset(d.cell + (size_t)j * width + 1, TH_TILE_FREE, width - 2);
  return d;
}

static inline void draw_cell(drawn *d, uint32_t i, uint32_t j, th_tile tile) {
  d->cell[(size_t)j * d->grid.width + i] = (uint8_t)tile;
}

static inline void draw_box(drawn *d, uint32_t i0, uint32_t j0, uint32_t i1, uint32_t j1, th_tile tile) {
  for (uint32_t j = j0; j < j1; j++)
    for (uint32_t i = i0; i < i1; i++) draw_cell(d, i, j, tile);
}

/* The 15 x 15 local map of the literature: wall around, three goal cells in the middle of the east side. */
static inline drawn draw_local(uint32_t side) {
  drawn d = draw_room(side, side);
  draw_box(&d, side - 1, side / 2 - 1, side, side / 2 + 2, TH_TILE_GOAL);
  return d;
}

/* Walls across a square map, open at alternating ends over the corridors' width; goal near the first corner. */
static inline drawn draw_serpentine(uint32_t side, uint32_t free_width) {
  drawn d = draw_room(side, side);
  bool left = false;
  for (uint32_t j = 1 + free_width; j + 1 < side; j += free_width + 1, left = !left)
    draw_box(&d, left ? 1 + free_width : 1, j, left ? side - 1 : side - 1 - free_width, j + 1, TH_TILE_WALL);
  draw_cell(&d, 3, 3, TH_TILE_GOAL);
  return d;
}

/* Boxes in a room, drawn from a seed. The goal is a free cell. */
static inline drawn draw_rooms(uint32_t width, uint32_t height, uint64_t seed) {
  drawn d = draw_room(width, height);
  uint64_t s = seed * 2654435761u + 1;
#define NEXT(limit) (s = s * 6364136223846793005u + 1442695040888963407u, (uint32_t)((s >> 33) % (limit)))
  for (int n = 0; n < 5; n++) {
    uint32_t i = 2 + NEXT(width - 12), j = 2 + NEXT(height - 12), w = 2 + NEXT(8), h = 2 + NEXT(8);
    draw_box(&d, i, j, i + w, j + h, TH_TILE_WALL);
  }
  for (;;) {
    uint32_t i = 1 + NEXT(width - 2), j = 1 + NEXT(height - 2);
    if (d.cell[(size_t)j * width + i] != TH_TILE_FREE) continue;
    draw_cell(&d, i, j, TH_TILE_GOAL);
    break;
  }
#undef NEXT
  return d;
}

static inline th_relaxation *relax_on(const drawn *d, th_relax_def def) {
  th_relaxation *r = NULL;
  th_error error;
  failing none = {0};
  th_env env = failing_env(&none);
  env.allocator = (th_allocator){0};
  th_grid grid = d->grid;
  grid.env = env;
  if (th_relaxation_make(&def, &grid, &r, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return r;
}

static inline th_relaxation *settled_on(const drawn *d, th_relax_def def) {
  th_relaxation *r = relax_on(d, def);
  assert_true(th_relaxation_converge(r));
  return r;
}

/* Largest difference of p between two relaxations of one map. */
static inline double difference(const th_relaxation *a, const th_relaxation *b) {
  uint32_t w, h;
  th_relaxation_size(a, &w, &h);
  double worst = 0.0;
  for (uint32_t j = 0; j < h; j++)
    for (uint32_t i = 0; i < w; i++) {
      double d = th_relaxation_p(a, i, j) - th_relaxation_p(b, i, j);
      if (d < 0.0) d = -d;
      if (!(d <= worst)) worst = d;
    }
  return worst;
}

/* The equation as printed. */
static inline th_relax_def literal(th_method method, double eps, float vx, float vy) {
  th_relax_def def = th_default_relax_def();
  def.method = method;
  def.sense = TH_SENSE_LITERAL;
  def.eps = eps;
  def.v = (th_vec2){vx, vy};
  return def;
}

static inline void assert_near(double found, double expected, double within) {
  if (!(fabs(found - expected) <= within)) fail_msg("expected %.9g within %g, found %.9g", expected, within, found);
}

static inline double angle(const th_relaxation *r, uint32_t at) {
  double gx, gy;
  th_relaxation_descent(r, at, at, &gx, &gy);
  return atan2(gy, gx) * DEGREES;
}

#endif
