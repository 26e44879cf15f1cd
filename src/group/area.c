/* group/area.c - areas that groups fill: polygons and dark pixels.
 *
 * A point belongs to an area when some polygon, or a dark pixel, holds it. Both are seen from above, so an area works
 * on hills as on a plane. Cost: the corners of all polygons for each point that is asked for.
 */
#include <math.h>
#include <string.h>

#include "geometry/polygon.h"
#include "group/shape.h"

void th_group_area_free(th_group_area *area, const th_allocator *allocator) {
  TH_GIVE(allocator, area->point, area->point_count);
  TH_GIVE(allocator, area->end, area->polygons);
  TH_GIVE(allocator, area->light, (size_t)area->width * area->height);
  *area = (th_group_area){0};
}

static bool copy_polygons(th_group_area *area, const th_allocator *a, const th_polygon *polygon, uint32_t count) {
  uint32_t points = 0;
  for (uint32_t i = 0; i < count; i++) points += polygon[i].count;
  area->point = TH_TAKE(a, th_vec2, points);
  area->end = TH_TAKE(a, uint32_t, count);
  if (area->point) area->point_count = points;
  if (area->end) area->polygons = count;
  if (!area->point || !area->end) return false;
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i++) {
    memcpy(area->point + at, polygon[i].point, sizeof(th_vec2) * polygon[i].count);
    area->end[i] = at += polygon[i].count;
  }
  return true;
}

static bool copy_image(th_group_area *area, const th_allocator *a, const th_image *image) {
  size_t pixels = (size_t)image->width * image->height;
  area->light = TH_TAKE(a, uint8_t, pixels);
  if (!area->light) return false;
  area->width = image->width, area->height = image->height;
  area->pixel = image->metres_per_pixel;
  area->origin = image->origin;
  for (size_t i = 0; i < pixels; i++) area->light[i] = image->grey[i] >= image->dark;
  return true;
}

bool th_group_area_make(th_group_area *area, const th_allocator *allocator, const th_polygon *polygon, uint32_t count,
                        const th_image *image) {
  *area = (th_group_area){0};
  bool made = !count || copy_polygons(area, allocator, polygon, count);
  if (made && image) made = copy_image(area, allocator, image);
  if (!made) th_group_area_free(area, allocator);
  return made;
}

bool th_group_area_holds(const th_group_area *area, float x, float y) {
  for (uint32_t i = 0; i < area->polygons; i++) {
    uint32_t first = i ? area->end[i - 1] : 0;
    if (th_polygon_holds(area->point + first, area->end[i] - first, (double)x, (double)y)) return true;
  }
  if (!area->light) return false;
  float i = floorf((x - area->origin.x) / area->pixel), j = floorf((y - area->origin.y) / area->pixel);
  if (!(i >= 0.0f && j >= 0.0f && i < (float)area->width && j < (float)area->height)) return false;
  return !area->light[(size_t)(area->height - 1 - (uint32_t)j) * area->width + (uint32_t)i];
}
