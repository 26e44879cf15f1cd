/* report/figure/compare.c - several recordings in one figure, at one scale and with one colour bar, numbers below each.
 *
 * The number of columns is the one that draws the grounds largest, with a penalty for empty panels and for tall pages.
 * Colours mean the same in every panel: the bar spans all of them.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/figure/draw.h"

typedef struct compare_page {
  double width, unit, left, top, bar, gap, cell_width, plot_height, numbers, scale, score;
  uint32_t columns, rows;
} compare_page;

static double panel_height(const compare_page *p) {
  return 46.0 * p->unit + p->plot_height + p->numbers + 34.0 * p->unit;
}

static compare_page plan_page(const th_panel *panel, uint32_t count, double width, th_vec2 size, bool bar, bool title) {
  compare_page best = {0};
  bool numbers = false;
  for (uint32_t k = 0; k < count; k++) numbers = numbers || panel[k].numbers;
  for (uint32_t columns = 1; columns <= count && columns <= 6; columns++) {
    double unit = width / 1600.0;
    compare_page p = {.width = width,
                      .unit = unit,
                      .left = 56.0 * unit,
                      .top = (title ? 112.0 : 36.0) * unit,
                      .gap = 44.0 * unit,
                      .columns = columns,
                      .rows = (count + columns - 1) / columns};
    p.bar = bar ? 112.0 * unit : 0.0;
    p.numbers = numbers ? 176.0 * unit : 0.0;
    p.cell_width = (width - 2.0 * p.left - p.bar - p.gap * (columns - 1)) / columns;
    p.scale = p.cell_width / (double)size.x;
    p.plot_height = (double)size.y * p.scale;
    double full = (double)count / (p.columns * p.rows), tall = (p.top + p.rows * panel_height(&p)) / (1.1 * width);
    p.score = p.cell_width * full * full / (tall > 1.0 ? tall * tall : 1.0);
    if (p.score > best.score) best = p;
  }
  return best;
}

static void draw_number(cairo_t *cr, const compare_page *p, double x, double *y, const char *label, const char *value) {
  double unit = p->unit;
  *y += 25.0 * unit;
  th_canvas_colour(cr, th_soft_ink, 1.0);
  th_canvas_text(cr, x, *y, label, (th_lettering){.size = 17.0 * unit});
  th_canvas_colour(cr, th_ink, 1.0);
  th_canvas_text(cr, x + fmin(p->cell_width, 400.0 * unit), *y, value,
                 (th_lettering){.size = 17.0 * unit, .bold = true, .align = TH_RIGHT});
}

static void draw_numbers(cairo_t *cr, const compare_page *p, const th_summary *s, double x, double y) {
  char text[64];
  snprintf(text, sizeof text, "%u of %u", s->arrived, s->agents);
  draw_number(cr, p, x, &y, "arrived", text);
  if (isnan(s->arrival_last))
    snprintf(text, sizeof text, "\xE2\x80\x93");
  else
    snprintf(text, sizeof text, "%.1f s", s->arrival_last);
  draw_number(cr, p, x, &y, "last arrival", text);
  snprintf(text, sizeof text, "%.1f m", s->path_mean);
  draw_number(cr, p, x, &y, "mean path", text);
  snprintf(text, sizeof text, "%.2f m/s", s->speed_mean);
  draw_number(cr, p, x, &y, "mean speed", text);
  snprintf(text, sizeof text, "%.2f rad/m", s->jitter);
  draw_number(cr, p, x, &y, "turning", text);
  snprintf(text, sizeof text, "%llu, %.1f s", (unsigned long long)s->contacts, s->contact_seconds);
  draw_number(cr, p, x, &y, "contacts", text);
}

/* One colour bar for all: the widest range. */
static th_scale common_scale(const th_panel *panel, uint32_t count) {
  th_scale all = {0};
  for (uint32_t k = 0; k < count; k++) {
    th_scale one = th_paths_scale(&panel[k].figure);
    if (!one.label) continue;
    if (!all.label) all = one;
    all.min = fmin(all.min, one.min);
    all.max = fmax(all.max, one.max);
  }
  return all;
}

