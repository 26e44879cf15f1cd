/* view/nearest.lanes.c - K nearest candidates, one agent per lane, without branches.
 *
 * Each candidate is broadcast against all lanes; its key runs through K registers by min and max, which keeps them
 * sorted. A candidate farther than every lane's K-th is skipped, which is most of them once the nearest row has been
 * scanned. Cost: about 6 operations a candidate and register, plus 2K for those not skipped.
 */
#include "nearest.h"

#define KEY_MASK ((1 << TH_KEY_BITS) - 1)

/* K is a constant in each copy, so the keys stay in registers where the instruction set has enough of them. */
#define SCAN(K)                                                                                                     \
  static void scan_##K(const th_nearest *s, uint32_t lane, vf none, vf *out) {                                      \
    const vf x = vf_load(s->x + lane), y = vf_load(s->y + lane);                                                    \
    const vi own = vi_load((const int32_t *)s->own + lane), mask = vi_set(~KEY_MASK);                               \
    const vi sees = s->sees ? vi_load((const int32_t *)s->sees + lane) : vi_set(-1);                                \
    vf key[K];                                                                                                      \
    for (int i = 0; i < K; i++) key[i] = none;                                                                      \
    for (int run = 0; run < 3; run++) {                                                                             \
      for (uint32_t c = s->first[run]; c < s->last[run]; c++) {                                                     \
        vf dx = vf_sub(vf_set(s->cx[c]), x), dy = vf_sub(vf_set(s->cy[c]), y);                                      \
        vf d2 = vf_add(vf_mul(dx, dx), vf_mul(dy, dy));                                                             \
        vf t = vi_as_float(vi_or(vi_and(vf_bits(d2), mask), vi_set((int32_t)c)));                                   \
        if (!vm_any(vf_lt(t, key[K - 1]))) continue; /* on the key, so that companions cannot matter */             \
        t = vf_select(vi_eq(own, vi_set((int32_t)c)), none, t);                                                     \
        if (s->sees) t = vf_select(vi_eq(vi_and(sees, vi_set((int32_t)s->clayers[c])), vi_set(0)), none, t);        \
        for (int i = 0; i < K; i++) {                                                                               \
          vf low = vf_min(key[i], t);                                                                               \
          t = vf_max(key[i], t);                                                                                    \
          key[i] = low;                                                                                             \
        }                                                                                                           \
      }                                                                                                             \
    }                                                                                                               \
    for (int i = 0; i < K; i++) out[i] = key[i];                                                                    \
  }

SCAN(4)
SCAN(8)
SCAN(10)
SCAN(16)
SCAN(32)

void TH_LANES_NAME(th_nearest_find)(const th_nearest *s) {
  vf key[TH_MOST_NEAREST];
  /* `none` is the smallest key beyond the reach: candidates at or past it never enter. */
  const float limit = s->reach * s->reach;
  const vf none = vi_as_float(vi_or(vf_bits(vf_set(limit)), vi_set(KEY_MASK)));
  const vi mask = vi_set(~KEY_MASK);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane += TH_LANES) {
    if (s->k <= 4) scan_4(s, lane, none, key);
    else if (s->k <= 8) scan_8(s, lane, none, key);
    else if (s->k <= 10) scan_10(s, lane, none, key);
    else if (s->k <= 16) scan_16(s, lane, none, key);
    else scan_32(s, lane, none, key);
    for (uint32_t i = 0; i < s->k; i++) {
      int32_t number[TH_LANES];
      vi_store(number, vi_and(vf_bits(key[i]), vi_set(KEY_MASK)));
      for (uint32_t l = 0; l < TH_LANES; l++)
        s->pick[i * TH_VIEW_LANES + lane + l] = number[l] == KEY_MASK ? TH_NO_PICK : (uint16_t)number[l];
    }
    vf last = key[s->k - 1];
    vf_store(s->farthest + lane, vi_as_float(vi_and(vf_bits(last), mask)));
  }
}
