/* world/agent/place.c - agents that the caller puts somewhere.
 *
 * A place is checked before anything moves. The order of the last step stays in use for queries: an agent that is put
 * elsewhere is noted as strayed. Cost: one search for the face below a point.
 */
#include <math.h>

#include "geometry/vector.h"
#include "world/agent/agents.h"
#include "world/events.h"
#include "world/nearby.h"
#include "world/step/mesh_turn.h"
#include "world/step/step.h"

/* Puts an agent that had a place somewhere else. */
static void shift(th_world *world, uint32_t row, th_place place) {
  th_nearby_strays(world, row, place);
  if (world->mesh) th_world_mesh_turn_to(world, row, place);
  th_agent_put(world, row, place);
}

th_result th_world_place_agent(th_world *world, th_agent_id agent, th_vec3 point, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = th_agent_find(world, agent, "th_world_place_agent", &row, error);
  if (result) return result;
  if (world->rows.state[row] != TH_AGENT_EXTERNAL) result = th_world_idle(world, "th_world_place_agent", error);
  if (!result) result = th_agent_check_place(world, point, TH_ANY_LEVEL, error);
  if (!result) shift(world, row, th_ground_foot(world->ground, point, TH_ANY_LEVEL));
  return result;
}

static bool finite3(th_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

th_result th_world_drive_agent(th_world *world, th_agent_id agent, th_vec3 point, th_vec3 velocity, th_vec3 heading,
                               th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = th_agent_find(world, agent, "th_world_drive_agent", &row, error);
  if (result) return result;
  if (world->rows.state[row] != TH_AGENT_EXTERNAL)
    return th_fail(error, TH_ERROR_STATE, "agent", "expected an external agent, found one that its model moves");
  if (!finite3(velocity) || !finite3(heading))
    return th_fail(error, TH_ERROR_RANGE, "velocity", "expected finite numbers");
  result = th_agent_check_place(world, point, TH_ANY_LEVEL, error);
  if (result) return result;
  th_rows *rows = &world->rows;
  const th_place old = th_row_place(world, row), place = th_ground_foot(world->ground, point, TH_ANY_LEVEL);
  const th_vec2 v = th_ground_to_cell(world->ground, place, velocity),
                h = th_ground_to_cell(world->ground, place, heading);
  shift(world, row, place);
  rows->previous_cell[row] = old.cell;
  rows->previous_x[row] = old.x;
  rows->previous_y[row] = old.y;
  rows->vx[row] = rows->walk_vx[row] = v.x;
  rows->vy[row] = rows->walk_vy[row] = v.y;
  const float length = th_length2(h);
  if (length > 0.0f) {
    rows->hx[row] = h.x / length;
    rows->hy[row] = h.y / length;
  }
  return TH_OK;
}

th_result th_world_set_velocity(th_world *world, th_agent_id agent, th_vec3 velocity, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = th_agent_find(world, agent, "th_world_set_velocity", &row, error);
  if (!result) result = th_world_idle(world, "th_world_set_velocity", error);
  if (!result) result = th_agent_check_number("velocity", th_length3(velocity), 0.0f, TH_MAX_SPEED, error);
  if (result) return result;
  th_rows *rows = &world->rows;
  const th_place place = {rows->cell[row], rows->x[row], rows->y[row]};
  const th_vec2 along = th_ground_to_cell(world->ground, place, velocity);
  rows->vx[row] = rows->walk_vx[row] = along.x;
  rows->vy[row] = rows->walk_vy[row] = along.y;
  return TH_OK;
}

/* Takes over the place where the host has put a body; its displacement gives the realised velocity. */
static void accept_one(th_world *world, uint32_t row, th_vec3 point) {
  th_rows *rows = &world->rows;
  th_place old = {rows->cell[row], rows->x[row], rows->y[row]}, place = {TH_NO_CELL, 0.0f, 0.0f};
  bool finite = isfinite(point.x) && isfinite(point.y) && isfinite(point.z);
  if (finite) place = th_ground_locate_at(world->ground, point, TH_ANY_LEVEL, 1.0f);
  if (place.cell == TH_NO_CELL) {
    th_event_add(world, TH_EVENT_REFUSED, rows->id[row], 0);
    place = old;
  }
  th_nearby_strays(world, row, place);
  th_vec2 displacement = {place.x - old.x, place.y - old.y};
  if (world->mesh) displacement = th_world_mesh_accept(world, row, place);
  rows->previous_cell[row] = old.cell;
  rows->previous_x[row] = old.x;
  rows->previous_y[row] = old.y;
  rows->vx[row] = rows->walk_vx[row] = displacement.x / world->dt;
  rows->vy[row] = rows->walk_vy[row] = displacement.y / world->dt;
  rows->x[row] = place.x;
  rows->y[row] = place.y;
  rows->rest[row] = (th_vec2){0.0f, 0.0f};
  rows->cell[row] = place.cell;
  rows->gait[row] = th_gait_of(rows, row);
}

void th_world_accept(th_world *world, const th_vec3 *point, uint32_t count) {
  if (th_no_world(world, __func__)) return;
  if (!world->advised || count != world->rows.count) {
    th_fault(&world->env, "th_world_accept: expected th_world_advise before it and %u places, found %u",
             world->rows.count, count);
    return;
  }
  for (uint32_t row = 0; row < count; row++) accept_one(world, row, point[row]);
  th_phase_finish(world);
  world->advised = false;
}
