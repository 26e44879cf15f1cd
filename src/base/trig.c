/* base/trig.c - double sin, cos and atan2, and the reduction of huge angles.
 *
 * An angle is reduced to r + tail in [-pi/4, pi/4], where the tail is the rounding error of r; without it the result
 * would lose all its bits near multiples of pi/2. Up to 2^20 quadrants pi/2 is subtracted in four pieces of 33 bits
 * (Cody and Waite); beyond, the fraction of x * 2/pi is formed in integers from the 224 bits of 2/pi that matter (Payne
 * and Hanek). Cost: about 14 ns; 35 ns for huge angles.
 */
#include "base/trig.h"

#include <stdbool.h>

#include "base/platform/compiler.h"

#define ROUNDER 0x1.8p52
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_REST 0x1.1a62633145c07p-54
#define MAX_NEAR 1.6e6 /* fewer than 2^20 quadrants */

typedef struct reduced {
  double r, tail;
  uint32_t quadrant;
} reduced;

/* The bits of 2/pi after the point, enough for the largest double. */
static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};

#define WINDOW 7 /* words of 2/pi that one angle needs */

/* (sin r - r) / r^3 and (cos r - 1 + z/2) / z^2 as functions of z = r^2 */
static const double sin_part[] = {-0x1.5555555555555p-3, 0x1.1111111111110p-7,   -0x1.a01a01a019926p-13,
                                  0x1.71de3a545e700p-19, -0x1.ae64540f0ba18p-26, 0x1.61217c1864fa1p-33,
                                  -0x1.ab161757f0c63p-41};
static const double cos_part[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d02p-16,
                                  -0x1.27e4fb7711e1dp-22, 0x1.1eed8de9ef73ep-29,  -0x1.9394b76d1f265p-37,
                                  0x1.ab76cf6e9b365p-45};
/* (atan r - r) / r^3 as a function of r^2 <= tan(pi/8)^2 */
static const double atan_part[] = {
    -0x1.5555555555555p-2, 0x1.9999999999999p-3,  -0x1.2492492492460p-3, 0x1.c71c71c718c30p-4,  -0x1.745d1744b17abp-4,
    0x1.3b13b10644e54p-4,  -0x1.11110ac69d6c4p-4, 0x1.e1e0dc7bb022fp-5,  -0x1.af198f4ec8388p-5, 0x1.857ecf0eecb94p-5,
    -0x1.5fc4af9ffc1d3p-5, 0x1.30f52d7b79924p-5,  -0x1.be97989a0eec9p-6, 0x1.875f74fbb98d4p-7};

static inline double horner(const double *c, int last, double x) {
  double y = c[last];
  for (int i = last - 1; i >= 0; i--) y = c[i] + x * y;
  return y;
}

/* x - k pi/2: the first difference is exact, the next two leave their rounding errors in the tail. */
static reduced reduce_near(double x) {
  double shifted = x * TWO_OVER_PI + ROUNDER, k = shifted - ROUNDER;
  double a = x - k * 0x1.921fb544p+0;
  double w = k * 0x1.0b4611a6p-34, b = a - w, lost = (a - b) - w;
  double v = k * 0x1.3198a2ep-69, c = b - v;
  lost += ((b - c) - v) - k * 0x1.b839a252049c1p-104;
  double r = c + lost;
  return (reduced){r, (c - r) + lost, (uint32_t)th_bits_of_double(shifted) & 3u};
}

/* The 64 bits of `word` (least significant first) that start at bit `from`. */
static uint64_t cut_bits(const uint32_t *word, uint32_t from) {
  uint32_t i = from / 32, shift = from % 32;
  uint64_t low = (uint64_t)word[i + 1] << 32 | word[i];
  return shift ? low >> shift | (uint64_t)word[i + 2] << (64 - shift) : low;
}

/* a * b as a sum of two doubles, by Veltkamp's splitting into halves of 26 bits. */
static double product(double a, double b, double *rest) {
  double ca = a * 0x1.0000002p+27, cb = b * 0x1.0000002p+27;
  double ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah, bl = b - bh, p = a * b;
  *rest = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
  return p;
}

/* The fraction (high, low) / 2^128 of a quadrant as an angle. */
static reduced angle_of(uint64_t high, uint64_t low, uint32_t quadrant) {
  bool above = high >> 63; /* beyond half a quadrant: count from the next one, backwards */
  if (above) {
    low = ~low + 1u;
    high = ~high + (low == 0);
  }
  if (high == 0) return (reduced){0.0, 0.0, (quadrant + above) & 3u}; /* no double comes this near to a multiple */
  const uint32_t zeros = th_leading_zeros64(high);
  if (zeros) high = high << zeros | low >> (64 - zeros), low <<= zeros;
  double scale = th_power_of_two_double((uint64_t) - (int64_t)zeros);
  double a = (double)(int64_t)(high >> 11) * 0x1p-53;
  double b = (double)(int64_t)((high & 0x7ffu) << 42 | low >> 22) * 0x1p-106;
  double rest, p = product(a, HALF_PI, &rest);
  rest += a * HALF_PI_REST + b * HALF_PI;
  double r = p + rest, tail = (p - r) + rest;
  if (above) scale = -scale;
  return (reduced){r * scale, tail * scale, (quadrant + above) & 3u};
}

