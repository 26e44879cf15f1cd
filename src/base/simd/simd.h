/* base/simd/simd.h - thin wrappers over 4, 8 or 16 float lanes, and the choice between them at run time.
 *
 * A file named *.lanes.c is compiled once per instruction set with TH_LANES = 4 (SSE2), 8 (AVX2) or 16 (AVX-512) and
 * sees the types below; it names its exported functions with TH_LANES_NAME, and TH_LANES_TABLE gives a caller one
 * pointer per set. Kernels treat 16 agents as 16 / TH_LANES registers. Only + - * / sqrt min max compare blend and
 * integer operations are offered: no fused multiply-add, no reciprocal estimates, so each lane's result is the scalar
 * result, whatever the width. (gcc's generic 512-bit vectors were four times slower than these intrinsics.)
 */
#ifndef TH_BASE_SIMD_SIMD_H
#define TH_BASE_SIMD_SIMD_H

#include "throng/base.h"

/* The widest set that this processor has, or the one that TH_SIMD=sse2|avx2|avx512 names, if it has that one. */
th_simd th_simd_level(void);

/* `wanted` if this processor has it, else the widest it has; TH_SIMD_AUTO gives th_simd_level(). */
th_simd th_simd_choose(th_simd wanted);

/* Declares fn_sse2, fn_avx2, fn_avx512 and picks one: TH_LANES_PICK(level, fn)(arguments). */
#define TH_LANES_DECLARE(result, fn, ...) \
  result fn##_sse2(__VA_ARGS__);          \
  result fn##_avx2(__VA_ARGS__);          \
  result fn##_avx512(__VA_ARGS__)
