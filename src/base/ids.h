/* base/ids.h - ids of objects that are added and removed.
 *
 * An id is a row number from 1, the lower 16 bits of the generation of that row, and the tag of the pool; the id of a
 * removed object does not become valid again before its row has had 32768 more owners. The lowest free row is always
 * reused first, so rows stay dense, and the next row depends on which rows are alive, not on the order in which others
 * were released. The array `generation` is the whole state: odd = alive, even = free. The tag is not state.
 */
#ifndef TH_BASE_IDS_H
#define TH_BASE_IDS_H

#include "throng/base.h"

/* index 0 is the null id; otherwise the row is index - 1. */
typedef struct th_id {
  uint32_t index;
  uint16_t generation, tag;
} th_id;

/* Any of the public ids as a th_id. */
#define TH_ID(id) ((th_id){(id).index, (id).generation, (id).tag})

typedef struct th_ids {
  uint32_t *generation; /* per row; copy it to a snapshot, hash it */
  uint64_t *free_rows;  /* one bit per row */
  uint64_t *free_words; /* one bit per word of free_rows */
  uint32_t capacity;    /* rows */
  uint32_t alive;
  uint32_t first; /* no word of free_words before this one has a bit */
  uint16_t tag;   /* of every id of this pool; an id with another tag is not valid. Set it after th_ids_make */
} th_ids;

/* `capacity` rows, all free. False when out of memory; the pool is then empty and may be freed. */
bool th_ids_make(th_ids *ids, const th_allocator *allocator, uint32_t capacity);
void th_ids_free(th_ids *ids, const th_allocator *allocator);

/* More rows; ids stay valid. False, with nothing changed, when out of memory. */
bool th_ids_grow(th_ids *ids, const th_allocator *allocator, uint32_t capacity);

/* The lowest free row; the null id when all are taken. Allocates nothing. */
th_id th_ids_take(th_ids *ids);

/* Releases a row; false, with no effect, for an id that is not valid. A row that has been used 2^31 - 2 times is
 * retired. */
bool th_ids_give(th_ids *ids, th_id id);

bool th_ids_valid(const th_ids *ids, th_id id);

/* The valid id of a row, or the null id. */
th_id th_ids_at(const th_ids *ids, uint32_t row);

/* Rows up to the last one ever used, whatever the capacity. */
uint32_t th_ids_used(const th_ids *ids);

/* Replaces the state by `count` saved generations (at most the capacity; further rows become new). False, with nothing
 * changed, when there are too many. */
bool th_ids_restore(th_ids *ids, const uint32_t *generation, uint32_t count);

#endif
