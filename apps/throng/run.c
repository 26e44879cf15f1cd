/* apps/throng/run.c - `throng run`: a scene from start to end.
 *
 * Order: read and check everything, make the folder, run and record, and only then replace figures and report; the
 * recording itself keeps its predecessor until it is closed. An interrupt ends the loop between two steps, so that the
 * recording is complete and figures and report are still made from it.
 */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "io/scene/run.h"

/* ---------------------------------------------------------------- one seed */

static th_result make_metrics(const th_scene *scene, th_metrics **metrics, th_error *error) {
  th_measures measures;
  th_result result = th_measures_make(scene, &measures, error);
  if (result == TH_OK) result = th_metrics_make(&measures.def, metrics, error);
  th_measures_free(&measures);
  return result;
}

/* The walls of a new version; on a mesh agents carry their clearance instead. */
static th_result show_walls(th_session *s, th_error *error) {
  const th_ground *ground = th_world_ground(th_run_world(s->run));
  if (th_ground_version(ground) == s->version) return TH_OK;
  s->version = th_ground_version(ground);
  uint32_t count;
  const th_segment *wall = th_ground_walls(ground, &count);
  return th_ground_mesh(ground) ? TH_OK : th_metrics_walls(s->metrics, wall, count, error);
}

static th_result take_step(th_session *s, th_error *error) {
  th_world *world = th_run_world(s->run);
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  th_agents agents;
  th_result result = show_walls(s, error);
  if (result == TH_OK) result = th_space_agents(&s->space, world, &agents, error);
  if (result == TH_OK) result = th_metrics_step(s->metrics, th_world_step_count(world), &agents, event, count, error);
  if (result == TH_OK && s->recording) result = th_recording_step(s->recording, world, error);
  return result == TH_OK && s->log ? th_run_log_step(s->log, world, s->metrics, error) : result;
}

/* One step; with a log, decisions are looked at before anybody moves. Agents that take turns move at once. */
static th_result make_step(th_session *s, th_error *error) {
  if (s->run_count == 0) th_episode_mark(&s->episode, s->run, false);
  th_result done = th_episode_do(s->options, s->run, error);
  if (done != TH_OK) return done;
  if (!s->log || s->scene->world.update == TH_UPDATE_ONE_BY_ONE) return th_run_step(s->run, error);
  th_result result = th_run_advise(s->run, error);
  if (result == TH_OK) result = th_run_log_advice(s->log, th_run_world(s->run), error);
  if (result == TH_OK) th_world_integrate(th_run_world(s->run));
  return result;
}

static th_result open_log(th_session *s, th_error *error) {
  th_run_log_def def = th_default_run_log_def();
  def.path = s->options->log;
  return th_run_log_make(&def, &s->log, error);
}

static void show_progress(const th_session *s, double *last) {
  double t = th_clock_seconds();
  if (t - *last < 0.1) return;
  *last = t;
  char text[80];
  double time = th_world_time(th_run_world(s->run));
  snprintf(text, sizeof text, "%.1f s, %u agents", time, th_world_agents(th_run_world(s->run)).count);
  th_cli_progress(s->options, time / (double)th_run_duration(s->run), text);
}

/* Fields are in force from the second step on. */
static void find_paths(th_session *s) {
  if (s->looked || th_world_step_count(th_run_world(s->run)) < 2) return;
  s->looked = true;
  th_findings_of_paths(&s->findings, s->run);
}

static th_result loop(th_session *s, th_error *error) {
  double last = 0;
  th_result result = take_step(s, error); /* the state before the first step */
  if (s->watch) s->watch(s->watch_user, s->run);
  while (result == TH_OK && (!th_run_done(s->run) || th_episode_more(s->options, s->run)) && !th_cli_interrupted()) {
    result = make_step(s, error);
    if (result == TH_OK) result = take_step(s, error);
    if (result == TH_OK && s->watch) s->watch(s->watch_user, s->run);
    find_paths(s);
    show_progress(s, &last);
  }
  th_cli_progress_end(s->options);
  if (s->run_count == 0) th_episode_mark(&s->episode, s->run, true);
  if (result == TH_OK && s->run_count == 0 && s->options->episode)
    result = th_episode_write(&s->episode, s->run, s->options->episode, error);
  return result;
}

