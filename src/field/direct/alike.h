/* field/direct/alike.h - finds a piece that has been factored already, elsewhere in the same matrix or in a related
 * one. */
#ifndef TH_FIELD_DIRECT_ALIKE_H
#define TH_FIELD_DIRECT_ALIKE_H

#include "field/direct/pattern.h"

/* A table of the pieces that are complete, by hash. */
typedef struct th_alike {
  uint64_t *hash;
  uint32_t *piece;   /* + 1; 0: empty */
  uint32_t capacity; /* power of two */
} th_alike;

bool th_alike_make(th_alike *alike, const th_allocator *allocator, uint32_t piece_count);
void th_alike_free(th_alike *alike, const th_allocator *allocator);

uint64_t th_alike_hash(const th_fronts *fronts, const th_pattern *pattern, uint32_t piece);
void th_alike_add(th_alike *alike, uint64_t hash, uint32_t piece);

/* The piece to find: its pattern and its hash. */
typedef struct th_alike_wanted {
  const th_fronts *fronts;
  const th_pattern *pattern;
  uint32_t piece;
  uint64_t hash;
} th_alike_wanted;

/* The block of a complete piece of `previous`, which the table lists, with the same factorisation; or NULL. */
th_front_block *th_alike_find(const th_alike *alike, const th_fronts_previous *previous, const th_alike_wanted *wanted);

#endif
