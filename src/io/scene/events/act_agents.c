/* io/scene/events/act_agents.c - events of agents: who come, leave, change, are put or driven.
 *
 * An event about several agents is one event: where one of them cannot do what it says, none does. The caller puts back
 * what had changed (run/do.c; an event of a scene that fails ends the run). Cost: those who are meant.
 */
#include <string.h>

#include "base/memory.h"
#include "io/scene/events/events.h"
#include "io/scene/keys.h"

th_result th_act_crowd_now(const th_run *run, const th_scene_crowd *crowd, th_scene_crowd *resolved, th_error *error) {
  *resolved = *crowd;
  for (uint32_t i = 0; i < crowd->stop_count; i++) {
    resolved->stop[i].choice = th_run_named(run, TH_NAMED_CHOICE, crowd->stop[i].name);
    resolved->stop[i].goal = th_run_named(run, TH_NAMED_GOAL, crowd->stop[i].name);
    if (resolved->stop[i].choice != TH_NO_INDEX) continue;
    if (resolved->stop[i].goal == TH_NO_INDEX) return th_run_names_fail(error, "a goal", crowd->stop[i].name);
  }
  if (crowd->guide) resolved->guide_index = th_run_named(run, TH_NAMED_GUIDE, crowd->guide);
  if (crowd->guide && resolved->guide_index == TH_NO_INDEX) return th_run_names_fail(error, "a guide", crowd->guide);
  for (uint32_t role = TH_ROLE_LEADER; role <= TH_ROLE_PURSUER; role++) {
    if (!crowd->links.name[role]) continue;
    resolved->links.population[role] = th_run_named(run, TH_NAMED_POPULATION, crowd->links.name[role]);
    if (resolved->links.population[role] == TH_NO_INDEX)
      return th_run_names_fail(error, "a population", crowd->links.name[role]);
  }
  return TH_OK;
}

/* ---------------------------------------------------------------- come and leave */

static th_result check_room(const th_run *run, const th_scene_population *population, th_error *error) {
  const uint32_t count = th_run_crowd_size(population);
  const float radius = th_scene_spread(&population->crowd.spread.radius, population->crowd.def.radius).min;
  if (population->position.count || count <= th_spots_bound(th_world_ground(run->world), &population->region, radius))
    return TH_OK;
  return th_fail(error, TH_ERROR_CAPACITY, "region", "expected room for %u bodies, found too small a region", count);
}

/* Adds them and lists who they are. */
static th_result enter(th_run *run, const th_scene_event *event, uint32_t number, th_error *error) {
  th_scene_population population = *event->enter;
  const uint32_t count = th_run_crowd_size(&population), first = run->member_count;
  void *picked = run->picked;
  bool grown = th_grow(&run->env.allocator, &picked, &run->picked_capacity, count, sizeof *run->picked);
  run->picked = picked;
  if (!grown) return th_fail_memory(error, "enter");
  th_result result = th_act_crowd_now(run, &event->enter->crowd, &population.crowd, error);
  if (!result) result = check_room(run, &population, error);
  const th_run_crowd crowd = {&population, number, th_scene_bits(run->seed, TH_DRAW_CHANGE + event->order, 0), ""};
  if (!result) result = th_run_crowd_add(run, &crowd, count, error);
  for (uint32_t i = 0; i < count && !result; i++) run->picked[run->picked_count++] = run->member[first + i].id;
  return result;
}

/* The name is known before links are, which may be among themselves. */
th_result th_act_enter(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const char *own;
  if (!th_run_names_reserve(run, TH_NAMED_POPULATION, event->name, &own)) return th_fail_memory(error, "enter");
  const uint32_t known = th_run_named(run, TH_NAMED_POPULATION, event->name);
  const uint32_t number = known != TH_NO_INDEX ? known : th_run_names_add(run, TH_NAMED_POPULATION, own, (th_id){0});
  th_result result = enter(run, event, number, error);
  if (result && known == TH_NO_INDEX) run->list[TH_NAMED_POPULATION].count--;
  return result;
}

static void remove_picked(th_run *run) {
  for (uint32_t i = 0; i < run->picked_count; i++) th_world_remove_agent(run->world, run->picked[i]);
}

th_result th_act_dismiss(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const uint32_t population = th_run_named(run, TH_NAMED_POPULATION, event->name);
  if (population == TH_NO_INDEX) return th_run_names_fail(error, "a population", event->name);
  th_result result = th_run_whom_of(run, population, error);
  if (!result) remove_picked(run);
  return result;
}

th_result th_act_leave(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  th_result result = th_run_whom(run, event->whom, error);
  for (uint32_t i = 0; i < run->picked_count && !result; i++) /* nobody is named twice */
    if (th_world_has_agent(run->world, run->picked[i])) th_world_remove_agent(run->world, run->picked[i]);
  return result;
}

/* ---------------------------------------------------------------- change */

/* What draws are made from: members by their numbers, others by their ids behind them. */
static uint32_t number_of(const th_run *run, th_agent_id id) {
  const uint32_t member = id.index < run->owner_count ? run->owner[id.index] : TH_NO_INDEX;
  if (member != TH_NO_INDEX && th_same_agent(run->member[member].id, id)) return member;
  return id.index | 1u << 31;
}

