/* report/render/vector.c - a surface as polygons, for SVG and PDF.
 *
 * The raster picture has marked the visible faces, so hidden ones cost nothing. The visible faces are drawn from back
 * to front (painter's order, Newell, Newell and Sancha 1972), each cut so finely that shading and field look smooth,
 * with its part of isolines, edges and frontiers. Walls and borders follow as lines over all faces, hidden by the
 * picture, because a face would cover half of the lines of its neighbours. A polygon is drawn a little larger than it
 * is, because viewers leave hairlines between neighbours. Cost: O(n log n) for n faces seen; at most about 24,000
 * polygons per figure, or one per face.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/halfedge.h"
#include "report/render/view.h"

#define MAX_POLYGONS 24000.0 /* of all panels */
#define MAX_CUTS 12
#define GROW 0.45 /* pixels */

typedef struct near_face {
  double depth;
  uint32_t face;
} near_face;

typedef struct face_view {
  const th_render_panel *panel;
  uint32_t face;
  const double *corner[3];
  th_render_point spot[3];
  bool behind;
} face_view;

static bool view_face(const th_render_panel *panel, uint32_t face, face_view *view) {
  *view = (face_view){.panel = panel, .face = face};
  for (int k = 0; k < 3; k++) {
    view->corner[k] = panel->drawn->xyz + 3 * (size_t)panel->drawn->def->mesh->corner[3 * (size_t)face + (size_t)k];
    if (!th_render_camera_see(&panel->eye, view->corner[k], &view->spot[k])) return false;
  }
  const th_render_point *s = view->spot;
  view->behind = (s[1].x - s[0].x) * (s[2].y - s[0].y) - (s[2].x - s[0].x) * (s[1].y - s[0].y) > 0.0;
  return true;
}

static void point_of(const face_view *view, const double b[3], double *x, double *y) {
  double p[3];
  th_render_point spot;
  for (int i = 0; i < 3; i++) p[i] = b[0] * view->corner[0][i] + b[1] * view->corner[1][i] + b[2] * view->corner[2][i];
  if (!th_render_camera_see(&view->panel->eye, p, &spot)) spot = view->spot[0];
  *x = spot.x, *y = spot.y;
}

static double dim_at(const th_render_image *picture, double x, double y) {
  double i = fmin(fmax(0.0, floor(x * picture->density)), picture->width - 1.0);
  double j = fmin(fmax(0.0, floor(y * picture->density)), picture->height - 1.0);
  uint8_t dim = picture->dim[(size_t)j * picture->width + (size_t)i];
  return dim ? dim / 200.0 : 1.0;
}

static th_colour lit(const face_view *view, const double b[3]) {
  const th_render_mesh *drawn = view->panel->drawn;
  const float *normal = drawn->normal + 9 * (size_t)view->face;
  double n[3], x, y, light;
  float rgb[3];
  th_render_mesh_colour(drawn, view->face, b, rgb);
  for (int k = 0; k < 3; k++)
    n[k] = (b[0] * (double)normal[k] + b[1] * (double)normal[3 + k] + b[2] * (double)normal[6 + k]) *
           (view->behind ? -1.0 : 1.0);
  th_unit3d(n);
  point_of(view, b, &x, &y);
  light = th_render_light(&view->panel->eye, n, view->panel->eye.back) * dim_at(&view->panel->picture, x, y);
  double c[3] = {(double)rgb[0], (double)rgb[1], (double)rgb[2]};
  const double grey[3] = {th_soft_ink.r, th_soft_ink.g, th_soft_ink.b};
  for (int k = 0; k < 3; k++) c[k] = fmin(1.0, light * (view->behind ? c[k] + 0.30 * (grey[k] - c[k]) : c[k]));
  return (th_colour){c[0], c[1], c[2]};
}

/* Corner k of a triangle whose sides are moved out by GROW pixels; at sharp corners only so far. */
static void grown_corner(const double x[3], const double y[3], int k, double *gx, double *gy) {
  double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]), n[2][2];
  for (int side = 0; side < 2; side++) { /* the sides that end and begin here */
    int a = side ? k : (k + 2) % 3, b = (a + 1) % 3;
    double dx = x[b] - x[a], dy = y[b] - y[a], length = hypot(dx, dy), sign = area > 0.0 ? 1.0 : -1.0;
    n[side][0] = length > 0.0 ? sign * dy / length : 0.0;
    n[side][1] = length > 0.0 ? -sign * dx / length : 0.0;
  }
  double open = fmax(0.25, 1.0 + n[0][0] * n[1][0] + n[0][1] * n[1][1]);
  *gx = x[k] + GROW * (n[0][0] + n[1][0]) / open;
  *gy = y[k] + GROW * (n[0][1] + n[1][1]) / open;
}

