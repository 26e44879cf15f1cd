/* view/nearest.lanes.c - K nearest candidates, one agent per lane, without branches.
 *
 * Each candidate is compared with all lanes at once. For K up to 10 the nearest are kept sorted in registers: min and
 * max insert a key, and a candidate farther than every lane's K-th is skipped; once the nearest row has been scanned,
 * most are skipped. Cost: about 6 operations per candidate and register, plus 2K for those not skipped. A larger K does
 * not fit the registers, and is mostly asked for where few agents are near. Then the keys of all candidates near any
 * lane are stored and sorted at the end (nearest_sort.h). All keys of a lane differ, so both methods find the same
 * picks. Cost: about 24 operations per candidate and register; sorting n stored keys takes about 35 n more (n = 30).
 */
#include "view/nearest.h"

#include "view/nearest_sort.h"

#define KEY_MASK ((1 << TH_KEY_BITS) - 1)

/* One candidate's key for every lane; `none` for the lane itself and for agents that it does not see. */
typedef struct lanes {
  vf x, y, none;
  vi own, avoids;
} lanes;

static inline vf key_of(const th_nearest *s, const lanes *l, uint32_t c, vi number) {
  const vf dx = vf_sub(vf_set(s->cx[c]), l->x), dy = vf_sub(vf_set(s->cy[c]), l->y);
  const vf d2 = vf_add(vf_mul(dx, dx), vf_mul(dy, dy));
  vf key = vi_as_float(vi_or(vi_and(vf_bits(d2), vi_set(~KEY_MASK)), number));
  key = vf_select(vi_eq(l->own, number), l->none, key);
  if (s->avoids) key = vf_select(vi_eq(vi_and(l->avoids, vi_set((int32_t)s->clayers[c])), vi_set(0)), l->none, key);
  return key;
}

static inline vf key_at(const th_nearest *s, const lanes *l, uint32_t c) { return key_of(s, l, c, vi_set((int32_t)c)); }

/* A register holds one, two or all four quarters: scan what any of them needs. */
static inline void run_of(const th_nearest *s, uint32_t lane, uint32_t run, uint32_t *first, uint32_t *last) {
  *first = s->first[run][lane / 4];
  *last = s->last[run][lane / 4];
  for (uint32_t q = lane / 4 + 1; q < (lane + TH_LANES) / 4; q++) {
    if (s->first[run][q] < *first) *first = s->first[run][q];
    if (s->last[run][q] > *last) *last = s->last[run][q];
  }
}

/* Keys ascend, so a new one moves each that is larger one place up: key[i] = min(key[i], max(key[i - 1], t)), with no
 * chain from place to place. K is a constant in each copy, so the keys stay in registers. Two candidates share a
 * branch: it is hard to predict. The test is on the key, so the result does not depend on the other lanes of the
 * register. */
#define INSERT(K, t)                                                              \
  for (int i = K - 1; i > 0; i--) key[i] = vf_min(key[i], vf_max(key[i - 1], t)); \
  key[0] = vf_min(key[0], t);
#define SCAN(K)                                                                       \
  static void scan_##K(const th_nearest *s, const lanes *l, uint32_t lane, vf *out) { \
    vf key[K];                                                                        \
    for (int i = 0; i < K; i++) key[i] = l->none;                                     \
    for (uint32_t run = 0; run < s->runs; run++) {                                    \
      uint32_t c, last;                                                               \
      run_of(s, lane, run, &c, &last);                                                \
      for (; c + 1 < last; c += 2) {                                                  \
        vf t = key_at(s, l, c), u = key_at(s, l, c + 1);                              \
        if (!vm_any(vf_lt(vf_min(t, u), key[K - 1]))) continue;                       \
        INSERT(K, t)                                                                  \
        INSERT(K, u)                                                                  \
      }                                                                               \
      if (c < last) {                                                                 \
        vf t = key_at(s, l, c);                                                       \
        INSERT(K, t)                                                                  \
      }                                                                               \
    }                                                                                 \
    for (int i = 0; i < K; i++) out[i] = key[i];                                      \
  }

SCAN(4)
SCAN(8)
SCAN(10)

/* Adds the column of each candidate of a run that is nearer than `bound` to any lane. A column is written in any case:
 * a branch would be hard to predict. */
static inline vf *append(const th_nearest *s, const lanes *l, const uint32_t run[2], vf bound, vf *at) {
  vi number = vi_set((int32_t)run[0]);
  for (uint32_t c = run[0]; c < run[1]; c++) {
    const vf key = vf_min(key_of(s, l, c, number), l->none);
    *at = key;
    at += vm_any(vf_lt(key, bound)) ? 1 : 0;
    number = vi_add(number, vi_set(1));
  }
  return at;
}

