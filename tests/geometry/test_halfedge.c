/* tests/geometry/test_halfedge.c - moving round vertices and borders; pieces, Euler number, genus. */
#include "support/meshes.h"

/* A square of n x n cells in the plane, without the cell in its middle when n is odd and `hole`. */
static void make_square(th_mesh *m, uint32_t n, bool hole) {
  double *xyz = calloc(3 * (n + 1) * (n + 1), sizeof *xyz);
  uint32_t *corner = calloc(6 * n * n, sizeof *corner), faces = 0;
  for (uint32_t j = 0; j <= n; j++) {
    for (uint32_t i = 0; i <= n; i++) {
      xyz[3 * (j * (n + 1) + i)] = i;
      xyz[3 * (j * (n + 1) + i) + 1] = j;
    }
  }
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < n; i++) {
      if (hole && i == n / 2 && j == n / 2) continue;
      uint32_t a = j * (n + 1) + i, d = a + n + 1;
      const uint32_t two[] = {a, a + 1, d + 1, a, d + 1, d};
      memcpy(corner + 3 * faces, two, sizeof two);
      faces += 2;
    }
  }
  th_mesh_def def = meshes_def(xyz, (n + 1) * (n + 1), corner, faces);
  assert_int_equal(th_mesh_build(&def, m, NULL), TH_OK);
  free(xyz);
  free(corner);
}

/* shows: SBVP-02 */
static void a_walk_round_a_vertex_goes_both_ways(void **unused) {
  (void)unused;
  th_mesh m;
  make_square(&m, 4, false);
  meshes_assert_whole(&m);
  uint32_t v = 12, begin = m.leaving[v], h = begin, steps = 0;
  do h = th_half_left(&m, h), steps++;
  while (h != begin);
  assert_int_equal(steps, 6);
  do h = th_half_right(&m, h), steps--;
  while (h != begin);
  assert_int_equal(steps, 0);
  th_mesh_free(&m);
}

/* shows: SBVP-03 SBVP-06 */
static void links_and_neighbours_are_the_edges(void **unused) {
  (void)unused;
  th_mesh m;
  make_square(&m, 5, true);
  for (uint32_t a = 0; a < m.vertex_count; a++) {
    uint32_t near[16], count = th_mesh_vertex_neighbours(&m, a, near, 16);
    assert_int_equal(th_mesh_vertex_neighbours(&m, a, NULL, 0), count);
    for (uint32_t b = 0; b < m.vertex_count; b++) {
      uint32_t found = TH_NO_HALF, joined = 0, listed = 0;
      for (uint32_t h = 0; h < 3 * m.face_count; h++) {
        if (th_half_from(&m, h) == a && th_half_to(&m, h) == b) found = h;
        if (th_half_from(&m, h) == b && th_half_to(&m, h) == a) joined = 1;
      }
      joined |= found != TH_NO_HALF;
      for (uint32_t i = 0; i < count; i++) listed += near[i] == b;
      assert_int_equal(th_half_link(&m, a, b), found);
      assert_int_equal(listed, joined);
    }
  }
  th_mesh_free(&m);
}

/* shows: SBVP-04 */
static void borders_are_loops_with_the_surface_left(void **unused) {
  (void)unused;
  th_mesh m;
  make_square(&m, 5, true);
  th_mesh_borders b;
  assert_int_equal(th_mesh_borders_make(&m, &b, NULL), TH_OK);
  assert_int_equal(b.count, 2);
  assert_int_equal(b.halves, 24);
  double area[2] = {0, 0};
  for (uint32_t i = 0; i < b.count; i++) {
    for (uint32_t k = b.start[i]; k < b.start[i + 1]; k++) {
      uint32_t from = th_half_from(&m, b.half[k]), to = th_half_to(&m, b.half[k]);
      uint32_t next = k + 1 < b.start[i + 1] ? b.half[k + 1] : b.half[b.start[i]];
      assert_int_equal(th_half_from(&m, next), to);
      area[i] += m.xyz[3 * from] * m.xyz[3 * to + 1] - m.xyz[3 * from + 1] * m.xyz[3 * to];
    }
  }
  assert_true(area[0] == 50.0 && area[1] == -2.0);
  th_mesh_borders_free(&m, &b);
  th_mesh_piece piece = meshes_only_piece(&m);
  assert_int_equal(piece.borders, 2);
  assert_int_equal(piece.genus, 0);
  assert_int_equal(piece.euler, 0);
  th_mesh_free(&m);
}

static void pieces_are_counted_each_for_itself(void **unused) {
  (void)unused;
  double xyz[48];
  uint32_t corner[72 - 3];
  for (int i = 0; i < 24; i++) {
    xyz[i] = meshes_cube_xyz[i];
    xyz[24 + i] = meshes_cube_xyz[i] + 5.0;
  }
  for (int i = 0; i < 36; i++) corner[i] = meshes_cube[i];
  for (int i = 0; i < 33; i++) corner[36 + i] = meshes_cube[i] + 8;
  th_mesh_def def = MESHES_DEF(xyz, corner);
  th_mesh m;
  th_mesh_pieces p;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  assert_int_equal(th_mesh_pieces_make(&m, &p, NULL), TH_OK);
  assert_int_equal(p.count, 2);
  assert_int_equal(p.of_face[11], 0);
  assert_int_equal(p.of_face[12], 1);
  assert_int_equal(p.piece[0].edges, 18);
  assert_int_equal(p.piece[0].euler, 2);
  assert_int_equal(p.piece[1].borders, 1);
  assert_int_equal(p.piece[1].euler, 1);
  assert_int_equal(p.piece[1].genus, 0);
  th_mesh_pieces_free(&m, &p);
  th_mesh_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_walk_round_a_vertex_goes_both_ways),
      cmocka_unit_test(links_and_neighbours_are_the_edges),
      cmocka_unit_test(borders_are_loops_with_the_surface_left),
      cmocka_unit_test(pieces_are_counted_each_for_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
