/* base/ids.c - rows in a two-level bit map.
 *
 * One bit per row says "free"; one bit per word of these says "has a free row". A mark tells below which word of the
 * upper level all are full. The upper level is scanned from the mark; two count-trailing-zeros operations then give the
 * lowest free row. Cost: take and give need a few nanoseconds and read at most capacity / 4096 words; 1/8 byte per row
 * besides the generation.
 */
#include "base/ids.h"

#include <string.h>

#include "base/memory.h"
#include "base/platform/compiler.h"

#define RETIRED (UINT32_MAX - 1) /* even, so free, and never taken again */

static size_t words_of(size_t bits) { return (bits + 63) / 64; }

static void mark_free(th_ids *ids, uint32_t row) {
  ids->free_rows[row / 64] |= (uint64_t)1 << (row % 64);
  ids->free_words[row / 4096] |= (uint64_t)1 << (row / 64 % 64);
  if (row / 4096 < ids->first) ids->first = row / 4096;
}

static void mark_taken(th_ids *ids, uint32_t row) {
  uint64_t *word = &ids->free_rows[row / 64];
  *word &= ~((uint64_t)1 << (row % 64));
  if (*word == 0) ids->free_words[row / 4096] &= ~((uint64_t)1 << (row / 64 % 64));
}

static void rebuild(th_ids *ids) {
  memset(ids->free_rows, 0, words_of(ids->capacity) * sizeof *ids->free_rows);
  memset(ids->free_words, 0, words_of(words_of(ids->capacity)) * sizeof *ids->free_words);
  ids->alive = 0;
  ids->first = 0;
  for (uint32_t row = 0; row < ids->capacity; row++) {
    if (ids->generation[row] & 1)
      ids->alive++;
    else if (ids->generation[row] != RETIRED)
      mark_free(ids, row);
  }
}

bool th_ids_make(th_ids *ids, const th_allocator *allocator, uint32_t capacity) {
  *ids = (th_ids){.generation = TH_TAKE(allocator, uint32_t, capacity),
                  .free_rows = TH_TAKE(allocator, uint64_t, words_of(capacity)),
                  .free_words = TH_TAKE(allocator, uint64_t, words_of(words_of(capacity))),
                  .capacity = capacity};
  if (ids->generation && ids->free_rows && ids->free_words) {
    rebuild(ids);
    return true;
  }
  th_ids_free(ids, allocator);
  return false;
}

void th_ids_free(th_ids *ids, const th_allocator *allocator) {
  TH_GIVE(allocator, ids->generation, ids->capacity);
  TH_GIVE(allocator, ids->free_rows, words_of(ids->capacity));
  TH_GIVE(allocator, ids->free_words, words_of(words_of(ids->capacity)));
  *ids = (th_ids){0};
}

bool th_ids_grow(th_ids *ids, const th_allocator *allocator, uint32_t capacity) {
  if (capacity <= ids->capacity) return true;
  th_ids larger;
  if (!th_ids_make(&larger, allocator, capacity)) return false;
  if (ids->capacity) memcpy(larger.generation, ids->generation, ids->capacity * sizeof *ids->generation);
  larger.tag = ids->tag;
  rebuild(&larger);
  th_ids_free(ids, allocator);
  *ids = larger;
  return true;
}

th_id th_ids_take(th_ids *ids) {
  uint32_t blocks = (uint32_t)words_of(words_of(ids->capacity));
  while (ids->first < blocks && ids->free_words[ids->first] == 0) ids->first++;
  if (ids->first == blocks) return (th_id){0};
  uint32_t word = ids->first * 64 + th_lowest_bit64(ids->free_words[ids->first]);
  uint32_t row = word * 64 + th_lowest_bit64(ids->free_rows[word]);
  mark_taken(ids, row);
  ids->alive++;
  return (th_id){row + 1, (uint16_t)++ids->generation[row], ids->tag};
}

bool th_ids_valid(const th_ids *ids, th_id id) {
  return id.index != 0 && id.index <= ids->capacity && (id.generation & 1) && id.tag == ids->tag &&
         (uint16_t)ids->generation[id.index - 1] == id.generation;
}

bool th_ids_give(th_ids *ids, th_id id) {
  if (!th_ids_valid(ids, id)) return false;
  uint32_t row = id.index - 1;
  ids->alive--;
  if (++ids->generation[row] != RETIRED) mark_free(ids, row);
  return true;
}

th_id th_ids_at(const th_ids *ids, uint32_t row) {
  if (row >= ids->capacity || !(ids->generation[row] & 1)) return (th_id){0};
  return (th_id){row + 1, (uint16_t)ids->generation[row], ids->tag};
}

uint32_t th_ids_used(const th_ids *ids) {
  uint32_t used = ids->capacity;
  while (used && !ids->generation[used - 1]) used--;
  return used;
}

bool th_ids_restore(th_ids *ids, const uint32_t *generation, uint32_t count) {
  if (count > ids->capacity) return false;
  if (count) memcpy(ids->generation, generation, count * sizeof *generation);
  memset(ids->generation + count, 0, (ids->capacity - count) * sizeof *generation);
  rebuild(ids);
  return true;
}
