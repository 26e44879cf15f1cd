/* world/agent/set.c - changes one agent at a time.
 *
 * A call that sets something keeps everything else: where the agent stands in its route, what its guide and its model
 * remember, and whether it walks, waits or has arrived; only a newly given route starts from its first stop. Cost:
 * constant, apart from the fields that a new route or radius needs.
 */
#include <string.h>

#include "world/agent/agents.h"
#include "world/nearby.h"

/* Every call that sets something starts with this check: the agent exists, and no advice is pending. */
static th_result open_row(th_world *world, th_agent_id agent, const char *call, uint32_t *row, th_error *error) {
  th_result result = th_agent_find(world, agent, call, row, error);
  return result ? result : th_world_idle(world, call, error);
}

void th_agent_set_off(th_world *world, uint32_t row) {
  th_rows *rows = &world->rows;
  if (rows->state[row] == TH_AGENT_DELAYED || rows->state[row] == TH_AGENT_EXTERNAL) return;
  bool under_way = rows->route[row].count || rows->guide[row];
  rows->state[row] = under_way ? TH_AGENT_WALKING : TH_AGENT_WAITING;
  rows->due[row] = under_way ? world->step : UINT64_MAX;
}

/* The caller moves it from now on, whatever its delay; or its model does. */
static void set_external(th_world *world, uint32_t row, bool external) {
  th_rows *rows = &world->rows;
  if (external == (rows->state[row] == TH_AGENT_EXTERNAL)) return;
  if (!rows->in[row] && external) world->order_holds = false; /* it has no slot */
  rows->in[row] |= external;
  rows->state[row] = external ? TH_AGENT_EXTERNAL : TH_AGENT_WALKING;
  th_agent_set_off(world, row);
}

/* Another field may know a path. */
static void use_fields(th_world *world, uint32_t row, const uint16_t *field) {
  th_rows *rows = &world->rows;
  th_route *route = &rows->route[row];
  memcpy(route->field, field, sizeof *field * route->count);
  const uint16_t now = route->next < route->count ? route->field[route->next] : TH_NO_FIELD;
  if (rows->field[row] != now && rows->state[row] == TH_AGENT_LOST) rows->state[row] = TH_AGENT_WALKING;
  rows->field[row] = now;
}

static void use_guide(th_world *world, uint32_t row, th_guide_id guide) {
  th_rows *rows = &world->rows;
  if (rows->guide[row] == guide.index) return;
  bool waits = rows->state[row] == TH_AGENT_PREMOVEMENT ||
               (rows->state[row] == TH_AGENT_WAITING && rows->due[row] != UINT64_MAX);
  const uint8_t decided = rows->choice[row].decided;
  th_guide_row_follow(world, row, guide.index);
  th_agent_head_for(world, row, rows->route[row].next);
  rows->choice[row].decided = decided;
  if (!waits) th_agent_set_off(world, row);
}

/* Those that stay keep the rows that were found for them. */
static bool same_links(const th_world *world, uint32_t row, const th_agent_def *def) {
  const th_link_target *has = world->rows.links[row].target;
  bool same = def->link_count == world->rows.link_count[row];
  for (uint32_t i = 0; same && i < def->link_count; i++) {
    const th_link_def *link = &def->link[i];
    same = th_same_agent(link->agent, world->rows.names[row].agent[i]) &&
           link->to_point == (has[i].kind == TH_LINK_POINT) && link->point.x == has[i].at.x &&
           link->point.y == has[i].at.y && link->point.z == has[i].at.z && link->role == has[i].role;
  }
  return same;
}

static bool same_stops(const th_route *a, const th_route *b) {
  return a->count == b->count && memcmp(a->goal, b->goal, sizeof a->goal) == 0;
}

static void use_route(th_world *world, uint32_t row, const th_agent_def *def, const th_route *route, uint32_t first) {
  th_agent_write_route(world, row, route);
  th_choice_route_put(world, row, def);
  th_agent_head_for(world, row, (uint8_t)first);
  th_agent_set_off(world, row);
}

/* Another premovement time, for an agent that has not set off; seconds to steps and back may round. */
static void wait_until(th_world *world, uint32_t row, float premovement) {
  const uint8_t state = world->rows.state[row];
  if ((state != TH_AGENT_DELAYED && state != TH_AGENT_PREMOVEMENT) ||
      premovement == th_agent_read_premovement_left(world, row))
    return;
  world->rows.premovement[row] = premovement;
  if (state == TH_AGENT_PREMOVEMENT) world->rows.due[row] = th_world_due(world, premovement);
}

