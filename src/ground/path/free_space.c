/* ground/path/free_space.c - the triangles where a centre may be: made from grown walls, asked for points and lines.
 *
 * Only free triangles are kept. Points are found through square buckets that list the triangles they touch; a line is
 * followed from triangle to triangle. Cost: 0.1 us for a point, about 5 ns per triangle that a line crosses.
 */
#include "ground/path/free_space.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define HAIR 1e-9       /* [m2]: twice the area of a triangle that counts as flat */
#define MOST_STEPS 4096 /* triangles on one line */

/* ---------------------------------------------------------------- making */

static bool take(th_free_space *s) {
  const th_allocator *a = &s->allocator;
  s->point = TH_TAKE(a, th_point, s->point_count);
  s->turns = TH_TAKE(a, uint8_t, s->point_count);
  s->corner = TH_TAKE(a, uint32_t, 3 * (size_t)s->face_count);
  s->twin = TH_TAKE(a, uint32_t, 3 * (size_t)s->face_count);
  s->part = TH_TAKE(a, uint32_t, s->face_count);
  return s->point && s->turns && s->corner && s->twin && s->part;
}

void th_free_space_free(th_free_space *s) {
  if (!s) return;
  const th_allocator a = s->allocator;
  TH_GIVE(&a, s->point, s->point_count);
  TH_GIVE(&a, s->turns, s->point_count);
  TH_GIVE(&a, s->corner, 3 * (size_t)s->face_count);
  TH_GIVE(&a, s->twin, 3 * (size_t)s->face_count);
  TH_GIVE(&a, s->part, s->face_count);
  TH_GIVE(&a, s->start, (size_t)s->columns * s->rows + 1);
  TH_GIVE(&a, s->item, s->item_count);
  TH_GIVE(&a, s, 1);
}

static void copy_faces(th_free_space *s, const th_triangulation *c, const uint32_t *face, th_point origin) {
  for (uint32_t i = 0; i < s->point_count; i++)
    s->point[i] =
        (th_point){origin.x + (double)c->point[i].x / TH_LATTICE, origin.y + (double)c->point[i].y / TH_LATTICE};
  for (uint32_t t = 0; t < c->triangle_count; t++) {
    if (face[t] == TH_NOWHERE) continue;
    for (uint32_t k = 0; k < 3; k++) {
      const uint32_t g = c->twin[3 * t + k], other = g == TH_NOWHERE ? TH_NOWHERE : face[g / 3];
      s->corner[3 * face[t] + k] = c->corner[3 * t + k];
      s->twin[3 * face[t] + k] = other == TH_NOWHERE ? TH_NOWHERE : 3 * other + g % 3;
    }
  }
}

/* Where the wall that ends at a half-edge's tip goes on to the right, solid space bulges. */
static void find_turns(th_free_space *s) {
  for (uint32_t h = 0; h < 3 * s->face_count; h++) {
    if (s->twin[h] != TH_NOWHERE) continue;
    uint32_t out = th_triangulate_next(h);
    while (s->twin[out] != TH_NOWHERE) out = th_triangulate_next(s->twin[out]);
    const th_point a = th_free_space_corner(s, h), b = th_free_space_corner(s, th_triangulate_next(h));
    const th_point c = th_free_space_corner(s, th_triangulate_next(out));
    if (th_free_space_side(a, b, c) < -HAIR) s->turns[s->corner[th_triangulate_next(h)]] = 1;
  }
}

static void find_parts(th_free_space *s, uint32_t *list) {
  memset(s->part, 0xff, sizeof *s->part * s->face_count);
  for (uint32_t f = 0; f < s->face_count; f++) {
    if (s->part[f] != TH_ANY_PART) continue;
    uint32_t count = 1;
    list[0] = f;
    s->part[f] = s->part_count;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t h = 3 * list[i]; h < 3 * list[i] + 3; h++) {
        const uint32_t g = s->twin[h];
        if (g == TH_NOWHERE || s->part[g / 3] != TH_ANY_PART) continue;
        s->part[g / 3] = s->part_count;
        list[count++] = g / 3;
      }
    s->part_count++;
  }
}

static bool keep(th_free_space *s, const th_triangulation *c, th_point origin) {
  uint32_t *face = TH_TAKE(&s->allocator, uint32_t, c->triangle_count);
  if (!face) return false;
  for (uint32_t t = 0; t < c->triangle_count; t++) face[t] = c->label[t] ? s->face_count++ : TH_NOWHERE;
  s->point_count = c->point_count;
  const bool taken = take(s);
  if (taken) {
    copy_faces(s, c, face, origin);
    find_turns(s);
    find_parts(s, face); /* no longer needed */
  }
  TH_GIVE(&s->allocator, face, c->triangle_count);
  return taken;
}

