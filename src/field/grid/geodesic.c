/* field/grid/geodesic.c - distances along the shortest path, or along the cheapest, by fast marching.
 *
 * |grad T| = cost, 1 for distances, is solved outwards from the goal in the order of T (Sethian 1996), with the
 * second-order upwind difference where two known cells stand in line (Sethian 1999), so the error falls faster than the
 * cell size. A point goal is a singularity that first differences smear over the whole map; hence all cells within NEAR
 * cells that see the goal get their exact distance. Where paths have a cost, straight ones start the march, but it may
 * find cheaper ones, and the length L of the cheapest path is carried along with its cost: it grows by 1 per cell in
 * the direction of grad T, so grad T grad L = |grad T|, with the differences that T has in the same cell. Ties are
 * broken by cell number, so the result is a function of the map alone. Cost: O(n log n) with base/heap.h, about 0.1 us
 * per cell.
 */
#include "field/grid/geodesic.h"

#include <math.h>

#include "base/error.h"
#include "base/heap.h"

#define NEAR 5
#define UNKNOWN (-1.0) /* the length of a path whose cell is still waiting */

enum { FAR, TRIAL, FIXED, KNOWN }; /* FIXED: waiting in the heap with an exact value */

typedef struct marcher {
  const th_march *grid;
  const double *cost; /* as of the grid */
  double *t, *length;
  uint8_t *state;
  th_heap heap;
} marcher;

/* Puts a cell into the heap, or moves it up when `t` is an improvement. */
static void lower(marcher *m, uint32_t c, double t, double length, uint8_t state) {
  if (t >= m->t[c]) return;
  m->t[c] = t;
  if (m->length) m->length[c] = length;
  m->state[c] = state;
  th_heap_lower(&m->heap, c, t);
}

/* One axis of the upwind scheme: the known value on the lower side, the weight of the squared difference, and the
 * plain neighbour. Second order: (3T - 4 T1 + T2) / 2 = 3/2 (T - (4 T1 - T2) / 3). */
typedef struct axis {
  double value, weight, plain;
} axis;

/* `by` gets the step to the lower side; NULL: not wanted. */
static inline axis upwind(const marcher *m, uint32_t c, uint32_t step, uint32_t *by) {
  axis a = {INFINITY, 1.0, INFINITY};
  const uint32_t one[2] = {c - step, c + step}, two[2] = {c - 2 * step, c + 2 * step};
  int side = -1;
  for (int k = 0; k < 2; k++)
    if (m->state[one[k]] == KNOWN && m->t[one[k]] < a.plain) a.plain = m->t[one[k]], side = k;
  if (side < 0) return a;
  a.value = a.plain;
  if (by) *by = one[side] - c;
  /* A known neighbour is not on the ring of walls, so two cells away is still on the grid. */
  if (m->state[two[side]] == KNOWN && m->t[two[side]] <= a.plain) {
    a.value = (4.0 * a.plain - m->t[two[side]]) / 3.0;
    a.weight = 2.25;
  }
  return a;
}

/* Larger root of wx (T - vx)^2 + wy (T - vy)^2 = cost^2; NaN when there is none. */
static double root(axis x, axis y, double cost) {
  double a = x.weight + y.weight, b = x.weight * x.value + y.weight * y.value;
  double c = x.weight * x.value * x.value + y.weight * y.value * y.value - cost * cost;
  return (b + sqrt(b * b - a * c)) / a;
}

static double arrival(const marcher *m, uint32_t c) {
  const double cost = m->cost ? m->cost[c] : 1.0;
  axis x = upwind(m, c, 1, NULL), y = upwind(m, c, m->grid->width, NULL);
  double larger = x.plain > y.plain ? x.plain : y.plain, smaller = x.plain > y.plain ? y.plain : x.plain;
  if (larger < smaller + cost) {
    double t = root(x, y, cost);
    if (t >= larger) return fmin(t, smaller + cost);
    x = (axis){x.plain, 1.0, x.plain};
    y = (axis){y.plain, 1.0, y.plain};
    t = root(x, y, cost);
    if (t >= larger) return t;
  }
  return smaller + cost;
}

/* Sums over the axes of the length's equation; w (T - v) is the weight of an axis. */
typedef struct slopes {
  double weight, length, square;
} slopes;

/* An axis counts where T lies above it. */
static void add_slope(const marcher *m, uint32_t c, uint32_t step, slopes *sum) {
  uint32_t by = 0;
  axis a = upwind(m, c, step, &by);
  const double t = m->t[c], *known = m->length;
  if (!(t > a.plain)) return;
  if (!(t > a.value)) a = (axis){a.plain, 1.0, a.plain};
  const double below = a.weight > 1.0 ? (4.0 * known[c + by] - known[c + 2 * by]) / 3.0 : known[c + by];
  const double slope = a.weight * (t - a.value);
  sum->weight += slope;
  sum->length += slope * below;
  sum->square += slope * (t - a.value);
}

