/* io/recording/space.c - agents with their points in space.
 *
 * On flat ground the world's own arrays are enough; on a mesh they are in the frames of faces, and th_world_points
 * fills arrays that the caller must own. Their capacity grows to twice the number of agents, so that allocation is
 * rare. Cost: that of th_world_points.
 */
#include "io/recording/space.h"

#include "base/error.h"
#include "base/memory.h"
#include "throng/ground.h"

enum { VECTORS = 5 };

void th_space_free(th_space *space) {
  th_env env = th_env_complete(&space->env);
  TH_GIVE(&env.allocator, space->vector, VECTORS * (size_t)space->capacity);
  TH_GIVE(&env.allocator, space->clearance, space->capacity);
  *space = (th_space){.env = space->env, .whole = space->whole};
}

static bool grow(th_space *space, uint32_t agents) {
  th_env env = th_env_complete(&space->env);
  th_space_free(space);
  size_t capacity = space->capacity = 2 * agents + 16;
  th_vec3 *vector = space->vector = TH_TAKE(&env.allocator, th_vec3, VECTORS * capacity);
  space->clearance = TH_TAKE(&env.allocator, float, capacity);
  if (!vector || !space->clearance) {
    th_space_free(space);
    return false;
  }
  space->points = (th_points){.point = vector,
                              .velocity = vector + capacity,
                              .heading = vector + 2 * capacity,
                              .weights = vector + 3 * capacity};
  if (space->whole) space->points.normal = vector + 4 * capacity;
  if (space->whole) space->points.clearance = space->clearance;
  return true;
}

th_result th_space_agents(th_space *space, const th_world *world, th_agents *agents, th_error *error) {
  *agents = th_world_agents(world);
  if (!th_ground_mesh(th_world_ground(world))) return TH_OK;
  if (agents->count > space->capacity && !grow(space, agents->count)) return th_fail_memory(error, "agents");
  th_world_points(world, &space->points);
  agents->space = &space->points;
  return TH_OK;
}
