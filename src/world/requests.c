/* world/requests.c - fields and ground versions that are being made beside the steps.
 *
 * A request names what it makes and the step at which that comes into force: the step of asking plus the latency. With
 * several workers a background thread makes it and a step waits for a late one; with one worker it is made when it is
 * asked for. Either way the same step sees the same data. A request is complete before it is published: nothing is
 * allocated inside a step.
 */
#include <math.h>
#include <string.h>

#include "world.h"

typedef struct th_request_item {
  uint32_t entry, goal;
  th_field_def def; /* goal points owned */
  th_field *field;
} th_request_item;

struct th_request {
  th_world *world;
  th_request *next;
  uint64_t step; /* in force from this step on */
  th_ticket ticket;
  th_ground *ground; /* version the fields are made for */
  bool edits;        /* this request brings that version into force */
  th_request_item *item;
  uint32_t count;
  bool submitted;
  uint32_t model_count; /* with a ground: what each model in use shares on it */
  void *shared[TH_MOST_MODELS];
};

/* The solver belongs to jobs: it is made by the first and follows the ground from version to version. */
static void need_solver(th_world *world, th_ground *ground) {
  th_solver *next = NULL;
  uint32_t version = th_ground_version(ground);
  if (world->solver && world->solver_version == version) return;
  th_result result = world->solver ? th_solver_follow(world->solver, ground, &next, NULL)
                                   : th_solver_make(&world->env, ground, &next, NULL);
  th_solver_release(world->solver);
  world->solver = result ? NULL : next;
  world->solver_version = version;
}

/* Runs on the background thread, or in the asking call. Touches the solver and the request only. */
static void make(void *context) {
  th_request *request = context;
  th_world *world = request->world;
  if (request->count) need_solver(world, request->ground);
  for (uint32_t i = 0; i < request->count && world->solver; i++)
    th_field_make(world->solver, &request->item[i].def, &request->item[i].field, NULL);
}

static void free_request(th_world *world, th_request *request) {
  const th_allocator *a = &world->env.allocator;
  for (uint32_t i = 0; i < request->count; i++) {
    const th_shape *goal = &request->item[i].def.goal;
    th_give(a, (void *)(uintptr_t)goal->point, goal->count, sizeof *goal->point);
    th_field_release(request->item[i].field);
  }
  for (uint32_t i = 0; i < request->model_count; i++)
    if (request->shared[i] && world->model[i].model->shared_free)
      world->model[i].model->shared_free(&world->env, request->shared[i]);
  TH_GIVE(a, request->item, request->count);
  th_ground_release(request->ground);
  TH_GIVE(a, request, 1);
}

static bool fill_item(th_world *world, th_request_item *item, uint32_t entry) {
  const th_field_entry *from = &world->entry[entry];
  const th_goal_def *goal = &world->goals.goal[from->goal - 1].def;
  th_vec2 *point = TH_TAKE(&world->env.allocator, th_vec2, goal->shape.count);
  if (!point) return false;
  memcpy(point, goal->shape.point, sizeof *point * goal->shape.count);
  item->entry = entry;
  item->goal = from->goal;
  item->def = th_default_field_def();
  item->def.kind = goal->field;
  item->def.blend = goal->blend;
  item->def.walls = goal->walls;
  item->def.eps = (float)from->eps_level * TH_EPS_STEP;
  item->def.radius_class = from->radius_class;
  item->def.goal = goal->shape;
  item->def.goal.point = point;
  return true;
}

static th_result share_models(th_world *world, th_request *request, th_error *error) {
  for (uint32_t i = 0; i < world->model_count; i++) {
    const th_model *model = world->model[i].model;
    th_result result = TH_OK;
    request->model_count = i + 1;
    if (model->shared_make) result = model->shared_make(&world->env, request->ground, &request->shared[i], error);
    if (result) return result;
  }
  return TH_OK;
}

static th_request *prepare(th_world *world, const uint32_t *entry, uint32_t count) {
  const th_allocator *a = &world->env.allocator;
  th_request *request = TH_TAKE(a, th_request, 1);
  if (!request) return NULL;
  request->world = world;
  request->item = TH_TAKE(a, th_request_item, count);
  request->count = request->item ? count : 0;
  bool made = request->item != NULL;
  for (uint32_t i = 0; i < count && made; i++) made = fill_item(world, &request->item[i], entry[i]);
  if (made) return request;
  free_request(world, request);
  return NULL;
}

static void append(th_world *world, th_request *request) {
  th_request **end = &world->request;
  while (*end) end = &(*end)->next;
  *end = request;
}

th_result th_request_entries(th_world *world, const th_request_def *def, th_error *error) {
  th_ground *ground = def->ground;
  th_request *request = prepare(world, def->entry, def->count);
  if (!request) return th_fail_memory(error, "field");
  request->step = def->step;
  request->edits = ground != NULL;
  request->ground = th_ground_retain(ground ? ground : world->latest_ground);
  th_result result = request->edits ? share_models(world, request, error) : TH_OK;
  if (result) {
    free_request(world, request);
    return result;
  }
  append(world, request);
  request->submitted = world->jobs != NULL;
  if (world->jobs)
    request->ticket = th_jobs_submit(world->jobs, make, request);
  else
    make(request);
  return TH_OK;
}

static void install(th_world *world, th_request *request) {
  if (request->edits) {
    th_ground *old = world->ground;
    world->ground = th_ground_retain(request->ground);
    th_ground_release(old);
    for (uint32_t i = 0; i < request->model_count; i++) {
      th_model_share(world, i, request->shared[i]);
      request->shared[i] = NULL;
    }
  }
  for (uint32_t i = 0; i < request->count; i++) {
    th_request_item *item = &request->item[i];
    th_field_entry *entry = &world->entry[item->entry];
    if (!entry->live || entry->goal != item->goal) continue; /* the goal went away meanwhile */
    th_field_release(entry->field);
    entry->field = item->field;
    entry->failed = item->field == NULL;
    item->field = NULL;
  }
}

/* A new field may lead another way: progress is measured from here on. */
static void forget_progress(th_world *world, const th_request *request) {
  th_rows *rows = &world->rows;
  for (uint32_t row = 0; row < rows->count; row++) {
    for (uint32_t i = 0; i < request->count; i++) {
      if (rows->field[row] != request->item[i].entry) continue;
      rows->best[row] = INFINITY;
      rows->best_step[row] = world->step;
      break;
    }
  }
}

void th_requests_publish(th_world *world) {
  while (world->request && world->request->step <= world->step) {
    th_request *request = world->request;
    if (request->submitted) th_jobs_wait(world->jobs, request->ticket);
    bool edited = request->edits;
    install(world, request);
    forget_progress(world, request);
    world->request = request->next;
    free_request(world, request);
    if (edited) th_world_displace(world);
  }
}

const th_request *th_request_next(const th_world *world, const th_request *request, th_request_def *def,
                                  uint32_t *entry) {
  request = request ? request->next : world->request;
  if (!request) return NULL;
  *def = (th_request_def){request->step, entry, request->count, request->edits ? request->ground : NULL};
  for (uint32_t i = 0; i < request->count; i++) entry[i] = request->item[i].entry;
  return request;
}

void th_requests_wait(th_world *world) {
  for (const th_request *request = world->request; request; request = request->next)
    if (request->submitted) th_jobs_wait(world->jobs, request->ticket);
}

void th_requests_free(th_world *world) {
  while (world->request) {
    th_request *next = world->request->next;
    free_request(world, world->request);
    world->request = next;
  }
}
