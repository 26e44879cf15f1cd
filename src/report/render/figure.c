/* report/render/figure.c - one figure of a surface: panels side by side, title, bars, legend.
 *
 * Sizes are in units of a page 1600 wide, as in all figures. Panels of parallel rays share one scale, so that front and
 * back can be compared. A PNG is the picture with lines and letters on it; vector files hold polygons, and the picture
 * in double density where there are too many.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "report/render/view.h"

#define MOST_VECTOR_FACES 30000

th_surface_figure_def th_default_surface_figure_def(void) {
  return (th_surface_figure_def){.width = 1600,
                                 .stretch = 1.0,
                                 .legend = true,
                                 .value = {.least = NAN, .most = NAN, .middle = NAN, .isolines = TH_ISOLINES_EVEN},
                                 .agents = {.same_radius = 0.25f, .height = 1.7f, .least = NAN, .most = NAN}};
}

typedef struct sheet {
  const th_surface_figure_def *def;
  th_skin skin;
  th_canvas canvas;
  th_surface_panel panel[TH_MOST_CAMERAS];
  uint32_t count, columns;
  double unit, left, top, gap, below, width, height; /* of the page; below: room under each panel */
  bool bars, captions;
  th_still *still; /* one for each panel, or NULL */
} sheet;

/* ---------------------------------------------------------------- where everything stands */

static th_result choose_cameras(sheet *s, th_error *error) {
  const th_surface_figure_def *def = s->def;
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
      th_result result = th_eye_choose(&s->skin, camera, error);
      if (result != TH_OK) return result;
    }
    if (camera->caption) s->captions = true;
    th_eye_aim(&s->skin, camera, &s->panel[k].eye);
    s->panel[k].skin = &s->skin;
    s->panel[k].canvas = &s->canvas;
  }
  return TH_OK;
}

/* Height by width of the panels: the highest of what they show, within limits. */
static double shape_of(const sheet *s) {
  double wide = 0.0, high = 0.0, most = 0.0;
  for (uint32_t k = 0; k < s->count; k++) {
    const th_eye *eye = &s->panel[k].eye;
    double w = eye->box[1] - eye->box[0], h = eye->box[3] - eye->box[2];
    if (eye->lens) most = fmax(most, h / w);
    if (!eye->lens) wide = fmax(wide, w), high = fmax(high, h);
  }
  if (wide > 0.0) most = fmax(most, high / wide);
  return fmin(s->count == 1 ? 0.82 : 1.45, fmax(0.32, most));
}

static void plan_sheet(sheet *s) {
  const th_surface_figure_def *def = s->def;
  double unit = s->unit;
  s->bars = s->skin.value.label || s->skin.agents.label;
  s->columns = s->count <= 3 ? s->count : (s->count + 1) / 2;
  uint32_t rows = (s->count + s->columns - 1) / s->columns;
  s->left = 56.0 * unit, s->gap = 28.0 * unit, s->below = (s->captions ? 44.0 : 8.0) * unit;
  s->top = 40.0 * unit + (def->title ? 46.0 * unit : 0.0) + (def->note ? 32.0 * unit : 0.0) +
           (def->title || def->note ? 10.0 * unit : 0.0);
  double bottom = (def->legend ? 78.0 : 32.0) * unit, room = s->width - 2.0 * s->left - (s->bars ? 128.0 * unit : 0.0);
  double wide = (room - s->gap * (s->columns - 1)) / s->columns, high = wide * shape_of(s);
  if (def->height) high = fmax(60.0 * unit, (def->height - s->top - bottom) / rows - s->below);
  s->height = def->height ? def->height : ceil(s->top + rows * (high + s->below) + bottom);
  for (uint32_t k = 0; k < s->count; k++) {
    th_surface_panel *panel = &s->panel[k];
    panel->left = floor(s->left + (k % s->columns) * (wide + s->gap));
    panel->top = floor(s->top + (k / s->columns) * (high + s->below));
    panel->width = floor(wide), panel->height = floor(high);
  }
}

/* One scale for all panels of parallel rays. */
static void place_eyes(sheet *s) {
  double common = INFINITY;
  for (uint32_t k = 0; k < s->count; k++) {
    const th_surface_panel *panel = &s->panel[k];
    if (!panel->eye.lens && panel->camera.zoom == 1.0)
      common = fmin(common, 0.965 * th_eye_fit(&panel->eye, panel->width, panel->height));
  }
  for (uint32_t k = 0; k < s->count; k++) {
    th_surface_panel *panel = &s->panel[k];
    double own =
        th_eye_fit(&panel->eye, panel->width, panel->height) * (panel->camera.kind == TH_CAMERA_POSITION ? 1.0 : 0.965);
    if (panel->camera.kind == TH_CAMERA_POSITION) /* fills the panel */
      own = fmax(panel->width / (panel->eye.box[1] - panel->eye.box[0]),
                 panel->height / (panel->eye.box[3] - panel->eye.box[2]));
    bool shared = !panel->eye.lens && panel->camera.zoom == 1.0;
    th_eye_place(&panel->eye, shared ? common : own, panel->width, panel->height);
  }
}

