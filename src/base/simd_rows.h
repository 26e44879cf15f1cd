/* base/simd_rows.h - eight words of a row for each lane, turned into eight registers.
 *
 * Rows lie anywhere, and are read whole even where fewer words count; loading whole rows and transposing them costs
 * less than gathers. AVX-512 has gathers that are good enough.
 */
#ifndef TH_BASE_SIMD_ROWS_H
#define TH_BASE_SIMD_ROWS_H

#include "base/simd.h"

/* out[k] holds word[first + k] of every lane. */
#if TH_LANES == 8

static inline void vf_load_rows(const float *word, vi first, vf out[8]) {
  int32_t at[8];
  vf r[8], t[8];
  vi_store(at, first);
  for (int k = 0; k < 8; k++) r[k] = _mm256_loadu_ps(word + at[k]);
  for (int k = 0; k < 8; k += 2) {
    t[k] = _mm256_unpacklo_ps(r[k], r[k + 1]);
    t[k + 1] = _mm256_unpackhi_ps(r[k], r[k + 1]);
  }
  for (int k = 0; k < 8; k += 4) {
    r[k] = _mm256_shuffle_ps(t[k], t[k + 2], _MM_SHUFFLE(1, 0, 1, 0));
    r[k + 1] = _mm256_shuffle_ps(t[k], t[k + 2], _MM_SHUFFLE(3, 2, 3, 2));
    r[k + 2] = _mm256_shuffle_ps(t[k + 1], t[k + 3], _MM_SHUFFLE(1, 0, 1, 0));
    r[k + 3] = _mm256_shuffle_ps(t[k + 1], t[k + 3], _MM_SHUFFLE(3, 2, 3, 2));
  }
  for (int k = 0; k < 4; k++) {
    out[k] = _mm256_permute2f128_ps(r[k], r[k + 4], 0x20);
    out[k + 4] = _mm256_permute2f128_ps(r[k], r[k + 4], 0x31);
  }
}

#elif TH_LANES == 4

static inline void vf_load_rows(const float *word, vi first, vf out[8]) {
  int32_t at[4];
  vi_store(at, first);
  for (int half = 0; half < 8; half += 4) {
    for (int k = 0; k < 4; k++) out[half + k] = _mm_loadu_ps(word + at[k] + half);
    _MM_TRANSPOSE4_PS(out[half], out[half + 1], out[half + 2], out[half + 3]);
  }
}

#else

static inline void vf_load_rows(const float *word, vi first, vf out[8]) {
  for (int32_t k = 0; k < 8; k++) out[k] = vf_gather(word, vi_add(first, vi_set(k)));
}

#endif

#endif
