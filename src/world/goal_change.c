/* world/goal_change.c - changes a goal in place.
 *
 * What a goal's fields depend on is known to them by the goal alone, so a field made of other members must not stay in
 * force: with another kind of field the goal has none until the new one is ready, and what was asked for before is
 * withdrawn. A new shape alone is a move. Cost: that of the fields.
 */
#include <stdio.h>
#include <string.h>

#include "geometry/shape.h"
#include "world/field_requests.h"
#include "world/goal_members.h"

static bool same_field(const th_goal_def *a, const th_goal_def *b) {
  bool same = a->planner == b->planner;
#define X(type, name, other) same = same && a->name == b->name;
  TH_GOAL_FIELD_MEMBERS(X)
#undef X
  return same;
}

/* Fields that were made of the old members, and those that are being made. */
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
