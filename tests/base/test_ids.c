/* Tests of base/ids.h: order of reuse, stale ids, a plain model, growth, restore, retirement. */
#include <stdlib.h>

#include "base/ids.h"
#include "base/random.h"
#include "support/allocator.h"

#define SEED 4711u

static void rows_are_taken_from_the_lowest(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  th_ids ids;
  assert_true(th_ids_make(&ids, &allocator, 200));
  failing_lock(&f);
  th_id id[200];
  for (uint32_t i = 0; i < 200; i++) {
    id[i] = th_ids_take(&ids);
    assert_int_equal(id[i].index, i + 1);
    assert_int_equal(id[i].generation, 1);
  }
  assert_int_equal(th_ids_take(&ids).index, 0);
  assert_true(th_ids_give(&ids, id[150]) && th_ids_give(&ids, id[7]) && th_ids_give(&ids, id[64]));
  assert_int_equal(ids.alive, 197);
  assert_int_equal(th_ids_take(&ids).index, 8);
  assert_int_equal(th_ids_take(&ids).index, 65);
  th_id last = th_ids_take(&ids);
  assert_int_equal(last.index, 151);
  assert_int_equal(last.generation, 3);
  failing_unlock(&f);
  th_ids_free(&ids, &allocator);
  failing_assert_empty(&f);
}

static void stale_and_strange_ids_are_not_valid(void **state) {
  (void)state;
  th_allocator allocator = failing_allocator(&(failing){0});
  th_ids ids;
  assert_true(th_ids_make(&ids, &allocator, 10));
  th_id id = th_ids_take(&ids);
  assert_true(th_ids_valid(&ids, id));
  assert_true(th_ids_give(&ids, id));
  assert_false(th_ids_valid(&ids, id));
  assert_false(th_ids_give(&ids, id));
  th_id again = th_ids_take(&ids);
  assert_int_equal(again.index, id.index);
  assert_false(th_ids_valid(&ids, id));
  assert_true(th_ids_valid(&ids, again));
  assert_false(th_ids_valid(&ids, (th_id){0}));
  assert_false(th_ids_valid(&ids, (th_id){0, 1, 0}));
  assert_false(th_ids_valid(&ids, (th_id){2, 0, 0})); /* a free row with its own generation */
  assert_false(th_ids_valid(&ids, (th_id){11, 1, 0}));
  assert_false(th_ids_valid(&ids, (th_id){UINT32_MAX, 1, 0}));
  assert_int_equal(th_ids_at(&ids, 0).generation, again.generation);
  assert_int_equal(th_ids_at(&ids, 1).index, 0);
  assert_int_equal(th_ids_at(&ids, 10).index, 0);
  th_ids_free(&ids, &allocator);
}

/* Against a model that searches an array; enough rows for several words of the upper level. */
static void random_use_matches_a_plain_search(void **state) {
  (void)state;
  enum { ROWS = 9000, STEPS = 60000 };
  th_allocator allocator = failing_allocator(&(failing){0});
  th_ids ids;
  assert_true(th_ids_make(&ids, &allocator, ROWS));
  static uint16_t generation[ROWS];
  static bool alive[ROWS];
  memset(generation, 0, sizeof generation);
  memset(alive, 0, sizeof alive);
  uint32_t lowest = 0;
  for (uint32_t n = 0; n < STEPS; n++) {
    uint64_t draw = th_random(SEED, 0, n, 0);
    if (draw % 100 < (n < STEPS / 2 ? 60u : 35u)) {
      while (lowest < ROWS && alive[lowest]) lowest++;
      th_id id = th_ids_take(&ids);
      if (id.index != (lowest < ROWS ? lowest + 1 : 0)) print_error("step %u, seed %u\n", n, SEED);
      assert_int_equal(id.index, lowest < ROWS ? lowest + 1 : 0);
      if (lowest < ROWS) alive[lowest] = true, generation[lowest] = id.generation;
    } else {
      uint32_t row = th_random_to_below(draw, ROWS);
      th_id id = {row + 1, generation[row], 0};
      assert_int_equal(th_ids_valid(&ids, id), alive[row]);
      assert_int_equal(th_ids_give(&ids, id), alive[row]);
      alive[row] = false;
      if (row < lowest) lowest = row;
    }
  }
  uint32_t count = 0;
  for (uint32_t row = 0; row < ROWS; row++) count += alive[row];
  assert_int_equal(ids.alive, count);
  th_ids_free(&ids, &allocator);
}

static void a_restored_pool_goes_on_like_the_original(void **state) {
  (void)state;
  enum { ROWS = 500 };
  th_allocator allocator = failing_allocator(&(failing){0});
  th_ids ids, copy;
  assert_true(th_ids_make(&ids, &allocator, ROWS) && th_ids_make(&copy, &allocator, ROWS + 100));
  for (uint32_t n = 0; n < 2000; n++) {
    uint64_t draw = th_random(SEED, 1, n, 0);
    if (draw & 3)
      th_ids_take(&ids);
    else
      th_ids_give(&ids, th_ids_at(&ids, th_random_to_below(draw, ROWS)));
    if (n == 900) assert_true(th_ids_grow(&ids, &allocator, ROWS + 100));
  }
  uint32_t saved[ROWS + 100];
  memcpy(saved, ids.generation, sizeof saved);
  assert_true(th_ids_restore(&copy, saved, ROWS + 100));
  assert_int_equal(copy.alive, ids.alive);
  for (uint32_t n = 0; n < 2000; n++) {
    uint64_t draw = th_random(SEED, 2, n, 0);
    uint32_t row = th_random_to_below(draw, ROWS + 100);
    if (draw & 1) {
      th_id a = th_ids_take(&ids), b = th_ids_take(&copy);
      assert_int_equal(a.index, b.index);
      assert_int_equal(a.generation, b.generation);
    } else {
      assert_int_equal(th_ids_give(&ids, th_ids_at(&ids, row)), th_ids_give(&copy, th_ids_at(&copy, row)));
    }
  }
  assert_memory_equal(ids.generation, copy.generation, sizeof saved);
  assert_false(th_ids_restore(&copy, saved, ROWS + 101));
  th_ids_free(&ids, &allocator);
  th_ids_free(&copy, &allocator);
}

