/* world/group/weights.c - the shapes of groups as weights of markers, on one version of the ground.
 *
 * Weights of areas follow from area and ground and are made with them; those of alignments are summed up before each
 * decision, over members in the order of rows. They are derived data: made outside steps, for the version in force and
 * for those that are pending (world/shared.c). Cost: without groups one test per step.
 */
#include <math.h>

#include "base/random.h"
#include "base/trig.h"
#include "geometry/vector.h"
#include "throng/markers.h"
#include "throng/watch.h"
#include "world/agent/agents.h"
#include "world/traces.h"
#include "world/world.h"

#define SQUARE 1.0f          /* [m] */
#define PERSONAL_SPACE 1.25f /* [m], of biocrowds by default */

typedef struct groups_on_ground {
  th_allocator allocator;
  th_group_sheet sheet;
  uint32_t groups;
  th_marker_weights *use; /* of each group, by index; without weights: it has no shape */
} groups_on_ground;

static void release(const th_env *env, void *data) {
  groups_on_ground *on = data;
  const th_allocator a = on->allocator;
  size_t padded = (size_t)on->sheet.count + 16;
  (void)env;
  for (uint32_t i = 0; on->use && i < on->groups; i++) {
    th_give(&a, (void *)(uintptr_t)on->use[i].weight, padded, sizeof(float));
    th_give(&a, (void *)(uintptr_t)on->use[i].inside, padded, 1);
  }
  TH_GIVE(&a, on->use, on->groups);
  th_group_sheet_free(&on->sheet, &a);
  TH_GIVE(&a, on, 1);
}

static bool lay_sheet(groups_on_ground *on, const th_ground *ground, const th_markers *markers) {
  uint32_t count = th_markers_count(markers);
  const th_place *place = th_markers_places(markers);
  th_vec3 *point = TH_TAKE(&on->allocator, th_vec3, count);
  for (uint32_t i = 0; point && i < count; i++) point[i] = th_ground_point(ground, place[i]);
  bool made = point && th_group_sheet_make(&on->sheet, &on->allocator, point, count, SQUARE);
  TH_GIVE(&on->allocator, point, count);
  return made;
}

static bool shape_one(groups_on_ground *on, const th_group *group, th_marker_weights *use) {
  size_t padded = (size_t)on->sheet.count + 16;
  bool fills = !th_group_area_is_empty(&group->area);
  if (!fills && group->numbers.align == TH_ALIGN_NONE) return true;
  float *weight = TH_TAKE(&on->allocator, float, padded);
  uint8_t *inside = fills && weight ? TH_TAKE(&on->allocator, uint8_t, padded) : NULL;
  use->weight = weight, use->inside = inside;
  if (!weight || (fills && !inside)) return false;
  if (fills) th_group_sheet_mark(&on->sheet, &group->area, inside);
  for (uint32_t i = 0; i < on->sheet.count; i++) weight[i] = fills && inside[i] ? group->numbers.factor : 1.0f;
  return true;
}

th_result th_groups_share(th_world *world, const th_ground *ground, th_shared *shared, th_error *error) {
  if (world->groups.ids.alive == world->groups.marches) return TH_OK;
  const th_markers_def def = th_ground_markers_def(ground);
  const th_markers *markers;
  th_result result = th_ground_markers(ground, &def, 0, &markers, error);
  groups_on_ground *on = result ? NULL : TH_TAKE(&world->env.allocator, groups_on_ground, 1);
  if (!on) return result ? result : th_fail_memory(error, "group");
  *on = (groups_on_ground){.allocator = world->env.allocator, .groups = world->groups.capacity};
  on->use = TH_TAKE(&on->allocator, th_marker_weights, on->groups);
  bool made = on->use && lay_sheet(on, ground, markers);
  for (uint32_t i = 0; i < on->groups && made; i++)
    if (th_ids_at(&world->groups.ids, i).index) made = shape_one(on, &world->groups.group[i], &on->use[i]);
  if (!made) {
    release(NULL, on);
    return th_fail_memory(error, "group");
  }
  *shared = (th_shared){on, release};
  return TH_OK;
}

th_result th_groups_renew(th_world *world, th_error *error) {
  th_shared_drop(&world->env, &world->groups.on_ground);
  return th_groups_share(world, world->ground, &world->groups.on_ground, error);
}

uint32_t th_groups_pick(const th_shared *shared, uint32_t group, uint64_t bits, th_vec3 *point) {
  const groups_on_ground *on = shared->data;
  const uint8_t *inside = on && group < on->groups ? on->use[group].inside : NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; inside && i < on->sheet.count; i++) count += inside[i];
  uint32_t n = th_random_to_below(bits, count);
  for (uint32_t i = 0; inside && count && i < on->sheet.count; i++)
    if (inside[i] && !n--) *point = on->sheet.point[i];
  return count;
}

