/* geometry/raster.c - segments on square cells.
 *
 * Touch: the segment is clipped to the height of each row of cells; it touches the columns between the two ends
 * (conservative line rasterisation). Cost: one division per row and one store per cell.
 *
 * Distance: exact and bounded. For a tile of 8 x 8 cells with half diagonal h, let m be the least distance of the
 * tile's centre from a segment; every segment that is nearest to a cell of the tile lies within m + 2h of its centre.
 * So one ring search per tile leaves a few candidates, and each cell takes their minimum: about 10 distances per cell
 * for any number of segments. A minimum does not depend on order or on extra candidates, so an update of a window gives
 * the same bits as a full build.
 */
#include "geometry/raster.h"

#include "base/memory.h"

static uint32_t clamp_index(double at, uint32_t max) { return at > 0.0 ? (at < (double)max ? (uint32_t)at : max) : 0; }

th_window th_raster_window(const th_lattice *lattice, const th_box *box) {
  if (th_box_is_empty(box)) return (th_window){0, 0, 0, 0};
  double inverse = 1.0 / lattice->cell;
  th_window w = {clamp_index(floor((box->x0 - lattice->x0) * inverse), lattice->width),
                 clamp_index(floor((box->y0 - lattice->y0) * inverse), lattice->height),
                 clamp_index(floor((box->x1 - lattice->x0) * inverse) + 1.0, lattice->width),
                 clamp_index(floor((box->y1 - lattice->y0) * inverse) + 1.0, lattice->height)};
  if (w.i0 >= w.i1 || w.j0 >= w.j1) w = (th_window){0, 0, 0, 0};
  return w;
}

#define RIM 1e-4 /* of a cell */

/* First and last+1 index of the unit intervals shrunk by RIM that [low, high] meets, clamped to [least, most). */
static void covered(double low, double high, uint32_t min, uint32_t max, uint32_t *first, uint32_t *end) {
  double a = floor(low + RIM), b = floor(high - RIM) + 1.0;
  *first = a > (double)min ? (a < (double)max ? (uint32_t)a : max) : min;
  *end = b > (double)min ? (b < (double)max ? (uint32_t)b : max) : min;
}

void th_raster_segment(const th_lattice *lattice, const th_window *window, const th_segment *s, uint8_t *mask) {
  double inverse = 1.0 / lattice->cell; /* in cells from here on */
  double ax = ((double)s->ax - lattice->x0) * inverse, ay = ((double)s->ay - lattice->y0) * inverse;
  double ex = ((double)s->bx - lattice->x0) * inverse - ax, ey = ((double)s->by - lattice->y0) * inverse - ay;
  double low = ey < 0.0 ? ay + ey : ay, high = ey < 0.0 ? ay : ay + ey;
  uint32_t j0, j1;
  covered(low, high, window->j0, window->j1, &j0, &j1);
  for (uint32_t j = j0; j < j1; j++) {
    double t0 = 0.0, t1 = 1.0;
    if (ey != 0.0) {
      double u = ((double)j + RIM - ay) / ey, v = ((double)j + 1.0 - RIM - ay) / ey;
      double enter = u < v ? u : v, leave = u < v ? v : u;
      t0 = enter > 0.0 ? enter : 0.0;
      t1 = leave < 1.0 ? leave : 1.0;
      if (t0 > t1) continue;
    }
    double xa = ax + t0 * ex, xb = ax + t1 * ex;
    uint32_t i0, i1;
    covered(xa < xb ? xa : xb, xa < xb ? xb : xa, window->i0, window->i1, &i0, &i1);
    for (uint32_t i = i0; i < i1; i++) mask[(size_t)j * lattice->width + i] = 1;
  }
}

#define TILE 8

typedef struct search {
  const th_segment_grid *grid;
  uint32_t *seen; /* per segment: the last tile that looked at it */
  uint32_t *list;
  double *away; /* distance of the tile's centre from list[n] */
  uint32_t count, tile;
  double min;
} search;

static void look(search *s, uint32_t i, uint32_t j, th_point centre) {
  size_t b = (size_t)j * s->grid->columns + i;
  for (uint32_t n = s->grid->start[b]; n < s->grid->start[b + 1]; n++) {
    uint32_t k = s->grid->item[n];
    if (s->seen[k] == s->tile) continue;
    s->seen[k] = s->tile;
    double d = sqrt(th_segment_distance2(&s->grid->segment[k], centre.x, centre.y));
    if (d < s->min) s->min = d;
    s->list[s->count] = k;
    s->away[s->count++] = d;
  }
}

