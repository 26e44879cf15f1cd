/* apps/throng/paths/field.c - `throng field`: a goal's field with isolines and streamlines. */
#include <math.h>
#include <stdio.h>

#include "paths/goal_field.h"

/* Distance to the goal along the shortest path [m]: the same scale for every kind of field. */
static bool at(void *user, float x, float y, double *value, th_vec2 *direction) {
  const th_goal_path *goal_path = user;
  th_place place = th_ground_locate(goal_path->ground, x, y);
  if (place.cell == TH_NO_CELL || !th_field_reaches(goal_path->field, place)) return false;
  th_field_gradient slope = th_field_gradient_at(goal_path->field, place);
  *value = (double)slope.left;
  *direction = (th_vec2){slope.dx, slope.dy};
  return isfinite(*value);
}

int th_command_field(const th_options *options) {
  const char *path = options->out ? options->out : "field.png";
  th_goal_path goal_path;
  th_error error = {0};
  th_result result = th_goal_path_make(options, &goal_path, &error);
  if (result != TH_OK) {
    th_goal_path_free(&goal_path);
    return th_cli_fail(&error, th_cli_code(result));
  }
  th_plot_field field = {at, &goal_path, "distance left [m]"};
  result = th_ground_mesh(goal_path.ground) ? th_goal_path_draw_mesh(&goal_path, options, NULL, 0, path, &error)
                                            : th_goal_path_draw(&goal_path, options, &field, NULL, path, &error);
  int code = result == TH_OK ? TH_EXIT_OK : th_cli_fail(&error, th_cli_output_code(result));
  if (result == TH_OK && options->json) {
    code = th_cli_print_json(json_pack("{s:s, s:s, s:s}", "scene", goal_path.scene->name, "goal",
                                       goal_path.scene->goal[goal_path.goal].name, "file", path));
  } else if (result == TH_OK && !options->quiet) {
    printf("%s\n", path);
  }
  th_goal_path_free(&goal_path);
  return code;
}
