/* ground/walk.c - the one entry to walking: each kind of ground has its own walk (ground/flat/walk.c,
 * ground/mesh/walk.c), and neither knows of the other. docs/design.md tells which other walks there are, and when they
 * are used.
 */
#include "ground/walk.h"

bool th_ground_walk(const th_ground *ground, th_place *place, th_vec2 vector, float radius, th_turn *turn) {
  return th_ground_is_mesh(ground) ? th_mesh_ground_walk(ground, place, vector, radius, turn)
                                   : th_flat_ground_walk(ground, place, vector, radius);
}
