/* tests/support/steering_walk.h - a few steering agents in a world, in the thesis' units and frame.
 *
 * As in the thesis: one decision a tick of 0.25 s, no limits of acceleration and turning, no contacts between bodies.
 * Lengths are in centimetres, y to the right (support/steering_stage.h); headings are given by a point to look at.
 */
#ifndef TH_TESTS_SUPPORT_STEERING_WALK_H
#define TH_TESTS_SUPPORT_STEERING_WALK_H

#include <math.h>
#include <string.h>

#include "support/unit.h"
#include "throng/guide.h"
#include "throng/model.h"
#include "throng/throng.h"

#define WALK_MAX 8
#define WALK_TICKS 1200
#define WALK_SIZE 8000.0f /* half side of the ground */

typedef struct walk_box {
  float x0, y0, x1, y1;
} walk_box;

typedef struct walk {
  th_world *world;
  th_agent_id id[WALK_MAX];
  uint32_t count, ticks;
  th_vec2 at[WALK_MAX][WALK_TICKS + 1]; /* of each agent at each tick [cm] */
  walk_box box[WALK_MAX];
  uint32_t box_count;
} walk;

static inline th_vec3 walk_point(float x, float y) { return (th_vec3){0.01f * x, -0.01f * y, 0.0f}; }

/* Ground with these obstacles. */
static inline void walk_begin(walk *w, const walk_box *box, uint32_t count) {
  memset(w, 0, sizeof *w);
  th_vec2 corner[4], point[WALK_MAX][4];
  th_polygon solid[WALK_MAX],
      outline = th_box_polygon(-0.01f * WALK_SIZE, -0.01f * WALK_SIZE, 0.01f * WALK_SIZE, 0.01f * WALK_SIZE, corner);
  for (uint32_t i = 0; i < count; i++) {
    solid[i] = th_box_polygon(0.01f * box[i].x0, -0.01f * box[i].y1, 0.01f * box[i].x1, -0.01f * box[i].y0, point[i]);
    w->box[w->box_count++] = box[i];
  }
  th_flat_def flat = th_default_flat_def();
  flat.outline = &outline;
  flat.outline_count = 1;
  flat.obstacle = solid;
  flat.obstacle_count = count;
  flat.cell = 0.5f;
  th_world_def def = th_default_world_def();
  def.dt = 0.25f;
  assert_int_equal(th_ground_make_flat(&flat, &def.ground, NULL), TH_OK);
  assert_int_equal(th_world_make(&def, &w->world, NULL), TH_OK);
  th_ground_release(def.ground);
}

static inline th_agent_def walk_def(float x, float y, float look_x, float look_y, const th_steering_params *params) {
  th_agent_def def = th_default_body_def();
  def.point = walk_point(x, y);
  def.heading = (th_vec2){look_x - x, y - look_y};
  def.model = &th_model_steering;
  def.params = params;
  def.radius = 0.05f;
  def.speed = 2.2f;
  def.speed_max = 10.0f;
  def.acceleration_max = def.turn_max = INFINITY;
  def.collide = false;
  def.start_speed = 1.87f;
  return def;
}

static inline uint32_t walk_add_def(walk *w, const th_agent_def *def) {
  th_error error = {0};
  if (th_world_add_agent(w->world, def, &w->id[w->count], &error)) fail_msg("%s: %s", error.where, error.text);
  w->at[w->count][0] = (th_vec2){100.0f * def->point.x, -100.0f * def->point.y};
  return w->count++;
}

/* From rest. */
static inline uint32_t walk_add_at_rest(walk *w, float x, float y, const th_steering_params *params) {
  th_agent_def def = walk_def(x, y, x + 1.0f, y, params);
  def.start_speed = 0.0f;
  return walk_add_def(w, &def);
}

/* Walks at 187 towards a point at first. */
static inline uint32_t walk_add(walk *w, float x, float y, float look_x, float look_y,
                                const th_steering_params *params) {
  const th_agent_def def = walk_def(x, y, look_x, look_y, params);
  return walk_add_def(w, &def);
}

