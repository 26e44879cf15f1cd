/* world/rows.c - growing and moving rows.
 *
 * Columns are separate arrays because phases read few of them; rows are dense, a removed row is filled with the last
 * one. Cost: a step allocates nothing; growth copies everything and happens between steps.
 */
#include "rows.h"

#include <string.h>

static void free_columns(th_rows *rows, const th_allocator *allocator) {
#define X(type, name) TH_GIVE(allocator, rows->name, rows->capacity);
  TH_COLUMNS(X)
#undef X
  TH_GIVE(allocator, rows->user, rows->capacity);
}

bool th_rows_grow(th_rows *rows, const th_allocator *allocator, uint32_t capacity) {
  if (capacity <= rows->capacity) return true;
  th_rows larger = {.count = rows->count, .capacity = capacity};
  bool made = true;
#define X(type, name) made &= (larger.name = TH_TAKE(allocator, type, capacity)) != NULL;
  TH_COLUMNS(X)
#undef X
  made &= (larger.user = TH_TAKE(allocator, void *, capacity)) != NULL;
  if (!made) {
    free_columns(&larger, allocator);
    return false;
  }
  if (rows->count) {
#define X(type, name) memcpy(larger.name, rows->name, sizeof(type) * rows->count);
    TH_COLUMNS(X)
#undef X
    memcpy(larger.user, rows->user, sizeof *rows->user * rows->count);
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
#undef X
  rows->user[to] = rows->user[from];
}

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
