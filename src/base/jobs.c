/* base/jobs.c - a ring of jobs and some threads.
 *
 * Jobs begin in order, so two counters suffice: the last job that has begun, and the last one up to which all have
 * ended. One flag per job marks those in between that have ended early. No call allocates or searches. Cost: one lock
 * per call; jobs last milliseconds.
 */
#include "base/jobs.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/condition.h"
#include "base/platform/thread.h"

#define MAX_CAPACITY 65536u

typedef struct job {
  void (*run)(void *context);
  void *context;
  bool over; /* has ended, though one before it may not have */
} job;

struct th_jobs {
  job *ring; /* ticket t lies at (t - 1) % capacity */
  uint32_t capacity;
  th_ticket submitted, begun, ended; /* last tickets; all up to `ended` have ended */
  uint32_t threads;                  /* that run */
  bool stop;
  th_thread thread[TH_MAX_JOB_THREADS];
  th_mutex mutex;
  th_condition submit, end;
  th_env env;
};

/* Called with the lock held; releases it while the job runs. */
static void run_next(th_jobs *jobs) {
  job *next = &jobs->ring[jobs->begun++ % jobs->capacity];
  void (*run)(void *context) = next->run;
  void *context = next->context;
  th_mutex_unlock(&jobs->mutex);
  run(context);
  th_mutex_lock(&jobs->mutex);
  next->over = true; /* its slot is reused only after `ended` has passed it */
  while (jobs->ended < jobs->begun && jobs->ring[jobs->ended % jobs->capacity].over)
    jobs->ring[jobs->ended++ % jobs->capacity].over = false;
  th_condition_tell_all(&jobs->end);
}

static void live(void *context) {
  th_jobs *jobs = context;
  th_mutex_lock(&jobs->mutex);
  while (!jobs->stop) {
    if (jobs->begun < jobs->submitted)
      run_next(jobs);
    else
      th_condition_wait(&jobs->submit, &jobs->mutex);
  }
  th_mutex_unlock(&jobs->mutex);
}

static bool make_locks(th_jobs *jobs) {
  if (!th_mutex_make(&jobs->mutex)) return false;
  if (th_condition_make(&jobs->submit)) {
    if (th_condition_make(&jobs->end)) return true;
    th_condition_free(&jobs->submit);
  }
  th_mutex_free(&jobs->mutex);
  return false;
}

static void give_jobs(th_jobs *jobs) {
  th_allocator allocator = jobs->env.allocator;
  TH_GIVE(&allocator, jobs->ring, jobs->capacity);
  TH_GIVE(&allocator, jobs, 1);
}

static void start_threads(th_jobs *jobs, uint32_t threads) {
  while (jobs->threads < threads && th_thread_start(&jobs->thread[jobs->threads], live, jobs)) jobs->threads++;
  if (jobs->threads == threads) return;
  jobs->env.log.write(jobs->env.log.user, TH_LOG_WARNING,
                      jobs->threads ? "the system refused some of the threads for jobs"
                                    : "the system refused a thread; jobs run when waited for");
}

th_result th_jobs_make(const th_env *env, uint32_t threads, uint32_t capacity, th_jobs **jobs, th_error *error) {
  if (threads > TH_MAX_JOB_THREADS)
    return th_fail(error, TH_ERROR_RANGE, "jobs", "expected at most %d threads, found %u", TH_MAX_JOB_THREADS, threads);
  if (capacity < 1 || capacity > MAX_CAPACITY)
    return th_fail(error, TH_ERROR_RANGE, "jobs", "expected a capacity of 1 to %u, found %u", MAX_CAPACITY, capacity);
  th_env full = th_env_complete(env);
  th_jobs *fresh = TH_TAKE(&full.allocator, th_jobs, 1);
  if (!fresh) return th_fail_memory(error, "jobs");
  fresh->env = full;
  fresh->capacity = capacity;
  fresh->ring = TH_TAKE(&full.allocator, job, capacity);
  if (!fresh->ring || !make_locks(fresh)) {
    give_jobs(fresh);
    return th_fail_memory(error, "jobs");
  }
  if (TH_THREADS_EXIST) start_threads(fresh, threads);
  *jobs = fresh;
  return TH_OK;
}

void th_jobs_free(th_jobs *jobs) {
  if (!jobs) return;
  th_mutex_lock(&jobs->mutex);
  jobs->stop = true;
  th_condition_tell_all(&jobs->submit);
  uint32_t threads = jobs->threads;
  th_mutex_unlock(&jobs->mutex);
  for (uint32_t k = 0; k < threads; k++) th_thread_join(&jobs->thread[k]);
  th_condition_free(&jobs->end);
  th_condition_free(&jobs->submit);
  th_mutex_free(&jobs->mutex);
  give_jobs(jobs);
}

static void wait_locked(th_jobs *jobs, th_ticket ticket) {
  while (jobs->ended < ticket) {
    if (jobs->threads)
      th_condition_wait(&jobs->end, &jobs->mutex);
    else
      run_next(jobs);
  }
}

th_ticket th_jobs_submit(th_jobs *jobs, void (*run)(void *context), void *context) {
  th_mutex_lock(&jobs->mutex);
  if (jobs->submitted - jobs->ended == jobs->capacity) wait_locked(jobs, jobs->ended + 1);
  jobs->ring[jobs->submitted % jobs->capacity] = (job){run, context, false};
  th_ticket ticket = ++jobs->submitted;
  th_condition_tell_one(&jobs->submit);
  th_mutex_unlock(&jobs->mutex);
  return ticket;
}

void th_jobs_wait(th_jobs *jobs, th_ticket ticket) {
  th_mutex_lock(&jobs->mutex);
  bool known = ticket <= jobs->submitted;
  if (known) wait_locked(jobs, ticket);
  th_mutex_unlock(&jobs->mutex);
  if (!known) th_fault(&jobs->env, "waiting for job %llu, which was never submitted", (unsigned long long)ticket);
}

bool th_jobs_done(th_jobs *jobs, th_ticket ticket) {
  th_mutex_lock(&jobs->mutex);
  bool done = ticket <= jobs->ended;
  th_mutex_unlock(&jobs->mutex);
  return done;
}
