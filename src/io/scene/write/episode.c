/* io/scene/write/episode.c - a run as an episode: its scene, and what was done by hand as events with their steps.
 *
 * Entries of the log are read by the table of events and written by it. It has seed and duration of the run.
 * Cost: linear in scene and log.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/scene/events/events.h"
#include "io/scene/write/write.h"
#include "throng/run.h"

th_result th_write_episode_entry(const th_run *run, uint32_t entry, struct th_scene_memory *memory,
                                 th_scene_event *event, th_error *error) {
  const char *text = th_run_log_text(run, entry);
  const th_json_text source = {"log", text, strlen(text)};
  th_scene_reader reader = {.source = &source, .memory = memory, .error = error, .run = run};
  json_t *root = NULL;
  th_result result = th_json_parse(&source, &root, error);
  if (!result) result = th_read_object(&reader, &th_scene_event_table, root, event);
  json_decref(root);
  return result;
}

static th_result write_entry(th_scene_writer *writer, uint32_t entry) {
  const th_run *run = writer->run;
  struct th_scene_memory *memory = th_scene_memory_make(&run->env);
  th_scene_event event = {0};
  if (!memory) return th_fail_memory(writer->error, "log");
  th_result result = th_write_episode_entry(run, entry, memory, &event, writer->error);
  event.step = (uint32_t)th_run_log_when(run, entry);
  if (!result) th_write_object(writer, &th_scene_event_table, &event);
  th_scene_memory_free(memory);
  return result;
}

uint32_t th_write_episode(th_scene_writer *writer, uint32_t count) {
  const uint32_t entries = writer->run ? th_run_log_done(writer->run) : 0;
  for (uint32_t i = 0; i < entries && writer->result == TH_OK; i++) {
    if (count + i) th_text_append(&writer->text, ", ");
    writer->result = write_entry(writer, i);
  }
  return entries;
}

/* Whether the world is as it was at the beginning of the step. */
static bool at_beginning(const th_run *run) {
  const uint32_t done = th_run_log_done(run);
  return !done || th_run_log_when(run, done - 1) != th_world_step_count(run->world);
}

enum { DIGITS = 17 };

/* The marks as a scene has them; `digits` has room for their hashes. */
static uint32_t put_marks(const th_run_mark *mark, uint32_t count, th_scene_mark *out, char *digits) {
  for (uint32_t i = 0; i < count; i++) {
    char *hash = digits + (size_t)DIGITS * i;
    snprintf(hash, DIGITS, "%016" PRIx64, mark[i].hash);
    out[i] = (th_scene_mark){(uint32_t)mark[i].step, hash};
  }
  return count;
}

static th_result write_with(const th_run *run, const th_scene_write_def *def, const th_scene_mark *mark, uint32_t count,
                            char **text, th_error *error) {
  th_scene episode = *run->scene;
  episode.mark = (th_scene_mark *)(uintptr_t)mark;
  episode.mark_count = count;
  episode.world.seed = run->seed;
  episode.duration = run->duration;
  episode.in_force = th_run_in_force_list(run, &episode.in_force_count);
  if (!episode.in_force) return th_fail_memory(error, "episode");
  th_scene_writer writer = {.text.allocator = run->env.allocator, .scene = run->scene, .run = run, .error = error};
  writer.path = def->path;
  writer.planner = def->planner;
  const th_result result = th_write_scene_text(&writer, &episode, text);
  TH_GIVE(&run->env.allocator, episode.in_force, episode.in_force_count + 1);
  return result;
}

th_result th_run_write(const th_run *run, const th_scene_write_def *def, const th_run_mark *mark, uint32_t mark_count,
                       char **text, th_error *error) {
  const th_allocator *a = &run->env.allocator;
  const th_run_mark now = {th_world_step_count(run->world), th_world_hash(run->world)};
  const uint32_t room = mark_count + 1;
  *text = NULL;
  th_scene_mark *list = TH_TAKE(a, th_scene_mark, room);
  char *digits = TH_TAKE(a, char, (size_t)DIGITS *room);
  th_result result = list && digits ? TH_OK : th_fail_memory(error, "episode");
  if (!result) {
    const bool own = !mark_count && at_beginning(run);
    const uint32_t count = put_marks(own ? &now : mark, own ? 1 : mark_count, list, digits);
    result = write_with(run, def, list, count, text, error);
  }
  TH_GIVE(a, list, room);
  TH_GIVE(a, digits, (size_t)DIGITS * room);
  return result;
}

th_result th_run_save(const th_run *run, const th_scene_write_def *def, const th_run_mark *mark, uint32_t mark_count,
                      th_error *error) {
  char *text;
  th_result result = th_run_write(run, def, mark, mark_count, &text, error);
  if (result == TH_OK) result = th_write_scene_file(def, text, error);
  th_text_free(text);
  return result;
}
