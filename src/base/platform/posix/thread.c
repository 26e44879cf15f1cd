/* base/platform/posix/thread.c - threads of pthreads. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/thread.h"

#ifdef TH_THREADS_POSIX

#include <unistd.h>

uint32_t th_thread_processors(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

static void *live(void *argument) {
  const th_thread *thread = argument;
  thread->run(thread->context);
  return NULL;
}

bool th_thread_start(th_thread *thread, void (*run)(void *context), void *context) {
  thread->run = run;
  thread->context = context;
  return pthread_create(&thread->handle, NULL, live, thread) == 0;
}

void th_thread_join(th_thread *thread) { pthread_join(thread->handle, NULL); }

#endif