/* Applies a checked def except for its model; what stays the same is not touched. */
static void write_def(th_world *world, uint32_t row, const th_agent_def *def, const uint16_t *field) {
  th_rows *rows = &world->rows;
  const th_vec2 v = rows->v[row];
  const th_vec3 above = th_ground_to_space(world->ground, th_row_place(world, row), v);
  th_agent_write_body(world, row, def);
  if (def->v.x == above.x && def->v.y == above.y) rows->v[row] = v; /* seen from above it loses what stands upright */
  if (!same_links(world, row, def)) th_agent_write_links(world, row, def);
  wait_until(world, row, def->premovement);
  set_external(world, row, def->external);
  const th_route *has = &rows->route[row];
  th_route route = th_agent_route_of(world, def, field);
  if (same_stops(has, &route)) {
    route.next = has->next;
    th_agent_write_route(world, row, &route);
    use_fields(world, row, field);
    th_choice_route_put(world, row, def);
    use_guide(world, row, def->guide);
  } else {
    th_guide_row_follow(world, row, def->guide.index);
    use_route(world, row, def, &route, 0);
  }
}

/* Everything of a change that may fail. It leaves nothing behind but a field that is made sooner, or a set of
 * parameters. */
static th_result prepare_change(th_world *world, uint32_t row, const th_agent_def *def, uint32_t *model,
                                uint16_t field[TH_MAX_STOPS], th_error *error) {
  th_rows *rows = &world->rows;
  memcpy(field, rows->route[row].field, sizeof *field * TH_MAX_STOPS);
  th_result result = th_agent_check(world, def, &rows->route[row], error);
  if (!result) result = th_agent_check_needs(world, row, def, error);
  uint8_t people;
  if (!result) result = th_model_slot_for(world, def->model, def->params, model, error);
  if (!result) result = th_people_sets_find(&world->people, def->people, &people, error);
  if (!result && def->guide.index != rows->guide[row]) result = th_guide_rows_for(world, def->guide.index, 1, error);
  return result ? result : th_agent_fields(world, def, field, error);
}

th_result th_agent_may_change(th_world *world, uint32_t row, const th_agent_def *def, th_error *error) {
  uint32_t model;
  uint16_t field[TH_MAX_STOPS];
  return prepare_change(world, row, def, &model, field, error);
}

th_result th_world_change_agent(th_world *world, th_agent_id agent, const th_agent_def *def, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row, model;
  uint16_t field[TH_MAX_STOPS];
  th_result result = open_row(world, agent, "th_world_change_agent", &row, error);
  if (result) return result;
  th_agent_def kept = *def;
  th_choice_route_keep(world, row, &kept);
  result = prepare_change(world, row, &kept, &model, field, error);
  if (result) return result;
  th_rows *rows = &world->rows;
  bool same = rows->model[row] == model;
  th_model_slot_set(world, model, row, def->params, same);
  if (!same) th_model_slot_leave(world, rows->model[row], row);
  rows->model[row] = (uint8_t)model;
  write_def(world, row, &kept, field);
  th_people_sets_settle(&world->people);
  return TH_OK;
}

th_result th_world_set_speed(th_world *world, th_agent_id agent, float speed, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = open_row(world, agent, "th_world_set_speed", &row, error);
  if (!result) result = th_agent_check_number("speed", speed, 0.0f, world->rows.speed_max[row], error);
  if (!result) world->rows.speed[row] = speed;
  return result;
}

th_result th_world_set_speed_max(th_world *world, th_agent_id agent, float speed_max, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = open_row(world, agent, "th_world_set_speed_max", &row, error);
  if (!result) result = th_agent_check_number("speed_max", speed_max, world->rows.speed[row], TH_MAX_SPEED, error);
  if (!result) world->rows.speed_max[row] = speed_max;
  return result;
}

/* What a route needs of a def, as the agent has it. */
static th_agent_def route_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_route *route = &rows->route[row];
  th_agent_def def = {.radius = rows->radius[row], .eps = rows->eps[row], .route_count = route->count};
  def.loop = route->loop;
  def.remove = route->remove;
  for (uint32_t i = 0; i < route->count; i++) {
    def.route[i].goal.index = route->goal[i];
    def.route[i].choice.index = rows->choice[row].of[i];
  }
  return def;
}

th_result th_world_set_radius(th_world *world, th_agent_id agent, float radius, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  uint16_t field[TH_MAX_STOPS];
  th_result result = open_row(world, agent, "th_world_set_radius", &row, error);
  if (!result) result = th_agent_check_number("radius", radius, TH_MIN_RADIUS, TH_MAX_RADIUS, error);
  if (result) return result;
  th_rows *rows = &world->rows;
  memcpy(field, rows->route[row].field, sizeof field);
  th_agent_def def = route_of(world, row);
  def.radius = radius;
  th_world_overhead_size(world, rows->height[row], radius);
  result = th_world_overhead_fit(world, error);
  if (!result) result = th_agent_fields(world, &def, field, error);
  if (result) return result;
  rows->radius[row] = rows->body[row] = radius;
  th_agent_limits(world, row);
  use_fields(world, row, field);
  th_choice_route_put(world, row, &def);
  return TH_OK;
}

