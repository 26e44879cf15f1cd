/* ground/flat/shapes.h - the shapes a flat ground is made of, and the exact test of a point against them. */
#ifndef TH_GROUND_FLAT_SHAPES_H
#define TH_GROUND_FLAT_SHAPES_H

#include "geometry/polygon.h"
#include "geometry/raster.h"
#include "ground/flat/image_walls.h"

typedef enum th_floor_polygon_kind { TH_FLOOR_OUTLINE, TH_FLOOR_DOOR, TH_FLOOR_OBSTACLE } th_floor_polygon_kind;

/* One polygon. Outlines run counterclockwise and solids clockwise, so walkable space is left of every side. */
typedef struct th_floor_polygon {
  th_floor_polygon_kind kind;
  bool closed;    /* doors only */
  th_vec2 *point; /* in the pool of the shapes */
  uint32_t count;
  const char *name;    /* in the pool of the shapes, or NULL */
  uint32_t first_side; /* an open door has no sides */
  uint32_t origin;     /* the same polygon in the version before; UINT32_MAX when new */
} th_floor_polygon;

typedef struct th_shapes th_shapes;

/* Order: outlines, doors, obstacles in the order they were added. It fixes the order of sides and walls, so an edited
 * ground equals one made of the same shapes. */
struct th_shapes {
  th_floor_polygon *polygon;
  uint32_t polygon_count;
  th_vec2 *point_pool;
  size_t point_count;
  char *name_pool;
  size_t name_size;
  th_image_walls *picture; /* or NULL */

  /* Sides of all polygons, then the picture's borders. */
  th_segment *side;
  uint32_t *side_polygon; /* polygon of each polygon side */
  uint32_t side_count, polygon_side_count;

  /* Polygon sides by horizontal stripe, ascending in each: what a line of constant y can cross. */
  double stripe_y0, stripe_inverse;
  uint32_t stripe_count, *stripe_start, *stripe_item, stripe_item_count;
};

/* A polygon before it is copied: `shape` belongs to the caller. */
typedef struct th_floor_polygon_draft {
  th_floor_polygon_kind kind;
  bool closed;
  th_polygon shape;
  uint32_t origin;
} th_floor_polygon_draft;

/* Copies checked drafts; takes a reference of `picture`. NULL when out of memory. */
th_shapes *th_shapes_make(const th_allocator *allocator, const th_floor_polygon_draft *draft, uint32_t count,
                          th_image_walls *picture);
void th_shapes_free(th_shapes *shapes, const th_allocator *allocator);

/* True when the point lies in an outline, in no obstacle or closed door, and on no dark pixel. */
bool th_shapes_walkable(const th_shapes *shapes, double x, double y);

/* Sets solid = 1 on the cells of the window whose centre is not walkable, else 0. False when out of memory. */
bool th_shapes_fill(const th_shapes *shapes, const th_lattice *lattice, const th_window *window, uint8_t *solid,
                    const th_allocator *allocator);

#endif
