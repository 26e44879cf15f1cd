/* ground/mesh/ground.h - inside a mesh ground: what fields, charts and walking read directly. */
#ifndef TH_GROUND_MESH_GROUND_H
#define TH_GROUND_MESH_GROUND_H

#include <math.h>

#include "geometry/mesh/bvh.h"
#include "geometry/mesh/frames.h"
#include "ground/ground.h"
#include "throng/ground.h"

typedef struct th_mesh_form th_mesh_form;     /* form.h: what doors and obstacles do not change */
typedef struct th_mesh_region th_mesh_region; /* regions.h: a region, shared by versions */

/* A door or an obstacle of one version. */
typedef struct th_mesh_barrier {
  th_mesh_region *part;
  bool door, closed; /* obstacles are always closed */
} th_mesh_barrier;

struct th_mesh_ground {
  th_mesh mesh;            /* vertices of this version; its arrays belong to the form */
  th_mesh_frames frames;   /* its `blocked` is the array below; the others belong to the form */
  th_bvh bvh;              /* belongs to the form */
  uint8_t *blocked;        /* of each face: 1 = may not be entered */
  uint8_t *on_wall;        /* of each vertex: 1 = at an end of a wall edge, or every face round it is blocked */
  float *vertex_clearance; /* distance along the surface to the nearest wall [m], capped; 0 where on_wall */
  float *face_clearance;   /* no point of the face is closer to a wall; 0 for blocked faces */
  float *vertex_bound;     /* no wall is closer in space, so none is along the surface [m], capped; 0 where on_wall */
  float *speed;            /* factor of each face: slope times terrain; belongs to the form */
  const float *climb;      /* of each face, on top of that: straight up, straight down; NULL: 1; belongs to the form */
  uint8_t *terrain_of;     /* of each face; belongs to the form */
  int32_t *level_of;       /* belongs to the form */
  uint32_t *wall_half;     /* half-edges of walkable faces that are walls, ascending */
  uint32_t wall_count;
  float mean_edge, shortest_edge; /* [m] */
  bool closed;                    /* no wall anywhere */
  bool even;                      /* every factor in `speed` is 1, and there is no `climb` */

  double *sight;       /* of each vertex: the nearest wall in a straight line, infinite beyond the limit */
  double *far;         /* of each vertex: vertex_clearance in full precision, infinite beyond the limit */
  uint32_t *cover;     /* of each face: how many closed regions hold it */
  uint32_t *exit_half; /* of each blocked face: the half-edge to leave it by; TH_NO_HALF: there is none, or walkable */
  th_mesh_barrier *use;
  uint32_t use_count;
  th_mesh_form *form;
};

/* A vertex that a body of the class may not come to: on a wall or nearer to one than the radius. */
static inline bool th_mesh_vertex_blocked(const th_ground *ground, uint32_t radius_class, uint32_t vertex) {
  const th_mesh_ground *s = ground->mesh;
  return s->on_wall[vertex] || s->vertex_clearance[vertex] < ground->radius_class[radius_class];
}

/* A side of a walkable face that may not be crossed. */
static inline bool th_mesh_is_wall(const th_mesh_ground *s, uint32_t half) {
  uint32_t twin = s->mesh.twin[half];
  return twin == TH_NO_HALF || s->blocked[twin / 3];
}

/* How much faster or slower than `speed` says one is who walks in direction (x, y) of a face's frame, of any length;
 * needs `climb`. The steepest ascent is the direction in which z grows: along the z of both axes. */
static inline float th_mesh_climb(const th_mesh_ground *s, uint32_t face, float x, float y) {
  const th_face_space *axes = &s->frames.space[face];
  const float zx = axes->x[2], zy = axes->y[2], rise = zx * x + zy * y;
  const float most = sqrtf((zx * zx + zy * zy) * (x * x + y * y));
  if (!(most > 1e-6f)) return 1.0f;
  const float straight = s->climb[2 * (size_t)face + (rise < 0.0f)];
  return 1.0f + fabsf(rise / most) * (straight - 1.0f);
}

/* The same point of the surface after th_ground_deform: same face, same weights. */
th_place th_mesh_query_carry(const th_ground *before, const th_ground *after, th_place place);

/* Parts of th_ground_release, th_ground_edit, th_ground_clearance and so on for meshes. */
void th_mesh_ground_free(th_ground *ground);
th_result th_mesh_ground_edit(const th_ground *ground, const th_edit *edit, uint32_t count, uint32_t version,
                              th_ground **next, th_error *error);

#endif
