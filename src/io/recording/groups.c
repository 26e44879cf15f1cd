/* io/recording/groups.c - which agents of a recording are in which group, and from which frame on.
 *
 * A row of throng_member is written when an agent is in another group than in the frame before, so a recording without
 * groups has none, and one whose groups stay has a row per agent. Cost: one look at every agent per frame, from the
 * first group of the world on.
 */
#include "base/error.h"
#include "io/recording/recording.h"
#include "throng/group.h"

static th_numbered *group_of(th_recording *recording, th_group_id group) {
  return th_numbers_owner(&recording->groups, &recording->env.allocator, group.index, group.generation);
}

static th_numbered *agent_of(th_recording *recording, th_agent_id agent) {
  return th_numbers_owner(&recording->agents, &recording->env.allocator, agent.index, agent.generation);
}

/* The number of a group in the file, 0: none. Its row is added when it is new or has got a name. */
static int64_t group_number(th_recording *recording, th_group_id group) {
  if (th_is_null_group(group)) return 0;
  th_numbered *owner = group_of(recording, group);
  if (owner->number && !owner->news) return owner->number;
  if (!owner->number) owner->number = ++recording->groups.count;
  owner->news = false;
  th_record_add(recording,
                (th_record){.kind = TH_RECORD_GROUP, .id = owner->number, .word = owner->name ? owner->name : ""});
  return owner->number;
}

th_result th_recording_group(th_recording *recording, th_group_id group, const char *name, th_error *error) {
  if (th_is_null_group(group)) return th_fail(error, TH_ERROR_STATE, recording->path, "expected a group, found none");
  const char *kept = th_record_keep_name(recording, name);
  th_numbered *owner = kept ? group_of(recording, group) : NULL;
  if (!owner) return th_fail_memory(error, recording->path);
  th_result result = th_record_begin(recording, 1, 0, error);
  if (result != TH_OK) return result;
  owner->name = kept;
  owner->news = true;
  (void)group_number(recording, group);
  th_record_end(recording);
  return TH_OK;
}

/* Whether an agent of the frame is in another group than before. */
static bool has_changed(const th_numbered *owner, th_group_id group) {
  return owner->group != ((uint64_t)group.index << 16 | group.generation);
}

/* How many records there will be; false when out of memory. */
static bool meet_groups(th_recording *recording, const th_world *world, uint32_t *records) {
  const th_agents agents = th_world_agents(world);
  for (uint32_t row = 0; row < agents.count; row++) {
    if (agents.state[row] == TH_AGENT_DELAYED) continue;
    const th_group_id group = th_world_agent_group(world, agents.id[row]);
    const th_numbered *owner = agent_of(recording, agents.id[row]);
    if (!owner) return false;
    if (!has_changed(owner, group)) continue;
    if (!th_is_null_group(group) && !group_of(recording, group)) return false;
    *records += 4; /* agent, its goal, group, member */
  }
  return true;
}

static void add_member(th_recording *recording, const th_world *world, th_agent_id agent, uint64_t frame) {
  const th_group_id group = th_world_agent_group(world, agent);
  if (!has_changed(agent_of(recording, agent), group)) return;
  const int64_t number = group_number(recording, group), id = th_record_number(recording, agent);
  agent_of(recording, agent)->group = (uint64_t)group.index << 16 | group.generation;
  th_record_add(recording, (th_record){.kind = TH_RECORD_MEMBER, .step = frame, .id = id, .goal = number});
}

th_result th_recording_members(th_recording *recording, const th_world *world, th_error *error) {
  const uint64_t step = th_world_step_count(world);
  recording->grouped = recording->grouped || th_world_groups(world, NULL, 0) > 0;
  if (!recording->grouped || step % recording->every != 0) return TH_OK;
  uint32_t records = 0;
  if (!meet_groups(recording, world, &records)) return th_fail_memory(error, recording->path);
  th_result result = records ? th_record_begin(recording, records, 0, error) : TH_OK;
  if (result != TH_OK || !records) return result;
  const th_agents agents = th_world_agents(world);
  for (uint32_t row = 0; row < agents.count; row++)
    if (agents.state[row] != TH_AGENT_DELAYED) add_member(recording, world, agents.id[row], step / recording->every);
  th_record_end(recording);
  return TH_OK;
}
