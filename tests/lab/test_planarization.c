/* tests/lab/test_planarization.c - the published experiments with dynamic planarization, and the log of their runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/planarization/crowd.h"
#include "support/experiments.h"

static void passes(const char *ids, bool figures) { experiments_pass("planarization", ids, figures); }

/* shows: PLAN-42 PLAN-54 PLAN-58 */
static void crossings_are_free_of_collisions(void **state) {
  (void)state;
  passes("ring-low ring-strong block-low block-str", true);
}

/* shows: PLAN-55 PLAN-56 PLAN-57 PLAN-63 */
static void maps_fields_and_their_cost(void **state) {
  (void)state;
  passes("map cost-ball", true);
}

/* With 100 to 1,600 agents; those of 20,160 and more are the long run planarization-trips. */
/* shows: PLAN-62 */
static void trends_of_growing_crowds(void **state) {
  (void)state;
  passes("trends", false);
}

/* shows: PLAN-53 PLAN-59 PLAN-61 */
static void six_crowds(void **state) {
  (void)state;
  passes("crowd-ball", true);
}

/* shows: PLAN-46 PLAN-60 */
static void the_log_has_the_numbers_of_the_thesis(void **state) {
  (void)state;
  th_soup soup = th_soup_begin(NULL);
  th_ground *ground = NULL;
  th_world *world[2] = {NULL, NULL};
  th_decisions log[2] = {{0}, {0}};
  assert_int_equal(th_make_icosphere(&soup, 4, 10.0, 0.05, NULL), TH_OK);
  assert_int_equal(th_planar_ground(NULL, &soup, &ground, NULL), TH_OK);
  for (uint32_t k = 0; k < 2; k++) {
    th_planar_crowd crowd = {
        .ground = ground, .agents = k ? 4000 : 200, .goals = 8, .workers = 1, .radius = TH_PLANAR_RADIUS, .seed = 3};
    assert_int_equal(th_planar_crowd_make(NULL, &crowd, &world[k], NULL), TH_OK);
    for (int step = 0; step < 20; step++) assert_int_equal(th_planar_step(world[k], true, &log[k], NULL), TH_OK);
  }
  /* thrown at random, 200 on 2,217 m2 would see 0.18 others within 0.8 m and 4,000 would see 3.6; these are spread
   * evenly and see fewer, the rarer they are */
  double few = log[0].neighbours / (double)log[0].paired, many = log[1].neighbours / (double)log[1].paired;
  print_message("neighbours: %.3f and %.3f\n", few, many);
  assert_true(few > 0.0 && few < 0.18 && many > 2.5 && many < 3.6);
  assert_true(log[1].deviation / (double)log[1].samples > log[0].deviation / (double)log[0].samples);
  assert_true(log[1].speed / (double)log[1].samples < log[0].speed / (double)log[0].samples);
  assert_true(log[0].speed / (double)log[0].samples <= 1.0 + 1e-3);
  double seconds[TH_PHASE_COUNT], all = 0.0;
  th_world_profile(world[1], seconds);
  for (int k = 0; k < TH_PHASE_COUNT; k++) all += seconds[k];
  assert_true(seconds[TH_PHASE_GUIDE] > 0.0 && seconds[TH_PHASE_DECIDE] > 0.0 && seconds[TH_PHASE_DECIDE] < all);
  th_planar_maps maps;
  assert_int_equal(th_planar_maps_measure(NULL, ground, true, &maps, NULL), TH_OK);
  assert_int_equal(maps.maps, th_ground_mesh(ground)->face_count);
  uint64_t counted = 0;
  for (int k = 0; k < TH_STRETCH_BINS; k++) counted += maps.stretch.bin[k];
  assert_true(counted == maps.stretch.count && maps.stretch.central == maps.maps);
  for (int k = 0; k < 2; k++) th_world_free(world[k]);
  th_ground_release(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crossings_are_free_of_collisions),
      cmocka_unit_test(maps_fields_and_their_cost),
      cmocka_unit_test(trends_of_growing_crowds),
      cmocka_unit_test(six_crowds),
      cmocka_unit_test(the_log_has_the_numbers_of_the_thesis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
