/* base/bits.h - numbers as bits and back. */
#ifndef TH_BASE_BITS_H
#define TH_BASE_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t th_bits_of_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float th_float_of_bits(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint64_t th_bits_of_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double th_double_of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Towards zero; INT32_MIN for what no int32_t can hold, NaN among it, as lanes do on every processor. */
static inline int32_t th_int_of_float(float x) { return x >= -0x1p31f && x < 0x1p31f ? (int32_t)x : INT32_MIN; }

/* 2^n for n from -126 to 127, and -1022 to 1023, given as a wrapped unsigned number. */
static inline float th_power_of_two(uint32_t n) { return th_float_of_bits((n + 127u) << 23); }
static inline double th_power_of_two_double(uint64_t n) { return th_double_of_bits((n + 1023u) << 52); }

#endif
