/* world/world.c - makes and frees a world, and answers what concerns all of it: time, agents as arrays, counters.
 *
 * Memory that grows with the number of agents is in state/capacity.c. Cost: constant, but for making and freeing.
 */
#include "world/world.h"

#include <math.h>
#include <string.h>

#include "geometry/shape.h"
#include "world/agent/agents.h"
#include "world/field_requests.h"
#include "world/state/in_force.h"

th_world_mesh_def th_default_world_mesh_def(void) { return (th_world_mesh_def){.renewals = 64, .chart_memory = 256}; }

th_world_def th_default_world_def(void) {
  return (th_world_def){.dt = 0.1f,
                        .workers = 1,
                        .seed = 1,
                        .agent_capacity = 1024,
                        .event_capacity = 4096,
                        .latency = 1,
                        .contact_rounds = TH_CONTACT_ROUNDS_AUTO,
                        .mesh = th_default_world_mesh_def()};
}

static th_result check_range(double value, double min, double max, const char *name, th_error *error) {
  if (value >= min && value <= max) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, name, "expected %g to %g, found %g", min, max, value);
}

static th_result check_def(const th_world_def *def, th_error *error) {
  if (!def->ground) return th_fail(error, TH_ERROR_STATE, "ground", "expected a ground, found none");
  th_result result = check_range((double)def->dt, 0.001, 1.0, "dt", error);
  if (!result) result = check_range(def->workers, 1, 64, "workers", error);
  if (!result) result = check_range(def->latency, 1, 1000, "latency", error);
  if (!result) result = check_range(def->field_threads, 0, TH_MAX_JOB_THREADS, "field_threads", error);
  if (!result && def->contact_rounds != TH_CONTACT_ROUNDS_AUTO)
    result = check_range(def->contact_rounds, 0, 32, "contact_rounds", error);
  if (!result && def->mesh.patch_size != 0.0f)
    result = check_range((double)def->mesh.patch_size, 1, 100, "patch_size", error);
  if (!result) result = check_range(def->mesh.renewals, 1, 1 << 30, "renewals", error);
  if (!result) result = check_range(def->mesh.chart_memory, 1, 1 << 20, "chart_memory", error);
  if (!result) result = check_range(def->agent_capacity, 0, TH_MAX_AGENTS, "agent_capacity", error);
  if (!result) result = check_range(def->update, 0, 1, "update", error);
  if (!result) result = check_range(def->mesh.overhead, 0, 2, "overhead", error);
  if (!result && def->update == TH_UPDATE_ONE_BY_ONE && def->ground->mesh)
    return th_fail(error, TH_ERROR_STATE, "update", "expected flat ground for agents that take turns, found a mesh");
  if (!result) result = check_range(def->event_capacity, 1, 1 << 26, "event_capacity", error);
  return result;
}

static bool make_scratch(th_world *world) {
  const th_allocator *a = &world->env.allocator;
  uint32_t count = th_pool_workers(world->pool);
  world->scratch = TH_TAKE(a, th_worker_scratch, count);
  if (!world->scratch) return false;
  world->scratch_count = count;
  for (uint32_t i = 0; i < count; i++)
    if (!th_view_scratch_make(&world->scratch[i].view, a)) return false;
  return true;
}

static th_result make_parts(th_world *world, const th_world_def *def, th_error *error) {
  const th_allocator *a = &world->env.allocator;
  bool made = !th_pool_make(&world->env, def->workers, &world->pool, NULL);
  uint32_t *threads = &world->def.field_threads;
  if (!*threads) *threads = def->workers > 1 || def->realtime;
  made = made && (!*threads || !th_jobs_make(&world->env, *threads, 1024, &world->jobs, NULL));
  world->event = TH_TAKE(a, th_event, def->event_capacity);
  made = made && world->event && make_scratch(world) && th_ids_make(&world->ids, a, def->agent_capacity);
  world->ids.tag = def->tag;
  th_result result = made ? TH_OK : th_fail_memory(error, "world");
  if (!result && th_ground_is_mesh(world->ground)) result = th_world_mesh_make(world, error);
  if (!result && !th_world_capacity_reserve(world, def->agent_capacity ? def->agent_capacity : 16))
    result = th_fail_memory(error, "world");
  return result;
}

