/* world/goals.c - goals, guides, and the table of fields that lead to goals.
 *
 * A field is shared by all agents with the same (goal, radius class, eps level); an entry is made the first time such
 * an agent appears, and solved as a job. Agents remember the entry, so a new field reaches them all at once.
 */
#include <string.h>

#include "base/param/value.h"
#include "geometry/shape.h"
#include "world/field_requests.h"
#include "world/goal_members.h"

th_goal_def th_default_goal_def(void) {
  th_field_def field = th_default_field_def();
  th_goal_def def = {.arrive = 0.5f};
#define X(type, name, other) def.name = field.other;
  TH_GOAL_FIELD_MEMBERS(X)
#undef X
  return def;
}

th_field_def th_goal_field_def(const th_goal_def *goal, const th_field_entry *entry, const th_shape *shape) {
  th_field_def def = th_field_def_of_goal(goal);
  def.eps = (float)entry->eps_level * TH_EPS_STEP;
  def.radius_class = entry->radius_class;
  def.goal = *shape;
  return def;
}

uint32_t th_eps_level(float eps) {
  uint32_t level = (uint32_t)(eps / TH_EPS_STEP + 0.5f);
  return level > TH_EPS_LEVELS ? TH_EPS_LEVELS : level;
}

static th_result check_goal(const th_world *world, const th_goal_def *def, th_error *error) {
  if (!(def->arrive >= 0.0f && def->arrive <= 100.0f))
    return th_fail(error, TH_ERROR_RANGE, "arrive", "expected 0 to 100 m, found %g", (double)def->arrive);
  if (def->field == TH_FIELD_BLEND && !(def->blend >= 0.0f && def->blend <= 1.0f))
    return th_fail(error, TH_ERROR_RANGE, "blend", "expected 0 to 1, found %g", (double)def->blend);
  if ((unsigned)def->field > TH_FIELD_EDGES || (unsigned)def->walls > TH_WALLS_NEUMANN)
    return th_fail(error, TH_ERROR_RANGE, "field", "unknown kind of field or walls");
  if (def->relax.method != TH_METHOD_DIRECT && (def->field != TH_FIELD_HARMONIC || def->walls != TH_WALLS_DIRICHLET))
    return th_fail(error, TH_ERROR_RANGE, "method", "expected a harmonic field with Dirichlet walls for a relaxation");
  return th_goal_touches(world->latest_ground, &def->shape, error);
}

th_result th_world_add_goal(th_world *world, const th_goal_def *def, th_goal_id *goal, th_error *error) {
  th_result result = check_goal(world, def, error);
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
  goals->goal[id.index - 1].def = *def;
  goals->goal[id.index - 1].def.shape = shape;
  if (goal) *goal = (th_goal_id){id.index, id.generation};
  return TH_OK;
}

static bool valid_goal(const th_world *world, th_goal_id goal) {
  return th_ids_valid(&world->goals.ids, (th_id){goal.index, goal.generation});
}

static uint32_t entries_of(const th_world *world, uint32_t goal, uint32_t *entry) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->entry_count; i++)
    if (world->entry[i].goal == goal && world->entry[i].live) entry[count++] = i;
  return count;
}

th_result th_world_move_goal(th_world *world, th_goal_id goal, const th_shape *shape, th_error *error) {
  if (!valid_goal(world, goal)) return th_fail(error, TH_ERROR_STATE, "goal", "goal %u does not exist", goal.index);
  th_result result = th_goal_touches(world->latest_ground, shape, error);
  if (result) return result;
  const th_allocator *a = &world->env.allocator;
  th_shape *own = &world->goals.goal[goal.index - 1].def.shape, old = *own, moved;
  if (!th_shape_copy(a, shape, &moved)) return th_fail_memory(error, "goal");
  *own = moved;
  uint32_t count = entries_of(world, goal.index, world->entry_scratch);
  th_request_def ask = {.step = world->step + world->def.latency, .entry = world->entry_scratch, .count = count};
  result = count ? th_request_entries(world, &ask, error) : TH_OK;
  th_shape_free(a, result ? &moved : &old);
  if (result) *own = old;
  return result;
}

void th_world_remove_goal(th_world *world, th_goal_id goal) {
  if (!valid_goal(world, goal)) {
    th_fault(&world->env, "th_world_remove_goal: goal %u does not exist", goal.index);
    return;
  }
  th_goal *record = &world->goals.goal[goal.index - 1];
  th_shape_free(&world->env.allocator, &record->def.shape);
  *record = (th_goal){0};
  th_ids_give(&world->goals.ids, (th_id){goal.index, goal.generation});
  for (uint32_t i = 0; i < world->entry_count; i++) {
    th_field_entry *entry = &world->entry[i];
    if (entry->goal == goal.index && entry->live) th_field_entry_clear(world, entry);
  }
  for (uint32_t i = 0; i < world->sources.capacity; i++) /* who is emitted from now on has no way */
    for (uint32_t k = 0; k < world->sources.source[i].def.agent.route_count; k++)
      if (world->sources.source[i].def.agent.route[k].goal.index == goal.index)
        world->sources.source[i].def.agent.route[k].goal = (th_goal_id){0, 0};
  for (uint32_t row = 0; row < world->rows.count; row++) {
    th_route *route = &world->rows.route[row];
    for (uint32_t i = 0; i < route->count; i++)
      if (route->goal[i] == goal.index) route->goal[i] = 0;
  }
}

