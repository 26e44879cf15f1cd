/* io/scene/run/trace.c - which agents of a run are traced, by the names that a scene or a command line gives.
 *
 * Each traced agent gets a block of memory, as large as the models and guides of the run may need. Cost: one pass over
 * all agents for each name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/scene/run.h"

/* A name of the list, without its end. */
typedef struct word {
  const char *text;
  size_t length;
} word;

static bool is(word w, const char *text) { return strlen(text) == w.length && !strncmp(w.text, text, w.length); }

/* True for the name of the agent's population, or the index of its id. */
static bool names(const th_run *run, word w, uint32_t member) {
  char *end;
  const unsigned long number = strtoul(w.text, &end, 10);
  if (w.length && end == w.text + w.length) return number == run->member[member].id.index;
  return is(w, run->list[TH_NAMED_POPULATION].item[run->member[member].population].name);
}

/* Adds the agents of a word to the marks; false when it names no agent. */
static bool mark(const th_run *run, word w, uint8_t *marked) {
  bool found = false;
  for (uint32_t i = 0; i < run->member_count; i++) {
    if (!names(run, w, i)) continue;
    marked[i] = 1;
    found = true;
  }
  return found;
}

static th_result trace_marked(th_run *run, const uint8_t *marked, th_error *error) {
  th_trace_def def = th_world_trace_def(run->world);
  def.agents = 0;
  for (uint32_t i = 0; i < run->member_count; i++) def.agents += marked[i];
  th_result result = th_world_trace(run->world, &def, error);
  for (uint32_t i = 0; i < run->member_count && result == TH_OK; i++)
    if (marked[i]) result = th_world_trace_agent(run->world, run->member[i].id, true, error);
  return result;
}

static th_result trace_all(th_run *run, th_error *error) {
  const uint32_t agents = th_scene_agents(run->scene);
  th_trace_def def = th_world_trace_def(run->world);
  def.agents = agents ? agents : 1;
  def.all = true;
  return th_world_trace(run->world, &def, error);
}

static th_result trace_words(th_run *run, const word *list, uint32_t count, th_error *error) {
  for (uint32_t k = 0; k < count; k++)
    if (is(list[k], "all")) return trace_all(run, error);
  uint8_t *marked = TH_TAKE(&run->env.allocator, uint8_t, run->member_count);
  if (!marked) return th_fail_memory(error, run->scene->path);
  th_result result = TH_OK;
  for (uint32_t k = 0; k < count && result == TH_OK; k++)
    if (!mark(run, list[k], marked))
      result =
          th_fail(error, TH_ERROR_RANGE, "traces", "expected \"all\", a population or an agent's index, found \"%.*s\"",
                  (int)list[k].length, list[k].text);
  if (result == TH_OK) result = trace_marked(run, marked, error);
  TH_GIVE(&run->env.allocator, marked, run->member_count);
  return result;
}

th_result th_run_trace(th_run *run, const char *list, th_error *error) {
  word words[64];
  uint32_t count = 0;
  for (const char *at = list; *at && count < 64; at += words[count - 1].length, at += *at == ',')
    words[count++] = (word){at, strcspn(at, ",")};
  if (!count) return th_world_trace(run->world, NULL, error);
  return trace_words(run, words, count, error);
}

th_result th_run_trace_scene(th_run *run, th_error *error) {
  const th_scene_recording *recording = &run->scene->recording;
  if (!recording->trace_count) return TH_OK;
  word words[64];
  uint32_t count = recording->trace_count < 64 ? recording->trace_count : 64;
  for (uint32_t k = 0; k < count; k++) words[k] = (word){recording->trace[k], strlen(recording->trace[k])};
  th_error found = {0};
  th_result result = trace_words(run, words, count, &found);
  if (result == TH_OK) return TH_OK;
  return th_scene_fail(run->scene, error, result, "/recording/traces", "%s", found.text);
}
