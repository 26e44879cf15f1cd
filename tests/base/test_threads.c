/* tests/base/test_threads.c - threads, mutexes, conditions and clocks of the platform layer, whatever the platform. */
#include <stdatomic.h>
#include <string.h>

#include "base/platform/clock.h"
#include "base/platform/condition.h"
#include "base/platform/processor.h"
#include "base/platform/thread.h"
#include "base/simd/simd.h"
#include "support/unit.h"

enum { THREADS = 4, ROUNDS = 20000 };

typedef struct counter {
  th_mutex mutex;
  th_condition changed;
  uint64_t count; /* with the mutex, or it would lose some */
  bool open;
} counter;

static void make_counter(counter *c) {
  memset(c, 0, sizeof *c);
  assert_true(th_mutex_make(&c->mutex));
  assert_true(th_condition_make(&c->changed));
}

static void free_counter(counter *c) {
  th_condition_free(&c->changed);
  th_mutex_free(&c->mutex);
}

static void count_up(void *context) {
  counter *c = context;
  for (int k = 0; k < ROUNDS; k++) {
    th_mutex_lock(&c->mutex);
    c->count++;
    th_mutex_unlock(&c->mutex);
  }
}

static void threads_start_or_are_refused(void **state) {
  (void)state;
  th_thread thread[THREADS];
  counter c;
  uint64_t started = 0;
  make_counter(&c);
  for (int k = 0; k < THREADS; k++) {
    if (!th_thread_start(&thread[k], count_up, &c)) break;
    started++;
  }
  for (uint64_t k = 0; k < started; k++) th_thread_join(&thread[k]);
  assert_int_equal(started, TH_THREADS_EXIST ? THREADS : 0);
  assert_int_equal(c.count, started * ROUNDS);
  free_counter(&c);
}

static void wait_until_open(void *context) {
  counter *c = context;
  th_mutex_lock(&c->mutex);
  while (!c->open) th_condition_wait(&c->changed, &c->mutex);
  c->count++;
  th_mutex_unlock(&c->mutex);
}

static void conditions_wake_all_who_wait(void **state) {
  (void)state;
  if (!TH_THREADS_EXIST) skip();
  th_thread thread[THREADS];
  counter c;
  make_counter(&c);
  for (int k = 0; k < THREADS; k++) assert_true(th_thread_start(&thread[k], wait_until_open, &c));
  th_mutex_lock(&c.mutex);
  assert_int_equal(c.count, 0);
  c.open = true;
  th_condition_tell_all(&c.changed);
  th_mutex_unlock(&c.mutex);
  for (int k = 0; k < THREADS; k++) th_thread_join(&thread[k]);
  assert_int_equal(c.count, THREADS);
  free_counter(&c);
}

/* The same counter is handed to and fro between two threads: each is told alone. */
static void answer(void *context) {
  counter *c = context;
  th_mutex_lock(&c->mutex);
  for (int k = 0; k < 1000; k++) {
    while (!c->open) th_condition_wait(&c->changed, &c->mutex);
    c->open = false;
    c->count++;
    th_condition_tell_one(&c->changed);
  }
  th_mutex_unlock(&c->mutex);
}

static void conditions_wake_one_who_waits(void **state) {
  (void)state;
  if (!TH_THREADS_EXIST) skip();
  th_thread thread;
  counter c;
  make_counter(&c);
  assert_true(th_thread_start(&thread, answer, &c));
  th_mutex_lock(&c.mutex);
  for (uint64_t k = 0; k < 1000; k++) {
    c.open = true;
    th_condition_tell_one(&c.changed);
    while (c.open) th_condition_wait(&c.changed, &c.mutex);
    assert_int_equal(c.count, k + 1);
  }
  th_mutex_unlock(&c.mutex);
  th_thread_join(&thread);
  free_counter(&c);
}

static void waiting_ends_in_time(void **state) {
  (void)state;
  if (!TH_THREADS_EXIST) skip();
  counter c;
  make_counter(&c);
  th_mutex_lock(&c.mutex);
  const double begin = th_clock_seconds();
  while (th_condition_wait_until(&c.changed, &c.mutex, begin + 0.05)) continue;
  const double waited = th_clock_seconds() - begin;
  assert_false(th_condition_wait_until(&c.changed, &c.mutex, begin)); /* that is over */
  th_mutex_unlock(&c.mutex);
  assert_true(waited >= 0.049 && waited < 10.0);
  free_counter(&c);
}

static void clocks_go_forwards(void **state) {
  (void)state;
  double last = th_clock_seconds(), used = th_clock_processor_seconds();
  const double begin = last;
  for (int k = 0; k < 10000; k++) {
    const double now = th_clock_seconds();
    assert_true(now >= last);
    last = now;
  }
  while (th_clock_processor_seconds() - used < 0.05) th_thread_pause();
  assert_true(th_clock_seconds() - begin > 0.02); /* one thread uses no more than one processor */
}

static void processors_are_counted(void **state) {
  (void)state;
  assert_true(th_thread_processors() >= 1);
  assert_true(TH_THREADS_EXIST || th_thread_processors() == 1);
  assert_true(th_simd_has(TH_SIMD_FOUR));
  assert_int_equal(th_simd_has(TH_SIMD_AVX2), th_processor_has_avx2());
  assert_int_equal(th_simd_has(TH_SIMD_AVX512), th_processor_has_avx512());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_start_or_are_refused),
      cmocka_unit_test(conditions_wake_all_who_wait),
      cmocka_unit_test(conditions_wake_one_who_waits),
      cmocka_unit_test(waiting_ends_in_time),
      cmocka_unit_test(clocks_go_forwards),
      cmocka_unit_test(processors_are_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
