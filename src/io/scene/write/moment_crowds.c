/* io/scene/write/moment_crowds.c - the agents of a world as populations of a scene.
 *
 * Agents of one population and one group stand together; the first of them says what is common, and each one only what
 * is its own: place, velocity, the stop that it heads for, and members in which it differs. An agent that waits sets
 * off after the rest of the time. Links, points of their own and models that need links are events of the first step,
 * by the new indices. Cost: agents times keys, and a sort.
 */
#include "io/scene/write/moment_crowds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "throng/guide.h"
#include "throng/guide/target.h"
#include "throng/model.h"
#include "world/agent/agents.h"
#include "world/world.h"

typedef struct crowds {
  th_scene_moment *moment;
  th_moment_agent *agent; /* in the order of their new indices */
  uint32_t count;
  uint32_t *index_of; /* the new index by the old one, 0 = gone */
  uint32_t indices;
  th_vec3 *weights; /* of places in their faces, by row; NULL: the mesh is as it was made */
} crowds;

/* ---------------------------------------------------------------- who there is */

static int by_crowd(const void *a, const void *b) {
  const th_moment_agent *first = a, *second = b;
  if (first->population != second->population) return first->population < second->population ? -1 : 1;
  if (first->group != second->group) return first->group < second->group ? -1 : 1;
  if (first->leads != second->leads) return first->leads ? -1 : 1;
  return (first->order > second->order) - (first->order < second->order);
}

static th_moment_agent one(const th_run *run, uint32_t row) {
  const th_agent_id id = th_world_agents(run->world).id[row];
  const th_group_id group = th_world_agent_group(run->world, id);
  const uint32_t member = id.index < run->owner_count ? run->owner[id.index] : TH_NO_INDEX;
  th_group_def def;
  th_moment_agent agent = {.id = id, .row = row, .population = th_run_population(run, id), .group = group.index};
  agent.order = agent.population == TH_NO_INDEX ? id.index : member;
  if (group.index && th_world_group_def(run->world, group, &def)) agent.leads = th_same_agent(def.leader, id);
  return agent;
}

static void collect(crowds *c) {
  const th_run *run = c->moment->run;
  c->count = th_world_agents(run->world).count;
  c->agent = th_moment_take(c->moment, c->count, sizeof *c->agent);
  for (uint32_t row = 0; row < c->count && c->agent; row++) {
    c->agent[row] = one(run, row);
    c->indices = c->agent[row].id.index >= c->indices ? c->agent[row].id.index + 1 : c->indices;
  }
  if (c->agent && c->count) qsort(c->agent, c->count, sizeof *c->agent, by_crowd);
  c->index_of = th_moment_take(c->moment, c->indices, sizeof *c->index_of);
  for (uint32_t i = 0; i < c->count && c->index_of; i++) c->index_of[c->agent[i].id.index] = i + 1;
}

/* ---------------------------------------------------------------- where they are */

/* Vertices that were moved are moved again, and take along who stands on them. */
static void weigh(crowds *c) {
  const th_run *run = c->moment->run;
  const th_mesh *made = th_ground_mesh(run->ground), *now = th_ground_mesh(th_world_ground(run->world));
  if (!made || memcmp(made->xyz, now->xyz, sizeof *made->xyz * 3 * made->vertex_count) == 0) return;
  c->weights = th_moment_take(c->moment, c->count, sizeof *c->weights);
  if (c->weights) th_world_points(run->world, &(th_points){.weights = c->weights});
}

static th_vec3 point_of(const crowds *c, const th_moment_agent *agent) {
  const th_run *run = c->moment->run;
  if (!c->weights) return th_world_agent_point(run->world, agent->id);
  const th_mesh *made = th_ground_mesh(run->ground);
  const th_vec3 w = c->weights[agent->row];
  const double weight[3] = {(double)w.x, (double)w.y, (double)w.z};
  double sum[3] = {0, 0, 0};
  const uint32_t *corner = &made->corner[3 * (size_t)th_world_agents(run->world).cell[agent->row]];
  for (size_t k = 0; k < 3; k++)
    for (size_t axis = 0; axis < 3; axis++) sum[axis] += weight[k] * made->xyz[3 * (size_t)corner[k] + axis];
  return (th_vec3){(float)sum[0], (float)sum[1], (float)sum[2]};
}

static th_shape shape_of(th_vec3 *room, th_vec3 point) {
  *room = point;
  return (th_shape){.kind = TH_SHAPE_POINT, .point = room, .count = 1};
}

