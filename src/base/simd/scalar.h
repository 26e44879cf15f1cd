/* base/simd/scalar.h - the operations of base/simd/simd.h on one lane, for kernels that are also compiled as scalar
 * code. */
#ifndef TH_BASE_SIMD_SCALAR_H
#define TH_BASE_SIMD_SCALAR_H

#include <math.h>
#include <stdbool.h>

#include "base/bits.h"

typedef float vf;
typedef int32_t vi;
typedef bool vm;

static inline vf vf_set(float a) { return a; }
static inline vf vf_zero(void) { return 0.0f; }
static inline vf vf_add(vf a, vf b) { return a + b; }
static inline vf vf_sub(vf a, vf b) { return a - b; }
static inline vf vf_mul(vf a, vf b) { return a * b; }
static inline vf vf_div(vf a, vf b) { return a / b; }
static inline vf vf_sqrt(vf a) { return sqrtf(a); }
static inline vf vf_min(vf a, vf b) { return a < b ? a : b; }
static inline vf vf_max(vf a, vf b) { return a > b ? a : b; }
static inline vm vf_lt(vf a, vf b) { return a < b; }
static inline vm vf_le(vf a, vf b) { return a <= b; }
static inline vf vf_select(vm m, vf yes, vf no) { return m ? yes : no; }
static inline vi vf_bits(vf a) { return (int32_t)th_bits_of_float(a); }
static inline vi vf_to_int(vf a) { return th_int_of_float(a); }
static inline vf vi_to_float(vi a) { return (float)a; }
static inline vi vi_set(int32_t a) { return a; }
static inline vi vi_add(vi a, vi b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline vi vi_mul(vi a, vi b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline vi vi_and(vi a, vi b) { return a & b; }
static inline vi vi_shl(vi a, int n) { return (int32_t)((uint32_t)a << n); }
static inline vi vi_shr(vi a, int n) { return (int32_t)((uint32_t)a >> n); }
static inline vm vi_eq(vi a, vi b) { return a == b; }
static inline vi vi_select(vm m, vi yes, vi no) { return m ? yes : no; }
static inline vm vm_and(vm a, vm b) { return a && b; }
static inline vm vm_or(vm a, vm b) { return a || b; }
static inline vm vm_andnot(vm a, vm b) { return a && !b; }

#endif
