/* io/scene/memory.c - the memory of one scene.
 *
 * A scene is read once and freed as a whole, so its parts are allocated from a linked list of 64 KB blocks; nothing is
 * released alone, and an error half-way needs no clean-up of parts. Cost: one allocation per 64 KB.
 */
#include "base/memory.h"

#include <string.h>

#include "io/scene/read.h"

enum { BLOCK = 1 << 16, ALIGN = 16 };

typedef struct block {
  struct block *next;
  size_t size, used; /* of the bytes after this head */
} block;

struct th_scene_memory {
  th_env env;
  block *first;
};

enum { HEAD = (sizeof(block) + ALIGN - 1) / ALIGN * ALIGN };

struct th_scene_memory *th_scene_memory_make(const th_env *env) {
  th_env full = th_env_complete(env);
  struct th_scene_memory *memory = TH_TAKE(&full.allocator, struct th_scene_memory, 1);
  if (memory) memory->env = full;
  return memory;
}

static block *add_block(struct th_scene_memory *memory, size_t size) {
  if (size < BLOCK) size = BLOCK;
  block *fresh = th_take(&memory->env.allocator, HEAD + size, 1);
  if (!fresh) return NULL;
  *fresh = (block){memory->first, size, 0};
  memory->first = fresh;
  return fresh;
}

void *th_scene_memory_take(struct th_scene_memory *memory, size_t count, size_t size) {
  if (count > (SIZE_MAX / 4) / (size ? size : 1)) return NULL;
  size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
  block *from = memory->first;
  if (!from || from->size - from->used < bytes) from = add_block(memory, bytes);
  if (!from) return NULL;
  void *piece = (uint8_t *)from + HEAD + from->used;
  from->used += bytes;
  return piece;
}

const char *th_scene_memory_text(struct th_scene_memory *memory, const char *text) {
  size_t length = strlen(text) + 1;
  char *copy = th_scene_memory_take(memory, length, 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

const th_env *th_scene_memory_env(const struct th_scene_memory *memory) { return &memory->env; }

/* Behind the block that is in use. */
void th_scene_memory_join(struct th_scene_memory *memory, struct th_scene_memory *other) {
  block **end = &memory->first;
  while (*end) end = &(*end)->next;
  *end = other->first;
  other->first = NULL;
  th_scene_memory_free(other);
}

void th_scene_memory_free(struct th_scene_memory *memory) {
  if (!memory) return;
  th_env env = memory->env;
  for (block *next, *b = memory->first; b; b = next) {
    next = b->next;
    th_give(&env.allocator, b, HEAD + b->size, 1);
  }
  TH_GIVE(&env.allocator, memory, 1);
}
