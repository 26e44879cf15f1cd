/* apps/throng/figures/plot.c - `throng plot`: a figure of a recording. */
#include "figures/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/path.h"

th_figure_def th_plot_def(const th_options *options, const th_tracks *tracks) {
  th_figure_def def = th_default_figure_def();
  def.tracks = tracks;
  def.title = tracks->name;
  def.paths = !options->density;
  def.density = options->density;
  def.bodies = options->bodies;
  def.legend = true;
  if (options->width) def.width = options->width;
  if (!isnan(options->time)) def.time = options->time;
  if (!isnan(options->trail)) def.trail = options->trail;
  if (!isnan(options->marks)) def.marks = options->marks;
  def.traces = options->trace;
  if (options->bodies && !options->density) def.colour = TH_COLOUR_SPEED; /* at one moment all have one time */
  if (options->colour) {
    def.colour = !strcmp(options->colour, "speed")        ? TH_COLOUR_SPEED
                 : !strcmp(options->colour, "agent")      ? TH_COLOUR_AGENT
                 : !strcmp(options->colour, "population") ? TH_COLOUR_POPULATION
                                                          : TH_COLOUR_TIME;
  }
  return def;
}

void th_plot_path(const char *recording, const char *ending, char *path, size_t size) {
  const char *slash = th_path_last_separator(recording), *dot = strrchr(recording, '.');
  size_t length = dot && (!slash || dot > slash) ? (size_t)(dot - recording) : strlen(recording);
  snprintf(path, size, "%.*s%s", (int)length, recording, ending);
}

/* A moment outside of the recording would be an empty hall. */
static th_result check_time(const th_options *options, const th_tracks *tracks, th_error *error) {
  double first = tracks->frame_first / tracks->fps, last = tracks->frame_last / tracks->fps;
  if (isnan(options->time) || (options->time >= first - 1e-6 && options->time <= last + 1e-6)) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, "--time", "expected a moment of the recording, %g to %g s, found %g", first,
                 last, options->time);
}

int th_command_plot(const th_options *options) {
  char path[1024];
  th_plot_path(options->argument[0], ".png", path, sizeof path);
  if (options->out) snprintf(path, sizeof path, "%s", options->out);
  th_tracks tracks;
  th_error error = {0};
  th_result result = th_cli_tracks(options->argument[0], &tracks, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  result = check_time(options, &tracks, &error);
  if (result != TH_OK) {
    th_tracks_free(&tracks);
    return th_cli_fail(&error, th_cli_code(result));
  }
  th_figure_def def = th_plot_def(options, &tracks);
  char note[48];
  snprintf(note, sizeof note, "t = %.1f s", isnan(def.time) ? tracks.frame_last / tracks.fps : def.time);
  if (def.bodies || def.trail > 0) def.note = note;
  th_camera camera[TH_CLI_MAX_CAMERAS];
  th_mesh_figure_def mesh_ground = th_cli_mesh_figure(options, camera);
  def.mesh = &mesh_ground;
  result = th_figure_write(&def, path, &error);
  th_tracks_free(&tracks);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_output_code(result));
  if (!options->quiet) printf("%s\n", path);
  return TH_EXIT_OK;
}
