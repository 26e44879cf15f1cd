/* throng/ground.h - what agents stand on.
 *
 * A ground is immutable and shared by reference count. An edit (a door, an obstacle) makes the next version, which
 * recomputes only what lies near the change. Flat ground: polygons and/or an image, all in one frame, x right, y up.
 * Mesh ground: triangles, each with a frame of its own: planets, statues, tubes, terrain, houses of several floors.
 * Agents walk on the side from which faces run counter-clockwise; walls are the border of the mesh and the edges
 * between walkable and blocked faces. Functions for one kind of ground say so and answer "none" on the other.
 * Threads: any; a ground never changes once it is made.
 */
#ifndef THRONG_GROUND_H
#define THRONG_GROUND_H

#include "geometry.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_ground th_ground;

typedef enum th_ground_kind { TH_GROUND_FLAT, TH_GROUND_MESH } th_ground_kind;

/** Where something is: a cell and x, y [m] in that cell's own isometric frame. On flat ground the cell is a square
 *  of the raster and every cell shares the ground's frame, so x, y are ground coordinates. On mesh ground the cell is a
 *  face: corner 0 is its frame's origin, corner 1 lies on the x axis, corner 2 above it. */
typedef struct th_place {
  uint32_t cell;
  float x, y;
} th_place;

#define TH_NO_CELL UINT32_MAX

/** A raster of float samples at cell centres; sample (i, j) stands at (x0 + i * cell, y0 + j * cell). */
typedef struct th_raster {
  uint32_t width, height;
  float x0, y0, cell;
  const float *sample;
} th_raster;

/* ---------------------------------------------------------------- markers */

typedef enum th_marker_layout {
  TH_MARKERS_RANDOM, /* dart throwing until no further marker fits: 0.70 / distance^2 per square metre */
  TH_MARKERS_GRID    /* flat ground: a square grid, `distance` apart; on a mesh random ones of the same density */
} th_marker_layout;

/** How markers are laid out; throng/markers.h makes them. */
typedef struct th_markers_def {
  float distance;     /* least distance, or width of the grid [m] [0.02, 100], default 0.2 */
  int32_t layout;     /* th_marker_layout, default random */
  float noise;        /* grid: each coordinate is shifted by up to this [m] [0, distance / 2], default 0 */
  uint64_t seed;      /* default 1 */
  bool through_walls; /* agents also use markers behind walls, as published; default false */
} th_markers_def;

/** The dense set of the model biocrowds: random, 0.2 m apart. */
TH_API th_markers_def th_default_markers_def(void);
/** The sparse set of the guide tree: a grid of 1.5 m with a noise of 0.1 m. */
TH_API th_markers_def th_sparse_markers_def(void);

/* ---------------------------------------------------------------- flat ground */

typedef struct th_door {
  th_polygon shape;
  bool closed;
} th_door;

/** An image of grey values, row 0 at the top; a pixel darker than `dark` is solid. */
typedef struct th_image {
  const uint8_t *grey;
  uint32_t width, height;
  float metres_per_pixel; /* (0, 100] */
  th_vec2 origin;         /* ground coordinates of the lower left corner */
  uint8_t dark;           /* default 128 */
} th_image;

#define TH_MAX_CLASSES 4

typedef struct th_flat_def {
  th_env env;
  const th_polygon *outline; /* walkable area: union of these; none = the image's rectangle */
  uint32_t outline_count;
  const th_polygon *obstacle;
  uint32_t obstacle_count;
  const th_door *door;
  uint32_t door_count;
  const th_image *image;              /* or NULL */
  float cell;                         /* raster cell [m] [0.01, 100], default 0.25 */
  float radius_class[TH_MAX_CLASSES]; /* ascending [m] [0, 100]; default one class of 0.25 */
  uint32_t class_count;               /* 1 to 4 */
  float clearance_limit;              /* clearance is exact up to this distance, or up to the largest radius class if
                                         that is more; larger values are capped [m] [0.01, 1000], default 4 */
  uint32_t cell_limit;                /* a raster of more cells is refused before memory is taken: a size in the wrong
                                         unit takes gigabytes. [1, 2^28], default 5,000,000 (560 x 560 m in cells of
                                         0.25 m); a harmonic field takes about 0.6 kB per cell */
  th_markers_def markers;             /* the set that models use; made when the first model asks for it */
} th_flat_def;

TH_API th_flat_def th_default_flat_def(void);
TH_API th_image th_default_image(void);

