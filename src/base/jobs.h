/* base/jobs.h - long work in parallel to the steps: fields, factorisations.
 *
 * Jobs begin in the order of submission, on background threads or inside th_jobs_wait. A step that needs a result waits
 * for its ticket, so the results that a step uses depend on tickets and never on timing.
 */
#ifndef TH_BASE_JOBS_H
#define TH_BASE_JOBS_H

#include "throng/base.h"

#define TH_MAX_JOB_THREADS 64

typedef struct th_jobs th_jobs;

/* 1 for the first job, one more for each; 0 is no job and has always ended. */
typedef uint64_t th_ticket;

/* `threads` is 0 to 64. With one thread jobs run one after the other; with more, several run at once; with none they
 * run inside th_jobs_wait. `capacity` jobs (1 to 65536) can be pending. If the system refuses some threads, the others
 * do all the work; if it refuses all, jobs run inside th_jobs_wait; the log says so. */
th_result th_jobs_make(const th_env *env, uint32_t threads, uint32_t capacity, th_jobs **jobs, th_error *error);

/* Lets the running jobs end, drops the pending ones without calling them, ends the threads. The submitter still owns
 * every context; call th_jobs_done before this to know which jobs ran. NULL is ignored. */
void th_jobs_free(th_jobs *jobs);

/* Appends a job; allocates nothing. When `capacity` jobs are pending, the oldest one is waited for first. The context
 * belongs to the job until its ticket is done. Submit and wait from one thread at a time, never from inside a job. */
th_ticket th_jobs_submit(th_jobs *jobs, void (*run)(void *context), void *context);

/* Returns when this job and all before it have ended; what they wrote is then visible. */
void th_jobs_wait(th_jobs *jobs, th_ticket ticket);

/* True when this job and all before it have ended. For realtime worlds only: the answer depends on timing. */
bool th_jobs_done(th_jobs *jobs, th_ticket ticket);

#endif
