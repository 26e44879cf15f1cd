/* geometry/triangulate_constrain.c - given lines become edges of the triangulation.
 *
 * Edges that cross the line are flipped, in turn, until none does (Sloan 1993); the new ones are then made Delaunay
 * again. A line that meets a point is cut there. A line that crosses another constraint is cut at the crossing, rounded
 * to the lattice, and both lines are led through that point. Each cut shortens the remaining lines, so the process
 * ends; a limit on the number of cuts guards against rounding. Cost: about the square of the number of edges crossed.
 */
#include "base/memory.h"
#include "geometry/triangulate.h"

#define MAX_CUTS 4096 /* of one line */

typedef struct pair {
  uint32_t u, w;
} pair;

typedef struct pairs {
  pair *item;
  uint32_t count, capacity;
} pairs;

typedef struct work {
  th_triangulation *triangulation;
  pairs crossed, made, open; /* open: lines still to be drawn */
  uint32_t cuts;
} work;

static void add(work *w, pairs *list, uint32_t u, uint32_t v) {
  th_triangulation *c = w->triangulation;
  if (c->failed) return;
  if (!th_grow(&c->allocator, (void **)&list->item, &list->capacity, list->count + 1, sizeof *list->item)) {
    c->failed = true;
    return;
  }
  list->item[list->count++] = (pair){u, v};
}

uint32_t th_triangulate_find(const th_triangulation *c, uint32_t u, uint32_t w) {
  uint32_t first = c->leaving[u], h = first;
  do { /* counter-clockwise */
    if (c->corner[th_triangulate_next(h)] == w) return h;
    uint32_t back = th_triangulate_prev(h); /* runs to u */
    if (c->corner[back] == w) return c->twin[back] == TH_NOWHERE ? TH_NOWHERE : c->twin[back];
    h = c->twin[back];
  } while (h != first && h != TH_NOWHERE);
  for (h = first; c->twin[h] != TH_NOWHERE;) { /* clockwise, when a border stopped the turn */
    h = th_triangulate_next(c->twin[h]);
    if (h == first) break;
    if (c->corner[th_triangulate_next(h)] == w) return h;
  }
  return TH_NOWHERE;
}

static void set_fixed(th_triangulation *c, uint32_t h, uint8_t fixed) {
  if (h == TH_NOWHERE) return;
  c->fixed[h] = fixed;
  if (c->twin[h] != TH_NOWHERE) c->fixed[c->twin[h]] = fixed;
}

static int64_t side(const th_triangulation *c, uint32_t a, uint32_t b, uint32_t p) {
  return th_lattice_side(c->point[a], c->point[b], c->point[p]);
}

/* p, on the line through a and b, lies on b's side of a. */
static bool ahead(const th_triangulation *c, uint32_t a, uint32_t b, uint32_t p) {
  th_lattice_point o = c->point[a], q = c->point[b], r = c->point[p];
  return ((int64_t)q.x - o.x) * ((int64_t)r.x - o.x) + ((int64_t)q.y - o.y) * ((int64_t)r.y - o.y) > 0;
}

/* The first thing that the line from a meets: a point on the line, or a half-edge from its right to its left. */
static void leave(const th_triangulation *c, uint32_t a, uint32_t b, uint32_t *point, uint32_t *half) {
  *point = *half = TH_NOWHERE;
  uint32_t first = c->leaving[a], h = first;
  do {
    uint32_t u = c->corner[th_triangulate_next(h)], w = c->corner[th_triangulate_prev(h)];
    int64_t right = side(c, a, b, u), left = side(c, a, b, w);
    if (right == 0 && ahead(c, a, b, u)) {
      *point = u;
      return;
    }
    if (right < 0 && left > 0) {
      *half = th_triangulate_next(h);
      return;
    }
    h = c->twin[th_triangulate_prev(h)];
  } while (h != first && h != TH_NOWHERE);
}

/* Collects the edges that the line a b crosses up to the next point on it, which is returned; or the first constraint
 * among them, in `wall`. */
static uint32_t cross(work *w, uint32_t a, uint32_t b, uint32_t half, uint32_t *wall) {
  th_triangulation *c = w->triangulation;
  w->crossed.count = 0;
  *wall = TH_NOWHERE;
  for (uint32_t e = half; !c->failed;) {
    if (c->fixed[e]) {
      *wall = e;
      return TH_NOWHERE;
    }
    add(w, &w->crossed, c->corner[e], c->corner[th_triangulate_next(e)]);
    uint32_t g = c->twin[e], x = c->corner[th_triangulate_prev(g)];
    int64_t s = side(c, a, b, x);
    if (s == 0) return x;
    e = s > 0 ? th_triangulate_next(g) : th_triangulate_prev(g);
  }
  return TH_NOWHERE;
}

