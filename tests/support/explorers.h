/* tests/support/explorers.h - the house of worlds.h with explorers in its first room. */
#ifndef TH_TESTS_SUPPORT_EXPLORERS_H
#define TH_TESTS_SUPPORT_EXPLORERS_H

#include "guide/explore/explore.h"
#include "support/worlds.h"

typedef struct party {
  log_capture h;
  th_ground *ground;
  th_world *world;
  th_guide_id guide;
  th_agent_id agent[4];
} party;

static inline void party_make(party *p, const th_explore_params *params, uint32_t workers) {
  *p = (party){0};
  th_env env = worlds_env(&p->h);
  p->ground = worlds_house(&env);
  th_world_def def = th_default_world_def();
  def.env = env;
  def.ground = p->ground;
  def.workers = workers;
  OK(th_world_make(&def, &p->world, &error));
  OK(th_world_add_guide(p->world, &th_guide_explore, params, &p->guide, &error));
}

static inline th_agent_def explorer(const party *p, float x, float y) {
  th_agent_def def = worlds_agent_def(x, y, NOWHERE);
  def.guide = p->guide;
  def.remove = false;
  return def;
}

static inline void party_add(party *p, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    th_agent_def def = explorer(p, 2.0f + (float)i, 3.0f + 2.0f * (float)(i % 2));
    p->agent[i] = worlds_add(p->world, &def);
  }
}

static inline void party_end(party *p) {
  assert_int_equal(p->h.faults, 0);
  worlds_end(p->world, p->ground);
}

static inline const void *memory_of(const party *p) { return th_world_guide_memory(p->world, p->guide, NULL); }
static inline th_explored explored(const party *p) { return th_explore_read(memory_of(p)); }
static inline uint32_t cell_at(const party *p, float x, float y) { return th_ground_cell(p->ground, x, y); }

/* Metres that agent 0 walks until nobody is under way; fails after `max` steps. */
static inline float walk_all(party *p, uint32_t max) {
  float walked = 0.0f;
  for (uint32_t s = 0; s < max && !th_world_done(p->world); s++) {
    th_vec2 a = worlds_at(p->world, p->agent[0]);
    th_world_step(p->world);
    th_vec2 b = worlds_at(p->world, p->agent[0]);
    walked += hypotf(b.x - a.x, b.y - a.y);
  }
  assert_true(th_world_done(p->world));
  return walked;
}

#endif
