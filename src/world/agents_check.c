/* world/agents_check.c - is what a def of an agent says possible?
 *
 * Numbers first, then what it names, then the model's parameters; the first fault found is reported with the number of
 * the def. Nothing is changed but the lists for bodies overhead, which only ever grow. Cost: some 30 comparisons.
 */
#include <math.h>

#include "world/agents.h"

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

static th_result check_links(const th_agent_def *def, uint32_t element, th_error *error) {
  if (def->link_count > TH_MAX_LINKS)
    return th_fail_at(error, TH_ERROR_CAPACITY, "link_count", element, "agent %u: expected at most %d links, found %u",
                      element, TH_MAX_LINKS, def->link_count);
  for (uint32_t i = 0; i < def->link_count; i++) {
    const th_link_def *link = &def->link[i];
    if (link->point && !(isfinite(link->x) && isfinite(link->y)))
      return th_fail_at(error, TH_ERROR_RANGE, "link", element, "agent %u: link %u: expected a finite point", element,
                        i);
    if (link->role > TH_MAX_ROLE || (link->role > TH_ROLE_FOCUS && link->role < TH_ROLE_USER))
      return th_fail_at(error, TH_ERROR_RANGE, "role", element,
                        "agent %u: link %u: expected a th_role or %d to %d, found %u", element, i, TH_ROLE_USER,
                        TH_MAX_ROLE, link->role);
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
  return check_links(def, element, error);
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

th_result th_agent_check_place(const th_world *world, const th_agent_def *def, uint32_t element, th_error *error) {
  th_vec3 p = {def->x, def->y, def->z};
  bool finite = isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
  if (finite && th_ground_locate_at(world->ground, p, def->level, INFINITY).cell != TH_NO_CELL) return TH_OK;
  return th_fail_at(error, TH_ERROR_GEOMETRY, "place", element,
                    "agent %u: expected a walkable place, found (%g, %g, %g) in a wall or off the ground", element,
                    (double)p.x, (double)p.y, (double)p.z);
}
