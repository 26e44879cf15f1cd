/* world/agent/sources.c - regions that emit agents over time.
 *
 * Each step a source owes `rate * dt` agents; whole agents appear at random free spots of its region that keep their
 * distance from everyone there. Places and sizes are counter-based random numbers, so a restored world emits the same
 * agents. A source that finds no spot after some tries reports TH_EVENT_FULL and keeps its debt. On a mesh a region is
 * seen from above; where several floors lie below a spot, the agent's z and level choose one.
 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "geometry/polygon.h"
#include "geometry/shape.h"
#include "throng/watch.h"
#include "world/agent/agents.h"
#include "world/events.h"
#include "world/nearby.h"

#define TRIES 24
enum { STREAM_PLACE = 0x50c0, STREAM_AGENT };

th_source_def th_default_source_def(void) {
  return (th_source_def){.agent = th_default_agent_def(), .rate = 1.0f, .end = INFINITY};
}

void th_source_clear(th_world *world, th_source *source) {
  const th_allocator *a = &world->env.allocator;
  if (source->params) th_give(a, source->params, source->def.agent.model->param_size, 1);
  th_give(a, (void *)(uintptr_t)source->def.region.point, source->def.region.count, sizeof(th_vec2));
  *source = (th_source){0};
}

/* On a mesh: is there ground under the middle of the region, or halfway from there to a corner? */
static th_result touches_mesh(const th_world *world, const th_source_def *def, th_error *error) {
  const th_polygon *region = &def->region;
  th_vec2 mean = {0.0f, 0.0f};
  for (uint32_t i = 0; i < region->count; i++) {
    mean.x += region->point[i].x / (float)region->count;
    mean.y += region->point[i].y / (float)region->count;
  }
  for (uint32_t i = 0; i <= region->count; i++) {
    th_vec2 corner = i ? region->point[i - 1] : mean;
    th_vec3 p = {0.5f * (mean.x + corner.x), 0.5f * (mean.y + corner.y), def->agent.point.z};
    if (th_ground_foot(world->latest_ground, p, def->agent.level).cell != TH_NO_CELL) return TH_OK;
  }
  return th_fail(error, TH_ERROR_GEOMETRY, "region",
                 "expected a region above walkable ground, or at most %g m beside it, found one at (%g, %g)",
                 (double)th_ground_beside(world->latest_ground), (double)mean.x, (double)mean.y);
}

static th_result touches_flat(const th_world *world, const th_shape *region, th_error *error) {
  th_result result = th_goal_touches(world->latest_ground, region, error);
  if (result == TH_ERROR_GEOMETRY)
    th_fail(error, result, "region", "expected a region on walkable ground, found one at (%g, %g) that touches none",
            (double)region->point[0].x, (double)region->point[0].y);
  return result;
}

static th_result check_region(const th_world *world, const th_source_def *def, th_error *error) {
  const th_allocator *a = &world->env.allocator;
  const th_polygon *given = &def->region;
  th_vec3 *point = TH_TAKE(a, th_vec3, given->point ? given->count : 0);
  if (!point) return th_fail_memory(error, "region");
  th_shape region = {.kind = TH_SHAPE_POLYGON, .point = point, .count = given->point ? given->count : 0};
  for (uint32_t i = 0; i < region.count; i++) point[i] = (th_vec3){given->point[i].x, given->point[i].y, 0.0f};
  th_result result = th_shape_check(&region, "region", error);
  if (!result) result = world->mesh ? touches_mesh(world, def, error) : touches_flat(world, &region, error);
  TH_GIVE(a, point, region.count);
  return result;
}

static th_result check_flow(float rate, float begin, float end, th_error *error) {
  if (!(rate > 0.0f && rate <= 1e4f))
    return th_fail(error, TH_ERROR_RANGE, "rate", "expected more than 0 to 10000 agents/s, found %g", (double)rate);
  if (!(begin >= 0.0f) || !(end >= begin))
    return th_fail(error, TH_ERROR_RANGE, "end", "expected 0 <= begin <= end, found %g and %g", (double)begin,
                   (double)end);
  return TH_OK;
}

static th_result check(th_world *world, const th_source_def *def, th_error *error) {
  th_result result = th_agent_check(world, &def->agent, NULL, error);
  if (!result) result = th_agent_check_needs(world, UINT32_MAX, &def->agent, error);
  if (!result) result = check_flow(def->rate, def->begin, def->end, error);
  if (!result) result = th_agent_spread_check(&def->spread, error);
  return result ? result : check_region(world, def, error);
}

