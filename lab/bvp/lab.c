/* lab/bvp/lab.c - one trial: a world is built through the public API, run, and its paths are kept.
 *
 * Limits of acceleration and turning are off and overlapping bodies are not separated, as in the thesis; every walker
 * decides in every step, from the state at its start or, in the thesis' own order, one after the other.
 */
#include "lab/bvp/lab.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "lab/bvp/cells.h"

#define STEP 0.5f /* [s] */

th_bvp_params th_bvp_thesis_params(int32_t n) {
  th_bvp_params p = th_default_bvp_params(n);
  p.cell = 1.0f;
  p.precision = TH_PRECISION_DOUBLE;
  p.sense = TH_SENSE_LITERAL;
  p.flat = TH_BVP_FLAT_STAY;
  p.period = STEP;
  p.others = TH_BVP_OTHERS_ALL; /* as they stand */
  p.foresight = 0.0f;
  p.mass = 4.0f;
  p.behaviour[TH_BVP_FIRST].kind = TH_BVP_HARMONIC;
  for (int slot = 0; slot < TH_BVP_SLOTS; slot++) p.behaviour[slot].wave = 36.0f * STEP;
  return p;
}

th_bvp_params th_bvp_constant_params(int32_t n, float vx, float vy, float eps) {
  th_bvp_params p = th_bvp_thesis_params(n);
  p.behaviour[TH_BVP_FIRST].kind = TH_BVP_CONSTANT;
  p.behaviour[TH_BVP_FIRST].v = (th_vec2){vx, vy};
  p.behaviour[TH_BVP_FIRST].strength = eps / p.cell;
  return p;
}

th_bvp_walker th_bvp_corridor_walker(th_bvp_params params) {
  return (th_bvp_walker){
      .x = 5.5f, .y = 10.5f, .hx = 1.0f, .radius = 0.5f, .step = 0.5f, .goal_count = 1, .params = params};
}

th_bvp_walker th_bvp_stander(float x, float y, float radius) {
  return (th_bvp_walker){.x = x, .y = y, .hx = -1.0f, .radius = radius, .params = th_bvp_thesis_params(15)};
}

th_bvp_trial th_bvp_corridor(const th_bvp_walker *walker, uint32_t count, uint32_t steps) {
  static const th_vec3 corner[4] = {{76, 9, 0}, {77, 9, 0}, {77, 12, 0}, {76, 12, 0}};
  static const th_shape goal = {.kind = TH_SHAPE_POLYGON, .point = corner, .count = 4};
  return (th_bvp_trial){.width = 80,
                        .height = 21,
                        .goal = &goal,
                        .goal_count = 1,
                        .walker = walker,
                        .walker_count = count,
                        .steps = steps};
}

void th_bvp_hush(void *user, th_log_level level, const char *text) {
  (void)user;
  if (level == TH_LOG_FAULT) fprintf(stderr, "throng: %s\n", text);
}

/* ---------------------------------------------------------------- building the world */

typedef struct stage {
  const th_bvp_trial *trial;
  th_bvp_run *run;
  th_world *world;
  th_goal_id goal[TH_BVP_MAX_GOALS];
  th_guide_id guide;
  th_agent_id *id;
  uint32_t room; /* samples per walker */
} stage;

static th_result make_ground(const th_bvp_trial *trial, th_vec2 corner[4], th_ground **ground, th_error *error) {
  const th_polygon outline = th_box_polygon(1.0f, 1.0f, trial->width - 1.0f, trial->height - 1.0f, corner);
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = trial->obstacle;
  def.obstacle_count = trial->obstacle_count;
  def.cell = 1.0f;
  def.radius_class[0] = 0.0f; /* the shared map is not grown by a radius, the local ones are */
  def.class_count = 1;
  return th_ground_make_flat(&def, ground, error);
}

