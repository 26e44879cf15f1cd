/* ground/query.c - questions about a ground.
 *
 * The clearance raster answers most of them at once: a point lies at most half a diagonal from its cell's centre, so
 * a clearance above that proves the point walkable, and bounds the search for the nearest wall. What the raster leaves
 * open is decided exactly by the shapes and by the buckets of walls. Cost: a few nanoseconds away from walls, some
 * tens near them.
 */
#include "ground/mesh/ray.h"
#include "ground/walk.h"

th_ground_kind th_ground_kind_of(const th_ground *ground) {
  return th_ground_is_mesh(ground) ? TH_GROUND_MESH : TH_GROUND_FLAT;
}

uint32_t th_ground_version(const th_ground *ground) { return ground->version; }

void th_ground_bounds(const th_ground *ground, th_vec2 *lower, th_vec2 *upper) {
  *lower = (th_vec2){(float)ground->bounds.x0, (float)ground->bounds.y0};
  *upper = (th_vec2){(float)ground->bounds.x1, (float)ground->bounds.y1};
}

static bool beyond(const th_ground *ground, float x, float y) {
  const th_box *b = &ground->bounds;
  return !((double)x >= b->x0 && (double)x <= b->x1 && (double)y >= b->y0 && (double)y <= b->y1);
}

bool th_ground_is_walkable(const th_ground *ground, float x, float y) {
  const th_flat_ground *flat = ground->flat;
  if (th_ground_is_mesh(ground)) return th_ground_locate(ground, x, y).cell != TH_NO_CELL;
  if (beyond(ground, x, y)) return false;
  float clearance = flat->clearance[th_ground_cell(ground, x, y)];
  if (clearance > flat->half_diagonal) return true;
  if (clearance < -flat->half_diagonal) return false;
  return th_shapes_walkable(flat->shapes, (double)x, (double)y);
}

th_place th_ground_locate(const th_ground *ground, float x, float y) {
  if (th_ground_is_mesh(ground)) return th_ground_locate_at(ground, (th_vec3){x, y, 0.0f}, TH_ANY_LEVEL, INFINITY);
  if (!th_ground_is_walkable(ground, x, y)) return (th_place){TH_NO_CELL, x, y};
  return (th_place){th_ground_cell(ground, x, y), x, y};
}

static th_place flat_place(const th_ground *ground, double x, double y) {
  return (th_place){th_ground_cell(ground, (float)x, (float)y), (float)x, (float)y};
}

static float clearance_on_mesh(const th_ground *ground, float x, float y) {
  th_place place = th_ground_locate(ground, x, y);
  return place.cell == TH_NO_CELL ? -ground->clearance_limit : th_ground_clearance_at(ground, place);
}

float th_ground_clearance(const th_ground *ground, float x, float y) {
  float limit = ground->clearance_limit;
  if (th_ground_is_mesh(ground)) return clearance_on_mesh(ground, x, y);
  bool walkable = th_ground_is_walkable(ground, x, y);
  if (!(isfinite(x) && isfinite(y))) return -limit;
  th_point on;
  double distance;
  th_segment_grid_nearest(&ground->flat->wall_grid, (th_point){(double)x, (double)y}, (double)limit, &on, &distance);
  return walkable ? (float)distance : -(float)distance;
}

uint32_t th_ground_class(const th_ground *ground, float radius) {
  uint32_t k = 0;
  while (k + 1 < ground->class_count && ground->radius_class[k] < radius) k++;
  return k;
}

static th_hit ray_on_flat(const th_ground *ground, th_place from, th_vec2 direction, float length) {
  th_hit hit = {from, length, UINT32_MAX};
  if (!(isfinite(from.x) && isfinite(from.y) && isfinite(direction.x) && isfinite(direction.y))) return hit;
  th_point p = {(double)from.x, (double)from.y}, d = {(double)direction.x, (double)direction.y};
  double distance;
  hit.wall = th_segment_grid_ray(&ground->flat->wall_grid, p, d, (double)length, &distance);
  hit.distance = (float)distance;
  if (hit.wall != UINT32_MAX) hit.place = flat_place(ground, p.x + distance * d.x, p.y + distance * d.y);
  return hit;
}

th_hit th_ground_ray(const th_ground *ground, th_place from, th_vec2 direction, float length) {
  if (!(length >= 0.0f)) return (th_hit){from, length, UINT32_MAX};
  return th_ground_is_mesh(ground) ? th_mesh_ray(ground, from, direction, length)
                                   : ray_on_flat(ground, from, direction, length);
}

static th_hit nearest_on_flat(const th_ground *ground, th_place from, float reach) {
  th_hit hit = {from, reach, UINT32_MAX};
  if (!(isfinite(from.x) && isfinite(from.y))) return hit;
  th_point on, p = {(double)from.x, (double)from.y};
  double distance;
  hit.wall = th_segment_grid_nearest(&ground->flat->wall_grid, p, (double)reach, &on, &distance);
  hit.distance = (float)distance;
  if (hit.wall != UINT32_MAX) hit.place = flat_place(ground, on.x, on.y);
  return hit;
}

th_hit th_ground_nearest_wall(const th_ground *ground, th_place from, float reach) {
  if (!(reach >= 0.0f)) return (th_hit){from, reach, UINT32_MAX};
  return th_ground_is_mesh(ground) ? th_mesh_wall_near(ground, from, reach) : nearest_on_flat(ground, from, reach);
}

/* The plane z = 0. */
static bool pick_on_flat(const th_ground *ground, th_vec3 origin, th_vec3 way, float length, th_place *place) {
  float t = -origin.z / way.z;
  if (!(t >= 0.0f && t <= length)) return false;
  *place = th_ground_locate(ground, origin.x + t * way.x, origin.y + t * way.y);
  return place->cell != TH_NO_CELL;
}

bool th_ground_pick(const th_ground *ground, th_vec3 origin, th_vec3 direction, float length, th_place *place) {
  th_vec3 d = direction;
  float size = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  *place = (th_place){TH_NO_CELL, 0.0f, 0.0f};
  bool finite = isfinite(origin.x) && isfinite(origin.y) && isfinite(origin.z) && isfinite(size);
  if (!finite || !(size > 0.0f) || !(length >= 0.0f)) return false;
  d = (th_vec3){d.x / size, d.y / size, d.z / size};
  return th_ground_is_mesh(ground) ? th_mesh_pick(ground, origin, d, length, place)
                                   : pick_on_flat(ground, origin, d, length, place);
}

const th_segment *th_ground_walls(const th_ground *ground, uint32_t *count) {
  *count = ground->flat ? ground->flat->wall_count : 0;
  return ground->flat ? ground->flat->wall : NULL;
}

th_raster th_ground_clearance_raster(const th_ground *ground) {
  const th_flat_ground *flat = ground->flat;
  if (th_ground_is_mesh(ground)) return (th_raster){0};
  float half = 0.5f * ground->cell;
  return (th_raster){flat->width, flat->height, flat->x0 + half, flat->y0 + half, ground->cell, flat->clearance};
}

uint32_t th_walls_near(const th_ground *ground, th_vec2 lower, th_vec2 upper, uint32_t *index, uint32_t capacity) {
  if (th_ground_is_mesh(ground)) return 0;
  th_box box = {(double)lower.x, (double)lower.y, (double)upper.x, (double)upper.y};
  return th_segment_grid_near(&ground->flat->wall_grid, &box, index, capacity);
}
