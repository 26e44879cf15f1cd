/** throng/spread.h - numbers that differ from agent to agent.
 *
 *  A spread holds the kind of a distribution, its mean and standard deviation, and bounds that no draw exceeds. A draw
 *  is a pure function of the spread and of 64 bits, with the same result on every machine.
 *
 *  Threads: any; these calls read their arguments only.
 */
#ifndef THRONG_SPREAD_H
#define THRONG_SPREAD_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum th_spread_kind {
  TH_SPREAD_NONE,     /* no draw: the member of the def is used */
  TH_SPREAD_CONSTANT, /* always the mean */
  TH_SPREAD_UNIFORM,  /* from min to max; mean and deviation follow from these and are not read */
  TH_SPREAD_NORMAL,
  TH_SPREAD_LOGNORMAL, /* the logarithm is normal; mean above 0 */
  TH_SPREAD_GAMMA,     /* mean above 0 */
  TH_SPREAD_WEIBULL    /* mean above 0 */
} th_spread_kind;

/** A number outside [min, max] is drawn again, so that no value piles up at a bound. */
typedef struct th_spread {
  th_spread_kind kind;
  float mean;      /* of the distribution without its bounds */
  float deviation; /* its standard deviation, at least 0 */
  float min, max; /* bounds; by default three deviations from the mean, cut at 0 so that no number has another sign than
                     the mean */
} th_spread;

/** A spread of a kind with this mean and standard deviation and the default bounds; of TH_SPREAD_UNIFORM the bounds are
 *  those that give this mean and deviation. */
TH_API th_spread th_default_spread(th_spread_kind kind, float mean, float deviation);
TH_API th_spread th_uniform_spread(float min, float max);
TH_API th_spread th_constant_spread(float value);
/** Accepts a spread whose bounds lie in [min, max] and hold its mean, or TH_SPREAD_NONE. `name` goes into the error. */
TH_API th_result th_spread_check(const th_spread *spread, const char *name, float min, float max, th_error *error);
/** One draw: the same for the same spread and bits. Use th_spread_bits for bits that are independent. */
TH_API float th_spread_draw(const th_spread *spread, uint64_t bits);
/** Bits for draw `number` of a use of random numbers; streams are independent of each other. */
TH_API uint64_t th_spread_bits(uint64_t seed, uint32_t stream, uint64_t number);

#ifdef __cplusplus
}
#endif
#endif
