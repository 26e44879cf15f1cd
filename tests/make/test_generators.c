/* tests/make/test_generators.c - generated surfaces have the topology, the sizes and the shapes that they claim. */
#include <stdio.h>

#include "make/shapes.h"
#include "support/meshes.h"

static void finish(th_soup *soup, th_mesh *mesh) {
  th_error error = {0};
  if (th_soup_mesh(soup, mesh, &error) != TH_OK) fail_msg("%s", error.text);
  meshes_assert_whole(mesh);
  assert_int_equal(mesh->count[TH_MESH_TURNED], 0);
  assert_int_equal(mesh->count[TH_MESH_PARTED], 0);
}

static double face_area(const th_mesh *m, uint32_t f) {
  const double *a = m->xyz + 3 * m->corner[3 * f], *b = m->xyz + 3 * m->corner[3 * f + 1],
               *c = m->xyz + 3 * m->corner[3 * f + 2];
  double u[3], v[3];
  for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], v[k] = c[k] - a[k];
  double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
  return 0.5 * sqrt(x * x + y * y + z * z);
}

static double area_of(const th_mesh *m) {
  double sum = 0.0;
  for (uint32_t f = 0; f < m->face_count; f++) sum += face_area(m, f);
  return sum;
}

/* Positive when faces look outwards. */
static double volume_of(const th_mesh *m) {
  double sum = 0.0;
  for (uint32_t f = 0; f < m->face_count; f++) {
    const double *a = m->xyz + 3 * m->corner[3 * f], *b = m->xyz + 3 * m->corner[3 * f + 1],
                 *c = m->xyz + 3 * m->corner[3 * f + 2];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6.0;
}

static void expect(const th_mesh *m, int32_t euler, uint32_t borders, uint32_t genus) {
  th_mesh_piece piece = meshes_only_piece(m);
  assert_int_equal(piece.euler, euler);
  assert_int_equal(piece.borders, borders);
  assert_int_equal(piece.genus, genus);
}

static void sheets_are_flat_and_whole(void **unused) {
  (void)unused;
  th_mesh m;
  th_soup s = th_soup_begin(NULL);
  th_make_plane(&s, 30, 20, 0.5, 0.25);
  finish(&s, &m);
  expect(&m, 1, 1, 0);
  assert_true(fabs(area_of(&m) - 75.0) < 1e-9);
  assert_true(m.face_count == 1200 && m.vertex_count == 31 * 21);
  th_mesh_free(&m);
  th_make_equilateral(&s, 50, 57, 0.02);
  finish(&s, &m);
  expect(&m, 1, 1, 0);
  assert_true(fabs(area_of(&m) - 57 * 0.02 * sqrt(0.75)) < 1e-9);
  uint32_t full = 0;
  for (uint32_t f = 0; f < m.face_count; f++) {
    double area = face_area(&m, f) / (0.02 * 0.02 * sqrt(0.75) * 0.5);
    assert_true(fabs(area - 1.0) < 1e-9 || fabs(area - 0.5) < 1e-9);
    full += area > 0.75;
  }
  assert_int_equal(m.face_count - full, 57 * 2);
  th_mesh_free(&m);
}

static double hill(void *user, double x, double y) { return *(double *)user * x - y; }

static void terrain_takes_heights_from_function_and_image(void **unused) {
  (void)unused;
  th_mesh m;
  double slope = 2.0;
  th_soup s = th_soup_begin(NULL);
  th_make_plane(&s, 4, 4, 1.0, 1.0);
  th_make_terrain(&s, hill, &slope);
  finish(&s, &m);
  assert_true(fabs(area_of(&m) - 16.0 * sqrt(6.0)) < 1e-9);
  th_mesh_free(&m);
  const uint8_t grey[6] = {0, 51, 255, 102, 0, 0};
  th_make_grey image = {grey, 3, 2, 2.0, 10.0, 20.0};
  th_make_grey_terrain(&s, &image);
  finish(&s, &m);
  assert_int_equal(m.face_count, 4);
  assert_true(fabs(m.xyz[2] - 14.0) < 1e-12 && m.xyz[0] == 0.0 && m.xyz[1] == 0.0); /* lower left */
  assert_true(m.xyz[3 * 5 + 2] == 20.0 && m.xyz[3 * 5 + 1] == 2.0);                 /* upper right */
  th_mesh_free(&m);
}

static void round_shapes_close_as_they_should(void **unused) {
  (void)unused;
  const double pi = TH_PI_DOUBLE;
  th_mesh m;
  th_soup s = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&s, 4, 3.0, 0.0, NULL), TH_OK);
  finish(&s, &m);
  expect(&m, 2, 0, 0);
  assert_int_equal(m.face_count, 5120);
  assert_true(fabs(area_of(&m) / (36.0 * pi) - 1.0) < 0.005 && volume_of(&m) > 0.99 * 36.0 * pi);
  th_mesh_free(&m);
  th_make_torus(&s, 40, 100, 10.0, 3.0);
  finish(&s, &m);
  expect(&m, 0, 0, 1);
  assert_true(fabs(area_of(&m) / (4.0 * pi * pi * 30.0) - 1.0) < 0.01 && volume_of(&m) > 0.0);
  th_mesh_free(&m);
  th_make_pipe pipe = {.around = 24, .along = 10, .length = 5.0, .low = 2.0, .high = 2.0};
  th_make_tube(&s, &pipe);
  finish(&s, &m);
  expect(&m, 0, 2, 0);
  assert_true(volume_of(&m) > 0.0);
  th_mesh_free(&m);
  pipe.inside = true;
  pipe.high = 0.0;
  th_make_tube(&s, &pipe);
  assert_int_equal(th_soup_mesh(&s, &m, NULL), TH_OK);
  expect(&m, 1, 1, 0);
  assert_true(volume_of(&m) < 0.0);
  assert_int_equal(m.vertex_count, 24 * 10 + 1);
  th_mesh_free(&m);
}

