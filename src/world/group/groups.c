/* world/group/groups.c - groups are made, changed, merged and split.
 *
 * The group of an agent is a column of the rows, so an agent is in one group at most, and the column moves with its
 * row. point.c sends members to the group's common point. A call that fails leaves everything as it was. Cost: a call
 * that changes a shape passes over all markers, the others over all rows.
 */
#include "world/group/groups.h"

#include <math.h>
#include <string.h>

#include "base/param/value.h"
#include "geometry/polygon.h"
#include "world/agent/agents.h"
#include "world/events.h"
#include "world/world.h"

th_group_def th_default_group_def(void) {
#define X(type, name, initial, min, max) .name = initial,
  return (th_group_def){TH_GROUP_MEMBERS(X)};
#undef X
}

static void free_one(th_group *group, const th_allocator *a) {
  TH_GIVE(a, group->polygon, group->area.polygons);
  th_group_area_free(&group->area, a);
  th_march_free(&group->march, a);
  *group = (th_group){0};
}

void th_groups_free(th_groups *groups, const th_allocator *a) {
  for (uint32_t i = 0; i < groups->capacity; i++) free_one(&groups->group[i], a);
  TH_GIVE(a, groups->group, groups->capacity);
  th_ids_free(&groups->ids, a);
  th_shared_drop(NULL, &groups->on_ground);
  *groups = (th_groups){0};
}

/* ---------------------------------------------------------------- checks */

