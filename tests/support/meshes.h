/* tests/support/meshes.h - small meshes for tests, and what must hold for every mesh. */
#ifndef TH_TESTS_SUPPORT_MESHES_H
#define TH_TESTS_SUPPORT_MESHES_H

#include <math.h>
#include <string.h>

#include "geometry/mesh/halfedge.h"
#include "support/allocator.h"

static inline th_mesh_def meshes_def(const double *xyz, uint32_t vertices, const uint32_t *corner, uint32_t faces) {
  th_mesh_def def = th_default_mesh_def();
  def.xyz_double = xyz;
  def.vertex_count = vertices;
  def.corner = corner;
  def.face_count = faces;
  return def;
}

#define MESHES_DEF(xyz, corner) \
  meshes_def((xyz), (uint32_t)(sizeof(xyz) / sizeof(double) / 3), (corner), (uint32_t)(sizeof(corner) / 12))

/* Every link leads back, every vertex is met by its own fan only, and a fan is met as a whole. */
static inline void meshes_assert_whole(const th_mesh *m) {
  for (uint32_t h = 0; h < 3 * m->face_count; h++) {
    assert_true(m->corner[h] < m->vertex_count);
    assert_int_equal(th_half_next(th_half_previous(h)), h);
    assert_int_equal(th_half_next(th_half_next(th_half_next(h))), h);
    if (m->twin[h] == TH_NO_HALF) continue;
    assert_int_equal(m->twin[m->twin[h]], h);
    assert_int_equal(th_half_from(m, m->twin[h]), th_half_to(m, h));
    assert_int_equal(th_half_to(m, m->twin[h]), th_half_from(m, h));
  }
  uint64_t met = 0;
  for (uint32_t v = 0; v < m->vertex_count; v++) {
    uint32_t begin = m->leaving[v], h = begin;
    do {
      assert_int_equal(th_half_from(m, h), v);
      met++;
      assert_true(met <= 3 * (uint64_t)m->face_count);
      h = th_half_left(m, h);
    } while (h != TH_NO_HALF && h != begin);
    assert_int_equal(h == TH_NO_HALF, th_vertex_is_border(m, v));
  }
  assert_int_equal(met, 3 * (uint64_t)m->face_count);
}

static inline th_mesh_piece meshes_only_piece(const th_mesh *m) {
  th_mesh_pieces pieces;
  assert_int_equal(th_mesh_pieces_make(m, &pieces, NULL), TH_OK);
  assert_int_equal(pieces.count, 1);
  th_mesh_piece piece = pieces.piece[0];
  th_mesh_pieces_free(m, &pieces);
  return piece;
}

static const double meshes_cube_xyz[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
static const uint32_t meshes_cube[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                       1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

/* Builds the cube and calls `make`, which makes and frees something on it: for tests in which allocations fail. */
static inline th_result meshes_on_cube(const th_env *env, bool (*make)(const th_mesh *mesh)) {
  th_mesh m;
  th_mesh_def def = MESHES_DEF(meshes_cube_xyz, meshes_cube);
  def.env = *env;
  th_result result = th_mesh_build(&def, &m, NULL);
  if (result != TH_OK) return result;
  bool made = make(&m);
  th_mesh_free(&m);
  return made ? TH_OK : TH_ERROR_MEMORY;
}

#endif
