/* ground/mesh/ray.h - walls along a ray and near a place of a mesh, and the face that a ray in space meets: the mesh's
 * part of th_ground_ray, th_ground_nearest_wall and th_ground_pick. */
#ifndef TH_GROUND_MESH_RAY_H
#define TH_GROUND_MESH_RAY_H

#include "ground/mesh/ground.h"

th_hit th_mesh_ray(const th_ground *ground, th_place from, th_vec2 direction, float length);
th_hit th_mesh_wall_near(const th_ground *ground, th_place from, float reach);

/* `direction` is a unit vector. */
bool th_mesh_pick(const th_ground *ground, th_vec3 origin, th_vec3 direction, float length, th_place *place);

#endif
