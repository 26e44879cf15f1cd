/* world/shared.c - what the agents of a model, or of a guide, share on one version of the ground.
 *
 * Data derived from the ground (tables, indices of markers) are made once per version: for the version in force when a
 * model or guide is added to the world, and for a later version by the call that edits the ground. Data of a later
 * version come into force together with it. So a step makes nothing. A model or guide that is added while a version is
 * pending gets data for both. Cost: that of the functions that make the data.
 */
#include "world/shared.h"

#include "world/field_requests.h"
#include "world/models.h"

void th_shared_drop(const th_env *env, th_shared *shared) {
  if (shared->data && shared->release) shared->release(env, shared->data);
  *shared = (th_shared){0};
}

static th_shared *slot_of(th_world *world, uint32_t at) {
  if (at == TH_SHARED_GROUPS) return &world->groups.on_ground;
  return at < TH_MAX_MODELS ? &world->model[at].shared : &world->guides.guide[at - TH_SHARED_GUIDES].shared;
}

/* Makes one item; empty where the number is not in use or nothing is shared. */
static th_result make(th_world *world, uint32_t at, const th_ground *ground, th_shared *shared, th_error *error) {
  if (at < TH_MAX_MODELS) {
    const th_model *model = at < world->model_count ? world->model[at].model : NULL;
    if (!model || !model->shared_make) return TH_OK;
    shared->release = model->shared_free;
    return model->shared_make(&world->env, ground, &shared->data, error);
  }
  if (at == TH_SHARED_GROUPS) return th_groups_share(world, ground, shared, error);
  const th_guide_slot *use = &world->guides.guide[at - TH_SHARED_GUIDES];
  if (!use->kind || !use->kind->shared_make) return TH_OK;
  shared->release = use->kind->shared_free;
  return use->kind->shared_make(&world->env, use->params, ground, &shared->data, error);
}

th_result th_shared_set_make(th_world *world, const th_ground *ground, th_shared_set *set, th_error *error) {
  uint32_t count = TH_SHARED_GUIDES + world->guides.capacity;
  *set = (th_shared_set){TH_TAKE(&world->env.allocator, th_shared, count), count};
  if (!set->item) {
    set->count = 0;
    return th_fail_memory(error, "ground");
  }
  th_result result = TH_OK;
  for (uint32_t at = 0; at < count && !result; at++) result = make(world, at, ground, &set->item[at], error);
  if (result) th_shared_set_free(world, set);
  return result;
}

void th_shared_set_free(th_world *world, th_shared_set *set) {
  for (uint32_t at = 0; at < set->count; at++) th_shared_drop(&world->env, &set->item[at]);
  TH_GIVE(&world->env.allocator, set->item, set->count);
  *set = (th_shared_set){0};
}

/* A set may have grown beyond the guides. */
void th_shared_set_exchange(th_world *world, th_shared_set *set) {
  const uint32_t all = TH_SHARED_GUIDES + world->guides.capacity;
  for (uint32_t at = 0; at < set->count && at < all; at++) {
    th_shared *own = slot_of(world, at), held = *own;
    *own = set->item[at];
    set->item[at] = held;
  }
}

static bool grow(th_world *world, th_shared_set *set, uint32_t at) {
  void *memory = set->item;
  bool grown = th_grow(&world->env.allocator, &memory, &set->count, at + 1, sizeof *set->item);
  set->item = memory;
  return grown;
}

/* What pending versions hold for one that leaves. */
static void leave(th_world *world, uint32_t at) {
  th_shared_drop(&world->env, slot_of(world, at));
  for (th_request *request = world->request; request; request = request->next)
    if (at < request->shared.count) th_shared_drop(&world->env, &request->shared.item[at]);
}

static th_result join(th_world *world, uint32_t at, th_error *error) {
  th_result result = make(world, at, world->ground, slot_of(world, at), error);
  for (th_request *request = world->request; request && !result; request = request->next) {
    if (!request->edits) continue;
    result = grow(world, &request->shared, at) ? TH_OK : th_fail_memory(error, "ground");
    if (!result) result = make(world, at, request->ground, &request->shared.item[at], error);
  }
  if (result) leave(world, at);
  return result;
}

th_result th_shared_join_model(th_world *world, uint32_t model, th_error *error) { return join(world, model, error); }

void th_shared_leave_guide(th_world *world, uint32_t guide) { leave(world, TH_SHARED_GUIDES + guide); }

th_result th_shared_join_guide(th_world *world, uint32_t guide, th_error *error) {
  return join(world, TH_SHARED_GUIDES + guide, error);
}

th_result th_shared_renew_groups(th_world *world, th_error *error) {
  th_result result = TH_OK;
  for (th_request *request = world->request; request && !result; request = request->next) {
    if (!request->edits) continue;
    th_shared fresh = {0};
    result = make(world, TH_SHARED_GROUPS, request->ground, &fresh, error);
    if (result) continue;
    th_shared_drop(&world->env, &request->shared.item[TH_SHARED_GROUPS]);
    request->shared.item[TH_SHARED_GROUPS] = fresh;
  }
  return result;
}
