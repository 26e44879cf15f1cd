/* world/goal_check.c - checks that a goal's shape covers a walkable cell.
 *
 * A goal in a wall is refused when it is added, not when its field fails later. The raster cells of the shape's box are
 * tried one by one; a goal is small or, if it is large, hits a free cell soon. On a mesh the search of the field
 * decides.
 */
#include <math.h>

#include "field/mesh/field.h"
#include "geometry/shape.h"
#include "world/world.h"

th_result th_goal_touches(const th_ground *ground, const th_shape *shape, th_error *error) {
  th_result result = th_shape_check(shape, "goal", error);
  if (result) return result;
  if (th_ground_is_mesh(ground)) return th_mesh_goal_check(ground, shape, error);
  float cell = ground->cell, slack = 0.7072f * cell;
  const th_box box = th_box_grow(th_shape_bounds(shape), (double)slack);
  uint32_t low = th_ground_cell(ground, (float)box.x0, (float)box.y0);
  uint32_t high = th_ground_cell(ground, (float)box.x1, (float)box.y1);
  for (uint32_t j = low / ground->flat->width; j <= high / ground->flat->width; j++) {
    for (uint32_t i = low % ground->flat->width; i <= high % ground->flat->width; i++) {
      if (ground->flat->solid[(size_t)j * ground->flat->width + i]) continue;
      float x = ground->flat->x0 + ((float)i + 0.5f) * cell, y = ground->flat->y0 + ((float)j + 0.5f) * cell;
      if (th_shape_near(shape, (double)x, (double)y) <= (double)slack) return TH_OK;
    }
  }
  return th_fail(error, TH_ERROR_GEOMETRY, "goal",
                 "expected a goal on walkable ground, found (%g, %g) inside a wall or "
                 "off the ground",
                 (double)th_shape_at(shape, 0).x, (double)th_shape_at(shape, 0).y);
}
