/* base/platform/posix/mutex.c - mutexes of pthreads. */
#include "base/platform/mutex.h"

#ifdef TH_THREADS_POSIX

bool th_mutex_make(th_mutex *mutex) { return pthread_mutex_init(mutex, NULL) == 0; }
void th_mutex_free(th_mutex *mutex) { pthread_mutex_destroy(mutex); }
void th_mutex_lock(th_mutex *mutex) { pthread_mutex_lock(mutex); }
void th_mutex_unlock(th_mutex *mutex) { pthread_mutex_unlock(mutex); }

#endif
