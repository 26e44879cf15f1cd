/* tests/geometry/test_mesh.c - triangles are repaired by the stated rules, or refused with the element named. */
#include "support/meshes.h"

static const th_mesh_note *note_of(const th_mesh *m, th_mesh_note_kind kind) {
  for (uint32_t i = 0; i < m->note_count; i++)
    if (m->note[i].kind == kind) return &m->note[i];
  return NULL;
}

/* shows: SBVP-01 */
static void a_cube_comes_through_unchanged(void **unused) {
  (void)unused;
  th_mesh m;
  th_mesh_def def = MESHES_DEF(meshes_cube_xyz, meshes_cube);
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  meshes_assert_whole(&m);
  assert_int_equal(m.note_count, 0);
  assert_memory_equal(m.corner, meshes_cube, sizeof meshes_cube);
  assert_memory_equal(m.xyz, meshes_cube_xyz, sizeof meshes_cube_xyz);
  th_mesh_piece piece = meshes_only_piece(&m);
  assert_int_equal(piece.euler, 2);
  assert_int_equal(piece.borders, 0);
  th_mesh_free(&m);
}

/* As STL has it: each face with three vertices of its own, floats, in millimetres. */
static void a_soup_of_triangles_is_welded(void **unused) {
  (void)unused;
  float xyz[108];
  uint32_t corner[36];
  for (uint32_t h = 0; h < 36; h++) {
    corner[h] = h;
    for (uint32_t k = 0; k < 3; k++) xyz[3 * h + k] = 1000.0f * (float)meshes_cube_xyz[3 * meshes_cube[h] + k];
  }
  xyz[0] = -0.0f;
  th_mesh_def def = th_default_mesh_def();
  def.xyz_float = xyz;
  def.corner = corner;
  def.vertex_count = 36;
  def.face_count = 12;
  def.metres_per_unit = 1e-3;
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  meshes_assert_whole(&m);
  assert_int_equal(m.vertex_count, 8);
  assert_int_equal(m.count[TH_MESH_WELDED], 28);
  assert_true(fabs(m.xyz[3 * m.vertex_of[1]] - 1.0) < 1e-12);
  th_mesh_free(&m);
  def.weld = -1.0;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  assert_int_equal(m.vertex_count, 36);
  th_mesh_free(&m);
}

/* Two triangles whose common edge is torn by 0.5 mm: what coincides is one vertex, and is counted. */
/* shows: SBVP-07 */
static void near_vertices_are_welded_within_the_distance(void **unused) {
  (void)unused;
  const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1.0004, 0, 0, 0, 1, 0.0005, 1, 1, 0};
  const uint32_t corner[] = {0, 1, 2, 3, 5, 4};
  th_mesh_def def = MESHES_DEF(xyz, corner);
  th_mesh m;
  for (int i = 0; i < 3; i++) {
    const double weld[] = {0.0, 0.0004501, 0.001};
    const uint32_t welded[] = {0, 1, 2};
    def.weld = weld[i];
    assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
    meshes_assert_whole(&m);
    assert_int_equal(m.count[TH_MESH_WELDED], welded[i]);
    if (i == 1) assert_int_equal(m.count[TH_MESH_PARTED], 1); /* its faces now touch in one point */
    if (i == 2) assert_true(m.vertex_of[3] == 1 && m.vertex_of[4] == 2);
    th_mesh_free(&m);
  }
}

