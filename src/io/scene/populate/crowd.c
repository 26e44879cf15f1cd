/* io/scene/populate/crowd.c - populations of a scene, as agents of a world.
 *
 * Every agent of the scene has a number; radius, speed, delay and place are drawn from (seed, number), so the crowd
 * does not depend on the order of anything else. All agents are added by one call: all or none. Cost: linear in agents.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape.h"
#include "ground/ground.h"
#include "io/scene/events/events.h"
#include "io/scene/keys.h"
#include "io/scene/run.h"
#include "throng/model.h"
#include "world/agent/agents.h"
#include "world/world.h"

static void set_route(const th_run *run, const th_scene_crowd *crowd, th_agent_def *def) {
  def->route_count = crowd->stop_count;
  for (uint32_t i = 0; i < crowd->stop_count; i++) {
    const th_scene_stop *stop = &crowd->stop[i];
    def->route[i] = (th_stop){th_run_goal_at(run, stop->goal), stop->wait, th_run_choice_at(run, stop->choice)};
  }
}

th_agent_def th_run_crowd_def(const th_run *run, const th_scene_crowd *crowd) {
  th_agent_def def = crowd->def;
  set_route(run, crowd, &def);
  if (crowd->guide) def.guide = th_run_guide_at(run, crowd->guide_index);
  return def;
}

void th_run_crowd_change(const th_run *run, const th_scene_crowd *crowd, th_agent_def *def) {
  th_scene_crowd_keys_given(crowd, def);
  if (crowd->given & th_scene_crowd_key_bit("people")) def->people = crowd->def.people;
  if (crowd->given & th_scene_crowd_key_bit("route")) set_route(run, crowd, def);
  if (crowd->guide) def->guide = th_run_guide_at(run, crowd->guide_index);
  if (crowd->given & th_scene_crowd_key_bit("model"))
    def->params = crowd->def.params; /* those of the old one do not fit */
}

static void lay_over_spread(const th_spread *over, th_spread *under) {
  if (over->kind != TH_SPREAD_NONE) *under = *over;
}

/* What was given of one agent, over what its population says. */
static void lay_over(const th_scene_crowd *over, th_scene_crowd *under) {
  th_scene_crowd_keys_given(over, &under->def);
  if (over->given & th_scene_crowd_key_bit("people")) under->def.people = over->def.people;
  if (over->given & th_scene_crowd_key_bit("model")) under->def.params = over->def.params;
  if (over->given & th_scene_crowd_key_bit("links")) under->links = over->links;
  if (over->guide) under->guide = over->guide;
  lay_over_spread(&over->spread.speed, &under->spread.speed);
  lay_over_spread(&over->spread.radius, &under->spread.radius);
  lay_over_spread(&over->spread.premovement, &under->spread.premovement);
  lay_over_spread(&over->spread.share, &under->spread.share);
  if (!(over->given & th_scene_crowd_key_bit("route"))) return;
  under->stop_count = over->stop_count;
  for (uint32_t i = 0; i < over->stop_count; i++) under->stop[i] = over->stop[i];
}

/* The crowd of agent i of a population: that of all, or one of its own, in `own`. */
static th_result crowd_of(const th_run *run, const th_scene_population *population, uint32_t i, th_scene_crowd *own,
                          th_error *error) {
  *own = population->crowd;
  if (!population->single_count) return TH_OK;
  const th_scene_single *single = &population->single[i];
  lay_over(&single->crowd, own);
  if (single->delay >= 0.0f) own->spread.delay = th_constant_spread(single->delay);
  return th_act_crowd_now(run, own, own, error);
}

static float largest_of(const th_scene_crowd *crowd, float least) {
  float max = th_scene_spread(&crowd->spread.radius, crowd->def.radius).max;
  return max > least ? max : least;
}

static float largest_radius(const th_scene_population *population, float least) {
  float max = largest_of(&population->crowd, least);
  for (uint32_t i = 0; i < population->single_count; i++) max = largest_of(&population->single[i].crowd, max);
  return max;
}

uint32_t th_run_crowd_size(const th_scene_population *population) {
  return population->position.count ? population->position.count : population->count;
}

