/* geometry/segment_grid.c - segments in uniform buckets.
 *
 * Walls of a floor plan are short and evenly distributed, so a uniform grid is faster than a tree: one division finds
 * the bucket. The lists of all buckets lie in one array (counting sort), built in two passes. Building costs
 * O(segments + buckets); the bucket width follows the density, so a query reads only a few segments.
 */
#include "geometry/segment_grid.h"

#include "base/memory.h"

#define MAX_BUCKETS 262144.0 /* 1 MB of starts: rebuilt by each edit */

static void choose_size(th_segment_grid *grid, const th_box *box, double widest) {
  double w = box->x1 - box->x0, h = box->y1 - box->y0;
  double size = 2.0 * sqrt(w * h / (double)(grid->segment_count + 1));
  if (size > widest || !(size > 0.0)) size = widest;
  double min = sqrt(w * h / MAX_BUCKETS), line = (w > h ? w : h) / (MAX_BUCKETS / 8.0);
  if (size < min) size = min;
  if (size < line) size = line; /* one long row */
  if (size < 1e-3) size = 1e-3;
  grid->size = size;
  grid->inverse = 1.0 / size;
  grid->columns = (uint32_t)(w * grid->inverse) + 1;
  grid->rows = (uint32_t)(h * grid->inverse) + 1;
}

void th_segment_grid_rows(const th_segment_grid *grid, const th_segment *s, uint32_t *first, uint32_t *last) {
  double low = (double)(s->ay < s->by ? s->ay : s->by), high = (double)(s->ay < s->by ? s->by : s->ay);
  *first = th_grid_row(grid, low - grid->pad);
  *last = th_grid_row(grid, high + grid->pad);
}

void th_segment_grid_span(const th_segment_grid *grid, const th_segment *s, uint32_t row, uint32_t *first,
                          uint32_t *last) {
  double ax = (double)s->ax, ay = (double)s->ay, ex = (double)s->bx - ax, ey = (double)s->by - ay;
  double low = grid->y0 + (double)row * grid->size - grid->pad, high = low + grid->size + 2.0 * grid->pad;
  double t0 = 0.0, t1 = 1.0;
  if (ey != 0.0) {
    double u = (low - ay) / ey, v = (high - ay) / ey;
    double enter = u < v ? u : v, leave = u < v ? v : u;
    /* Border rows also hold the segments beyond them, so the clipped part may be empty there: keep the nearer end. */
    t0 = enter > 0.0 ? (enter < 1.0 ? enter : 1.0) : 0.0;
    t1 = leave < 1.0 ? (leave > 0.0 ? leave : 0.0) : 1.0;
  }
  double xa = ax + t0 * ex, xb = ax + t1 * ex;
  *first = th_grid_column(grid, (xa < xb ? xa : xb) - grid->pad);
  *last = th_grid_column(grid, (xa < xb ? xb : xa) + grid->pad);
}

/* Pass 1 counts (item == NULL), pass 2 fills; returns the number of entries. */
static uint64_t list(th_segment_grid *grid, uint32_t *item) {
  uint64_t total = 0;
  for (uint32_t k = 0; k < grid->segment_count; k++) {
    uint32_t j0, j1;
    th_segment_grid_rows(grid, &grid->segment[k], &j0, &j1);
    for (uint32_t j = j0; j <= j1; j++) {
      uint32_t i0, i1;
      th_segment_grid_span(grid, &grid->segment[k], j, &i0, &i1);
      total += i1 - i0 + 1;
      uint32_t *start = grid->start + (size_t)j * grid->columns;
      for (uint32_t i = i0; i <= i1; i++) {
        if (item) item[start[i]] = k;
        start[i]++;
      }
    }
  }
  return total;
}

