/* report/figure/draw_field.c - a field: colours, isolines and streamlines.
 *
 * Streamlines keep an even distance (after Jobard and Lefer 1997): seeds on a grid, each line followed up and down the
 * field in half-pixel steps until it leaves the ground, stops, or enters a cell that another line has taken. Levels of
 * isolines are spread over the values by rank, so that a field that falls over many orders still shows lines
 * everywhere. Cost: O(cells) for colours, O(length / step) per line.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/figure/wash.h"

#define ISOLINES 14
#define MAX_POINTS 4000

static bool at(const th_scene_view *view, double x, double y, double *value, th_vec2 *direction) {
  const th_plot_field *field = view->def->field;
  return field->at(field->user, (float)x, (float)y, value, direction) && isfinite(*value);
}

static void sample(const th_scene_view *view, th_wash *grid) {
  for (uint32_t j = 0; j < grid->height; j++)
    for (uint32_t i = 0; i < grid->width; i++) {
      double value;
      th_vec2 direction;
      double x = grid->x0 + (i + 0.5) * grid->cell, y = grid->y0 + (j + 0.5) * grid->cell;
      if (at(view, x, y, &value, &direction)) grid->value[(size_t)j * grid->width + i] = value;
    }
}

static int by_value(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return p < q ? -1 : p > q;
}

/* Finite values of the grid, sorted; returns how many. */
static size_t sort_values(const th_wash *grid, double *sorted) {
  size_t n = 0;
  for (size_t k = 0; k < (size_t)grid->width * grid->height; k++)
    if (isfinite(grid->value[k])) sorted[n++] = grid->value[k];
  qsort(sorted, n, sizeof *sorted, by_value);
  return n;
}

/* ---------------------------------------------------------------- streamlines */

typedef struct stream_work {
  const th_scene_view *view;
  uint32_t *taken; /* number of the line in each cell, 0: free */
  uint32_t width, height, line;
  double cell; /* [m]: distance between lines */
} stream_work;

static uint32_t *cell_of(const stream_work *work, double x, double y) {
  double i = (x - (double)work->view->map.lower.x) / work->cell, j = (y - (double)work->view->map.lower.y) / work->cell;
  if (!(i >= 0.0 && j >= 0.0 && i < work->width && j < work->height)) return NULL;
  return &work->taken[(size_t)j * work->width + (size_t)i];
}

/* Follows the field from (x, y), up or down by `sign`; draws the line. Returns its length [m]. */
static double follow(stream_work *work, double x, double y, double sign) {
  const th_scene_view *view = work->view;
  double step = 1.5 / view->map.scale, length = 0.0, value;
  th_vec2 d;
  cairo_move_to(view->canvas->cr, th_page_map_x(&view->map, (float)x), th_page_map_y(&view->map, (float)y));
  for (int k = 0; k < MAX_POINTS && at(view, x, y, &value, &d); k++) {
    double mx = x + 0.5 * sign * step * (double)d.x, my = y + 0.5 * sign * step * (double)d.y;
    if (!at(view, mx, my, &value, &d) || hypot((double)d.x, (double)d.y) < 0.5) break; /* midpoint rule */
    x += sign * step * (double)d.x, y += sign * step * (double)d.y;
    uint32_t *cell = cell_of(work, x, y);
    if (!cell || (*cell && *cell != work->line)) break;
    *cell = work->line;
    length += step;
    cairo_line_to(view->canvas->cr, th_page_map_x(&view->map, (float)x), th_page_map_y(&view->map, (float)y));
  }
  return length;
}

static void arrow(const th_scene_view *view, double x, double y) {
  cairo_t *cr = view->canvas->cr;
  double value, size = 6.5 * view->canvas->unit;
  th_vec2 d;
  if (!at(view, x, y, &value, &d)) return;
  double px = th_page_map_x(&view->map, (float)x), py = th_page_map_y(&view->map, (float)y);
  double ux = (double)d.x * size, uy = -(double)d.y * size;
  cairo_move_to(cr, px + ux, py + uy);
  cairo_line_to(cr, px - 0.6 * ux - 0.55 * uy, py - 0.6 * uy + 0.55 * ux);
  cairo_line_to(cr, px - 0.6 * ux + 0.55 * uy, py - 0.6 * uy - 0.55 * ux);
  cairo_close_path(cr);
  cairo_fill(cr);
}

