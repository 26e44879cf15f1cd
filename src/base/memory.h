/* base/memory.h - every allocation of the library goes through the host's allocator with an explicit size. */
#ifndef TH_BASE_MEMORY_H
#define TH_BASE_MEMORY_H

#include "throng/base.h"

#define TH_ALIGN 64 /* one cache line, one 512-bit register */

/* `count` * `size` bytes, 64-byte aligned, zeroed; NULL when out of memory or when the product overflows. A count of 0
 * gives a valid pointer to an empty block, which is released like any other. */
void *th_take(const th_allocator *allocator, size_t count, size_t size);

/* Releases a block that th_take(allocator, count, size) returned; NULL is ignored. */
void th_give(const th_allocator *allocator, void *memory, size_t count, size_t size);

/* Typed forms: T *p = TH_TAKE(a, T, n); TH_GIVE(a, p, n); */
#define TH_TAKE(allocator, type, count) ((type *)th_take((allocator), (count), sizeof(type)))
#define TH_GIVE(allocator, pointer, count) th_give((allocator), (pointer), (count), sizeof *(pointer))

/* Grows an array of `*capacity` to hold `need` elements, at least doubling it; the new part is zeroed. */
bool th_grow(const th_allocator *allocator, void **memory, uint32_t *capacity, uint32_t need, size_t size);

/* An env whose empty services are filled with the defaults. */
th_env th_env_complete(const th_env *env);

/* An arena: one block taken up front, cut into pieces, emptied at once. Pieces are 64-byte aligned. */
typedef struct th_arena {
  uint8_t *memory;
  size_t size, used;
} th_arena;

bool th_arena_make(th_arena *arena, const th_allocator *allocator, size_t size);
void th_arena_free(th_arena *arena, const th_allocator *allocator);
void *th_arena_take(th_arena *arena, size_t size); /* not zeroed; NULL when full */
void th_arena_reset(th_arena *arena);

#endif