/* Gives an agent a link to another one. */
static inline void walk_link(walk *w, uint32_t from, uint32_t to, uint32_t role, const th_steering_params *params) {
  th_agent_def def;
  assert_true(th_world_agent_def(w->world, w->id[from], &def));
  def.link[def.link_count] = th_default_link_def();
  def.link[def.link_count].agent = w->id[to];
  def.link[def.link_count++].role = role;
  def.params = params;
  assert_int_equal(th_world_change_agent(w->world, w->id[from], &def, NULL), TH_OK);
}

static inline void walk_ticks(walk *w, uint32_t ticks) {
  for (uint32_t t = 0; t < ticks; t++) {
    assert_true(w->ticks < WALK_TICKS);
    th_world_step(w->world);
    w->ticks++;
    for (uint32_t i = 0; i < w->count; i++) {
      th_vec3 p = {0};
      if (th_world_has_agent(w->world, w->id[i])) p = th_world_agent_point(w->world, w->id[i]);
      w->at[i][w->ticks] = (th_vec2){100.0f * p.x, -100.0f * p.y};
    }
  }
}

static inline void walk_end(walk *w) { th_world_free(w->world); }

static inline th_vec2 walk_now(const walk *w, uint32_t agent) { return w->at[agent][w->ticks]; }

static inline float walk_apart(const walk *w, uint32_t a, uint32_t b, uint32_t tick) {
  return hypotf(w->at[a][tick].x - w->at[b][tick].x, w->at[a][tick].y - w->at[b][tick].y);
}

static inline float walk_from(const walk *w, uint32_t agent, uint32_t tick, float x, float y) {
  return hypotf(w->at[agent][tick].x - x, w->at[agent][tick].y - y);
}

/* Least distance of two agents over all ticks. */
static inline float walk_least(const walk *w, uint32_t a, uint32_t b) {
  float least = INFINITY;
  for (uint32_t t = 0; t <= w->ticks; t++) least = fminf(least, walk_apart(w, a, b, t));
  return least;
}

static inline float walk_speed(const walk *w, uint32_t agent, uint32_t tick) {
  return 4.0f *
         hypotf(w->at[agent][tick].x - w->at[agent][tick - 1].x, w->at[agent][tick].y - w->at[agent][tick - 1].y);
}

/* How far the agent has turned between the ticks, in all, and at most in one tick [degrees]. */
static inline float walk_turning(const walk *w, uint32_t agent, uint32_t from, uint32_t to, float *most) {
  float sum = 0.0f, last = NAN;
  if (most) *most = 0.0f;
  for (uint32_t t = from + 1; t <= to; t++) {
    float dx = w->at[agent][t].x - w->at[agent][t - 1].x, dy = w->at[agent][t].y - w->at[agent][t - 1].y;
    if (hypotf(dx, dy) < 2.0f) continue;
    float angle = atan2f(dy, dx), by = isnan(last) ? 0.0f : fabsf(remainderf(angle - last, 6.2831853f)) * 57.29578f;
    sum += by;
    if (most) *most = fmaxf(*most, by);
    last = angle;
  }
  return sum;
}

/* Distance of a place from the nearest box [cm]; 0 inside. */
static inline float walk_clear(const walk *w, th_vec2 p) {
  float least = INFINITY;
  for (uint32_t i = 0; i < w->box_count; i++) {
    const walk_box *b = &w->box[i];
    float dx = fmaxf(fmaxf(b->x0 - p.x, p.x - b->x1), 0.0f), dy = fmaxf(fmaxf(b->y0 - p.y, p.y - b->y1), 0.0f);
    least = fminf(least, hypotf(dx, dy));
  }
  return least;
}

static inline float walk_clearance(const walk *w, uint32_t agent, uint32_t from, uint32_t to) {
  float least = INFINITY;
  for (uint32_t t = from; t <= to; t++) least = fminf(least, walk_clear(w, w->at[agent][t]));
  return least;
}

/* Everything off. */
static inline th_steering_params walk_params(void) {
  th_steering_params p = th_default_steering_params();
  p.obstacle.on = p.people.on = p.target.on = false;
  p.sight = 50.0f;
  return p;
}

static inline th_steering_params walk_to(float x, float y) {
  th_steering_params p = walk_params();
  p.target.on = true;
  p.target.by = TH_STEER_PLACE;
  p.target.place = walk_point(x, y);
  return p;
}

#endif
