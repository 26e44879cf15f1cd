/* ground/mesh/visible_walls.h - the walls that can be seen from a place on a mesh, in the plane. */
#ifndef TH_GROUND_MESH_VISIBLE_WALLS_H
#define TH_GROUND_MESH_VISIBLE_WALLS_H

#include "ground/mesh/ground.h"

#define TH_NEAR_MOST 96 /* walls */

/* Walls in the frame of the start's face, with the start as origin. */
typedef struct th_surface_near {
  th_wall_line line[TH_NEAR_MOST];
  uint32_t from[TH_NEAR_MOST], to[TH_NEAR_MOST]; /* vertices at the ends; equal: a single point */
  uint32_t count;
  double cover;   /* no wall nearer than this is missing [m] */
  double nearest; /* distance of the nearest wall listed [m]; infinite: none */
} th_surface_near;

/* Collects walls within `reach` metres of p on a walkable face. Allocates nothing. */
void th_surface_look(const th_surface *s, uint32_t face, th_point p, double reach, th_surface_near *near);

/* Metres from vertex v, which is not on a wall, to the nearest wall in a straight line within `reach`; else infinite.
 */
double th_surface_seek(const th_surface *s, uint32_t v, double reach);

/* Metres along the surface from p to the nearest wall within `reach`, round vertices too; infinite when there is none.
 */
double th_surface_clearance(const th_surface *s, uint32_t face, th_point p, double reach);

#endif
