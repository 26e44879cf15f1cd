/* base/platform/posix/clock.c - the clocks of the system. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "base/platform/clock.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_POSIX

#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double th_clock_seconds(void) { return read_clock(CLOCK_MONOTONIC); }
double th_clock_processor_seconds(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

#endif