void th_field_entry_clear(th_world *world, th_field_entry *entry) {
  th_field_release(entry->field);
  th_shape_free(&world->env.allocator, &entry->shape);
  *entry = (th_field_entry){.failed = true};
}

static bool names_entry(const uint16_t *field, uint32_t count, uint32_t entry) {
  for (uint32_t i = 0; i < count; i++)
    if (field[i] == entry) return true;
  return false;
}

/* A dead entry may serve again once no route names it: until then it tells those agents that they have no way. */
static bool is_spare(const th_world *world, uint32_t entry) {
  if (world->entry[entry].live) return false;
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (names_entry(world->rows.route[row].field, world->rows.route[row].count, entry)) return false;
  for (uint32_t i = 0; i < world->sources.capacity; i++)
    if (names_entry(world->sources.source[i].field, world->sources.source[i].def.agent.route_count, entry))
      return false;
  return true;
}

/* The entry for a key, made and asked for when it is new. */
th_result th_field_entry_for(th_world *world, const th_field_key *key, uint16_t *entry, th_error *error) {
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
  if (!grown || !th_world_entry_scratch(world, at + 1)) return th_fail_memory(error, "goal");
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

void th_field_entries_end(th_world *world, uint32_t before, bool keep) {
  for (uint32_t i = world->entry_count; i-- > 0;) {
    if (!world->entry[i].draft) continue;
    world->entry[i].draft = false;
    if (keep) continue;
    th_request_withdraw(world, i);
    th_field_entry_clear(world, &world->entry[i]);
  }
  if (!keep) world->entry_count = before;
}

static bool guide_room(th_world *world) {
  const th_allocator *a = &world->env.allocator;
  th_guides_in_use *guides = &world->guides;
  if (guides->ids.alive < guides->ids.capacity) return true;
  uint32_t larger = guides->ids.capacity ? guides->ids.capacity * 2 : 16;
  void *memory = guides->guide;
  bool grown = th_grow(a, &memory, &guides->capacity, larger, sizeof *guides->guide);
  guides->guide = memory;
  return grown && th_ids_grow(&guides->ids, a, larger);
}

th_result th_world_add_guide(th_world *world, const th_guide *kind, const void *params, th_guide_id *guide,
                             th_error *error) {
  const th_allocator *a = &world->env.allocator;
  th_guides_in_use *guides = &world->guides;
  if (!kind || !kind->ask) return th_fail(error, TH_ERROR_STATE, "guide", "expected a guide that answers");
  if (kind->state_size > TH_GUIDE_STATE)
    return th_fail(error, TH_ERROR_CAPACITY, kind->name, "expected at most %d bytes of state an agent, found %zu",
                   TH_GUIDE_STATE, kind->state_size);
  uint8_t *copy = th_take(a, kind->param_size, 1);
  if (!copy) return th_fail_memory(error, "guide");
  if (params)
    memcpy(copy, params, kind->param_size);
  else
    th_param_defaults(kind->param, kind->param_count, copy);
  th_result result = th_param_check(kind->param, kind->param_count, copy, error);
  if (!result) th_param_tidy(kind->param, kind->param_count, copy);
  if (!result && kind->check) result = kind->check(copy, error);
  if (!result && !guide_room(world)) result = th_fail_memory(error, "guide");
  th_guide_slot use = {.kind = kind, .params = copy};
  if (!result) result = th_guide_remember(world, &use, error);
  if (result) {
    th_guide_slot_free(world, &use);
    return result;
  }
  th_id id = th_ids_take(&guides->ids);
  guides->guide[id.index - 1] = use;
  if (guide) *guide = (th_guide_id){id.index, id.generation};
  return TH_OK;
}

void th_world_remove_guide(th_world *world, th_guide_id guide) {
  if (!th_ids_give(&world->guides.ids, (th_id){guide.index, guide.generation})) {
    th_fault(&world->env, "th_world_remove_guide: guide %u does not exist", guide.index);
    return;
  }
  th_guide_slot_free(world, &world->guides.guide[guide.index - 1]);
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (world->rows.guide[row] == guide.index) world->rows.guide[row] = world->rows.guide_row[row] = 0;
  for (uint32_t i = 0; i < world->sources.capacity; i++)
    if (world->sources.source[i].def.agent.guide.index == guide.index)
      world->sources.source[i].def.agent.guide = (th_guide_id){0, 0};
}
