/* ground/surface.h - inside a mesh ground: what fields, charts and walking read directly. */
#ifndef TH_GROUND_SURFACE_H
#define TH_GROUND_SURFACE_H

#include "geometry/bvh.h"
#include "geometry/mesh_frames.h"
#include "ground/ground.h"
#include "throng/surface.h"

struct th_surface {
  th_mesh mesh;          /* vertices of this version */
  th_mesh_frames frames; /* its `blocked` is the array below */
  th_bvh bvh;
  uint8_t *blocked;        /* of each face: 1 = may not be entered */
  uint8_t *on_wall;        /* of each vertex: 1 = at an end of a wall edge, or every face round it is blocked */
  float *vertex_clearance; /* metres along the surface to the nearest wall, capped; 0 where on_wall */
  float *face_clearance;   /* no point of the face is closer to a wall; 0 for blocked faces */
  float *speed;            /* factor of each face: slope times class */
  uint8_t *class_of;       /* of each face */
  int32_t *level_of;
  uint32_t *wall_half; /* half-edges of walkable faces that are walls, ascending */
  uint32_t wall_count;
  float mean_edge, shortest_edge; /* [m] */
  bool closed;                    /* no wall anywhere */
};

/* A vertex that a body of the class may not come to: on a wall or nearer to one than the radius. */
static inline bool th_surface_vertex_blocked(const th_ground *ground, uint32_t radius_class, uint32_t vertex) {
  const th_surface *s = ground->surface;
  return s->on_wall[vertex] || s->vertex_clearance[vertex] < ground->radius_class[radius_class];
}

#endif
