/* tests/field/test_geodesic.c - distances along the shortest way. */
#include <math.h>

#include "field/grid/geodesic.h"
#include "support/allocator.h"
#include "support/raster_grounds.h"

typedef struct marched {
  th_ground *map;
  uint8_t *kind;
  double *distance;
} marched;

static marched march_from(th_ground *map, const uint32_t *goal, uint32_t count) {
  size_t size = (size_t)map->flat->width * map->flat->height;
  marched m = {map, malloc(size), malloc(size * sizeof(double))};
  for (size_t c = 0; c < size; c++) m.kind[c] = map->flat->solid[c] ? TH_CELL_WALL : TH_CELL_FREE;
  for (uint32_t n = 0; n < count; n++) m.kind[goal[n]] = TH_CELL_PINNED;
  th_cell_list cells = {malloc(count * sizeof(uint32_t)), count, count};
  memcpy(cells.cell, goal, count * sizeof(uint32_t));
  th_march grid = {map->flat->width, map->flat->height, m.kind, &cells, NULL, NULL};
  th_env env = th_env_complete(NULL);
  assert_int_equal(th_geodesic_march(&env.allocator, &grid, m.distance, NULL), TH_OK);
  free(cells.cell);
  return m;
}

static void march_free(marched m) {
  free(m.kind);
  free(m.distance);
  map_free(m.map);
}

static double gap(uint32_t i, uint32_t j, uint32_t k, uint32_t l) {
  return hypot((double)i - (double)k, (double)j - (double)l);
}

static void open_room_is_euclidean(void **state) {
  (void)state;
  const uint32_t w = 101, goal = 30 * w + 40;
  marched m = march_from(map_open(w, w), &goal, 1);
  double worst = 0.0;
  for (uint32_t j = 1; j < w - 1; j++)
    for (uint32_t i = 1; i < w - 1; i++) {
      double exact = gap(i, j, 40, 30);
      worst = fmax(worst, fabs(m.distance[j * w + i] - exact) / fmax(exact, 1.0));
      if (exact <= 5.0) assert_true(m.distance[j * w + i] == exact);
    }
  print_message("open room: largest relative error %.5f\n", worst);
  assert_true(worst < 0.004);
  march_free(m);
}

/* A wall from below with its end at (50, 60): behind it the way bends there. The grid walks through the centre of the
 * cell past the wall's end, so a cell of slack is left for where exactly the bend lies. */
static void paths_bend_around_a_corner(void **state) {
  (void)state;
  const uint32_t w = 101, goal = 20 * w + 20;
  th_ground *map = map_open(w, w);
  map_fill(map, 50, 1, 51, 61, 1);
  marched m = march_from(map, &goal, 1);
  double worst = 0.0;
  for (uint32_t j = 1; j < 60; j++)
    for (uint32_t i = 53; i < w - 1; i++) {
      double exact = gap(20, 20, 49, 61) + 2.0 + gap(51, 61, i, j);
      worst = fmax(worst, fabs(m.distance[j * w + i] - exact) / exact);
    }
  print_message("around a corner: largest relative error %.4f\n", worst);
  assert_true(worst < 0.02);
  march_free(m);
}

static void regions_are_goals_and_walls_part(void **state) {
  (void)state;
  const uint32_t w = 41;
  uint32_t goal[9], count = 0;
  for (uint32_t j = 10; j < 13; j++)
    for (uint32_t i = 10; i < 13; i++) goal[count++] = j * w + i;
  th_ground *map = map_open(w, w);
  map_fill(map, 30, 1, 31, w, 1);
  marched m = march_from(map, goal, count);
  for (uint32_t n = 0; n < count; n++) assert_true(m.distance[goal[n]] == 0.0);
  assert_true(fabs(m.distance[11 * w + 25] - 13.0) < 1e-9);
  assert_true(isinf(m.distance[11 * w + 35]));
  assert_true(isinf(m.distance[11 * w + 30]));
  march_free(m);
}

/* Between two blocked cells that touch at a corner nobody passes, nor sees. */
static void nobody_squeezes_through_corners(void **state) {
  (void)state;
  const uint32_t w = 9, goal = 1 * w + 1;
  th_ground *map = map_open(w, w);
  for (uint32_t n = 1; n < w - 1; n++) map->flat->solid[n * w + (w - 1 - n)] = 1;
  marched m = march_from(map, &goal, 1);
  assert_true(isinf(m.distance[7 * w + 7]));
  assert_true(isfinite(m.distance[2 * w + 2]));
  march_free(m);
}

/* Neighbours differ by one cell at most, and no way is shorter than the line. (Between scattered single cells the
 * second order falls below it by up to 4 %.) */
static void no_way_is_shorter_than_the_line(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t s = seed;
    th_ground *map = map_noise(40, 33, 20, seed);
    uint32_t goal = 0;
    while (map->flat->solid[goal]) goal = map_below(&s, 40 * 33);
    marched m = march_from(map, &goal, 1);
    for (uint32_t c = 0; c < 40 * 33; c++) {
      if (map->flat->solid[c] || isinf(m.distance[c])) continue;
      double line = gap(c % 40, c / 40, goal % 40, goal / 40);
      bool ok = m.distance[c] >= line * 0.96;
      if (!map->flat->solid[c + 1]) ok = ok && fabs(m.distance[c + 1] - m.distance[c]) <= 1.0 + 1e-9;
      if (!map->flat->solid[c + 40]) ok = ok && fabs(m.distance[c + 40] - m.distance[c]) <= 1.0 + 1e-9;
      if (!ok) fail_msg("seed %llu: cell %u: %g, line %g", (unsigned long long)seed, c, m.distance[c], line);
    }
    march_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_room_is_euclidean),           cmocka_unit_test(paths_bend_around_a_corner),
      cmocka_unit_test(regions_are_goals_and_walls_part), cmocka_unit_test(nobody_squeezes_through_corners),
      cmocka_unit_test(no_way_is_shorter_than_the_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
