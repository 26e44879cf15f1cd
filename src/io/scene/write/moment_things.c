/* io/scene/write/moment_things.c - goals, choices, guides, sources, groups, doors and obstacles as they are now.
 *
 * They are those of the scene, changed by the events that were done, in their order: an event gives the whole of a
 * thing, so nothing has to be read back from the world but what sources have emitted. What was done to the world beside
 * th_run_do is not in them. Vertices that were moved are moved again at the beginning. Cost: events times things.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/events/events.h"
#include "io/scene/write/moment.h"
#include "io/scene/write/write.h"
#include "world/world.h"

/* ---------------------------------------------------------------- events that were done */

/* Of one step those by hand come first, then those with a step, then those with a time. */
typedef struct done {
  uint64_t step;
  uint32_t rank, order;
  const th_scene_event *event;
} done;

static int by_time(const void *a, const void *b) {
  const done *first = a, *second = b;
  if (first->step != second->step) return first->step < second->step ? -1 : 1;
  if (first->rank != second->rank) return first->rank < second->rank ? -1 : 1;
  return (first->order > second->order) - (first->order < second->order);
}

static uint64_t step_at(const th_scene *scene, float at) {
  return (uint64_t)ceil((double)at / (double)scene->world.dt - 1e-6);
}

static done *gather(th_scene_moment *moment, uint32_t *count) {
  const th_run *run = moment->run;
  const th_scene *scene = run->scene;
  const uint32_t entries = th_run_log_done(run);
  done *list = th_moment_take(moment, entries + scene->event_count, sizeof *list);
  *count = 0;
  for (uint32_t i = 0; i < entries && !moment->result; i++) {
    th_scene_event *event = th_moment_take(moment, 1, sizeof *event);
    if (event) moment->result = th_write_episode_entry(run, i, moment->memory, event, moment->error);
    if (!moment->result) list[(*count)++] = (done){th_run_log_when(run, i), 0, i, event};
  }
  for (uint32_t i = 0; i < run->next_step_event && list; i++)
    list[(*count)++] = (done){scene->event[i].step, 1, i, &scene->event[i]};
  for (uint32_t i = scene->step_event_count; i < run->next_event && list; i++)
    list[(*count)++] = (done){step_at(scene, scene->event[i].at), 2, i, &scene->event[i]};
  if (*count) qsort(list, *count, sizeof *list, by_time);
  return list;
}

/* ---------------------------------------------------------------- lists */

/* A list of the scene that is written, with room for one more per event. */
typedef struct things {
  uint8_t *item;
  uint32_t *count;
  size_t size, name;
} things;

static const char *name_at(const things *list, uint32_t i) {
  const char *name;
  memcpy(&name, list->item + i * list->size + list->name, sizeof name);
  return name;
}

static uint8_t *find(const things *list, const char *name) {
  for (uint32_t i = *list->count; i-- > 0 && name;)
    if (name_at(list, i) && strcmp(name_at(list, i), name) == 0) return list->item + i * list->size;
  return NULL;
}

static void put(const things *list, const char *name, const void *item) {
  uint8_t *to = find(list, name);
  if (!to) to = list->item + (*list->count)++ * list->size;
  memcpy(to, item, list->size);
}

static void drop(const things *list, const char *name) {
  uint8_t *gone = find(list, name), *end = list->item + *list->count * list->size;
  if (!gone) return;
  memmove(gone, gone + list->size, (size_t)(end - gone) - list->size);
  (*list->count)--;
}

/* A copy of `from` with room. */
static things open_list(th_scene_moment *moment, const void *from, uint32_t *count, uint32_t more, size_t size) {
  const things list = {.item = th_moment_take(moment, *count + more, size), .count = count, .size = size};
  if (list.item && *count) memcpy(list.item, from, size * *count);
  return list;
}

#define OPEN(kind, items, n, type, more)                                       \
  list[kind] = open_list(moment, scene->items, &scene->n, more, sizeof(type)); \
  list[kind].name = offsetof(type, name);                                      \
  if (list[kind].item) scene->items = (type *)(void *)list[kind].item

/* ---------------------------------------------------------------- what events have made of them */

static void shut(const things *doors, const char *name, bool closed) {
  th_scene_area *door = (th_scene_area *)(void *)find(doors, name);
  if (door) door->closed = closed;
}

static void shift(const things *goals, const th_scene_move *move) {
  th_scene_goal *goal = (th_scene_goal *)(void *)find(goals, move->goal);
  if (goal) goal->def.shape = move->shape;
}

