/* field/grid/geodesic.c - distances along the shortest path, by fast marching.
 *
 * |grad T| = 1 is solved outwards from the goal in the order of T (Sethian 1996), with the second-order upwind
 * difference where two known cells stand in line (Sethian 1999), so the error falls faster than the cell size. A point
 * goal is a singularity that first differences smear over the whole map; hence all cells within NEAR cells that see the
 * goal get their exact distance. Ties are broken by cell number, so the result is a function of the map alone. Cost:
 * O(n log n) with base/heap.h, about 0.1 us per cell.
 */
#include "field/grid/geodesic.h"

#include <math.h>

#include "base/error.h"
#include "base/heap.h"

#define NEAR 5

enum { FAR, TRIAL, FIXED, KNOWN }; /* FIXED: waiting in the heap with an exact value */

typedef struct marcher {
  const th_march *grid;
  double *t;
  uint8_t *state;
  th_heap heap;
} marcher;

/* Puts a cell into the heap, or moves it up when `t` is an improvement. */
static void lower(marcher *m, uint32_t c, double t, uint8_t state) {
  if (t >= m->t[c]) return;
  m->t[c] = t;
  m->state[c] = state;
  th_heap_lower(&m->heap, c, t);
}

/* One axis of the upwind scheme: the known value on the lower side, the weight of the squared difference, and the
 * plain neighbour. Second order: (3T - 4 T1 + T2) / 2 = 3/2 (T - (4 T1 - T2) / 3). */
typedef struct axis {
  double value, weight, plain;
} axis;

static axis upwind(const marcher *m, uint32_t c, uint32_t step) {
  axis a = {INFINITY, 1.0, INFINITY};
  const uint32_t one[2] = {c - step, c + step}, two[2] = {c - 2 * step, c + 2 * step};
  int side = -1;
  for (int k = 0; k < 2; k++)
    if (m->state[one[k]] == KNOWN && m->t[one[k]] < a.plain) a.plain = m->t[one[k]], side = k;
  if (side < 0) return a;
  a.value = a.plain;
  /* A known neighbour is not on the ring of walls, so two cells away is still on the grid. */
  if (m->state[two[side]] == KNOWN && m->t[two[side]] <= a.plain) {
    a.value = (4.0 * a.plain - m->t[two[side]]) / 3.0;
    a.weight = 2.25;
  }
  return a;
}

/* Larger root of wx (T - vx)^2 + wy (T - vy)^2 = 1; NaN when there is none. */
static double root(axis x, axis y) {
  double a = x.weight + y.weight, b = x.weight * x.value + y.weight * y.value;
  double c = x.weight * x.value * x.value + y.weight * y.value * y.value - 1.0;
  return (b + sqrt(b * b - a * c)) / a;
}

static double arrival(const marcher *m, uint32_t c) {
  axis x = upwind(m, c, 1), y = upwind(m, c, m->grid->width);
  double larger = x.plain > y.plain ? x.plain : y.plain, smaller = x.plain > y.plain ? y.plain : x.plain;
  if (larger < smaller + 1.0) {
    double t = root(x, y);
    if (t >= larger) return fmin(t, smaller + 1.0);
    x = (axis){x.plain, 1.0, x.plain};
    y = (axis){y.plain, 1.0, y.plain};
    t = root(x, y);
    if (t >= larger) return t;
  }
  return smaller + 1.0;
}

bool th_march_sees(const th_march *march, uint32_t from, uint32_t to) {
  int32_t w = (int32_t)march->width, i = (int32_t)from % w, j = (int32_t)from / w;
  int32_t ni = (int32_t)to % w - i, nj = (int32_t)to / w - j;
  int32_t si = ni < 0 ? -1 : 1, sj = nj < 0 ? -1 : 1;
  ni *= si, nj *= sj;
  /* Doubled error of the midpoint: positive when the segment leaves the cell through its side, 0 at a corner. */
  for (int32_t error = ni - nj, left = ni + nj; left > 0; left--) {
    if (error == 0) {
      bool a = march->kind[j * w + i + si] != TH_CELL_WALL, b = march->kind[(j + sj) * w + i] != TH_CELL_WALL;
      if (!a && !b) return false;
      i += si, j += sj, left--;
      error += 2 * (ni - nj);
    } else if (error > 0) {
      i += si, error -= 2 * nj;
    } else {
      j += sj, error += 2 * ni;
    }
    if (march->kind[j * w + i] == TH_CELL_WALL) return false;
  }
  return true;
}

/* Exact distances of the cells around one goal cell that see it. */
static void start_near(marcher *m, uint32_t goal) {
  const th_march *grid = m->grid;
  int32_t w = (int32_t)grid->width, h = (int32_t)grid->height, gi = (int32_t)goal % w, gj = (int32_t)goal / w;
  bool alone = grid->goal->count == 1;
  for (int32_t j = gj - NEAR; j <= gj + NEAR; j++)
    for (int32_t i = gi - NEAR; i <= gi + NEAR; i++) {
      if (i < 1 || j < 1 || i > w - 2 || j > h - 2) continue;
      uint32_t c = (uint32_t)(j * w + i);
      double d = sqrt((double)((i - gi) * (i - gi) + (j - gj) * (j - gj)));
      if (grid->kind[c] == TH_CELL_WALL || d >= m->t[c] || !th_march_sees(grid, goal, c)) continue;
      lower(m, c, d, alone ? FIXED : TRIAL);
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
  for (uint32_t n = 0; n < grid->goal->count; n++) lower(m, grid->goal->cell[n], 0.0, FIXED);
  for (uint32_t n = 0; n < grid->goal->count; n++)
    if (on_rim(grid, grid->goal->cell[n])) start_near(m, grid->goal->cell[n]);
  while (m->heap.count > 0) {
    uint32_t c = th_heap_pop(&m->heap);
    m->state[c] = KNOWN;
    for (int k = 0; k < 4; k++) {
      uint32_t n = c + step[k];
      if (grid->kind[n] == TH_CELL_WALL || m->state[n] >= FIXED) continue;
      lower(m, n, arrival(m, n), TRIAL);
    }
  }
}

th_result th_march_run(const th_allocator *allocator, const th_march *grid, double *distance, th_error *error) {
  const uint32_t size = grid->width * grid->height;
  marcher m = {.grid = grid, .t = distance, .state = TH_TAKE(allocator, uint8_t, size)};
  bool ready = th_heap_make(&m.heap, allocator, size) && m.state;
  if (ready) {
    for (uint32_t c = 0; c < size; c++) distance[c] = INFINITY;
    march(&m);
  }
  th_heap_free(&m.heap, allocator);
  TH_GIVE(allocator, m.state, size);
  return ready ? TH_OK : th_fail_memory(error, "distances to the goal");
}
