/* apps/page/ground.c - the ground in force, as arrays: walls and clearances of flat ground, faces and walls of a mesh.
 */
#include <math.h>

#include "page.h"

static const th_ground *ground_of(const th_page *page) { return th_world_ground(th_page_world(page)); }

uint32_t th_page_ground_version(const th_page *page) { return th_ground_version(ground_of(page)); }

const float *th_page_walls(const th_page *page, uint32_t *count) {
  const th_segment *wall = th_ground_walls(ground_of(page), count);
  _Static_assert(sizeof *wall == 4 * sizeof(float), "a segment is four numbers");
  return (const float *)wall;
}

const float *th_page_raster(const th_page *page, uint32_t *size, float *place) {
  th_raster raster = th_ground_clearance_raster(ground_of(page));
  size[0] = raster.width, size[1] = raster.height;
  place[0] = raster.x0, place[1] = raster.y0, place[2] = raster.cell;
  return raster.sample;
}

const double *th_page_vertices(const th_page *page, uint32_t *count) {
  const th_mesh *mesh = th_ground_mesh(ground_of(page));
  *count = mesh ? mesh->vertex_count : 0;
  return mesh ? mesh->xyz : NULL;
}

const uint32_t *th_page_corners(const th_page *page, uint32_t *count) {
  const th_mesh *mesh = th_ground_mesh(ground_of(page));
  *count = mesh ? mesh->face_count : 0;
  return mesh ? mesh->corner : NULL;
}

const uint8_t *th_page_blocked(const th_page *page) { return th_ground_blocked_faces(ground_of(page)); }

const uint32_t *th_page_wall_halves(const th_page *page, uint32_t *count) {
  return th_ground_wall_halves(ground_of(page), count);
}

int32_t th_page_level(const th_page *page, uint32_t face) { return th_ground_level(ground_of(page), face); }

uint32_t th_page_terrain(const th_page *page, uint32_t face) { return th_ground_terrain(ground_of(page), face); }

uint32_t th_page_pick(const th_page *page, const float *ray, float *point) {
  th_place place;
  const th_vec3 from = {ray[0], ray[1], ray[2]}, direction = {ray[3], ray[4], ray[5]};
  if (!th_ground_pick(ground_of(page), from, direction, INFINITY, &place)) return 0;
  th_vec3 found = th_ground_point(ground_of(page), place);
  point[0] = found.x, point[1] = found.y, point[2] = found.z;
  point[3] = th_ground_mesh(ground_of(page)) ? (float)th_ground_level(ground_of(page), place.cell) : 0;
  return 1;
}
