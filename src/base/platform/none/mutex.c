/* base/platform/none/mutex.c - nobody is to be kept out. */
#include "base/platform/mutex.h"

#ifdef TH_THREADS_NONE

bool th_mutex_make(th_mutex *mutex) {
  mutex->nothing = 0;
  return true;
}
void th_mutex_free(th_mutex *mutex) { (void)mutex; }
void th_mutex_lock(th_mutex *mutex) { (void)mutex; }
void th_mutex_unlock(th_mutex *mutex) { (void)mutex; }

#endif
