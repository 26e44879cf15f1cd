/* base/exp_log.c - exp and log in double.
 *
 * The same scheme as the float forms, with longer pieces. The log uses s = f / (2 + f), log(1 + f) = log((1 + s) /
 * (1 - s)), whose odd series converges twice as fast and leaves its rounding errors below the leading f (the usual
 * arrangement since Tang 1990). Cost: about 9 ns.
 */
#include "base/exp_log.h"

#include <float.h>
#include <stdbool.h>

#if FLT_EVAL_METHOD != 0
#error "results would depend on the machine: float arithmetic must be done in float"
#endif

#define ROUNDER 0x1.8p52
#define LOG2_E 0x1.71547652b82fep+0
#define LN2_HIGH 0x1.62e42feep-1 /* 32 bits */
#define LN2_LOW 0x1.a39ef35793c76p-33

/* (e^r - 1 - r) / r^2 on |r| <= 0.3475 */
static const double exp_part[] = {0x1p-1,
                                  0x1.5555555555557p-3,
                                  0x1.5555555555556p-5,
                                  0x1.1111111110085p-7,
                                  0x1.6c16c16c162a3p-10,
                                  0x1.a01a01ac16f76p-13,
                                  0x1.a01a01a6f35fbp-16,
                                  0x1.71de019d031e7p-19,
                                  0x1.27e4db0f8a3efp-22,
                                  0x1.af4f1ddf981a8p-26,
                                  0x1.1f73b376c0f55p-29};

/* (log((1 + s) / (1 - s)) - 2 s) / s^3 as a function of s^2 <= 0.02945 */
static const double log_part[] = {0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476ba1p-2,
                                  0x1.c71c72017a15cp-3, 0x1.745cf8f6c9119p-3, 0x1.3b1c38474d3eep-3,
                                  0x1.0fbe478772696p-3, 0x1.0c06cf14c641bp-3};

static inline double horner(const double *c, int last, double x) {
  double y = c[last];
  for (int i = last - 1; i >= 0; i--) y = c[i] + x * y;
  return y;
}

double th_exp_double(double x) {
  double t = -746.0 > x ? -746.0 : x;
  t = 710.0 < t ? 710.0 : t;
  double shifted = t * LOG2_E + ROUNDER, k = shifted - ROUNDER;
  double high = t - k * LN2_HIGH, low = k * LN2_LOW, r = high - low;
  double p = 1.0 + (high + (r * r * horner(exp_part, 10, r) - low)); /* 1 + r + r^2 q */
  uint64_t n = th_bits_of_double(shifted) - th_bits_of_double(ROUNDER), half = ((n + 4096u) >> 1) - 2048u;
  double y = p * th_power_of_two_double(half) * th_power_of_two_double(n - half);
  return x == x ? y : x;
}

/* e^x - 1 = 2^k (e^r - 1) + (2^k - 1), r = x - k ln 2. Beyond 38 the 1 is lost in the result, or the e^x in the 1. */
double th_expm1_double(double x) {
  if (!(x < 38.0 && x > -38.0)) return th_exp_double(x) - 1.0;
  double shifted = x * LOG2_E + ROUNDER, k = shifted - ROUNDER;
  double high = x - k * LN2_HIGH, low = k * LN2_LOW, r = high - low;
  double m = high + (r * r * horner(exp_part, 10, r) - low);
  double scale = th_power_of_two_double(th_bits_of_double(shifted) - th_bits_of_double(ROUNDER));
  return scale == 1.0 ? m : scale * m + (scale - 1.0);
}

double th_log_double(double x) {
  if (x != x || x == INFINITY) return x;
  if (x <= 0.0) return x == 0.0 ? -INFINITY : th_double_of_bits(0x7ff8000000000000u);
  const uint64_t root_half = 0x3fe6a09e667f3bcdu; /* sqrt(1/2) */
  bool tiny = x < 0x1p-1022;
  uint64_t bits = th_bits_of_double(tiny ? x * 0x1p54 : x) - root_half;
  double e = (double)((int64_t)((bits + 0x4000000000000000u) >> 52) - (tiny ? 1024 + 54 : 1024));
  double f = th_double_of_bits((bits & 0xfffffffffffffu) + root_half) - 1.0;
  double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
  double rest = z * horner(log_part, 7, z); /* log(1 + f) = f - half + s (half + rest) */
  return e * LN2_HIGH + (f - (half - (s * (half + rest) + e * LN2_LOW)));
}