/* |x| = m 2^e with integer m. Words of 2/pi whose product is a multiple of 4 quadrants are skipped. */
static reduced reduce_far(double x) {
  uint64_t bits = th_bits_of_double(x), m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  int e = (int)(bits >> 52 & 0x7ffu) - 1075;
  int shift = e < 2 ? 0 : (e - 2) / 32;
  uint32_t product_word[WINDOW + 4] = {0}, m_word[2] = {(uint32_t)m, (uint32_t)(m >> 32)};
  for (int j = 0; j < 2; j++) {
    uint64_t carry = 0;
    for (int i = 0; i < WINDOW; i++) {
      carry += (uint64_t)m_word[j] * two_over_pi[shift + WINDOW - 1 - i] + product_word[i + j];
      product_word[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    product_word[WINDOW + j] = (uint32_t)carry;
  }
  uint32_t point = (uint32_t)(32 * WINDOW - (e - 32 * shift)); /* bits of the product after the point */
  uint32_t quadrant = (uint32_t)cut_bits(product_word, point) & 3u;
  reduced y = angle_of(cut_bits(product_word, point - 64), cut_bits(product_word, point - 128), quadrant);
  if (bits >> 63) y = (reduced){-y.r, -y.tail, (0u - y.quadrant) & 3u};
  return y;
}

void th_sincos_double(double x, double *sine, double *cosine) {
  double size = th_double_of_bits(th_bits_of_double(x) & 0x7fffffffffffffffu);
  if (!(size < INFINITY)) {
    *sine = *cosine = th_double_of_bits(0x7ff8000000000000u);
    return;
  }
  reduced y = size < MAX_NEAR ? reduce_near(x) : reduce_far(x);
  double z = y.r * y.r, half = 0.5 * z, w = 1.0 - half;
  /* sin(r + t) = sin r + t cos r, cos(r + t) = cos r - t r, to first order in t */
  double s = y.r + (y.r * z * horner(sin_part, 6, z) + y.tail * w);
  double c = w + (((1.0 - w) - half) + (z * z * horner(cos_part, 6, z) - y.r * y.tail));
  double swapped_s = y.quadrant & 1u ? c : s, swapped_c = y.quadrant & 1u ? s : c;
  *sine = y.quadrant & 2u ? -swapped_s : swapped_s;
  *cosine = (y.quadrant + 1u) & 2u ? -swapped_c : swapped_c;
}

double th_sin_double(double x) {
  double s, c;
  th_sincos_double(x, &s, &c);
  return s;
}

double th_cos_double(double x) {
  double s, c;
  th_sincos_double(x, &s, &c);
  return c;
}

void th_sincosf_large(float x, float *sine, float *cosine) {
  double s, c;
  th_sincos_double((double)x, &s, &c);
  *sine = (float)s;
  *cosine = (float)c;
}

/* atan(low / high) for 0 <= low <= high, high > 0: beyond tan(pi/8) as pi/4 - atan((high - low) / (high + low)). */
static double atan_ratio(double low, double high) {
  bool steep = low > 0x1.a827999fcef32p-2 * high;
  double t = steep ? (high - low) / (high + low) : low / high, z = t * t;
  double rest = t * z * horner(atan_part, 13, z);
  if (!steep) return t + rest;
  return 0x1.921fb54442d18p-1 - (t + (rest - 0x1.1a62633145c07p-55));
}

static double positive_atan2(double y, double x) {
  if (y == 0.0 && x == 0.0) return 0.0;
  if (y == INFINITY && x == INFINITY) return 0x1.921fb54442d18p-1;
  double largest = y > x ? y : x;
  if (largest < 0x1p-1000) y *= 0x1p100, x *= 0x1p100; /* subnormal ratios and sums lose bits */
  if (largest > 0x1p1000 && largest < INFINITY) y *= 0x1p-100, x *= 0x1p-100;
  return y > x ? HALF_PI - (atan_ratio(x, y) - HALF_PI_REST) : atan_ratio(y, x);
}

double th_atan2_double(double y, double x) {
  if (x != x) return x;
  if (y != y) return y;
  const uint64_t sign = (uint64_t)1 << 63;
  uint64_t y_bits = th_bits_of_double(y), x_bits = th_bits_of_double(x);
  double a = positive_atan2(th_double_of_bits(y_bits & ~sign), th_double_of_bits(x_bits & ~sign));
  if (x < 0.0) a = 2.0 * HALF_PI - (a - 2.0 * HALF_PI_REST);
  return th_double_of_bits(th_bits_of_double(a) | (y_bits & sign));
}

float th_atan2f(float y, float x) { return (float)th_atan2_double((double)y, (double)x); }
