/* world/goals.c - goals, and the table of fields that lead to them.
 *
 * A field is shared by all agents with the same (goal, radius class, eps level); an entry is made the first time such
 * an agent appears, and solved as a job. Agents remember the entry, so a new field reaches them all at once. What a
 * field depends on beside its shape is read of the goal; so when that changes in place, no field made before stays in
 * force, and what was asked for is withdrawn.
 */
#include <stdio.h>

#include "geometry/shape.h"
#include "world/field_requests.h"
#include "world/goal_members.h"

th_goal_def th_default_goal_def(void) {
  th_field_def field = th_default_field_def();
  th_goal_def def = {.arrive = 0.5f};
#define X(type, name, other) def.name = field.other;
  TH_GOAL_FIELD_MEMBERS(X)
#undef X
  def.field = TH_FIELD_ROOMY;
  return def;
}

th_field_def th_goal_field_def(const th_goal_def *goal, const th_field_entry *entry, const th_shape *shape) {
  th_field_def def = th_field_def_of_goal(goal);
  def.eps = (float)entry->eps_level * TH_EPS_STEP;
  def.radius_class = entry->radius_class;
  def.goal = *shape;
  return def;
}

uint32_t th_goal_eps_level(float eps) {
  uint32_t level = (uint32_t)(eps / TH_EPS_STEP + 0.5f);
  return level > TH_EPS_LEVELS ? TH_EPS_LEVELS : level;
}

th_result th_goal_check_members(const th_goal_def *def, th_error *error) {
  if (!(def->arrive >= 0.0f && def->arrive <= 100.0f))
    return th_fail(error, TH_ERROR_RANGE, "arrive", "expected 0 to 100 m, found %g", (double)def->arrive);
  if (def->field == TH_FIELD_BLEND && !(def->blend >= 0.0f && def->blend <= 1.0f))
    return th_fail(error, TH_ERROR_RANGE, "blend", "expected 0 to 1, found %g", (double)def->blend);
  if (def->field == TH_FIELD_ROOMY && !(def->room_weight >= 0.0f && def->room_weight <= 1.0f))
    return th_fail(error, TH_ERROR_RANGE, "room_weight", "expected 0 to 1, found %g", (double)def->room_weight);
  if (def->field == TH_FIELD_ROOMY && !(def->room_within >= 0.1f && def->room_within <= 20.0f))
    return th_fail(error, TH_ERROR_RANGE, "room_within", "expected 0.1 to 20 m, found %g", (double)def->room_within);
  if ((unsigned)def->field > TH_FIELD_ROOMY || (unsigned)def->walls > TH_WALLS_NEUMANN)
    return th_fail(error, TH_ERROR_RANGE, "field", "unknown kind of field or walls");
  if (def->planner && (def->field != TH_FIELD_HARMONIC || def->walls != TH_WALLS_DIRICHLET))
    return th_fail(error, TH_ERROR_RANGE, "planner", "expected a harmonic field with Dirichlet walls for a planner");
  return TH_OK;
}

th_result th_world_add_goal(th_world *world, const th_goal_def *def, th_goal_id *goal, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_goal_check_members(def, error);
  if (!result) result = th_goal_touches(world->latest_ground, &def->shape, error);
  if (result) return result;
  const th_allocator *a = &world->env.allocator;
  th_goals *goals = &world->goals;
  th_shape shape;
  if (!th_shape_copy(a, &def->shape, &shape)) return th_fail_memory(error, "goal");
  if (goals->ids.alive == goals->ids.capacity) { /* records first: an id always has one */
    uint32_t larger = goals->ids.capacity ? goals->ids.capacity * 2 : 16;
    void *memory = goals->goal;
    bool grown = th_grow(a, &memory, &goals->capacity, larger, sizeof *goals->goal);
    goals->goal = memory;
    if (!grown || !th_ids_grow(&goals->ids, a, larger)) {
      th_shape_free(a, &shape);
      return th_fail_memory(error, "goal");
    }
  }
  th_id id = th_ids_take(&goals->ids);
  th_goal *record = &goals->goal[id.index - 1];
  *record = (th_goal){.def = *def};
  record->def.shape = shape;
  record->def.name = NULL;
  if (def->name) snprintf(record->name, sizeof record->name, "%s", def->name);
  if (goal) *goal = (th_goal_id){id.index, id.generation, id.tag};
  return TH_OK;
}

