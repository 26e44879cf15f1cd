/* world/edits.h - changes of the ground: what agents do about them, and a record for snapshots. */
#ifndef TH_WORLD_EDITS_H
#define TH_WORLD_EDITS_H

#include "base/memory.h"
#include "throng/world.h"

/* One edit of ground that was asked for, kept so that a snapshot can be restored elsewhere. edits.c */
typedef struct th_edit_record {
  uint32_t *word; /* th_edit_write; owned */
  uint32_t words;
  uint64_t step;    /* in force from this step on */
  uint32_t version; /* version of the ground that the edit belongs to; edits of one call share it */
} th_edit_record;

bool th_edit_record_make(const th_allocator *allocator, th_edit_record *record, const th_edit *edit); /* its words */
void th_edit_record_free(const th_allocator *allocator, th_edit_record *record);

/* The records of this version have come into force. */
void th_edits_in_force(th_world *world, uint32_t version);
void th_edits_fold(th_world *world); /* edit_fold.c */

void th_world_displace(th_world *world);
void th_world_carry(th_world *world, const th_ground *from, const th_ground *to);
void th_edits_free(th_world *world);
void th_edit_records_free(const th_allocator *allocator, th_edit_record *record, uint32_t count, uint32_t capacity);

#endif
