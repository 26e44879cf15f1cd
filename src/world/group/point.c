/* world/group/point.c - the common point of a group, to which its members walk.
 *
 * The point is a random marker of the group's area. It is an ordinary goal that the group owns; members get it as their
 * route and stay when they arrive. Everything that may fail is tried before anything changes. Cost: a geodesic field,
 * and a pass over the rows.
 */
#include "base/random.h"
#include "world/agent/agents.h"
#include "world/group/groups.h"
#include "world/world.h"

#define POINT_STREAM 0x6770u

/* A common point, as the group's goal. Where no marker lies in the area, nobody could fill it. */
static th_result find_point(th_world *world, uint32_t index, const th_shared *shared, th_error *error) {
  th_group *group = &world->groups.group[index];
  if (th_group_area_is_empty(&group->area)) return TH_OK;
  uint64_t bits = th_random(world->def.seed, POINT_STREAM, index, group->numbers.draws++);
  if (!th_groups_pick(shared, index, bits, &group->numbers.point))
    return th_fail(error, TH_ERROR_GEOMETRY, "area", "expected an area on the ground, found no marker in it");
  th_goal_def goal = th_default_goal_def();
  goal.shape = th_point_shape_at(group->numbers.point);
  goal.field = TH_FIELD_GEODESIC;
  goal.arrive = 0.3f;
  th_goal_id id;
  th_result result = th_world_add_goal(world, &goal, &id, error);
  if (!result) group->numbers.goal = id.index;
  return result;
}

void th_group_point_drop(th_world *world, uint32_t goal) {
  th_id id = goal ? th_ids_at(&world->goals.ids, goal - 1) : (th_id){0};
  if (id.index) th_world_remove_goal(world, (th_goal_id){id.index, id.generation, id.tag});
}

/* The common point becomes the route of a member, who stays when it gets there. */
static th_agent_def sent(const th_world *world, uint32_t row, const th_group *group) {
  th_id goal = th_ids_at(&world->goals.ids, group->numbers.goal - 1);
  th_agent_def def;
  th_world_agent_def(world, world->rows.id[row], &def);
  def.route[0] = (th_stop){.goal = {goal.index, goal.generation, goal.tag}};
  def.route_count = 1, def.loop = def.remove = false;
  return def;
}

th_result th_group_point_may_send(th_world *world, uint32_t row, const th_group *group, th_error *error) {
  if (!group->numbers.goal) return TH_OK;
  th_agent_def def = sent(world, row, group);
  return th_agent_may_change(world, row, &def, error);
}

/* After may_send, so it does not fail. */
void th_group_point_send(th_world *world, uint32_t row, const th_group *group) {
  if (!group->numbers.goal) return;
  th_agent_def def = sent(world, row, group);
  (void)th_world_change_agent(world, world->rows.id[row], &def, NULL);
}

/* Whether all members of a group, and these agents, can reach its point. */
th_result th_group_point_may_send_all(th_world *world, uint32_t index, const th_agent_id *agent, uint32_t count,
                                      th_error *error) {
  const th_group *group = &world->groups.group[index];
  th_result result = TH_OK;
  for (uint32_t row = 0; row < world->rows.count && !result; row++)
    if (world->rows.group[row] == index + 1) result = th_group_point_may_send(world, row, group, error);
  for (uint32_t i = 0; i < count && !result; i++)
    result = th_group_point_may_send(world, th_world_row(world, agent[i]), group, error);
  return result;
}

/* Replaces what groups have on the version in force and on pending ones, unless somebody could not follow. */
th_result th_group_reshape(th_world *world, uint32_t index, const th_agent_id *agent, uint32_t count, th_error *error) {
  th_shared fresh = {0};
  th_result result = th_groups_share(world, world->ground, &fresh, error);
  if (!result) result = find_point(world, index, &fresh, error);
  if (!result) result = th_group_point_may_send_all(world, index, agent, count, error);
  if (!result) result = th_shared_renew_groups(world, error);
  if (result) {
    th_shared_drop(&world->env, &fresh);
    return result;
  }
  th_shared_drop(&world->env, &world->groups.on_ground);
  world->groups.on_ground = fresh;
  return TH_OK;
}
