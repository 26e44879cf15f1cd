/* world/agents.c - agents come, change and go.
 *
 * Every def is checked whole before anything changes, and all memory is taken before the first row is written, so a
 * failed call leaves no trace. A removed row is filled with the last one.
 */
#include <math.h>
#include <string.h>

#include "base/trig.h"
#include "world/nearby.h"

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

uint32_t th_agent_row(const th_world *world, th_agent_id id, const char *call) {
  if (th_ids_valid(&world->ids, (th_id){id.index, id.generation})) return world->row_of[id.index - 1];
  if (call) th_fault(&world->env, "%s: agent %u of generation %u does not exist", call, id.index, id.generation);
  return UINT32_MAX;
}

uint32_t th_world_row(const th_world *world, th_agent_id agent) { return th_agent_row(world, agent, NULL); }
bool th_world_has_agent(const th_world *world, th_agent_id agent) {
  return th_agent_row(world, agent, NULL) != UINT32_MAX;
}

/* ---------------------------------------------------------------- checking */

typedef struct number_rule {
  const char *name;
  float value, min, max;
} number_rule;

static th_result check_numbers(const th_agent_def *def, uint32_t element, th_error *error) {
  const number_rule rule[] = {{"radius", def->radius, 0.01f, 10.0f},
                              {"height", def->height, 0.1f, 100.0f},
                              {"speed", def->speed, 0.0f, 100.0f},
                              {"speed_max", def->speed_max, def->speed, 100.0f},
                              {"acceleration_max", def->acceleration_max, 1e-6f, INFINITY},
                              {"turn_max", def->turn_max, 1e-6f, INFINITY},
                              {"share", def->share, 0.0f, 1.0f},
                              {"eps", def->eps, 0.0f, 2.0f},
                              {"v.x", def->v.x, -1e3f, 1e3f},
                              {"v.y", def->v.y, -1e3f, 1e3f},
                              {"hx", def->hx, -1e6f, 1e6f},
                              {"hy", def->hy, -1e6f, 1e6f},
                              {"delay", def->delay, 0.0f, 1e9f}};
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
    if (rule[i].value >= rule[i].min && rule[i].value <= rule[i].max) continue;
    return th_fail_at(error, TH_ERROR_RANGE, rule[i].name, element, "agent %u: expected %g to %g, found %g", element,
                      (double)rule[i].min, (double)rule[i].max, (double)rule[i].value);
  }
  return TH_OK;
}

static th_result check_names(const th_world *world, const th_agent_def *def, uint32_t element, th_error *error) {
  if (!def->model) return th_fail_at(error, TH_ERROR_STATE, "model", element, "agent %u: expected a model", element);
  if (def->route_count > TH_MAX_STOPS)
    return th_fail_at(error, TH_ERROR_CAPACITY, "route_count", element, "agent %u: expected at most %d stops, found %u",
                      element, TH_MAX_STOPS, def->route_count);
  for (uint32_t i = 0; i < def->route_count; i++) {
    th_goal_id goal = def->route[i].goal;
    if (!th_ids_valid(&world->goals.ids, (th_id){goal.index, goal.generation}))
      return th_fail_at(error, TH_ERROR_STATE, "route", element, "agent %u: stop %u names a goal that does not exist",
                        element, i);
    if (!(def->route[i].wait >= 0.0f))
      return th_fail_at(error, TH_ERROR_RANGE, "route", element,
                        "agent %u: stop %u: expected a wait of 0 s or more, "
                        "found %g",
                        element, i, (double)def->route[i].wait);
  }
  if (def->guide.index && !th_ids_valid(&world->guides.ids, (th_id){def->guide.index, def->guide.generation}))
    return th_fail_at(error, TH_ERROR_STATE, "guide", element, "agent %u: names a guide that does not exist", element);
  if (def->link_count > TH_MAX_LINKS)
    return th_fail_at(error, TH_ERROR_CAPACITY, "link_count", element, "agent %u: expected at most %d links, found %u",
                      element, TH_MAX_LINKS, def->link_count);
  for (uint32_t i = 0; i < def->link_count; i++)
    if (def->link[i].point && !(isfinite(def->link[i].x) && isfinite(def->link[i].y)))
      return th_fail_at(error, TH_ERROR_RANGE, "link", element, "agent %u: link %u: expected a finite point", element,
                        i);
  return TH_OK;
}

