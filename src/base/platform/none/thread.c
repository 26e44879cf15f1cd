/* base/platform/none/thread.c - the one thread that calls. */
#include "base/platform/thread.h"

#ifdef TH_THREADS_NONE

uint32_t th_thread_processors(void) { return 1; }

bool th_thread_start(th_thread *thread, void (*run)(void *context), void *context) {
  (void)thread;
  (void)run;
  (void)context;
  return false;
}

void th_thread_join(th_thread *thread) { (void)thread; }

#endif
