/* group/shape.h - the shape of a group as weights of markers, on plain arrays. */
#ifndef TH_GROUP_SHAPE_H
#define TH_GROUP_SHAPE_H

#include "base/memory.h"
#include "throng/ground.h"

/* An area: polygons and dark pixels, seen from above. Owned by its maker. */
typedef struct th_group_area {
  th_vec2 *point;
  uint32_t point_count;
  uint32_t *end; /* of each polygon in `point` */
  uint32_t polygons;
  uint8_t *light; /* 0 for each pixel of the area, else 1, row 0 at the top */
  uint32_t width, height;
  float pixel; /* [m] */
  th_vec2 origin;
} th_group_area;

/* The def's parts as copies; false when out of memory. An area of nothing is empty. */
bool th_group_area_make(th_group_area *area, const th_allocator *allocator, const th_polygon *polygon, uint32_t count,
                        const th_image *image);
void th_group_area_free(th_group_area *area, const th_allocator *allocator);
static inline bool th_group_area_is_empty(const th_group_area *area) { return !area->polygons && !area->light; }
/* The pixels as an image again, whose memory is the area's. */
static inline th_image th_group_area_image(const th_group_area *area) {
  return (th_image){.grey = area->light,
                    .width = area->width,
                    .height = area->height,
                    .metres_per_pixel = area->pixel,
                    .origin = area->origin,
                    .dark = 1};
}
bool th_group_area_holds(const th_group_area *area, float x, float y);

/* All markers of a ground version, in squares seen from above. */
typedef struct th_group_sheet {
  uint32_t count;
  th_vec3 *point;
  uint32_t *start, *item; /* of each square; columns x rows + 1 */
  uint32_t columns, rows;
  float x0, y0, square; /* [m] */
} th_group_sheet;

bool th_group_sheet_make(th_group_sheet *sheet, const th_allocator *allocator, const th_vec3 *point, uint32_t count,
                         float square);
void th_group_sheet_free(th_group_sheet *sheet, const th_allocator *allocator);

/* Formation: inside[k] = 1 for markers in the area; returns how many. */
uint32_t th_group_sheet_mark(const th_group_sheet *sheet, const th_group_area *area, uint8_t *inside);

/* Whether one of these markers lies within a distance of a point, on its floor. */
bool th_group_sheet_touches(const th_group_sheet *sheet, const uint8_t *inside, th_vec3 at, float distance);

/* An alignment: arms along the axes at (c, s) and, or, to its left. */
typedef struct th_group_mask {
  float c, s;
  bool along, across;
  float arm, half_width; /* [m] */
} th_group_mask;

/* Adds to every marker in the mask of an agent its distance from the agent; contributions of all agents add up. */
void th_group_sheet_accumulate(const th_group_sheet *sheet, const th_group_mask *mask, th_vec3 agent, float *weight);

/* fit.c: share of the members outside an area; NAN without members or an area. */
double th_group_fit_outside(const th_group_area *area, const th_vec3 *at, uint32_t count);

/* fit.c: mean angle between the axes of a mask and the nearest member within 45 degrees of one [degrees], from above;
 * NAN when there is none. */
double th_group_fit_askew(const th_vec3 *at, uint32_t count, const th_group_mask *mask);

#endif
