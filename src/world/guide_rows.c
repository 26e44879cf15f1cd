/* world/guide_rows.c - what a guide keeps for each of its agents.
 *
 * A row may be a megabyte, and few agents may follow the guide. So each guide has its own pool of rows, cut from blocks
 * of about 64 KiB that never move. An agent has the number of its row (state/rows.h: guide_row). These numbers are not
 * state: hash and snapshot use the ids of agents. The calls that assign agents to a guide allocate rows; agents that
 * leave give their rows back, and steps allocate nothing. Cost: a row is zeroed when it is taken.
 */
#include <string.h>

#include "world/agent/agents.h"
#include "world/world.h"

#define BLOCK_BYTES ((size_t)1 << 16)

static size_t block_bytes(const th_guide_rows *rows) { return rows->stride << rows->shift; }

th_result th_guide_rows_begin(th_guide_slot *use, const th_ground *ground, th_error *error) {
  if (!use->kind->row_size) return TH_OK;
  size_t size = use->kind->row_size(use->params, ground);
  if (!size || size > TH_MAX_GUIDE_ROW)
    return th_fail(error, TH_ERROR_CAPACITY, use->kind->name, "expected rows of 1 to %u bytes, found %zu",
                   TH_MAX_GUIDE_ROW, size);
  use->rows = (th_guide_rows){.size = size, .stride = (size + TH_ALIGN - 1) / TH_ALIGN * TH_ALIGN};
  while (block_bytes(&use->rows) < BLOCK_BYTES) use->rows.shift++;
  return TH_OK;
}

void th_guide_rows_free(const th_allocator *a, th_guide_rows *rows) {
  for (uint32_t i = 0; i < rows->block_count; i++) th_give(a, rows->block[i], block_bytes(rows), 1);
  TH_GIVE(a, rows->block, rows->block_capacity);
  th_ids_free(&rows->ids, a);
  *rows = (th_guide_rows){0};
}

bool th_guide_rows_reserve(const th_allocator *a, th_guide_rows *rows, uint32_t count) {
  if (!rows->size || count <= rows->ids.capacity) return true;
  uint32_t blocks = (uint32_t)(((uint64_t)count + (1u << rows->shift) - 1) >> rows->shift);
  void *memory = rows->block;
  bool grown = th_grow(a, &memory, &rows->block_capacity, blocks, sizeof *rows->block);
  rows->block = memory;
  for (; grown && rows->block_count < blocks; rows->block_count++)
    if (!(rows->block[rows->block_count] = th_take(a, block_bytes(rows), 1))) return false;
  return grown && th_ids_grow(&rows->ids, a, blocks << rows->shift);
}

bool th_guides_reserve_rows(th_world *world, uint32_t agents) {
  bool made = true;
  for (uint32_t i = 0; i < world->guides.capacity && made; i++)
    made = th_guide_rows_reserve(&world->env.allocator, &world->guides.guide[i].rows, agents);
  return made;
}

static th_guide_rows *pool_of(th_world *world, uint32_t guide) {
  th_guide_rows *rows = guide ? &world->guides.guide[guide - 1].rows : NULL;
  return rows && rows->size ? rows : NULL;
}

th_result th_guide_rows_for(th_world *world, uint32_t guide, uint32_t more, th_error *error) {
  th_guide_rows *rows = pool_of(world, guide);
  if (!rows || th_guide_rows_reserve(&world->env.allocator, rows, rows->ids.alive + more)) return TH_OK;
  return th_fail_memory(error, world->guides.guide[guide - 1].kind->name);
}

th_result th_guide_rows_for_all(th_world *world, const th_agent_def *def, uint32_t count, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t i = 0; i < world->guides.capacity; i++) world->guides.guide[i].count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (def[i].guide.index) world->guides.guide[def[i].guide.index - 1].count++;
  for (uint32_t i = 0; i < world->guides.capacity && !result; i++)
    if (world->guides.guide[i].count) result = th_guide_rows_for(world, i + 1, world->guides.guide[i].count, error);
  return result;
}

bool th_guide_row_left(const th_world *world, uint32_t guide) {
  const th_guide_rows *rows = guide ? &world->guides.guide[guide - 1].rows : NULL;
  return !rows || !rows->size || rows->ids.alive < rows->ids.capacity;
}

void *th_guide_row(const th_guide_rows *rows, uint32_t number) {
  if (!number) return NULL;
  uint32_t at = number - 1;
  return rows->block[at >> rows->shift] + (at & ((1u << rows->shift) - 1)) * rows->stride;
}

void th_guide_row_give(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  th_guide_rows *pool = pool_of(world, rows->guide[row]);
  if (pool && rows->guide_row[row]) th_ids_give(&pool->ids, th_ids_at(&pool->ids, rows->guide_row[row] - 1));
  rows->guide_row[row] = 0;
}

void *th_guide_row_take(th_world *world, uint32_t row) {
  th_guide_rows *pool = pool_of(world, world->rows.guide[row]);
  if (!pool) return NULL;
  world->rows.guide_row[row] = th_ids_take(&pool->ids).index;
  void *memory = th_guide_row(pool, world->rows.guide_row[row]);
  if (memory) memset(memory, 0, pool->stride);
  return memory;
}

void th_guide_row_follow(th_world *world, uint32_t row, uint32_t guide) {
  if (world->rows.guide[row] == guide) return;
  th_guide_row_give(world, row);
  world->rows.guide[row] = guide;
  th_guide_row_take(world, row);
}

const void *th_world_guide_row(const th_world *world, th_agent_id agent, size_t *size) {
  if (th_no_world(world, __func__)) return NULL;
  uint32_t row;
  if (size) *size = 0;
  if (th_agent_find(world, agent, "th_world_guide_row", &row, NULL) || !world->rows.guide_row[row]) return NULL;
  const th_guide_rows *rows = &world->guides.guide[world->rows.guide[row] - 1].rows;
  if (size) *size = rows->size;
  return th_guide_row(rows, world->rows.guide_row[row]);
}

void th_guide_rows_each(const th_world *world, uint32_t guide,
                        void (*visit)(void *context, uint32_t agent, const void *row, size_t size), void *context) {
  const th_guide_rows *rows = &world->guides.guide[guide].rows;
  uint32_t used = rows->ids.alive ? th_ids_used(&world->ids) : 0;
  for (uint32_t i = 0; i < used; i++) {
    uint32_t row = th_ids_at(&world->ids, i).index ? world->row_of[i] : UINT32_MAX;
    if (row == UINT32_MAX || world->rows.guide[row] != guide + 1) continue;
    visit(context, i + 1, th_guide_row(rows, world->rows.guide_row[row]), rows->size);
  }
}