/* Welding by the hash must say what a search of all pairs says. */
static void welding_equals_a_search_of_all(void **unused) {
  (void)unused;
  enum { N = 300 };
  double xyz[3 * N];
  uint32_t corner[N], state = 12345;
  for (int i = 0; i < 3 * N; i++) xyz[i] = (double)((state = state * 1664525u + 1013904223u) >> 24) / 256.0;
  for (uint32_t i = 0; i < N; i++) corner[i] = i;
  th_mesh_def def = meshes_def(xyz, N, corner, N / 3);
  def.weld = 0.12;
  def.drop_crowded = true;
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  uint32_t of[N], welded = 0;
  for (int v = 0; v < N; v++) {
    of[v] = (uint32_t)v;
    for (int w = v - 1; w >= 0; w--) {
      double x = xyz[3 * v] - xyz[3 * w], y = xyz[3 * v + 1] - xyz[3 * w + 1], z = xyz[3 * v + 2] - xyz[3 * w + 2];
      if (of[w] == (uint32_t)w && x * x + y * y + z * z <= 0.12 * 0.12) of[v] = (uint32_t)w;
    }
    welded += of[v] != (uint32_t)v;
  }
  assert_true(welded > 20);
  assert_int_equal(m.count[TH_MESH_WELDED], welded);
  for (int v = 0; v < N; v++) assert_int_equal(m.vertex_of[v], m.vertex_of[of[v]]);
  th_mesh_free(&m);
}

/* Zero-area faces, unused vertices, faces that are there twice. */
/* shows: SBVP-07 */
static void what_has_no_use_is_dropped_and_named(void **unused) {
  (void)unused;
  const double xyz[] = {9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.5, 0, 1, 1, 0};
  /* 1: two equal corners; 2: on a line; 4: again face 0, turned; vertex 0 is unused */
  const uint32_t corner[] = {1, 2, 3, 1, 2, 2, 2, 4, 3, 2, 5, 3, 3, 2, 1};
  th_mesh_def def = MESHES_DEF(xyz, corner);
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  meshes_assert_whole(&m);
  assert_int_equal(m.face_count, 2);
  assert_int_equal(m.face_from[1], 3);
  assert_int_equal(m.vertex_count, 4);
  assert_int_equal(m.vertex_of[0], TH_NO_ELEMENT);
  assert_int_equal(m.vertex_of[5], 3);
  assert_int_equal(m.count[TH_MESH_DEGENERATE], 2);
  assert_int_equal(note_of(&m, TH_MESH_DEGENERATE)->index, 1);
  assert_int_equal(note_of(&m, TH_MESH_DUPLICATE)->index, 4);
  assert_int_equal(note_of(&m, TH_MESH_DUPLICATE)->other, 0);
  assert_int_equal(m.count[TH_MESH_UNUSED], 2);
  assert_int_equal(note_of(&m, TH_MESH_UNUSED)->index, 0);
  th_mesh_free(&m);
}

static void faces_are_turned_by_the_majority(void **unused) {
  (void)unused;
  uint32_t corner[36];
  th_mesh m;
  for (uint32_t turned = 0; turned < 4096; turned += 37) {
    memcpy(corner, meshes_cube, sizeof corner);
    uint32_t flips = 0;
    for (uint32_t f = 0; f < 12; f++) {
      if (!(turned >> f & 1)) continue;
      uint32_t c = corner[3 * f];
      corner[3 * f] = corner[3 * f + 2];
      corner[3 * f + 2] = c;
      flips++;
    }
    th_mesh_def def = MESHES_DEF(meshes_cube_xyz, corner);
    assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
    meshes_assert_whole(&m);
    assert_int_equal(m.count[TH_MESH_TURNED], flips < 12 - flips || (flips == 6 && !(turned & 1)) ? flips : 12 - flips);
    th_mesh_free(&m);
  }
}

static void refuse(const th_mesh_def *def, th_result code, uint32_t element, const char *part) {
  th_mesh m;
  th_error error = {0};
  assert_int_equal(th_mesh_build(def, &m, &error), code);
  assert_int_equal(error.element, element);
  if (!strstr(error.text, part)) fail_msg("expected '%s' in '%s'", part, error.text);
  assert_null(m.xyz);
  th_mesh_free(&m);
}

