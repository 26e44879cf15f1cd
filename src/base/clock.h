/* base/clock.h - time for measuring phases; never an input of the simulation. */
#ifndef TH_BASE_CLOCK_H
#define TH_BASE_CLOCK_H

/* Seconds since some moment in the past; never runs backwards. About 25 ns per call. */
double th_clock_seconds(void);

#endif
