/* report/render/figure.c - one figure of a surface: panels side by side, title, bars, legend.
 *
 * Sizes are in units of a page 1600 wide, as in all figures. Panels of parallel rays share one scale, so that front and
 * back can be compared. A PNG is the raster picture with lines and text on it; vector files hold polygons, or the
 * raster picture in double resolution when there are too many polygons.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/render/view.h"

#define MAX_VECTOR_FACES 30000

th_mesh_figure_def th_default_mesh_figure_def(void) {
  return (th_mesh_figure_def){.width = 1600,
                              .stretch = 1.0,
                              .legend = true,
                              .value = {.min = NAN, .max = NAN, .middle = NAN, .isolines = TH_ISOLINES_EVEN},
                              .agents = {.same_radius = 0.25f, .height = 1.7f, .min = NAN, .max = NAN}};
}

typedef struct layout {
  const th_mesh_figure_def *def;
  th_render_mesh drawn;
  th_canvas canvas;
  th_render_panel panel[TH_MAX_CAMERAS];
  uint32_t count, columns;
  double unit, left, top, gap, below, width, height; /* of the page; below: space under each panel */
  bool bars, captions;
  th_render_cache *cache; /* one for each panel, or NULL */
} layout;

/* ---------------------------------------------------------------- where everything stands */

static th_result choose_cameras(layout *s, th_error *error) {
  const th_mesh_figure_def *def = s->def;
  th_camera plain = th_default_camera();
  s->count = def->camera ? def->camera_count : 1;
  for (uint32_t k = 0; k < s->count; k++) {
    th_camera *camera = &s->panel[k].camera;
    *camera = def->camera ? def->camera[k] : plain;
    if (camera->kind == TH_CAMERA_BEHIND) {
      camera->azimuth = s->panel[0].camera.azimuth + 180.0;
      camera->elevation = k ? -s->panel[0].camera.elevation : 0.0;
    }
    if (camera->kind == TH_CAMERA_AUTO) {
      th_result result = th_render_camera_choose(&s->drawn, camera, error);
      if (result != TH_OK) return result;
    }
    if (camera->caption) s->captions = true;
    th_render_camera_aim(&s->drawn, camera, &s->panel[k].eye);
    s->panel[k].drawn = &s->drawn;
    s->panel[k].canvas = &s->canvas;
  }
  return TH_OK;
}

/* Height by width of the panels: the highest of what they show, within limits. */
static double shape_of(const layout *s) {
  double wide = 0.0, high = 0.0, max = 0.0;
  for (uint32_t k = 0; k < s->count; k++) {
    const th_render_camera *eye = &s->panel[k].eye;
    double w = eye->box[1] - eye->box[0], h = eye->box[3] - eye->box[2];
    if (eye->lens) max = fmax(max, h / w);
    if (!eye->lens) wide = fmax(wide, w), high = fmax(high, h);
  }
  if (wide > 0.0) max = fmax(max, high / wide);
  return fmin(s->count == 1 ? 0.82 : 1.45, fmax(0.32, max));
}

static void plan_layout(layout *s) {
  const th_mesh_figure_def *def = s->def;
  double unit = s->unit;
  s->bars = s->drawn.value.label || s->drawn.agents.label || s->drawn.lines.label;
  s->columns = s->count <= 3 ? s->count : (s->count + 1) / 2;
  uint32_t rows = (s->count + s->columns - 1) / s->columns;
  s->left = 56.0 * unit, s->gap = 28.0 * unit, s->below = (s->captions ? 44.0 : 8.0) * unit;
  s->top = 40.0 * unit + (def->title ? 46.0 * unit : 0.0) + (def->note ? 32.0 * unit : 0.0) +
           (def->title || def->note ? 10.0 * unit : 0.0);
  double bottom = (def->legend ? 78.0 : 32.0) * unit, space = s->width - 2.0 * s->left - (s->bars ? 128.0 * unit : 0.0);
  double wide = (space - s->gap * (s->columns - 1)) / s->columns, high = wide * shape_of(s);
  if (def->height) high = fmax(60.0 * unit, (def->height - s->top - bottom) / rows - s->below);
  s->height = def->height ? def->height : ceil(s->top + rows * (high + s->below) + bottom);
  for (uint32_t k = 0; k < s->count; k++) {
    th_render_panel *panel = &s->panel[k];
    panel->left = floor(s->left + (k % s->columns) * (wide + s->gap));
    panel->top = floor(s->top + (k / s->columns) * (high + s->below));
    panel->width = floor(wide), panel->height = floor(high);
  }
}

