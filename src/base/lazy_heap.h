/* base/lazy_heap.h - 64-bit keys, least first, for searches that drop stale entries when they come out.
 *
 * A 4-ary heap of integers. A key holds everything, usually the bits of a distance in the upper half (floats from 0 on
 * sort like their bits) and an item's number in the lower half: one comparison orders both, and the order is a function
 * of the keys alone. An item whose distance becomes smaller is entered again; the caller recognises the older entry by
 * its larger distance. Cost: O(log n) per call, 8 bytes per entry, no table of positions.
 */
#ifndef TH_BASE_LAZY_HEAP_H
#define TH_BASE_LAZY_HEAP_H

#include "base/bits.h"
#include "base/memory.h"

typedef struct th_lazy_heap {
  uint64_t *key; /* key[0] is next */
  uint32_t count, capacity;
} th_lazy_heap;

/* A distance from 0 on and a number in one key. */
static inline uint64_t th_lazy_key(float distance, uint32_t number) {
  return (uint64_t)th_bits_of_float(distance) << 32 | number;
}
static inline float th_lazy_distance(uint64_t key) { return th_float_of_bits((uint32_t)(key >> 32)); }
static inline uint32_t th_lazy_number(uint64_t key) { return (uint32_t)key; }

/* Reserves memory for `count` keys in all; false, with nothing changed, when out of memory. */
static inline bool th_lazy_heap_reserve(th_lazy_heap *heap, const th_allocator *allocator, uint32_t count) {
  void *memory = heap->key;
  if (count <= heap->capacity) return true;
  if (!th_grow(allocator, &memory, &heap->capacity, count, sizeof *heap->key)) return false;
  heap->key = memory;
  return true;
}

static inline void th_lazy_heap_free(th_lazy_heap *heap, const th_allocator *allocator) {
  TH_GIVE(allocator, heap->key, heap->capacity);
}

/* The memory for it must have been reserved. */
static inline void th_lazy_heap_push(th_lazy_heap *heap, uint64_t key) {
  uint32_t at = heap->count++;
  for (; at > 0 && key < heap->key[(at - 1) / 4]; at = (at - 1) / 4) heap->key[at] = heap->key[(at - 1) / 4];
  heap->key[at] = key;
}

/* Without branches, since no branch predictor can guess which child is the least. */
static inline uint32_t th_lazy_heap_least(const uint64_t *key, uint32_t first, uint32_t end) {
  uint32_t best = first;
  uint64_t least = key[first];
  for (uint32_t c = first + 1; c < end; c++) {
    best = key[c] < least ? c : best;
    least = key[c] < least ? key[c] : least;
  }
  return best;
}

/* The least key, taken out. The heap must not be empty. */
static inline uint64_t th_lazy_heap_pop(th_lazy_heap *heap) {
  uint64_t *key = heap->key, top = key[0], last = key[--heap->count];
  uint32_t at = 0, n = heap->count;
  for (uint32_t child; (child = 4 * at + 1) < n;) {
    const uint32_t best = th_lazy_heap_least(key, child, child + 4 < n ? child + 4 : n);
    if (key[best] >= last) break;
    key[at] = key[best];
    at = best;
  }
  key[at] = last;
  return top;
}

#endif
