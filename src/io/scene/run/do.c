/* io/scene/run/do.c - one event by hand.
 *
 * The text is read by the same tables as events of scenes, its names are looked up in the run, and everything that can
 * fail for want of memory in the log is taken first. What an event does is checked by the calls that it makes. One that
 * makes several may fail half-way: then the run is restored from a snapshot that was taken just before. Cost: that of
 * the calls; events about several agents, guides and groups cost a snapshot besides.
 */
#include <string.h>

#include "base/memory.h"
#include "io/scene/events/events.h"
#include "io/text.h"
#include "world/events.h"
#include "world/world.h"

/* Those that are one call of the world have changed nothing when it fails. */
static bool is_one_call(const th_scene_event *event) {
  switch (event->act) {
    case TH_ACT_OPEN:
    case TH_ACT_CLOSE:
    case TH_ACT_ADD:
    case TH_ACT_REMOVE:
    case TH_ACT_MOVE:
    case TH_ACT_DEFORM:
    case TH_ACT_GOAL:
    case TH_ACT_REMOVE_GOAL:
    case TH_ACT_CHOICE:
    case TH_ACT_REMOVE_CHOICE:
    case TH_ACT_OBSTACLE:
    case TH_ACT_DOOR:
    case TH_ACT_REMOVE_DOOR:
    case TH_ACT_REMOVE_SOURCE:
    case TH_ACT_REMOVE_GROUP:
    case TH_ACT_ACCEPT:
    case TH_ACT_DISMISS:
    case TH_ACT_LEAVE:
    case TH_ACT_DT:
      return true;
    default:
      return false;
  }
}

/* What an event may leave behind when it fails, and how to undo it. */
typedef struct before {
  uint8_t *bytes;
  size_t size;
} before;

static th_result look_back(const th_run *run, before *b, th_error *error) {
  b->size = th_run_snapshot(run, NULL, 0);
  b->bytes = TH_TAKE(&run->env.allocator, uint8_t, b->size);
  if (!b->bytes) return th_fail_memory(error, "event");
  th_run_snapshot(run, b->bytes, b->size);
  return TH_OK;
}

static th_result try_event(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  before b = {NULL, 0};
  th_result result = is_one_call(event) ? TH_OK : look_back(run, &b, error);
  if (result) return result;
  const uint64_t busy = run->busy_until;
  const uint32_t told = run->world->event_count;
  result = th_run_event_happen(run, event, answer, error);
  if (result) run->busy_until = busy;
  if (result && b.bytes) (void)th_run_restore(run, b.bytes, b.size, NULL);
  if (result) run->world->event_count = told;
  if (result && answer) *answer = (th_run_answer){0};
  TH_GIVE(&run->env.allocator, b.bytes, b.size);
  return result;
}

/* The event in `root`; what it points to is in the reader's memory. */
static th_result read_event(th_scene_reader *reader, const json_t *root, th_scene_event *event) {
  th_result result = th_read_object(reader, &th_scene_event_table, root, event);
  event->order = reader->run->scene->event_count + reader->run->log_done;
  return result ? result : th_act_link_event(reader, reader->run->scene, event);
}

/* Parameters of a guide may point into what was read. */
static void keep_memory(th_run *run, const th_scene_event *event, struct th_scene_memory *memory, bool done) {
  if (done && event->act == TH_ACT_GUIDE)
    th_scene_memory_join(run->memory, memory);
  else
    th_scene_memory_free(memory);
}

th_result th_run_do_read(th_run *run, const th_json_text *source, const json_t *root, th_run_answer *answer,
                         th_error *error) {
  th_scene_reader reader = {.source = source, .memory = th_scene_memory_make(&run->env), .error = error, .run = run};
  th_scene_event event = {0};
  if (!reader.memory) return th_fail_memory(error, "event");
  th_result result = read_event(&reader, root, &event);
  th_error found = {0};
  if (!result) {
    th_events_begin(run->world);
    result = try_event(run, &event, answer, &found);
    if (result) th_fail(error, result, source->name, "/%s: %s", th_act_rows[event.act].name, found.text);
  }
  keep_memory(run, &event, reader.memory, !result);
  return result;
}

th_result th_run_do(th_run *run, const char *event, th_run_answer *answer, th_error *error) {
  const th_json_text source = {"event", event, strlen(event)};
  json_t *root;
  if (answer) *answer = (th_run_answer){0};
  th_result result = th_world_idle(run->world, "th_run_do", error);
  if (!result) result = th_json_parse(&source, &root, error);
  if (result) return result;
  char *text = th_text_of_json(&run->env.allocator, root, JSON_COMPACT);
  result = text && th_run_log_reserve(run) ? TH_OK : th_fail_memory(error, "event");
  th_run_keep(run);
  if (!result) result = th_run_do_read(run, &source, root, answer, error);
  json_decref(root);
  if (result)
    th_text_free(text);
  else
    th_run_log_add(run, text);
  return result;
}
