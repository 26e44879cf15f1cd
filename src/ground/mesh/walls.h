/* ground/mesh/walls.h - stages of a version: coverage -> blocked -> walls -> clearance. */
#ifndef TH_GROUND_MESH_WALLS_H
#define TH_GROUND_MESH_WALLS_H

#include "ground/mesh/form.h"

/* Lists walls, marks the vertices at them and finds the routes out of blocked faces. False when out of memory. */
bool th_mesh_find_walls(th_mesh_ground *s);

/* Clearance of vertices and faces, capped at `limit`. With `old`, a version of the same form whose walls differ, only
 * what the difference reaches is computed; the bits are those of a full computation. False when out of memory. */
bool th_mesh_clearance_measure(th_mesh_ground *s, const th_mesh_ground *old, double limit);

#endif
