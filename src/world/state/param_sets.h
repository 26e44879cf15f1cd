/* world/state/param_sets.h - equal parameters are one set: each distinct block of bytes is held once and known by a
 * number.
 *
 * Memory is reserved for a distinct set per row, so only make and grow allocate. Numbers are dense and follow from the
 * calls alone: a new set gets the lowest one that is free.
 */
#ifndef TH_WORLD_STATE_PARAM_SETS_H
#define TH_WORLD_STATE_PARAM_SETS_H

#include "base/lazy_heap.h"

typedef struct th_param_sets {
  uint8_t *bytes; /* `stride` bytes per set */
  size_t stride;
  uint32_t *users, *hash; /* by set: number of users, 0 = free; hash of its bytes */
  uint32_t *slot;         /* number + 1 of a set, in the place its hash names or one of the next; 0 = empty */
  size_t slots;           /* a power of two */
  uint32_t used;          /* numbers that were ever given */
  th_lazy_heap free;      /* of these, free again */
  uint32_t rows;          /* memory holds one set more, see th_param_sets_join */
  uint32_t last;          /* joined last, so the likeliest to be joined next */
  uint8_t *outgrown;      /* the bytes as they lay before the last growth */
  uint32_t outgrown_rows;
} th_param_sets;

/* Reserves memory for `rows` users; false, with nothing taken, when out of memory. */
bool th_param_sets_make(th_param_sets *sets, const th_allocator *allocator, size_t stride, uint32_t rows);
/* Every set keeps its number; false, with nothing changed, when out of memory. A pointer to a set stays readable until
 * th_param_sets_settle. */
bool th_param_sets_grow(th_param_sets *sets, const th_allocator *allocator, uint32_t rows);
void th_param_sets_settle(th_param_sets *sets, const th_allocator *allocator);
void th_param_sets_free(th_param_sets *sets, const th_allocator *allocator);
void th_param_sets_clear(th_param_sets *sets); /* nobody has a set any more */

/* `stride` bytes, to be filled before th_param_sets_join: the place of the next new set. */
uint8_t *th_param_sets_draft(const th_param_sets *sets);
/* One more user of the set that equals the draft. A user that replaces its set joins the new one before it leaves the
 * old one, because the bytes to copy may be those of the old one; hence the memory for one set more. */
uint32_t th_param_sets_join(th_param_sets *sets);
/* One user less; without any, the set is gone. */
void th_param_sets_leave(th_param_sets *sets, uint32_t number);

static inline const uint8_t *th_param_sets_bytes(const th_param_sets *sets, uint32_t number) {
  return sets->bytes + number * sets->stride;
}

static inline uint32_t th_param_sets_count(const th_param_sets *sets) { return sets->used - sets->free.count; }

#endif
