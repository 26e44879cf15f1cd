/* geometry/triangulate_floor.c - polygons with holes as triangles of an even size.
 *
 * First all lines are triangulated as they are, and for each region between them the areas that contain it are found:
 * so overlaps, touching holes and lines that run together need no special rules. Then the borders of the resulting
 * floor are cut to the wanted length and triangulated again, and points of a hexagonal grid at some distance from the
 * borders fill the inside, so that most triangles are equilateral. A passage may be too narrow for grid points; its
 * triangles have all their corners on borders, and a field over the points leads nobody through. So edges that run from
 * border to border across a passage are halved: where none is left, the points inside are joined along every passage.
 * Cost: O(n) for n triangles; the search for points walks from the last one.
 */
#include "geometry/triangulate_floor.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/trig.h"

#define MAX_POINTS (1u << 24)
#define KEEP_AWAY 0.55       /* of grid points from borders, in edges */
#define ROW 0.86602540378444 /* sqrt(3) / 2 */
#define NONE UINT32_MAX

typedef struct maker {
  const th_floor_def *def;
  th_triangulation plan, fine;
  th_floor_lines lines, border;
  int32_t low[2];
  uint32_t columns, rows; /* of buckets one edge wide */
  uint32_t *first, *next; /* border lines by the bucket of their middle */
  bool capacity;
} maker;

bool th_floor_ring_holds(const th_lattice_point *p, uint32_t count, double x, double y) {
  bool in = false;
  for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
    if ((p[i].y > y) == (p[j].y > y)) continue;
    double at = p[i].x + (y - p[i].y) * ((double)p[j].x - p[i].x) / ((double)p[j].y - p[i].y);
    if (x < at) in = !in;
  }
  return in;
}

static int32_t label_at(const th_floor_def *def, double x, double y) {
  int32_t label = 0;
  for (uint32_t i = 0; i < def->area_count; i++) {
    const th_floor_area *a = &def->area[i];
    if (a->on_top && !label) continue;
    if (th_floor_ring_holds(a->point, a->count, x, y)) label = a->label;
  }
  return label;
}

static void draw_lines(th_triangulation *c, const th_floor_lines *lines, const th_allocator *allocator) {
  th_triangulate_begin(c, allocator);
  uint32_t *number = TH_TAKE(allocator, uint32_t, lines->point_count);
  if (!number || lines->failed) {
    c->failed = true;
  } else {
    for (uint32_t i = 0; i < lines->point_count; i++) number[i] = th_triangulate_insert(c, lines->point[i]);
    for (uint32_t i = 0; i < lines->line_count; i++)
      th_triangulate_constrain(c, number[lines->line[i][0]], number[lines->line[i][1]]);
  }
  TH_GIVE(allocator, number, lines->point_count);
}

/* ---------------------------------------------------------------- regions */

static void middle_of(const th_triangulation *c, uint32_t t, double *x, double *y) {
  *x = *y = 0.0;
  for (uint32_t k = 0; k < 3; k++) {
    *x += c->point[c->corner[3 * t + k]].x / 3.0;
    *y += c->point[c->corner[3 * t + k]].y / 3.0;
  }
}

typedef int32_t ask(maker *m, double x, double y);

static int32_t ask_areas(maker *m, double x, double y) { return label_at(m->def, x, y); }

static int32_t ask_plan(maker *m, double x, double y) {
  th_lattice_point p = {(int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5)};
  return m->plan.label[th_triangulate_locate(&m->plan, p)];
}

/* The largest triangle of a region is tested for the whole region: its middle is farthest from every rounded line. */
static void name_regions(maker *m, th_triangulation *c, ask *ask_at) {
  if (c->failed || c->tangled) return;
  uint32_t *list = TH_TAKE(&c->allocator, uint32_t, c->triangle_count);
  if (!list) {
    c->failed = true;
    return;
  }
  for (uint32_t t = 0; t < c->triangle_count; t++) c->label[t] = -2;
  for (uint32_t t = 0; t < c->triangle_count; t++) {
    if (c->label[t] != -2) continue;
    uint32_t count = th_triangulate_region(c, t, -1, list), best = list[0];
    for (uint32_t i = 1; i < count; i++)
      if (th_triangulate_area2(c, list[i]) > th_triangulate_area2(c, best)) best = list[i];
    double x, y;
    middle_of(c, best, &x, &y);
    int32_t label = ask_at(m, x, y);
    for (uint32_t i = 0; i < count; i++) c->label[list[i]] = label;
  }
  TH_GIVE(&c->allocator, list, c->triangle_count);
}