/* For `report` and `compare`. */
static th_result record_numbers(th_session *s, th_error *error) {
  if (!s->recording) return TH_OK;
  const size_t size = th_metrics_save(s->metrics, NULL, 0);
  void *bytes = malloc(size);
  th_result result = bytes ? TH_OK : th_fail_memory(error, "report");
  if (bytes) {
    th_metrics_save(s->metrics, bytes, size);
    result = th_recording_numbers(s->recording, bytes, size, error);
  }
  free(bytes);
  return result;
}

static void keep_numbers(th_session *s, double begin) {
  double seconds[TH_PHASE_COUNT];
  th_world *world = th_run_world(s->run);
  th_world_profile(world, seconds);
  for (int i = 0; i < TH_PHASE_COUNT; i++) s->phase_seconds[i] += seconds[i];
  s->steps += th_world_step_count(world);
  s->wall_seconds += th_clock_seconds() - begin;
  s->hash = th_world_hash(world);
}

/* How well the groups of the scene have their shapes. */
static th_result keep_fits(th_session *s, th_error *error) {
  th_result result = TH_OK;
  th_group_fit *fit = s->fit ? s->fit + (size_t)s->run_count * s->scene->group_count : NULL;
  for (uint32_t i = 0; fit && i < s->scene->group_count && !result; i++)
    result = th_world_group_fit(s->run->world, th_run_group_at(s->run, i), &fit[i], error);
  return result;
}

/* Drops messages that begin with "realtime:": worlds of further seeds would only repeat those of the first one. Called
 * from any thread. */
static void say_the_rest(void *user, th_log_level level, const char *text) {
  (void)user;
  th_log log = th_env_complete(NULL).log;
  if (strncmp(text, "realtime:", 9) != 0) log.write(log.user, level, text);
}

th_result th_session_seed(th_session *s, uint64_t seed, const char *recording, th_error *error) {
  th_run_def def = {.scene = s->scene,
                    .seed = seed,
                    .workers = s->options->workers,
                    .duration = s->options->duration,
                    .simd = s->options->simd};
  if (s->run_count > 0) def.env.log.write = say_the_rest;
  double begin = th_clock_seconds();
  s->version = 0;
  s->metrics = NULL;
  th_result result = th_run_make(&def, &s->run, error);
  if (result != TH_OK) return result; /* a scene that cannot start leaves no folder behind */
  s->started = true;
  if (s->options->trace && recording) result = th_run_trace(s->run, s->options->trace, error);
  if (result == TH_OK) result = th_cli_make_folder(s->folder, error);
  if (result == TH_OK) result = make_metrics(s->scene, &s->metrics, error);
  if (result == TH_OK && recording) result = th_session_record(s, recording, error);
  if (result == TH_OK && recording && s->options->log) result = open_log(s, error);
  if (result == TH_OK && s->run_count == 0) th_findings_at_start(&s->findings, s->run);
  if (result == TH_OK) result = loop(s, error);
  if (result == TH_OK && s->run_count == 0) th_findings_at_end(&s->findings, s->run);
  if (result == TH_OK && s->log) result = th_run_log_flush(s->log, th_run_world(s->run), s->metrics, error);
  th_run_log_free(s->log);
  s->log = NULL;
  if (result == TH_OK) result = keep_fits(s, error);
  if (result == TH_OK) result = record_numbers(s, error);
  if (result == TH_OK) keep_numbers(s, begin);
  th_error closing = {0};
  th_result closed = th_recording_close(s->recording, &closing);
  s->recording = NULL;
  if (result == TH_OK && closed != TH_OK) {
    result = closed;
    *error = closing;
  }
  th_run_free(s->run);
  s->run = NULL;
  return result;
}

/* ---------------------------------------------------------------- all seeds */

static th_result run_all(th_session *s, const char *recording, th_error *error) {
  th_result result = TH_OK;
  while (s->run_count < s->seed_count && result == TH_OK && (s->run_count == 0 || !th_cli_interrupted())) {
    uint64_t seed = s->seed[s->run_count];
    result = th_session_seed(s, seed, s->run_count == 0 ? recording : NULL, error);
    if (result == TH_OK)
      s->all[s->run_count++] = s->metrics;
    else
      th_metrics_free(s->metrics);
  }
  return result;
}

