/* tests/support/busy_world.h - a world in which everything happens at once, driven by a script of calls at fixed steps.
 *
 * The house of worlds.h with several goals, loops, waits, delays, two sources, a sink, an external agent, links, a path
 * guide, a user guide, and the models follow, user and probe; doors close and open, obstacles come and go, goals move,
 * agents come, change and go. Two worlds with the same script must agree bit for bit.
 */
#ifndef TH_TESTS_SUPPORT_BUSY_WORLD_H
#define TH_TESTS_SUPPORT_BUSY_WORLD_H

#include "support/probe_model.h"
#include "support/worlds.h"
#include "throng/guide.h"

typedef struct busy_def {
  th_env env;
  uint32_t workers, capacity, latency;
  float cell;
  th_simd simd;
} busy_def;

#define BUSY_DEF(e) ((busy_def){.env = (e), .workers = 1, .capacity = 400, .latency = 3, .cell = 0.25f})

typedef struct busy {
  th_ground *ground;
  th_world *world;
  th_goal_id goal[5];
  th_guide_id path, host;
  th_source_id source[2];
  th_agent_id player, walker[60];
} busy;

static const th_vec3 busy_path[] = {{1, 1, 0}, {6, 1, 0}, {6, 14, 0}, {2, 14, 0}};

/* Turns right round the middle of the first room. */
static inline void busy_answer(void *user, const th_guide_query *query) {
  (void)user;
  for (uint32_t lane = 0; lane < query->lanes; lane++) {
    float dx = query->x[lane] - 4.0f, dy = query->y[lane] - 8.0f, d = sqrtf(dx * dx + dy * dy);
    if (d > 0.0f)
      query->want[lane] = (th_guide_answer){.dx = dy / d, .dy = -dx / d, .left = INFINITY, .state = TH_ANSWER_LEAD};
  }
}

/* Along the guide, away from the nearest neighbours. */
static inline void busy_decide(void *user, const th_work *work) {
  (void)user;
  const th_view *view = work->view;
  for (uint32_t lane = 0; lane < view->lanes; lane++) {
    float vx = view->want[lane].dx, vy = view->want[lane].dy;
    for (uint32_t k = 0; k < view->neighbours.pick_count; k++) {
      uint32_t pick = view->neighbours.pick[k * TH_VIEW_LANES + lane];
      if (pick == TH_NO_PICK) break;
      float dx = view->x[lane] - view->neighbours.x[pick], dy = view->y[lane] - view->neighbours.y[pick],
            d2 = dx * dx + dy * dy;
      vx += dx * 0.1f / (d2 + 0.1f);
      vy += dy * 0.1f / (d2 + 0.1f);
    }
    work->advice.vx[lane] = vx * view->speed[lane];
    work->advice.vy[lane] = vy * view->speed[lane];
    work->advice.gait[lane] = TH_GAIT_WALK;
  }
}

static inline th_result busy_goals(busy *b, th_error *error) {
  static const th_vec2 at[3] = {{2, 2}, {12, 14}, {22, 3}};
  static const th_vec3 line[2] = {{12, 1, 0}, {14, 1, 0}};
  static const th_vec3 region[4] = {{20, 12, 0}, {23, 12, 0}, {23, 15, 0}, {20, 15, 0}};
  th_result result = TH_OK;
  for (int i = 0; i < 3 && !result; i++) {
    th_goal_def def = worlds_point_def(&at[i]);
    if (i > 0) def.field = i == 1 ? TH_FIELD_GEODESIC : TH_FIELD_ROOMY;
    result = th_world_add_goal(b->world, &def, &b->goal[i], error);
  }
  th_goal_def def = th_default_goal_def();
  def.field = TH_FIELD_HARMONIC;
  def.shape = (th_shape){.kind = TH_SHAPE_LINE, .point = line, .count = 2};
  if (!result) result = th_world_add_goal(b->world, &def, &b->goal[3], error);
  def.shape = (th_shape){.kind = TH_SHAPE_POLYGON, .point = region, .count = 4};
  def.sink = true;
  if (!result) result = th_world_add_goal(b->world, &def, &b->goal[4], error);
  return result;
}

