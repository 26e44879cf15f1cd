/* world/guide_rows.h - what a guide keeps for each of its agents. A guide is named by the number that the agents' rows
 * hold. */
#ifndef TH_WORLD_GUIDE_ROWS_H
#define TH_WORLD_GUIDE_ROWS_H

#include "base/ids.h"
#include "throng/world.h"

typedef struct th_guide_rows {
  size_t size, stride; /* 0: none */
  uint32_t shift;      /* a block has 1 << shift rows */
  th_ids ids;
  uint8_t **block;
  uint32_t block_count, block_capacity;
} th_guide_rows;

struct th_guide_slot;
th_result th_guide_rows_begin(struct th_guide_slot *use, const th_ground *ground, th_error *error);
void th_guide_rows_free(const th_allocator *allocator, th_guide_rows *rows);
bool th_guide_rows_reserve(const th_allocator *allocator, th_guide_rows *rows, uint32_t count);
bool th_guides_reserve_rows(th_world *world, uint32_t agents); /* of all guides */
th_result th_guide_rows_for(th_world *world, uint32_t guide, uint32_t more, th_error *error);
th_result th_guide_rows_for_all(th_world *world, const th_agent_def *def, uint32_t count, th_error *error);
bool th_guide_row_left(const th_world *world, uint32_t guide); /* true: another agent may join it */
void *th_guide_row(const th_guide_rows *rows, uint32_t number);
void th_guide_row_give(th_world *world, uint32_t row);
void *th_guide_row_take(th_world *world, uint32_t row); /* for the row's guide; zeroed; NULL: it has none */
void th_guide_row_follow(th_world *world, uint32_t row, uint32_t guide); /* the agent comes to another guide, or not */
/* All rows of a guide, named by its index here, in the order of its agents' ids. */
void th_guide_rows_each(const th_world *world, uint32_t guide,
                        void (*visit)(void *context, uint32_t agent, const void *row, size_t size), void *context);

#endif
