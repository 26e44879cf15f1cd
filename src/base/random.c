/* base/random.c - random numbers with distributions other than uniform on [0, 1), and spreads.
 *
 * The normal deviate is Box and Muller's: one draw gives radius and angle of a point of the two-dimensional normal law.
 * All uses our own exp, log and cos, so bits are the same on every machine. Cost: about 30 ns.
 *
 * All kinds of spreads have the same two numbers, mean and deviation, because these are what measurements of people
 * report; the shape of a gamma, Weibull or lognormal distribution follows from their ratio. Gamma: Marsaglia and Tsang,
 * "A simple method for generating gamma variables", 2000. Weibull: the inverse of its distribution function; its shape
 * by bisection, since it has no closed form. Bounds are kept by drawing again (truncation): clamping would give the
 * bounds themselves a probability. A draw that needs more bits takes a chain that begins with those given. Cost: about
 * 40 ns, Weibull 4 us.
 */
#include "base/random.h"

#include <math.h>

#include "base/error.h"
#include "base/exp_log.h"
#include "base/trig.h"
#include "throng/spread.h"

#define DEVIATIONS 3.0f
#define TRIES 128

float th_random_to_range(uint64_t bits, float min, float max) {
  if (!(min < max)) return min;
  double u = th_random_to_double(bits);
  float x = (float)((double)min + u * ((double)max - (double)min));
  return x < max ? x : nextafterf(max, min); /* rounding to float may reach the open end */
}

/* floor(bits * count / 2^64), from two halves so that no 128-bit integer is needed. */
uint32_t th_random_to_below(uint64_t bits, uint32_t count) {
  uint64_t low = (bits & 0xffffffffu) * count, high = (bits >> 32) * count;
  return (uint32_t)((high + (low >> 32)) >> 32);
}

/* n = sqrt(-2 ln a) cos(2 pi b), a in (0, 1], b in [0, 1) */
double th_random_to_normal(uint64_t bits) {
  double a = ((double)(bits >> 32) + 1.0) * 0x1p-32;
  double b = (double)(bits & 0xffffffffu) * 0x1p-32;
  return sqrt(-2.0 * th_log_double(a)) * th_cos_double(TH_TURN * b);
}

/* ---------------------------------------------------------------- spreads */

th_spread th_constant_spread(float value) { return (th_spread){TH_SPREAD_CONSTANT, value, 0.0f, value, value}; }

th_spread th_uniform_spread(float min, float max) {
  return (th_spread){TH_SPREAD_UNIFORM, 0.5f * (min + max), (max - min) * 0.28867513f, min, max};
}

th_spread th_default_spread(th_spread_kind kind, float mean, float deviation) {
  if (kind == TH_SPREAD_UNIFORM) return th_uniform_spread(mean - 1.7320508f * deviation, mean + 1.7320508f * deviation);
  float reach = kind == TH_SPREAD_NONE || kind == TH_SPREAD_CONSTANT ? 0.0f : DEVIATIONS * deviation;
  th_spread spread = {kind, mean, deviation, mean - reach, mean + reach};
  if (mean >= 0.0f && spread.min < 0.0f) spread.min = 0.0f;
  if (mean <= 0.0f && spread.max > 0.0f) spread.max = 0.0f;
  return spread;
}

static const char *fault_of(const th_spread *s) {
  if ((uint32_t)s->kind > TH_SPREAD_WEIBULL) return "a kind of spread";
  if (!(s->deviation >= 0.0f && s->deviation < INFINITY)) return "a finite deviation of at least 0";
  if (!(s->min <= s->max)) return "bounds in order";
  if (!(s->min <= s->mean && s->mean <= s->max)) return "a mean between the bounds";
  if (s->kind >= TH_SPREAD_LOGNORMAL && !(s->mean > 0.0f)) return "a mean above 0";
  return NULL;
}

