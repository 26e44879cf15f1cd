/* report/figure/draw_traces.c - time marks on paths, and traces of decisions at the places where they were made.
 *
 * A time mark is a dot on each path at every so many seconds, with the time beside it, so that a still picture shows
 * positions over time. Traces are drawn at these moments, or at the moment of the picture: vectors as arrows (one metre
 * for 1 m/s), places as dots, segments as lines, half-planes as lines with a hatched forbidden side, rasters as small
 * pictures under the agent. Cost: a search through the items for each agent and moment.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "report/figure/draw.h"

#define HALF_PLANE 1.2f /* half the length of its line [m] */

static th_colour colour_of_row(const th_tracks *tracks, uint32_t row) {
  const uint32_t rgb = tracks->trace_row[row].colour;
  if (!rgb || rgb == TH_TRACE_OF_AGENT) return th_colour_oklch(0.55, 0.15, fmod(40.0 + 137.5 * row, 360.0));
  return (th_colour){(rgb >> 16 & 255u) / 255.0, (rgb >> 8 & 255u) / 255.0, (rgb & 255u) / 255.0};
}

/* True when the list of names, separated by commas, holds the row: by name, by source.name, "all" or "vectors". */
bool th_trace_shown(const char *list, const th_recorded_trace_row *row) {
  char whole[96];
  snprintf(whole, sizeof whole, "%s.%s", row->source, row->name);
  for (const char *at = list; at && *at;) {
    size_t length = strcspn(at, ",");
    const char *const name[] = {"all", row->name, whole};
    for (int k = 0; k < 3; k++)
      if (strlen(name[k]) == length && !strncmp(at, name[k], length)) return true;
    if (length == 7 && !strncmp(at, "vectors", 7) && row->type == TH_TRACE_VECTOR && strcmp(row->source, "world") != 0)
      return true;
    at += length + (at[length] == ',');
  }
  return false;
}

static void move_to(const th_scene_view *view, float x, float y) {
  cairo_move_to(view->canvas->cr, th_page_map_x(&view->map, x), th_page_map_y(&view->map, y));
}
static void line_to(const th_scene_view *view, float x, float y) {
  cairo_line_to(view->canvas->cr, th_page_map_x(&view->map, x), th_page_map_y(&view->map, y));
}

static void draw_arrow(const th_scene_view *view, th_vec3 from, th_vec3 vector) {
  cairo_t *cr = view->canvas->cr;
  const double unit = view->canvas->unit, length = hypot((double)vector.x, (double)vector.y) * view->map.scale;
  if (!(length > 1.0 * unit)) return;
  const double ux = (double)vector.x * view->map.scale / length, uy = -(double)vector.y * view->map.scale / length;
  const double x = th_page_map_x(&view->map, from.x + vector.x), y = th_page_map_y(&view->map, from.y + vector.y);
  const double head = fmin(9.0 * unit, 0.45 * length);
  move_to(view, from.x, from.y);
  cairo_line_to(cr, x - 0.7 * head * ux, y - 0.7 * head * uy);
  cairo_stroke(cr);
  cairo_move_to(cr, x, y);
  cairo_line_to(cr, x - head * ux - 0.42 * head * uy, y - head * uy + 0.42 * head * ux);
  cairo_line_to(cr, x - head * ux + 0.42 * head * uy, y - head * uy - 0.42 * head * ux);
  cairo_close_path(cr);
  cairo_fill(cr);
}

/* The line, and short strokes into the side that is forbidden, its right. */
static void draw_half_plane(const th_scene_view *view, const th_recorded_trace *item) {
  const float px = item->at.x + item->a.x, py = item->at.y + item->a.y, dx = item->b.x, dy = item->b.y;
  move_to(view, px - HALF_PLANE * dx, py - HALF_PLANE * dy);
  line_to(view, px + HALF_PLANE * dx, py + HALF_PLANE * dy);
  for (int k = -4; k <= 4; k++) {
    const float t = 0.25f * HALF_PLANE * (float)k, s = 0.09f * HALF_PLANE;
    move_to(view, px + t * dx, py + t * dy);
    line_to(view, px + (t - s) * dx + s * dy, py + (t - s) * dy - s * dx);
  }
  cairo_stroke(view->canvas->cr);
}

