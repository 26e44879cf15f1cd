/* base/heap.h - a priority queue of items, least key first, whose keys may change.
 *
 * A 4-ary heap of (key, item) that stores the position of each item: Dijkstra's algorithm and fast marching lower keys,
 * and repairs of such fields raise them. Of equal keys the lowest item comes first, so the order is a function of the
 * keys alone, whatever the history. Keys lie beside their items, so that a sift reads one cache line per level. Cost:
 * O(log n) per call, 20 bytes per item. Where stale entries can be recognised, base/lazy_heap.h needs less memory.
 */
#ifndef TH_BASE_HEAP_H
#define TH_BASE_HEAP_H

#include "base/memory.h"

#define TH_NOT_QUEUED UINT32_MAX

typedef struct th_heap_entry {
  double key; /* not a NaN */
  uint32_t item;
} th_heap_entry;

typedef struct th_heap {
  th_heap_entry *entry; /* entry[0] is next */
  uint32_t *at;         /* of each item its position in `entry`, or TH_NOT_QUEUED */
  uint32_t count, capacity;
} th_heap;

/* An empty heap for items below `capacity`, in the caller's memory. */
static inline th_heap th_heap_in(th_heap_entry *entry, uint32_t *at, uint32_t capacity) {
  for (uint32_t i = 0; i < capacity; i++) at[i] = TH_NOT_QUEUED;
  return (th_heap){entry, at, 0, capacity};
}

/* The same in its own memory; false when out of memory. Free it in either case. */
static inline bool th_heap_make(th_heap *heap, const th_allocator *allocator, uint32_t capacity) {
  *heap = (th_heap){TH_TAKE(allocator, th_heap_entry, capacity), TH_TAKE(allocator, uint32_t, capacity), 0, capacity};
  if (!heap->entry || !heap->at) return false;
  *heap = th_heap_in(heap->entry, heap->at, capacity);
  return true;
}

static inline void th_heap_free(th_heap *heap, const th_allocator *allocator) {
  TH_GIVE(allocator, heap->entry, heap->capacity);
  TH_GIVE(allocator, heap->at, heap->capacity);
}

static inline bool th_heap_before(th_heap_entry a, th_heap_entry b) {
  return a.key < b.key || (a.key == b.key && a.item < b.item);
}

static inline void th_heap_put(th_heap *heap, uint32_t at, th_heap_entry e) {
  heap->entry[at] = e;
  heap->at[e.item] = at;
}

/* Places e at a free position or above it. */
static inline void th_heap_rise(th_heap *heap, uint32_t at, th_heap_entry e) {
  while (at > 0) {
    const uint32_t parent = (at - 1) / 4;
    if (!th_heap_before(e, heap->entry[parent])) break;
    th_heap_put(heap, at, heap->entry[parent]);
    at = parent;
  }
  th_heap_put(heap, at, e);
}

/* Places e at a free position or below it. */
static inline void th_heap_sink(th_heap *heap, uint32_t at, th_heap_entry e) {
  for (;;) {
    const uint32_t first = 4 * at + 1, end = first + 4 < heap->count ? first + 4 : heap->count;
    if (first >= heap->count) break;
    uint32_t best = first;
    for (uint32_t k = first + 1; k < end; k++)
      if (th_heap_before(heap->entry[k], heap->entry[best])) best = k;
    if (!th_heap_before(heap->entry[best], e)) break;
    th_heap_put(heap, at, heap->entry[best]);
    at = best;
  }
  th_heap_put(heap, at, e);
}

static inline bool th_heap_holds(const th_heap *heap, uint32_t item) { return heap->at[item] != TH_NOT_QUEUED; }

/* Enters an item, or moves it up: its key must not be above the one it has. */
static inline void th_heap_lower(th_heap *heap, uint32_t item, double key) {
  th_heap_rise(heap, th_heap_holds(heap, item) ? heap->at[item] : heap->count++, (th_heap_entry){key, item});
}

/* Enters an item, or moves it to its new key. */
static inline void th_heap_set(th_heap *heap, uint32_t item, double key) {
  if (th_heap_holds(heap, item) && heap->entry[heap->at[item]].key < key)
    th_heap_sink(heap, heap->at[item], (th_heap_entry){key, item});
  else
    th_heap_lower(heap, item, key);
}

/* The next item, taken out. The heap must not be empty. */
static inline uint32_t th_heap_pop(th_heap *heap) {
  const uint32_t top = heap->entry[0].item;
  const th_heap_entry last = heap->entry[--heap->count];
  heap->at[top] = TH_NOT_QUEUED;
  if (heap->count > 0) th_heap_sink(heap, 0, last);
  return top;
}

/* Takes out an item that is in the heap. */
static inline void th_heap_remove(th_heap *heap, uint32_t item) {
  const uint32_t at = heap->at[item];
  const th_heap_entry last = heap->entry[--heap->count];
  heap->at[item] = TH_NOT_QUEUED;
  if (last.item == item) return;
  if (at > 0 && th_heap_before(last, heap->entry[(at - 1) / 4]))
    th_heap_rise(heap, at, last);
  else
    th_heap_sink(heap, at, last);
}

#endif
