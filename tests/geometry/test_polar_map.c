/* tests/geometry/test_polar_map.c - flat surfaces stay as they are, developable ones unroll, distances on a sphere are
 * right. */
#include "support/patched_meshes.h"

static void lay(th_polar_map *d, const charting *s, uint32_t face, double limit) {
  th_polar_map_begin(d, &s->frames, face);
  th_polar_map_advance(d, limit);
  th_polar_map_close(d);
  assert_false(d->failed);
}

static double off_of(const th_polar_map *d, const charting *s, uint32_t face) {
  const uint32_t *c = &s->mesh.corner[3 * face];
  th_point p[3];
  for (int k = 0; k < 3; k++) p[k] = (th_point){d->node[c[k]].x, d->node[c[k]].y};
  return th_polar_map_face_off(&s->frames.face[face], p);
}

/* The flat map of a mesh in z = 0 is the mesh, turned and moved; `face` is where both have their origin. */
static double worst_against_plane(const th_polar_map *d, const charting *s, uint32_t face) {
  double ux[3], uy[3], o[3] = {0.0, 0.0, 0.0}, worst = 0.0;
  th_frames_axes(&s->frames, face, ux, uy);
  for (int k = 0; k < 3; k++)
    for (int a = 0; a < 3; a++) o[a] += s->mesh.xyz[3 * s->mesh.corner[3 * face + (uint32_t)k] + (uint32_t)a] / 3.0;
  for (uint32_t n = 0; n < d->vertex_count; n++) {
    const double *q = &s->mesh.xyz[3 * d->vertex[n]];
    const th_polar_map_node *at = &d->node[d->vertex[n]];
    double x = (q[0] - o[0]) * ux[0] + (q[1] - o[1]) * ux[1], y = (q[0] - o[0]) * uy[0] + (q[1] - o[1]) * uy[1];
    worst = fmax(worst, hypot(at->x - x, at->y - y));
    assert_true(at->key > hypot(x, y) - 1e-9);
  }
  return worst;
}

/* shows: PLAN-19 */
static void flat_stays_flat(void **unused) {
  (void)unused;
  for (int kind = CHARTING_GRID; kind <= CHARTING_SLIVERS; kind++)
    for (int holes = 0; holes < 2; holes++) {
      charting s;
      charting_make(&s, (charting_kind)kind);
      if (holes) charting_block(&s, 0.25, 3);
      th_polar_map d;
      assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh));
      uint64_t reached = 0;
      for (uint32_t face = 7; face < s.mesh.face_count; face += 97) {
        if (s.blocked[face]) continue;
        lay(&d, &s, face, 12.0);
        reached += d.vertex_count;
        double worst = worst_against_plane(&d, &s, face);
        if (!(worst < (kind == CHARTING_SLIVERS ? 1e-5 : 1e-7)))
          fail_msg("kind %d holes %d face %u: off by %g m", kind, holes, face, worst);
        for (uint32_t n = 0; n < d.face_count; n++)
          assert_true(off_of(&d, &s, d.face[n]) < 1e-4 && !s.blocked[d.face[n]]);
      }
      assert_true(reached > 1000);
      th_polar_map_free(&d);
      charting_free(&s);
    }
}

/* Without holes, keys are straight distances and everything within the limit is reached. */
static void keys_are_distances_in_the_plane(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_SHAKEN);
  th_polar_map d;
  assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh));
  uint32_t all = 0;
  for (uint32_t face = 1500; face < 1700; face += 13) {
    lay(&d, &s, face, 9.0);
    for (uint32_t n = 0; n < d.vertex_count; n++) {
      const th_polar_map_node *at = &d.node[d.vertex[n]];
      if (at->key > 9.0) continue;
      all++;
      assert_true(at->key < 1.05 * hypot(at->x, at->y) + 1e-9); /* obtuse triangles hide a few vertices */
    }
  }
  assert_true(all > 1000);
  th_polar_map_free(&d);
  charting_free(&s);
}

