/* io/scene/run.c - a scene as a running world.
 *
 * Order of construction: ground, world, goals, choices, guides, populations, sources, charts if the scene wants them at
 * once; each error names its position in the scene file. A run then alternates events and steps. Cost per step in
 * addition to the world's own: one comparison when no event is due.
 */
#include "io/scene/run.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/field_requests.h"

static th_result add_goals(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->scene->goal_count; i++) {
    th_error found = {0};
    th_goal_def def = run->scene->goal[i].def;
    def.name = run->scene->goal[i].name;
    th_goal_id id;
    th_result result = th_world_add_goal(run->world, &def, &id, &found);
    if (result == TH_OK) run->list[TH_NAMED_GOAL].item[i].id = TH_ID(id);
    if (result == TH_OK) continue;
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/goals/%u", i);
    return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s", found.text);
  }
  return TH_OK;
}

static th_result add_guides(th_run *run, th_error *error) {
  for (uint32_t i = 0; i < run->scene->guide_count; i++) {
    const th_scene_guide *from = &run->scene->guide[i];
    th_error found = {0};
    th_guide_id id;
    th_result result = th_world_add_guide(run->world, from->kind, from->params, &id, &found);
    if (result == TH_OK) run->list[TH_NAMED_GUIDE].item[i].id = TH_ID(id);
    if (result == TH_OK) continue;
    char pointer[48];
    snprintf(pointer, sizeof pointer, "/guides/%u", i);
    return th_scene_fail(run->scene, error, found.code ? found.code : result, pointer, "%s: %s", found.where,
                         found.text);
  }
  return TH_OK;
}

static th_result make_world(th_run *run, const th_run_def *def, th_error *error) {
  th_world_def world = run->scene->world;
  world.env = def->env;
  world.ground = run->ground;
  world.seed = run->seed;
  world.simd = def->simd;
  if (def->workers) world.workers = def->workers;
  if (run->scene->ground.mesh) world.mesh = run->scene->ground.mesh->world;
  uint32_t agents = th_scene_agents(run->scene);
  if (agents > world.agent_capacity) world.agent_capacity = agents < 1u << 20 ? agents : 1u << 20;
  return th_world_make(&world, &run->world, error);
}

static th_result prepare_fields(th_run *run, th_error *error) {
  const th_scene_mesh *mesh = run->scene->ground.mesh;
  if (!mesh || !(mesh->all_fields > 0.0)) return TH_OK;
  th_error found = {0};
  th_result result = th_world_prepare_fields(run->world, (uint64_t)(mesh->all_fields * 1048576.0), &found);
  if (result == TH_OK) return TH_OK;
  return th_scene_fail(run->scene, error, result, "/ground/mesh/all_fields", "%s", found.text);
}

/* Agents given one by one may be under way already: they do not stand for a step until their fields are there. */
static void begin_at_once(th_run *run) {
  bool any = false;
  for (uint32_t i = 0; i < run->scene->population_count; i++) any |= run->scene->population[i].single_count > 0;
  if (any) th_requests_hasten(run->world);
}

static th_result fill(th_run *run, const th_run_def *def, th_error *error) {
  th_result result = th_run_names_make(run, error);
  if (result == TH_OK) result = th_scene_ground_with(run->scene, &run->env, &run->ground, error);
  if (result == TH_OK) result = th_run_check_fit(run, error);
  if (result == TH_OK) result = make_world(run, def, error);
  if (result == TH_OK) result = th_run_in_force_follow(run, error);
  if (result == TH_OK) result = prepare_fields(run, error);
  if (result == TH_OK) result = add_goals(run, error);
  if (result == TH_OK) result = th_run_choices_add(run, error);
  if (result == TH_OK) result = add_guides(run, error);
  if (result == TH_OK) result = th_run_populate(run, error);
  if (result == TH_OK) result = th_run_group(run, error);
  if (result == TH_OK) result = th_run_add_sources(run, error);
  if (result == TH_OK) begin_at_once(run);
  if (result == TH_OK && run->scene->ground.mesh && run->scene->ground.mesh->prepare)
    result = th_world_prepare(run->world, error);
  return result == TH_OK ? th_run_trace_scene(run, error) : result;
}

