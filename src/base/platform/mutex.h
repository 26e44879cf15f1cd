/* base/platform/mutex.h - one thread at a time. Without threads nothing is done: there is nobody to keep out. */
#ifndef TH_BASE_PLATFORM_MUTEX_H
#define TH_BASE_PLATFORM_MUTEX_H

#include <stdbool.h>

#include "base/platform/system.h"

#if defined(TH_THREADS_POSIX)
#include <pthread.h>
#endif

typedef struct th_mutex {
#if defined(TH_THREADS_POSIX)
  pthread_mutex_t handle;
#elif defined(TH_THREADS_WINDOWS)
  void *lock; /* SRWLOCK */
#else
  char nothing;
#endif
} th_mutex;

/* False when the system refuses one. A mutex stays where it was made until it is freed. */
bool th_mutex_make(th_mutex *mutex);
void th_mutex_free(th_mutex *mutex);

/* A thread locks a mutex once at a time, and unlocks it itself. */
void th_mutex_lock(th_mutex *mutex);
void th_mutex_unlock(th_mutex *mutex);

#endif
