/* report/render/marks.c - outlines and names of marks on a surface.
 *
 * Lines and the borders of areas are drawn on the page, hidden where something is before them. In a raster picture
 * circles and insides are painted on the ground already (ground_marks.c); in vector files they are polygons here, drawn
 * whole where their middle is seen. Cost: O(pixels of all outlines).
 */
#include <string.h>

#include "base/trig.h"
#include "report/render/view.h"

static void draw_shape(const th_render_panel *panel, const th_mesh_figure_mark *mark) {
  cairo_t *cr = panel->canvas->cr;
  th_colour colour = th_figure_mark_colour(mark->kind);
  cairo_close_path(cr);
  th_canvas_colour(cr, colour, 0.40);
  cairo_fill_preserve(cr);
  th_canvas_colour(cr, th_paper, 0.9);
  cairo_set_line_width(cr, 4.6 * panel->canvas->unit);
  cairo_stroke_preserve(cr);
  th_canvas_colour(cr, colour, 1.0);
  cairo_set_line_width(cr, 2.6 * panel->canvas->unit);
  cairo_stroke(cr);
}

/* The ring in the plane of the mark's face, projected point by point. */
static void draw_ring(const th_render_panel *panel, const th_mesh_figure_mark *mark, const double at[3]) {
  double normal[3], a[3], b[3], axis[3] = {0.0, 0.0, 0.0};
  th_render_face_normal(panel->drawn, mark->face, normal);
  axis[fabs(normal[0]) < 0.7 ? 0 : 1] = 1.0;
  th_cross3d(normal, axis, a);
  th_unit3d(a);
  th_cross3d(normal, a, b);
  cairo_new_path(panel->canvas->cr);
  for (int k = 0; k < 48; k++) {
    double turn = TH_TURN * k / 48.0, p[3];
    th_render_point spot;
    for (int i = 0; i < 3; i++) p[i] = at[i] + (double)mark->radius * (cos(turn) * a[i] + sin(turn) * b[i]);
    if (!th_render_camera_see(&panel->eye, p, &spot)) return;
    cairo_line_to(panel->canvas->cr, spot.x, spot.y);
  }
  draw_shape(panel, mark);
}

/* The inside of a polygon in a vector file. */
static void fill_outline(const th_render_panel *panel, const th_mesh_figure_mark *mark) {
  cairo_t *cr = panel->canvas->cr;
  cairo_new_path(cr);
  for (uint32_t k = 0; k < mark->outline_count; k++) {
    double p[3];
    th_render_point spot;
    th_render_space_of(panel->drawn, mark->outline[k], p);
    if (!th_render_camera_see(&panel->eye, p, &spot)) return;
    cairo_line_to(cr, spot.x, spot.y);
  }
  cairo_close_path(cr);
  th_canvas_colour(cr, th_figure_mark_colour(mark->kind), th_figure_mark_quiet(mark->kind) ? 0.15 : 0.45);
  cairo_fill(cr);
}

static void draw_outline(const th_render_panel *panel, const th_mesh_figure_mark *mark) {
  cairo_t *cr = panel->canvas->cr;
  const bool quiet = th_figure_mark_quiet(mark->kind);
  const double unit = panel->canvas->unit, dash[2] = {7.0 * unit, 5.0 * unit};
  const uint32_t pieces = mark->closed ? mark->outline_count : mark->outline_count - 1;
  th_render_pen pen = {.panel = panel, .alpha = quiet ? 0.8 : 1.0, .under = th_paper};
  pen.colour = th_figure_mark_colour(mark->kind);
  pen.wide = (quiet ? 1.6 : mark->closed ? 2.4 : 4.0) * unit;
  pen.halo = quiet ? 0.0 : 1.2 * unit;
  cairo_new_path(cr);
  double a[3], b[3];
  th_render_space_of(panel->drawn, mark->outline[0], a);
  for (uint32_t k = 1; k <= pieces; k++) {
    th_render_space_of(panel->drawn, mark->outline[k % mark->outline_count], b);
    th_render_trace(&pen, a, b);
    memcpy(a, b, sizeof a);
  }
  if (quiet) cairo_set_dash(cr, dash, 2, 0.0);
  th_render_stroke(&pen);
  cairo_set_dash(cr, NULL, 0, 0.0);
}

