/* tests/ground/test_charts.c - what is kept and what is made anew never shows; deformation is followed K charts at a
 * time. */
#include "support/patched_meshes.h"

typedef struct store {
  charting s;
  th_patches p;
  th_chart_cache c;
  uint32_t *all; /* every patch */
} store;

static void store_make(store *t, charting_kind kind, const th_chart_cache_def *def) {
  charting_make(&t->s, kind);
  t->p = charting_patches(&t->s, 6.0f, false);
  assert_int_equal(th_chart_cache_make(&t->c, &t->s.mesh.allocator, &t->s.mesh, &t->p, def, NULL), TH_OK);
  t->all = TH_TAKE(&t->s.mesh.allocator, uint32_t, t->p.count);
  for (uint32_t k = 0; k < t->p.count; k++) t->all[k] = k;
}

static void store_free(store *t) {
  TH_GIVE(&t->s.mesh.allocator, t->all, t->p.count);
  th_chart_cache_free(&t->c);
  th_patches_free(&t->p);
  charting_free(&t->s);
}

static void prepare(store *t, const uint32_t *patch, uint32_t count, th_pool *pool) {
  assert_int_equal(th_chart_cache_prepare(&t->c, &t->s.frames, patch, count, pool, NULL), TH_OK);
  for (uint32_t n = 0; n < count; n++) assert_non_null(th_chart_cache_get(&t->c, patch[n]));
}

/* Equal but for where the block lies. */
static bool same_chart(const th_chart *a, const th_chart *b) {
  if (a->bytes != b->bytes || a->patch != b->patch || a->cover != b->cover || a->torn != b->torn) return false;
  if (memcmp(&a->own, &b->own, sizeof a->own) != 0 || memcmp(&a->box, &b->box, sizeof a->box) != 0) return false;
  return memcmp(a + 1, b + 1, a->bytes - sizeof *a) == 0;
}

static void assert_fresh(store *t) {
  th_chart_maker k;
  assert_true(th_chart_maker_make(&k, &t->s.mesh.allocator, &t->s.mesh, &t->p));
  for (uint32_t n = 0; n < t->p.count; n++) {
    const th_chart *kept = th_chart_cache_get(&t->c, n);
    if (!kept) continue;
    th_chart *fresh = th_chart_build(&k, &t->s.frames, &t->p, &t->c.def.chart, n);
    assert_true(same_chart(kept, fresh));
    th_chart_free(fresh, &k.allocator);
  }
  th_chart_maker_free(&k);
}

/* shows: PLAN-14 PLAN-15 PLAN-21 */
static void workers_change_nothing(void **unused) {
  (void)unused;
  th_chart_cache_def def = th_default_chart_cache_def(4.0f);
  for (uint32_t workers = 1; workers <= 8; workers += workers) {
    store t;
    th_pool *pool;
    store_make(&t, CHARTING_BUMPY, &def);
    assert_int_equal(th_pool_make(NULL, workers, &pool, NULL), TH_OK);
    prepare(&t, t.all, t.p.count, pool);
    assert_int_equal(t.c.built, t.p.count);
    assert_fresh(&t);
    th_pool_free(pool);
    store_free(&t);
  }
}

static void a_budget_lets_the_oldest_go(void **unused) {
  (void)unused;
  th_chart_cache_def def = th_default_chart_cache_def(4.0f);
  store t;
  store_make(&t, CHARTING_HILLS, &def);
  prepare(&t, t.all, t.p.count, NULL);
  t.c.def.budget = t.c.bytes / 3;
  for (uint32_t n = 0; n + 6 <= t.p.count; n += 2) {
    prepare(&t, t.all + n, 6, NULL);
    assert_true(t.c.bytes <= t.c.def.budget);
    size_t sum = 0;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < t.p.count; k++)
      if (t.c.chart[k]) sum += t.c.chart[k]->bytes, kept++;
    assert_true(sum == t.c.bytes && kept == t.c.kept);
    for (uint32_t k = n >= 2 ? n - 2 : n; k < n + 6; k++) assert_non_null(t.c.chart[k]); /* used a moment ago */
  }
  assert_fresh(&t);
  t.c.def.budget = 1; /* what is needed at once is there in any case */
  prepare(&t, t.all, 9, NULL);
  assert_int_equal(t.c.kept, 9);
  assert_fresh(&t);
  store_free(&t);
}

