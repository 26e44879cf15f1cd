/* world/state/restore.h - a snapshot that has been read, beside the world it will replace. */
#ifndef TH_WORLD_STATE_RESTORE_H
#define TH_WORLD_STATE_RESTORE_H

#include "world/state/snapshot.h"

/* Owns everything it points to. Once exchanged with the world, it owns what the world had before. */
typedef struct th_restore {
  th_world *world;
  const th_allocator *allocator;
  th_snapshot_head head;
  th_ids ids, goal_ids, guide_ids, source_ids;
  th_rows rows;
  uint32_t model_count;
  uint8_t model_of[TH_MAX_MODELS];   /* the snapshot's number -> this world's */
  th_param_sets sets[TH_MAX_MODELS]; /* by this world's number, as are the next two */
  uint32_t *set[TH_MAX_MODELS];
  uint8_t *states[TH_MAX_MODELS];         /* NULL: not in use */
  uint32_t block_capacity[TH_MAX_MODELS]; /* rows of these */
  th_view_need need[TH_MAX_MODELS];       /* by this world's number; zeros: not in use */
  th_people_sets people;
  th_goal *goal;
  uint32_t goal_capacity;
  th_field_entry *entry;
  uint32_t entry_count, entry_capacity;
  th_source_mark *source;
  uint32_t source_count;
  th_edit_record *edit;
  uint32_t edit_count, edit_capacity;
  th_charts_name charts;
  th_chart_wait *wait;     /* charts.waiting of them */
  th_byte_reader memories; /* position of what guides remember */
  th_byte_reader requests; /* position of the pending requests */
  th_ground *ground, *latest;
  bool same_ground; /* the version in force is the world's own, and so are its charts */
  th_atlas *atlas;  /* mesh ground: of that version when it is not */
  th_groups groups;
  th_choices choices;
  uint16_t *stop;       /* choices of the stops of sources */
  th_shared_set shared; /* on that version, when it is not the world's own */
  th_request *request;
} th_restore;

th_result th_restore_fail(th_error *error, const char *what);

/* Reads and checks everything but what is pending. Changes nothing in the world but its capacity. */
th_result th_restore_read(th_restore *r, const void *memory, size_t size, th_error *error);
bool th_restore_read_shape(th_restore *r, th_byte_reader *reader, th_shape *shape);
/* restore_check.c: whether it fits the ground and itself; after the ground of the draft is made. */
th_result th_restore_check(const th_restore *r, th_error *error);
void th_restore_free(th_restore *r);

#endif
