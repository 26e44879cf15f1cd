/* base/platform/condition.h - waiting, with a mutex locked, until another thread tells that something has changed. */
#ifndef TH_BASE_PLATFORM_CONDITION_H
#define TH_BASE_PLATFORM_CONDITION_H

#include "base/platform/mutex.h"

typedef struct th_condition {
#if defined(TH_THREADS_POSIX)
  pthread_cond_t handle;
#elif defined(TH_THREADS_WINDOWS)
  void *variable; /* CONDITION_VARIABLE */
#else
  char nothing;
#endif
} th_condition;

/* False when the system refuses one. A condition stays where it was made until it is freed. */
bool th_condition_make(th_condition *condition);
void th_condition_free(th_condition *condition);

/* Unlocks the mutex while it waits. May return without reason: look again. Without threads nobody would ever tell, so
 * no code that works without them comes here. */
void th_condition_wait(th_condition *condition, th_mutex *mutex);

/* The same, no longer than until th_clock_seconds() is `until`: then false. */
bool th_condition_wait_until(th_condition *condition, th_mutex *mutex, double until);

void th_condition_tell_one(th_condition *condition);
void th_condition_tell_all(th_condition *condition);

#endif
