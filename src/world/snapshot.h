/* world/snapshot.h - the layout that snapshot and restore share. */
#ifndef TH_WORLD_SNAPSHOT_H
#define TH_WORLD_SNAPSHOT_H

#include "base/bytes.h"
#include "world.h"

#define TH_SNAPSHOT_MAGIC 0x31676e6f726874ull /* "throng1" */

typedef struct th_snapshot_head {
  uint64_t magic;
  uint32_t row_size, rows, guides, unused;
  uint64_t step;
  double time;
  float dt, area;
  uint64_t seed;
  th_counters counters;
} th_snapshot_head;

th_snapshot_head th_snapshot_head_of(const th_world *world);

#endif
