/* geometry/triangulate.c - Delaunay triangulation, one point after the other.
 *
 * The triangle that holds the point is found by walking from the last one. It is split at the point, and edges around
 * it are flipped until no circumcircle of a triangle holds another point (Lawson 1977). Coordinates are whole numbers
 * below 2^29, so the decisions are exact in 64 bits (which side of a line) and 128 bits (which side of a circle): no
 * tolerance, no special case for collinear or cocircular points, the same result everywhere. Points that are inserted
 * in rows cost O(1) each.
 */
#include "geometry/triangulate.h"

#include <string.h>

#include "base/memory.h"

__extension__ typedef __int128 wide;

#define BOX (1 << 29)

/* Positive when d lies inside the circle through a, b, c (counter-clockwise). Differences are below 2^30, squares of
 * distances below 2^61, so each of the three products is below 2^122. */
static bool inside_circle(th_lattice_point a, th_lattice_point b, th_lattice_point c, th_lattice_point d) {
  int64_t ax = (int64_t)a.x - d.x, ay = (int64_t)a.y - d.y, bx = (int64_t)b.x - d.x, by = (int64_t)b.y - d.y;
  int64_t cx = (int64_t)c.x - d.x, cy = (int64_t)c.y - d.y;
  wide sum = (wide)(ax * ax + ay * ay) * (bx * cy - by * cx) - (wide)(bx * bx + by * by) * (ax * cy - ay * cx) +
             (wide)(cx * cx + cy * cy) * (ax * by - ay * bx);
  return sum > 0;
}

static bool reserve(th_triangulation *c, uint32_t points, uint32_t triangles) {
  const th_allocator *a = &c->allocator;
  bool ok = !c->failed && triangles < UINT32_MAX / 3;
  ok = ok && th_grow(a, (void **)&c->point, &c->point_capacity, points, sizeof *c->point);
  ok = ok && th_grow(a, (void **)&c->leaving, &c->leaving_capacity, points, sizeof *c->leaving);
  ok = ok && th_grow(a, (void **)&c->corner, &c->corner_capacity, 3 * triangles, sizeof *c->corner);
  ok = ok && th_grow(a, (void **)&c->twin, &c->twin_capacity, 3 * triangles, sizeof *c->twin);
  ok = ok && th_grow(a, (void **)&c->fixed, &c->fixed_capacity, 3 * triangles, sizeof *c->fixed);
  ok = ok && th_grow(a, (void **)&c->label, &c->label_capacity, triangles, sizeof *c->label);
  c->failed = !ok;
  return ok;
}

static void link(th_triangulation *c, uint32_t h, uint32_t g, uint8_t fixed) {
  c->twin[h] = g;
  c->fixed[h] = fixed;
  if (g == TH_NOWHERE) return;
  c->twin[g] = h;
  c->fixed[g] = fixed;
}

static void put(th_triangulation *c, uint32_t t, uint32_t i, uint32_t j, uint32_t k) {
  const uint32_t v[3] = {i, j, k};
  for (uint32_t n = 0; n < 3; n++) {
    c->corner[3 * t + n] = v[n];
    c->leaving[v[n]] = 3 * t + n;
  }
}

void th_triangulate_begin(th_triangulation *c, const th_allocator *allocator) {
  memset(c, 0, sizeof *c);
  c->allocator = *allocator;
  if (!reserve(c, 4, 2)) return;
  static const th_lattice_point box[4] = {{-BOX, -BOX}, {BOX, -BOX}, {BOX, BOX}, {-BOX, BOX}};
  memcpy(c->point, box, sizeof box);
  c->point_count = 4;
  c->triangle_count = 2;
  put(c, 0, 0, 1, 2);
  put(c, 1, 0, 2, 3);
  for (uint32_t h = 0; h < 6; h++) link(c, h, TH_NOWHERE, 0);
  link(c, 2, 3, 0);
}