#define TH_LANES_PICK(level, fn) \
  ((level) == TH_SIMD_AVX512 ? fn##_avx512 : (level) == TH_SIMD_AVX2 ? fn##_avx2 : fn##_sse2)

#ifdef TH_LANES

#define TH_LANES_JOIN2(a, b) a##_##b
#define TH_LANES_JOIN(a, b) TH_LANES_JOIN2(a, b)
#define TH_LANES_NAME(fn) TH_LANES_JOIN(fn, TH_ISA)

#include <immintrin.h>

#if TH_LANES == 16

typedef __m512 vf;    /* floats */
typedef __m512i vi;   /* 32-bit integers */
typedef __mmask16 vm; /* one truth value per lane */

static inline vf vf_set(float a) { return _mm512_set1_ps(a); }
static inline vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }
static inline vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm512_div_ps(a, b); }
static inline vf vf_sqrt(vf a) { return _mm512_sqrt_ps(a); }
static inline vf vf_min(vf a, vf b) { return _mm512_min_ps(a, b); }
static inline vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }
static inline vm vf_lt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline vm vf_le(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
static inline vm vf_eq(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline vf vf_select(vm m, vf yes, vf no) { return _mm512_mask_blend_ps(m, no, yes); }
static inline vf vf_gather(const float *p, vi i) { return _mm512_i32gather_ps(i, p, 4); }
static inline vi vf_to_int(vf a) { return _mm512_cvttps_epi32(a); } /* towards zero */
static inline vf vi_to_float(vi a) { return _mm512_cvtepi32_ps(a); }
static inline vi vf_bits(vf a) { return _mm512_castps_si512(a); }
static inline vf vi_as_float(vi a) { return _mm512_castsi512_ps(a); }
static inline vi vi_set(int32_t a) { return _mm512_set1_epi32(a); }
static inline vi vi_load(const int32_t *p) { return _mm512_loadu_si512((const void *)p); }
static inline void vi_store(int32_t *p, vi a) { _mm512_storeu_si512((void *)p, a); }
static inline vi vi_add(vi a, vi b) { return _mm512_add_epi32(a, b); }
static inline vi vi_sub(vi a, vi b) { return _mm512_sub_epi32(a, b); }
static inline vi vi_mul(vi a, vi b) { return _mm512_mullo_epi32(a, b); }
static inline vi vi_and(vi a, vi b) { return _mm512_and_si512(a, b); }
static inline vi vi_or(vi a, vi b) { return _mm512_or_si512(a, b); }
static inline vi vi_xor(vi a, vi b) { return _mm512_xor_si512(a, b); }
static inline vi vi_shl(vi a, int n) { return _mm512_sll_epi32(a, _mm_cvtsi32_si128(n)); }
static inline vi vi_shr(vi a, int n) { return _mm512_srl_epi32(a, _mm_cvtsi32_si128(n)); } /* zero fill */
static inline vm vi_eq(vi a, vi b) { return _mm512_cmpeq_epi32_mask(a, b); }
static inline vm vi_lt(vi a, vi b) { return _mm512_cmplt_epi32_mask(a, b); }
static inline vi vi_select(vm m, vi yes, vi no) { return _mm512_mask_blend_epi32(m, no, yes); }
static inline vi vi_gather(const int32_t *p, vi i) { return _mm512_i32gather_epi32(i, p, 4); }
static inline vm vm_and(vm a, vm b) { return (vm)(a & b); }
static inline vm vm_or(vm a, vm b) { return (vm)(a | b); }
static inline vm vm_andnot(vm a, vm b) { return (vm)(a & ~b); } /* a and not b */
static inline uint32_t vm_bits(vm m) { return m; }
static inline vm vm_from_bits(uint32_t bits) { return (vm)bits; }

#elif TH_LANES == 8

typedef __m256 vf;
typedef __m256i vi;
typedef __m256 vm; /* all ones or all zeros per lane */

static inline vf vf_set(float a) { return _mm256_set1_ps(a); }
static inline vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void vf_store(float *p, vf a) { _mm256_storeu_ps(p, a); }
static inline vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm256_div_ps(a, b); }
static inline vf vf_sqrt(vf a) { return _mm256_sqrt_ps(a); }
static inline vf vf_min(vf a, vf b) { return _mm256_min_ps(a, b); }
static inline vf vf_max(vf a, vf b) { return _mm256_max_ps(a, b); }
static inline vm vf_lt(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline vm vf_le(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
static inline vm vf_eq(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static inline vf vf_select(vm m, vf yes, vf no) { return _mm256_blendv_ps(no, yes, m); }
static inline vf vf_gather(const float *p, vi i) { return _mm256_i32gather_ps(p, i, 4); }
static inline vi vf_to_int(vf a) { return _mm256_cvttps_epi32(a); }
static inline vf vi_to_float(vi a) { return _mm256_cvtepi32_ps(a); }
static inline vi vf_bits(vf a) { return _mm256_castps_si256(a); }
static inline vf vi_as_float(vi a) { return _mm256_castsi256_ps(a); }
static inline vi vi_set(int32_t a) { return _mm256_set1_epi32(a); }
static inline vi vi_load(const int32_t *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void vi_store(int32_t *p, vi a) { _mm256_storeu_si256((__m256i *)p, a); }
static inline vi vi_add(vi a, vi b) { return _mm256_add_epi32(a, b); }
static inline vi vi_sub(vi a, vi b) { return _mm256_sub_epi32(a, b); }
static inline vi vi_mul(vi a, vi b) { return _mm256_mullo_epi32(a, b); }
static inline vi vi_and(vi a, vi b) { return _mm256_and_si256(a, b); }
static inline vi vi_or(vi a, vi b) { return _mm256_or_si256(a, b); }
static inline vi vi_xor(vi a, vi b) { return _mm256_xor_si256(a, b); }
static inline vi vi_shl(vi a, int n) { return _mm256_sll_epi32(a, _mm_cvtsi32_si128(n)); }
static inline vi vi_shr(vi a, int n) { return _mm256_srl_epi32(a, _mm_cvtsi32_si128(n)); }
static inline vm vi_eq(vi a, vi b) { return _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)); }
static inline vm vi_lt(vi a, vi b) { return _mm256_castsi256_ps(_mm256_cmpgt_epi32(b, a)); }
static inline vi vi_select(vm m, vi yes, vi no) { return _mm256_blendv_epi8(no, yes, _mm256_castps_si256(m)); }
static inline vi vi_gather(const int32_t *p, vi i) { return _mm256_i32gather_epi32(p, i, 4); }
static inline vm vm_and(vm a, vm b) { return _mm256_and_ps(a, b); }
static inline vm vm_or(vm a, vm b) { return _mm256_or_ps(a, b); }
static inline vm vm_andnot(vm a, vm b) { return _mm256_andnot_ps(b, a); }
static inline uint32_t vm_bits(vm m) { return (uint32_t)_mm256_movemask_ps(m); }
static inline vm vm_from_bits(uint32_t bits) {
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int32_t)bits), bit), bit));
}

#elif TH_LANES == 4

typedef __m128 vf;
typedef __m128i vi;
typedef __m128 vm;

