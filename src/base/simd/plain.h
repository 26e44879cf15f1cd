/* base/simd/plain.h - four lanes as arrays, for compilers without vectors. Operation for operation base/simd/four.h. */
#ifndef TH_BASE_SIMD_PLAIN_H
#define TH_BASE_SIMD_PLAIN_H

#include "base/bits.h"

typedef struct vf {
  float at[4];
} vf;
typedef struct vi {
  uint32_t at[4];
} vi;
typedef vi vm;
typedef struct vd {
  double at[2];
} vd;
typedef struct vdm {
  uint64_t at[2];
} vdm;

static inline vf vf_mix(vf a, vf b, int i, int j, int k, int l) {
  const int from[4] = {i, j, k, l};
  vf r;
  for (int n = 0; n < 4; n++) r.at[n] = from[n] < 4 ? a.at[from[n]] : b.at[from[n] - 4];
  return r;
}
static inline uint32_t vm_bits(vm m) { return (m.at[0] & 1u) | (m.at[1] & 2u) | (m.at[2] & 4u) | (m.at[3] & 8u); }
static inline vd vd_of(double a, double b) { return (vd){{a, b}}; }
static inline vd vd_mix(vd a, vd b, int i, int j) {
  return vd_of(i < 2 ? a.at[i] : b.at[i - 2], j < 2 ? a.at[j] : b.at[j - 2]);
}

/* The body of a function: `value` for each lane i. */
#define TH_EACH(type, count, value)                      \
  {                                                      \
    type r;                                              \
    for (int i = 0; i < (count); i++) r.at[i] = (value); \
    return r;                                            \
  }
#define TH_YES(condition) ((condition) ? UINT32_MAX : 0u)