void th_triangulate_free(th_triangulation *c) {
  const th_allocator *a = &c->allocator;
  TH_GIVE(a, c->point, c->point_capacity);
  TH_GIVE(a, c->leaving, c->leaving_capacity);
  TH_GIVE(a, c->corner, c->corner_capacity);
  TH_GIVE(a, c->twin, c->twin_capacity);
  TH_GIVE(a, c->fixed, c->fixed_capacity);
  TH_GIVE(a, c->label, c->label_capacity);
  TH_GIVE(a, c->stack, c->stack_capacity);
  memset(c, 0, sizeof *c);
}

/* ---------------------------------------------------------------- flips */

/* Edge a b of the triangles (a, b, c) and (b, a, d) becomes d c: (c, a, d) and (d, b, c). */
void th_triangulate_flip(th_triangulation *triangulation, uint32_t h) {
  uint32_t g = triangulation->twin[h], t = h / 3, s = g / 3;
  const uint32_t old[4] = {th_triangulate_prev(h), th_triangulate_next(g), th_triangulate_prev(g),
                           th_triangulate_next(h)};
  const uint32_t slot[4] = {3 * t, 3 * t + 1, 3 * s, 3 * s + 1};
  uint32_t a = triangulation->corner[h], b = triangulation->corner[g], c = triangulation->corner[old[0]],
           d = triangulation->corner[old[2]], outer[4];
  uint8_t fixed[4];
  for (int k = 0; k < 4; k++) outer[k] = triangulation->twin[old[k]], fixed[k] = triangulation->fixed[old[k]];
  put(triangulation, t, c, a, d);
  put(triangulation, s, d, b, c);
  for (int k = 0; k < 4; k++) link(triangulation, slot[k], outer[k], fixed[k]);
  link(triangulation, 3 * t + 2, 3 * s + 2, 0);
}

void th_triangulate_push(th_triangulation *c, uint32_t h) {
  if (c->failed || h == TH_NOWHERE) return;
  if (!th_grow(&c->allocator, (void **)&c->stack, &c->stack_capacity, c->stack_count + 1, sizeof *c->stack)) {
    c->failed = true;
    return;
  }
  c->stack[c->stack_count++] = h;
}

void th_triangulate_settle(th_triangulation *c) {
  while (c->stack_count && !c->failed) {
    uint32_t h = c->stack[--c->stack_count], g = c->twin[h];
    if (g == TH_NOWHERE || c->fixed[h]) continue;
    const th_lattice_point *p = c->point;
    if (!inside_circle(p[c->corner[h]], p[c->corner[g]], p[c->corner[th_triangulate_prev(h)]],
                       p[c->corner[th_triangulate_prev(g)]]))
      continue;
    uint32_t t = h / 3, s = g / 3;
    th_triangulate_flip(c, h);
    for (uint32_t k = 0; k < 2; k++) th_triangulate_push(c, 3 * t + k), th_triangulate_push(c, 3 * s + k);
  }
}

/* ---------------------------------------------------------------- points */

static bool holds(const th_triangulation *c, uint32_t t, th_lattice_point p, uint32_t turn, uint32_t *out) {
  for (uint32_t n = 0; n < 3; n++) {
    uint32_t h = 3 * t + (n + turn) % 3;
    if (th_lattice_side(c->point[c->corner[h]], c->point[c->corner[th_triangulate_next(h)]], p) >= 0) continue;
    *out = c->twin[h];
    return false;
  }
  return true;
}

/* Next to constraints triangles are not Delaunay and a walk may run in circles: after many steps all triangles are
 * tested. */
uint32_t th_triangulate_locate(th_triangulation *c, th_lattice_point p) {
  uint32_t t = c->last < c->triangle_count ? c->last : 0, out = 0;
  for (uint32_t step = 0; step < c->triangle_count + 16; step++) {
    if (holds(c, t, p, step, &out)) return c->last = t;
    if (out == TH_NOWHERE) break;
    t = out / 3;
  }
  for (t = 0; t < c->triangle_count; t++)
    if (holds(c, t, p, 0, &out)) return c->last = t;
  return 0;
}

static uint32_t new_point(th_triangulation *c, th_lattice_point p) {
  c->point[c->point_count] = p;
  return c->point_count++;
}