static th_result check_def(const th_world *world, const th_group_def *def, th_error *error) {
  th_result result = TH_OK;
#define X(type, name, initial, min, max) \
  if (!result) result = th_agent_check_number(#name, def->name, min, max, error);
  TH_GROUP_NUMBERS(X)
#undef X
  if (!result && (def->align < TH_ALIGN_NONE || def->align > TH_ALIGN_QUEUE))
    result = th_fail(error, TH_ERROR_RANGE, "align", "expected none, horizontal, vertical, both or queue, found %d",
                     def->align);
  for (uint32_t i = 0; i < def->area_count && !result; i++)
    result = th_polygon_check(&world->env.allocator, &def->area[i], "area", i, error);
  if (!result && def->image && (!def->image->grey || !(def->image->metres_per_pixel > 0.0f)))
    result = th_fail(error, TH_ERROR_RANGE, "image", "expected pixels of more than 0 m");
  if (!result) result = th_march_check(&def->formation, error);
  const bool shaped = def->area_count || def->image || def->align != TH_ALIGN_NONE;
  if (!result && shaped && def->formation.kind != TH_FORMATION_NONE)
    result = th_fail(error, TH_ERROR_STATE, "formation", "expected a group without area and alignment beside it");
  return result;
}

static th_result check_members(th_world *world, const th_agent_id *member, uint32_t count, const char *call,
                               th_error *error) {
  uint32_t row;
  for (uint32_t i = 0; i < count; i++) {
    th_result result = th_agent_find(world, member[i], call, &row, error);
    if (result) return result;
  }
  return TH_OK;
}

static th_result check_leader(const th_group_def *def, const th_agent_id *member, uint32_t count, th_error *error) {
  bool is_member = th_is_null_agent(def->leader);
  for (uint32_t i = 0; i < count; i++) is_member |= th_same_agent(member[i], def->leader);
  return is_member ? TH_OK : th_fail(error, TH_ERROR_STATE, "leader", "expected a member, found another agent");
}

th_group *th_groups_find(const th_world *world, th_group_id id, const char *call, th_error *error) {
  bool stale = th_world_id_check(world, &world->groups.ids, TH_ID(id), "group", call, error) != TH_OK;
  return stale ? NULL : &world->groups.group[id.index - 1];
}

/* ---------------------------------------------------------------- shapes */

static th_result make_shape(const th_world *world, const th_group_def *def, th_group *group, th_error *error) {
  const th_allocator *a = &world->env.allocator;
#define X(type, name, initial, min, max) .name = def->name,
  *group = (th_group){.numbers = {TH_GROUP_MEMBERS(X).leader = th_without_tag(def->leader)}};
#undef X
  bool made = th_group_area_make(&group->area, a, def->area, def->area_count, def->image);
  group->polygon = made ? TH_TAKE(a, th_polygon, def->area_count) : NULL;
  if (!group->polygon) {
    th_group_area_free(&group->area, a);
    return th_fail_memory(error, "group");
  }
  for (uint32_t i = 0; i < group->area.polygons; i++) {
    uint32_t first = i ? group->area.end[i - 1] : 0;
    group->polygon[i] = (th_polygon){NULL, group->area.point + first, group->area.end[i] - first};
  }
  group->image = th_group_area_image(&group->area);
  if (th_march_make(a, &def->formation, &group->march)) return TH_OK;
  free_one(group, a);
  return th_fail_memory(error, "group");
}

/* ---------------------------------------------------------------- formations */

static void count_marches(th_world *world) {
  th_groups *groups = &world->groups;
  groups->marches = 0;
  for (uint32_t i = 0; i < groups->capacity; i++)
    groups->marches += th_ids_at(&groups->ids, i).index && groups->group[i].march.numbers.kind != TH_FORMATION_NONE;
}

/* Room for the members of a group and these agents; the last thing that can fail. */
static th_result form_up(th_world *world, th_marching *march, uint32_t group, const th_agent_id *agent, uint32_t count,
                         th_error *error) {
  uint32_t members = count;
  if (march->numbers.kind == TH_FORMATION_NONE) return TH_OK;
  for (uint32_t row = 0; row < world->rows.count; row++) members += world->rows.group[row] == group;
  for (uint32_t i = 0; i < count; i++) members -= world->rows.group[th_world_row(world, agent[i])] == group;
  th_result result = th_march_check_size(march, members, error);
  if (!result && !th_march_reserve(march, &world->env.allocator, members)) result = th_fail_memory(error, "group");
  return result;
}

static void muster(th_world *world, uint32_t group) {
  th_marching *march = &world->groups.group[group - 1].march;
  if (march->numbers.kind != TH_FORMATION_NONE) th_march_muster(world, group, march);
}

/* ---------------------------------------------------------------- members */

static void leave(th_world *world, uint32_t row) {
  uint32_t group = world->rows.group[row];
  if (!group) return;
  th_agent_id id = th_without_tag(world->rows.id[row]), *leader = &world->groups.group[group - 1].numbers.leader;
  if (th_same_agent(*leader, id)) *leader = TH_NULL_AGENT;
  world->rows.group[row] = 0;
  th_event_add(world, TH_EVENT_LEFT, world->rows.id[row], 0);
}

void th_groups_forget(th_world *world, uint32_t row) {
  if (world->groups.ids.alive) leave(world, row);
}

static void join(th_world *world, uint32_t index, th_agent_id agent) {
  uint32_t row = th_world_row(world, agent);
  if (world->rows.group[row] == index + 1) return;
  leave(world, row);
  world->rows.group[row] = (uint16_t)(index + 1);
  th_event_add(world, TH_EVENT_JOINED, agent, 0);
  th_group_point_send(world, row, &world->groups.group[index]);
}

static bool reserve(th_world *world) {
  th_groups *groups = &world->groups;
  const th_allocator *a = &world->env.allocator;
  if (groups->ids.alive < groups->ids.capacity) return true;
  uint32_t larger = groups->ids.capacity ? groups->ids.capacity * 2 : 8;
  void *memory = groups->group;
  bool grown = th_grow(a, &memory, &groups->capacity, larger, sizeof *groups->group);
  groups->group = memory;
  return grown && th_ids_grow(&groups->ids, a, larger);
}

static void remove_one(th_world *world, th_group_id group) {
  uint32_t index = group.index - 1, goal = world->groups.group[index].numbers.goal;
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (world->rows.group[row] == group.index) leave(world, row);
  free_one(&world->groups.group[index], &world->env.allocator);
  th_ids_give(&world->groups.ids, TH_ID(group));
  count_marches(world);
  th_group_point_drop(world, goal);
}

th_result th_world_add_group(th_world *world, const th_group_def *def, const th_agent_id *member, uint32_t count,
                             th_group_id *group, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_add_group", error);
  if (!result) result = check_def(world, def, error);
  if (!result) result = check_members(world, member, count, "th_world_add_group", error);
  if (!result) result = check_leader(def, member, count, error);
  if (!result && world->groups.ids.alive == TH_MAX_GROUPS)
    result = th_fail(error, TH_ERROR_CAPACITY, "group", "expected at most %d groups", TH_MAX_GROUPS);
  th_group fresh; /* before memory is reserved: the def may point into a group */
  if (!result) result = make_shape(world, def, &fresh, error);
  if (result) return result;
  if (!reserve(world)) {
    free_one(&fresh, &world->env.allocator);
    return th_fail_memory(error, "group");
  }
  th_id id = th_ids_take(&world->groups.ids);
  world->groups.group[id.index - 1] = fresh;
  th_group_id made = {id.index, id.generation, id.tag};
  count_marches(world);
  result = form_up(world, &world->groups.group[id.index - 1].march, id.index, member, count, error);
  if (!result) result = th_group_reshape(world, id.index - 1, member, count, error);
  if (result) remove_one(world, made);
  for (uint32_t i = 0; i < count && !result; i++) join(world, id.index - 1, member[i]);
  if (!result) muster(world, id.index);
  if (!result && group) *group = made;
  th_events_sort(world);
  return result;
}

void th_world_remove_group(th_world *world, th_group_id group) {
  if (th_no_world(world, __func__) || !th_groups_find(world, group, "th_world_remove_group", NULL)) return;
  remove_one(world, group);
  th_events_sort(world);
}

bool th_world_has_group(const th_world *world, th_group_id group) {
  if (th_no_world(world, __func__)) return false;
  return th_ids_valid(&world->groups.ids, TH_ID(group));
}

uint32_t th_world_groups(const th_world *world, th_group_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__)) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->groups.ids.capacity; i++) {
    th_id id = th_ids_at(&world->groups.ids, i);
    if (id.index && count++ < capacity) ids[count - 1] = (th_group_id){id.index, id.generation, id.tag};
  }
  return count;
}

