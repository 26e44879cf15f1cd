/* world/step/mesh_move.h - walking on a mesh. */
#ifndef TH_WORLD_STEP_MESH_MOVE_H
#define TH_WORLD_STEP_MESH_MOVE_H

#include "throng/world.h"
#include "world/step/motion.h"

bool th_world_mesh_walk_slot(th_world *world, uint32_t slot,
                             th_vec2 displacement); /* true when a wall changed the path */

/* What differs between the kinds of ground when a group of sixteen from `first` on moves. */
#define TH_MOVE_AHEAD 32 /* slots: how far ahead cache lines are prefetched */
typedef struct th_move_calls {
  void (*look)(const th_world *world, th_motion *motion, uint32_t first, uint32_t count); /* sets `clear` */
  /* Moves the lanes of `movers` after they have been planned; those that leave their face may be put on the list. */
  void (*walk)(th_world *world, th_motion *motion, uint32_t first, uint32_t movers, th_crossers *list);
  void (*end)(th_world *world, const th_crossers *list); /* of a block: moves those on the list */
} th_move_calls;
extern const th_move_calls th_mesh_move_calls;

#endif
