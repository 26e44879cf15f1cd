/* field/grid/blocked/cut_off.c - leads people out of where the raster alone has shut them in.
 *
 * A raster knows a passage by the centres of its cells. Between two rows of seats that lie at an angle to it, 0.6 m
 * apart, a body of 0.25 m may stand on a line, but hardly a centre lies on that line: what is free there falls into
 * pieces, and whoever sits among them has no path, though it only needs to walk straight on. So what the march has not
 * reached is reached here, exactly: a cell leads on when somewhere in it the class fits, and from one such place to the
 * next in a cell beside it the class must fit all along the straight line. Where it does not fit, nothing opens, so a
 * gap that is too narrow stays shut. Cells in which the class fits nowhere lead to one beside them in which it does.
 * Distances are Dijkstra's (1959), outwards from all that has a path; each cell aims as far along its path as it is
 * clear. What has a path already is not touched. Cost: one look at each cell; where something is cut off some 30
 * searches for the nearest wall for each cell of it.
 */
#include "field/grid/blocked/cut_off.h"

#include <math.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/trig.h"

#define SPOTS 5     /* to a side: places in a cell that are tried */
#define EDGE 1.0001 /* of a cell: its border belongs to it */
#define REFINE 5    /* halvings of their distance about the best one */
#define FITS 0.999  /* of the radius: clearances are rounded */
#define NEAR 4u     /* cells about a rim */
#define SMALL 0.1f  /* cells */
#define AHEAD 6     /* cells of its path that a cell may look along */
#define STRIDE 0.25 /* cells between the places of a line that are tried */
#define DIAGONAL 1.41421356237309504880

typedef struct search {
  th_field_build *build;
  double radius;
  th_point *spot;   /* of each cell the place with most room; known once the cell was tried */
  double *distance; /* [cells]; INFINITY: not reached */
  uint32_t *next;   /* the cell on its path; itself: it had a path before */
  uint8_t *near;    /* 1: about a rim */
  uint8_t *tried;   /* 0: not yet, 1: the class fits nowhere, 2: it does */
  th_heap heap;
} search;

static double clearance_at(const search *s, th_point p) {
  th_point on;
  double distance;
  th_segment_grid_nearest(&s->build->ground->flat->wall_grid, p, 1e6, &on, &distance);
  return distance;
}

static th_point centre_of(const search *s, uint32_t c) {
  const th_ground *ground = s->build->ground;
  const uint32_t w = ground->flat->width;
  return (th_point){(double)ground->flat->x0 + ((double)(c % w) + 0.5) * (double)ground->cell,
                    (double)ground->flat->y0 + ((double)(c / w) + 0.5) * (double)ground->cell};
}

/* Takes the better of the places around `from`, `step` apart, that lie in the cell. */
static double try_around(const search *s, th_point centre, th_point from, int side, double step, th_point *best) {
  const double half = EDGE * 0.5 * (double)s->build->ground->cell;
  double most = clearance_at(s, *best);
  for (int k = 0; k < side * side; k++) {
    const th_point p = {from.x + step * (double)(k % side - side / 2), from.y + step * (double)(k / side - side / 2)};
    if (fabs(p.x - centre.x) > half || fabs(p.y - centre.y) > half) continue;
    const double room = clearance_at(s, p);
    if (room > most) most = room, *best = p;
  }
  return most;
}

/* Whether the class fits somewhere in a walkable cell, and where best. Clearance changes by no more than the distance.
 */
static bool fits_in(search *s, uint32_t c) {
  const th_flat_ground *flat = s->build->ground->flat;
  const double cell = (double)s->build->ground->cell, least = FITS * s->radius;
  if (s->tried[c]) return s->tried[c] == 2;
  th_point best = centre_of(s, c), centre = best;
  double most = (double)flat->clearance[c], step = cell / (SPOTS - 1);
  if (most < least && most + (double)flat->half_diagonal >= least) {
    most = try_around(s, centre, centre, SPOTS, step, &best);
    for (int n = 0; n < REFINE; n++) step *= 0.5, most = try_around(s, centre, best, 3, step, &best);
  }
  s->spot[c] = best;
  s->tried[c] = most >= least ? 2 : 1;
  return s->tried[c] == 2;
}

