/* world/state/capacity.c - all memory of a world that grows with the number of agents.
 *
 * Everything that a step needs is reserved here, between steps, so steps on flat ground allocate nothing. A call that
 * fails leaves all arrays as large as before or larger, and what they hold unchanged. Cost: a copy of the rows.
 */
#include "world/world.h"

/* Arrays that a step writes, and how many elements each has. */
/* clang-format off */
#define SLOT_ARRAYS(X) \
  X(want, slots_of) X(moved_x, slots_of) X(moved_y, slots_of) X(displacement_x, slots_of) X(displacement_y, slots_of) \
  X(push_x, slots_of) X(push_y, slots_of) X(mobile, slots_of) X(lane_list, slots_of) X(ask_list, slots_of) X(touched, slots_of) \
  X(pushed, clusters_of) X(pushed_before, clusters_of) X(hops, clusters_of) X(answer_of, agents_one_by_one)
/* clang-format on */

/* A group of sixteen may end behind the last slot. */
static size_t slots_of(const th_world *world, uint32_t capacity) {
  (void)world;
  return capacity ? (size_t)capacity + 16 : 0;
}

/* The order limits clusters to eight per agent and a few more; on a mesh there is at most one per face. Marks of
 * clusters are read four at a time. */
static size_t clusters_of(const th_world *world, uint32_t capacity) {
  size_t max = (size_t)capacity * 8 + 16384, faces = world->mesh ? th_ground_mesh(world->ground)->face_count : 0;
  return capacity ? (max > faces ? max : faces) + 3 : 0;
}

/* Only agents that take turns need it. */
static size_t agents_one_by_one(const th_world *world, uint32_t capacity) {
  return world->def.update == TH_UPDATE_ONE_BY_ONE ? capacity : 1;
}

static bool grow_slots(th_world *world, uint32_t capacity) {
  const th_allocator *a = &world->env.allocator;
  bool made = true;
#define X(name, count_of)                                                  \
  void *name = th_take(a, count_of(world, capacity), sizeof *world->name); \
  made &= name != NULL;
  SLOT_ARRAYS(X)
#undef X
#define X(name, count_of)                                                                                \
  th_give(a, made ? (void *)world->name : name, count_of(world, made ? world->slot_capacity : capacity), \
          sizeof *world->name);                                                                          \
  if (made) world->name = name;
  SLOT_ARRAYS(X)
#undef X
  if (made) world->slot_capacity = capacity;
  return made;
}

void th_world_capacity_free(th_world *world) {
#define X(name, count_of) TH_GIVE(&world->env.allocator, world->name, count_of(world, world->slot_capacity));
  SLOT_ARRAYS(X)
#undef X
}

static bool grow_scratch(th_world *world, uint32_t capacity) {
  const th_allocator *a = &world->env.allocator;
  size_t size = ((size_t)capacity * TH_LARGEST_COLUMN + TH_ALIGN - 1) / TH_ALIGN * TH_ALIGN;
  if (size <= world->permute_size) return true;
  uint8_t *larger = th_take(a, world->scratch_count, size);
  if (!larger) return false;
  th_give(a, world->permute_scratch, world->scratch_count, world->permute_size);
  world->permute_scratch = larger;
  world->permute_size = size;
  return true;
}

static bool grow_order(th_world *world, uint32_t capacity) {
  if (capacity <= world->order.capacity) return true;
  th_order larger;
  uint32_t clusters = world->mesh ? th_ground_mesh(world->ground)->face_count : 0; /* doors change their number */
  if (!th_order_make(&larger, &world->env.allocator, capacity, world->def.workers, clusters)) return false;
  /* the clusters stay those of the last refit, so that growing leaves no trace in what follows */
  larger.grid = world->order.grid;
  larger.patch_first = world->order.patch_first;
  larger.patch_count = world->order.patch_count;
  larger.layered = world->order.layered;
  larger.radius_max = world->order.radius_max;
  th_order_free(&world->order);
  world->order = larger;
  world->order_holds = false;
  return true;
}

static bool grow_row_of(th_world *world, uint32_t capacity) {
  void *memory = world->row_of;
  bool grown = th_grow(&world->env.allocator, &memory, &world->row_of_capacity, capacity, sizeof *world->row_of);
  world->row_of = memory;
  return grown && th_traces_grow(world, world->row_of_capacity);
}

bool th_world_capacity_reserve(th_world *world, uint32_t agents) {
  if (agents <= world->rows.capacity && agents <= world->slot_capacity && agents <= world->order.capacity) return true;
  return th_ids_grow(&world->ids, &world->env.allocator, agents) && grow_row_of(world, agents) &&
         grow_order(world, agents) && grow_scratch(world, agents) && grow_slots(world, agents) &&
         th_world_mesh_grow(world, agents) && th_guide_update_reserve(world, agents) &&
         th_model_slot_grow(world, agents) && th_rows_grow(&world->rows, &world->env.allocator, agents);
}

bool th_world_capacity_entry_scratch(th_world *world, uint32_t entries) {
  void *memory = world->entry_scratch;
  bool grown = th_grow(&world->env.allocator, &memory, &world->scratch_capacity, entries, sizeof *world->entry_scratch);
  world->entry_scratch = memory;
  return grown;
}

th_result th_world_reserve(th_world *world, uint32_t agents, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_reserve", error);
  if (result) return result;
  if (agents > TH_MAX_AGENTS)
    return th_fail(error, TH_ERROR_CAPACITY, "agents", "expected at most %u, found %u", TH_MAX_AGENTS, agents);
  bool made = th_world_capacity_reserve(world, agents) && th_guides_reserve_rows(world, agents);
  return made ? TH_OK : th_fail_memory(error, "world");
}
