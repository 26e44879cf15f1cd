/* report/figure/draw_paths.c - draws the paths and the positions of all agents.
 *
 * The colour changes along a path. Stroking each step on its own would show every joint and make vector files huge; so
 * colours are rounded to 64 levels and each stretch of one level is one polyline. Points that a straight line would
 * pass within a fifth of a pixel are left out of it. Lines are thinner and fainter the more there are. Cost:
 * O(samples).
 */
#include <math.h>

#include "base/trig.h"
#include "report/figure/draw.h"

#define LEVELS 64

static double value_at(const th_figure_def *def, uint32_t i) {
  const th_tracks *tracks = def->tracks;
  if (def->colour == TH_COLOUR_SPEED) return (double)hypotf(tracks->vx[i], tracks->vy[i]);
  return (double)tracks->frame[i] / tracks->fps;
}

bool th_figure_colour_stays(const th_figure_def *def) {
  return def->colour == TH_COLOUR_AGENT || def->colour == TH_COLOUR_POPULATION;
}

/* Hues evenly apart, beginning with blue and orange, which everybody can tell apart. */
th_colour th_figure_population_colour(const th_tracks *tracks, uint32_t population) {
  if (population >= tracks->population_count) return th_colour_oklch(0.6, 0.0, 0.0);
  double hue = tracks->population_count > 2 ? 360.0 / tracks->population_count : 155.0;
  return th_colour_oklch(population % 2 ? 0.64 : 0.52, 0.13, fmod(260.0 + hue * population, 360.0));
}

th_colour th_figure_track_colour(const th_figure_def *def, const th_track *track) {
  return def->colour == TH_COLOUR_POPULATION ? th_figure_population_colour(def->tracks, track->population)
                                             : th_colour_of((uint64_t)track->id);
}

th_scale th_paths_scale(const th_figure_def *def) {
  th_scale scale = {0.0, 0.0, NULL, false};
  const th_tracks *tracks = def->tracks;
  if (!tracks || tracks->sample_count == 0 || th_figure_colour_stays(def) || !(def->paths || def->bodies)) return scale;
  scale.label = def->colour == TH_COLOUR_SPEED ? "speed [m/s]" : "time [s]";
  scale.min = def->colour == TH_COLOUR_SPEED ? 0.0 : (double)tracks->frame_first / tracks->fps;
  scale.max = (double)tracks->frame_last / tracks->fps;
  if (def->colour == TH_COLOUR_SPEED) {
    /* one agent that was pushed must not darken all others: the bar ends at mean + 3 deviations */
    double sum = 0.0, squares = 0.0, n = (double)tracks->sample_count, max = 0.0;
    for (uint32_t i = 0; i < tracks->sample_count; i++) {
      double v = value_at(def, i);
      sum += v, squares += v * v;
      if (v > max) max = v;
    }
    double mean = sum / n, spread = sqrt(fmax(squares / n - mean * mean, 0.0));
    scale.max = fmin(max, mean + 3.0 * spread);
    if (scale.max <= 0.0) scale.max = 1.0;
  }
  if (scale.max <= scale.min) scale.max = scale.min + 1.0;
  return scale;
}

static int level_of(const th_scale *scale, double value) {
  double t = (value - scale->min) / (scale->max - scale->min);
  int level = (int)(t * LEVELS);
  return level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
}

static th_colour colour_at(const th_scene_view *view, const th_track *track, uint32_t i) {
  if (th_figure_colour_stays(view->def)) return th_figure_track_colour(view->def, track);
  return th_colour_ramp((level_of(&view->paths, value_at(view->def, i)) + 0.5) / LEVELS);
}

typedef struct path_pen {
  double width, alpha, fade;
  double ax, ay, x, y; /* last point on the page, and the one that waits */
  int level;
  bool down, waits;
} path_pen;