/* A crowd that is being placed. `where` of an error is the pointer of what is wrong. */
typedef struct placing {
  th_run *run;
  const th_run_crowd *crowd;
  const th_ground *ground;
  th_spots *spots;
  uint32_t first; /* number of its first agent */
} placing;

static th_result place_one(const placing *p, uint32_t i, th_agent_def *def, th_error *error) {
  const th_scene_population *population = p->crowd->population;
  th_vec3 spot;
  char pointer[80];
  if (population->position.count) {
    spot = population->position.point[i];
    snprintf(pointer, sizeof pointer, "%s/positions/%u", p->crowd->where, i);
    if (th_ground_foot(p->ground, spot, TH_ANY_LEVEL).cell == TH_NO_CELL) {
      if (!th_ground_is_mesh(p->ground))
        return th_fail(error, TH_ERROR_GEOMETRY, pointer,
                       "expected a walkable place, found %g, %g in a wall or off the ground", (double)spot.x,
                       (double)spot.y);
      return th_fail(error, TH_ERROR_GEOMETRY, pointer,
                     "expected a walkable place at most %g m beside the ground, found %g, %g, %g",
                     (double)th_ground_beside(p->ground), (double)spot.x, (double)spot.y, (double)spot.z);
    }
    th_spots_take(p->spots, spot, def->radius);
  } else {
    snprintf(pointer, sizeof pointer, "%s/region", p->crowd->where);
    const th_result found = th_spots_find(p->spots, &population->region, def->radius, p->crowd->seed, &spot);
    if (found == TH_ERROR_MEMORY) return th_fail_memory(error, pointer);
    if (found)
      return th_fail(error, TH_ERROR_CAPACITY, pointer, "expected room for %u bodies, found free spots for %u",
                     population->count, i);
  }
  def->point = spot;
  return TH_OK;
}

static bool has_links(const th_scene_crowd *crowd) {
  bool any = false;
  for (uint32_t role = TH_ROLE_LEADER; role <= TH_ROLE_PURSUER; role++) any |= crowd->links.name[role] != NULL;
  return any;
}

/* Its model works only once its links are set. */
static bool waits_for_links(const th_scene_crowd *crowd) {
  const th_model *model = crowd->def.model;
  return has_links(crowd) && model->needs && crowd->def.params && model->needs(crowd->def.params);
}

static th_result fill_defs(const placing *p, th_agent_def *def, th_error *error) {
  const th_scene_population *population = p->crowd->population;
  for (uint32_t i = 0; i < th_run_crowd_size(population); i++) {
    th_scene_crowd own;
    th_result result = crowd_of(p->run, population, i, &own, error);
    if (result != TH_OK) return result;
    def[i] = th_run_crowd_def(p->run, &own);
    if (waits_for_links(&own)) def[i].model = &th_model_follow, def[i].params = NULL;
    th_agent_draw(&own.spread, th_scene_bits(p->run->seed, TH_DRAW_AGENT, p->first + i), &def[i]);
    result = place_one(p, i, &def[i], error);
    if (result != TH_OK) return result;
    p->run->member[p->first + i].population = p->crowd->number;
  }
  return TH_OK;
}

void th_run_link(const th_run *run, const th_scene_crowd *crowd, th_agent_id own, th_agent_def *def) {
  def->link_count = 0;
  for (uint32_t role = TH_ROLE_LEADER; role <= TH_ROLE_PURSUER; role++) {
    uint32_t first = 0, population = crowd->links.population[role];
    if (!crowd->links.name[role]) continue;
    while (first < run->member_count && run->member[first].population != population) first++;
    uint32_t last = role == TH_ROLE_PURSUER ? run->member_count : first + 1;
    for (; first < last && first < run->member_count && def->link_count < TH_MAX_LINKS; first++) {
      const th_run_member *member = &run->member[first];
      if (member->population != population || member->id.index == own.index) continue;
      if (!th_world_has_agent(run->world, member->id)) continue;
      def->link[def->link_count++] = (th_link_def){.agent = member->id, .role = role};
    }
  }
}

