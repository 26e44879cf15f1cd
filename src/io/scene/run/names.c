/* io/scene/run/names.c - the things of a run that have names: goals, choices, guides, populations, sources, groups
 * and doors.
 *
 * Events name things; a name may be given again once its thing is gone. Lists only grow, those of the scene come first,
 * and an index names a thing for as long as the run goes forwards, so that crowds of the scene keep theirs. Guides and
 * sources that are gone stay in the world without effect: a world restores only those that it still has.
 * Cost: finding a name is a pass over its list.
 */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/scene/read.h"
#include "io/scene/run.h"

uint32_t th_run_named(const th_run *run, th_named kind, const char *name) {
  const th_run_list *list = &run->list[kind];
  for (uint32_t i = list->count; i-- > 0;)
    if (list->item[i].name && !list->item[i].gone && strcmp(list->item[i].name, name) == 0) return i;
  return TH_NO_INDEX;
}

th_result th_run_names_fail(th_error *error, const char *what, const char *name) {
  return th_fail(error, TH_ERROR_STATE, "event", "expected the name of %s that is there, found \"%.60s\"", what, name);
}

static bool grow(th_run *run, th_named kind, uint32_t count) {
  th_run_list *list = &run->list[kind];
  void *memory = list->item;
  bool grown = th_grow(&run->env.allocator, &memory, &list->capacity, count, sizeof *list->item);
  list->item = memory;
  return grown;
}

/* Memory for one more, and for its name: then adding it cannot fail. */
bool th_run_names_reserve(th_run *run, th_named kind, const char *name, const char **own) {
  *own = name ? th_scene_memory_text(run->memory, name) : NULL;
  return (!name || *own) && grow(run, kind, run->list[kind].count + 1);
}

uint32_t th_run_names_add(th_run *run, th_named kind, const char *own, th_id id) {
  th_run_list *list = &run->list[kind];
  list->item[list->count] = (th_run_item){.name = own, .id = id};
  return list->count++;
}

th_result th_run_names_make(th_run *run, th_error *error) {
  const th_scene *scene = run->scene;
  const uint32_t count[TH_NAMED_KINDS] = {
      [TH_NAMED_GOAL] = scene->goal_count,     [TH_NAMED_GUIDE] = scene->guide_count,
      [TH_NAMED_SOURCE] = scene->source_count, [TH_NAMED_POPULATION] = scene->population_count,
      [TH_NAMED_GROUP] = scene->group_count,   [TH_NAMED_DOOR] = scene->ground.door_count,
      [TH_NAMED_CHOICE] = scene->choice_count};
  run->memory = th_scene_memory_make(&run->env);
  bool made = run->memory != NULL;
  for (int kind = 0; kind < TH_NAMED_KINDS && made; kind++) made = grow(run, (th_named)kind, count[kind]);
  if (!made) return th_fail_memory(error, scene->path);
#define NAMES(kind, items)                              \
  for (uint32_t i = 0; i < count[TH_NAMED_##kind]; i++) \
  th_run_names_add(run, TH_NAMED_##kind, scene->items[i].name, (th_id){0})
  NAMES(GOAL, goal);
  NAMES(GUIDE, guide);
  NAMES(SOURCE, source);
  NAMES(POPULATION, population);
  NAMES(GROUP, group);
  NAMES(DOOR, ground.door);
  NAMES(CHOICE, choice);
#undef NAMES
  return TH_OK;
}

void th_run_names_free(th_run *run) {
  for (int kind = 0; kind < TH_NAMED_KINDS; kind++)
    TH_GIVE(&run->env.allocator, run->list[kind].item, run->list[kind].capacity);
  th_scene_memory_free(run->memory);
}

#define ID_AT(name, kind)                                                \
  th_##name##_id th_run_##name##_at(const th_run *run, uint32_t index) { \
    const th_run_list *list = &run->list[TH_NAMED_##kind];               \
    if (index >= list->count) return (th_##name##_id){0};                \
    const th_id id = list->item[index].id;                               \
    return (th_##name##_id){id.index, id.generation, id.tag};            \
  }
ID_AT(goal, GOAL)
ID_AT(choice, CHOICE)
ID_AT(guide, GUIDE)
ID_AT(group, GROUP)
ID_AT(source, SOURCE)
