/* io/recording/plan.c - plans: rings of points, made from wall segments.
 *
 * Walls come as separate segments with walkable space on their left. The code numbers their end points, follows them
 * from segment to segment, and cuts a ring off whenever it reaches a point that it has passed, so that rings that touch
 * in a point stay simple, as WKT demands. Counter-clockwise rings are outlines, clockwise ones holes (shoelace
 * formula); a hole goes to the smallest outline around it. Cost: O(n log n) for sorting the points, O(holes x outlines'
 * points) for the last.
 */
#include "io/recording/plan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

bool th_floor_plan_add_point(th_floor_plan *plan, th_vec2 point) {
  if (!th_grow(&plan->env.allocator, (void **)&plan->point, &plan->tail.point_capacity, plan->point_count + 1,
               sizeof *plan->point))
    return false;
  plan->point[plan->point_count++] = point;
  return true;
}

bool th_floor_plan_add_ring(th_floor_plan *plan, uint32_t first, bool hole) {
  if (!th_grow(&plan->env.allocator, (void **)&plan->ring, &plan->tail.ring_capacity, plan->ring_count + 1,
               sizeof *plan->ring))
    return false;
  plan->ring[plan->ring_count++] = (th_ring){first, plan->point_count - first, hole};
  return true;
}

void th_floor_plan_free(th_floor_plan *plan) {
  if (!plan) return;
  th_env env = th_env_complete(&plan->env);
  TH_GIVE(&env.allocator, plan->point, plan->tail.point_capacity);
  TH_GIVE(&env.allocator, plan->ring, plan->tail.ring_capacity);
  *plan = (th_floor_plan){0};
}

void th_floor_plan_bounds(const th_floor_plan *plan, th_vec2 *lower, th_vec2 *upper) {
  *lower = *upper = (th_vec2){0, 0};
  for (uint32_t i = 0; i < plan->point_count; i++) {
    th_vec2 p = plan->point[i];
    if (i == 0) *lower = *upper = p;
    if (p.x < lower->x) lower->x = p.x;
    if (p.y < lower->y) lower->y = p.y;
    if (p.x > upper->x) upper->x = p.x;
    if (p.y > upper->y) upper->y = p.y;
  }
}

double th_floor_plan_ring_area(const th_vec2 *point, uint32_t count) {
  double twice = 0.0; /* sum of (x_i y_(i+1) - x_(i+1) y_i) */
  for (uint32_t i = 0, j = count - 1; i < count; j = i++)
    twice += (double)point[j].x * (double)point[i].y - (double)point[i].x * (double)point[j].y;
  return 0.5 * twice;
}

static bool ring_holds(const th_vec2 *point, uint32_t count, double x, double y) {
  bool inside = false;
  for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
    double ax = (double)point[j].x, ay = (double)point[j].y, bx = (double)point[i].x, by = (double)point[i].y;
    if ((ay > y) != (by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay)) inside = !inside;
  }
  return inside;
}

/* ---------------------------------------------------------------- joining segments */

typedef struct loose_end {
  float x, y;
  uint32_t segment;
} loose_end;

typedef struct joining {
  th_allocator allocator;
  const th_segment *wall;
  uint32_t count;
  loose_end *start;    /* starts of all segments, sorted by place */
  bool *used;          /* by place in `start` */
  uint32_t *walk;      /* the walk so far, as places in `start` */
  uint32_t *place;     /* of each start in the walk; UINT32_MAX: not in it */
  th_floor_plan loops; /* rings in the order they were found */
} joining;

static int by_place(const void *a, const void *b) {
  const loose_end *p = (const loose_end *)a, *q = (const loose_end *)b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return p->segment < q->segment ? -1 : p->segment > q->segment;
}