/* ---------------------------------------------------------------- buckets */

typedef struct span {
  uint32_t i0, j0, i1, j1; /* ends included */
} span;

static span span_of(const th_free_space *s, uint32_t f) {
  double x0 = HUGE_VAL, y0 = HUGE_VAL, x1 = -HUGE_VAL, y1 = -HUGE_VAL;
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
    const th_point p = th_free_space_corner(s, h);
    x0 = fmin(x0, p.x), y0 = fmin(y0, p.y), x1 = fmax(x1, p.x), y1 = fmax(y1, p.y);
  }
  return (span){th_bin_double((x0 - s->x0) * s->inverse, s->columns), th_bin_double((y0 - s->y0) * s->inverse, s->rows),
                th_bin_double((x1 - s->x0) * s->inverse, s->columns),
                th_bin_double((y1 - s->y0) * s->inverse, s->rows)};
}

/* False when the bucket lies outside one side of the face. */
static bool touches(const th_free_space *s, uint32_t f, uint32_t i, uint32_t j) {
  const double size = 1.0 / s->inverse, x = s->x0 + i * size, y = s->y0 + j * size;
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
    const th_point a = th_free_space_corner(s, h), b = th_free_space_corner(s, th_triangulate_next(h));
    const th_point inmost = {b.y > a.y ? x : x + size, b.x > a.x ? y + size : y};
    if (th_free_space_side(a, b, inmost) < -HAIR) return false;
  }
  return true;
}

/* Counts the entries of the buckets into `start`, or with `fill` enters them. */
static void enter(th_free_space *s, bool fill) {
  for (uint32_t f = 0; f < s->face_count; f++) {
    const span in = span_of(s, f);
    for (uint32_t j = in.j0; j <= in.j1; j++)
      for (uint32_t i = in.i0; i <= in.i1; i++) {
        if (!touches(s, f, i, j)) continue;
        uint32_t *at = &s->start[j * s->columns + i];
        if (fill)
          s->item[(*at)++] = f;
        else
          at[1]++;
      }
  }
}

static bool make_buckets(th_free_space *s, const th_ground *ground) {
  const th_box *b = &ground->bounds;
  const double wide = b->x1 - b->x0, deep = b->y1 - b->y0, size = sqrt(wide * deep / (2.0 * s->face_count + 1.0));
  s->x0 = b->x0, s->y0 = b->y0, s->inverse = 1.0 / size;
  s->columns = (uint32_t)(wide * s->inverse) + 1;
  s->rows = (uint32_t)(deep * s->inverse) + 1;
  const uint32_t cells = s->columns * s->rows;
  s->start = TH_TAKE(&s->allocator, uint32_t, (size_t)cells + 1);
  if (!s->start) return false;
  enter(s, false);
  for (uint32_t k = 0; k < cells; k++) s->start[k + 1] += s->start[k];
  s->item_count = s->start[cells];
  s->item = TH_TAKE(&s->allocator, uint32_t, s->item_count);
  if (!s->item) return false;
  enter(s, true);
  memmove(s->start + 1, s->start, sizeof *s->start * cells);
  s->start[0] = 0;
  return true;
}

th_result th_free_space_make(const th_ground *ground, double radius, th_free_space **space, th_error *error) {
  const th_box *b = &ground->bounds;
  const double half = 0.5 * fmax(b->x1 - b->x0, b->y1 - b->y0), most = (double)TH_LATTICE_MAX / TH_LATTICE;
  const th_point origin = {floor(0.5 * (b->x0 + b->x1)), floor(0.5 * (b->y0 + b->y1))};
  *space = NULL;
  if (half + radius + 2.0 > most)
    return th_fail(error, TH_ERROR_CAPACITY, "paths", "expected ground of at most %.0f m, found %.0f m", 2.0 * most,
                   2.0 * half);
  th_free_space *s = TH_TAKE(&ground->env.allocator, th_free_space, 1);
  if (!s) return th_fail_memory(error, "paths");
  s->allocator = ground->env.allocator;
  th_triangulation c;
  const bool drawn = th_grown_walls_draw(ground, radius, origin, &c);
  const bool tangled = c.tangled, made = drawn && keep(s, &c, origin) && make_buckets(s, ground);
  th_triangulate_free(&c);
  if (made) {
    *space = s;
    return TH_OK;
  }
  th_free_space_free(s);
  if (tangled)
    return th_fail(error, TH_ERROR_GEOMETRY, "paths", "expected walls that can be told apart, found a tangle");
  return th_fail_memory(error, "paths");
}

/* ---------------------------------------------------------------- points */

