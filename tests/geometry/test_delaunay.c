/* tests/geometry/test_delaunay.c - flips end with weights >= 0 and change neither surface nor Laplacian. */
#include <stdio.h>
#include <time.h>

#include "geometry/mesh/delaunay.h"
#include "make/shapes.h"
#include "support/meshes.h"

static void assert_delaunay(const th_delaunay *t) {
  for (uint32_t h = 0; h < 3 * t->face_count; h++) {
    uint32_t g = t->twin[h];
    assert_true(t->length[h] > 0.0 && th_delaunay_weight(t, h) >= 0.0);
    if (g == TH_NO_HALF) continue;
    assert_int_equal(t->twin[g], h);
    assert_true(t->length[g] == t->length[h]);
    assert_int_equal(t->corner[g], t->corner[th_half_next(h)]);
    double sum = th_delaunay_cotangent(t, h) + th_delaunay_cotangent(t, g);
    if (g / 3 != h / 3 && sum < -1e-9) fail_msg("half-edge %u: cotangents sum to %g", h, sum);
  }
}

static double area_of(const th_delaunay *t) {
  double sum = 0.0;
  for (uint32_t f = 0; f < t->face_count; f++) sum += th_delaunay_area(t, f);
  return sum;
}

static void make_noisy_sheet(th_mesh *m, double share, bool slivers, uint64_t seed) {
  th_soup s = th_soup_begin(NULL);
  th_make_equilateral(&s, 30, 30, 1.0);
  assert_int_equal(th_soup_shake(&s, share, seed, NULL), TH_OK);
  if (slivers) th_soup_spoil(&s, 0.3, 1e-5, seed);
  assert_int_equal(th_soup_mesh(&s, m, NULL), TH_OK);
}

/* In a plane, sum of w (x_j - x_i) vanishes at inner vertices for the right weights: also after flips. */
static void linear_functions_stay_harmonic(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    th_mesh m;
    th_delaunay t;
    make_noisy_sheet(&m, 0.4, seed > 3, seed);
    assert_int_equal(th_delaunay_make(&t, &m, 0.0, NULL), TH_OK);
    assert_delaunay(&t);
    assert_true(t.added < 1e-12 && t.flips > 20);
    assert_true(fabs(area_of(&t) - 30 * 30 * sqrt(0.75)) < 1e-6);
    double *sum = calloc(2 * m.vertex_count, sizeof *sum);
    for (uint32_t h = 0; h < 3 * t.face_count; h++) {
      uint32_t i = t.corner[h], j = t.corner[th_half_next(h)];
      double w = th_delaunay_weight(&t, h);
      for (uint32_t k = 0; k < 2; k++) sum[2 * i + k] += w * (m.xyz[3 * j + k] - m.xyz[3 * i + k]);
    }
    for (uint32_t v = 0; v < m.vertex_count; v++) {
      if (th_vertex_is_border(&m, v)) continue;
      double off = fabs(sum[2 * v]) + fabs(sum[2 * v + 1]);
      if (off > 1e-4) fail_msg("seed %d, vertex %u: Laplacian of a linear function %g", (int)seed, v, off);
    }
    free(sum);
    th_delaunay_free(&t);
    th_mesh_free(&m);
  }
}

/* The circle through the corners of a face holds no other vertex: the definition, by brute force in the plane. */
static void circles_are_empty(void **unused) {
  (void)unused;
  th_mesh m;
  th_delaunay t;
  make_noisy_sheet(&m, 0.4, false, 77);
  assert_int_equal(th_delaunay_make(&t, &m, 0.0, NULL), TH_OK);
  for (uint32_t f = 0; f < t.face_count; f++) {
    const double *a = m.xyz + 3 * t.corner[3 * f], *b = m.xyz + 3 * t.corner[3 * f + 1],
                 *c = m.xyz + 3 * t.corner[3 * f + 2];
    double bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1], d = 2.0 * (bx * cy - by * cx);
    assert_true(d > 0.0);
    double ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / d;
    double uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / d, r2 = ux * ux + uy * uy;
    if (r2 > 4.0) continue; /* along the border the domain is not convex enough for wide circles */
    for (uint32_t v = 0; v < m.vertex_count; v++) {
      double x = m.xyz[3 * v] - a[0] - ux, y = m.xyz[3 * v + 1] - a[1] - uy;
      assert_true(x * x + y * y > r2 * (1.0 - 1e-9));
    }
  }
  th_delaunay_free(&t);
  th_mesh_free(&m);
}

