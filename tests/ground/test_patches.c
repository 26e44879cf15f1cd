/* tests/ground/test_patches.c - patches and clusters are a partition, hang together, follow curvature, depend on
 * nothing else.
 */
#include "support/patched_meshes.h"

/* Every walkable face in one cluster of one patch, every number where the others say. */
static void assert_partition(const charting *s, const th_patches *p) {
  uint32_t open = 0;
  for (uint32_t f = 0; f < s->mesh.face_count; f++) {
    if (s->blocked[f]) {
      assert_true(p->patch_of[f] == TH_NO_ELEMENT && p->cluster_of[f] == TH_NO_ELEMENT);
      continue;
    }
    open++;
    uint32_t cluster = p->cluster_of[f], patch = p->patch_of[f];
    assert_true(patch < p->count && cluster >= p->first[patch] && cluster < p->first[patch + 1]);
    assert_true(p->rank_of[f] - p->start[cluster] < th_cluster_size(p, cluster));
    assert_int_equal(p->face[p->rank_of[f]], f);
  }
  assert_int_equal(p->start[p->cluster_count], open);
  assert_int_equal(p->first[0], 0);
  assert_int_equal(p->first[p->count], p->cluster_count);
  for (uint32_t c = 0; c < p->cluster_count; c++) assert_true(th_cluster_size(p, c) > 0);
  for (uint32_t k = 0; k < p->count; k++) assert_int_equal(p->patch_of[p->centre[k]], k);
}

static uint32_t flood(const charting *s, const th_patches *p, uint32_t patch, uint8_t *seen, uint32_t *stack) {
  uint32_t count = 0, reached = 0;
  stack[count++] = p->centre[patch];
  seen[p->centre[patch]] = 1;
  while (count > 0) {
    uint32_t f = stack[--count];
    reached++;
    for (uint32_t h = 3 * f; h < 3 * f + 3; h++) {
      uint32_t twin = s->mesh.twin[h];
      if (twin == TH_NO_HALF || seen[twin / 3] || p->patch_of[twin / 3] != patch) continue;
      seen[twin / 3] = 1;
      stack[count++] = twin / 3;
    }
  }
  return reached;
}

static void assert_connected(const charting *s, const th_patches *p) {
  const th_allocator *a = &s->mesh.allocator;
  uint8_t *seen = TH_TAKE(a, uint8_t, s->mesh.face_count);
  uint32_t *stack = TH_TAKE(a, uint32_t, s->mesh.face_count);
  for (uint32_t k = 0; k < p->count; k++)
    assert_int_equal(flood(s, p, k, seen, stack), p->start[p->first[k + 1]] - p->start[p->first[k]]);
  TH_GIVE(a, seen, s->mesh.face_count);
  TH_GIVE(a, stack, s->mesh.face_count);
}

static void patches_are_a_partition(void **unused) {
  (void)unused;
  for (int kind = 0; kind < CHARTING_KINDS; kind++)
    for (int holes = 0; holes < 2; holes++) {
      charting s;
      charting_make(&s, (charting_kind)kind);
      if (holes) charting_block(&s, 0.2, 9);
      th_patches p = charting_patches(&s, 8.0f, false);
      assert_partition(&s, &p);
      assert_connected(&s, &p);
      th_patches_free(&p);
      charting_free(&s);
    }
}

static void assert_same(const th_patches *a, const th_patches *b) {
  assert_true(a->count == b->count && a->cluster_count == b->cluster_count && a->open_faces == b->open_faces);
  assert_memory_equal(a->cluster_of, b->cluster_of, a->face_count * sizeof *a->cluster_of);
  assert_memory_equal(a->rank_of, b->rank_of, a->face_count * sizeof *a->rank_of);
  assert_memory_equal(a->face, b->face, a->open_faces * sizeof *a->face);
  assert_memory_equal(a->centre, b->centre, a->count * sizeof *a->centre);
  assert_memory_equal(a->radius, b->radius, a->count * sizeof *a->radius);
  assert_memory_equal(a->first, b->first, (a->count + 1) * sizeof *a->first);
}

static void workers_change_nothing(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_BUMPY);
  charting_block(&s, 0.1, 4);
  th_patches one = charting_patches(&s, 6.0f, false);
  th_patches_def def = th_default_patches_def();
  def.size = 6.0f;
  for (uint32_t workers = 1; workers <= 5; workers += 2) {
    th_pool *pool;
    th_patches many;
    assert_int_equal(th_pool_make(NULL, workers, &pool, NULL), TH_OK);
    assert_int_equal(th_patches_make(&many, &s.mesh.allocator, &s.frames, &def, pool, NULL), TH_OK);
    assert_same(&one, &many);
    th_patches_free(&many);
    th_pool_free(pool);
  }
  th_patches_free(&one);
  charting_free(&s);
}

/* Mean area of a patch, as the side of a square [m]. */
static double mean_side(const charting *s, const th_patches *p) {
  double area = 0.0;
  for (uint32_t f = 0; f < s->mesh.face_count; f++) area += 0.5 * s->frames.face[f].bx * s->frames.face[f].cy;
  return sqrt(area / p->count);
}