static void uncross(work *w, uint32_t a, uint32_t b) {
  th_triangulation *c = w->triangulation;
  uint64_t budget = 64 + (uint64_t)w->crossed.count * w->crossed.count * 4;
  w->made.count = 0;
  for (uint32_t at = 0; at < w->crossed.count && !c->failed; at++) {
    if (!budget--) {
      c->tangled = true;
      return;
    }
    pair p = w->crossed.item[at];
    uint32_t h = th_triangulate_find(c, p.u, p.w), l = c->corner[th_triangulate_prev(h)],
             r = c->corner[th_triangulate_prev(c->twin[h])];
    if (side(c, l, p.u, r) <= 0 || side(c, r, p.w, l) <= 0) { /* not convex: later */
      add(w, &w->crossed, p.u, p.w);
      continue;
    }
    th_triangulate_flip(c, h);
    int64_t sl = side(c, a, b, l), sr = side(c, a, b, r);
    bool again = (sl > 0 && sr < 0) || (sl < 0 && sr > 0);
    if (again)
      add(w, &w->crossed, sl < 0 ? l : r, sl < 0 ? r : l);
    else
      add(w, &w->made, l, r);
  }
}

/* Where a b and c d cross, rounded; within half a unit of both. */
static th_lattice_point crossing(th_lattice_point a, th_lattice_point b, th_lattice_point c, th_lattice_point d) {
  double along = (double)th_lattice_side(c, d, a), against = (double)th_lattice_side(c, d, b);
  double t = along / (along - against);
  double x = a.x + t * ((double)b.x - a.x), y = a.y + t * ((double)b.y - a.y);
  return (th_lattice_point){(int32_t)(x < 0 ? x - 0.5 : x + 0.5), (int32_t)(y < 0 ? y - 0.5 : y + 0.5)};
}

static void cut(work *w, uint32_t a, uint32_t b, uint32_t wall) {
  th_triangulation *triangulation = w->triangulation;
  uint32_t c = triangulation->corner[wall], d = triangulation->corner[th_triangulate_next(wall)];
  if (++w->cuts > MAX_CUTS) {
    triangulation->tangled = true;
    return;
  }
  uint32_t v = th_triangulate_insert(triangulation, crossing(triangulation->point[a], triangulation->point[b],
                                                             triangulation->point[c], triangulation->point[d]));
  if (v == TH_NOWHERE) return;
  if (v != c && v != d) {
    set_fixed(triangulation, th_triangulate_find(triangulation, c, d), 0);
    add(w, &w->open, c, v);
    add(w, &w->open, v, d);
  }
  if (v != a) add(w, &w->open, a, v);
  if (v != b) add(w, &w->open, v, b);
}

static void draw(work *w, uint32_t a, uint32_t b) {
  th_triangulation *c = w->triangulation;
  uint32_t point, half, wall;
  leave(c, a, b, &point, &half);
  if (point == TH_NOWHERE && half == TH_NOWHERE) {
    c->tangled = true;
    return;
  }
  if (point == TH_NOWHERE) {
    point = cross(w, a, b, half, &wall);
    if (wall != TH_NOWHERE) {
      cut(w, a, b, wall);
      return;
    }
    if (c->failed) return;
    uncross(w, a, point);
  }
  if (c->failed || c->tangled) return;
  set_fixed(c, th_triangulate_find(c, a, point), 1);
  for (uint32_t i = 0; i < w->made.count; i++)
    th_triangulate_push(c, th_triangulate_find(c, w->made.item[i].u, w->made.item[i].w));
  w->made.count = 0;
  th_triangulate_settle(c);
  if (point != b) add(w, &w->open, point, b);
}

void th_triangulate_constrain(th_triangulation *c, uint32_t a, uint32_t b) {
  if (c->failed || c->tangled || a == b || a == TH_NOWHERE || b == TH_NOWHERE) return;
  work w = {.triangulation = c};
  add(&w, &w.open, a, b);
  while (w.open.count && !c->failed && !c->tangled) {
    pair p = w.open.item[--w.open.count];
    draw(&w, p.u, p.w);
  }
  const th_allocator *m = &c->allocator;
  TH_GIVE(m, w.crossed.item, w.crossed.capacity);
  TH_GIVE(m, w.made.item, w.made.capacity);
  TH_GIVE(m, w.open.item, w.open.capacity);
}
