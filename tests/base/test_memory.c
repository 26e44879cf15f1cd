/* Tests of base/memory.h: sizes, alignment, zeroing, overflow, growth, arenas, and an allocator that fails. */
#include "base/memory.h"
#include "support/allocator.h"
#include "support/unit.h"

static bool all_zero(const uint8_t *memory, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (memory[i]) return false;
  return true;
}

static void blocks_are_aligned_zeroed_and_returned(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  for (size_t count = 0; count < 200; count++) {
    uint8_t *memory = TH_TAKE(&allocator, uint8_t, count);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % TH_ALIGN, 0);
    assert_true(all_zero(memory, count));
    TH_GIVE(&allocator, memory, count);
  }
  th_give(&allocator, NULL, 5, 5);
  failing_assert_empty(&f);
  assert_int_equal(atomic_load(&f.calls), 200);
}

static void the_default_allocator_works(void **state) {
  (void)state;
  th_env env = th_env_complete(NULL);
  assert_non_null(env.log.write);
  for (size_t count = 0; count < 1000; count += 37) {
    double *memory = TH_TAKE(&env.allocator, double, count);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % TH_ALIGN, 0);
    assert_true(all_zero((uint8_t *)memory, count * sizeof *memory));
    TH_GIVE(&env.allocator, memory, count);
  }
}

static void a_complete_env_keeps_what_the_host_gave(void **state) {
  (void)state;
  failing f = {0};
  th_env given = failing_env(&f);
  th_env env = th_env_complete(&given);
  assert_ptr_equal(env.allocator.user, &f);
  assert_true(env.log.write == given.log.write);
}

static void products_that_overflow_are_refused(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  assert_null(th_take(&allocator, SIZE_MAX, 2));
  assert_null(th_take(&allocator, SIZE_MAX / 8 + 1, 8));
  assert_null(th_take(&allocator, SIZE_MAX - 3, 1)); /* no room to round up to the alignment */
  assert_null(th_take(&allocator, (size_t)1 << 33, (size_t)1 << 33));
  assert_int_equal(atomic_load(&f.calls), 0);
}

static void growth_keeps_old_and_zeroes_new(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  uint32_t *array = NULL, capacity = 0;
  for (uint32_t n = 1; n <= 3000; n++) {
    uint32_t before = capacity;
    assert_true(th_grow(&allocator, (void **)&array, &capacity, n, sizeof *array));
    assert_true(capacity >= n);
    if (capacity != before) {
      assert_true(capacity >= 2 * before);
      assert_true(all_zero((uint8_t *)(array + before), (capacity - before) * sizeof *array));
    }
    array[n - 1] = n;
  }
  for (uint32_t n = 1; n <= 3000; n++) assert_int_equal(array[n - 1], n);
  assert_true(atomic_load(&f.calls) < 12);
  TH_GIVE(&allocator, array, capacity);
  failing_assert_empty(&f);
}

static void growth_that_fails_changes_nothing(void **state) {
  (void)state;
  failing f = {.fail_at = 2};
  th_allocator allocator = failing_allocator(&f);
  uint32_t *array = NULL, capacity = 0;
  assert_true(th_grow(&allocator, (void **)&array, &capacity, 4, sizeof *array));
  array[3] = 77;
  uint32_t *same = array, kept = capacity;
  assert_false(th_grow(&allocator, (void **)&array, &capacity, 1000, sizeof *array));
  assert_ptr_equal(array, same);
  assert_int_equal(capacity, kept);
  assert_int_equal(array[3], 77);
  TH_GIVE(&allocator, array, capacity);
  failing_assert_empty(&f);
}

static void arenas_cut_aligned_pieces_until_full(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  th_arena arena;
  assert_true(th_arena_make(&arena, &allocator, 4 * TH_ALIGN));
  uint8_t *a = th_arena_take(&arena, 1), *b = th_arena_take(&arena, TH_ALIGN), *c = th_arena_take(&arena, TH_ALIGN + 1);
  assert_ptr_equal(b, a + TH_ALIGN);
  assert_ptr_equal(c, b + TH_ALIGN);
  assert_null(th_arena_take(&arena, 1));
  assert_null(th_arena_take(&arena, SIZE_MAX)); /* padding would wrap to zero */
  th_arena_reset(&arena);
  assert_ptr_equal(th_arena_take(&arena, 4 * TH_ALIGN), a);
  th_arena_free(&arena, &allocator);
  assert_null(arena.memory);
  failing_assert_empty(&f);
}

static th_result make_arena(const th_env *env, void *context) {
  (void)context;
  th_arena arena;
  if (!th_arena_make(&arena, &env->allocator, 1000)) return TH_ERROR_MEMORY;
  th_arena_free(&arena, &env->allocator);
  return TH_OK;
}

static void a_failing_allocator_leaves_no_arena(void **state) {
  (void)state;
  assert_int_equal(failing_every(make_arena, NULL), 1);
}

static void the_helper_notices_wrong_sizes_and_barred_calls(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  uint8_t *memory = TH_TAKE(&allocator, uint8_t, 10);
  TH_GIVE(&allocator, memory, 11);
  assert_int_equal(atomic_load(&f.wrong), 1);
  failing_lock(&f);
  memory = TH_TAKE(&allocator, uint8_t, 10);
  assert_int_equal(atomic_load(&f.barred), 1);
  TH_GIVE(&allocator, memory, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_are_aligned_zeroed_and_returned),
      cmocka_unit_test(the_default_allocator_works),
      cmocka_unit_test(a_complete_env_keeps_what_the_host_gave),
      cmocka_unit_test(products_that_overflow_are_refused),
      cmocka_unit_test(growth_keeps_old_and_zeroes_new),
      cmocka_unit_test(growth_that_fails_changes_nothing),
      cmocka_unit_test(arenas_cut_aligned_pieces_until_full),
      cmocka_unit_test(a_failing_allocator_leaves_no_arena),
      cmocka_unit_test(the_helper_notices_wrong_sizes_and_barred_calls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