static inline th_result busy_guides(busy *b, th_error *error) {
  th_path_params path = {.point = busy_path, .count = 4, .closed = true, .ahead = 1.0f};
  th_user_guide_params host = {busy_answer, NULL};
  th_result result = th_world_add_guide(b->world, &th_guide_path, &path, &b->path, error);
  return result ? result : th_world_add_guide(b->world, &th_guide_user, &host, &b->host, error);
}

static inline th_agent_def busy_agent(const busy *b, uint32_t i) {
  static const th_user_params host = {busy_decide, NULL, 4.0f, 6};
  static const probe_params probe = {0.5f, 3.0f, 5, 0.4f};
  static const probe_params hasty = {0.2f, 2.0f, 3, 0.0f};
  th_agent_def def = worlds_agent_def(1.0f + (float)(i % 6), 3.0f + (float)(i / 6), b->goal[i % 5]);
  def.radius = 0.15f + 0.01f * (float)(i % 9);
  if (i % 4 == 1) def.model = &th_model_user, def.params = &host;
  if (i % 4 == 2) def.model = &probe_model, def.params = i % 8 == 2 ? &probe : &hasty;
  if (i % 5 == 3) def.delay = 0.2f * (float)i;
  if (i % 7 == 0) {
    def.route[1] = (th_stop){.goal = b->goal[0], .wait = 1.5f};
    def.route[2] = (th_stop){.goal = b->goal[3], .wait = 0.0f};
    def.route[0].wait = 0.7f;
    def.route_count = 3;
    def.loop = i % 2 == 0;
  }
  if (i % 11 == 5) def.guide = b->path;
  if (i % 11 == 6) def.guide = b->host;
  if (i % 6 == 0) def.v = (th_vec2){0.5f, -0.5f}, def.eps = 0.5f;
  if (i % 9 == 4) def.remove = false;
  def.link[0].to_point = true;
  def.link[0].point.x = 4.0f;
  def.link_count = 1;
  return def;
}

static inline th_result busy_sources(busy *b, th_error *error) {
  static const th_vec2 region[2][4] = {{{9, 1}, {15, 1}, {15, 4}, {9, 4}}, {{17, 10}, {19, 10}, {19, 15}, {17, 15}}};
  th_result result = TH_OK;
  for (uint32_t i = 0; i < 2 && !result; i++) {
    th_source_def def = th_default_source_def();
    def.agent.model = &th_model_follow;
    def.agent.route[0].goal = b->goal[i == 0 ? 4 : 0];
    def.agent.route_count = 1;
    def.region = (th_polygon){NULL, region[i], 4};
    def.rate = 2.0f + 3.0f * (float)i;
    def.spread.speed = th_default_spread(TH_SPREAD_NORMAL, def.agent.speed, 0.3f);
    def.spread.radius = th_uniform_spread(def.agent.radius - 0.05f, def.agent.radius + 0.05f);
    def.total = i ? 40 : 0;
    def.begin = i ? 2.0f : 0.0f;
    result = th_world_add_source(b->world, &def, &b->source[i], error);
  }
  return result;
}

static inline th_result busy_agents(busy *b, th_error *error) {
  th_agent_def def[60];
  for (uint32_t i = 0; i < 60; i++) def[i] = busy_agent(b, i);
  th_result result = th_world_add_agents(b->world, def, 60, b->walker, error);
  if (result) return result;
  th_agent_def player = worlds_agent_def(12, 8, NOWHERE);
  player.external = true;
  player.radius = 0.4f;
  player.link[0].agent = b->walker[0];
  player.link_count = 1;
  return th_world_add_agents(b->world, &player, 1, &b->player, error);
}

