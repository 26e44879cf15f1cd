/* world/models.c - the models in use: parameters, states and what they share.
 *
 * Each model in use has, for every agent's row, the number of a parameter set and a state. So changing an agent's model
 * moves nothing, and a removed row is filled as in any other column. Equal parameters are held once, see
 * world/state/param_sets.c.
 */
#include <string.h>

#include "base/param/value.h"
#include "world/world.h"

#define MAX_REACH 50.0f /* [m], as throng/model.h says */

static size_t stride_of(size_t size) { return (size + 15) / 16 * 16; }
static size_t spare_size(const th_model_slot *use) {
  return use->state_stride > sizeof *use->set ? use->state_stride : sizeof *use->set;
}

static th_result check_model(const th_model *model, th_error *error) {
  if (!model->name || !model->pass || !model->pass_count)
    return th_fail(error, TH_ERROR_RANGE, model->name ? model->name : "model",
                   "expected a name and a pass, found none");
  for (uint32_t i = 0; i < model->pass_count; i++) {
    const th_pass *pass = &model->pass[i];
    if (!pass->run || (unsigned)pass->over > TH_OVER_LANES)
      return th_fail_at(error, TH_ERROR_RANGE, model->name, i,
                        "expected a pass that runs over patches, views or lanes");
    if ((pass->see & TH_SEE_NEAREST) && !model->nearest)
      return th_fail_at(error, TH_ERROR_RANGE, model->name, i, "expected `nearest` to say how many, found none");
    const uint32_t sight = TH_SEE_NEAREST | TH_SEE_WALLS;
    if ((pass->see & TH_SEE_IN_SIGHT) && (pass->see & sight) != sight)
      return th_fail_at(error, TH_ERROR_RANGE, model->name, i,
                        "expected TH_SEE_NEAREST and TH_SEE_WALLS beside TH_SEE_IN_SIGHT");
  }
  return TH_OK;
}

/* Every worker's scratch must be large enough for the largest model; all grow or none, because models in use rely on
 * it. */
static bool grow_scratch(th_world *world, size_t size) {
  if (size <= world->scratch_size) return true;
  const th_allocator *a = &world->env.allocator;
  bool made = true;
  for (uint32_t i = 0; i < world->scratch_count; i++) made &= (world->scratch[i].larger = th_take(a, size, 1)) != NULL;
  for (uint32_t i = 0; i < world->scratch_count; i++) {
    th_worker_scratch *scratch = &world->scratch[i];
    void *drop = made ? scratch->of_model : scratch->larger;
    th_give(a, drop, made ? world->scratch_size : size, 1);
    if (made) scratch->of_model = scratch->larger;
    scratch->larger = NULL;
  }
  if (made) world->scratch_size = size;
  return made;
}

static void free_columns(const th_allocator *a, th_model_slot *use) {
  th_param_sets_free(&use->sets, a);
  TH_GIVE(a, use->set, use->capacity);
  th_give(a, use->states, use->capacity, use->state_stride);
  th_give(a, use->spare, use->capacity, spare_size(use));
}

th_result th_model_slot_find(th_world *world, const th_model *model, uint32_t *index, th_error *error) {
  for (*index = 0; *index < world->model_count; ++*index)
    if (world->model[*index].model == model) return TH_OK;
  th_result result = check_model(model, error);
  if (result) return result;
  if (world->model_count == TH_MAX_MODELS)
    return th_fail(error, TH_ERROR_CAPACITY, model->name, "expected at most %d models in a world", TH_MAX_MODELS);
  const th_allocator *a = &world->env.allocator;
  th_model_slot use = {.model = model, .capacity = world->rows.capacity, .state_stride = stride_of(model->state_size)};
  bool made = th_param_sets_make(&use.sets, a, stride_of(model->param_size), use.capacity);
  use.set = TH_TAKE(a, uint32_t, use.capacity);
  use.states = th_take(a, use.capacity, use.state_stride);
  use.spare = th_take(a, use.capacity, spare_size(&use));
  if (!made || !use.set || !use.states || !use.spare || !grow_scratch(world, model->scratch_size))
    result = th_fail_memory(error, model->name);
  if (!result) {
    world->model[world->model_count++] = use;
    result = th_shared_join_model(world, *index, error);
  }
  if (!result) return TH_OK;
  if (world->model_count > *index) world->model_count--;
  free_columns(a, &use);
  return result;
}

static bool grow_use(const th_allocator *a, th_model_slot *use, uint32_t capacity) {
  if (!th_param_sets_grow(&use->sets, a, capacity)) return false; /* more capacity than rows does no harm */
  th_model_slot larger = *use;
  larger.capacity = capacity;
  larger.sets = (th_param_sets){0};
  larger.set = TH_TAKE(a, uint32_t, capacity);
  larger.states = th_take(a, capacity, use->state_stride);
  larger.spare = th_take(a, capacity, spare_size(use));
  if (!larger.set || !larger.states || !larger.spare) {
    free_columns(a, &larger);
    return false;
  }
  memcpy(larger.set, use->set, sizeof *use->set * use->capacity);
  memcpy(larger.states, use->states, use->state_stride * use->capacity);
  larger.sets = use->sets;
  use->sets = (th_param_sets){0};
  free_columns(a, use);
  *use = larger;
  return true;
}

