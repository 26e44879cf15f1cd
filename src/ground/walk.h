/* ground/walk.h - moving a place over the ground. */
#ifndef TH_GROUND_WALK_H
#define TH_GROUND_WALK_H

#include "ground/ground.h"

/* A body keeps its radius from walls with this skin to spare, so that rounding never brings it in touch [m]. */
#define TH_WALK_SKIN 0.001f

/* A body that starts clear of walls is never left deeper in one than this [m]; on grounds within +-10 km. */
#define TH_WALK_TOLERANCE 0.01f

/* Where a body stands, finer than a place can say. Coordinates are single precision: 300 m from the origin a step of
 * 1 ms at walking speed is shorter than half their spacing. What rounding takes away is kept and walked with the next
 * displacement, so that no agent is slowed down or stopped by its distance from the origin. */
typedef struct th_footing {
  th_place place;
  th_vec2 rest;  /* from `place` to where the body is, at most half the spacing of coordinates [m] */
  th_turn turn;  /* mesh: the rotation of the frame is added to it */
  th_vec2 moved; /* out: the body's displacement, seen in the last frame, walls included [m] */
} th_footing;

/* th_ground_walk_on is the entry; th_ground_walk (throng/ground.h) is the same for bodies that have no rest, and keeps
 * none. The other two do its work, each on its kind of ground. They move the footing by `vector` [m] as a disc of
 * `radius`: it stops at walls and slides along them, on flat ground at most 4 times.
 * - The straight path of the centre from old to new place never crosses a wall, and the centre never ends in solid
 *   space when it did not start there.
 * - A body that already overlaps a wall (placed there, or a door closed on it) moves no deeper; a quarter of the
 *   overlap, at most 2 cm, is taken away by each call.
 * - A centre that lies in solid space ignores the vector and moves to the nearest wall and out, at most 10 cm per call.
 * - No wall lies between `place` and where the body is.
 * - A step that is not finite does nothing.
 * Return true when a wall changed the path. Touch nothing but the footing; any thread. */
bool th_ground_walk_on(const th_ground *ground, th_footing *footing, th_vec2 vector, float radius);
bool th_flat_ground_walk(const th_ground *ground, th_footing *footing, th_vec2 vector, float radius);
bool th_mesh_ground_walk(const th_ground *ground, th_footing *footing, th_vec2 vector, float radius);

/* Wall segments that share a point with the box: writes the `capacity` lowest indices in ascending order, returns how
 * many there are. */
uint32_t th_flat_query_walls(const th_ground *ground, th_vec2 lower, th_vec2 upper, uint32_t *index, uint32_t capacity);

#endif
