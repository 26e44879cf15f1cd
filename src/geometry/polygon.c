/* geometry/polygon.c - simple polygons.
 *
 * A polygon is simple when no two of its sides meet, except neighbours at their common point. Up to a few dozen sides
 * every pair is tested; with more, sides are compared within the buckets of a segment grid, O(n) for shapes whose sides
 * are short compared with the whole. The inside follows the even-odd rule with half-open sides, so that of two polygons
 * that share a side only one contains a given point.
 */
#include "geometry/polygon.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/segment_grid.h"

double th_polygon_area(const th_vec2 *point, uint32_t count) {
  /* Shoelace about the first point: small polygons far from the origin keep their digits. */
  double sum = 0.0;
  for (uint32_t k = 1; k + 1 < count; k++) {
    double ax = (double)point[k].x - (double)point[0].x, ay = (double)point[k].y - (double)point[0].y;
    double bx = (double)point[k + 1].x - (double)point[0].x, by = (double)point[k + 1].y - (double)point[0].y;
    sum += ax * by - ay * bx;
  }
  return 0.5 * sum;
}

bool th_polygon_ring_holds(const float *xy, size_t stride, uint32_t count, double x, double y) {
  bool odd = false;
  const float *last = xy + (count - 1) * stride;
  for (uint32_t k = 0; k < count; last = xy + stride * k++) {
    const float *next = xy + stride * k;
    double ay = (double)last[1], by = (double)next[1];
    if ((ay > y) == (by > y)) continue;
    double ax = (double)last[0], bx = (double)next[0];
    if (x < ax + (y - ay) * (bx - ax) / (by - ay)) odd = !odd;
  }
  return odd;
}

bool th_polygon_holds(const th_vec2 *point, uint32_t count, double x, double y) {
  return th_polygon_ring_holds(&point->x, 2, count, x, y);
}

uint32_t th_polygon_clean(const th_vec2 *point, uint32_t count, th_vec2 *out) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; k++) {
    th_vec2 p = point[k];
    if (kept && out[kept - 1].x == p.x && out[kept - 1].y == p.y) continue;
    out[kept++] = p;
  }
  while (kept > 1 && out[kept - 1].x == out[0].x && out[kept - 1].y == out[0].y) kept--;
  return kept;
}

th_box th_polygon_box(const th_vec2 *point, uint32_t count) {
  th_box box = th_box_empty();
  for (uint32_t k = 0; k < count; k++) th_box_add(&box, (double)point[k].x, (double)point[k].y);
  return box;
}

/* Sides i and j of n may share exactly the corner between them. */
static bool cross(const th_segment *side, uint32_t n, uint32_t i, uint32_t j) {
  const th_segment *p = &side[i], *q = &side[j];
  if (j == (i + 1) % n || i == (j + 1) % n) {
    if (i == (j + 1) % n) {
      const th_segment *swap = p;
      p = q;
      q = swap;
    }
    double px = (double)p->bx - (double)p->ax, py = (double)p->by - (double)p->ay;
    double qx = (double)q->bx - (double)q->ax, qy = (double)q->by - (double)q->ay;
    return px * qy - py * qx == 0.0 && px * qx + py * qy < 0.0; /* folds back onto itself */
  }
  return th_segments_touch(p, q);
}

typedef struct pair {
  uint32_t i, j;
  bool found;
} pair;

static pair crossing_of_few(const th_segment *side, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++)
      if (cross(side, n, i, j)) return (pair){i, j, true};
  return (pair){0, 0, false};
}

static pair crossing_of_many(const th_segment_grid *grid) {
  uint32_t buckets = grid->columns * grid->rows, n = grid->segment_count;
  for (uint32_t b = 0; b < buckets; b++)
    for (uint32_t p = grid->start[b]; p < grid->start[b + 1]; p++)
      for (uint32_t q = p + 1; q < grid->start[b + 1]; q++)
        if (cross(grid->segment, n, grid->item[p], grid->item[q])) return (pair){grid->item[p], grid->item[q], true};
  return (pair){0, 0, false};
}

