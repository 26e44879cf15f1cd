/* world/choice/queues.h - how many people are nearer to a goal along its field, for the goals of choices. */
#ifndef TH_WORLD_CHOICE_QUEUES_H
#define TH_WORLD_CHOICE_QUEUES_H

#include "throng/agent.h"

#define TH_QUEUE_BINS 1024u
#define TH_QUEUE_BIN 0.5f /* [m] */
#define TH_NO_QUEUE UINT32_MAX

typedef struct th_queues {
  uint32_t *of_goal; /* by index of the goal - 1: number of its queue, or TH_NO_QUEUE */
  uint32_t goals;    /* of these */
  uint32_t *bin;     /* TH_QUEUE_BINS per queue: a Fenwick tree, its element n in bin[n - 1] */
  uint32_t count, capacity;
} th_queues;

/* Room for goals up to an index, and for so many queues; false, with what was there kept, when out of memory. */
bool th_queues_reserve(th_queues *queues, const th_allocator *allocator, uint32_t goals, uint32_t count);
void th_queues_free(th_queues *queues, const th_allocator *allocator);
void th_queues_clear(th_queues *queues);              /* no goal has one */
void th_queues_add(th_queues *queues, uint32_t goal); /* unless it has one */

/* Counts all rows that walk to a goal with a queue. */
void th_queues_fill(const th_world *world, th_queues *queues);
/* One more, or one less, at a distance; a goal without a queue and an infinite distance do nothing. */
void th_queue_enter(th_queues *queues, uint32_t goal, float left);
void th_queue_leave(th_queues *queues, uint32_t goal, float left);
/* How many are in nearer bins. */
uint32_t th_queue_ahead(const th_queues *queues, uint32_t goal, float left);
/* The same without filled queues: a pass over all rows. */
uint32_t th_queue_count(const th_world *world, uint32_t goal, float left);

#endif
