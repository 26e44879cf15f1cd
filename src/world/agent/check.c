/* world/agent/check.c - checks whether an agent can be made from a def.
 *
 * Everything is checked before anything changes: numbers against their ranges, ids against the world, parameters
 * against the model's table. Cost: some fifty comparisons per agent.
 */
#include <math.h>

#include "world/agent/agents.h"

typedef struct number_rule {
  const char *name;
  float value, min, max;
} number_rule;

static th_result check_rules(const number_rule *rule, size_t count, th_error *error) {
  for (size_t i = 0; i < count; i++) {
    if (rule[i].value >= rule[i].min && rule[i].value <= rule[i].max) continue;
    return th_fail(error, TH_ERROR_RANGE, rule[i].name, "expected %g to %g, found %g", (double)rule[i].min,
                   (double)rule[i].max, (double)rule[i].value);
  }
  return TH_OK;
}

th_result th_agent_check_number(const char *name, float value, float min, float max, th_error *error) {
  return check_rules(&(number_rule){name, value, min, max}, 1, error);
}

static th_result check_numbers(const th_agent_def *def, th_error *error) {
#define NUMBER(to, type, name, initial, min, max, draw) {#name, def->name, min, max},
#define PAIR(name, limit) {#name ".x", def->name.x, -limit, limit}, {#name ".y", def->name.y, -limit, limit},
  const number_rule rule[] = {TH_AGENT_NUMBERS(NUMBER, NUMBER, ) TH_AGENT_PAIRS(PAIR)};
#undef PAIR
#undef NUMBER
  return check_rules(rule, sizeof rule / sizeof *rule, error);
}

/* A stop whose goal is gone may stay in a route that already contains it. */
static th_result check_stop(const th_world *world, const th_stop *stop, uint32_t i, bool gone, th_error *error) {
  const bool chooses = !th_is_null_choice(stop->choice);
  if (chooses && th_choice_check(world, stop->choice, "route of an agent", NULL))
    return th_fail(error, TH_ERROR_STATE, "route", "stop %u names a choice that does not exist", i);
  gone |= chooses && th_is_null_goal(stop->goal); /* or is to be taken */
  if (!gone && th_world_id_check(world, &world->goals.ids, TH_ID(stop->goal), "goal", "route of an agent", NULL))
    return th_fail(error, TH_ERROR_STATE, "route", "stop %u names a goal that does not exist", i);
  if (!(stop->wait >= 0.0f))
    return th_fail(error, TH_ERROR_RANGE, "route", "stop %u: expected a wait of 0 s or more, found %g", i,
                   (double)stop->wait);
  return TH_OK;
}

th_result th_route_check(const th_world *world, const th_stop *stop, uint32_t count, const th_route *has,
                         th_error *error) {
  th_result result = TH_OK;
  if (count > TH_MAX_STOPS)
    return th_fail(error, TH_ERROR_CAPACITY, "route_count", "expected at most %d stops, found %u", TH_MAX_STOPS, count);
  for (uint32_t i = 0; i < count && !result; i++) {
    bool gone = has && th_is_null_goal(stop[i].goal) && i < has->count && has->goal[i] == 0;
    result = check_stop(world, &stop[i], i, gone, error);
  }
  return result;
}

static th_result check_links(const th_agent_def *def, th_error *error) {
  if (def->link_count > TH_MAX_LINKS)
    return th_fail(error, TH_ERROR_CAPACITY, "link_count", "expected at most %d links, found %u", TH_MAX_LINKS,
                   def->link_count);
  for (uint32_t i = 0; i < def->link_count; i++) {
    const th_link_def *link = &def->link[i];
    if (link->to_point && !(isfinite(link->point.x) && isfinite(link->point.y)))
      return th_fail(error, TH_ERROR_RANGE, "link", "link %u: expected a finite point", i);
    if (link->role > TH_MAX_ROLE || (link->role > TH_ROLE_PURSUER && link->role < TH_ROLE_USER))
      return th_fail(error, TH_ERROR_RANGE, "role", "link %u: expected a th_role or %d to %d, found %u", i,
                     TH_ROLE_USER, TH_MAX_ROLE, link->role);
  }
  return TH_OK;
}

