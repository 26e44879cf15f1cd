/* base/random.h - random numbers without state.
 *
 * A number is a pure function of (seed, stream, agent, step), so it does not depend on the order in which agents are
 * visited, on the number of workers or on a restored snapshot (the idea of counter-based generators: Salmon et al.,
 * "Parallel random numbers: as easy as 1, 2, 3", 2011). Each argument enters by a bijection followed by a 64-bit
 * finaliser in Stafford's form, so numbers of one agent never repeat within 2^64 steps. Cost: about 3 ns.
 */
#ifndef TH_BASE_RANDOM_H
#define TH_BASE_RANDOM_H

#include <stdint.h>

/* A bijection of 64 bits in which each input bit flips each output bit with probability 1/2. */
static inline uint64_t th_random_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* 64 random bits. A `stream` is one use of random numbers (one call site): two uses of one stream get equal bits.
 */
static inline uint64_t th_random(uint64_t seed, uint32_t stream, uint32_t agent, uint64_t step) {
  const uint64_t golden = 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: keeps zero arguments away from the fixed point */
  uint64_t x = th_random_mix(seed + golden);
  x = th_random_mix((x ^ ((uint64_t)stream << 32 | agent)) + golden);
  return th_random_mix((x ^ step) + golden);
}

/* Bits to a number in [0, 1): the upper 24 (53) bits, so every value is exact. */
static inline float th_random_to_float(uint64_t bits) { return (float)(uint32_t)(bits >> 40) * 0x1p-24f; }
static inline double th_random_to_double(uint64_t bits) { return (double)(int64_t)(bits >> 11) * 0x1p-53; }

/* [0, 1) */
static inline float th_random_unit(uint64_t seed, uint32_t stream, uint32_t agent, uint64_t step) {
  return th_random_to_float(th_random(seed, stream, agent, step));
}

static inline double th_random_unit_double(uint64_t seed, uint32_t stream, uint32_t agent, uint64_t step) {
  return th_random_to_double(th_random(seed, stream, agent, step));
}

/* Bits to a number in [min, max); `min` when the range is empty. */
float th_random_to_range(uint64_t bits, float min, float max);

/* Bits to an integer in [0, count); 0 when count is 0. */
uint32_t th_random_to_below(uint64_t bits, uint32_t count);

/* Bits to a normal deviate of mean 0 and deviation 1, within +-6.7. */
double th_random_to_normal(uint64_t bits);

static inline float th_random_range(uint64_t seed, uint32_t stream, uint32_t agent, uint64_t step, float min,
                                    float max) {
  return th_random_to_range(th_random(seed, stream, agent, step), min, max);
}

static inline double th_random_normal(uint64_t seed, uint32_t stream, uint32_t agent, uint64_t step) {
  return th_random_to_normal(th_random(seed, stream, agent, step));
}

#endif
