/* base/store.c - many arrays of one size in few blocks.
 *
 * A crowd may have a thousand fields, and neighbours read different ones: in small pages nearly every read walks the
 * page tables. Arrays that share a block of some megabytes share large pages, for which the default allocator asks.
 * A new block has room for a quarter of what is in use, so that a store of any size takes at most a quarter more than
 * its arrays, and a single array nothing. Arrays that come back are used again, those of the oldest block first, so
 * that later blocks run empty and are released. Cost: one pass over the blocks, four to a doubling and then one for
 * each 64 arrays; room for a new block is taken, and zeroed, under the lock.
 */
#include "base/store.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"

#define MOST 64u /* arrays a block: one bit each */

typedef struct block {
  uint8_t *memory;
  uint64_t open; /* bit k: array k is free */
  uint32_t count;
} block;

struct th_store {
  th_allocator allocator;
  pthread_mutex_t lock;
  atomic_uint references;
  size_t size; /* of an array, whole cache lines */
  block *blocks;
  uint32_t count, capacity; /* blocks */
  uint32_t used;            /* arrays */
};

static uint64_t all_of(uint32_t count) { return UINT64_MAX >> (MOST - count); }

th_store *th_store_make(const th_allocator *allocator, size_t size) {
  if (size > SIZE_MAX - TH_ALIGN) return NULL;
  th_store *store = TH_TAKE(allocator, th_store, 1);
  if (!store) return NULL;
  store->allocator = *allocator;
  store->size = (size + TH_ALIGN - 1) / TH_ALIGN * TH_ALIGN;
  atomic_init(&store->references, 1);
  if (pthread_mutex_init(&store->lock, NULL) == 0) return store;
  TH_GIVE(allocator, store, 1);
  return NULL;
}

th_store *th_store_retain(th_store *store) {
  atomic_fetch_add_explicit(&store->references, 1, memory_order_relaxed);
  return store;
}

void th_store_release(th_store *store) {
  if (!store || atomic_fetch_sub_explicit(&store->references, 1, memory_order_acq_rel) != 1) return;
  th_allocator allocator = store->allocator;
  for (uint32_t b = 0; b < store->count; b++)
    th_give(&allocator, store->blocks[b].memory, store->blocks[b].count, store->size);
  TH_GIVE(&allocator, store->blocks, store->capacity);
  pthread_mutex_destroy(&store->lock);
  TH_GIVE(&allocator, store, 1);
}

static block *add_block(th_store *store) {
  uint32_t room = store->used / 4;
  room = room < 1 ? 1 : room > MOST ? MOST : room;
  void *blocks = store->blocks;
  if (!th_grow(&store->allocator, &blocks, &store->capacity, store->count + 1, sizeof(block))) return NULL;
  store->blocks = blocks;
  uint8_t *memory = th_take(&store->allocator, room, store->size);
  if (!memory) return NULL;
  block *b = &store->blocks[store->count++];
  *b = (block){memory, all_of(room), room};
  return b;
}

static block *open_block(th_store *store) {
  for (uint32_t b = 0; b < store->count; b++)
    if (store->blocks[b].open) return &store->blocks[b];
  return add_block(store);
}

void *th_store_take(th_store *store) {
  void *array = NULL;
  pthread_mutex_lock(&store->lock);
  block *b = open_block(store);
  if (b) {
    array = b->memory + (size_t)__builtin_ctzll(b->open) * store->size;
    b->open &= b->open - 1;
    store->used++;
  }
  pthread_mutex_unlock(&store->lock);
  return array;
}

static void drop_block(th_store *store, uint32_t at) {
  th_give(&store->allocator, store->blocks[at].memory, store->blocks[at].count, store->size);
  store->count--;
  for (uint32_t b = at; b < store->count; b++) store->blocks[b] = store->blocks[b + 1];
}

void th_store_give(th_store *store, void *array) {
  if (!array) return;
  pthread_mutex_lock(&store->lock);
  uint32_t at = 0;
  uintptr_t address = (uintptr_t)array;
  while (address - (uintptr_t)store->blocks[at].memory >= store->blocks[at].count * store->size) at++;
  block *b = &store->blocks[at];
  b->open |= 1ull << ((address - (uintptr_t)b->memory) / store->size);
  store->used--;
  if (b->open == all_of(b->count)) drop_block(store, at);
  pthread_mutex_unlock(&store->lock);
}