/* An edit that was asked for and is not in force yet: people stand where it will put a wall. It is asked for again. */
static bool is_to_come(const th_scene_moment *moment, const done *one) {
  static const bool edits[TH_ACT_COUNT] = {
      [TH_ACT_OPEN] = true,   [TH_ACT_CLOSE] = true, [TH_ACT_ADD] = true,        [TH_ACT_OBSTACLE] = true,
      [TH_ACT_REMOVE] = true, [TH_ACT_DOOR] = true,  [TH_ACT_REMOVE_DOOR] = true};
  const th_world *world = moment->run->world;
  return edits[one->event->act] && one->step + world->def.latency >= th_world_step_count(world);
}

static void ask_again(th_scene_moment *moment, const th_scene_event *event) {
  th_scene_event *first = th_moment_begin_with(moment, (th_scene_act)event->act, event->part);
  if (first) first->name = event->name;
}

static void apply(th_scene_moment *moment, const things list[TH_NAMED_KINDS], const th_scene_event *event) {
  th_named made;
  const char *name = th_act_made(event, &made);
  if (event->act == TH_ACT_ADD) name = NULL; /* never in the place of another */
  if (made != TH_NAMED_NONE && made != TH_NAMED_POPULATION) put(&list[made], name, event->part);
  switch (event->act) {
    case TH_ACT_OPEN:
    case TH_ACT_CLOSE:
      shut(&list[TH_NAMED_DOOR], event->name, event->act == TH_ACT_CLOSE);
      break;
    case TH_ACT_MOVE:
      shift(&list[TH_NAMED_GOAL], event->move);
      break;
    case TH_ACT_REMOVE:
    case TH_ACT_REMOVE_GOAL:
    case TH_ACT_REMOVE_CHOICE:
    case TH_ACT_REMOVE_GUIDE:
    case TH_ACT_REMOVE_SOURCE:
    case TH_ACT_REMOVE_GROUP:
    case TH_ACT_REMOVE_DOOR:
      drop(&list[th_act_rows[event->act].of], event->name);
      break;
    case TH_ACT_DEFORM:
      th_moment_begin_with(moment, TH_ACT_DEFORM, event->part);
      break;
    default:
      break;
  }
}

/* What is put on a mesh blocks the faces whose middles it holds, and those have moved. */
static bool blocks_moved_faces(const done *all, uint32_t i) {
  const int32_t act = all[i].event->act;
  bool moved = false;
  for (uint32_t k = 0; k < i && !moved; k++) moved = all[k].event->act == TH_ACT_DEFORM;
  return moved && (act == TH_ACT_ADD || act == TH_ACT_OBSTACLE || act == TH_ACT_DOOR || act == TH_ACT_CLOSE);
}

static void apply_all(th_scene_moment *moment, const things list[TH_NAMED_KINDS], const done *all, uint32_t count) {
  for (uint32_t i = 0; i < count && !moment->result; i++) {
    if (blocks_moved_faces(all, i))
      moment->result = th_fail(moment->error, TH_ERROR_STATE, "moment",
                               "expected nothing that blocks faces after vertices were moved, found the event %s of "
                               "step %llu: no scene says which faces those are",
                               th_act_rows[all[i].event->act].name, (unsigned long long)all[i].step);
    else if (is_to_come(moment, &all[i]))
      ask_again(moment, all[i].event);
    else
      apply(moment, list, all[i].event);
  }
}

static void open_lists(th_scene_moment *moment, uint32_t more, things list[TH_NAMED_KINDS]) {
  th_scene *scene = &moment->scene;
  OPEN(TH_NAMED_GOAL, goal, goal_count, th_scene_goal, more);
  OPEN(TH_NAMED_CHOICE, choice, choice_count, th_scene_choice, more);
  OPEN(TH_NAMED_GUIDE, guide, guide_count, th_scene_guide, more);
  OPEN(TH_NAMED_SOURCE, source, source_count, th_scene_source, more);
  OPEN(TH_NAMED_GROUP, group, group_count, th_scene_group, more);
  OPEN(TH_NAMED_DOOR, ground.door, ground.door_count, th_scene_area, more);
  OPEN(TH_NAMED_OBSTACLE, ground.obstacle, ground.obstacle_count, th_scene_area, more);
}

/* ---------------------------------------------------------------- sources go on */

