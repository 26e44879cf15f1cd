/* world/guide_memory.c - guides that grow: one memory a guide, changed by all of its agents together.
 *
 * What several agents learn together (an explored map, a tree of ways) has an order, so it cannot be written while
 * agents are asked in parallel. Before anyone is asked, the agents of each growing guide are laid out as arrays in the
 * order of their ids, and each guide changes its own memory from these arrays alone: guides in parallel, the agents
 * of one guide one after the other. Nothing depends on rows or workers. Cost: a pass over the ids, and only when there
 * is a guide that learns.
 */
#include "world/world.h"

static th_guide_update_scratch taken(const th_allocator *a, uint32_t capacity) {
  return (th_guide_update_scratch){.row = TH_TAKE(a, uint32_t, capacity),
                                   .agent = TH_TAKE(a, uint32_t, capacity),
                                   .place = TH_TAKE(a, th_place, capacity),
                                   .link = TH_TAKE(a, th_place, capacity),
                                   .radius = TH_TAKE(a, float, capacity),
                                   .state = TH_TAKE(a, uint8_t, capacity),
                                   .goal = (const th_shape **)TH_TAKE(a, th_shape *, capacity),
                                   .capacity = capacity,
                                   .needed = true};
}

static void given(const th_allocator *a, th_guide_update_scratch *room) {
  TH_GIVE(a, room->row, room->capacity);
  TH_GIVE(a, room->agent, room->capacity);
  TH_GIVE(a, room->place, room->capacity);
  TH_GIVE(a, room->link, room->capacity);
  TH_GIVE(a, room->radius, room->capacity);
  TH_GIVE(a, room->state, room->capacity);
  th_give(a, (void *)(uintptr_t)room->goal, room->capacity, sizeof *room->goal);
}

static bool make_room(th_world *world, uint32_t agents) {
  const th_allocator *a = &world->env.allocator;
  th_guide_update_scratch *own = &world->update, fresh;
  if (own->needed && agents <= own->capacity) return true;
  fresh = taken(a, agents);
  bool made = fresh.row && fresh.agent && fresh.place && fresh.link && fresh.radius && fresh.state && fresh.goal;
  if (!made) {
    given(a, &fresh);
    return false;
  }
  given(a, own);
  *own = fresh;
  return true;
}

bool th_guide_update_reserve(th_world *world, uint32_t agents) {
  return !world->update.needed || make_room(world, agents);
}

void th_guide_update_free(th_world *world) { given(&world->env.allocator, &world->update); }

th_result th_guide_remember(th_world *world, th_guide_slot *use, th_error *error) {
  const th_guide *kind = use->kind;
  if (kind->learn && !make_room(world, world->rows.capacity)) return th_fail_memory(error, kind->name);
  if (!kind->memory_size) return TH_OK;
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
  *use = (th_guide_slot){0};
}

static th_guide_slot *grower(const th_world *world, uint32_t row) {
  uint32_t index = world->rows.in[row] ? world->rows.guide[row] : 0;
  if (!index || !world->guides.guide[index - 1].kind->learn) return NULL;
  return &world->guides.guide[index - 1];
}

static th_place link_of(const th_world *world, uint32_t row) {
  const th_rows *rows = &world->rows;
  const th_link_target *target = &rows->links[row].target[0];
  if (!rows->link_count[row] || target->kind == TH_LINK_NONE) return (th_place){TH_NO_CELL, 0.0f, 0.0f};
  if (target->kind == TH_LINK_POINT) return th_ground_locate_at(world->ground, target->at, TH_ANY_LEVEL, INFINITY);
  return (th_place){rows->cell[target->row], rows->x[target->row], rows->y[target->row]};
}

static const th_shape *goal_of(const th_world *world, uint32_t row) {
  const th_route *route = &world->rows.route[row];
  uint32_t goal = route->next < route->count ? route->goal[route->next] : 0;
  return goal ? &world->goals.goal[goal - 1].def.shape : NULL;
}

/* A counting sort by guide; ids come in order, so they stay in order. */
static uint32_t lay_out(th_world *world) {
  th_guide_update_scratch *room = &world->update;
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
    if (use) room->row[use->first + use->count++] = row;
  }
  return total;
}

static void fill(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  th_guide_update_scratch *room = &world->update;
  const th_rows *rows = &world->rows;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t row = room->row[i];
    room->agent[i] = rows->agent[row];
    room->place[i] = (th_place){rows->cell[row], rows->x[row], rows->y[row]};
    room->link[i] = link_of(world, row);
    room->radius[i] = rows->radius[row];
    room->state[i] = rows->state[row];
    room->goal[i] = goal_of(world, row);
  }
}

static void grow_one(void *context, uint32_t begin, uint32_t end, uint32_t worker) {
  (void)worker;
  th_world *world = context;
  const th_guide_update_scratch *room = &world->update;
  for (uint32_t i = begin; i < end; i++) {
    const th_guide_slot *use = &world->guides.guide[i];
    if (!use->count) continue;
    th_guide_update update = {.params = use->params,
                              .ground = world->ground,
                              .memory = use->memory,
                              .count = use->count,
                              .agent = room->agent + use->first,
                              .place = room->place + use->first,
                              .radius = room->radius + use->first,
                              .state = room->state + use->first,
                              .link = room->link + use->first,
                              .goal = room->goal + use->first,
                              .dt = world->dt,
                              .step = world->step};
    use->kind->learn(&update);
  }
}

void th_guides_learn(th_world *world) {
  if (!world->update.needed) return;
  uint32_t agents = lay_out(world);
  if (!agents) return;
  th_parallel_for(world->pool, agents, 256, fill, world);
  th_parallel_for(world->pool, world->guides.capacity, 1, grow_one, world);
}