/* First entry not before (x, y). */
static uint32_t lower_bound(const joining *join, float x, float y) {
  loose_end key = {x, y, 0};
  uint32_t lo = 0, hi = join->count;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (by_place(&join->start[mid], &key) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

#define JOIN_WITHIN 1e-3f /* ends this close [m] are one point: clipped outlines do not meet to the last bit */

/* A start at (x, y) that is in the walk (`walked`) or not used yet; exact matches go first, so that the columns of an
 * image, which share x, cost no search. UINT32_MAX: none. */
static uint32_t find_start(const joining *join, float x, float y, bool walked) {
  for (uint32_t i = lower_bound(join, x, y); i < join->count && join->start[i].x == x && join->start[i].y == y; i++)
    if (walked ? join->place[i] != UINT32_MAX : !join->used[i]) return i;
  uint32_t best = UINT32_MAX;
  float nearest = JOIN_WITHIN * JOIN_WITHIN;
  uint32_t from = lower_bound(join, x - JOIN_WITHIN, -INFINITY);
  for (uint32_t i = from; i < join->count && join->start[i].x <= x + JOIN_WITHIN; i++) {
    float dx = join->start[i].x - x, dy = join->start[i].y - y, d = dx * dx + dy * dy;
    bool wanted = walked ? join->place[i] != UINT32_MAX : !join->used[i];
    if (!wanted || d > nearest || (d == nearest && best != UINT32_MAX)) continue;
    nearest = d;
    best = i;
  }
  return best;
}

static bool cut_loop(joining *join, uint32_t from, uint32_t to) {
  uint32_t first = join->loops.point_count;
  for (uint32_t k = from; k < to; k++) {
    const th_segment *s = &join->wall[join->start[join->walk[k]].segment];
    if (!th_floor_plan_add_point(&join->loops, (th_vec2){s->ax, s->ay})) return false;
  }
  if (to - from < 3) { /* a slit: two walls back to back */
    join->loops.point_count = first;
    return true;
  }
  double area = th_floor_plan_ring_area(join->loops.point + first, to - from);
  return th_floor_plan_add_ring(&join->loops, first, area < 0.0);
}

/* Walks on from `begin` until no segment follows; every loop along the walk becomes a ring. */
static bool walk_from(joining *join, uint32_t begin) {
  uint32_t length = 0;
  for (uint32_t at = begin; at != UINT32_MAX;) {
    join->used[at] = true;
    join->place[at] = length;
    join->walk[length++] = at;
    const th_segment *s = &join->wall[join->start[at].segment];
    uint32_t met = find_start(join, s->bx, s->by, true);
    if (met != UINT32_MAX) {
      uint32_t from = join->place[met];
      if (!cut_loop(join, from, length)) return false;
      while (length > from) join->place[join->walk[--length]] = UINT32_MAX;
    }
    if (length == 0) return true;
    s = &join->wall[join->start[join->walk[length - 1]].segment];
    at = find_start(join, s->bx, s->by, false);
  }
  for (uint32_t k = 0; k < length; k++) join->place[join->walk[k]] = UINT32_MAX;
  return cut_loop(join, 0, length);
}

static bool join_all(joining *join) {
  for (uint32_t i = 0; i < join->count; i++) {
    const th_segment *s = &join->wall[i];
    join->start[i] = (loose_end){s->ax, s->ay, i};
    join->place[i] = UINT32_MAX;
  }
  qsort(join->start, join->count, sizeof *join->start, by_place);
  for (uint32_t i = 0; i < join->count; i++)
    if (!join->used[i] && !walk_from(join, i)) return false;
  return true;
}

/* ---------------------------------------------------------------- holes to their outlines */

/* The smallest outline that holds the walkable side of a hole's first edge; UINT32_MAX: none. */
static uint32_t home_of(const th_floor_plan *loops, const th_ring *hole) {
  const th_vec2 *a = &loops->point[hole->first], *b = a + 1;
  double dx = (double)b->x - (double)a->x, dy = (double)b->y - (double)a->y, length = sqrt(dx * dx + dy * dy);
  double x = 0.5 * ((double)a->x + (double)b->x), y = 0.5 * ((double)a->y + (double)b->y), smallest = DBL_MAX;
  if (length > 0.0) {
    x -= 1e-3 * dy / length;
    y += 1e-3 * dx / length;
  }
  uint32_t home = UINT32_MAX;
  for (uint32_t r = 0; r < loops->ring_count; r++) {
    const th_ring *ring = &loops->ring[r];
    double area = ring->hole ? DBL_MAX : th_floor_plan_ring_area(loops->point + ring->first, ring->count);
    if (area >= smallest || !ring_holds(loops->point + ring->first, ring->count, x, y)) continue;
    smallest = area;
    home = r;
  }
  return home;
}

static bool copy_ring(th_floor_plan *plan, const th_floor_plan *loops, const th_ring *ring) {
  uint32_t first = plan->point_count;
  for (uint32_t k = 0; k < ring->count; k++)
    if (!th_floor_plan_add_point(plan, loops->point[ring->first + k])) return false;
  return th_floor_plan_add_ring(plan, first, ring->hole);
}

/* Each outline, then its holes; holes without an outline come last. */
static bool sort_rings(const th_floor_plan *loops, uint32_t *home, th_floor_plan *plan) {
  for (uint32_t r = 0; r < loops->ring_count; r++)
    home[r] = loops->ring[r].hole ? home_of(loops, &loops->ring[r]) : UINT32_MAX - 1;
  for (uint32_t o = 0; o <= loops->ring_count; o++) {
    bool orphans = o == loops->ring_count;
    if (!orphans && loops->ring[o].hole) continue;
    if (!orphans && !copy_ring(plan, loops, &loops->ring[o])) return false;
    for (uint32_t h = 0; h < loops->ring_count; h++)
      if (home[h] == (orphans ? UINT32_MAX : o) && !copy_ring(plan, loops, &loops->ring[h])) return false;
  }
  return true;
}

static th_result join_walls(const th_env *env, const th_segment *wall, uint32_t count, th_floor_plan *plan,
                            th_error *error) {
  const th_env full = *env;
  joining join = {.allocator = full.allocator, .wall = wall, .count = count, .loops = {.env = full}};
  th_floor_plan made = {.env = full};
  join.start = TH_TAKE(&full.allocator, loose_end, count);
  join.used = TH_TAKE(&full.allocator, bool, count);
  join.walk = TH_TAKE(&full.allocator, uint32_t, count);
  join.place = TH_TAKE(&full.allocator, uint32_t, count);
  bool done = join.start && join.used && join.walk && join.place && join_all(&join);
  uint32_t *home = done ? TH_TAKE(&full.allocator, uint32_t, join.loops.ring_count) : NULL;
  done = home && sort_rings(&join.loops, home, &made);
  TH_GIVE(&full.allocator, home, join.loops.ring_count);
  TH_GIVE(&full.allocator, join.start, count);
  TH_GIVE(&full.allocator, join.used, count);
  TH_GIVE(&full.allocator, join.walk, count);
  TH_GIVE(&full.allocator, join.place, count);
  th_floor_plan_free(&join.loops);
  if (!done) {
    th_floor_plan_free(&made);
    return th_fail_memory(error, "plan");
  }
  *plan = made;
  return TH_OK;
}

th_floor_plan th_default_floor_plan(void) { return (th_floor_plan){.point_count = 0}; }
th_floor_plan_def th_default_floor_plan_def(void) { return (th_floor_plan_def){.wkt = NULL}; }

th_result th_floor_plan_make(const th_floor_plan_def *def, th_floor_plan *plan, th_error *error) {
  const th_env env = th_env_complete(&def->env);
  if (def->wkt) return th_floor_plan_of_wkt(&env, def->wkt, plan, error);
  return join_walls(&env, def->wall, def->wall_count, plan, error);
}