/* ---------------------------------------------------------------- borders */

static bool before(th_lattice_point a, th_lattice_point b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }

/* Cut from the lower end, so that the same line is cut at the same points from both sides. */
static void cut_line(maker *m, th_lattice_point a, th_lattice_point b) {
  if (before(b, a)) {
    th_lattice_point t = a;
    a = b, b = t;
  }
  double dx = (double)b.x - a.x, dy = (double)b.y - a.y, parts = floor(sqrt(dx * dx + dy * dy) / m->def->edge + 0.5);
  uint32_t n = parts > 1.0 ? (uint32_t)parts : 1;
  if (n > MAX_POINTS) {
    m->capacity = true;
    return;
  }
  uint32_t from = th_floor_point(&m->border, a);
  for (uint32_t i = 1; i <= n && !m->border.failed; i++) {
    double t = (double)i / n;
    th_lattice_point p = {(int32_t)floor(a.x + t * dx + 0.5), (int32_t)floor(a.y + t * dy + 0.5)};
    uint32_t to = th_floor_point(&m->border, i == n ? b : p);
    th_floor_line(&m->border, from, to);
    from = to;
  }
}

static void find_borders(maker *m) {
  const th_triangulation *c = &m->plan;
  m->border = (th_floor_lines){.allocator = m->def->allocator};
  if (c->failed || c->tangled) return;
  for (uint32_t h = 0; h < 3 * c->triangle_count && !m->capacity; h++) {
    uint32_t g = c->twin[h];
    if (g == TH_NOWHERE || h > g || c->label[h / 3] == c->label[g / 3]) continue;
    cut_line(m, c->point[c->corner[h]], c->point[c->corner[g]]);
  }
}

/* ---------------------------------------------------------------- grid points */

static uint32_t bucket_of(const maker *m, double x, double y, int column, int row) {
  int64_t i = (int64_t)floor((x - m->low[0]) / m->def->edge) + column;
  int64_t j = (int64_t)floor((y - m->low[1]) / m->def->edge) + row;
  if (i < 0 || j < 0 || i >= m->columns || j >= m->rows) return NONE;
  return (uint32_t)j * m->columns + (uint32_t)i;
}

static bool make_buckets(maker *m) {
  const th_floor_lines *b = &m->border;
  int32_t high[2] = {-TH_LATTICE_MAX, -TH_LATTICE_MAX};
  m->low[0] = m->low[1] = TH_LATTICE_MAX;
  for (uint32_t i = 0; i < b->point_count; i++) {
    const int32_t at[2] = {b->point[i].x, b->point[i].y};
    for (int k = 0; k < 2; k++) {
      if (at[k] < m->low[k]) m->low[k] = at[k];
      if (at[k] > high[k]) high[k] = at[k];
    }
  }
  double wide = ((double)high[0] - m->low[0]) / m->def->edge + 1.0;
  double deep = ((double)high[1] - m->low[1]) / m->def->edge + 1.0;
  m->capacity = wide * deep > MAX_POINTS;
  if (m->capacity) return false;
  m->columns = (uint32_t)wide;
  m->rows = (uint32_t)deep;
  m->first = TH_TAKE(&m->def->allocator, uint32_t, (size_t)m->columns * m->rows);
  m->next = TH_TAKE(&m->def->allocator, uint32_t, b->line_count);
  if (!m->first || !m->next) return false;
  memset(m->first, 0xff, sizeof *m->first * m->columns * m->rows);
  for (uint32_t i = 0; i < b->line_count; i++) {
    th_lattice_point p = b->point[b->line[i][0]], q = b->point[b->line[i][1]];
    uint32_t at = bucket_of(m, 0.5 * ((double)p.x + q.x), 0.5 * ((double)p.y + q.y), 0, 0);
    if (at == NONE) continue;
    m->next[i] = m->first[at];
    m->first[at] = i;
  }
  return true;
}

