/* tests/support/plan_run.h - runs a random plan until everybody has left, or until its limit.
 *
 * The limit is 10 times the longest walk of one who is alone, plus people / (0.8 per second and metre of exit); the
 * narrowest door counts as the exit. Whoever has a path and is there at the limit is left.
 */
#ifndef TH_TESTS_SUPPORT_PLAN_RUN_H
#define TH_TESTS_SUPPORT_PLAN_RUN_H

#include "support/plan_scene.h"
#include "throng/scene.h"

typedef struct plan_result {
  uint32_t people, pathless, left, still; /* still: of those left, has not moved 0.1 m for 60 s */
  double limit, time, walk;               /* [s] */
  th_vec3 first;                          /* where the first one left is */
  th_error error;
} plan_result;

#define PLAN_MOST 1024 /* people */

typedef struct plan_watch {
  th_vec3 at[PLAN_MOST];
  double since[PLAN_MOST]; /* by index of the id */
} plan_watch;

/* Once a second: who stands where it stood. */
static inline void plan_watch_look(plan_watch *w, const th_world *world) {
  const th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < a.count; i++) {
    const uint32_t n = a.id[i].index % PLAN_MOST;
    const th_vec3 at = th_world_agent_point(world, a.id[i]), was = w->at[n];
    if (hypot(hypot((double)(at.x - was.x), (double)(at.y - was.y)), (double)(at.z - was.z)) < 0.1) continue;
    w->at[n] = at, w->since[n] = th_world_time(world);
  }
}

/* Fields are in force from the second step on: how far is it for each, and for whom is there no path? */
static inline double plan_longest_walk(const th_world *world, bool stairs, uint32_t *pathless) {
  const th_agents a = th_world_agents(world);
  double longest = 0.0;
  for (uint32_t i = 0; i < a.count; i++) {
    th_agent_def def;
    const bool path = a.state[i] == TH_AGENT_WALKING && isfinite(a.left[i]) && th_world_agent_def(world, a.id[i], &def);
    *pathless += !path;
    if (path) longest = fmax(longest, (double)a.left[i] / (double)def.speed / (stairs ? 0.6 : 1.0));
  }
  return longest;
}

static inline void plan_count_left(plan_result *r, const th_world *world, const plan_watch *w) {
  const th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < a.count; i++) {
    if (a.state[i] != TH_AGENT_WALKING) continue;
    if (!r->left++) r->first = th_world_agent_point(world, a.id[i]);
    r->still += th_world_time(world) - w->since[a.id[i].index % PLAN_MOST] >= 60.0;
  }
}

static inline th_result plan_walk(plan_result *r, th_run *run, bool stairs, double exit_width) {
  plan_watch *w = calloc(1, sizeof *w);
  th_world *world = th_run_world(run);
  th_result result = w ? TH_OK : TH_ERROR_MEMORY;
  r->people = th_world_agents(world).count;
  r->limit = 10.0;
  while (!result && !th_run_done(run) && th_world_time(world) < r->limit) {
    result = th_run_step(run, &r->error);
    if (!result && th_world_step_count(world) == 3) {
      r->walk = plan_longest_walk(world, stairs, &r->pathless);
      r->limit = 10.0 * r->walk + r->people / (0.8 * exit_width);
    }
    if (w && th_world_step_count(world) % 10 == 0) plan_watch_look(w, world);
  }
  r->time = th_world_time(world);
  if (!result) plan_count_left(r, world, w);
  free(w);
  return result;
}

/* Runs the plan of a seed with a crowd of the same seed. */
static inline th_result plan_run(uint64_t seed, plan_scene_def def, plan_result *r) {
  plan_crowd crowd = {0};
  double exit_width = 1.0;
  def.duration = 1e6;
  *r = (plan_result){0};
  char *text = plan_scene_text(seed, &def, &crowd, &exit_width);
  th_scene *scene = NULL;
  th_run *run = NULL;
  th_result result = text ? th_scene_parse(text, strlen(text), &scene, &r->error) : TH_ERROR_MEMORY;
  th_run_def run_def = th_default_run_def();
  run_def.scene = scene, run_def.seed = seed, run_def.workers = 1;
  if (!result) result = th_run_make(&run_def, &run, &r->error);
  if (!result) result = plan_walk(r, run, crowd.floors == 2, exit_width);
  th_run_free(run);
  th_scene_free(scene);
  free(text);
  return result;
}

#endif
