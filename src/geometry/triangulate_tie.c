/* geometry/triangulate_tie.c - joins points and lines of a drawing that are meant to touch, before it is triangulated.
 *
 * People draw a flight of stairs whose foot lies on the side of a hall; on the lattice its corners may lie one unit
 * beside that side. So a point within half a millimetre of an earlier point is replaced by it, and a line within half a
 * millimetre of a point is led through that point. Then two borders that are meant to be one have the same points.
 * Cost: points times lines.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geometry/triangulate_floor.h"

typedef struct stop {
  double at; /* along the line */
  uint32_t point;
} stop;

typedef struct stops {
  stop *item;
  uint32_t count, capacity;
} stops;

uint32_t th_floor_point(th_floor_lines *l, th_lattice_point p) {
  if (l->failed) return 0;
  if (!th_grow(&l->allocator, (void **)&l->point, &l->point_capacity, l->point_count + 1, sizeof *l->point)) {
    l->failed = true;
    return 0;
  }
  l->point[l->point_count] = p;
  return l->point_count++;
}

void th_floor_line(th_floor_lines *l, uint32_t a, uint32_t b) {
  if (l->failed || a == b) return;
  if (!th_grow(&l->allocator, (void **)&l->line, &l->line_capacity, l->line_count + 1, sizeof *l->line)) {
    l->failed = true;
    return;
  }
  l->line[l->line_count][0] = a;
  l->line[l->line_count++][1] = b;
}

void th_floor_lines_free(th_floor_lines *l) {
  TH_GIVE(&l->allocator, l->point, l->point_capacity);
  TH_GIVE(&l->allocator, l->line, l->line_capacity);
}

static double distance2(th_lattice_point a, th_lattice_point b) {
  double x = (double)a.x - b.x, y = (double)a.y - b.y;
  return x * x + y * y;
}

static uint32_t tied_point(th_floor_lines *l, th_lattice_point p) {
  for (uint32_t i = 0; i < l->point_count; i++)
    if (distance2(l->point[i], p) <= TH_FLOOR_JOIN * TH_FLOOR_JOIN) return i;
  return th_floor_point(l, p);
}

static void add_loop(th_floor_lines *l, const th_lattice_point *point, uint32_t count) {
  uint32_t first = 0, before = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = tied_point(l, point[i]);
    if (i)
      th_floor_line(l, before, v);
    else
      first = v;
    before = v;
  }
  if (count > 2) th_floor_line(l, before, first);
}

static int compare(const void *a, const void *b) {
  const stop *p = a, *q = b;
  if (p->at < q->at) return -1;
  if (p->at > q->at) return 1;
  return (p->point > q->point) - (p->point < q->point);
}

static bool add_stop(th_floor_lines *l, stops *s, double at, uint32_t point) {
  if (!th_grow(&l->allocator, (void **)&s->item, &s->capacity, s->count + 1, sizeof *s->item)) return false;
  s->item[s->count++] = (stop){at, point};
  return true;
}

static void lead_line(th_floor_lines *l, stops *s, uint32_t a, uint32_t b, th_floor_lines *out) {
  th_lattice_point p = l->point[a], q = l->point[b];
  double dx = (double)q.x - p.x, dy = (double)q.y - p.y, length2 = dx * dx + dy * dy;
  s->count = 0;
  for (uint32_t i = 0; i < l->point_count; i++) {
    if (i == a || i == b) continue;
    double x = (double)l->point[i].x - p.x, y = (double)l->point[i].y - p.y;
    double along = (x * dx + y * dy) / length2, beside = x * dy - y * dx;
    if (!(along > 0.0 && along < 1.0) || beside * beside > TH_FLOOR_JOIN * TH_FLOOR_JOIN * length2) continue;
    if (!add_stop(l, s, along, i)) {
      out->failed = true;
      return;
    }
  }
  if (s->count) qsort(s->item, s->count, sizeof *s->item, compare);
  uint32_t from = a;
  for (uint32_t i = 0; i < s->count; i++) {
    th_floor_line(out, from, s->item[i].point);
    from = s->item[i].point;
  }
  th_floor_line(out, from, b);
}

void th_floor_tie(const th_floor_def *def, th_floor_lines *lines) {
  th_floor_lines raw = {.allocator = def->allocator};
  stops s = {0};
  *lines = (th_floor_lines){.allocator = def->allocator};
  for (uint32_t i = 0; i < def->area_count; i++) add_loop(&raw, def->area[i].point, def->area[i].count);
  for (uint32_t i = 0; i < def->seam_count; i++) add_loop(&raw, def->seam[i], 2);
  lines->failed = raw.failed;
  for (uint32_t i = 0; i < raw.point_count; i++) th_floor_point(lines, raw.point[i]);
  for (uint32_t i = 0; i < raw.line_count && !lines->failed; i++)
    lead_line(&raw, &s, raw.line[i][0], raw.line[i][1], lines);
  TH_GIVE(&def->allocator, s.item, s.capacity);
  th_floor_lines_free(&raw);
}
