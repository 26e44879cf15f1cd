/* world/agent/move_to.c - sends an agent to a point of its own.
 *
 * The point is a link of role target, and the guide `target` does the rest. Cost: constant; the first call of a world
 * adds the guide, which makes what paths need.
 */
#include <string.h>

#include "base/error.h"
#include "geometry/vector.h"
#include "throng/guide/target.h"
#include "world/agent/agents.h"

/* The target guide that the agent has, else the first of the world, else a new one. */
static th_result find_guide(th_world *world, uint32_t row, uint32_t *guide, th_error *error) {
  const th_guides_in_use *guides = &world->guides;
  *guide = world->rows.guide[row];
  if (*guide && guides->guide[*guide - 1].kind == &th_guide_target) return TH_OK;
  for (uint32_t i = 0; i < guides->ids.capacity; i++) {
    if (!th_ids_at(&guides->ids, i).index || guides->guide[i].kind != &th_guide_target) continue;
    *guide = i + 1;
    return TH_OK;
  }
  th_guide_id id = TH_NULL_GUIDE;
  const th_result result = th_world_add_guide(world, &th_guide_target, NULL, &id, error);
  *guide = id.index;
  return result;
}

/* The link of role target that the agent has, or room for one. */
static th_result find_link(const th_world *world, uint32_t row, uint32_t *link, th_error *error) {
  const th_rows *rows = &world->rows;
  *link = 0;
  while (*link < rows->link_count[row] && rows->links[row].target[*link].role != TH_ROLE_TARGET) ++*link;
  if (*link < TH_MAX_LINKS) return TH_OK;
  return th_fail(error, TH_ERROR_CAPACITY, "link", "expected fewer than %d links of the agent, or one of role target",
                 TH_MAX_LINKS);
}

static void end_route(th_world *world, uint32_t row) {
  th_route *route = &world->rows.route[row];
  memset(route, 0, sizeof *route); /* padding is hashed too */
  th_agent_head_for(world, row, 0);
}

th_result th_world_move_to(th_world *world, th_agent_id agent, th_vec3 point, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row, guide, link;
  th_result result = th_agent_find(world, agent, "th_world_move_to", &row, error);
  if (!result) result = th_world_idle(world, "th_world_move_to", error);
  if (!result && !th_finite3(point))
    result = th_fail(error, TH_ERROR_RANGE, "point", "expected a finite point, found %g, %g, %g", (double)point.x,
                     (double)point.y, (double)point.z);
  if (!result) result = find_link(world, row, &link, error);
  if (!result) result = find_guide(world, row, &guide, error);
  if (!result && guide != world->rows.guide[row]) result = th_guide_rows_for(world, guide, 1, error);
  if (result) return result;
  th_rows *rows = &world->rows;
  th_link_target *target = &rows->links[row].target[link];
  const bool same = rows->guide[row] == guide && link < rows->link_count[row] && target->kind == TH_LINK_POINT &&
                    target->at.x == point.x && target->at.y == point.y && target->at.z == point.z;
  const bool goes = rows->state[row] == TH_AGENT_ARRIVED || rows->state[row] == TH_AGENT_WALKING;
  if (same && !rows->route[row].count && goes) return TH_OK;
  if (link == rows->link_count[row]) rows->link_count[row]++;
  memset(target, 0, sizeof *target);
  target->kind = TH_LINK_POINT, target->role = TH_ROLE_TARGET, target->at = point;
  rows->names[row].agent[link] = TH_NULL_AGENT;
  th_guide_row_follow(world, row, guide);
  end_route(world, row);
  th_agent_set_off(world, row);
  return TH_OK;
}