/* One scale for all panels in parallel projection. */
static void place_eyes(layout *s) {
  double common = INFINITY;
  for (uint32_t k = 0; k < s->count; k++) {
    const th_render_panel *panel = &s->panel[k];
    if (!panel->eye.lens && panel->camera.zoom == 1.0)
      common = fmin(common, 0.965 * th_render_camera_fit(&panel->eye, panel->width, panel->height));
  }
  for (uint32_t k = 0; k < s->count; k++) {
    th_render_panel *panel = &s->panel[k];
    double own = th_render_camera_fit(&panel->eye, panel->width, panel->height) *
                 (panel->camera.kind == TH_CAMERA_POSITION ? 1.0 : 0.965);
    if (panel->camera.kind == TH_CAMERA_POSITION) /* fills the panel */
      own = fmax(panel->width / (panel->eye.box[1] - panel->eye.box[0]),
                 panel->height / (panel->eye.box[3] - panel->eye.box[2]));
    bool shared = !panel->eye.lens && panel->camera.zoom == 1.0;
    th_render_camera_place(&panel->eye, shared ? common : own, panel->width, panel->height);
  }
}

/* ---------------------------------------------------------------- panels */

static th_result take_picture(const layout *s, th_render_panel *panel, double density, bool seen, th_error *error) {
  th_render_image_def def = {.drawn = &s->drawn,
                             .eye = &panel->eye,
                             .width = panel->width,
                             .height = panel->height,
                             .density = density,
                             .unit = s->unit,
                             .bodies = !seen,
                             .seen = seen,
                             .cache = s->cache ? &s->cache[panel - s->panel] : NULL};
  panel->bodies = !seen;
  return th_render_image_make(&def, &panel->picture, error);
}

static th_result show_picture(const th_render_panel *panel, th_error *error) {
  cairo_t *cr = panel->canvas->cr;
  const th_render_image *picture = &panel->picture;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)picture->width, (int)picture->height);
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(surface);
    return th_fail_memory(error, "figure");
  }
  size_t stride = (size_t)cairo_image_surface_get_stride(surface);
  for (size_t y = 0; y < picture->height; y++)
    memcpy(cairo_image_surface_get_data(surface) + y * stride, picture->colour + y * picture->width,
           4 * (size_t)picture->width);
  cairo_surface_mark_dirty(surface);
  cairo_save(cr);
  cairo_scale(cr, 1.0 / picture->density, 1.0 / picture->density);
  cairo_set_source_surface(cr, surface, 0.0, 0.0);
  cairo_paint(cr);
  cairo_restore(cr);
  cairo_surface_destroy(surface);
  return TH_OK;
}

static uint32_t faces_seen(const th_render_panel *panel) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < panel->drawn->faces; f++) count += panel->picture.seen[f];
  return count;
}

typedef struct far_agent {
  double depth;
  uint32_t agent;
} far_agent;

static int farther_first(const void *a, const void *b) {
  const far_agent *p = a, *q = b;
  if (p->depth != q->depth) return p->depth > q->depth ? -1 : 1;
  return p->agent < q->agent ? -1 : p->agent > q->agent;
}

