/* tests/support/mesh_worlds.h - mesh grounds and crowds on them. */
#ifndef TH_TESTS_SUPPORT_MESH_WORLDS_H
#define TH_TESTS_SUPPORT_MESH_WORLDS_H

#include "support/worlds.h"
#include "throng/ground.h"
#include "throng/make.h"

/* Any ground of a made surface; more of the def may be set by the caller before. */
static inline th_ground *mesh_grounds_make_of(const th_env *env, const th_make_params *make, th_mesh_ground_def def) {
  th_mesh mesh;
  th_ground *ground;
  th_make_params with = *make;
  with.env = *env;
  OK(th_mesh_generate(&with, &mesh, &error));
  def.env = *env;
  def.mesh = &mesh;
  OK(th_ground_make_mesh(&def, &ground, &error));
  th_mesh_free(&mesh);
  return ground;
}

static inline th_ground *mesh_grounds_make(const th_env *env, const th_make_params *make) {
  return mesh_grounds_make_of(env, make, th_default_mesh_ground_def());
}

static inline th_make_params mesh_grounds_shape(int32_t shape) {
  th_make_params make = th_default_make_params();
  make.shape = shape;
  return make;
}

/* A random walkable place, evenly by face. */
static inline th_place mesh_grounds_place(const th_ground *ground, uint64_t *state) {
  const th_mesh *mesh = th_ground_mesh(ground);
  const uint8_t *blocked = th_ground_blocked_faces(ground);
  uint32_t face;
  do face = worlds_below(state, mesh->face_count);
  while (blocked[face]);
  float root = sqrtf(worlds_in(state, 0.01f, 0.99f)), t = worlds_in(state, 0.01f, 0.99f);
  return th_ground_place_of(ground, face, (th_vec3){1.0f - root, root * (1.0f - t), root * t});
}

static inline float mesh_grounds_apart(th_vec3 a, th_vec3 b) {
  float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return sqrtf(x * x + y * y + z * z);
}

static inline th_vec3 mesh_grounds_at(const th_world *world, uint32_t row) {
  th_agents a = th_world_agents(world);
  return th_ground_point(th_world_ground(world), (th_place){a.cell[row], a.x[row], a.y[row]});
}

/* Everyone stands on an open face, inside it, with finite numbers. */
static inline void mesh_grounds_assert_sound(const th_world *world) {
  th_agents a = th_world_agents(world);
  const th_ground *ground = th_world_ground(world);
  const uint8_t *blocked = th_ground_blocked_faces(ground);
  for (uint32_t i = 0; i < a.count; i++) {
    assert_true(a.cell[i] < th_ground_mesh(ground)->face_count && !blocked[a.cell[i]]);
    th_vec3 w = th_ground_weights(ground, (th_place){a.cell[i], a.x[i], a.y[i]});
    assert_true(w.x > -1e-3f && w.y > -1e-3f && w.z > -1e-3f);
    assert_true(isfinite(a.vx[i]) && isfinite(a.vy[i]) && isfinite(a.hx[i]) && isfinite(a.hy[i]));
    assert_true(fabsf(a.hx[i] * a.hx[i] + a.hy[i] * a.hy[i] - 1.0f) < 1e-4f);
  }
}

#endif
