/* report/metrics/near.c - distances: between bodies, and between bodies and walls.
 *
 * Agents are sorted into square cells no smaller than the reach, so that all agents within reach are in the 3 x 3 cells
 * around. The reach follows the smallest distance found so far, since only a smaller one matters: after a few steps it
 * is hardly more than two radii. Touching pairs are kept sorted from one step to the next; a contact is a pair that was
 * not in the last list. Cost: O(n) for bounded density, O(p log p) for p touching pairs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/vector.h"
#include "report/metrics/metrics.h"

#define MAX_CELLS (1u << 22)

bool th_metrics_bins_reserve(const th_allocator *allocator, th_metrics_bins *cells, uint32_t items) {
  uint32_t count = cells->width * cells->height + 2;
  if (!th_grow(allocator, (void **)&cells->first, &cells->first_capacity, count, sizeof *cells->first) ||
      !th_grow(allocator, (void **)&cells->item, &cells->item_capacity, items, sizeof *cells->item))
    return false;
  memset(cells->first, 0, count * sizeof *cells->first);
  return true;
}

void th_metrics_bins_free(const th_allocator *allocator, th_metrics_bins *cells) {
  TH_GIVE(allocator, cells->first, cells->first_capacity);
  TH_GIVE(allocator, cells->item, cells->item_capacity);
}

uint32_t th_metrics_bins_column(const th_metrics_bins *cells, double x) {
  return th_bin_double((x - cells->x0) / cells->cell, cells->width);
}
uint32_t th_metrics_bins_row(const th_metrics_bins *cells, double y) {
  return th_bin_double((y - cells->y0) / cells->cell, cells->height);
}

/* A grid over [x0, x1] x [y0, y1]; cells become wider when there would be too many. */
static void shape_cells(th_metrics_bins *cells, const double bounds[4], double cell) {
  double w = bounds[2] - bounds[0], h = bounds[3] - bounds[1];
  while ((w / cell + 1.0) * (h / cell + 1.0) > MAX_CELLS) cell *= 2.0;
  cells->x0 = bounds[0], cells->y0 = bounds[1], cells->cell = cell;
  cells->width = (uint32_t)(w / cell) + 1;
  cells->height = (uint32_t)(h / cell) + 1;
}

static bool present(const th_agents *agents, uint32_t i) {
  return !agents->state || agents->state[i] != TH_AGENT_DELAYED;
}

