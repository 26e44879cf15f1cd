/* base/tasks.c - a persistent pool with a single shared counter.
 *
 * Publishing a job is one store of `left`, the number of unclaimed blocks. A worker claims by counting it down with
 * compare-and-swap; while it holds a block the job cannot end, so the plain fields that describe the job are stable
 * whenever they are read, even if the worker was asleep during one job and wakes in the next. `open` counts blocks that
 * have not ended; the caller returns when it is 0 and need not wait for workers that never woke. Idle threads spin for
 * SPIN_SECONDS, since a step makes about ten calls in a row, then sleep on a condition. A thread announces that it
 * sleeps before it reads `left`, and the publisher stores `left` before it looks for sleeping threads. Both are
 * sequentially consistent, so one of them always sees the other (Dekker's argument). Cost: about one cache miss per
 * block, under 5 us per call with two workers awake.
 */
#include "base/tasks.h"

#include <stdatomic.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "base/platform/condition.h"
#include "base/platform/thread.h"

#define SPIN_SECONDS 50e-6
#define PAUSES_PER_LOOK 8

typedef struct helper {
  th_pool *pool;
  th_thread thread;
  uint32_t worker;
} helper;

struct th_pool {
  _Alignas(TH_ALIGN) _Atomic uint32_t left; /* blocks not claimed */
  _Alignas(TH_ALIGN) _Atomic uint32_t open; /* blocks not ended */
  _Alignas(TH_ALIGN) _Atomic uint32_t sleepers;
  atomic_bool stop, caller_sleeps, busy;
  uint32_t count, block, blocks; /* the job; stable while open > 0 */
  th_block_run run;
  void *context;
  uint32_t workers, started;
  bool spins;
  th_mutex mutex;
  th_condition wake, ended;
  th_env env;
  helper helper[TH_MAX_WORKERS];
};

/* Claims one block of the current job; false when none is left. */
static bool claim(th_pool *pool, uint32_t *index) {
  uint32_t left = atomic_load_explicit(&pool->left, memory_order_relaxed);
  while (left > 0) {
    if (atomic_compare_exchange_weak_explicit(&pool->left, &left, left - 1, memory_order_acquire,
                                              memory_order_relaxed)) {
      *index = pool->blocks - left;
      return true;
    }
  }
  return false;
}

static void end_block(th_pool *pool) {
  if (atomic_fetch_sub(&pool->open, 1) != 1) return;
  if (!atomic_load(&pool->caller_sleeps)) return;
  th_mutex_lock(&pool->mutex);
  th_condition_tell_one(&pool->ended);
  th_mutex_unlock(&pool->mutex);
}

static void run_block(const th_pool *pool, uint32_t index, uint32_t worker) {
  uint32_t begin = index * pool->block, rest = pool->count - begin;
  pool->run(pool->context, begin, begin + (rest < pool->block ? rest : pool->block), worker);
}

static void work(th_pool *pool, uint32_t worker) {
  uint32_t index;
  while (claim(pool, &index)) {
    run_block(pool, index, worker);
    end_block(pool);
  }
}

static bool has_news(th_pool *pool) { return atomic_load(&pool->left) > 0 || atomic_load(&pool->stop); }
static bool all_ended(th_pool *pool) { return atomic_load(&pool->open) == 0; }

/* Spins for a few microseconds, so that this thread is awake for the next job of the same step. */
static bool spin(th_pool *pool, bool (*ready)(th_pool *pool)) {
  if (ready(pool)) return true;
  if (!pool->spins) return false;
  double until = th_clock_seconds() + SPIN_SECONDS;
  do {
    for (int i = 0; i < PAUSES_PER_LOOK; i++) {
      if (ready(pool)) return true;
      th_thread_pause();
    }
  } while (th_clock_seconds() < until);
  return false;
}

static void wait_for_news(th_pool *pool) {
  if (spin(pool, has_news)) return;
  th_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->sleepers, 1);
  while (!has_news(pool)) th_condition_wait(&pool->wake, &pool->mutex);
  atomic_fetch_sub(&pool->sleepers, 1);
  th_mutex_unlock(&pool->mutex);
}

static void wait_for_end(th_pool *pool) {
  if (spin(pool, all_ended)) return;
  th_mutex_lock(&pool->mutex);
  atomic_store(&pool->caller_sleeps, true);
  while (!all_ended(pool)) th_condition_wait(&pool->ended, &pool->mutex);
  atomic_store(&pool->caller_sleeps, false);
  th_mutex_unlock(&pool->mutex);
}

