/* report/figure/draw_plan.c - draws the ground and the marks.
 *
 * The floor is nearly white, solid things are light grey, walls are thin and dark, so that the crowd stands out. Holes
 * are cut by the even-odd rule, so rings may have either orientation.
 */
#include <math.h>
#include <string.h>

#include "base/trig.h"
#include "report/figure/draw.h"

static void trace_ring(const th_scene_view *view, const th_floor_plan *plan, const th_ring *ring) {
  cairo_t *cr = view->canvas->cr;
  for (uint32_t k = 0; k < ring->count; k++) {
    th_vec2 p = plan->point[ring->first + k];
    if (k == 0)
      cairo_move_to(cr, th_page_map_x(&view->map, p.x), th_page_map_y(&view->map, p.y));
    else
      cairo_line_to(cr, th_page_map_x(&view->map, p.x), th_page_map_y(&view->map, p.y));
  }
}

static void trace_plan(const th_scene_view *view, const th_floor_plan *plan, bool outlines, bool holes) {
  cairo_new_path(view->canvas->cr);
  for (uint32_t r = 0; r < plan->ring_count; r++) {
    if (!(plan->ring[r].hole ? holes : outlines)) continue;
    trace_ring(view, plan, &plan->ring[r]);
    cairo_close_path(view->canvas->cr);
  }
}

/* a, b, c: b lies to the right of the ray from a to c, or on it and farther. */
static bool turns_out(th_vec2 a, th_vec2 b, th_vec2 c) {
  double bx = (double)b.x - (double)a.x, by = (double)b.y - (double)a.y;
  double cx = (double)c.x - (double)a.x, cy = (double)c.y - (double)a.y;
  double cross = cx * by - cy * bx;
  return cross < 0.0 || (cross == 0.0 && bx * bx + by * by > cx * cx + cy * cy);
}

/* The convex hull, `rim` wider on each side of its box. Gift wrapping (Jarvis 1973): O(n h) for n points of which h are
 * corners, and needs no memory. */
static void trace_hull(const th_scene_view *view, const th_floor_plan *plan, double rim) {
  cairo_t *cr = view->canvas->cr;
  const th_vec2 *point = plan->point;
  double left = th_page_map_x(&view->map, view->map.lower.x), right = th_page_map_x(&view->map, view->map.upper.x);
  double top = th_page_map_y(&view->map, view->map.upper.y), bottom = th_page_map_y(&view->map, view->map.lower.y);
  double x = 0.5 * (left + right), y = 0.5 * (top + bottom);
  double wider = 1.0 + 2.0 * rim / (right - left), higher = 1.0 + 2.0 * rim / (bottom - top);
  uint32_t first = 0, at, next;
  for (uint32_t k = 1; k < plan->point_count; k++)
    if (point[k].x < point[first].x || (point[k].x == point[first].x && point[k].y < point[first].y)) first = k;
  cairo_new_path(cr);
  at = first;
  for (uint32_t corner = 0; corner < plan->point_count; corner++, at = next) {
    cairo_line_to(cr, x + wider * (th_page_map_x(&view->map, point[at].x) - x),
                  y + higher * (th_page_map_y(&view->map, point[at].y) - y));
    next = first;
    for (uint32_t k = 0; k < plan->point_count; k++)
      if (turns_out(point[at], point[k], point[next])) next = k;
    if (next == first) break;
  }
  cairo_close_path(cr);
}

/* Rooms at right angles, and images: a hull would cut their notches off aslant. */
static bool is_rectilinear(const th_floor_plan *plan) {
  for (uint32_t r = 0; r < plan->ring_count; r++) {
    const th_ring *ring = &plan->ring[r];
    for (uint32_t k = 0; !ring->hole && k < ring->count; k++) {
      th_vec2 a = plan->point[ring->first + k], b = plan->point[ring->first + (k + 1) % ring->count];
      if (a.x != b.x && a.y != b.y) return false;
    }
  }
  return true;
}

/* What the rim may cover: the box or the hull, `rim` wider. */
static void trace_rim(const th_scene_view *view, double rim) {
  double left = th_page_map_x(&view->map, view->map.lower.x), right = th_page_map_x(&view->map, view->map.upper.x);
  double top = th_page_map_y(&view->map, view->map.upper.y), bottom = th_page_map_y(&view->map, view->map.lower.y);
  if (!is_rectilinear(view->plan)) {
    trace_hull(view, view->plan, rim);
    return;
  }
  cairo_new_path(view->canvas->cr);
  cairo_rectangle(view->canvas->cr, left - rim, top - rim, right - left + 2.0 * rim, bottom - top + 2.0 * rim);
}

