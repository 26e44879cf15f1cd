/* io/recording/numbers.h - the numbers that the ids of a world have in a recording. */
#ifndef TH_IO_RECORDING_NUMBERS_H
#define TH_IO_RECORDING_NUMBERS_H

#include "base/memory.h"
#include "throng/agent.h"

/* One owner of an index: an agent, a goal or a source, and what is known about it. */
typedef struct th_numbered {
  int64_t number;      /* in the file, from 1; 0: not in the file yet */
  uint32_t older;      /* the owner of the same index before this one: its position + 1; 0: none */
  uint16_t generation; /* of the id */
  bool news;           /* something is known that is not in the file */
  float radius;        /* of an agent [m]; 0: unknown */
  th_goal_id goal;     /* of an agent: the last of its route */
  const char *name;    /* of a goal; of an agent's or a source's population. NULL: unknown. The recording owns it */
  const char *model;   /* of an agent; NULL: unknown */
  uint64_t group;      /* of an agent in its last frame: index << 16 | generation; 0: none */
} th_numbered;

/* Zero-initialise. */
typedef struct th_numbers {
  th_numbered *owner;
  uint32_t *newest; /* by index: position + 1 of the newest owner; 0: none */
  uint32_t owner_count, owner_capacity, newest_capacity;
  int64_t count; /* numbers given so far */
} th_numbers;

/* The owner of an id; a new one, without a number, where there was none. NULL when out of memory, which cannot happen
 * for an id that has been asked for before. Valid until the next call. */
th_numbered *th_numbers_owner(th_numbers *numbers, const th_allocator *allocator, uint32_t index, uint16_t generation);

void th_numbers_free(th_numbers *numbers, const th_allocator *allocator);

#endif
