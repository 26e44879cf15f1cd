/* field/front_pattern.h - which rows each front of a piece has. */
#ifndef TH_FIELD_FRONT_PATTERN_H
#define TH_FIELD_FRONT_PATTERN_H

#include "field/front.h"

typedef struct th_ranks {
  uint32_t *item;
  uint32_t count, capacity;
} th_ranks;

/* The pattern of one piece: its fronts, their ranks, and what its factorisation will need. */
typedef struct th_pattern {
  th_front *front; /* room for the largest piece */
  uint32_t front_room, front_count;
  th_ranks index, extra;
  size_t value_count;    /* doubles of all strips */
  size_t head_count;     /* largest head */
  size_t stack_count[2]; /* deepest stack of update matrices on even and odd levels */
} th_pattern;

bool th_pattern_make(th_pattern *pattern, const th_allocator *allocator, const th_tree *tree);
void th_pattern_free(th_pattern *pattern, const th_allocator *allocator);

/* Rows of a front's boundary: `pivots` are skipped. */
typedef struct th_rows {
  const uint32_t *rank;
  uint32_t count;
} th_rows;

/* The boundary of a node whose piece is complete. */
th_rows th_piece_rows(const th_fronts *fronts, uint32_t node);

/* Finds the pattern of a piece; the pieces below it are complete in `fronts`. False: out of memory. */
bool th_pattern_find(th_pattern *pattern, const th_fronts *fronts, const th_stars *stars, uint32_t piece);

/* Doubles of an update matrix, of a head, of the strips of a front. */
size_t th_front_update_count(const th_front *front);
size_t th_front_head_count(const th_front *front);
size_t th_front_strip_count(const th_front *front);

#endif