static void broken_meshes_are_refused_by_name(void **unused) {
  (void)unused;
  const uint32_t one[] = {0, 1, 2}, far[] = {0, 1, 2, 0, 2, 7};
  double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  th_mesh_def def = MESHES_DEF(xyz, one);
  def.face_count = 0;
  refuse(&def, TH_ERROR_GEOMETRY, TH_NO_ELEMENT, "found none");
  def = MESHES_DEF(xyz, far);
  refuse(&def, TH_ERROR_GEOMETRY, 1, "found 7 in face 1");
  def = MESHES_DEF(xyz, one);
  def.vertex_count = 0;
  refuse(&def, TH_ERROR_GEOMETRY, TH_NO_ELEMENT, "vertices");
  const double bad[] = {(double)NAN, (double)INFINITY, -1e8};
  for (int i = 0; i < 3; i++) {
    def = MESHES_DEF(xyz, one);
    xyz[4] = bad[i];
    refuse(&def, TH_ERROR_RANGE, 1, "vertex 1");
  }
  xyz[4] = 0.0;
  xyz[7] = 0.0;
  refuse(&def, TH_ERROR_GEOMETRY, TH_NO_ELEMENT, "area");
  xyz[7] = 1.0;
  def.metres_per_unit = (double)NAN;
  refuse(&def, TH_ERROR_RANGE, TH_NO_ELEMENT, "metres per unit");
  def.metres_per_unit = 1.0;
  def.face_count = TH_MESH_MAX_FACES + 1;
  refuse(&def, TH_ERROR_CAPACITY, TH_NO_ELEMENT, "at most");
}

static const double book_xyz[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0.1, 0, 0, 1, 0};
static const uint32_t book[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};

/* shows: SBVP-07 */
static void three_faces_on_an_edge_are_refused_or_dropped(void **unused) {
  (void)unused;
  th_mesh_def def = MESHES_DEF(book_xyz, book);
  refuse(&def, TH_ERROR_GEOMETRY, 2, "from (0, 0, 0) to (0, 0, 1): faces 0, 1 and 2");
  def.drop_crowded = true;
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  meshes_assert_whole(&m);
  assert_int_equal(m.face_count, 2);
  assert_int_equal(note_of(&m, TH_MESH_CROWDED)->index, 2);
  assert_int_equal(note_of(&m, TH_MESH_UNUSED)->index, 4);
  th_mesh_free(&m);
}

static void a_moebius_strip_is_refused(void **unused) {
  (void)unused;
  enum { N = 12 };
  double xyz[6 * N];
  uint32_t corner[6 * N];
  for (int i = 0; i < N; i++) {
    double turn = 2.0 * 3.14159265358979 * i / N, half = turn / 2.0;
    for (int side = 0; side < 2; side++) {
      double w = side ? 0.4 : -0.4;
      double *p = xyz + 3 * (2 * i + side);
      p[0] = (2.0 + w * cos(half)) * cos(turn);
      p[1] = (2.0 + w * cos(half)) * sin(turn);
      p[2] = w * sin(half);
    }
    uint32_t a = 2 * (uint32_t)i, b = a + 1, c = (a + 2) % (2 * N), d = (a + 3) % (2 * N);
    if (i == N - 1) c = 1, d = 0;
    const uint32_t two[] = {a, c, b, b, c, d};
    memcpy(corner + 6 * i, two, sizeof two);
  }
  th_mesh_def def = meshes_def(xyz, 2 * N, corner, 2 * N);
  th_error error = {0};
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, &error), TH_ERROR_GEOMETRY);
  assert_non_null(strstr(error.text, "one side only"));
  assert_non_null(strstr(error.text, "edge from ("));
  def.face_count -= 2; /* cut open, it has two sides */
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  assert_int_equal(meshes_only_piece(&m).euler, 1);
  th_mesh_free(&m);
}

