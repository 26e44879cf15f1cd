/* base/heap.h - items by their keys, least first, of equals the lowest number; keys may change while in it.
 */
#ifndef TH_BASE_HEAP_H
#define TH_BASE_HEAP_H

#include "base/memory.h"

typedef struct th_heap {
  double *key;    /* of each item */
  uint32_t *item; /* the heap: item[0] is next */
  uint32_t *slot; /* of each item its position in `item`, UINT32_MAX when it is out */
  uint32_t count, capacity;
} th_heap;

static inline bool th_heap_before(const th_heap *h, uint32_t a, uint32_t b) {
  return h->key[a] < h->key[b] || (h->key[a] == h->key[b] && a < b);
}

static inline void th_heap_put(th_heap *h, uint32_t slot, uint32_t item) {
  h->item[slot] = item;
  h->slot[item] = slot;
}

static inline void th_heap_rise(th_heap *h, uint32_t slot) {
  uint32_t item = h->item[slot];
  for (; slot > 0 && th_heap_before(h, item, h->item[(slot - 1) / 2]); slot = (slot - 1) / 2)
    th_heap_put(h, slot, h->item[(slot - 1) / 2]);
  th_heap_put(h, slot, item);
}

static inline void th_heap_sink(th_heap *h, uint32_t slot) {
  uint32_t item = h->item[slot];
  for (;;) {
    uint32_t child = 2 * slot + 1;
    if (child >= h->count) break;
    if (child + 1 < h->count && th_heap_before(h, h->item[child + 1], h->item[child])) child++;
    if (!th_heap_before(h, h->item[child], item)) break;
    th_heap_put(h, slot, h->item[child]);
    slot = child;
  }
  th_heap_put(h, slot, item);
}

static inline void th_heap_remove(th_heap *h, uint32_t item) {
  uint32_t slot = h->slot[item], last = h->item[--h->count];
  h->slot[item] = UINT32_MAX;
  if (last == item) return;
  th_heap_put(h, slot, last);
  th_heap_rise(h, slot);
  th_heap_sink(h, h->slot[last]);
}

/* Puts the item in, or moves it to its new key. */
static inline void th_heap_set(th_heap *h, uint32_t item, double key) {
  h->key[item] = key;
  if (h->slot[item] == UINT32_MAX) th_heap_put(h, h->count++, item);
  th_heap_rise(h, h->slot[item]);
  th_heap_sink(h, h->slot[item]);
}

static inline bool th_heap_make(th_heap *h, const th_allocator *allocator, uint32_t capacity) {
  *h = (th_heap){.key = TH_TAKE(allocator, double, capacity),
                 .item = TH_TAKE(allocator, uint32_t, capacity),
                 .slot = TH_TAKE(allocator, uint32_t, capacity),
                 .capacity = capacity};
  for (uint32_t i = 0; h->slot && i < capacity; i++) h->slot[i] = UINT32_MAX;
  return h->key && h->item && h->slot;
}

static inline void th_heap_free(th_heap *h, const th_allocator *allocator) {
  TH_GIVE(allocator, h->key, h->capacity);
  TH_GIVE(allocator, h->item, h->capacity);
  TH_GIVE(allocator, h->slot, h->capacity);
}

#endif
