/* tests/geometry/test_bvh.c - queries through the boxes equal a look at every face. */
#include <stdio.h>
#include <time.h>

#include "base/random.h"
#include "geometry/mesh/bvh.h"
#include "make/shapes.h"
#include "support/meshes.h"
#include "support/slow.h"

static void make_statue(th_mesh *m, uint64_t seed) {
  th_soup s = th_soup_begin(NULL);
  assert_int_equal(th_make_statue(&s, 2, 6000, NULL), TH_OK);
  assert_int_equal(th_soup_shake(&s, 0.3, seed, NULL), TH_OK);
  th_soup_spoil(&s, 0.2, 1e-6, seed);
  assert_int_equal(th_soup_mesh(&s, m, NULL), TH_OK);
}

/* A tree over one face is a look at that face. */
static th_bvh_hit ask_face(const th_mesh *m, uint32_t f, const double *p, const th_bvh_ray *ray) {
  th_mesh one = *m;
  th_bvh bvh;
  one.corner = m->corner + 3 * f;
  one.face_count = 1;
  assert_true(th_bvh_make(&bvh, &one));
  th_bvh_hit hit = p ? th_bvh_nearest(&bvh, p, 1e9) : th_bvh_ray_first(&bvh, ray);
  th_bvh_free(&bvh);
  return hit;
}

static void random_point(double *p, uint64_t seed, uint32_t i, double reach) {
  for (uint32_t k = 0; k < 3; k++) p[k] = reach * (2.0 * th_random_unit_double(seed, k, i, 0) - 1.0);
}

static void nearest_and_rays_equal_brute_force(void **unused) {
  (void)unused;
  th_mesh m;
  th_bvh bvh;
  make_statue(&m, 3);
  assert_true(th_bvh_make(&bvh, &m));
  uint32_t met = 0;
  for (uint32_t i = 0; i < 60; i++) {
    double p[3], size = 0.0;
    th_bvh_ray ray = {.from = 0.0, .length = 8.0};
    random_point(p, 11, i, 4.0);
    random_point(ray.direction, 12, i, 1.0);
    for (int k = 0; k < 3; k++) ray.point[k] = p[k], size += ray.direction[k] * ray.direction[k];
    for (int k = 0; k < 3; k++) ray.direction[k] /= sqrt(size);
    th_bvh_hit near = th_bvh_nearest(&bvh, p, 1e9), first = th_bvh_ray_first(&bvh, &ray);
    double min = 1e9, soonest = 8.0;
    uint32_t min_face = 0, soonest_face = TH_NO_ELEMENT;
    for (uint32_t f = 0; f < m.face_count; f++) {
      th_bvh_hit a = ask_face(&m, f, p, NULL), b = ask_face(&m, f, NULL, &ray);
      if (a.distance < min) min = a.distance, min_face = f;
      if (b.face != TH_NO_ELEMENT && (b.distance < soonest || soonest_face == TH_NO_ELEMENT))
        soonest = b.distance, soonest_face = f;
    }
    assert_true(near.distance == min);
    assert_true(near.face == min_face || ask_face(&m, near.face, p, NULL).distance == min);
    assert_int_equal(first.face, soonest_face);
    assert_true(first.distance == soonest);
    met += soonest_face != TH_NO_ELEMENT;
  }
  assert_true(met > 5);
  th_bvh_free(&bvh);
  th_mesh_free(&m);
}

/* The distance of a face itself, against a fine scan over the face. */
static void the_nearest_point_of_a_face_is_nearest(void **unused) {
  (void)unused;
  for (uint32_t i = 0; i < 200; i++) {
    double xyz[9], p[3];
    const uint32_t corner[] = {0, 1, 2};
    for (uint32_t k = 0; k < 9; k++) xyz[k] = th_random_unit_double(21, k, i, 0);
    if (i % 3 == 0)
      for (int k = 0; k < 3; k++) xyz[6 + k] = 0.5 * (xyz[k] + xyz[3 + k]) + 1e-8 * (k == 2); /* a sliver */
    random_point(p, 22, i, 1.5);
    th_mesh_def def = meshes_def(xyz, 3, corner, 1);
    th_mesh m;
    assert_int_equal(th_mesh_build(&def, &m, NULL), TH_OK);
    th_bvh_hit hit = ask_face(&m, 0, p, NULL);
    double sum = 0.0, scan = HUGE_VAL, apart = 0.0;
    for (int k = 0; k < 3; k++) {
      assert_true(hit.weight[k] >= 0.0);
      sum += hit.weight[k];
      apart += (hit.point[k] - p[k]) * (hit.point[k] - p[k]);
    }
    assert_true(fabs(sum - 1.0) < 1e-12 && fabs(sqrt(apart) - hit.distance) < 1e-7);
    for (int a = 0; a <= 200; a++) {
      for (int b = 0; a + b <= 200; b++) {
        double d2 = 0.0, wa = a / 200.0, wb = b / 200.0;
        for (int k = 0; k < 3; k++) {
          double x = wa * xyz[k] + wb * xyz[3 + k] + (1.0 - wa - wb) * xyz[6 + k] - p[k];
          d2 += x * x;
        }
        scan = fmin(scan, sqrt(d2));
      }
    }
    assert_true(hit.distance <= scan + 1e-9 && hit.distance > scan - 0.02);
    th_mesh_free(&m);
  }
}

