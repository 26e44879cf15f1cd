/* guide/explore/flat_relax.c - the potential that attracts explorers, and the distance left to the target.
 *
 * Known free cells take the mean of their neighbours,
 *     u[i][j] = (u[i+1][j] + u[i-1][j] + u[i][j+1] + u[i][j-1]) / 4,
 * by some sweeps of Gauss-Seidel per step in alternating order (Dapper 2007, sections 3.1.1 and 6.3.3, with u = 1 - p);
 * unknown cells keep u = 1 and attract. Where no wall is in sight u would be 1 everywhere: there, and always with
 * `fade`, it is the mean times 1 - sink (explore.h). A field that is never converged may have stale maxima; they sink
 * while an explorer stands near them. The distance `left` is the solution of |grad left| = 1 by fast sweeping (Zhao
 * 2005) with the upwind step of Godunov, from the target or from everything unknown. Cost: about 3 ns per cell and
 * sweep; distances take a handful of rounds of four sweeps, one more for each turn of a winding path.
 */
#include <math.h>

#include "guide/explore/explore.h"

#define TINY 1e-280 /* smaller values become 0: denormal numbers are slow and useless */

/* One of the four orders of a sweep: rows and columns up or down. */
typedef struct walk {
  int32_t first, end, by;
} walk;

static walk upwards(uint32_t low, uint32_t high, bool up) {
  return up ? (walk){(int32_t)low, (int32_t)high, 1} : (walk){(int32_t)high - 1, (int32_t)low - 1, -1};
}

/* The border ring is solid on every ground and keeps its value. */
static th_explore_box inside(const th_explore_map *map, th_explore_box box) {
  uint32_t i1 = map->head->width - 1, j1 = map->head->height - 1;
  return (th_explore_box){box.i0 < 1 ? 1 : box.i0, box.j0 < 1 ? 1 : box.j0, box.i1 > i1 ? i1 : box.i1,
                          box.j1 > j1 ? j1 : box.j1};
}

th_explore_box th_explore_window(const th_explore_map *map, uint32_t cell, float reach) {
  uint32_t width = map->head->width, height = map->head->height, i = cell % width, j = cell / width;
  uint32_t r = (uint32_t)(reach / map->head->cell);
  return (th_explore_box){i > r ? i - r : 0, j > r ? j - r : 0, i + r + 1 < width ? i + r + 1 : width,
                          j + r + 1 < height ? j + r + 1 : height};
}

static void relax_row(th_explore_map *map, size_t row, walk i, double quarter) {
  const uint8_t still = TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED | TH_EXPLORE_TARGET;
  size_t width = map->head->width;
  double *u = map->u;
  for (int32_t k = i.first; k != i.end; k += i.by) {
    size_t c = row + (size_t)k;
    if ((map->mark[c] & still) != TH_EXPLORE_KNOWN) continue;
    double mean = quarter * ((u[c + width] + u[c - width]) + (u[c + 1] + u[c - 1]));
    u[c] = mean > TINY ? mean : 0.0;
  }
}

/* True when something in the box, or on its rim, holds u down. */
static bool has_wall(const th_explore_map *map, th_explore_box box) {
  for (uint32_t j = box.j0 - 1; j <= box.j1; j++)
    for (uint32_t i = box.i0 - 1; i <= box.i1; i++)
      if (map->mark[(size_t)j * map->head->width + i] & TH_EXPLORE_BLOCKED) return true;
  return false;
}

void th_explore_relax(th_explore_map *map, th_explore_box box, const th_explore_params *params) {
  box = inside(map, box);
  if (box.i0 >= box.i1 || box.j0 >= box.j1) return;
  double quarter = 0.25 * (1.0 - th_explore_sink(params, map->head->cell, has_wall(map, box)));
  for (int32_t sweep = 0; sweep < params->sweeps; sweep++) {
    walk i = upwards(box.i0, box.i1, !(sweep & 1)), j = upwards(box.j0, box.j1, !(sweep & 2));
    for (int32_t k = j.first; k != j.end; k += j.by) relax_row(map, (size_t)k * map->head->width, i, quarter);
  }
}