static void draw_piece(const face_view *view, double piece[3][3]) {
  cairo_t *cr = view->panel->canvas->cr;
  double middle[3], x[3], y[3], gx, gy;
  for (int k = 0; k < 3; k++) {
    middle[k] = (piece[0][k] + piece[1][k] + piece[2][k]) / 3.0;
    point_of(view, piece[k], &x[k], &y[k]);
  }
  for (int k = 0; k < 3; k++) {
    grown_corner(x, y, k, &gx, &gy);
    cairo_line_to(cr, gx, gy);
  }
  cairo_close_path(cr);
  th_canvas_colour(cr, lit(view, middle), 1.0);
  cairo_fill(cr);
}

/* cuts * cuts pieces, row by row. */
static void draw_face(const face_view *view, int cuts) {
  for (int i = 0; i < cuts; i++)
    for (int j = 0; i + j < cuts; j++) {
      double a = (double)i / cuts, b = (double)j / cuts, s = 1.0 / cuts;
      double up[3][3] = {{1 - a - b, a, b}, {1 - a - s - b, a + s, b}, {1 - a - b - s, a, b + s}};
      draw_piece(view, up);
      if (i + j + 2 > cuts) continue;
      double down[3][3] = {{1 - a - s - b, a + s, b}, {1 - a - b - 2 * s, a + s, b + s}, {1 - a - b - s, a, b + s}};
      draw_piece(view, down);
    }
}

static void line_between(const face_view *view, const double a[3], const double b[3]) {
  cairo_t *cr = view->panel->canvas->cr;
  double x, y;
  point_of(view, a, &x, &y);
  cairo_move_to(cr, x, y);
  point_of(view, b, &x, &y);
  cairo_line_to(cr, x, y);
}

static void draw_isolines(const face_view *view) {
  const th_render_mesh *drawn = view->panel->drawn;
  const th_mesh_figure_def *def = drawn->def;
  double v[3];
  if (!def->value.vertex || !drawn->levels || (def->blocked && def->blocked[view->face])) return;
  for (int k = 0; k < 3; k++) {
    v[k] = (double)def->value.vertex[def->mesh->corner[3 * (size_t)view->face + (size_t)k]];
    if (!isfinite(v[k])) return;
  }
  double min = fmin(v[0], fmin(v[1], v[2])), max = fmax(v[0], fmax(v[1], v[2]));
  cairo_t *cr = view->panel->canvas->cr;
  cairo_new_path(cr);
  for (uint32_t i = th_render_mesh_level(drawn, min); i < drawn->levels && drawn->level[i] < max; i++) {
    double level = drawn->level[i], cut[3][3];
    int cuts = 0;
    for (int k = 0; k < 3; k++) {
      int n = (k + 1) % 3;
      if ((v[k] < level) == (v[n] < level)) continue;
      double s = (level - v[k]) / (v[n] - v[k]);
      for (int j = 0; j < 3; j++) cut[cuts][j] = j == k ? 1.0 - s : j == n ? s : 0.0;
      cuts++;
    }
    if (cuts == 2) line_between(view, cut[0], cut[1]);
  }
  th_canvas_colour(cr, th_ink, TH_ISOLINE_INK);
  cairo_set_line_width(cr, 1.5 * view->panel->canvas->unit);
  cairo_stroke(cr);
}

/* Thin lines of the triangles. */
static void draw_edges(const face_view *view) {
  const th_render_mesh *drawn = view->panel->drawn;
  cairo_t *cr = view->panel->canvas->cr;
  for (int k = 0; k < 3; k++) {
    if (drawn->edge[3 * view->face + (uint32_t)k] != TH_EDGE_MESH) continue;
    const th_render_point *a = &view->spot[k], *b = &view->spot[(k + 1) % 3];
    cairo_move_to(cr, a->x, a->y);
    cairo_line_to(cr, b->x, b->y);
  }
  th_canvas_colour(cr, th_ink, 0.26);
  cairo_set_line_width(cr, 0.7 * view->panel->canvas->unit);
  cairo_stroke(cr);
}

