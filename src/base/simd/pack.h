/* base/simd/pack.h - the lanes in a mask, packed to the front of a register.
 *
 * AVX2 permutes by a row of a table with one byte per lane, which the caller keeps (th_pack_fill); AVX-512 has an
 * instruction for it; four lanes go through memory.
 */
#ifndef TH_BASE_SIMD_PACK_H
#define TH_BASE_SIMD_PACK_H

#include "base/simd/simd.h"

#define TH_PACK_ROWS 256

/* Row b lists the bits of b, ascending; the rest is 0. */
static inline void th_pack_fill(uint8_t table[TH_PACK_ROWS][8]) {
  for (uint32_t bits = 0; bits < TH_PACK_ROWS; bits++) {
    uint32_t n = 0;
    for (uint8_t lane = 0; lane < 8; lane++)
      if (bits >> lane & 1u) table[bits][n++] = lane;
    while (n < 8) table[bits][n++] = 0;
  }
}

#ifdef TH_LANES
#if TH_LANES == 8

typedef vi vpack;

static inline vpack vpack_of(const uint8_t (*table)[8], uint32_t bits) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)table[bits]));
}
static inline vf vf_packed(vf a, vpack pack) { return _mm256_permutevar8x32_ps(a, pack); }
static inline vi vi_packed(vi a, vpack pack) { return _mm256_permutevar8x32_epi32(a, pack); }

#elif TH_LANES == 16

typedef vm vpack;

static inline vpack vpack_of(const uint8_t (*table)[8], uint32_t bits) {
  (void)table;
  return (vpack)bits;
}
static inline vf vf_packed(vf a, vpack pack) { return _mm512_maskz_compress_ps(pack, a); }
static inline vi vi_packed(vi a, vpack pack) { return _mm512_maskz_compress_epi32(pack, a); }

#else

typedef uint32_t vpack;

static inline vpack vpack_of(const uint8_t (*table)[8], uint32_t bits) {
  (void)table;
  return bits;
}
static inline vi vi_packed(vi a, vpack pack) {
  int32_t from[4], to[8] = {0}, n = 0;
  vi_store(from, a);
  for (int32_t lane = 0; lane < 4; lane++) {
    to[n] = from[lane];
    n += (int32_t)(pack >> lane & 1u);
  }
  return vi_load(to);
}
static inline vf vf_packed(vf a, vpack pack) { return vi_as_float(vi_packed(vf_bits(a), pack)); }

#endif
#endif
#endif