static void a_worn_out_row_is_retired(void **state) {
  (void)state;
  th_allocator allocator = failing_allocator(&(failing){0});
  th_ids ids;
  assert_true(th_ids_make(&ids, &allocator, 2));
  const uint32_t saved[] = {UINT32_MAX - 3, 0}; /* one use before the end */
  assert_true(th_ids_restore(&ids, saved, 2));
  th_id id = th_ids_take(&ids);
  assert_int_equal(id.index, 1);
  assert_true(th_ids_give(&ids, id));
  assert_false(th_ids_valid(&ids, id));
  assert_int_equal(th_ids_take(&ids).index, 2);
  assert_int_equal(th_ids_take(&ids).index, 0);
  uint32_t worn[2];
  memcpy(worn, ids.generation, sizeof worn);
  assert_true(th_ids_restore(&ids, worn, 2));
  assert_int_equal(th_ids_take(&ids).index, 0);
  th_ids_free(&ids, &allocator);
}

static void an_id_of_another_tag_is_not_valid(void **state) {
  (void)state;
  th_allocator allocator = failing_allocator(&(failing){0});
  th_ids ids, other;
  assert_true(th_ids_make(&ids, &allocator, 4) && th_ids_make(&other, &allocator, 4));
  ids.tag = 7;
  th_id id = th_ids_take(&ids), foreign = th_ids_take(&other);
  assert_int_equal(id.tag, 7);
  assert_true(th_ids_grow(&ids, &allocator, 9));
  assert_true(th_ids_valid(&ids, id) && th_ids_valid(&other, foreign));
  assert_false(th_ids_valid(&ids, foreign) || th_ids_valid(&other, id));
  assert_false(th_ids_give(&ids, foreign));
  assert_int_equal(th_ids_at(&ids, 0).tag, 7);
  th_ids_free(&ids, &allocator);
  th_ids_free(&other, &allocator);
}

/* Generations have 32 bits inside and 16 in an id. */
static void a_row_outlives_the_generations_of_its_ids(void **state) {
  (void)state;
  th_allocator allocator = failing_allocator(&(failing){0});
  th_ids ids;
  assert_true(th_ids_make(&ids, &allocator, 1));
  th_id first = th_ids_take(&ids), id = first;
  for (uint32_t n = 1; n < 70000; n++) {
    assert_true(th_ids_give(&ids, id));
    th_id next = th_ids_take(&ids);
    assert_true(th_ids_valid(&ids, next) && !th_ids_valid(&ids, id));
    assert_int_equal(th_ids_valid(&ids, first), n % 32768 == 0);
    id = next;
  }
  th_ids_free(&ids, &allocator);
}

static th_result make_and_grow(const th_env *env, void *context) {
  (void)context;
  th_ids ids;
  if (!th_ids_make(&ids, &env->allocator, 70)) return TH_ERROR_MEMORY;
  th_id id = th_ids_take(&ids);
  bool grown = th_ids_grow(&ids, &env->allocator, 5000);
  bool kept = th_ids_valid(&ids, id) && ids.capacity == (grown ? 5000u : 70u);
  th_ids_free(&ids, &env->allocator);
  if (!kept) return TH_ERROR_STATE;
  return grown ? TH_OK : TH_ERROR_MEMORY;
}

static void failing_allocations_leave_nothing_and_change_nothing(void **state) {
  (void)state;
  assert_int_equal(failing_every(make_and_grow, NULL), 6);
}

static void an_empty_pool_gives_nothing(void **state) {
  (void)state;
  th_allocator allocator = failing_allocator(&(failing){0});
  th_ids ids;
  assert_true(th_ids_make(&ids, &allocator, 0));
  assert_int_equal(th_ids_take(&ids).index, 0);
  assert_true(th_ids_grow(&ids, &allocator, 1));
  assert_int_equal(th_ids_take(&ids).index, 1);
  th_ids_free(&ids, &allocator);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_taken_from_the_lowest),
      cmocka_unit_test(stale_and_strange_ids_are_not_valid),
      cmocka_unit_test(random_use_matches_a_plain_search),
      cmocka_unit_test(a_restored_pool_goes_on_like_the_original),
      cmocka_unit_test(a_worn_out_row_is_retired),
      cmocka_unit_test(an_id_of_another_tag_is_not_valid),
      cmocka_unit_test(a_row_outlives_the_generations_of_its_ids),
      cmocka_unit_test(failing_allocations_leave_nothing_and_change_nothing),
      cmocka_unit_test(an_empty_pool_gives_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