th_result th_world_change_group(th_world *world, th_group_id group, const th_group_def *def, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_group *own = th_groups_find(world, group, "th_world_change_group", error), fresh;
  if (!own) return TH_ERROR_STATE;
  th_result result = check_def(world, def, error);
  uint32_t leader = th_world_row(world, def->leader);
  if (!result && !th_is_null_agent(def->leader) && (leader == UINT32_MAX || world->rows.group[leader] != group.index))
    result = th_fail(error, TH_ERROR_STATE, "leader", "expected a member, found another agent");
  if (!result) result = make_shape(world, def, &fresh, error);
  if (result) return result;
  th_group old = *own;
  fresh.numbers.draws = old.numbers.draws;
  *own = fresh;
  count_marches(world);
  result = form_up(world, &own->march, group.index, NULL, 0, error);
  if (!result) result = th_group_reshape(world, group.index - 1, NULL, 0, error);
  if (result) {
    th_group_point_drop(world, own->numbers.goal);
    free_one(own, &world->env.allocator);
    *own = old;
    count_marches(world);
    return result;
  }
  muster(world, group.index);
  for (uint32_t row = 0; row < world->rows.count; row++)
    if (world->rows.group[row] == group.index) th_group_point_send(world, row, own);
  th_group_point_drop(world, old.numbers.goal);
  free_one(&old, &world->env.allocator);
  return TH_OK;
}

bool th_world_group_def(const th_world *world, th_group_id group, th_group_def *def) {
  if (th_no_world(world, __func__)) return false;
  th_group *own = th_groups_find(world, group, "th_world_group_def", NULL);
  if (!own) return false;
  const th_group_numbers *n = &own->numbers;
#define X(type, name, initial, min, max) .name = n->name,
  *def = (th_group_def){TH_GROUP_MEMBERS(X).leader = n->leader, .area = own->polygon, .area_count = own->area.polygons,
                        .image = own->area.light ? &own->image : NULL, .formation = th_march_formation(&own->march)};
#undef X
  if (def->leader.index) def->leader.tag = world->def.tag;
  return true;
}

bool th_world_group_point(const th_world *world, th_group_id group, th_vec3 *point) {
  if (th_no_world(world, __func__)) return false;
  th_group *own = th_groups_find(world, group, "th_world_group_point", NULL);
  if (!own || !own->numbers.goal) return false;
  *point = own->numbers.point;
  return true;
}

th_result th_world_join_group(th_world *world, th_group_id group, const th_agent_id *agent, uint32_t count,
                              th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  if (!th_groups_find(world, group, "th_world_join_group", error)) return TH_ERROR_STATE;
  th_result result = check_members(world, agent, count, "th_world_join_group", error);
  if (!result) result = th_group_point_may_send_all(world, group.index - 1, agent, count, error);
  if (!result) result = form_up(world, &world->groups.group[group.index - 1].march, group.index, agent, count, error);
  for (uint32_t i = 0; i < count && !result; i++) join(world, group.index - 1, agent[i]);
  if (!result) muster(world, group.index);
  th_events_sort(world);
  return result;
}

th_result th_world_leave_group(th_world *world, th_agent_id agent, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  uint32_t row;
  th_result result = th_agent_find(world, agent, "th_world_leave_group", &row, error);
  if (!result) leave(world, row);
  th_events_sort(world);
  return result;
}

static th_result form_up_merged(th_world *world, th_group_id into, th_group_id from, th_error *error) {
  th_marching *march = &world->groups.group[into.index - 1].march;
  uint32_t members = 0;
  if (march->numbers.kind == TH_FORMATION_NONE) return TH_OK;
  for (uint32_t row = 0; row < world->rows.count; row++)
    members += world->rows.group[row] == into.index || world->rows.group[row] == from.index;
  th_result result = th_march_check_size(march, members, error);
  if (!result && !th_march_reserve(march, &world->env.allocator, members)) result = th_fail_memory(error, "group");
  return result;
}

