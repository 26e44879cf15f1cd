/* tests/support/mesh_explorers.h - explorers on meshes. */
#ifndef TH_TESTS_SUPPORT_MESH_EXPLORERS_H
#define TH_TESTS_SUPPORT_MESH_EXPLORERS_H

#include "guide/explore/mesh.h"
#include "support/mesh_worlds.h"
#include "support/slow.h"

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

static inline void crew_make(crew *c, const th_make_params *make, const th_explore_params *params, uint32_t workers) {
  *c = (crew){0};
  th_env env = worlds_env(&c->h);
  crew_on(c, mesh_grounds_make(&env, make), params, workers);
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

static inline void crew_end(crew *c) {
  assert_int_equal(c->h.faults, 0);
  worlds_end(c->world, c->ground);
}

static inline const void *memory_of(const crew *c) { return th_world_guide_memory(c->world, c->guide, NULL); }
static inline th_explored explored(const crew *c) { return th_explore_read(memory_of(c)); }
static inline th_explore_mesh skin_of(const crew *c) {
  return th_explore_mesh_open(memory_of(c), th_world_ground(c->world));
}

static inline th_place place_of(const crew *c, th_agent_id id) {
  th_agents a = th_world_agents(c->world);
  uint32_t row = th_world_row(c->world, id);
  return (th_place){a.cell[row], a.x[row], a.y[row]};
}

static inline th_vec3 point_of(const crew *c, th_agent_id id) {
  return th_ground_point(th_world_ground(c->world), place_of(c, id));
}

/* Metres that agent 0 walks until nobody is under way; fails after `max` steps. */
static inline float walk_all(crew *c, uint32_t max) {
  float walked = 0.0f;
  for (uint32_t s = 0; s < max && !th_world_done(c->world); s++) {
    th_vec3 a = point_of(c, c->agent[0]);
    th_world_step(c->world);
    walked += mesh_grounds_apart(a, point_of(c, c->agent[0]));
    if (s % 50 == 0) mesh_grounds_assert_sound(c->world);
  }
  if (!th_world_done(c->world)) fail_msg("not done after %u steps, %.0f m2 seen", max, (double)explored(c).area);
  return walked;
}

/* All that may be walked on [m2]. */
static inline double area_of_ground(const th_ground *ground) {
  const th_mesh_ground *s = ground->mesh;
  double sum = 0.0;
  for (uint32_t f = 0; f < s->mesh.face_count; f++)
    if (!s->blocked[f]) sum += 0.5 * s->frames.face[f].bx * s->frames.face[f].cy;
  return sum;
}

static inline th_make_params sphere_of(float radius, int32_t level) {
  th_make_params make = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  make.radius = radius;
  make.level = level;
  return make;
}

#endif
