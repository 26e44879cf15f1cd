/* io/scene/events.c - applies what is due before a step: events of the log, and those of the scene.
 *
 * What was done by hand comes first, then events that name this step, then those with a time: an event at time t is
 * applied before the first step that begins at t or later. Neighbouring edits of the ground that are due together by
 * their times become one edit, so that the ground gets one new version. Speeds of a changed population are drawn again
 * from (seed, agent, event). Cost: three comparisons per step; a change costs its population.
 */
#include "world/events.h"

#include <stdio.h>

#include "base/error.h"
#include "io/scene/events/events.h"

enum { MAX_EDITS = 16 };

bool th_scene_event_is_edit(const th_scene_event *event) {
  return event->act >= TH_ACT_OPEN && event->act <= TH_ACT_REMOVE;
}

th_edit th_scene_event_edit(const th_scene *scene, const th_scene_event *event, th_region *region) {
  static const th_edit_kind kind[] = {[TH_ACT_OPEN] = TH_EDIT_OPEN,
                                      [TH_ACT_CLOSE] = TH_EDIT_CLOSE,
                                      [TH_ACT_ADD] = TH_EDIT_ADD,
                                      [TH_ACT_REMOVE] = TH_EDIT_REMOVE};
  if (event->act == TH_ACT_ADD) return th_scene_add_edit(scene, event->area, region);
  return (th_edit){.kind = kind[event->act], .name = event->name};
}

th_edit th_scene_add_edit(const th_scene *scene, const th_scene_area *area, th_region *region) {
  th_edit edit = {.kind = TH_EDIT_ADD, .name = area->name};
  if (scene->ground.mesh) {
    *region = th_scene_region(area);
    edit.region = region;
  } else {
    edit.shape = th_scene_polygon(area->name, &area->shape);
  }
  return edit;
}

static th_result fail_event(const th_run *run, const th_scene_event *event, const th_error *found, th_result result,
                            th_error *error) {
  char pointer[48];
  snprintf(pointer, sizeof pointer, "/events/%u", event->order);
  return th_scene_fail(run->scene, error, found->code ? found->code : result, pointer, "%s", found->text);
}

/* A door that the ground has: those that events make are obstacles that come and go. */
static bool is_plain_edit(const th_run *run, const th_scene_event *event) {
  if (!th_scene_event_is_edit(event)) return false;
  if (event->act != TH_ACT_OPEN && event->act != TH_ACT_CLOSE) return true;
  const uint32_t door = th_run_named(run, TH_NAMED_DOOR, event->name);
  return door != TH_NO_INDEX && !run->list[TH_NAMED_DOOR].item[door].area;
}

/* Takes all edits from `first` on that are due; returns how many. */
static uint32_t gather(const th_run *run, uint32_t first, uint32_t due, th_edit *edit, th_region *region) {
  uint32_t count = 0;
  while (count < MAX_EDITS && first + count < due && is_plain_edit(run, &run->scene->event[first + count])) {
    edit[count] = th_scene_event_edit(run->scene, &run->scene->event[first + count], &region[count]);
    count++;
  }
  return count;
}

th_result th_run_event_happen(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  th_run_answer unread;
  th_run_answer *told = answer ? answer : &unread;
  *told = (th_run_answer){0};
  run->picked_count = 0;
  th_result result = th_act_rows[event->act].happen(run, event, told, error);
  told->agent = run->picked;
  told->agent_count = run->picked_count;
  run->busy_until = th_world_step_count(run->world) + th_default_world_def().latency + 2; /* a lost agent may go on */
  return result;
}

static th_result step_events(th_run *run, th_error *error) {
  const th_scene *scene = run->scene;
  for (; run->next_step_event < scene->step_event_count; run->next_step_event++) {
    const th_scene_event *event = &scene->event[run->next_step_event];
    if (event->step > th_world_step_count(run->world)) return TH_OK;
    th_error found = {0};
    th_events_begin(run->world);
    th_result result = th_run_event_happen(run, event, NULL, &found);
    if (result != TH_OK) return fail_event(run, event, &found, result, error);
  }
  return TH_OK;
}

static th_result timed_events(th_run *run, th_error *error) {
  const th_scene *scene = run->scene;
  double time = th_world_time(run->world) + 1e-6 * (double)scene->world.dt; /* times are sums of rounded steps */
  uint32_t due = run->next_event;
  while (due < scene->event_count && (double)scene->event[due].at <= time) due++;
  if (run->next_event < due) th_events_begin(run->world);
  while (run->next_event < due) {
    const th_scene_event *event = &scene->event[run->next_event];
    th_edit edit[MAX_EDITS];
    th_region region[MAX_EDITS];
    uint32_t edits = gather(run, run->next_event, due, edit, region);
    th_error found = {0};
    th_result result =
        edits > 1 ? th_world_edit(run->world, edit, edits, &found) : th_run_event_happen(run, event, NULL, &found);
    if (result != TH_OK) {
      uint32_t wrong = edits && found.element < edits ? found.element : 0;
      return fail_event(run, event + wrong, &found, result, error);
    }
    run->next_event += edits ? edits : 1;
    run->busy_until = th_world_step_count(run->world) + th_default_world_def().latency + 2; /* a lost agent may go on */
  }
  return TH_OK;
}

th_result th_run_events(th_run *run, th_error *error) {
  th_result result = run->begun ? TH_OK : th_scene_write_markers(run->scene, run->ground, error);
  if (result == TH_OK) run->begun = true;
  th_run_keep(run);
  if (result == TH_OK) result = th_run_log_replay(run, error);
  if (result == TH_OK) result = step_events(run, error);
  return result == TH_OK ? timed_events(run, error) : result;
}