static double distance2(th_lattice_point a, th_lattice_point b, double x, double y) {
  double dx = (double)b.x - a.x, dy = (double)b.y - a.y, px = x - a.x, py = y - a.y;
  double t = (px * dx + py * dy) / (dx * dx + dy * dy);
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  double ex = px - t * dx, ey = py - t * dy;
  return ex * ex + ey * ey;
}

/* A line is at most 1.5 edges long, so its middle lies within 0.75 + KEEP_AWAY < 2 buckets. */
static bool is_clear(const maker *m, double x, double y, double min) {
  for (int row = -2; row <= 2; row++) {
    for (int column = -2; column <= 2; column++) {
      uint32_t at = bucket_of(m, x, y, column, row);
      for (uint32_t i = at == NONE ? NONE : m->first[at]; i != NONE; i = m->next[i]) {
        const uint32_t *line = m->border.line[i];
        if (distance2(m->border.point[line[0]], m->border.point[line[1]], x, y) < min * min) return false;
      }
    }
  }
  return true;
}

/* Rows run in alternating directions, so that each point lies next to the previous one. */
static void fill_inside(maker *m) {
  th_triangulation *c = &m->fine;
  double edge = m->def->edge, step = ROW * edge;
  uint32_t rows = (uint32_t)((double)m->rows / ROW) + 1;
  for (uint32_t j = 0; j < rows && !c->failed; j++) {
    double y = m->low[1] + (j + 0.5) * step, shift = j % 2 ? 0.5 : 0.0;
    for (uint32_t n = 0; n <= m->columns && !c->failed; n++) {
      uint32_t i = j % 2 ? m->columns - n : n;
      double x = m->low[0] + (i + shift) * edge;
      if (!is_clear(m, x, y, KEEP_AWAY * edge)) continue;
      th_lattice_point p = {(int32_t)floor(x + 0.5), (int32_t)floor(y + 0.5)};
      if (p.x >= TH_LATTICE_MAX || p.y >= TH_LATTICE_MAX || !c->label[th_triangulate_locate(c, p)]) continue;
      th_triangulate_insert(c, p);
    }
  }
}

/* Whether h runs inside the floor from border to border; points below `borders` lie on one. */
static bool runs_across(const th_triangulation *c, uint32_t h, uint32_t borders) {
  return c->twin[h] != TH_NOWHERE && !c->fixed[h] && c->label[h / 3] && c->corner[h] < borders &&
         c->corner[th_triangulate_next(h)] < borders;
}

/* A new point lies inside and every flip joins it to others, so no new edge runs across. */
static void open_passages(maker *m, uint32_t borders) {
  th_triangulation *c = &m->fine;
  const double min = fmin(0.5 * m->def->passage, KEEP_AWAY * m->def->edge);
  for (bool more = m->def->passage > 0.0; more && !c->failed;) {
    more = false;
    for (uint32_t h = 0; h < 3 * c->triangle_count && !c->failed; h++) {
      if (!runs_across(c, h, borders)) continue;
      const th_lattice_point a = c->point[c->corner[h]], b = c->point[c->corner[th_triangulate_next(h)]];
      const double x = 0.5 * ((double)a.x + b.x), y = 0.5 * ((double)a.y + b.y);
      if (!is_clear(m, x, y, min)) continue;
      th_triangulate_insert(c, (th_lattice_point){(int32_t)floor(x), (int32_t)floor(y)});
      more = true;
    }
  }
}

/* ---------------------------------------------------------------- result */

void th_floor_free(th_floor *f) {
  const th_allocator *a = &f->allocator;
  TH_GIVE(a, f->point, f->point_count);
  TH_GIVE(a, f->corner, 3 * (size_t)f->face_count);
  TH_GIVE(a, f->twin, 3 * (size_t)f->face_count);
  TH_GIVE(a, f->label, f->face_count);
  memset(f, 0, sizeof *f);
}

