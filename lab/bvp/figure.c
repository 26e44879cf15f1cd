/* lab/bvp/figure.c - figures of experiments: paths of runs, fields on grids, side by side. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "cli.h"
#include "lab/bvp/lab.h"
#include "throng/published/relax.h"

enum { MAX_PANELS = 6, WIDTH = 1000, FIELD_WIDTH = 415, CROWD_WIDTH = 440 }; /* fields and crowds compress less */

/* "folder/id.png", noted in the lab. */
static void figure_path(th_lab *lab, char *path, size_t size) {
  snprintf(lab->figure, sizeof lab->figure, "%s.png", lab->id);
  th_cli_join(path, size, lab->folder, lab->figure);
}

static th_result write_panels(th_lab *lab, const th_panel *panel, uint32_t count, const char *title, th_error *error) {
  char path[1024];
  uint32_t width = panel->figure.width;
  figure_path(lab, path, sizeof path);
  if (count > 1) return th_figure_compare(panel, count, title, width, path, error);
  th_figure_def def = panel->figure;
  def.title = title;
  return th_figure_write(&def, path, error);
}

/* ---------------------------------------------------------------- paths */

static th_result plan_of(const th_bvp_panel *panel, th_floor_plan *plan, th_error *error) {
  char wkt[8192];
  const th_bvp_trial *trial = panel->trial;
  float w = trial->width - 1.0f, h = trial->height - 1.0f;
  int used =
      snprintf(wkt, sizeof wkt, "POLYGON ((1 1, %g 1, %g %g, 1 %g, 1 1)", (double)w, (double)w, (double)h, (double)h);
  for (uint32_t k = 0; k < trial->obstacle_count; k++) {
    const th_polygon *o = &trial->obstacle[k];
    for (uint32_t i = 0; i <= o->count; i++) {
      th_vec2 p = o->point[i % o->count];
      if (used > (int)sizeof wkt - 64) return th_fail(error, TH_ERROR_CAPACITY, "figure", "expected fewer obstacles");
      used += snprintf(wkt + used, sizeof wkt - (size_t)used, "%s%g %g", i ? ", " : ", (", (double)p.x, (double)p.y);
    }
    used += snprintf(wkt + used, sizeof wkt - (size_t)used, ")");
  }
  snprintf(wkt + used, sizeof wkt - (size_t)used, ")");
  return th_floor_plan_make(&(th_floor_plan_def){.wkt = wkt}, plan, error);
}

static th_result marks_of(const th_bvp_panel *panel, th_mark *mark, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t k = 0; k < panel->trial->goal_count && result == TH_OK; k++)
    result = th_cli_mark("goal", "", &panel->trial->goal[k], &mark[k], error);
  return result;
}

typedef struct page {
  th_panel panel[MAX_PANELS];
  th_floor_plan plan[MAX_PANELS];
  th_mark mark[MAX_PANELS][TH_BVP_MAX_GOALS];
} page;

static th_result fill_panel(page *p, uint32_t k, const th_bvp_panel *from, th_error *error) {
  th_result result = plan_of(from, &p->plan[k], error);
  if (result == TH_OK) result = marks_of(from, p->mark[k], error);
  th_figure_def def = th_default_figure_def();
  def.width = from->run->walkers > 50 ? CROWD_WIDTH : WIDTH;
  def.title = from->title;
  def.plan = &p->plan[k];
  def.mark = p->mark[k];
  def.mark_count = from->trial->goal_count;
  def.tracks = &from->run->tracks;
  def.colour = TH_COLOUR_TIME;
  def.bodies = true;
  p->panel[k] = (th_panel){def, NULL};
  return result;
}

th_result th_bvp_draw(th_lab *lab, const th_bvp_panel *panel, uint32_t count, const char *title, th_error *error) {
  if (!lab->folder) return TH_OK;
  page p = {0};
  th_result result = TH_OK;
  if (count > MAX_PANELS) count = MAX_PANELS;
  for (uint32_t k = 0; k < count && result == TH_OK; k++) result = fill_panel(&p, k, &panel[k], error);
  if (result == TH_OK) result = write_panels(lab, p.panel, count, title, error);
  for (uint32_t k = 0; k < MAX_PANELS; k++) {
    th_floor_plan_free(&p.plan[k]);
    for (uint32_t g = 0; g < TH_BVP_MAX_GOALS; g++) th_floor_plan_free(&p.mark[k][g].plan);
  }
  return result;
}

/* ---------------------------------------------------------------- fields */

static bool field_at(void *user, float x, float y, double *value, th_vec2 *direction) {
  const th_relaxation *field = user;
  if (!(x >= 0.0f && y >= 0.0f)) return false;
  uint32_t i = (uint32_t)x, j = (uint32_t)y;
  double gx, gy, u = th_relaxation_u(field, i, j);
  if (th_relaxation_tile(field, i, j) == TH_TILE_WALL || !(u > 0.0)) return false;
  th_relaxation_descent(field, i, j, &gx, &gy);
  double modulus = hypot(gx, gy);
  *value = log10(u);
  *direction = (th_vec2){0.0f, 0.0f};
  if (modulus > 1e-300) *direction = (th_vec2){(float)(gx / modulus), (float)(gy / modulus)};
  return true;
}

