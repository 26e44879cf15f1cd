/* base/platform/windows/clock.c - the performance counter, and the times of the process. */
#include "base/platform/clock.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

double th_clock_seconds(void) {
  LARGE_INTEGER frequency, now;
  QueryPerformanceFrequency(&frequency);
  QueryPerformanceCounter(&now);
  return (double)now.QuadPart / (double)frequency.QuadPart;
}

static double seconds_of(FILETIME time) {
  return 1e-7 * ((double)time.dwHighDateTime * 0x1p32 + (double)time.dwLowDateTime);
}

double th_clock_processor_seconds(void) {
  FILETIME begin, end, kernel, user;
  if (!GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user)) return 0.0;
  return seconds_of(kernel) + seconds_of(user);
}

#endif