/* ---------------------------------------------------------------- panels */

static th_result take_picture(const sheet *s, th_surface_panel *panel, double density, bool seen, th_error *error) {
  th_shot_def def = {.skin = &s->skin,
                     .eye = &panel->eye,
                     .width = panel->width,
                     .height = panel->height,
                     .density = density,
                     .unit = s->unit,
                     .bodies = !seen,
                     .seen = seen,
                     .still = s->still ? &s->still[panel - s->panel] : NULL};
  panel->bodies = !seen;
  return th_shot_make(&def, &panel->picture, error);
}

static th_result show_picture(const th_surface_panel *panel, th_error *error) {
  cairo_t *cr = panel->canvas->cr;
  const th_shot *picture = &panel->picture;
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

static uint32_t faces_seen(const th_surface_panel *panel) {
  uint32_t count = 0;
  for (uint32_t f = 0; f < panel->skin->faces; f++) count += panel->picture.seen[f];
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

static th_result draw_people(const th_surface_panel *panel, th_error *error) {
  const th_skin *skin = panel->skin;
  uint32_t count = skin->def->agents.count;
  far_agent *sorted = TH_TAKE(&skin->allocator, far_agent, count);
  uint32_t *order = TH_TAKE(&skin->allocator, uint32_t, count);
  th_result result = sorted && order ? TH_OK : th_fail_memory(error, "figure");
  for (uint32_t a = 0; a < count && result == TH_OK; a++) {
    double point[3];
    th_spot spot;
    th_agent_point(skin, a, point);
    (void)th_eye_see(&panel->eye, point, &spot);
    sorted[a] = (far_agent){spot.depth, a};
  }
  if (result == TH_OK) {
    qsort(sorted, count, sizeof *sorted, farther_first);
    for (uint32_t a = 0; a < count; a++) order[a] = sorted[a].agent;
    th_surface_bodies(panel, order, count);
  }
  TH_GIVE(&skin->allocator, sorted, count);
  TH_GIVE(&skin->allocator, order, count);
  return result;
}

/* Ground as a picture or as polygons; the clip keeps what a zoom shows inside its panel. */
static th_result draw_ground(sheet *s, th_surface_panel *panel, th_error *error) {
  bool polygons = !s->canvas.png;
  th_result result = take_picture(s, panel, 1.0, polygons, error);
  if (result == TH_OK && polygons && faces_seen(panel) > MOST_VECTOR_FACES) {
    th_shot_free(&s->skin, &panel->picture);
    polygons = false;
    result = take_picture(s, panel, 2.0, false, error);
  }
  if (result != TH_OK) return result;
  return polygons ? th_surface_vector(panel, error) : show_picture(panel, error);
}

static th_result draw_panel(sheet *s, th_surface_panel *panel, th_error *error) {
  cairo_t *cr = s->canvas.cr;
  cairo_save(cr);
  cairo_translate(cr, panel->left, panel->top);
  cairo_rectangle(cr, 0.0, 0.0, panel->width, panel->height);
  cairo_clip(cr);
  th_result result = draw_ground(s, panel, error);
  if (result == TH_OK) {
    th_surface_gradients(panel);
    th_surface_lines(panel);
    if (!panel->bodies) {
      th_surface_marks(panel);
      result = draw_people(panel, error);
    } else {
      th_surface_marks(panel);
    }
  }
  cairo_restore(cr);
  th_shot_free(&s->skin, &panel->picture);
  if (result != TH_OK || !panel->camera.caption) return result;
  th_canvas_colour(cr, th_soft_ink, 1.0);
  th_canvas_text(cr, panel->left + 0.5 * panel->width, panel->top + panel->height + 28.0 * s->unit, 19.0 * s->unit,
                 false, TH_CENTRE, panel->camera.caption, panel->width);
  return TH_OK;
}

/* ---------------------------------------------------------------- around them */

static void draw_words(const sheet *s) {
  const th_surface_figure_def *def = s->def;
  cairo_t *cr = s->canvas.cr;
  double most = s->width - 2.0 * s->left, unit = s->unit;
  th_canvas_colour(cr, th_ink, 1.0);
  if (def->title) th_canvas_text(cr, s->left, 74.0 * unit, 32.0 * unit, true, TH_LEFT, def->title, most);
  th_canvas_colour(cr, th_soft_ink, 1.0);
  if (def->note)
    th_canvas_text(cr, s->left, (def->title ? 106.0 : 72.0) * unit, 19.0 * unit, false, TH_LEFT, def->note, most);
}

static void draw_bars(const sheet *s) {
  const th_scale *value = s->skin.value.label ? &s->skin.value : NULL,
                 *agents = s->skin.agents.label ? &s->skin.agents : NULL;
  double unit = s->unit, x = s->width - s->left - 88.0 * unit, y = s->top + 30.0 * unit;
  double room = s->height - s->top - 90.0 * unit;
  double height =
      fmax(60.0 * unit, fmin(value && agents ? 0.5 * room - 50.0 * unit : room - 30.0 * unit, 360.0 * unit));
  if (value) th_surface_bar(&s->canvas, value, &s->skin, x, y, height);
  if (agents) th_surface_bar(&s->canvas, agents, &s->skin, x, value ? y + height + 66.0 * unit : y, height);
}

static double scale_bar(const sheet *s, double y) {
  const th_eye *eye = &s->panel[0].eye;
  double end = s->left;
  if (eye->lens || s->panel[0].camera.zoom != 1.0) return end;
  th_scene_view view = {.canvas = (th_canvas *)&s->canvas, .map = {.scale = eye->scale}};
  double most = fmin(0.16 * s->width, 0.5 * s->panel[0].width);
  th_draw_scale_bar(&view, s->left, y, most);
  return s->left + th_round_down(most / eye->scale) * eye->scale + 110.0 * s->unit;
}

static th_result draw_sheet(sheet *s, th_error *error) {
  th_result result = TH_OK;
  draw_words(s);
  for (uint32_t k = 0; k < s->count && result == TH_OK; k++) result = draw_panel(s, &s->panel[k], error);
  if (result != TH_OK) return result;
  draw_bars(s);
  if (!s->def->legend) return TH_OK;
  double y = s->height - 30.0 * s->unit, x = scale_bar(s, y);
  th_surface_legend(&s->canvas, &s->skin, x, s->width - s->left, y);
  return TH_OK;
}

/* Skin, cameras and where everything stands. */
static th_result make_sheet(sheet *s, th_error *error) {
  th_result result = th_skin_make(s->def, &s->skin, error);
  if (result != TH_OK) return result;
  s->skin.everywhere = s->still != NULL;
  result = choose_cameras(s, error);
  if (result != TH_OK) {
    th_skin_free(&s->skin);
    return result;
  }
  plan_sheet(s);
  place_eyes(s);
  return TH_OK;
}

th_result th_surface_figure_write(const th_surface_figure_def *def, const char *path, th_error *error) {
  sheet s = {.def = def, .unit = def->width / 1600.0, .width = def->width};
  th_result result = th_surface_figure_check(def, path, error);
  if (result == TH_OK) result = make_sheet(&s, error);
  if (result != TH_OK) return result;
  result = th_canvas_open(&s.canvas, path, s.width, s.height, error);
  if (result == TH_OK) {
    result = draw_sheet(&s, error);
    if (result == TH_OK)
      result = th_canvas_close(&s.canvas, error);
    else
      th_canvas_drop(&s.canvas);
  }
  th_skin_free(&s.skin);
  return result;
}

th_result th_surface_figure_draw(const th_surface_figure_def *def, th_still *still, cairo_surface_t *page,
                                 th_error *error) {
  sheet s = {.def = def, .unit = def->width / 1600.0, .width = def->width, .still = still};
  th_result result = th_surface_figure_check(def, "frame.png", error);
  if (result == TH_OK) result = make_sheet(&s, error);
  if (result != TH_OK) return result;
  s.canvas = (th_canvas){.surface = page, .width = s.width, .height = s.height, .unit = s.unit, .png = true};
  s.canvas.cr = cairo_create(page);
  th_canvas_colour(s.canvas.cr, th_paper, 1.0);
  cairo_paint(s.canvas.cr);
  cairo_set_line_join(s.canvas.cr, CAIRO_LINE_JOIN_ROUND);
  result = draw_sheet(&s, error);
  if (result == TH_OK && cairo_status(s.canvas.cr) != CAIRO_STATUS_SUCCESS) result = th_fail_memory(error, "film");
  cairo_destroy(s.canvas.cr);
  cairo_surface_flush(page);
  th_skin_free(&s.skin);
  return result;
}