static th_result make_world(stage *s, th_error *error) {
  th_ground *ground = NULL;
  th_result result = make_ground(s->trial, s->run->corner, &ground, error);
  if (result != TH_OK) return result;
  th_world_def def = th_default_world_def();
  def.env.log.write = th_bvp_hush;
  def.ground = ground;
  def.dt = STEP;
  def.update = s->trial->sequential ? TH_UPDATE_ONE_BY_ONE : TH_UPDATE_ALL_AT_ONCE;
  def.contact_rounds = 0;
  def.sense = TH_SENSE_LITERAL;
  def.agent_capacity = s->trial->walker_count;
  result = th_world_make(&def, &s->world, error);
  th_ground_release(ground);
  return result;
}

static th_result add_goals(stage *s, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t k = 0; k < s->trial->goal_count && result == TH_OK; k++) {
    th_goal_def def = th_default_goal_def();
    def.field = TH_FIELD_HARMONIC;
    def.shape = s->trial->goal[k];
    result = th_world_add_goal(s->world, &def, &s->goal[k], error);
  }
  if (result == TH_OK && s->trial->guide)
    result = th_world_add_guide(s->world, s->trial->guide, s->trial->guide_params, &s->guide, error);
  return result;
}

static th_agent_def agent_of(const stage *s, const th_bvp_walker *w) {
  th_agent_def def = th_default_body_def();
  def.point.x = w->x;
  def.point.y = w->y;
  def.heading.x = w->hx;
  def.heading.y = w->hy;
  def.radius = w->radius;
  def.speed = def.speed_max = w->step / STEP;
  def.acceleration_max = def.turn_max = INFINITY;
  def.model = &th_model_bvp;
  def.params = &w->params;
  def.guide = w->goal_count && !w->by_field ? s->guide : TH_NULL_GUIDE;
  def.collide = false;
  def.external = w->goal_count == 0;
  if (s->trial->alone) {
    def.layers = def.external ? 1u : 2u;
    def.avoids = 1u;
  }
  for (uint32_t k = 0; k < w->goal_count; k++) def.route[def.route_count++].goal = s->goal[w->goal[k]];
  if (w->to_point) {
    def.link[0] = (th_link_def){.to_point = true, .point = {w->point.x, w->point.y, 0}};
    def.link_count = 1;
  } else if (w->link && s->id[w->link - 1].index) {
    def.link[0].agent = s->id[w->link - 1];
    def.link_count = 1;
  }
  return def;
}

/* Links need ids: a walker that names a later one is changed when that one exists. */
static th_result add_walkers(stage *s, th_error *error) {
  th_result result = TH_OK;
  for (uint32_t k = 0; k < s->trial->walker_count && result == TH_OK; k++) {
    th_agent_def def = agent_of(s, &s->trial->walker[k]);
    result = th_world_add_agents(s->world, &def, 1, &s->id[k], error);
  }
  for (uint32_t k = 0; k < s->trial->walker_count && result == TH_OK; k++) {
    const th_bvp_walker *w = &s->trial->walker[k];
    if (w->link <= k + 1) continue;
    th_agent_def def = agent_of(s, w);
    result = th_world_change_agent(s->world, s->id[k], &def, error);
  }
  return result;
}

/* ---------------------------------------------------------------- keeping the paths */

static bool make_tracks(stage *s) {
  th_bvp_run *run = s->run;
  th_tracks *t = &run->tracks;
  t->env = th_env_complete(NULL);
  const th_allocator *a = &t->env.allocator;
  uint32_t walkers = s->trial->walker_count, samples = walkers * s->room;
  run->walkers = t->tail.track_capacity = walkers;
  t->fps = 1.0 / (double)STEP;
  t->tail.sample_capacity = samples;
  t->track = TH_TAKE(a, th_track, walkers);
  t->frame = TH_TAKE(a, uint32_t, samples);
  t->x = TH_TAKE(a, float, samples);
  t->y = TH_TAKE(a, float, samples);
  t->vx = TH_TAKE(a, float, samples);
  t->vy = TH_TAKE(a, float, samples);
  t->heading = TH_TAKE(a, float, samples);
  t->gait = TH_TAKE(a, uint8_t, samples);
  t->state = TH_TAKE(a, uint8_t, samples);
  run->arrived = TH_TAKE(a, uint32_t, walkers);
  s->id = TH_TAKE(a, th_agent_id, walkers);
  return t->track && t->frame && t->x && t->y && t->vx && t->vy && t->heading && t->gait && t->state && run->arrived &&
         s->id;
}