static bool has_goal(const th_scene *scene, const char *name) {
  for (uint32_t i = 0; i < scene->goal_count; i++)
    if (strcmp(scene->goal[i].name, name) == 0) return true;
  return false;
}

static bool has_choice(const th_scene *scene, const char *name) {
  for (uint32_t i = 0; i < scene->choice_count; i++)
    if (strcmp(scene->choice[i].name, name) == 0) return true;
  return false;
}

static bool has_guide(const th_scene *scene, const char *name) {
  for (uint32_t i = 0; i < scene->guide_count; i++)
    if (strcmp(scene->guide[i].name, name) == 0) return true;
  return false;
}

bool th_moment_things_stop(const th_scene_moment *moment, const char *name) {
  return has_goal(&moment->scene, name) || has_choice(&moment->scene, name);
}

void th_moment_things_forget(th_scene_moment *moment, th_scene_crowd *crowd) {
  const th_scene *scene = &moment->scene;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < crowd->stop_count; i++)
    if (th_moment_things_stop(moment, crowd->stop[i].name)) crowd->stop[kept++] = crowd->stop[i];
  crowd->stop_count = kept;
  if (!kept) crowd->given &= ~th_scene_crowd_key_bit("route");
  if (!crowd->guide || has_guide(scene, crowd->guide)) return;
  crowd->guide = NULL;
  crowd->given &= ~th_scene_crowd_key_bit("guide");
}

/* False: it is over. */
static bool go_on(th_scene_moment *moment, th_scene_source *source) {
  const th_run *run = moment->run;
  const float now = (float)th_world_time(run->world);
  const th_source_id id = th_run_source_at(run, th_run_named(run, TH_NAMED_SOURCE, source->name));
  const uint32_t emitted = th_world_source_emitted(run->world, id);
  th_source_def *def = &source->def;
  th_moment_things_forget(moment, &source->crowd);
  if (source->crowd.links.name[TH_ROLE_LEADER] || source->crowd.given & th_scene_crowd_key_bit("links")) {
    th_moment_lose(moment, "links of agents to come from the source %s", source->name);
    source->crowd.links = (th_scene_links){0};
    source->crowd.given &= ~th_scene_crowd_key_bit("links");
  }
  if (def->end <= now || (def->total && emitted >= def->total)) return false;
  def->begin = fmaxf(0.0f, def->begin - now);
  def->end -= now;
  if (def->total) def->total -= emitted;
  return true;
}

/* In a world an obstacle may come to stand on a goal; a scene cannot begin so. */
static void keep_goals(th_scene_moment *moment) {
  th_scene *scene = &moment->scene;
  const th_ground *ground = th_world_ground(moment->run->world);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < scene->goal_count && !moment->result; i++) {
    if (th_goal_touches(ground, &scene->goal[i].def.shape, NULL) == TH_OK)
      scene->goal[kept++] = scene->goal[i];
    else
      th_moment_lose(moment, "the goal %s, on which something solid stands", scene->goal[i].name);
  }
  scene->goal_count = kept;
}

/* Goals that are gone are no options; false: none is left. */
static bool has_options(th_scene_moment *moment, th_scene_choice *choice) {
  th_scene_option *option = th_moment_take(moment, choice->option_count, sizeof *option);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < choice->option_count && option; i++)
    if (has_goal(&moment->scene, choice->option[i].goal)) option[kept++] = choice->option[i];
  choice->option = option;
  choice->option_count = choice->def.option_count = kept;
  return kept;
}

static void keep_choices(th_scene_moment *moment) {
  th_scene *scene = &moment->scene;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < scene->choice_count && !moment->result; i++)
    if (has_options(moment, &scene->choice[i])) scene->choice[kept++] = scene->choice[i];
  scene->choice_count = kept;
  if (kept) th_moment_lose(moment, "which option of a choice an agent has taken: all choose again");
}

void th_moment_things(th_scene_moment *moment) {
  things list[TH_NAMED_KINDS] = {{0}};
  uint32_t count;
  const done *all = gather(moment, &count);
  if (!moment->result) open_lists(moment, count, list);
  if (!moment->result) apply_all(moment, list, all, count);
  if (!moment->result) keep_goals(moment);
  keep_choices(moment);
  th_scene *scene = &moment->scene;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < scene->source_count && !moment->result; i++)
    if (go_on(moment, &scene->source[i])) scene->source[kept++] = scene->source[i];
  scene->source_count = kept;
}