static bool take_seeds(th_session *s) {
  const th_options *o = s->options;
  s->seed_count = o->seeds_of_scene ? s->scene->expect.seeds : 1;
  if (o->seed_first) s->seed_count = (uint32_t)(o->seed_last - o->seed_first + 1);
  s->seed = calloc(s->seed_count, sizeof *s->seed);
  s->all = calloc(s->seed_count, sizeof *s->all);
  s->fit = calloc((size_t)s->seed_count * s->scene->group_count + 1, sizeof *s->fit);
  if (!s->seed || !s->all || !s->fit) return false;
  uint64_t first = o->seed_first ? o->seed_first : o->seed ? o->seed : s->scene->world.seed;
  for (uint32_t i = 0; i < s->seed_count; i++) s->seed[i] = first + i;
  return true;
}

/* Before the run has started, a file error concerns a file that the scene names, afterwards one that the run writes. */
static int code_of(const th_session *s, th_result result) {
  return s->started && result == TH_ERROR_FILE ? TH_EXIT_ENVIRONMENT : th_cli_code(result);
}

static int run_scene(th_session *s, const char *folder) {
  char recording[1024];
  th_error error = {0};
  th_cli_join(recording, sizeof recording, folder, "trajectory.sqlite");
  if (!take_seeds(s)) return th_fail_memory(&error, s->scene->path), th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  s->folder = folder;
  th_result result = run_all(s, recording, &error);
  s->figures = !s->options->no_figures && !th_cli_hurried();
  if (result == TH_OK && s->figures) result = th_session_figures(s, recording, folder, &error);
  if (result != TH_OK) return th_cli_fail(&error, code_of(s, result));
  return th_session_report(s, folder);
}

/* Scenes of one name share a folder; whose results are about to be replaced is told. */
static void tell_replaced(const th_session *s, const char *folder) {
  char path[1024];
  th_cli_join(path, sizeof path, folder, "report.json");
  json_t *report = json_load_file(path, 0, NULL);
  const char *file = json_string_value(json_object_get(report, "file"));
  if (file && strcmp(file, s->scene->path) != 0 && !s->options->quiet)
    fprintf(stderr, "%s: %s: warning: %s holds the results of %s, which are replaced; --out names another folder\n",
            th_this_program.name, s->scene->path, folder, file);
  json_decref(report);
}

int th_command_run(const th_options *options) {
  th_error error = {0};
  th_scene *scene;
  if (options->seed && (options->seed_first || options->seeds_of_scene))
    return th_cli_usage("run", "expected --seed or --seeds, found both");
  th_result result = th_cli_scene(options, options->argument[0], &scene, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  if (result == TH_OK) result = th_episode_check(options, &error);
  if (result != TH_OK) return th_scene_free(scene), th_cli_fail(&error, th_cli_code(result));
  if (options->interactive) {
    const int code = th_interactive(options, scene);
    th_scene_free(scene);
    return code;
  }
  char folder[512];
  snprintf(folder, sizeof folder, "out/%s", scene->name);
  for (char *c = folder + 4; *c; c++) { /* a name is no path: nothing is written beside out/ */
    if (*c == '/' || (*c == '.' && c == folder + 4)) *c = '_';
  }
  th_cli_catch_interrupt();
  th_session session = {.options = options, .scene = scene, .space.whole = true};
  session.findings =
      (th_findings){options->quiet ? NULL : stderr, th_this_program.name, scene, json_array(), false, false};
  if (options->episode) session.episode.marks = json_array();
  if (!options->out) tell_replaced(&session, folder);
  int code = run_scene(&session, options->out ? options->out : folder);
  for (uint32_t i = 0; i < session.run_count; i++) th_metrics_free(session.all[i]);
  free(session.all);
  free(session.fit);
  free(session.seed);
  json_decref(session.findings.warnings);
  json_decref(session.episode.marks);
  th_space_free(&session.space);
  th_scene_free(scene);
  return code;
}
