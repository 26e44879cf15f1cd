/* io/scene/run/parts.c - the things with names that a run has now, for hosts.
 *
 * Those of the scene and those that events made, without those that are gone. Whether a door of the scene is closed the
 * ground tells; one that an event made knows it itself. Cost: things of the list; doors times barriers.
 */
#include <string.h>

#include "base/memory.h"
#include "io/scene/run.h"
#include "throng/watch.h"

static th_named kind_of(const char *list) {
  static const char *const name[TH_NAMED_KINDS] = {
      [TH_NAMED_GOAL] = "goals",     [TH_NAMED_GUIDE] = "guides", [TH_NAMED_POPULATION] = "populations",
      [TH_NAMED_SOURCE] = "sources", [TH_NAMED_GROUP] = "groups", [TH_NAMED_DOOR] = "ground.doors"};
  for (int kind = 0; kind < TH_NAMED_KINDS; kind++)
    if (name[kind] && strcmp(name[kind], list) == 0) return (th_named)kind;
  return TH_NAMED_NONE;
}

/* Doors and obstacles of the ground in force. */
typedef struct barriers {
  th_barrier *list;
  uint32_t count;
} barriers;

static bool is_closed(const barriers *all, const char *door) {
  for (uint32_t i = 0; i < all->count; i++)
    if (all->list[i].door && all->list[i].name && strcmp(all->list[i].name, door) == 0) return all->list[i].closed;
  return false;
}

static th_run_part part_of(const th_run *run, th_named kind, uint32_t index, const barriers *all) {
  const th_run_item *item = &run->list[kind].item[index];
  th_run_part part = {.name = item->name, .index = index};
  if (kind == TH_NAMED_GOAL) part.goal = th_run_goal_at(run, index);
  if (kind == TH_NAMED_GUIDE) part.guide = th_run_guide_at(run, index);
  if (kind == TH_NAMED_SOURCE) part.source = th_run_source_at(run, index);
  if (kind == TH_NAMED_GROUP) part.group = th_run_group_at(run, index);
  if (kind == TH_NAMED_DOOR) part.closed = item->area ? item->closed : is_closed(all, item->name);
  return part;
}

static uint32_t list_parts(const th_run *run, th_named kind, const barriers *all, th_run_part *part,
                           uint32_t capacity) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->list[kind].count; i++) {
    if (run->list[kind].item[i].gone) continue;
    if (count < capacity) part[count] = part_of(run, kind, i, all);
    count++;
  }
  return count;
}

uint32_t th_run_parts(const th_run *run, const char *list, th_run_part *part, uint32_t capacity) {
  const th_named kind = kind_of(list);
  barriers all = {NULL, 0};
  if (kind == TH_NAMED_NONE) return 0;
  if (kind == TH_NAMED_DOOR) all.count = th_world_barriers(run->world, NULL, 0);
  all.list = TH_TAKE(&run->env.allocator, th_barrier, all.count);
  if (!all.list) return 0;
  th_world_barriers(run->world, all.list, all.count);
  const uint32_t count = list_parts(run, kind, &all, part, capacity);
  TH_GIVE(&run->env.allocator, all.list, all.count);
  return count;
}