static void put_waiting(const th_scene_view *view, path_pen *pen) {
  if (!pen->waits) return;
  cairo_line_to(view->canvas->cr, pen->x, pen->y);
  pen->ax = pen->x, pen->ay = pen->y;
  pen->waits = false;
}

static void lift(const th_scene_view *view, const th_track *track, path_pen *pen) {
  if (!pen->down) return;
  put_waiting(view, pen);
  th_colour colour = th_figure_colour_stays(view->def) ? th_figure_track_colour(view->def, track)
                                                       : th_colour_ramp((pen->level % LEVELS + 0.5) / LEVELS);
  th_canvas_colour(view->canvas->cr, colour, pen->alpha * pen->fade);
  cairo_stroke(view->canvas->cr);
  pen->down = false;
}

/* The point that waits is left out when it lies within a fifth of a pixel of the line past it. */
static void move_pen(const th_scene_view *view, path_pen *pen, double x, double y) {
  if (pen->waits) {
    double dx = x - pen->ax, dy = y - pen->ay, length = hypot(dx, dy);
    double off = length > 0.0 ? fabs(dx * (pen->y - pen->ay) - dy * (pen->x - pen->ax)) / length : INFINITY;
    if (off > 0.2 || length > 120.0 || dx * (x - pen->x) + dy * (y - pen->y) < 0.0) put_waiting(view, pen);
  }
  pen->x = x, pen->y = y;
  pen->waits = true;
}

#define FADES 12 /* steps in which a trail fades */

/* What stays the same along one polyline: colour, and how much a trail has faded. */
static int stretch_of(const th_scene_view *view, uint32_t i, path_pen *pen) {
  const th_figure_def *def = view->def;
  int level = th_figure_colour_stays(def) ? 0 : level_of(&view->paths, value_at(def, i)), fade = FADES;
  if (def->trail > 0.0) {
    double age = (view->time - (double)def->tracks->frame[i] / def->tracks->fps) / def->trail;
    fade = (int)ceil(FADES * fmin(1.0, fmax(0.0, 1.0 - age)));
  }
  if (!pen->down) pen->fade = (double)fade / FADES;
  return level + LEVELS * fade;
}

static void draw_path(const th_scene_view *view, const th_track *track, uint32_t from, uint32_t to, path_pen *pen) {
  const th_tracks *tracks = view->def->tracks;
  cairo_t *cr = view->canvas->cr;
  cairo_set_line_width(cr, pen->width);
  for (uint32_t i = from; i < to; i++) {
    double x = th_page_map_x(&view->map, tracks->x[i]), y = th_page_map_y(&view->map, tracks->y[i]);
    int level = stretch_of(view, i, pen);
    bool changes = pen->down && level != pen->level;
    if (pen->down) move_pen(view, pen, x, y);
    if (changes) {
      lift(view, track, pen);
      level = stretch_of(view, i, pen);
    }
    if (pen->down) continue;
    cairo_new_path(cr);
    cairo_move_to(cr, x, y);
    pen->ax = x, pen->ay = y;
    pen->level = level;
    pen->down = true;
  }
  lift(view, track, pen);
}

/* First sample of a track at or after `frame`. */
static uint32_t first_from(const th_tracks *tracks, const th_track *track, double frame) {
  uint32_t lo = track->first, hi = track->first + track->count;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if ((double)tracks->frame[mid] < frame)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* Samples of a track that a figure shows: all up to `time`, or the trail before it. */
static void shown(const th_scene_view *view, const th_track *track, uint32_t *from, uint32_t *to) {
  const th_tracks *tracks = view->def->tracks;
  *from = track->first;
  if (view->def->trail > 0.0) *from = first_from(tracks, track, (view->time - view->def->trail) * tracks->fps);
  *to = first_from(tracks, track, floor(view->time * tracks->fps + 1e-6) + 1.0);
}

static void draw_starts(const th_scene_view *view, double size) {
  const th_tracks *tracks = view->def->tracks;
  cairo_t *cr = view->canvas->cr;
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    const th_track *track = &tracks->track[t];
    if (track->count == 0) continue;
    double x = th_page_map_x(&view->map, tracks->x[track->first]),
           y = th_page_map_y(&view->map, tracks->y[track->first]);
    cairo_new_path(cr);
    cairo_arc(cr, x, y, size, 0.0, TH_TURN);
    th_canvas_colour(cr, th_paper, 1.0);
    cairo_fill_preserve(cr);
    th_canvas_colour(cr, colour_at(view, track, track->first), 0.9);
    cairo_set_line_width(cr, 0.45 * size);
    cairo_stroke(cr);
  }
}

