/* world/guide_memory.h - the guides in use, and how they learn. */
#ifndef TH_WORLD_GUIDE_MEMORY_H
#define TH_WORLD_GUIDE_MEMORY_H

#include "base/ids.h"
#include "throng/world.h"

typedef struct th_guide_slot {
  const th_guide *kind;
  uint8_t *params, *memory; /* memory: NULL unless the guide grows */
  size_t memory_size;
  uint32_t first, count; /* its agents in the room of growth, in this step */
} th_guide_slot;

/* Agents of the guides that grow, by guide and id: one part of each array a guide. guide_memory.c */
typedef struct th_guide_update_scratch {
  uint32_t *row, *agent;
  th_place *place, *link;
  float *radius;
  uint8_t *state;
  const th_shape **goal;
  uint32_t capacity; /* 0 until the first such guide comes */
  bool needed;
} th_guide_update_scratch;

typedef struct th_guides_in_use {
  th_ids ids;
  th_guide_slot *guide;
  uint32_t capacity;
} th_guides_in_use;

void th_guides_learn(th_world *world); /* what guides remember, before they are asked */
bool th_guide_update_reserve(th_world *world, uint32_t agents);
void th_guide_update_free(th_world *world);
th_result th_guide_remember(th_world *world, th_guide_slot *use, th_error *error); /* takes and fills its memory */
void th_guide_slot_free(th_world *world, th_guide_slot *use);

#endif
