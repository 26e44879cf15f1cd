/* world/state/snapshot.h - the layout that snapshot and restore share. */
#ifndef TH_WORLD_STATE_SNAPSHOT_H
#define TH_WORLD_STATE_SNAPSHOT_H

#include "base/bytes.h"
#include "world/field_requests.h"
#include "world/goal_members.h"

#define TH_SNAPSHOT_MAGIC 0x39676e6f726874ull /* "throng9" */

/* The ground of the snapshot: its raster, and the version in force. */
typedef struct th_ground_name {
  float x0, y0, cell;
  uint32_t width, height, base, version;
} th_ground_name;

typedef struct th_snapshot_head {
  uint64_t magic;
  uint32_t row_size, rows;
  uint64_t step;
  double time;
  float dt, area;
  uint64_t seed;
  th_cluster_grid order;
  th_ground_name ground;
  uint32_t unused;
  uint64_t history; /* of the edits in force */
  th_counters counters;
} th_snapshot_head;

/* Header of what a guide remembers: bytes of its memory, bytes of a row, and how many rows follow. */
typedef struct th_guide_state_head {
  uint64_t memory, row, rows;
} th_guide_state_head;

/* The part of a source that changes. */
typedef struct th_source_mark {
  double debt;
  uint32_t emitted;
  th_source_flow flow;
  th_guide_id guide;
  th_goal_id goal[TH_MAX_STOPS];
  uint16_t field[TH_MAX_STOPS];
  uint32_t unused;
} th_source_mark;

/* Ids of a mark are saved without their tags. */
static inline void th_source_mark_tag(th_source_mark *mark, uint16_t tag) {
  mark->guide.tag = mark->guide.index ? tag : 0;
  for (uint32_t k = 0; k < TH_MAX_STOPS; k++) mark->goal[k].tag = mark->goal[k].index ? tag : 0;
}

/* Which patches are in use: cut from that version of the ground, with charts for that reach once there are any; and how
 * many of the charts are older than the ground. */
typedef struct th_charts_name {
  uint32_t version, charted;
  float reach;
  uint32_t waiting;
} th_charts_name;

enum { TH_PENDING_NONE, TH_PENDING_FIELDS, TH_PENDING_EDIT };

th_snapshot_head th_snapshot_head_of(const th_world *world);
th_charts_name th_snapshot_charts_name(const th_world *world); /* zeros on flat ground */

#endif