th_result th_agent_check(th_world *world, const th_agent_def *def, uint32_t element, th_error *error) {
  th_result result = check_numbers(def, element, error);
  if (!result) result = check_names(world, def, element, error);
  if (!result && def->params) {
    result = th_param_check(def->model->param, def->model->param_count, def->params, error);
    if (result && error) error->element = element;
  }
  if (!result) th_world_overhead_size(world, def->height, def->radius);
  return result ? result : th_world_overhead_fit(world, error);
}

static th_result check_place(const th_world *world, const th_agent_def *def, uint32_t element, th_error *error) {
  th_vec3 p = {def->x, def->y, def->z};
  bool finite = isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
  if (finite && th_ground_locate_at(world->ground, p, def->level, INFINITY).cell != TH_NO_CELL) return TH_OK;
  return th_fail_at(error, TH_ERROR_GEOMETRY, "place", element,
                    "agent %u: expected a walkable place, found (%g, %g, %g) in a wall or off the ground", element,
                    (double)p.x, (double)p.y, (double)p.z);
}

/* ---------------------------------------------------------------- writing rows */

void th_agent_limits(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  world->radius_max = fmaxf(world->radius_max, rows->radius[row]);
  th_world_overhead_size(world, rows->height[row], rows->radius[row]);
  world->layered |= rows->layers[row] != 1u || !(rows->avoids[row] & 1u);
  rows->speed_step[row] = rows->acceleration_max[row] * world->dt;
  float turn = rows->turn_max[row] * world->dt;
  bool free_turn = !(turn < 3.1415f);
  rows->turn_c[row] = free_turn ? -2.0f : th_cosf(turn);
  rows->turn_s[row] = free_turn ? 0.0f : th_sinf(turn);
  const th_model_slot *use = &world->model[rows->model[row]];
  uint32_t period = 1;
  if (use->model->period) period = use->model->period(th_model_params(use, row), world->dt);
  rows->period[row] = (uint8_t)(period < 1 ? 1 : period > 255 ? 255 : period);
}

void th_agent_head_for(th_world *world, uint32_t row, uint8_t stop) {
  th_rows *rows = &world->rows;
  th_route *route = &rows->route[row];
  route->next = stop;
  rows->field[row] = stop < route->count ? route->field[stop] : TH_NO_FIELD;
  uint32_t goal = stop < route->count ? route->goal[stop] : 0;
  const th_goal_def *def = goal ? &world->goals.goal[goal - 1].def : NULL;
  rows->arrive[row] = def && def->shape.kind <= TH_SHAPE_LINE ? def->arrive : 0.0f; /* regions: inside them */
  rows->best[row] = rows->left[row] = INFINITY;
  rows->best_step[row] = world->step;
  memset(&rows->guide_memory[row], 0, sizeof rows->guide_memory[row]);
}

static void write_links(th_world *world, uint32_t row, const th_agent_def *def) {
  th_link_targets *links = &world->rows.links[row];
  th_link_names *names = &world->rows.names[row];
  memset(links, 0, sizeof *links);
  memset(names, 0, sizeof *names);
  for (uint32_t i = 0; i < def->link_count; i++) {
    names->agent[i] = def->link[i].agent;
    links->target[i].kind = def->link[i].point ? TH_LINK_POINT : TH_LINK_AGENT;
    links->target[i].at = (th_vec3){def->link[i].x, def->link[i].y, def->link[i].z};
  }
  world->rows.link_count[row] = (uint8_t)def->link_count;
}

/* A direction that a def gives in space, as the agent's cell has it. */
static th_vec2 in_cell(const th_world *world, uint32_t row, th_vec2 v) {
  th_place place = {world->rows.cell[row], world->rows.x[row], world->rows.y[row]};
  return th_ground_to_cell(world->ground, place, (th_vec3){v.x, v.y, 0.0f});
}

static void put(th_world *world, uint32_t row, th_place place) {
  th_rows *rows = &world->rows;
  rows->cell[row] = rows->previous_cell[row] = place.cell;
  rows->x[row] = rows->previous_x[row] = place.x;
  rows->y[row] = rows->previous_y[row] = place.y;
}

