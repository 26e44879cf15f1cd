/* apps/throng/paths/goal_field.c - the field of one goal of a scene, and figures with it. */
#include "paths/goal_field.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/scene/world.h"

static th_result find_goal(const th_options *options, th_goal_path *goal_path, th_error *error) {
  const th_scene *scene = goal_path->scene;
  if (scene->goal_count == 0) return th_fail(error, TH_ERROR_STATE, scene->path, "expected a goal, found none");
  if (!options->goal) return TH_OK;
  for (; goal_path->goal < scene->goal_count; goal_path->goal++) {
    if (strcmp(scene->goal[goal_path->goal].name, options->goal) == 0) return TH_OK;
  }
  char known[200] = "";
  for (uint32_t i = 0; i < scene->goal_count; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", scene->goal[i].name);
  }
  return th_fail(error, TH_ERROR_STATE, "--goal", "expected one of %s, found \"%s\"", known, options->goal);
}

th_result th_goal_path_make(const th_options *options, th_goal_path *goal_path, th_error *error) {
  *goal_path = (th_goal_path){0};
  th_result result = th_cli_scene(options, options->argument[0], &goal_path->scene, error);
  if (result == TH_OK) result = find_goal(options, goal_path, error);
  if (result == TH_OK) result = th_scene_make_ground(goal_path->scene, &goal_path->ground, error);
  if (result == TH_OK)
    result = th_solver_make(&(th_solver_def){.ground = goal_path->ground}, &goal_path->solver, error);
  if (result != TH_OK) return result;
  th_field_def def = th_scene_goal_field(goal_path->scene, goal_path->goal, goal_path->ground, (float)options->radius);
  th_error found = {0};
  result = th_field_make(goal_path->solver, &def, &goal_path->field, &found);
  if (result == TH_OK) return TH_OK;
  char pointer[32];
  snprintf(pointer, sizeof pointer, "/goals/%u", goal_path->goal);
  return th_scene_fail(goal_path->scene, error, result, pointer, "%s", found.text);
}

void th_goal_path_free(th_goal_path *goal_path) {
  if (goal_path->field) th_field_release(goal_path->field);
  if (goal_path->solver) th_solver_release(goal_path->solver);
  th_ground_release(goal_path->ground);
  th_scene_free(goal_path->scene);
}

th_result th_goal_path_draw(const th_goal_path *goal_path, const th_options *options, const th_plot_field *field,
                            const th_tracks *tracks, const char *path, th_error *error) {
  const th_scene_goal *goal = &goal_path->scene->goal[goal_path->goal];
  th_floor_plan plan = {0};
  th_mark mark = {.kind = ""};
  char note[120];
  snprintf(note, sizeof note, "to %s, %s", goal->name,
           goal->def.field == TH_FIELD_HARMONIC   ? "harmonic"
           : goal->def.field == TH_FIELD_GEODESIC ? "geodesic"
           : goal->def.field == TH_FIELD_EDGES    ? "edges"
           : goal->def.field == TH_FIELD_ROOMY    ? "roomy"
                                                  : "blend");
  th_result result = th_cli_plan(goal_path->ground, &plan, error);
  if (result == TH_OK) result = th_cli_mark("goal", goal->name, &goal->def.shape, &mark, error);
  th_figure_def def = th_default_figure_def();
  if (options->width) def.width = options->width;
  def.title = goal_path->scene->name;
  def.note = note;
  def.plan = &plan;
  def.mark = &mark;
  def.mark_count = 1;
  def.tracks = tracks;
  def.paths = tracks != NULL;
  def.field = field;
  def.legend = true;
  if (result == TH_OK) result = th_figure_write(&def, path, error);
  th_floor_plan_free(&mark.plan);
  th_floor_plan_free(&plan);
  return result;
}
