/* view/nearest_many.c - K nearest candidates for lists that are too long for 9-bit keys.
 *
 * The order is that of nearest.lanes.c: squared distance without its lowest 9 bits, then candidate number. Only views
 * with more than 511 candidates (bodies on top of each other) need this, so plain loops are fast enough.
 */
#include <string.h>

#include "base/bits.h"
#include "view/nearest.h"

static void find_lane(const th_nearest *s, uint32_t lane) {
  const uint32_t mask = (1u << TH_KEY_BITS) - 1u, limit = th_bits_of_float(s->reach * s->reach) | mask;
  const uint64_t none = (uint64_t)(limit & ~mask) << 32 | UINT32_MAX;
  uint64_t key[TH_MAX_NEAREST];
  for (uint32_t i = 0; i < s->k; i++) key[i] = none;
  for (uint32_t run = 0; run < s->runs; run++) {
    for (uint32_t c = s->first[run][lane / 4]; c < s->last[run][lane / 4]; c++) {
      float dx = s->cx[c] - s->x[lane], dy = s->cy[c] - s->y[lane], d2 = dx * dx + dy * dy;
      if (c == s->own[lane] || (s->avoids && !(s->avoids[lane] & s->clayers[c]))) continue;
      uint64_t t = (uint64_t)(th_bits_of_float(d2) & ~mask) << 32 | c;
      for (uint32_t i = 0; i < s->k && t < none; i++) {
        uint64_t low = key[i] < t ? key[i] : t;
        t = key[i] < t ? t : key[i];
        key[i] = low;
      }
    }
  }
  for (uint32_t i = 0; i < s->k; i++)
    s->pick[i * TH_VIEW_LANES + lane] = key[i] == none ? TH_NO_PICK : (uint32_t)(key[i] & UINT32_MAX);
  uint32_t last = (uint32_t)(key[s->k - 1] >> 32);
  memcpy(&s->farthest[lane], &last, sizeof last);
}

static void renumber(const th_nearest *s, uint32_t lane) {
  for (uint32_t i = 0; i < s->k; i++) {
    uint32_t *pick = &s->pick[i * TH_VIEW_LANES + lane], by = 0;
    for (uint32_t run = 0; run < s->moved && s->moved_from[run] <= *pick; run++) by = s->moved_by[run];
    if (*pick != TH_NO_PICK) *pick += by;
  }
}

void th_nearest_find_many(const th_nearest *search) {
  for (uint32_t lane = 0; lane < TH_VIEW_LANES; lane++) {
    if (search->known[lane / 4])
      renumber(search, lane);
    else
      find_lane(search, lane);
  }
}
