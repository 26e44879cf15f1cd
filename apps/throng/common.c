/* apps/throng/common.c - messages, files, interruption and progress, shared by the subcommands. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/platform/file.h"
#include "base/platform/path.h"
#include "base/platform/signals.h"
#include "base/platform/terminal.h"
#include "cli.h"

int th_cli_fail(const th_error *error, int code) {
  fflush(stdout);
  fprintf(stderr, "%s: %s", th_this_program.name, error->where);
  if (error->line) fprintf(stderr, ":%u:%u", error->line, error->column);
  fprintf(stderr, "%s%s\n", *error->where ? ": " : "", error->text);
  return code;
}

int th_cli_code(th_result result) {
  switch (result) {
    case TH_OK:
      return TH_EXIT_OK;
    case TH_ERROR_MEMORY:
      return TH_EXIT_ENVIRONMENT;
    case TH_ERROR_STOPPED:
      return TH_EXIT_INTERRUPTED;
    default:
      return TH_EXIT_INPUT;
  }
}

int th_cli_output_code(th_result result) { return result == TH_ERROR_FILE ? TH_EXIT_ENVIRONMENT : th_cli_code(result); }

int th_cli_print_json(json_t *document) {
  char *text = json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  json_decref(document);
  if (!text) {
    fprintf(stderr, "%s: out of memory\n", th_this_program.name);
    return TH_EXIT_ENVIRONMENT;
  }
  int written = puts(text);
  free(text);
  if (written >= 0 && fflush(stdout) == 0) return TH_EXIT_OK;
  fprintf(stderr, "%s: standard output: %s\n", th_this_program.name, strerror(errno));
  return TH_EXIT_ENVIRONMENT;
}

th_result th_cli_scene(const th_options *options, const char *path, th_scene **scene, th_error *error) {
  th_scene_def def = th_default_scene_def();
  def.path = path, def.set = options->set, def.set_count = options->set_count;
  def.planner = th_this_program.planner;
  return th_scene_make(&def, scene, error);
}

th_shape th_cli_goal_shape(const th_scene_goal *goal) {
  th_shape shape = goal->def.shape;
  if (shape.kind == TH_SHAPE_POINT) shape.radius = goal->def.arrive;
  return shape;
}

double th_cli_dt(const th_scene *scene) { return round((double)scene->world.dt * 1e7) / 1e7; }

/* ---------------------------------------------------------------- files */

th_result th_cli_make_folder(const char *path, th_error *error) {
  char part[1024];
  if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part) {
    return th_fail(error, TH_ERROR_FILE, path, "expected a shorter path");
  }
  for (char *c = part + 1;; c++) {
    if (*c && !th_path_is_separator(*c)) continue;
    char end = *c;
    *c = 0;
    if (!th_file_make_folder(part))
      return th_fail(error, TH_ERROR_FILE, part, "cannot make this folder: %s", strerror(errno));
    if (th_file_look(part) != TH_FILE_FOLDER) {
      return th_fail(error, TH_ERROR_FILE, part, "expected a folder, found a file");
    }
    *c = end;
    if (!end || !c[1]) break;
  }
  if (th_file_may_write_into(path)) return TH_OK;
  return th_fail(error, TH_ERROR_FILE, path, "cannot write to this folder: %s", strerror(errno));
}

th_result th_cli_write_text(const char *path, const char *text, th_error *error) {
  char part[1100];
  snprintf(part, sizeof part, "%s.part", path);
  FILE *file = th_file_fresh(part);
  if (!file) return th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(errno));
  bool good = fputs(text, file) >= 0 && fputc('\n', file) != EOF && fflush(file) == 0;
  int why = errno;
  if (fclose(file) != 0 && good) {
    good = false;
    why = errno;
  }
  if (good && th_file_rename(part, path)) return TH_OK;
  if (good) why = errno;
  th_file_remove(part);
  return th_fail(error, TH_ERROR_FILE, path, "cannot be written: %s", strerror(why));
}

void th_cli_join(char *path, size_t size, const char *folder, const char *name) {
  size_t length = strlen(folder);
  snprintf(path, size, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
}

bool th_cli_ends(const char *text, const char *ending) {
  size_t a = strlen(text), b = strlen(ending);
  return a >= b && strcmp(text + a - b, ending) == 0;
}

th_result th_cli_tracks(const char *path, th_tracks *tracks, th_error *error) {
  return th_cli_ends(path, ".csv") ? th_csv_read(&(th_tracks_def){.path = path}, tracks, error)
                                   : th_recording_read(&(th_tracks_def){.path = path}, tracks, error);
}

/* ---------------------------------------------------------------- interruption and progress */

static volatile sig_atomic_t interrupted; /* a signal can reach nothing else */

static void on_interrupt(int number) { interrupted = number; }

void th_cli_catch_interrupt(void) { th_signals_catch(on_interrupt); }

bool th_cli_interrupted(void) { return interrupted != 0; }
bool th_cli_hurried(void) { return interrupted && th_signals_hurry(interrupted); }

static bool shows_progress(const th_options *options) { return !options->quiet && th_terminal_watched(); }

void th_cli_progress(const th_options *options, double part, const char *text) {
  enum { BAR = 32 };
  if (!shows_progress(options)) return;
  if (!(part > 0)) part = 0;
  if (part > 1) part = 1;
  char bar[BAR + 1];
  for (int i = 0; i < BAR; i++) bar[i] = i < (int)(part * BAR) ? '#' : '.';
  bar[BAR] = 0;
  fprintf(stderr, "\r[%s] %3d %%  %s\033[K", bar, (int)(part * 100), text);
  fflush(stderr);
}

void th_cli_progress_line(const th_options *options, const char *text) {
  if (!options->quiet && !th_terminal_watched()) fprintf(stderr, "%s: %s\n", th_this_program.name, text);
}

void th_cli_progress_end(const th_options *options) {
  if (shows_progress(options)) fprintf(stderr, "\r\033[K");
}
