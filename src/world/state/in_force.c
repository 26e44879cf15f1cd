/* world/state/in_force.c - at which steps a world in real time took what it had asked for, and taking it at these steps
 * again.
 *
 * Requests come into force in the order in which they were made, so a step and how many came into force in it say all
 * that timing decided. A world that has such a list, or was put back to an earlier step, follows it up to the last step
 * it tells about: it waits for what the list takes and leaves what the list leaves. Requests whose goals have all gone
 * change nothing and are not counted. Cost: one comparison per step.
 */
#include "world/state/in_force.h"

#include "base/error.h"
#include "base/memory.h"

/* The first entry of this step or a later one. A restored world may have gone back. */
static uint32_t at_step(const th_in_force_list *list, uint64_t step) {
  uint32_t n = list->count;
  while (n > 0 && list->entry[n - 1].step >= step) n--;
  return n;
}

static bool room_for(th_world *world, uint32_t count) {
  th_in_force_list *list = &world->in_force;
  void *memory = list->entry;
  const bool grown = th_grow(&world->env.allocator, &memory, &list->capacity, count, sizeof *list->entry);
  list->entry = memory;
  return grown;
}

bool th_in_force_reserve(th_world *world) {
  uint32_t pending = 1;
  if (!world->def.realtime) return true;
  for (const th_request *request = world->request; request; request = request->next) pending++;
  return room_for(world, world->in_force.count + pending);
}

uint32_t th_in_force_due(const th_world *world) {
  const th_in_force_list *list = &world->in_force;
  if (!world->def.realtime || world->step >= list->until) return TH_IN_FORCE_READY;
  const uint32_t n = at_step(list, world->step);
  return n < list->count && list->entry[n].step == world->step ? list->entry[n].count : 0;
}

void th_in_force_tell(th_world *world, uint32_t count) {
  th_in_force_list *list = &world->in_force;
  if (!world->def.realtime || world->step < list->until) return;
  list->until = world->step + 1;
  if (count && list->count < list->capacity) list->entry[list->count++] = (th_in_force){world->step, count};
}

void th_in_force_free(th_world *world) {
  TH_GIVE(&world->env.allocator, world->in_force.entry, world->in_force.capacity);
  world->in_force = (th_in_force_list){0};
}

const th_in_force *th_world_in_force(const th_world *world, uint32_t *count) {
  *count = 0;
  if (th_no_world(world, __func__)) return NULL;
  *count = world->in_force.count;
  return world->in_force.entry;
}

th_result th_world_follow_in_force(th_world *world, const th_in_force *list, uint32_t count, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_follow_in_force", error);
  if (result) return result;
  if (!world->def.realtime && count)
    return th_fail(error, TH_ERROR_STATE, "in_force", "expected a world in real time (th_world_def.realtime)");
  for (uint32_t i = 1; i < count; i++)
    if (list[i].step <= list[i - 1].step) {
      result = th_fail(error, TH_ERROR_RANGE, "in_force", "expected a step after %llu, found %llu",
                       (unsigned long long)list[i - 1].step, (unsigned long long)list[i].step);
      if (error) error->element = i;
      return result;
    }
  if (!room_for(world, count)) return th_fail_memory(error, "in_force");
  for (uint32_t i = 0; i < count; i++) world->in_force.entry[i] = list[i];
  world->in_force.count = count;
  world->in_force.until = count ? list[count - 1].step + 1 : 0;
  return th_in_force_reserve(world) ? TH_OK : th_fail_memory(error, "in_force");
}
