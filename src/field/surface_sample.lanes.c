/* field/surface_sample.lanes.c - the way for sixteen places of a mesh at once.
 *
 * One place a lane; the kernel is the text that surface_sample.c compiles for a single lane, so the bits agree on every
 * instruction set. A node is one cache line, loaded in halves and transposed.
 */
#include <math.h>

#include "field/surface_field.h"

#if TH_LANES == 8

static inline void load_half(const float *word, const int32_t at[8], vf out[8]) {
  vf r[8], t[8];
  for (int k = 0; k < 8; k++) r[k] = _mm256_load_ps(word + at[k]);
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

static inline void load_face(const float *word, vi first, vf out[TH_FACE_WORDS]) {
  int32_t at[8];
  vi_store(at, first);
  load_half(word, at, out);
  load_half(word + 8, at, out + 8);
}

#elif TH_LANES == 4

static inline void load_face(const float *word, vi first, vf out[TH_FACE_WORDS]) {
  int32_t at[4];
  vi_store(at, first);
  for (int part = 0; part < TH_FACE_WORDS; part += 4) {
    for (int k = 0; k < 4; k++) out[part + k] = _mm_load_ps(word + at[k] + part);
    _MM_TRANSPOSE4_PS(out[part], out[part + 1], out[part + 2], out[part + 3]);
  }
}

#else

static inline void load_face(const float *word, vi first, vf out[TH_FACE_WORDS]) {
  for (int32_t k = 0; k < TH_FACE_WORDS; k++) out[k] = vf_gather(word, vi_add(first, vi_set(k)));
}

#endif

#include "field/surface_kernel.h"

static inline void answer(const th_field *field, th_ask *ask, int lane) {
  const vf place[4] = {vf_load(ask->x + lane), vf_load(ask->y + lane), vf_load(ask->ox + lane),
                       vf_load(ask->oy + lane)};
  const vi first = vi_shl(vi_load((const int32_t *)ask->cell + lane), 4);
  const found f = find(field->surface->node, field->inverse_cell, first, place);
  const vf length = vf_sqrt(vf_add(vf_mul(f.gx, f.gx), vf_mul(f.gy, f.gy)));
  const vm moves = vf_lt(vf_zero(), length);
  vf_store(ask->dx + lane, vf_select(moves, vf_div(f.gx, length), vf_zero()));
  vf_store(ask->dy + lane, vf_select(moves, vf_div(f.gy, length), vf_zero()));
  vf_store(ask->left + lane, f.left);
  const vi state = vi_select(f.reaches, vi_set(TH_ASK_LEAD), vi_set(TH_ASK_LOST));
  vi_store(ask->state + lane, vi_select(f.arrived, vi_set(TH_ASK_ARRIVED), state));
}

void TH_LANES_NAME(th_surface_ask_lanes)(const th_field *field, th_ask *ask) {
  for (int lane = 0; lane < TH_ASK_PLACES; lane += TH_LANES) answer(field, ask, lane);
}