bool th_model_slot_widen(th_world *world, uint32_t model, size_t stride) {
  th_model_slot *use = &world->model[model];
  const th_allocator *a = &world->env.allocator;
  uint32_t capacity = use->capacity;
  if (stride <= use->state_stride) return true;
  th_model_slot wide = *use;
  wide.state_stride = stride;
  wide.states = th_take(a, capacity, stride);
  wide.spare = th_take(a, capacity, spare_size(&wide));
  if (!wide.states || !wide.spare) {
    th_give(a, wide.states, capacity, stride);
    th_give(a, wide.spare, capacity, spare_size(&wide));
    return false;
  }
  for (uint32_t row = 0; row < world->rows.count; row++)
    memcpy(wide.states + row * stride, use->states + row * use->state_stride, use->state_stride);
  th_give(a, use->states, capacity, use->state_stride);
  th_give(a, use->spare, capacity, spare_size(use));
  *use = wide;
  return true;
}

/* Refuses parameters, or reserves memory for the state that they need; warns once. */
static th_result admit(th_world *world, uint32_t index, const void *params, th_error *error) {
  th_model_slot *use = &world->model[index];
  const th_model *model = use->model;
  th_result result = model->check ? model->check(params, world->ground, error) : TH_OK;
  if (result) return result;
  if (model->state_bytes && !th_model_slot_widen(world, index, stride_of(model->state_bytes(params))))
    return th_fail_memory(error, model->name);
  const char *warning = model->warn && !use->warned ? model->warn(params) : NULL;
  if (warning && world->env.log.write) world->env.log.write(world->env.log.user, TH_LOG_WARNING, warning);
  use->warned |= warning != NULL;
  return TH_OK;
}

th_result th_model_slot_for(th_world *world, const th_model *model, const void *params, uint32_t *index,
                            th_error *error) {
  th_result result = th_model_slot_find(world, model, index, error);
  if (result || !(model->check || model->state_bytes || model->warn)) return result;
  if (params) return admit(world, *index, params, error);
  const th_allocator *a = &world->env.allocator;
  void *initial = th_take(a, model->param_size, 1);
  if (!initial) return th_fail_memory(error, model->name);
  th_param_defaults(model->param, model->param_count, initial);
  result = admit(world, *index, initial, error);
  th_give(a, initial, model->param_size, 1);
  return result;
}

size_t th_model_state_bytes(const th_model_slot *use, uint32_t row) {
  const th_model *model = use->model;
  return model->state_bytes ? model->state_bytes(th_model_params(use, row)) : model->state_size;
}

bool th_model_slot_grow(th_world *world, uint32_t capacity) {
  for (uint32_t i = 0; i < world->model_count; i++) {
    th_model_slot *use = &world->model[i];
    if (capacity > use->capacity && !grow_use(&world->env.allocator, use, capacity)) return false;
  }
  return true;
}

void th_model_slot_settle(th_world *world) {
  for (uint32_t i = 0; i < world->model_count; i++) th_param_sets_settle(&world->model[i].sets, &world->env.allocator);
}

void th_model_slot_move(th_world *world, uint32_t model, uint32_t to, uint32_t from) {
  th_model_slot *use = &world->model[model];
  use->set[to] = use->set[from];
  memcpy(use->states + to * use->state_stride, use->states + from * use->state_stride, use->state_stride);
}

static void widen(th_model_slot *use, const void *params) {
  const th_model *model = use->model;
  for (uint32_t i = 0; i < model->pass_count; i++) use->need.see |= model->pass[i].see;
  if (model->see) use->also |= model->see(params);
  float reach = model->reach ? model->reach(params) : 0.0f;
  uint32_t nearest = model->nearest ? model->nearest(params) : 0;
  if (nearest > TH_MAX_NEAREST) nearest = TH_MAX_NEAREST;
  if (nearest < 1) nearest = 1; /* a view that asks for the nearest holds at least one */
  if (reach > MAX_REACH) reach = MAX_REACH;
  if (reach > use->need.reach) use->need.reach = reach;
  if (nearest > use->need.nearest) use->need.nearest = nearest;
}

/* The set that equals `params` (NULL: defaults), which may lie in the sets: th_world_agent_def hands out the agent's.
 */
static uint32_t join(th_model_slot *use, const void *params) {
  const th_model *model = use->model;
  uint8_t *draft = th_param_sets_draft(&use->sets);
  if (params) {
    memmove(draft, params, model->param_size);
    memset(draft + model->param_size, 0, use->sets.stride - model->param_size);
    th_param_table_tidy(model->param, model->param_count, draft);
  } else {
    memset(draft, 0, use->sets.stride);
    th_param_defaults(model->param, model->param_count, draft);
  }
  return th_param_sets_join(&use->sets);
}

void th_model_slot_set(th_world *world, uint32_t model, uint32_t row, const void *params, bool again) {
  th_model_slot *use = &world->model[model];
  const uint32_t fresh = join(use, params);
  if (again) th_param_sets_leave(&use->sets, use->set[row]);
  use->set[row] = fresh;
  widen(use, th_model_params(use, row));
  if (again) return;
  uint8_t *state = use->states + row * use->state_stride;
  memset(state, 0, use->state_stride);
  if (use->model->state_init) use->model->state_init(state, th_model_params(use, row));
}

void th_model_slot_leave(th_world *world, uint32_t model, uint32_t row) {
  th_model_slot *use = &world->model[model];
  th_param_sets_leave(&use->sets, use->set[row]);
}

void th_model_slot_free(th_world *world) {
  const th_allocator *a = &world->env.allocator;
  for (uint32_t i = 0; i < world->model_count; i++) {
    th_model_slot *use = &world->model[i];
    free_columns(a, use);
    th_shared_drop(&world->env, &use->shared);
  }
}
