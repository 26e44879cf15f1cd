/* io/scene/populate/friends.c - some of a population walk with friends.
 *
 * Sizes of groups are drawn from a Poisson distribution without its zero, which holds for people in streets and shops
 * (James 1953; Coleman and James 1961; Moussaid et al. 2010, two places; with a mean of 0.83: 64 % of the groups are
 * one person, 27 % pairs, 7 % threes). Members of a group are chosen by place: the first one that is in no group yet
 * and those nearest to it. Draws depend on seed and number alone. Cost: the square of the population's size.
 */
#include <math.h>

#include "base/exp_log.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/vector.h"
#include "io/scene/run.h"

#define MOST 12 /* friends */

static uint32_t size_of(float mean, uint64_t bits) {
  double share = th_random_to_double(bits), p = (double)mean / ((double)th_expf(mean) - 1.0);
  uint32_t size = 1;
  for (; size < MOST && share >= p; size++) {
    share -= p;
    p *= (double)mean / (size + 1.0);
  }
  return size;
}

/* The member nearest to a place who is still alone, TH_NO_INDEX: none. */
static uint32_t nearest_alone(const th_run *run, uint32_t first, uint32_t end, const uint8_t *taken, th_vec3 at) {
  uint32_t found = TH_NO_INDEX;
  float least = INFINITY;
  for (uint32_t i = first; i < end; i++) {
    if (taken[i - first]) continue;
    const th_vec3 d = th_minus3(th_world_agent_point(run->world, run->member[i].id), at);
    if (th_dot3(d, d) < least) least = th_dot3(d, d), found = i;
  }
  return found;
}

static th_result befriend(th_run *run, uint32_t first, uint32_t end, float mean, uint8_t *taken, th_error *error) {
  th_group_def def = th_default_group_def();
  def.formation.kind = TH_FORMATION_FRIENDS;
  th_result result = TH_OK;
  for (uint32_t i = first; i < end && !result; i++) {
    if (taken[i - first]) continue;
    const uint32_t size = size_of(mean, th_scene_bits(run->seed, TH_DRAW_FRIENDS, i));
    const th_vec3 at = th_world_agent_point(run->world, run->member[i].id);
    th_agent_id friends[MOST];
    uint32_t count = 0;
    for (uint32_t next = i; count < size && next != TH_NO_INDEX; next = nearest_alone(run, first, end, taken, at)) {
      taken[next - first] = 1;
      friends[count++] = run->member[next].id;
    }
    if (count > 1) result = th_world_add_group(run->world, &def, friends, count, NULL, error);
  }
  return result;
}

th_result th_run_friends(th_run *run, const th_scene_population *population, uint32_t first, th_error *error) {
  const uint32_t count = th_run_crowd_size(population);
  if (!(population->friends > 0.0f)) return TH_OK;
  uint8_t *taken = TH_TAKE(&run->env.allocator, uint8_t, count);
  if (!taken) return th_fail_memory(error, "friends");
  th_result result = befriend(run, first, first + count, population->friends, taken, error);
  TH_GIVE(&run->env.allocator, taken, count);
  return result;
}
