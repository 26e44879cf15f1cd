/* tests/support/mesh_fields.h - fields on generated mesh grounds. */
#ifndef TH_TESTS_SUPPORT_MESH_FIELDS_H
#define TH_TESTS_SUPPORT_MESH_FIELDS_H

#include "field/mesh/field.h"
#include "support/mesh_grounds.h"
#include "support/slow.h"

#define MESH_STARTS LONG_RUN(1000u, 60u)

static inline th_solver *solver_of(th_ground *ground) {
  th_solver *solver = NULL;
  assert_int_equal(th_solver_make(&(th_solver_def){.ground = ground}, &solver, NULL), TH_OK);
  return solver;
}

/* A field to a point in space. */
static inline th_field *field_to_point(th_solver *solver, th_field_def def, th_vec3 goal) {
  th_error error = {0};
  th_field *field = NULL;
  def.goal = th_point_shape_at(goal);
  if (th_field_make(solver, &def, &field, &error) != TH_OK) fail_msg("%s: %s", error.where, error.text);
  return field;
}

/* A place with a free corner, so that a goal there need not be moved. */
static inline th_place free_place(const th_ground *ground, uint64_t seed) {
  for (uint32_t n = 0;; n++) {
    th_place place = mesh_kind_any_place(ground, seed, n);
    const uint32_t *corner = ground->mesh->mesh.corner + 3 * (size_t)place.cell;
    for (int k = 0; k < 3; k++)
      if (!th_mesh_vertex_blocked(ground, 0, corner[k])) return place;
  }
}

static inline double distance3(th_vec3 a, th_vec3 b) {
  double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
  return sqrt(x * x + y * y + z * z);
}

/* Walks like an agent, one sample a step. True when it comes within a step of the goal. */
static inline bool walk_arrives(const th_ground *ground, const th_field *field, th_place place, double step) {
  double max = 30.0 * (double)th_field_gradient_at(field, place).left / step + 3000.0;
  for (double n = 0.0; n < max; n += 1.0) {
    th_field_gradient s = th_field_gradient_at(field, place);
    if ((double)s.left <= step) return true;
    th_ground_walk(ground, &place, (th_vec2){(float)step * s.dx, (float)step * s.dy}, 0.0f, NULL);
  }
  return false;
}

#endif