/* A mesh as it was before its vertices moved. */
typedef struct form {
  th_mesh mesh;
  th_mesh_frames frames;
} form;

static void form_keep(form *f, const th_mesh *mesh) {
  f->mesh = *mesh;
  f->mesh.xyz = TH_TAKE(&mesh->allocator, double, 3 * (size_t)mesh->vertex_count);
  memcpy(f->mesh.xyz, mesh->xyz, 3 * sizeof(double) * mesh->vertex_count);
  assert_true(th_mesh_frames_make(&f->frames, &f->mesh));
}

static void form_free(form *f) {
  th_mesh_frames_free(&f->frames);
  TH_GIVE(&f->mesh.allocator, f->mesh.xyz, 3 * (size_t)f->mesh.vertex_count);
}

static void a_steady_crowd_allocates_nothing(void **unused) {
  (void)unused;
  failing f = {0};
  th_env env = failing_env(&f);
  charting s;
  charting_make(&s, CHARTING_SPHERE);
  th_patches p = charting_patches(&s, 6.0f, false);
  th_chart_cache c;
  th_chart_cache_def def = th_default_chart_cache_def(4.0f);
  assert_int_equal(th_chart_cache_make(&c, &env.allocator, &s.mesh, &p, &def, NULL), TH_OK);
  const uint32_t need[] = {5, 2, 9, 5, 11};
  assert_int_equal(th_chart_cache_prepare(&c, &s.frames, need, 5, NULL, NULL), TH_OK);
  assert_int_equal(c.built, 4); /* one is named twice */
  form before;
  form_keep(&before, &s.mesh);
  s.mesh.xyz[3 * s.mesh.corner[3 * p.centre[5]]] += 0.1;
  th_mesh_frames_refit(&s.frames);
  failing_lock(&f);
  for (int k = 0; k < 10; k++) assert_int_equal(th_chart_cache_prepare(&c, &before.frames, need, 5, NULL, NULL), TH_OK);
  th_chart_renewal_follow(&c, &before.frames, &s.frames, 1, NULL);
  failing_unlock(&f);
  assert_true(c.backlog > 0);
  form_free(&before);
  th_chart_cache_free(&c);
  failing_assert_empty(&f);
  th_patches_free(&p);
  charting_free(&s);
}

/* Lifts the vertices round one of them; charts follow. */
static void deform(store *t, uint32_t centre, double radius, double height, uint32_t version) {
  form before;
  form_keep(&before, &t->s.mesh);
  const double *o = &before.mesh.xyz[3 * centre];
  for (uint32_t v = 0; v < t->s.mesh.vertex_count; v++) {
    double *q = &t->s.mesh.xyz[3 * v];
    double d2 = (q[0] - o[0]) * (q[0] - o[0]) + (q[1] - o[1]) * (q[1] - o[1]);
    if (d2 <= radius * radius) q[2] += height * (1.0 - d2 / (radius * radius));
  }
  th_mesh_frames_refit(&t->s.frames);
  th_chart_renewal_follow(&t->c, &before.frames, &t->s.frames, version, NULL);
  form_free(&before);
}

/* shows: PLAN-47 PLAN-48 PLAN-49 PLAN-50 */
static void deformation_is_followed_step_by_step(void **unused) {
  (void)unused;
  th_chart_cache_def def = th_default_chart_cache_def(4.0f);
  def.renewals = 3;
  store t;
  store_make(&t, CHARTING_HILLS, &def);
  prepare(&t, t.all, t.p.count, NULL);
  uint32_t calls = 0, max = 0;
  for (uint32_t round = 0; round < 4; round++) {
    deform(&t, 700 * round + 640, 6.0, 0.7, round + 1);
    max = t.c.backlog > max ? t.c.backlog : max;
    assert_true(t.c.backlog > 3 && t.c.backlog < t.p.count); /* some, and not all */
    prepare(&t, t.all, t.p.count, NULL);
    assert_int_equal(t.c.built, 3);
  }
  while (t.c.backlog > 0) {
    uint32_t before = t.c.backlog;
    prepare(&t, t.all, t.p.count, NULL);
    assert_true(t.c.built <= 3 && t.c.backlog == before - t.c.built);
    assert_true(++calls < 200);
  }
  assert_true(max > 6 && calls > 2);
  assert_fresh(&t); /* also those that nobody renewed: none was missed */
  prepare(&t, t.all, t.p.count, NULL);
  assert_int_equal(t.c.built, 0);
  store_free(&t);
}

