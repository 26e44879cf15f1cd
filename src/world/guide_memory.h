/* world/guide_memory.h - the guides in use, and how they learn. */
#ifndef TH_WORLD_GUIDE_MEMORY_H
#define TH_WORLD_GUIDE_MEMORY_H

#include "base/ids.h"
#include "throng/guide.h"
#include "throng/world.h"
#include "world/guide_rows.h"
#include "world/shared.h"

typedef struct th_guide_slot {
  const th_guide *kind;
  uint8_t *params, *memory; /* memory: NULL unless the guide learns */
  size_t memory_size;
  th_guide_rows rows;
  th_shared shared;      /* for the ground in force */
  uint32_t first, count; /* its agents in the scratch of learning, in this step */
} th_guide_slot;

/* Agents of a guide that learn together as one unit: a range of `member`. */
typedef struct th_guide_unit {
  uint32_t guide, first, count;
} th_guide_unit;

/* Agents of the guides that learn, by guide and id: one part of each array per guide. guide_memory.c */
/* clang-format off */
#define TH_UPDATE_ARRAYS(X) \
  X(uint32_t, row, 1) X(uint32_t, agent, 1) X(th_place, place, 1) X(th_guide_link, link, TH_MAX_LINKS) \
  X(float, radius, 1) X(uint8_t, state, 1) X(const th_shape *, goal, 1) X(void *, memory, 1) \
  X(uint32_t, unit_of, 1) X(uint32_t, member, 1) X(uint32_t, spare, 1) X(th_guide_unit, unit, 1)
/* clang-format on */

typedef struct th_guide_update_scratch {
#define X(type, name, each) type *name;
  TH_UPDATE_ARRAYS(X)
#undef X
  uint32_t unit_count;
  uint32_t capacity; /* 0 until the first such guide is added */
  bool needed;
} th_guide_update_scratch;

typedef struct th_guides_in_use {
  th_ids ids;
  th_guide_slot *guide;
  uint32_t capacity;
} th_guides_in_use;

void th_guides_learn(th_world *world); /* updates what guides remember, before they answer */
bool th_guide_update_reserve(th_world *world, uint32_t agents);
void th_guide_update_free(th_world *world);
th_result th_guide_remember(th_world *world, th_guide_slot *use, th_error *error); /* allocates and fills its memory */
/* guides.c: what sources emit follows another guide from now on. */
void th_guide_of_sources(th_world *world, th_guide_id from, th_guide_id to);
void th_guide_slot_free(th_world *world, th_guide_slot *use);

#endif
