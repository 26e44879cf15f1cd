/* base/platform/thread.h - threads of the system. */
#ifndef TH_BASE_PLATFORM_THREAD_H
#define TH_BASE_PLATFORM_THREAD_H

#include <stdbool.h>

#include "base/platform/system.h"

#if defined(TH_THREADS_POSIX)
#include <pthread.h>
#endif

/* Stays where it was started until it is joined. */
typedef struct th_thread {
  void (*run)(void *context);
  void *context;
#if defined(TH_THREADS_POSIX)
  pthread_t handle;
#else
  void *handle;
#endif
} th_thread;

#if defined(TH_THREADS_NONE)
#define TH_THREADS_EXIST false
#else
#define TH_THREADS_EXIST true
#endif

/* Processors that threads of this program can run on, at least 1; 1 without threads. */
uint32_t th_thread_processors(void);

/* Runs run(context) in a new thread; false when the system refuses one, which it always does where none exist. */
bool th_thread_start(th_thread *thread, void (*run)(void *context), void *context);

/* Waits for its end. */
void th_thread_join(th_thread *thread);

/* Tells the processor that this thread looks again and again at what another will change. */
static inline void th_thread_pause(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
  __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__ volatile("isb"); /* about as long as the pause of x86; yield returns at once */
#endif
}

#endif
