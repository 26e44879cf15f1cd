/* tests/support/ulp.h - how far a result lies from the true value, in units of the last place of the result's type. */
#ifndef TH_TESTS_SUPPORT_ULP_H
#define TH_TESTS_SUPPORT_ULP_H

#include <float.h>
#include <math.h>

/* `digits` is the mantissa length, `min` the exponent of the smallest normal number as frexp gives it. */
static inline double ulp_distance(long double found, long double truth, int digits, int min) {
  if (found == truth || (isnan(found) && isnan(truth))) return 0;
  if (isnan(found) || isnan(truth) || isinf(found) || isinf(truth)) return INFINITY;
  int exponent;
  frexpl(truth, &exponent);
  if (exponent < min) exponent = min;
  return (double)(fabsl(found - truth) / ldexpl(1.0L, exponent - digits));
}

/* The true value may round to infinity: then infinity is right. */
static inline double ulp_float(float found, long double truth) {
  return isinf(found) && fabsl(truth) >= (long double)FLT_MAX ? 0
                                                              : ulp_distance(found, truth, FLT_MANT_DIG, FLT_MIN_EXP);
}

static inline double ulp_double(double found, long double truth) {
  return isinf(found) && fabsl(truth) >= (long double)DBL_MAX ? 0
                                                              : ulp_distance(found, truth, DBL_MANT_DIG, DBL_MIN_EXP);
}

#endif
