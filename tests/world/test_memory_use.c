/* tests/world/test_memory_use.c - what th_world_memory says is what the allocator says. */
#include "base/tally.h"
#include "support/mesh_worlds.h"
#include "throng/guide.h"

static void check(const th_world *world, const failing *host) {
  th_memory m = th_world_memory(world);
  assert_true(m.total == m.agents + m.fields + m.charts + m.guides + m.scratch);
  assert_true((int64_t)m.total == host->bytes);
  assert_true(m.scratch < m.total);
}

static void flat_worlds_count_every_byte(void **state) {
  (void)state;
  failing host = {0};
  th_env env = failing_env(&host), plain = {0};
  th_ground *ground = worlds_house(&plain); /* its bytes are its own */
  th_world *world = worlds_make(ground, &env);
  check(world, &host);
  th_memory empty = th_world_memory(world);
  assert_true(empty.fields == 0 && empty.charts == 0);
  th_goal_id goal = worlds_goal(world, 20, 3);
  worlds_walker(world, 3, 3, goal);
  worlds_steps(world, 3);
  check(world, &host);
  assert_true(th_world_memory(world).fields > 64 * 96 * 32); /* a node per cell at least */
  OK(th_world_add_guide(world, &th_guide_explore, NULL, NULL, &error));
  assert_true(th_world_memory(world).guides > empty.guides + 64 * 96);
  check(world, &host);
  OK(th_world_reserve(world, 5000, &error));
  assert_true(th_world_memory(world).agents > 4 * empty.agents);
  check(world, &host);
  worlds_saved saved = worlds_save(world);
  OK(th_world_restore(world, saved.memory, saved.size, &error));
  check(world, &host);
  OK(th_world_edit(world, &(th_edit){.kind = TH_EDIT_CLOSE, .name = "west"}, 1, &error));
  worlds_steps(world, 3);
  check(world, &host);
  size_t fields = th_world_memory(world).fields;
  th_world_remove_goal(world, goal);
  assert_true(th_world_memory(world).fields < fields);
  free(saved.memory);
  worlds_end(world, ground);
  assert_int_equal(host.bytes, 0);
}

static void mesh_worlds_count_charts(void **state) {
  (void)state;
  failing host = {0};
  th_env env = failing_env(&host), plain = {0};
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  th_ground *ground = mesh_grounds_make(&plain, &make);
  th_world *world = worlds_make(ground, &env);
  check(world, &host);
  size_t patches = th_world_memory(world).charts;
  OK(th_world_prepare(world, &error));
  assert_true(th_world_memory(world).charts > patches);
  check(world, &host);
  worlds_end(world, ground);
  assert_int_equal(host.bytes, 0);
}

static void a_tally_counts_what_is_in_use(void **state) {
  (void)state;
  failing host = {.fail_at = 3};
  th_tally tally;
  th_allocator below = failing_allocator(&host), a = th_tally_begin(&tally, &below);
  void *first = a.allocate(a.user, 100, 64), *second = a.allocate(a.user, 28, 64);
  assert_int_equal(th_tally_bytes(&tally), 128);
  assert_null(a.allocate(a.user, 5, 64)); /* refused: not counted */
  a.release(a.user, first, 100);
  assert_int_equal(th_tally_bytes(&tally), 28);
  a.release(a.user, second, 28);
  assert_int_equal(th_tally_bytes(&tally), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_worlds_count_every_byte),
      cmocka_unit_test(mesh_worlds_count_charts),
      cmocka_unit_test(a_tally_counts_what_is_in_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
