/* apps/throng/drive/interactive.c - `throng run --interactive`: a run driven by lines of JSON.
 *
 * Each line of standard input is an event, which happens before the next step, or a command; each is answered by one
 * line on standard output, so that a script in any language can drive a world by a pipe. A line that is wrong is
 * answered by what is wrong, and changes nothing. Cost: a state is a line of all agents.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json.h"
#include "run.h"
#include "world/events.h"

#define HISTORY ((uint64_t)64 << 20) /* bytes */

static json_t *number(float value) { return json_real((double)value); }

static json_t *vector(th_vec3 v) { return json_pack("[o, o, o]", number(v.x), number(v.y), number(v.z)); }

static json_t *agent_of(const th_world *world, th_agent_id id) {
  static const char *const state[] = {"delayed", "walking", "waiting", "arrived", "lost", "external", "premovement"};
  const uint32_t is = (uint32_t)th_world_agent_state(world, id);
  return json_pack("{s:I, s:o, s:o, s:s}", "agent", (json_int_t)id.index, "point",
                   vector(th_world_agent_point(world, id)), "velocity", vector(th_world_agent_velocity(world, id)),
                   "state", is < sizeof state / sizeof *state ? state[is] : "unknown");
}

static json_t *happened(const th_world *world) {
  uint32_t count;
  const th_event *event = th_world_events(world, &count);
  json_t *list = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(
        list, json_pack("{s:s, s:I}", "kind", th_event_word(event[i].kind), "agent", (json_int_t)event[i].agent.index));
  return list;
}

static json_t *time_of(th_run *run) {
  const th_world *world = th_run_world(run);
  return json_pack("{s:I, s:f, s:b}", "step", (json_int_t)th_world_step_count(world), "time", th_world_time(world),
                   "done", th_run_done(run));
}

static json_t *state_of(th_run *run, json_t *events) {
  const th_world *world = th_run_world(run);
  const th_agents agents = th_world_agents(world);
  char hash[24];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)th_world_hash(world));
  json_t *list = json_array(), *state = time_of(run);
  for (uint32_t row = 0; row < agents.count; row++) json_array_append_new(list, agent_of(world, agents.id[row]));
  json_object_set_new(state, "hash", json_string(hash));
  json_object_set_new(state, "agents", list);
  json_object_set_new(state, "events", events);
  return state;
}

static json_t *answer_of(th_run *run, const th_run_answer *answer) {
  json_t *told = time_of(run), *agents = json_array();
  for (uint32_t i = 0; i < answer->agent_count; i++)
    json_array_append_new(agents, json_integer((json_int_t)answer->agent[i].index));
  json_object_set_new(told, "agents", agents);
  return told;
}

static th_result go_steps(th_run *run, json_int_t steps, th_episode *episode, json_t *events, th_error *error) {
  th_result result = steps >= 0 && steps <= 100000000
                         ? TH_OK
                         : th_fail(error, TH_ERROR_RANGE, "steps", "expected 0 to 100000000 steps");
  for (json_int_t i = 0; i < steps && result == TH_OK; i++) {
    th_episode_mark(episode, run, false);
    result = th_run_step(run, error);
    json_t *list = happened(th_run_world(run));
    json_array_extend(events, list);
    json_decref(list);
  }
  return result;
}

/* The world as it stands, into a new file. */
static json_t *save_moment(th_run *run, const char *path, th_error *error) {
  th_scene_write_def def = th_default_scene_write_def();
  char *lost;
  def.path = path;
  def.planner = th_this_program.planner;
  if (th_run_save_moment(run, &def, &lost, error) != TH_OK) return NULL;
  json_t *told = time_of(run), *list = json_array();
  for (const char *line = lost; *line; line += strcspn(line, "\n") + 1)
    json_array_append_new(list, json_stringn(line, strcspn(line, "\n")));
  json_object_set_new(told, "lost", list);
  th_text_free(lost);
  return told;
}

/* One line; NULL and an error where it is wrong. */
static json_t *obey(th_run *run, const char *line, th_episode *episode, th_error *error) {
  const th_json_text source = {"line", line, strlen(line)};
  json_t *command;
  if (th_json_parse(&source, &command, error) != TH_OK) return NULL;
  const json_t *steps = json_object_get(command, "steps"), *to = json_object_get(command, "go_to");
  const char *path = json_string_value(json_object_get(command, "save"));
  json_t *events = json_array(), *told = NULL;
  th_run_answer answer;
  th_result result = TH_OK;
  if (json_is_integer(steps))
    result = go_steps(run, json_integer_value(steps), episode, events, error);
  else if (json_is_integer(to))
    result = th_run_go_to(run, (uint64_t)json_integer_value(to), error);
  else if (!path && !json_object_get(command, "state"))
    result = th_run_do(run, line, &answer, error);
  const bool state = steps || to || json_object_get(command, "state");
  if (path)
    told = save_moment(run, path, error);
  else if (result == TH_OK)
    told = state ? state_of(run, json_incref(events)) : answer_of(run, &answer);
  json_decref(events);
  json_decref(command);
  return told;
}

static bool say(json_t *told) {
  char *text = json_dumps(told, JSON_COMPACT | JSON_REAL_PRECISION(9));
  const bool good = text && puts(text) >= 0 && fflush(stdout) == 0;
  free(text);
  json_decref(told);
  return good;
}

/* Reads one line, however long; false at the end, or without memory. */
static bool next_line(char **line, size_t *size) {
  size_t used = 0;
  for (;;) {
    if (*size - used < 2) {
      char *longer = realloc(*line, *size * 2 + 4096);
      if (!longer) return false;
      *line = longer;
      *size = *size * 2 + 4096;
    }
    if (!fgets(*line + used, (int)(*size - used), stdin)) return used > 0;
    used += strlen(*line + used);
    if (used && (*line)[used - 1] == '\n') return true;
  }
}

static int listen(th_run *run, th_episode *episode) {
  char *line = NULL;
  size_t size = 0;
  bool good = say(state_of(run, json_array()));
  while (good && next_line(&line, &size)) {
    th_error error = {0};
    if (strspn(line, " \t\r\n") == strlen(line)) continue;
    json_t *told = obey(run, line, episode, &error);
    good = say(told ? told : json_pack("{s:s, s:s}", "error", error.text, "where", error.where));
  }
  free(line);
  return good ? TH_EXIT_OK : TH_EXIT_ENVIRONMENT;
}

int th_interactive(const th_options *options, const th_scene *scene) {
  th_error error = {0};
  th_run *run;
  const th_run_def def = {.scene = scene,
                          .seed = options->seed,
                          .workers = options->workers,
                          .duration = options->duration,
                          .simd = options->simd,
                          .history = HISTORY};
  th_result result = th_run_make(&def, &run, &error);
  if (result != TH_OK) return th_cli_fail(&error, th_cli_code(result));
  th_episode episode = {.marks = options->episode ? json_array() : NULL};
  int code = listen(run, &episode);
  th_episode_mark(&episode, run, true);
  if (options->episode && th_episode_write(&episode, run, options->episode, &error) != TH_OK)
    code = th_cli_fail(&error, TH_EXIT_ENVIRONMENT);
  json_decref(episode.marks);
  th_run_free(run);
  return code;
}
