/* io/recording/mark.c - goals, doors, sources, lines and areas of a recording, on plans and on surfaces.
 *
 * On a plan a mark is its shape. On a surface a line or polygon becomes a row of points that follow the surface: each
 * side is divided into pieces of half a mean edge, and every point is put at the height of the surface above or below
 * it. A point beside the surface keeps its place at the height of the one before. Cost: one search per point, at most
 * TH_MARK_POINTS.
 */
#include "io/recording/mark.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "geometry/shape.h"
#include "ground/ground.h"
#include "io/recording/recording.h"

uint32_t th_mesh_mark_parts(const th_shape *shape) { return shape->apart ? shape->count / 2 : 1; }

th_shape th_mesh_mark_part(const th_shape *shape, uint32_t n) {
  th_shape part = *shape;
  if (!shape->apart) return part;
  part.point = th_shape_points(shape) + 2 * (size_t)n;
  part.count = 2;
  part.apart = false;
  return part;
}

/* The surface at a point of an outline; a line in space takes what is near, so that it stays on its side of a tube. */
static th_vec3 on_surface(const th_ground *ground, const th_shape *shape, th_vec3 p) {
  const float reach = shape->any_z ? INFINITY : (float)TH_SHAPE_STOREY + th_ground_beside(ground);
  const th_place place = th_ground_locate_at(ground, p, shape->level, shape->level ? INFINITY : reach);
  if (place.cell == TH_NO_CELL) return p;
  const th_vec3 q = th_ground_point(ground, place);
  const float beside = hypotf(q.x - p.x, q.y - p.y);
  if (shape->kind == TH_SHAPE_LINE && !shape->any_z) return q;
  return beside < 0.01f ? q : (th_vec3){p.x, p.y, q.z};
}

/* Into how many pieces a side is cut, so that all sides together keep below the limit. */
static uint32_t pieces_of(const th_ground *ground, const th_shape *shape, th_vec3 a, th_vec3 b) {
  const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y, z = (double)b.z - (double)a.z;
  const double wanted = ceil(2.0 * sqrt(x * x + y * y + z * z) / (double)ground->cell);
  const double most = TH_MARK_POINTS / shape->count - 1;
  return (uint32_t)fmax(1.0, fmin(wanted, most));
}

static uint32_t outline_of(const th_ground *ground, const th_shape *shape, float height,
                           th_vec3 outline[TH_MARK_POINTS]) {
  uint32_t count = 0;
  th_vec3 last = {0.0f, 0.0f, height};
  for (uint32_t n = 0, from, to; th_shape_side(shape, n, &from, &to); n++) {
    const th_vec3 a = th_shape_at(shape, from), b = th_shape_at(shape, to);
    const uint32_t pieces = pieces_of(ground, shape, a, b);
    const bool ends = shape->kind == TH_SHAPE_LINE && to + 1 == shape->count;
    for (uint32_t k = 0; k < pieces + ends; k++) {
      const float t = (float)k / (float)pieces;
      /* at any height: the height of the point before, so that an outline does not change floors */
      const float z = shape->any_z ? last.z : a.z + t * (b.z - a.z);
      last = on_surface(ground, shape, (th_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), z});
      outline[count++] = last;
    }
  }
  return count;
}

/* Heights that belong to the shape: all of its level, or a storey about its own. */
static void set_heights(const th_ground *ground, const th_shape *shape, th_mesh_mark *mark) {
  mark->low = -INFINITY;
  mark->high = INFINITY;
  if (shape->level) {
    mark->low = INFINITY;
    mark->high = -INFINITY;
    const th_mesh *mesh = th_ground_mesh(ground);
    for (uint32_t h = 0; h < 3 * mesh->face_count; h++) {
      if (th_ground_level(ground, h / 3) != shape->level) continue;
      const float z = (float)mesh->xyz[3 * (size_t)mesh->corner[h] + 2];
      mark->low = fminf(mark->low, z - 0.01f);
      mark->high = fmaxf(mark->high, z + 0.01f);
    }
  } else if (!shape->any_z) {
    const float z = th_shape_middle(shape).z;
    mark->low = z - (float)TH_SHAPE_STOREY;
    mark->high = z + (float)TH_SHAPE_STOREY;
  }
}

/* Half the extent of a shape, seen from above [m]. */
static double reach_of(const th_shape *shape, th_vec3 middle) {
  if (shape->kind == TH_SHAPE_POINT) return 0.0;
  double reach = (double)shape->radius;
  for (uint32_t i = 0; i < shape->count && shape->kind != TH_SHAPE_DISC; i++) {
    const th_vec3 p = th_shape_at(shape, i);
    reach = fmax(reach, 0.7 * hypot((double)(p.x - middle.x), (double)(p.y - middle.y)));
  }
  return reach;
}

bool th_mesh_mark_of(const th_ground *ground, const char *kind, const char *name, const th_shape *shape,
                     th_vec3 outline[TH_MARK_POINTS], th_mesh_mark *mark) {
  const th_vec3 middle = th_shape_middle(shape);
  const double reach = reach_of(shape, middle);
  const th_place place = th_ground_locate_at(ground, middle, shape->level, 10.0f + (float)reach);
  if (place.cell == TH_NO_CELL) return false;
  const float radius = shape->kind == TH_SHAPE_POINT && shape->radius > 0 ? shape->radius : (float)fmax(0.5, reach);
  *mark = (th_mesh_mark){.face = place.cell, .point = th_ground_point(ground, place), .radius = radius};
  snprintf(mark->kind, sizeof mark->kind, "%s", kind);
  snprintf(mark->name, sizeof mark->name, "%s", name ? name : "");
  if ((shape->kind == TH_SHAPE_LINE || shape->kind == TH_SHAPE_POLYGON) && shape->count < TH_MARK_POINTS / 2) {
    mark->outline = outline;
    mark->outline_count = outline_of(ground, shape, mark->point.z, outline);
    mark->closed = shape->kind == TH_SHAPE_POLYGON;
    set_heights(ground, shape, mark);
  }
  return true;
}

th_result th_recording_mark(th_recording *recording, const char *kind, const char *name, const th_shape *shape,
                            const th_ground *ground, th_error *error) {
  th_result result = th_recording_shape(recording, kind, name, shape, error);
  if (!ground || !th_ground_mesh(ground)) return result;
  for (uint32_t n = 0; n < th_mesh_mark_parts(shape) && result == TH_OK; n++) {
    const th_shape part = th_mesh_mark_part(shape, n);
    th_vec3 outline[TH_MARK_POINTS];
    th_mesh_mark mark;
    if (th_mesh_mark_of(ground, kind, name, &part, outline, &mark))
      result = th_recording_mesh_mark(recording, &mark, error);
  }
  return result;
}