th_result th_world_merge_groups(th_world *world, th_group_id into, th_group_id from, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  if (!th_groups_find(world, into, "th_world_merge_groups", error) ||
      !th_groups_find(world, from, "th_world_merge_groups", error))
    return TH_ERROR_STATE;
  th_result result = TH_OK;
  for (uint32_t row = 0; row < world->rows.count && !result; row++)
    if (world->rows.group[row] == from.index)
      result = th_group_point_may_send(world, row, &world->groups.group[into.index - 1], error);
  if (!result) result = form_up_merged(world, into, from, error);
  for (uint32_t row = 0; row < world->rows.count && !result; row++)
    if (world->rows.group[row] == from.index) join(world, into.index - 1, world->rows.id[row]);
  if (!result) muster(world, into.index);
  if (!result && into.index != from.index) remove_one(world, from);
  th_events_sort(world);
  return result;
}

th_result th_world_split_group(th_world *world, th_group_id group, const th_agent_id *member, uint32_t count,
                               th_group_id *split, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_group_def def;
  if (!th_groups_find(world, group, "th_world_split_group", error) || !th_world_group_def(world, group, &def))
    return TH_ERROR_STATE;
  def.leader = TH_NULL_AGENT;
  return th_world_add_group(world, &def, member, count, split, error);
}

uint32_t th_world_group_members(const th_world *world, th_group_id group, th_agent_id *ids, uint32_t capacity) {
  if (th_no_world(world, __func__) || !th_groups_find(world, group, "th_world_group_members", NULL)) return 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < th_ids_used(&world->ids); i++) {
    uint32_t row = th_ids_at(&world->ids, i).index ? world->row_of[i] : UINT32_MAX;
    if (row == UINT32_MAX || world->rows.group[row] != group.index) continue;
    if (count++ < capacity) ids[count - 1] = world->rows.id[row];
  }
  return count;
}

th_group_id th_world_agent_group(const th_world *world, th_agent_id agent) {
  uint32_t row;
  if (th_no_world(world, __func__) || th_agent_find(world, agent, "th_world_agent_group", &row, NULL))
    return TH_NULL_GROUP;
  th_id id = world->rows.group[row] ? th_ids_at(&world->groups.ids, world->rows.group[row] - 1u) : (th_id){0};
  return (th_group_id){id.index, id.generation, id.tag};
}

/* ---------------------------------------------------------------- how well it stands */

/* Places of the members in the world, by row; returns how many. */
static uint32_t places(const th_world *world, uint32_t group, th_vec3 *at) {
  const th_rows *rows = &world->rows;
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows->count; row++)
    if (rows->in[row] && rows->group[row] == group)
      at[count++] = th_ground_point(world->ground, (th_place){rows->cell[row], rows->x[row], rows->y[row]});
  return count;
}

static double mean_off_post(const th_world *world, uint32_t group) {
  const th_marching *march = &world->groups.group[group - 1].march;
  double sum = 0.0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < march->numbers.members && march->numbers.begun; i++) {
    th_agent_id agent = march->holder[i].agent;
    agent.tag = world->def.tag;
    const uint32_t row = th_world_row(world, agent);
    const bool stands = row != UINT32_MAX && world->rows.group[row] == group && march->holder[i].off >= 0.0f;
    if (stands) sum += (double)march->holder[i].off, count++;
  }
  return count ? sum / count : NAN;
}

th_result th_world_group_fit(const th_world *world, th_group_id group, th_group_fit *fit, th_error *error) {
  *fit = (th_group_fit){0, NAN, NAN, NAN};
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  const th_group *own = th_groups_find(world, group, __func__, error);
  if (!own) return TH_ERROR_STATE;
  th_vec3 *at = TH_TAKE(&world->env.allocator, th_vec3, world->rows.count);
  if (!at) return th_fail_memory(error, "group");
  fit->members = places(world, group.index, at);
  fit->outside = th_group_fit_outside(&own->area, at, fit->members);
  if (own->numbers.align != TH_ALIGN_NONE) {
    const th_group_mask mask = th_groups_mask(world, own);
    fit->askew = th_group_fit_askew(at, fit->members, &mask);
  }
  TH_GIVE(&world->env.allocator, at, world->rows.count);
  fit->off_post = mean_off_post(world, group.index);
  return TH_OK;
}

bool th_world_agent_post(const th_world *world, th_agent_id agent, th_vec3 *post) {
  uint32_t row;
  if (th_no_world(world, __func__) || th_agent_find(world, agent, __func__, &row, NULL)) return false;
  const th_holder *holder = th_march_post_of(world, row);
  if (holder) *post = holder->at;
  return holder != NULL;
}
