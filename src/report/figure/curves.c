/* report/figure/curves.c - curves over one axis: measured ones coloured, published ones broad and grey.
 *
 * Axes begin at 0 and have round steps; the legend stands beside them. Cost: O(points).
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "report/figure/canvas.h"
#include "throng/figure.h"

typedef struct curves_page {
  th_canvas canvas;
  const th_curves_figure_def *def;
  double unit, left, right, top, bottom;
  double x_max, y_max;
} curves_page;

th_curves_figure_def th_default_curves_figure_def(void) { return (th_curves_figure_def){.width = 1000}; }

static double across(const curves_page *p, double x) { return p->left + (p->right - p->left) * x / p->x_max; }
static double upwards(const curves_page *p, double y) { return p->bottom - (p->bottom - p->top) * y / p->y_max; }

/* False when a number is none that can be drawn. */
static bool find_range(curves_page *p) {
  for (uint32_t k = 0; k < p->def->count; k++) {
    const th_plotted_curve *c = &p->def->curve[k];
    for (uint32_t i = 0; i < c->count; i++) {
      if (!isfinite(c->x[i]) || !isfinite(c->y[i]) || c->x[i] < 0.0 || c->y[i] < 0.0) return false;
      p->x_max = fmax(p->x_max, c->x[i]);
      p->y_max = fmax(p->y_max, c->y[i]);
    }
  }
  p->x_max = p->x_max > 0.0 ? 1.03 * p->x_max : 1.0;
  p->y_max = p->y_max > 0.0 ? 1.08 * p->y_max : 1.0;
  return true;
}

static void line(const curves_page *p, double x0, double y0, double x1, double y1) {
  cairo_move_to(p->canvas.cr, x0, y0);
  cairo_line_to(p->canvas.cr, x1, y1);
  cairo_stroke(p->canvas.cr);
}

static void words(const curves_page *p, double x, double y, th_text_align align, const char *text) {
  th_canvas_colour(p->canvas.cr, th_soft_ink, 1.0);
  if (text) th_canvas_text(p->canvas.cr, x, y, text, (th_lettering){.size = 17.0 * p->unit, .align = align});
}

static void draw_axes(const curves_page *p) {
  cairo_t *cr = p->canvas.cr;
  const double u = p->unit, dx = th_canvas_round_down(p->x_max / 3.0), dy = th_canvas_round_down(p->y_max / 3.0);
  char text[40];
  cairo_set_line_width(cr, u);
  for (int k = 0; dx * k <= p->x_max; k++) {
    const double x = across(p, dx * k);
    th_canvas_colour(cr, th_faint_ink, 0.5);
    line(p, x, p->bottom, x, p->top);
    snprintf(text, sizeof text, "%g", dx * k);
    words(p, x, p->bottom + 26.0 * u, TH_CENTRE, text);
  }
  for (int k = 0; dy * k <= p->y_max; k++) {
    const double y = upwards(p, dy * k);
    th_canvas_colour(cr, th_faint_ink, 0.5);
    line(p, p->left, y, p->right, y);
    snprintf(text, sizeof text, "%g", dy * k);
    words(p, p->left - 12.0 * u, y + 6.0 * u, TH_RIGHT, text);
  }
  words(p, 0.5 * (p->left + p->right), p->bottom + 56.0 * u, TH_CENTRE, p->def->x);
  words(p, 48.0 * u, p->top - 16.0 * u, TH_LEFT, p->def->y);
}

static void draw_curve(const curves_page *p, uint32_t k) {
  cairo_t *cr = p->canvas.cr;
  const th_plotted_curve *c = &p->def->curve[k];
  const double u = p->unit, y = p->top + 30.0 * u * k + 12.0 * u, x = p->right + 24.0 * u;
  const th_colour colour = c->published ? th_faint_ink : th_colour_oklch(0.58, 0.15, 250.0 + 137.50776405 * k);
  th_canvas_colour(cr, colour, 1.0);
  cairo_set_line_width(cr, (c->published ? 6.0 : 2.6) * u);
  cairo_new_path(cr); /* texts leave a point behind */
  for (uint32_t i = 0; i < c->count; i++) cairo_line_to(cr, across(p, c->x[i]), upwards(p, c->y[i]));
  cairo_stroke(cr);
  for (uint32_t i = 0; i < c->count && c->count < 20 && !c->published; i++) {
    cairo_arc(cr, across(p, c->x[i]), upwards(p, c->y[i]), 5.0 * u, 0.0, 6.2832);
    cairo_fill(cr);
  }
  cairo_set_line_width(cr, (c->published ? 6.0 : 3.0) * u);
  line(p, x, y, x + 30.0 * u, y);
  words(p, x + 40.0 * u, y + 6.0 * u, TH_LEFT, c->name);
}

th_result th_curves_figure_write(const th_curves_figure_def *def, const char *path, th_error *error) {
  curves_page p = {.def = def, .unit = def->width / 1000.0};
  const double u = p.unit;
  if (def->width < 100 || def->width > 20000)
    return th_fail(error, TH_ERROR_RANGE, "width", "expected 100 to 20000 pixels, found %u", def->width);
  if (!def->curve || def->count == 0) return th_fail(error, TH_ERROR_STATE, path, "expected curves, found none");
  if (!find_range(&p))
    return th_fail(error, TH_ERROR_RANGE, path, "expected finite numbers that are not below 0 in all curves");
  p.left = 100.0 * u, p.right = 700.0 * u, p.top = 120.0 * u, p.bottom = 540.0 * u;
  th_result result = th_canvas_open(&p.canvas, path, def->width, 624.0 * u, error);
  if (result != TH_OK) return result;
  th_canvas_colour(p.canvas.cr, th_ink, 1.0);
  if (def->title)
    th_canvas_text(p.canvas.cr, 48.0 * u, 58.0 * u, def->title,
                   (th_lettering){.size = 26.0 * u, .bold = true, .max = 900.0 * u});
  draw_axes(&p);
  for (uint32_t k = 0; k < def->count; k++) draw_curve(&p, k);
  return th_canvas_close(&p.canvas, error);
}