/** Makes version 1 of a flat ground. All data are copied. */
TH_API th_result th_ground_make_flat(const th_flat_def *def, th_ground **ground, th_error *error);

/* ---------------------------------------------------------------- mesh ground */

#define TH_ANY_LEVEL 0 /* levels of a building are other numbers, such as 1, 2 and -1 */
#define TH_MAX_TERRAINS 256

typedef enum th_region_kind {
  TH_REGION_BALL,  /* faces whose centroid lies within `radius` of `centre` */
  TH_REGION_PRISM, /* faces whose centroid lies, seen from above, in `outline` with z from `low` to `high` */
  TH_REGION_FACES  /* faces listed by their index in the mesh or triangles of the def */
} th_region_kind;

/** A part of a mesh. */
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

/** What faces are like: a terrain is blocked, or changes the speed of agents that walk on it. Every face has one. */
typedef struct th_terrain {
  const char *name;
  float speed; /* factor of the wanted speed [0.01, 10], default 1 */
  bool blocked;
  float speed_up, speed_down; /* instead of `speed`, straight up and straight down [0.01, 10]; between these, by the
                                 cosine of the angle to the steepest direction; default 0 = as speed. Fields use
                                 `speed` only */
} th_terrain;

typedef struct th_mesh_ground_def {
  th_env env;
  const th_mesh *mesh;      /* as th_mesh_build, th_mesh_load or th_mesh_generate made it: not checked again; or NULL */
  th_mesh_def triangles;    /* without `mesh`: triangles still to be checked and welded; its env is ignored */
  const th_region *blocked; /* obstacles */
  uint32_t blocked_count;
  const th_mesh_door *door;
  uint32_t door_count;
  const th_terrain *terrain; /* default: one terrain, speed 1 */
  uint32_t terrain_count;    /* at most TH_MAX_TERRAINS */
  const uint8_t *terrain_of; /* of each face of `mesh` or `triangles`, NULL: all 0 */
  const int32_t *level_of;   /* the same for levels */
  float slope_max;           /* faces steeper than this are blocked [degrees from level] (0, 180], default 180 */
  float slope_speed; /* speed on a slope of s degrees: 1 - slope_speed * s / 90, at least 0.1 [0, 1], default 0 */
  float slope_up;   /* an agent that walks straight up such a slope is slower by a further factor 1 - slope_up * s / 90,
                       at least 0.1; one that walks across it is not; fields do not use this factor [-1, 1], default 0 */
  float slope_down; /* the same straight down; below 0: faster [-1, 1], default 0 */
  float headroom;   /* faces with something closer above are blocked [m] [0, 100], default 0 = none */
  float radius_class[TH_MAX_CLASSES]; /* as in th_flat_def */
  uint32_t class_count;
  float clearance_limit;  /* as of flat ground [m] [0.01, 1000], default 4 */
  th_markers_def markers; /* as of flat ground */
} th_mesh_ground_def;

TH_API th_mesh_ground_def th_default_mesh_ground_def(void);

/** Makes version 1 of a mesh ground. All data are copied; a `mesh` is taken as it is, in O(n). */
TH_API th_result th_ground_make_mesh(const th_mesh_ground_def *def, th_ground **ground, th_error *error);

/* ---------------------------------------------------------------- versions */

/** One vertex that moved. */
typedef struct th_vertex_move {
  uint32_t vertex; /* of the mesh as th_ground_mesh shows it */
  th_vec3 to;
} th_vertex_move;

typedef enum th_edit_kind { TH_EDIT_OPEN, TH_EDIT_CLOSE, TH_EDIT_ADD, TH_EDIT_REMOVE, TH_EDIT_DEFORM } th_edit_kind;

/** One change of ground: open or close the door `name`, add the obstacle `shape` (on a mesh `region`), remove the
 *  obstacle `name`, deform a mesh by moving vertices (then the only edit of its call). */
typedef struct th_edit {
  th_edit_kind kind;
  const char *name;
  th_polygon shape;
  const th_region *region;
  const th_vertex_move *move;
  uint32_t move_count;
} th_edit;

TH_API th_edit th_default_edit(void); /* opens a door without a name: nothing yet */

/** Makes the next version; `ground` stays valid. All edits or none are applied. */
TH_API th_result th_ground_edit(const th_ground *ground, const th_edit *edit, uint32_t count, th_ground **next,
                                th_error *error);

/** The next version with vertices moved: frames, walls, clearance and slopes are recomputed; faces keep their numbers,
 *  so a place keeps its face and barycentric weights. Refused when a face loses its area. */
