/* report/film.c - films: draws figures one after another and sends them to ffmpeg.
 *
 * ffmpeg runs as a child process and reads raw pictures. Without ffmpeg the frames become PNG files. Everything that
 * does not move is drawn once per ground; on meshes that is the ground itself. Cost per frame: O(agents in the frame),
 * on meshes also O(pixels).
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/letters.h"
#include "base/memory.h"
#include "base/platform/child.h"
#include "base/platform/file.h"
#include "report/render/view.h"

#define PATH_ROOM 1024

typedef struct film_work {
  const th_film_def *def;
  const char *path;
  th_error *error;
  th_scale scale;
  uint32_t count;
  int width, height; /* even, as most codecs require */
  th_child child;
  bool fed;                  /* the child is there and takes pictures */
  char made[PATH_ROOM + 16]; /* what ffmpeg writes, or the folder of frames */
  cairo_surface_t *picture, *cache;
  const th_floor_plan *still_plan;
  bool has_still;
  th_render_cache ground[TH_MAX_CAMERAS]; /* of surfaces */
} film_work;

th_film_def th_default_film_def(void) {
  th_film_def def = {.figure = th_default_figure_def(), .fps = 25.0, .speed = 1.0};
  def.figure.bodies = true;
  def.figure.colour = TH_COLOUR_SPEED;
  def.figure.trail = 3.0;
  return def;
}

/* ---------------------------------------------------------------- the child */

static const char *const mp4_options[] = {"-c:v",     "libx264", "-preset",   "veryfast",   "-crf", "18",
                                          "-pix_fmt", "yuv420p", "-movflags", "+faststart", NULL};
