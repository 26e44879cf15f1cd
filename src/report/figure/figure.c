/* report/figure/figure.c - the page layout of one figure.
 *
 * Sizes are in units of a page 1600 wide, so that a figure looks the same at any width. The ground fills the width left
 * by margins and the colour bar; the height follows from its shape, within limits.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/trig.h"
#include "report/figure/draw.h"

#define FINE 2.0         /* pixels of a picture in a vector file, for each of the page */
#define MOST_PATHS 50000 /* drawn as vectors */
#define ENTRY 9.8        /* of a letter in a legend, on average, and of what stands around a name [units] */
#define AROUND 61.0
#define LEGEND_ROW 26.0
#define ROW_WIDTH (1600.0 - 2.0 * 56.0)

th_figure_def th_default_figure_def(void) {
  return (th_figure_def){.width = 1600, .paths = true, .legend = true, .colour = TH_COLOUR_TIME, .time = NAN};
}

double th_figure_end(const th_figure_def *def) {
  const th_tracks *tracks = def->tracks;
  return tracks && tracks->sample_count ? (double)tracks->frame_last / tracks->fps : 0.0;
}

const th_floor_plan *th_figure_plan(const th_figure_def *def, double time) {
  const th_tracks *tracks = def->tracks;
  if (def->plan) return def->plan;
  if (!tracks || tracks->plan_count == 0) return NULL;
  uint32_t plan = 0;
  for (uint32_t k = 1; k < tracks->plan_count; k++)
    if ((double)tracks->plan_frame[k] <= time * tracks->fps + 1e-6) plan = k;
  return &tracks->plan[plan];
}

bool th_figure_bounds(const th_figure_def *def, th_vec2 *lower, th_vec2 *upper) {
  const th_floor_plan *plan = th_figure_plan(def, 0.0);
  const th_tracks *tracks = def->tracks;
  if (plan && plan->point_count) {
    th_floor_plan_bounds(plan, lower, upper);
  } else if (tracks && tracks->sample_count) {
    *lower = *upper = (th_vec2){tracks->x[0], tracks->y[0]};
    for (uint32_t i = 0; i < tracks->sample_count; i++) {
      *lower = (th_vec2){fminf(lower->x, tracks->x[i]), fminf(lower->y, tracks->y[i])};
      *upper = (th_vec2){fmaxf(upper->x, tracks->x[i]), fmaxf(upper->y, tracks->y[i])};
    }
  } else {
    return false;
  }
  float min = 1e-3f * fmaxf(fmaxf(upper->x - lower->x, upper->y - lower->y), 1.0f); /* never flat */
  if (upper->x - lower->x < min) upper->x = lower->x + min;
  if (upper->y - lower->y < min) upper->y = lower->y + min;
  return true;
}

static th_result draw_under(th_scene_view *view, th_error *error) {
  const th_figure_def *def = view->def;
  th_result result = TH_OK;
  th_draw_floor(view);
  if (def->field)
    result = th_draw_field(view, error);
  else if (def->density)
    result = th_draw_density(view, error);
  if (result != TH_OK) return result;
  th_draw_marks(view);
  th_draw_walls(view);
  return TH_OK;
}

static void draw_over(const th_scene_view *view) {
  const bool traces = view->def->traces || view->def->marks > 0.0;
  if (traces) th_draw_trace_layer(view, true);
  if (view->def->paths) th_draw_paths(view);
  if (view->def->bodies) th_draw_bodies(view);
  if (traces) th_draw_trace_layer(view, false);
  if (view->detail > 0.8) th_draw_labels(view);
}

th_result th_draw_layers(th_scene_view *view, th_error *error) {
  th_result result = draw_under(view, error);
  if (result == TH_OK) draw_over(view);
  return result;
}

void th_draw_scale_bar(const th_scene_view *view, double x, double y, double max) {
  cairo_t *cr = view->canvas->cr;
  double unit = view->canvas->unit, distance = th_canvas_round_down(max / view->map.scale),
         length = distance * view->map.scale;
  char text[32];
  snprintf(text, sizeof text, "%g %s", distance >= 1000.0 ? distance / 1000.0 : distance,
           distance >= 1000.0 ? "km" : "m");
  th_canvas_colour(cr, th_ink, 1.0);
  cairo_set_line_width(cr, 1.6 * unit);
  cairo_move_to(cr, x, y - 6.0 * unit);
  cairo_line_to(cr, x, y);
  cairo_line_to(cr, x + length, y);
  cairo_line_to(cr, x + length, y - 6.0 * unit);
  cairo_stroke(cr);
  th_canvas_colour(cr, th_soft_ink, 1.0);
  th_canvas_text(cr, x + length + 12.0 * unit, y + 1.0 * unit, text, (th_lettering){.size = 17.0 * unit});
}

