/* base/simd/rows.h - eight words of a row for each lane, turned into eight registers, and back.
 *
 * Rows may lie anywhere in memory and are always read whole, even if fewer words are needed: loading whole rows and
 * transposing them costs less than gathers (on AVX-512 too: six gathers of 16 took three times as long on a processor
 * that makes them of many small operations). Rows of four are read and written whole in the same way.
 */
#ifndef TH_BASE_SIMD_ROWS_H
#define TH_BASE_SIMD_ROWS_H

#include <stddef.h>

#include "base/simd/simd.h"

#if TH_LANES == 8

static inline void transpose_rows(vf r[8], vf out[8]) {
  vf t[8];
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

/* out[k] holds word[first + k] of every lane. */
static inline void vf_load_rows(const float *word, vi first, vf out[8]) {
  int32_t at[8];
  vf r[8];
  vi_store(at, first);
  for (int k = 0; k < 8; k++) r[k] = _mm256_loadu_ps(word + at[k]);
  transpose_rows(r, out);
}

/* For rows `words` apart, a constant: out[k] holds word[words row + k] of every lane. Row numbers that are in memory
 * are used as addresses directly. */
static inline void vf_load_rows_at(const float *word, ptrdiff_t words, const int32_t *row, vf out[8]) {
  vf r[8];
  for (int k = 0; k < 8; k++) r[k] = _mm256_loadu_ps(word + words * row[k]);
  transpose_rows(r, out);
}

/* TH_LANES rows one after the other: word[8 lane + k] is in[k] of that lane. */
static inline void vf_store_rows(float *word, vf in[8]) {
  vf row[8];
  transpose_rows(in, row);
  for (int k = 0; k < 8; k++) _mm256_storeu_ps(word + 8 * k, row[k]);
}

/* TH_LANES pairs one after the other: word[2 lane] is x of that lane, word[2 lane + 1] y. */
static inline void vf_load_pairs(const float *word, vf *x, vf *y) {
  vf a = _mm256_loadu_ps(word), b = _mm256_loadu_ps(word + 8);
  vf low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
  *x = _mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0));
  *y = _mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1));
}

static inline void vf_store_pairs(float *word, vf x, vf y) {
  vf low = _mm256_unpacklo_ps(x, y), high = _mm256_unpackhi_ps(x, y);
  _mm256_storeu_ps(word, _mm256_permute2f128_ps(low, high, 0x20));
  _mm256_storeu_ps(word + 8, _mm256_permute2f128_ps(low, high, 0x31));
}

static inline void transpose_fours(const vf r[4], vf out[4]) {
  vf t[4] = {_mm256_unpacklo_ps(r[0], r[1]), _mm256_unpackhi_ps(r[0], r[1]), _mm256_unpacklo_ps(r[2], r[3]),
             _mm256_unpackhi_ps(r[2], r[3])};
  for (int k = 0; k < 2; k++) {
    out[2 * k] = _mm256_shuffle_ps(t[k], t[k + 2], _MM_SHUFFLE(1, 0, 1, 0));
    out[2 * k + 1] = _mm256_shuffle_ps(t[k], t[k + 2], _MM_SHUFFLE(3, 2, 3, 2));
  }
}

/* TH_LANES rows of four, `words` apart, a constant: out[k] of a lane is word[words lane + k]. */
static inline void vf_load_fours(const float *word, ptrdiff_t words, vf out[4]) {
  vf r[4];
  for (int k = 0; k < 4; k++) r[k] = _mm256_loadu2_m128(word + words * (k + 4), word + words * k);
  transpose_fours(r, out);
}

/* TH_LANES rows of four, `words` apart, a constant: word[words lane + k] is in[k] of that lane. */
static inline void vf_store_fours(float *word, ptrdiff_t words, const vf in[4]) {
  vf r[4];
  transpose_fours(in, r);
  for (int k = 0; k < 4; k++) {
    _mm_storeu_ps(word + words * k, _mm256_castps256_ps128(r[k]));
    _mm_storeu_ps(word + words * (k + 4), _mm256_extractf128_ps(r[k], 1));
  }
}

#elif TH_LANES == 4

