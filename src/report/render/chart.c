/* report/render/chart.c - the chart of one agent: the flat map on which it decides.
 *
 * The figure shows triangles in chart coordinates, coloured by how much the chart stretches them (L2 of Sander et al.
 * 2001: 1 is true to size, above 1 the chart shrank it), walls, neighbours (filled when the agent sees them, else
 * hollow), its field of view, and arrows for heading (ink), wanted direction (green) and velocity (red). Cost: linear
 * in what is drawn.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/trig.h"
#include "report/render/view.h"

th_chart_figure_def th_default_chart_figure_def(void) { return (th_chart_figure_def){.width = 1000, .radius = 0.25f}; }

typedef struct chart_page {
  th_canvas canvas;
  const th_chart_figure_def *def;
  th_page_map map;
  double unit, left, top, size, stretch; /* stretch: of the colours, from 1 to both sides */
} chart_page;

static void reach_out(const th_chart_figure_def *def, th_vec2 *lower, th_vec2 *upper) {
  *lower = (th_vec2){-def->radius, -def->radius}, *upper = (th_vec2){def->radius, def->radius};
  for (uint32_t v = 0; v < def->vertex_count; v++) {
    *lower = (th_vec2){fminf(lower->x, def->vertex[v].x), fminf(lower->y, def->vertex[v].y)};
    *upper = (th_vec2){fmaxf(upper->x, def->vertex[v].x), fmaxf(upper->y, def->vertex[v].y)};
  }
  if (!(def->reach > 0.0f)) return;
  *lower = (th_vec2){fminf(lower->x, -def->reach), fminf(lower->y, -def->reach)};
  *upper = (th_vec2){fmaxf(upper->x, def->reach), fmaxf(upper->y, def->reach)};
}

static th_result check(const th_chart_figure_def *def, const char *path, th_error *error) {
  if (def->triangle_count == 0 || !def->vertex || !def->corner)
    return th_fail(error, TH_ERROR_STATE, path, "expected a chart with triangles to draw, found none");
  for (uint32_t v = 0; v < def->vertex_count; v++)
    if (!isfinite(def->vertex[v].x) || !isfinite(def->vertex[v].y))
      return th_fail_at(error, TH_ERROR_RANGE, "chart", v, "expected numbers, found NAN or infinity");
  for (uint32_t k = 0; k < 3 * def->triangle_count; k++)
    if (def->corner[k] >= def->vertex_count)
      return th_fail_at(error, TH_ERROR_RANGE, "chart", k / 3, "expected a vertex below %u, found %u",
                        def->vertex_count, def->corner[k]);
  if (def->width < 200 || def->width > 20000)
    return th_fail(error, TH_ERROR_RANGE, path, "expected a figure 200 to 20000 pixels wide, found %u", def->width);
  return TH_OK;
}

static void draw_triangles(const chart_page *page) {
  const th_chart_figure_def *def = page->def;
  cairo_t *cr = page->canvas.cr;
  for (uint32_t f = 0; f < def->triangle_count; f++) {
    cairo_new_path(cr);
    for (int k = 0; k < 3; k++) {
      th_vec2 p = def->vertex[def->corner[3 * (size_t)f + (size_t)k]];
      cairo_line_to(cr, th_page_map_x(&page->map, p.x), th_page_map_y(&page->map, p.y));
    }
    cairo_close_path(cr);
    double t = def->stretch ? 0.5 + 0.5 * ((double)def->stretch[f] - 1.0) / page->stretch : 0.5;
    th_canvas_colour(cr, def->stretch ? th_colour_split(t) : th_floor, 1.0);
    cairo_fill_preserve(cr);
    th_canvas_colour(cr, th_faint_ink, 0.9);
    cairo_set_line_width(cr, 1.0 * page->unit);
    cairo_stroke(cr);
  }
}

static void draw_walls(const chart_page *page) {
  cairo_t *cr = page->canvas.cr;
  cairo_new_path(cr);
  for (uint32_t k = 0; k < page->def->wall_count; k++) {
    const th_segment *wall = &page->def->wall[k];
    cairo_move_to(cr, th_page_map_x(&page->map, wall->ax), th_page_map_y(&page->map, wall->ay));
    cairo_line_to(cr, th_page_map_x(&page->map, wall->bx), th_page_map_y(&page->map, wall->by));
  }
  th_canvas_colour(cr, th_ink, 1.0);
  cairo_set_line_width(cr, 4.0 * page->unit);
  cairo_stroke(cr);
}

static void circle(const chart_page *page, th_vec2 at, double radius) {
  cairo_new_path(page->canvas.cr);
  cairo_arc(page->canvas.cr, th_page_map_x(&page->map, at.x), th_page_map_y(&page->map, at.y), radius, 0.0, TH_TURN);
}