th_result th_world_set_layers(th_world *world, th_agent_id agent, uint32_t layers, uint32_t avoids, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = open_row(world, agent, "th_world_set_layers", &row, error);
  if (result) return result;
  world->rows.layers[row] = layers;
  world->rows.avoids[row] = avoids;
  th_agent_limits(world, row);
  return TH_OK;
}

th_result th_world_set_external(th_world *world, th_agent_id agent, bool external, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = open_row(world, agent, "th_world_set_external", &row, error);
  if (!result) set_external(world, row, external);
  return result;
}

static th_result give_route(th_world *world, uint32_t row, const th_stop *stop, uint32_t count, uint32_t first,
                            th_error *error) {
  uint16_t field[TH_MAX_STOPS];
  th_result result = th_route_check(world, stop, count, NULL, error);
  if (!result && first && first >= count)
    result = th_fail(error, TH_ERROR_RANGE, "first", "expected a stop below %u, found %u", count, first);
  if (result) return result;
  th_agent_def def = route_of(world, row);
  def.route_count = count;
  if (count) memcpy(def.route, stop, sizeof *stop * count);
  result = th_agent_fields(world, &def, field, error);
  if (result) return result;
  th_route route = th_agent_route_of(world, &def, field);
  use_route(world, row, &def, &route, first);
  return TH_OK;
}

th_result th_world_set_route(th_world *world, th_agent_id agent, const th_stop *stop, uint32_t count, uint32_t first,
                             th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = open_row(world, agent, "th_world_set_route", &row, error);
  return result ? result : give_route(world, row, stop, count, first, error);
}

th_result th_world_set_goal(th_world *world, th_agent_id agent, th_goal_id goal, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = open_row(world, agent, "th_world_set_goal", &row, error);
  if (!result) result = give_route(world, row, &(th_stop){.goal = goal}, 1, 0, error);
  if (!result) world->rows.route[row].loop = false; /* a loop of one stop arrives in every step */
  return result;
}

th_result th_world_set_guide(th_world *world, th_agent_id agent, th_guide_id guide, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = open_row(world, agent, "th_world_set_guide", &row, error);
  if (!result && !th_is_null_guide(guide))
    result = th_world_id_check(world, &world->guides.ids, TH_ID(guide), "guide", "th_world_set_guide", error);
  th_agent_def def;
  if (!result && th_world_agent_def(world, agent, &def)) {
    def.guide = guide;
    result = th_agent_check_needs(world, row, &def, error);
  }
  if (!result && guide.index != world->rows.guide[row]) result = th_guide_rows_for(world, guide.index, 1, error);
  if (!result) use_guide(world, row, guide);
  return result;
}

th_result th_world_set_params(th_world *world, th_agent_id agent, const void *params, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row, model;
  th_result result = open_row(world, agent, "th_world_set_params", &row, error);
  if (result) return result;
  const th_model *kind = world->model[world->rows.model[row]].model;
  if (params) result = th_param_check(kind->param, kind->param_count, params, error);
  th_agent_def def;
  if (!result && th_world_agent_def(world, agent, &def)) {
    def.params = params;
    result = th_agent_check_needs(world, row, &def, error);
  }
  if (!result) result = th_model_slot_for(world, kind, params, &model, error);
  if (result) return result;
  th_model_slot_set(world, model, row, params, true);
  th_agent_limits(world, row);
  return TH_OK;
}

th_result th_world_set_links(th_world *world, th_agent_id agent, const th_link_def *link, uint32_t count,
                             th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_agent_def def;
  th_result result = open_row(world, agent, "th_world_set_links", &row, error);
  if (!result && count > TH_MAX_LINKS)
    result = th_fail(error, TH_ERROR_CAPACITY, "links", "expected at most %d links, found %u", TH_MAX_LINKS, count);
  if (result || !th_world_agent_def(world, agent, &def)) return result;
  def.link_count = count;
  if (count) memcpy(def.link, link, sizeof *link * count);
  return th_world_change_agent(world, agent, &def, error);
}

void th_world_set_user(th_world *world, th_agent_id agent, void *user) {
  if (th_no_world(world, __func__)) return;
  uint32_t row;
  if (!th_agent_find(world, agent, "th_world_set_user", &row, NULL)) world->rows.user[row] = user;
}
