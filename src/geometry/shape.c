/* geometry/shape.c - shapes of goals, regions and marks.
 *
 * Worlds and requests keep shapes longer than their callers do, so a shape can be copied with its points; a shape of up
 * to four points may hold them itself, and then a copy of the struct suffices. All tests use double precision. The
 * inside of a polygon is that of geometry/polygon.h, so a border point belongs to exactly one of two neighbours. Cost:
 * linear in the number of points.
 */
#include "geometry/shape.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/polygon.h"

/* ---------------------------------------------------------------- made of numbers */

th_shape th_point_shape_at(th_vec3 point) { return (th_shape){.kind = TH_SHAPE_POINT, .count = 1, .own = {point}}; }

th_shape th_disc_shape_at(th_vec3 centre, float radius) {
  return (th_shape){.kind = TH_SHAPE_DISC, .count = 1, .radius = radius, .own = {centre}};
}

th_shape th_point_shape(float x, float y) { return th_point_shape_at((th_vec3){x, y, 0.0f}); }

th_shape th_disc_shape(float x, float y, float radius) { return th_disc_shape_at((th_vec3){x, y, 0.0f}, radius); }

th_shape th_line_shape(float ax, float ay, float bx, float by) {
  return (th_shape){.kind = TH_SHAPE_LINE, .count = 2, .own = {{ax, ay, 0.0f}, {bx, by, 0.0f}}};
}

th_shape th_box_shape(float x0, float y0, float x1, float y1) {
  return (th_shape){.kind = TH_SHAPE_POLYGON,
                    .count = 4,
                    .any_z = true,
                    .own = {{x0, y0, 0.0f}, {x1, y0, 0.0f}, {x1, y1, 0.0f}, {x0, y1, 0.0f}}};
}

th_polygon th_box_polygon(float x0, float y0, float x1, float y1, th_vec2 corner[4]) {
  corner[0] = (th_vec2){x0, y0};
  corner[1] = (th_vec2){x1, y0};
  corner[2] = (th_vec2){x1, y1};
  corner[3] = (th_vec2){x0, y1};
  return (th_polygon){.point = corner, .count = 4};
}

/* ---------------------------------------------------------------- kept and compared */

bool th_shape_copy(const th_allocator *allocator, const th_shape *from, th_shape *to) {
  *to = *from;
  if (!from->point) return true;
  th_vec3 *point = TH_TAKE(allocator, th_vec3, from->count);
  to->point = point;
  if (point)
    memcpy(point, from->point, sizeof *point * from->count);
  else
    *to = (th_shape){0};
  return point;
}

void th_shape_free(const th_allocator *allocator, th_shape *shape) {
  th_give(allocator, (void *)(uintptr_t)shape->point, shape->count, sizeof *shape->point);
  *shape = (th_shape){0};
}

bool th_shape_same(const th_shape *a, const th_shape *b) {
  if (a->kind != b->kind || a->count != b->count || a->radius != b->radius || a->level != b->level) return false;
  if (a->any_z != b->any_z || a->apart != b->apart) return false;
  for (uint32_t n = 0; n < a->count; n++) {
    const th_vec3 p = th_shape_at(a, n), q = th_shape_at(b, n);
    if (memcmp(&p, &q, sizeof p) != 0) return false;
  }
  return true;
}

th_result th_shape_check(const th_shape *shape, const char *where, th_error *error) {
  static const uint32_t min[] = {1, 2, 1, 3};
  static const char *const name[] = {"point", "line", "disc", "polygon"};
  if ((unsigned)shape->kind > TH_SHAPE_POLYGON)
    return th_fail(error, TH_ERROR_RANGE, where, "expected a point, line, disc or polygon, found kind %d",
                   (int)shape->kind);
  const bool single = shape->kind == TH_SHAPE_POINT || shape->kind == TH_SHAPE_DISC;
  if (shape->count < min[shape->kind] || (single && shape->count != 1))
    return th_fail(error, TH_ERROR_RANGE, where, "a %s needs %s%u point(s), found %u", name[shape->kind],
                   single ? "" : "at least ", min[shape->kind], shape->count);
  if (shape->apart && (shape->kind != TH_SHAPE_LINE || shape->count % 2))
    return th_fail(error, TH_ERROR_RANGE, where, "lines apart need two points each, found a %s of %u",
                   name[shape->kind], shape->count);
  if (!shape->point && shape->count > 4)
    return th_fail(error, TH_ERROR_RANGE, where, "expected at most 4 points of its own, found %u", shape->count);
  for (uint32_t n = 0; n < shape->count; n++) {
    const th_vec3 p = th_shape_at(shape, n);
    if (!isfinite(p.x) || !isfinite(p.y))
      return th_fail_at(error, TH_ERROR_RANGE, where, n, "expected finite coordinates, found (%g, %g)", (double)p.x,
                        (double)p.y);
  }
  if (shape->kind == TH_SHAPE_DISC && !(shape->radius > 0.0f && shape->radius <= 1e4f))
    return th_fail(error, TH_ERROR_RANGE, where, "expected a disc's radius above 0 and at most 10000 m, found %g",
                   (double)shape->radius);
  return TH_OK;
}

/* ---------------------------------------------------------------- points and extent */

th_vec3 th_shape_at(const th_shape *shape, uint32_t n) { return th_shape_points(shape)[n]; }

