/* world/step/mesh_move.h - walking on a mesh. */
#ifndef TH_WORLD_STEP_MESH_MOVE_H
#define TH_WORLD_STEP_MESH_MOVE_H

#include "throng/world.h"
#include "world/step/motion.h"

bool th_world_mesh_walk_slot(th_world *world, uint32_t slot, th_vec2 way); /* true when a wall changed the path */
/* Moves the agents of a group that stay in their faces; the others are added to the list, and the second call moves
 * them. */
void th_world_mesh_move(th_world *world, th_motion *motion, uint32_t first, uint32_t movers, th_crossers *list);
void th_world_mesh_cross(th_world *world, const th_crossers *list);

#endif
