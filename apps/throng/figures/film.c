/* apps/throng/figures/film.c - `throng film`: a film of a recording, through ffmpeg or as frames. */
#include <math.h>
#include <stdio.h>

#include "figures/plot.h"

enum { LONG_FILM = 100, TOLD = 10 }; /* pictures from which on a log is told of every tenth part */

static bool progress(void *user, uint32_t frame, uint32_t count) {
  char text[48];
  const uint64_t part = (uint64_t)frame * TOLD / count;
  snprintf(text, sizeof text, "picture %u of %u", frame, count);
  th_cli_progress(user, (double)frame / count, text);
  if (count >= LONG_FILM && frame < count && part > (frame - 1ull) * TOLD / count) th_cli_progress_line(user, text);
  return !th_cli_interrupted();
}

/* All frames have one view: where none is given, from above at an angle. */
static void choose_view(th_mesh_figure_def *mesh, th_camera camera[TH_CLI_MAX_CAMERAS]) {
  if (mesh->camera && camera[0].kind != TH_CAMERA_AUTO) return;
  if (!mesh->camera) camera[0] = th_default_camera();
  camera[0].kind = TH_CAMERA_ANGLES;
  camera[0].azimuth = -60;
  camera[0].elevation = 35;
  mesh->camera = camera;
  if (!mesh->camera_count) mesh->camera_count = 1;
}

static th_film_def film_of(const th_options *options, const th_tracks *tracks) {
  th_film_def def = th_default_film_def();
  uint32_t width = def.figure.width;
  def.figure = th_plot_def(options, tracks);
  if (!options->width) def.figure.width = width;
  def.figure.bodies = true;
  if (!options->colour) def.figure.colour = TH_COLOUR_SPEED; /* in one picture all have one time */
  if (isnan(options->trail)) def.figure.trail = 5;
  if (!isnan(options->fps)) def.fps = options->fps;
  if (!isnan(options->speed)) def.speed = options->speed;
  return def;
}

int th_command_film(const th_options *options) {
  char path[1024];
  th_plot_path(options->argument[0], ".mp4", path, sizeof path);
  if (options->out) snprintf(path, sizeof path, "%s", options->out);
  th_tracks tracks;
  th_error error = {0};
  th_result result = th_cli_tracks(options->argument[0], &tracks, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  th_film_def def = film_of(options, &tracks);
  th_camera camera[TH_CLI_MAX_CAMERAS];
  th_mesh_figure_def mesh = th_cli_mesh_figure(options, camera);
  choose_view(&mesh, camera);
  mesh.height = def.figure.width * 3 / 4 / 2 * 2;
  def.figure.mesh = &mesh;
  th_options shown = *options;
  def.progress = progress;
  def.user = &shown;
  bool as_frames = false;
  th_cli_catch_interrupt();
  result = th_film_write(&def, path, &as_frames, &error);
  th_cli_progress_end(options);
  th_tracks_free(&tracks);
  if (result != TH_OK && th_cli_interrupted()) return th_cli_fail(&error, TH_EXIT_INTERRUPTED);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  char folder[1024]; /* frames go beside the film that was asked for */
  th_plot_path(path, th_cli_ends(path, "/") ? "" : "/", folder, sizeof folder);
  if (!options->quiet) printf("%s%s\n", as_frames ? folder : path, as_frames ? " (frames)" : "");
  return TH_EXIT_OK;
}
