/* tests/support/steering_stage.h - one steering agent and what it sees, made by hand, in the thesis' units and frame.
 *
 * The thesis counts in centimetres with y to the right; a stage converts: 1 cm_UT = 0.01 m, 1 N_UT = 0.01 m/s, y turned
 * round. All sixteen lanes hold the same agent, so any of them may be asked.
 */
#ifndef TH_TESTS_SUPPORT_STEERING_STAGE_H
#define TH_TESTS_SUPPORT_STEERING_STAGE_H

#include <math.h>
#include <string.h>

#include "model/steering/steer.h"
#include "support/unit.h"

#define STAGE_CROWD 8
#define STAGE_WALLS 8

typedef struct stage {
  float x[16], y[16], vx[16], vy[16], hx[16], hy[16], radius[16], speed[16], speed_max[16];
  uint32_t slot[16], agent[16], layers[16];
  th_turn frame[16];
  th_guide_answer want[16];
  float nx[STAGE_CROWD + 16], ny[STAGE_CROWD + 16], nvx[STAGE_CROWD + 16], nvy[STAGE_CROWD + 16];
  float nradius[STAGE_CROWD + 16];
  uint32_t nslot[STAGE_CROWD + 16], pick[TH_MAX_NEAREST * 16];
  th_segment wall[STAGE_WALLS];
  th_link link[16 * TH_MAX_LINKS];
  th_view_path path[16];
  th_view view;
  th_work work;
  const void *params_of[16];
  void *state_of[16];
  th_steering_params params;
  th_steering_state state;
  th_steer_scratch scratch;
} stage;

static inline th_vec2 stage_vector(float x, float y) { return (th_vec2){0.01f * x, -0.01f * y}; }

/* Puts the agent at a place with a velocity; it looks along the velocity, or ahead. */
static inline void stage_body(stage *s, float x, float y, float vx, float vy) {
  const th_vec2 at = stage_vector(x, y), v = stage_vector(vx, vy);
  const float speed = th_length2(v);
  for (uint32_t i = 0; i < 16; i++) {
    s->x[i] = at.x;
    s->y[i] = at.y;
    s->vx[i] = v.x;
    s->vy[i] = v.y;
    s->hx[i] = speed > 0.0f ? v.x / speed : 1.0f;
    s->hy[i] = speed > 0.0f ? v.y / speed : 0.0f;
  }
}

/* An agent at the origin that walks ahead at 220, with all steerings off. */
static inline void stage_make(stage *s) {
  memset(s, 0, sizeof *s);
  s->params = th_default_steering_params();
  s->params.obstacle.on = s->params.people.on = s->params.target.on = false;
  s->state.decisions = 1;
  stage_body(s, 0, 0, 220, 0);
  for (uint32_t i = 0; i < 16; i++) {
    s->speed[i] = 2.2f;
    s->speed_max[i] = 10.0f;
    s->radius[i] = 0.25f;
    s->agent[i] = 1;
    s->frame[i] = (th_turn){1.0f, 0.0f};
    s->want[i] = (th_guide_answer){.left = INFINITY, .state = TH_ANSWER_WAIT};
    s->params_of[i] = &s->params;
    s->state_of[i] = &s->state;
  }
  for (uint32_t i = 0; i < TH_MAX_NEAREST * 16; i++) s->pick[i] = TH_NO_PICK;
  s->view = (th_view){
      .lanes = 1,
      .slot = s->slot,
      .agent = s->agent,
      .x = s->x,
      .y = s->y,
      .speed = s->speed,
      .want = s->want,
      .vx = s->vx,
      .vy = s->vy,
      .hx = s->hx,
      .hy = s->hy,
      .radius = s->radius,
      .speed_max = s->speed_max,
      .layers = s->layers,
      .avoids = s->layers,
      .frame = s->frame,
      .neighbours =
          {.x = s->nx, .y = s->ny, .vx = s->nvx, .vy = s->nvy, .radius = s->nradius, .slot = s->nslot, .pick = s->pick},
      .wall = s->wall,
      .link = s->link,
      .link_count = TH_MAX_LINKS,
      .path = s->path};
  s->work = (th_work){.view = &s->view, .params = s->params_of, .state = s->state_of, .dt = 0.25f, .seed = 1};
  s->work.simd = TH_SIMD_FOUR;
}

static inline void stage_wall(stage *s, float ax, float ay, float bx, float by) {
  const th_vec2 a = stage_vector(ax, ay), b = stage_vector(bx, by);
  assert_true(s->view.wall_count < STAGE_WALLS);
  s->wall[s->view.wall_count++] = (th_segment){a.x, a.y, b.x, b.y};
}

static inline void stage_person(stage *s, float x, float y, float vx, float vy) {
  const th_vec2 at = stage_vector(x, y), v = stage_vector(vx, vy);
  const uint32_t n = s->view.neighbours.count++;
  assert_true(n < STAGE_CROWD);
  s->nx[n] = at.x;
  s->ny[n] = at.y;
  s->nvx[n] = v.x;
  s->nvy[n] = v.y;
  s->nslot[n] = n + 1;
  for (uint32_t i = 0; i < 16; i++) s->pick[n * 16 + i] = n;
  s->view.neighbours.pick_count = n + 1;
}

/* A link with a role to somebody; `seen`: no wall is in between. */
static inline void stage_link(stage *s, uint32_t k, uint16_t role, const float place[4], bool seen) {
  const th_vec2 at = stage_vector(place[0], place[1]), v = stage_vector(place[2], place[3]);
  for (uint32_t i = 0; i < 16; i++) {
    const th_vec2 way = th_minus2(at, (th_vec2){s->x[i], s->y[i]}), unit = th_unit2(way);
    s->link[i * TH_MAX_LINKS + k] = (th_link){.x = at.x,
                                              .y = at.y,
                                              .vx = v.x,
                                              .vy = v.y,
                                              .dx = unit.x,
                                              .dy = unit.y,
                                              .distance = th_length2(way),
                                              .role = role,
                                              .exists = true,
                                              .inside = true,
                                              .seen = seen};
  }
}

/* Senses, then asks one steering. The force comes back in N_UT, y to the right. */
static inline th_steering_force stage_ask(stage *s, th_steer_run run) {
  th_steering_force f = {.agrees = true};
  for (uint32_t i = 0; i < 16; i++) s->scratch.self[i] = th_steer_look_at(&s->work, &s->scratch.senses, i);
  th_steer_sense(&s->work, s->scratch.self, &s->scratch.senses);
  run(&s->scratch.self[0], &f);
  f.force = (th_vec2){100.0f * f.force.x, -100.0f * f.force.y};
  f.focus = (th_vec2){100.0f * f.focus.x, -100.0f * f.focus.y};
  return f;
}

/* The velocity that follows from one force and one stop request at most, in cm_UT/s before scaling. */
static inline th_vec2 stage_blend(stage *s, const th_vec2 *force, uint32_t count, bool stop) {
  s->scratch.self[0] = th_steer_look_at(&s->work, &s->scratch.senses, 0);
  const th_steer_self *self = &s->scratch.self[0];
  th_steer_sum sum = th_steer_combine_begin(self);
  for (uint32_t i = 0; i < count; i++)
    th_steer_combine_add(self, &sum, &(th_steering_force){.force = stage_vector(force[i].x, force[i].y)}, 1.0f);
  if (stop) th_steer_combine_add(self, &sum, &(th_steering_force){.stop = true}, 1.0f);
  const float k = sum.k > 0.0f ? 100.0f / sum.k : 100.0f;
  return (th_vec2){k * sum.sum.x, -k * sum.sum.y};
}

#endif
