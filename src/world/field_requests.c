/* world/field_requests.c - fields and ground versions that background jobs make while steps run.
 *
 * A request names what to make and the step at which the result comes into force: the step of the request plus the
 * latency. Background threads share its fields, and a step waits for a late request; without such threads the
 * requesting call makes everything itself. In both cases the same step sees the same data. A request is complete before
 * it is published: nothing is allocated inside a step. A world in real time takes what is ready, in the order of the
 * requests, and goes on without the rest: there results depend on timing (throng/world.h: realtime).
 */
#include "world/field_requests.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "field/field.h"
#include "geometry/shape.h"
#include "world/state/in_force.h"

static void leave_solver(th_world *world, th_solver_slot *use) {
  if (!use) return;
  th_mutex_lock(&world->solver_lock);
  bool last = --use->users == 0;
  th_mutex_unlock(&world->solver_lock);
  if (!last) return;
  th_solver_release(use->solver);
  TH_GIVE(&world->env.allocator, use, 1);
}

void th_requests_forget_solver(th_world *world) {
  leave_solver(world, world->solver);
  world->solver = NULL;
}

/* Derives the solver from that of the version before where there is one: what an edit did not touch is kept. */
static th_result make_solver(th_world *world, th_ground *ground, th_solver **solver) {
  th_result result = TH_ERROR_STATE;
  if (world->solver && world->solver->version < th_ground_version(ground))
    result = th_solver_follow(world->solver->solver, ground, solver, NULL);
  if (!result || result == TH_ERROR_MEMORY) return result;
  return th_solver_make(&(th_solver_def){world->field_env, ground, world->simd}, solver, NULL);
}

/* With the lock held. Jobs begin in the order of versions, so one that finds a later solver is rare; it makes its own.
 */
static th_result need_solver(th_world *world, th_ground *ground, th_solver_slot **use) {
  uint32_t version = th_ground_version(ground);
  th_solver_slot *now = world->solver, *fresh = NULL;
  if (!now || now->version != version) {
    fresh = TH_TAKE(&world->env.allocator, th_solver_slot, 1);
    th_result result = fresh ? make_solver(world, ground, &fresh->solver) : TH_ERROR_MEMORY;
    if (result) {
      TH_GIVE(&world->env.allocator, fresh, 1);
      return result;
    }
    fresh->version = version;
  }
  *use = fresh ? fresh : now;
  (*use)->users++;
  if (!fresh || (now && now->version > version)) return TH_OK;
  fresh->users++;
  world->solver = fresh;
  if (now && --now->users == 0) {
    th_solver_release(now->solver);
    TH_GIVE(&world->env.allocator, now, 1);
  }
  return TH_OK;
}

th_result th_world_prepare_fields(th_world *world, uint64_t budget, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_prepare_fields", error);
  if (result || !world->mesh) return result;
  th_solver_slot *use = NULL;
  th_mutex_lock(&world->solver_lock);
  result = need_solver(world, world->latest_ground, &use);
  th_mutex_unlock(&world->solver_lock);
  if (result) return th_fail_memory(error, "all fields");
  result = th_solver_all_fields(use->solver, budget, world->pool, error);
  leave_solver(world, use);
  return result;
}

/* If no field can lead to a goal, its agents are lost; the log says why. */
static th_result make_field(th_world *world, th_solver *solver, th_request_item *item) {
  th_error error;
  th_result result = th_field_make(solver, &item->def, &item->field, &error);
  if (!result) return TH_OK;
  char text[sizeof error.text + 128];
  const char *quote = *item->name ? "\"" : "";
  snprintf(text, sizeof text, "the field of goal %u%s%s%s%s cannot be made: %s", item->goal, *quote ? ", " : "", quote,
           item->name, quote, error.text);
  world->env.log.write(world->env.log.user, TH_LOG_WARNING, text);
  return result;
}

/* Runs on a background thread, or in the requesting call. Touches the solver and its own items only. A field that fails
 * for another reason than memory leads nowhere: its agents are lost. */
static void make(void *context) {
  th_request_part *part = context;
  th_request *request = part->request;
  th_world *world = request->world;
  th_solver_slot *use = NULL;
  th_result result = TH_OK;
  if (request->count) {
    th_mutex_lock(&world->solver_lock);
    result = need_solver(world, request->ground, &use);
    th_mutex_unlock(&world->solver_lock);
  }
  for (uint32_t i = part->first; i < request->count && result != TH_ERROR_MEMORY && use; i += request->part_count)
    result = make_field(world, use->solver, &request->item[i]);
  leave_solver(world, use);
  part->result = result == TH_ERROR_MEMORY ? result : TH_OK;
}

