/* view/markers.c - which markers a pass sees, and where in its chart.
 *
 * On flat ground the squares of the set serve all patches. On a mesh the markers in and around a patch are mapped into
 * its chart, face by face, and sorted into squares of the same size. Cost on a mesh: about 4 ns a marker.
 */
#include "view/markers.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define PADDED (TH_MAX_SHEET + TH_MARKER_PAD)

bool th_marker_sheet_make(th_marker_sheet *sheet, const th_allocator *a) {
  float **floats[] = {&sheet->x, &sheet->y, &sheet->clearance, &sheet->found_x, &sheet->found_y};
  uint32_t **words[] = {&sheet->number, &sheet->found_number, &sheet->found_square};
  bool made = true;
  *sheet = (th_marker_sheet){0};
  for (int k = 0; k < 5; k++) made &= (*floats[k] = TH_TAKE(a, float, PADDED)) != NULL;
  for (int k = 0; k < 3; k++) made &= (*words[k] = TH_TAKE(a, uint32_t, PADDED)) != NULL;
  made &= (sheet->start = TH_TAKE(a, uint32_t, TH_MAX_SHEET_SQUARES + 1)) != NULL;
  if (!made) th_marker_sheet_free(sheet, a);
  return made;
}

void th_marker_sheet_free(th_marker_sheet *sheet, const th_allocator *a) {
  float *floats[] = {sheet->x, sheet->y, sheet->clearance, sheet->found_x, sheet->found_y};
  uint32_t *words[] = {sheet->number, sheet->found_number, sheet->found_square};
  for (int k = 0; k < 5; k++) TH_GIVE(a, floats[k], PADDED);
  for (int k = 0; k < 3; k++) TH_GIVE(a, words[k], PADDED);
  TH_GIVE(a, sheet->start, TH_MAX_SHEET_SQUARES + 1);
  *sheet = (th_marker_sheet){0};
}

/* ---------------------------------------------------------------- mesh */

static uint32_t clamp(float at, uint32_t count) {
  return at > 0.0f ? (at < (float)count ? (uint32_t)at : count - 1) : 0;
}

static void lay_squares(th_view_markers *v, const th_chart_box *box, float side) {
  float width = box->x1 - box->x0, height = box->y1 - box->y0;
  for (;; side *= 1.25f) {
    float columns = floorf(width / side) + 1.0f, rows = floorf(height / side) + 1.0f;
    if (columns * rows > (float)TH_MAX_SHEET_SQUARES) continue;
    v->columns = (uint32_t)columns;
    v->rows = (uint32_t)rows;
    break;
  }
  v->x0 = box->x0;
  v->y0 = box->y0;
  v->inverse = 1.0f / side;
  v->i1 = v->columns;
  v->j1 = v->rows;
}

static void add_face(th_marker_sheet *sheet, const th_markers *set, uint32_t face, const th_chart_map *map,
                     const th_chart_box *box) {
  const th_marker_index *index = &set->index;
  const th_view_markers *v = &sheet->view;
  for (uint32_t n = index->start[face]; n < index->start[face + 1] && sheet->count < TH_MAX_SHEET; n++) {
    const th_vec2 p = th_chart_point(map, index->x[n], index->y[n]);
    if (!(p.x >= box->x0 && p.x <= box->x1 && p.y >= box->y0 && p.y <= box->y1)) continue;
    const uint32_t at = sheet->count++;
    sheet->found_x[at] = p.x;
    sheet->found_y[at] = p.y;
    sheet->found_number[at] = n;
    sheet->found_square[at] =
        clamp((p.y - v->y0) * v->inverse, v->rows) * v->columns + clamp((p.x - v->x0) * v->inverse, v->columns);
  }
}

static void sort(th_marker_sheet *sheet, const th_marker_index *index) {
  const th_view_markers *v = &sheet->view;
  const uint32_t squares = v->columns * v->rows, count = sheet->count;
  uint32_t *start = sheet->start;
  memset(start, 0, sizeof *start * ((size_t)squares + 1));
  for (uint32_t n = 0; n < count; n++) start[sheet->found_square[n] + 1]++;
  for (uint32_t c = 0; c < squares; c++) start[c + 1] += start[c];
  for (uint32_t n = 0; n < count; n++) {
    const uint32_t at = start[sheet->found_square[n]]++, number = sheet->found_number[n];
    sheet->x[at] = sheet->found_x[n];
    sheet->y[at] = sheet->found_y[n];
    sheet->clearance[at] = index->clearance[number];
    sheet->number[at] = number;
  }
  memmove(start + 1, start, sizeof *start * squares);
  start[0] = 0;
  memset(sheet->number + count, 0, sizeof *sheet->number * TH_MARKER_PAD); /* gathers read these */
}

void th_marker_sheet_lay(th_marker_sheet *sheet, const th_marker_sheet_def *d) {
  const th_chart *chart = d->chart;
  const th_patches *patches = d->patches;
  const th_chart_box box = th_chart_box_grown(chart->own.box, d->own ? 0.01f : d->reach);
  sheet->view = (th_view_markers){
      .x = sheet->x, .y = sheet->y, .clearance = sheet->clearance, .number = sheet->number, .start = sheet->start};
  lay_squares(&sheet->view, &box, 2.5f * d->set->def.distance);
  sheet->count = 0;
  for (uint32_t n = 0; n < chart->cluster_count; n++) {
    const uint32_t cluster = chart->cluster[n];
    const bool own = cluster >= patches->first[chart->patch] && cluster < patches->first[chart->patch + 1];
    if (d->own ? !own : chart->away[n] > d->reach) continue;
    const th_chart_map *maps = th_chart_maps(chart, n);
    for (uint32_t r = patches->start[cluster]; r < patches->start[cluster + 1]; r++) {
      const th_chart_map *map = &maps[r - patches->start[cluster]];
      if (th_chart_holds(map)) add_face(sheet, d->set, patches->face[r], map, &box);
    }
  }
  sort(sheet, &d->set->index);
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
  const th_point from = {(double)x, (double)y}, way = {(double)mx - (double)x, (double)my - (double)y};
  const double length = th_length2d(way);
  double distance;
  if (!(length > 0.0)) return true;
  return th_segment_grid_ray(&m->ground->flat->wall_grid, from, (th_point){way.x / length, way.y / length}, length,
                             &distance) == UINT32_MAX;
}
