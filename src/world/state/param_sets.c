/* world/state/param_sets.c - a table of distinct parameters that counts its users.
 *
 * The agents of a crowd mostly share their parameters. Held once, they stay in the nearest cache while a step reads
 * them for everyone, and moving a row moves a number. Sets are found by a hash of their bytes: open addressing with
 * linear probing, at most half full; removal moves later entries back (Knuth, The Art of Computer Programming 3, 6.4,
 * algorithm R), so any number of changes leaves no trace. Bytes that no parameter names, such as padding, count too:
 * they are copied like the rest. Cost: joining compares with the set joined last, else computes one hash and makes
 * about one comparison; leaving costs nothing except for the last user, which pays a removal and O(log free) for the
 * heap of numbers.
 */
#include "world/state/param_sets.h"

#include <string.h>

#include "base/hash.h"

static size_t capacity_of(const th_param_sets *sets) { return (size_t)sets->rows + 1; }

void th_param_sets_settle(th_param_sets *sets, const th_allocator *allocator) {
  th_give(allocator, sets->outgrown, (size_t)sets->outgrown_rows + 1, sets->stride);
  sets->outgrown = NULL;
}

void th_param_sets_free(th_param_sets *sets, const th_allocator *allocator) {
  th_param_sets_settle(sets, allocator);
  th_give(allocator, sets->bytes, capacity_of(sets), sets->stride);
  TH_GIVE(allocator, sets->users, capacity_of(sets));
  TH_GIVE(allocator, sets->hash, capacity_of(sets));
  th_lazy_heap_free(&sets->free, allocator);
  TH_GIVE(allocator, sets->slot, sets->slots);
  *sets = (th_param_sets){0};
}

bool th_param_sets_make(th_param_sets *sets, const th_allocator *allocator, size_t stride, uint32_t rows) {
  *sets = (th_param_sets){.stride = stride, .rows = rows, .slots = 2};
  while (sets->slots < 2 * capacity_of(sets)) sets->slots *= 2;
  sets->bytes = th_take(allocator, capacity_of(sets), stride);
  sets->users = TH_TAKE(allocator, uint32_t, capacity_of(sets));
  sets->hash = TH_TAKE(allocator, uint32_t, capacity_of(sets));
  sets->slot = TH_TAKE(allocator, uint32_t, sets->slots);
  if (sets->bytes && sets->users && sets->hash && sets->slot && th_lazy_heap_reserve(&sets->free, allocator, rows + 1))
    return true;
  th_param_sets_free(sets, allocator);
  return false;
}

void th_param_sets_clear(th_param_sets *sets) {
  memset(sets->users, 0, sizeof *sets->users * sets->used);
  memset(sets->slot, 0, sizeof *sets->slot * sets->slots);
  sets->used = sets->free.count = 0;
}

/* ---------------------------------------------------------------- finding */

static uint32_t hash_of(const uint8_t *bytes, size_t size) {
  uint64_t hash = th_hash_fnv1a(TH_FNV1A_BEGIN, bytes, size);
  return (uint32_t)(hash ^ hash >> 32);
}

/* The slot of a set that equals these bytes, or the empty one where it would be. */
static size_t find(const th_param_sets *sets, const uint8_t *bytes, uint32_t hash) {
  const size_t mask = sets->slots - 1;
  size_t at = hash & mask;
  for (; sets->slot[at]; at = (at + 1) & mask) {
    uint32_t number = sets->slot[at] - 1;
    if (sets->hash[number] == hash && !memcmp(th_param_sets_bytes(sets, number), bytes, sets->stride)) break;
  }
  return at;
}

/* An entry must not stand before the place that its hash names: only entries that stay at or behind it are moved into
 * the hole. */
static void empty(th_param_sets *sets, size_t hole) {
  const size_t mask = sets->slots - 1;
  for (size_t at = (hole + 1) & mask; sets->slot[at]; at = (at + 1) & mask) {
    size_t home = sets->hash[sets->slot[at] - 1] & mask;
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    sets->slot[hole] = sets->slot[at];
    hole = at;
  }
  sets->slot[hole] = 0;
}

bool th_param_sets_grow(th_param_sets *sets, const th_allocator *allocator, uint32_t rows) {
  th_param_sets larger;
  if (rows <= sets->rows) return true;
  if (!th_param_sets_make(&larger, allocator, sets->stride, rows)) return false;
  memcpy(larger.bytes, sets->bytes, sets->stride * sets->used);
  memcpy(larger.users, sets->users, sizeof *sets->users * sets->used);
  memcpy(larger.hash, sets->hash, sizeof *sets->hash * sets->used);
  memcpy(larger.free.key, sets->free.key, sizeof *sets->free.key * sets->free.count);
  for (uint32_t number = 0; number < sets->used; number++)
    if (sets->users[number])
      larger.slot[find(&larger, th_param_sets_bytes(sets, number), sets->hash[number])] = number + 1;
  larger.used = sets->used;
  larger.free.count = sets->free.count;
  larger.last = sets->last;
  larger.outgrown = sets->bytes;
  larger.outgrown_rows = sets->rows;
  sets->bytes = NULL;
  th_param_sets_free(sets, allocator);
  *sets = larger;
  return true;
}

/* ---------------------------------------------------------------- free numbers */

static uint32_t lowest_free(const th_param_sets *sets) {
  return sets->free.count ? (uint32_t)sets->free.key[0] : sets->used;
}

/* ---------------------------------------------------------------- users */

uint8_t *th_param_sets_draft(const th_param_sets *sets) { return sets->bytes + lowest_free(sets) * sets->stride; }

uint32_t th_param_sets_join(th_param_sets *sets) {
  const uint32_t number = lowest_free(sets);
  const uint8_t *draft = th_param_sets_bytes(sets, number);
  if (sets->users[sets->last] && !memcmp(th_param_sets_bytes(sets, sets->last), draft, sets->stride)) {
    sets->users[sets->last]++;
    return sets->last;
  }
  const uint32_t hash = hash_of(draft, sets->stride);
  const size_t at = find(sets, draft, hash);
  if (!sets->slot[at]) {
    sets->slot[at] = number + 1;
    sets->hash[number] = hash;
    if (sets->free.count)
      th_lazy_heap_pop(&sets->free);
    else
      sets->used++;
  }
  sets->last = sets->slot[at] - 1;
  sets->users[sets->last]++;
  return sets->last;
}

void th_param_sets_leave(th_param_sets *sets, uint32_t number) {
  if (--sets->users[number]) return;
  empty(sets, find(sets, th_param_sets_bytes(sets, number), sets->hash[number]));
  th_lazy_heap_push(&sets->free, number);
}