/* Agents get ids only when all are added, so links are set afterwards, and with them models that need links. */
static th_result link_one(th_run *run, uint32_t member, const th_scene_crowd *crowd, th_error *error) {
  th_agent_def def;
  if (!has_links(crowd) || !th_world_agent_def(run->world, run->member[member].id, &def)) return TH_OK;
  th_run_link(run, crowd, run->member[member].id, &def);
  if (waits_for_links(crowd)) def.model = crowd->def.model, def.params = crowd->def.params;
  return th_world_change_agent(run->world, run->member[member].id, &def, error);
}

/* A heading that is a unit vector already keeps its bits. */
static void keep_heading(th_world *world, uint32_t row, th_vec2 heading) {
  const float length = heading.x * heading.x + heading.y * heading.y;
  if (world->mesh || !(fabsf(length - 1.0f) < 1e-5f)) return;
  world->rows.hx[row] = heading.x;
  world->rows.hy[row] = heading.y;
}

/* It is on its route already, or at its end, and under way. */
static th_result settle_one(th_run *run, th_agent_id id, const th_scene_single *single, th_error *error) {
  th_world *world = run->world;
  const uint32_t row = th_world_row(world, id), stops = world->rows.route[row].count;
  if (single->stop > stops)
    return th_fail(error, TH_ERROR_RANGE, "stop", "expected at most the number of stops, %u, found %u", stops,
                   single->stop);
  const bool arrived = stops && single->stop == stops;
  keep_heading(world, row, single->crowd.def.heading);
  if (single->stop) th_agent_head_for(world, row, (uint8_t)(single->stop - arrived));
  if (arrived && world->rows.state[row] == TH_AGENT_WALKING) world->rows.state[row] = TH_AGENT_ARRIVED;
  return single->velocity.point ? th_world_set_velocity(world, id, th_shape_at(&single->velocity, 0), error) : TH_OK;
}

/* Member number `member` is agent i of the population. */
static th_result finish_one(th_run *run, uint32_t member, const th_scene_population *population, uint32_t i,
                            th_error *error) {
  th_scene_crowd own;
  th_result result = crowd_of(run, population, i, &own, error);
  if (result == TH_OK) result = link_one(run, member, &own, error);
  if (result == TH_OK && population->single_count)
    result = settle_one(run, run->member[member].id, &population->single[i], error);
  if (result != TH_OK && error) error->element = member;
  return result;
}

/* `where` of an error is the number of the agent that it is about. */
static th_result add_all(th_run *run, const th_agent_def *def, uint32_t count, th_error *error) {
  th_agent_id *id = TH_TAKE(&run->env.allocator, th_agent_id, count);
  if (!id) return th_fail_memory(error, "populations");
  th_result result = th_world_add_agents(run->world, def, count, id, error);
  const uint32_t first = run->member_count;
  for (uint32_t i = 0; i < count && !result; i++) run->member[first + i].id = id[i];
  if (!result) run->member_count += count;
  if (!result) result = th_run_members_own(run, error);
  TH_GIVE(&run->env.allocator, id, count);
  return result;
}

/* Everybody who is there takes room. */
static void take_present(const th_run *run, th_spots *spots) {
  const th_agents agents = th_world_agents(run->world);
  for (uint32_t row = 0; row < agents.count; row++) {
    const th_place place = {agents.cell[row], agents.x[row], agents.y[row]};
    th_spots_take(spots, th_ground_point(th_world_ground(run->world), place), agents.radius[row]);
  }
}

static float largest_present(const th_run *run) {
  const th_agents agents = th_world_agents(run->world);
  float largest = 0.01f;
  for (uint32_t row = 0; row < agents.count; row++) largest = fmaxf(largest, agents.radius[row]);
  return largest;
}

th_result th_run_crowd_add(th_run *run, const th_run_crowd *crowd, uint32_t count, th_error *error) {
  const uint32_t first = run->member_count, present = th_world_agents(run->world).count;
  placing p = {run, crowd, th_world_ground(run->world), NULL, first};
  th_agent_def *def = TH_TAKE(&run->env.allocator, th_agent_def, count);
  if (!def || !th_run_members_reserve(run, count)) {
    TH_GIVE(&run->env.allocator, def, count);
    return th_fail_memory(error, "populations");
  }
  th_result result = th_spots_make(&run->env, p.ground, present + count,
                                   largest_radius(crowd->population, largest_present(run)), &p.spots, error);
  if (!result) take_present(run, p.spots);
  if (!result) result = fill_defs(&p, def, error);
  if (!result) result = add_all(run, def, count, error);
  for (uint32_t i = first; i < run->member_count && !result; i++)
    result = finish_one(run, i, crowd->population, i - first, error);
  if (!result) result = th_run_friends(run, crowd->population, first, error);
  th_spots_free(p.spots);
  TH_GIVE(&run->env.allocator, def, count);
  return result;
}