/* Puts an agent that had a place somewhere else. */
static void shift(th_world *world, uint32_t row, th_place place) {
  th_nearby_strays(world, row, place);
  if (world->mesh) th_world_mesh_turn_to(world, row, place);
  put(world, row, place);
}

/* Everything a def says but place, heading and delay. */
static void write_settings(th_world *world, uint32_t row, const th_agent_def *def, const uint16_t *field) {
  th_rows *rows = &world->rows;
  rows->radius[row] = def->radius;
  rows->height[row] = def->height;
  rows->speed[row] = def->speed;
  rows->speed_max[row] = def->speed_max;
  rows->acceleration_max[row] = def->acceleration_max;
  rows->turn_max[row] = def->turn_max;
  rows->share[row] = def->share;
  rows->layers[row] = def->layers;
  rows->avoids[row] = def->avoids;
  rows->v[row] = in_cell(world, row, def->v);
  rows->eps[row] = (float)th_eps_level(def->eps) * TH_EPS_STEP;
  rows->collide[row] = def->collide;
  th_guide_row_follow(world, row, def->guide.index);
  rows->user[row] = def->user;
  th_route *route = &rows->route[row];
  memset(route, 0, sizeof *route);
  route->count = (uint8_t)def->route_count;
  route->loop = def->loop;
  route->remove = def->remove;
  for (uint32_t i = 0; i < def->route_count; i++) {
    route->goal[i] = def->route[i].goal.index;
    route->wait[i] = def->route[i].wait;
    route->field[i] = field[i];
  }
  write_links(world, row, def);
  th_agent_limits(world, row);
  th_agent_head_for(world, row, 0);
}

static bool under_way(const th_agent_def *def) { return def->route_count || def->guide.index; }

static void write_row(th_world *world, uint32_t row, const th_agent_def *def, const uint16_t *field) {
  th_rows *rows = &world->rows;
  put(world, row, th_ground_locate_at(world->ground, (th_vec3){def->x, def->y, def->z}, def->level, INFINITY));
  rows->walk_vx[row] = rows->walk_vy[row] = rows->vx[row] = rows->vy[row] = rows->advised_vx[row] =
      rows->advised_vy[row] = rows->advised_hx[row] = rows->advised_hy[row] = 0.0f;
  th_vec2 heading = in_cell(world, row, (th_vec2){def->hx, def->hy});
  float length = sqrtf(heading.x * heading.x + heading.y * heading.y);
  rows->hx[row] = length > 0.0f ? heading.x / length : 1.0f;
  rows->hy[row] = length > 0.0f ? heading.y / length : 0.0f;
  rows->fresh[row] = length > 0.0f ? 0 : 1; /* a fresh agent turns to its guide at once */
  rows->frame[row] = (th_turn){1.0f, 0.0f};
  rows->gait[row] = rows->advised_gait[row] = TH_GAIT_STAND;
  rows->notice[row] = 0;
  write_settings(world, row, def, field);
  rows->due[row] = th_world_due(world, def->delay);
  bool delayed = rows->due[row] > world->step;
  rows->in[row] = !delayed;
  rows->state[row] = delayed          ? TH_AGENT_DELAYED
                     : def->external  ? TH_AGENT_EXTERNAL
                     : under_way(def) ? TH_AGENT_WALKING
                                      : TH_AGENT_WAITING;
  if (!under_way(def)) rows->due[row] = UINT64_MAX;
  if (delayed && def->external) rows->state[row] = TH_AGENT_EXTERNAL, rows->in[row] = 1;
}

th_result th_agent_emit(th_world *world, const th_agent_def *def, const uint16_t *field, th_agent_id *id) {
  th_rows *rows = &world->rows;
  if (rows->count == rows->capacity) return TH_ERROR_CAPACITY;
  uint32_t model;
  if (th_model_slot_find(world, def->model, &model, NULL)) return TH_ERROR_CAPACITY;
  if (!th_guide_row_left(world, def->guide.index)) return TH_ERROR_CAPACITY;
  th_id fresh = th_ids_take(&world->ids);
  if (!fresh.index) return TH_ERROR_CAPACITY;
  uint32_t row = rows->count++;
  world->row_of[fresh.index - 1] = row;
  rows->id[row] = (th_agent_id){fresh.index, fresh.generation};
  rows->agent[row] = fresh.index;
  rows->model[row] = (uint8_t)model;
  rows->guide[row] = rows->guide_row[row] = 0;
  th_model_slot_set(world, model, row, def->params, false);
  write_row(world, row, def, field);
  world->counters.added++;
  if (id) *id = rows->id[row];
  return TH_OK;
}