static bool grow(th_world *world) {
  th_sources *sources = &world->sources;
  const th_allocator *a = &world->env.allocator;
  if (sources->ids.alive < sources->ids.capacity) return true;
  uint32_t larger = sources->ids.capacity ? sources->ids.capacity * 2 : 16;
  void *memory = sources->source;
  bool grown = th_grow(a, &memory, &sources->capacity, larger, sizeof *sources->source);
  sources->source = memory;
  return grown && th_ids_grow(&sources->ids, a, larger);
}

th_field_key th_source_key(const th_world *world, const th_source_def *def) {
  const th_spread *radius = &def->spread.radius;
  const float largest = radius->kind == TH_SPREAD_NONE ? def->agent.radius : radius->max;
  return (th_field_key){.radius_class = th_ground_class(world->ground, largest),
                        .eps_level = th_goal_eps_level(def->agent.eps)};
}

static th_result find_fields(th_world *world, const th_source_def *def, uint16_t *field, th_error *error) {
  th_result result = TH_OK;
  uint32_t before = world->entry_count;
  const th_field_key key = th_source_key(world, def);
  for (uint32_t i = 0; i < def->agent.route_count && !result; i++)
    result = th_choice_route_fields(world, &def->agent.route[i], key, &field[i], error);
  th_goal_entries_end(world, before, !result);
  return result;
}

/* Reserves rows of the guide for as many agents as the world now has capacity for. */
static th_result rows_for(th_world *world, const th_source_def *def, th_error *error) {
  uint32_t free_rows = world->rows.capacity - world->rows.count;
  return th_guide_rows_for(world, def->agent.guide.index, def->total && def->total < free_rows ? def->total : free_rows,
                           error);
}

th_result th_world_add_source(th_world *world, const th_source_def *def, th_source_id *out, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = check(world, def, error);
  uint32_t model;
  if (!result) result = th_model_slot_for(world, def->agent.model, def->agent.params, &model, error);
  if (!result) result = rows_for(world, def, error);
  if (result) return result;
  const th_allocator *a = &world->env.allocator;
  th_source fresh = {.def = *def};
  th_vec2 *point = TH_TAKE(a, th_vec2, def->region.count);
  fresh.params = th_take(a, def->agent.model->param_size, 1);
  fresh.def.region.name = NULL;
  fresh.def.region.point = point;
  fresh.def.agent.params = NULL;
  if (def->agent.people) fresh.people = *def->agent.people;
  bool reserved = point && fresh.params && grow(world);
  result = reserved ? find_fields(world, def, fresh.field, error) : th_fail_memory(error, "source");
  if (!reserved || result) {
    th_source_clear(world, &fresh);
    return result;
  }
  memcpy(point, def->region.point, sizeof *point * def->region.count);
  if (def->agent.params)
    memcpy(fresh.params, def->agent.params, def->agent.model->param_size);
  else
    th_param_defaults(def->agent.model->param, def->agent.model->param_count, fresh.params);
  th_id id = th_ids_take(&world->sources.ids);
  world->sources.source[id.index - 1] = fresh;
  if (out) *out = (th_source_id){id.index, id.generation, id.tag};
  return TH_OK;
}

bool th_world_has_source(const th_world *world, th_source_id source) {
  if (th_no_world(world, __func__)) return false;
  return th_ids_valid(&world->sources.ids, TH_ID(source));
}

uint32_t th_world_sources(const th_world *world, th_source_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->sources.ids.capacity; i++) {
    th_id id = th_ids_at(&world->sources.ids, i);
    if (id.index && count++ < capacity) ids[count - 1] = (th_source_id){id.index, id.generation, id.tag};
  }
  return count;
}

uint32_t th_world_source_emitted(const th_world *world, th_source_id source) {
  if (th_no_world(world, __func__)) return 0;
  if (th_world_id_check(world, &world->sources.ids, TH_ID(source), "source", "th_world_source_emitted", NULL)) return 0;
  return world->sources.source[source.index - 1].emitted;
}

th_result th_world_set_flow(th_world *world, th_source_id source, const th_source_flow *flow, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_id_check(world, &world->sources.ids, TH_ID(source), "source", "th_world_set_flow", error);
  if (!result) result = check_flow(flow->rate, flow->begin, flow->end, error);
  if (result) return result;
  th_source_def *def = &world->sources.source[source.index - 1].def;
  def->rate = flow->rate, def->begin = flow->begin, def->end = flow->end, def->total = flow->total;
  return TH_OK;
}

th_source_flow th_world_flow(const th_world *world, th_source_id source) {
  if (th_no_world(world, __func__)) return (th_source_flow){0};
  if (th_world_id_check(world, &world->sources.ids, TH_ID(source), "source", "th_world_flow", NULL))
    return (th_source_flow){0};
  const th_source_def *def = &world->sources.source[source.index - 1].def;
  return (th_source_flow){def->rate, def->begin, def->end, def->total};
}

