/* ground/walk.h - moving a place over the ground. */
#ifndef TH_GROUND_WALK_H
#define TH_GROUND_WALK_H

#include "ground/ground.h"

/* Moves `place` by (dx, dy) metres as a disc of `radius`: stops at walls and slides along them. The centre never
 * crosses a wall; a body that already overlaps a wall may move away from it but not deeper. Returns true when a
 * wall changed the way. Touches nothing but `place`; any thread. */
bool th_walk(const th_ground *ground, th_place *place, float dx, float dy, float radius);

/* Wall segments whose distance to the box is at most `reach`: writes up to `capacity` indices in ascending order,
 * returns how many there are. */
uint32_t th_walls_near(const th_ground *ground, th_vec2 lower, th_vec2 upper, uint32_t *index, uint32_t capacity);

#endif