th_run_def th_default_run_def(void) { return (th_run_def){0}; }

th_result th_run_make(const th_run_def *def, th_run **run, th_error *error) {
  th_env env = th_env_complete(&def->env);
  *run = TH_TAKE(&env.allocator, th_run, 1);
  if (!*run) return th_fail_memory(error, def->scene->path);
  **run = (th_run){.env = env,
                   .scene = def->scene,
                   .seed = def->seed ? def->seed : def->scene->world.seed,
                   .history = def->history,
                   .next_event = def->scene->step_event_count,
                   .duration = def->duration > 0 ? def->duration : def->scene->duration};
  th_result result = fill(*run, def, error);
  if (result == TH_OK) return TH_OK;
  th_run_free(*run);
  *run = NULL;
  return result;
}

void th_run_free(th_run *run) {
  if (!run) return;
  th_env env = run->env;
  if (run->world) th_world_free(run->world);
  th_ground_release(run->ground);
  TH_GIVE(&env.allocator, run->accepted, run->accepted_count);
  th_run_members_free(run);
  th_run_log_drop(run);
  th_run_keep_free(run);
  th_run_names_free(run);
  TH_GIVE(&env.allocator, run, 1);
}

th_result th_scene_make_world(const th_scene *scene, const th_run_def *def, th_world **world, th_error *error) {
  th_run_def own = def ? *def : (th_run_def){0};
  own.scene = scene;
  th_run *run;
  *world = NULL;
  th_result result = th_run_make(&own, &run, error);
  if (result != TH_OK) return result;
  *world = run->world;
  run->world = NULL;
  th_run_free(run);
  return TH_OK;
}

th_world *th_run_world(th_run *run) { return run->world; }
const th_scene *th_run_scene(const th_run *run) { return run->scene; }
float th_run_duration(const th_run *run) { return run->duration; }
uint64_t th_run_seed(const th_run *run) { return run->seed; }

th_goal_id th_run_goal(const th_run *run, uint32_t index) {
  return index < run->scene->goal_count ? th_run_goal_at(run, index) : TH_NULL_GOAL;
}

/* The host has said where everybody is after this step; void when agents have come or left since. */
static void accept(th_run *run) {
  if (th_world_agents(run->world).count == run->accepted_count) {
    th_world_advise(run->world);
    th_world_accept(run->world, run->accepted, run->accepted_count);
  } else {
    th_world_step(run->world);
  }
  TH_GIVE(&run->env.allocator, run->accepted, run->accepted_count);
  run->accepted = NULL;
  run->accepted_count = 0;
}

th_result th_run_advise(th_run *run, th_error *error) {
  th_result result = th_run_events(run, error);
  if (result == TH_OK && run->accepted)
    return th_fail(error, TH_ERROR_STATE, "accept", "expected th_run_step for a step whose places are given");
  if (result == TH_OK) th_world_advise(run->world);
  return result;
}

th_result th_run_step(th_run *run, th_error *error) {
  th_result result = th_run_events(run, error);
  if (result != TH_OK) return result;
  if (run->accepted)
    accept(run);
  else
    th_world_step(run->world);
  return TH_OK;
}

bool th_run_done(const th_run *run) {
  const th_scene *scene = run->scene;
  double half = (double)scene->world.dt / 2; /* the sum of steps may fall short of the duration by rounding */
  if (th_world_time(run->world) >= (double)run->duration - half) return true;
  if (!th_world_done(run->world) || th_world_step_count(run->world) < run->busy_until) return false;
  if (run->log_done < run->log_count || run->next_step_event < scene->step_event_count) return false;
  bool more = run->next_event < scene->event_count && scene->event[run->next_event].at < run->duration;
  return !more;
}
