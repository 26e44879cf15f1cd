/* lab/bvp/cells.c - figures cell by cell, written directly as SVG, because they consist of squares.
 *
 * A local map shows its zones (update white, free ring light, border dark), blocked cells, the local goal, the agent's
 * cell and three arrows: the global gradient, the local one and v. The thesis' figures 4.2, 4.3, 5.2 and 5.4 are the
 * models.
 */
#include "lab/bvp/cells.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "cli.h"
#include "geometry/shape.h"
#include "world/world.h"

void th_bvp_window_of(const th_world *world, th_agent_id agent, th_goal_id goal, th_bvp_window *window) {
  uint32_t row = th_world_row(world, agent);
  *window = (th_bvp_window){0};
  if (row == UINT32_MAX) return;
  const th_model_slot *use = &world->model[world->rows.model[row]];
  const th_bvp_state *state = (const th_bvp_state *)(const void *)(use->states + row * use->state_stride);
  const th_bvp_params *params = th_model_params(use, row);
  const th_field *field = th_world_field(world, goal, world->rows.radius[row]);
  window->n = state->n;
  window->free_ring = (uint32_t)params->free_ring;
  window->cell = params->cell;
  memcpy(window->row, state->row, sizeof *state->row * state->n);
  window->goal_i = state->goal_i;
  window->goal_j = state->goal_j;
  window->goal_width = state->goal_width;
  window->place = (th_vec2){world->rows.previous_x[row], world->rows.previous_y[row]};
  window->slope = (th_vec2){state->gx, state->gy};
  float sign = params->sense == TH_SENSE_PULL ? -1.0f : 1.0f;
  window->v = (th_vec2){sign * state->ex, sign * state->ey};
  if (!field) return;
  th_field_gradient slope =
      th_field_gradient_at(field, th_ground_locate(world->ground, window->place.x, window->place.y));
  window->flow = (th_vec2){slope.dx, slope.dy};
}

/* ---------------------------------------------------------------- the page */

static FILE *page_open(th_lab *lab, double width, double height, const char *title, th_error *error) {
  char path[1024];
  snprintf(lab->figure, sizeof lab->figure, "%s.svg", lab->id);
  th_cli_join(path, sizeof path, lab->folder, lab->figure);
  FILE *file = th_file_stream(path, "wb");
  if (!file) {
    th_fail(error, TH_ERROR_FILE, path, "expected a file that can be written");
    return NULL;
  }
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" "
          "font-size=\"13\">\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n",
          width, height, width, height);
  fprintf(file, "<text x=\"20\" y=\"28\" font-size=\"17\" font-weight=\"bold\">%s</text>\n", title);
  return file;
}

static th_result page_close(th_lab *lab, FILE *file, th_error *error) {
  fprintf(file, "</svg>\n");
  bool bad = ferror(file) != 0;
  if (fclose(file) != 0 || bad) return th_fail(error, TH_ERROR_FILE, lab->figure, "expected room on the disk");
  return TH_OK;
}

typedef struct rectangle {
  double x, y, width, height;
} rectangle;

static void block(FILE *file, rectangle r, const char *kind, const char *fill) {
  fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", kind, r.x,
          r.y, r.width, r.height, fill);
}

/* An arrow of this length along d. */
static void arrow(FILE *file, const double from[2], th_vec2 d, double length, const char *kind, const char *colour) {
  const double x = from[0], y = from[1];
  double size = hypot((double)d.x, (double)d.y);
  if (!(size > 0.0)) return;
  double dx = (double)d.x / size * length, dy = -(double)d.y / size * length, tx = x + dx, ty = y + dy;
  fprintf(file,
          "<path class=\"%s\" d=\"M%.1f %.1f L%.1f %.1f M%.1f %.1f L%.1f %.1f L%.1f %.1f\" fill=\"none\" "
          "stroke=\"%s\" stroke-width=\"2\"/>\n",
          kind, x, y, tx, ty, tx - 0.3 * dx + 0.2 * dy, ty - 0.3 * dy - 0.2 * dx, tx, ty, tx - 0.3 * dx - 0.2 * dy,
          ty - 0.3 * dy + 0.2 * dx, colour);
}

/* ---------------------------------------------------------------- local maps */

