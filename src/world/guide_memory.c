/* world/guide_memory.c - guides that learn: their memory, changed by all of their agents together.
 *
 * What several agents learn together (an explored map, a tree of paths) depends on their order, so it cannot be written
 * while guides answer in parallel. Before any guide answers, the agents of each such guide are laid out as arrays in
 * the order of their ids, and each guide changes its own memory from these arrays alone: guides in parallel, the agents
 * of one guide one after the other. A guide whose agents learn separately names a unit for each; a stable sort groups
 * agents by unit, and units learn in parallel too. Nothing depends on rows or workers. Cost: one pass over the ids,
 * only when there is a guide that learns; units cost up to four more passes.
 */
#include <string.h>

#include "world/world.h"

static th_guide_update_scratch taken(const th_allocator *a, uint32_t capacity) {
  th_guide_update_scratch scratch = {.capacity = capacity, .needed = true};
#define X(type, name, each) scratch.name = TH_TAKE(a, type, (size_t)capacity * (each));
  TH_UPDATE_ARRAYS(X)
#undef X
  return scratch;
}

static void given(const th_allocator *a, th_guide_update_scratch *scratch) {
#define X(type, name, each) TH_GIVE(a, scratch->name, (size_t)scratch->capacity *(each));
  TH_UPDATE_ARRAYS(X)
#undef X
}

static bool reserve(th_world *world, uint32_t agents) {
  const th_allocator *a = &world->env.allocator;
  th_guide_update_scratch *own = &world->update, fresh;
  if (own->needed && agents <= own->capacity) return true;
  fresh = taken(a, agents);
  bool made = true;
#define X(type, name, each) made = made && fresh.name;
  TH_UPDATE_ARRAYS(X)
#undef X
  if (!made) {
    given(a, &fresh);
    return false;
  }
  given(a, own);
  *own = fresh;
  return true;
}

bool th_guide_update_reserve(th_world *world, uint32_t agents) {
  return !world->update.needed || reserve(world, agents);
}

void th_guide_update_free(th_world *world) { given(&world->env.allocator, &world->update); }

th_result th_guide_remember(th_world *world, th_guide_slot *use, th_error *error) {
  const th_guide *kind = use->kind;
  if (kind->learn && !reserve(world, world->rows.capacity)) return th_fail_memory(error, kind->name);
  th_result result = th_guide_rows_begin(use, world->ground, error);
  if (result || !kind->memory_size) return result;
  size_t size = kind->memory_size(use->params, world->ground);
  use->memory = th_take(&world->env.allocator, size, 1);
  if (!use->memory) return th_fail_memory(error, kind->name);
  use->memory_size = size;
  if (kind->memory_init) kind->memory_init(use->memory, use->params, world->ground);
  return TH_OK;
}

void th_guide_slot_free(th_world *world, th_guide_slot *use) {
  const th_allocator *a = &world->env.allocator;
  if (use->kind) th_give(a, use->params, use->kind->param_size, 1);
  th_give(a, use->memory, use->memory_size, 1);
  th_guide_rows_free(a, &use->rows);
  th_shared_drop(&world->env, &use->shared);
  *use = (th_guide_slot){0};
}

static th_guide_slot *grower(const th_world *world, uint32_t row) {
  uint32_t index = world->rows.in[row] ? world->rows.guide[row] : 0;
  if (!index || !world->guides.guide[index - 1].kind->learn) return NULL;
  return &world->guides.guide[index - 1];
}

static th_guide_link link_of(const th_world *world, uint32_t row, uint32_t k) {
  const th_rows *rows = &world->rows;
  const th_link_target *target = &rows->links[row].target[k];
  th_guide_link link = {.place.cell = TH_NO_CELL};
  if (k >= rows->link_count[row]) return link;
  link.role = target->role;
  if (target->kind == TH_LINK_POINT) {
    const th_guide *kind = world->guides.guide[rows->guide[row] - 1].kind;
    if (!kind->own_points) link.place = th_ground_locate_at(world->ground, target->at, TH_ANY_LEVEL, INFINITY);
    link.to_point = true;
    link.point = target->at;
  }
  if (target->kind == TH_LINK_AGENT) {
    link.place = (th_place){rows->cell[target->row], rows->x[target->row], rows->y[target->row]};
    link.agent = rows->agent[target->row];
  }
  return link;
}

static const th_shape *goal_of(const th_world *world, uint32_t row) {
  const th_route *route = &world->rows.route[row];
  uint32_t goal = route->next < route->count ? route->goal[route->next] : 0;
  return goal ? &world->goals.goal[goal - 1].def.shape : NULL;
}

