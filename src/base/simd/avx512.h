/* base/simd/avx512.h - sixteen lanes by AVX-512. (gcc's own 512-bit vectors were four times slower.) */
#ifndef TH_BASE_SIMD_AVX512_H
#define TH_BASE_SIMD_AVX512_H

#include <immintrin.h>
#include <stdint.h>

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
static inline vf vf_keep(vm m, vf a) { return _mm512_maskz_mov_ps(m, a); } /* a where m, else 0 */
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
static inline vm vm_and(vm a, vm b) { return _mm512_kand(a, b); }
static inline vm vm_or(vm a, vm b) { return _mm512_kor(a, b); }
static inline vm vm_andnot(vm a, vm b) { return _mm512_kandn(b, a); } /* a and not b */
static inline uint32_t vm_bits(vm m) { return m; }
static inline vm vm_from_bits(uint32_t bits) { return (vm)bits; }

/* Doubles: half as many lanes. */
typedef __m512d vd;
typedef __mmask8 vdm;

static inline vd vd_set(double a) { return _mm512_set1_pd(a); }
static inline vd vd_load(const double *p) { return _mm512_loadu_pd(p); }
static inline void vd_store(double *p, vd a) { _mm512_storeu_pd(p, a); }
static inline vd vd_add(vd a, vd b) { return _mm512_add_pd(a, b); }
static inline vd vd_sub(vd a, vd b) { return _mm512_sub_pd(a, b); }
static inline vd vd_mul(vd a, vd b) { return _mm512_mul_pd(a, b); }
static inline vd vd_min(vd a, vd b) { return _mm512_min_pd(a, b); }
static inline vd vd_abs(vd a) { return _mm512_abs_pd(a); }
static inline vdm vd_lt(vd a, vd b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline vd vd_keep(vdm m, vd a) { return _mm512_maskz_mov_pd(m, a); }
static inline vd vd_select(vdm m, vd yes, vd no) { return _mm512_mask_blend_pd(m, no, yes); }

#endif
