/* ground/mesh/visible_walls.h - the walls that can be seen from a place on a mesh, in the plane. */
#ifndef TH_GROUND_MESH_VISIBLE_WALLS_H
#define TH_GROUND_MESH_VISIBLE_WALLS_H

#include "ground/mesh/ground.h"

#define TH_NEAR_WALLS_MAX 96 /* walls */

/* Walls in the frame of the start's face, with the start as origin. */
typedef struct th_mesh_near_walls {
  th_wall_line line[TH_NEAR_WALLS_MAX];
  uint32_t from[TH_NEAR_WALLS_MAX], to[TH_NEAR_WALLS_MAX]; /* vertices at the ends; equal: a single point */
  uint32_t count;
  double cover;   /* no wall nearer than this is missing [m] */
  double nearest; /* distance of the nearest wall listed [m]; infinite: none */
} th_mesh_near_walls;

/* Collects walls within the distance `reach` [m] of p on a walkable face. Allocates nothing. */
void th_mesh_near_walls_find(const th_mesh_ground *s, uint32_t face, th_point p, double reach,
                             th_mesh_near_walls *near);

/* Distance [m] from vertex v, which is not on a wall, to the nearest wall in a straight line; infinite beyond `reach`.
 */
double th_mesh_vertex_wall_distance(const th_mesh_ground *s, uint32_t v, double reach);

/* A wall that begins (`along` = 0) or ends (1) in vertex v; TH_NO_HALF when there is none. */
uint32_t th_mesh_wall_at(const th_mesh_ground *s, uint32_t v, double *along);

/* The nearest wall in sight of p within `reach`. */
typedef struct th_mesh_wall_point {
  double distance; /* infinite: there is none */
  uint32_t half;   /* the wall */
  double along;    /* share of it, from its start */
} th_mesh_wall_point;

th_mesh_wall_point th_mesh_nearest_wall(const th_mesh_ground *s, uint32_t face, th_point p, double reach);

/* Distance [m] along the surface, round vertices too, from p to the nearest wall; infinite beyond `reach`.
 */
double th_mesh_clearance(const th_mesh_ground *s, uint32_t face, th_point p, double reach);

#endif