static inline void transpose_rows(vf r[4]) {
  const vf a = vf_mix(r[0], r[1], 0, 4, 1, 5), b = vf_mix(r[2], r[3], 0, 4, 1, 5);
  const vf c = vf_mix(r[0], r[1], 2, 6, 3, 7), d = vf_mix(r[2], r[3], 2, 6, 3, 7);
  r[0] = vf_mix(a, b, 0, 1, 4, 5);
  r[1] = vf_mix(a, b, 2, 3, 6, 7);
  r[2] = vf_mix(c, d, 0, 1, 4, 5);
  r[3] = vf_mix(c, d, 2, 3, 6, 7);
}

static inline void vf_load_rows_at(const float *word, ptrdiff_t words, const int32_t *row, vf out[8]) {
  for (int half = 0; half < 8; half += 4) {
    for (int k = 0; k < 4; k++) out[half + k] = vf_load(word + words * row[k] + half);
    transpose_rows(out + half);
  }
}

static inline void vf_load_rows(const float *word, vi first, vf out[8]) {
  int32_t at[4];
  vi_store(at, first);
  vf_load_rows_at(word, 1, at, out);
}

static inline void vf_store_rows(float *word, vf in[8]) {
  for (int half = 0; half < 8; half += 4) {
    transpose_rows(in + half);
    for (int k = 0; k < 4; k++) vf_store(word + 8 * k + half, in[half + k]);
  }
}

static inline void vf_load_pairs(const float *word, vf *x, vf *y) {
  const vf a = vf_load(word), b = vf_load(word + 4);
  *x = vf_mix(a, b, 0, 2, 4, 6);
  *y = vf_mix(a, b, 1, 3, 5, 7);
}

static inline void vf_store_pairs(float *word, vf x, vf y) {
  vf_store(word, vf_mix(x, y, 0, 4, 1, 5));
  vf_store(word + 4, vf_mix(x, y, 2, 6, 3, 7));
}

static inline void vf_load_fours(const float *word, ptrdiff_t words, vf out[4]) {
  for (int k = 0; k < 4; k++) out[k] = vf_load(word + words * k);
  transpose_rows(out);
}

static inline void vf_store_fours(float *word, ptrdiff_t words, const vf in[4]) {
  vf r[4] = {in[0], in[1], in[2], in[3]};
  transpose_rows(r);
  for (int k = 0; k < 4; k++) vf_store(word + words * k, r[k]);
}

#else

/* Rows k and k + 4 in one register, so that the quarters come out in order. */
static inline vf two_rows(const float *low, const float *high) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(low)), _mm256_loadu_ps(high), 1);
}

static inline void vf_load_rows_at(const float *word, ptrdiff_t words, const int32_t *row, vf out[8]) {
  for (int half = 0; half < 2; half++) {
    vf r[4], t[4];
    for (int k = 0; k < 4; k++) {
      const int32_t *at = row + 8 * half + k;
      r[k] = two_rows(word + words * at[0], word + words * at[4]);
    }
    for (int k = 0; k < 4; k += 2) {
      t[k] = _mm512_unpacklo_ps(r[k], r[k + 1]);
      t[k + 1] = _mm512_unpackhi_ps(r[k], r[k + 1]);
    }
    out[4 * half] = _mm512_shuffle_ps(t[0], t[2], _MM_SHUFFLE(1, 0, 1, 0));
    out[4 * half + 1] = _mm512_shuffle_ps(t[0], t[2], _MM_SHUFFLE(3, 2, 3, 2));
    out[4 * half + 2] = _mm512_shuffle_ps(t[1], t[3], _MM_SHUFFLE(1, 0, 1, 0));
    out[4 * half + 3] = _mm512_shuffle_ps(t[1], t[3], _MM_SHUFFLE(3, 2, 3, 2));
  }
  for (int k = 0; k < 4; k++) {
    vf low = out[k], high = out[k + 4];
    out[k] = _mm512_shuffle_f32x4(low, high, _MM_SHUFFLE(2, 0, 2, 0));
    out[k + 4] = _mm512_shuffle_f32x4(low, high, _MM_SHUFFLE(3, 1, 3, 1));
  }
}