/* The length of the path from a cell whose T is known. Where two cheapest paths meet, they may have different lengths;
 * but no path is longer than it costs. */
static double path_length(const marcher *m, uint32_t c) {
  slopes sum = {0.0, 0.0, 0.0};
  add_slope(m, c, 1, &sum);
  add_slope(m, c, m->grid->width, &sum);
  return sum.weight > 0.0 ? fmin((sqrt(sum.square) + sum.length) / sum.weight, m->t[c]) : m->t[c];
}

bool th_grid_sees(const th_grid_sight *sight, uint32_t from, uint32_t to) {
  int32_t w = (int32_t)sight->width, i = (int32_t)from % w, j = (int32_t)from / w;
  int32_t ni = (int32_t)to % w - i, nj = (int32_t)to / w - j;
  int32_t si = ni < 0 ? -1 : 1, sj = nj < 0 ? -1 : 1;
  ni *= si, nj *= sj;
  /* Doubled error of the midpoint: positive when the segment leaves the cell through its side, 0 at a corner. */
  for (int32_t error = ni - nj, left = ni + nj; left > 0; left--) {
    if (error == 0) {
      bool a = sight->cell[j * w + i + si] != sight->wall, b = sight->cell[(j + sj) * w + i] != sight->wall;
      if (!a && !b) return false;
      i += si, j += sj, left--;
      error += 2 * (ni - nj);
    } else if (error > 0) {
      i += si, error -= 2 * nj;
    } else {
      j += sj, error += 2 * ni;
    }
    if (sight->cell[j * w + i] == sight->wall) return false;
  }
  return true;
}

/* Exact distances of the cells around one goal cell that see it; costs of the straight paths from there. */
static void start_near(marcher *m, uint32_t goal) {
  const th_march *grid = m->grid;
  int32_t w = (int32_t)grid->width, h = (int32_t)grid->height, gi = (int32_t)goal % w, gj = (int32_t)goal / w;
  const th_grid_sight sight = {grid->width, grid->kind, TH_CELL_WALL};
  const bool exact = grid->goal->count == 1 && !m->cost;
  for (int32_t j = gj - NEAR; j <= gj + NEAR; j++)
    for (int32_t i = gi - NEAR; i <= gi + NEAR; i++) {
      if (i < 1 || j < 1 || i > w - 2 || j > h - 2) continue;
      uint32_t c = (uint32_t)(j * w + i);
      double d = sqrt((double)((i - gi) * (i - gi) + (j - gj) * (j - gj)));
      const double t = m->cost ? 0.5 * (m->cost[goal] + m->cost[c]) * d : d;
      if (grid->kind[c] == TH_CELL_WALL || t >= m->t[c] || !th_grid_sees(&sight, goal, c)) continue;
      lower(m, c, t, d, exact ? FIXED : TRIAL);
    }
}

static bool on_rim(const th_march *grid, uint32_t c) {
  const uint32_t side[4] = {c - grid->width, c - 1, c + 1, c + grid->width};
  for (int k = 0; k < 4; k++)
    if (grid->kind[side[k]] == TH_CELL_FREE) return true;
  return false;
}

static void march(marcher *m) {
  const th_march *grid = m->grid;
  const uint32_t step[4] = {(uint32_t)0 - grid->width, (uint32_t)-1, 1, grid->width};
  for (uint32_t n = 0; n < grid->goal->count; n++) lower(m, grid->goal->cell[n], 0.0, 0.0, FIXED);
  for (uint32_t n = 0; n < grid->goal->count; n++)
    if (on_rim(grid, grid->goal->cell[n])) start_near(m, grid->goal->cell[n]);
  while (m->heap.count > 0) {
    uint32_t c = th_heap_pop(&m->heap);
    if (m->length && m->length[c] == UNKNOWN) m->length[c] = path_length(m, c);
    m->state[c] = KNOWN;
    for (int k = 0; k < 4; k++) {
      uint32_t n = c + step[k];
      if (grid->kind[n] == TH_CELL_WALL || m->state[n] >= FIXED) continue;
      lower(m, n, arrival(m, n), UNKNOWN, TRIAL);
    }
  }
}

th_result th_geodesic_march(const th_allocator *allocator, const th_march *grid, double *distance, th_error *error) {
  const uint32_t size = grid->width * grid->height;
  marcher m = {.grid = grid, .cost = grid->cost, .t = distance, .state = TH_TAKE(allocator, uint8_t, size)};
  if (grid->cost) m.length = grid->length;
  bool ready = th_heap_make(&m.heap, allocator, size) && m.state;
  if (ready) {
    for (uint32_t c = 0; c < size; c++) distance[c] = INFINITY;
    for (uint32_t c = 0; m.length && c < size; c++) m.length[c] = INFINITY;
    march(&m);
  }
  th_heap_free(&m.heap, allocator);
  TH_GIVE(allocator, m.state, size);
  return ready ? TH_OK : th_fail_memory(error, "distances to the goal");
}
