/* base/vertex_heap.h - vertices by key, least first; ties by number, so that the order is a function of the keys. */
#ifndef TH_BASE_VERTEX_HEAP_H
#define TH_BASE_VERTEX_HEAP_H

#include "base/memory.h"

#define TH_NOT_QUEUED UINT32_MAX

typedef struct th_vertex_entry {
  double key;
  uint32_t vertex;
} th_vertex_entry;

/* A 4-ary heap that knows where each vertex is. */
typedef struct th_vertex_heap {
  th_vertex_entry *entry;
  uint32_t *at; /* TH_NOT_QUEUED: not in the heap */
  uint32_t count, room;
} th_vertex_heap;

static inline bool th_vertex_heap_make(th_vertex_heap *heap, const th_allocator *allocator, uint32_t vertices) {
  *heap = (th_vertex_heap){TH_TAKE(allocator, th_vertex_entry, vertices), TH_TAKE(allocator, uint32_t, vertices), 0,
                           vertices};
  if (!heap->entry || !heap->at) return false;
  for (uint32_t v = 0; v < vertices; v++) heap->at[v] = TH_NOT_QUEUED;
  return true;
}

static inline void th_vertex_heap_free(th_vertex_heap *heap, const th_allocator *allocator) {
  TH_GIVE(allocator, heap->entry, heap->room);
  TH_GIVE(allocator, heap->at, heap->room);
}

static inline bool th_vertex_before(th_vertex_entry a, th_vertex_entry b) {
  return a.key < b.key || (a.key == b.key && a.vertex < b.vertex);
}

/* Enters a vertex, or moves it up: its key must not be above the one it has. */
static inline void th_vertex_heap_lower(th_vertex_heap *heap, uint32_t v, double key) {
  th_vertex_entry e = {key, v};
  uint32_t i = heap->at[v] == TH_NOT_QUEUED ? heap->count++ : heap->at[v];
  while (i > 0) {
    uint32_t parent = (i - 1) / 4;
    if (!th_vertex_before(e, heap->entry[parent])) break;
    heap->entry[i] = heap->entry[parent];
    heap->at[heap->entry[i].vertex] = i;
    i = parent;
  }
  heap->entry[i] = e;
  heap->at[v] = i;
}

static inline uint32_t th_vertex_heap_pop(th_vertex_heap *heap) {
  uint32_t top = heap->entry[0].vertex, i = 0;
  th_vertex_entry last = heap->entry[--heap->count];
  heap->at[top] = TH_NOT_QUEUED;
  if (heap->count == 0) return top;
  for (;;) {
    uint32_t first = 4 * i + 1, end = first + 4 < heap->count ? first + 4 : heap->count, best = first;
    if (first >= heap->count) break;
    for (uint32_t k = first + 1; k < end; k++)
      if (th_vertex_before(heap->entry[k], heap->entry[best])) best = k;
    if (!th_vertex_before(heap->entry[best], last)) break;
    heap->entry[i] = heap->entry[best];
    heap->at[heap->entry[i].vertex] = i;
    i = best;
  }
  heap->entry[i] = last;
  heap->at[last.vertex] = i;
  return top;
}

#endif
