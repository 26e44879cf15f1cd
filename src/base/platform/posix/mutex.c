/* base/platform/posix/mutex.c - mutexes of pthreads. */
#include "base/platform/mutex.h"

#ifdef TH_THREADS_POSIX

bool th_mutex_make(th_mutex *mutex) { return pthread_mutex_init(&mutex->handle, NULL) == 0; }
void th_mutex_free(th_mutex *mutex) { pthread_mutex_destroy(&mutex->handle); }
void th_mutex_lock(th_mutex *mutex) { pthread_mutex_lock(&mutex->handle); }
void th_mutex_unlock(th_mutex *mutex) { pthread_mutex_unlock(&mutex->handle); }

#endif