static inline void vf_load_rows(const float *word, vi first, vf out[8]) {
  int32_t at[16];
  vi_store(at, first);
  vf_load_rows_at(word, 1, at, out);
}

static inline void vf_load_pairs(const float *word, vf *x, vf *y) {
  const vi even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  vf a = _mm512_loadu_ps(word), b = _mm512_loadu_ps(word + 16);
  *x = _mm512_permutex2var_ps(a, even, b);
  *y = _mm512_permutex2var_ps(a, vi_add(even, vi_set(1)), b);
}

static inline void vf_store_pairs(float *word, vf x, vf y) {
  const vi first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  _mm512_storeu_ps(word, _mm512_permutex2var_ps(x, first, y));
  _mm512_storeu_ps(word + 16, _mm512_permutex2var_ps(x, vi_add(first, vi_set(8)), y));
}

static inline void transpose_fours(const vf r[4], vf out[4]) {
  vf t[4] = {_mm512_unpacklo_ps(r[0], r[1]), _mm512_unpackhi_ps(r[0], r[1]), _mm512_unpacklo_ps(r[2], r[3]),
             _mm512_unpackhi_ps(r[2], r[3])};
  for (int k = 0; k < 2; k++) {
    out[2 * k] = _mm512_shuffle_ps(t[k], t[k + 2], _MM_SHUFFLE(1, 0, 1, 0));
    out[2 * k + 1] = _mm512_shuffle_ps(t[k], t[k + 2], _MM_SHUFFLE(3, 2, 3, 2));
  }
}

/* Lanes k, k + 4, k + 8 and k + 12 are the quarters of a register. */
static inline vf load_quarters(const float *word, ptrdiff_t words) {
  vf rows = _mm512_castps128_ps512(_mm_loadu_ps(word));
  rows = _mm512_insertf32x4(rows, _mm_loadu_ps(word + 4 * words), 1);
  rows = _mm512_insertf32x4(rows, _mm_loadu_ps(word + 8 * words), 2);
  return _mm512_insertf32x4(rows, _mm_loadu_ps(word + 12 * words), 3);
}

static inline void store_quarters(float *word, ptrdiff_t words, vf rows) {
  _mm_storeu_ps(word, _mm512_castps512_ps128(rows));
  _mm_storeu_ps(word + 4 * words, _mm512_extractf32x4_ps(rows, 1));
  _mm_storeu_ps(word + 8 * words, _mm512_extractf32x4_ps(rows, 2));
  _mm_storeu_ps(word + 12 * words, _mm512_extractf32x4_ps(rows, 3));
}

/* Words 0 to 3 and 4 to 7 of four rows, `k` to `k` + 12, side by side. */
static inline void vf_store_rows(float *word, const vf in[8]) {
  const vi low = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const vi high = vi_add(low, vi_set(8));
  vf a[4], b[4];
  transpose_fours(in, a);
  transpose_fours(in + 4, b);
  for (int k = 0; k < 4; k++) {
    const vf first = _mm512_permutex2var_ps(a[k], low, b[k]), last = _mm512_permutex2var_ps(a[k], high, b[k]);
    _mm256_storeu_ps(word + 8 * k, _mm512_castps512_ps256(first));
    _mm256_storeu_ps(word + 8 * (k + 4), _mm512_extractf32x8_ps(first, 1));
    _mm256_storeu_ps(word + 8 * (k + 8), _mm512_castps512_ps256(last));
    _mm256_storeu_ps(word + 8 * (k + 12), _mm512_extractf32x8_ps(last, 1));
  }
}

static inline void vf_load_fours(const float *word, ptrdiff_t words, vf out[4]) {
  vf r[4];
  for (int k = 0; k < 4; k++) r[k] = load_quarters(word + words * k, words);
  transpose_fours(r, out);
}

static inline void vf_store_fours(float *word, ptrdiff_t words, const vf in[4]) {
  vf r[4];
  transpose_fours(in, r);
  for (int k = 0; k < 4; k++) store_quarters(word + words * k, words, r[k]);
}

#endif

#endif
