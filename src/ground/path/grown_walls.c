/* ground/path/grown_walls.c - the walls of flat ground, grown by the radius of a body, and the triangles between them.
 *
 * Every wall is moved into free space by the radius, and where solid space has a corner, the two moved walls are joined
 * by tangents of the circle round it. The border of the Minkowski sum of solid space and a disc is part of these lines
 * (they are its raw offset curve), so they are drawn into a constrained triangulation as they are, crossings and all,
 * and each region between them is free when the middle of its largest triangle is: no special case for narrow gaps,
 * obstacles that overlap or walls shorter than the radius. Tangents are at most 45 degrees apart: a path round a right
 * angle is 5 % of the arc longer. Cost: O(n log n) for n walls, about 10 us per wall.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/trig.h"
#include "geometry/segment_grid.h"
#include "ground/path/free_space.h"

#define PIECE (0.25 * TH_PI_DOUBLE + 1e-9) /* greatest angle between two tangents of a corner */
#define WHOLE_TURN (2.0 * TH_PI_DOUBLE)
#define TH_PI_DOUBLE 3.14159265358979323846
#define STRAIGHT 1e-6 /* [rad] */

/* The start of a wall, sorted: walls that go on where another one ends are found by it. */
typedef struct wall_start {
  float x, y;
  uint32_t wall;
} wall_start;

typedef struct grower {
  const th_flat_ground *flat;
  double radius;
  th_point origin;
  th_triangulation *c;
  wall_start *start;
  bool *joined; /* of each wall: another wall ends where it begins */
} grower;

static int by_place(const void *left, const void *right) {
  const wall_start *p = left, *q = right;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return p->wall < q->wall ? -1 : p->wall > q->wall;
}

/* The walls that begin at a point are start[*first] and those behind it; returns how many. */
static uint32_t starts_at(const grower *g, float x, float y, uint32_t *first) {
  uint32_t low = 0, high = g->flat->wall_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const wall_start *s = &g->start[middle];
    if (s->x < x || (s->x == x && s->y < y))
      low = middle + 1;
    else
      high = middle;
  }
  *first = low;
  while (high < g->flat->wall_count && g->start[high].x == x && g->start[high].y == y) high++;
  return high - low;
}

static uint32_t put(grower *g, th_point p) {
  const double x = floor((p.x - g->origin.x) * TH_LATTICE + 0.5), y = floor((p.y - g->origin.y) * TH_LATTICE + 0.5);
  return th_triangulate_insert(g->c, (th_lattice_point){(int32_t)x, (int32_t)y});
}

static void draw(grower *g, uint32_t a, uint32_t b) {
  if (a != TH_NOWHERE && b != TH_NOWHERE && a != b) th_triangulate_constrain(g->c, a, b);
}

/* Where two tangents meet: they touch the circle `half` the angle between them before and behind `angle`. */
static th_point tangents_meet(const grower *g, th_point centre, double angle, double half) {
  double s, c;
  th_sincos_double(angle, &s, &c);
  const double far = g->radius / th_cos_double(half);
  return (th_point){centre.x + far * c, centre.y + far * s};
}

/* Tangents round a corner, clockwise from the normal at angle `from` by `turn`; returns their last meeting. */
static uint32_t draw_corner(grower *g, th_point centre, double from, double turn, uint32_t last) {
  const uint32_t pieces = (uint32_t)ceil(turn / PIECE);
  const double half = 0.5 * turn / pieces;
  for (uint32_t k = 0; k < pieces; k++) {
    const uint32_t next = put(g, tangents_meet(g, centre, from - (2 * k + 1) * half, half));
    draw(g, last, next);
    last = next;
  }
  return last;
}

static void draw_circle(grower *g, th_point centre) {
  const uint32_t first = put(g, tangents_meet(g, centre, WHOLE_TURN / 16.0, WHOLE_TURN / 16.0));
  draw(g, draw_corner(g, centre, 0.0, WHOLE_TURN, TH_NOWHERE), first);
}

static th_point direction_of(const th_wall_line *line) { return (th_point){line->ux, line->uy}; }

/* By how much free space on the left opens where one wall follows another: clockwise positive. */
static double opening(const th_wall_line *wall, const th_wall_line *next) {
  const th_point u = direction_of(wall), v = direction_of(next);
  const double cross = th_cross2d(u, v), dot = th_dot2d(u, v);
  if (dot < 0.0 && fabs(cross) < STRAIGHT) return TH_PI_DOUBLE; /* round the end of a line */
  return -th_atan2_double(cross, dot);
}