static bool is_local_goal(const th_bvp_window *w, uint32_t i, uint32_t j) {
  uint32_t ring = 4 * (w->n - 1);
  if (w->goal_i == TH_BVP_NO_CELL) return false;
  uint32_t first = th_bvp_ring_number(w->n, w->goal_i, w->goal_j) + ring - w->goal_width / 2;
  for (uint32_t k = 0; k < w->goal_width; k++) {
    uint32_t a, b;
    th_bvp_ring_cell(w->n, first + k, &a, &b);
    if (a == i && b == j) return true;
  }
  return false;
}

static void draw_window(FILE *file, const th_bvp_window *w, double x, double y, double size) {
  for (uint32_t j = 0; j < w->n; j++)
    for (uint32_t i = 0; i < w->n; i++) {
      uint32_t a = i < w->n - 1 - i ? i : w->n - 1 - i, b = j < w->n - 1 - j ? j : w->n - 1 - j, edge = a < b ? a : b;
      const char *kind = "update", *fill = "#ffffff";
      if (edge == 0) kind = "border", fill = "#8a8a88";
      if (edge > 0 && edge <= w->free_ring) kind = "free", fill = "#e2e2df";
      if (w->row[j] >> i & 1u) kind = "blocked", fill = "#2b2b33";
      if (edge == 0 && is_local_goal(w, i, j)) kind = "local-goal", fill = "#d1495b";
      if (i == w->n / 2 && j == w->n / 2) kind = "own-cell", fill = "#5b8fd9";
      block(file, (rectangle){x + size * i, y + size * (w->n - 1 - j), size - 0.5, size - 0.5}, kind, fill);
    }
  double cx = x + size * 0.5 * w->n, cy = y + size * 0.5 * w->n;
  arrow(file, (double[2]){cx, cy}, w->flow, 5.0 * size, "global-gradient", "#d1495b");
  arrow(file, (double[2]){cx, cy}, w->slope, 3.5 * size, "local-gradient", "#1f3a8a");
  arrow(file, (double[2]){x + 1.5 * size, y + size * (w->n - 1.5)}, w->v, 2.5 * size, "v", "#2e8b57");
}

/* ---------------------------------------------------------------- the world */

typedef struct scale {
  double x, y, size; /* page coordinates of the lower left corner; pixels per metre */
} scale;

static void draw_place(FILE *file, const th_bvp_trial *trial, const scale *s) {
  fprintf(file,
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#fcfbf9\" stroke=\"#222\" "
          "stroke-width=\"2\"/>\n",
          s->x + s->size, s->y - s->size * ((double)trial->height - 1.0), s->size * ((double)trial->width - 2.0),
          s->size * ((double)trial->height - 2.0));
  for (uint32_t k = 0; k < trial->obstacle_count + trial->goal_count; k++) {
    bool goal = k >= trial->obstacle_count;
    const th_shape *shape = goal ? &trial->goal[k - trial->obstacle_count] : NULL;
    const th_polygon *obstacle = goal ? NULL : &trial->obstacle[k];
    uint32_t count = goal ? shape->count : obstacle->count;
    fprintf(file, "<polygon class=\"%s\" points=\"", goal ? "goal" : "obstacle");
    for (uint32_t i = 0; i < count; i++) {
      const th_vec3 p = goal ? th_shape_at(shape, i) : (th_vec3){obstacle->point[i].x, obstacle->point[i].y, 0};
      fprintf(file, "%.1f,%.1f ", s->x + s->size * (double)p.x, s->y - s->size * (double)p.y);
    }
    fprintf(file, "\" fill=\"%s\" stroke=\"#222\"/>\n", goal ? "#c8e0d2" : "#dcdcd8");
    if (goal)
      fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">o%u</text>\n", s->x + s->size * (double)th_shape_at(shape, 0).x,
              s->y - s->size * (double)th_shape_at(shape, 0).y + 14.0, k - trial->obstacle_count + 1);
  }
}