bool th_segment_grid_make(th_segment_grid *grid, const th_allocator *allocator, const th_segment *segment,
                          uint32_t count, double widest, double pad) {
  *grid = (th_segment_grid){.segment = segment, .segment_count = count};
  th_box box = th_box_empty();
  for (uint32_t k = 0; k < count; k++) th_box_add_segment(&box, &segment[k]);
  if (!count) box = (th_box){0, 0, 0, 0};
  grid->x0 = box.x0;
  grid->y0 = box.y0;
  choose_size(grid, &box, widest);
  grid->pad = pad > 1e-6 * grid->size ? pad : 1e-6 * grid->size;
  uint32_t buckets = grid->columns * grid->rows;
  grid->start = TH_TAKE(allocator, uint32_t, (size_t)buckets + 1);
  if (!grid->start) return false;
  uint64_t total = list(grid, NULL);
  if (total < UINT32_MAX) grid->item = TH_TAKE(allocator, uint32_t, (size_t)total);
  if (!grid->item) {
    th_segment_grid_free(grid, allocator);
    return false;
  }
  grid->item_count = (uint32_t)total;
  uint32_t sum = 0;
  for (uint32_t b = 0; b < buckets; b++) {
    uint32_t n = grid->start[b];
    grid->start[b] = sum;
    sum += n;
  }
  list(grid, grid->item); /* moves each start to the end of its list, that is to the next start */
  for (uint32_t b = buckets; b > 0; b--) grid->start[b] = grid->start[b - 1];
  grid->start[0] = 0;
  return true;
}

void th_segment_grid_free(th_segment_grid *grid, const th_allocator *allocator) {
  if (grid->start) TH_GIVE(allocator, grid->start, (size_t)grid->columns * grid->rows + 1);
  if (grid->item) TH_GIVE(allocator, grid->item, (size_t)grid->item_count);
  *grid = (th_segment_grid){0};
}

typedef struct window {
  uint32_t i0, i1, j0, j1;
} window;

/* A segment listed in several buckets of the window counts in the first of them only. */
static bool first_in(const th_segment_grid *grid, const th_segment *s, const window *w, uint32_t i, uint32_t j) {
  uint32_t r0, r1, c0, c1;
  th_segment_grid_rows(grid, s, &r0, &r1);
  for (uint32_t r = r0 > w->j0 ? r0 : w->j0; r < j; r++) {
    th_segment_grid_span(grid, s, r, &c0, &c1);
    if (c0 <= w->i1 && c1 >= w->i0) return false;
  }
  th_segment_grid_span(grid, s, j, &c0, &c1);
  return i == (c0 > w->i0 ? c0 : w->i0);
}

static void insert(uint32_t *index, uint32_t *count, uint32_t capacity, uint32_t value) {
  if (*count == capacity) {
    if (!capacity || index[capacity - 1] < value) return;
    (*count)--;
  }
  uint32_t at = *count;
  for (; at > 0 && index[at - 1] > value; at--) index[at] = index[at - 1];
  index[at] = value;
  (*count)++;
}

uint32_t th_segment_grid_near(const th_segment_grid *grid, const th_box *box, uint32_t *index, uint32_t capacity) {
  if (!grid->segment_count || th_box_is_empty(box)) return 0;
  window w = {th_grid_column(grid, box->x0), th_grid_column(grid, box->x1), th_grid_row(grid, box->y0),
              th_grid_row(grid, box->y1)};
  bool single = w.i0 == w.i1 && w.j0 == w.j1;
  uint32_t found = 0, kept = 0;
  for (uint32_t j = w.j0; j <= w.j1; j++) {
    for (uint32_t i = w.i0; i <= w.i1; i++) {
      size_t b = (size_t)j * grid->columns + i;
      for (uint32_t n = grid->start[b]; n < grid->start[b + 1]; n++) {
        const th_segment *s = &grid->segment[grid->item[n]];
        if (!th_segment_meets_box(s, box) || !(single || first_in(grid, s, &w, i, j))) continue;
        found++;
        insert(index, &kept, capacity, grid->item[n]);
      }
    }
  }
  return found;
}

typedef struct nearest {
  th_point p;
  uint32_t index;
  double distance2;
} nearest;

static void visit(const th_segment_grid *grid, uint32_t i, uint32_t j, nearest *best) {
  size_t b = (size_t)j * grid->columns + i;
  for (uint32_t n = grid->start[b]; n < grid->start[b + 1]; n++) {
    uint32_t k = grid->item[n];
    double d2 = th_segment_distance2(&grid->segment[k], best->p.x, best->p.y);
    if (d2 < best->distance2 || (d2 == best->distance2 && k < best->index)) {
      best->distance2 = d2;
      best->index = k;
    }
  }
}

/* Buckets at Chebyshev distance `ring` from (ci, cj). */
static void visit_ring(const th_segment_grid *grid, int64_t ci, int64_t cj, int64_t ring, nearest *best) {
  for (int64_t j = cj - ring < 0 ? 0 : cj - ring; j <= cj + ring && j < grid->rows; j++) {
    const th_ring_row row = th_segment_grid_ring(grid, ci, ring, j == cj - ring || j == cj + ring);
    for (int64_t i = row.first; i <= row.last; i += row.step) visit(grid, (uint32_t)i, (uint32_t)j, best);
  }
}