static void wake_sleepers(th_pool *pool) {
  if (atomic_load(&pool->sleepers) == 0) return;
  th_mutex_lock(&pool->mutex);
  th_condition_tell_all(&pool->wake);
  th_mutex_unlock(&pool->mutex);
}

static void live(void *context) {
  helper *me = context;
  while (!atomic_load(&me->pool->stop)) {
    work(me->pool, me->worker);
    wait_for_news(me->pool);
  }
}

static void start_threads(th_pool *pool) {
  for (uint32_t i = 1; i < pool->workers; i++) {
    helper *h = &pool->helper[i];
    *h = (helper){.pool = pool, .worker = i};
    if (!th_thread_start(&h->thread, live, h)) {
      pool->env.log.write(pool->env.log.user, TH_LOG_WARNING, "the system refused a thread; fewer workers are used");
      return;
    }
    pool->started++;
  }
}

static bool make_locks(th_pool *pool) {
  if (!th_mutex_make(&pool->mutex)) return false;
  if (th_condition_make(&pool->wake)) {
    if (th_condition_make(&pool->ended)) return true;
    th_condition_free(&pool->wake);
  }
  th_mutex_free(&pool->mutex);
  return false;
}

th_result th_pool_make(const th_env *env, uint32_t workers, th_pool **pool, th_error *error) {
  const uint32_t processors = th_thread_processors();
  if (workers > TH_MAX_WORKERS)
    return th_fail(error, TH_ERROR_RANGE, "workers", "expected 0 to %d, found %u", TH_MAX_WORKERS, workers);
  if (workers == 0) workers = processors < TH_MAX_WORKERS ? processors : TH_MAX_WORKERS;
  th_env full = th_env_complete(env);
  th_pool *fresh = TH_TAKE(&full.allocator, th_pool, 1);
  if (!fresh) return th_fail_memory(error, "workers");
  fresh->env = full;
  fresh->workers = workers;
  fresh->spins = workers <= processors; /* with more threads than processors a spinner only delays the others */
  if (!make_locks(fresh)) {
    TH_GIVE(&full.allocator, fresh, 1);
    return th_fail_memory(error, "workers");
  }
  if (!full.tasks.run) start_threads(fresh);
  *pool = fresh;
  return TH_OK;
}

void th_pool_free(th_pool *pool) {
  if (!pool) return;
  atomic_store(&pool->stop, true);
  wake_sleepers(pool);
  for (uint32_t i = 1; i <= pool->started; i++) th_thread_join(&pool->helper[i].thread);
  th_condition_free(&pool->ended);
  th_condition_free(&pool->wake);
  th_mutex_free(&pool->mutex);
  th_allocator allocator = pool->env.allocator;
  TH_GIVE(&allocator, pool, 1);
}

uint32_t th_pool_workers(const th_pool *pool) { return pool ? pool->workers : 1; }

static void run_here(uint32_t count, uint32_t block, th_block_run run, void *context) {
  for (uint32_t begin = 0; begin < count;) {
    uint32_t end = count - begin < block ? count : begin + block;
    run(context, begin, end, 0);
    begin = end;
  }
}

static void host_task(void *context, uint32_t index) { work((th_pool *)context, index); }

static void publish(th_pool *pool) {
  atomic_store_explicit(&pool->open, pool->blocks, memory_order_relaxed);
  atomic_store(&pool->left, pool->blocks);
  if (pool->env.tasks.run) {
    uint32_t tasks = pool->workers < pool->blocks ? pool->workers : pool->blocks;
    pool->env.tasks.run(pool->env.tasks.user, tasks, host_task, pool);
  } else {
    wake_sleepers(pool);
    work(pool, 0);
  }
  wait_for_end(pool);
}

void th_parallel_for(th_pool *pool, uint32_t count, uint32_t block, th_block_run run, void *context) {
  if (block == 0) block = 1;
  if (!pool) {
    run_here(count, block, run, context);
    return;
  }
  if (atomic_exchange(&pool->busy, true)) {
    th_fault(&pool->env, "a parallel loop was started inside another one of the same pool; it does nothing");
    return;
  }
  uint32_t blocks = count / block + (count % block != 0);
  if (pool->workers == 1 || blocks <= 1) {
    run_here(count, block, run, context);
  } else {
    pool->count = count;
    pool->block = block;
    pool->blocks = blocks;
    pool->run = run;
    pool->context = context;
    publish(pool);
  }
  atomic_store(&pool->busy, false);
}
