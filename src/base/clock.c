/* base/clock.c - the monotonic clock of the system, which no adjustment of the date disturbs. */
#include "base/clock.h"

#include <time.h>

double th_clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
