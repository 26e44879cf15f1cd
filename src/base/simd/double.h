/* base/simd/double.h - four doubles at a time, the same bits on every instruction set.
 *
 * Sparse elimination works on strips of four rows, so the unit is always four doubles: two registers with four lanes,
 * one with AVX2 and AVX-512. Only lane-wise + - * and loads are offered; the one sum over lanes has a fixed shape.
 * Include it from *.lanes.c files only.
 */
#ifndef TH_BASE_SIMD_DOUBLE_H
#define TH_BASE_SIMD_DOUBLE_H

#include "base/simd/simd.h"

#if TH_LANES >= 8

typedef __m256d th_d4;

static inline th_d4 th_d4_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void th_d4_store(double *p, th_d4 a) { _mm256_storeu_pd(p, a); }
static inline th_d4 th_d4_zero(void) { return _mm256_setzero_pd(); }
static inline th_d4 th_d4_set(double a) { return _mm256_set1_pd(a); }
static inline th_d4 th_d4_same(const double *p) { return _mm256_broadcast_sd(p); }
static inline th_d4 th_d4_of(double a, double b, double c, double d) { return _mm256_setr_pd(a, b, c, d); }
static inline th_d4 th_d4_add(th_d4 a, th_d4 b) { return _mm256_add_pd(a, b); }
static inline th_d4 th_d4_sub(th_d4 a, th_d4 b) { return _mm256_sub_pd(a, b); }
static inline th_d4 th_d4_mul(th_d4 a, th_d4 b) { return _mm256_mul_pd(a, b); }

/* Lane i of the result is (a_i0 + a_i1) + (a_i2 + a_i3), a_ij being lane j of vector i. */
static inline th_d4 th_d4_sums(th_d4 a0, th_d4 a1, th_d4 a2, th_d4 a3) {
  __m256d s01 = _mm256_hadd_pd(a0, a1), s23 = _mm256_hadd_pd(a2, a3);
  __m256d low = _mm256_permute2f128_pd(s01, s23, 0x20), high = _mm256_permute2f128_pd(s01, s23, 0x31);
  return _mm256_add_pd(low, high);
}

#else

typedef struct th_d4 {
  vd a, b;
} th_d4;

static inline th_d4 th_d4_load(const double *p) { return (th_d4){vd_load(p), vd_load(p + 2)}; }
static inline void th_d4_store(double *p, th_d4 a) {
  vd_store(p, a.a);
  vd_store(p + 2, a.b);
}
static inline th_d4 th_d4_set(double a) { return (th_d4){vd_set(a), vd_set(a)}; }
static inline th_d4 th_d4_same(const double *p) { return th_d4_set(*p); }
static inline th_d4 th_d4_of(double a, double b, double c, double d) { return (th_d4){vd_of(a, b), vd_of(c, d)}; }
static inline th_d4 th_d4_zero(void) { return th_d4_set(0.0); }
static inline th_d4 th_d4_add(th_d4 a, th_d4 b) { return (th_d4){vd_add(a.a, b.a), vd_add(a.b, b.b)}; }
static inline th_d4 th_d4_sub(th_d4 a, th_d4 b) { return (th_d4){vd_sub(a.a, b.a), vd_sub(a.b, b.b)}; }
static inline th_d4 th_d4_mul(th_d4 a, th_d4 b) { return (th_d4){vd_mul(a.a, b.a), vd_mul(a.b, b.b)}; }

static inline vd th_d2_pair_sums(vd a, vd b) { return vd_add(vd_mix(a, b, 0, 2), vd_mix(a, b, 1, 3)); }
static inline th_d4 th_d4_sums(th_d4 a0, th_d4 a1, th_d4 a2, th_d4 a3) {
  return (th_d4){vd_add(th_d2_pair_sums(a0.a, a1.a), th_d2_pair_sums(a0.b, a1.b)),
                 vd_add(th_d2_pair_sums(a2.a, a3.a), th_d2_pair_sums(a2.b, a3.b))};
}

#endif
#endif
