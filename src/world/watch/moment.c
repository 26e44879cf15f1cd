/* world/watch/moment.c - densities and overlaps of a crowd at one moment.
 *
 * The walk over nearby agents finds who counts, so the cost is linear in the agents and in their neighbours.
 */
#include <math.h>

#include "base/trig.h"
#include "throng/watch.h"
#include "world/nearby.h"

static float apart(th_vec3 a, th_vec3 b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return sqrtf(x * x + y * y + z * z);
}

static bool is_there(const th_world *world, uint32_t row) { return world->rows.state[row] != TH_AGENT_DELAYED; }

void th_world_density(const th_world *world, float radius, float *density) {
  if (th_no_world(world, __func__)) return;
  for (uint32_t row = 0; row < world->rows.count; row++) {
    const th_vec3 at = th_row_point(world, row);
    uint32_t count = 0, other;
    density[row] = 0.0f;
    if (!is_there(world, row)) continue;
    for (th_nearby n = th_nearby_begin(world, at, radius); th_nearby_next(&n, &other);)
      count += is_there(world, other) && apart(at, th_row_point(world, other)) <= radius;
    density[row] = (float)count / ((float)TH_PI * radius * radius);
  }
}

uint32_t th_world_overlaps(const th_world *world, float least, th_overlap *list, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  const th_agents agents = th_world_agents(world);
  uint32_t count = 0, other;
  for (uint32_t row = 0; row < agents.count; row++) {
    const th_vec3 at = th_row_point(world, row);
    if (!is_there(world, row)) continue;
    for (th_nearby n = th_nearby_begin(world, at, agents.body[row] + world->order.radius_max);
         th_nearby_next(&n, &other);) {
      if (other <= row || !is_there(world, other)) continue;
      const float depth = agents.body[row] + agents.body[other] - apart(at, th_row_point(world, other));
      if (!(depth > least) || count++ >= capacity) continue;
      list[count - 1] = (th_overlap){agents.id[row], agents.id[other], depth};
    }
  }
  return count;
}