th_result th_run_check_fit(const th_run *run, th_error *error) {
  for (uint32_t p = 0; p < run->scene->population_count; p++) {
    const th_scene_population *population = &run->scene->population[p];
    if (population->position.count) continue;
    float radius = th_scene_spread(&population->crowd.spread.radius, population->crowd.def.radius).min;
    double max = th_spots_bound(run->ground, &population->region, radius);
    if (population->count <= max) continue;
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/populations/%u/region", p);
    return th_scene_fail(run->scene, error, TH_ERROR_CAPACITY, pointer,
                         "expected room for %u bodies of radius %g m, found an area for fewer than %.0f",
                         population->count, (double)radius, max + 1);
  }
  return TH_OK;
}

static th_result fill_all(th_run *run, th_spots *spots, th_agent_def *def, th_error *error) {
  placing p = {run, NULL, run->ground, spots, 0};
  for (uint32_t n = 0; n < run->scene->population_count; n++) {
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/populations/%u", n);
    const th_run_crowd crowd = {&run->scene->population[n], n, run->seed, pointer};
    p.crowd = &crowd;
    th_error found = {0};
    th_result result = fill_defs(&p, def + p.first, &found);
    if (result) return th_scene_fail(run->scene, error, found.code, found.where, "%s", found.text);
    p.first += th_run_crowd_size(&run->scene->population[n]);
  }
  return TH_OK;
}

static th_result add_and_link(th_run *run, const th_agent_def *def, uint32_t count, th_error *error) {
  th_error found = {0};
  th_result result = add_all(run, def, count, &found);
  for (uint32_t i = 0, n = 0; i < run->member_count && !result; i++) {
    n = i && run->member[i].population == run->member[i - 1].population ? n + 1 : 0;
    result = finish_one(run, i, &run->scene->population[run->member[i].population], n, &found);
  }
  for (uint32_t n = 0, first = 0; n < run->scene->population_count && !result; n++) {
    result = th_run_friends(run, &run->scene->population[n], first, &found);
    first += th_run_crowd_size(&run->scene->population[n]);
  }
  if (result == TH_OK) return TH_OK;
  char pointer[64];
  const uint32_t wrong = found.element < count ? found.element : 0;
  snprintf(pointer, sizeof pointer, "/populations/%u", run->member[wrong].population);
  return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s: %s", found.where, found.text);
}

th_result th_run_populate(th_run *run, th_error *error) {
  const th_allocator *a = &run->env.allocator;
  uint64_t count = 0;
  float largest = 0.01f;
  for (uint32_t n = 0; n < run->scene->population_count; n++) {
    count += th_run_crowd_size(&run->scene->population[n]);
    largest = largest_radius(&run->scene->population[n], largest);
  }
  if (count == 0) return TH_OK;
  if (count > 100000000u) {
    return th_scene_fail(run->scene, error, TH_ERROR_CAPACITY, "/populations",
                         "expected at most 100000000 agents, found %llu", (unsigned long long)count);
  }
  th_agent_def *def = TH_TAKE(a, th_agent_def, (size_t)count);
  th_spots *spots = NULL;
  th_result result;
  if (def && th_run_members_reserve(run, (uint32_t)count)) {
    result = th_spots_make(&run->env, run->ground, (uint32_t)count, largest, &spots, error);
    if (result == TH_OK) result = fill_all(run, spots, def, error);
    if (result == TH_OK) result = add_and_link(run, def, (uint32_t)count, error);
  } else {
    result = th_fail_memory(error, "populations");
  }
  th_spots_free(spots);
  TH_GIVE(a, def, (size_t)count);
  return result;
}