/* A minimal surface has mean curvature 0: the cotangent Laplacian of the position vanishes at inner vertices. Also the
 * three ends: one flat, two like a catenary, up and down. */
static void costa_is_a_minimal_surface(void **unused) {
  (void)unused;
  enum { N = 120 };
  th_mesh m;
  th_soup s = th_soup_begin(NULL);
  th_make_costa(&s, N, 1.0);
  finish(&s, &m);
  expect(&m, -3, 3, 1);
  double worst = 0.0, top = 0.0, bottom = 0.0, sum = 0.0;
  uint32_t inner = 0;
  for (uint32_t v = 0; v < m.vertex_count; v++) {
    const double *p = m.xyz + 3 * v;
    top = fmax(top, p[2]), bottom = fmin(bottom, p[2]);
    if (th_vertex_is_border(&m, v)) continue;
    double lap[3] = {0, 0, 0}, area = 0.0;
    uint32_t begin = m.leaving[v], h = begin;
    bool near_border = false;
    do { /* (cot b + cot c) summed from each face's two angles */
      const double *q = m.xyz + 3 * th_half_to(&m, h), *r = m.xyz + 3 * m.corner[th_half_previous(h)];
      double pq[3], pr[3], qr[3], cb = 0, cc = 0;
      for (int k = 0; k < 3; k++) pq[k] = q[k] - p[k], pr[k] = r[k] - p[k], qr[k] = r[k] - q[k];
      for (int k = 0; k < 3; k++) cb -= pq[k] * qr[k], cc += pr[k] * qr[k];
      double a = 2.0 * face_area(&m, h / 3);
      for (int k = 0; k < 3; k++) lap[k] += 0.5 * (cc / a * pq[k] + cb / a * pr[k]);
      area += a / 6.0;
      near_border |= th_vertex_is_border(&m, th_half_to(&m, h));
      h = th_half_left(&m, h);
    } while (h != begin);
    double mean = sqrt(lap[0] * lap[0] + lap[1] * lap[1] + lap[2] * lap[2]) / area;
    if (near_border) continue;
    worst = fmax(worst, mean);
    sum += mean;
    inner++;
  }
  printf("costa: mean curvature vector, average %g, worst %g; heights %g to %g\n", sum / inner, worst, bottom, top);
  assert_true(sum / inner < 0.05 && fabs(top + bottom) < 0.01 && top > 0.5);
  th_mesh_free(&m);
}

static void the_house_is_one_piece_on_two_floors(void **unused) {
  (void)unused;
  th_mesh m;
  th_soup s = th_soup_begin(NULL);
  th_make_house(&s, 2);
  finish(&s, &m);
  th_mesh_piece piece = meshes_only_piece(&m);
  assert_int_equal(piece.genus, 0);
  double low = 0.0, high = 0.0, between = 0.0;
  for (uint32_t f = 0; f < m.face_count; f++) {
    double z =
        (m.xyz[3 * m.corner[3 * f] + 2] + m.xyz[3 * m.corner[3 * f + 1] + 2] + m.xyz[3 * m.corner[3 * f + 2] + 2]) /
        3.0;
    *(z == 0.0 ? &low : z == 3.0 ? &high : &between) += face_area(&m, f);
  }
  assert_true(low > 50.0 && high > 50.0);
  assert_true(fabs(between - 1.5 * 5.0) < 1e-9); /* 4 m long, 3 m high, 1.5 m wide */
  th_mesh_free(&m);
}