static th_result draw_panel(th_canvas *canvas, const compare_page *p, const th_panel *panel, const th_scale *scale,
                            uint32_t k, th_error *error) {
  double unit = p->unit, x = p->left + (p->cell_width + p->gap) * (k % p->columns);
  double y = p->top + panel_height(p) * (k / p->columns);
  th_scene_view view = {.canvas = canvas, .def = &panel->figure, .paths = *scale};
  view.time = isnan(panel->figure.time) ? th_figure_end(&panel->figure) : panel->figure.time;
  view.plan = th_figure_plan(&panel->figure, view.time);
  (void)th_figure_bounds(&panel->figure, &view.map.lower, &view.map.upper);
  view.detail = fmin(1.0, 0.3 + 0.7 * p->cell_width / (1300.0 * unit));
  view.map.left = x;
  view.map.scale = p->scale;
  view.map.bottom = y + 46.0 * unit + ((double)view.map.upper.y - (double)view.map.lower.y) * p->scale;
  const char *name = panel->figure.title ? panel->figure.title : panel->figure.tracks ? panel->figure.tracks->name : "";
  th_canvas_colour(canvas->cr, th_ink, 1.0);
  th_canvas_text(canvas->cr, x, y + 28.0 * unit, name,
                 (th_lettering){.size = 21.0 * unit, .bold = true, .max = p->cell_width});
  th_result result = th_draw_layers(&view, error);
  if (result == TH_OK && panel->numbers)
    draw_numbers(canvas->cr, p, panel->numbers, x, y + 46.0 * unit + p->plot_height + 12.0 * unit);
  if (result == TH_OK && k == 0)
    th_draw_scale_bar(&view, p->left, p->top + p->rows * panel_height(p) - 6.0 * unit, 0.2 * p->cell_width);
  return result;
}

th_result th_figure_compare(const th_panel *panel, uint32_t count, const char *title, uint32_t width, const char *path,
                            th_error *error) {
  th_vec2 size = {0, 0}, lower, upper;
  if (count == 0) return th_fail(error, TH_ERROR_STATE, path, "expected recordings to compare, found none");
  for (uint32_t k = 0; k < count; k++) {
    if (!th_figure_bounds(&panel[k].figure, &lower, &upper))
      return th_fail_at(error, TH_ERROR_STATE, path, k, "expected ground or paths to draw, found neither");
    size = (th_vec2){fmaxf(size.x, upper.x - lower.x), fmaxf(size.y, upper.y - lower.y)};
  }
  th_scale scale = common_scale(panel, count);
  compare_page p = plan_page(panel, count, width, size, scale.label != NULL, title != NULL);
  th_canvas canvas;
  th_result result = th_canvas_open(&canvas, path, p.width, p.top + p.rows * panel_height(&p) + 40.0 * p.unit, error);
  if (result != TH_OK) return result;
  th_canvas_colour(canvas.cr, th_ink, 1.0);
  if (title)
    th_canvas_text(canvas.cr, p.left, 74.0 * p.unit, title,
                   (th_lettering){.size = 32.0 * p.unit, .bold = true, .max = width - 2.0 * p.left});
  for (uint32_t k = 0; k < count && result == TH_OK; k++) result = draw_panel(&canvas, &p, &panel[k], &scale, k, error);
  if (result != TH_OK) {
    th_canvas_drop(&canvas);
    return result;
  }
  if (scale.label)
    th_draw_colour_bar(&canvas, &scale, p.width - p.left - 78.0 * p.unit, p.top + 72.0 * p.unit,
                       fmin(fmax(p.plot_height - 40.0 * p.unit, 140.0 * p.unit), 420.0 * p.unit));
  return th_canvas_close(&canvas, error);
}
