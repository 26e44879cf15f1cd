/* base/simd/simd.h - thin wrappers over 4, 8 or 16 float lanes, and the choice between them at run time.
 *
 * A file named *.lanes.c is compiled with TH_LANES = 4 for every processor and, where TH_WIDER is defined (x86-64),
 * with 8 (AVX2) and 16 (AVX-512), too. It sees the types below, names its exported functions with TH_LANES_NAME, and
 * callers choose one with TH_LANES_PICK. Kernels treat 16 agents as 16 / TH_LANES registers. Only + - * / sqrt min max
 * compare blend and integer operations are offered: no fused multiply-add, no reciprocal estimates, so each lane's
 * result is the scalar result, whatever the width and the processor.
 */
#ifndef TH_BASE_SIMD_SIMD_H
#define TH_BASE_SIMD_SIMD_H

#include "throng/base.h"

/* The widest set that this processor has, or the one that TH_SIMD=four|avx2|avx512 names, if it has that one. */
th_simd th_simd_level(void);

/* `wanted` if this processor has it, else the widest it has; TH_SIMD_AUTO gives th_simd_level(). */
th_simd th_simd_choose(th_simd wanted);

/* Declares fn_four and, where they are built, fn_avx2 and fn_avx512, and picks one: TH_LANES_PICK(level,
 * fn)(arguments).
 */
#ifdef TH_WIDER
#define TH_LANES_DECLARE(result, fn, ...) \
  result fn##_four(__VA_ARGS__);          \
  result fn##_avx2(__VA_ARGS__);          \
  result fn##_avx512(__VA_ARGS__)
#define TH_LANES_PICK(level, fn) \
  ((level) == TH_SIMD_AVX512 ? fn##_avx512 : (level) == TH_SIMD_AVX2 ? fn##_avx2 : fn##_four)
#else
#define TH_LANES_DECLARE(result, fn, ...) result fn##_four(__VA_ARGS__)
#define TH_LANES_PICK(level, fn) ((void)(level), fn##_four)
#endif

#ifdef TH_LANES

#define TH_LANES_JOIN2(a, b) a##_##b
#define TH_LANES_JOIN(a, b) TH_LANES_JOIN2(a, b)
#define TH_LANES_NAME(fn) TH_LANES_JOIN(fn, TH_ISA)

#if TH_LANES == 16
#include "base/simd/avx512.h"
#elif TH_LANES == 8
#include "base/simd/avx2.h"
#elif TH_LANES == 4
#include "base/simd/four.h"
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
