/* apps/throng/goal_field.c - the field of one goal of a scene, and figures with it. */
#include "goal_field.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/scene/world.h"

static th_result find_goal(const th_options *options, th_goal_path *way, th_error *error) {
  const th_scene *scene = way->scene;
  if (scene->goal_count == 0) return th_fail(error, TH_ERROR_STATE, scene->path, "expected a goal, found none");
  if (!options->goal) return TH_OK;
  for (; way->goal < scene->goal_count; way->goal++) {
    if (strcmp(scene->goal[way->goal].name, options->goal) == 0) return TH_OK;
  }
  char known[200] = "";
  for (uint32_t i = 0; i < scene->goal_count; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", scene->goal[i].name);
  }
  return th_fail(error, TH_ERROR_STATE, "--goal", "expected one of %s, found \"%s\"", known, options->goal);
}

th_result th_goal_path_make(const th_options *options, th_goal_path *way, th_error *error) {
  *way = (th_goal_path){0};
  th_result result = th_cli_scene(options, options->argument[0], &way->scene, error);
  if (result == TH_OK) result = find_goal(options, way, error);
  if (result == TH_OK) result = th_scene_make_ground(way->scene, &way->ground, error);
  if (result == TH_OK) result = th_solver_make(&(th_solver_def){.ground = way->ground}, &way->solver, error);
  if (result != TH_OK) return result;
  th_field_def def = th_scene_goal_field(way->scene, way->goal, way->ground, (float)options->radius);
  th_error found = {0};
  result = th_field_make(way->solver, &def, &way->field, &found);
  if (result == TH_OK) return TH_OK;
  char pointer[32];
  snprintf(pointer, sizeof pointer, "/goals/%u", way->goal);
  return th_scene_fail(way->scene, error, result, pointer, "%s", found.text);
}

void th_goal_path_free(th_goal_path *way) {
  if (way->field) th_field_release(way->field);
  if (way->solver) th_solver_release(way->solver);
  th_ground_release(way->ground);
  th_scene_free(way->scene);
}

th_result th_goal_path_draw(const th_goal_path *way, const th_options *options, const th_plot_field *field,
                            const th_tracks *tracks, const char *path, th_error *error) {
  const th_scene_goal *goal = &way->scene->goal[way->goal];
  th_floor_plan plan = {0};
  th_mark mark = {.kind = ""};
  char note[120];
  snprintf(note, sizeof note, "to %s, %s", goal->name,
           goal->def.field == TH_FIELD_HARMONIC   ? "harmonic"
           : goal->def.field == TH_FIELD_GEODESIC ? "geodesic"
           : goal->def.field == TH_FIELD_EDGES    ? "edges"
                                                  : "blend");
  th_result result = th_cli_plan(way->ground, &plan, error);
  if (result == TH_OK) result = th_cli_mark("goal", goal->name, &goal->def.shape, &mark, error);
  th_figure_def def = th_default_figure_def();
  if (options->width) def.width = options->width;
  def.title = way->scene->name;
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