static void keep_samples(stage *s, uint32_t step) {
  th_agents agents = th_world_agents(s->world);
  th_tracks *t = &s->run->tracks;
  t->track_count = s->run->walkers;
  t->sample_count = t->tail.sample_capacity;
  t->frame_last = step;
  for (uint32_t k = 0; k < s->run->walkers; k++) {
    th_track *track = &t->track[k];
    uint32_t row = th_world_has_agent(s->world, s->id[k]) ? th_world_row(s->world, s->id[k]) : UINT32_MAX;
    *track = (th_track){
        .id = (int64_t)k + 1, .first = k * s->room, .count = track->count, .radius = s->trial->walker[k].radius};
    if (row == UINT32_MAX) {
      if (!s->run->arrived[k]) s->run->arrived[k] = step;
      continue;
    }
    uint32_t i = track->first + track->count++;
    t->frame[i] = step;
    t->x[i] = agents.x[row];
    t->y[i] = agents.y[row];
    t->vx[i] = agents.vx[row];
    t->vy[i] = agents.vy[row];
    t->heading[i] = atan2f(agents.hy[row], agents.hx[row]);
    t->state[i] = agents.state[row];
  }
}

/* ---------------------------------------------------------------- running */

static th_explored explored(const stage *s) {
  size_t size;
  return th_explore_read(th_world_guide_memory(s->world, s->guide, &size));
}

/* No agent moves before the fields are in force, one step after their request. */
static void run_steps(stage *s) {
  if (!s->trial->guide) th_world_step(s->world);
  keep_samples(s, 0);
  for (uint32_t step = 1; step <= s->trial->steps && !th_world_done(s->world); step++) {
    const double before = th_clock_processor_seconds();
    th_world_step(s->world);
    s->run->seconds += th_clock_processor_seconds() - before;
    keep_samples(s, step);
    s->run->steps = step;
    if (s->trial->window && step == s->trial->window_step)
      th_bvp_window_of(s->world, s->id[0], s->goal[0], s->trial->window);
    if (s->trial->guide == &th_guide_explore && step == 1) s->run->begun = explored(s);
  }
  if (s->trial->guide == &th_guide_explore) s->run->ended = explored(s);
  if (s->trial->window && !s->trial->window_step) th_bvp_window_of(s->world, s->id[0], s->goal[0], s->trial->window);
  s->run->wall_contacts = th_world_counters(s->world).wall_contacts;
}

th_result th_bvp_try(const th_bvp_trial *trial, th_bvp_run *run, th_error *error) {
  *run = (th_bvp_run){0};
  stage s = {.trial = trial, .run = run, .room = trial->steps + 8};
  th_result result = make_tracks(&s) ? make_world(&s, error) : th_fail_memory(error, "trial");
  if (result == TH_OK) result = add_goals(&s, error);
  if (result == TH_OK) result = add_walkers(&s, error);
  if (result == TH_OK) run_steps(&s);
  const th_allocator *a = &run->tracks.env.allocator;
  th_world_free(s.world);
  TH_GIVE(a, s.id, trial->walker_count);
  if (result != TH_OK) th_bvp_run_free(run);
  return result;
}

void th_bvp_run_free(th_bvp_run *run) {
  th_env env = th_env_complete(&run->tracks.env);
  TH_GIVE(&env.allocator, run->arrived, run->walkers);
  th_tracks_free(&run->tracks);
  *run = (th_bvp_run){0};
}