void th_draw_ticks(const th_canvas *canvas, const th_scale *scale, const double bar[4], double size) {
  cairo_t *cr = canvas->cr;
  const double unit = canvas->unit, right = bar[0] + bar[2], range = scale->max - scale->min;
  const double step = th_canvas_round_down(range / 3.0);
  cairo_set_line_width(cr, 1.0 * unit);
  for (double tick = ceil(scale->min / step - 1e-9) * step; tick <= scale->max + 1e-9 * range; tick += step) {
    char text[32];
    const double y = bar[1] + bar[3] * (1.0 - (tick - scale->min) / range);
    snprintf(text, sizeof text, "%g", fabs(tick) < 1e-9 * range ? 0.0 : tick);
    th_canvas_colour(cr, th_faint_ink, 1.0);
    cairo_move_to(cr, right, y);
    cairo_line_to(cr, right + 6.0 * unit, y);
    cairo_stroke(cr);
    th_canvas_colour(cr, th_soft_ink, 1.0);
    th_canvas_text(cr, right + 12.0 * unit, y + 5.5 * unit, text, (th_lettering){.size = size});
  }
}

void th_draw_colour_bar(const th_canvas *canvas, const th_scale *scale, double x, double y, double height) {
  cairo_t *cr = canvas->cr;
  double unit = canvas->unit, width = 13.0 * unit;
  cairo_pattern_t *ramp = cairo_pattern_create_linear(0.0, y + height, 0.0, y);
  for (int k = 0; k <= 32; k++) {
    th_colour c = scale->wash ? th_colour_wash(k / 32.0) : th_colour_ramp(k / 32.0);
    cairo_pattern_add_color_stop_rgb(ramp, k / 32.0, c.r, c.g, c.b);
  }
  cairo_rectangle(cr, x, y, width, height);
  cairo_set_source(cr, ramp);
  cairo_fill(cr);
  cairo_pattern_destroy(ramp);
  th_draw_ticks(canvas, scale, (double[4]){x, y, width, height}, 16.0 * unit);
  th_canvas_colour(cr, th_soft_ink, 1.0);
  double last_x = canvas->width - 20.0 * unit - th_canvas_text_width(cr, 16.0 * unit, false, scale->label);
  th_canvas_text(cr, fmin(x, last_x), y - 14.0 * unit, scale->label, (th_lettering){.size = 16.0 * unit});
}

static bool shows(const th_figure_def *def, const char *kind) {
  for (uint32_t k = 0; def->tracks && k < def->tracks->mark_count; k++)
    if (strcmp(def->tracks->mark[k].kind, kind) == 0) return true;
  for (uint32_t k = 0; k < def->mark_count; k++)
    if (strcmp(def->mark[k].kind, kind) == 0) return true;
  return false;
}

/* A disc of its colour and its name for each population, as many as there is room for to the right of the scale bar. */
static double name_width(const char *name) { return AROUND + ENTRY * (double)strlen(name); }

/* Rows of their own that the names of populations need below the legend; 0: they stand in it. */
static uint32_t population_rows(const th_figure_def *def) {
  const th_tracks *tracks = def->tracks;
  double all = 0.0, x = 0.0;
  uint32_t rows = 1;
  if (def->colour != TH_COLOUR_POPULATION || !tracks || !def->legend) return 0;
  for (uint32_t p = 0; p < tracks->population_count; p++) {
    const double width = name_width(tracks->population[p].text);
    if (x > 0.0 && x + width > ROW_WIDTH) rows++, x = 0.0;
    x += width, all += width;
  }
  return all > 0.3 * 1600.0 ? rows : 0;
}

static void draw_population(const th_scene_view *view, uint32_t p, double x, double y) {
  cairo_t *cr = view->canvas->cr;
  const double unit = view->canvas->unit;
  cairo_new_path(cr);
  cairo_arc(cr, x + 7.0 * unit, y - 6.0 * unit, 7.0 * unit, 0.0, TH_TURN);
  th_canvas_colour(cr, th_figure_population_colour(view->def->tracks, p), 1.0);
  cairo_fill(cr);
  th_canvas_colour(cr, th_soft_ink, 1.0);
  th_canvas_text(cr, x + 20.0 * unit, y, view->def->tracks->population[p].text,
                 (th_lettering){.size = 17.0 * unit, .max = ROW_WIDTH * unit});
}

