/* apps/throng/pack.c - `throng pack`: a scene and all that it names in one file. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

/* FOLDER/NAME.json becomes NAME.pack, here. */
static void usual_name(const char *scene, char *path, size_t size) {
  const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
  const int length = th_cli_ends(name, ".json") ? (int)strlen(name) - 5 : (int)strlen(name);
  snprintf(path, size, "%.*s.pack", length, name);
}

int th_command_pack(const th_options *options) {
  char path[1024], *text;
  th_error error = {0};
  th_scene *scene;
  th_result result = th_cli_scene(options, options->argument[0], &scene, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  result = th_scene_pack(scene, &text, &error);
  th_scene_free(scene);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  usual_name(options->argument[0], path, sizeof path);
  if (options->out) snprintf(path, sizeof path, "%s", options->out);
  result = th_cli_write_text(path, text, &error);
  th_text_free(text);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet) printf("%s\n", path);
  return TH_EXIT_OK;
}
