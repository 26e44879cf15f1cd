/* world/state/rows.c - growing and moving rows.
 *
 * Columns are separate arrays because phases read few of them; rows are dense, a removed row is filled with the last
 * one. Cost: a step allocates nothing; growth copies everything and happens between steps.
 */
#include "world/state/rows.h"

#include <string.h>

static void free_columns(th_rows *rows, const th_allocator *allocator) {
#define X(type, name) TH_GIVE(allocator, rows->name, rows->capacity);
  TH_COLUMNS(X)
  TH_LOOSE_COLUMNS(X)
#undef X
}

bool th_rows_grow(th_rows *rows, const th_allocator *allocator, uint32_t capacity) {
  if (capacity <= rows->capacity) return true;
  th_rows larger = {.count = rows->count, .capacity = capacity};
  bool made = true;
#define X(type, name) made &= (larger.name = TH_TAKE(allocator, type, capacity)) != NULL;
  TH_COLUMNS(X)
  TH_LOOSE_COLUMNS(X)
#undef X
  if (!made) {
    free_columns(&larger, allocator);
    return false;
  }
  if (rows->count) {
#define X(type, name) memcpy(larger.name, rows->name, sizeof(type) * rows->count);
    TH_COLUMNS(X)
    TH_LOOSE_COLUMNS(X)
#undef X
  }
  free_columns(rows, allocator);
  *rows = larger;
  return true;
}

void th_rows_free(th_rows *rows, const th_allocator *allocator) {
  free_columns(rows, allocator);
  *rows = (th_rows){0};
}

void th_rows_copy(th_rows *rows, uint32_t to, uint32_t from) {
#define X(type, name) rows->name[to] = rows->name[from];
  TH_COLUMNS(X)
  TH_LOOSE_COLUMNS(X)
#undef X
}

uint32_t th_rows_ids(const th_rows *rows, const void *column) {
  return column == rows->id ? 1 : column == rows->names ? TH_MAX_LINKS : 0;
}

void th_rows_set_tag(th_rows *rows, uint16_t tag) {
  for (uint32_t row = 0; row < rows->count; row++) {
    rows->id[row].tag = tag;
    for (uint32_t i = 0; i < TH_MAX_LINKS; i++)
      if (rows->names[row].agent[i].index) rows->names[row].agent[i].tag = tag;
  }
}

void th_rows_permute_column(uint8_t *column, size_t size, const uint32_t *from, uint32_t count, uint8_t *scratch) {
  switch (size) { /* constant sizes let the compiler move registers instead of calling memcpy */
    case 1:
      for (uint32_t i = 0; i < count; i++) scratch[i] = column[from[i]];
      break;
    case 4:
      for (uint32_t i = 0; i < count; i++) memcpy(scratch + (size_t)i * 4, column + (size_t)from[i] * 4, 4);
      break;
    case 8:
      for (uint32_t i = 0; i < count; i++) memcpy(scratch + (size_t)i * 8, column + (size_t)from[i] * 8, 8);
      break;
    default:
      for (uint32_t i = 0; i < count; i++) memcpy(scratch + i * size, column + from[i] * size, size);
  }
  memcpy(column, scratch, size * count);
}

#define X(type, name) +1
enum { COLUMNS = 0 TH_COLUMNS(X) TH_LOOSE_COLUMNS(X) };
#undef X

typedef struct permute_work {
  void *column[COLUMNS];
  size_t size[COLUMNS];
  uint32_t columns, count;
  const uint32_t *from;
  uint8_t *scratch;
  size_t scratch_size;
} permute_work;

static void list_column(void *context, const char *name, void *column, size_t size) {
  (void)name;
  permute_work *work = context;
  work->column[work->columns] = column;
  work->size[work->columns++] = size;
}

/* Many columns are the same in all rows: limits that nobody changed, links that nobody has. To find that out takes a
 * third of the memory traffic of moving them, and for the others it ends at the first rows. */
static bool is_uniform(const uint8_t *column, size_t size, uint32_t count) {
  return count < 2 || memcmp(column, column + size, size * (count - 1)) == 0;
}

static void permute_columns(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  const permute_work *work = context;
  for (uint32_t i = begin; i < end; i++)
    if (!is_uniform(work->column[i], work->size[i], work->count))
      th_rows_permute_column(work->column[i], work->size[i], work->from, work->count,
                             work->scratch + worker * work->scratch_size);
}

void th_rows_permute(th_rows *rows, th_pool *pool, const uint32_t *from, uint8_t *scratch, size_t scratch_size) {
  permute_work work = {.count = rows->count, .from = from, .scratch = scratch, .scratch_size = scratch_size};
  th_rows_each(rows, list_column, &work);
#define X(type, name) list_column(&work, #name, rows->name, sizeof(type));
  TH_LOOSE_COLUMNS(X)
#undef X
  th_parallel_for(pool, work.columns, 1, permute_columns, &work);
}

#define X(type, name) _Static_assert(sizeof(type) <= TH_LARGEST_COLUMN, "raise TH_LARGEST_COLUMN");
TH_COLUMNS(X)
#undef X

size_t th_rows_row_size(void) {
  size_t size = 0;
#define X(type, name) size += sizeof(type);
  TH_COLUMNS(X)
#undef X
  return size;
}

void th_rows_each(const th_rows *rows, void (*visit)(void *context, const char *name, void *column, size_t size),
                  void *context) {
#define X(type, name) visit(context, #name, rows->name, sizeof(type));
  TH_COLUMNS(X)
#undef X
}
