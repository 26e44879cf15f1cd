/* world/state/columns.h - copies sixteen agents between their rows and arrays by lane, one column at a time.
 *
 * Column by column, a pointer and its cache lines stay in registers and cache; row by row, every pointer was loaded
 * again for each agent.
 */
#ifndef TH_WORLD_STATE_COLUMNS_H
#define TH_WORLD_STATE_COLUMNS_H

#include <stdint.h>
#include <string.h>

#include "base/platform/compiler.h"
#include "throng/base.h"

#define TH_GROUP 16
#define TH_ALL_LANES 0xffffu

/* to[lane] = column[row[lane]] for the first `count` lanes. */
static inline void th_column_take(float *restrict to, const float *restrict column, const uint32_t *restrict row,
                                  uint32_t count) {
  if (count == TH_GROUP) { /* the usual case, unrolled */
    for (uint32_t lane = 0; lane < TH_GROUP; lane++) to[lane] = column[row[lane]];
    return;
  }
  for (uint32_t lane = 0; lane < count; lane++) to[lane] = column[row[lane]];
}

/* Pairs move as one word of eight bytes. */
static inline void th_column_take_pairs(th_vec2 *restrict to, const th_vec2 *restrict column,
                                        const uint32_t *restrict row, uint32_t count) {
  if (count == TH_GROUP) {
    for (uint32_t lane = 0; lane < TH_GROUP; lane++) memcpy(&to[lane], &column[row[lane]], sizeof *to);
    return;
  }
  for (uint32_t lane = 0; lane < count; lane++) memcpy(&to[lane], &column[row[lane]], sizeof *to);
}

static inline void th_column_put_pairs(th_vec2 *restrict column, const uint32_t *restrict row,
                                       const th_vec2 *restrict from, uint32_t lanes) {
  if (lanes == TH_ALL_LANES) {
    for (uint32_t lane = 0; lane < TH_GROUP; lane++) memcpy(&column[row[lane]], &from[lane], sizeof *from);
    return;
  }
  for (; lanes; lanes &= lanes - 1) column[row[th_lowest_bit(lanes)]] = from[th_lowest_bit(lanes)];
}

/* column[row[lane]] = from[lane] for the lanes whose bits are set. */
static inline void th_column_put(float *restrict column, const uint32_t *restrict row, const float *restrict from,
                                 uint32_t lanes) {
  if (lanes == TH_ALL_LANES) {
    for (uint32_t lane = 0; lane < TH_GROUP; lane++) column[row[lane]] = from[lane];
    return;
  }
  for (; lanes; lanes &= lanes - 1) column[row[th_lowest_bit(lanes)]] = from[th_lowest_bit(lanes)];
}

static inline void th_column_put_cells(uint32_t *restrict column, const uint32_t *restrict row,
                                       const uint32_t *restrict from, uint32_t lanes) {
  if (lanes == TH_ALL_LANES) {
    for (uint32_t lane = 0; lane < TH_GROUP; lane++) column[row[lane]] = from[lane];
    return;
  }
  for (; lanes; lanes &= lanes - 1) column[row[th_lowest_bit(lanes)]] = from[th_lowest_bit(lanes)];
}

#endif
