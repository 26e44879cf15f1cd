/* world/models.c - the models in use: parameters, states and what they share.
 *
 * Each model in use has one block of parameters and one of states with a row for every agent, so changing an agent's
 * model moves nothing and a removed row is filled like any other column.
 */
#include <string.h>

#include "world.h"

static size_t stride_of(size_t size) { return (size + 15) / 16 * 16; }
static size_t spare_size(const th_model_use *use) {
  return use->param_stride > use->state_stride ? use->param_stride : use->state_stride;
}

static th_result check_model(const th_model *model, th_error *error) {
  if (!model->name || !model->pass || !model->pass_count)
    return th_fail(error, TH_ERROR_RANGE, model->name ? model->name : "model",
                   "expected a name and a pass, found none");
  for (uint32_t i = 0; i < model->pass_count; i++)
    if (!model->pass[i].run) return th_fail_at(error, TH_ERROR_RANGE, model->name, i, "expected a pass that runs");
  return TH_OK;
}

/* Every worker's scratch must hold the largest model's. */
static bool grow_scratch(th_world *world, size_t size) {
  if (size <= world->scratch_size) return true;
  const th_allocator *a = &world->env.allocator;
  for (uint32_t i = 0; i < world->room_count; i++) {
    void *larger = th_take(a, size, 1);
    if (!larger) { /* those already grown shrink back, so that all have the same size again */
      while (i-- > 0) {
        th_give(a, world->room[i].scratch, size, 1);
        world->room[i].scratch = NULL;
      }
      for (uint32_t k = 0; k < world->room_count; k++) {
        th_give(a, world->room[k].scratch, world->scratch_size, 1);
        world->room[k].scratch = NULL;
      }
      world->scratch_size = 0;
      return false;
    }
    th_give(a, world->room[i].scratch, world->scratch_size, 1);
    world->room[i].scratch = larger;
  }
  world->scratch_size = size;
  return true;
}

void th_model_share(th_world *world, uint32_t model, void *shared) {
  th_model_use *use = &world->model[model];
  if (use->shared && use->model->shared_free) use->model->shared_free(&world->env, use->shared);
  use->shared = shared;
}

th_result th_model_use_find(th_world *world, const th_model *model, uint32_t *index, th_error *error) {
  for (*index = 0; *index < world->model_count; ++*index)
    if (world->model[*index].model == model) return TH_OK;
  th_result result = check_model(model, error);
  if (result) return result;
  if (world->model_count == TH_MOST_MODELS)
    return th_fail(error, TH_ERROR_CAPACITY, model->name, "expected at most %d models in a world", TH_MOST_MODELS);
  const th_allocator *a = &world->env.allocator;
  th_model_use use = {
      .model = model, .param_stride = stride_of(model->param_size), .state_stride = stride_of(model->state_size)};
  use.params = th_take(a, world->rows.capacity, use.param_stride);
  use.states = th_take(a, world->rows.capacity, use.state_stride);
  use.spare = th_take(a, world->rows.capacity, spare_size(&use));
  if (!use.params || !use.states || !use.spare || !grow_scratch(world, model->scratch_size))
    result = th_fail_memory(error, model->name);
  else if (model->shared_make)
    result = model->shared_make(&world->env, world->ground, &use.shared, error);
  if (result) {
    th_give(a, use.params, world->rows.capacity, use.param_stride);
    th_give(a, use.states, world->rows.capacity, use.state_stride);
    th_give(a, use.spare, world->rows.capacity, spare_size(&use));
    return result;
  }
  world->model[world->model_count++] = use;
  return TH_OK;
}

bool th_model_use_grow(th_world *world, uint32_t capacity) {
  const th_allocator *a = &world->env.allocator;
  uint32_t old = world->rows.capacity;
  if (capacity <= old) return true;
  uint8_t *fresh[TH_MOST_MODELS][3] = {{0}};
  bool made = true;
  for (uint32_t i = 0; i < world->model_count; i++) {
    const th_model_use *use = &world->model[i];
    const size_t stride[3] = {use->param_stride, use->state_stride, spare_size(use)};
    for (int k = 0; k < 3; k++) made &= (fresh[i][k] = th_take(a, capacity, stride[k])) != NULL;
  }
  for (uint32_t i = 0; i < world->model_count; i++) {
    th_model_use *use = &world->model[i];
    uint8_t **held[3] = {&use->params, &use->states, &use->spare};
    const size_t stride[3] = {use->param_stride, use->state_stride, spare_size(use)};
    for (int k = 0; k < 3; k++) {
      if (made) memcpy(fresh[i][k], *held[k], old * stride[k]);
      uint8_t *drop = made ? *held[k] : fresh[i][k];
      th_give(a, drop, made ? old : capacity, stride[k]);
      if (made) *held[k] = fresh[i][k];
    }
  }
  return made;
}

void th_model_use_copy(th_world *world, uint32_t model, uint32_t to, uint32_t from) {
  th_model_use *use = &world->model[model];
  memcpy(use->params + to * use->param_stride, use->params + from * use->param_stride, use->param_stride);
  memcpy(use->states + to * use->state_stride, use->states + from * use->state_stride, use->state_stride);
}

static void widen(th_model_use *use, const void *params) {
  const th_model *model = use->model;
  for (uint32_t i = 0; i < model->pass_count; i++) use->wish.see |= model->pass[i].see;
  float reach = model->reach ? model->reach(params) : 0.0f;
  uint32_t nearest = model->nearest ? model->nearest(params) : 0;
  if (nearest > TH_MOST_NEAREST) nearest = TH_MOST_NEAREST;
  if (reach > use->wish.reach) use->wish.reach = reach;
  if (nearest > use->wish.nearest) use->wish.nearest = nearest;
}

void th_model_use_set(th_world *world, uint32_t model, uint32_t row, const void *params, bool keep_state) {
  th_model_use *use = &world->model[model];
  uint8_t *own = use->params + row * use->param_stride, *state = use->states + row * use->state_stride;
  memset(own, 0, use->param_stride);
  if (params)
    memcpy(own, params, use->model->param_size);
  else
    th_param_defaults(use->model->param, use->model->param_count, own);
  widen(use, own);
  if (keep_state) return;
  memset(state, 0, use->state_stride);
  if (use->model->state_init) use->model->state_init(state, own);
}

void th_model_use_free(th_world *world) {
  const th_allocator *a = &world->env.allocator;
  for (uint32_t i = 0; i < world->model_count; i++) {
    th_model_use *use = &world->model[i];
    th_give(a, use->params, world->rows.capacity, use->param_stride);
    th_give(a, use->states, world->rows.capacity, use->state_stride);
    th_give(a, use->spare, world->rows.capacity, spare_size(use));
    if (use->shared && use->model->shared_free) use->model->shared_free(&world->env, use->shared);
  }
}