void th_draw_paths(const th_scene_view *view) {
  const th_tracks *tracks = view->def->tracks;
  if (!tracks || tracks->track_count == 0) return;
  double unit = view->canvas->unit, n = (double)tracks->track_count, crowd = fmin(1.0, sqrt(120.0 / n));
  path_pen pen = {.width = (0.9 + 1.0 * crowd) * unit * view->detail, .alpha = fmax(0.12, 0.80 * crowd)};
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    uint32_t from, to;
    shown(view, &tracks->track[t], &from, &to);
    draw_path(view, &tracks->track[t], from, to, &pen);
  }
  if (!(view->def->trail > 0.0) && !view->def->bodies && tracks->track_count <= 600)
    draw_starts(view, 3.2 * unit * view->detail);
}

/* A disc, or an ellipse where shoulders are turned: narrower across the heading. */
static void body_path(cairo_t *cr, const double at[2], double radius, double angle, double narrowed) {
  cairo_save(cr);
  cairo_translate(cr, at[0], at[1]);
  cairo_rotate(cr, -angle);
  cairo_scale(cr, radius, radius * (1.0 - narrowed));
  cairo_new_path(cr);
  cairo_arc(cr, 0.0, 0.0, 1.0, 0.0, TH_TURN);
  cairo_restore(cr);
}

static void draw_body(const th_scene_view *view, const th_track *track, uint32_t i) {
  const th_tracks *tracks = view->def->tracks;
  cairo_t *cr = view->canvas->cr;
  double x = th_page_map_x(&view->map, tracks->x[i]), y = th_page_map_y(&view->map, tracks->y[i]);
  double radius = fmax((double)track->radius * view->map.scale, 1.2 * view->canvas->unit);
  double angle = (double)tracks->heading[i], narrowed = tracks->narrowed ? (double)tracks->narrowed[i] : 0.0;
  th_colour colour = colour_at(view, track, i);
  body_path(cr, (double[2]){x, y}, radius, angle, narrowed);
  th_canvas_colour(cr, colour, 0.88);
  cairo_fill(cr);
  if (radius < 3.0 * view->canvas->unit) return;
  body_path(cr, (double[2]){x, y}, radius, angle, narrowed);
  th_canvas_colour(cr, th_paper, 0.9);
  cairo_set_line_width(cr, fmin(0.22 * radius, 1.2 * view->canvas->unit));
  cairo_stroke(cr);
  cairo_move_to(cr, x + 0.15 * radius * cos(angle), y - 0.15 * radius * sin(angle));
  cairo_line_to(cr, x + 0.82 * radius * cos(angle), y - 0.82 * radius * sin(angle));
  cairo_set_line_width(cr, fmax(0.24 * radius, 0.9 * view->canvas->unit));
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
  cairo_stroke(cr);
  cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

void th_draw_bodies(const th_scene_view *view) {
  const th_tracks *tracks = view->def->tracks;
  if (!tracks) return;
  uint32_t frame = (uint32_t)fmax(0.0, floor(view->time * tracks->fps + 1e-6));
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    uint32_t i = th_tracks_find(tracks, &tracks->track[t], frame);
    if (i != UINT32_MAX) draw_body(view, &tracks->track[t], i);
  }
}
