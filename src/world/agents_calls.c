/* world/agents_calls.c - what a host asks of agents: add, remove, change, read back, put, drive, accept.
 *
 * Every def is checked whole before anything changes, and all memory is taken before the first row is written, so a
 * failed call leaves no trace.
 */
#include <math.h>

#include "world/agents.h"
#include "world/events.h"
#include "world/nearby.h"
#include "world/step/mesh_turn.h"
#include "world/step/step.h"

th_agent_def th_default_agent_def(void) {
  return (th_agent_def){.radius = 0.2f,
                        .height = 1.75f,
                        .speed = 1.34f,
                        .speed_max = 2.0f,
                        .acceleration_max = 8.0f,
                        .turn_max = 6.3f,
                        .share = 0.5f,
                        .layers = 1,
                        .avoids = UINT32_MAX,
                        .model = &th_model_follow,
                        .remove = true,
                        .collide = true};
}

uint32_t th_world_row(const th_world *world, th_agent_id agent) { return th_agent_row(world, agent, NULL); }
bool th_world_has_agent(const th_world *world, th_agent_id agent) {
  return th_agent_row(world, agent, NULL) != UINT32_MAX;
}

static th_result make_room_for(th_world *world, uint32_t count, th_error *error) {
  if (count > UINT32_MAX / 2 - world->rows.count) return th_fail(error, TH_ERROR_CAPACITY, "agents", "too many agents");
  uint32_t need = world->rows.count + count, doubled = world->rows.capacity * 2;
  if (need <= world->rows.capacity) return TH_OK;
  return th_world_reserve_slots(world, need > doubled ? need : doubled) ? TH_OK : th_fail_memory(error, "agents");
}

/* Everything that may fail, before the first row is written. */
static th_result prepare(th_world *world, const th_agent_def *def, uint32_t count, th_error *error) {
  uint16_t field[TH_MAX_STOPS];
  uint32_t model, before = world->entry_count;
  th_result result = make_room_for(world, count, error);
  if (!result) result = th_guide_rows_for_all(world, def, count, error);
  for (uint32_t i = 0; i < count && !result; i++) {
    result = th_model_slot_for(world, def[i].model, def[i].params, &model, error);
    if (!result) result = th_agent_fields(world, &def[i], field, error);
  }
  th_field_entries_end(world, before, !result);
  return result;
}

th_result th_world_add_agents(th_world *world, const th_agent_def *def, uint32_t count, th_agent_id *ids,
                              th_error *error) {
  th_result result = th_world_idle(world, "th_world_add_agents", error);
  for (uint32_t i = 0; i < count && !result; i++) {
    result = th_agent_check(world, &def[i], i, error);
    if (!result) result = th_agent_check_place(world, &def[i], i, error);
  }
  if (!result) result = prepare(world, def, count, error);
  for (uint32_t i = 0; i < count && !result; i++) {
    uint16_t field[TH_MAX_STOPS];
    th_agent_fields(world, &def[i], field, NULL); /* all entries are there now */
    th_agent_emit(world, &def[i], field, ids ? &ids[i] : NULL);
  }
  th_model_slot_settle(world);
  return result;
}

void th_world_remove_agent(th_world *world, th_agent_id agent) {
  uint32_t row = th_agent_row(world, agent, "th_world_remove_agent");
  if (row == UINT32_MAX) return;
  if (world->advised) {
    th_fault(&world->env, "th_world_remove_agent: expected th_world_integrate or th_world_accept first");
    return;
  }
  th_agent_drop(world, row);
  th_event_add(world, TH_EVENT_REMOVED, agent, 0);
  th_events_sort(world);
}

