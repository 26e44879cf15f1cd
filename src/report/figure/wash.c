/* report/figure/wash.c - paints a grid of numbers and its isolines.
 *
 * The grid becomes a small picture that cairo enlarges bilinearly, which also keeps vector files small. Isolines come
 * from marching squares (Lorensen and Cline's idea in the plane): each square of four samples holds at most two pieces
 * of a line, found by linear interpolation along its sides. Cost: O(cells) per level.
 */
#include "report/figure/wash.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"

th_result th_wash_make(const th_scene_view *view, double across, th_wash *grid, th_error *error) {
  th_env env = th_env_complete(&view->def->env);
  double w = (double)view->map.upper.x - (double)view->map.lower.x;
  double h = (double)view->map.upper.y - (double)view->map.lower.y;
  double cell = fmax(w, h) / across;
  *grid = (th_wash){.width = (uint32_t)ceil(w / cell) + 1,
                    .height = (uint32_t)ceil(h / cell) + 1,
                    .x0 = (double)view->map.lower.x,
                    .y0 = (double)view->map.lower.y,
                    .cell = cell};
  grid->value = TH_TAKE(&env.allocator, double, (size_t)grid->width * grid->height);
  if (!grid->value) return th_fail_memory(error, "figure");
  for (size_t k = 0; k < (size_t)grid->width * grid->height; k++) grid->value[k] = NAN;
  return TH_OK;
}

void th_wash_free(const th_scene_view *view, th_wash *grid) {
  th_env env = th_env_complete(&view->def->env);
  TH_GIVE(&env.allocator, grid->value, (size_t)grid->width * grid->height);
  *grid = (th_wash){0};
}

/* Solid cells take the mean of their neighbours, so that bilinear enlargement does not make colours paler near
 * walls. */
static double filled(const th_wash *grid, int i, int j) {
  double own = grid->value[(size_t)j * grid->width + (size_t)i], sum = 0.0, n = 0.0;
  if (isfinite(own)) return own;
  for (int dj = -1; dj <= 1; dj++)
    for (int di = -1; di <= 1; di++) {
      int a = i + di, b = j + dj;
      if (a < 0 || b < 0 || a >= (int)grid->width || b >= (int)grid->height) continue;
      double v = grid->value[(size_t)b * grid->width + (size_t)a];
      if (isfinite(v)) sum += v, n += 1.0;
    }
  return n > 0.0 ? sum / n : NAN;
}

static uint32_t pixel_of(double value, const th_scale *scale, bool veil) {
  if (!isfinite(value)) return 0;
  double t = fmin(1.0, fmax(0.0, (value - scale->min) / (scale->max - scale->min)));
  double alpha = veil ? fmin(1.0, 3.0 * t) : 1.0;
  th_colour c = th_colour_wash(t);
  return (uint32_t)(255.0 * alpha) << 24 | (uint32_t)(255.0 * alpha * c.r) << 16 |
         (uint32_t)(255.0 * alpha * c.g) << 8 | (uint32_t)(255.0 * alpha * c.b);
}

static void paint_surface(const th_scene_view *view, const th_wash *grid, cairo_surface_t *picture) {
  cairo_t *cr = view->canvas->cr;
  double pixels = grid->cell * view->map.scale;
  th_draw_clip_to_floor(view);
  cairo_translate(cr, view->map.left, view->map.bottom - pixels * grid->height);
  cairo_scale(cr, pixels, pixels);
  cairo_set_source_surface(cr, picture, 0.0, 0.0);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
  cairo_rectangle(cr, 0.0, 0.0, grid->width, grid->height);
  cairo_fill(cr);
  cairo_restore(cr);
}

th_result th_wash_paint(const th_scene_view *view, const th_wash *grid, const th_scale *scale, bool veil,
                        th_error *error) {
  cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)grid->width, (int)grid->height);
  if (cairo_surface_status(picture) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(picture);
    return th_fail_memory(error, "figure");
  }
  uint8_t *bytes = cairo_image_surface_get_data(picture);
  size_t stride = (size_t)cairo_image_surface_get_stride(picture);
  for (int j = 0; j < (int)grid->height; j++) {
    uint32_t *row = (uint32_t *)(void *)(bytes + stride * (size_t)((int)grid->height - 1 - j));
    for (int i = 0; i < (int)grid->width; i++) row[i] = pixel_of(filled(grid, i, j), scale, veil);
  }
  cairo_surface_mark_dirty(picture);
  paint_surface(view, grid, picture);
  cairo_surface_destroy(picture);
  return TH_OK;
}

static th_vec2 between(const th_wash *grid, double level, double a, double b, const int corner[4]) {
  double t = a == b ? 0.5 : (level - a) / (b - a);
  double x = corner[0] + t * (corner[2] - corner[0]) + 0.5, y = corner[1] + t * (corner[3] - corner[1]) + 0.5;
  return (th_vec2){(float)(grid->x0 + x * grid->cell), (float)(grid->y0 + y * grid->cell)};
}

static void square(const th_scene_view *view, const th_wash *grid, double level, int i, int j) {
  const int corner[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
  double v[4];
  th_vec2 cut[4];
  int cuts = 0;
  for (int k = 0; k < 4; k++) {
    v[k] = grid->value[(size_t)corner[k][1] * grid->width + (size_t)corner[k][0]];
    if (!isfinite(v[k])) return;
  }
  for (int k = 0; k < 4; k++) {
    int n = (k + 1) % 4;
    const int side[4] = {corner[k][0], corner[k][1], corner[n][0], corner[n][1]};
    if ((v[k] < level) != (v[n] < level)) cut[cuts++] = between(grid, level, v[k], v[n], side);
  }
  for (int k = 0; k + 1 < cuts; k += 2) {
    cairo_move_to(view->canvas->cr, th_page_map_x(&view->map, cut[k].x), th_page_map_y(&view->map, cut[k].y));
    cairo_line_to(view->canvas->cr, th_page_map_x(&view->map, cut[k + 1].x), th_page_map_y(&view->map, cut[k + 1].y));
  }
}

void th_wash_isoline(const th_scene_view *view, const th_wash *grid, double level) {
  cairo_new_path(view->canvas->cr);
  for (int j = 0; j + 1 < (int)grid->height; j++)
    for (int i = 0; i + 1 < (int)grid->width; i++) square(view, grid, level, i, j);
  cairo_stroke(view->canvas->cr);
}