/* ---------------------------------------------------------------- distances */

/* With a, b the least neighbours along x and y:  (t - a)^2 + (t - b)^2 = h^2, or one of them alone when the other is
 * too far to matter. */
static float upwind(float a, float b, float h) {
  float low = fminf(a, b), gap = fabsf(a - b);
  if (!(gap < h)) return low + h; /* one of them may be infinite */
  return 0.5f * (a + b + sqrtf(2.0f * h * h - gap * gap));
}

static bool measure_row(th_explore_map *map, size_t row, walk i) {
  const uint8_t both = TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED;
  size_t width = map->head->width;
  float *left = map->left, h = map->head->cell;
  bool changed = false;
  for (int32_t k = i.first; k != i.end; k += i.by) {
    size_t c = row + (size_t)k;
    if ((map->mark[c] & both) != TH_EXPLORE_KNOWN) continue;
    float a = fminf(left[c - 1], left[c + 1]), b = fminf(left[c - width], left[c + width]);
    if (a == INFINITY && b == INFINITY) continue;
    float t = upwind(a, b, h);
    if (!(t < left[c] - 1e-3f * h)) continue; /* a smaller gain is below the error of the update itself */
    left[c] = t;
    changed = true;
  }
  return changed;
}

/* Sweeps until nothing changes. Every sweep that changes something lowers a cell, so the loop ends. */
static void spread(th_explore_map *map) {
  th_explore_box box = inside(map, map->head->known);
  uint32_t idle = 0;
  if (box.i0 >= box.i1 || box.j0 >= box.j1) return;
  for (uint32_t sweep = 0; idle < 4; sweep++) {
    walk i = upwards(box.i0, box.i1, !(sweep & 1)), j = upwards(box.j0, box.j1, !(sweep & 2));
    bool changed = false;
    for (int32_t k = j.first; k != j.end; k += j.by) changed |= measure_row(map, (size_t)k * map->head->width, i);
    idle = changed ? 0 : idle + 1;
  }
}

void th_explore_measure(th_explore_map *map) {
  size_t cells = (size_t)map->head->width * map->head->height;
  for (size_t c = 0; c < cells; c++) map->left[c] = map->mark[c] & TH_EXPLORE_TARGET ? 0.0f : INFINITY;
  spread(map);
  map->head->stale = 0;
}

void th_explore_find_open(th_explore_map *map) {
  const uint8_t both = TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED;
  size_t cells = (size_t)map->head->width * map->head->height;
  for (size_t c = 0; c < cells; c++) map->left[c] = map->mark[c] & TH_EXPLORE_KNOWN ? INFINITY : 0.0f;
  spread(map);
  for (size_t c = 0; c < cells; c++) {
    bool open = (map->mark[c] & both) == TH_EXPLORE_KNOWN && map->left[c] < INFINITY;
    map->mark[c] = (uint8_t)((map->mark[c] & ~TH_EXPLORE_OPEN) | (open ? TH_EXPLORE_OPEN : 0));
  }
  map->head->fresh = 0;
  map->head->stale = 1;
}

static bool better(const th_explore_map *map, uint32_t a, uint32_t b, bool by_left) {
  return by_left ? map->left[a] < map->left[b] : map->u[a] > map->u[b];
}

uint32_t th_explore_stand(const th_explore_map *map, uint32_t cell, bool by_left) {
  const uint8_t both = TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED;
  uint32_t best = TH_NO_CELL, width = map->head->width;
  for (float ring = 0.0f; ring <= 3.0f && best == TH_NO_CELL; ring += 1.0f) {
    th_explore_box box = inside(map, th_explore_window(map, cell, (ring + 0.01f) * map->head->cell));
    for (uint32_t j = box.j0; j < box.j1; j++)
      for (uint32_t i = box.i0; i < box.i1; i++) {
        uint32_t c = j * width + i;
        if ((map->mark[c] & both) != TH_EXPLORE_KNOWN) continue;
        if (best == TH_NO_CELL || better(map, c, best, by_left)) best = c;
      }
  }
  return best == TH_NO_CELL ? cell : best;
}
