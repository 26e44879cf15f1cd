/* io/scene/write/moment.c - the world as it stands, as the beginning of a new scene.
 *
 * Things are those of the scene with what events have made of them, agents are those of the world, each with its place,
 * velocity and stop; what is said of agents one by one, their links, points of their own and models that need links,
 * happens as events at the first step. Events that are to come keep their distance in time. What no scene can hold is
 * told. Cost: linear in scene, log and agents; the linker is asked about every event to come.
 */
#include "io/scene/write/moment.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "io/scene/events/events.h"
#include "io/scene/write/write.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "world/world.h"

void *th_moment_take(th_scene_moment *moment, uint32_t count, size_t size) {
  void *piece = moment->result ? NULL : th_scene_memory_take(moment->memory, count ? count : 1, size);
  if (!piece && !moment->result) moment->result = th_fail_memory(moment->error, "moment");
  if (piece) memset(piece, 0, size * (count ? count : 1));
  return piece;
}

void th_moment_lose(th_scene_moment *moment, const char *format, ...) {
  char line[240];
  va_list list;
  va_start(list, format);
  vsnprintf(line, sizeof line, format, list);
  va_end(list);
  th_text_append(&moment->lost, line);
  th_text_append(&moment->lost, "\n");
}

th_scene_event *th_moment_begin_with(th_scene_moment *moment, th_scene_act act, void *part) {
  void *memory = moment->first;
  const bool grown = th_grow(&moment->run->env.allocator, &memory, &moment->first_capacity, moment->first_count + 1,
                             sizeof *moment->first);
  moment->first = memory;
  if (!grown && !moment->result) moment->result = th_fail_memory(moment->error, "moment");
  if (moment->result) return NULL;
  th_scene_event *event = &moment->first[moment->first_count++];
  *event = (th_scene_event){.at = -1.0f, .act = (int32_t)act, .part = part};
  return event;
}

/* ---------------------------------------------------------------- events to come */

static bool means_agents(const th_scene_event *event) {
  switch (event->act) {
    case TH_ACT_PLACE:
    case TH_ACT_DRIVE:
    case TH_ACT_ACCEPT:
    case TH_ACT_LINK:
      return true;
    case TH_ACT_CHANGE:
      return event->change->whom.agent_count;
    case TH_ACT_LEAVE:
      return event->whom->agent_count;
    case TH_ACT_PUSH:
      return event->push->whom.agent_count;
    case TH_ACT_SEND:
      return event->send->whom.agent_count;
    default:
      return false;
  }
}

static void *copy_of(th_scene_moment *moment, const void *from, uint32_t count, size_t size) {
  void *to = th_moment_take(moment, count, size);
  if (to && count) memcpy(to, from, size * count);
  return to;
}

/* Linking writes into what it links. */
static void *copy_part(th_scene_moment *moment, const th_scene_event *event) {
  if (event->act == TH_ACT_CHANGE) return copy_of(moment, event->change, 1, sizeof *event->change);
  if (event->act == TH_ACT_SOURCE) return copy_of(moment, event->source, 1, sizeof *event->source);
  if (event->act == TH_ACT_CHOICE) {
    th_scene_choice *choice = copy_of(moment, event->choice, 1, sizeof *event->choice);
    if (choice) choice->option = copy_of(moment, choice->option, choice->option_count, sizeof *choice->option);
    return choice;
  }
  if (event->act != TH_ACT_ENTER) return event->part;
  th_scene_population *enter = copy_of(moment, event->enter, 1, sizeof *enter);
  if (enter && enter->single_count)
    enter->single = copy_of(moment, enter->single, enter->single_count, sizeof *enter->single);
  return enter;
}

/* Whether all that an event names is there, or will be. */
static bool is_linked(th_scene_moment *moment, const th_scene_event *event) {
  const th_json_text source = {"moment", "", 0};
  th_error unread = {0};
  th_scene_reader reader = {.source = &source, .memory = moment->memory, .error = &unread};
  th_scene_event copy = *event;
  copy.part = copy_part(moment, event);
  if (!copy.part && event->part) return true; /* no memory: the moment has failed */
  return th_act_link_event(&reader, &moment->scene, &copy) == TH_OK;
}

static void drop(th_scene *scene, uint32_t i) {
  memmove(&scene->event[i], &scene->event[i + 1], sizeof *scene->event * (--scene->event_count - i));
}

/* Leaving one out may leave others without what it makes. */
static void drop_unlinked(th_scene_moment *moment) {
  th_scene *scene = &moment->scene;
  for (uint32_t i = moment->first_count; i < scene->event_count && !moment->result;) {
    if (is_linked(moment, &scene->event[i])) {
      i++;
      continue;
    }
    th_moment_lose(moment, "the event %s to come: what it names is gone", th_act_rows[scene->event[i].act].name);
    drop(scene, i);
    i = moment->first_count;
  }
}

static void put_event(th_scene_moment *moment, const th_scene_event *event) {
  const th_world *world = moment->run->world;
  if (means_agents(event)) {
    th_moment_lose(moment, "the event %s to come: it means agents by ids, which are others in the new scene",
                   th_act_rows[event->act].name);
    return;
  }
  th_scene_event *to = &moment->scene.event[moment->scene.event_count++];
  *to = *event;
  if (event->step != TH_NO_INDEX)
    to->step = (uint32_t)(event->step - th_world_step_count(world));
  else
    to->at = fmaxf(0.0f, event->at - (float)th_world_time(world));
}