/* Heavy lines, each edge once, where a face beside it is seen. */
static void draw_rims(const th_render_panel *panel, th_edge_mark mark, th_colour colour) {
  const th_render_mesh *drawn = panel->drawn;
  const th_mesh *mesh = drawn->def->mesh;
  th_render_pen pen = {.panel = panel, .wide = 2.0 * panel->canvas->unit, .colour = colour, .alpha = 0.95};
  cairo_t *cr = panel->canvas->cr;
  cairo_new_path(cr);
  for (uint32_t h = 0; h < 3 * drawn->faces; h++) {
    const uint32_t twin = mesh->twin[h];
    const bool seen = panel->picture.seen[h / 3] || (twin != TH_NO_HALF && panel->picture.seen[twin / 3]);
    if (drawn->edge[h] != mark || (twin != TH_NO_HALF && twin < h) || !seen) continue;
    pen.down = false;
    th_render_trace(&pen, drawn->xyz + 3 * (size_t)mesh->corner[h],
                    drawn->xyz + 3 * (size_t)mesh->corner[th_half_next(h)]);
  }
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
  th_render_stroke(&pen);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

/* Between cells of different kinds: from the middle of the face to the middle of the edge between them. */
static void draw_frontiers(const face_view *view) {
  const th_mesh_figure_def *def = view->panel->drawn->def;
  const uint32_t *corner = def->mesh->corner + 3 * (size_t)view->face;
  static const double middle[3] = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
  cairo_t *cr = view->panel->canvas->cr;
  if (!def->cell) return;
  for (int k = 0; k < 3; k++) {
    int n = (k + 1) % 3;
    if (def->cell[corner[k]] == def->cell[corner[n]]) continue;
    double half[3] = {0.5, 0.5, 0.5};
    half[(k + 2) % 3] = 0.0;
    line_between(view, middle, half);
    th_canvas_colour(cr, th_frontier_yellow, 0.95);
    cairo_set_line_width(cr, 2.2 * view->panel->canvas->unit);
    cairo_stroke(cr);
  }
}

static double colour_gap(th_colour a, th_colour b) {
  return fmax(fabs(a.r - b.r), fmax(fabs(a.g - b.g), fabs(a.b - b.b)));
}

/* Into how many parts an edge is cut so that no step of colour is above `max` and no piece below 5 pixels. */
static int cuts_of(const face_view *view, double max) {
  const th_mesh_figure_def *def = view->panel->drawn->def;
  const uint32_t *corner = def->mesh->corner + 3 * (size_t)view->face;
  static const double at[3][3] = {{0.9, 0.05, 0.05}, {0.05, 0.9, 0.05}, {0.05, 0.05, 0.9}};
  th_colour colour[3];
  double longest = 0.0, gap = 0.0;
  for (int k = 0; k < 3; k++) colour[k] = lit(view, at[k]);
  for (int k = 0; k < 3; k++) {
    const th_render_point *a = &view->spot[k], *b = &view->spot[(k + 1) % 3];
    longest = fmax(longest, hypot(a->x - b->x, a->y - b->y));
    gap = fmax(gap, colour_gap(colour[k], colour[(k + 1) % 3]));
    if (def->cell && def->cell[corner[k]] != def->cell[corner[(k + 1) % 3]]) gap = 1.0;
  }
  double cuts = fmin(ceil(gap / max), ceil(longest / (5.0 * view->panel->canvas->unit)));
  return cuts < 1.0 ? 1 : cuts > MAX_CUTS ? MAX_CUTS : (int)cuts;
}

/* The smallest steps of colour, from 2 % upwards, that do not give too many pieces. */
static double colour_step(const th_render_panel *panel, const near_face *order, uint32_t count) {
  double step = 0.02, max = MAX_POLYGONS / (panel->drawn->def->camera ? panel->drawn->def->camera_count : 1u);
  for (; step < 1.0; step *= 1.4) {
    double total = 0.0;
    for (uint32_t i = 0; i < count && total <= max; i++) {
      face_view view;
      if (!view_face(panel, order[i].face, &view)) continue;
      int cuts = cuts_of(&view, step);
      total += (double)cuts * cuts;
    }
    if (total <= max) break;
  }
  return step;
}

static int farther_first(const void *a, const void *b) {
  const near_face *p = a, *q = b;
  if (p->depth != q->depth) return p->depth > q->depth ? -1 : 1;
  return p->face < q->face ? -1 : p->face > q->face;
}

static uint32_t collect(const th_render_panel *panel, near_face *order) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < panel->drawn->faces; f++) {
    face_view view;
    if (!panel->picture.seen[f] || !view_face(panel, f, &view)) continue;
    if (view.behind && panel->eye.cull) continue;
    order[count++] = (near_face){view.spot[0].depth + view.spot[1].depth + view.spot[2].depth, f};
  }
  qsort(order, count, sizeof *order, farther_first);
  return count;
}

th_result th_render_vector(const th_render_panel *panel, th_error *error) {
  const th_render_mesh *drawn = panel->drawn;
  near_face *order = TH_TAKE(&drawn->allocator, near_face, drawn->faces);
  if (!order) return th_fail_memory(error, "figure");
  uint32_t count = collect(panel, order);
  double step = colour_step(panel, order, count);
  for (uint32_t i = 0; i < count; i++) {
    face_view view;
    if (!view_face(panel, order[i].face, &view)) continue;
    draw_face(&view, cuts_of(&view, step));
    draw_isolines(&view);
    draw_edges(&view);
    draw_frontiers(&view);
  }
  draw_rims(panel, TH_EDGE_FRONTIER, th_frontier_yellow);
  draw_rims(panel, TH_EDGE_WALL, th_ink);
  TH_GIVE(&drawn->allocator, order, drawn->faces);
  return TH_OK;
}
