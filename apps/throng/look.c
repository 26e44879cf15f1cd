/* apps/throng/look.c - how surfaces are shown, and where goals lie on them. */
#include <math.h>
#include <stdio.h>

#include "cli.h"

th_surface_figure_def th_cli_surface(const th_options *options, th_camera camera[TH_CLI_MOST_CAMERAS]) {
  th_surface_figure_def def = th_default_surface_figure_def();
  if (options->width) def.width = options->width;
  def.colours = options->thesis ? TH_SURFACE_THESIS : TH_SURFACE_OURS;
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
    sum[0] += (double)shape->point[i].x / shape->count;
    sum[1] += (double)shape->point[i].y / shape->count;
    sum[2] += shape->z ? (double)shape->z[i] / shape->count : 0.0;
  }
  for (uint32_t i = 0; i < shape->count && shape->kind != TH_SHAPE_DISC; i++)
    reach = fmax(reach, 0.7 * hypot((double)shape->point[i].x - sum[0], (double)shape->point[i].y - sum[1]));
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