/* (i, j, k) -> (i, j, v), (j, k, v), (k, i, v) */
static void cut_triangle(th_triangulation *c, uint32_t t, uint32_t v) {
  uint32_t n = c->triangle_count, part[3] = {t, n, n + 1}, corner[3], outer[3];
  uint8_t fixed[3];
  c->triangle_count += 2;
  for (uint32_t k = 0; k < 3; k++) {
    corner[k] = c->corner[3 * t + k];
    outer[k] = c->twin[3 * t + k];
    fixed[k] = c->fixed[3 * t + k];
  }
  for (uint32_t k = 0; k < 3; k++) {
    put(c, part[k], corner[k], corner[(k + 1) % 3], v);
    c->label[part[k]] = c->label[t];
    link(c, 3 * part[k], outer[k], fixed[k]);
  }
  for (uint32_t k = 0; k < 3; k++) link(c, 3 * part[k] + 1, 3 * part[(k + 1) % 3] + 2, 0);
  for (uint32_t k = 0; k < 3; k++) th_triangulate_push(c, 3 * part[k]);
}

/* The side of one triangle: (i, j, k) with v on i j becomes (i, v, k) here and (v, j, k) in triangle `more`. */
static void cut_side(th_triangulation *c, uint32_t h, uint32_t more, uint32_t v) {
  uint32_t t = h / 3, i = c->corner[h], j = c->corner[th_triangulate_next(h)], k = c->corner[th_triangulate_prev(h)];
  uint32_t right = c->twin[th_triangulate_next(h)], left = c->twin[th_triangulate_prev(h)];
  uint8_t right_fixed = c->fixed[th_triangulate_next(h)], left_fixed = c->fixed[th_triangulate_prev(h)];
  put(c, t, i, v, k);
  put(c, more, v, j, k);
  c->label[more] = c->label[t];
  link(c, 3 * t + 2, left, left_fixed);
  link(c, 3 * more + 1, right, right_fixed);
  link(c, 3 * t + 1, 3 * more + 2, 0);
  th_triangulate_push(c, 3 * t + 2);
  th_triangulate_push(c, 3 * more + 1);
}

static void cut_edge(th_triangulation *c, uint32_t h, uint32_t v) {
  uint32_t g = c->twin[h], n = c->triangle_count, t = h / 3, s = g / 3;
  uint8_t fixed = c->fixed[h];
  c->triangle_count += 2;
  cut_side(c, h, n, v);
  cut_side(c, g, n + 1, v);
  link(c, 3 * t, 3 * (n + 1), fixed);
  link(c, 3 * s, 3 * n, fixed);
}

uint32_t th_triangulate_insert(th_triangulation *c, th_lattice_point p) {
  if (c->failed || !reserve(c, c->point_count + 1, c->triangle_count + 2)) return TH_NOWHERE;
  uint32_t t = th_triangulate_locate(c, p), on = TH_NOWHERE;
  for (uint32_t h = 3 * t; h < 3 * t + 3; h++) {
    th_lattice_point a = c->point[c->corner[h]];
    if (a.x == p.x && a.y == p.y) return c->corner[h];
    if (th_lattice_side(a, c->point[c->corner[th_triangulate_next(h)]], p) == 0) on = h;
  }
  uint32_t v = new_point(c, p);
  if (on == TH_NOWHERE)
    cut_triangle(c, t, v);
  else
    cut_edge(c, on, v);
  th_triangulate_settle(c);
  return c->failed ? TH_NOWHERE : v;
}

/* ---------------------------------------------------------------- regions */

uint32_t th_triangulate_region(th_triangulation *c, uint32_t from, int32_t mark, uint32_t *list) {
  uint32_t count = 1;
  list[0] = from;
  c->label[from] = mark;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t h = 3 * list[i]; h < 3 * list[i] + 3; h++) {
      if (c->fixed[h] || c->twin[h] == TH_NOWHERE || c->label[c->twin[h] / 3] == mark) continue;
      c->label[c->twin[h] / 3] = mark;
      list[count++] = c->twin[h] / 3;
    }
  }
  return count;
}
