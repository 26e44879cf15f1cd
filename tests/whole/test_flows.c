/* tests/whole/test_flows.c - a door, counterflow, crossing streams and a bend: everybody gets through, in the usual
 * time.
 *
 * The scenes are those of lab/people, with seeds that calibrated nothing. The times are the means of its table over
 * seeds 1001 to 1020; a single seed differs from them by up to 8 %, three seeds in the mean by less than 10.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/unit.h"
#include "throng/scene.h"

enum { SEEDS = 3 };
#define WITHIN 0.1 /* of the usual time */

static double last_arrival(const th_scene *scene, const char *name, uint64_t seed) {
  th_error error = {0};
  th_run_def def = th_default_run_def();
  th_run *run = NULL;
  def.scene = scene, def.seed = seed, def.workers = 1;
  if (th_run_make(&def, &run, &error)) fail_msg("%s: %s: %s", name, error.where, error.text);
  while (!th_run_done(run))
    if (th_run_step(run, &error)) fail_msg("%s: %s: %s", name, error.where, error.text);
  const th_world *world = th_run_world(run);
  const double time = th_world_time(world);
  const uint32_t left = th_world_agents(world).count;
  th_run_free(run);
  if (left) fail_msg("%s, seed %d: %u people are left after %g s", name, (int)seed, left, time);
  return time;
}

static void takes(const char *name, double usual) {
  char path[128];
  th_error error = {0};
  th_scene *scene = NULL;
  double sum = 0.0;
  snprintf(path, sizeof path, "lab/people/%s.json", name);
  if (th_scene_load(path, &scene, &error)) fail_msg("%s: %s", path, error.text);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) sum += last_arrival(scene, name, seed);
  th_scene_free(scene);
  print_message("%s: %.1f s\n", name, sum / SEEDS);
  if (fabs(sum / SEEDS - usual) > WITHIN * usual)
    fail_msg("%s: the last one after %.1f s in the mean, expected %.1f s within %g %%", name, sum / SEEDS, usual,
             100 * WITHIN);
}

static void a_door_passes_people(void **state) { (void)state, takes("door", 42.3); }
static void opposed_people_pass(void **state) { (void)state, takes("counterflow", 72.0); }
static void streams_cross(void **state) { (void)state, takes("crossing", 97.2); }
static void a_bend_is_walked_round(void **state) { (void)state, takes("bend", 42.8); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_door_passes_people),
      cmocka_unit_test(opposed_people_pass),
      cmocka_unit_test(streams_cross),
      cmocka_unit_test(a_bend_is_walked_round),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