/* A needle of height 1e-12 would have cotangents of 1e12. */
static void needles_are_mollified(void **unused) {
  (void)unused;
  const double xyz[] = {0, 0, 0, 1, 0, 0, 0.5, 1e-12, 0, 0.5, 1, 0, 0.5, -1, 0};
  const uint32_t corner[] = {0, 1, 2, 1, 3, 2, 3, 0, 2, 1, 0, 4};
  th_mesh_def def = MESHES_DEF(xyz, corner);
  th_mesh m;
  th_delaunay t;
  assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
  assert_int_equal(m.face_count, 4);
  assert_int_equal(th_delaunay_make(&t, &m, 1e-5, NULL), TH_OK);
  assert_delaunay(&t);
  assert_true(t.added > 0.0 && t.added < 1e-4);
  for (uint32_t h = 0; h < 12; h++) assert_true(th_delaunay_weight(&t, h) < 1e3);
  th_delaunay_free(&t);
  th_mesh_free(&m);
}

/* Closed surfaces, among them few faces where flips glue a face to itself. */
static void closed_surfaces_end_delaunay(void **unused) {
  (void)unused;
  th_mesh m;
  th_delaunay t;
  for (int i = 0; i < 4; i++) {
    th_soup s = th_soup_begin(NULL);
    if (i == 0) th_make_torus(&s, 3, 40, 10.0, 0.5);
    if (i == 1) th_make_torus(&s, 40, 3, 1.0, 0.9);
    if (i == 2) assert_int_equal(th_make_statue(&s, 4, 10000, NULL), TH_OK);
    if (i == 3) assert_int_equal(th_make_icosphere(&s, 3, 1.0, 0.4, NULL), TH_OK);
    if (i >= 2) {
      assert_int_equal(th_soup_shake(&s, 0.3, 5, NULL), TH_OK);
      th_soup_spoil(&s, 0.2, 1e-4, 6);
    }
    assert_int_equal(th_soup_mesh(&s, &m, NULL), TH_OK);
    assert_int_equal(th_delaunay_make(&t, &m, 1e-9, NULL), TH_OK);
    assert_delaunay(&t);
    if (i >= 2) assert_true(t.flips > 0);
    th_delaunay_free(&t);
    th_mesh_free(&m);
  }
}

static void a_large_torus_takes_no_time_to_speak_of(void **unused) {
  (void)unused;
  th_mesh m;
  th_delaunay t;
  th_soup s = th_soup_begin(NULL);
  th_make_torus(&s, 140, 250, 20.0, 8.0);
  assert_int_equal(th_soup_shake(&s, 0.3, 1, NULL), TH_OK);
  assert_int_equal(th_soup_mesh(&s, &m, NULL), TH_OK);
  clock_t begin = clock();
  assert_int_equal(th_delaunay_make(&t, &m, 1e-9, NULL), TH_OK);
  printf("70,000 faces: %.1f ms, %llu flips\n", 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC,
         (unsigned long long)t.flips);
  assert_delaunay(&t);
  assert_true(t.flips < 3 * (uint64_t)m.face_count);
  th_delaunay_free(&t);
  th_mesh_free(&m);
}

static th_result make_all(const th_env *env, void *context) {
  (void)context;
  th_mesh m;
  th_delaunay t = {0};
  th_mesh_def def = MESHES_DEF(meshes_cube_xyz, meshes_cube);
  def.env = *env;
  th_result result = th_mesh_build(&def, &m, NULL);
  if (result == TH_OK) result = th_delaunay_make(&t, &m, 1e-6, NULL);
  th_delaunay_free(&t);
  th_mesh_free(&m);
  return result;
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  assert_true(failing_every(make_all, NULL) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_functions_stay_harmonic),
      cmocka_unit_test(circles_are_empty),
      cmocka_unit_test(needles_are_mollified),
      cmocka_unit_test(closed_surfaces_end_delaunay),
      cmocka_unit_test(a_large_torus_takes_no_time_to_speak_of),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
