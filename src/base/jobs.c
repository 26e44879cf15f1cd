/* base/jobs.c - a ring of jobs and at most one thread.
 *
 * One thread and one order mean that a single counter, the last ticket that ended, answers every question: no state
 * per job, no allocation, nothing to search. Cost: one lock per call; jobs last milliseconds.
 */
#include "jobs.h"

#include <pthread.h>

#include "base/error.h"
#include "base/memory.h"

#define MOST_CAPACITY 65536u

typedef struct job {
  void (*run)(void *context);
  void *context;
} job;

struct th_jobs {
  job *ring; /* ticket t lies at (t - 1) % capacity */
  uint32_t capacity;
  th_ticket submitted, ended; /* last tickets */
  bool background, stop;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t submit, end;
  th_env env;
};

/* With the lock held; lets go of it while the job runs. */
static void run_next(th_jobs *jobs) {
  job next = jobs->ring[jobs->ended % jobs->capacity];
  pthread_mutex_unlock(&jobs->mutex);
  next.run(next.context);
  pthread_mutex_lock(&jobs->mutex);
  jobs->ended++;
  pthread_cond_broadcast(&jobs->end);
}

static void *live(void *argument) {
  th_jobs *jobs = argument;
  pthread_mutex_lock(&jobs->mutex);
  while (!jobs->stop) {
    if (jobs->ended < jobs->submitted)
      run_next(jobs);
    else
      pthread_cond_wait(&jobs->submit, &jobs->mutex);
  }
  pthread_mutex_unlock(&jobs->mutex);
  return NULL;
}

static bool make_locks(th_jobs *jobs) {
  if (pthread_mutex_init(&jobs->mutex, NULL) != 0) return false;
  if (pthread_cond_init(&jobs->submit, NULL) == 0) {
    if (pthread_cond_init(&jobs->end, NULL) == 0) return true;
    pthread_cond_destroy(&jobs->submit);
  }
  pthread_mutex_destroy(&jobs->mutex);
  return false;
}

static void give_jobs(th_jobs *jobs) {
  th_allocator allocator = jobs->env.allocator;
  TH_GIVE(&allocator, jobs->ring, jobs->capacity);
  TH_GIVE(&allocator, jobs, 1);
}

static void start_thread(th_jobs *jobs) {
  if (pthread_create(&jobs->thread, NULL, live, jobs) == 0) return;
  jobs->background = false;
  jobs->env.log.write(jobs->env.log.user, TH_LOG_WARNING, "the system refused a thread; jobs run when waited for");
}

th_result th_jobs_make(const th_env *env, bool background, uint32_t capacity, th_jobs **jobs, th_error *error) {
  if (capacity < 1 || capacity > MOST_CAPACITY)
    return th_fail(error, TH_ERROR_RANGE, "jobs", "expected a capacity of 1 to %u, found %u", MOST_CAPACITY, capacity);
  th_env full = th_env_complete(env);
  th_jobs *fresh = TH_TAKE(&full.allocator, th_jobs, 1);
  if (!fresh) return th_fail_memory(error, "jobs");
  fresh->env = full;
  fresh->capacity = capacity;
  fresh->background = background;
  fresh->ring = TH_TAKE(&full.allocator, job, capacity);
  if (!fresh->ring || !make_locks(fresh)) {
    give_jobs(fresh);
    return th_fail_memory(error, "jobs");
  }
  if (background) start_thread(fresh);
  *jobs = fresh;
  return TH_OK;
}

void th_jobs_free(th_jobs *jobs) {
  if (!jobs) return;
  pthread_mutex_lock(&jobs->mutex);
  jobs->stop = true;
  pthread_cond_signal(&jobs->submit);
  pthread_mutex_unlock(&jobs->mutex);
  if (jobs->background) pthread_join(jobs->thread, NULL);
  pthread_cond_destroy(&jobs->end);
  pthread_cond_destroy(&jobs->submit);
  pthread_mutex_destroy(&jobs->mutex);
  give_jobs(jobs);
}

static void wait_locked(th_jobs *jobs, th_ticket ticket) {
  while (jobs->ended < ticket) {
    if (jobs->background)
      pthread_cond_wait(&jobs->end, &jobs->mutex);
    else
      run_next(jobs);
  }
}

th_ticket th_jobs_submit(th_jobs *jobs, void (*run)(void *context), void *context) {
  pthread_mutex_lock(&jobs->mutex);
  if (jobs->submitted - jobs->ended == jobs->capacity) wait_locked(jobs, jobs->ended + 1);
  jobs->ring[jobs->submitted % jobs->capacity] = (job){run, context};
  th_ticket ticket = ++jobs->submitted;
  pthread_cond_signal(&jobs->submit);
  pthread_mutex_unlock(&jobs->mutex);
  return ticket;
}

void th_jobs_wait(th_jobs *jobs, th_ticket ticket) {
  pthread_mutex_lock(&jobs->mutex);
  bool known = ticket <= jobs->submitted;
  if (known) wait_locked(jobs, ticket);
  pthread_mutex_unlock(&jobs->mutex);
  if (!known) th_fault(&jobs->env, "waiting for job %llu, which was never submitted", (unsigned long long)ticket);
}

bool th_jobs_done(th_jobs *jobs, th_ticket ticket) {
  pthread_mutex_lock(&jobs->mutex);
  bool done = ticket <= jobs->ended;
  pthread_mutex_unlock(&jobs->mutex);
  return done;
}
