/* report/render/legend.c - colour bars and legend of a figure of a surface. */
#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "report/render/view.h"

static void paint_bar(cairo_t *cr, const th_scale *scale, const th_render_mesh *drawn, const double box[4]) {
  cairo_pattern_t *ramp = cairo_pattern_create_linear(0.0, box[1] + box[3], 0.0, box[1]);
  for (int k = 0; k <= 32; k++) {
    th_colour c = scale == &drawn->value ? th_value_colour(drawn, k / 32.0) : th_colour_ramp(k / 32.0);
    cairo_pattern_add_color_stop_rgb(ramp, k / 32.0, c.r, c.g, c.b);
  }
  cairo_rectangle(cr, box[0], box[1], box[2], box[3]);
  cairo_set_source(cr, ramp);
  cairo_fill(cr);
  cairo_pattern_destroy(ramp);
}

/* Isolines of the figure at their places in its bar. */
static void paint_levels(const th_canvas *canvas, const th_render_mesh *drawn, const double box[4]) {
  cairo_t *cr = canvas->cr;
  for (uint32_t k = 0; k < drawn->levels; k++) {
    double t = (drawn->level[k] - drawn->value.min) / (drawn->value.max - drawn->value.min);
    if (!(t >= 0.0 && t <= 1.0)) continue;
    cairo_move_to(cr, box[0], box[1] + box[3] * (1.0 - t));
    cairo_line_to(cr, box[0] + box[2], box[1] + box[3] * (1.0 - t));
  }
  th_canvas_colour(cr, th_ink, TH_ISOLINE_INK);
  cairo_set_line_width(cr, 1.1 * canvas->unit);
  cairo_stroke(cr);
}

void th_render_bar(const th_canvas *canvas, const th_scale *scale, const th_render_mesh *drawn, double x, double y,
                   double height) {
  cairo_t *cr = canvas->cr;
  double unit = canvas->unit, width = 15.0 * unit;
  const double box[4] = {x, y, width, height};
  paint_bar(cr, scale, drawn, box);
  if (scale == &drawn->value) paint_levels(canvas, drawn, box);
  th_draw_ticks(canvas, scale, box, 17.0 * unit);
  th_canvas_colour(cr, th_ink, 1.0);
  double last_x = canvas->width - 20.0 * unit - th_canvas_text_width(cr, 17.0 * unit, false, scale->label);
  th_canvas_text(cr, fmin(x, last_x), y - 14.0 * unit, scale->label, (th_lettering){.size = 17.0 * unit});
}

typedef enum legend_sign { SIGN_PATCH, SIGN_PALE, SIGN_LINE, SIGN_DOT } legend_sign;

/* Entries from left to right in one row or several; `type` shrinks until all have room. */
typedef struct legend_row {
  const th_canvas *canvas;
  double left, x, right, y;
  double type; /* [units] */
  uint32_t rows;
  bool dry; /* only counts the rows */
} legend_row;

#define ROW_PITCH 1.3 /* of the type */

static void entry(legend_row *row, legend_sign sign, th_colour colour, const char *text) {
  cairo_t *cr = row->canvas->cr;
  double unit = row->canvas->unit, size = row->type * unit;
  double need = 24.0 * unit + th_canvas_text_width(cr, size, false, text);
  if (row->x > row->left && row->x + need > row->right) {
    row->x = row->left;
    row->y += ROW_PITCH * size;
    row->rows++;
  }
  const double y = row->y, begin = row->x;
  row->x += need + 26.0 * unit;
  if (row->dry) return;
  cairo_new_path(cr);
  if (sign == SIGN_PATCH || sign == SIGN_PALE) cairo_rectangle(cr, begin, y - 13.0 * unit, 16.0 * unit, 14.0 * unit);
  if (sign == SIGN_DOT) cairo_arc(cr, begin + 8.0 * unit, y - 6.0 * unit, 7.0 * unit, 0.0, TH_TURN);
  if (sign == SIGN_LINE) cairo_rectangle(cr, begin, y - 7.5 * unit, 16.0 * unit, 3.0 * unit);
  th_canvas_colour(cr, colour, sign == SIGN_PALE ? 0.15 : 1.0);
  cairo_fill_preserve(cr);
  bool pale = colour.r + colour.g + colour.b > 2.7;
  th_canvas_colour(cr, sign == SIGN_PALE ? colour : th_faint_ink, pale || sign == SIGN_PALE ? 1.0 : 0.0);
  cairo_set_line_width(cr, unit);
  cairo_stroke(cr);
  th_canvas_colour(cr, th_soft_ink, 1.0);
  th_canvas_text(cr, begin + 24.0 * unit, y, text, (th_lettering){.size = size});
}

/* Whether a terrain has faces, and whether some of them are walkable. */
static bool has_terrain(const th_mesh_figure_def *def, uint32_t terrain, bool *walkable) {
  bool any = *walkable = false;
  for (uint32_t f = 0; f < def->mesh->face_count && !*walkable; f++) {
    if (def->terrain_of[f] != terrain) continue;
    any = true;
    *walkable = !def->blocked || !def->blocked[f];
  }
  return any;
}