const th_marker_weights *th_world_group_weights(const th_world *world, th_group_id group, uint32_t *count) {
  *count = 0;
  if (th_no_world(world, __func__) || !th_groups_find(world, group, "th_world_group_weights", NULL)) return NULL;
  const groups_on_ground *on = world->groups.on_ground.data;
  const th_marker_weights *use = on && group.index - 1 < on->groups ? &on->use[group.index - 1] : NULL;
  if (!use || !use->weight) return NULL;
  *count = on->sheet.count;
  return use;
}

/* ---------------------------------------------------------------- each step */

th_group_mask th_groups_mask(const th_world *world, const th_group *group) {
  const th_group_numbers *n = &group->numbers;
  th_group_mask mask = {.arm = 2.0f * n->spacing, .half_width = n->half_width};
  mask.along = n->align != TH_ALIGN_VERTICAL;
  mask.across = n->align == TH_ALIGN_VERTICAL || n->align == TH_ALIGN_BOTH;
  th_sincosf(n->angle * (float)TH_DEGREE, &mask.s, &mask.c);
  th_agent_id leader = n->leader;
  leader.tag = world->def.tag;
  uint32_t row = n->align == TH_ALIGN_QUEUE ? th_world_row(world, leader) : UINT32_MAX;
  if (row == UINT32_MAX) return mask;
  th_place at = {world->rows.cell[row], world->rows.x[row], world->rows.y[row]};
  th_vec3 heading = th_ground_to_space(world->ground, at, (th_vec2){world->rows.hx[row], world->rows.hy[row]});
  th_vec2 flat = {heading.x, heading.y};
  float size = th_length2(flat);
  if (size > 0.0f) mask.c = flat.x / size, mask.s = flat.y / size;
  return mask;
}

static void begin_alignment(const groups_on_ground *on, const th_group *group, const th_marker_weights *use) {
  float *weight = (float *)(uintptr_t)use->weight;
  if (group->numbers.align == TH_ALIGN_NONE || !weight) return;
  for (uint32_t i = 0; i < on->sheet.count; i++) weight[i] = group->numbers.base;
}

static void end_alignment(const groups_on_ground *on, const th_group *group, const th_marker_weights *use) {
  float *weight = (float *)(uintptr_t)use->weight;
  if (group->numbers.align == TH_ALIGN_NONE || !weight || !use->inside) return;
  for (uint32_t i = 0; i < on->sheet.count; i++)
    if (use->inside[i]) weight[i] *= group->numbers.factor;
}

/* An agent that is in the area, or whose personal space touches it, makes no progress towards the common point and is
 * still not stuck: it has come as far as the others allow. An agent that had arrived and was pushed out of the area
 * walks again. */
static void call_back(th_world *world, uint32_t row, const th_group *group, const groups_on_ground *on, th_vec3 at) {
  const uint8_t *inside = on->use[world->rows.group[row] - 1].inside;
  if (th_group_area_is_empty(&group->area)) return;
  const bool in = th_group_area_holds(&group->area, at.x, at.y);
  if (in || (inside && th_group_sheet_touches(&on->sheet, inside, at, PERSONAL_SPACE)))
    world->rows.best[row] = INFINITY;
  if (in || world->rows.state[row] != TH_AGENT_ARRIVED) return;
  world->rows.state[row] = TH_AGENT_WALKING;
  th_agent_head_for(world, row, world->rows.route[row].next);
}

void th_groups_weigh(th_world *world) {
  const groups_on_ground *on = world->groups.on_ground.data;
  world->weights.of_row = on ? world->rows.group : NULL;
  if (!on) return;
  world->weights.use = on->use;
  for (uint32_t g = 0; g < on->groups; g++) begin_alignment(on, &world->groups.group[g], &on->use[g]);
  for (uint32_t row = 0; row < world->rows.count; row++) {
    uint32_t g = world->rows.in[row] ? world->rows.group[row] : 0;
    if (!g) continue;
    const th_group *group = &world->groups.group[g - 1];
    th_vec3 at =
        th_ground_point(world->ground, (th_place){world->rows.cell[row], world->rows.x[row], world->rows.y[row]});
    call_back(world, row, group, on, at);
    const bool aligns = group->numbers.align != TH_ALIGN_NONE && on->use[g - 1].weight;
    const th_group_mask mask = aligns ? th_groups_mask(world, group) : (th_group_mask){0};
    if (world->traces && world->traces->mark[row]) th_groups_trace_publish(world, row, group, aligns ? &mask : NULL);
    if (aligns) th_group_sheet_accumulate(&on->sheet, &mask, at, (float *)(uintptr_t)on->use[g - 1].weight);
  }
  for (uint32_t g = 0; g < on->groups; g++) end_alignment(on, &world->groups.group[g], &on->use[g]);
}
