/* apps/throng/save.c - `throng save`: a scene as the writer lays it out, in another place or with other values, or as
 * its world stands at a time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "throng/run.h"

static int save_to(const th_options *options, const th_scene *scene) {
  th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  def.path = options->out;
  def.replace = options->force;
  def.planner = th_this_program.planner;
  const th_result result = th_scene_save(scene, &def, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet) printf("%s\n", options->out);
  return TH_EXIT_OK;
}

static int print(const th_scene *scene) {
  th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  char *text = NULL;
  def.planner = th_this_program.planner;
  if (th_scene_write(scene, &def, &text, &error) != TH_OK) return th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  fputs(text, stdout);
  th_text_free(text);
  return TH_EXIT_OK;
}

/* One line per thing that is not in the new scene. */
static void tell(const char *lost) {
  for (const char *line = lost; *line; line += strcspn(line, "\n") + 1)
    fprintf(stderr, "%s: not in it: %.*s\n", th_this_program.name, (int)strcspn(line, "\n"), line);
}

static th_result run_until(th_run *run, double time, th_error *error) {
  const th_world *world = th_run_world(run);
  th_result result = TH_OK;
  while (result == TH_OK && th_world_time(world) < time - 0.5 * (double)th_world_dt(world) && !th_run_done(run))
    result = th_run_step(run, error);
  return result;
}

/* The world as it stands, to a file or printed. */
static int write_moment(const th_options *options, const th_run *run) {
  th_scene_write_def def = th_default_scene_write_def();
  th_error error = {0};
  char *text = NULL, *lost = NULL;
  def.path = options->out;
  def.replace = options->force;
  def.planner = th_this_program.planner;
  const th_result result = options->out ? th_run_save_moment(run, &def, &lost, &error)
                                        : th_run_write_moment(run, &def, &text, &lost, &error);
  if (result != TH_OK) return th_cli_fail(&error, options->out ? th_cli_output_code(result) : TH_EXIT_ENVIRONMENT);
  if (text) fputs(text, stdout);
  if (!text && !options->quiet) printf("%s\n", options->out);
  if (!options->quiet) tell(lost);
  th_text_free(text);
  th_text_free(lost);
  return TH_EXIT_OK;
}

static int save_moment(const th_options *options, const th_scene *scene) {
  th_run_def def = th_default_run_def();
  th_run *run = NULL;
  th_error error = {0};
  def.scene = scene;
  def.seed = options->seed;
  def.workers = options->workers;
  th_result result = th_run_make(&def, &run, &error);
  if (result == TH_OK) result = run_until(run, options->time, &error);
  const int code = result == TH_OK ? write_moment(options, run) : th_cli_fail(&error, th_cli_code(result));
  th_run_free(run);
  return code;
}

int th_command_save(const th_options *options) {
  th_scene *scene = NULL;
  th_error error = {0};
  const th_result result = th_cli_scene(options, options->argument[0], &scene, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  int code;
  if (!isnan(options->time))
    code = save_moment(options, scene);
  else
    code = options->out ? save_to(options, scene) : print(scene);
  th_scene_free(scene);
  return code;
}