/* Trails, bodies with their heading, and a name for those that walk. */
static void draw_agents(FILE *file, const th_bvp_run *run, const th_bvp_trial *trial, const scale *s) {
  const th_tracks *t = &run->tracks;
  for (uint32_t k = 0; k < run->walkers; k++) {
    uint32_t first = t->track[k].first, count = t->track[k].count;
    if (!count) continue;
    fprintf(file, "<polyline class=\"trail\" fill=\"none\" stroke=\"#d98e04\" points=\"");
    for (uint32_t i = first; i < first + count; i++)
      fprintf(file, "%.1f,%.1f ", s->x + s->size * (double)t->x[i], s->y - s->size * (double)t->y[i]);
    fprintf(file, "\"/>\n");
    uint32_t step = trial->window_step, last = first + (step && step < count ? step : count - 1);
    double x = s->x + s->size * (double)t->x[last], y = s->y - s->size * (double)t->y[last];
    double radius = s->size * (double)trial->walker[k].radius, angle = (double)t->heading[last];
    bool walks = trial->walker[k].goal_count != 0;
    fprintf(file, "<circle class=\"agent\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", x, y, radius,
            walks ? "#5b8fd9" : "#777");
    fprintf(file, "<path class=\"heading\" d=\"M%.1f %.1f L%.1f %.1f\" stroke=\"%s\"/>\n", x, y,
            x + 1.8 * radius * cos(angle), y - 1.8 * radius * sin(angle), "#222");
    if (walks) fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">a%u</text>\n", x - 6.0, y - radius - 5.0, k + 1);
  }
}

static void draw_outline(FILE *file, const th_bvp_window *w, const scale *s) {
  double side = s->size * (double)w->cell * w->n;
  fprintf(file,
          "<rect class=\"window\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
          "stroke=\"#1f3a8a\" stroke-dasharray=\"4 3\"/>\n",
          s->x + s->size * (double)w->place.x - 0.5 * side, s->y - s->size * (double)w->place.y - 0.5 * side, side,
          side);
}

th_result th_bvp_draw_insets(th_lab *lab, const th_bvp_inset *inset, uint32_t count, const char *title,
                             th_error *error) {
  if (!lab->folder) return TH_OK;
  FILE *file = page_open(lab, 800.0, 90.0 + 200.0 * count, title, error);
  if (!file) return error ? error->code : TH_ERROR_FILE;
  for (uint32_t k = 0; k < count; k++) {
    double top = 60.0 + 200.0 * k;
    scale s = {210.0, top + 8.0 + 7.0 * (double)inset[k].trial->height, 7.0};
    fprintf(file, "<text x=\"20\" y=\"%.0f\" font-weight=\"bold\">%s</text>\n", top - 4.0, inset[k].title);
    draw_window(file, inset[k].window, 20.0, top + 8.0, 165.0 / inset[k].window->n);
    draw_place(file, inset[k].trial, &s);
    draw_agents(file, inset[k].run, inset[k].trial, &s);
    draw_outline(file, inset[k].window, &s);
  }
  fprintf(file,
          "<text x=\"20\" y=\"%.0f\">border dark, free ring light, blocked black, local goal red; arrows: global "
          "gradient red, local gradient blue, v green</text>\n",
          76.0 + 200.0 * count);
  return page_close(lab, file, error);
}

/* ---------------------------------------------------------------- rings */

typedef struct look {
  const char *kind, *fill;
} look;

static look look_of(const th_bvp_rings *r, uint32_t c) {
  static const char *const colour[4] = {"#d1495b", "#d98e04", "#2e8b57", "#7b4ba0"};
  if (r->grid->cell[c] == TH_TILE_WALL) return (look){"blocked", "#2b2b33"};
  if (r->grid->cell[c] == TH_TILE_GOAL) return (look){"goal", "#5b8fd9"};
  if (r->ring[c]) return (look){"ring", colour[r->ring[c] % 4]};
  return r->flat[c] ? (look){"flat", "#ececea"} : (look){"slope", "#ffffff"};
}

/* Cells of a row that look the same are one block. */
static void draw_row(FILE *file, const th_bvp_rings *r, uint32_t j, double size) {
  const uint32_t w = r->grid->width;
  for (uint32_t i = 0, next; i < w; i = next) {
    look one = look_of(r, j * w + i);
    for (next = i + 1; next < w && look_of(r, j * w + next).fill == one.fill; next++) continue;
    block(file, (rectangle){20.0 + size * i, 44.0 + size * (r->grid->height - 1 - j), size * (next - i), size},
          one.kind, one.fill);
  }
}

th_result th_bvp_draw_rings(th_lab *lab, const th_bvp_rings *r, th_error *error) {
  if (!lab->folder) return TH_OK;
  const uint32_t w = r->grid->width, h = r->grid->height;
  double size = 760.0 / (w > h ? w : h);
  FILE *file = page_open(lab, 800.0, 80.0 + size * h, r->title, error);
  if (!file) return error ? error->code : TH_ERROR_FILE;
  for (uint32_t j = 0; j < h; j++) draw_row(file, r, j, size);
  fprintf(file, "<polyline class=\"trail\" fill=\"none\" stroke=\"#222\" stroke-width=\"1.5\" points=\"");
  for (uint32_t k = 0; k < r->count; k++)
    fprintf(file, "%.1f,%.1f ", 20.0 + size * (double)r->x[k], 44.0 + size * (h - (double)r->y[k]));
  fprintf(file,
          "\"/>\n<text x=\"20\" y=\"%.0f\">goal blue, flat grey, rings of sub-goals in colours, path of the agent "
          "black</text>\n",
          66.0 + size * h);
  return page_close(lab, file, error);
}