static bool is_clear(const search *s, th_point a, th_point b) {
  const th_flat_ground *flat = s->build->ground->flat;
  const double dx = b.x - a.x, dy = b.y - a.y, cell = (double)s->build->ground->cell;
  const int parts = (int)(th_hypot_double(dx, dy) / fmin(STRIDE * cell, s->radius)) + 1; /* no wall slips through */
  for (int k = 0; k <= parts; k++) {
    const th_point p = {a.x + dx * k / parts, a.y + dy * k / parts};
    const uint32_t c = th_ground_cell(s->build->ground, (float)p.x, (float)p.y);
    if ((double)(flat->clearance[c] - flat->half_diagonal) >= s->radius) continue;
    if (clearance_at(s, p) < FITS * s->radius) return false;
  }
  return true;
}

/* The cell beside c in direction k, which is off the outermost ring. */
static uint32_t beside(const search *s, uint32_t c, int k) {
  static const int32_t step[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  return (uint32_t)((int32_t)c + step[k][0] + step[k][1] * (int32_t)s->build->ground->flat->width);
}

static bool is_outermost(const search *s, uint32_t c) {
  const uint32_t w = s->build->ground->flat->width, h = s->build->ground->flat->height, i = c % w, j = c / w;
  return i == 0 || j == 0 || i == w - 1 || j == h - 1;
}

/* Whether somebody may stand at the centre of a cell, though walls may touch the cell. */
static bool is_open(const search *s, uint32_t c) { return s->build->ground->flat->clearance[c] > 0.0f; }

static bool has_path(const search *s, uint32_t c) { return s->build->field->node[c].code & TH_NODE_REACHES; }

/* No wall between the centre of one cell and the place with most room in another. */
static bool sees(const search *s, uint32_t from, uint32_t to) {
  const th_point p = centre_of(s, from), q = s->spot[to];
  const double length = th_hypot_double(q.x - p.x, q.y - p.y);
  const th_point d = {(q.x - p.x) / length, (q.y - p.y) / length};
  double distance;
  return th_segment_grid_ray(&s->build->ground->flat->wall_grid, p, d, length, &distance) == UINT32_MAX;
}

/* What has a path keeps it, but the gap may lead through blocked cells that have one. */
static bool may_enter(const search *s, uint32_t c) {
  return !is_outermost(s, c) && (!has_path(s, c) || (s->near[c] && !th_is_free(s->build, c)));
}

/* From a cell where the class fits to those beside it: on where it fits as well, out of where it does not. */
static void spread(search *s, uint32_t c) {
  for (int k = 0; k < 8; k++) {
    const uint32_t to = beside(s, c, k);
    const double far = s->distance[c] + (k < 4 ? 1.0 : DIAGONAL);
    if (!may_enter(s, to) || !(far < s->distance[to])) continue;
    if (fits_in(s, to) ? !is_clear(s, s->spot[to], s->spot[c]) : !is_open(s, to) || !sees(s, to, c)) continue;
    s->distance[to] = far, s->next[to] = c;
    th_heap_lower(&s->heap, to, far);
  }
}

/* The farthest cell of its path that lies straight ahead. */
static uint32_t aim_of(const search *s, uint32_t c) {
  uint32_t aim = s->next[c], to = s->next[aim];
  for (int n = 1; s->tried[c] == 2 && n < AHEAD && to != aim && is_clear(s, s->spot[c], s->spot[to]); n++) {
    aim = to;
    to = s->next[to];
  }
  return aim;
}

static bool is_on_rim(search *s, uint32_t c) {
  for (int k = 0; k < 8; k++) {
    const uint32_t to = beside(s, c, k);
    if (!has_path(s, to) && (is_open(s, to) || fits_in(s, to))) return true;
  }
  return false;
}

/* Whether the class may walk straight from a blocked cell to where that aims. */
static bool walks_to_aim(search *s, uint32_t c) {
  const int32_t code = s->build->field->node[c].code, w = (int32_t)s->build->ground->flat->width;
  const uint32_t aim = (uint32_t)((int32_t)c + th_node_aim_i(code) + th_node_aim_j(code) * w);
  return fits_in(s, c) && is_clear(s, s->spot[c], centre_of(s, aim));
}

/* Marks the cells about a rim: blocked ones among them may lie in the gap that is looked for. */
static void mark_near(search *s, uint32_t c) {
  const uint32_t w = s->build->ground->flat->width, h = s->build->ground->flat->height, i = c % w, j = c / w;
  for (uint32_t row = j > NEAR ? j - NEAR : 0; row <= j + NEAR && row < h; row++)
    for (uint32_t column = i > NEAR ? i - NEAR : 0; column <= i + NEAR && column < w; column++)
      s->near[row * w + column] = 1;
}

/* Cells with a path near those that have none: from there it is spread. */
static void start(search *s) {
  const th_field_build *build = s->build;
  const uint32_t w = build->ground->flat->width, size = (uint32_t)build->size;
  for (uint32_t c = w + 1; c < size - w - 1; c++)
    if (has_path(s, c) && is_on_rim(s, c)) mark_near(s, c);
  for (uint32_t c = 0; c < size; c++) {
    if (!s->near[c] || !has_path(s, c)) continue;
    if (th_is_free(build, c)) s->spot[c] = centre_of(s, c), s->tried[c] = 2;
    if (!th_is_free(build, c) && !walks_to_aim(s, c)) continue;
    s->distance[c] = (double)build->field->node[c].left / (double)build->ground->cell;
    th_heap_lower(&s->heap, c, s->distance[c]);
  }
}

static void run(search *s) {
  start(s);
  while (s->heap.count > 0) {
    const uint32_t c = th_heap_pop(&s->heap);
    if (s->tried[c] == 2) spread(s, c);
  }
  for (uint32_t c = 0; c < s->build->size; c++)
    if (isfinite(s->distance[c]) && !has_path(s, c)) th_node_lead(s->build, c, aim_of(s, c), s->distance[c]);
}

/* Whether anybody may stand where there is no path. A class that is small against the cells is cut off nowhere. */
static bool is_needed(const th_field_build *build) {
  if (build->ground->radius_class[build->def->radius_class] < SMALL * build->ground->cell) return false;
  for (size_t c = 0; c < build->size; c++)
    if (build->ground->flat->clearance[c] > 0.0f && !(build->field->node[c].code & TH_NODE_REACHES)) return true;
  return false;
}

th_result th_cut_off_lead(th_field_build *build, th_error *error) {
  if (!is_needed(build)) return TH_OK;
  const th_allocator *allocator = build->allocator;
  const uint32_t size = (uint32_t)build->size;
  search s = {.build = build,
              .radius = (double)build->ground->radius_class[build->def->radius_class],
              .spot = TH_TAKE(allocator, th_point, size),
              .distance = TH_TAKE(allocator, double, size),
              .next = TH_TAKE(allocator, uint32_t, size),
              .near = TH_TAKE(allocator, uint8_t, size),
              .tried = TH_TAKE(allocator, uint8_t, size)};
  const bool got = th_heap_make(&s.heap, allocator, size) && s.spot && s.distance && s.next && s.near && s.tried;
  for (uint32_t c = 0; got && c < size; c++) s.distance[c] = INFINITY, s.next[c] = c, s.near[c] = s.tried[c] = 0;
  if (got) run(&s);
  th_heap_free(&s.heap, allocator);
  TH_GIVE(allocator, s.tried, size);
  TH_GIVE(allocator, s.near, size);
  TH_GIVE(allocator, s.next, size);
  TH_GIVE(allocator, s.distance, size);
  TH_GIVE(allocator, s.spot, size);
  return got ? TH_OK : th_fail_memory(error, "paths out of narrow places");
}
