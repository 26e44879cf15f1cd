/* throng/ground.h - what agents stand on.
 *
 * A ground is immutable and shared by reference count. An edit (a door, an obstacle) makes the next version, which
 * recomputes only what lies near the change. Flat ground: polygons and/or an image, all in one frame, x right, y up.
 * Mesh ground, which throng/surface.h makes: triangles, each with a frame of its own.
 * Threads: any; a ground never changes once it is made.
 */
#ifndef THRONG_GROUND_H
#define THRONG_GROUND_H

#include "geometry.h"

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
  float clearance_limit;              /* clearance is exact up to here and capped above [m], default 4 */
} th_flat_def;

typedef enum th_edit_kind { TH_EDIT_OPEN, TH_EDIT_CLOSE, TH_EDIT_ADD, TH_EDIT_REMOVE, TH_EDIT_DEFORM } th_edit_kind;

struct th_region; /* surface.h */
struct th_vertex_move;

/** One change of ground: open or close the door `name`, add the obstacle `shape` (on a mesh `region`), remove the
 *  obstacle `name`, deform a mesh by moving vertices (then the only edit of its call). */
typedef struct th_edit {
  th_edit_kind kind;
  const char *name;
  th_polygon shape;
  const struct th_region *region;
  const struct th_vertex_move *move;
  uint32_t move_count;
} th_edit;

/** A passage that the polygons leave open and the raster of a radius class closes. */
typedef struct th_passage {
  float x, y;  /* its narrowest spot [m] */
  float width; /* free width there [m] */
  uint32_t radius_class;
} th_passage;

typedef struct th_hit {
  float x, y;     /* point on the wall */
  float distance; /* from the start [m]; the asked length when nothing is hit */
  uint32_t wall;  /* index of the segment, UINT32_MAX when nothing is hit */
} th_hit;

TH_API th_flat_def th_default_flat_def(void);
TH_API th_image th_default_image(void);

/** Makes version 1 of a flat ground. All data are copied. Any thread. */
TH_API th_result th_ground_make_flat(const th_flat_def *def, th_ground **ground, th_error *error);

/** Makes the next version; `ground` stays valid. All edits or none are applied. Any thread. */
TH_API th_result th_ground_edit(const th_ground *ground, const th_edit *edit, uint32_t count, th_ground **next,
                                th_error *error);

/** Reference counting; release of NULL is allowed. Any thread. */
TH_API th_ground *th_ground_retain(th_ground *ground);
TH_API void th_ground_release(th_ground *ground);

TH_API th_ground_kind th_ground_kind_of(const th_ground *ground);

/** 1 for a new ground, one more for each edit. */
TH_API uint32_t th_ground_version(const th_ground *ground);

/** Lower left and upper right corner of everything walkable [m]. */
TH_API void th_ground_bounds(const th_ground *ground, th_vec2 *lower, th_vec2 *upper);

/** The place at x, y; cell = TH_NO_CELL when that point is solid or outside. Any thread, as all queries below. */
TH_API th_place th_ground_locate(const th_ground *ground, float x, float y);

/** Metres to the nearest wall, negative inside solid space, capped at the clearance limit. */
TH_API float th_ground_clearance(const th_ground *ground, float x, float y);

/** The smallest class whose radius is not below `radius`; the last one when all are smaller. */
TH_API uint32_t th_ground_class(const th_ground *ground, float radius);

/** First wall on the way from (x, y) along the unit direction (dx, dy), at most `length` metres. */
TH_API th_hit th_ground_ray(const th_ground *ground, float x, float y, float dx, float dy, float length);

/** Nearest wall within `reach` metres. */
TH_API th_hit th_ground_nearest_wall(const th_ground *ground, float x, float y, float reach);

/** All wall segments; valid as long as the ground. */
TH_API const th_segment *th_ground_walls(const th_ground *ground, uint32_t *count);

/** Clearance at cell centres; valid as long as the ground. */
TH_API th_raster th_ground_clearance_raster(const th_ground *ground);

/** Finds passages that the raster closes. Writes up to `capacity`, returns how many there are. */
TH_API uint32_t th_ground_passages(const th_ground *ground, th_passage *passage, uint32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
