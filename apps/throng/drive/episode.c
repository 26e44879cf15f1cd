/* apps/throng/drive/episode.c - a run that can be run again: events of the command line, marks, the file.
 *
 * An episode is the scene's own text with what was done by hand behind its events, each with its step, and with hashes
 * of the world as marks. So a scene, its episode and what a script does are one language.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "io/json.h"
#include "io/scene/scene.h"
#include "run.h"

static th_result parse(const char *text, json_t **event, th_error *error) {
  const th_json_text source = {"--do", text, strlen(text)};
  th_result result = th_json_parse(&source, event, error);
  if (result != TH_OK) return result;
  const bool timed = json_is_number(json_object_get(*event, "at")),
             stepped = json_is_integer(json_object_get(*event, "step"));
  if (timed != stepped) return TH_OK;
  json_decref(*event);
  return th_fail(error, TH_ERROR_FORMAT, "--do", "expected an event with \"at\" (a number) or \"step\", found %.200s",
                 text);
}

th_result th_episode_check(const th_options *options, th_error *error) {
  for (uint32_t i = 0; i < options->event_count; i++) {
    json_t *event;
    th_result result = parse(options->event[i], &event, error);
    if (result != TH_OK) return result;
    json_decref(event);
  }
  return TH_OK;
}

/* Due exactly now: the steps of a run are looked at one by one. */
static bool is_due(const json_t *event, th_run *run) {
  const th_world *world = th_run_world(run);
  const json_t *step = json_object_get(event, "step");
  const double at = json_number_value(json_object_get(event, "at")), now = th_world_time(world);
  const double dt = (double)th_world_dt(world);
  if (step) return (uint64_t)json_integer_value(step) == th_world_step_count(world);
  return at <= now + 1e-6 * dt && (at > now - dt + 1e-6 * dt || th_world_step_count(world) == 0);
}

bool th_episode_more(const th_options *options, th_run *run) {
  const th_world *world = th_run_world(run);
  const double dt = (double)th_world_dt(world), now = th_world_time(world), end = (double)th_run_duration(run);
  bool more = false;
  for (uint32_t i = 0; i < options->event_count && !more && now < end - dt / 2; i++) {
    json_t *event = json_loads(options->event[i], 0, NULL);
    const json_t *step = json_object_get(event, "step");
    const double at = json_number_value(json_object_get(event, "at"));
    more = step ? (uint64_t)json_integer_value(step) >= th_world_step_count(world) : at > now - dt && at < end;
    json_decref(event);
  }
  return more;
}

th_result th_episode_do(const th_options *options, th_run *run, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t i = 0; i < options->event_count && result == TH_OK; i++) {
    json_t *event;
    result = parse(options->event[i], &event, error);
    if (result != TH_OK) return result;
    if (is_due(event, run)) {
      json_object_del(event, "at");
      json_object_del(event, "step");
      char *text = json_dumps(event, JSON_COMPACT);
      result = text ? th_run_do(run, text, NULL, error) : th_fail_memory(error, "--do");
      free(text);
    }
    json_decref(event);
  }
  return result;
}

/* Going back makes marks of later steps void. */
static void forget_later(th_episode *episode, uint64_t step) {
  for (size_t n = json_array_size(episode->marks); n > 0; n--) {
    const json_t *mark = json_array_get(episode->marks, n - 1);
    if ((uint64_t)json_integer_value(json_object_get(mark, "step")) < step) return;
    json_array_remove(episode->marks, n - 1);
  }
}

void th_episode_mark(th_episode *episode, th_run *run, bool end) {
  const uint64_t step = th_world_step_count(th_run_world(run));
  const uint32_t done = th_run_log_done(run);
  if (!episode->marks || (!end && step % TH_EPISODE_EVERY)) return;
  if (done && th_run_log_when(run, done - 1) == step) return; /* a mark is of a step's beginning */
  forget_later(episode, step);
  char hash[24];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)th_world_hash(th_run_world(run)));
  json_array_append_new(episode->marks, json_pack("{s:I, s:s}", "step", (json_int_t)step, "hash", hash));
}

static void take_mark(const json_t *from, th_run_mark *to) {
  to->step = (uint64_t)json_integer_value(json_object_get(from, "step"));
  to->hash = strtoull(json_string_value(json_object_get(from, "hash")), NULL, 16);
}

th_result th_episode_write(const th_episode *episode, const th_run *run, const char *path, th_error *error) {
  const uint32_t count = (uint32_t)json_array_size(episode->marks);
  th_scene_write_def def = th_default_scene_write_def();
  th_run_mark *mark = calloc(count + 1, sizeof *mark);
  if (!mark) return th_fail_memory(error, path);
  for (uint32_t i = 0; i < count; i++) take_mark(json_array_get(episode->marks, i), &mark[i]);
  def.path = path;
  def.replace = true;
  def.planner = th_this_program.planner;
  const th_result result = th_run_save(run, &def, mark, count, error);
  free(mark);
  return result;
}
