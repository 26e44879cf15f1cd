/* base/platform/windows/mutex.c - slim locks of Windows, which are one word each and need no end. */
#include "base/platform/mutex.h"

#ifdef TH_THREADS_WINDOWS

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(th_mutex), "a slim lock is one word");

static SRWLOCK *lock_of(th_mutex *mutex) { return (SRWLOCK *)(void *)mutex; }

bool th_mutex_make(th_mutex *mutex) {
  InitializeSRWLock(lock_of(mutex));
  return true;
}
void th_mutex_free(th_mutex *mutex) { (void)mutex; }
void th_mutex_lock(th_mutex *mutex) { AcquireSRWLockExclusive(lock_of(mutex)); }
void th_mutex_unlock(th_mutex *mutex) { ReleaseSRWLockExclusive(lock_of(mutex)); }

#endif