static th_result change_one(th_run *run, const th_scene_crowd *crowd, uint32_t order, th_agent_id id, th_error *error) {
  th_agent_def def;
  if (!th_world_agent_def(run->world, id, &def)) return TH_ERROR_STATE;
  th_run_crowd_change(run, crowd, &def);
  th_agent_draw(&crowd->spread, th_scene_bits(run->seed, TH_DRAW_CHANGE + order, number_of(run, id)), &def);
  if (crowd->given & th_scene_crowd_key_bit("links")) th_run_link(run, crowd, id, &def);
  th_result result = th_world_change_agent(run->world, id, &def, error);
  if (result == TH_OK &&
      crowd->given & th_scene_crowd_key_bit("route")) /* it begins, also when it is the one they have */
    result = th_world_set_route(run->world, id, def.route, def.route_count, 0, error);
  return result;
}

th_result th_act_change(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  th_scene_crowd crowd;
  th_result result = th_act_crowd_now(run, &event->change->crowd, &crowd, error);
  if (!result) result = th_run_whom(run, &event->change->whom, error);
  for (uint32_t i = 0; i < run->picked_count && !result; i++)
    result = change_one(run, &crowd, event->order, run->picked[i], error);
  return result;
}

th_result th_act_link(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const th_scene_relink *relink = event->relink;
  th_link_def link[TH_MAX_LINKS];
  if (relink->link_count > TH_MAX_LINKS)
    return th_fail(error, TH_ERROR_CAPACITY, "links", "expected at most %d links, found %u", TH_MAX_LINKS,
                   relink->link_count);
  for (uint32_t i = 0; i < relink->link_count; i++) {
    const th_scene_link_to *to = &relink->link[i];
    const int32_t agent = (int32_t)to->agent;
    link[i] = th_default_link_def();
    link[i].role = (uint32_t)to->role + TH_ROLE_LEADER;
    link[i].to_point = to->point.count > 0;
    if (link[i].to_point) link[i].point = th_shape_at(&to->point, 0);
    th_result result = agent ? th_run_whom_listed(run, &agent, 1, error) : TH_OK;
    if (result) return result;
    if (agent) link[i].agent = run->picked[0];
  }
  th_result result = th_run_whom(run, &relink->whom, error);
  for (uint32_t i = 0; i < run->picked_count && !result; i++)
    result = th_world_set_links(run->world, run->picked[i], link, relink->link_count, error);
  return result;
}

/* ---------------------------------------------------------------- move by hand */

th_result th_act_push(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const double *v = event->push->velocity;
  th_result result = th_run_whom(run, &event->push->whom, error);
  for (uint32_t i = 0; i < run->picked_count && !result; i++)
    result = th_world_set_velocity(run->world, run->picked[i], (th_vec3){(float)v[0], (float)v[1], (float)v[2]}, error);
  return result;
}

th_result th_act_send(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const th_vec3 point = th_shape_at(&event->send->point, 0);
  th_result result = th_run_whom(run, &event->send->whom, error);
  for (uint32_t i = 0; i < run->picked_count && !result; i++)
    result = th_world_move_to(run->world, run->picked[i], point, error);
  return result;
}

th_result th_act_place(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const th_scene_drive *place = event->drive;
  th_result result = th_run_whom_listed(run, place->agent, place->agent_count, error);
  for (uint32_t i = 0; i < run->picked_count && !result; i++)
    result = th_world_place_agent(run->world, run->picked[i], place->point.point[i], error);
  return result;
}

th_result th_act_drive(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const th_scene_drive *drive = event->drive;
  static const th_vec3 none = {0, 0, 0};
  th_result result = th_run_whom_listed(run, drive->agent, drive->agent_count, error);
  for (uint32_t i = 0; i < run->picked_count && !result; i++)
    result = th_world_drive_agent(run->world, run->picked[i], drive->point.point[i],
                                  drive->velocity.count ? drive->velocity.point[i] : none,
                                  drive->heading.count ? drive->heading.point[i] : none, error);
  return result;
}

th_result th_act_accept(th_run *run, const th_scene_event *event, th_run_answer *answer, th_error *error) {
  (void)answer;
  const uint32_t count = event->accept->count, agents = th_world_agents(run->world).count;
  if (run->scene->world.update == TH_UPDATE_ONE_BY_ONE)
    return th_fail(error, TH_ERROR_STATE, "accept", "expected agents that move all at once, found one by one");
  if (count != agents)
    return th_fail(error, TH_ERROR_RANGE, "accept", "expected as many points as there are agents, %u, found %u", agents,
                   count);
  th_vec3 *point = TH_TAKE(&run->env.allocator, th_vec3, count);
  if (!point) return th_fail_memory(error, "accept");
  memcpy(point, event->accept->point, sizeof *point * count);
  TH_GIVE(&run->env.allocator, run->accepted, run->accepted_count);
  run->accepted = point;
  run->accepted_count = count;
  return TH_OK;
}
