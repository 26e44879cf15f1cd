/* base/simd/four.h - four lanes on any processor, without intrinsics.
 *
 * Vectors of gcc and clang become SSE2, NEON or simd128, and plain code where a processor has none; other compilers get
 * arrays of four (base/simd/plain.h). What C leaves open is settled here so that every processor gives the bits of
 * x86-64: integer lanes are unsigned, so they wrap; min and max are a comparison and a choice, never the processor's
 * own (which differ for NaN and -0); a float that no int32_t can hold becomes INT32_MIN. Loops over the lanes are what
 * both compilers turn into one instruction where the language has no operator (sqrt, min, max).
 */
#ifndef TH_BASE_SIMD_FOUR_H
#define TH_BASE_SIMD_FOUR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__has_builtin) && !defined(TH_PLAIN_LANES)
#if __has_builtin(__builtin_shufflevector) && __has_builtin(__builtin_convertvector)
#define TH_VECTORS
#endif
#endif

#ifndef TH_VECTORS
#include "base/simd/plain.h"
#else

typedef float vf __attribute__((vector_size(16)));
typedef uint32_t vi __attribute__((vector_size(16)));
typedef int32_t vm __attribute__((vector_size(16))); /* all ones or all zeros per lane */

/* Lanes i, j, k, l of a (0 to 3) and b (4 to 7); numbers are constants. */
#define vf_mix(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)

static inline vf vf_set(float a) { return (vf){a, a, a, a}; }
static inline vf vf_load(const float *p) {
  vf a;
  memcpy(&a, p, sizeof a);
  return a;
}
static inline void vf_store(float *p, vf a) { memcpy(p, &a, sizeof a); }
static inline vf vf_add(vf a, vf b) { return a + b; }
static inline vf vf_sub(vf a, vf b) { return a - b; }
static inline vf vf_mul(vf a, vf b) { return a * b; }
static inline vf vf_div(vf a, vf b) { return a / b; }
static inline vm vf_lt(vf a, vf b) { return a < b; }
static inline vm vf_le(vf a, vf b) { return a <= b; }
static inline vm vf_eq(vf a, vf b) { return a == b; }
static inline vf vf_keep(vm m, vf a) { return (vf)(m & (vm)a); }
static inline vf vf_select(vm m, vf yes, vf no) { return (vf)((m & (vm)yes) | (~m & (vm)no)); }
static inline vi vf_bits(vf a) { return (vi)a; }
static inline vf vi_as_float(vi a) { return (vf)a; }
static inline vf vi_to_float(vi a) { return __builtin_convertvector((vm)a, vf); }
static inline vi vi_set(int32_t a) {
  const uint32_t u = (uint32_t)a;
  return (vi){u, u, u, u};
}
static inline vi vi_load(const int32_t *p) {
  vi a;
  memcpy(&a, p, sizeof a);
  return a;
}
static inline void vi_store(int32_t *p, vi a) { memcpy(p, &a, sizeof a); }
static inline vi vi_add(vi a, vi b) { return a + b; }
static inline vi vi_sub(vi a, vi b) { return a - b; }
static inline vi vi_mul(vi a, vi b) { return a * b; }
static inline vi vi_and(vi a, vi b) { return a & b; }
static inline vi vi_or(vi a, vi b) { return a | b; }
static inline vi vi_xor(vi a, vi b) { return a ^ b; }
static inline vi vi_shl(vi a, int n) { return a << (uint32_t)n; } /* n is 0 to 31 */
static inline vi vi_shr(vi a, int n) { return a >> (uint32_t)n; }
static inline vm vi_eq(vi a, vi b) { return a == b; }
static inline vm vi_lt(vi a, vi b) { return (vm)a < (vm)b; }
static inline vi vi_select(vm m, vi yes, vi no) { return ((vi)m & yes) | (~(vi)m & no); }
static inline vf vf_gather(const float *p, vi i) {
  const vm n = (vm)i;
  return (vf){p[n[0]], p[n[1]], p[n[2]], p[n[3]]};
}
static inline vi vi_gather(const int32_t *p, vi i) {
  const vm n = (vm)i;
  return (vi)(vm){p[n[0]], p[n[1]], p[n[2]], p[n[3]]};
}
static inline vm vm_and(vm a, vm b) { return a & b; }
static inline vm vm_or(vm a, vm b) { return a | b; }
static inline vm vm_andnot(vm a, vm b) { return a & ~b; }
static inline vm vm_from_bits(uint32_t bits) {
  const vi bit = {1, 2, 4, 8};
  return (vi_set((int32_t)bits) & bit) == bit;
}

/* x86 has one instruction for exactly each of these; gcc does not find them in the text for any processor. */
#ifdef __SSE2__
static inline vf vf_min(vf a, vf b) { return __builtin_ia32_minps(a, b); }
static inline vf vf_max(vf a, vf b) { return __builtin_ia32_maxps(a, b); }
static inline vf vf_sqrt(vf a) { return __builtin_ia32_sqrtps(a); }
static inline vi vf_to_int(vf a) { return (vi)__builtin_ia32_cvttps2dq(a); }
static inline uint32_t vm_bits(vm m) { return (uint32_t)__builtin_ia32_movmskps((vf)m); }
#else
static inline vf vf_min(vf a, vf b) { return vf_select(a < b, a, b); }
static inline vf vf_max(vf a, vf b) { return vf_select(a > b, a, b); }
static inline vf vf_sqrt(vf a) { return (vf){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])}; }
static inline vi vf_to_int(vf a) {
  const vm fits = (vf)((vi)a & 0x7fffffffu) < 0x1p31f;
  return (vi) __builtin_convertvector(vf_select(fits, a, vf_set(-0x1p31f)), vm);
}
static inline uint32_t vm_bits(vm m) { /* halves first: two words are cheaper to take out than four */
  typedef uint64_t pair __attribute__((vector_size(16)));
  const pair half = (pair)((vi)m & (vi){1, 2, 4, 8});
  const uint64_t both = half[0] | half[1];
  return (uint32_t)(both | both >> 32);
}
#endif

/* Doubles: half as many lanes. */
typedef double vd __attribute__((vector_size(16)));
typedef int64_t vdm __attribute__((vector_size(16)));

#define vd_mix(a, b, i, j) __builtin_shufflevector(a, b, i, j)

static inline vd vd_of(double a, double b) { return (vd){a, b}; }
static inline vd vd_set(double a) { return (vd){a, a}; }
static inline vd vd_load(const double *p) {
  vd a;
  memcpy(&a, p, sizeof a);
  return a;
}
static inline void vd_store(double *p, vd a) { memcpy(p, &a, sizeof a); }
static inline vd vd_add(vd a, vd b) { return a + b; }
static inline vd vd_sub(vd a, vd b) { return a - b; }
static inline vd vd_mul(vd a, vd b) { return a * b; }
static inline vd vd_abs(vd a) { return (vd)((vdm)a & INT64_MAX); }
static inline vdm vd_lt(vd a, vd b) { return a < b; }
static inline vd vd_keep(vdm m, vd a) { return (vd)(m & (vdm)a); }
static inline vd vd_select(vdm m, vd yes, vd no) { return (vd)((m & (vdm)yes) | (~m & (vdm)no)); }
#ifdef __SSE2__
static inline vd vd_min(vd a, vd b) { return __builtin_ia32_minpd(a, b); }
#else
static inline vd vd_min(vd a, vd b) { return vd_select(a < b, a, b); }
#endif

#endif
#endif
