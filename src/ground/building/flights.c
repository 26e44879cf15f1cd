/* ground/building/flights.c - flights and lanes between floors that are already triangulated.
 *
 * A strip takes the points that its two floors have along its ends, so that the seams fit exactly; its own plan is then
 * triangulated like a floor. Heights: z = low + rise * d / (d + e) with the distances d and e from the lines of foot
 * and head, which is the plane through both when they are parallel. Cost: points of a strip times those of its ends.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ground/building/building.h"

#define BESIDE (TH_FLOOR_JOIN + 4) /* units that a point of an end may lie beside its line */

typedef struct chain {
  th_lattice_point *point;
  uint32_t count, capacity;
} chain;

static double length_of(th_lattice_point a, th_lattice_point b) {
  double x = (double)b.x - a.x, y = (double)b.y - a.y;
  return sqrt(x * x + y * y);
}

/* The end of the floor's border edge that goes on from `at` along a b; TH_NOWHERE when the border leaves the line. */
static uint32_t go_on(const th_floor *f, uint32_t at, th_lattice_point a, th_lattice_point b) {
  double dx = (double)b.x - a.x, dy = (double)b.y - a.y, length = length_of(a, b);
  for (uint32_t h = 0; h < 3 * f->face_count; h++) {
    if (f->twin[h] != TH_NOWHERE || f->corner[h] != at) continue;
    uint32_t to = f->corner[th_triangulate_next(h)];
    double x = (double)f->point[to].x - a.x, y = (double)f->point[to].y - a.y;
    double further = ((double)f->point[to].x - f->point[at].x) * dx + ((double)f->point[to].y - f->point[at].y) * dy;
    if (further <= 0.0 || fabs(x * dy - y * dx) > BESIDE * length) continue;
    if ((x * dx + y * dy) <= length * (length + TH_FLOOR_JOIN)) return to;
  }
  return TH_NOWHERE;
}

static uint32_t point_at(const th_floor *f, th_lattice_point p) {
  uint32_t best = TH_NOWHERE;
  double min = TH_FLOOR_JOIN + 0.5;
  for (uint32_t h = 0; h < 3 * f->face_count; h++) {
    double away = f->twin[h] == TH_NOWHERE ? length_of(f->point[f->corner[h]], p) : min;
    if (away >= min) continue;
    min = away;
    best = f->corner[h];
  }
  return best;
}

/* The floor's border points from a to b, the floor on the left. */
static th_result follow(const th_builder *b, const th_floor *f, th_lattice_point from, th_lattice_point to, chain *c) {
  uint32_t at = point_at(f, from), end = point_at(f, to);
  if (end == TH_NOWHERE) return TH_ERROR_GEOMETRY;
  while (at != TH_NOWHERE) { /* ends: each point lies further along the line */
    if (!th_grow(&b->allocator, (void **)&c->point, &c->capacity, c->count + 1, sizeof *c->point))
      return TH_ERROR_MEMORY;
    c->point[c->count++] = f->point[at];
    if (at == end) return TH_OK;
    at = go_on(f, at, from, to);
  }
  return TH_ERROR_GEOMETRY;
}

static bool same(th_lattice_point a, th_lattice_point b) { return a.x == b.x && a.y == b.y; }

static double beside(th_lattice_point a, th_lattice_point b, th_lattice_point p) {
  return fabs((double)th_lattice_side(a, b, p)) / length_of(a, b);
}

/* Points of the ends lie at the heights of the floors, bit for bit. `head` is where the second chain begins. */
static double height_at(const th_builder *b, const th_strip *s, const chain *c, uint32_t head, th_lattice_point p) {
  double low = b->storey[s->from].z, high = b->storey[s->to].z;
  for (uint32_t i = 0; i < c->count; i++)
    if (same(c->point[i], p)) return i < head ? low : high;
  double d = beside(s->foot[0], s->foot[1], p), e = beside(s->head[0], s->head[1], p);
  return low + (high - low) * d / (d + e);
}

static th_result fill_strip(th_builder *b, th_strip *s, const chain *c, uint32_t head) {
  th_floor_area area = {c->point, c->count, (int32_t)s->terrain + 1, false};
  th_floor_def def = {.allocator = b->allocator, .area = &area, .area_count = 1, .edge = s->edge};
  th_error found = {0};
  th_result result = th_floor_make(&def, &s->floor, &found);
  if (result != TH_OK) return th_fail_at(b->error, result, s->list, s->element, "%s", found.text);
  s->z = TH_TAKE(&b->allocator, double, s->floor.point_count);
  if (!s->z) return th_fail_memory(b->error, "building");
  for (uint32_t i = 0; i < s->floor.point_count; i++) s->z[i] = height_at(b, s, c, head, s->floor.point[i]);
  return TH_OK;
}

static th_result fail_end(th_builder *b, const th_strip *s, bool head, th_result code) {
  if (code == TH_ERROR_MEMORY) return th_fail_memory(b->error, "building");
  const th_lattice_point *e = head ? s->head : s->foot;
  int32_t number = b->storey[head ? s->to : s->from].number;
  return th_fail_at(
      b->error, TH_ERROR_GEOMETRY, s->list, s->element,
      "expected its edge (%g, %g) to (%g, %g) to meet the floor of level %d along its whole length, found "
      "a gap, an obstacle or another opening there",
      (double)e[0].x / TH_LATTICE, (double)e[0].y / TH_LATTICE, (double)e[1].x / TH_LATTICE,
      (double)e[1].y / TH_LATTICE, number);
}

static void turn_about(chain *c, uint32_t from) {
  for (uint32_t i = from, j = c->count - 1; i < j; i++, j--) {
    th_lattice_point t = c->point[i];
    c->point[i] = c->point[j], c->point[j] = t;
  }
}

/* The plan's border runs foot[0], foot[1], head[1], head[0]; the floors' borders run against it. */
static th_result make_strip(th_builder *b, th_strip *s, chain *c) {
  th_result result = follow(b, &b->storey[s->from].floor, s->foot[1], s->foot[0], c);
  if (result != TH_OK) return fail_end(b, s, false, result);
  turn_about(c, 0);
  uint32_t head = c->count;
  result = follow(b, &b->storey[s->to].floor, s->head[0], s->head[1], c);
  if (result != TH_OK) return fail_end(b, s, true, result);
  turn_about(c, head);
  return fill_strip(b, s, c, head);
}

th_result th_building_flights(th_builder *b) {
  th_result result = TH_OK;
  for (uint32_t i = 0; result == TH_OK && i < b->strip_count; i++) {
    chain c = {0};
    result = make_strip(b, &b->strip[i], &c);
    TH_GIVE(&b->allocator, c.point, c.capacity);
  }
  return result;
}