static void draw_raster(const th_scene_view *view, const th_recorded_trace *item) {
  const float *value = view->def->tracks->trace_value + item->first;
  float low = INFINITY, high = -INFINITY;
  for (uint32_t k = 0; k < item->columns * item->rows; k++) {
    if (!isfinite(value[k])) continue;
    low = fminf(low, value[k]);
    high = fmaxf(high, value[k]);
  }
  if (!(high > low)) return;
  for (uint32_t j = 0; j < item->rows; j++)
    for (uint32_t i = 0; i < item->columns; i++, value++) {
      static const float corner[4][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.5f, 0.5f}, {-0.5f, 0.5f}};
      cairo_new_path(view->canvas->cr);
      for (int k = 0; k < 4; k++) {
        const float u = (float)i + corner[k][0], v = (float)j + corner[k][1];
        line_to(view, item->a.x + u * item->b.x + v * item->c.x, item->a.y + u * item->b.y + v * item->c.y);
      }
      th_canvas_colour(view->canvas->cr, th_colour_wash((double)((*value - low) / (high - low))), 0.7);
      cairo_fill(view->canvas->cr);
    }
}

/* The colour of an item: of its agent, or of its row in the table. */
static void set_colour(const th_scene_view *view, const th_track *track, const th_recorded_trace *item) {
  if (view->def->tracks->trace_row[item->row].colour == TH_TRACE_OF_AGENT)
    th_canvas_colour(view->canvas->cr, th_figure_track_colour(view->def, track), 0.6); /* the body is drawn in full */
  else
    th_canvas_colour(view->canvas->cr, colour_of_row(view->def->tracks, item->row), 0.9);
}

static void draw_item(const th_scene_view *view, const th_track *track, const th_recorded_trace *item) {
  cairo_t *cr = view->canvas->cr;
  const double unit = view->canvas->unit * view->detail;
  set_colour(view, track, item);
  cairo_set_line_width(cr, 1.7 * unit);
  cairo_new_path(cr);
  switch (view->def->tracks->trace_row[item->row].type) {
    case TH_TRACE_VECTOR:
      draw_arrow(view, item->at, item->a);
      break;
    case TH_TRACE_POINT:
      cairo_arc(cr, th_page_map_x(&view->map, item->a.x), th_page_map_y(&view->map, item->a.y), 3.5 * unit, 0.0,
                TH_TURN);
      cairo_fill(cr);
      break;
    case TH_TRACE_SEGMENT:
      cairo_set_line_width(cr, 1.0 * unit);
      move_to(view, item->a.x, item->a.y);
      line_to(view, item->b.x, item->b.y);
      cairo_stroke(cr);
      break;
    case TH_TRACE_LINE:
      cairo_set_line_width(cr, 1.1 * unit);
      draw_half_plane(view, item);
      break;
    case TH_TRACE_RASTER:
      draw_raster(view, item);
      break;
    case TH_TRACE_SCALAR:
      break;
  }
}

uint32_t th_trace_find(const th_tracks *tracks, int64_t id, uint32_t frame) {
  uint32_t best = UINT32_MAX;
  for (uint32_t k = 0; k < tracks->trace_count && tracks->trace[k].frame <= frame; k++)
    if (tracks->trace[k].id == id && (best == UINT32_MAX || tracks->trace[k].frame > tracks->trace[best].frame))
      best = k;
  return best;
}

/* Rasters and what has the colour of its agent, such as the agent's markers, cover ground: they lie below bodies. */
static bool covers_ground(const th_recorded_trace_row *row) {
  return row->type == TH_TRACE_RASTER || row->colour == TH_TRACE_OF_AGENT;
}

/* The shown items of an agent at a frame that cover ground, or the others. */
static void draw_moment(const th_scene_view *view, const th_track *track, uint32_t frame, bool ground) {
  const th_tracks *tracks = view->def->tracks;
  const int64_t id = track->id;
  const uint32_t first = th_trace_find(tracks, id, frame);
  if (first == UINT32_MAX) return;
  for (uint32_t k = first; k < tracks->trace_count; k++) {
    const th_recorded_trace *item = &tracks->trace[k];
    if (item->id != id || item->frame != tracks->trace[first].frame) break;
    const th_recorded_trace_row *row = &tracks->trace_row[item->row];
    if (covers_ground(row) == ground && th_trace_shown(view->def->traces, row)) draw_item(view, track, item);
  }
}