/* A tube of flat strips unrolls without any change, except along the line where both ways round meet. */
static void a_tube_unrolls(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_TUBE);
  th_polar_map d;
  assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh));
  lay(&d, &s, 1600, 15.0);
  assert_true(d.face_count > 800);
  for (uint32_t n = 0; n < d.face_count; n++) assert_true(off_of(&d, &s, d.face[n]) < 1e-9);
  for (uint32_t n = 0; n < d.vertex_count; n++) { /* the circumference is 2 * 40 * 6 sin(pi / 40) = 37.66 m */
    const th_polar_map_node *at = &d.node[d.vertex[n]];
    if (at->key < 14.0) assert_true(at->key > hypot(at->x, at->y) - 1e-9 && at->key < 1.1 * hypot(at->x, at->y));
  }
  th_polar_map_free(&d);
  charting_free(&s);
}

/* Great circles: |p| = R * angle, here within 0.2 % out to a quarter of the circumference. */
static void a_sphere_keeps_distances(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_SPHERE);
  th_polar_map d;
  assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh));
  double worst = 0.0;
  uint32_t count = 0;
  for (uint32_t face = 0; face < s.mesh.face_count; face += 577) {
    lay(&d, &s, face, 10.0);
    double o[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 9; k++) o[k % 3] += s.mesh.xyz[3 * s.mesh.corner[3 * face + k / 3] + k % 3] / 3.0;
    double size = sqrt(o[0] * o[0] + o[1] * o[1] + o[2] * o[2]);
    for (uint32_t n = 0; n < d.vertex_count; n++) {
      const double *q = &s.mesh.xyz[3 * d.vertex[n]];
      double angle = acos(fmin(1.0, (q[0] * o[0] + q[1] * o[1] + q[2] * o[2]) / (15.0 * size)));
      if (angle * 15.0 < 1.5) continue; /* one edge: the mesh is not yet a sphere */
      const th_polar_map_node *at = &d.node[d.vertex[n]];
      worst = fmax(worst, fabs(hypot(at->x, at->y) / (15.0 * angle) - 1.0));
      count++;
    }
  }
  assert_true(count > 1000);
  if (!(worst < 4e-3)) fail_msg("distance off by %g", worst);
  th_polar_map_free(&d);
  charting_free(&s);
}

/* Growing on is the same as growing at once, bit for bit, for whatever is final. */
static void growth_can_be_resumed(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_BUMPY);
  th_polar_map a, b;
  assert_true(th_polar_map_make(&a, &s.mesh.allocator, &s.mesh) && th_polar_map_make(&b, &s.mesh.allocator, &s.mesh));
  for (uint32_t face = 0; face < s.mesh.face_count; face += 331) {
    lay(&a, &s, face, 9.0);
    th_polar_map_begin(&b, &s.frames, face);
    for (double limit = 1.0; limit < 5.5; limit += 0.7) th_polar_map_advance(&b, limit);
    th_polar_map_close(&b);
    for (uint32_t n = 0; n < b.vertex_count; n++) {
      const th_polar_map_node *p = &b.node[b.vertex[n]], *q = &a.node[b.vertex[n]];
      if (p->closed || q->closed) continue;
      assert_true(p->x == q->x && p->y == q->y && p->key == q->key);
    }
  }
  th_polar_map_free(&a);
  th_polar_map_free(&b);
  charting_free(&s);
}

/* shows: PLAN-13 */
static void faces_keep_orientation_and_size(void **unused) {
  (void)unused;
  for (int kind = 0; kind < CHARTING_KINDS; kind++) {
    charting s;
    charting_make(&s, (charting_kind)kind);
    th_polar_map d;
    assert_true(th_polar_map_make(&d, &s.mesh.allocator, &s.mesh));
    for (uint32_t face = 0; face < s.mesh.face_count; face += 211) {
      lay(&d, &s, face, 8.0);
      for (uint32_t n = 0; n < d.face_count; n++) {
        assert_true(off_of(&d, &s, d.face[n]) <= TH_CHART_STRETCH + 1e-9);
      }
    }
    th_polar_map_free(&d);
    charting_free(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flat_stays_flat),       cmocka_unit_test(keys_are_distances_in_the_plane),
      cmocka_unit_test(a_tube_unrolls),        cmocka_unit_test(a_sphere_keeps_distances),
      cmocka_unit_test(growth_can_be_resumed), cmocka_unit_test(faces_keep_orientation_and_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
