/* io/scene/events/whom.c - the agents that an event means.
 *
 * By population, by their ids, by group, or by where they are at that moment. The list keeps an order that depends on
 * the state alone: numbers of members, or ids. Cost: one pass over members, or over all agents.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "io/scene/events/events.h"

static th_result reserve(th_run *run, uint32_t count, th_error *error) {
  void *memory = run->picked;
  bool grown = th_grow(&run->env.allocator, &memory, &run->picked_capacity, count, sizeof *run->picked);
  run->picked = memory;
  run->picked_count = 0;
  return grown ? TH_OK : th_fail_memory(error, "event");
}

th_result th_run_whom_of(th_run *run, uint32_t population, th_error *error) {
  th_result result = reserve(run, run->member_count, error);
  for (uint32_t i = 0; i < run->member_count && !result; i++) {
    const th_run_member *member = &run->member[i];
    if (member->population == population && th_world_has_agent(run->world, member->id))
      run->picked[run->picked_count++] = member->id;
  }
  return result;
}

static int by_index(const void *a, const void *b) {
  const th_agent_id *first = a, *second = b;
  return (first->index > second->index) - (first->index < second->index);
}

/* The agent that has an index now; the ids of all are sorted. */
static const th_agent_id *find(const th_agent_id *id, uint32_t count, uint32_t index) {
  return bsearch(&(th_agent_id){.index = index}, id, count, sizeof *id, by_index);
}

static th_agent_id *sorted_ids(const th_run *run, uint32_t *count) {
  const th_agents agents = th_world_agents(run->world);
  th_agent_id *id = TH_TAKE(&run->env.allocator, th_agent_id, agents.count);
  *count = agents.count;
  for (uint32_t row = 0; id && row < agents.count; row++) id[row] = agents.id[row];
  if (id && agents.count) qsort(id, agents.count, sizeof *id, by_index);
  return id;
}

th_result th_run_whom_listed(th_run *run, const int32_t *agent, uint32_t count, th_error *error) {
  uint32_t present;
  th_result result = reserve(run, count, error);
  th_agent_id *id = result ? NULL : sorted_ids(run, &present);
  if (!id) return result ? result : th_fail_memory(error, "event");
  for (uint32_t i = 0; i < count && !result; i++) {
    const th_agent_id *found = find(id, present, (uint32_t)agent[i]);
    if (found)
      run->picked[run->picked_count++] = *found;
    else
      result = th_fail(error, TH_ERROR_STATE, "agents", "expected agents that are in the world, found the index %d",
                       agent[i]);
  }
  TH_GIVE(&run->env.allocator, id, present);
  return result;
}

static th_result inside(th_run *run, const th_shape *region, th_error *error) {
  const th_agents agents = th_world_agents(run->world);
  const th_ground *ground = th_world_ground(run->world);
  th_result result = reserve(run, agents.count, error);
  if (result) return result;
  for (uint32_t row = 0; row < agents.count; row++) {
    const th_place place = {agents.cell[row], agents.x[row], agents.y[row]};
    if (agents.state[row] != TH_AGENT_DELAYED && th_scene_inside(ground, region, place))
      run->picked[run->picked_count++] = agents.id[row];
  }
  if (run->picked_count) qsort(run->picked, run->picked_count, sizeof *run->picked, by_index);
  return TH_OK;
}

static th_result members_of(th_run *run, const char *name, th_error *error) {
  const uint32_t group = th_run_named(run, TH_NAMED_GROUP, name);
  if (group == TH_NO_INDEX) return th_run_names_fail(error, "a group", name);
  const th_group_id id = th_run_group_at(run, group);
  const uint32_t count = th_world_group_members(run->world, id, NULL, 0);
  th_result result = reserve(run, count, error);
  if (!result) run->picked_count = th_world_group_members(run->world, id, run->picked, count);
  return result;
}

th_result th_run_whom(th_run *run, const th_scene_whom *whom, th_error *error) {
  if (whom->group) return members_of(run, whom->group, error);
  if (whom->region.count) return inside(run, &whom->region, error);
  if (!whom->population) return th_run_whom_listed(run, whom->agent, whom->agent_count, error);
  const uint32_t population = th_run_named(run, TH_NAMED_POPULATION, whom->population);
  if (population == TH_NO_INDEX) return th_run_names_fail(error, "a population", whom->population);
  return th_run_whom_of(run, population, error);
}