bool th_world_has_goal(const th_world *world, th_goal_id goal) {
  if (th_no_world(world, __func__)) return false;
  return th_ids_valid(&world->goals.ids, TH_ID(goal));
}

th_result th_goal_known(const th_world *world, th_goal_id goal, const char *call, th_error *error) {
  return th_world_id_check(world, &world->goals.ids, TH_ID(goal), "goal", call, error);
}

uint32_t th_world_goals(const th_world *world, th_goal_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->goals.ids.capacity; i++) {
    th_id id = th_ids_at(&world->goals.ids, i);
    if (id.index && count++ < capacity) ids[count - 1] = (th_goal_id){id.index, id.generation, id.tag};
  }
  return count;
}

bool th_world_goal_def(const th_world *world, th_goal_id goal, th_goal_def *def) {
  if (th_no_world(world, __func__)) return false;
  if (th_goal_known(world, goal, "th_world_goal_def", NULL)) return false;
  const th_goal *record = &world->goals.goal[goal.index - 1];
  *def = record->def;
  if (*record->name) def->name = record->name;
  return true;
}

static uint32_t entries_of(const th_world *world, uint32_t goal, uint32_t *entry) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->entry_count; i++)
    if (world->entry[i].goal == goal && world->entry[i].live) entry[count++] = i;
  return count;
}

th_result th_goal_request_fields(th_world *world, th_goal_id goal, bool alone, th_error *error) {
  const uint32_t count = entries_of(world, goal.index, world->entry_scratch);
  th_request_def ask = {.step = world->step + world->def.latency, .entry = world->entry_scratch, .count = count};
  th_request *last = world->request;
  while (last && last->next) last = last->next;
  th_result result = count ? th_request_entries(world, &ask, error) : TH_OK;
  if (!result && alone && last) th_request_forget(world, goal.index, last);
  return result;
}

th_result th_world_move_goal(th_world *world, th_goal_id goal, const th_shape *shape, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_goal_known(world, goal, "th_world_move_goal", error);
  if (!result) result = th_goal_touches(world->latest_ground, shape, error);
  if (result) return result;
  const th_allocator *a = &world->env.allocator;
  th_shape *own = &world->goals.goal[goal.index - 1].def.shape, old = *own, moved;
  if (!th_shape_copy(a, shape, &moved)) return th_fail_memory(error, "goal");
  *own = moved;
  result = th_goal_request_fields(world, goal, false, error);
  th_shape_free(a, result ? &moved : &old);
  if (result) *own = old;
  return result;
}

static bool same_field(const th_goal_def *a, const th_goal_def *b) {
  bool same = a->planner == b->planner;
#define X(type, name, other) same = same && a->name == b->name;
  TH_GOAL_FIELD_MEMBERS(X)
#undef X
  return same;
}

/* Fields that were made of the old members: what they lead by is known by the goal alone. */
static void forget_fields(th_world *world, uint32_t goal) {
  for (uint32_t i = 0; i < world->entry_count; i++) {
    th_field_entry *entry = &world->entry[i];
    if (!entry->live || entry->goal != goal) continue;
    th_field_release(entry->field);
    th_shape_free(&world->env.allocator, &entry->shape);
    entry->field = NULL;
    entry->failed = false;
  }
}

th_result th_world_change_goal(th_world *world, th_goal_id goal, const th_goal_def *def, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_goal_known(world, goal, "th_world_change_goal", error);
  if (!result) result = th_world_idle(world, "th_world_change_goal", error);
  if (!result) result = th_goal_check_members(def, error);
  if (!result) result = th_goal_touches(world->latest_ground, &def->shape, error);
  if (result) return result;
  const th_allocator *a = &world->env.allocator;
  th_goal *record = &world->goals.goal[goal.index - 1];
  const th_goal_def old = record->def;
  const bool renews = !same_field(&old, def), moves = !th_shape_same(&old.shape, &def->shape);
  th_goal_def changed = *def;
  changed.name = NULL;
  if (!th_shape_copy(a, &def->shape, &changed.shape)) return th_fail_memory(error, "goal");
  record->def = changed;
  result = renews || moves ? th_goal_request_fields(world, goal, renews, error) : TH_OK;
  th_shape_free(a, result ? &changed.shape : (th_shape *)&old.shape);
  if (result) {
    record->def = old;
    return result;
  }
  if (renews) forget_fields(world, goal.index);
  if (def->name) snprintf(record->name, sizeof record->name, "%s", def->name);
  return TH_OK;
}