TH_API th_result th_ground_deform(const th_ground *ground, const th_vertex_move *move, uint32_t count, th_ground **next,
                                  th_error *error);

/** Reference counting; release of NULL is allowed. */
TH_API th_ground *th_ground_retain(th_ground *ground);
TH_API void th_ground_release(th_ground *ground);

/** 1 for a new ground, one more for each edit. */
TH_API uint32_t th_ground_version(const th_ground *ground);

/* ---------------------------------------------------------------- the whole */

TH_API th_ground_kind th_ground_kind_of(const th_ground *ground);

/** Lower left and upper right corner of everything walkable, seen from above [m]. */
TH_API void th_ground_bounds(const th_ground *ground, th_vec2 *lower, th_vec2 *upper);

/** The smallest radius class that is not below `radius`; the last one when all are smaller. */
TH_API uint32_t th_ground_class(const th_ground *ground, float radius);

/** Walls of flat ground; valid as long as the ground. On a mesh NULL and 0, since its walls are not segments of one
 *  plane; see th_ground_wall_halves. */
TH_API const th_segment *th_ground_walls(const th_ground *ground, uint32_t *count);

/** Walls of a mesh: half-edges of its walkable faces, ascending; NULL and 0 on flat ground. Valid as long as the
 *  ground. */
TH_API const uint32_t *th_ground_wall_halves(const th_ground *ground, uint32_t *count);

/** Flat ground: clearance at cell centres; valid as long as the ground. A mesh has no raster: all 0; see
 *  th_ground_clearance_at. */
TH_API th_raster th_ground_clearance_raster(const th_ground *ground);

/** The mesh of a mesh ground, NULL of a flat one; valid as long as the ground. */
TH_API const th_mesh *th_ground_mesh(const th_ground *ground);

/** 1 for faces that may not be entered; NULL on flat ground. */
TH_API const uint8_t *th_ground_blocked_faces(const th_ground *ground);

/** A passage that the polygons leave open, and that the raster of a radius class closes or tells by few cells. */
typedef struct th_passage {
  float x, y;  /* its narrowest spot [m] */
  float width; /* free width there [m] */
  uint32_t radius_class;
  bool closed; /* by the raster */
} th_passage;

/** Finds passages between wider places that the raster closes, and open ones with less than `cells` cells of free width
 *  beside a body of the class: below about 3 cells the flow depends on where the raster falls. `cells` [0, 6]; 0: only
 *  closed ones. Writes up to `capacity`, returns how many there are, UINT32_MAX
 *  when memory is short. 0 on a mesh: a mesh is not sampled, and its walls run along its edges. */
TH_API uint32_t th_ground_passages(const th_ground *ground, float cells, th_passage *passage, uint32_t capacity);

/* ---------------------------------------------------------------- places */

/** The place at x, y; cell = TH_NO_CELL when that point is solid or outside. On a mesh: th_ground_locate_at with z = 0,
 *  any level and any reach. */
TH_API th_place th_ground_locate(const th_ground *ground, float x, float y);

/** The place at or next to a point: the nearest place within 1 mm; otherwise, of the faces on the vertical line through
 *  the point, the nearest in height; otherwise the nearest place. All lie within the distance `reach` [m] and on
 * `level` (TH_ANY_LEVEL: any). cell = TH_NO_CELL when there is none or the face is blocked. On flat ground z, level and
 *  reach are ignored. */
TH_API th_place th_ground_locate_at(const th_ground *ground, th_vec3 point, int32_t level, float reach);

/** The ground that a ray in space meets first, for example under a mouse click: from `origin` along `direction` (of any
 *  length but 0), at most as far as `length` [m] [0, INFINITY]. Flat ground is the plane z = 0; faces of a mesh are met
 *  from either side. False, and cell = TH_NO_CELL, when there is nothing, or nothing that agents may stand on (solid, a
 *  blocked face). */
TH_API bool th_ground_pick(const th_ground *ground, th_vec3 origin, th_vec3 direction, float length, th_place *place);

/** The point in space, and the unit normal (0, 0, 1 on flat ground). */
TH_API th_vec3 th_ground_point(const th_ground *ground, th_place place);
TH_API th_vec3 th_ground_normal(const th_ground *ground, th_place place);

/** Turns a vector of the place's cell frame into space; and a vector in space into its part in the plane of the cell.
 */
