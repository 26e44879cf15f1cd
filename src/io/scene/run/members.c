/* io/scene/run/members.c - the members of populations, and the population of an agent.
 *
 * Members keep their numbers, which draws are made from, also when they have left the world. Members by the index of
 * their id, so that finding the population of an agent costs one read.
 */
#include "base/error.h"
#include "base/memory.h"
#include "io/scene/run.h"

bool th_run_members_reserve(th_run *run, uint32_t more) {
  void *memory = run->member;
  bool grown =
      th_grow(&run->env.allocator, &memory, &run->member_capacity, run->member_count + more, sizeof *run->member);
  run->member = memory;
  return grown;
}

/* An index that was given again belongs to the last one who got it. */
th_result th_run_members_own(th_run *run, th_error *error) {
  uint32_t max = 0;
  for (uint32_t i = 0; i < run->member_count; i++) max = run->member[i].id.index > max ? run->member[i].id.index : max;
  void *memory = run->owner;
  bool grown = th_grow(&run->env.allocator, &memory, &run->owner_count, max + 1, sizeof *run->owner);
  run->owner = memory;
  if (!grown) return th_fail_memory(error, "populations");
  for (uint32_t i = 0; i < run->owner_count; i++) run->owner[i] = TH_NO_INDEX;
  for (uint32_t i = 0; i < run->member_count; i++) run->owner[run->member[i].id.index] = i;
  return TH_OK;
}

uint32_t th_run_population(const th_run *run, th_agent_id agent) {
  uint32_t i = agent.index < run->owner_count ? run->owner[agent.index] : TH_NO_INDEX;
  if (i == TH_NO_INDEX || run->member[i].id.generation != agent.generation) return TH_NO_INDEX;
  return run->member[i].population;
}

void th_run_members_free(th_run *run) {
  const th_allocator *a = &run->env.allocator;
  TH_GIVE(a, run->member, run->member_capacity);
  TH_GIVE(a, run->owner, run->owner_count);
  TH_GIVE(a, run->picked, run->picked_capacity);
}