#define FEW 48

static bool find_crossing(const th_allocator *allocator, const th_segment *side, uint32_t n, pair *out) {
  if (n <= FEW) {
    *out = crossing_of_few(side, n);
    return true;
  }
  th_segment_grid grid;
  if (!th_segment_grid_make(&grid, allocator, side, n, 1e6, 0.0)) return false;
  *out = crossing_of_many(&grid);
  th_segment_grid_free(&grid, allocator);
  return true;
}

static th_result check_simple(const th_allocator *allocator, const th_vec2 *point, uint32_t n, const char *where,
                              uint32_t element, th_error *error) {
  th_segment *side = TH_TAKE(allocator, th_segment, n);
  if (!side) return th_fail_memory(error, where);
  for (uint32_t k = 0; k < n; k++) {
    const th_vec2 *a = &point[k], *b = &point[(k + 1) % n];
    side[k] = (th_segment){a->x, a->y, b->x, b->y};
  }
  pair crossing;
  bool done = find_crossing(allocator, side, n, &crossing);
  th_result result = done ? TH_OK : th_fail_memory(error, where);
  if (done && crossing.found) {
    const th_segment *p = &side[crossing.i], *q = &side[crossing.j];
    result = th_fail_at(error, TH_ERROR_GEOMETRY, where, element,
                        "expected a polygon that does not cross or touch itself, found side (%g, %g)-(%g, %g) meeting "
                        "side (%g, %g)-(%g, %g)",
                        (double)p->ax, (double)p->ay, (double)p->bx, (double)p->by, (double)q->ax, (double)q->ay,
                        (double)q->bx, (double)q->by);
  }
  TH_GIVE(allocator, side, n);
  return result;
}

static th_result check_points(const th_polygon *polygon, const char *where, uint32_t element, th_error *error) {
  if (polygon->count < 3 || !polygon->point)
    return th_fail_at(error, TH_ERROR_GEOMETRY, where, element, "expected 3 or more points, found %u",
                      polygon->point ? polygon->count : 0);
  for (uint32_t k = 0; k < polygon->count; k++) {
    th_vec2 p = polygon->point[k];
    if (!(fabsf(p.x) <= TH_FARTHEST && fabsf(p.y) <= TH_FARTHEST))
      return th_fail_at(error, TH_ERROR_RANGE, where, element,
                        "expected coordinates within +-%g m, found (%g, %g) at point %u", (double)TH_FARTHEST,
                        (double)p.x, (double)p.y, k);
  }
  return TH_OK;
}

static bool on_one_line(const th_vec2 *p, uint32_t n) {
  for (uint32_t k = 2; k < n; k++) {
    double ax = (double)p[1].x - (double)p[0].x, ay = (double)p[1].y - (double)p[0].y;
    double bx = (double)p[k].x - (double)p[0].x, by = (double)p[k].y - (double)p[0].y;
    if (ax * by - ay * bx != 0.0) return false;
  }
  return true;
}

th_result th_polygon_check(const th_allocator *allocator, const th_polygon *polygon, const char *where,
                           uint32_t element, th_error *error) {
  th_result result = check_points(polygon, where, element, error);
  if (result) return result;
  th_vec2 *point = TH_TAKE(allocator, th_vec2, polygon->count);
  if (!point) return th_fail_memory(error, where);
  uint32_t n = th_polygon_clean(polygon->point, polygon->count, point);
  double x = (double)polygon->point[0].x, y = (double)polygon->point[0].y;
  if (n < 3)
    result = th_fail_at(error, TH_ERROR_GEOMETRY, where, element,
                        "expected 3 or more different points, found %u at (%g, %g)", n, x, y);
  else if (on_one_line(point, n)) /* the halves of a bow-tie cancel, too, but that one crosses itself */
    result = th_fail_at(error, TH_ERROR_GEOMETRY, where, element,
                        "expected a polygon with an area, found one of area 0 at (%g, %g)", x, y);
  else
    result = check_simple(allocator, point, n, where, element, error);
  TH_GIVE(allocator, point, polygon->count);
  return result;
}
