/* base/platform/windows/thread.c - threads of Windows, begun by its C library, which keeps errno and more for each. */
#include "base/platform/thread.h"

#ifdef TH_THREADS_WINDOWS

#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <windows.h>

uint32_t th_thread_processors(void) {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwNumberOfProcessors > 0 ? (uint32_t)info.dwNumberOfProcessors : 1;
}

static unsigned __stdcall live(void *argument) {
  const th_thread *thread = argument;
  thread->run(thread->context);
  return 0;
}

bool th_thread_start(th_thread *thread, void (*run)(void *context), void *context) {
  thread->run = run;
  thread->context = context;
  thread->handle = (void *)_beginthreadex(NULL, 0, live, thread, 0, NULL);
  return thread->handle != NULL;
}

void th_thread_join(th_thread *thread) {
  WaitForSingleObject(thread->handle, INFINITE);
  CloseHandle(thread->handle);
}

#endif