static void draw_stream(stream_work *work, uint32_t i, uint32_t j) {
  const th_scene_view *view = work->view;
  cairo_t *cr = view->canvas->cr;
  double x = (double)view->map.lower.x + (i + 0.5) * work->cell, y = (double)view->map.lower.y + (j + 0.5) * work->cell;
  if (work->taken[(size_t)j * work->width + i]) return;
  work->line++;
  work->taken[(size_t)j * work->width + i] = work->line;
  cairo_new_path(cr);
  double length = follow(work, x, y, 1.0) + follow(work, x, y, -1.0);
  if (length < 2.0 * work->cell) { /* a short line between others shows nothing */
    cairo_new_path(cr);
    return;
  }
  th_canvas_colour(cr, th_ink, 0.42);
  cairo_set_line_width(cr, 1.2 * view->canvas->unit);
  cairo_stroke(cr);
  arrow(view, x, y);
}

static th_result draw_streams(const th_scene_view *view, th_error *error) {
  th_env env = th_env_complete(&view->def->env);
  stream_work work = {.view = view, .cell = 21.0 * view->canvas->unit / view->map.scale};
  work.width = (uint32_t)ceil(((double)view->map.upper.x - (double)view->map.lower.x) / work.cell) + 1;
  work.height = (uint32_t)ceil(((double)view->map.upper.y - (double)view->map.lower.y) / work.cell) + 1;
  size_t cells = (size_t)work.width * work.height;
  work.taken = TH_TAKE(&env.allocator, uint32_t, cells);
  if (!work.taken) return th_fail_memory(error, "figure");
  for (uint32_t coarse = 4; coarse >= 1; coarse /= 2) /* long lines first: coarse seeds, then those between */
    for (uint32_t j = 0; j < work.height; j += coarse)
      for (uint32_t i = 0; i < work.width; i += coarse) draw_stream(&work, i, j);
  TH_GIVE(&env.allocator, work.taken, cells);
  return TH_OK;
}

static void draw_isolines(const th_scene_view *view, const th_wash *grid, const double *sorted, size_t n) {
  cairo_t *cr = view->canvas->cr;
  th_canvas_colour(cr, th_paper, 0.95);
  cairo_set_line_width(cr, 1.3 * view->canvas->unit);
  for (int k = 1; k <= ISOLINES && n > 1; k++)
    th_wash_isoline(view, grid, sorted[(size_t)((double)(n - 1) * k / (ISOLINES + 1))]);
}

th_result th_draw_field(th_scene_view *view, th_error *error) {
  th_env env = th_env_complete(&view->def->env);
  th_wash grid;
  th_result result = th_wash_make(view, 320.0, &grid, error);
  if (result != TH_OK) return result;
  size_t cells = (size_t)grid.width * grid.height;
  double *sorted = TH_TAKE(&env.allocator, double, cells);
  if (!sorted) result = th_fail_memory(error, "figure");
  if (result == TH_OK) {
    sample(view, &grid);
    size_t n = sort_values(&grid, sorted);
    double min = n ? sorted[n / 200] : 0.0, max = n ? sorted[n - 1 - n / 200] : 1.0;
    view->field = (th_scale){min, max > min ? max : min + 1.0, view->def->field->label, true};
    result = th_wash_paint(view, &grid, &view->field, false, error);
    th_draw_clip_to_floor(view);
    if (result == TH_OK) draw_isolines(view, &grid, sorted, n);
    if (result == TH_OK) result = draw_streams(view, error);
    cairo_restore(view->canvas->cr);
  }
  TH_GIVE(&env.allocator, sorted, cells);
  th_wash_free(view, &grid);
  return result;
}
