/* apps/page/fields.c - the fields that lead to goals, sampled where a picture needs them: in the middle of every cell
 * of a raster, or of every face of a mesh. Cost: a query each.
 */
#include <math.h>
#include <stdlib.h>

#include "page.h"

static void put_sample(th_page_numbers *to, const th_ground *ground, const th_field *field, th_place place) {
  float row[6] = {INFINITY, -INFINITY, 0, 0, 0, 0};
  if (place.cell != TH_NO_CELL && th_field_reaches(field, place)) {
    const th_field_gradient g = th_field_gradient_at(field, place);
    const th_vec3 direction = th_ground_to_space(ground, place, (th_vec2){g.dx, g.dy});
    row[0] = g.left, row[1] = (float)th_field_log(field, place);
    row[2] = direction.x, row[3] = direction.y, row[4] = direction.z, row[5] = 1.0f;
  }
  th_page_put(to, row, 6);
}

static void sample_raster(th_page_numbers *to, const th_ground *ground, const th_field *field) {
  const th_raster raster = th_ground_clearance_raster(ground);
  for (uint32_t y = 0; y < raster.height; y++)
    for (uint32_t x = 0; x < raster.width; x++)
      put_sample(to, ground, field,
                 th_ground_locate(ground, raster.x0 + (float)x * raster.cell, raster.y0 + (float)y * raster.cell));
}

static void sample_faces(th_page_numbers *to, const th_ground *ground, const th_field *field) {
  const float third = 1.0f / 3.0f;
  const uint8_t *blocked = th_ground_blocked_faces(ground);
  for (uint32_t f = 0; f < th_ground_mesh(ground)->face_count; f++) {
    const th_place place = th_ground_place_of(ground, f, (th_vec3){third, third, third});
    put_sample(to, ground, field, blocked[f] ? (th_place){.cell = TH_NO_CELL} : place);
  }
}

const float *th_page_field(th_page *page, uint32_t goal, float radius, uint32_t *count) {
  const th_world *world = th_page_world(page);
  const th_ground *ground = th_world_ground(world);
  const th_goal_id id = th_page_goal(page, goal);
  const th_field *field = th_world_has_goal(world, id) ? th_world_field(world, id, radius) : NULL;
  *count = page->field.count = 0;
  if (!field) return NULL;
  (th_ground_mesh(ground) ? sample_faces : sample_raster)(&page->field, ground, field);
  *count = page->field.failed ? 0 : page->field.count / 6;
  return page->field.at;
}

const float *th_page_path(th_page *page, const float *from, uint32_t goal, float radius, uint32_t *count) {
  const th_world *world = th_page_world(page);
  const th_ground *ground = th_world_ground(world);
  const th_goal_id id = th_page_goal(page, goal);
  const th_vec3 start = {from[0], from[1], from[2]};
  *count = page->path.count = 0;
  if (!th_world_has_goal(world, id)) return NULL;
  const uint32_t places = th_world_path(world, start, id, radius, NULL, 0);
  th_place *place = malloc((places + 1) * sizeof *place);
  if (place) th_world_path(world, start, id, radius, place, places);
  for (uint32_t i = 0; place && i < places; i++) {
    const th_vec3 point = th_ground_point(ground, place[i]);
    th_page_put(&page->path, (const float[3]){point.x, point.y, point.z}, 3);
  }
  free(place);
  *count = page->path.failed ? 0 : page->path.count / 3;
  return page->path.at;
}