TH_API th_vec3 th_ground_to_space(const th_ground *ground, th_place place, th_vec2 vector);
TH_API th_vec2 th_ground_to_cell(const th_ground *ground, th_place place, th_vec3 vector);

/** Barycentric weights of a place on a mesh, for the corners of its face; and the place of weights that sum to 1. */
TH_API th_vec3 th_ground_weights(const th_ground *ground, th_place place);
TH_API th_place th_ground_place_of(const th_ground *ground, uint32_t face, th_vec3 weights);

/** Level, terrain (an index into those of the def) and speed factor (slope times terrain) of a cell. Flat ground: 0,
 *  0, 1. */
TH_API int32_t th_ground_level(const th_ground *ground, uint32_t cell);
TH_API uint32_t th_ground_terrain(const th_ground *ground, uint32_t cell);
TH_API float th_ground_speed(const th_ground *ground, uint32_t cell);
/** The name of a terrain, its first 47 bytes; "" when it has none, and on flat ground. Valid as long as the ground. */
TH_API const char *th_ground_terrain_name(const th_ground *ground, uint32_t terrain);
/** The same for an agent that walks in `direction` of the cell's frame, of any length: speeds up and down slopes may
 *  differ. */
TH_API float th_ground_speed_along(const th_ground *ground, uint32_t cell, th_vec2 direction);

/* ---------------------------------------------------------------- walls near a place */

/** Distance to the nearest wall [m], negative inside solid space, capped at the clearance limit. On a mesh: that of the
 *  place th_ground_locate finds, or minus the limit where there is no place. */
TH_API float th_ground_clearance(const th_ground *ground, float x, float y);

/** Distance along the ground to the nearest wall [m], capped at the clearance limit; 0 on blocked faces of a mesh,
 *  negative in solid space of flat ground. On a mesh it is exact where a straight line over the surface reaches the
 *  wall; where the path bends round a saddle it follows edges, and the distance may be some percent too long. */
TH_API float th_ground_clearance_at(const th_ground *ground, th_place place);

/** A point of a wall. */
typedef struct th_hit {
  th_place place; /* on the wall; the place asked for when nothing is hit */
  float distance; /* along the ground [m]; the asked length or reach when nothing is hit */
  uint32_t wall;  /* flat ground: index in th_ground_walls; mesh: half-edge; UINT32_MAX when nothing is hit */
} th_hit;

/** First wall on the ray from a place along a unit vector of its cell's frame, at most as far as `length` [m] [0,
 *  INFINITY]. On a mesh the ray runs straight ahead over the faces, at most a million of them; from a blocked face it
 *  hits nothing. */
TH_API th_hit th_ground_ray(const th_ground *ground, th_place from, th_vec2 direction, float length);

/** Nearest wall within the distance `reach` [m] [0, INFINITY]. On a mesh: only walls that a straight line over the
 *  surface reaches within the clearance limit. */
TH_API th_hit th_ground_nearest_wall(const th_ground *ground, th_place from, float reach);

/** Moves a place by a vector of its cell frame as a disc of `radius`: over edges by unfolding, stopping and sliding at
 *  walls. `turn`, when not NULL, is turned as the frame turns along the path. True when a wall changed the
 *  displacement. */
TH_API bool th_ground_walk(const th_ground *ground, th_place *place, th_vec2 vector, float radius, th_turn *turn);

/** Thins a path, such as one of th_world_path, to its corners: the places kept move to the front of `place`, and their
 *  number is returned. First and last place are kept, and between these few enough that a disc of `radius` [m] [0, 100]
 *  walks straight from each to the next, without touching a wall that the path itself does not touch. On a mesh a
 *  straight line runs over the faces without turning and ends within a quarter of the mean edge of its corner. */
TH_API uint32_t th_ground_corners(const th_ground *ground, th_place *place, uint32_t count, float radius);

/** The shortest path of a body from one place to another: writes its corners, the two ends among them, up to `capacity`
 *  of them, and returns how many there are; 0 when there is no path. Walls are grown by the radius class of `radius`
 *  (th_ground_class). An end that is nearer to a wall stands for the nearest place where the body has room; of the
 *  second end that is the nearest one that it can reach. On flat ground the path is exact but for corners, which have
 * 45 degrees or less; on a mesh it is straight over the faces that it crosses, but another path may be some percent
 *  shorter. The first call on a version of the ground makes what all share: some 10 us per wall, or on a mesh eight
 *  passes over all faces. */
TH_API uint32_t th_ground_path(const th_ground *ground, th_place from, th_place to, float radius, th_place *place,
                               uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
