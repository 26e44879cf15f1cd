/* base/platform/compiler.h - what compilers offer beyond C17, each with an equal in C. */
#ifndef TH_BASE_PLATFORM_COMPILER_H
#define TH_BASE_PLATFORM_COMPILER_H

#include <stdint.h>

#if defined(__GNUC__)
#define TH_INLINE inline __attribute__((always_inline)) /* kernels whose arguments must become constants */
#define TH_NOINLINE __attribute__((noinline))
#define TH_VISIBLE __attribute__((visibility("default"))) /* found by name in a running program */
#else
#define TH_INLINE inline
#define TH_NOINLINE
#define TH_VISIBLE
#endif

/* Lets the compiler check the arguments of a call like printf: places of its format and of the first argument, from 1.
 */
#if defined(__MINGW32__) && !defined(__clang__)
#define TH_PRINTF(format_at, first_at) __attribute__((format(gnu_printf, format_at, first_at)))
#elif defined(__GNUC__)
#define TH_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define TH_PRINTF(format_at, first_at)
#endif

/* Number of the lowest bit that is set, of the zeros above the highest, and of all that are set. `bits` is not 0 in the
 * first two. */
#if defined(__GNUC__)
static inline uint32_t th_lowest_bit(uint32_t bits) { return (uint32_t)__builtin_ctz(bits); }
static inline uint32_t th_lowest_bit64(uint64_t bits) { return (uint32_t)__builtin_ctzll(bits); }
static inline uint32_t th_leading_zeros64(uint64_t bits) { return (uint32_t)__builtin_clzll(bits); }
static inline uint32_t th_count_bits(uint32_t bits) { return (uint32_t)__builtin_popcount(bits); }
#else
static inline uint32_t th_lowest_bit64(uint64_t bits) {
  uint32_t n = 0;
  while (!(bits >> n & 1u)) n++;
  return n;
}
static inline uint32_t th_lowest_bit(uint32_t bits) { return th_lowest_bit64(bits); }
static inline uint32_t th_leading_zeros64(uint64_t bits) {
  uint32_t n = 0;
  while (!(bits >> (63 - n) & 1u)) n++;
  return n;
}
static inline uint32_t th_count_bits(uint32_t bits) {
  uint32_t n = 0;
  for (; bits; bits &= bits - 1) n++;
  return n;
}
#endif

/* A word that was copied from eight bytes, the lowest first. */
static inline uint64_t th_little_endian64(uint64_t word) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

#endif
