/* io/scene/events.c - applies the timed events of a scene.
 *
 * An event at time t is applied before the first step that begins at t or later. Neighbouring edits of the ground that
 * are due together become one edit, so that the ground gets one new version. Speeds of a changed population are drawn
 * again from (seed, agent, event). Cost: one comparison per step; a change costs its population.
 */
#include "world/events.h"

#include <stdio.h>

#include "base/error.h"
#include "io/scene/keys.h"
#include "io/scene/run.h"

enum { MAX_EDITS = 16 };

static bool is_edit(const th_scene_event *event) { return event->act >= TH_ACT_OPEN && event->act <= TH_ACT_REMOVE; }

th_edit th_scene_event_edit(const th_scene *scene, const th_scene_event *event, th_region *region) {
  static const th_edit_kind kind[] = {[TH_ACT_OPEN] = TH_EDIT_OPEN,
                                      [TH_ACT_CLOSE] = TH_EDIT_CLOSE,
                                      [TH_ACT_ADD] = TH_EDIT_ADD,
                                      [TH_ACT_REMOVE] = TH_EDIT_REMOVE};
  th_edit edit = {.kind = kind[event->act], .name = event->name};
  if (event->act != TH_ACT_ADD) return edit;
  if (scene->ground.mesh) {
    *region = th_scene_region(&event->add);
    edit.region = region;
  } else {
    edit.shape = th_scene_polygon(event->add.name, &event->add.shape);
  }
  return edit;
}

static th_result fail_event(const th_run *run, const th_scene_event *event, const th_error *found, th_error *error) {
  char pointer[48];
  snprintf(pointer, sizeof pointer, "/events/%u", event->order);
  return th_scene_fail(run->scene, error, found->code, pointer, "%s", found->text);
}

/* Takes all edits from `first` on that are due; returns how many. */
static uint32_t gather(const th_run *run, uint32_t first, uint32_t due, th_edit *edit, th_region *region) {
  uint32_t count = 0;
  while (count < MAX_EDITS && first + count < due && is_edit(&run->scene->event[first + count])) {
    edit[count] = th_scene_event_edit(run->scene, &run->scene->event[first + count], &region[count]);
    count++;
  }
  return count;
}

static th_result change(th_run *run, const th_scene_event *event, th_error *error) {
  for (uint32_t i = 0; i < run->member_count; i++) {
    th_agent_def def;
    if (run->member[i].population != event->index || !th_world_has_agent(run->world, run->member[i].id)) continue;
    if (!th_world_agent_def(run->world, run->member[i].id, &def)) continue;
    const th_scene_crowd *crowd = &event->change->crowd;
    th_scene_crowd_change(crowd, run->goal, run->guide, &def);
    th_agent_draw(&crowd->spread, th_scene_bits(run->seed, TH_DRAW_CHANGE + event->order, i), &def);
    if (crowd->given & th_scene_crowd_key_bit("links")) th_run_link(run, crowd, run->member[i].id, &def);
    th_result result = th_world_change_agent(run->world, run->member[i].id, &def, error);
    if (result == TH_OK &&
        crowd->given & th_scene_crowd_key_bit("route")) /* it begins, also when it is the one they have */
      result = th_world_set_route(run->world, run->member[i].id, def.route, def.route_count, 0, error);
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

static void dismiss(th_run *run, uint32_t population) {
  for (uint32_t i = 0; i < run->member_count; i++) {
    const th_run_member *member = &run->member[i];
    if (member->population != population || !th_world_has_agent(run->world, member->id)) continue;
    th_world_remove_agent(run->world, member->id);
  }
}

static th_result happen_one(th_run *run, const th_scene_event *event, th_error *error) {
  switch (event->act) {
    case TH_ACT_MOVE:
      return th_world_move_goal(run->world, run->goal[event->index], &event->move.shape, error);
    case TH_ACT_CHANGE:
      return change(run, event, error);
    case TH_ACT_GROUP:
      return th_run_regroup(run, event, error);
    default:
      dismiss(run, event->index);
      return TH_OK;
  }
}

th_result th_run_events(th_run *run, th_error *error) {
  const th_scene *scene = run->scene;
  th_result begun = run->begun ? TH_OK : th_scene_write_markers(scene, run->ground, error);
  run->begun = true;
  if (begun != TH_OK) return begun;
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
    th_result result = edits ? th_world_edit(run->world, edit, edits, &found) : happen_one(run, event, &found);
    if (result != TH_OK) {
      uint32_t wrong = edits && found.element < edits ? found.element : 0;
      return fail_event(run, event + wrong, &found, error);
    }
    run->next_event += edits ? edits : 1;
    run->busy_until = th_world_step_count(run->world) + th_default_world_def().latency + 2; /* a lost agent may go on */
  }
  return TH_OK;
}