const th_vec3 *th_shape_points(const th_shape *shape) { return shape->point ? shape->point : shape->own; }

th_vec3 th_shape_middle(const th_shape *shape) {
  th_vec3 sum = {0.0f, 0.0f, 0.0f};
  for (uint32_t n = 0; n < shape->count; n++) {
    const th_vec3 p = th_shape_at(shape, n);
    sum.x += p.x / (float)shape->count;
    sum.y += p.y / (float)shape->count;
    sum.z += p.z / (float)shape->count;
  }
  return sum;
}

th_box th_shape_bounds(const th_shape *shape) {
  th_box box = th_box_empty();
  for (uint32_t n = 0; n < shape->count; n++) {
    const th_vec3 p = th_shape_at(shape, n);
    th_box_add(&box, (double)p.x, (double)p.y);
  }
  return shape->kind == TH_SHAPE_DISC ? th_box_grow(box, (double)shape->radius) : box;
}

/* ---------------------------------------------------------------- inside and distance */

bool th_shape_covers(const th_shape *shape, double x, double y) {
  const th_vec3 *point = th_shape_points(shape);
  if (shape->kind == TH_SHAPE_POLYGON) return th_polygon_ring_holds(&point->x, 3, shape->count, x, y);
  if (shape->kind != TH_SHAPE_DISC) return false;
  const double dx = x - (double)point->x, dy = y - (double)point->y, r = (double)shape->radius;
  return dx * dx + dy * dy <= r * r;
}

bool th_shape_holds(const th_shape *shape, double x, double y, double z) {
  if (shape->kind == TH_SHAPE_DISC) {
    const th_vec3 c = th_shape_at(shape, 0);
    const double dx = x - (double)c.x, dy = y - (double)c.y, dz = z - (double)c.z, r = (double)shape->radius;
    return dx * dx + dy * dy + dz * dz <= r * r;
  }
  if (!shape->any_z && fabs(z - (double)th_shape_middle(shape).z) > TH_SHAPE_STOREY) return false;
  return th_shape_covers(shape, x, y);
}

static th_vec3 nearest_on_segment(th_vec3 a, th_vec3 b, th_vec3 p) {
  th_vec3 offset = th_minus3(b, a);
  float size = th_dot3(offset, offset), t = size > 0.0f ? th_dot3(th_minus3(p, a), offset) / size : 0.0f;
  t = t > 0.0f ? (t < 1.0f ? t : 1.0f) : 0.0f;
  return (th_vec3){a.x + t * offset.x, a.y + t * offset.y, a.z + t * offset.z};
}

th_vec3 th_shape_nearest(const th_shape *shape, th_vec3 p) {
  const th_vec3 *at = th_shape_points(shape);
  if (shape->kind == TH_SHAPE_POINT) return at[0];
  if (shape->kind == TH_SHAPE_DISC) {
    th_vec3 off = th_minus3(p, at[0]);
    float far = th_length3(off), k = far > shape->radius ? shape->radius / far : 1.0f;
    return (th_vec3){at[0].x + k * off.x, at[0].y + k * off.y, at[0].z + k * off.z};
  }
  bool closed = shape->kind == TH_SHAPE_POLYGON;
  if (closed && th_shape_holds(shape, (double)p.x, (double)p.y, (double)p.z)) return p;
  th_vec3 best = at[0];
  for (uint32_t i = closed ? 0 : 1; i < shape->count; i++) {
    if (shape->apart && i % 2 == 0) continue; /* between two lines */
    th_vec3 on = nearest_on_segment(at[i ? i - 1 : shape->count - 1], at[i], p);
    if (th_length3(th_minus3(on, p)) < th_length3(th_minus3(best, p))) best = on;
  }
  return best;
}

double th_shape_near(const th_shape *shape, double x, double y) {
  const th_vec3 *p = th_shape_points(shape);
  if (shape->kind == TH_SHAPE_POLYGON && th_shape_covers(shape, x, y)) return 0.0;
  double least = shape->count == 1 ? th_segment_distance2(&(th_segment){p->x, p->y, p->x, p->y}, x, y) : HUGE_VAL;
  for (uint32_t n = 0, a, b; th_shape_side(shape, n, &a, &b); n++) {
    const double d2 = th_segment_distance2(&(th_segment){p[a].x, p[a].y, p[b].x, p[b].y}, x, y);
    least = d2 < least ? d2 : least;
  }
  return shape->kind == TH_SHAPE_DISC ? fmax(0.0, sqrt(least) - (double)shape->radius) : sqrt(least);
}

th_shape th_shape_outline(const th_shape *shape, th_vec3 corner[TH_DISC_CORNERS]) {
  const double c = 0.99144486137381041, s = 0.13052619222005159; /* of 2 pi / 48 */
  if (shape->kind != TH_SHAPE_DISC) return *shape;
  const th_vec3 centre = th_shape_at(shape, 0);
  const double r = (double)shape->radius;
  th_point d = {1.0, 0.0};
  for (uint32_t n = 0; n < TH_DISC_CORNERS; n++) {
    corner[n] = (th_vec3){(float)((double)centre.x + r * d.x), (float)((double)centre.y + r * d.y), centre.z};
    d = th_turned2d(d, c, s);
  }
  return (th_shape){.kind = TH_SHAPE_POLYGON,
                    .point = corner,
                    .count = TH_DISC_CORNERS,
                    .level = shape->level,
                    .any_z = shape->any_z};
}