/* ---------------------------------------------------------------- calls */

static th_result find_fields(th_world *world, const th_agent_def *def, uint16_t *field, th_error *error) {
  th_field_key key = {.radius_class = th_ground_class(world->ground, def->radius), .eps_level = th_eps_level(def->eps)};
  th_result result = TH_OK;
  for (uint32_t i = 0; i < def->route_count && !result; i++) {
    key.goal = def->route[i].goal.index;
    result = th_field_entry_for(world, &key, &field[i], error);
  }
  return result;
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
    if (!result) result = find_fields(world, &def[i], field, error);
  }
  th_field_entries_end(world, before, !result);
  return result;
}

th_result th_world_add_agents(th_world *world, const th_agent_def *def, uint32_t count, th_agent_id *ids,
                              th_error *error) {
  th_result result = th_world_idle(world, "th_world_add_agents", error);
  for (uint32_t i = 0; i < count && !result; i++) {
    result = th_agent_check(world, &def[i], i, error);
    if (!result) result = check_place(world, &def[i], i, error);
  }
  if (!result) result = prepare(world, def, count, error);
  for (uint32_t i = 0; i < count && !result; i++) {
    uint16_t field[TH_MAX_STOPS];
    find_fields(world, &def[i], field, NULL); /* all entries are there now */
    th_agent_emit(world, &def[i], field, ids ? &ids[i] : NULL);
  }
  th_model_slot_settle(world);
  return result;
}

void th_agent_drop(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  th_agent_id id = rows->id[row];
  uint32_t last = rows->count - 1;
  th_ids_give(&world->ids, (th_id){id.index, id.generation});
  th_model_slot_leave(world, rows->model[row], row);
  th_guide_row_give(world, row);
  if (row != last) {
    th_rows_copy(rows, row, last);
    th_model_slot_move(world, rows->model[row], row, last);
    world->row_of[rows->id[row].index - 1] = row;
  }
  rows->count--;
  if (last >= world->tail && row < world->tail) world->order_holds = false; /* a later agent in an earlier row */
  if (world->tail > rows->count) world->tail = rows->count;
  world->counters.removed++;
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
  result = find_fields(world, def, field, error);
  th_field_entries_end(world, before, !result);
  if (result) return result;
  bool same = world->rows.model[row] == model;
  th_rows *rows = &world->rows;
  th_model_slot_set(world, model, row, def->params, same);
  if (!same) th_model_slot_leave(world, rows->model[row], row);
  rows->model[row] = (uint8_t)model;
  write_settings(world, row, def, field);
  if (rows->state[row] == TH_AGENT_DELAYED && !def->external) return TH_OK;
  if (!rows->in[row]) world->order_holds = false; /* it has no slot */
  rows->in[row] = 1; /* the caller moves an external agent from now on, whatever its delay */
  rows->state[row] = def->external ? TH_AGENT_EXTERNAL : under_way(def) ? TH_AGENT_WALKING : TH_AGENT_WAITING;
  rows->due[row] = under_way(def) ? world->step : UINT64_MAX;
  return TH_OK;
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
    def->link[i] = (th_link_def){rows->names[row].agent[i], target->kind == TH_LINK_POINT, target->at.x, target->at.y,
                                 target->at.z};
  }
  if (rows->state[row] == TH_AGENT_DELAYED) def->delay = (float)(rows->due[row] - world->step) * world->dt;
  return true;
}

th_result th_world_place_agent(th_world *world, th_agent_id agent, th_vec3 point, th_error *error) {
  uint32_t row = th_agent_row(world, agent, NULL);
  if (row == UINT32_MAX) return th_fail(error, TH_ERROR_STATE, "agent", "agent %u does not exist", agent.index);
  th_result result =
      world->rows.state[row] == TH_AGENT_EXTERNAL ? TH_OK : th_world_idle(world, "th_world_place_agent", error);
  th_agent_def def = {.x = point.x, .y = point.y, .z = point.z};
  if (!result) result = check_place(world, &def, 0, error);
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