/* TH_ERROR_MEMORY when some field could not be made for want of memory; all jobs have ended. */
static th_result result_of(const th_request *request) {
  for (uint32_t k = 0; k < request->part_count; k++)
    if (request->part[k].result) return request->part[k].result;
  return TH_OK;
}

static void free_request(th_world *world, th_request *request) {
  const th_allocator *a = &world->env.allocator;
  for (uint32_t i = 0; i < request->count; i++) {
    th_shape_free(a, &request->item[i].def.goal);
    th_field_release(request->item[i].field);
  }
  th_shared_set_free(world, &request->shared);
  TH_GIVE(a, request->item, request->count);
  TH_GIVE(a, request->part, request->part_count);
  th_atlas_free(request->atlas);
  th_ground_release(request->ground);
  TH_GIVE(a, request, 1);
}

static bool fill_item(th_world *world, th_request_item *item, uint32_t entry, const th_shape *shape) {
  const th_field_entry *from = &world->entry[entry];
  const th_goal_def *goal = &world->goals.goal[from->goal - 1].def;
  if (!shape) shape = &goal->shape;
  th_shape own;
  if (!th_shape_copy(&world->env.allocator, shape, &own)) return false;
  item->entry = entry;
  item->goal = from->goal;
  memcpy(item->name, world->goals.goal[from->goal - 1].name, sizeof item->name);
  item->generation = world->goals.ids.generation[from->goal - 1];
  item->def = th_goal_field_def(goal, from, &own);
  return true;
}

static bool take_parts(th_world *world, th_request *request) {
  uint32_t max = world->def.field_threads > 1 ? world->def.field_threads : 1;
  uint32_t count = request->count < max ? request->count : max;
  request->part = TH_TAKE(&world->env.allocator, th_request_part, count ? count : 1);
  if (!request->part) return false;
  request->part_count = count ? count : 1;
  for (uint32_t k = 0; k < request->part_count; k++) request->part[k] = (th_request_part){request, k, TH_OK};
  return true;
}

static th_request *prepare(th_world *world, const th_request_def *def) {
  const th_allocator *a = &world->env.allocator;
  th_request *request = TH_TAKE(a, th_request, 1);
  if (!request) return NULL;
  request->world = world;
  request->step = def->step;
  request->edits = def->ground != NULL;
  request->ground = th_ground_retain(def->ground ? def->ground : world->latest_ground);
  request->item = TH_TAKE(a, th_request_item, def->count);
  request->count = request->item ? def->count : 0;
  bool made = request->item && take_parts(world, request);
  for (uint32_t i = 0; i < def->count && made; i++)
    made = fill_item(world, &request->item[i], def->entry[i], def->shape ? &def->shape[i] : NULL);
  if (made) return request;
  free_request(world, request);
  return NULL;
}

/* A deformation keeps the atlas that will be in use by then, if it can. */
static th_result need_atlas(th_world *world, th_request *request, const th_ground *before, th_error *error) {
  const th_atlas *last = world->mesh->atlas;
  for (const th_request *r = world->request; r; r = r->next)
    if (r->atlas) last = r->atlas;
  if (th_atlas_serves(last, before, request->ground, world->pool)) return TH_OK;
  return th_world_mesh_atlas(world, request->ground, &request->atlas, error);
}

static void append(th_world *world, th_request *request) {
  th_request **end = &world->request;
  while (*end) end = &(*end)->next;
  *end = request;
}

th_result th_request_entries(th_world *world, const th_request_def *def, th_error *error) {
  th_request *request = th_in_force_reserve(world) ? prepare(world, def) : NULL;
  if (!request) return th_fail_memory(error, "field");
  th_result result = request->edits ? th_shared_set_make(world, request->ground, &request->shared, error) : TH_OK;
  if (!result && request->edits && world->mesh) result = need_atlas(world, request, def->before, error);
  if (!result && !world->jobs) {
    make(&request->part[0]);
    result = result_of(request) ? th_fail_memory(error, "field") : TH_OK;
  }
  if (result) {
    free_request(world, request);
    return result;
  }
  append(world, request);
  request->submitted = world->jobs != NULL;
  for (uint32_t k = 0; world->jobs && k < request->part_count; k++)
    request->ticket = th_jobs_submit(world->jobs, make, &request->part[k]);
  return TH_OK;
}

void th_request_withdraw(th_world *world, uint32_t entry) {
  for (th_request **at = &world->request; *at; at = &(*at)->next) {
    th_request *request = *at;
    if (request->edits || request->count != 1 || request->item[0].entry != entry) continue;
    if (request->submitted) th_jobs_wait(world->jobs, request->ticket);
    *at = request->next;
    free_request(world, request);
    return;
  }
}