/* An arrow from `from` along `by` [m]. */
static void arrow(const chart_page *page, th_vec2 from, th_vec2 by, th_colour colour, double wide) {
  cairo_t *cr = page->canvas.cr;
  double x = th_page_map_x(&page->map, from.x), y = th_page_map_y(&page->map, from.y);
  double dx = (double)by.x * page->map.scale, dy = -(double)by.y * page->map.scale, length = hypot(dx, dy);
  double head = fmin(0.5 * length, 4.5 * wide);
  if (!(length > 1.0)) return;
  dx /= length, dy /= length;
  cairo_new_path(cr);
  cairo_move_to(cr, x, y);
  cairo_line_to(cr, x + dx * (length - head), y + dy * (length - head));
  th_canvas_colour(cr, colour, 1.0);
  cairo_set_line_width(cr, wide);
  cairo_stroke(cr);
  cairo_move_to(cr, x + dx * length, y + dy * length);
  cairo_line_to(cr, x + dx * (length - head) - 0.5 * head * dy, y + dy * (length - head) + 0.5 * head * dx);
  cairo_line_to(cr, x + dx * (length - head) + 0.5 * head * dy, y + dy * (length - head) - 0.5 * head * dx);
  cairo_close_path(cr);
  cairo_fill(cr);
}

static const th_colour seen_blue = {0.20, 0.40, 0.78}, own_red = {0.86, 0.24, 0.16};

static void draw_neighbours(const chart_page *page) {
  const th_chart_figure_def *def = page->def;
  cairo_t *cr = page->canvas.cr;
  for (uint32_t k = 0; k < def->neighbour_count; k++) {
    bool seen = !def->neighbour_seen || def->neighbour_seen[k];
    float radius = def->neighbour_radius ? def->neighbour_radius[k] : def->radius;
    circle(page, def->neighbour[k], fmax((double)radius * page->map.scale, 2.0 * page->unit));
    th_canvas_colour(cr, seen ? seen_blue : th_paper, seen ? 0.85 : 0.6);
    cairo_fill_preserve(cr);
    th_canvas_colour(cr, seen ? th_paper : th_soft_ink, 1.0);
    cairo_set_line_width(cr, 1.6 * page->unit);
    cairo_stroke(cr);
    if (def->neighbour_velocity)
      arrow(page, def->neighbour[k], def->neighbour_velocity[k], seen ? seen_blue : th_soft_ink, 2.2 * page->unit);
  }
}

static void draw_self(const chart_page *page) {
  const th_chart_figure_def *def = page->def;
  cairo_t *cr = page->canvas.cr;
  static const th_vec2 here = {0, 0};
  const double dash[2] = {8.0 * page->unit, 6.0 * page->unit};
  if (def->reach > 0.0f) {
    circle(page, here, (double)def->reach * page->map.scale);
    th_canvas_colour(cr, th_soft_ink, 1.0);
    cairo_set_dash(cr, dash, 2, 0.0);
    cairo_set_line_width(cr, 1.6 * page->unit);
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
  }
  if (def->reference) {
    circle(page, *def->reference, 8.0 * page->unit);
    th_canvas_colour(cr, th_goal_green, 1.0);
    cairo_fill_preserve(cr);
    th_canvas_colour(cr, th_paper, 1.0);
    cairo_set_line_width(cr, 2.0 * page->unit);
    cairo_stroke(cr);
  }
  circle(page, here, fmax((double)def->radius * page->map.scale, 3.0 * page->unit));
  th_canvas_colour(cr, own_red, 0.95);
  cairo_fill_preserve(cr);
  th_canvas_colour(cr, th_paper, 1.0);
  cairo_stroke(cr);
  float step = 4.0f * def->radius;
  arrow(page, here, (th_vec2){step * def->wanted.x, step * def->wanted.y}, th_goal_green, 3.4 * page->unit);
  arrow(page, here, def->velocity, own_red, 3.4 * page->unit);
  arrow(page, here, (th_vec2){0.75f * step * def->heading.x, 0.75f * step * def->heading.y}, th_ink, 2.0 * page->unit);
}

