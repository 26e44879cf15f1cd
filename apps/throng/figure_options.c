/* apps/throng/figure_options.c - options of figures, and shapes and grounds as parts of figures. */
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

enum { MAX_TEXT = 16384 };

static bool add_points(char *text, const th_shape *outline) {
  const uint32_t closing = outline->kind == TH_SHAPE_POLYGON ? 1u : 0u;
  for (uint32_t i = 0; i < outline->count + closing; i++) {
    size_t used = strlen(text);
    th_vec3 p = th_shape_at(outline, i % outline->count);
    const char *between = !i ? "" : outline->apart && i % 2 == 0 ? "), (" : ", ";
    int more = snprintf(text + used, MAX_TEXT - used, "%s%.9g %.9g", between, (double)p.x, (double)p.y);
    if (more < 0 || used + (size_t)more + 4 > MAX_TEXT) return false;
  }
  return true;
}

static bool shape_wkt(const th_shape *shape, char *text) {
  th_vec3 corner[TH_DISC_CORNERS];
  const th_shape outline = th_shape_outline(shape, corner);
  static const char *const open[] = {"POINT (", "LINESTRING (", "", "POLYGON (("};
  const bool nested = outline.kind == TH_SHAPE_POLYGON || outline.apart;
  snprintf(text, MAX_TEXT, "%s", outline.apart ? "MULTILINESTRING ((" : open[outline.kind]);
  if (!add_points(text, &outline)) return false;
  size_t used = strlen(text);
  snprintf(text + used, MAX_TEXT - used, "%s", nested ? "))" : ")");
  return true;
}

th_result th_cli_mark(const char *kind, const char *name, const th_shape *shape, th_mark *mark, th_error *error) {
  char wkt[MAX_TEXT];
  *mark = (th_mark){0};
  snprintf(mark->kind, sizeof mark->kind, "%s", kind);
  snprintf(mark->name, sizeof mark->name, "%s", name ? name : "");
  if (!shape_wkt(shape, wkt)) return th_fail(error, TH_ERROR_CAPACITY, name, "expected fewer points to draw");
  return th_floor_plan_make(&(th_floor_plan_def){.wkt = wkt}, &mark->plan, error);
}

th_result th_cli_plan(const th_ground *ground, th_floor_plan *plan, th_error *error) {
  uint32_t count;
  const th_segment *wall = th_ground_walls(ground, &count);
  return th_floor_plan_make(&(th_floor_plan_def){.wall = wall, .wall_count = count}, plan, error);
}
