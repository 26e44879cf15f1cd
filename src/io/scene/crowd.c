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

static void set_route(const th_scene_crowd *crowd, const th_goal_id *goal, th_agent_def *def) {
  def->route_count = crowd->stop_count;
  for (uint32_t i = 0; i < crowd->stop_count; i++) {
    def->route[i] = (th_stop){goal[crowd->stop[i].goal], crowd->stop[i].wait};
  }
}

th_agent_def th_scene_crowd_def(const th_scene_crowd *crowd, const th_goal_id *goal, const th_guide_id *guide) {
  th_agent_def def = crowd->def;
  set_route(crowd, goal, &def);
  if (crowd->guide) def.guide = guide[crowd->guide_index];
  return def;
}

void th_scene_crowd_change(const th_scene_crowd *crowd, const th_goal_id *goal, const th_guide_id *guide,
                           th_agent_def *def) {
  th_scene_crowd_keys_given(crowd, def);
  if (crowd->given & th_scene_crowd_key_bit("people")) def->people = crowd->def.people;
  if (crowd->given & th_scene_crowd_key_bit("route")) set_route(crowd, goal, def);
  if (crowd->guide) def->guide = guide[crowd->guide_index];
  if (crowd->given & th_scene_crowd_key_bit("model"))
    def->params = crowd->def.params; /* those of the old one do not fit */
}

static float largest_radius(const th_scene *scene) {
  float largest = 0.01f;
  for (uint32_t i = 0; i < scene->population_count; i++) {
    const th_scene_crowd *crowd = &scene->population[i].crowd;
    float max = th_scene_spread(&crowd->spread.radius, crowd->def.radius).max;
    if (max > largest) largest = max;
  }
  return largest;
}

static uint32_t size_of(const th_scene_population *population) {
  return population->position.count ? population->position.count : population->count;
}

