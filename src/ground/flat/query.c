/* ground/flat/query.c - questions about flat ground.
 *
 * The clearance raster answers most of them at once: a point lies at most half a diagonal from its cell's centre, so
 * a clearance above that proves the point walkable, and bounds the search for the nearest wall. What the raster leaves
 * open is decided exactly by the shapes and by the buckets of walls. Cost: a few nanoseconds away from walls, some
 * tens near them.
 */
#include <math.h>

#include "ground/calls.h"

static bool beyond(const th_ground *ground, float x, float y) {
  const th_box *b = &ground->bounds;
  return !((double)x >= b->x0 && (double)x <= b->x1 && (double)y >= b->y0 && (double)y <= b->y1);
}

static bool is_walkable(const th_ground *ground, float x, float y) {
  const th_flat_ground *flat = ground->flat;
  if (beyond(ground, x, y)) return false;
  float clearance = flat->clearance[th_ground_cell(ground, x, y)];
  if (clearance > flat->half_diagonal) return true;
  if (clearance < -flat->half_diagonal) return false;
  return th_shapes_walkable(flat->shapes, (double)x, (double)y);
}

static th_place place_at(const th_ground *ground, double x, double y) {
  return (th_place){th_ground_cell(ground, (float)x, (float)y), (float)x, (float)y};
}

static th_place locate(const th_ground *ground, th_vec3 point, int32_t level, float reach) {
  (void)level, (void)reach;
  if (!is_walkable(ground, point.x, point.y)) return (th_place){TH_NO_CELL, point.x, point.y};
  return place_at(ground, (double)point.x, (double)point.y);
}

static bool holds(const th_ground *ground, th_place place) { return is_walkable(ground, place.x, place.y); }

static th_place nearest_free(const th_ground *ground, th_place from) {
  return holds(ground, from) ? place_at(ground, (double)from.x, (double)from.y)
                             : th_flat_ground_nearest_free(ground, from);
}

static float clearance(const th_ground *ground, float x, float y) {
  float limit = ground->clearance_limit;
  bool walkable = is_walkable(ground, x, y);
  if (!(isfinite(x) && isfinite(y))) return -limit;
  th_point on;
  double distance;
  th_segment_grid_nearest(&ground->flat->wall_grid, (th_point){(double)x, (double)y}, (double)limit, &on, &distance);
  return walkable ? (float)distance : -(float)distance;
}

static float clearance_at(const th_ground *ground, th_place place) { return clearance(ground, place.x, place.y); }

static th_hit ray(const th_ground *ground, th_place from, th_vec2 direction, float length) {
  th_hit hit = {from, length, UINT32_MAX};
  if (!(isfinite(from.x) && isfinite(from.y) && isfinite(direction.x) && isfinite(direction.y))) return hit;
  th_point p = {(double)from.x, (double)from.y}, d = {(double)direction.x, (double)direction.y};
  double distance;
  hit.wall = th_segment_grid_ray(&ground->flat->wall_grid, p, d, (double)length, &distance);
  hit.distance = (float)distance;
  if (hit.wall != UINT32_MAX) hit.place = place_at(ground, p.x + distance * d.x, p.y + distance * d.y);
  return hit;
}

static th_hit nearest_wall(const th_ground *ground, th_place from, float reach) {
  th_hit hit = {from, reach, UINT32_MAX};
  if (!(isfinite(from.x) && isfinite(from.y))) return hit;
  th_point on, p = {(double)from.x, (double)from.y};
  double distance;
  hit.wall = th_segment_grid_nearest(&ground->flat->wall_grid, p, (double)reach, &on, &distance);
  hit.distance = (float)distance;
  if (hit.wall != UINT32_MAX) hit.place = place_at(ground, on.x, on.y);
  return hit;
}

/* The plane z = 0. */
static bool pick(const th_ground *ground, th_vec3 origin, th_vec3 direction, float length, th_place *place) {
  float t = -origin.z / direction.z;
  if (!(t >= 0.0f && t <= length)) return false;
  *place = th_ground_locate(ground, origin.x + t * direction.x, origin.y + t * direction.y);
  return place->cell != TH_NO_CELL;
}

/* ---------------------------------------------------------------- the plane in space */

static th_vec3 point(const th_ground *ground, th_place place) {
  return (void)ground, (th_vec3){place.x, place.y, 0.0f};
}

static th_vec3 normal(const th_ground *ground, th_place place) {
  return (void)ground, (void)place, (th_vec3){0.0f, 0.0f, 1.0f};
}

static th_vec3 to_space(const th_ground *ground, th_place place, th_vec2 v) {
  return (void)ground, (void)place, (th_vec3){v.x, v.y, 0.0f};
}

static th_vec2 to_cell(const th_ground *ground, th_place place, th_vec3 v) {
  return (void)ground, (void)place, (th_vec2){v.x, v.y};
}

const th_ground_calls th_flat_ground_calls = {.free = th_flat_ground_free,
                                              .edit = th_flat_ground_edit,
                                              .locate = locate,
                                              .clearance = clearance,
                                              .clearance_at = clearance_at,
                                              .holds = holds,
                                              .nearest_free = nearest_free,
                                              .ray = ray,
                                              .nearest_wall = nearest_wall,
                                              .pick = pick,
                                              .walk = th_flat_ground_walk,
                                              .point = point,
                                              .normal = normal,
                                              .to_space = to_space,
                                              .to_cell = to_cell};

/* ---------------------------------------------------------------- what flat ground alone has */

const th_segment *th_ground_walls(const th_ground *ground, uint32_t *count) {
  *count = ground->flat ? ground->flat->wall_count : 0;
  return ground->flat ? ground->flat->wall : NULL;
}

th_raster th_ground_clearance_raster(const th_ground *ground) {
  const th_flat_ground *flat = ground->flat;
  if (!flat) return (th_raster){0};
  float half = 0.5f * ground->cell;
  return (th_raster){flat->width, flat->height, flat->x0 + half, flat->y0 + half, ground->cell, flat->clearance};
}

uint32_t th_flat_query_walls(const th_ground *ground, th_vec2 lower, th_vec2 upper, uint32_t *index,
                             uint32_t capacity) {
  if (!ground->flat) return 0;
  th_box box = {(double)lower.x, (double)lower.y, (double)upper.x, (double)upper.y};
  return th_segment_grid_near(&ground->flat->wall_grid, &box, index, capacity);
}
