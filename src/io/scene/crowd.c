/* io/scene/crowd.c - populations and sources of a scene, as agents of a world.
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
#include "io/scene/keys.h"
#include "io/scene/run.h"
#include "throng/model.h"

static void set_route(const th_run *run, const th_scene_crowd *crowd, th_agent_def *def) {
  def->route_count = crowd->stop_count;
  for (uint32_t i = 0; i < crowd->stop_count; i++) {
    def->route[i] = (th_stop){th_run_goal_at(run, crowd->stop[i].goal), crowd->stop[i].wait};
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

static float largest_radius(const th_scene_crowd *crowd, float least) {
  float max = th_scene_spread(&crowd->spread.radius, crowd->def.radius).max;
  return max > least ? max : least;
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
  th_agent_def common = th_run_crowd_def(p->run, &population->crowd);
  for (uint32_t i = 0; i < th_run_crowd_size(population); i++) {
    def[i] = common;
    if (waits_for_links(&population->crowd)) def[i].model = &th_model_follow, def[i].params = NULL;
    th_agent_draw(&population->crowd.spread, th_scene_bits(p->run->seed, TH_DRAW_AGENT, p->first + i), &def[i]);
    th_result result = place_one(p, i, &def[i], error);
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
  th_result result = th_world_change_agent(run->world, run->member[member].id, &def, error);
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
  const th_scene_crowd *own = &crowd->population->crowd;
  const uint32_t first = run->member_count, present = th_world_agents(run->world).count;
  placing p = {run, crowd, th_world_ground(run->world), NULL, first};
  th_agent_def *def = TH_TAKE(&run->env.allocator, th_agent_def, count);
  if (!def || !th_run_members_reserve(run, count)) {
    TH_GIVE(&run->env.allocator, def, count);
    return th_fail_memory(error, "populations");
  }
  th_result result =
      th_spots_make(&run->env, p.ground, present + count, largest_radius(own, largest_present(run)), &p.spots, error);
  if (!result) take_present(run, p.spots);
  if (!result) result = fill_defs(&p, def, error);
  if (!result) result = add_all(run, def, count, error);
  for (uint32_t i = first; i < run->member_count && !result; i++) result = link_one(run, i, own, error);
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
  for (uint32_t i = 0; i < run->member_count && !result; i++)
    result = link_one(run, i, &run->scene->population[run->member[i].population].crowd, &found);
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
    largest = largest_radius(&run->scene->population[n].crowd, largest);
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

/* The region of a source, seen from above; on a mesh its height goes to the agents. Of a ball (or everywhere) it is the
 * octagon in it. `corner` is the memory for that. */
static th_polygon region_of(const th_ground *ground, const th_scene_source *from, th_vec2 corner[8], float *height) {
  static const th_vec2 octagon[8] = {{1, 0},  {0.7071f, 0.7071f},   {0, 1},  {-0.7071f, 0.7071f},
                                     {-1, 0}, {-0.7071f, -0.7071f}, {0, -1}, {0.7071f, -0.7071f}};
  const th_shape *shape = &from->region;
  *height = th_shape_middle(shape).z;
  if (shape->kind != TH_SHAPE_DISC) return th_scene_polygon(from->name, shape);
  th_vec2 lower, upper, middle = {shape->point[0].x, shape->point[0].y};
  float radius = shape->radius;
  th_ground_bounds(ground, &lower, &upper);
  if (!(radius < INFINITY)) {
    middle = (th_vec2){0.5f * (lower.x + upper.x), 0.5f * (lower.y + upper.y)};
    radius = upper.x - lower.x + upper.y - lower.y;
  }
  for (int i = 0; i < 8; i++) corner[i] = (th_vec2){middle.x + radius * octagon[i].x, middle.y + radius * octagon[i].y};
  return (th_polygon){from->name, corner, 8};
}

th_result th_run_make_source(th_run *run, const th_scene_source *from, th_source_id *id, th_error *error) {
  th_source_def def = from->def;
  def.agent = th_run_crowd_def(run, &from->crowd);
  def.spread = from->crowd.spread;
  th_run_link(run, &from->crowd, TH_NULL_AGENT, &def.agent);
  th_vec2 corner[8];
  def.region = region_of(th_world_ground(run->world), from, corner, &def.agent.point.z);
  def.agent.level = from->region.level;
  return th_world_add_source(run->world, &def, id, error);
}

th_result th_run_add_sources(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->scene->source_count; i++) {
    th_error found = {0};
    th_source_id id;
    th_result result = th_run_make_source(run, &run->scene->source[i], &id, &found);
    if (result == TH_OK) run->list[TH_NAMED_SOURCE].item[i].id = TH_ID(id);
    if (result == TH_OK) continue;
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/sources/%u", i);
    return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s: %s", found.where,
                         found.text);
  }
  return TH_OK;
}