void th_request_forget(th_world *world, uint32_t goal, const th_request *last) {
  for (th_request *request = world->request; request; request = request == last ? NULL : request->next)
    for (uint32_t i = 0; i < request->count; i++)
      if (request->item[i].goal == goal) request->item[i].dropped = true;
}

bool th_request_item_lives(const th_world *world, const th_request_item *item) {
  const th_field_entry *entry = &world->entry[item->entry];
  return !item->dropped && entry->live && entry->goal == item->goal &&
         world->goals.ids.generation[item->goal - 1] == item->generation;
}

uint32_t th_request_alive(const th_world *world, const th_request *request) {
  uint32_t alive = 0;
  for (uint32_t i = 0; i < request->count; i++) alive += th_request_item_lives(world, &request->item[i]);
  return alive;
}

static void install_ground(th_world *world, th_request *request) {
  th_ground *old = world->ground;
  world->ground = th_ground_retain(request->ground);
  th_edits_in_force(world, th_ground_version(world->ground));
  th_world_carry(world, old, world->ground);
  if (request->atlas)
    request->atlas = th_world_mesh_use(world, request->atlas);
  else if (world->mesh)
    th_world_mesh_follow(world, old, world->ground);
  th_ground_release(old);
  th_shared_set_exchange(world, &request->shared);
}

static void install(th_world *world, th_request *request) {
  const th_result result = result_of(request);
  if (request->edits) install_ground(world, request);
  for (uint32_t i = 0; i < request->count; i++) {
    th_request_item *item = &request->item[i];
    th_field_entry *entry = &world->entry[item->entry];
    if (!th_request_item_lives(world, item)) continue;
    entry->renewed = true;
    if (result && !item->field) continue; /* out of memory: the old field, or waiting, is the better answer */
    th_field_release(entry->field);
    th_shape_free(&world->env.allocator, &entry->shape);
    entry->field = item->field;
    entry->failed = item->field == NULL;
    entry->shape = item->def.goal;
    item->field = NULL;
    item->def.goal = (th_shape){0};
  }
  if (result) world->env.log.write(world->env.log.user, TH_LOG_WARNING, "out of memory: a field could not be made");
}

/* A new field may lead along another path: progress is measured from here on. One pass serves all requests of a step,
 * of which there may be as many as agents. Another goal may have the entry of an item that died. */
static void forget_progress(th_world *world) {
  th_rows *rows = &world->rows;
  for (uint32_t row = 0; row < rows->count; row++) {
    if (rows->field[row] >= world->entry_count || !world->entry[rows->field[row]].renewed) continue;
    rows->best[row] = INFINITY;
    rows->best_step[row] = world->step;
  }
  for (uint32_t i = 0; i < world->entry_count; i++) world->entry[i].renewed = false;
}

/* Whether it changes anything: one whose goals have all gone does not. */
static bool is_counted(const th_world *world, const th_request *request) {
  return request->edits || th_request_alive(world, request) > 0;
}

/* True when the oldest request comes into force in this step, of which `left` more may. */
static bool is_due(const th_world *world, uint32_t left) {
  const th_request *request = world->request;
  if (!request || request->step > world->step) return false;
  if (!request->submitted || !world->def.realtime || left != TH_IN_FORCE_READY)
    return left > 0 || !is_counted(world, request);
  return th_jobs_done(world->jobs, request->ticket);
}

static void publish_oldest(th_world *world) {
  th_request *request = world->request;
  if (request->submitted) th_jobs_wait(world->jobs, request->ticket);
  const bool edited = request->edits;
  install(world, request);
  world->request = request->next;
  free_request(world, request);
  if (edited) th_world_displace(world);
}

void th_requests_publish(th_world *world) {
  const uint32_t due = th_in_force_due(world);
  uint32_t taken = 0;
  bool any = false;
  while (is_due(world, due == TH_IN_FORCE_READY ? due : due - taken)) {
    taken += is_counted(world, world->request);
    publish_oldest(world);
    any = true;
  }
  th_in_force_tell(world, taken);
  if (any) forget_progress(world);
  if (any && world->choices.ids.alive) world->choices.all = 1;
}

void th_requests_hasten(th_world *world) {
  for (th_request *request = world->request; request; request = request->next)
    if (request->step > world->step) request->step = world->step;
}

void th_requests_wait(th_world *world) {
  for (const th_request *request = world->request; request; request = request->next)
    if (request->submitted) th_jobs_wait(world->jobs, request->ticket);
}

void th_requests_free(th_world *world, th_request *first) {
  while (first) {
    th_request *next = first->next;
    free_request(world, first);
    first = next;
  }
}