static void rays_do_not_slip_through_edges(void **unused) {
  (void)unused;
  th_mesh m;
  th_bvh bvh;
  th_soup s = th_soup_begin(NULL);
  th_make_plane(&s, 16, 16, 0.3, 0.7);
  assert_int_equal(th_soup_mesh(&s, &m, NULL), TH_OK);
  assert_true(th_bvh_make(&bvh, &m));
  for (uint32_t v = 0; v < m.vertex_count; v++) { /* through every vertex and some points of edges, at a slant */
    th_bvh_ray ray = {{m.xyz[3 * v] - 3.0, m.xyz[3 * v + 1], 4.0}, {0.6, 0.0, -0.8}, 0.0, 100.0};
    th_bvh_hit hit = th_bvh_ray_first(&bvh, &ray);
    assert_int_not_equal(hit.face, TH_NO_ELEMENT);
    assert_true(fabs(hit.distance - 5.0) < 1e-9);
    ray.from = 5.1;
    assert_int_equal(th_bvh_ray_first(&bvh, &ray).face, TH_NO_ELEMENT);
  }
  th_bvh_free(&bvh);
  th_mesh_free(&m);
}

static void floors_are_told_apart_by_height(void **unused) {
  (void)unused;
  th_mesh m;
  th_bvh bvh;
  th_soup s = th_soup_begin(NULL);
  th_make_house(&s, 1);
  assert_int_equal(th_soup_mesh(&s, &m, NULL), TH_OK);
  assert_true(th_bvh_make(&bvh, &m));
  const double low[3] = {2.2, 3.6, 1.0}, high[3] = {2.2, 3.6, 2.9}, wall[3] = {0.4, 3.1, 0.0}, away[3] = {90, 0, 0};
  th_bvh_hit hit = th_bvh_locate(&bvh, low, 2.0);
  assert_true(hit.face != TH_NO_ELEMENT && hit.point[2] == 0.0 && fabs(hit.point[0] - 2.2) < 1e-12);
  hit = th_bvh_locate(&bvh, high, 2.0);
  assert_true(hit.face != TH_NO_ELEMENT && fabs(hit.point[2] - 3.0) < 1e-12);
  hit = th_bvh_locate(&bvh, wall, 2.0); /* in a wall: the nearest floor */
  assert_true(hit.face != TH_NO_ELEMENT && fabs(hit.distance - 0.1) < 1e-9 && hit.point[2] == 0.0);
  assert_int_equal(th_bvh_locate(&bvh, away, 2.0).face, TH_NO_ELEMENT);
  for (uint32_t v = 0; v < m.vertex_count; v++) m.xyz[3 * v] += 50.0; /* the house moves */
  th_bvh_refit(&bvh);
  const double moved[3] = {52.2, 3.6, 1.0};
  assert_true(th_bvh_locate(&bvh, moved, 2.0).point[2] == 0.0);
  assert_int_equal(th_bvh_locate(&bvh, low, 2.0).face, TH_NO_ELEMENT);
  th_bvh_free(&bvh);
  th_mesh_free(&m);
}

/* From triangles to the first query on a million faces, under sanitizers 40,000; the time is printed, the results are
 * checked. */
static void a_million_faces(void **unused) {
  (void)unused;
  th_mesh m;
  th_bvh bvh;
  th_soup s = th_soup_begin(NULL);
  th_make_torus(&s, LONG_RUN(500, 100), LONG_RUN(1000, 200), 100.0, 40.0);
  clock_t begin = clock();
  assert_int_equal(th_soup_mesh(&s, &m, NULL), TH_OK);
  clock_t linked = clock();
  assert_true(th_bvh_make(&bvh, &m));
  clock_t built = clock();
  const uint32_t count = LONG_RUN(20000, 2000);
  for (uint32_t i = 0; i < count; i++) {
    double p[3], off[3], ring;
    uint32_t v = th_random_to_below(th_random(31, 5, i, 0), m.vertex_count);
    random_point(off, 31, i, 1.0);
    for (uint32_t k = 0; k < 3; k++) p[k] = m.xyz[3 * v + k] + off[k];
    ring = sqrt(p[0] * p[0] + p[1] * p[1]) - 100.0;
    th_bvh_hit hit = th_bvh_nearest(&bvh, p, 2.0);
    assert_true(fabs(hit.distance - fabs(sqrt(ring * ring + p[2] * p[2]) - 40.0)) < LONG_RUN(0.02, 0.2));
  }
  double unit = 1.0 / CLOCKS_PER_SEC;
  printf("%u faces: mesh %.2f s, boxes %.2f s, nearest %.2f us\n", m.face_count, unit * (double)(linked - begin),
         unit * (double)(built - linked), unit * (double)(clock() - built) / count * 1e6);
  th_bvh_free(&bvh);
  th_mesh_free(&m);
}

static bool make_one(const th_mesh *m) {
  th_bvh bvh;
  bool made = th_bvh_make(&bvh, m);
  th_bvh_free(&bvh);
  return made;
}

static th_result make_all(const th_env *env, void *context) {
  (void)context;
  return meshes_on_cube(env, make_one);
}

static void every_failed_allocation_is_survived(void **unused) {
  (void)unused;
  assert_true(failing_every(make_all, NULL) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_and_rays_equal_brute_force),
      cmocka_unit_test(the_nearest_point_of_a_face_is_nearest),
      cmocka_unit_test(rays_do_not_slip_through_edges),
      cmocka_unit_test(floors_are_told_apart_by_height),
      cmocka_unit_test(a_million_faces),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