static th_result place_one(const th_run *run, th_spots *spots, uint32_t p, uint32_t i, th_agent_def *def,
                           th_error *error) {
  const th_scene_population *population = &run->scene->population[p];
  th_vec3 spot;
  char pointer[80];
  if (population->position.count) {
    spot = population->position.point[i];
    snprintf(pointer, sizeof pointer, "/populations/%u/positions/%u", p, i);
    if (th_ground_foot(run->ground, spot, TH_ANY_LEVEL).cell == TH_NO_CELL) {
      if (!th_ground_is_mesh(run->ground))
        return th_scene_fail(run->scene, error, TH_ERROR_GEOMETRY, pointer,
                             "expected a walkable place, found %g, %g in a wall or off the ground", (double)spot.x,
                             (double)spot.y);
      return th_scene_fail(run->scene, error, TH_ERROR_GEOMETRY, pointer,
                           "expected a walkable place at most %g m beside the ground, found %g, %g, %g",
                           (double)th_ground_beside(run->ground), (double)spot.x, (double)spot.y, (double)spot.z);
    }
    th_spots_take(spots, spot, def->radius);
  } else if (!th_spots_find(spots, &population->region, def->radius, run->seed, &spot)) {
    snprintf(pointer, sizeof pointer, "/populations/%u/region", p);
    return th_scene_fail(run->scene, error, TH_ERROR_CAPACITY, pointer,
                         "expected room for %u bodies, found free spots for %u", population->count, i);
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

static th_result fill_defs(const th_run *run, th_spots *spots, th_agent_def *def, th_error *error) {
  uint32_t number = 0;
  for (uint32_t p = 0; p < run->scene->population_count; p++) {
    const th_scene_population *population = &run->scene->population[p];
    th_agent_def common = th_scene_crowd_def(&population->crowd, run->goal, run->guide);
    for (uint32_t i = 0; i < size_of(population); i++, number++) {
      def[number] = common;
      if (waits_for_links(&population->crowd)) def[number].model = &th_model_follow, def[number].params = NULL;
      th_agent_draw(&population->crowd.spread, th_scene_bits(run->seed, TH_DRAW_AGENT, number), &def[number]);
      th_result result = place_one(run, spots, p, i, &def[number], error);
      if (result != TH_OK) return result;
      run->member[number].population = p;
    }
  }
  return TH_OK;
}

/* The population of agent number `number`, for messages. */
static void pointer_of(const th_run *run, uint32_t number, char *pointer, size_t size) {
  uint32_t p = number < run->member_count ? run->member[number].population : 0;
  snprintf(pointer, size, "/populations/%u", p);
}

/* Members by the index of their id, so that finding the population of an agent costs one read. */
static th_result keep_ids(th_run *run, const th_agent_id *id, th_error *error) {
  uint32_t max = 0;
  for (uint32_t i = 0; i < run->member_count; i++) max = id[i].index > max ? id[i].index : max;
  run->owner = TH_TAKE(&run->env.allocator, uint32_t, (size_t)max + 1);
  if (!run->owner) return th_fail_memory(error, "populations");
  run->owner_count = max + 1;
  for (uint32_t i = 0; i <= max; i++) run->owner[i] = TH_NO_INDEX;
  for (uint32_t i = 0; i < run->member_count; i++) {
    run->member[i].id = id[i];
    run->owner[id[i].index] = i;
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
static th_result link_all(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->member_count; i++) {
    const th_scene_crowd *crowd = &run->scene->population[run->member[i].population].crowd;
    th_agent_def def;
    if (!has_links(crowd) || !th_world_agent_def(run->world, run->member[i].id, &def)) continue;
    th_run_link(run, crowd, run->member[i].id, &def);
    if (waits_for_links(crowd)) def.model = crowd->def.model, def.params = crowd->def.params;
    th_result result = th_world_change_agent(run->world, run->member[i].id, &def, error);
    if (result != TH_OK && error) error->element = i;
    if (result != TH_OK) return result;
  }
  return TH_OK;
}

static th_result add_all(th_run *run, const th_agent_def *def, th_agent_id *id, th_error *error) {
  th_error found = {0};
  th_result result = th_world_add_agents(run->world, def, run->member_count, id, &found);
  if (result == TH_OK) result = keep_ids(run, id, &found);
  if (result == TH_OK) result = link_all(run, &found);
  if (result == TH_OK) return TH_OK;
  char pointer[64];
  pointer_of(run, found.element, pointer, sizeof pointer);
  return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s: %s", found.where, found.text);
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

th_result th_run_populate(th_run *run, th_error *error) {
  const th_allocator *a = &run->env.allocator;
  uint64_t count = 0;
  for (uint32_t p = 0; p < run->scene->population_count; p++) count += size_of(&run->scene->population[p]);
  if (count == 0) return TH_OK;
  if (count > 100000000u) {
    return th_scene_fail(run->scene, error, TH_ERROR_CAPACITY, "/populations",
                         "expected at most 100000000 agents, found %llu", (unsigned long long)count);
  }
  run->member_count = (uint32_t)count;
  run->member = TH_TAKE(a, th_run_member, run->member_count);
  th_agent_def *def = TH_TAKE(a, th_agent_def, run->member_count);
  th_agent_id *id = TH_TAKE(a, th_agent_id, run->member_count);
  th_spots *spots = NULL;
  th_result result;
  if (run->member && def && id) {
    result = th_spots_make(&run->env, run->ground, run->member_count, largest_radius(run->scene), &spots, error);
    if (result == TH_OK) result = fill_defs(run, spots, def, error);
    if (result == TH_OK) result = add_all(run, def, id, error);
  } else {
    result = th_fail_memory(error, "populations");
  }
  th_spots_free(spots);
  TH_GIVE(a, def, run->member_count);
  TH_GIVE(a, id, run->member_count);
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

th_result th_run_add_sources(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->scene->source_count; i++) {
    const th_scene_source *from = &run->scene->source[i];
    th_source_def def = from->def;
    def.agent = th_scene_crowd_def(&from->crowd, run->goal, run->guide);
    def.spread = from->crowd.spread;
    th_run_link(run, &from->crowd, TH_NULL_AGENT, &def.agent);
    th_vec2 corner[8];
    def.region = region_of(th_world_ground(run->world), from, corner, &def.agent.point.z);
    def.agent.level = from->region.level;
    th_error found = {0};
    th_result result = th_world_add_source(run->world, &def, &run->source[i], &found);
    if (result == TH_OK) continue;
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/sources/%u", i);
    return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s: %s", found.where,
                         found.text);
  }
  return TH_OK;
}
