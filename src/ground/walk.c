/* ground/walk.c - the one entry to walking: each kind of ground has its own walk (ground/flat/walk.c,
 * ground/mesh/walk.c), and neither depends on the other. docs/design.md lists the other walks and where each is used.
 */
#include "ground/calls.h"

bool th_ground_walk_on(const th_ground *ground, th_footing *footing, th_vec2 vector, float radius) {
  footing->moved = (th_vec2){0.0f, 0.0f};
  return ground->calls->walk(ground, footing, vector, radius);
}

bool th_ground_walk(const th_ground *ground, th_place *place, th_vec2 vector, float radius, th_turn *turn) {
  th_footing footing = {.place = *place, .turn = turn ? *turn : (th_turn){1.0f, 0.0f}};
  bool wall = th_ground_walk_on(ground, &footing, vector, radius);
  *place = footing.place;
  if (turn) *turn = footing.turn;
  return wall;
}