static th_result draw_people(const th_render_panel *panel, th_error *error) {
  const th_render_mesh *drawn = panel->drawn;
  uint32_t count = drawn->def->agents.count;
  far_agent *sorted = TH_TAKE(&drawn->allocator, far_agent, count);
  uint32_t *order = TH_TAKE(&drawn->allocator, uint32_t, count);
  th_result result = sorted && order ? TH_OK : th_fail_memory(error, "figure");
  for (uint32_t a = 0; a < count && result == TH_OK; a++) {
    double point[3];
    th_render_point spot;
    th_render_agent_point(drawn, a, point);
    (void)th_render_camera_see(&panel->eye, point, &spot);
    sorted[a] = (far_agent){spot.depth, a};
  }
  if (result == TH_OK) {
    qsort(sorted, count, sizeof *sorted, farther_first);
    for (uint32_t a = 0; a < count; a++) order[a] = sorted[a].agent;
    th_render_people(panel, order, count);
  }
  TH_GIVE(&drawn->allocator, sorted, count);
  TH_GIVE(&drawn->allocator, order, count);
  return result;
}

/* Ground as a picture or as polygons; the clip keeps what a zoom shows inside its panel. */
static th_result draw_ground(layout *s, th_render_panel *panel, th_error *error) {
  bool polygons = !s->canvas.png;
  th_result result = take_picture(s, panel, 1.0, polygons, error);
  if (result == TH_OK && polygons && faces_seen(panel) > MAX_VECTOR_FACES) {
    th_render_image_free(&s->drawn, &panel->picture);
    polygons = false;
    result = take_picture(s, panel, 2.0, false, error);
  }
  if (result != TH_OK) return result;
  return polygons ? th_render_vector(panel, error) : show_picture(panel, error);
}

static th_result draw_panel(layout *s, th_render_panel *panel, th_error *error) {
  cairo_t *cr = s->canvas.cr;
  cairo_save(cr);
  cairo_translate(cr, panel->left, panel->top);
  cairo_rectangle(cr, 0.0, 0.0, panel->width, panel->height);
  cairo_clip(cr);
  th_result result = draw_ground(s, panel, error);
  if (result == TH_OK) {
    th_render_overlay_gradients(panel);
    th_render_overlay_lines(panel);
    if (!panel->bodies) {
      th_render_marks(panel);
      result = draw_people(panel, error);
    } else {
      th_render_marks(panel);
    }
  }
  cairo_restore(cr);
  th_render_image_free(&s->drawn, &panel->picture);
  if (result != TH_OK || !panel->camera.caption) return result;
  th_canvas_colour(cr, th_soft_ink, 1.0);
  th_canvas_text(cr, panel->left + 0.5 * panel->width, panel->top + panel->height + 28.0 * s->unit,
                 panel->camera.caption,
                 (th_lettering){.size = 19.0 * s->unit, .align = TH_CENTRE, .max = panel->width});
  return TH_OK;
}

/* ---------------------------------------------------------------- around them */

static void draw_words(const layout *s) {
  const th_mesh_figure_def *def = s->def;
  cairo_t *cr = s->canvas.cr;
  double max = s->width - 2.0 * s->left, unit = s->unit;
  th_canvas_colour(cr, th_ink, 1.0);
  if (def->title)
    th_canvas_text(cr, s->left, 74.0 * unit, def->title, (th_lettering){.size = 32.0 * unit, .bold = true, .max = max});
  th_canvas_colour(cr, th_soft_ink, 1.0);
  if (def->note)
    th_canvas_text(cr, s->left, (def->title ? 106.0 : 72.0) * unit, def->note,
                   (th_lettering){.size = 19.0 * unit, .max = max});
}

static void draw_bars(const layout *s) {
  const th_scale *value = s->drawn.value.label ? &s->drawn.value : NULL,
                 *agents = s->drawn.agents.label ? &s->drawn.agents : NULL;
  bool alike = agents && s->drawn.lines.label && !strcmp(agents->label, s->drawn.lines.label);
  if (!value && s->drawn.lines.label && !alike) value = &s->drawn.lines;
  double unit = s->unit, x = s->width - s->left - 88.0 * unit, y = s->top + 30.0 * unit;
  double space = s->height - s->top - 90.0 * unit;
  double height =
      fmax(60.0 * unit, fmin(value && agents ? 0.5 * space - 50.0 * unit : space - 30.0 * unit, 360.0 * unit));
  if (value) th_render_bar(&s->canvas, value, &s->drawn, x, y, height);
  if (agents) th_render_bar(&s->canvas, agents, &s->drawn, x, value ? y + height + 66.0 * unit : y, height);
}

