/* field/direct/pattern.h - which rows each front of a piece has, and the matrix inside the piece. */
#ifndef TH_FIELD_DIRECT_PATTERN_H
#define TH_FIELD_DIRECT_PATTERN_H

#include "field/direct/front.h"

typedef struct th_ranks {
  uint32_t *item;
  uint32_t count, capacity;
} th_ranks;

/* The pattern of one piece: its fronts, their rows in the piece's own numbering (see th_front_block), the entries of
 * the matrix in its columns, and what its factorisation will need. */
typedef struct th_pattern {
  th_front *front; /* memory for the largest piece */
  uint32_t front_capacity, front_count;
  uint32_t base, span; /* ranks of the piece */
  th_ranks index, extra;
  th_ranks outer;          /* ranks of the rows outside */
  th_ranks entry;          /* row of each entry, column by column from the diagonal on */
  double *entry_value;     /* > 0 on the diagonal only */
  uint32_t value_capacity; /* of entry_value */
  uint32_t *local;         /* own number of a rank outside; one per unknown */
  uint32_t local_capacity;
  size_t value_count;    /* doubles of all strips */
  size_t head_count;     /* largest head */
  size_t stack_count[2]; /* deepest stack of update matrices on even and odd levels */
} th_pattern;

bool th_pattern_make(th_pattern *pattern, const th_allocator *allocator, const th_elimination *tree);
void th_pattern_free(th_pattern *pattern, const th_allocator *allocator);

/* Finds the pattern of a piece; the pieces below it are complete in `fronts`. False: out of memory. */
bool th_pattern_find(th_pattern *pattern, const th_fronts *fronts, const th_graph_operator *op, uint32_t piece);

/* The own number of a rank that the piece of the pattern reaches. */
static inline uint32_t th_pattern_local(const th_pattern *pattern, uint32_t rank) {
  uint32_t inside = rank - pattern->base;
  return inside < pattern->span ? inside : pattern->local[rank];
}

/* Doubles of an update matrix, of a head, of the strips of a front. */
size_t th_pattern_update_count(const th_front *front);
size_t th_pattern_head_count(const th_front *front);
size_t th_pattern_strip_count(const th_front *front);

#endif
