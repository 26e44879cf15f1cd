/* field/grid/goal.c - from a goal's shape to raster cells.
 *
 * A point is the cell that holds it, a line every cell it passes through (so that no agent slips between two of them),
 * a disc or polygon the cells whose centres it contains, or its outline when it is too thin to contain any. Each shape
 * is marked in a raster of bytes and the marks are read in order, so overlaps cost nothing and the list is sorted. An
 * exit drawn on the wall itself is common: when the class blocks all of a shape, the exits of the walkable cells it
 * covers become the goal instead, if they lie within the radius plus two cells. Cost: one pass.
 */
#include "field/grid/goal.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape.h"

#define FAR_EXIT 2.0 /* cells beyond the radius */

typedef struct marker {
  const th_ground *ground;
  uint8_t *mark;
  bool any;
} marker;

static void mark_cell(marker *m, double fi, double fj) {
  if (!(fi >= 0.0 && fj >= 0.0 && fi < (double)m->ground->flat->width && fj < (double)m->ground->flat->height)) return;
  m->mark[(size_t)fj * m->ground->flat->width + (size_t)fi] = 1;
  m->any = true;
}

/* Raster coordinates: cell (i, j) is [i, i + 1) x [j, j + 1). */
static double raster_i(const th_ground *g, double x) { return (x - (double)g->flat->x0) / (double)g->cell; }
static double raster_j(const th_ground *g, double y) { return (y - (double)g->flat->y0) / (double)g->cell; }

/* Visits the crossings with the grid's columns, and inside each column its run of rows. */
static void mark_segment(marker *m, th_vec3 a, th_vec3 b) {
  const th_ground *g = m->ground;
  double ai = raster_i(g, a.x), aj = raster_j(g, a.y), bi = raster_i(g, b.x), bj = raster_j(g, b.y);
  if (ai > bi) {
    double ti = ai, tj = aj;
    ai = bi, aj = bj, bi = ti, bj = tj;
  }
  double slope = bi > ai ? (bj - aj) / (bi - ai) : 0.0;
  double low = fmax(floor(ai), 0.0), high = fmin(floor(bi), (double)g->flat->width - 1.0);
  for (double i = low; i <= high; i += 1.0) {
    double enter = i <= ai ? aj : aj + slope * (i - ai), leave = i + 1.0 >= bi ? bj : aj + slope * (i + 1.0 - ai);
    double bottom = fmax(floor(fmin(enter, leave)), 0.0);
    double top = fmin(floor(fmax(enter, leave)), (double)g->flat->height - 1.0);
    for (double j = bottom; j <= top; j += 1.0) mark_cell(m, i, j);
  }
}

static void mark_area(marker *m, const th_shape *shape) {
  const th_ground *g = m->ground;
  const th_box box = th_shape_bounds(shape);
  double i1 = fmin(raster_i(g, box.x1), (double)g->flat->width - 1.0);
  double j1 = fmin(raster_j(g, box.y1), (double)g->flat->height - 1.0);
  for (double j = fmax(floor(raster_j(g, box.y0)), 0.0); j <= j1; j += 1.0)
    for (double i = fmax(floor(raster_i(g, box.x0)), 0.0); i <= i1; i += 1.0) {
      double x = (double)g->flat->x0 + (i + 0.5) * (double)g->cell,
             y = (double)g->flat->y0 + (j + 0.5) * (double)g->cell;
      if (th_shape_covers(shape, x, y)) mark_cell(m, i, j);
    }
}

static void mark_shape(marker *m, const th_shape *shape) {
  const th_vec3 *p = th_shape_points(shape);
  if (shape->kind == TH_SHAPE_DISC || shape->kind == TH_SHAPE_POLYGON) mark_area(m, shape);
  if (m->any) return;
  if (shape->kind == TH_SHAPE_LINE || shape->kind == TH_SHAPE_POLYGON) {
    for (uint32_t n = 0, a, b; th_shape_side(shape, n, &a, &b); n++) mark_segment(m, p[a], p[b]);
  } else {
    mark_cell(m, floor(raster_i(m->ground, (double)p[0].x)), floor(raster_j(m->ground, (double)p[0].y)));
  }
}

/* Replaces marks in blocked cells by marks on their exits. Marks on exits are 2, so that none is followed twice. */
static void mark_exits(const th_field_build *build, uint8_t *mark) {
  const th_ground *g = build->ground;
  double reach = FAR_EXIT + (double)g->radius_class[build->def->radius_class] / (double)g->cell;
  for (uint32_t c = 0; c < build->size; c++) {
    uint32_t out = build->nearest_free[c];
    if (mark[c] != 1 || out == TH_NO_CELL || out == c) continue;
    double di = (double)(out % g->flat->width) - (double)(c % g->flat->width),
           dj = (double)(out / g->flat->width) - (double)(c / g->flat->width);
    if (di * di + dj * dj <= reach * reach) mark[out] = 2;
  }
}

static uint32_t count_free(const th_field_build *build, const uint8_t *mark) {
  uint32_t count = 0;
  for (size_t c = 0; c < build->size; c++) count += mark[c] && th_is_free(build, c);
  return count;
}

static th_result collect(th_field_build *build, const uint8_t *mark, uint32_t count, th_error *error) {
  build->goal.cell = TH_TAKE(build->allocator, uint32_t, count);
  if (!build->goal.cell) return th_fail_memory(error, "goal");
  build->goal.capacity = count;
  for (uint32_t c = 0; c < build->size; c++)
    if (mark[c] && th_is_free(build, c)) build->goal.cell[build->goal.count++] = c;
  return TH_OK;
}

th_result th_goal_find(th_field_build *build, th_error *error) {
  const th_shape *shape = &build->def->goal;
  marker m = {build->ground, TH_TAKE(build->allocator, uint8_t, build->size), false};
  if (!m.mark) return th_fail_memory(error, "goal");
  mark_shape(&m, shape);
  uint32_t count = count_free(build, m.mark);
  if (count == 0 && m.any) {
    mark_exits(build, m.mark);
    count = count_free(build, m.mark);
  }
  th_result result;
  if (count > 0)
    result = collect(build, m.mark, count, error);
  else
    result = th_fail(error, TH_ERROR_GEOMETRY, "goal",
                     "expected a goal where a body of radius %g m can stand; the goal at (%g, %g) is %s",
                     (double)build->ground->radius_class[build->def->radius_class], (double)th_shape_at(shape, 0).x,
                     (double)th_shape_at(shape, 0).y, m.any ? "solid there" : "off the ground");
  TH_GIVE(build->allocator, m.mark, build->size);
  return result;
}
