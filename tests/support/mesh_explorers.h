/* tests/support/mesh_explorers.h - explorers on meshes. */
#ifndef TH_TESTS_SUPPORT_MESH_EXPLORERS_H
#define TH_TESTS_SUPPORT_MESH_EXPLORERS_H

#include "guide/explore/mesh.h"
#include "support/explorers.h"
#include "support/slow.h"

static inline void crew_make(crew *c, const th_make_params *make, const th_explore_params *params, uint32_t workers) {
  *c = (crew){0};
  th_env env = worlds_env(&c->h);
  crew_on(c, mesh_grounds_make(&env, make), params, workers);
}

static inline th_explore_mesh map_of(const crew *c) {
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