th_result th_world_change_agent(th_world *world, th_agent_id agent, const th_agent_def *def, th_error *error) {
  uint32_t row = th_agent_row(world, agent, NULL), model;
  uint16_t field[TH_MAX_STOPS];
  if (row == UINT32_MAX) return th_fail(error, TH_ERROR_STATE, "agent", "agent %u does not exist", agent.index);
  th_result result = th_world_idle(world, "th_world_change_agent", error);
  if (!result) result = th_agent_check(world, def, 0, error);
  if (!result) result = th_model_slot_for(world, def->model, def->params, &model, error);
  if (!result && def->guide.index != world->rows.guide[row])
    result = th_guide_rows_for(world, def->guide.index, 1, error);
  if (result) return result;
  uint32_t before = world->entry_count;
  result = th_agent_fields(world, def, field, error);
  th_field_entries_end(world, before, !result);
  if (result) return result;
  bool same = world->rows.model[row] == model;
  th_rows *rows = &world->rows;
  th_model_slot_set(world, model, row, def->params, same);
  if (!same) th_model_slot_leave(world, rows->model[row], row);
  rows->model[row] = (uint8_t)model;
  th_agent_write_settings(world, row, def, field);
  if (rows->state[row] == TH_AGENT_DELAYED && !def->external) return TH_OK;
  if (!rows->in[row]) world->order_holds = false; /* it has no slot */
  rows->in[row] = 1; /* the caller moves an external agent from now on, whatever its delay */
  rows->state[row] = def->external ? TH_AGENT_EXTERNAL : th_agent_under_way(def) ? TH_AGENT_WALKING : TH_AGENT_WAITING;
  rows->due[row] = th_agent_under_way(def) ? world->step : UINT64_MAX;
  return TH_OK;
}

/* The ids that a def names, from the indices in its row. */
static void read_names(const th_world *world, uint32_t row, th_agent_def *def) {
  const th_rows *rows = &world->rows;
  const th_route *route = &rows->route[row];
  if (rows->guide[row]) {
    th_id guide = th_ids_at(&world->guides.ids, rows->guide[row] - 1);
    def->guide = (th_guide_id){guide.index, guide.generation};
  }
  for (uint32_t i = 0; i < route->count; i++) {
    th_id goal = route->goal[i] ? th_ids_at(&world->goals.ids, route->goal[i] - 1) : (th_id){0, 0};
    def->route[i] = (th_stop){{goal.index, goal.generation}, route->wait[i]};
  }
  for (uint32_t i = 0; i < def->link_count; i++) {
    const th_link_target *target = &rows->links[row].target[i];
    def->link[i] = (th_link_def){rows->names[row].agent[i],
                                 target->kind == TH_LINK_POINT,
                                 target->at.x,
                                 target->at.y,
                                 target->at.z,
                                 target->role};
  }
}

bool th_world_agent_def(const th_world *world, th_agent_id agent, th_agent_def *def) {
  uint32_t row = th_agent_row(world, agent, "th_world_agent_def");
  if (row == UINT32_MAX) return false;
  const th_rows *rows = &world->rows;
  const th_model_slot *use = &world->model[rows->model[row]];
  const th_route *route = &rows->route[row];
  th_place place = {rows->cell[row], rows->x[row], rows->y[row]};
  th_vec3 point = th_ground_point(world->ground, place);
  th_vec3 heading = th_ground_to_space(world->ground, place, (th_vec2){rows->hx[row], rows->hy[row]});
  th_vec3 v = th_ground_to_space(world->ground, place, rows->v[row]);
  *def = (th_agent_def){.x = point.x,
                        .y = point.y,
                        .z = point.z,
                        .hx = heading.x,
                        .hy = heading.y,
                        .radius = rows->radius[row],
                        .height = rows->height[row],
                        .speed = rows->speed[row],
                        .speed_max = rows->speed_max[row],
                        .acceleration_max = rows->acceleration_max[row],
                        .turn_max = rows->turn_max[row],
                        .share = rows->share[row],
                        .layers = rows->layers[row],
                        .avoids = rows->avoids[row],
                        .v = {v.x, v.y},
                        .eps = rows->eps[row],
                        .model = use->model,
                        .params = th_model_params(use, row),
                        .route_count = route->count,
                        .loop = route->loop,
                        .remove = route->remove,
                        .collide = rows->collide[row] != 0,
                        .external = rows->state[row] == TH_AGENT_EXTERNAL,
                        .link_count = rows->link_count[row],
                        .user = rows->user[row]};
  read_names(world, row, def);
  if (rows->state[row] == TH_AGENT_DELAYED) def->delay = (float)(rows->due[row] - world->step) * world->dt;
  return true;
}