static bool sort_agents(th_metrics *metrics, const th_agents *agents, double reach) {
  double bounds[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (uint32_t i = 0; i < agents->count; i++) {
    if (!present(agents, i)) continue;
    double x = (double)agents->x[i], y = (double)agents->y[i];
    bounds[0] = fmin(bounds[0], x), bounds[1] = fmin(bounds[1], y);
    bounds[2] = fmax(bounds[2], x), bounds[3] = fmax(bounds[3], y);
  }
  if (!(bounds[2] >= bounds[0])) bounds[0] = bounds[1] = bounds[2] = bounds[3] = 0.0;
  th_metrics_bins *cells = &metrics->cells;
  shape_cells(cells, bounds, reach);
  if (!th_metrics_bins_reserve(&metrics->env.allocator, cells, agents->count)) return false;
  /* counting sort; first[c + 2] counts, then first[c + 1] is the place to fill next */
  for (uint32_t i = 0; i < agents->count; i++)
    if (present(agents, i))
      cells->first[th_metrics_bins_row(cells, (double)agents->y[i]) * cells->width +
                   th_metrics_bins_column(cells, (double)agents->x[i]) + 2]++;
  for (uint32_t c = 2; c < cells->width * cells->height + 2; c++) cells->first[c] += cells->first[c - 1];
  for (uint32_t i = 0; i < agents->count; i++)
    if (present(agents, i))
      cells->item[cells->first[th_metrics_bins_row(cells, (double)agents->y[i]) * cells->width +
                               th_metrics_bins_column(cells, (double)agents->x[i]) + 1]++] = i;
  return true;
}

/* gap = |p - q| - (rp + rq); overlap = -gap / (rp + rq), with radii towards other agents: those of turned shoulders are
 * smaller */
static bool measure_pair(th_metrics *metrics, const th_agents *agents, uint32_t i, uint32_t j) {
  const float *body = agents->body ? agents->body : agents->radius;
  double dx = (double)agents->x[i] - (double)agents->x[j], dy = (double)agents->y[i] - (double)agents->y[j];
  double radii = (double)body[i] + (double)body[j], full = (double)agents->radius[i] + (double)agents->radius[j];
  double apart = agents->space ? th_metrics_apart(agents->space, i, j) : sqrt(dx * dx + dy * dy), gap = apart - radii;
  if (1.0 - apart / full > metrics->worst_full) metrics->worst_full = 1.0 - apart / full;
  if (gap < metrics->min_distance) metrics->min_distance = gap;
  if (!(gap < 0.0)) return true;
  double overlap = -gap / radii;
  if (overlap > metrics->worst_overlap) metrics->worst_overlap = overlap;
  if (!(overlap > (double)metrics->contact)) return true;
  if (!th_grow(&metrics->env.allocator, (void **)&metrics->pair, &metrics->pair_capacity, metrics->pair_count + 1,
               sizeof *metrics->pair))
    return false;
  uint64_t a = metrics->row_life[i], b = metrics->row_life[j];
  metrics->pair[metrics->pair_count++] = a < b ? a << 32 | b : b << 32 | a;
  return true;
}

static bool measure_around(th_metrics *metrics, const th_agents *agents, uint32_t column, uint32_t row) {
  const th_metrics_bins *cells = &metrics->cells;
  uint32_t own = row * cells->width + column;
  for (uint32_t r = row ? row - 1 : 0; r <= row + 1 && r < cells->height; r++)
    for (uint32_t c = column ? column - 1 : 0; c <= column + 1 && c < cells->width; c++) {
      uint32_t other = r * cells->width + c;
      if (other < own) continue; /* each pair of cells once */
      for (uint32_t a = cells->first[own]; a < cells->first[own + 1]; a++)
        for (uint32_t b = other == own ? a + 1 : cells->first[other]; b < cells->first[other + 1]; b++)
          if (!measure_pair(metrics, agents, cells->item[a], cells->item[b])) return false;
    }
  return true;
}

static int by_key(const void *a, const void *b) {
  uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
  return p < q ? -1 : p > q;
}

static void count_contacts(th_metrics *metrics) {
  if (metrics->pair_count) qsort(metrics->pair, metrics->pair_count, sizeof *metrics->pair, by_key);
  for (uint32_t k = 0, before = 0; k < metrics->pair_count; k++) {
    while (before < metrics->pair_before_count && metrics->pair_before[before] < metrics->pair[k]) before++;
    bool old = before < metrics->pair_before_count && metrics->pair_before[before] == metrics->pair[k];
    if (!old) metrics->contacts++;
  }
  if (metrics->steps > 0) metrics->contact_seconds += metrics->dt * metrics->pair_count;
  uint64_t *list = metrics->pair_before;
  uint32_t capacity = metrics->pair_before_capacity;
  metrics->pair_before = metrics->pair, metrics->pair_before_capacity = metrics->pair_capacity;
  metrics->pair_before_count = metrics->pair_count;
  metrics->pair = list, metrics->pair_capacity = capacity, metrics->pair_count = 0;
}

bool th_metrics_near_pairs(th_metrics *metrics, const th_agents *agents) {
  double radius = 0.0;
  for (uint32_t i = 0; i < agents->count; i++) radius = fmax(radius, (double)agents->radius[i]);
  double within = fmin((double)metrics->min_within, fmax(metrics->min_distance, 0.0));
  metrics->pair_count = 0;
  if (!sort_agents(metrics, agents, fmax(2.0 * radius + within, 1e-3))) return false;
  const th_metrics_bins *cells = &metrics->cells;
  for (uint32_t row = 0; row < cells->height; row++)
    for (uint32_t column = 0; column < cells->width; column++) {
      uint32_t c = row * cells->width + column;
      if (cells->first[c] != cells->first[c + 1] && !measure_around(metrics, agents, column, row)) return false;
    }
  count_contacts(metrics);
  return true;
}

/* ---------------------------------------------------------------- walls */

/* For each cell under the box of a wall: counts it, or stores the wall there. */
static void file_wall(th_metrics_bins *cells, const th_segment *s, uint32_t wall, bool count) {
  uint32_t c0 = th_metrics_bins_column(cells, (double)fminf(s->ax, s->bx)),
           c1 = th_metrics_bins_column(cells, (double)fmaxf(s->ax, s->bx));
  uint32_t r0 = th_metrics_bins_row(cells, (double)fminf(s->ay, s->by)),
           r1 = th_metrics_bins_row(cells, (double)fmaxf(s->ay, s->by));
  for (uint32_t r = r0; r <= r1; r++)
    for (uint32_t c = c0; c <= c1; c++) {
      if (count)
        cells->first[r * cells->width + c + 2]++;
      else
        cells->item[cells->first[r * cells->width + c + 1]++] = wall;
    }
}

th_result th_metrics_walls(th_metrics *metrics, const th_segment *wall, uint32_t count, th_error *error) {
  const th_allocator *allocator = &metrics->env.allocator;
  th_metrics_bins *cells = &metrics->wall_cells;
  double bounds[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (uint32_t k = 0; k < count; k++) {
    bounds[0] = fmin(bounds[0], (double)fminf(wall[k].ax, wall[k].bx));
    bounds[1] = fmin(bounds[1], (double)fminf(wall[k].ay, wall[k].by));
    bounds[2] = fmax(bounds[2], (double)fmaxf(wall[k].ax, wall[k].bx));
    bounds[3] = fmax(bounds[3], (double)fmaxf(wall[k].ay, wall[k].by));
  }
  if (count == 0) bounds[0] = bounds[1] = bounds[2] = bounds[3] = 0.0;
  bool good = th_grow(allocator, (void **)&metrics->wall, &metrics->wall_capacity, count, sizeof *metrics->wall);
  metrics->wall_count = 0;
  shape_cells(cells, bounds, 1.0);
  if (good) good = th_metrics_bins_reserve(allocator, cells, 0);
  if (good) {
    for (uint32_t k = 0; k < count; k++) file_wall(cells, &wall[k], k, true);
    for (uint32_t c = 2; c < cells->width * cells->height + 2; c++) cells->first[c] += cells->first[c - 1];
    good = th_grow(allocator, (void **)&cells->item, &cells->item_capacity,
                   cells->first[cells->width * cells->height + 1], sizeof *cells->item);
  }
  if (!good) {
    if (error) *error = (th_error){.code = TH_ERROR_MEMORY, .element = TH_NO_ELEMENT, .text = "out of memory"};
    return TH_ERROR_MEMORY;
  }
  for (uint32_t k = 0; k < count; k++) file_wall(cells, &wall[k], k, false);
  if (count) memcpy(metrics->wall, wall, count * sizeof *wall);
  metrics->wall_count = count;
  return TH_OK;
}

static double wall_distance(const th_segment *s, double x, double y) {
  double ax = (double)s->ax, ay = (double)s->ay, dx = (double)s->bx - ax, dy = (double)s->by - ay;
  double length = dx * dx + dy * dy, t = length > 0.0 ? ((x - ax) * dx + (y - ay) * dy) / length : 0.0;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return hypot(x - ax - t * dx, y - ay - t * dy);
}

static double nearest_wall(const th_metrics *metrics, double x, double y, double reach) {
  const th_metrics_bins *cells = &metrics->wall_cells;
  double nearest = INFINITY;
  uint32_t c1 = th_metrics_bins_column(cells, x + reach), r1 = th_metrics_bins_row(cells, y + reach);
  for (uint32_t r = th_metrics_bins_row(cells, y - reach); r <= r1; r++)
    for (uint32_t c = th_metrics_bins_column(cells, x - reach); c <= c1; c++)
      for (uint32_t k = cells->first[r * cells->width + c]; k < cells->first[r * cells->width + c + 1]; k++)
        nearest = fmin(nearest, wall_distance(&metrics->wall[cells->item[k]], x, y));
  return nearest;
}

bool th_metrics_wall_contacts(th_metrics *metrics, const th_agents *agents) {
  const float *clearance = agents->space ? agents->space->clearance : NULL;
  if (agents->space ? !clearance : metrics->wall_count == 0) return true;
  for (uint32_t i = 0; i < agents->count; i++) {
    if (!present(agents, i)) continue;
    th_life *life = &metrics->life[metrics->row_life[i]];
    double radius = (double)agents->radius[i];
    double wall =
        clearance ? (double)clearance[i] : nearest_wall(metrics, (double)agents->x[i], (double)agents->y[i], radius);
    double overlap = 1.0 - wall / radius;
    bool touches = overlap > (double)metrics->contact;
    if (overlap > metrics->worst_wall) metrics->worst_wall = overlap;
    if (touches && !life->at_wall) metrics->wall_contacts++;
    if (touches && metrics->steps > 0) metrics->wall_seconds += metrics->dt;
    life->at_wall = touches;
  }
  return true;
}