static bool take_floor(const th_triangulation *c, th_floor *f, const uint32_t *face) {
  const th_allocator *a = &f->allocator;
  f->point = TH_TAKE(a, th_lattice_point, f->point_count);
  f->corner = TH_TAKE(a, uint32_t, 3 * (size_t)f->face_count);
  f->twin = TH_TAKE(a, uint32_t, 3 * (size_t)f->face_count);
  f->label = TH_TAKE(a, int32_t, f->face_count);
  if (!f->point || !f->corner || !f->twin || !f->label) return false;
  memcpy(f->point, c->point, sizeof *f->point * f->point_count);
  for (uint32_t t = 0; t < c->triangle_count; t++) {
    if (face[t] == NONE) continue;
    f->label[face[t]] = c->label[t];
    for (uint32_t k = 0; k < 3; k++) {
      uint32_t g = c->twin[3 * t + k], other = g == TH_NOWHERE ? NONE : face[g / 3];
      f->corner[3 * face[t] + k] = c->corner[3 * t + k];
      f->twin[3 * face[t] + k] = other == NONE ? TH_NOWHERE : 3 * other + g % 3;
    }
  }
  return true;
}

/* Points keep their numbers; those that no face uses are dropped when the mesh is made. */
static th_result copy_floor(maker *m, th_floor *f, th_error *error) {
  const th_triangulation *c = &m->fine;
  uint32_t *face = TH_TAKE(&f->allocator, uint32_t, c->triangle_count);
  bool ok = face != NULL;
  for (uint32_t t = 0; ok && t < c->triangle_count; t++) face[t] = c->label[t] ? f->face_count++ : NONE;
  f->point_count = c->point_count;
  ok = ok && take_floor(c, f, face);
  TH_GIVE(&f->allocator, face, c->triangle_count);
  if (ok) return TH_OK;
  th_floor_free(f);
  return th_fail_memory(error, "floor");
}

static th_result judge(const maker *m, th_error *error) {
  if (m->capacity)
    return th_fail(error, TH_ERROR_CAPACITY, "floor", "expected at most %u points, found more: a longer edge helps",
                   MAX_POINTS);
  if (m->plan.failed || m->fine.failed || m->lines.failed || m->border.failed) return th_fail_memory(error, "floor");
  if (m->plan.tangled || m->fine.tangled)
    return th_fail(error, TH_ERROR_GEOMETRY, "floor", "expected lines that can be told apart, found a tangle of them");
  return TH_OK;
}

th_result th_floor_make(const th_floor_def *def, th_floor *floor, th_error *error) {
  maker m = {.def = def};
  *floor = (th_floor){.allocator = def->allocator};
  th_floor_tie(def, &m.lines);
  draw_lines(&m.plan, &m.lines, &def->allocator);
  name_regions(&m, &m.plan, ask_areas);
  find_borders(&m);
  if (judge(&m, NULL) == TH_OK && m.border.line_count) {
    draw_lines(&m.fine, &m.border, &def->allocator);
    name_regions(&m, &m.fine, ask_plan);
    if (!m.fine.failed && !m.fine.tangled) {
      const uint32_t borders = m.fine.point_count;
      if (make_buckets(&m))
        fill_inside(&m), open_passages(&m, borders);
      else
        m.fine.failed = !m.capacity;
    }
  }
  th_result result = judge(&m, error);
  if (result == TH_OK && m.border.line_count) result = copy_floor(&m, floor, error);
  TH_GIVE(&def->allocator, m.first, (size_t)m.columns * m.rows);
  TH_GIVE(&def->allocator, m.next, m.border.line_count);
  th_triangulate_free(&m.plan);
  if (m.fine.allocator.allocate) th_triangulate_free(&m.fine);
  th_floor_lines_free(&m.lines);
  th_floor_lines_free(&m.border);
  return result;
}

int64_t th_floor_area2(const th_floor *f) {
  int64_t sum = 0;
  for (uint32_t t = 0; t < f->face_count; t++) {
    const uint32_t *v = f->corner + 3 * (size_t)t;
    sum += th_lattice_side(f->point[v[0]], f->point[v[1]], f->point[v[2]]);
  }
  return sum;
}

double th_floor_min_angle(const th_floor *f) {
  double min = 180.0;
  for (uint32_t h = 0; h < 3 * f->face_count; h++) {
    th_lattice_point a = f->point[f->corner[h]], b = f->point[f->corner[th_triangulate_next(h)]],
                     c = f->point[f->corner[th_triangulate_prev(h)]];
    double ux = (double)b.x - a.x, uy = (double)b.y - a.y, vx = (double)c.x - a.x, vy = (double)c.y - a.y;
    double angle = TH_DEGREES * th_atan2_double(ux * vy - uy * vx, ux * vx + uy * vy);
    if (angle < min) min = angle;
  }
  return min;
}
