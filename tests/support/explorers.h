/* tests/support/explorers.h - explorers: in the house of worlds.h, or on any ground. */
#ifndef TH_TESTS_SUPPORT_EXPLORERS_H
#define TH_TESTS_SUPPORT_EXPLORERS_H

#include "guide/explore/explore.h"
#include "support/mesh_worlds.h"

typedef struct crew {
  log_capture h;
  th_ground *ground;
  th_world *world;
  th_guide_id guide;
  th_agent_id agent[8];
  uint32_t count;
} crew;

static inline void crew_on(crew *c, th_ground *ground, const th_explore_params *params, uint32_t workers) {
  c->ground = ground;
  th_world_def def = th_default_world_def();
  def.env = worlds_env(&c->h);
  def.ground = ground;
  def.workers = workers;
  OK(th_world_make(&def, &c->world, &error));
  OK(th_world_add_guide(c->world, &th_guide_explore, params, &c->guide, &error));
}

static inline void crew_in_house(crew *c, const th_explore_params *params, uint32_t workers) {
  *c = (crew){0};
  th_env env = worlds_env(&c->h);
  crew_on(c, worlds_house(&env), params, workers);
}

static inline th_agent_def crew_def(const crew *c, float x, float y, float z) {
  th_agent_def def = worlds_agent_def(x, y, NOWHERE);
  def.point.z = z;
  def.guide = c->guide;
  def.remove = false;
  return def;
}

static inline th_agent_id crew_add(crew *c, float x, float y, float z) {
  th_agent_def def = crew_def(c, x, y, z);
  return c->agent[c->count++] = worlds_add(c->world, &def);
}

/* In the first room of the house. */
static inline void crew_enter(crew *c, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) crew_add(c, 2.0f + (float)i, 3.0f + 2.0f * (float)(i % 2), 0.0f);
}

static inline void crew_end(crew *c) {
  assert_int_equal(c->h.faults, 0);
  worlds_end(c->world, c->ground);
}

static inline const void *memory_of(const crew *c) { return th_world_guide_memory(c->world, c->guide, NULL); }
static inline th_explored explored(const crew *c) { return th_explore_read(memory_of(c)); }
static inline uint32_t cell_at(const crew *c, float x, float y) { return th_ground_cell(c->ground, x, y); }

/* Metres that agent 0 walks until nobody is under way; fails after `max` steps. */
static inline float walk_all(crew *c, uint32_t max) {
  float walked = 0.0f;
  for (uint32_t s = 0; s < max && !th_world_done(c->world); s++) {
    th_vec3 a = th_world_agent_point(c->world, c->agent[0]);
    th_world_step(c->world);
    walked += mesh_grounds_apart(a, th_world_agent_point(c->world, c->agent[0]));
    if (s % 50 == 0 && th_ground_mesh(c->ground)) mesh_grounds_assert_sound(c->world);
  }
  if (!th_world_done(c->world)) fail_msg("not done after %u steps, %.0f m2 seen", max, (double)explored(c).area);
  return walked;
}

#endif