/* Where the corners of a chart's faces lie in the plane, added up with weights that tell them apart. */
static double corners_of(const store *t, const th_chart *chart) {
  double sum = 0.0;
  for (uint32_t f = 0; f < t->s.mesh.face_count; f++) {
    const th_chart_map *m = th_chart_find(chart, &t->p, f);
    for (uint32_t k = 0; m && k < 3; k++) {
      th_point q = th_frames_corner(&t->s.frames, 3 * f + k);
      th_vec2 at = th_chart_point(m, (float)q.x, (float)q.y);
      sum += (1.0 + 0.1 * k) * ((double)at.x - 0.7 * (double)at.y);
    }
  }
  return sum / chart->face_count;
}

/* A chart that waits for its turn serves as it was: corners stay where they were in the plane. One that is not in use
 * goes, and comes back up to date. */
static void waiting_charts_serve(void **unused) {
  (void)unused;
  th_chart_cache_def def = th_default_chart_cache_def(4.0f);
  def.renewals = 0;
  store t;
  store_make(&t, CHARTING_HILLS, &def);
  prepare(&t, t.all, t.p.count, NULL);
  const th_chart **before = TH_TAKE(&t.s.mesh.allocator, const th_chart *, t.p.count);
  double *corner = TH_TAKE(&t.s.mesh.allocator, double, t.p.count);
  for (uint32_t k = 0; k < t.p.count; k++)
    before[k] = th_chart_cache_get(&t.c, k), corner[k] = corners_of(&t, before[k]);
  deform(&t, 640, 6.0, 0.7, 1);
  deform(&t, 640, 6.0, 0.7, 2);
  assert_true(t.c.backlog > 0);
  prepare(&t, t.all, t.p.count, NULL);
  th_chart_wait wait;
  uint32_t at = 0, waiting = 0;
  while (th_chart_renewal_waiting(&t.c, &at, &wait)) {
    assert_true(wait.version == 1 && t.c.stale[wait.patch]);
    waiting++;
  }
  assert_int_equal(waiting, t.c.backlog);
  for (uint32_t k = 0; k < t.p.count; k++) {
    assert_ptr_equal(before[k], th_chart_cache_get(&t.c, k));
    assert_true(fabs(corners_of(&t, before[k]) - corner[k]) < 1e-4);
  }
  prepare(&t, t.all, 1, NULL);
  deform(&t, 640, 6.0, 0.7, 3);
  assert_true(t.c.backlog <= 1 && t.c.kept < t.p.count);
  prepare(&t, t.all + 1, t.p.count - 1, NULL);
  if (t.c.backlog) t.c.def.renewals = 1, prepare(&t, t.all, 1, NULL);
  assert_fresh(&t);
  TH_GIVE(&t.s.mesh.allocator, corner, t.p.count);
  TH_GIVE(&t.s.mesh.allocator, before, t.p.count);
  store_free(&t);
}

typedef struct attempt {
  charting s;
  th_patches p;
} attempt;

static th_result prepare_once(const th_env *env, void *context) {
  attempt *a = context;
  th_chart_cache c;
  th_chart_cache_def def = th_default_chart_cache_def(3.0f);
  def.chart.clearance_cell = 0.5f;
  const uint32_t first[] = {0, 1}, then[] = {1, 2, 3};
  th_result result = th_chart_cache_make(&c, &env->allocator, &a->s.mesh, &a->p, &def, NULL);
  if (result != TH_OK) return result;
  result = th_chart_cache_prepare(&c, &a->s.frames, first, 2, NULL, NULL);
  if (result == TH_OK) result = th_chart_cache_prepare(&c, &a->s.frames, then, 3, NULL, NULL);
  if (result == TH_OK) assert_int_equal(c.kept, 4);
  th_chart_cache_free(&c);
  return result;
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  attempt a;
  charting_make(&a.s, CHARTING_HOUSE);
  a.p = charting_patches(&a.s, 4.0f, false);
  assert_true(a.p.count >= 4);
  assert_true(failing_every(prepare_once, &a) > 20);
  th_patches_free(&a.p);
  charting_free(&a.s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(workers_change_nothing),
      cmocka_unit_test(a_budget_lets_the_oldest_go),
      cmocka_unit_test(a_steady_crowd_allocates_nothing),
      cmocka_unit_test(deformation_is_followed_step_by_step),
      cmocka_unit_test(waiting_charts_serve),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