th_result th_spread_check(const th_spread *spread, const char *name, float min, float max, th_error *error) {
  if (spread->kind == TH_SPREAD_NONE) return TH_OK;
  const char *expected = fault_of(spread);
  if (expected)
    return th_fail(error, TH_ERROR_RANGE, name, "expected %s, found kind %d, mean %g, deviation %g, from %g to %g",
                   expected, (int)spread->kind, (double)spread->mean, (double)spread->deviation, (double)spread->min,
                   (double)spread->max);
  if (spread->min >= min && spread->max <= max) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, name, "expected %g to %g, found a spread from %g to %g", (double)min,
                 (double)max, (double)spread->min, (double)spread->max);
}

/* The bits that are there, and others for the next call. */
static uint64_t next(uint64_t *bits) {
  uint64_t now = *bits;
  *bits = th_random_mix(now + 0x9e3779b97f4a7c15u);
  return now;
}

static double unit_above_0(uint64_t *bits) { return th_random_to_double(next(bits)) + 0x1p-54; }

/* ln gamma(x), x >= 1: Stirling's series beyond 9, where its first terms give 1e-12; recursion from there. */
static double log_gamma(double x) {
  double product = 1.0;
  for (; x < 9.0; x += 1.0) product *= x;
  const double r = 1.0 / x, s = r * r;
  const double series = r * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680))));
  return (x - 0.5) * th_log_double(x) - x + 0.91893853320467274 + series - th_log_double(product);
}

/* The gamma distribution of scale 1. */
static double gamma_of_shape(double shape, uint64_t *bits) {
  const double boost = shape < 1.0 ? th_exp_double(th_log_double(unit_above_0(bits)) / shape) : 1.0;
  const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
  for (int i = 0; i < TRIES; i++) {
    const double x = th_random_to_normal(next(bits)), t = 1.0 + c * x, v = t * t * t;
    const double u = unit_above_0(bits);
    if (t > 0.0 && th_log_double(u) < 0.5 * x * x + d - d * v + d * th_log_double(v)) return boost * d * v;
  }
  return boost * d;
}

/* 1 / k of the Weibull distribution with this deviation / mean: gamma(1 + 2/k) / gamma(1 + 1/k)^2 = 1 + ratio^2. */
static double weibull_power(double ratio) {
  const double target = th_log_double(1.0 + ratio * ratio);
  double low = 1e-3, high = 10.0;
  for (int i = 0; i < 50; i++) {
    const double power = 0.5 * (low + high);
    if (log_gamma(1.0 + 2.0 * power) - 2.0 * log_gamma(1.0 + power) < target)
      low = power;
    else
      high = power;
  }
  return 0.5 * (low + high);
}

static double draw_without_bounds(const th_spread *s, double power, uint64_t *bits) {
  const double mean = (double)s->mean, deviation = (double)s->deviation, ratio = deviation / mean;
  if (s->kind == TH_SPREAD_NORMAL) return mean + deviation * th_random_to_normal(next(bits));
  if (s->kind == TH_SPREAD_LOGNORMAL) {
    const double variance = th_log_double(1.0 + ratio * ratio);
    return mean * th_exp_double(sqrt(variance) * th_random_to_normal(next(bits)) - 0.5 * variance);
  }
  if (s->kind == TH_SPREAD_GAMMA) return mean * ratio * ratio * gamma_of_shape(1.0 / (ratio * ratio), bits);
  const double logarithm = th_log_double(-th_log_double(unit_above_0(bits)));
  return mean * th_exp_double(power * logarithm - log_gamma(1.0 + power));
}

float th_spread_draw(const th_spread *spread, uint64_t bits) {
  if (spread->kind == TH_SPREAD_UNIFORM) return th_random_to_range(bits, spread->min, spread->max);
  if (spread->kind <= TH_SPREAD_CONSTANT || !(spread->deviation > 0.0f) || !(spread->min < spread->max))
    return spread->mean;
  const double power =
      spread->kind == TH_SPREAD_WEIBULL ? weibull_power((double)spread->deviation / (double)spread->mean) : 0.0;
  for (int i = 0; i < TRIES; i++) {
    const float x = (float)draw_without_bounds(spread, power, &bits);
    if (x >= spread->min && x <= spread->max) return x;
  }
  return spread->mean; /* bounds that hold next to nothing */
}

uint64_t th_spread_bits(uint64_t seed, uint32_t stream, uint64_t number) { return th_random(seed, stream, 0, number); }