static inline vf vf_set(float a) { return _mm_set1_ps(a); }
static inline vf vf_load(const float *p) { return _mm_loadu_ps(p); }
static inline void vf_store(float *p, vf a) { _mm_storeu_ps(p, a); }
static inline vf vf_add(vf a, vf b) { return _mm_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm_div_ps(a, b); }
static inline vf vf_sqrt(vf a) { return _mm_sqrt_ps(a); }
static inline vf vf_min(vf a, vf b) { return _mm_min_ps(a, b); }
static inline vf vf_max(vf a, vf b) { return _mm_max_ps(a, b); }
static inline vm vf_lt(vf a, vf b) { return _mm_cmplt_ps(a, b); }
static inline vm vf_le(vf a, vf b) { return _mm_cmple_ps(a, b); }
static inline vm vf_eq(vf a, vf b) { return _mm_cmpeq_ps(a, b); }
static inline vf vf_select(vm m, vf yes, vf no) { return _mm_or_ps(_mm_and_ps(m, yes), _mm_andnot_ps(m, no)); }
static inline vi vf_to_int(vf a) { return _mm_cvttps_epi32(a); }
static inline vf vi_to_float(vi a) { return _mm_cvtepi32_ps(a); }
static inline vi vf_bits(vf a) { return _mm_castps_si128(a); }
static inline vf vi_as_float(vi a) { return _mm_castsi128_ps(a); }
static inline vi vi_set(int32_t a) { return _mm_set1_epi32(a); }
static inline vi vi_load(const int32_t *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void vi_store(int32_t *p, vi a) { _mm_storeu_si128((__m128i *)p, a); }
static inline vi vi_add(vi a, vi b) { return _mm_add_epi32(a, b); }
static inline vi vi_sub(vi a, vi b) { return _mm_sub_epi32(a, b); }
static inline vi vi_mul(vi a, vi b) { /* low halves of the even and the odd products, interleaved again */
  __m128i even = _mm_mul_epu32(a, b), odd = _mm_mul_epu32(_mm_srli_si128(a, 4), _mm_srli_si128(b, 4));
  return _mm_unpacklo_epi32(_mm_shuffle_epi32(even, _MM_SHUFFLE(0, 0, 2, 0)),
                            _mm_shuffle_epi32(odd, _MM_SHUFFLE(0, 0, 2, 0)));
}
static inline vi vi_and(vi a, vi b) { return _mm_and_si128(a, b); }
static inline vi vi_or(vi a, vi b) { return _mm_or_si128(a, b); }
static inline vi vi_xor(vi a, vi b) { return _mm_xor_si128(a, b); }
static inline vi vi_shl(vi a, int n) { return _mm_sll_epi32(a, _mm_cvtsi32_si128(n)); }
static inline vi vi_shr(vi a, int n) { return _mm_srl_epi32(a, _mm_cvtsi32_si128(n)); }
static inline vm vi_eq(vi a, vi b) { return _mm_castsi128_ps(_mm_cmpeq_epi32(a, b)); }
static inline vm vi_lt(vi a, vi b) { return _mm_castsi128_ps(_mm_cmplt_epi32(a, b)); }
static inline vi vi_select(vm m, vi yes, vi no) {
  vi bits = _mm_castps_si128(m);
  return _mm_or_si128(_mm_and_si128(bits, yes), _mm_andnot_si128(bits, no));
}
static inline vf vf_gather(const float *p, vi i) {
  int32_t n[4];
  vi_store(n, i);
  return _mm_setr_ps(p[n[0]], p[n[1]], p[n[2]], p[n[3]]);
}
static inline vi vi_gather(const int32_t *p, vi i) {
  int32_t n[4];
  vi_store(n, i);
  return _mm_setr_epi32(p[n[0]], p[n[1]], p[n[2]], p[n[3]]);
}
static inline vm vm_and(vm a, vm b) { return _mm_and_ps(a, b); }
static inline vm vm_or(vm a, vm b) { return _mm_or_ps(a, b); }
static inline vm vm_andnot(vm a, vm b) { return _mm_andnot_ps(b, a); }
static inline uint32_t vm_bits(vm m) { return (uint32_t)_mm_movemask_ps(m); }
static inline vm vm_from_bits(uint32_t bits) {
  const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
  return _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int32_t)bits), bit), bit));
}

#else
#error "TH_LANES must be 4, 8 or 16"
#endif

static inline vf vf_zero(void) { return vf_set(0.0f); }
static inline vf vf_abs(vf a) { return vi_as_float(vi_and(vf_bits(a), vi_set(0x7fffffff))); }
static inline vf vf_negate(vf a) { return vi_as_float(vi_xor(vf_bits(a), vi_set((int32_t)0x80000000u))); }
static inline vf vf_floor(vf a) { /* exact for |a| < 2^31 */
  vf t = vi_to_float(vf_to_int(a));
  return vf_sub(t, vf_select(vf_lt(a, t), vf_set(1.0f), vf_zero()));
}
static inline bool vm_any(vm m) { return vm_bits(m) != 0; }
static inline bool vm_all(vm m) { return vm_bits(m) == (1u << TH_LANES) - 1u; }

#endif /* TH_LANES */
#endif