static void draw_mark(const th_scene_view *view, uint32_t i, double seconds, bool named) {
  const th_tracks *tracks = view->def->tracks;
  const double x = th_page_map_x(&view->map, tracks->x[i]), y = th_page_map_y(&view->map, tracks->y[i]);
  char text[32];
  snprintf(text, sizeof text, "%g", seconds + 0.0);
  th_canvas_time_mark(view->canvas->cr, x, y, view->canvas->unit * view->detail, named ? text : NULL);
}

/* True when the agent has moved since the last mark by more than a mark is wide, or there is none yet. */
static bool moved(const th_scene_view *view, uint32_t last, uint32_t i) {
  const th_tracks *tracks = view->def->tracks;
  if (last == UINT32_MAX) return true;
  const double dx = (double)tracks->x[i] - (double)tracks->x[last], dy = (double)tracks->y[i] - (double)tracks->y[last];
  return hypot(dx, dy) * view->map.scale > 8.0 * view->canvas->unit;
}

/* Marks of one path, with traces at each; names only where paths are few. An agent that stands gets one mark. */
static void draw_marks(const th_scene_view *view, const th_track *track) {
  const th_figure_def *def = view->def;
  const th_tracks *tracks = def->tracks;
  const uint32_t end_sample = track->first + track->count - 1;
  const double end = fmin(view->time, tracks->frame[end_sample] / tracks->fps);
  uint32_t last = UINT32_MAX;
  double t = fmax(0.0, ceil(tracks->frame[track->first] / tracks->fps / def->marks - 1e-9)) * def->marks;
  for (; t <= end + 1e-6; t += def->marks) {
    const uint32_t frame = (uint32_t)floor(t * tracks->fps + 1e-6), i = th_tracks_find(tracks, track, frame);
    if (i == UINT32_MAX || !moved(view, last, i)) continue;
    last = i;
    for (int k = 0; k < 2 && def->traces; k++) draw_moment(view, track, frame, k == 0);
    draw_mark(view, i, t, tracks->track_count <= 12);
  }
}

void th_draw_trace_layer(const th_scene_view *view, bool ground) {
  const th_tracks *tracks = view->def->tracks;
  const bool along = view->def->marks > 0.0 && view->def->paths && !view->def->bodies;
  if (!tracks || (along && ground)) return;
  const uint32_t frame = (uint32_t)fmax(0.0, floor(view->time * tracks->fps + 1e-6));
  for (uint32_t t = 0; t < tracks->track_count; t++) {
    const th_track *track = &tracks->track[t];
    if (!track->count) continue;
    if (along)
      draw_marks(view, track);
    else if (view->def->traces && th_tracks_find(tracks, track, frame) != UINT32_MAX)
      draw_moment(view, track, frame, ground);
  }
}

/* An arrow of its colour and its name for each row that is shown, from right to left. */
double th_draw_trace_legend(const th_scene_view *view, double right, double y) {
  const th_tracks *tracks = view->def->tracks;
  cairo_t *cr = view->canvas->cr;
  const double unit = view->canvas->unit, size = 17.0 * unit;
  for (uint32_t r = tracks && view->def->traces ? tracks->trace_row_count : 0; r-- > 0;) {
    const th_recorded_trace_row *row = &tracks->trace_row[r];
    if (row->type == TH_TRACE_SCALAR || !th_trace_shown(view->def->traces, row)) continue;
    if (right - th_canvas_text_width(cr, size, false, row->name) < 0.25 * view->canvas->width) break;
    th_canvas_colour(cr, th_soft_ink, 1.0);
    right -= th_canvas_text(cr, right, y, row->name, (th_lettering){.size = size, .align = TH_RIGHT}) + 8.0 * unit;
    th_canvas_colour(cr, colour_of_row(tracks, r), 1.0);
    cairo_set_line_width(cr, 3.0 * unit);
    cairo_move_to(cr, right - 18.0 * unit, y - 6.0 * unit);
    cairo_line_to(cr, right, y - 6.0 * unit);
    cairo_stroke(cr);
    right -= 36.0 * unit;
  }
  return right;
}
