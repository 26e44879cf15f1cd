/* world/step/mesh_move.h - walking on a mesh. */
#ifndef TH_WORLD_STEP_MESH_MOVE_H
#define TH_WORLD_STEP_MESH_MOVE_H

#include "throng/world.h"
#include "world/step/motion.h"

bool th_world_mesh_walk_slot(th_world *world, uint32_t slot, th_vec2 way); /* true when a wall changed the way */
/* Moves a group of slots as far as its faces go; the rest is added to the list, and moved by the second call. */
void th_world_mesh_move(th_world *world, th_motion *motion, uint32_t first, uint32_t movers, th_crossers *list);
void th_world_mesh_cross(th_world *world, const th_crossers *list);

#endif