/* From left to right, in as many rows as the page has for them. */
static void draw_populations(const th_scene_view *view, double right, double y) {
  const th_tracks *tracks = view->def->tracks;
  const double unit = view->canvas->unit;
  const bool own = population_rows(view->def) > 0;
  double x = 56.0, all = 0.0;
  for (uint32_t p = 0; p < tracks->population_count; p++) all += name_width(tracks->population[p].text);
  if (!own) x = right / unit - all;
  if (own) y += LEGEND_ROW * unit;
  for (uint32_t p = 0; p < tracks->population_count; p++) {
    const double width = name_width(tracks->population[p].text);
    if (own && x > 56.0 && x + width > 56.0 + ROW_WIDTH) x = 56.0, y += LEGEND_ROW * unit;
    draw_population(view, p, x * unit, y);
    x += width;
  }
}

/* Draws entries from right to left, and the names of populations. */
void th_draw_legend(const th_scene_view *view, double right, double y) {
  static const char *const kind[] = {"area", "line", "source", "door", "goal"};
  static const char *const text[] = {"measured area", "measured line", "source", "door", "goal"};
  cairo_t *cr = view->canvas->cr;
  double unit = view->canvas->unit, size = 17.0 * unit;
  for (int k = 0; k < 5; k++) {
    if (!shows(view->def, kind[k])) continue;
    th_colour colour = th_figure_mark_colour(kind[k]);
    th_canvas_colour(cr, th_soft_ink, 1.0);
    right -= th_canvas_text(cr, right, y, text[k], (th_lettering){.size = size, .align = TH_RIGHT}) + 12.0 * unit;
    if (k == 1) {
      cairo_move_to(cr, right - 16.0 * unit, y - 6.0 * unit);
      cairo_line_to(cr, right, y - 6.0 * unit);
    } else {
      cairo_rectangle(cr, right - 16.0 * unit, y - 13.0 * unit, 16.0 * unit, 14.0 * unit);
    }
    th_canvas_colour(cr, colour, k >= 3 ? 0.28 : 0.07);
    if (k != 1) cairo_fill_preserve(cr);
    th_canvas_colour(cr, colour, 1.0);
    cairo_set_line_width(cr, 1.6 * unit);
    cairo_stroke(cr);
    right -= 42.0 * unit;
  }
  right = th_draw_trace_legend(view, right, y);
  if (view->def->colour == TH_COLOUR_POPULATION && view->def->tracks) draw_populations(view, right, y);
}

typedef struct page {
  double width, height, unit, left, top, plot_width, plot_height;
  bool bar;
} page;

/* Margins 56, colour bar 110, title and note above, scale bar and legend below. */
static page plan_page(const th_figure_def *def, th_vec2 lower, th_vec2 upper) {
  page p = {.width = def->width, .unit = def->width / 1600.0};
  double unit = p.unit, w = (double)upper.x - (double)lower.x, h = (double)upper.y - (double)lower.y;
  bool coloured =
      def->tracks && def->tracks->sample_count && !th_figure_colour_stays(def) && (def->paths || def->bodies);
  p.bar = coloured || def->field || def->density;
  p.left = 56.0 * unit;
  p.top = 44.0 * unit + (def->title ? 46.0 * unit : 0.0) + (def->note ? 32.0 * unit : 0.0) +
          (def->title || def->note ? 14.0 * unit : 0.0);
  p.plot_width = p.width - 2.0 * p.left - (p.bar ? 112.0 * unit : 0.0);
  p.plot_height = fmin(p.plot_width * h / w, 2200.0 * unit);
  p.height = p.top + p.plot_height + (def->legend ? 88.0 + LEGEND_ROW * population_rows(def) : 48.0) * unit;
  return p;
}

static void draw_title(const th_canvas *canvas, const th_figure_def *def, const page *p) {
  if (!def->title) return;
  th_canvas_colour(canvas->cr, th_ink, 1.0);
  th_canvas_text(canvas->cr, p->left, 74.0 * p->unit, def->title,
                 (th_lettering){.size = 32.0 * p->unit, .bold = true, .max = p->width - 2.0 * p->left});
}

static void draw_note(const th_canvas *canvas, const th_figure_def *def, const page *p) {
  if (!def->note) return;
  th_canvas_colour(canvas->cr, th_soft_ink, 1.0);
  th_canvas_text(canvas->cr, p->left, (def->title ? 106.0 : 72.0) * p->unit, def->note,
                 (th_lettering){.size = 19.0 * p->unit, .max = p->width - 2.0 * p->left});
}

