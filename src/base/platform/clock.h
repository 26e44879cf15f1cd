/* base/platform/clock.h - time for measuring; never an input of the simulation. */
#ifndef TH_BASE_PLATFORM_CLOCK_H
#define TH_BASE_PLATFORM_CLOCK_H

/* Seconds since some moment in the past; never runs backwards, and no adjustment of the date disturbs it. About 25 ns
 * per call. */
double th_clock_seconds(void);

/* Seconds that this program has used processors for, of all its threads together. */
double th_clock_processor_seconds(void);

#endif