static void put_events(th_scene_moment *moment) {
  const th_run *run = moment->run;
  const th_scene *from = run->scene;
  th_scene *scene = &moment->scene;
  scene->event = th_moment_take(moment, moment->first_count + from->event_count, sizeof *scene->event);
  scene->event_count = 0;
  if (!scene->event) return;
  for (uint32_t i = 0; i < moment->first_count; i++) scene->event[scene->event_count++] = moment->first[i];
  for (uint32_t i = run->next_step_event; i < from->step_event_count; i++) put_event(moment, &from->event[i]);
  for (uint32_t i = run->next_event; i < from->event_count; i++) put_event(moment, &from->event[i]);
  drop_unlinked(moment);
  for (uint32_t i = 0; i < scene->event_count; i++) scene->event[i].order = i;
}

/* ---------------------------------------------------------------- what is lost */

static uint32_t agents_of(const th_world *world, const th_model *model, const th_guide *guide) {
  const th_agents agents = th_world_agents(world);
  uint32_t count = 0;
  for (uint32_t row = 0; row < agents.count; row++) {
    th_agent_def def;
    if (!th_world_agent_def(world, agents.id[row], &def)) continue;
    count += model && def.model == model;
    count += guide && def.guide.index && th_world_guide_kind(world, def.guide) == guide;
  }
  return count;
}

static void tell_memory(th_scene_moment *moment) {
  const th_world *world = moment->run->world;
  for (const th_model *const *m = th_models(); *m; m++) {
    const bool has = (*m)->state_size || (*m)->state_bytes || (*m)->marker_owners;
    const uint32_t count = has ? agents_of(world, *m, NULL) : 0;
    if (count) th_moment_lose(moment, "memory of the model %s: %u agents", (*m)->name, count);
  }
  for (const th_guide *const *g = th_guides(); *g; g++) {
    const uint32_t count = (*g)->learn ? agents_of(world, NULL, *g) : 0;
    if (count) th_moment_lose(moment, "what the guide %s has found out: %u agents", (*g)->name, count);
  }
  if (moment->scene.source_count) th_moment_lose(moment, "the moments at which sources emit next");
  if (memcmp(&moment->run->scene->expect, &moment->scene.expect, sizeof moment->scene.expect) != 0)
    th_moment_lose(moment, "what the scene expects of its run from the beginning");
}

/* ---------------------------------------------------------------- the scene */

static void open(th_scene_moment *moment) {
  const th_run *run = moment->run;
  th_scene *scene = &moment->scene;
  *scene = *run->scene;
  scene->world.seed = run->seed;
  scene->world.dt = th_world_dt(run->world);
  scene->duration = fmaxf(scene->world.dt, run->duration - (float)th_world_time(run->world));
  scene->mark_count = scene->in_force_count = scene->shows_count = 0;
  scene->expect = (th_scene_expect){.seeds = 1};
}

static void put_together(th_scene_moment *moment) {
  open(moment);
  if (!moment->result) th_moment_things(moment);
  if (!moment->result) th_moment_crowds(moment);
  if (!moment->result) put_events(moment);
  if (!moment->result) tell_memory(moment);
}

static th_result finish(th_scene_moment *moment, const th_scene_write_def *def, char **text, char **lost) {
  th_scene_writer writer = {.text.allocator = moment->run->env.allocator,
                            .scene = moment->run->scene,
                            .path = def->path,
                            .planner = def->planner,
                            .error = moment->error};
  th_result result = th_write_scene_text(&writer, &moment->scene, text);
  if (result || !lost) return result;
  th_text_append(&moment->lost, "");
  *lost = th_text_finish(&moment->lost);
  if (*lost) return TH_OK;
  th_text_free(*text);
  *text = NULL;
  return th_fail_memory(moment->error, "moment");
}

th_result th_run_write_moment(const th_run *run, const th_scene_write_def *def, char **text, char **lost,
                              th_error *error) {
  th_scene_moment moment = {.run = run, .lost.allocator = run->env.allocator, .error = error};
  *text = NULL;
  if (lost) *lost = NULL;
  th_result result = th_world_idle(run->world, "th_run_write_moment", error);
  if (result) return result;
  moment.memory = th_scene_memory_make(&run->env);
  if (!moment.memory) return th_fail_memory(error, "moment");
  put_together(&moment);
  result = moment.result ? moment.result : finish(&moment, def, text, lost);
  th_give(&run->env.allocator, moment.lost.text, moment.lost.capacity, 1);
  TH_GIVE(&run->env.allocator, moment.first, moment.first_capacity);
  th_scene_memory_free(moment.memory);
  return result;
}

th_result th_run_save_moment(const th_run *run, const th_scene_write_def *def, char **lost, th_error *error) {
  char *text;
  th_result result = th_run_write_moment(run, def, &text, lost, error);
  if (result == TH_OK) result = th_write_scene_file(def, text, error);
  th_text_free(text);
  if (result == TH_OK || !lost) return result;
  th_text_free(*lost);
  *lost = NULL;
  return result;
}
