/* world/agent/stop_distance.c - how far people still walk to where they will wait.
 *
 * A goal where people wait is a point or a small place, and not all fit. A person that comes up to somebody who waits
 * at the same goal, nearer to it, stops at the distance that it keeps from people ahead and waits there, instead of
 * pressing on until those who wait have to make way. Knowing the distance it slows down before (step/people.c). Only
 * people who are held up, or near their goal, ask. Cost: some 5 us for each of them.
 */
#include <math.h>

#include "world/nearby.h"
#include "world/step/step.h"

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

float th_agent_stop_distance(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const uint32_t goal = waiting_goal(world, row);
  if (!goal) return INFINITY;
  const th_vec3 at = th_row_point(world, row);
  const float speed = rows->speed[row], brake = speed * speed / (2.0f * rows->acceleration_max[row]);
  const float own = rows->radius[row] + speed * rows->time_gap[row];
  float stop = rows->left[row] - rows->arrive[row];
  uint32_t other;
  for (th_nearby walk = th_nearby_begin(world, at, own + brake + world->order.radius_max);
       th_nearby_next(&walk, &other);) {
    if (other == row || !waits_at(rows, other, goal) || rows->left[other] > rows->left[row]) continue;
    const th_vec3 p = th_row_point(world, other);
    const float x = p.x - at.x, y = p.y - at.y, z = p.z - at.z;
    stop = fminf(stop, sqrtf(x * x + y * y + z * z) - own - rows->radius[other]);
  }
  return stop;
}