static void an_hourglass_is_parted(void **unused) {
  (void)unused;
  const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};
  const uint32_t corner[] = {0, 1, 2, 0, 3, 4};
  th_mesh_def def = MESHES_DEF(xyz, corner);
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  meshes_assert_whole(&m);
  assert_int_equal(m.vertex_count, 6);
  assert_int_equal(note_of(&m, TH_MESH_PARTED)->index, 0);
  assert_int_equal(note_of(&m, TH_MESH_PARTED)->other, 5);
  assert_true(note_of(&m, TH_MESH_PARTED)->at.x == 0.0f && note_of(&m, TH_MESH_PARTED)->at.y == 0.0f);
  assert_int_equal(m.corner[3], 5);
  assert_true(m.xyz[15] == 0.0 && m.xyz[16] == 0.0);
  th_mesh_free(&m);
}

/* All faces on one edge and one hub: nothing here may be quadratic. */
static void a_hub_of_many_edges_costs_no_square(void **unused) {
  (void)unused;
  enum { N = 200000 };
  double *xyz = calloc(3 * (N + 2), sizeof *xyz);
  uint32_t *corner = calloc(3 * N, sizeof *corner);
  assert_true(xyz && corner);
  xyz[2] = 1.0;
  for (int i = 0; i < N; i++) {
    double angle = 6.283185307 * i / N;
    xyz[3 * (i + 2)] = cos(angle);
    xyz[3 * (i + 2) + 1] = sin(angle);
    corner[3 * i + 1] = 1;
    corner[3 * i + 2] = (uint32_t)i + 2;
  }
  th_mesh_def def = meshes_def(xyz, N + 2, corner, N);
  def.drop_crowded = true;
  th_mesh m;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  assert_int_equal(m.count[TH_MESH_CROWDED], N - 2);
  th_mesh_free(&m);
  for (uint32_t i = 0; i < N; i++) corner[3 * i + 1] = 2 + (i + 1) % N;
  def.drop_crowded = false;
  xyz[2] = 0.0;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  assert_int_equal(m.face_count, N);
  assert_int_equal(m.count[TH_MESH_TURNED], 0);
  th_mesh_free(&m);
  free(xyz);
  free(corner);
}

static th_result make_all(const th_env *env, void *context) {
  th_mesh_def def = *(th_mesh_def *)context;
  def.env = *env;
  th_mesh m;
  th_mesh_pieces pieces = {0};
  th_mesh_borders borders = {0};
  th_result result = th_mesh_build(&def, &m, NULL);
  if (result != TH_OK) return result;
  result = th_mesh_pieces_make(&m, &pieces, NULL);
  if (result == TH_OK) result = th_mesh_borders_make(&m, &borders, NULL);
  th_mesh_pieces_free(&m, &pieces);
  th_mesh_borders_free(&m, &borders);
  th_mesh_free(&m);
  return result;
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  th_mesh_def def = MESHES_DEF(book_xyz, book);
  def.drop_crowded = true;
  assert_true(failing_every(make_all, &def) > 15);
  const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 5, 5, 5};
  const uint32_t corner[] = {0, 1, 2, 0, 3, 4, 0, 0, 1, 0, 1, 2, 0, 2, 3, 2, 3, 5};
  def = MESHES_DEF(xyz, corner);
  assert_true(failing_every(make_all, &def) > 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_comes_through_unchanged),
      cmocka_unit_test(a_soup_of_triangles_is_welded),
      cmocka_unit_test(near_vertices_are_welded_within_the_distance),
      cmocka_unit_test(welding_equals_a_search_of_all),
      cmocka_unit_test(what_has_no_use_is_dropped_and_named),
      cmocka_unit_test(faces_are_turned_by_the_majority),
      cmocka_unit_test(broken_meshes_are_refused_by_name),
      cmocka_unit_test(three_faces_on_an_edge_are_refused_or_dropped),
      cmocka_unit_test(a_moebius_strip_is_refused),
      cmocka_unit_test(an_hourglass_is_parted),
      cmocka_unit_test(a_hub_of_many_edges_costs_no_square),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
