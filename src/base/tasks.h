/* base/tasks.h - worker threads and the one function that uses them.
 *
 * Work is cut into blocks of a constant size that does not depend on the number of workers; a free worker claims the
 * next block. So results depend only on the block, never on which worker ran it or when.
 */
#ifndef TH_BASE_TASKS_H
#define TH_BASE_TASKS_H

#include "throng/base.h"

#define TH_MAX_WORKERS 256

typedef struct th_pool th_pool;

/* Elements [begin, end) of one block. `worker` is below th_pool_workers and is held by one thread at a time: use it to
 * pick scratch memory, never to decide a result. */
typedef void (*th_block_run)(void *context, uint32_t begin, uint32_t end, uint32_t worker);

/* `workers` counts the calling thread: 1 starts no thread, 0 means one per processor. With env->tasks the host's
 * threads are used and none is started. If the system refuses a thread, the pool works with fewer and reports it to the
 * log. */
th_result th_pool_make(const th_env *env, uint32_t workers, th_pool **pool, th_error *error);

/* Ends the threads. NULL is ignored. */
void th_pool_free(th_pool *pool);

/* Worker indices are below this; 1 for NULL. */
uint32_t th_pool_workers(const th_pool *pool);

/* Calls `run` once for each block of `block` elements (the last may be shorter) of `count`, and returns when all have
 * ended. What ran before is visible to every block, and what the blocks wrote is visible after. Allocates nothing.
 * The caller takes part. A NULL pool runs everything here, block by block in order. One call at a time per pool: a call
 * from inside `run`, or from two threads at once, is a fault and does nothing. */
void th_parallel_for(th_pool *pool, uint32_t count, uint32_t block, th_block_run run, void *context);

#endif