th_result th_world_place_agent(th_world *world, th_agent_id agent, th_vec3 point, th_error *error) {
  uint32_t row = th_agent_row(world, agent, NULL);
  if (row == UINT32_MAX) return th_fail(error, TH_ERROR_STATE, "agent", "agent %u does not exist", agent.index);
  th_result result =
      world->rows.state[row] == TH_AGENT_EXTERNAL ? TH_OK : th_world_idle(world, "th_world_place_agent", error);
  th_agent_def def = {.x = point.x, .y = point.y, .z = point.z};
  if (!result) result = th_agent_check_place(world, &def, 0, error);
  if (!result) th_agent_put(world, row, th_ground_locate_at(world->ground, point, TH_ANY_LEVEL, INFINITY));
  return result;
}

static th_result drive_to(th_world *world, uint32_t row, th_place place, th_error *error) {
  bool finite = isfinite(place.x) && isfinite(place.y);
  if (finite && th_ground_kind_of(world->ground) == TH_GROUND_FLAT)
    place = th_ground_locate(world->ground, place.x, place.y);
  else if (finite && !th_ground_holds(world->ground, place))
    place.cell = TH_NO_CELL;
  if (finite && place.cell != TH_NO_CELL) {
    th_agent_put(world, row, place);
    return TH_OK;
  }
  return th_fail(error, TH_ERROR_GEOMETRY, "place", "expected a walkable place, found (%g, %g) in cell %u",
                 (double)place.x, (double)place.y, place.cell);
}

th_result th_world_drive_agent(th_world *world, th_agent_id agent, th_place place, th_vec2 velocity, th_vec2 heading,
                               th_error *error) {
  uint32_t row = th_agent_row(world, agent, NULL);
  if (row == UINT32_MAX) return th_fail(error, TH_ERROR_STATE, "agent", "agent %u does not exist", agent.index);
  if (world->rows.state[row] != TH_AGENT_EXTERNAL)
    return th_fail(error, TH_ERROR_STATE, "agent", "expected an external agent, found one that its model moves");
  if (!isfinite(velocity.x) || !isfinite(velocity.y) || !isfinite(heading.x) || !isfinite(heading.y))
    return th_fail(error, TH_ERROR_RANGE, "velocity", "expected finite numbers");
  th_rows *rows = &world->rows;
  th_place old = {rows->cell[row], rows->x[row], rows->y[row]};
  th_result result = drive_to(world, row, place, error);
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

/* Takes over where the host has put a body; its way is the realised velocity. */
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
  th_vec2 way = {place.x - old.x, place.y - old.y};
  if (world->mesh) way = th_world_mesh_accept(world, row, place);
  rows->previous_cell[row] = old.cell;
  rows->previous_x[row] = old.x;
  rows->previous_y[row] = old.y;
  rows->vx[row] = rows->walk_vx[row] = way.x / world->dt;
  rows->vy[row] = rows->walk_vy[row] = way.y / world->dt;
  rows->x[row] = place.x;
  rows->y[row] = place.y;
  rows->cell[row] = place.cell;
  rows->gait[row] = th_gait_of(rows, row);
}

void th_world_accept(th_world *world, const th_vec3 *point, uint32_t count) {
  if (!world->advised || count != world->rows.count) {
    th_fault(&world->env, "th_world_accept: expected th_world_advise before it and %u places, found %u",
             world->rows.count, count);
    return;
  }
  for (uint32_t row = 0; row < count; row++) accept_one(world, row, point[row]);
  th_phase_finish(world);
  world->advised = false;
}