/* Without minus zeros, which no person writes. */
static th_vec3 plain(th_vec3 v) { return (th_vec3){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f}; }

static bool is_zero(th_vec3 v) { return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f; }

/* ---------------------------------------------------------------- where they stand in their routes */

static const char *name_among(const th_run_list *list, uint32_t index) {
  for (uint32_t k = 0; k < list->count && index; k++)
    if (!list->item[k].gone && list->item[k].id.index == index) return list->item[k].name;
  return NULL;
}

/* Of its choice, while that is there, else of its goal; NULL: gone. */
static const char *stop_name(const th_scene_moment *moment, const th_stop *stop) {
  const th_run_list *list = moment->run->list;
  const char *choice = name_among(&list[TH_NAMED_CHOICE], stop->choice.index);
  const char *goal = name_among(&list[TH_NAMED_GOAL], stop->goal.index);
  if (choice && th_moment_things_stop(moment, choice)) return choice;
  return goal && th_moment_things_stop(moment, goal) ? goal : NULL;
}

/* A stop whose goal has no name any more is left out, here and in the count of those before it. */
static uint32_t put_route(const th_scene_moment *moment, const th_agent_def *def, uint32_t stop,
                          th_scene_crowd *crowd) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < def->route_count; i++) {
    const char *name = stop_name(moment, &def->route[i]);
    if (!name) continue;
    before += i < stop;
    crowd->stop[crowd->stop_count++] = (th_scene_stop){.name = name, .wait = def->route[i].wait};
  }
  return before;
}

/* What is left of a time, so that it takes as many steps again: they are counted up. */
static float left_of(const th_world *world, uint32_t row) {
  const float steps = (float)(world->rows.due[row] - world->step);
  float left = steps * world->dt;
  while (left > 0.0f && ceilf(left / world->dt) > steps) left = nextafterf(left, 0.0f);
  return left;
}

/* An agent that waits at a stop goes on to the next one after the rest of the time. */
static void put_wait(th_scene_moment *moment, const th_moment_agent *agent, th_scene_single *single) {
  const th_world *world = moment->run->world;
  const th_rows *rows = &world->rows;
  const uint32_t row = agent->row, stops = single->crowd.stop_count;
  if (rows->state[row] == TH_AGENT_ARRIVED && stops) single->stop = stops;
  if (rows->state[row] != TH_AGENT_WAITING || rows->due[row] == UINT64_MAX || !stops) return;
  const bool last = single->stop + 1 >= stops;
  if (last && !single->crowd.def.loop) {
    th_moment_lose(moment, "how long agent %u has waited at its last stop", agent->id.index);
    return;
  }
  single->stop = last ? 0 : single->stop + 1;
  single->crowd.spread.premovement = th_constant_spread(left_of(world, row));
}

/* ---------------------------------------------------------------- what they are */

static bool needs_links(const th_agent_def *def) {
  return def->model->needs && def->params && def->model->needs(def->params);
}

static void put_def(const th_run *run, const th_agent_def *def, th_scene_crowd *crowd) {
  const bool later = needs_links(def);
  crowd->def = *def;
  crowd->def.heading = (th_vec2){0, 0};
  crowd->def.v = (th_vec2){def->v.x + 0.0f, def->v.y + 0.0f};
  crowd->def.acceleration_max = fminf(def->acceleration_max, 1e6f);
  crowd->def.turn_max = fminf(def->turn_max, 1e6f);
  crowd->def.start_speed = 0.0f;
  if (later) crowd->def.model = &th_model_follow;
  if (later || th_moment_crowds_usual(def->model, def->params)) crowd->def.params = NULL;
  crowd->spread.speed = th_constant_spread(def->speed);
  crowd->spread.radius = th_constant_spread(def->radius);
  crowd->spread.premovement = th_constant_spread(def->premovement);
  crowd->spread.share = th_constant_spread(def->share);
  crowd->guide = name_among(&run->list[TH_NAMED_GUIDE], def->guide.index);
  th_moment_crowds_people(run->scene, def->people, &crowd->people);
}