static bool holds(const th_free_space *s, uint32_t f, th_point p) {
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++)
    if (th_free_space_side(th_free_space_corner(s, h), th_free_space_corner(s, th_triangulate_next(h)), p) < -HAIR)
      return false;
  return true;
}

static uint32_t column_of(const th_free_space *s, double x) {
  return th_bin_double((x - s->x0) * s->inverse, s->columns);
}
static uint32_t row_of(const th_free_space *s, double y) { return th_bin_double((y - s->y0) * s->inverse, s->rows); }

th_free_spot th_free_space_locate(const th_free_space *s, th_point p) {
  const uint32_t at = row_of(s, p.y) * s->columns + column_of(s, p.x);
  for (uint32_t k = s->start[at]; k < s->start[at + 1]; k++)
    if (holds(s, s->item[k], p)) return (th_free_spot){s->item[k], p};
  return (th_free_spot){TH_NOWHERE, p};
}

/* The nearest point of a face to one outside it. */
static th_point nearest_of(const th_free_space *s, uint32_t f, th_point p) {
  th_point best = p;
  double least = HUGE_VAL;
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
    const th_point a = th_free_space_corner(s, h), b = th_free_space_corner(s, th_triangulate_next(h));
    const th_point e = th_minus2d(b, a);
    const double t = fmin(fmax(th_dot2d(th_minus2d(p, a), e) / th_dot2d(e, e), 0.0), 1.0);
    const th_point q = {a.x + t * e.x, a.y + t * e.y}, off = th_minus2d(p, q);
    if (th_dot2d(off, off) < least) least = th_dot2d(off, off), best = q;
  }
  return best;
}

static void look(const th_free_space *s, uint32_t bucket, th_point p, uint32_t part, th_free_spot *best,
                 double *least) {
  for (uint32_t k = s->start[bucket]; k < s->start[bucket + 1]; k++) {
    const uint32_t f = s->item[k];
    if (part != TH_ANY_PART && s->part[f] != part) continue;
    const th_point q = holds(s, f, p) ? p : nearest_of(s, f, p), off = th_minus2d(p, q);
    const double far = sqrt(th_dot2d(off, off));
    if (far > *least || (far == *least && f >= best->face)) continue;
    *least = far;
    *best = (th_free_spot){f, q};
  }
}

/* Rings of buckets round the point, as long as one may hold something nearer. */
th_free_spot th_free_space_nearest(const th_free_space *s, th_point p, uint32_t part) {
  const int64_t ci = column_of(s, p.x), cj = row_of(s, p.y), columns = s->columns, rows = s->rows;
  const int64_t last = columns > rows ? columns : rows;
  th_free_spot best = {TH_NOWHERE, p};
  double least = HUGE_VAL;
  for (int64_t ring = 0; ring <= last && (double)(ring - 1) <= least * s->inverse; ring++)
    for (int64_t j = cj - ring; j <= cj + ring; j++) {
      if (j < 0 || j >= rows) continue;
      const int64_t stride = j == cj - ring || j == cj + ring || ring == 0 ? 1 : 2 * ring;
      for (int64_t i = ci - ring; i <= ci + ring; i += stride)
        if (i >= 0 && i < columns) look(s, (uint32_t)(j * columns + i), p, part, &best, &least);
    }
  return best;
}

/* ---------------------------------------------------------------- lines */

/* The side over which the line from -> to leaves a face; TH_NOWHERE: it ends there. Of two at a corner one that leads
 * on, if there is one. */
static uint32_t side_out(const th_free_space *s, uint32_t f, uint32_t in, th_point from, th_point to) {
  uint32_t out = TH_NOWHERE;
  for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
    if (h == in) continue;
    const th_point a = th_free_space_corner(s, h), b = th_free_space_corner(s, th_triangulate_next(h));
    if (th_free_space_side(a, b, to) >= -HAIR) continue;
    if (th_free_space_side(from, to, b) < -HAIR || th_free_space_side(from, to, a) > HAIR) continue;
    if (s->twin[h] != TH_NOWHERE) return h;
    out = h;
  }
  return out;
}

bool th_free_space_sees(const th_free_space *s, th_free_spot from, th_point to, th_free_spot *end) {
  uint32_t face = from.face, in = TH_NOWHERE;
  *end = from;
  for (uint32_t step = 0; step < MOST_STEPS && face != TH_NOWHERE; step++) {
    const uint32_t out = side_out(s, face, in, from.at, to);
    if (out == TH_NOWHERE) {
      const bool there = holds(s, face, to);
      if (there) *end = (th_free_spot){face, to};
      return there;
    }
    in = s->twin[out];
    face = in == TH_NOWHERE ? TH_NOWHERE : in / 3;
  }
  return false;
}
