/* report/render/overlay.c - draws paths, trails, walls and gradients on a surface.
 *
 * A line is sampled in steps of about a pixel and kept where the picture has nothing in front of it; so it ends where
 * it goes behind a ridge, and remains a line in vector files. It is moved towards the eye by a few pixels, because a
 * straight piece between two points of a round surface runs below it. Cost: O(pixels of all lines).
 */
#include <string.h>

#include "report/render/view.h"

void th_render_space_of(const th_render_mesh *drawn, th_vec3 p, double out[3]) {
  out[0] = (double)p.x, out[1] = (double)p.y, out[2] = (double)p.z * drawn->def->stretch;
}

static bool near_something(const th_render_image *picture, const th_render_point *spot, double reach) {
  for (int k = 0; k < 9; k++) {
    double x = floor((spot->x + k % 3 - 1.0) * picture->density), y = floor((spot->y + k / 3 - 1.0) * picture->density);
    if (!(x >= 0.0 && y >= 0.0 && x < picture->width && y < picture->height)) continue;
    double there = (double)picture->depth[(size_t)y * picture->width + (size_t)x];
    if (there - spot->depth < reach) return true;
  }
  return false;
}

bool th_render_shows(const th_render_panel *panel, const double point[3], double pixels, th_render_point *spot) {
  if (!th_render_camera_see(&panel->eye, point, spot)) return false;
  double lift = 0.003 * panel->drawn->size + pixels / th_render_camera_metre(&panel->eye, spot->depth);
  if (!th_render_image_shows(&panel->picture, spot->x, spot->y, spot->depth - lift)) return false;
  /* where faces are hidden or cut away, lines on them are not drawn */
  bool whole = !panel->eye.hidden && !panel->drawn->def->cut_away;
  return whole || near_something(&panel->picture, spot, lift + 0.01 * panel->drawn->size);
}

/* One straight piece: its visible parts are added to the path. */
void th_render_trace(th_render_pen *pen, const double a[3], const double b[3]) {
  cairo_t *cr = pen->panel->canvas->cr;
  th_render_point from, to, spot;
  if (!th_render_camera_see(&pen->panel->eye, a, &from) || !th_render_camera_see(&pen->panel->eye, b, &to)) {
    pen->down = false;
    return;
  }
  double length = hypot(to.x - from.x, to.y - from.y);
  int steps = (int)fmin(4000.0, ceil(length / 1.2)) + 1;
  for (int k = 0; k <= steps; k++) {
    double s = (double)k / steps, p[3] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])};
    bool seen = th_render_shows(pen->panel, p, 2.0 + 2.0 * pen->wide, &spot);
    if (seen && !pen->down) cairo_move_to(cr, spot.x, spot.y);
    if (pen->down && (!seen || k == steps)) cairo_line_to(cr, spot.x, spot.y);
    pen->down = seen;
  }
}

void th_render_stroke(const th_render_pen *pen) {
  cairo_t *cr = pen->panel->canvas->cr;
  if (pen->halo > 0.0) {
    th_canvas_colour(cr, pen->under, 0.75 * pen->alpha);
    cairo_set_line_width(cr, pen->wide + 2.0 * pen->halo);
    cairo_stroke_preserve(cr);
  }
  th_canvas_colour(cr, pen->colour, pen->alpha);
  cairo_set_line_width(cr, pen->wide);
  cairo_stroke(cr);
}

#define FADES 8

static void draw_line(const th_render_panel *panel, const th_mesh_figure_line *line, th_render_pen *pen) {
  const th_render_mesh *drawn = panel->drawn;
  bool fades = line->kind == TH_MESH_FIGURE_TRAIL;
  uint32_t pieces = line->count - 1, parts = fades && pieces >= FADES ? FADES : 1;
  for (uint32_t part = 0; part < parts; part++) {
    double a[3], b[3];
    uint32_t first = (uint32_t)((uint64_t)pieces * part / parts),
             last = (uint32_t)((uint64_t)pieces * (part + 1) / parts);
    cairo_new_path(panel->canvas->cr);
    pen->down = false;
    if (fades) pen->alpha = 0.85 * (part + 1.0) / parts;
    th_render_space_of(drawn, line->point[first], a);
    for (uint32_t i = first; i < last; i++) {
      th_render_space_of(drawn, line->point[i + 1], b);
      th_render_trace(pen, a, b);
      memcpy(a, b, sizeof a);
    }
    th_render_stroke(pen);
  }
}

#define LEVELS 24 /* colours of a trail with values */

static int level_at(const th_scale *scale, float value) {
  double t = ((double)value - scale->min) / (scale->max - scale->min);
  return !(t > 0.0) ? 0 : t >= 1.0 ? LEVELS - 1 : (int)(t * LEVELS);
}

/* A trail whose colour follows its values: pieces of one level are one polyline. */
static void draw_values(const th_render_panel *panel, const th_mesh_figure_line *line, const float *value,
                        th_render_pen *pen) {
  const th_scale *scale = &panel->drawn->lines;
  for (uint32_t first = 0; first + 1 < line->count;) {
    double a[3], b[3];
    int level = level_at(scale, value[first]);
    cairo_new_path(panel->canvas->cr);
    pen->down = false;
    th_render_space_of(panel->drawn, line->point[first], a);
    do {
      th_render_space_of(panel->drawn, line->point[++first], b);
      th_render_trace(pen, a, b);
      memcpy(a, b, sizeof a);
    } while (first + 1 < line->count && level_at(scale, value[first]) == level);
    pen->colour = th_colour_ramp((level + 0.5) / LEVELS);
    th_render_stroke(pen);
  }
}