/* shows: SBVP-05 */
static void sizes_are_those_that_are_printed(void **unused) {
  (void)unused;
  static const struct {
    uint32_t vertices, faces, genus, borders;
    double tolerance;
  } want[TH_MAKE_SIZES] = {
      {665, 0, 0, 1, 0.0},        {1259, 0, 1, 3, 0.02},     {4994, 10000, 4, 0, 0.0},  {34481, 68958, 0, 0, 0.0},
      {20000, 40084, 22, 0, 0.0}, {19994, 40000, 4, 0, 0.0}, {14875, 29774, 7, 0, 0.0}, {10242, 20480, 0, 0, 0.0},
  };
  for (int i = 0; i < TH_MAKE_SIZES; i++) {
    th_mesh m;
    th_error error = {0};
    th_soup s = th_soup_begin(NULL);
    if (th_make_sized(&s, (th_make_size)i, &error) != TH_OK) fail_msg("size %d: %s", i, error.text);
    finish(&s, &m);
    th_mesh_piece piece = meshes_only_piece(&m);
    assert_int_equal(piece.genus, want[i].genus);
    assert_int_equal(piece.borders, want[i].borders);
    printf("size %d: %u vertices, %u faces, genus %u\n", i, m.vertex_count, m.face_count, piece.genus);
    if (want[i].faces) assert_int_equal(m.face_count, want[i].faces);
    assert_true(fabs((double)m.vertex_count - want[i].vertices) <= want[i].tolerance * want[i].vertices);
    if (!want[i].borders) assert_true(volume_of(&m) > 0.0);
    assert_int_equal(m.count[TH_MESH_DEGENERATE], 0);
    th_mesh_free(&m);
  }
}

/* 40 % of noise turns no equilateral face over; slivers keep area and topology. */
static void noise_and_slivers_keep_the_surface(void **unused) {
  (void)unused;
  th_mesh m;
  th_soup s = th_soup_begin(NULL);
  for (uint64_t seed = 1; seed <= 5; seed++) {
    th_make_equilateral(&s, 50, 50, 1.0);
    assert_int_equal(th_soup_shake(&s, 0.4, seed, NULL), TH_OK);
    th_soup_spoil(&s, 0.3, 1e-5, seed);
    finish(&s, &m);
    expect(&m, 1, 1, 0);
    double signed_area = 0.0, thinnest = 1.0;
    for (uint32_t f = 0; f < m.face_count; f++) {
      const double *a = m.xyz + 3 * m.corner[3 * f], *b = m.xyz + 3 * m.corner[3 * f + 1],
                   *c = m.xyz + 3 * m.corner[3 * f + 2];
      double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      if (!(twice > 0.0)) fail_msg("seed %d: face %u turned over", (int)seed, f);
      assert_true(fabs(a[2]) < 1e-14);
      signed_area += 0.5 * twice;
      thinnest = fmin(thinnest, twice);
    }
    assert_true(fabs(signed_area - 50 * 50 * sqrt(0.75)) < 1e-8);
    assert_true(thinnest < 1e-4);
    th_mesh_free(&m);
  }
  assert_int_equal(th_make_icosphere(&s, 3, 1.0, 0.0, NULL), TH_OK);
  assert_int_equal(th_soup_shake(&s, 0.3, 9, NULL), TH_OK);
  finish(&s, &m);
  expect(&m, 2, 0, 0);
  th_mesh_free(&m);
}

static void refining_meets_the_number_or_says_why_not(void **unused) {
  (void)unused;
  th_mesh m;
  th_error error = {0};
  th_soup s = th_soup_begin(NULL);
  th_make_plane(&s, 3, 3, 1.0, 1.0);
  assert_int_equal(th_soup_refine(&s, 101, NULL), TH_OK);
  finish(&s, &m);
  assert_int_equal(m.face_count, 101);
  assert_true(fabs(area_of(&m) - 9.0) < 1e-12);
  th_mesh_free(&m);
  assert_int_equal(th_make_icosphere(&s, 0, 1.0, 0.0, NULL), TH_OK);
  assert_int_equal(th_soup_refine(&s, 31, &error), TH_ERROR_GEOMETRY);
  assert_non_null(strstr(error.text, "found 31"));
  th_soup_free(&s);
}

static th_result make_statue(const th_env *env, void *context) {
  (void)context;
  th_mesh m = {0};
  th_soup s = th_soup_begin(env);
  th_result result = th_make_sieve(&s, 1, 600, NULL);
  if (result == TH_OK) result = th_soup_shake(&s, 0.1, 1, NULL);
  if (result == TH_OK) result = th_soup_quarter(&s, NULL);
  if (result == TH_OK)
    result = th_soup_mesh(&s, &m, NULL);
  else
    th_soup_free(&s);
  th_mesh_free(&m);
  return result;
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  assert_true(failing_every(make_statue, NULL) > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sheets_are_flat_and_whole),
      cmocka_unit_test(terrain_takes_heights_from_function_and_image),
      cmocka_unit_test(round_shapes_close_as_they_should),
      cmocka_unit_test(costa_is_a_minimal_surface),
      cmocka_unit_test(the_house_is_one_piece_on_two_floors),
      cmocka_unit_test(sizes_are_those_that_are_printed),
      cmocka_unit_test(noise_and_slivers_keep_the_surface),
      cmocka_unit_test(refining_meets_the_number_or_says_why_not),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
