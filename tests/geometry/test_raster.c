/* tests/geometry/test_raster.c - cells that segments enter, distances of cells, scanline filling: against brute force.
 */
#include "base/memory.h"
#include "geometry/raster.h"
#include "support/allocator.h"
#include "support/floor_plans.h"

static const th_lattice LATTICE = {-1.0, 2.0, 0.25, 50, 40};

static th_segment random_segment(uint64_t *state) {
  return (th_segment){plan_in(state, -3, 13), plan_in(state, 0, 14), plan_in(state, -3, 13), plan_in(state, 0, 14)};
}

/* By definition: the segment meets the cell shrunk by the rim that counts as border. */
static void segments_mark_the_cells_they_enter(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    uint64_t state = seed;
    uint8_t mask[50 * 40] = {0};
    th_segment s = random_segment(&state);
    if (seed % 4 == 0) s.by = s.ay;
    if (seed % 4 == 1) s.bx = s.ax;
    th_window all = th_lattice_all(&LATTICE);
    th_raster_segment(&LATTICE, &all, &s, mask);
    for (uint32_t j = 0; j < 40; j++)
      for (uint32_t i = 0; i < 50; i++) {
        double x = LATTICE.x0 + i * 0.25, y = LATTICE.y0 + j * 0.25;
        th_box inner = {x + 1e-4, y + 1e-4, x + 0.25 - 1e-4, y + 0.25 - 1e-4};
        th_box outer = {x + 1e-6, y + 1e-6, x + 0.25 - 1e-6, y + 0.25 - 1e-6};
        if (th_segment_meets_box(&s, &inner)) CHECK_SEED(mask[j * 50 + i], seed, "cell %u %u missed", i, j);
        if (!th_segment_meets_box(&s, &outer)) CHECK_SEED(!mask[j * 50 + i], seed, "cell %u %u too much", i, j);
      }
  }
}

static void a_segment_on_the_border_enters_nothing(void **unused) {
  (void)unused;
  uint8_t mask[50 * 40] = {0}, none[50 * 40] = {0};
  th_window all = th_lattice_all(&LATTICE);
  th_raster_segment(&LATTICE, &all, &(th_segment){0, 3, 5, 3}, mask);
  th_raster_segment(&LATTICE, &all, &(th_segment){2, 3, 2, 6}, mask);
  assert_memory_equal(mask, none, sizeof mask);
  th_raster_segment(&LATTICE, &(th_window){4, 0, 6, 40}, &(th_segment){-1, 3.1f, 11, 3.1f}, mask);
  uint32_t marked = 0;
  for (uint32_t c = 0; c < sizeof mask; c++) marked += mask[c];
  assert_int_equal(marked, 2); /* a window bounds the work */
}

static void distances_are_exact(void **unused) {
  (void)unused;
  failing counted = {0};
  th_allocator allocator = failing_allocator(&counted);
  static th_segment s[400];
  static float distance[50 * 40], part[50 * 40];
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    uint32_t n = (uint32_t)(seed * seed / 4);
    for (uint32_t k = 0; k < n; k++) {
      s[k] = random_segment(&state);
      if (seed % 2) s[k].bx = s[k].ax + plan_in(&state, 0.01f, 0.3f), s[k].by = s[k].ay;
    }
    double limit = seed % 3 ? 1.5 : 40.0;
    th_segment_grid grid;
    assert_true(th_segment_grid_make(&grid, &allocator, s, n, 2.0, 0.0));
    th_window all = th_lattice_all(&LATTICE), some = {7, 5, 31, 22};
    memset(part, 0, sizeof part);
    assert_true(th_raster_distance(&LATTICE, &all, &grid, limit, distance, &allocator));
    assert_true(th_raster_distance(&LATTICE, &some, &grid, limit, part, &allocator));
    for (uint32_t j = 0; j < 40; j++)
      for (uint32_t i = 0; i < 50; i++) {
        double min = limit * limit;
        for (uint32_t k = 0; k < n; k++)
          min = fmin(min, th_segment_distance2(&s[k], th_lattice_x(&LATTICE, i), th_lattice_y(&LATTICE, j)));
        float found = distance[j * 50 + i];
        CHECK_SEED(fabs((double)found - sqrt(min)) <= 2e-7 * (1.0 + sqrt(min)), seed, "%g instead of %g", (double)found,
                   sqrt(min));
        bool inside = i >= 7 && i < 31 && j >= 5 && j < 22;
        CHECK_SEED(part[j * 50 + i] == (inside ? found : 0.0f), seed, "window differs at %u %u", i, j);
      }
    th_segment_grid_free(&grid, &allocator);
  }
  failing_assert_empty(&counted);
}

static void windows_are_clipped(void **unused) {
  (void)unused;
  th_window w = th_raster_window(&LATTICE, &(th_box){-9, 2.3, -0.3, 99});
  assert_true(w.i0 == 0 && w.j0 == 1 && w.i1 == 3 && w.j1 == 40);
  w = th_raster_window(&LATTICE, &(th_box){-9, -9, -8, -8});
  assert_true(w.i0 == w.i1 && w.j0 == w.j1);
  th_box empty = th_box_empty();
  w = th_raster_window(&LATTICE, &empty);
  assert_true(w.i0 == w.i1);
}

/* The scanline fill and the test of a point agree in every cell. */
static void filling_agrees_with_the_point_test(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    plan p;
    plan_make(&p, seed, 30, 14.0f);
    th_ground *ground = plan_ground(&p);
    th_lattice lattice = {-2.0, -2.0, 0.11, 200, 190};
    static uint8_t solid[200 * 190];
    th_window all = th_lattice_all(&lattice);
    assert_true(th_shapes_fill(ground->flat->shapes, &lattice, &all, solid, &ground->env.allocator));
    for (uint32_t c = 0; c < sizeof solid; c++) {
      double x = th_lattice_x(&lattice, c % 200), y = th_lattice_y(&lattice, c / 200);
      CHECK_SEED(solid[c] == !plan_walkable(&p, x, y), seed, "fill at (%g, %g)", x, y);
      CHECK_SEED(solid[c] == !th_shapes_walkable(ground->flat->shapes, x, y), seed, "point at (%g, %g)", x, y);
    }
    th_ground_release(ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(segments_mark_the_cells_they_enter),
      cmocka_unit_test(a_segment_on_the_border_enters_nothing),
      cmocka_unit_test(distances_are_exact),
      cmocka_unit_test(windows_are_clipped),
      cmocka_unit_test(filling_agrees_with_the_point_test),
  };
  return cmocka_run_group_tests_name("raster", tests, NULL, NULL);
}