void th_draw_floor(const th_scene_view *view) {
  cairo_t *cr = view->canvas->cr;
  if (!view->plan) return;
  /* Solid space: a thin rim around the floor. Walls that join the outline are notches of the floor: inside its hull the
   * rim is broad enough to fill them. */
  double rim = 9.0 * view->canvas->unit * view->detail;
  double longer = fmax((double)view->map.upper.x - (double)view->map.lower.x,
                       (double)view->map.upper.y - (double)view->map.lower.y);
  th_canvas_colour(cr, th_solid, 1.0);
  cairo_save(cr);
  trace_rim(view, rim);
  cairo_clip(cr);
  trace_plan(view, view->plan, true, false);
  cairo_set_line_width(cr, fmax(0.1 * longer * view->map.scale, 2.0 * rim));
  cairo_stroke(cr);
  cairo_restore(cr);
  cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD);
  trace_plan(view, view->plan, true, true);
  th_canvas_colour(cr, th_floor, 1.0);
  cairo_fill(cr);
}

void th_draw_clip_to_floor(const th_scene_view *view) {
  cairo_t *cr = view->canvas->cr;
  cairo_save(cr);
  if (!view->plan) return;
  cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD);
  trace_plan(view, view->plan, true, true);
  cairo_clip(cr);
}

static double ring_extent(const th_floor_plan *plan, const th_ring *ring) {
  th_vec2 lower = plan->point[ring->first], upper = lower;
  for (uint32_t k = 1; k < ring->count; k++) {
    th_vec2 p = plan->point[ring->first + k];
    lower = (th_vec2){fminf(lower.x, p.x), fminf(lower.y, p.y)};
    upper = (th_vec2){fmaxf(upper.x, p.x), fmaxf(upper.y, p.y)};
  }
  return (double)fmaxf(upper.x - lower.x, upper.y - lower.y);
}

void th_draw_walls(const th_scene_view *view) {
  cairo_t *cr = view->canvas->cr;
  double unit = view->canvas->unit;
  if (!view->plan) return;
  cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING);
  trace_plan(view, view->plan, false, true);
  th_canvas_colour(cr, th_solid, 1.0);
  cairo_fill(cr);
  th_canvas_colour(cr, th_ink, 1.0);
  for (uint32_t r = 0; r < view->plan->ring_count; r++) {
    const th_ring *ring = &view->plan->ring[r];
    cairo_new_path(cr);
    trace_ring(view, view->plan, ring);
    cairo_close_path(cr);
    double wide = 0.06 * ring_extent(view->plan, ring) * view->map.scale; /* a tree needs no heavy border */
    cairo_set_line_width(cr, fmin(fmax(wide, 0.9 * unit), 2.0 * unit * view->detail));
    cairo_stroke(cr);
  }
}

th_colour th_figure_mark_colour(const char *kind) {
  if (strcmp(kind, "goal") == 0) return th_colour_oklch(0.62, 0.115, 160.0);
  if (strcmp(kind, "source") == 0) return th_colour_oklch(0.60, 0.080, 250.0);
  if (strcmp(kind, "door") == 0) return th_colour_oklch(0.66, 0.120, 65.0);
  return th_soft_ink;
}

bool th_figure_mark_quiet(const char *kind) {
  return strcmp(kind, "line") == 0 || strcmp(kind, "area") == 0 || strcmp(kind, "source") == 0;
}

static void draw_mark(const th_scene_view *view, const th_mark *mark) {
  cairo_t *cr = view->canvas->cr;
  double unit = view->canvas->unit, dash[2] = {7.0 * unit, 5.0 * unit};
  th_colour colour = th_figure_mark_colour(mark->kind);
  bool quiet = th_figure_mark_quiet(mark->kind);
  cairo_set_line_width(cr, (quiet ? 1.5 : 2.0) * unit * view->detail);
  if (quiet) cairo_set_dash(cr, dash, 2, 0.0);
  for (uint32_t r = 0; r < mark->plan.ring_count; r++) {
    const th_ring *ring = &mark->plan.ring[r];
    cairo_new_path(cr);
    if (ring->count == 1) {
      th_vec2 p = mark->plan.point[ring->first];
      cairo_arc(cr, th_page_map_x(&view->map, p.x), th_page_map_y(&view->map, p.y), 9.0 * unit, 0.0, TH_TURN);
    } else {
      trace_ring(view, &mark->plan, ring);
      if (ring->count > 2) cairo_close_path(cr);
    }
    th_canvas_colour(cr, colour, quiet ? 0.07 : 0.28);
    if (ring->count != 2) cairo_fill_preserve(cr);
    th_canvas_colour(cr, colour, quiet ? 0.8 : 1.0);
    cairo_stroke(cr);
  }
  cairo_set_dash(cr, NULL, 0, 0.0);
}