uint32_t th_segment_grid_nearest(const th_segment_grid *grid, th_point p, double reach, th_point *on,
                                 double *distance) {
  nearest best = {p, UINT32_MAX, reach * reach};
  if (grid->segment_count && reach >= 0.0) {
    int64_t ci = th_grid_column(grid, p.x), cj = th_grid_row(grid, p.y);
    int64_t rings = grid->columns > grid->rows ? grid->columns : grid->rows;
    for (int64_t ring = 0; ring < rings; ring++) {
      double min = (double)(ring - 1) * grid->size; /* nothing in this ring is nearer */
      if (ring > 1 && min * min > best.distance2) break;
      visit_ring(grid, ci, cj, ring, &best);
    }
  }
  double t;
  *on = best.index == UINT32_MAX ? p : th_segment_nearest(&grid->segment[best.index], p.x, p.y, &t);
  *distance = best.index == UINT32_MAX ? reach : sqrt(best.distance2);
  return best.index;
}

/* Ray p + t d against a + u e: t = (a-p) x e / d x e, u = (a-p) x d / d x e. The slack in u closes the joint of two
 * segments that share an end. */
static double meet(const th_segment *s, th_point p, th_point d) {
  double ex = (double)s->bx - (double)s->ax, ey = (double)s->by - (double)s->ay;
  double across = d.x * ey - d.y * ex;
  if (across == 0.0) return HUGE_VAL;
  double ox = (double)s->ax - p.x, oy = (double)s->ay - p.y;
  double t = (ox * ey - oy * ex) / across, u = (ox * d.y - oy * d.x) / across;
  return t >= 0.0 && u >= -1e-9 && u <= 1.0 + 1e-9 ? t : HUGE_VAL;
}

/* Part of the ray inside the grid's box: clips [*t0, *t1]. */
static bool clip(double p, double d, double low, double high, double *t0, double *t1) {
  if (d == 0.0) return p >= low && p <= high;
  double u = (low - p) / d, v = (high - p) / d;
  double enter = u < v ? u : v, leave = u < v ? v : u;
  if (enter > *t0) *t0 = enter;
  if (leave < *t1) *t1 = leave;
  return *t0 <= *t1;
}

uint32_t th_segment_grid_ray(const th_segment_grid *grid, th_point p, th_point d, double length, double *distance) {
  uint32_t best = UINT32_MAX;
  double nearest_t = length, t0 = 0.0, t1 = length, slack = grid->pad;
  *distance = length;
  if (!grid->segment_count || !(length >= 0.0) || !(d.x * d.x + d.y * d.y > 0.0)) return best;
  if (!clip(p.x, d.x, grid->x0 - slack, grid->x0 + grid->columns * grid->size + slack, &t0, &t1)) return best;
  if (!clip(p.y, d.y, grid->y0 - slack, grid->y0 + grid->rows * grid->size + slack, &t0, &t1)) return best;
  int64_t i = th_grid_column(grid, p.x + t0 * d.x), j = th_grid_row(grid, p.y + t0 * d.y);
  int64_t si = d.x > 0.0 ? 1 : -1, sj = d.y > 0.0 ? 1 : -1;
  for (;;) {
    size_t b = (size_t)j * grid->columns + (size_t)i;
    for (uint32_t n = grid->start[b]; n < grid->start[b + 1]; n++) {
      uint32_t k = grid->item[n];
      double t = meet(&grid->segment[k], p, d);
      if (t < nearest_t || (t == nearest_t && t < HUGE_VAL && k < best)) {
        nearest_t = t;
        best = k;
      }
    }
    double tx = d.x != 0.0 ? (grid->x0 + (double)(i + (si > 0)) * grid->size - p.x) / d.x : HUGE_VAL;
    double ty = d.y != 0.0 ? (grid->y0 + (double)(j + (sj > 0)) * grid->size - p.y) / d.y : HUGE_VAL;
    double leave = tx < ty ? tx : ty;
    if (leave >= nearest_t || leave > t1) break;
    if (tx < ty)
      i += si;
    else
      j += sj;
    if (i < 0 || j < 0 || i >= grid->columns || j >= grid->rows) break;
  }
  *distance = nearest_t;
  return best;
}