/* Leaves the busy world empty on an error. */
static inline th_result busy_try(busy *b, const busy_def *def, th_error *error) {
  memset(b, 0, sizeof *b);
  th_result result = worlds_try_house(&def->env, def->cell, &b->ground, error);
  if (result) return result;
  th_world_def world = th_default_world_def();
  world.env = def->env;
  world.ground = b->ground;
  world.workers = def->workers;
  world.simd = def->simd;
  world.agent_capacity = def->capacity;
  world.latency = def->latency;
  result = th_world_make(&world, &b->world, error);
  if (!result) result = busy_goals(b, error);
  if (!result) result = busy_guides(b, error);
  if (!result) result = busy_agents(b, error);
  if (!result) result = busy_sources(b, error);
  if (!result) return TH_OK;
  th_world_free(b->world);
  th_ground_release(b->ground);
  memset(b, 0, sizeof *b);
  return result;
}

static inline void busy_make(busy *b, const busy_def *def) { OK(busy_try(b, def, &error)); }
static inline void busy_end(busy *b) { worlds_end(b->world, b->ground); }

static inline th_result busy_door(busy *b, th_edit_kind kind, const char *name, th_error *error) {
  return th_world_edit(b->world, &(th_edit){.kind = kind, .name = name}, 1, error);
}

static inline th_result busy_obstacles(busy *b, float x, th_error *error) {
  worlds_rect box[2] = {worlds_rectangle(x, 6, x + 1, 7), worlds_rectangle(x, 10, x + 2, 10.5f)};
  th_edit edit[3] = {{.kind = TH_EDIT_ADD, .shape = {"box", box[0].point, 4}},
                     {.kind = TH_EDIT_ADD, .shape = {"bar", box[1].point, 4}},
                     {.kind = TH_EDIT_CLOSE, .name = "east"}};
  return th_world_edit(b->world, edit, 3, error);
}

static inline th_result busy_change(busy *b, uint32_t i, th_error *error) {
  if (!th_world_has_agent(b->world, b->walker[i])) return TH_OK;
  th_agent_def def = busy_agent(b, i + 1);
  def.speed = 1.7f;
  return th_world_change_agent(b->world, b->walker[i], &def, error);
}

/* The calls before step number th_world_step_count(): a function of the step and of the state alone. */
static inline th_result busy_act(busy *b, th_error *error) {
  uint64_t step = th_world_step_count(b->world);
  float t = (float)step * 0.05f;
  th_vec3 to = {12.0f + 2.0f * sinf(t), 8.0f + 2.0f * cosf(t), 0.0f}, v = {0.1f, 0.0f, 0.0f}, heading = {1, 0, 0};
  th_result result = th_world_drive_agent(b->world, b->player, to, v, heading, error);
  if (result) return result;
  th_vec2 moved = {12.5f + (float)(step % 7) * 0.3f, 13.0f};
  th_shape shape = th_point_shape(moved.x, moved.y);
  switch (step) {
    case 7:
      return busy_door(b, TH_EDIT_CLOSE, "west", error);
    case 8:
      return th_world_move_goal(b->world, b->goal[1], &shape, error);
    case 9:
      return busy_change(b, 5, error);
    case 12:
      return busy_obstacles(b, 11.0f, error);
    case 13:
      return busy_change(b, 17, error);
    case 20:
      return th_world_set_dt(b->world, 0.05f, error);
    case 25:
      return busy_door(b, TH_EDIT_OPEN, "west", error);
    case 26:
      return th_world_edit(b->world, &(th_edit){.kind = TH_EDIT_REMOVE, .name = "box"}, 1, error);
    case 27:
      return th_world_move_goal(b->world, b->goal[1], &shape, error);
    case 33:
      if (th_world_has_agent(b->world, b->walker[8])) th_world_remove_agent(b->world, b->walker[8]);
      return TH_OK;
    case 40:
      return th_world_set_dt(b->world, 0.1f, error);
    case 41:
      return busy_door(b, TH_EDIT_OPEN, "east", error);
    case 44:
      return busy_change(b, 30, error);
    default:
      return TH_OK;
  }
}

static inline void busy_steps(busy *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    OK(busy_act(b, &error));
    th_world_step(b->world);
  }
}

#endif