/* Fills the list with every segment that can be nearest to a point within `half` of the centre. */
static void gather(search *s, th_point centre, double half, double limit) {
  const th_segment_grid *grid = s->grid;
  s->tile++;
  s->count = 0;
  s->min = limit + half;
  int64_t ci = th_grid_column(grid, centre.x), cj = th_grid_row(grid, centre.y);
  int64_t w = grid->columns, h = grid->rows, rings = w > h ? w : h;
  for (int64_t ring = 0; ring < rings; ring++) {
    if (ring > 1 && (double)(ring - 1) * grid->size > s->min + 2.0 * half) break;
    for (int64_t j = cj - ring < 0 ? 0 : cj - ring; j <= cj + ring && j < h; j++) {
      const th_ring_row row = th_segment_grid_ring(grid, ci, ring, j == cj - ring || j == cj + ring);
      for (int64_t i = row.first; i <= row.last; i += row.step) look(s, (uint32_t)i, (uint32_t)j, centre);
    }
  }
  uint32_t kept = 0;
  for (uint32_t n = 0; n < s->count; n++)
    if (s->away[n] <= s->min + 2.0 * half) s->list[kept++] = s->list[n];
  s->count = kept;
}

static void nearest_of(const th_segment *s, const double *x, const double *y, uint32_t n, double *best) {
  double ax = (double)s->ax, ay = (double)s->ay, ex = (double)s->bx - ax, ey = (double)s->by - ay;
  double inverse = 1.0 / (ex * ex + ey * ey);
  for (uint32_t k = 0; k < n; k++) {
    double px = x[k] - ax, py = y[k] - ay;
    double t = (px * ex + py * ey) * inverse;
    t = t > 0.0 ? t : 0.0;
    t = t < 1.0 ? t : 1.0;
    double dx = px - t * ex, dy = py - t * ey, d2 = dx * dx + dy * dy;
    best[k] = d2 < best[k] ? d2 : best[k];
  }
}

static void fill_tile(search *s, const th_lattice *lattice, const th_window *tile, double limit, float *distance) {
  double x[TILE * TILE], y[TILE * TILE], best[TILE * TILE];
  uint32_t n = 0;
  for (uint32_t j = tile->j0; j < tile->j1; j++)
    for (uint32_t i = tile->i0; i < tile->i1; i++) {
      x[n] = th_lattice_x(lattice, i);
      y[n] = th_lattice_y(lattice, j);
      best[n++] = limit * limit;
    }
  th_point centre = {0.5 * (x[0] + x[n - 1]), 0.5 * (y[0] + y[n - 1])};
  double dx = x[n - 1] - centre.x, dy = y[n - 1] - centre.y;
  double half = sqrt(dx * dx + dy * dy) * (1.0 + 1e-9) + 1e-9;
  gather(s, centre, half, limit);
  for (uint32_t k = 0; k < s->count; k++) nearest_of(&s->grid->segment[s->list[k]], x, y, n, best);
  n = 0;
  for (uint32_t j = tile->j0; j < tile->j1; j++)
    for (uint32_t i = tile->i0; i < tile->i1; i++) distance[(size_t)j * lattice->width + i] = (float)sqrt(best[n++]);
}

static void fill_window(search *s, const th_lattice *lattice, const th_window *w, double limit, float *distance) {
  for (uint32_t j = w->j0; j < w->j1; j += TILE)
    for (uint32_t i = w->i0; i < w->i1; i += TILE) {
      th_window tile = {i, j, i + TILE < w->i1 ? i + TILE : w->i1, j + TILE < w->j1 ? j + TILE : w->j1};
      fill_tile(s, lattice, &tile, limit, distance);
    }
}

bool th_raster_distance(const th_lattice *lattice, const th_window *window, const th_segment_grid *grid, double limit,
                        float *distance, const th_allocator *allocator) {
  uint32_t n = grid->segment_count;
  search s = {.grid = grid,
              .seen = TH_TAKE(allocator, uint32_t, n),
              .list = TH_TAKE(allocator, uint32_t, n),
              .away = TH_TAKE(allocator, double, n)};
  bool done = s.seen && s.list && s.away;
  if (done) fill_window(&s, lattice, window, limit, distance);
  TH_GIVE(allocator, s.seen, n);
  TH_GIVE(allocator, s.list, n);
  TH_GIVE(allocator, s.away, n);
  return done;
}
