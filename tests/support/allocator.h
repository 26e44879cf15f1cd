/* tests/support/allocator.h - an allocator that fails on demand and counts what is alive.
 *
 * A test hands failing_env(&f) to the library. Every block carries its size and alignment in front, so a release with
 * another size than was asked for is found as well. Counters are atomic: the library allocates from any thread.
 *
 *   failing f = {0};              never fails, counts
 *   f.fail_at = 3;                the third allocation from the start returns NULL (once)
 *   failing_lock(&f); step(); failing_unlock(&f);     asserts that nothing was allocated in between
 *   failing_every(run, context);  runs `run` with the 1st, 2nd, 3rd ... allocation failing, until one run succeeds
 *
 * Include it like any header; it brings cmocka along.
 */
#ifndef TH_TESTS_SUPPORT_ALLOCATOR_H
#define TH_TESTS_SUPPORT_ALLOCATOR_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/pages.h"
#include "support/unit.h"
#include "throng/base.h"

typedef struct failing {
  uint64_t fail_at;        /* number of the allocation that fails, from 1; 0 = none */
  _Atomic uint64_t calls;  /* allocations asked for */
  _Atomic uint64_t failed; /* of these, refused */
  _Atomic int64_t blocks;  /* alive */
  _Atomic int64_t bytes;   /* alive */
  _Atomic int64_t peak;    /* most bytes alive at once (exact with one thread) */
  _Atomic uint64_t wrong;  /* releases with a size that was not asked for */
  _Atomic uint64_t barred; /* allocations while locked */
  atomic_bool locked;
} failing;

typedef struct failing_head {
  size_t size, lead;
} failing_head;

static inline void *failing_allocate(void *user, size_t size, size_t align) {
  failing *f = (failing *)user;
  uint64_t call = atomic_fetch_add(&f->calls, 1) + 1;
  if (atomic_load(&f->locked)) atomic_fetch_add(&f->barred, 1);
  if (call == f->fail_at) {
    atomic_fetch_add(&f->failed, 1);
    return NULL;
  }
  size_t lead = align < sizeof(failing_head) ? sizeof(failing_head) : align;
  uint8_t *block = size > SIZE_MAX / 2 ? NULL : (uint8_t *)th_pages_take(lead + size, lead);
  if (!block) return NULL;
  memset(block + lead, 0xA5, size); /* whoever relies on zeroed memory must zero it */
  failing_head head = {size, lead};
  memcpy(block + lead - sizeof head, &head, sizeof head);
  atomic_fetch_add(&f->blocks, 1);
  int64_t bytes = atomic_fetch_add(&f->bytes, (int64_t)size) + (int64_t)size;
  if (bytes > atomic_load(&f->peak)) atomic_store(&f->peak, bytes);
  return block + lead;
}

static inline void failing_release(void *user, void *memory, size_t size) {
  failing *f = (failing *)user;
  failing_head head;
  memcpy(&head, (uint8_t *)memory - sizeof head, sizeof head);
  if (head.size != size) atomic_fetch_add(&f->wrong, 1);
  atomic_fetch_sub(&f->blocks, 1);
  atomic_fetch_sub(&f->bytes, (int64_t)head.size);
  th_pages_give((uint8_t *)memory - head.lead);
}

static inline void failing_hush(void *user, th_log_level level, const char *text) {
  (void)user;
  (void)level;
  (void)text;
}

static inline th_allocator failing_allocator(failing *f) {
  return (th_allocator){failing_allocate, failing_release, f};
}

/* This allocator, a log that says nothing, and the built-in threads. */
static inline th_env failing_env(failing *f) {
  return (th_env){.allocator = failing_allocator(f), .log = {failing_hush, NULL}};
}

static inline void failing_lock(failing *f) { atomic_store(&f->locked, true); }

static inline void failing_unlock(failing *f) {
  atomic_store(&f->locked, false);
  assert_int_equal(atomic_load(&f->barred), 0);
}

/* Everything was given back, with the right sizes. */
static inline void failing_assert_empty(const failing *f) {
  assert_int_equal(atomic_load(&f->blocks), 0);
  assert_int_equal(atomic_load(&f->bytes), 0);
  assert_int_equal(atomic_load(&f->wrong), 0);
}

/* `run` builds something with `env`, releases it all, and returns TH_OK; or returns TH_ERROR_MEMORY with nothing left
 * alive. Fails each allocation in turn; returns how many a successful run makes. */
static inline uint64_t failing_every(th_result (*run)(const th_env *env, void *context), void *context) {
  for (uint64_t n = 1;; n++) {
    failing f = {.fail_at = n};
    th_env env = failing_env(&f);
    th_result result = run(&env, context);
    failing_assert_empty(&f);
    if (atomic_load(&f.failed) == 0) {
      assert_int_equal(result, TH_OK);
      return n - 1;
    }
    assert_int_equal(result, TH_ERROR_MEMORY);
  }
}

#endif
