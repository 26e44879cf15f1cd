/* apps/throng/paths/goal_field_mesh.c - the field of a goal on mesh ground, and a path over it.
 *
 * Each vertex shows its distance to the goal, with isolines; in the thesis' colours its potential p = 1 - u, with the
 * frontiers of blocked and goal cells. Cost: one query per vertex, and that of the picture.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/recording/mark.h"
#include "paths/goal_field.h"
#include "report/render/mark.h"

enum { MAX_MARKS = 64 }; /* of a goal of several lines */

typedef struct layout {
  const th_mesh *mesh;
  float *value;
  uint8_t *cell;
  th_vec3 *outline; /* TH_MARK_POINTS of each mark */
  th_camera camera[TH_CLI_MAX_CAMERAS];
} layout;

static th_place place_of_vertex(const th_ground *ground, const th_mesh *mesh, uint32_t v) {
  uint32_t half = mesh->leaving[v], corner = half % 3;
  const uint8_t *blocked = th_ground_blocked_faces(ground);
  for (uint32_t h = half, turns = 0; blocked && blocked[h / 3] && turns < 64; turns++) { /* a walkable face, if any */
    uint32_t next = mesh->twin[3 * (h / 3) + (h + 2) % 3];
    if (next == TH_NO_HALF || next == half) break;
    h = next;
    if (blocked[h / 3]) continue;
    half = h;
    corner = h % 3;
    break;
  }
  th_vec3 weights = {corner == 0, corner == 1, corner == 2};
  return th_ground_place_of(ground, half / 3, weights);
}

/* u is 1 on goal vertices and 0 on those of walls. */
static void fill_thesis(const th_goal_path *goal_path, layout *s) {
  uint32_t width = 0, height = 0;
  const double *u = th_field_values(goal_path->field, &width, &height);
  for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
    s->value[v] = (float)(1.0 - u[v]);
    s->cell[v] = u[v] >= 1.0 ? TH_FIGURE_CELL_GOAL : u[v] > 0.0 ? TH_FIGURE_CELL_FREE : TH_FIGURE_CELL_OCCUPIED;
  }
}

static void fill_left(const th_goal_path *goal_path, layout *s) {
  for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
    th_place place = place_of_vertex(goal_path->ground, s->mesh, v);
    float left = th_field_reaches(goal_path->field, place) ? th_field_gradient_at(goal_path->field, place).left : NAN;
    s->value[v] = isfinite(left) ? left : NAN;
  }
}

static th_result draw(const th_goal_path *goal_path, const th_options *options, layout *s, th_mesh_figure_def *def,
                      const char *file, th_error *error) {
  const th_scene_goal *goal = &goal_path->scene->goal[goal_path->goal];
  th_mesh_figure_mark mark[MAX_MARKS];
  th_mesh_mark spot[MAX_MARKS];
  char note[120];
  snprintf(note, sizeof note, "to %s", goal->name);
  def->title = goal_path->scene->name;
  def->note = note;
  def->mesh = s->mesh;
  def->blocked = th_ground_blocked_faces(goal_path->ground);
  def->value =
      (th_mesh_figure_value){.vertex = s->value, .label = "distance left [m]", .min = NAN, .max = NAN, .middle = NAN};
  def->value.isolines = TH_ISOLINES_EVEN;
  uint32_t width, height;
  if (options->thesis) def->colours = TH_MESH_FIGURE_THESIS;
  if (options->thesis &&
      th_field_values(goal_path->field, &width, &height)) { /* else it has no potential: distance [m] */
    def->value.label = "p";
    def->value.min = 0;
    def->value.max = 1;
    def->value.isolines = TH_ISOLINES_NONE;
    def->cell = s->cell;
    fill_thesis(goal_path, s);
  } else {
    fill_left(goal_path, s);
  }
  const th_shape shape = th_cli_goal_shape(goal);
  def->mark = mark;
  for (uint32_t n = 0; n < th_mesh_mark_parts(&shape) && def->mark_count < MAX_MARKS && !def->cell; n++) {
    const th_shape part = th_mesh_mark_part(&shape, n);
    th_mesh_mark *at = &spot[def->mark_count];
    th_vec3 *outline = s->outline + (size_t)def->mark_count * TH_MARK_POINTS;
    if (!th_mesh_mark_of(goal_path->ground, "goal", goal->name, &part, outline, at)) continue;
    mark[def->mark_count++] = th_mesh_figure_mark_of(at);
  }
  th_result result = th_mesh_figure_write(def, file, error);
  def->mark = NULL; /* it was ours */
  def->mark_count = 0;
  def->note = NULL;
  return result;
}

th_result th_goal_path_draw_mesh(const th_goal_path *goal_path, const th_options *options, const th_vec3 *path,
                                 uint32_t count, const char *file, th_error *error) {
  th_env env = th_env_complete(NULL);
  layout s = {.mesh = th_ground_mesh(goal_path->ground)};
  uint32_t vertices = s.mesh->vertex_count;
  th_mesh_figure_def def = th_cli_mesh_figure(options, s.camera);
  th_mesh_figure_line line = {TH_MESH_FIGURE_PATH, path, count, 0};
  if (count) {
    def.line = &line;
    def.line_count = 1;
  }
  s.value = TH_TAKE(&env.allocator, float, vertices);
  s.cell = TH_TAKE(&env.allocator, uint8_t, vertices);
  s.outline = TH_TAKE(&env.allocator, th_vec3, MAX_MARKS * TH_MARK_POINTS);
  th_result result = s.value && s.cell && s.outline ? draw(goal_path, options, &s, &def, file, error)
                                                    : th_fail_memory(error, "figure");
  TH_GIVE(&env.allocator, s.value, vertices);
  TH_GIVE(&env.allocator, s.cell, vertices);
  TH_GIVE(&env.allocator, s.outline, MAX_MARKS * TH_MARK_POINTS);
  return result;
}
