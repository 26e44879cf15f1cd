/* apps/throng/save.c - `throng save`: a scene as the writer lays it out, in another place or with other values. */
#include <stdio.h>

#include "cli.h"

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

int th_command_save(const th_options *options) {
  th_scene *scene = NULL;
  th_error error = {0};
  const th_result result = th_cli_scene(options, options->argument[0], &scene, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  const int code = options->out ? save_to(options, scene) : print(scene);
  th_scene_free(scene);
  return code;
}
