/* tests/support/halls.h - a hall of 30 m x 18 m with three exits of 0.9, 1.2 and 2.4 m in one wall, and people in it.
 */
#ifndef TH_TESTS_SUPPORT_HALLS_H
#define TH_TESTS_SUPPORT_HALLS_H

#include "support/unit.h"
/* after cmocka */
#include "support/worlds.h"
#include "throng/world/choice.h"

#define HALL_EXITS 3

typedef struct hall {
  log_capture h;
  th_env env;
  th_ground *ground;
  th_world *world;
  th_goal_id exit[HALL_EXITS];
  th_choice_id choice;
  double last[HALL_EXITS];   /* when the last one left by it [s] */
  uint32_t left[HALL_EXITS]; /* how many did */
} hall;

/* Doors "west" and "east" close the first and the last exit. */
static inline th_ground *hall_ground(const th_env *env, float cell) {
  const worlds_rect rect[] = {worlds_rectangle(0, 0, 30, 20),         worlds_rectangle(0, 18, 5, 18.4f),
                              worlds_rectangle(5.9f, 18, 14, 18.4f),  worlds_rectangle(15.2f, 18, 24, 18.4f),
                              worlds_rectangle(26.4f, 18, 30, 18.4f), worlds_rectangle(5, 18, 5.9f, 18.4f),
                              worlds_rectangle(24, 18, 26.4f, 18.4f)};
  th_ground *ground = NULL;
  OK(worlds_try_ground(env, &(worlds_plan){rect, 4, 2, cell, 0.0f}, &ground, &error));
  return ground;
}

static inline void hall_begin(hall *s, const th_choice_def *choice, uint32_t workers) {
  static const float middle[HALL_EXITS] = {5.45f, 14.6f, 25.2f}, width[HALL_EXITS] = {0.9f, 1.2f, 2.4f};
  *s = (hall){0};
  s->env = worlds_env(&s->h);
  s->ground = hall_ground(&s->env, 0.2f);
  th_world_def def = th_default_world_def();
  def.env = s->env;
  def.ground = s->ground;
  def.workers = workers;
  OK(th_world_make(&def, &s->world, &error));
  th_choice_def options = *choice;
  for (int i = 0; i < HALL_EXITS; i++) {
    th_goal_def goal = th_default_goal_def();
    goal.shape = th_line_shape(middle[i] - width[i] / 2, 19.0f, middle[i] + width[i] / 2, 19.0f);
    s->exit[i] = worlds_goal_of(s->world, &goal);
    const th_option given = options.option[i];
    options.option[i] = th_default_option(s->exit[i]);
    options.option[i].width = width[i];
    if (i < (int)options.option_count) options.option[i].share = given.share, options.option[i].known = given.known;
  }
  options.option_count = HALL_EXITS;
  OK(th_world_add_choice(s->world, &options, &s->choice, &error));
}

/* A grid of people, up to 0.2 m off it, from (x0, y0) in rows of `columns`. */
static inline void hall_people(hall *s, uint32_t count, uint32_t columns, float x0, float y0) {
  uint64_t bits = 7;
  for (uint32_t i = 0; i < count; i++) {
    th_agent_def def = th_default_agent_def();
    def.point.x = x0 + 0.8f * (float)(i % columns) + worlds_in(&bits, -0.15f, 0.15f);
    def.point.y = y0 + 0.8f * (float)(i / columns) + worlds_in(&bits, -0.15f, 0.15f);
    def.speed = worlds_in(&bits, 1.0f, 1.6f);
    def.route[0] = (th_stop){.choice = s->choice};
    def.route_count = 1;
    worlds_add(s->world, &def);
  }
}

/* One step, and who arrived where. */
static inline void hall_step(hall *s) {
  uint32_t count;
  th_world_step(s->world);
  const th_event *event = th_world_events(s->world, &count);
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < HALL_EXITS; k++)
      if (event[i].kind == TH_EVENT_ARRIVED && th_same_goal(event[i].goal, s->exit[k])) {
        s->left[k]++;
        s->last[k] = th_world_time(s->world);
      }
}

static inline void hall_run(hall *s, double seconds) {
  while (!th_world_done(s->world) && th_world_time(s->world) < seconds) hall_step(s);
}

static inline void hall_end(hall *s) {
  th_world_free(s->world);
  th_ground_release(s->ground);
}

#endif