static double scale_bar(const layout *s, double y) {
  const th_render_camera *eye = &s->panel[0].eye;
  double end = s->left;
  if (eye->lens || s->panel[0].camera.zoom != 1.0) return end;
  th_scene_view view = {.canvas = (th_canvas *)&s->canvas, .map = {.scale = eye->scale}};
  double max = fmin(0.16 * s->width, 0.5 * s->panel[0].width);
  th_draw_scale_bar(&view, s->left, y, max);
  return s->left + th_canvas_round_down(max / eye->scale) * eye->scale + 110.0 * s->unit;
}

static th_result draw_layout(layout *s, th_error *error) {
  th_result result = TH_OK;
  draw_words(s);
  for (uint32_t k = 0; k < s->count && result == TH_OK; k++) result = draw_panel(s, &s->panel[k], error);
  if (result != TH_OK) return result;
  draw_bars(s);
  if (!s->def->legend) return TH_OK;
  double y = s->height - 30.0 * s->unit, x = scale_bar(s, y);
  th_render_legend(&s->canvas, &s->drawn, x, s->width - s->left, y);
  return TH_OK;
}

/* Prepares skin, cameras and page layout. */
static th_result make_layout(layout *s, th_error *error) {
  th_result result = th_render_mesh_make(s->def, &s->drawn, error);
  if (result != TH_OK) return result;
  s->drawn.everywhere = s->cache != NULL;
  result = choose_cameras(s, error);
  if (result != TH_OK) {
    th_render_mesh_free(&s->drawn);
    return result;
  }
  plan_layout(s);
  place_eyes(s);
  return TH_OK;
}

th_result th_mesh_figure_write(const th_mesh_figure_def *def, const char *path, th_error *error) {
  layout s = {.def = def, .unit = def->width / 1600.0, .width = def->width};
  th_result result = th_mesh_figure_check(def, path, error);
  if (result == TH_OK) result = make_layout(&s, error);
  if (result != TH_OK) return result;
  result = th_canvas_open(&s.canvas, path, s.width, s.height, error);
  if (result == TH_OK) {
    result = draw_layout(&s, error);
    if (result == TH_OK)
      result = th_canvas_close(&s.canvas, error);
    else
      th_canvas_drop(&s.canvas);
  }
  th_render_mesh_free(&s.drawn);
  return result;
}

th_result th_mesh_figure_draw(const th_mesh_figure_def *def, th_render_cache *cache, cairo_surface_t *page,
                              th_error *error) {
  layout s = {.def = def, .unit = def->width / 1600.0, .width = def->width, .cache = cache};
  th_result result = th_mesh_figure_check(def, "frame.png", error);
  if (result == TH_OK) result = make_layout(&s, error);
  if (result != TH_OK) return result;
  s.canvas = (th_canvas){.surface = page, .width = s.width, .height = s.height, .unit = s.unit, .png = true};
  s.canvas.cr = cairo_create(page);
  th_canvas_colour(s.canvas.cr, th_paper, 1.0);
  cairo_paint(s.canvas.cr);
  cairo_set_line_join(s.canvas.cr, CAIRO_LINE_JOIN_ROUND);
  result = draw_layout(&s, error);
  if (result == TH_OK && cairo_status(s.canvas.cr) != CAIRO_STATUS_SUCCESS) result = th_fail_memory(error, "film");
  cairo_destroy(s.canvas.cr);
  cairo_surface_flush(page);
  th_render_mesh_free(&s.drawn);
  return result;
}