/* A terrain that is blocked everywhere is as dark as what is blocked, and has its name. */
static void terrains_of(const th_mesh_figure_def *def, bool blocked, legend_row *row) {
  const bool painted = def->value.vertex || def->value.face;
  char text[96];
  for (uint32_t k = 0; def->terrain_of && def->terrain_name && k < def->terrain_count; k++) {
    bool walkable;
    if (!has_terrain(def, k, &walkable) || walkable == blocked || (painted && walkable)) continue;
    snprintf(text, sizeof text, blocked ? "%.60s (blocked)" : "%.60s", def->terrain_name[k]);
    entry(row, SIGN_PATCH, blocked ? th_blocked_dark : th_terrain_colour(k), text);
  }
}

/* Faces that are blocked, but not as part of a terrain that is. */
static bool has_blocked(const th_mesh_figure_def *def) {
  bool walkable[256];
  for (uint32_t k = 0; k < 256; k++) walkable[k] = !def->terrain_of || k >= def->terrain_count;
  for (uint32_t k = 0; def->terrain_of && k < def->terrain_count && k < 256; k++) has_terrain(def, k, &walkable[k]);
  for (uint32_t f = 0; def->blocked && f < def->mesh->face_count; f++)
    if (def->blocked[f] && walkable[def->terrain_of ? def->terrain_of[f] : 0]) return true;
  for (uint32_t v = 0; def->cell && v < def->mesh->vertex_count; v++)
    if (def->cell[v] == TH_FIGURE_CELL_OCCUPIED) return true;
  return false;
}

static void marks_of(const th_mesh_figure_def *def, legend_row *row) {
  static const char *const kind[] = {"goal", "door", "source", "area", "line"};
  static const char *const text[] = {"goal", "door", "source", "measured area", "measured line"};
  for (int k = 0; k < 5; k++)
    for (uint32_t m = 0; m < def->mark_count; m++)
      if (strcmp(def->mark[m].kind, kind[k]) == 0) {
        entry(row,
              k == 4                          ? SIGN_LINE
              : th_figure_mark_quiet(kind[k]) ? SIGN_PALE
                                              : SIGN_PATCH,
              th_figure_mark_colour(kind[k]), text[k]);
        break;
      }
  for (uint32_t v = 0; def->cell && v < def->mesh->vertex_count; v++)
    if (def->cell[v] == TH_FIGURE_CELL_GOAL) {
      entry(row, SIGN_PATCH, th_goal_green, "goal");
      break;
    }
}

static void lines_of(const th_render_mesh *drawn, legend_row *row) {
  static const char *const name[] = {"path", "path on a grid", "trail", "wall"};
  bool met[TH_MESH_FIGURE_TRACE + 1] = {false};
  for (uint32_t k = 0; k < drawn->def->line_count; k++) met[drawn->def->line[k].kind] = true;
  if (met[0]) entry(row, SIGN_LINE, th_path_blue, name[0]);
  if (met[1]) entry(row, SIGN_LINE, th_paper, name[1]);
  if (met[3]) entry(row, SIGN_LINE, th_ink, name[3]);
}

static void all_of(const th_render_mesh *drawn, legend_row *row) {
  const th_mesh_figure_def *def = drawn->def;
  bool thesis = def->colours == TH_MESH_FIGURE_THESIS;
  terrains_of(def, false, row);
  if (!thesis) terrains_of(def, true, row);
  if (has_blocked(def)) {
    entry(row, SIGN_PATCH, thesis ? th_colour_potential(1.0) : th_blocked_dark, "blocked");
  }
  if (thesis && (def->cell || def->blocked)) entry(row, SIGN_LINE, th_frontier_yellow, "frontier");
  marks_of(def, row);
  for (uint32_t k = 0; def->agents.kind && !def->agents.value && def->agents.kind_name && k < def->agents.kind_count;
       k++)
    entry(row, SIGN_DOT, th_kind_colour(drawn, k), def->agents.kind_name[k]);
  lines_of(drawn, row);
}

/* The margin below has room for one row of the usual type; more of them are smaller and grow upwards and downwards. */
void th_render_legend(const th_canvas *canvas, const th_render_mesh *drawn, double left, double right, double y) {
  enum { ROOM = 46 }; /* [units] */
  legend_row row = {.canvas = canvas, .type = 17.0};
  for (;; row.type -= 1.0) {
    legend_row dry = {canvas, left, left, right, y, row.type, 1, true};
    all_of(drawn, &dry);
    row.rows = dry.rows;
    if (dry.rows == 1 || row.type <= 6.0 || dry.rows * ROW_PITCH * row.type <= ROOM) break;
  }
  const double lift = 0.5 * (row.rows - 1) * ROW_PITCH * row.type * canvas->unit;
  legend_row wet = {canvas, left, left, right, y - lift, row.type, 1, false};
  all_of(drawn, &wet);
}
