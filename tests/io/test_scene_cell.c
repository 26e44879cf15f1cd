/* tests/io/test_scene_cell.c - a ground that names no cell gets one that suits its passages. */
#include <math.h>

#include "support/scene_runs.h"

/* A hall parted by a wall with a gap; `part` is the rest of the ground. */
static const char hall[] =
    "{\"version\": 1, \"name\": \"hall\", \"duration\": 150, \"ground\": {%s},"
    "\"goals\": [{\"name\": \"exit\", \"line\": [[15, 2], [15, 8]], \"sink\": true, \"field\": \"geodesic\"}],"
    "\"populations\": [{\"name\": \"people\", \"count\": 24, \"region\": {\"rectangle\": [[4, 2], [9, 8]]},"
    "\"route\": [\"exit\"], \"speed\": {\"mean\": 1.34, \"spread\": 0.2}}]}";

typedef struct gap {
  double from, width, far; /* lower edge, width; the right end of the hall [m] */
  const char *more;        /* keys of the ground */
} gap;

static scene_run make(const gap *g, uint64_t seed) {
  char part[400];
  snprintf(part, sizeof part,
           "%s\"outline\": [{\"rectangle\": [[0, 0], [%g, 10]]}], \"obstacles\": ["
           "{\"rectangle\": [[12, 0], [12.3, %g]]}, {\"rectangle\": [[12, %g], [12.3, 10]]}]",
           g->more, g->far, g->from, g->from + g->width);
  return scene_run_make(hall, part, (th_run_def){.seed = seed, .workers = 1});
}

static float cell_of(const gap *g) {
  scene_run s = make(g, 1);
  const float cell = th_ground_clearance_raster(th_world_ground(th_run_world(s.run))).cell;
  scene_run_free(&s);
  return cell;
}

static void narrower_gaps_get_finer_cells(void **unused) {
  (void)unused;
  const struct {
    double width;
    float cell;
  } expected[] = {{2.0, 0.25f}, {1.3, 0.25f}, {1.2, 0.125f}, {0.9, 0.125f}, {0.8, 0.0625f}, {0.55, 0.0625f}};
  for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++)
    for (uint32_t k = 0; k < 3; k++) {
      const float cell = cell_of(&(gap){4.6 + 0.07 * k, expected[i].width, 16, ""});
      if (cell != expected[i].cell) fail_msg("gap of %g m: a cell of %g m", expected[i].width, (double)cell);
    }
}

static void a_given_cell_stays(void **unused) {
  (void)unused;
  assert_true(cell_of(&(gap){4.6, 0.8, 16, "\"cell\": 0.3, "}) == 0.3f);
}

/* 0.0625 m would take 256 cells per square metre. */
static void large_grounds_stay_coarser(void **unused) {
  (void)unused;
  assert_true(cell_of(&(gap){4.6, 0.8, 90, ""}) == 0.0625f);
  assert_true(cell_of(&(gap){4.6, 0.8, 100, ""}) == 0.125f);
  assert_true(cell_of(&(gap){4.6, 0.8, 400, ""}) == 0.25f);
}

/* Somebody opens it one day. It is closed when the run starts all the same. */
static void a_closed_door_is_a_passage(void **unused) {
  (void)unused;
  const gap g = {4.6, 0.8, 16,
                 "\"doors\": [{\"name\": \"door\", \"closed\": true, \"rectangle\": [[12, 4], [12.3, 6]]}], "};
  assert_true(cell_of(&g) == 0.0625f);
  scene_run s = make(&g, 1);
  assert_int_equal(th_ground_locate(th_world_ground(th_run_world(s.run)), 12.15f, 5).cell, TH_NO_CELL);
  scene_run_free(&s);
}

enum { CROWDS = 12 }; /* the mean of four is off by 4 % */

static double mean_time(const gap *g) {
  double sum = 0;
  for (uint64_t seed = 1; seed <= CROWDS; seed++) {
    scene_run s = make(g, seed);
    scene_run_to(&s, 150);
    sum += th_world_time(th_run_world(s.run)) / CROWDS;
    scene_run_free(&s);
  }
  return sum;
}

/* A door of 0.8 m that moves by 10 cm: in cells of 0.25 m its raster is once two cells wide and once one. */
static void times_do_not_depend_on_the_raster(void **unused) {
  (void)unused;
  const double first = mean_time(&(gap){4.6, 0.8, 16, ""}), second = mean_time(&(gap){4.7, 0.8, 16, ""});
  const double coarse = mean_time(&(gap){4.6, 0.8, 16, "\"cell\": 0.25, "});
  const double moved = mean_time(&(gap){4.7, 0.8, 16, "\"cell\": 0.25, "});
  print_message("fitted %.1f and %.1f s, in cells of 0.25 m %.1f and %.1f s\n", first, second, coarse, moved);
  assert_true(fabs(first - second) < 0.1 * first);
  assert_true(fabs(coarse - moved) > 0.1 * coarse);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(narrower_gaps_get_finer_cells),     cmocka_unit_test(a_given_cell_stays),
      cmocka_unit_test(large_grounds_stay_coarser),        cmocka_unit_test(a_closed_door_is_a_passage),
      cmocka_unit_test(times_do_not_depend_on_the_raster),
  };
  return cmocka_run_group_tests_name("scene_cell", tests, NULL, NULL);
}