static th_render_pen pen_of(const th_render_panel *panel, const th_mesh_figure_line *line, double crowd) {
  double unit = panel->canvas->unit;
  th_render_pen pen = {.panel = panel, .alpha = 1.0, .under = th_paper, .colour = th_path_blue};
  pen.wide = 2.6 * unit * (0.55 + 0.45 * crowd), pen.halo = 1.1 * unit * crowd;
  if (line->kind == TH_MESH_FIGURE_GRID) {
    pen.colour = th_paper, pen.under = th_ink;
    pen.wide = 2.2 * unit, pen.halo = 0.5 * unit;
  } else if (line->kind == TH_MESH_FIGURE_TRAIL) {
    pen.colour = th_kind_colour(panel->drawn, line->colour), pen.wide = (1.0 + 1.1 * crowd) * unit, pen.halo = 0.0;
    if (!panel->drawn->def->agents.kind) pen.colour = th_colour_oklch(0.58, 0.19, 32.0);
  } else if (line->kind == TH_MESH_FIGURE_WALL) {
    pen.colour = th_ink, pen.wide = 3.0 * unit, pen.halo = 0.0;
  } else if (line->kind == TH_MESH_FIGURE_TRACE) {
    const uint32_t c = line->colour;
    pen.colour = (th_colour){(c >> 16 & 255u) / 255.0, (c >> 8 & 255u) / 255.0, (c & 255u) / 255.0};
    pen.wide = 2.2 * unit, pen.halo = 0.0;
  }
  return pen;
}

void th_render_overlay_lines(const th_render_panel *panel) {
  const th_mesh_figure_def *def = panel->drawn->def;
  cairo_t *cr = panel->canvas->cr;
  static const th_mesh_figure_line_kind order[] = {TH_MESH_FIGURE_WALL, TH_MESH_FIGURE_TRAIL, TH_MESH_FIGURE_GRID,
                                                   TH_MESH_FIGURE_PATH, TH_MESH_FIGURE_TRACE};
  double crowd = fmin(1.0, sqrt(40.0 / (double)(def->line_count + 1)));
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
  for (int kind = 0; kind < 5; kind++)
    for (uint32_t k = 0; k < def->line_count; k++) {
      if (def->line[k].kind != order[kind] || def->line[k].count < 2) continue;
      th_render_pen pen = pen_of(panel, &def->line[k], crowd);
      if (kind != 1) pen.alpha = 0.95;
      if (kind == 1 && def->line_value) {
        pen.alpha = 0.85;
        draw_values(panel, &def->line[k], def->line_value[k], &pen);
      } else {
        draw_line(panel, &def->line[k], &pen);
      }
    }
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

/* Gradient of the values over a face: sum of v_k times normal x opposite edge / (2 area); only its direction. */
static bool gradient_of(const th_render_mesh *drawn, uint32_t face, double gradient[3], double *size) {
  const uint32_t *corner = drawn->def->mesh->corner + 3 * (size_t)face;
  double normal[3], area = 0.0;
  gradient[0] = gradient[1] = gradient[2] = 0.0;
  th_render_face_normal(drawn, face, normal);
  for (int k = 0; k < 3; k++) {
    const double *b = drawn->xyz + 3 * (size_t)corner[(k + 1) % 3], *c = drawn->xyz + 3 * (size_t)corner[(k + 2) % 3];
    double edge[3] = {c[0] - b[0], c[1] - b[1], c[2] - b[2]}, across[3];
    /* differences, so that a face of equal values has none at all */
    double value = (double)drawn->def->value.vertex[corner[k]] - (double)drawn->def->value.vertex[corner[0]];
    if (!isfinite(value)) return false;
    th_cross3d(normal, edge, across);
    for (int i = 0; i < 3; i++) gradient[i] += value * across[i];
    area = fmax(area, th_dot3d(edge, edge));
  }
  *size = sqrt(area);
  return th_unit3d(gradient) > 0.0;
}

void th_render_overlay_gradients(const th_render_panel *panel) {
  const th_render_mesh *drawn = panel->drawn;
  cairo_t *cr = panel->canvas->cr;
  if (!drawn->def->gradients || !drawn->def->value.vertex) return;
  cairo_new_path(cr);
  for (uint32_t f = 0; f < drawn->faces; f++) {
    double gradient[3], size, middle[3] = {0.0, 0.0, 0.0}, end[3];
    th_render_point spot, tip[2];
    if ((drawn->def->blocked && drawn->def->blocked[f]) || (panel->eye.hidden && panel->eye.hidden[f])) continue;
    if (!gradient_of(drawn, f, gradient, &size)) continue;
    for (int k = 0; k < 3; k++)
      for (size_t i = 0; i < 3; i++)
        middle[i] += drawn->xyz[3 * (size_t)drawn->def->mesh->corner[3 * (size_t)f + (size_t)k] + i] / 3.0;
    if (!th_render_shows(panel, middle, 1.0, &spot)) continue;
    bool ahead = true;
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < 3; i++) end[i] = middle[i] + (side ? 0.22 : -0.22) * size * gradient[i];
      ahead = th_render_camera_see(&panel->eye, end, &tip[side]) && ahead;
    }
    if (!ahead) continue;
    cairo_move_to(cr, tip[0].x, tip[0].y);
    cairo_line_to(cr, tip[1].x, tip[1].y);
  }
  th_canvas_colour(cr, (th_colour){0.0, 0.0, 0.0}, 0.9);
  cairo_set_line_width(cr, 1.1 * panel->canvas->unit);
  cairo_stroke(cr);
}