static const char *const webm_options[] = {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "28", NULL};
static const char *const gif_options[] = {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse", NULL};

static const char *const *options_for(const char *ending) {
  if (th_letters_same(ending, ".mp4")) return mp4_options;
  if (th_letters_same(ending, ".webm")) return webm_options;
  return th_letters_same(ending, ".gif") ? gif_options : NULL;
}

/* 0, or the reason why it did not start. */
static int start_ffmpeg(film_work *work, const char *const *options) {
  char size[32], rate[32];
  snprintf(size, sizeof size, "%dx%d", work->width, work->height);
  snprintf(rate, sizeof rate, "%.6g", work->def->fps);
  const char *argument[32] = {"ffmpeg", "-y",          "-loglevel", "error",      "-f", "rawvideo", "-pixel_format",
                              "bgra",   "-video_size", size,        "-framerate", rate, "-i",       "pipe:0"};
  int n = 14;
  for (int k = 0; options[k]; k++) argument[n++] = options[k];
  argument[n++] = work->made;
  argument[n] = NULL;
  const int reason = th_child_start(&work->child, argument);
  work->fed = reason == 0;
  return reason;
}

static th_result end_ffmpeg(film_work *work, th_result result) {
  const int code = th_child_end(&work->child);
  if (result == TH_OK && code != 0)
    result =
        th_fail(work->error, TH_ERROR_FILE, work->path, "ffmpeg could not make the film (its exit code is %d)", code);
  if (result == TH_OK && !th_file_rename(work->made, work->path))
    result = th_fail(work->error, TH_ERROR_FILE, work->path, "cannot be written: %s", strerror(errno));
  if (result != TH_OK) th_file_remove(work->made);
  return result;
}

static th_result send_picture(film_work *work) {
  const uint8_t *bytes = cairo_image_surface_get_data(work->picture);
  size_t stride = (size_t)cairo_image_surface_get_stride(work->picture);
  for (int row = 0; row < work->height; row++)
    if (!th_child_send(&work->child, bytes + stride * (size_t)row, 4 * (size_t)work->width))
      return th_fail(work->error, TH_ERROR_FILE, work->path, "ffmpeg ended before the film did");
  return TH_OK;
}

/* ---------------------------------------------------------------- frames */

static th_result save_picture(film_work *work, uint32_t frame) {
  char name[PATH_ROOM + 48];
  snprintf(name, sizeof name, "%s/%05u.png", work->made, frame + 1);
  cairo_status_t status = cairo_surface_write_to_png(work->picture, name);
  if (status == CAIRO_STATUS_SUCCESS) return TH_OK;
  return th_fail(work->error, TH_ERROR_FILE, name, "cannot be written: %s", cairo_status_to_string(status));
}

static th_canvas canvas_on(const film_work *work, cairo_surface_t *surface) {
  th_canvas canvas = {.surface = surface,
                      .width = work->width,
                      .height = work->height,
                      .unit = work->def->figure.width / 1600.0,
                      .cr = cairo_create(surface)};
  cairo_set_line_join(canvas.cr, CAIRO_LINE_JOIN_ROUND);
  return canvas;
}

/* The parts that do not move, drawn again only when the ground has changed. */
static th_result draw_still(film_work *work, const th_figure_def *figure) {
  const th_floor_plan *plan = th_figure_plan(figure, figure->time);
  if (work->has_still && plan == work->still_plan) return TH_OK;
  th_canvas canvas = canvas_on(work, work->cache);
  th_canvas_colour(canvas.cr, th_paper, 1.0);
  cairo_paint(canvas.cr);
  th_result result = th_figure_draw(&canvas, figure, &work->scale, TH_LAYERS_STILL, work->error);
  cairo_destroy(canvas.cr);
  work->still_plan = plan;
  work->has_still = true;
  return result;
}

static th_result draw_frame(film_work *work, uint32_t frame) {
  th_figure_def figure = work->def->figure;
  char note[256];
  figure.time = figure.tracks->frame_first / figure.tracks->fps + frame * work->def->speed / work->def->fps;
  snprintf(note, sizeof note, "%s%st = %.1f s", figure.note ? figure.note : "", figure.note ? "    " : "", figure.time);
  figure.note = note;
  if (figure.tracks->mesh_count) return th_figure_draw_mesh(&figure, work->ground, work->picture, work->error);
  th_result result = draw_still(work, &figure);
  if (result != TH_OK) return result;
  th_canvas canvas = canvas_on(work, work->picture);
  cairo_set_source_surface(canvas.cr, work->cache, 0.0, 0.0);
  cairo_paint(canvas.cr);
  result = th_figure_draw(&canvas, &figure, &work->scale, TH_LAYERS_MOVING, work->error);
  cairo_destroy(canvas.cr);
  cairo_surface_flush(work->picture);
  return result;
}

static th_result draw_frames(film_work *work) {
  th_result result = TH_OK;
  for (uint32_t k = 0; k < work->count && result == TH_OK; k++) {
    result = draw_frame(work, k);
    if (result == TH_OK) result = work->fed ? send_picture(work) : save_picture(work, k);
    if (result == TH_OK && work->def->progress && !work->def->progress(work->def->user, k + 1, work->count))
      result = th_fail(work->error, TH_ERROR_STOPPED, work->path, "stopped at frame %u of %u", k + 1, work->count);
  }
  return result;
}

/* ---------------------------------------------------------------- the film */

static th_result check(film_work *work) {
  const th_film_def *def = work->def;
  const th_tracks *tracks = def->figure.tracks;
  double width = 0.0, height = 0.0;
  th_figure_def noted = def->figure;
  noted.note = "t"; /* every frame has one */
  if (!tracks || tracks->sample_count == 0 || !th_figure_size(&noted, &width, &height))
    return th_fail(work->error, TH_ERROR_STATE, work->path, "expected a recording with frames, found none");
  if (!(def->fps >= 1.0 && def->fps <= 120.0))
    return th_fail(work->error, TH_ERROR_RANGE, "film fps", "expected 1 to 120, found %g", def->fps);
  if (!(def->speed > 0.0 && def->speed <= 1e4))
    return th_fail(work->error, TH_ERROR_RANGE, "film speed", "expected above 0 to 1e4, found %g", def->speed);
  if (!(width >= 200.0 && width <= 8000.0 && height <= 8000.0))
    return th_fail(work->error, TH_ERROR_RANGE, "film width", "expected 200 to 8000 pixels, found %g x %g", width,
                   height);
  double frames = (double)(tracks->frame_last - tracks->frame_first) / tracks->fps / def->speed * def->fps + 1.0;
  if (frames > 1e6)
    return th_fail(work->error, TH_ERROR_RANGE, "film", "expected below a million frames, found %g", frames);
  work->count = (uint32_t)frames;
  if (tracks->mesh_count) height = def->figure.mesh ? (double)def->figure.mesh->height : 0.0;
  if (tracks->mesh_count && !(height > 0.0))
    return th_fail(work->error, TH_ERROR_STATE, work->path,
                   "expected cameras and a height in figure.mesh, so that every frame has one size");
  work->width = ((int)ceil(width) + 1) / 2 * 2;
  work->height = ((int)ceil(height) + 1) / 2 * 2;
  return TH_OK;
}

/* Decides between ffmpeg and a folder of frames, and starts either. */
static th_result start(film_work *work, bool *as_frames) {
  const char *dot = strrchr(work->path, '.'), *ending = dot && !strchr(dot, '/') ? dot : "";
  size_t length = strlen(work->path), stem = length - strlen(ending);
  bool frames = length > 0 && work->path[length - 1] == '/';
  const char *const *options = options_for(ending);
  if (!frames && !options)
    return th_fail(work->error, TH_ERROR_FORMAT, work->path,
                   "expected a name that ends in .mp4, .webm, .gif or / (frames), found %s",
                   *ending ? ending : "no ending");
  if (length >= PATH_ROOM)
    return th_fail(work->error, TH_ERROR_FILE, work->path, "expected a name below %d characters", PATH_ROOM);
  snprintf(work->made, sizeof work->made, "%.*s.part%s", (int)stem, work->path, ending);
  if (!frames) th_file_remove(work->made); /* ffmpeg would write through a link */
  int reason = frames ? ENOENT : start_ffmpeg(work, options);
  *as_frames = reason != 0;
  if (reason == 0) return TH_OK;
  if (reason != ENOENT)
    return th_fail(work->error, TH_ERROR_FILE, work->path, "cannot start ffmpeg: %s", strerror(reason));
  snprintf(work->made, sizeof work->made, "%.*s", (int)(frames ? length - 1 : stem), work->path);
  if (!th_file_make_folder(work->made))
    return th_fail(work->error, TH_ERROR_FILE, work->made, "cannot make this folder for frames: %s", strerror(errno));
  return TH_OK;
}

static void tell(const film_work *work) {
  char text[2400];
  th_env env = th_env_complete(&work->def->figure.env);
  snprintf(text, sizeof text,
           "ffmpeg is not installed: %u frames go to %s; join them with: ffmpeg -framerate %g -i %s/%%05d.png %s",
           work->count, work->made, work->def->fps, work->made, work->path);
  env.log.write(env.log.user, TH_LOG_WARNING, text);
}

th_result th_film_write(const th_film_def *def, const char *path, bool *as_frames, th_error *error) {
  film_work work = {.def = def, .path = path, .error = error};
  bool frames = false, asked = path[0] && path[strlen(path) - 1] == '/';
  th_result result = check(&work);
  if (result == TH_OK) result = start(&work, &frames);
  if (result != TH_OK) return result;
  if (frames && !asked) tell(&work);
  work.scale = th_paths_scale(&def->figure);
  work.picture = cairo_image_surface_create(CAIRO_FORMAT_RGB24, work.width, work.height);
  work.cache = cairo_image_surface_create(CAIRO_FORMAT_RGB24, work.width, work.height);
  bool good = cairo_surface_status(work.picture) == CAIRO_STATUS_SUCCESS &&
              cairo_surface_status(work.cache) == CAIRO_STATUS_SUCCESS;
  result = good ? draw_frames(&work) : th_fail_memory(error, path);
  cairo_surface_destroy(work.picture);
  cairo_surface_destroy(work.cache);
  for (int k = 0; k < TH_MAX_CAMERAS; k++) th_render_cache_free(&work.ground[k]);
  if (work.fed) result = end_ffmpeg(&work, result);
  if (as_frames) *as_frames = frames;
  return result;
}
