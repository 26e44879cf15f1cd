/* Tests of base/tasks.h: every element once, constant blocks, worker indices, the host's threads, faults. */
#include <stdatomic.h>
#include <stdio.h>

#include "base/platform/clock.h"
#include "base/tasks.h"
#include "support/allocator.h"

#define MAX 5000

typedef struct counts {
  _Atomic uint32_t seen[MAX];
  _Atomic uint32_t held[TH_MAX_WORKERS];
  _Atomic uint32_t bad;
  uint32_t count, block, workers;
} counts;

static void count_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  counts *c = context;
  if (worker >= c->workers || atomic_fetch_add(&c->held[worker], 1) != 0) atomic_fetch_add(&c->bad, 1);
  uint32_t expected = c->count - begin < c->block ? c->count : begin + c->block;
  if (begin % c->block != 0 || begin >= end || end != expected) atomic_fetch_add(&c->bad, 1);
  for (uint32_t i = begin; i < end; i++) atomic_fetch_add(&c->seen[i], 1);
  if (worker < c->workers) atomic_fetch_sub(&c->held[worker], 1);
}

static void check_loop(th_pool *pool, counts *c, uint32_t count, uint32_t block) {
  memset(c, 0, sizeof *c);
  c->count = count;
  c->block = block;
  c->workers = th_pool_workers(pool);
  th_parallel_for(pool, count, block, count_block, c);
  assert_int_equal(atomic_load(&c->bad), 0);
  for (uint32_t i = 0; i < MAX; i++) assert_int_equal(atomic_load(&c->seen[i]), i < count ? 1 : 0);
}

static void check_pool(th_pool *pool) {
  static const uint32_t count[] = {0, 1, 7, 64, 1000, MAX}, block[] = {1, 3, 64, 4096, 100000};
  static counts c;
  for (size_t i = 0; i < sizeof count / sizeof *count; i++)
    for (size_t j = 0; j < sizeof block / sizeof *block; j++) check_loop(pool, &c, count[i], block[j]);
}

static void every_element_runs_once_in_constant_blocks(void **state) {
  (void)state;
  check_pool(NULL);
  static const uint32_t workers[] = {0, 1, 2, 3, 8, 16};
  for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
    failing f = {0};
    th_env env = failing_env(&f);
    th_pool *pool = NULL;
    assert_int_equal(th_pool_make(&env, workers[i], &pool, NULL), TH_OK);
    if (workers[i]) assert_int_equal(th_pool_workers(pool), workers[i]);
    assert_true(th_pool_workers(pool) >= 1);
    failing_lock(&f);
    check_pool(pool);
    failing_unlock(&f);
    th_pool_free(pool);
    failing_assert_empty(&f);
  }
}

static void add_block(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  uint64_t *cell = context;
  for (uint32_t i = begin; i < end; i++) cell[i] += i;
}

/* Plain memory written by blocks of one loop and read by other threads in the next: a lost wake-up hangs, a lost
 * update shows in the sum, and the thread sanitizer sees every missing order. */
static void loops_follow_each_other_without_loss(void **state) {
  (void)state;
  enum { CELLS = 256, LOOPS = 4000 };
  for (uint32_t workers = 1; workers <= 4; workers++) {
    th_pool *pool = NULL;
    assert_int_equal(th_pool_make(NULL, workers, &pool, NULL), TH_OK);
    uint64_t cell[CELLS] = {0};
    for (uint32_t n = 0; n < LOOPS; n++) th_parallel_for(pool, CELLS, 1 + n % 64, add_block, cell);
    for (uint32_t i = 0; i < CELLS; i++) assert_int_equal(cell[i], (uint64_t)i * LOOPS);
    th_pool_free(pool);
  }
}

static void host_serial(void *user, uint32_t count, void (*task)(void *context, uint32_t index), void *context) {
  ++*(int *)user;
  for (uint32_t i = count; i-- > 0;) task(context, i);
}

static void the_host_can_run_the_tasks(void **state) {
  (void)state;
  int calls = 0;
  th_env env = {.tasks = {host_serial, &calls}};
  th_pool *pool = NULL;
  assert_int_equal(th_pool_make(&env, 4, &pool, NULL), TH_OK);
  check_pool(pool);
  assert_true(calls > 0);
  th_pool_free(pool);
}

typedef struct nested {
  th_pool *pool;
  _Atomic int inner, outer;
} nested;

static void inner(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)begin, (void)end, (void)worker;
  atomic_fetch_add(&((nested *)context)->inner, 1);
}

static void outer(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)begin, (void)end, (void)worker;
  nested *n = context;
  atomic_fetch_add(&n->outer, 1);
  th_parallel_for(n->pool, 10, 1, inner, n);
}

static void count_faults(void *user, th_log_level level, const char *text) {
  (void)text;
  if (level == TH_LOG_FAULT) atomic_fetch_add((_Atomic int *)user, 1);
}

static void a_loop_inside_a_loop_is_a_fault(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 2; workers++) {
    _Atomic int faults = 0;
    th_env env = {.log = {count_faults, &faults}};
    nested n = {0};
    assert_int_equal(th_pool_make(&env, workers, &n.pool, NULL), TH_OK);
    th_parallel_for(n.pool, 6, 1, outer, &n);
    assert_int_equal(atomic_load(&n.outer), 6);
    assert_int_equal(atomic_load(&n.inner), 0);
    assert_int_equal(atomic_load(&faults), 6);
    th_parallel_for(n.pool, 6, 1, inner, &n);
    assert_int_equal(atomic_load(&n.inner), 6);
    th_pool_free(n.pool);
  }
}

static void too_many_workers_are_refused(void **state) {
  (void)state;
  th_pool *pool = NULL;
  th_error error;
  assert_int_equal(th_pool_make(NULL, TH_MAX_WORKERS + 1, &pool, &error), TH_ERROR_RANGE);
  assert_null(pool);
  assert_string_equal(error.text, "expected 0 to 256, found 257");
}

static th_result make_pool(const th_env *env, void *context) {
  (void)context;
  th_pool *pool = NULL;
  th_result result = th_pool_make(env, 2, &pool, NULL);
  th_pool_free(pool);
  return result;
}

static void a_failing_allocator_leaves_no_pool(void **state) {
  (void)state;
  assert_int_equal(failing_every(make_pool, NULL), 1);
}

static void nothing(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)context, (void)begin, (void)end, (void)worker;
}

/* A figure to read, not a condition: machines under load would make it fail. */
static void print_the_cost_of_a_call(void **state) {
  (void)state;
  for (uint32_t workers = 1; workers <= 2; workers++) {
    th_pool *pool = NULL;
    assert_int_equal(th_pool_make(NULL, workers, &pool, NULL), TH_OK);
    double start = th_clock_seconds();
    for (int i = 0; i < 2000; i++) th_parallel_for(pool, 4, 1, nothing, NULL);
    printf("             %u workers: %.2f us per call\n", workers, (th_clock_seconds() - start) / 2000 * 1e6);
    th_pool_free(pool);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_element_runs_once_in_constant_blocks),
      cmocka_unit_test(loops_follow_each_other_without_loss),
      cmocka_unit_test(the_host_can_run_the_tasks),
      cmocka_unit_test(a_loop_inside_a_loop_is_a_fault),
      cmocka_unit_test(too_many_workers_are_refused),
      cmocka_unit_test(a_failing_allocator_leaves_no_pool),
      cmocka_unit_test(print_the_cost_of_a_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
