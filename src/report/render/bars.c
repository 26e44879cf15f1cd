/* report/render/bars.c - a histogram with bars in percent.
 *
 * It is used for the L2 stretch of all triangles of all charts, where nearly all values should be in the bar around 1.
 * Cost: O(n).
 */
#include <stdio.h>

#include "base/error.h"
#include "report/render/view.h"

#define MAX_BARS 200

th_bars_figure_def th_default_bars_figure_def(void) {
  return (th_bars_figure_def){.width = 1000, .bars = 20, .min = NAN, .max = NAN, .middle = NAN};
}

typedef struct bars_page {
  th_canvas canvas;
  const th_bars_figure_def *def;
  double unit, left, right, top, bottom;
  double min, max, highest; /* highest: percent at the top of the axis */
  double percent[MAX_BARS];
} bars_page;

static void find_range(bars_page *page) {
  const th_bars_figure_def *def = page->def;
  page->min = INFINITY, page->max = -INFINITY;
  for (uint32_t i = 0; i < def->count; i++) {
    if (!isfinite(def->value[i])) continue;
    page->min = fmin(page->min, (double)def->value[i]);
    page->max = fmax(page->max, (double)def->value[i]);
  }
  if (isfinite(def->min)) page->min = (double)def->min;
  if (isfinite(def->max)) page->max = (double)def->max;
  if (!(page->max > page->min)) page->min -= 0.5, page->max = page->min + 1.0;
}

static uint32_t count(bars_page *page) {
  const th_bars_figure_def *def = page->def;
  uint32_t counted = 0;
  for (uint32_t i = 0; i < def->count; i++) {
    if (!isfinite(def->value[i])) continue;
    double t = ((double)def->value[i] - page->min) / (page->max - page->min) * def->bars;
    uint32_t bar = t < 0.0 ? 0 : t >= def->bars ? def->bars - 1 : (uint32_t)t;
    page->percent[bar] += 1.0;
    counted++;
  }
  for (uint32_t k = 0; k < def->bars && counted; k++) {
    page->percent[k] *= 100.0 / counted;
    page->highest = fmax(page->highest, page->percent[k]);
  }
  return counted;
}

static double across(const bars_page *page, double value) {
  return page->left + (page->right - page->left) * (value - page->min) / (page->max - page->min);
}

static double upwards(const bars_page *page, double percent) {
  return page->bottom - (page->bottom - page->top) * percent / page->highest;
}

static void draw_axes(const bars_page *page) {
  cairo_t *cr = page->canvas.cr;
  double unit = page->unit, step = th_canvas_round_down(page->highest / 2.5), range = page->max - page->min;
  char text[32];
  for (double tick = 0.0; tick <= page->highest * (1.0 + 1e-9); tick += step) {
    double y = upwards(page, tick);
    cairo_move_to(cr, page->left, y);
    cairo_line_to(cr, page->right, y);
    th_canvas_colour(cr, th_solid, 1.0);
    cairo_set_line_width(cr, 1.0 * unit);
    cairo_stroke(cr);
    snprintf(text, sizeof text, "%g %%", tick);
    th_canvas_colour(cr, th_soft_ink, 1.0);
    th_canvas_text(cr, page->left - 12.0 * unit, y + 6.0 * unit, text,
                   (th_lettering){.size = 17.0 * unit, .align = TH_RIGHT});
  }
  step = th_canvas_round_down(range / 4.0);
  for (double tick = ceil(page->min / step - 1e-9) * step; tick <= page->max + 1e-9 * range; tick += step) {
    snprintf(text, sizeof text, "%g", fabs(tick) < 1e-9 * range ? 0.0 : tick);
    th_canvas_text(cr, across(page, tick), page->bottom + 26.0 * unit, text,
                   (th_lettering){.size = 17.0 * unit, .align = TH_CENTRE});
  }
}

static void draw_bars(const bars_page *page) {
  const th_bars_figure_def *def = page->def;
  cairo_t *cr = page->canvas.cr;
  double wide = (page->right - page->left) / def->bars, gap = fmin(2.0 * page->unit, 0.15 * wide);
  for (uint32_t k = 0; k < def->bars; k++) {
    double y = upwards(page, page->percent[k]);
    cairo_rectangle(cr, page->left + k * wide + gap, y, wide - 2.0 * gap, page->bottom - y);
  }
  th_canvas_colour(cr, th_colour_oklch(0.58, 0.11, 250.0), 1.0);
  cairo_fill(cr);
  if (!isfinite(def->middle) || (double)def->middle < page->min || (double)def->middle > page->max) return;
  cairo_move_to(cr, across(page, (double)def->middle), page->top);
  cairo_line_to(cr, across(page, (double)def->middle), page->bottom);
  th_canvas_colour(cr, th_ink, 1.0);
  cairo_set_line_width(cr, 1.8 * page->unit);
  cairo_stroke(cr);
}

static void draw_words(const bars_page *page) {
  const th_bars_figure_def *def = page->def;
  cairo_t *cr = page->canvas.cr;
  double unit = page->unit, left = 48.0 * unit, max = page->canvas.width - 2.0 * left;
  th_canvas_colour(cr, th_ink, 1.0);
  if (def->title)
    th_canvas_text(cr, left, 64.0 * unit, def->title, (th_lettering){.size = 28.0 * unit, .bold = true, .max = max});
  if (def->label)
    th_canvas_text(cr, 0.5 * (page->left + page->right), page->bottom + 56.0 * unit, def->label,
                   (th_lettering){.size = 18.0 * unit, .align = TH_CENTRE, .max = max});
  th_canvas_colour(cr, th_soft_ink, 1.0);
  if (def->note)
    th_canvas_text(cr, left, (def->title ? 94.0 : 62.0) * unit, def->note,
                   (th_lettering){.size = 18.0 * unit, .max = max});
}

th_result th_bars_figure_write(const th_bars_figure_def *def, const char *path, th_error *error) {
  bars_page page = {.def = def, .unit = def->width / 1000.0};
  double unit = page.unit;
  if (def->bars < 2 || def->bars > MAX_BARS)
    return th_fail(error, TH_ERROR_RANGE, "bars", "expected 2 to %d bars, found %u", MAX_BARS, def->bars);
  if (!def->value || def->count == 0)
    return th_fail(error, TH_ERROR_STATE, path, "expected values to count, found none");
  find_range(&page);
  if (!isfinite(page.min) || !isfinite(page.max) || count(&page) == 0)
    return th_fail(error, TH_ERROR_RANGE, path, "expected values that are numbers, found only NAN or infinity");
  page.left = 110.0 * unit, page.right = def->width - 48.0 * unit;
  page.top = (def->title ? 96.0 : 44.0) * unit + (def->note ? 30.0 * unit : 0.0), page.bottom = page.top + 420.0 * unit;
  th_result result = th_canvas_open(&page.canvas, path, def->width, page.bottom + 84.0 * unit, error);
  if (result != TH_OK) return result;
  draw_axes(&page);
  draw_bars(&page);
  draw_words(&page);
  return th_canvas_close(&page.canvas, error);
}