static th_result check_names(const th_world *world, const th_agent_def *def, const th_route *has, th_error *error) {
  if (!def->model) return th_fail(error, TH_ERROR_STATE, "model", "expected a model");
  th_result result = th_route_check(world, def->route, def->route_count, has, error);
  if (!result && !th_is_null_guide(def->guide))
    result = th_world_id_check(world, &world->guides.ids, TH_ID(def->guide), "guide", "guide of an agent", error);
  if (result) return result;
  return check_links(def, error);
}

static th_result check_params(const th_agent_def *def, th_error *error) {
  uint32_t count;
  const th_param *table = th_people_table(&count);
  const th_result result = def->people ? th_param_check(table, count, def->people, error) : TH_OK;
  if (result || !def->params) return result;
  return th_param_check(def->model->param, def->model->param_count, def->params, error);
}

/* The displacement of one step is longer than the model allows. */
static th_result fail_step(const th_model *model, float speed, float dt, float most, th_error *error) {
  return th_fail(error, TH_ERROR_RANGE, "dt",
                 "expected steps of at most %g s: at %g m/s an agent of %s would come farther than the %g m that it "
                 "decides on, found %g s",
                 (double)(most / speed), (double)speed, model->name, (double)most, (double)dt);
}

static th_result check_displacement(const th_world *world, const th_agent_def *def, th_error *error) {
  const th_model *model = def->model;
  if (!model->displacement_max) return TH_OK;
  void *initial = def->params ? NULL : th_take(&world->env.allocator, model->param_size, 1);
  if (!def->params && !initial) return th_fail_memory(error, model->name);
  if (initial) th_param_defaults(model->param, model->param_count, initial);
  const float most = model->displacement_max(def->params ? def->params : initial);
  th_give(&world->env.allocator, initial, model->param_size, 1);
  return def->speed * world->dt > most ? fail_step(model, def->speed, world->dt, most, error) : TH_OK;
}

th_result th_agent_check_steps(const th_world *world, float dt, th_error *error) {
  for (uint32_t row = 0; row < world->rows.count; row++) {
    const th_model_slot *use = &world->model[world->rows.model[row]];
    if (!use->model->displacement_max) continue;
    const float most = use->model->displacement_max(th_model_params(use, row)), speed = world->rows.speed[row];
    if (speed * dt > most) return fail_step(use->model, speed, dt, most, error);
  }
  return TH_OK;
}

th_result th_agent_check(th_world *world, const th_agent_def *def, const th_route *has, th_error *error) {
  th_result result = check_numbers(def, error);
  if (!result) result = check_names(world, def, has, error);
  if (!result) result = check_params(def, error);
  if (!result) result = check_displacement(world, def, error);
  if (!result) th_world_overhead_size(world, def->height, def->radius);
  return result ? result : th_world_overhead_fit(world, error);
}

th_result th_agent_check_place(const th_world *world, th_vec3 p, int32_t level, th_error *error) {
  bool finite = isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
  if (finite && th_ground_foot(world->ground, p, level).cell != TH_NO_CELL) return TH_OK;
  if (world->mesh)
    return th_fail(error, TH_ERROR_GEOMETRY, "place",
                   "expected a walkable place at most %g m beside the ground, found (%g, %g, %g)",
                   (double)th_ground_beside(world->ground), (double)p.x, (double)p.y, (double)p.z);
  return th_fail(error, TH_ERROR_GEOMETRY, "place",
                 "expected a walkable place, found (%g, %g, %g) in a wall or off the ground", (double)p.x, (double)p.y,
                 (double)p.z);
}