static void sizes_are_those_asked_for(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_SHAKEN);
  for (float size = 4.0f; size <= 8.0f; size += 2.0f) {
    th_patches p = charting_patches(&s, size, false);
    double side = mean_side(&s, &p), cluster = side * sqrt((double)p.count / p.cluster_count);
    if (!(side > 0.7 * (double)size && side < 1.4 * (double)size)) fail_msg("size %g: side %g", (double)size, side);
    assert_true(cluster > 1.2 && cluster < 2.8);
    for (uint32_t k = 0; k < p.count; k++) assert_true(p.radius[k] < 1.3f * size);
    th_patches_free(&p);
  }
  charting_free(&s);
}

/* Relative change of edges at the patches' rims: mean and largest. */
static double rim_error(const charting *s, const th_patches *p, double *largest) {
  th_polar_map d;
  assert_true(th_polar_map_make(&d, &s->mesh.allocator, &s->mesh));
  d.strict = 10.0; /* so that changes are kept, and growth never ends for them */
  double sum = 0.0;
  uint32_t count = 0;
  *largest = 0.0;
  for (uint32_t k = 0; k < p->count; k++) {
    th_polar_map_begin(&d, &s->frames, p->centre[k]);
    th_polar_map_advance(&d, (double)p->radius[k]);
    for (uint32_t n = 0; n < d.face_count; n++) {
      uint32_t f = d.face[n];
      if (p->patch_of[f] != k) continue;
      bool rim = false;
      for (uint32_t h = 3 * f; h < 3 * f + 3; h++)
        rim |= s->mesh.twin[h] == TH_NO_HALF || p->patch_of[s->mesh.twin[h] / 3] != k;
      *largest = fmax(*largest, (double)d.off[n]);
      if (!rim) continue;
      sum += (double)d.off[n];
      count++;
    }
  }
  th_polar_map_free(&d);
  return sum / count;
}

/* The rim's error stays below 2 % on the mean and 4 % everywhere; smaller spheres get smaller patches. */
static void curvature_shrinks_patches(void **unused) {
  (void)unused;
  double last = 0.0;
  for (double radius = 4.0; radius <= 64.0; radius *= 4.0) {
    charting s;
    th_soup soup = th_soup_begin(NULL);
    assert_int_equal(th_make_icosphere(&soup, 5, radius, 0.0, NULL), TH_OK);
    charting_finish(&s, &soup);
    th_patches p = charting_patches(&s, 8.0f, false);
    double largest, mean = rim_error(&s, &p, &largest), side = mean_side(&s, &p);
    if (!(mean < 0.02 && largest <= 0.04)) fail_msg("radius %g: rim %g, largest %g", radius, mean, largest);
    assert_true(side > 1.2 * last || side > 7.0);
    assert_true(side > 0.25 * fmin(radius, 20.0)); /* not smaller than need be */
    last = side;
    th_patches_free(&p);
    charting_free(&s);
  }
}

/* Where every edge is a crease, as on an icosahedron, one face remains. */
static void a_solid_gets_one_face_per_patch(void **unused) {
  (void)unused;
  charting s;
  th_soup soup = th_soup_begin(NULL);
  assert_int_equal(th_make_icosphere(&soup, 0, 2.0, 0.0, NULL), TH_OK);
  charting_finish(&s, &soup);
  th_patches p = charting_patches(&s, 8.0f, false);
  assert_partition(&s, &p);
  assert_true(p.count >= 5);
  th_patches_free(&p);
  charting_free(&s);
}

/* shows: PLAN-14 */
static void one_face_is_one_patch(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_TORUS);
  charting_block(&s, 0.3, 2);
  th_patches p = charting_patches(&s, 8.0f, true);
  assert_partition(&s, &p);
  assert_int_equal(p.count, p.open_faces);
  assert_int_equal(p.cluster_count, p.open_faces);
  for (uint32_t k = 1; k < p.count; k++) assert_true(p.centre[k - 1] < p.centre[k]);
  th_patches_free(&p);
  charting_free(&s);
}

static void wrong_sizes_are_refused(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_GRID);
  th_patches p;
  th_error error = {0};
  th_patches_def def = th_default_patches_def();
  def.size = 0.0f;
  assert_int_equal(th_patches_make(&p, &s.mesh.allocator, &s.frames, &def, NULL, &error), TH_ERROR_RANGE);
  assert_non_null(strstr(error.text, "found size 0"));
  charting_free(&s);
}

static th_result make_once(const th_env *env, void *context) {
  const charting *s = context;
  th_patches p;
  th_patches_def def = th_default_patches_def();
  def.size = 5.0f;
  th_result result = th_patches_make(&p, &env->allocator, &s->frames, &def, NULL, NULL);
  if (result == TH_OK) th_patches_free(&p);
  return result;
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  charting s;
  charting_make(&s, CHARTING_HOUSE);
  assert_true(failing_every(make_once, &s) > 15);
  charting_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patches_are_a_partition),         cmocka_unit_test(workers_change_nothing),
      cmocka_unit_test(sizes_are_those_asked_for),       cmocka_unit_test(curvature_shrinks_patches),
      cmocka_unit_test(a_solid_gets_one_face_per_patch), cmocka_unit_test(one_face_is_one_patch),
      cmocka_unit_test(wrong_sizes_are_refused),         cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
