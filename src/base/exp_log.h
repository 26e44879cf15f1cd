/* base/exp_log.h - exp and log with the same bits on every machine.
 *
 * Only + - * / and bit operations are used, so the result does not depend on the C library, the compiler or the lane
 * width: base/simd/math.h does the same operations on lanes. Argument reduction by powers of two (Cody and Waite,
 * "Software Manual for the Elementary Functions", 1980) with ln 2 in two pieces, then one near-minimax polynomial
 * (Chebyshev fits, computed to 400 bits). Measured errors: exp 1.0 ulp, log 0.8 ulp, in double both 0.8 ulp; all
 * arguments are allowed. Cost: about 3 ns per call, less than 1 ns per lane.
 */
#ifndef TH_BASE_EXP_LOG_H
#define TH_BASE_EXP_LOG_H

#include <math.h>

#include "base/bits.h"

/* Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits. */
#define TH_ROUNDER 0x1.8p23f
#define TH_ROUNDER_BITS 0x4b400000u

#define TH_LOG2_E 0x1.715476p+0f
#define TH_LN2_HIGH 0x1.62ep-1f /* 13 bits: its product with an exponent is exact */
#define TH_LN2_LOW 0x1.0bfbe8p-15f

/* Beyond these the result is infinite, or 0. */
#define TH_EXP_MIN -104.0f
#define TH_EXP_MAX 89.0f

/* (e^r - 1 - r) / r^2 on |r| <= 0.3475 */
#define TH_EXP_0 0x1p-1f
#define TH_EXP_1 0x1.5554dcp-3f
#define TH_EXP_2 0x1.555518p-5f
#define TH_EXP_3 0x1.120cbap-7f
#define TH_EXP_4 0x1.6d1254p-10f

/* (log(1 + f) - f + f^2 / 2) / f^3 on sqrt(1/2) - 1 <= f <= sqrt(2) - 1 */
#define TH_LOG_0 0x1.555554p-2f
#define TH_LOG_1 -0x1.fffffcp-3f
#define TH_LOG_2 0x1.999d5ap-3f
#define TH_LOG_3 -0x1.555b4ap-3f
#define TH_LOG_4 0x1.23d21ap-3f
#define TH_LOG_5 -0x1.fcf4c6p-4f
#define TH_LOG_6 0x1.dea282p-4f
#define TH_LOG_7 -0x1.d635bcp-4f
#define TH_LOG_8 0x1.1d8ea6p-4f

#define TH_ROOT_HALF_BITS 0x3f3504f3u /* sqrt(1/2) */

/* e^x = 2^n e^r, r = x - n ln 2. The power is applied in two halves so that subnormal results round once. */
static inline float th_expf(float x) {
  float t = TH_EXP_MIN > x ? TH_EXP_MIN : x;
  t = TH_EXP_MAX < t ? TH_EXP_MAX : t;
  float shifted = t * TH_LOG2_E + TH_ROUNDER, k = shifted - TH_ROUNDER;
  float r = (t - k * TH_LN2_HIGH) - k * TH_LN2_LOW;
  float q = TH_EXP_0 + r * (TH_EXP_1 + r * (TH_EXP_2 + r * (TH_EXP_3 + r * TH_EXP_4)));
  float p = 1.0f + (r + r * r * q);
  uint32_t n = th_bits_of_float(shifted) - TH_ROUNDER_BITS, half = ((n + 512u) >> 1) - 256u;
  float y = p * th_power_of_two(half) * th_power_of_two(n - half);
  return x == x ? y : x;
}

/* log x = e ln 2 + log(1 + f), x = 2^e (1 + f). log 0 is -infinity, of a negative number NaN. */
static inline float th_logf(float x) {
  uint32_t tiny = x < 0x1p-126f;
  uint32_t bits = th_bits_of_float(tiny ? x * 0x1p23f : x) - TH_ROOT_HALF_BITS;
  float e = (float)((int32_t)((bits + 0x40000000u) >> 23) - (tiny ? 128 + 23 : 128));
  float f = th_float_of_bits((bits & 0x7fffffu) + TH_ROOT_HALF_BITS) - 1.0f, z = f * f;
  float high = TH_LOG_4 + f * (TH_LOG_5 + f * (TH_LOG_6 + f * (TH_LOG_7 + f * TH_LOG_8)));
  float p = TH_LOG_0 + f * (TH_LOG_1 + f * (TH_LOG_2 + f * (TH_LOG_3 + f * high)));
  float y = (f + ((f * z * p + e * TH_LN2_LOW) - 0.5f * z)) + e * TH_LN2_HIGH;
  y = x == INFINITY ? x : y;
  y = x < 0.0f ? th_float_of_bits(0x7fc00000u) : y;
  y = x == 0.0f ? -INFINITY : y;
  return x == x ? y : x;
}

double th_exp_double(double x);
/* e^x - 1 without the loss near 0: 1.5 ulp. */
double th_expm1_double(double x);
double th_log_double(double x);

#endif
