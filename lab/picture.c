/* lab/picture.c - records a world while an experiment runs, and draws the recording.
 *
 * Forces, markers and trees are drawn from traces. Every agent of a crowd publishes some hundred items per step, so
 * traces are switched on only for the moment that the figure shows; a film needs them in all its steps. Cost: some
 * microseconds per agent and step for the recording; half a second for a figure, a tenth of it for a picture of a film.
 */
#include "lab/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"

enum { ITEMS = 4096, TRACED = 512 };

th_result th_lab_picture_begin(const th_lab *lab, const th_world *world, const th_run *run, double dt,
                               th_lab_picture *picture, th_error *error) {
  *picture = (th_lab_picture){0};
  if (!lab->folder) return TH_OK;
  if (snprintf(picture->path, sizeof picture->path, "%s/%s.sqlite", lab->folder, lab->id) >= (int)sizeof picture->path)
    return th_fail(error, TH_ERROR_FILE, lab->folder, "expected a shorter path");
  th_recording_def def = th_default_recording_def();
  def.dt = dt;
  def.ground = th_world_ground(world);
  th_result result = th_recording_make(picture->path, &def, &picture->recording, error);
  if (result == TH_OK && run) result = th_recording_names(picture->recording, run, error);
  return result == TH_OK ? th_lab_picture_step(picture, world, error) : result;
}

th_result th_lab_picture_step(th_lab_picture *picture, const th_world *world, th_error *error) {
  return picture->recording ? th_recording_step(picture->recording, world, error) : TH_OK;
}

/* Titles of figures end with their moment, as in "a door, 12 s"; a film shows the time of each picture instead. */
static void drop_moment(const char *title, char *text, size_t size) {
  snprintf(text, size, "%s", title);
  char *comma = strrchr(text, ',');
  if (comma && comma[1] == ' ' && comma[2] >= '0' && comma[2] <= '9') *comma = 0;
}

static th_result film(const th_lab *lab, const th_figure_def *figure, th_error *error) {
  char path[1024], title[128];
  bool as_frames;
  th_film_def def = th_default_film_def();
  uint32_t width = def.figure.width;
  def.figure = *figure;
  def.figure.width = width;
  def.figure.trail = 3;
  if (figure->title) drop_moment(figure->title, title, sizeof title), def.figure.title = title;
  snprintf(path, sizeof path, "%s/%s.mp4", lab->folder, lab->id);
  return th_film_write(&def, path, &as_frames, error);
}

static th_result draw(th_lab *lab, const char *recording, const th_figure_def *how, th_error *error) {
  char path[1024];
  th_tracks tracks;
  th_result result = th_recording_read(&(th_tracks_def){.path = recording}, &tracks, error);
  if (result != TH_OK) return result;
  snprintf(path, sizeof path, "%s/%s.png", lab->folder, lab->id);
  th_figure_def def = *how;
  def.tracks = &tracks;
  result = th_figure_write(&def, path, error);
  if (result == TH_OK) snprintf(lab->figure, sizeof lab->figure, "%s.png", lab->id);
  if (result == TH_OK && lab->film) result = film(lab, &def, error);
  th_tracks_free(&tracks);
  return result;
}

th_result th_lab_picture_end(th_lab *lab, th_lab_picture *picture, const th_figure_def *how, th_result before,
                             th_error *error) {
  if (!picture->recording) return before;
  const th_result closed = th_recording_close(picture->recording, before == TH_OK ? error : NULL);
  th_result result = before == TH_OK ? closed : before;
  if (result == TH_OK) result = draw(lab, picture->path, how, error);
  th_file_remove(picture->path);
  *picture = (th_lab_picture){0};
  return result;
}

th_figure_def th_lab_moment(const char *title, const char *traces) {
  th_figure_def def = th_default_figure_def();
  def.title = title;
  def.width = 1200;
  def.traces = traces;
  def.bodies = true;
  def.colour = TH_COLOUR_AGENT;
  return def;
}

th_result th_lab_trace(th_world *world, bool on, th_error *error) {
  const uint32_t agents = th_world_agents(world).count;
  const th_trace_def def = {.agents = agents < TRACED ? agents + 8 : TRACED, .items = ITEMS, .values = 1, .all = true};
  return th_world_trace(world, on ? &def : NULL, error);
}
