/* tests/support/worlds.h - small grounds and worlds for tests, and a log that remembers.
 *
 *   log_capture h = {0};  th_env env = worlds_env(&h);  faults are counted, the last text is kept
 *   th_ground *g = worlds_house(&env);                  three rooms, doors "west" and "east"
 *   th_world *w = worlds_make(g, &env);                 th_default_world_def on it; releases nothing
 */
#ifndef TH_TESTS_SUPPORT_WORLDS_H
#define TH_TESTS_SUPPORT_WORLDS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/allocator.h"
#include "throng/model.h"
#include "throng/world.h"

#define OK(call)                                                                 \
  do {                                                                           \
    th_error error = {0};                                                        \
    if ((call) != TH_OK) fail_msg("%s: %s: %s", #call, error.where, error.text); \
  } while (0)

/* The call must fail with this code, name this parameter and leave the world as it was. */
#define REFUSED(world, call, expected, name)                                                        \
  do {                                                                                              \
    th_error error = {0};                                                                           \
    uint64_t hash_before = th_world_hash(world);                                                    \
    th_result found = (call);                                                                       \
    if (found != (expected)) fail_msg("%s: %s, not %s", #call, th_result_name(found), #expected);   \
    assert_int_equal(error.code, found);                                                            \
    if (!strstr(error.where, name)) fail_msg("%s: names '%s': %s", #call, error.where, error.text); \
    assert_true(strlen(error.text) > 10);                                                           \
    assert_true(th_world_hash(world) == hash_before);                                               \
  } while (0)

typedef struct log_capture {
  _Atomic uint32_t faults, warnings;
  char last[256];
} log_capture;

static inline void log_capture_write(void *user, th_log_level level, const char *text) {
  log_capture *h = (log_capture *)user;
  if (level == TH_LOG_FAULT) atomic_fetch_add(&h->faults, 1);
  if (level == TH_LOG_WARNING) atomic_fetch_add(&h->warnings, 1);
  snprintf(h->last, sizeof h->last, "%s", text);
}

static inline th_env worlds_env(log_capture *h) { return (th_env){.log = {log_capture_write, h}}; }

static inline uint64_t worlds_bits(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline float worlds_in(uint64_t *state, float min, float max) {
  return min + (max - min) * (float)(worlds_bits(state) >> 40) / 16777216.0f;
}

static inline uint32_t worlds_below(uint64_t *state, uint32_t limit) { return (uint32_t)(worlds_bits(state) % limit); }

typedef struct worlds_rect {
  th_vec2 point[4];
} worlds_rect;

static inline worlds_rect worlds_rectangle(float x0, float y0, float x1, float y1) {
  return (worlds_rect){{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
}

typedef struct worlds_plan {
  const worlds_rect *rect; /* outline, walls, doors */
  uint32_t walls, doors;
  float cell;  /* [m] */
  float apart; /* of markers [m]; 0 = as usual */
} worlds_plan;

static inline th_result worlds_try_ground(const th_env *env, const worlds_plan *floor, th_ground **ground,
                                          th_error *error) {
  static const char *const wall_name[] = {"w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9"};
  static const char *const door_name[] = {"west", "east"};
  uint32_t walls = floor->walls, doors = floor->doors;
  const worlds_rect *rect = floor->rect;
  th_polygon outline = {NULL, rect[0].point, 4}, obstacle[10];
  th_door door[2];
  for (uint32_t i = 0; i < walls; i++) obstacle[i] = (th_polygon){wall_name[i], rect[1 + i].point, 4};
  for (uint32_t i = 0; i < doors; i++) door[i] = (th_door){{door_name[i], rect[1 + walls + i].point, 4}, false};
  th_flat_def def = th_default_flat_def();
  def.env = *env;
  def.cell = floor->cell;
  if (floor->apart > 0.0f) def.markers.distance = floor->apart;
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = obstacle;
  def.obstacle_count = walls;
  def.door = door;
  def.door_count = doors;
  return th_ground_make_flat(&def, ground, error);
}

/* An empty rectangle from (0, 0) to (width, height). */
static inline th_ground *worlds_box(const th_env *env, float width, float height) {
  worlds_rect rect = worlds_rectangle(0.0f, 0.0f, width, height);
  th_ground *ground = NULL;
  OK(worlds_try_ground(env, &(worlds_plan){&rect, 0, 0, 0.25f, 0}, &ground, &error));
  return ground;
}

/* 24 m x 16 m: walls at x = 8 and x = 16, each with a gap that never closes (y 11 to 13 and 13 to 15) and a door
 * ("west" at y 3 to 5, "east" at y 7 to 9). */
static inline th_result worlds_try_house(const th_env *env, float cell, th_ground **ground, th_error *error) {
  const worlds_rect rect[] = {worlds_rectangle(0, 0, 24, 16),         worlds_rectangle(7.9f, 0, 8.1f, 3),
                              worlds_rectangle(7.9f, 5, 8.1f, 11),    worlds_rectangle(7.9f, 13, 8.1f, 16),
                              worlds_rectangle(15.9f, 0, 16.1f, 7),   worlds_rectangle(15.9f, 9, 16.1f, 13),
                              worlds_rectangle(15.9f, 15, 16.1f, 16), worlds_rectangle(7.9f, 3, 8.1f, 5),
                              worlds_rectangle(15.9f, 7, 16.1f, 9)};
  /* markers as coarse as cells: tests of a coarse house make it many times */
  return worlds_try_ground(env, &(worlds_plan){rect, 6, 2, cell, 0.8f * cell}, ground, error);
}

static inline th_ground *worlds_house(const th_env *env) {
  th_ground *ground = NULL;
  OK(worlds_try_house(env, 0.25f, &ground, &error));
  return ground;
}

/* Two rooms of 8 m x 8 m, closed off from each other by a wall at x = 8. */
static inline th_ground *worlds_cells(const th_env *env) {
  const worlds_rect rect[] = {worlds_rectangle(0, 0, 16, 8), worlds_rectangle(7.9f, 0, 8.1f, 8)};
  th_ground *ground = NULL;
  OK(worlds_try_ground(env, &(worlds_plan){rect, 1, 0, 0.25f, 0}, &ground, &error));
  return ground;
}

static inline th_world *worlds_make(th_ground *ground, const th_env *env) {
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.env = *env;
  def.ground = ground;
  OK(th_world_make(&def, &world, &error));
  return world;
}

/* Goals of tests have harmonic fields, on which their numbers were measured, unless a test names another kind. */
static inline th_goal_def worlds_point_def(const th_vec2 *point) {
  th_goal_def def = th_default_goal_def();
  def.field = TH_FIELD_HARMONIC;
  def.shape = th_point_shape(point->x, point->y);
  return def;
}

static inline th_goal_def worlds_point_def_at(th_vec3 point) {
  th_goal_def def = th_default_goal_def();
  def.field = TH_FIELD_HARMONIC;
  def.shape = th_point_shape_at(point);
  return def;
}

static inline th_goal_id worlds_goal_of(th_world *world, const th_goal_def *def) {
  th_goal_id goal = TH_NULL_GOAL;
  OK(th_world_add_goal(world, def, &goal, &error));
  return goal;
}

static inline th_goal_id worlds_goal(th_world *world, float x, float y) {
  th_vec2 point = {x, y};
  th_goal_def def = worlds_point_def(&point);
  return worlds_goal_of(world, &def);
}

/* Anywhere in space, with a field of this kind. */
static inline th_goal_id worlds_goal_at(th_world *world, th_vec3 point, th_field_kind field) {
  th_goal_def def = worlds_point_def_at(point);
  def.field = field;
  return worlds_goal_of(world, &def);
}

/* An agent at (x, y) on its way to `goal`; {0, 0}: nowhere. */
static inline th_agent_def worlds_agent_def(float x, float y, th_goal_id goal) {
  th_agent_def def = th_default_body_def();
  def.model = &th_model_follow;
  def.point.x = x;
  def.point.y = y;
  def.route[0].goal = goal;
  def.route_count = goal.index ? 1 : 0;
  return def;
}

static inline th_agent_id worlds_add(th_world *world, const th_agent_def *def) {
  th_agent_id id = TH_NULL_AGENT;
  OK(th_world_add_agents(world, def, 1, &id, &error));
  return id;
}

static inline th_agent_id worlds_walker(th_world *world, float x, float y, th_goal_id goal) {
  th_agent_def def = worlds_agent_def(x, y, goal);
  return worlds_add(world, &def);
}

static inline th_vec2 worlds_at(const th_world *world, th_agent_id id) {
  uint32_t row = th_world_row(world, id);
  assert_int_not_equal(row, UINT32_MAX);
  th_agents a = th_world_agents(world);
  return (th_vec2){a.x[row], a.y[row]};
}

static inline th_agent_state worlds_state(const th_world *world, th_agent_id id) {
  uint32_t row = th_world_row(world, id);
  assert_int_not_equal(row, UINT32_MAX);
  return (th_agent_state)th_world_agents(world).state[row];
}

/* Events of this kind about an agent ({0, 0}: about anyone) in the list. */
static inline uint32_t worlds_events(const th_world *world, th_event_kind kind, th_agent_id agent) {
  uint32_t count, found = 0;
  const th_event *event = th_world_events(world, &count);
  for (uint32_t i = 0; i < count; i++)
    found += event[i].kind == kind && (!agent.index || event[i].agent.index == agent.index);
  return found;
}

static inline void worlds_steps(th_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) th_world_step(world);
}

/* Steps until the agent is gone, or `max` steps; returns the steps taken. */
static inline uint32_t worlds_until_gone(th_world *world, th_agent_id id, uint32_t max) {
  uint32_t n = 0;
  while (n < max && th_world_has_agent(world, id)) th_world_step(world), n++;
  return n;
}

static inline void worlds_end(th_world *world, th_ground *ground) {
  th_world_free(world);
  th_ground_release(ground);
}

/* A snapshot; the memory is the caller's to free. */
typedef struct worlds_saved {
  void *memory;
  size_t size;
} worlds_saved;

static inline worlds_saved worlds_save(const th_world *world) {
  worlds_saved s = {NULL, th_world_snapshot(world, NULL, 0)};
  s.memory = malloc(s.size);
  assert_non_null(s.memory);
  assert_int_equal(th_world_snapshot(world, s.memory, s.size), s.size);
  return s;
}

/* Goes on by `steps`, then back to here by a snapshot, and on again: the hash at the end is the same both times. */
static inline uint64_t worlds_again(th_world *world, uint32_t steps) {
  worlds_saved saved = worlds_save(world);
  worlds_steps(world, steps);
  uint64_t hash = th_world_hash(world);
  OK(th_world_restore(world, saved.memory, saved.size, &error));
  assert_true(th_world_hash(world) != hash);
  worlds_steps(world, steps);
  assert_true(th_world_hash(world) == hash);
  free(saved.memory);
  return hash;
}

#define NOBODY (TH_NULL_AGENT)
#define NOWHERE (TH_NULL_GOAL)

#endif