static void draw_around(const th_scene_view *view, const page *p) {
  double unit = p->unit, x = p->width - p->left - 78.0 * unit,
         height = fmin(p->plot_height - 30.0 * unit, 420.0 * unit);
  bool both = view->paths.label && view->field.label;
  double y = p->top + 26.0 * unit;
  if (both) height = fmin(height, 0.5 * p->plot_height - 50.0 * unit);
  if (height < 60.0 * unit) height = 60.0 * unit;
  if (view->paths.label) th_draw_colour_bar(view->canvas, &view->paths, x, y, height);
  if (view->field.label) th_draw_colour_bar(view->canvas, &view->field, x, both ? y + height + 70.0 * unit : y, height);
  if (!view->def->legend) return;
  double base = p->top + p->plot_height + 44.0 * unit;
  th_draw_scale_bar(view, view->map.left, base, 0.2 * p->plot_width);
  th_draw_legend(view, th_page_map_x(&view->map, view->map.upper.x), base);
}

bool th_figure_size(const th_figure_def *def, double *width, double *height) {
  th_vec2 lower, upper;
  if (!th_figure_bounds(def, &lower, &upper)) return false;
  page p = plan_page(def, lower, upper);
  *width = p.width, *height = p.height;
  return true;
}

th_result th_figure_draw(th_canvas *canvas, const th_figure_def *def, const th_scale *scale, th_figure_layers part,
                         th_error *error) {
  th_vec2 lower = {0, 0}, upper = {1, 1};
  (void)th_figure_bounds(def, &lower, &upper);
  page p = plan_page(def, lower, upper);
  double w = (double)upper.x - (double)lower.x, h = (double)upper.y - (double)lower.y;
  double metre = fmin(p.plot_width / w, p.plot_height / h);
  th_scene_view view = {.canvas = canvas, .def = def, .paths = *scale, .detail = 1.0};
  view.time = isnan(def->time) ? th_figure_end(def) : def->time;
  view.plan = th_figure_plan(def, view.time);
  view.map = (th_page_map){.left = p.left + 0.5 * (p.plot_width - w * metre),
                           .bottom = p.top + 0.5 * (p.plot_height + h * metre),
                           .scale = metre,
                           .lower = lower,
                           .upper = upper};
  th_result result = TH_OK;
  if (part != TH_LAYERS_MOVING) {
    draw_title(canvas, def, &p);
    result = draw_under(&view, error);
    if (result == TH_OK) draw_around(&view, &p);
  }
  if (result == TH_OK && part != TH_LAYERS_STILL) {
    draw_note(canvas, def, &p);
    draw_over(&view);
  }
  return result;
}

/* What moves as one picture of twice as many pixels. */
static th_result draw_as_picture(th_canvas *canvas, const th_figure_def *def, const th_scale *scale, th_error *error) {
  const int width = (int)(FINE * canvas->width), height = (int)(FINE * canvas->height);
  th_canvas picture = {.width = canvas->width, .height = canvas->height, .unit = canvas->unit};
  picture.surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
  picture.cr = cairo_create(picture.surface);
  cairo_scale(picture.cr, FINE, FINE);
  cairo_set_line_join(picture.cr, CAIRO_LINE_JOIN_ROUND);
  th_result result = th_figure_draw(&picture, def, scale, TH_LAYERS_MOVING, error);
  if (result == TH_OK && cairo_status(picture.cr) != CAIRO_STATUS_SUCCESS) result = th_fail_memory(error, canvas->path);
  cairo_save(canvas->cr);
  cairo_scale(canvas->cr, 1.0 / FINE, 1.0 / FINE);
  cairo_set_source_surface(canvas->cr, picture.surface, 0.0, 0.0);
  if (result == TH_OK) cairo_paint(canvas->cr);
  cairo_restore(canvas->cr);
  cairo_destroy(picture.cr);
  cairo_surface_destroy(picture.surface);
  return result;
}

/* A vector file of a million paths is half a gigabyte that no program opens. */
static th_result draw_page(th_canvas *canvas, const th_figure_def *def, const th_scale *scale, th_error *error) {
  if (canvas->png || !def->tracks || def->tracks->track_count <= MOST_PATHS)
    return th_figure_draw(canvas, def, scale, TH_LAYERS_ALL, error);
  th_result result = th_figure_draw(canvas, def, scale, TH_LAYERS_STILL, error);
  return result == TH_OK ? draw_as_picture(canvas, def, scale, error) : result;
}

th_result th_figure_write(const th_figure_def *def, const char *path, th_error *error) {
  double width, height;
  th_canvas canvas;
  if (def->tracks && def->tracks->mesh_count) return th_figure_write_mesh(def, path, error);
  if (!th_figure_size(def, &width, &height))
    return th_fail(error, TH_ERROR_STATE, path, "expected ground or paths to draw, found neither");
  th_result result = th_canvas_open(&canvas, path, width, height, error);
  if (result != TH_OK) return result;
  th_scale scale = th_paths_scale(def);
  result = draw_page(&canvas, def, &scale, error);
  if (result == TH_OK) return th_canvas_close(&canvas, error);
  th_canvas_drop(&canvas);
  return result;
}
