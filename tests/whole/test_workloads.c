/* Workloads: the data are fixed to the last bit, so that figures of different years and libraries compare. */
#include <inttypes.h>
#include <math.h>

#include "support/unit.h"
#include "workloads.h"

static uint64_t hash_of(const char *name, uint32_t count) {
  th_workload work;
  assert_true(th_workload_make(&work, name, count));
  uint64_t hash = th_workload_hash(&work);
  th_workload_free(&work);
  return hash;
}

static void data_are_the_published_ones(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint64_t hash;
  } published[] = {{"ring", 0x90b20e885297e64d},
                   {"disc", 0x50349efc0493fb9d},
                   {"blocks", 0x8e99d07777697335},
                   {"cross", 0xd114f7475b442615}};
  for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
    uint64_t found = hash_of(published[i].name, 10000);
    if (found != published[i].hash) fail_msg("%s: found %016" PRIx64, published[i].name, found);
  }
}

static void lattices_round_up(void **state) {
  (void)state;
  th_workload work;
  assert_true(th_workload_make(&work, "blocks", 17));
  assert_int_equal(work.count, 36);
  assert_int_equal(work.wall_count, 4);
  th_workload_free(&work);
  assert_true(th_workload_make(&work, "cross", 17));
  assert_int_equal(work.count, 25);
  assert_int_equal(work.wall_count, 0);
  th_workload_free(&work);
}

static void walls_turn_counter_clockwise(void **state) {
  (void)state;
  th_workload work;
  assert_true(th_workload_make(&work, "blocks", 4));
  for (uint32_t w = 0; w < work.wall_count; w++) {
    float area = 0;
    for (uint32_t i = 0; i < 4; i++) {
      th_vec2 a = work.wall[w][i], b = work.wall[w][(i + 1) % 4];
      area += 0.5f * (a.x * b.y - a.y * b.x);
    }
    assert_true(area == 900.0f);
  }
  th_workload_free(&work);
}

/* 25 m2 per agent: half of the agents lie within the circle of half the area. */
static void disc_is_evenly_dense(void **state) {
  (void)state;
  th_workload work;
  assert_true(th_workload_make(&work, "disc", 4000));
  uint32_t inside = 0;
  for (uint32_t i = 0; i < work.count; i++) {
    double x = (double)work.position[i].x, y = (double)work.position[i].y;
    inside += 3.14159265358979 * (x * x + y * y) < 25.0 * 2000.0;
    assert_true(work.goal[i].x == -work.position[i].x && work.goal[i].y == -work.position[i].y);
  }
  assert_in_range(inside, 1999, 2001);
  th_workload_free(&work);
}

static void refuses_what_it_does_not_know(void **state) {
  (void)state;
  th_workload work;
  assert_false(th_workload_make(&work, "square", 10));
  assert_false(th_workload_make(&work, "ring", 0));
  assert_false(th_workload_make(&work, "ring", UINT32_MAX));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_are_the_published_ones),   cmocka_unit_test(lattices_round_up),
      cmocka_unit_test(walls_turn_counter_clockwise),  cmocka_unit_test(disc_is_evenly_dense),
      cmocka_unit_test(refuses_what_it_does_not_know),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
