/* throng/file/plan.h - plans as architects and maps have them: polygons and lines in layers, and the scene that they
 * become.
 *
 * Part of throng_io. GeoJSON (RFC 7946; a feature's property "layer" names its layer) and well-known text are read
 * here; `throng convert` reads DXF and every other vector format through GDAL's program ogr2ogr, where it is installed.
 * Threads: any; calls on one plan must not overlap.
 */
#ifndef THRONG_FILE_PLAN_H
#define THRONG_FILE_PLAN_H

#include "../text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct th_plan_point {
  double x, y; /* in units of the file */
} th_plan_point;

/** A ring, or a line that is open. */
typedef struct th_plan_shape {
  uint32_t layer, first, count; /* points first ... first + count - 1; a ring does not repeat its first one */
  bool closed;
  bool hole; /* a ring inside the ring before it */
} th_plan_shape;

typedef struct th_plan_layer {
  char name[64];
  uint32_t rings, lines; /* how many shapes it has */
} th_plan_layer;

/** All zero is an empty plan. Free with th_plan_free. */
typedef struct th_plan {
  th_env env;
  th_plan_point *point;
  th_plan_shape *shape;
  th_plan_layer *layer;
  uint32_t point_count, shape_count, layer_count;
  uint32_t skipped; /* points alone, which mean nothing here */
  struct {
    uint32_t point_capacity, shape_capacity, layer_capacity;
  } tail; /* the library's own */
} th_plan;

/** Reads .geojson, .json or .wkt by the ending of the name. Of a WKT file, which has no layers, polygons are in the
 * layer "outline", lines in "lines". `env` may be NULL. At most 64 MB. */
TH_API th_result th_plan_load(const th_env *env, const char *path, th_plan *plan, th_error *error);
TH_API void th_plan_free(th_plan *plan);

/** What becomes of a plan. A role is a list of layers' names between plus signs, "WALLS+COLUMNS"; NULL = the layers
 * whose names contain a word of it in any case: outline, boundary or floor; obstacle, wall, column or pillar; door;
 * exit or goal. */
typedef struct th_plan_def {
  const char *name; /* of the scene */
  const char *outline, *obstacles, *doors, *exits;
  double unit;      /* metres per unit of the file, 0 = metres, if that makes the plan 2 to 2000 m wide and long */
  double thickness; /* of walls and doors that are single lines [m] [0.01, 10], default 0.2 */
} th_plan_def;

TH_API th_plan_def th_default_plan_def(void);

/** What the scene holds, and what was left out. */
typedef struct th_plan_made {
  uint32_t outlines, obstacles, doors, exits;
  uint32_t filled;  /* holes of obstacles, which became solid */
  uint32_t dropped; /* rings and lines without an extent */
  double moved[2];  /* added to all points [m]: plans far from 0, as maps of countries are, are brought there */
  double size[2];   /* of the outline [m] */
} th_plan_made;

/** Writes the plan as a scene to go on with: outline and holes, obstacles, doors, exits as goals that are sinks, and,
 * where there are exits, fifty people. Lines of a layer that meet within 1 mm are joined; an open line is a wall of the
 *  thickness given, in a layer of exits a line to reach, and in one of the outline an error. `*text` is released with
 *  th_text_free. */
TH_API th_result th_plan_scene(const th_plan *plan, const th_plan_def *def, char **text, th_plan_made *made,
                               th_error *error);

#ifdef __cplusplus
}
#endif
#endif
