/* view/nearest_sort.h - sorts columns of keys, every lane on its own at the same time.
 *
 * A column is a register: one key of each lane. Which columns are compared never depends on the keys (a sorting
 * network), so lanes are independent of each other and no branch is mispredicted. Eight columns are sorted in registers
 * by Batcher's odd-even network (19 exchanges), then sorted pieces of 8, 16, 32 columns are merged bitonically, the
 * first round against the mirrored other piece (Batcher, Sorting networks and their applications, 1968; Knuth 5.3.4).
 * All exchanges put the lesser key below, so missing columns count as infinite and cost nothing. Cost: n log2(n)^2 / 4
 * exchanges of two operations; a merge whose upper half is empty in every lane stops halfway.
 */
#ifndef TH_VIEW_NEAREST_SORT_H
#define TH_VIEW_NEAREST_SORT_H

#include "base/simd/simd.h"

#define TH_SORT_BLOCK 8u /* columns in registers */

static inline void exchange(vf *low, vf *high) {
  const vf a = *low, b = *high;
  *low = vf_min(a, b);
  *high = vf_max(a, b);
}

/* One round on a block: i against i + by, i with that bit clear. */
static inline void halve(vf v[TH_SORT_BLOCK], uint32_t by) {
  for (uint32_t i = 0; i < TH_SORT_BLOCK; i++)
    if (!(i & by)) exchange(&v[i], &v[i + by]);
}

static inline void copy_block(vf v[TH_SORT_BLOCK], const vf *key) {
  for (uint32_t i = 0; i < TH_SORT_BLOCK; i++) v[i] = key[i];
}

static void sort_block(vf *key) {
  vf v[TH_SORT_BLOCK];
  copy_block(v, key);
  halve(v, 1);
  halve(v, 2);
  exchange(&v[1], &v[2]);
  exchange(&v[5], &v[6]);
  halve(v, 4);
  exchange(&v[2], &v[4]);
  exchange(&v[3], &v[5]);
  exchange(&v[1], &v[2]);
  exchange(&v[3], &v[4]);
  exchange(&v[5], &v[6]);
  copy_block(key, v);
}

static inline void exchange_blocks(vf *low, vf *high) {
  for (uint32_t i = 0; i < TH_SORT_BLOCK; i++) exchange(&low[i], &high[i]);
}

/* Exchanges the last of `low` with the first of `high`, and so on; returns the least key of the upper half. */
static inline vf exchange_mirrored(vf *low, vf *high, vf min) {
  for (uint32_t i = 0; i < TH_SORT_BLOCK; i++) {
    exchange(&low[TH_SORT_BLOCK - 1 - i], &high[i]);
    min = vf_min(min, high[i]);
  }
  return min;
}

/* Sorts pieces of 2 * by columns, a power of two, each of which falls and then rises or rises and then falls. The count
 * is a multiple of a block; the last piece may end early. */
static inline void clean(vf *key, uint32_t by, uint32_t count) {
  for (; by >= TH_SORT_BLOCK; by /= 2)
    for (uint32_t base = 0; base + by < count; base += 2 * by)
      for (uint32_t i = base; i < base + by && i + by < count; i += TH_SORT_BLOCK)
        exchange_blocks(key + i, key + i + by);
  for (uint32_t base = 0; base < count; base += TH_SORT_BLOCK) {
    vf v[TH_SORT_BLOCK];
    copy_block(v, key + base);
    halve(v, 4);
    halve(v, 2);
    halve(v, 1);
    copy_block(key + base, v);
  }
}

/* Merges columns 0 to half - 1 with half to count - 1. Returns how many may hold an agent: half or count. */
static inline uint32_t merge(vf *key, uint32_t half, uint32_t count, vf none) {
  vf min = none;
  for (uint32_t i = half; i < count; i += TH_SORT_BLOCK)
    min = exchange_mirrored(key + (2 * half - TH_SORT_BLOCK - i), key + i, min);
  if (!vm_any(vf_lt(min, none))) count = half;
  clean(key, half / 2, count);
  return count;
}

/* Sorts `count` columns; the array's capacity is a multiple of a block. Returns how many may hold an agent, a multiple
 * of a block: all columns after these are `none`. */
static uint32_t sort_columns(vf *key, uint32_t count, vf none) {
  while (count % TH_SORT_BLOCK) key[count++] = none;
  for (uint32_t i = 0; i < count; i += TH_SORT_BLOCK) sort_block(key + i);
  for (uint32_t half = TH_SORT_BLOCK; half < count; half *= 2) {
    for (uint32_t base = 0; base + half < count; base += 2 * half) {
      const uint32_t rest = count - base, both = rest < 2 * half ? rest : 2 * half;
      const uint32_t left = merge(key + base, half, both, none);
      if (both == rest) count = base + left;
    }
  }
  return count;
}

#endif