th_result th_bvp_draw_fields(th_lab *lab, const th_relaxation *const *field, const char *const *name, uint32_t count,
                             const char *title, th_error *error) {
  if (!lab->folder) return TH_OK;
  th_panel panel[MAX_PANELS] = {0};
  th_floor_plan plan[MAX_PANELS] = {0};
  th_plot_field plot[MAX_PANELS];
  th_result result = TH_OK;
  if (count > MAX_PANELS) count = MAX_PANELS;
  for (uint32_t k = 0; k < count && result == TH_OK; k++) {
    uint32_t w, h;
    char wkt[160];
    th_relaxation_size(field[k], &w, &h);
    snprintf(wkt, sizeof wkt, "POLYGON ((0 0, %u 0, %u %u, 0 %u, 0 0))", w, w, h, h);
    result = th_floor_plan_make(&(th_floor_plan_def){.wkt = wkt}, &plan[k], error);
    plot[k] = (th_plot_field){field_at, (void *)(uintptr_t)field[k], "log10 (1 - p)"};
    panel[k].figure = th_default_figure_def();
    panel[k].figure.width = FIELD_WIDTH;
    panel[k].figure.title = name[k];
    panel[k].figure.plan = &plan[k];
    panel[k].figure.paths = false;
    panel[k].figure.field = &plot[k];
  }
  if (result == TH_OK) result = write_panels(lab, panel, count, title, error);
  for (uint32_t k = 0; k < MAX_PANELS; k++) th_floor_plan_free(&plan[k]);
  return result;
}

/* ---------------------------------------------------------------- curves */

static const char *const line_colour[4] = {"#1f3a8a", "#d1495b", "#2e8b57", "#8a6d1f"};

static void draw_line(FILE *file, const th_bvp_curves *c, uint32_t line, double x_max, double y_max) {
  fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", line_colour[line % 4]);
  for (uint32_t k = 0; k < c->count; k++)
    fprintf(file, "%.1f,%.1f ", 80.0 + 560.0 * c->x[k] / x_max, 340.0 - 270.0 * c->y[line][k] / y_max);
  fprintf(file, "\"/>\n<text x=\"510\" y=\"%u\" fill=\"%s\">%s</text>\n", 150 + 20 * line, line_colour[line % 4],
          c->name[line]);
}

/* The smallest step of 1, 2 or 5 times a power of ten of which at most five reach `max`. */
static double tick_of(double max) {
  double tick = pow(10.0, floor(log10(max / 5.0)));
  static const double times[3] = {1.0, 2.0, 5.0};
  for (int k = 0; k < 3; k++)
    if (times[k] * tick * 5.0 >= max) return times[k] * tick;
  return 10.0 * tick;
}

static void draw_axes(FILE *file, const th_bvp_curves *c, double x_max, double y_max) {
  fprintf(file, "<text x=\"80\" y=\"36\" font-size=\"17\" font-weight=\"bold\">%s</text>\n", c->title);
  fprintf(file, "<path d=\"M80 70 V340 H640\" fill=\"none\" stroke=\"#444\"/>\n");
  for (double x = 0.0; x <= x_max; x += tick_of(x_max))
    fprintf(file, "<text x=\"%.0f\" y=\"360\" text-anchor=\"middle\">%.10g</text>\n", 80.0 + 560.0 * x / x_max, x);
  for (double y = 0.0; y <= y_max; y += tick_of(y_max)) {
    double at = 340.0 - 270.0 * y / y_max;
    fprintf(file, "<path d=\"M80 %.0f H640\" stroke=\"#ddd\"/>\n", at);
    fprintf(file, "<text x=\"72\" y=\"%.0f\" text-anchor=\"end\">%.10g</text>\n", at + 4.0, y);
  }
  fprintf(file, "<text x=\"360\" y=\"384\" text-anchor=\"middle\">%s</text>\n", c->x_label);
  fprintf(file, "<text x=\"80\" y=\"60\">%s</text>\n", c->y_label);
}

th_result th_bvp_draw_curves(th_lab *lab, const th_bvp_curves *c, th_error *error) {
  if (!lab->folder) return TH_OK;
  char path[1024];
  double x_max = 0.0, y_max = 0.0;
  snprintf(lab->figure, sizeof lab->figure, "%s.svg", lab->id);
  th_cli_join(path, sizeof path, lab->folder, lab->figure);
  for (uint32_t k = 0; k < c->count; k++) {
    x_max = fmax(x_max, c->x[k]);
    for (uint32_t line = 0; line < c->lines; line++) y_max = fmax(y_max, c->y[line][k]);
  }
  FILE *file = th_file_stream(path, "wb");
  if (!file) return th_fail(error, TH_ERROR_FILE, path, "expected a file that can be written");
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 700 400\" font-family=\"sans-serif\" "
          "font-size=\"13\">\n<rect width=\"700\" height=\"400\" fill=\"white\"/>\n");
  draw_axes(file, c, x_max, y_max);
  for (uint32_t line = 0; line < c->lines; line++) draw_line(file, c, line, x_max, y_max);
  fprintf(file, "</svg>\n");
  bool bad = ferror(file) != 0;
  if (fclose(file) != 0 || bad) return th_fail(error, TH_ERROR_FILE, path, "expected room on the disk");
  return TH_OK;
}