/* ---------------------------------------------------------------- fields */

/* Shade of a cell: white on goals, darker with each order of magnitude that u = 1 - p has fallen, black at the least.
 */
static int shade_of(const th_relaxation *field, uint32_t i, uint32_t j, double least) {
  double u = th_relaxation_u(field, i, j);
  return u > 0.0 && least < 0.0 ? (int)lround(255.0 * (1.0 - log10(u) / least)) : 255;
}

static double least_order(const th_relaxation *field, uint32_t w, uint32_t h) {
  double least = 0.0;
  for (uint32_t c = 0; c < w * h; c++) {
    double u = th_relaxation_u(field, c % w, c / w);
    if (u > 0.0) least = fmin(least, log10(u));
  }
  return least;
}

/* Every free cell with its shade, and an arrow of one length for all. */
static void draw_field(FILE *file, const th_relaxation *field, double x, double y, double width) {
  uint32_t w, h;
  th_relaxation_size(field, &w, &h);
  const double size = width / w, least = least_order(field, w, h);
  for (uint32_t c = 0; c < w * h; c++) {
    uint32_t i = c % w, j = c / w;
    th_tile tile = th_relaxation_tile(field, i, j);
    char shade[8] = "#5b8fd9";
    if (tile == TH_TILE_WALL) snprintf(shade, sizeof shade, "#8a5a44");
    int grey = tile == TH_TILE_FREE ? shade_of(field, i, j, least) : 0;
    if (tile == TH_TILE_FREE) snprintf(shade, sizeof shade, "#%02x%02x%02x", grey & 255, grey & 255, grey & 255);
    block(file, (rectangle){x + size * i, y + size * (h - 1 - j), size, size},
          tile == TH_TILE_FREE ? "potential" : "fixed", shade);
  }
  fprintf(file, "<path class=\"directions\" fill=\"none\" stroke=\"#d1495b\" d=\"");
  for (uint32_t c = 0; c < w * h; c++) {
    double gx, gy;
    th_relaxation_descent(field, c % w, c / w, &gx, &gy);
    double modulus = hypot(gx, gy), length = 0.8 * size;
    if (th_relaxation_tile(field, c % w, c / w) != TH_TILE_FREE || !(modulus > 0.0)) continue;
    double dx = length * gx / modulus, dy = -length * gy / modulus;
    fprintf(file, "M%.2f %.2fl%.2f %.2fl%.2f %.2f", x + size * (c % w + 0.5) - 0.5 * dx,
            y + size * (h - c / w - 0.5) - 0.5 * dy, dx, dy, -0.3 * dx + 0.2 * dy, -0.3 * dy - 0.2 * dx);
  }
  fprintf(file, "\"/>\n");
}

th_result th_bvp_draw_cells(th_lab *lab, const th_relaxation *const *field, const char *const *name, uint32_t count,
                            const char *title, th_error *error) {
  if (!lab->folder) return TH_OK;
  uint32_t w, h, columns = count < 3 ? count : 3, rows = (count + columns - 1) / columns;
  th_relaxation_size(field[0], &w, &h);
  const double width = 720.0 / columns, height = width * h / w + 30.0;
  FILE *file = page_open(lab, 760.0, 80.0 + rows * height, title, error);
  if (!file) return error ? error->code : TH_ERROR_FILE;
  for (uint32_t k = 0; k < count; k++) {
    double x = 20.0 + width * (k % columns), y = 60.0 + height * (k / columns);
    fprintf(file, "<text x=\"%.0f\" y=\"%.0f\" font-weight=\"bold\">%s</text>\n", x, y - 4.0, name[k]);
    draw_field(file, field[k], x, y, width - 20.0);
  }
  fprintf(file, "<text x=\"20\" y=\"%.0f\">walls brown, goal blue, log10 (1 - p) from white to black</text>\n",
          68.0 + rows * height);
  return page_close(lab, file, error);
}
