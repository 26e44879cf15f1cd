/* world/agent/near_enough.c - people who cannot get nearer to where others wait already are there.
 *
 * A goal where people wait is a point or a small place, and not all fit. A person held up on its path by somebody
 * who waits at the same goal has come as near as it can: it waits where it is, instead of milling round the others for
 * as long as they stay. Only people who are held up ask. Cost: some 5 us for each of them.
 */
#include "world/nearby.h"
#include "world/step/step.h"

#define ROOM 0.6f /* [m]: more room than this between two bodies could be walked */

static bool waits_at(const th_rows *rows, uint32_t row, uint32_t goal) {
  const th_route *route = &rows->route[row];
  const bool waits = rows->state[row] == TH_AGENT_WAITING || rows->state[row] == TH_AGENT_ARRIVED;
  return waits && route->next < route->count && route->goal[route->next] == goal;
}

/* The goal at which an agent will wait; 0: it goes on, or leaves. */
static uint32_t waiting_goal(const th_world *world, uint32_t row) {
  const th_route *route = &world->rows.route[row];
  if (world->rows.state[row] != TH_AGENT_WALKING || route->next >= route->count || !(route->wait[route->next] > 0.0f))
    return 0;
  const uint32_t goal = route->goal[route->next];
  return goal && !world->goals.goal[goal - 1].def.sink ? goal : 0;
}

bool th_agent_near_enough(const th_world *world, uint32_t row) {
  const uint32_t goal = waiting_goal(world, row);
  if (!goal) return false;
  const th_vec3 at = th_row_point(world, row);
  const float own = world->rows.radius[row] + ROOM;
  uint32_t other;
  for (th_nearby walk = th_nearby_begin(world, at, own + world->order.radius_max); th_nearby_next(&walk, &other);) {
    if (other == row || !waits_at(&world->rows, other, goal)) continue;
    const th_vec3 p = th_row_point(world, other);
    const float x = p.x - at.x, y = p.y - at.y, z = p.z - at.z, reach = own + world->rows.radius[other];
    if (x * x + y * y + z * z < reach * reach) return true;
  }
  return false;
}
