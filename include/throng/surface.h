/* throng/surface.h - triangle meshes as ground: planets, statues, tubes, terrain, houses of several floors.
 *
 * Agents walk on the side from which faces run counter-clockwise. Walls are the border of the mesh and the edges
 * between walkable and blocked faces. Everything else is as on flat ground: throng/ground.h, throng/world.h.
 * Threads: any; a ground never changes once it is made.
 */
#ifndef THRONG_SURFACE_H
#define THRONG_SURFACE_H

#include "ground.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TH_ANY_LEVEL 0 /* levels of a building are other numbers, such as 1, 2 and -1 */
#define TH_MAX_FACE_CLASSES 256

typedef enum th_region_kind {
  TH_REGION_BALL,  /* faces whose centroid lies within `radius` of `centre` */
  TH_REGION_PRISM, /* faces whose centroid lies, seen from above, in `outline` with z from `low` to `high` */
  TH_REGION_FACES  /* faces listed by their index in the mesh that was given */
} th_region_kind;

/** A part of a surface. */
typedef struct th_region {
  const char *name; /* needed for doors and for regions that an edit removes; else NULL */
  th_region_kind kind;
  th_vec3 centre;
  float radius; /* [m] (0, 1e6] */
  const th_vec2 *outline;
  uint32_t outline_count;
  float low, high; /* [m] */
  const uint32_t *face;
  uint32_t face_count;
} th_region;

typedef struct th_mesh_door {
  th_region region;
  bool closed;
} th_mesh_door;

/** Terrain: every face has a class; a class is blocked, or slows down agents that walk on it. */
typedef struct th_face_class {
  const char *name;
  float speed; /* factor of the wanted speed [0.01, 10], default 1 */
  bool blocked;
} th_face_class;

typedef struct th_mesh_ground_def {
  th_env env;
  th_mesh_def mesh;         /* its env is ignored */
  const th_region *blocked; /* obstacles */
  uint32_t blocked_count;
  const th_mesh_door *door;
  uint32_t door_count;
  const th_face_class *face_class; /* default: one class, speed 1 */
  uint32_t face_class_count;       /* at most TH_MAX_FACE_CLASSES */
  const uint8_t *class_of;         /* of each face given, NULL: all 0 */
  const int32_t *level_of;         /* of each face given, NULL: all 0 */
  float slope_max;                 /* faces steeper than this are blocked [degrees from level] (0, 180], default 180 */
  float slope_speed; /* speed on a slope of s degrees: 1 - slope_speed * s / 90, at least 0.1 [0, 1], default 0 */
  float headroom;    /* faces with something closer above are blocked [m] [0, 100], default 0 = none */
  float radius_class[TH_MAX_CLASSES]; /* as in th_flat_def */
  uint32_t class_count;
  float clearance_limit; /* [m], default 4 */
} th_mesh_ground_def;

/** One vertex that moved. */
typedef struct th_vertex_move {
  uint32_t vertex; /* of the mesh as th_ground_mesh shows it */
  th_vec3 to;
} th_vertex_move;

TH_API th_mesh_ground_def th_default_mesh_ground_def(void);

/** Makes version 1 of a mesh ground. All data are copied. Any thread. */
TH_API th_result th_ground_make_mesh(const th_mesh_ground_def *def, th_ground **ground, th_error *error);

/** The next version with vertices moved: frames, walls, clearance, slopes follow; faces keep their numbers, so a place
 *  keeps its face and barycentric weights. Refused when a face loses its area. */
TH_API th_result th_ground_deform(const th_ground *ground, const th_vertex_move *move, uint32_t count, th_ground **next,
                                  th_error *error);

/** The mesh of a mesh ground, NULL of a flat one; valid as long as the ground. */
TH_API const th_mesh *th_ground_mesh(const th_ground *ground);

/** 1 for faces that may not be entered; NULL on flat ground. */
TH_API const uint8_t *th_ground_blocked_faces(const th_ground *ground);

/** The place at or next to a point: the nearest within 1 mm; else of the faces on the plumb line through the point the
 *  nearest in height; else the nearest point; all within `reach` metres and of `level` or TH_ANY_LEVEL. cell =
 * TH_NO_CELL when there is none or the face is blocked. On flat ground z and level are ignored. Any thread, as all
 * queries here. */
TH_API th_place th_ground_locate_at(const th_ground *ground, th_vec3 point, int32_t level, float reach);

/** The point in space, and the unit normal (0, 0, 1 on flat ground). */
TH_API th_vec3 th_ground_point(const th_ground *ground, th_place place);
TH_API th_vec3 th_ground_normal(const th_ground *ground, th_place place);

/** A vector of the place's cell frame in space, and the part of a vector in space that lies in the cell. */
TH_API th_vec3 th_ground_to_space(const th_ground *ground, th_place place, th_vec2 vector);
TH_API th_vec2 th_ground_to_cell(const th_ground *ground, th_place place, th_vec3 vector);

/** Barycentric weights of a place on a mesh, for the corners of its face; and the place of weights that sum to 1. */
TH_API th_vec3 th_ground_weights(const th_ground *ground, th_place place);
TH_API th_place th_ground_place_of(const th_ground *ground, uint32_t face, th_vec3 weights);

/** Level, class and speed factor (slope and class) of a cell. Flat ground: 0, 0, 1. */
TH_API int32_t th_ground_level(const th_ground *ground, uint32_t cell);
TH_API uint32_t th_ground_face_class(const th_ground *ground, uint32_t cell);
TH_API float th_ground_speed(const th_ground *ground, uint32_t cell);

/** Metres along the surface to the nearest wall, capped at the clearance limit; 0 on blocked faces. Exact where the
 *  wall is in sight in a straight line; a way that bends round a saddle follows edges and may be some percent too
 *  long. Both kinds of ground. */
TH_API float th_ground_clearance_at(const th_ground *ground, th_place place);

/** Moves a place by a vector of its cell frame as a disc of `radius`: over edges by unfolding, stopping and sliding at
 *  walls. `turn`, when not NULL, is turned as the frame turns along the way. True when a wall changed the way. */
TH_API bool th_ground_walk(const th_ground *ground, th_place *place, th_vec2 vector, float radius, th_turn *turn);

#ifdef __cplusplus
}
#endif
#endif