th_result th_world_make(const th_world_def *def, th_world **out, th_error *error) {
  th_result result = check_def(def, error);
  if (result) return result;
  th_env env = th_env_complete(&def->env);
  th_world *world = TH_TAKE(&env.allocator, th_world, 1);
  if (!world) return th_fail_memory(error, "world");
  if (!th_mutex_make(&world->solver_lock)) {
    TH_GIVE(&env.allocator, world, 1);
    return th_fail_memory(error, "world");
  }
  world->env = world->field_env = env;
  world->env.allocator = th_tally_begin(&world->tally.rest, &env.allocator);
  world->field_env.allocator = th_tally_begin(&world->tally.fields, &env.allocator);
  world->chart_allocator = th_tally_begin(&world->tally.charts, &env.allocator);
  world->def = *def;
  world->simd = th_simd_choose(def->simd);
  world->dt = def->dt;
  world->goals.ids.tag = world->guides.ids.tag = world->sources.ids.tag = world->groups.ids.tag = def->tag;
  world->choices.ids.tag = def->tag;
  world->ground = th_ground_retain(def->ground);
  world->base_ground = th_ground_retain(def->ground);
  world->latest_ground = th_ground_retain(def->ground);
  result = make_parts(world, def, error);
  if (result) {
    th_world_free(world);
    return result;
  }
  if (def->realtime)
    env.log.write(env.log.user, TH_LOG_WARNING,
                  "realtime: fields are used when they are ready; a second run may differ from this one");
  *out = world;
  return TH_OK;
}

static void free_tables(th_world *world) {
  const th_allocator *a = &world->env.allocator;
  for (uint32_t i = 0; i < world->goals.capacity; i++) {
    th_shape_free(a, &world->goals.goal[i].def.shape);
  }
  TH_GIVE(a, world->goals.goal, world->goals.capacity);
  th_ids_free(&world->goals.ids, a);
  for (uint32_t i = 0; i < world->guides.capacity; i++) th_guide_slot_free(world, &world->guides.guide[i]);
  TH_GIVE(a, world->guides.guide, world->guides.capacity);
  th_ids_free(&world->guides.ids, a);
  th_groups_free(&world->groups, a);
  th_choices_free(&world->choices, a);
  for (uint32_t i = 0; i < world->sources.capacity; i++) th_source_clear(world, &world->sources.source[i]);
  TH_GIVE(a, world->sources.source, world->sources.capacity);
  th_ids_free(&world->sources.ids, a);
  for (uint32_t i = 0; i < world->entry_count; i++) th_goal_entry_clear(world, &world->entry[i]);
  TH_GIVE(a, world->entry, world->entry_capacity);
  TH_GIVE(a, world->entry_scratch, world->scratch_capacity);
}

void th_world_free(th_world *world) {
  if (!world) return;
  const th_allocator *a = &world->env.allocator;
  th_jobs_free(world->jobs);
  th_requests_free(world, world->request);
  th_in_force_free(world);
  th_pool_free(world->pool);
  free_tables(world);
  th_requests_forget_solver(world);
  th_mutex_free(&world->solver_lock);
  th_model_slot_free(world);
  th_edits_free(world);
  for (uint32_t i = 0; i < world->scratch_count; i++) {
    th_view_scratch_free(&world->scratch[i].view, a);
    th_give(a, world->scratch[i].of_model, world->scratch_size, 1);
  }
  th_give(a, world->permute_scratch, world->scratch_count, world->permute_size);
  TH_GIVE(a, world->scratch, world->scratch_count);
  th_world_capacity_free(world);
  th_guide_update_free(world);
  th_world_mesh_free(world);
  th_order_free(&world->order);
  th_rows_free(&world->rows, a);
  th_ids_free(&world->ids, a);
  th_traces_free(world);
  TH_GIVE(a, world->row_of, world->row_of_capacity);
  TH_GIVE(a, world->event, world->def.event_capacity);
  th_ground_release(world->ground);
  th_ground_release(world->base_ground);
  th_ground_release(world->latest_ground);
  th_allocator host = world->tally.rest.host;
  TH_GIVE(&host, world, 1);
}

