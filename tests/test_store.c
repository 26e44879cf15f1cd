/* Tests of base/store.h: arrays do not overlap, memory stays within a quarter, blocks run empty, failing memory. */
#include "base/random.h"
#include "base/store.h"
#include "failing.h"

#define SEED 99u

enum { MOST = 300, BYTES = 1000, PADDED = 1024 };

static void fill(uint8_t *array, uint32_t with) {
  for (uint32_t k = 0; k < BYTES; k++) array[k] = (uint8_t)(with + k);
}

static void check(const uint8_t *array, uint32_t with, uint32_t step) {
  for (uint32_t k = 0; k < BYTES; k++)
    if (array[k] != (uint8_t)(with + k)) fail_msg("byte %u of array %u at step %u, seed %u", k, with, step, SEED);
}

/* What blocks of any number of arrays take, with the store itself and its list. */
static int64_t allowed(uint32_t used) { return (int64_t)(used + used / 4 + 1) * PADDED + 8192; }

static void memory_stays_within_a_quarter(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  th_store *store = th_store_make(&allocator, BYTES);
  uint8_t *array[MOST];
  for (uint32_t n = 0; n < MOST; n++) {
    array[n] = th_store_take(store);
    assert_non_null(array[n]);
    assert_int_equal((uintptr_t)array[n] % 64, 0);
    fill(array[n], n);
    assert_true(atomic_load(&f.bytes) <= allowed(n + 1));
  }
  assert_true(atomic_load(&f.blocks) < 40); /* far fewer than arrays */
  for (uint32_t n = 0; n < MOST; n++) check(array[n], n, 0);
  for (uint32_t n = MOST; n-- > 0;) th_store_give(store, array[n]);
  assert_true(atomic_load(&f.bytes) <= allowed(0)); /* empty blocks are released at once */
  th_store_give(store, NULL);
  th_store_release(store);
  th_store_release(NULL);
  failing_assert_empty(&f);
}

static void arrays_keep_what_is_in_them(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  th_store *store = th_store_make(&allocator, BYTES);
  uint8_t *array[MOST] = {0};
  uint32_t used = 0, most = 0;
  for (uint32_t step = 0; step < 20000; step++) {
    uint32_t n = th_random_to_below(th_random(SEED, 0, step, 0), MOST);
    if (array[n]) {
      check(array[n], n, step);
      th_store_give(store, array[n]);
      array[n] = NULL;
      used--;
    } else {
      array[n] = th_store_take(store);
      assert_non_null(array[n]);
      fill(array[n], n);
      used++;
    }
    most = used > most ? used : most;
    if (atomic_load(&f.bytes) > allowed(most)) fail_msg("too much memory at step %u, seed %u", step, SEED);
  }
  for (uint32_t n = 0; n < MOST; n++)
    if (array[n]) check(array[n], n, 20000);
  for (uint32_t n = 0; n < MOST; n++) th_store_give(store, array[n]);
  th_store_release(store);
  failing_assert_empty(&f);
}

/* A field outlives the solver that made it. */
static void the_last_reference_frees(void **state) {
  (void)state;
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  th_store *store = th_store_make(&allocator, BYTES), *again = th_store_retain(store);
  uint8_t *array = th_store_take(again);
  fill(array, 7);
  th_store_release(store);
  check(array, 7, 0);
  th_store_give(again, array);
  th_store_release(again);
  failing_assert_empty(&f);
}

static th_result use(const th_env *env, void *context) {
  (void)context;
  th_store *store = th_store_make(&env->allocator, BYTES);
  uint8_t *array[100] = {0};
  uint32_t got = 0;
  if (!store) return TH_ERROR_MEMORY;
  while (got < 100 && (array[got] = th_store_take(store)) != NULL) got++;
  for (uint32_t n = 0; n < got; n++) th_store_give(store, array[n]);
  th_store_release(store);
  return got == 100 ? TH_OK : TH_ERROR_MEMORY;
}

static void failing_memory_is_survived(void **state) {
  (void)state;
  assert_true(failing_every(use, NULL) > 10);
  failing f = {0};
  th_allocator allocator = failing_allocator(&f);
  assert_null(th_store_make(&allocator, SIZE_MAX));
  failing_assert_empty(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_stays_within_a_quarter),
      cmocka_unit_test(arrays_keep_what_is_in_them),
      cmocka_unit_test(the_last_reference_frees),
      cmocka_unit_test(failing_memory_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