static void draw_bar(const chart_page *page, double x, double y, double height) {
  cairo_t *cr = page->canvas.cr;
  double unit = page->unit;
  for (int k = 0; k < 64; k++) {
    cairo_rectangle(cr, x, y + height * (63 - k) / 64.0, 15.0 * unit, height / 64.0 + 0.5);
    th_canvas_colour(cr, th_colour_split((k + 0.5) / 64.0), 1.0);
    cairo_fill(cr);
  }
  th_canvas_colour(cr, th_soft_ink, 1.0);
  for (int k = -1; k <= 1; k++) {
    char text[32];
    snprintf(text, sizeof text, "%.3g", 1.0 + k * page->stretch);
    double ty = y + height * 0.5 * (1.0 - k) + 6.0 * unit;
    th_canvas_text(cr, x + 22.0 * unit, ty, text, (th_lettering){.size = 17.0 * unit});
  }
  th_canvas_colour(cr, th_ink, 1.0);
  th_canvas_text(cr, x, y - 14.0 * unit, "stretch L2", (th_lettering){.size = 17.0 * unit});
}

static double key(const chart_page *page, double x, double y, th_colour colour, const char *text) {
  cairo_t *cr = page->canvas.cr;
  double unit = page->unit;
  cairo_new_path(cr);
  cairo_arc(cr, x + 7.0 * unit, y - 6.0 * unit, 6.5 * unit, 0.0, TH_TURN);
  th_canvas_colour(cr, colour, 1.0);
  cairo_fill_preserve(cr);
  th_canvas_colour(cr, th_soft_ink, colour.r + colour.g + colour.b > 2.7 ? 1.0 : 0.0);
  cairo_set_line_width(cr, 1.4 * unit);
  cairo_stroke(cr);
  th_canvas_colour(cr, th_soft_ink, 1.0);
  return x + 50.0 * unit + th_canvas_text(cr, x + 22.0 * unit, y, text, (th_lettering){.size = 17.0 * unit});
}

static void draw_around(const chart_page *page) {
  const th_chart_figure_def *def = page->def;
  double unit = page->unit, y = page->canvas.height - 28.0 * unit, x = page->left;
  cairo_t *cr = page->canvas.cr;
  th_canvas_colour(cr, th_ink, 1.0);
  double max = page->canvas.width - 2.0 * page->left;
  if (def->title)
    th_canvas_text(cr, page->left, 64.0 * unit, def->title,
                   (th_lettering){.size = 28.0 * unit, .bold = true, .max = max});
  th_canvas_colour(cr, th_soft_ink, 1.0);
  if (def->note)
    th_canvas_text(cr, page->left, (def->title ? 94.0 : 62.0) * unit, def->note,
                   (th_lettering){.size = 18.0 * unit, .max = max});
  if (def->stretch) draw_bar(page, page->canvas.width - 118.0 * unit, page->top + 28.0 * unit, 300.0 * unit);
  th_scene_view view = {.canvas = (th_canvas *)&page->canvas, .map = page->map};
  th_draw_scale_bar(&view, x, y, 160.0 * unit);
  x += th_canvas_round_down(160.0 * unit / page->map.scale) * page->map.scale + 90.0 * unit;
  x = key(page, x, y, own_red, "agent, velocity");
  x = key(page, x, y, th_goal_green, "reference, wanted");
  x = key(page, x, y, seen_blue, "seen");
  key(page, x, y, th_paper, "out of vision");
}

static double stretch_range(const th_chart_figure_def *def) {
  double max = 0.05;
  for (uint32_t f = 0; def->stretch && f < def->triangle_count; f++) {
    double off = fabs((double)def->stretch[f] - 1.0);
    if (isfinite(off)) max = fmax(max, off);
  }
  return fmin(max, 1.0);
}

th_result th_chart_figure_write(const th_chart_figure_def *def, const char *path, th_error *error) {
  th_vec2 lower, upper;
  th_result result = check(def, path, error);
  if (result != TH_OK) return result;
  reach_out(def, &lower, &upper);
  chart_page page = {.def = def, .unit = def->width / 1000.0, .stretch = stretch_range(def)};
  double w = fmax((double)upper.x - (double)lower.x, 1e-6), h = fmax((double)upper.y - (double)lower.y, 1e-6);
  double unit = page.unit, space = def->width - 96.0 * unit - (def->stretch ? 120.0 * unit : 0.0);
  page.left = 48.0 * unit;
  page.top = (def->title ? 88.0 : 40.0) * unit + (def->note ? 30.0 * unit : 0.0);
  page.map = (th_page_map){.lower = lower, .upper = upper, .scale = fmin(space / w, 1200.0 * unit / h)};
  double high = h * page.map.scale;
  page.map.left = page.left + 0.5 * (space - w * page.map.scale), page.map.bottom = page.top + high;
  result = th_canvas_open(&page.canvas, path, def->width, page.top + high + 84.0 * unit, error);
  if (result != TH_OK) return result;
  page.canvas.unit = unit;
  draw_triangles(&page);
  draw_walls(&page);
  draw_neighbours(&page);
  draw_self(&page);
  draw_around(&page);
  return th_canvas_close(&page.canvas, error);
}