void th_world_remove_goal(th_world *world, th_goal_id goal) {
  if (th_no_world(world, __func__)) return;
  if (th_goal_known(world, goal, "th_world_remove_goal", NULL)) return;
  th_goal *record = &world->goals.goal[goal.index - 1];
  th_shape_free(&world->env.allocator, &record->def.shape);
  *record = (th_goal){0};
  th_ids_give(&world->goals.ids, TH_ID(goal));
  for (uint32_t i = 0; i < world->entry_count; i++) {
    th_field_entry *entry = &world->entry[i];
    if (entry->goal == goal.index && entry->live) th_goal_entry_clear(world, entry);
  }
  th_choice_route_forget_goal(world, goal.index);
  for (uint32_t i = 0; i < world->sources.capacity; i++) /* agents emitted from now on have no path */
    for (uint32_t k = 0; k < world->sources.source[i].def.agent.route_count; k++)
      if (world->sources.source[i].def.agent.route[k].goal.index == goal.index)
        world->sources.source[i].def.agent.route[k].goal = TH_NULL_GOAL;
  for (uint32_t row = 0; row < world->rows.count; row++) {
    th_route *route = &world->rows.route[row];
    for (uint32_t i = 0; i < route->count; i++)
      if (route->goal[i] == goal.index) route->goal[i] = 0;
  }
}

void th_goal_entry_clear(th_world *world, th_field_entry *entry) {
  th_field_release(entry->field);
  th_shape_free(&world->env.allocator, &entry->shape);
  *entry = (th_field_entry){.failed = true};
}

static bool names_entry(const uint16_t *field, uint32_t count, uint32_t entry) {
  for (uint32_t i = 0; i < count; i++)
    if (field[i] == entry) return true;
  return false;
}

/* A dead entry may be reused once no route names it: until then it tells those agents that they have no path. */
static bool is_spare(const th_world *world, uint32_t entry) {
  if (world->entry[entry].live) return false;
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (names_entry(world->rows.route[row].field, world->rows.route[row].count, entry)) return false;
  for (uint32_t i = 0; i < world->sources.capacity; i++)
    if (names_entry(world->sources.source[i].field, world->sources.source[i].def.agent.route_count, entry))
      return false;
  return true;
}

/* The entry for a key; a new key gets an entry, and its field is requested. */
th_result th_goal_entry_for(th_world *world, const th_field_key *key, uint16_t *entry, th_error *error) {
  uint32_t at = 0;
  for (; at < world->entry_count; at++) {
    const th_field_entry *e = &world->entry[at];
    *entry = (uint16_t)at;
    if (e->live && e->goal == key->goal && e->radius_class == key->radius_class && e->eps_level == key->eps_level)
      return TH_OK;
  }
  for (at = 0; at < world->entry_count && !is_spare(world, at);) at++;
  if (at >= TH_NO_FIELD)
    return th_fail(error, TH_ERROR_CAPACITY, "goal", "expected at most %u fields in a world", TH_NO_FIELD);
  void *memory = world->entry;
  bool grown = th_grow(&world->env.allocator, &memory, &world->entry_capacity, at + 1, sizeof *world->entry);
  world->entry = memory;
  if (!grown || !th_world_capacity_entry_scratch(world, at + 1)) return th_fail_memory(error, "goal");
  world->entry[at] = (th_field_entry){.goal = key->goal,
                                      .radius_class = (uint8_t)key->radius_class,
                                      .eps_level = (uint8_t)key->eps_level,
                                      .live = true,
                                      .draft = true};
  th_request_def ask = {.step = world->step + world->def.latency, .entry = &at, .count = 1};
  th_result result = th_request_entries(world, &ask, error);
  if (result)
    world->entry[at] = (th_field_entry){.failed = true};
  else if (at == world->entry_count)
    world->entry_count++;
  *entry = (uint16_t)at;
  return result;
}

void th_goal_entries_end(th_world *world, uint32_t before, bool keep) {
  for (uint32_t i = world->entry_count; i-- > 0;) {
    if (!world->entry[i].draft) continue;
    world->entry[i].draft = false;
    if (keep) continue;
    th_request_withdraw(world, i);
    th_goal_entry_clear(world, &world->entry[i]);
  }
  if (!keep) world->entry_count = before;
}
