/* io/scene/run/snapshot.h - the layout that snapshots of runs are written and read in. */
#ifndef TH_IO_SCENE_RUN_SNAPSHOT_H
#define TH_IO_SCENE_RUN_SNAPSHOT_H

#include "base/bytes.h"
#include "io/scene/run.h"

#define TH_RUN_MAGIC 0x336e75726874ull /* "thrun3" */

typedef struct th_run_head {
  uint64_t magic, scene, seed, busy_until, world_size;
  uint32_t next_step_event, next_event, begun, members, entries, accepted, in_force;
  uint32_t count[TH_NAMED_KINDS];
} th_run_head;

/* An area of a door, without its name and points. */
typedef struct th_run_area {
  uint32_t kind, count, flags;
  int32_t level;
  float radius, low, high;
  uint32_t closed;
} th_run_area;

/* Bits of an item. */
enum { TH_RUN_CLOSED = 1, TH_RUN_GONE = 2, TH_RUN_AREA = 4 };

#endif