static void put_one(const crowds *c, const th_moment_agent *agent, th_scene_single *single, th_vec3 room[2]) {
  const th_run *run = c->moment->run;
  th_agent_def def;
  if (!th_world_agent_def(run->world, agent->id, &def)) return;
  const uint8_t state = run->world->rows.state[agent->row];
  *single = (th_scene_single){.delay = -1.0f};
  if (state == TH_AGENT_DELAYED) single->delay = left_of(run->world, agent->row);
  if (state == TH_AGENT_PREMOVEMENT) def.premovement = left_of(run->world, agent->row);
  put_def(run, &def, &single->crowd);
  if (!run->world->rows.fresh[agent->row]) single->crowd.def.heading = def.heading;
  single->point = shape_of(&room[0], point_of(c, agent));
  const th_vec3 velocity = th_world_agent_velocity(run->world, agent->id);
  if (!is_zero(velocity)) single->velocity = shape_of(&room[1], plain(velocity));
  const uint32_t stop = th_world_agent_stop(run->world, agent->id);
  single->stop = put_route(c->moment, &def, stop == UINT32_MAX ? 0 : stop, &single->crowd);
  put_wait(c->moment, agent, single);
}

/* ---------------------------------------------------------------- populations */

static bool is_taken(const th_scene *scene, const char *name) {
  for (uint32_t i = 0; i < scene->population_count; i++)
    if (strcmp(scene->population[i].name, name) == 0) return true;
  return false;
}

/* The name of the population; of a second group in it, and of those of no population, one of their own. */
static const char *name_of(th_scene_moment *moment, uint32_t population) {
  const th_run_list *list = &moment->run->list[TH_NAMED_POPULATION];
  const char *name = population < list->count ? list->item[population].name : "others";
  const size_t size = strlen(name) + 16;
  char *own = th_moment_take(moment, (uint32_t)size, 1);
  if (!own) return name;
  snprintf(own, size, "%s", name);
  for (uint32_t n = 2; is_taken(&moment->scene, own); n++) snprintf(own, size, "%s %u", name, n);
  return own;
}

static void put_population(crowds *c, const th_moment_agent *first, uint32_t count) {
  th_scene_moment *moment = c->moment;
  th_scene_population population = {.name = name_of(moment, first->population), .single_count = count};
  population.single = th_moment_take(moment, count, sizeof *population.single);
  th_vec3 *room = th_moment_take(moment, 2 * count, sizeof *room);
  for (uint32_t i = 0; i < count && room; i++) put_one(c, &first[i], &population.single[i], &room[2 * (size_t)i]);
  if (!room) return;
  th_moment_crowds_share(&population);
  moment->scene.population[moment->scene.population_count++] = population;
}

/* How many of them stand together from here on. */
static uint32_t together(const th_moment_agent *first, uint32_t left) {
  uint32_t count = 1;
  while (count < left && first[count].population == first->population && first[count].group == first->group) count++;
  return count;
}

/* ---------------------------------------------------------------- groups */

static th_group_id group_of(const th_run *run, const th_scene_group *group) {
  if (group->name) return th_run_group_at(run, th_run_named(run, TH_NAMED_GROUP, group->name));
  for (uint32_t i = 0; i < run->scene->group_count; i++)
    if (run->scene->group[i].population == group->population) return th_run_group_at(run, i);
  return TH_NULL_GROUP;
}

/* False: it has nobody. */
static bool put_group(crowds *c, th_scene_group *group) {
  const th_group_id id = group_of(c->moment->run, group);
  const char **name = th_moment_take(c->moment, c->moment->scene.population_count, sizeof *name);
  uint32_t count = 0, population = 0;
  group->leader = NULL;
  for (uint32_t i = 0; i < c->count && name && id.index; i += together(&c->agent[i], c->count - i), population++) {
    if (c->agent[i].group != id.index) continue;
    name[count++] = c->moment->scene.population[population].name;
    if (c->agent[i].leads) group->leader = name[count - 1];
  }
  group->population = name;
  group->population_count = count;
  if (!count)
    th_moment_lose(c->moment, "the group %s, which has no members", group->name ? group->name : "without name");
  return count;
}

void th_moment_crowds(th_scene_moment *moment) {
  crowds c = {.moment = moment};
  th_scene *scene = &moment->scene;
  collect(&c);
  weigh(&c);
  scene->population = th_moment_take(moment, c.count, sizeof *scene->population);
  scene->population_count = 0;
  for (uint32_t i = 0; i < c.count && !moment->result; i += together(&c.agent[i], c.count - i))
    put_population(&c, &c.agent[i], together(&c.agent[i], c.count - i));
  uint32_t kept = 0;
  for (uint32_t i = 0; i < scene->group_count && !moment->result; i++)
    if (put_group(&c, &scene->group[i])) scene->group[kept++] = scene->group[i];
  scene->group_count = kept;
  if (!moment->result) th_moment_links(moment, &(th_moment_agents){c.agent, c.count, c.index_of, c.indices});
}
