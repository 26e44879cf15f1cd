/* tests/base/test_heap.c - both heaps against a plain search, under random use. */
#include <math.h>

#include "base/heap.h"
#include "base/lazy_heap.h"
#include "base/random.h"
#include "support/allocator.h"

enum { ITEMS = 100, CALLS = 20000 };

typedef struct plain_queue {
  double key[ITEMS];
  bool in[ITEMS];
} plain_queue;

static uint32_t least(const plain_queue *q) {
  uint32_t best = ITEMS;
  for (uint32_t i = 0; i < ITEMS; i++)
    if (q->in[i] && (best == ITEMS || q->key[i] < q->key[best])) best = i;
  return best;
}

static uint32_t draw(uint32_t call, uint32_t what, uint32_t below) {
  return (uint32_t)(th_random_unit_double(7, what, call, 0) * below);
}

/* Few distinct keys, so that ties are common. */
static void change(th_heap *heap, plain_queue *q, uint32_t call) {
  const uint32_t item = draw(call, 1, ITEMS);
  const double key = draw(call, 2, 12);
  if (draw(call, 3, 4) == 0 && q->in[item]) {
    th_heap_remove(heap, item);
    q->in[item] = false;
    return;
  }
  if (q->in[item] && key <= q->key[item])
    th_heap_lower(heap, item, key);
  else
    th_heap_set(heap, item, key);
  q->in[item] = true;
  q->key[item] = key;
}

static void items_come_by_key_and_then_by_number(void **state) {
  (void)state;
  th_allocator allocator = failing_allocator(&(failing){0});
  th_heap heap;
  plain_queue q = {0};
  assert_true(th_heap_make(&heap, &allocator, ITEMS));
  for (uint32_t call = 0; call < CALLS; call++) {
    if (draw(call, 0, 3) == 0 && heap.count > 0) {
      const uint32_t best = least(&q);
      assert_int_equal(th_heap_pop(&heap), best);
      q.in[best] = false;
    } else {
      change(&heap, &q, call);
    }
    const uint32_t item = draw(call, 4, ITEMS);
    assert_true(th_heap_holds(&heap, item) == q.in[item]);
  }
  while (heap.count > 0) {
    const uint32_t best = least(&q);
    assert_int_equal(th_heap_pop(&heap), best);
    q.in[best] = false;
  }
  assert_int_equal(least(&q), ITEMS);
  th_heap_free(&heap, &allocator);
}

static void a_heap_in_given_memory_is_empty(void **state) {
  (void)state;
  th_heap_entry entry[3];
  uint32_t at[3] = {0, 1, 2};
  th_heap heap = th_heap_in(entry, at, 3);
  assert_true(heap.count == 0 && !th_heap_holds(&heap, 0) && !th_heap_holds(&heap, 2));
  th_heap_lower(&heap, 2, -1.0);
  th_heap_lower(&heap, 0, -1.0);
  assert_int_equal(th_heap_pop(&heap), 0);
  assert_int_equal(th_heap_pop(&heap), 2);
}

static void keys_come_in_order_and_more_than_once(void **state) {
  (void)state;
  th_allocator allocator = failing_allocator(&(failing){0});
  th_lazy_heap heap = {0};
  uint32_t in[64] = {0};
  for (uint32_t call = 0; call < CALLS; call++) {
    if (draw(call, 0, 2) == 0 && heap.count > 0) {
      uint32_t best = 0;
      while (!in[best]) best++;
      assert_int_equal(th_lazy_heap_pop(&heap), best);
      in[best]--;
    } else {
      const uint32_t key = draw(call, 1, 64);
      assert_true(th_lazy_heap_reserve(&heap, &allocator, heap.count + 1));
      th_lazy_heap_push(&heap, key);
      in[key]++;
    }
  }
  for (uint64_t before = 0; heap.count > 0;) {
    const uint64_t key = th_lazy_heap_pop(&heap);
    assert_true(key >= before);
    before = key;
  }
  th_lazy_heap_free(&heap, &allocator);
}

static void a_key_holds_a_distance_above_a_number(void **state) {
  (void)state;
  const uint64_t key = th_lazy_key(1.5f, 7);
  assert_true(th_lazy_distance(key) == 1.5f && th_lazy_number(key) == 7);
  assert_true(th_lazy_key(0.0f, UINT32_MAX) < th_lazy_key(1e-30f, 0));
  assert_true(th_lazy_key(1.5f, 7) < th_lazy_key(1.5f, 8) && th_lazy_key(2.0f, 0) < th_lazy_key(INFINITY, 0));
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  for (uint64_t n = 1; n <= 2; n++) {
    failing f = {.fail_at = n};
    th_allocator allocator = failing_allocator(&f);
    th_heap heap;
    assert_false(th_heap_make(&heap, &allocator, ITEMS));
    th_heap_free(&heap, &allocator);
    assert_int_equal(f.blocks, 0);
  }
  failing f = {.fail_at = 1};
  th_allocator allocator = failing_allocator(&f);
  th_lazy_heap heap = {0};
  assert_false(th_lazy_heap_reserve(&heap, &allocator, 1));
  assert_true(heap.capacity == 0 && !heap.key);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(items_come_by_key_and_then_by_number),  cmocka_unit_test(a_heap_in_given_memory_is_empty),
      cmocka_unit_test(keys_come_in_order_and_more_than_once), cmocka_unit_test(a_key_holds_a_distance_above_a_number),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
