/* base/memory.c - the allocator's default, typed arrays and arenas.
 *
 * Sizes are always passed to the release function, so a host's allocator needs no block headers. Blocks are zeroed: no
 * uninitialised padding can reach a hash or a snapshot. Cost: one call of the host per block; a step allocates nothing.
 */
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#include "base/platform/pages.h"

static void *default_allocate(void *user, size_t size, size_t align) {
  (void)user;
  return th_pages_take(size, align);
}

static void default_release(void *user, void *memory, size_t size) {
  (void)user;
  (void)size;
  th_pages_give(memory);
}

static void default_write(void *user, th_log_level level, const char *text) {
  (void)user;
  static const char *const name[] = {"info", "warning", "fault"};
  if (level != TH_LOG_INFO) fprintf(stderr, "throng: %s: %s\n", name[level], text);
}

th_env th_default_env(void) { return (th_env){{NULL, NULL, NULL}, {NULL, NULL}, {NULL, NULL}}; }

th_env th_env_complete(const th_env *env) {
  th_env full = {0};
  if (env) full = *env;
  if (!full.allocator.allocate) full.allocator = (th_allocator){default_allocate, default_release, NULL};
  if (!full.log.write) full.log.write = default_write;
  return full;
}

void *th_take(const th_allocator *allocator, size_t count, size_t size) {
  if (size && count > (SIZE_MAX - TH_ALIGN) / size) return NULL;
  size_t bytes = count * size;
  if (bytes == 0) bytes = 1;
  void *memory = allocator->allocate(allocator->user, bytes, TH_ALIGN);
  if (memory) memset(memory, 0, bytes);
  return memory;
}

void th_give(const th_allocator *allocator, void *memory, size_t count, size_t size) {
  if (!memory) return;
  size_t bytes = count * size;
  allocator->release(allocator->user, memory, bytes ? bytes : 1);
}

bool th_grow(const th_allocator *allocator, void **memory, uint32_t *capacity, uint32_t need, size_t size) {
  if (need <= *capacity) return true;
  uint32_t larger = *capacity < UINT32_MAX / 2 ? *capacity * 2 : UINT32_MAX;
  if (larger < need) larger = need;
  if (larger < 16) larger = 16;
  void *fresh = th_take(allocator, larger, size);
  if (!fresh) return false;
  if (*memory) memcpy(fresh, *memory, (size_t)*capacity * size);
  th_give(allocator, *memory, *capacity, size);
  *memory = fresh;
  *capacity = larger;
  return true;
}

bool th_arena_make(th_arena *arena, const th_allocator *allocator, size_t size) {
  *arena = (th_arena){th_take(allocator, size, 1), size, 0};
  return arena->memory != NULL;
}

void th_arena_free(th_arena *arena, const th_allocator *allocator) {
  th_give(allocator, arena->memory, arena->size, 1);
  *arena = (th_arena){0};
}

void *th_arena_take(th_arena *arena, size_t size) {
  size_t padded = (size + TH_ALIGN - 1) / TH_ALIGN * TH_ALIGN;
  if (padded < size || padded > arena->size - arena->used) return NULL;
  void *piece = arena->memory + arena->used;
  arena->used += padded;
  return piece;
}

void th_arena_reset(th_arena *arena) { arena->used = 0; }
