/* view/markers.c - the markers that a pass sees, in the coordinates of its chart.
 *
 * On flat ground all patches read the same squares of markers. On a mesh each chart has a sheet with the markers in and
 * around its patch, in squares of the same size (ground/chart/sheet.c). Cost: finding the squares of a patch.
 */
#include "view/markers.h"

th_view_markers th_view_markers_chart(const th_sheet_part *s, const uint32_t *world_of) {
  return (th_view_markers){.x = s->x,
                           .y = s->y,
                           .clearance = s->clearance,
                           .number = s->number,
                           .start = s->start,
                           .x0 = s->x0,
                           .y0 = s->y0,
                           .inverse = s->inverse,
                           .columns = s->columns,
                           .rows = s->rows,
                           .i1 = s->columns,
                           .j1 = s->rows,
                           .world_of = world_of};
}

/* ---------------------------------------------------------------- flat ground */

/* The first of `count` squares whose middle lies in cluster `cluster` or beyond. */
static uint32_t first_square(float origin, float side, uint32_t count, float cluster_edge) {
  float at = (cluster_edge - origin) / side - 0.5f;
  uint32_t n = at > 0.0f ? (at < (float)count ? (uint32_t)at : count) : 0;
  while (n > 0 && origin + ((float)(n - 1) + 0.5f) * side >= cluster_edge) n--;
  while (n < count && origin + ((float)n + 0.5f) * side < cluster_edge) n++;
  return n;
}

th_view_markers th_view_markers_flat(const th_ground *ground, const th_markers *set, const th_order *order,
                                     uint32_t patch) {
  const th_marker_index *x = &set->index;
  th_view_markers v = {.x = x->x,
                       .y = x->y,
                       .clearance = x->clearance,
                       .start = x->start,
                       .x0 = x->x0,
                       .y0 = x->y0,
                       .inverse = x->inverse,
                       .columns = x->columns,
                       .rows = x->rows,
                       .ground = ground};
  if (patch == UINT32_MAX) return v;
  const th_cluster_grid *g = &order->grid;
  uint32_t first, last;
  th_order_patch(order, patch, &first, &last);
  const uint32_t row = first / g->columns, column0 = first % g->columns, column1 = column0 + (last - first);
  v.i0 = column0 ? first_square(x->x0, x->side, x->columns, g->x0 + g->side * (float)column0) : 0;
  v.i1 = column1 < g->columns ? first_square(x->x0, x->side, x->columns, g->x0 + g->side * (float)column1) : x->columns;
  v.j0 = row ? first_square(x->y0, x->side, x->rows, g->y0 + g->side * (float)row) : 0;
  v.j1 = row + 1 < g->rows ? first_square(x->y0, x->side, x->rows, g->y0 + g->side * (float)(row + 1)) : x->rows;
  return v;
}

bool th_view_marker_seen(const th_view *view, float x, float y, uint32_t entry) {
  const th_view_markers *m = &view->markers;
  const float mx = m->x[entry], my = m->y[entry];
  if (!m->ground) return th_view_sees(view, x, y, mx, my);
  const th_point from = {(double)x, (double)y}, offset = {(double)mx - (double)x, (double)my - (double)y};
  const double length = th_length2d(offset);
  double distance;
  if (!(length > 0.0)) return true;
  return th_segment_grid_ray(&m->ground->flat->wall_grid, from, (th_point){offset.x / length, offset.y / length},
                             length, &distance) == UINT32_MAX;
}
