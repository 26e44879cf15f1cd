/* ground/query.c - questions about a ground of either kind.
 *
 * This file holds what is the same for both kinds; ground->calls answers the rest.
 */
#include <math.h>

#include "ground/calls.h"

th_ground_kind th_ground_kind_of(const th_ground *ground) {
  return th_ground_is_mesh(ground) ? TH_GROUND_MESH : TH_GROUND_FLAT;
}

uint32_t th_ground_version(const th_ground *ground) { return ground->version; }

void th_ground_bounds(const th_ground *ground, th_vec2 *lower, th_vec2 *upper) {
  *lower = (th_vec2){(float)ground->bounds.x0, (float)ground->bounds.y0};
  *upper = (th_vec2){(float)ground->bounds.x1, (float)ground->bounds.y1};
}

uint32_t th_ground_class(const th_ground *ground, float radius) {
  uint32_t k = 0;
  while (k + 1 < ground->class_count && ground->radius_class[k] < radius) k++;
  return k;
}

/* ---------------------------------------------------------------- places */

th_place th_ground_locate_at(const th_ground *ground, th_vec3 point, int32_t level, float reach) {
  return ground->calls->locate(ground, point, level, reach);
}

th_place th_ground_locate(const th_ground *ground, float x, float y) {
  return ground->calls->locate(ground, (th_vec3){x, y, 0.0f}, TH_ANY_LEVEL, INFINITY);
}

th_vec3 th_ground_point(const th_ground *ground, th_place place) { return ground->calls->point(ground, place); }

th_vec3 th_ground_normal(const th_ground *ground, th_place place) { return ground->calls->normal(ground, place); }

th_vec3 th_ground_to_space(const th_ground *ground, th_place place, th_vec2 v) {
  return ground->calls->to_space(ground, place, v);
}

th_vec2 th_ground_to_cell(const th_ground *ground, th_place place, th_vec3 v) {
  return ground->calls->to_cell(ground, place, v);
}

/* ---------------------------------------------------------------- walls */

float th_ground_clearance(const th_ground *ground, float x, float y) { return ground->calls->clearance(ground, x, y); }

float th_ground_clearance_at(const th_ground *ground, th_place place) {
  return ground->calls->clearance_at(ground, place);
}

th_hit th_ground_ray(const th_ground *ground, th_place from, th_vec2 direction, float length) {
  if (!(length >= 0.0f)) return (th_hit){from, length, UINT32_MAX};
  return ground->calls->ray(ground, from, direction, length);
}

th_hit th_ground_nearest_wall(const th_ground *ground, th_place from, float reach) {
  if (!(reach >= 0.0f)) return (th_hit){from, reach, UINT32_MAX};
  return ground->calls->nearest_wall(ground, from, reach);
}

bool th_ground_pick(const th_ground *ground, th_vec3 origin, th_vec3 direction, float length, th_place *place) {
  th_vec3 d = direction;
  float size = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  *place = (th_place){TH_NO_CELL, 0.0f, 0.0f};
  bool finite = isfinite(origin.x) && isfinite(origin.y) && isfinite(origin.z) && isfinite(size);
  if (!finite || !(size > 0.0f) || !(length >= 0.0f)) return false;
  d = (th_vec3){d.x / size, d.y / size, d.z / size};
  return ground->calls->pick(ground, origin, d, length, place);
}
