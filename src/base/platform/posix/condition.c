/* base/platform/posix/condition.c - conditions of pthreads. They wait by the monotonic clock, which no adjustment of
 * the date disturbs; macOS offers that by a call of its own only. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/condition.h"

#ifdef TH_THREADS_POSIX

#include <errno.h>
#include <time.h>

#include "base/platform/clock.h"

#ifdef __APPLE__

bool th_condition_make(th_condition *condition) { return pthread_cond_init(&condition->handle, NULL) == 0; }

static int wait_until(th_condition *condition, th_mutex *mutex, double until) {
  double left = until - th_clock_seconds();
  if (left < 0.0) left = 0.0;
  const struct timespec time = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
  return pthread_cond_timedwait_relative_np(&condition->handle, &mutex->handle, &time);
}

#else

bool th_condition_make(th_condition *condition) {
  pthread_condattr_t clock;
  if (pthread_condattr_init(&clock) != 0) return false;
  const bool made =
      pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0 && pthread_cond_init(&condition->handle, &clock) == 0;
  pthread_condattr_destroy(&clock);
  return made;
}

static int wait_until(th_condition *condition, th_mutex *mutex, double until) {
  const struct timespec time = {(time_t)until, (long)((until - (double)(time_t)until) * 1e9)};
  return pthread_cond_timedwait(&condition->handle, &mutex->handle, &time);
}

#endif

void th_condition_free(th_condition *condition) { pthread_cond_destroy(&condition->handle); }
void th_condition_wait(th_condition *condition, th_mutex *mutex) {
  pthread_cond_wait(&condition->handle, &mutex->handle);
}
bool th_condition_wait_until(th_condition *condition, th_mutex *mutex, double until) {
  return wait_until(condition, mutex, until) != ETIMEDOUT;
}
void th_condition_tell_one(th_condition *condition) { pthread_cond_signal(&condition->handle); }
void th_condition_tell_all(th_condition *condition) { pthread_cond_broadcast(&condition->handle); }

#endif
