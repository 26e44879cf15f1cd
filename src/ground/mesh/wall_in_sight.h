/* ground/mesh/wall_in_sight.h - distance of the nearest wall in sight of a vertex. */
#ifndef TH_GROUND_MESH_WALL_IN_SIGHT_H
#define TH_GROUND_MESH_WALL_IN_SIGHT_H

#include "ground/mesh/ground.h"

/* Distance [m] from vertex v, which is not on a wall, to the nearest wall in a straight line over the surface; infinite
 * when none is within `limit`. Exact below 1 m and at most 1 % too long beyond. `walls` holds the walls as faces (from,
 * to, to); its mesh is NULL when there are none. *straight: the distance in space, at most `limit`. */
double th_mesh_wall_in_sight(const th_mesh_ground *s, const th_bvh *walls, uint32_t v, double limit, double *straight);

#endif