/* A wall from where the corner before it has left the line to where the corner behind it begins. Each wall draws
 * itself and the corner behind it. */
static void draw_wall(grower *g, uint32_t wall) {
  const th_wall_line *line = &g->flat->line[wall];
  const th_segment *s = &g->flat->wall[wall];
  const th_point u = direction_of(line), n = {-u.y * g->radius, u.x * g->radius};
  const th_point a = {(double)s->ax, (double)s->ay}, b = {(double)s->bx, (double)s->by};
  uint32_t last = put(g, (th_point){a.x + n.x, a.y + n.y}), first;
  const uint32_t end = put(g, (th_point){b.x + n.x, b.y + n.y}), count = starts_at(g, s->bx, s->by, &first);
  draw(g, last, end);
  for (uint32_t k = 0; k < count; k++) g->joined[g->start[first + k].wall] = true;
  if (count != 1) {
    draw_circle(g, b);
    return;
  }
  const th_wall_line *next = &g->flat->line[g->start[first].wall];
  const double turn = opening(line, next);
  if (turn < STRAIGHT) return;
  last = draw_corner(g, b, th_atan2_double(n.y, n.x), turn, end);
  const th_point v = direction_of(next);
  draw(g, last, put(g, (th_point){b.x - v.y * g->radius, b.y + v.x * g->radius}));
}

static bool draw_all(grower *g) {
  const th_flat_ground *flat = g->flat;
  for (uint32_t i = 0; i < flat->wall_count; i++) g->start[i] = (wall_start){flat->wall[i].ax, flat->wall[i].ay, i};
  qsort(g->start, flat->wall_count, sizeof *g->start, by_place);
  for (uint32_t i = 0; i < flat->wall_count && !g->c->failed && !g->c->tangled; i++) draw_wall(g, i);
  for (uint32_t i = 0; i < flat->wall_count && !g->c->failed && !g->c->tangled; i++)
    if (!g->joined[i]) draw_circle(g, (th_point){(double)flat->wall[i].ax, (double)flat->wall[i].ay});
  return !g->c->failed && !g->c->tangled;
}

/* ---------------------------------------------------------------- regions */

static bool is_free(const grower *g, uint32_t t) {
  th_point p = {0.0, 0.0}, on;
  double distance;
  for (uint32_t k = 0; k < 3; k++) {
    const th_lattice_point *v = &g->c->point[g->c->corner[3 * t + k]];
    p.x += (double)v->x / (3.0 * TH_LATTICE);
    p.y += (double)v->y / (3.0 * TH_LATTICE);
  }
  p.x += g->origin.x, p.y += g->origin.y;
  /* lines are rounded to the lattice: what lies between two that should be one is free */
  const double reach = g->radius - 4.0 / TH_LATTICE;
  return th_shapes_walkable(g->flat->shapes, p.x, p.y) &&
         th_segment_grid_nearest(&g->flat->wall_grid, p, reach, &on, &distance) == UINT32_MAX;
}

static bool name_regions(grower *g) {
  th_triangulation *c = g->c;
  uint32_t *list = TH_TAKE(&c->allocator, uint32_t, c->triangle_count);
  if (!list) return false;
  for (uint32_t t = 0; t < c->triangle_count; t++) c->label[t] = -2;
  for (uint32_t t = 0; t < c->triangle_count; t++) {
    if (c->label[t] != -2) continue;
    const uint32_t count = th_triangulate_region(c, t, -1, list);
    uint32_t best = list[0];
    for (uint32_t i = 1; i < count; i++)
      if (th_triangulate_area2(c, list[i]) > th_triangulate_area2(c, best)) best = list[i];
    const int32_t label = is_free(g, best);
    for (uint32_t i = 0; i < count; i++) c->label[list[i]] = label;
  }
  TH_GIVE(&c->allocator, list, c->triangle_count);
  return true;
}

bool th_grown_walls_draw(const th_ground *ground, double radius, th_point origin, th_triangulation *c) {
  const th_allocator *a = &ground->env.allocator;
  grower g = {.flat = ground->flat, .radius = radius, .origin = origin, .c = c};
  const uint32_t walls = g.flat->wall_count;
  th_triangulate_begin(c, a);
  g.start = TH_TAKE(a, wall_start, walls);
  g.joined = TH_TAKE(a, bool, walls);
  const bool done = g.start && g.joined && draw_all(&g) && name_regions(&g);
  TH_GIVE(a, g.start, walls);
  TH_GIVE(a, g.joined, walls);
  return done;
}
