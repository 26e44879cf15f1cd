/* world/agent_place.c - agents that the caller puts somewhere.
 *
 * A place is checked before anything moves. The order of the last step stays in use for queries: an agent that is put
 * elsewhere is noted as strayed. Cost: one search for the face below a point.
 */
#include <math.h>

#include "world/nearby.h"

/* Puts an agent that had a place somewhere else. */
static void shift(th_world *world, uint32_t row, th_place place) {
  th_nearby_strays(world, row, place);
  if (world->mesh) th_world_mesh_turn_to(world, row, place);
  th_agent_put(world, row, place);
}

th_result th_world_place_agent(th_world *world, th_agent_id agent, th_vec3 point, th_error *error) {
  uint32_t row;
  th_result result = th_agent_find(world, agent, "th_world_place_agent", &row, error);
  if (result) return result;
  if (world->rows.state[row] != TH_AGENT_EXTERNAL) result = th_world_idle(world, "th_world_place_agent", error);
  if (!result) result = th_agent_check_place(world, point, TH_ANY_LEVEL, error);
  if (!result) shift(world, row, th_ground_locate_at(world->ground, point, TH_ANY_LEVEL, INFINITY));
  return result;
}

static th_result drive_to(th_world *world, uint32_t row, th_place place, th_error *error) {
  bool finite = isfinite(place.x) && isfinite(place.y);
  if (finite && th_ground_kind_of(world->ground) == TH_GROUND_FLAT)
    place = th_ground_locate(world->ground, place.x, place.y);
  else if (finite && !th_ground_holds(world->ground, place))
    place.cell = TH_NO_CELL;
  if (finite && place.cell != TH_NO_CELL) {
    shift(world, row, place);
    return TH_OK;
  }
  return th_fail(error, TH_ERROR_GEOMETRY, "place", "expected a walkable place, found (%g, %g) in cell %u",
                 (double)place.x, (double)place.y, place.cell);
}

th_result th_world_drive_agent(th_world *world, th_agent_id agent, th_place place, th_vec2 velocity, th_vec2 heading,
                               th_error *error) {
  uint32_t row;
  th_result result = th_agent_find(world, agent, "th_world_drive_agent", &row, error);
  if (result) return result;
  if (world->rows.state[row] != TH_AGENT_EXTERNAL)
    return th_fail(error, TH_ERROR_STATE, "agent", "expected an external agent, found one that its model moves");
  if (!isfinite(velocity.x) || !isfinite(velocity.y) || !isfinite(heading.x) || !isfinite(heading.y))
    return th_fail(error, TH_ERROR_RANGE, "velocity", "expected finite numbers");
  th_rows *rows = &world->rows;
  th_place old = {rows->cell[row], rows->x[row], rows->y[row]};
  result = drive_to(world, row, place, error);
  if (result) return result;
  rows->previous_cell[row] = old.cell;
  rows->previous_x[row] = old.x;
  rows->previous_y[row] = old.y;
  rows->vx[row] = rows->walk_vx[row] = velocity.x;
  rows->vy[row] = rows->walk_vy[row] = velocity.y;
  float length = sqrtf(heading.x * heading.x + heading.y * heading.y);
  if (length > 0.0f) {
    rows->hx[row] = heading.x / length;
    rows->hy[row] = heading.y / length;
  }
  return TH_OK;
}