/* A counting sort by guide; ids come in order, so they stay in order. */
static uint32_t lay_out(th_world *world) {
  th_guide_update_scratch *scratch = &world->update;
  uint32_t used = th_ids_used(&world->ids), total = 0;
  for (uint32_t i = 0; i < world->guides.capacity; i++) world->guides.guide[i].count = 0;
  for (uint32_t row = 0; row < world->rows.count; row++) {
    th_guide_slot *use = grower(world, row);
    if (use) use->count++;
  }
  for (uint32_t i = 0; i < world->guides.capacity; i++) {
    th_guide_slot *use = &world->guides.guide[i];
    use->first = total;
    total += use->count;
    use->count = 0;
  }
  for (uint32_t i = 0; i < used && total; i++) {
    if (!th_ids_at(&world->ids, i).index) continue;
    uint32_t row = world->row_of[i];
    th_guide_slot *use = grower(world, row);
    if (use) scratch->row[use->first + use->count++] = row;
  }
  return total;
}

static void fill(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  th_guide_update_scratch *scratch = &world->update;
  const th_rows *rows = &world->rows;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t row = scratch->row[i];
    scratch->agent[i] = rows->agent[row];
    scratch->place[i] = (th_place){rows->cell[row], rows->x[row], rows->y[row]};
    for (uint32_t k = 0; k < TH_MAX_LINKS; k++) scratch->link[(size_t)i * TH_MAX_LINKS + k] = link_of(world, row, k);
    scratch->radius[i] = rows->radius[row];
    scratch->state[i] = rows->state[row];
    scratch->goal[i] = goal_of(world, row);
    scratch->memory[i] = th_guide_row(&world->guides.guide[rows->guide[row] - 1].rows, rows->guide_row[row]);
  }
}

static th_guide_update update_of(const th_world *world, const th_guide_slot *use) {
  const th_guide_update_scratch *scratch = &world->update;
  return (th_guide_update){.params = use->params,
                           .ground = world->ground,
                           .memory = use->memory,
                           .shared = use->shared.data,
                           .count = use->count,
                           .agent = scratch->agent + use->first,
                           .place = scratch->place + use->first,
                           .radius = scratch->radius + use->first,
                           .state = scratch->state + use->first,
                           .link = scratch->link + (size_t)use->first * TH_MAX_LINKS,
                           .goal = scratch->goal + use->first,
                           .row = use->rows.size ? scratch->memory + use->first : NULL,
                           .member = scratch->member + use->first,
                           .member_count = use->count,
                           .dt = world->dt,
                           .step = world->step,
                           .seed = world->def.seed};
}

/* Numbers of units; the members of a guide in the order of their ids. */
static void name_units(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  th_guide_update_scratch *scratch = &world->update;
  for (uint32_t i = begin; i < end; i++) {
    const th_guide_slot *use = &world->guides.guide[world->rows.guide[scratch->row[i]] - 1];
    scratch->member[i] = i - use->first;
    if (!use->kind->unit_of) continue;
    th_guide_update update = update_of(world, use);
    scratch->unit_of[i] = use->kind->unit_of(&update, i - use->first);
  }
}

/* Puts members of equal units side by side and keeps their old order within a unit: one counting sort per byte of the
 * number, and none for a byte that all have in common. */
static void sort_members(const uint32_t *unit_of, uint32_t *member, uint32_t *spare, uint32_t count) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    uint32_t start[256] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++) start[unit_of[i] >> shift & 255u]++;
    if (start[unit_of[0] >> shift & 255u] == count) continue;
    for (uint32_t k = 0; k < 256; k++) {
      uint32_t size = start[k];
      start[k] = sum;
      sum += size;
    }
    for (uint32_t i = 0; i < count; i++) spare[start[unit_of[member[i]] >> shift & 255u]++] = member[i];
    memcpy(member, spare, sizeof *member * count);
  }
}

static void list_units(th_world *world) {
  th_guide_update_scratch *scratch = &world->update;
  scratch->unit_count = 0;
  for (uint32_t g = 0; g < world->guides.capacity; g++) {
    const th_guide_slot *use = &world->guides.guide[g];
    const uint32_t *unit_of = scratch->unit_of + use->first;
    uint32_t *member = scratch->member + use->first;
    if (!use->count) continue;
    bool split = use->kind->unit_of != NULL;
    if (split) sort_members(unit_of, member, scratch->spare, use->count);
    for (uint32_t i = 0; i < use->count; i++) {
      if (!i || (split && unit_of[member[i]] != unit_of[member[i - 1]]))
        scratch->unit[scratch->unit_count++] = (th_guide_unit){g, use->first + i, 0};
      scratch->unit[scratch->unit_count - 1].count++;
    }
  }
}

static void learn_units(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  for (uint32_t i = begin; i < end; i++) {
    const th_guide_unit *unit = &world->update.unit[i];
    const th_guide_slot *use = &world->guides.guide[unit->guide];
    th_guide_update update = update_of(world, use);
    update.member = world->update.member + unit->first;
    update.member_count = unit->count;
    use->kind->learn(&update);
  }
}

void th_guides_learn(th_world *world) {
  if (!world->update.needed) return;
  uint32_t agents = lay_out(world);
  if (!agents) return;
  th_parallel_for(world->pool, agents, 256, fill, world);
  th_parallel_for(world->pool, agents, 256, name_units, world);
  list_units(world);
  th_parallel_for(world->pool, world->update.unit_count, 1, learn_units, world);
}
