/* apps/throng/figure_options.c - how grounds are shown, and shapes and grounds as parts of figures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli.h"
#include "geometry/shape.h"

th_mesh_figure_def th_cli_mesh_figure(const th_options *options, th_camera camera[TH_CLI_MAX_CAMERAS]) {
  th_mesh_figure_def def = th_default_mesh_figure_def();
  if (options->width) def.width = options->width;
  def.colours = options->thesis ? TH_MESH_FIGURE_THESIS : TH_MESH_FIGURE_OURS;
  def.edges = options->edges;
  def.cut_away = options->cut_away;
  if (!isnan(options->stretch)) def.stretch = options->stretch;
  uint32_t count = options->camera_count;
  bool lens = !isnan(options->lens) || !isnan(options->zoom);
  for (uint32_t k = 0; k < count; k++) camera[k] = options->camera[k];
  if (count == 0 && lens) camera[count++] = th_default_camera();
  for (uint32_t k = 0; k < count; k++) {
    if (!isnan(options->lens)) camera[k].lens = options->lens;
    if (!isnan(options->zoom)) camera[k].zoom = options->zoom;
  }
  if (count) {
    def.camera = camera;
    def.camera_count = count;
  }
  return def;
}

bool th_cli_spot(const th_ground *ground, const char *kind, const char *name, const th_shape *shape,
                 th_mesh_mark *spot) {
  double sum[3] = {0, 0, 0}, reach = (double)shape->radius;
  for (uint32_t i = 0; i < shape->count; i++) {
    const th_vec3 p = th_shape_at(shape, i);
    sum[0] += (double)p.x / shape->count;
    sum[1] += (double)p.y / shape->count;
    sum[2] += (double)p.z / shape->count;
  }
  for (uint32_t i = 0; i < shape->count && shape->kind != TH_SHAPE_DISC; i++)
    reach =
        fmax(reach, 0.7 * hypot((double)th_shape_at(shape, i).x - sum[0], (double)th_shape_at(shape, i).y - sum[1]));
  th_vec3 middle = {(float)sum[0], (float)sum[1], (float)sum[2]};
  th_place place = th_ground_locate_at(ground, middle, shape->level, 10.0f + (float)reach);
  if (place.cell == TH_NO_CELL) return false;
  *spot =
      (th_mesh_mark){.face = place.cell, .point = th_ground_point(ground, place), .radius = (float)fmax(0.5, reach)};
  snprintf(spot->kind, sizeof spot->kind, "%s", kind);
  snprintf(spot->name, sizeof spot->name, "%s", name ? name : "");
  return true;
}

bool th_cli_goal_spot(const th_ground *ground, const th_scene_goal *goal, th_mesh_mark *spot) {
  if (!th_cli_spot(ground, "goal", goal->name, &goal->shape, spot)) return false;
  if (goal->shape.kind == TH_SHAPE_POINT) spot->radius = goal->arrive > 0 ? goal->arrive : spot->radius;
  return true;
}

enum { MAX_TEXT = 16384 };

static bool add_points(char *text, const th_vec2 *point, uint32_t count, bool close) {
  for (uint32_t i = 0; i < count + (close ? 1u : 0u); i++) {
    size_t used = strlen(text);
    th_vec2 p = point[i % count];
    int more = snprintf(text + used, MAX_TEXT - used, "%s%.9g %.9g", i ? ", " : "", (double)p.x, (double)p.y);
    if (more < 0 || used + (size_t)more + 4 > MAX_TEXT) return false;
  }
  return true;
}

static bool shape_wkt(const th_shape *shape, char *text) {
  th_vec2 own[4], corner[TH_DISC_CORNERS];
  const th_shape outline = th_shape_outline(shape, corner);
  static const char *const open[] = {"POINT (", "LINESTRING (", "", "POLYGON (("};
  snprintf(text, MAX_TEXT, "%s", open[outline.kind]);
  bool polygon = outline.kind == TH_SHAPE_POLYGON;
  if (!add_points(text, th_shape_points(&outline, own), outline.count, polygon)) return false;
  size_t used = strlen(text);
  snprintf(text + used, MAX_TEXT - used, "%s", polygon ? "))" : ")");
  return true;
}

th_result th_cli_mark(const char *kind, const char *name, const th_shape *shape, th_mark *mark, th_error *error) {
  char wkt[MAX_TEXT];
  *mark = (th_mark){0};
  snprintf(mark->kind, sizeof mark->kind, "%s", kind);
  snprintf(mark->name, sizeof mark->name, "%s", name ? name : "");
  if (!shape_wkt(shape, wkt)) return th_fail(error, TH_ERROR_CAPACITY, name, "expected fewer points to draw");
  return th_floor_plan_from_wkt(NULL, wkt, &mark->plan, error);
}

th_result th_cli_plan(const th_ground *ground, th_floor_plan *plan, th_error *error) {
  uint32_t count;
  const th_segment *wall = th_ground_walls(ground, &count);
  return th_floor_plan_from_walls(NULL, wall, count, plan, error);
}