th_result th_world_idle(const th_world *world, const char *call, th_error *error) {
  if (!world->advised) return TH_OK;
  return th_fail(error, TH_ERROR_STATE, call,
                 "expected th_world_integrate or th_world_accept first: advice is pending");
}

bool th_no_world(const th_world *world, const char *call) {
  if (world) return false;
  const th_env env = th_env_complete(NULL); /* the host's log is in the world that is missing */
  th_fault(&env, "%s: expected a world, found NULL", call);
  return true;
}

th_result th_fail_no_world(th_error *error) {
  return th_fail(error, TH_ERROR_STATE, "world", "expected a world, found NULL");
}

th_result th_world_id_check(const th_world *world, const th_ids *ids, th_id id, const char *what, const char *call,
                            th_error *error) {
  if (th_ids_valid(ids, id)) return TH_OK;
  th_fault(&world->env, "%s: %s %u of generation %u and tag %u does not exist", call, what, id.index, id.generation,
           id.tag);
  return th_fail(error, TH_ERROR_STATE, what, "%s %u does not exist", what, id.index);
}

uint64_t th_world_due(const th_world *world, float seconds) {
  float steps = ceilf(seconds / world->dt);
  return steps < 1e15f ? world->step + (uint64_t)steps : UINT64_MAX;
}

uint64_t th_world_step_count(const th_world *world) {
  if (th_no_world(world, __func__)) return 0;
  return world->step;
}
double th_world_time(const th_world *world) {
  if (th_no_world(world, __func__)) return 0.0;
  return world->time;
}
const th_ground *th_world_ground(const th_world *world) {
  if (th_no_world(world, __func__)) return NULL;
  return world->ground;
}

float th_world_dt(const th_world *world) { return th_no_world(world, __func__) ? 0.0f : world->dt; }

th_result th_world_set_dt(th_world *world, float dt, th_error *error) {
  if (th_no_world(world, __func__)) return th_fail_no_world(error);
  th_result result = th_world_idle(world, "th_world_set_dt", error);
  if (!result) result = check_range((double)dt, 0.001, 1.0, "dt", error);
  if (!result) result = th_agent_check_steps(world, dt, error);
  if (result) return result;
  world->dt = dt;
  for (uint32_t row = 0; row < world->rows.count; row++) th_agent_limits(world, row);
  return TH_OK;
}

bool th_world_done(const th_world *world) {
  if (th_no_world(world, __func__)) return true;
  if (!th_sources_done(world)) return false;
  for (uint32_t row = 0; row < world->rows.count; row++) {
    uint8_t state = world->rows.state[row];
    bool alone = world->model[world->rows.model[row]].model->alone; /* others without a goal stay for ever */
    bool waits = state == TH_AGENT_WAITING && (world->rows.due[row] != UINT64_MAX || alone);
    if (state == TH_AGENT_DELAYED || state == TH_AGENT_PREMOVEMENT || state == TH_AGENT_WALKING || waits) return false;
  }
  return true;
}

th_agents th_world_agents(const th_world *world) {
  if (th_no_world(world, __func__)) return (th_agents){0};
  const th_rows *rows = &world->rows;
  return (th_agents){.count = rows->count,
                     .id = rows->id,
                     .cell = rows->cell,
                     .x = rows->x,
                     .y = rows->y,
                     .previous_cell = world->mesh ? rows->previous_cell : NULL,
                     .previous_x = rows->previous_x,
                     .previous_y = rows->previous_y,
                     .vx = rows->vx,
                     .vy = rows->vy,
                     .hx = rows->hx,
                     .hy = rows->hy,
                     .advised_vx = rows->advised_vx,
                     .advised_vy = rows->advised_vy,
                     .radius = rows->radius,
                     .body = rows->body,
                     .speed = rows->speed,
                     .left = rows->left,
                     .gait = rows->gait,
                     .state = rows->state,
                     .user = rows->user};
}

th_env th_world_env(const th_world *world) { return th_no_world(world, __func__) ? th_default_env() : world->env; }

th_counters th_world_counters(const th_world *world) {
  if (th_no_world(world, __func__)) return (th_counters){0};
  return world->counters;
}