/* Keeps the `max` least of `count` columns, sorted; above `max`, the first `max` are sorted already. */
static uint32_t tighten(vf *key, uint32_t max, uint32_t count, vf none) {
  if (count <= max) return sort_columns(key, count, none);
  const uint32_t more = sort_columns(key + max, count - max, none);
  for (uint32_t i = 0; i < more; i++) key[max - 1 - i] = vf_min(key[max - 1 - i], key[max + i]);
  clean(key, max / 2, max);
  return max;
}

/* First stores the keys of candidates near any lane, then sorts. When `max` columns are full, they are sorted and the
 * k-th key bounds later candidates; whenever as many again are full, the two halves are merged and the farther half is
 * dropped. */
static uint32_t collect(const th_nearest *s, const lanes *l, uint32_t lane, vf *key) {
  const uint32_t max = s->k <= TH_MAX_NEAREST / 2 ? TH_MAX_NEAREST / 2 : TH_MAX_NEAREST;
  uint32_t count = 0, full = max;
  vf bound = l->none;
  for (uint32_t run = 0; run < s->runs; run++) {
    uint32_t c, last;
    run_of(s, lane, run, &c, &last);
    while (c < last) {
      const uint32_t end = last - c < full - count ? last : c + full - count;
      count = (uint32_t)(append(s, l, (const uint32_t[2]){c, end}, bound, key + count) - key);
      c = end;
      if (count < full) continue;
      tighten(key, max, count, l->none);
      bound = key[s->k - 1];
      count = max;
      full = 2 * max;
    }
  }
  return full == max || count > max ? tighten(key, max, count, l->none) : max;
}

/* Returns how many keys were kept. */
static uint32_t scan(const th_nearest *s, const lanes *l, uint32_t lane, vf *key) {
  if (s->k <= 4) {
    scan_4(s, l, lane, key);
    return 4;
  }
  if (s->k <= 8) {
    scan_8(s, l, lane, key);
    return 8;
  }
  if (s->k <= 10) {
    scan_10(s, l, lane, key);
    return 10;
  }
  return collect(s, l, lane, key);
}

static inline bool known(const th_nearest *s, uint32_t lane) {
  bool all = true;
  for (uint32_t q = lane / 4; q < (lane + TH_LANES) / 4; q++) all &= s->known[q];
  return all;
}

/* Gives the picks of an earlier search their new numbers. A number is below 2^31; -1 means none. */
static void renumber(const th_nearest *s, uint32_t lane) {
  const vi nobody = vi_set((int32_t)TH_NO_PICK);
  for (uint32_t i = 0; i < s->k; i++) {
    int32_t *at = (int32_t *)s->pick + i * TH_VIEW_LANES + lane;
    vi pick = vi_load(at), by = vi_set(0);
    for (uint32_t run = 0; run < s->moved; run++)
      by = vi_select(vi_lt(pick, vi_set((int32_t)s->moved_from[run])), by, vi_set((int32_t)s->moved_by[run]));
    vi_store(at, vi_select(vi_eq(pick, nobody), nobody, vi_add(pick, by)));
  }
}

/* Converts keys to candidate numbers; entries after the last kept key are empty. */
static void write_picks(const th_nearest *s, uint32_t lane, const vf *key, uint32_t kept) {
  const vi nobody = vi_set(KEY_MASK), no_pick = vi_set((int32_t)TH_NO_PICK);
  int32_t *pick = (int32_t *)s->pick + lane, *end = pick + s->k * TH_VIEW_LANES;
  for (uint32_t i = 0; i < kept; i++, pick += TH_VIEW_LANES) {
    const vi number = vi_and(vf_bits(key[i]), nobody);
    vi_store(pick, vi_select(vi_eq(number, nobody), no_pick, number));
  }
  for (; pick != end; pick += TH_VIEW_LANES) vi_store(pick, no_pick);
}

void TH_LANES_NAME(th_nearest_find)(const th_nearest *s) {
  vf key[2 * TH_MAX_NEAREST];
  /* `none` is the smallest key beyond the reach: candidates at or past it never enter. */
  const float limit = s->reach * s->reach;
  const vf none = vi_as_float(vi_or(vf_bits(vf_set(limit)), vi_set(KEY_MASK)));
  const vi mask = vi_set(~KEY_MASK);
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane += TH_LANES) {
    if (known(s, lane)) {
      renumber(s, lane);
      continue;
    }
    const lanes l = {vf_load(s->x + lane), vf_load(s->y + lane), none, vi_load((const int32_t *)s->own + lane),
                     s->avoids ? vi_load((const int32_t *)s->avoids + lane) : vi_set(-1)};
    const uint32_t kept = scan(s, &l, lane, key);
    write_picks(s, lane, key, kept < s->k ? kept : s->k);
    const vf last = kept < s->k ? none : key[s->k - 1];
    vf_store(s->farthest + lane, vi_as_float(vi_and(vf_bits(last), mask)));
  }
}
