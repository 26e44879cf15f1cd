/* world/goal_check.c - is there any walkable cell under a goal's shape?
 *
 * A goal in a wall is refused when it is added, not when its field fails later. The raster cells of the shape's box are
 * tried one by one; a goal is small or, if it is large, hits a free cell soon.
 */
#include <math.h>

#include "field/grid/goal.h"
#include "geometry/polygon.h"
#include "world/world.h"

static float segment_distance2(th_vec2 a, th_vec2 b, float x, float y) {
  float ex = b.x - a.x, ey = b.y - a.y, px = x - a.x, py = y - a.y, square = ex * ex + ey * ey;
  float t = square > 0.0f ? (px * ex + py * ey) / square : 0.0f;
  t = fminf(fmaxf(t, 0.0f), 1.0f);
  float dx = px - t * ex, dy = py - t * ey;
  return dx * dx + dy * dy;
}

static bool covers(const th_shape *shape, float x, float y, float slack) {
  float reach = slack + (shape->kind == TH_SHAPE_DISC ? shape->radius : 0.0f);
  uint32_t sides = shape->kind == TH_SHAPE_POLYGON ? shape->count : shape->count > 1 ? shape->count - 1 : 1;
  for (uint32_t i = 0; i < sides; i++)
    if (segment_distance2(shape->point[i], shape->point[(i + 1) % shape->count], x, y) <= reach * reach) return true;
  return shape->kind == TH_SHAPE_POLYGON && th_polygon_holds(shape->point, shape->count, (double)x, (double)y);
}

static void box_of(const th_shape *shape, float slack, th_vec2 *lower, th_vec2 *upper) {
  float grow = slack + (shape->kind == TH_SHAPE_DISC ? shape->radius : 0.0f);
  *lower = (th_vec2){INFINITY, INFINITY};
  *upper = (th_vec2){-INFINITY, -INFINITY};
  for (uint32_t i = 0; i < shape->count; i++) {
    lower->x = fminf(lower->x, shape->point[i].x - grow);
    lower->y = fminf(lower->y, shape->point[i].y - grow);
    upper->x = fmaxf(upper->x, shape->point[i].x + grow);
    upper->y = fmaxf(upper->y, shape->point[i].y + grow);
  }
}

/* The mean of its points must lie on a walkable face. */
static th_result touches_mesh(const th_ground *ground, const th_shape *shape, th_error *error) {
  th_vec3 p = {0.0f, 0.0f, 0.0f};
  for (uint32_t i = 0; i < shape->count; i++) {
    p.x += shape->point[i].x / (float)shape->count;
    p.y += shape->point[i].y / (float)shape->count;
    p.z += shape->z ? shape->z[i] / (float)shape->count : 0.0f;
  }
  if (th_ground_locate_at(ground, p, shape->level, INFINITY).cell != TH_NO_CELL) return TH_OK;
  return th_fail(error, TH_ERROR_GEOMETRY, "goal",
                 "expected a goal on walkable ground, found (%g, %g, %g) on a blocked face or off the ground",
                 (double)p.x, (double)p.y, (double)p.z);
}

th_result th_goal_touches(const th_ground *ground, const th_shape *shape, th_error *error) {
  const th_flat_ground *flat = ground->flat;
  th_result result = th_goal_check(shape, error);
  if (result) return result;
  if (th_ground_is_mesh(ground)) return touches_mesh(ground, shape, error);
  float cell = ground->cell, slack = 0.7072f * cell;
  th_vec2 lower, upper;
  box_of(shape, slack, &lower, &upper);
  uint32_t low = th_ground_cell(ground, lower.x, lower.y), high = th_ground_cell(ground, upper.x, upper.y);
  for (uint32_t j = low / flat->width; j <= high / flat->width; j++) {
    for (uint32_t i = low % flat->width; i <= high % flat->width; i++) {
      if (flat->solid[(size_t)j * flat->width + i]) continue;
      float x = flat->x0 + ((float)i + 0.5f) * cell, y = flat->y0 + ((float)j + 0.5f) * cell;
      if (covers(shape, x, y, slack)) return TH_OK;
    }
  }
  return th_fail(error, TH_ERROR_GEOMETRY, "goal",
                 "expected a goal on walkable ground, found (%g, %g) inside a wall or "
                 "off the ground",
                 (double)shape->point[0].x, (double)shape->point[0].y);
}
