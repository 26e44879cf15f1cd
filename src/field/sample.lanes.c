/* field/sample.lanes.c - th_field_direction for sixteen places at once.
 *
 * One place a lane; the kernel is the text that sample.c compiles for a single lane, so the bits agree on every
 * instruction set. A node is one 32-byte load; those of a register are transposed, which costs less than gathers. Cost:
 * one cache line a place.
 */
#include "field/sample.h"

#include <math.h>

#if TH_LANES == 8

static inline void load_node(const float *word, vi node, vf out[8]) {
  int32_t at[8];
  vf r[8], t[8];
  vi_store(at, node);
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

#elif TH_LANES == 4

static inline void load_node(const float *word, vi node, vf out[8]) {
  int32_t at[4];
  vi_store(at, node);
  for (int half = 0; half < 8; half += 4) {
    for (int k = 0; k < 4; k++) out[half + k] = _mm_load_ps(word + at[k] + half);
    _MM_TRANSPOSE4_PS(out[half], out[half + 1], out[half + 2], out[half + 3]);
  }
}

#else

static inline void load_node(const float *word, vi node, vf out[8]) {
  for (int32_t k = 0; k < 8; k++) out[k] = vf_gather(word, vi_add(node, vi_set(k)));
}

#endif

#include "field/sample_kernel.h"

static inline void answer(const th_field *field, th_ask *ask, int lane) {
  const found f =
      find(field, vf_load(ask->x + lane), vf_load(ask->y + lane), vf_load(ask->ox + lane), vf_load(ask->oy + lane));
  const vm goal = has(f.code, TH_NODE_GOAL), reaches = has(f.code, TH_NODE_REACHES);
  const vf length = vf_sqrt(square(f.gx, f.gy));
  const vm moves = vm_andnot(vm_and(reaches, vf_lt(vf_zero(), length)), goal);
  vf_store(ask->dx + lane, where(moves, vf_div(f.gx, length)));
  vf_store(ask->dy + lane, where(moves, vf_div(f.gy, length)));
  vf_store(ask->left + lane, f.left);
  const vi state = vi_select(reaches, vi_set(TH_ASK_LEAD), vi_set(TH_ASK_LOST));
  vi_store(ask->state + lane, vi_select(goal, vi_set(TH_ASK_ARRIVED), state));
}

void TH_LANES_NAME(th_field_ask_lanes)(const th_field *field, th_ask *ask) {
  for (int lane = 0; lane < TH_ASK_PLACES; lane += TH_LANES) answer(field, ask, lane);
}