bool th_world_source_def(const th_world *world, th_source_id source, th_source_def *def) {
  if (th_no_world(world, __func__)) return false;
  if (th_world_id_check(world, &world->sources.ids, TH_ID(source), "source", "th_world_source_def", NULL)) return false;
  const th_source *from = &world->sources.source[source.index - 1];
  *def = from->def;
  def->agent.params = from->params;
  if (def->agent.people) def->agent.people = &from->people;
  return true;
}

void th_world_remove_source(th_world *world, th_source_id source) {
  if (th_no_world(world, __func__)) return;
  if (th_world_id_check(world, &world->sources.ids, TH_ID(source), "source", "th_world_remove_source", NULL)) return;
  th_ids_give(&world->sources.ids, TH_ID(source));
  th_source_clear(world, &world->sources.source[source.index - 1]);
}

static bool exhausted(const th_world *world, const th_source *source) {
  return world->time > (double)source->def.end || (source->def.total && source->emitted >= source->def.total);
}

bool th_sources_done(const th_world *world) {
  for (uint32_t i = 0; i < world->sources.capacity; i++)
    if (th_ids_at(&world->sources.ids, i).index && !exhausted(world, &world->sources.source[i])) return false;
  return true;
}

static bool crowded(const th_world *world, th_vec3 at, float radius) {
  uint32_t row;
  for (th_nearby walk = th_nearby_begin(world, at, radius + world->order.radius_max); th_nearby_next(&walk, &row);) {
    th_vec3 p = th_row_point(world, row);
    float dx = p.x - at.x, dy = p.y - at.y, dz = p.z - at.z, reach = radius + world->rows.radius[row];
    if (dx * dx + dy * dy + dz * dz < reach * reach) return true;
  }
  return false;
}

/* The ground at x, y of the def; on a mesh its z and level choose the floor. False when a body does not fit there. */
static bool stands_free(const th_world *world, const th_polygon *region, th_agent_def *def) {
  th_vec3 at = def->point;
  th_place place = th_ground_locate_at(world->ground, at, def->level, INFINITY);
  if (place.cell == TH_NO_CELL || th_ground_clearance_at(world->ground, place) < def->radius) return false;
  if (!world->mesh) return !crowded(world, (th_vec3){def->point.x, def->point.y, 0.0f}, def->radius);
  at = th_ground_point(world->ground, place); /* beside the mesh the nearest point may lie elsewhere */
  if (!th_polygon_holds(region->point, region->count, (double)at.x, (double)at.y)) return false;
  def->point = at;
  return !crowded(world, at, def->radius);
}

static bool find_spot(const th_world *world, const th_source *source, uint32_t name, th_agent_def *def) {
  const th_polygon *region = &source->def.region;
  const th_box box = th_polygon_box(region->point, region->count);
  const th_vec2 lower = {(float)box.x0, (float)box.y0}, upper = {(float)box.x1, (float)box.y1};
  for (uint32_t t = 0; t < TRIES; t++) {
    uint64_t bits =
        th_random(world->def.seed, STREAM_PLACE + (t << 16), name, ((uint64_t)source->emitted << 32) ^ world->step);
    def->point.x = lower.x + (upper.x - lower.x) * th_random_to_float(bits);
    def->point.y = lower.y + (upper.y - lower.y) * th_random_to_float(th_random_mix(bits));
    if (!th_polygon_holds(region->point, region->count, (double)def->point.x, (double)def->point.y)) continue;
    def->point.z = source->def.agent.point.z;
    if (stands_free(world, region, def)) return true;
  }
  return false;
}

static void emit_one(th_world *world, th_source *source, uint32_t name) {
  th_agent_def def = source->def.agent;
  def.params = source->params;
  if (def.people) def.people = &source->people;
  th_agent_draw(&source->def.spread, th_random(world->def.seed, STREAM_AGENT, name, source->emitted), &def);
  th_agent_id id = TH_NULL_AGENT;
  if (!find_spot(world, source, name, &def) || th_agent_emit(world, &def, source->field, &id)) {
    th_event_add_emitted(world, TH_EVENT_FULL, id, name);
    source->debt = fmin(source->debt, 1.0); /* does not pile up */
    return;
  }
  source->debt -= 1.0;
  source->emitted++;
  th_event_add_emitted(world, TH_EVENT_ADDED, id, name);
}

void th_sources_emit(th_world *world) {
  for (uint32_t i = 0; i < world->sources.capacity; i++) {
    th_source *source = &world->sources.source[i];
    if (!th_ids_at(&world->sources.ids, i).index || exhausted(world, source)) continue;
    if (world->time < (double)source->def.begin) continue;
    source->debt += (double)source->def.rate * (double)world->dt;
    for (double due = source->debt; due >= 1.0 && !exhausted(world, source); due -= 1.0) emit_one(world, source, i + 1);
  }
}
