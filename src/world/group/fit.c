/* world/group/fit.c - how well a group has taken its shape, for tests and reports.
 *
 * Cost: a pass over all rows, and every pair of members of a group that lines up. */
#include <math.h>

#include "base/memory.h"
#include "world/agent/agents.h"
#include "world/world.h"

/* Places of the members in the world, by row; returns how many. */
static uint32_t places(const th_world *world, uint32_t group, th_vec3 *at) {
  const th_rows *rows = &world->rows;
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows->count; row++)
    if (rows->in[row] && rows->group[row] == group)
      at[count++] = th_ground_point(world->ground, (th_place){rows->cell[row], rows->x[row], rows->y[row]});
  return count;
}

static double share_outside(const th_group_area *area, const th_vec3 *at, uint32_t count) {
  uint32_t outside = 0;
  if (th_group_area_is_empty(area) || !count) return NAN;
  for (uint32_t i = 0; i < count; i++) outside += !th_group_area_holds(area, at[i].x, at[i].y);
  return (double)outside / count;
}

th_result th_world_group_fit(const th_world *world, th_group_id group, th_group_fit *fit, th_error *error) {
  *fit = (th_group_fit){0, NAN, NAN};
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  const th_group *own = th_groups_find(world, group, __func__, error);
  if (!own) return TH_ERROR_STATE;
  th_vec3 *at = TH_TAKE(&world->env.allocator, th_vec3, world->rows.count);
  if (!at) return th_fail_memory(error, "group");
  fit->members = places(world, group.index, at);
  fit->outside = share_outside(&own->area, at, fit->members);
  if (own->numbers.align != TH_ALIGN_NONE) {
    const th_group_mask mask = th_groups_mask(world, own);
    fit->askew = th_group_askew(at, fit->members, &mask);
  }
  TH_GIVE(&world->env.allocator, at, world->rows.count);
  return TH_OK;
}