/* clang-format off */
static inline vf vf_set(float a) TH_EACH(vf, 4, a)
static inline vf vf_load(const float *p) TH_EACH(vf, 4, p[i])
static inline void vf_store(float *p, vf a) { memcpy(p, &a, sizeof a); }
static inline vf vf_add(vf a, vf b) TH_EACH(vf, 4, a.at[i] + b.at[i])
static inline vf vf_sub(vf a, vf b) TH_EACH(vf, 4, a.at[i] - b.at[i])
static inline vf vf_mul(vf a, vf b) TH_EACH(vf, 4, a.at[i] * b.at[i])
static inline vf vf_div(vf a, vf b) TH_EACH(vf, 4, a.at[i] / b.at[i])
static inline vf vf_sqrt(vf a) TH_EACH(vf, 4, sqrtf(a.at[i]))
static inline vf vf_min(vf a, vf b) TH_EACH(vf, 4, a.at[i] < b.at[i] ? a.at[i] : b.at[i])
static inline vf vf_max(vf a, vf b) TH_EACH(vf, 4, a.at[i] > b.at[i] ? a.at[i] : b.at[i])
static inline vm vf_lt(vf a, vf b) TH_EACH(vm, 4, TH_YES(a.at[i] < b.at[i]))
static inline vm vf_le(vf a, vf b) TH_EACH(vm, 4, TH_YES(a.at[i] <= b.at[i]))
static inline vm vf_eq(vf a, vf b) TH_EACH(vm, 4, TH_YES(a.at[i] == b.at[i]))
static inline vf vf_keep(vm m, vf a) TH_EACH(vf, 4, m.at[i] ? a.at[i] : 0.0f)
static inline vf vf_select(vm m, vf yes, vf no) TH_EACH(vf, 4, m.at[i] ? yes.at[i] : no.at[i])
static inline vi vf_bits(vf a) TH_EACH(vi, 4, th_bits_of_float(a.at[i]))
static inline vf vi_as_float(vi a) TH_EACH(vf, 4, th_float_of_bits(a.at[i]))
static inline vi vf_to_int(vf a) TH_EACH(vi, 4, (uint32_t)th_int_of_float(a.at[i]))
static inline vf vi_to_float(vi a) TH_EACH(vf, 4, (float)(int32_t)a.at[i])
static inline vi vi_set(int32_t a) TH_EACH(vi, 4, (uint32_t)a)
static inline vi vi_load(const int32_t *p) TH_EACH(vi, 4, (uint32_t)p[i])
static inline void vi_store(int32_t *p, vi a) { memcpy(p, &a, sizeof a); }
static inline vi vi_add(vi a, vi b) TH_EACH(vi, 4, a.at[i] + b.at[i])
static inline vi vi_sub(vi a, vi b) TH_EACH(vi, 4, a.at[i] - b.at[i])
static inline vi vi_mul(vi a, vi b) TH_EACH(vi, 4, a.at[i] * b.at[i])
static inline vi vi_and(vi a, vi b) TH_EACH(vi, 4, a.at[i] & b.at[i])
static inline vi vi_or(vi a, vi b) TH_EACH(vi, 4, a.at[i] | b.at[i])
static inline vi vi_xor(vi a, vi b) TH_EACH(vi, 4, a.at[i] ^ b.at[i])
static inline vi vi_shl(vi a, int n) TH_EACH(vi, 4, a.at[i] << n)
static inline vi vi_shr(vi a, int n) TH_EACH(vi, 4, a.at[i] >> n)
static inline vm vi_eq(vi a, vi b) TH_EACH(vm, 4, TH_YES(a.at[i] == b.at[i]))
static inline vm vi_lt(vi a, vi b) TH_EACH(vm, 4, TH_YES((int32_t)a.at[i] < (int32_t)b.at[i]))
static inline vi vi_select(vm m, vi yes, vi no) TH_EACH(vi, 4, m.at[i] ? yes.at[i] : no.at[i])
static inline vf vf_gather(const float *p, vi n) TH_EACH(vf, 4, p[(int32_t)n.at[i]])
static inline vi vi_gather(const int32_t *p, vi n) TH_EACH(vi, 4, (uint32_t)p[(int32_t)n.at[i]])
static inline vm vm_and(vm a, vm b) TH_EACH(vm, 4, a.at[i] & b.at[i])
static inline vm vm_or(vm a, vm b) TH_EACH(vm, 4, a.at[i] | b.at[i])
static inline vm vm_andnot(vm a, vm b) TH_EACH(vm, 4, a.at[i] & ~b.at[i])
static inline vm vm_from_bits(uint32_t bits) TH_EACH(vm, 4, TH_YES(bits >> i & 1u))

static inline vd vd_set(double a) TH_EACH(vd, 2, a)
static inline vd vd_load(const double *p) TH_EACH(vd, 2, p[i])
static inline void vd_store(double *p, vd a) { memcpy(p, &a, sizeof a); }
static inline vd vd_add(vd a, vd b) TH_EACH(vd, 2, a.at[i] + b.at[i])
static inline vd vd_sub(vd a, vd b) TH_EACH(vd, 2, a.at[i] - b.at[i])
static inline vd vd_mul(vd a, vd b) TH_EACH(vd, 2, a.at[i] * b.at[i])
static inline vd vd_min(vd a, vd b) TH_EACH(vd, 2, a.at[i] < b.at[i] ? a.at[i] : b.at[i])
static inline vd vd_abs(vd a) TH_EACH(vd, 2, th_double_of_bits(th_bits_of_double(a.at[i]) & INT64_MAX))
static inline vdm vd_lt(vd a, vd b) TH_EACH(vdm, 2, a.at[i] < b.at[i])
static inline vd vd_keep(vdm m, vd a) TH_EACH(vd, 2, m.at[i] ? a.at[i] : 0.0)
static inline vd vd_select(vdm m, vd yes, vd no) TH_EACH(vd, 2, m.at[i] ? yes.at[i] : no.at[i])
/* clang-format on */

#undef TH_EACH
#undef TH_YES

#endif
