/* tests/support/stage.h - what most tests of worlds stand on: a log, a ground, a world on it, and one goal.
 *
 *   stage s;  stage_begin(&s, worlds_house, NULL);  ...  stage_end(&s);
 */
#ifndef TH_TESTS_SUPPORT_STAGE_H
#define TH_TESTS_SUPPORT_STAGE_H

#include "support/worlds.h"

typedef struct stage {
  log_capture h;
  th_ground *ground;
  th_world *world;
  th_goal_id goal; /* of tests that need one; stage_begin leaves it null */
} stage;

/* A world as `wish` describes it, but on this ground and with the stage's log; NULL: all defaults. */
static inline void stage_begin(stage *s, th_ground *(*ground)(const th_env *env), const th_world_def *wish) {
  memset(s, 0, sizeof *s);
  th_world_def def = wish ? *wish : th_default_world_def();
  def.env = worlds_env(&s->h);
  def.ground = s->ground = ground(&def.env);
  OK(th_world_make(&def, &s->world, &error));
}

static inline void stage_end(stage *s) { worlds_end(s->world, s->ground); }

#endif