/* Marks of the recording, then those of the def. */
static const th_mark *mark_at(const th_scene_view *view, uint32_t k) {
  uint32_t recorded = view->def->tracks ? view->def->tracks->mark_count : 0;
  if (k < recorded) return &view->def->tracks->mark[k];
  return k - recorded < view->def->mark_count ? &view->def->mark[k - recorded] : NULL;
}

void th_draw_marks(const th_scene_view *view) {
  for (uint32_t k = 0; mark_at(view, k); k++) draw_mark(view, mark_at(view, k));
}

typedef struct label_box {
  double x, top, bottom;
} label_box;

static label_box box_of(const th_scene_view *view, const th_vec2 *point, uint32_t count) {
  label_box box = {0.0, INFINITY, -INFINITY};
  for (uint32_t k = 0; k < count; k++) {
    double y = th_page_map_y(&view->map, point[k].y);
    box.x += th_page_map_x(&view->map, point[k].x) / count;
    box.top = fmin(box.top, y);
    box.bottom = fmax(box.bottom, y);
  }
  if (count == 1) box.top -= 9.0 * view->canvas->unit, box.bottom += 9.0 * view->canvas->unit;
  return box;
}

bool th_figure_label_put(th_label_list *list, double box[4]) {
  if (list->count == TH_MAX_LABELS) return false;
  double step = 1.1 * (box[3] - box[1]);
  for (int tries = 0; tries < 3; tries++, box[1] += step, box[3] += step) {
    bool free = true;
    for (uint32_t k = 0; k < list->count && free; k++) {
      const double *other = list->box[k];
      free = box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3];
    }
    if (!free) continue;
    for (int k = 0; k < 4; k++) list->box[list->count][k] = box[k];
    list->count++;
    return true;
  }
  return false;
}

/* Draws a name on a halo of the paper's colour, so that it is readable over paths. */
static void draw_name(cairo_t *cr, const char *name, double x, double y, double unit) {
  cairo_move_to(cr, x, y);
  cairo_text_path(cr, name);
  th_canvas_colour(cr, th_paper, 0.85);
  cairo_set_line_width(cr, 4.5 * unit);
  cairo_stroke_preserve(cr);
  th_canvas_colour(cr, th_ink, 0.9);
  cairo_fill(cr);
}

/* The name is placed above its mark, below it where there is no space, or beside its upper end. */
static void draw_label(const th_scene_view *view, const char *name, label_box at, th_label_list *list) {
  if (!name[0]) return;
  cairo_t *cr = view->canvas->cr;
  double unit = view->canvas->unit, size = 17.0 * unit;
  double half = th_canvas_text_width(cr, size, false, name) / 2.0, x = at.x, y = at.top - 8.0 * unit;
  double highest = th_page_map_y(&view->map, view->map.upper.y), lowest = th_page_map_y(&view->map, view->map.lower.y);
  if (y - size < highest) y = at.bottom + 1.25 * size;
  if (y > lowest - 4.0 * unit) {
    y = fmax(at.top, highest) + 1.7 * size;
    x += half + 10.0 * unit;
  }
  double min = view->map.left + half + 6.0 * unit,
         max = th_page_map_x(&view->map, view->map.upper.x) - half - 6.0 * unit;
  x = x < min ? min : x > max ? max : x;
  double box[4] = {x - half - 3.0 * unit, y - 0.8 * size, x + half + 3.0 * unit, y + 0.3 * size};
  if (!th_figure_label_put(list, box)) return;
  draw_name(cr, name, x - half, box[3] - 0.3 * size, unit);
}

/* Each part of a mark has its name, as each of several exits; holes have none. */
static void label_mark(const th_scene_view *view, const th_mark *mark, th_label_list *list) {
  for (uint32_t k = 0; k < mark->plan.ring_count; k++) {
    const th_ring *ring = &mark->plan.ring[k];
    if (!ring->hole) draw_label(view, mark->name, box_of(view, mark->plan.point + ring->first, ring->count), list);
  }
}

/* Goals first: their names have priority where names overlap. */
void th_draw_labels(const th_scene_view *view) {
  th_label_list list = {.count = 0};
  for (int goals = 1; goals >= 0; goals--)
    for (uint32_t k = 0; mark_at(view, k); k++)
      if ((strcmp(mark_at(view, k)->kind, "goal") == 0) == (goals == 1)) label_mark(view, mark_at(view, k), &list);
}
