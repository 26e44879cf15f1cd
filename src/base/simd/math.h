/* base/simd/math.h - exp, log, sin and cos on lanes.
 *
 * These are the scalar functions of base/exp_log.h and base/trig.h, operation for operation and with their constants,
 * so a lane gives the bits of the scalar function for any width. Cost: as stated there; a lane whose angle exceeds
 * TH_TRIG_MAX takes the scalar slow path.
 */
#ifndef TH_BASE_SIMD_MATH_H
#define TH_BASE_SIMD_MATH_H

#include "base/simd/simd.h"
#include "base/trig.h"

/* Whole arrays: fn_four, fn_avx2, fn_avx512; pick with TH_LANES_PICK. Input and output may be the same array. */
TH_LANES_DECLARE(void, th_math_exp_array, const float *x, float *y, uint32_t count);
TH_LANES_DECLARE(void, th_math_log_array, const float *x, float *y, uint32_t count);
TH_LANES_DECLARE(void, th_math_sincos_array, const float *x, float *sine, float *cosine, uint32_t count);

#ifdef TH_LANES

static inline vf vf_power_of_two(vi n) { return vi_as_float(vi_shl(vi_add(n, vi_set(127)), 23)); }

/* c + x * y, rounded twice as in scalar code */
static inline vf vf_step(float c, vf x, vf y) { return vf_add(vf_set(c), vf_mul(x, y)); }

static inline vf vf_exp(vf x) {
  vf t = vf_min(vf_set(TH_EXP_MAX), vf_max(vf_set(TH_EXP_MIN), x)); /* NaN passes both */
  vf shifted = vf_add(vf_mul(t, vf_set(TH_LOG2_E)), vf_set(TH_ROUNDER)), k = vf_sub(shifted, vf_set(TH_ROUNDER));
  vf r = vf_sub(vf_sub(t, vf_mul(k, vf_set(TH_LN2_HIGH))), vf_mul(k, vf_set(TH_LN2_LOW)));
  vf q = vf_step(TH_EXP_3, r, vf_set(TH_EXP_4));
  q = vf_step(TH_EXP_0, r, vf_step(TH_EXP_1, r, vf_step(TH_EXP_2, r, q)));
  vf p = vf_add(vf_set(1.0f), vf_add(r, vf_mul(vf_mul(r, r), q)));
  vi n = vi_sub(vf_bits(shifted), vi_set((int32_t)TH_ROUNDER_BITS));
  vi half = vi_sub(vi_shr(vi_add(n, vi_set(512)), 1), vi_set(256));
  vf y = vf_mul(vf_mul(p, vf_power_of_two(half)), vf_power_of_two(vi_sub(n, half)));
  return vf_select(vf_eq(x, x), y, x);
}

static inline vf vf_log_polynomial(vf f) {
  vf p = vf_step(TH_LOG_6, f, vf_step(TH_LOG_7, f, vf_set(TH_LOG_8)));
  p = vf_step(TH_LOG_3, f, vf_step(TH_LOG_4, f, vf_step(TH_LOG_5, f, p)));
  return vf_step(TH_LOG_0, f, vf_step(TH_LOG_1, f, vf_step(TH_LOG_2, f, p)));
}

static inline vf vf_log(vf x) {
  vm tiny = vf_lt(x, vf_set(0x1p-126f));
  vi bits = vf_bits(vf_select(tiny, vf_mul(x, vf_set(0x1p23f)), x));
  bits = vi_sub(bits, vi_set((int32_t)TH_ROOT_HALF_BITS));
  vi exponent = vi_shr(vi_add(bits, vi_set(0x40000000)), 23);
  vf e = vi_to_float(vi_sub(exponent, vi_select(tiny, vi_set(128 + 23), vi_set(128))));
  vi mantissa = vi_add(vi_and(bits, vi_set(0x7fffff)), vi_set((int32_t)TH_ROOT_HALF_BITS));
  vf f = vf_sub(vi_as_float(mantissa), vf_set(1.0f)), z = vf_mul(f, f);
  vf low = vf_add(vf_mul(vf_mul(f, z), vf_log_polynomial(f)), vf_mul(e, vf_set(TH_LN2_LOW)));
  vf y = vf_add(f, vf_sub(low, vf_mul(vf_set(0.5f), z)));
  y = vf_add(y, vf_mul(e, vf_set(TH_LN2_HIGH)));
  y = vf_select(vf_eq(x, vf_set(INFINITY)), x, y);
  y = vf_select(vf_lt(x, vf_zero()), vi_as_float(vi_set(0x7fc00000)), y);
  y = vf_select(vf_eq(x, vf_zero()), vf_set(-INFINITY), y);
  return vf_select(vf_eq(x, x), y, x);
}

/* Replaces the lanes whose angle is too large for the quick reduction. */
static inline void vf_sincos_mend(vf x, vm quick, vf *sine, vf *cosine) {
  float angle[TH_LANES], s[TH_LANES], c[TH_LANES];
  vf_store(angle, x);
  vf_store(s, *sine);
  vf_store(c, *cosine);
  uint32_t good = vm_bits(quick);
  for (uint32_t i = 0; i < TH_LANES; i++)
    if (!(good >> i & 1u)) th_sincosf_large(angle[i], &s[i], &c[i]);
  *sine = vf_load(s);
  *cosine = vf_load(c);
}

static inline void vf_sincos(vf x, vf *sine, vf *cosine) {
  vf shifted = vf_add(vf_mul(x, vf_set(TH_TWO_OVER_PI)), vf_set(TH_ROUNDER)), k = vf_sub(shifted, vf_set(TH_ROUNDER));
  vf r = vf_sub(vf_sub(x, vf_mul(k, vf_set(TH_HALF_PI_1))), vf_mul(k, vf_set(TH_HALF_PI_2)));
  r = vf_sub(vf_sub(r, vf_mul(k, vf_set(TH_HALF_PI_3))), vf_mul(k, vf_set(TH_HALF_PI_4)));
  vf z = vf_mul(r, r);
  vf s_part = vf_step(TH_SIN_0, z, vf_step(TH_SIN_1, z, vf_set(TH_SIN_2)));
  vf c_part = vf_step(TH_COS_0, z, vf_step(TH_COS_1, z, vf_set(TH_COS_2)));
  vf s = vf_add(r, vf_mul(vf_mul(r, z), s_part));
  vf c = vf_sub(vf_set(1.0f), vf_sub(vf_mul(vf_set(0.5f), z), vf_mul(vf_mul(z, z), c_part)));
  vi quadrant = vf_bits(shifted), sign = vi_set((int32_t)0x80000000u);
  vm odd = vi_eq(vi_and(quadrant, vi_set(1)), vi_set(1));
  vi sine_sign = vi_and(vi_shl(quadrant, 30), sign);
  vi cosine_sign = vi_and(vi_shl(vi_add(quadrant, vi_set(1)), 30), sign);
  *sine = vi_as_float(vi_xor(vf_bits(vf_select(odd, c, s)), sine_sign));
  *cosine = vi_as_float(vi_xor(vf_bits(vf_select(odd, s, c)), cosine_sign));
  vm quick = vf_le(vf_abs(x), vf_set(TH_TRIG_MAX));
  if (!vm_all(quick)) vf_sincos_mend(x, quick, sine, cosine);
}

#endif
#endif