static void draw_name(const th_render_panel *panel, const char *name, double x, double y, th_label_list *labels) {
  cairo_t *cr = panel->canvas->cr;
  double unit = panel->canvas->unit, size = 18.0 * unit, half = th_canvas_text_width(cr, size, true, name) / 2.0;
  x = fmin(fmax(x - half, 4.0 * unit), panel->width - 2.0 * half - 4.0 * unit);
  y = fmax(y, 20.0 * unit);
  double box[4] = {x - 3.0 * unit, y - 0.8 * size, x + 2.0 * half + 3.0 * unit, y + 0.3 * size};
  if (!th_figure_label_put(labels, box)) return;
  cairo_move_to(cr, x, box[3] - 0.3 * size);
  cairo_text_path(cr, name);
  th_canvas_colour(cr, th_paper, 0.9);
  cairo_set_line_width(cr, 5.0 * unit);
  cairo_stroke_preserve(cr);
  th_canvas_colour(cr, th_ink, 1.0);
  cairo_fill(cr);
}

/* How far above its middle a mark reaches on the page; the name of a line stands at its middle. */
static double height_of(const th_render_panel *panel, const th_mesh_figure_mark *mark, const th_render_point *middle) {
  double top = 0.0, normal[3], ray[3], at[3];
  for (uint32_t k = 0; mark->closed && k < mark->outline_count; k++) {
    th_render_point spot;
    th_render_space_of(panel->drawn, mark->outline[k], at);
    if (th_render_camera_see(&panel->eye, at, &spot)) top = fmax(top, middle->y - spot.y);
  }
  if (mark->outline) return top;
  th_render_space_of(panel->drawn, mark->point, at);
  th_render_face_normal(panel->drawn, mark->face, normal);
  th_render_camera_ray(&panel->eye, at, ray);
  return (double)mark->radius * th_render_camera_metre(&panel->eye, middle->depth) *
         fmax(0.2, fabs(th_dot3d(normal, ray)));
}

/* Whether the middle of a mark is seen, from the side that is walked on. */
static bool middle_shows(const th_render_panel *panel, const th_mesh_figure_mark *mark, const double at[3],
                         th_render_point *spot) {
  double normal[3], ray[3];
  th_render_face_normal(panel->drawn, mark->face, normal);
  th_render_camera_ray(&panel->eye, at, ray);
  /* its own people may hide the middle of a mark */
  double through = 2.0 * (double)mark->radius * th_render_camera_metre(&panel->eye, 1.0 + fabs(panel->eye.nearest));
  return th_dot3d(normal, ray) > 0.02 && th_render_shows(panel, at, fmin(through, 40.0), spot);
}

static void draw_mark(const th_render_panel *panel, const th_mesh_figure_mark *mark, th_label_list *labels) {
  double at[3];
  th_render_point spot;
  th_render_space_of(panel->drawn, mark->point, at);
  const bool shown = middle_shows(panel, mark, at, &spot);
  if (shown && mark->closed && !panel->bodies) fill_outline(panel, mark); /* else it is painted on the ground */
  if (mark->outline) draw_outline(panel, mark);
  if (!shown) return;
  if (strcmp(mark->kind, "time") == 0) {
    th_canvas_time_mark(panel->canvas->cr, spot.x, spot.y, panel->canvas->unit, mark->name);
    return;
  }
  if (!mark->outline && !panel->bodies) draw_ring(panel, mark, at);
  if (mark->name && mark->name[0])
    draw_name(panel, mark->name, spot.x, spot.y - height_of(panel, mark, &spot) - 10.0 * panel->canvas->unit, labels);
}

void th_render_marks(const th_render_panel *panel) {
  const th_mesh_figure_def *def = panel->drawn->def;
  th_label_list labels = {.count = 0};
  for (uint32_t k = 0; k < def->mark_count; k++)
    if (!panel->eye.hidden || !panel->eye.hidden[def->mark[k].face]) draw_mark(panel, &def->mark[k], &labels);
}
