/* io/scene/run/log.c - what was done to a run by hand, in order, and doing it again.
 *
 * An entry is the text of an event and the step before which it happened. The first `log_done` have happened; going
 * back leaves the others as what is still to come, and each happens again when its step comes. Another event drops
 * them. Cost: one comparison per step.
 */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "io/scene/events/events.h"
#include "io/text.h"
#include "world/events.h"

bool th_run_log_reserve(th_run *run) {
  void *memory = run->log;
  bool grown = th_grow(&run->env.allocator, &memory, &run->log_capacity, run->log_done + 1, sizeof *run->log);
  run->log = memory;
  return grown;
}

void th_run_log_cut(th_run *run) {
  while (run->log_count > run->log_done) th_text_free(run->log[--run->log_count].text);
  th_run_keep_cut(run);
  th_run_in_force_cut(run);
}

void th_run_log_add(th_run *run, char *text) {
  th_run_log_cut(run);
  run->log[run->log_count++] = (th_run_entry){th_world_step_count(run->world), text};
  run->log_done = run->log_count;
}

void th_run_log_drop(th_run *run) {
  for (uint32_t i = 0; i < run->log_count; i++) th_text_free(run->log[i].text);
  TH_GIVE(&run->env.allocator, run->log, run->log_capacity);
}

uint32_t th_run_log_count(const th_run *run) { return run->log_count; }
uint32_t th_run_log_done(const th_run *run) { return run->log_done; }

const char *th_run_log_text(const th_run *run, uint32_t entry) {
  return entry < run->log_count ? run->log[entry].text : NULL;
}

uint64_t th_run_log_when(const th_run *run, uint32_t entry) {
  return entry < run->log_count ? run->log[entry].step : 0;
}

/* Does the next entry again. */
static th_result redo(th_run *run, th_error *error) {
  const char *text = run->log[run->log_done].text;
  const th_json_text source = {"log", text, strlen(text)};
  json_t *root;
  th_result result = th_json_parse(&source, &root, error);
  if (result) return result;
  result = th_run_do_read(run, &source, root, NULL, error);
  json_decref(root);
  if (!result) run->log_done++;
  return result;
}

th_result th_run_log_replay(th_run *run, th_error *error) {
  th_result result = TH_OK;
  while (run->log_done < run->log_count && !result) {
    if (run->log[run->log_done].step > th_world_step_count(run->world)) return TH_OK;
    result = redo(run, error);
  }
  return result;
}
