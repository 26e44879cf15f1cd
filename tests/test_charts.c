/* tests/test_charts.c - what is kept and what is made anew never shows; deformation is followed K charts at a time. */
#include "charting.h"

typedef struct store {
  charting s;
  th_patches p;
  th_charts c;
  uint32_t *all; /* every patch */
} store;

static void store_make(store *t, charting_kind kind, const th_charts_def *def) {
  charting_make(&t->s, kind);
  t->p = charting_patches(&t->s, 6.0f, false);
  assert_int_equal(th_charts_make(&t->c, &t->s.mesh.allocator, &t->s.mesh, &t->p, def, NULL), TH_OK);
  t->all = TH_TAKE(&t->s.mesh.allocator, uint32_t, t->p.count);
  for (uint32_t k = 0; k < t->p.count; k++) t->all[k] = k;
}

static void store_free(store *t) {
  TH_GIVE(&t->s.mesh.allocator, t->all, t->p.count);
  th_charts_free(&t->c);
  th_patches_free(&t->p);
  charting_free(&t->s);
}

static void prepare(store *t, const uint32_t *patch, uint32_t count, th_pool *pool) {
  assert_int_equal(th_charts_prepare(&t->c, &t->s.frames, patch, count, pool, NULL), TH_OK);
  for (uint32_t n = 0; n < count; n++) assert_non_null(th_charts_get(&t->c, patch[n]));
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
    const th_chart *kept = th_charts_get(&t->c, n);
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
  th_charts_def def = th_default_charts_def(4.0f);
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
  th_charts_def def = th_default_charts_def(4.0f);
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

static void a_steady_crowd_allocates_nothing(void **unused) {
  (void)unused;
  failing f = {0};
  th_env env = failing_env(&f);
  charting s;
  charting_make(&s, CHARTING_SPHERE);
  th_patches p = charting_patches(&s, 6.0f, false);
  th_charts c;
  th_charts_def def = th_default_charts_def(4.0f);
  assert_int_equal(th_charts_make(&c, &env.allocator, &s.mesh, &p, &def, NULL), TH_OK);
  const uint32_t need[] = {5, 2, 9, 5, 11};
  assert_int_equal(th_charts_prepare(&c, &s.frames, need, 5, NULL, NULL), TH_OK);
  assert_int_equal(c.built, 4); /* one is named twice */
  failing_lock(&f);
  for (int k = 0; k < 10; k++) assert_int_equal(th_charts_prepare(&c, &s.frames, need, 5, NULL, NULL), TH_OK);
  th_charts_invalidate(&c, need, 1);
  failing_unlock(&f);
  th_charts_free(&c);
  failing_assert_empty(&f);
  th_patches_free(&p);
  charting_free(&s);
}

/* Lifts vertices round one of them and refits; returns how many, listed in `moved`. */
static uint32_t deform(store *t, uint32_t centre, double radius, double height, uint32_t *moved) {
  double o[3];
  memcpy(o, &t->s.mesh.xyz[3 * centre], sizeof o);
  uint32_t count = 0;
  for (uint32_t v = 0; v < t->s.mesh.vertex_count; v++) {
    double *q = &t->s.mesh.xyz[3 * v];
    double d2 = (q[0] - o[0]) * (q[0] - o[0]) + (q[1] - o[1]) * (q[1] - o[1]);
    if (d2 > radius * radius) continue;
    q[2] += height * (1.0 - d2 / (radius * radius));
    moved[count++] = v;
  }
  th_mesh_frames_refit(&t->s.frames);
  return count;
}

/* shows: PLAN-47 PLAN-48 PLAN-49 PLAN-50 */
static void deformation_is_followed_step_by_step(void **unused) {
  (void)unused;
  th_charts_def def = th_default_charts_def(4.0f);
  def.renewals = 3;
  store t;
  store_make(&t, CHARTING_HILLS, &def);
  prepare(&t, t.all, t.p.count, NULL);
  uint32_t *moved = TH_TAKE(&t.s.mesh.allocator, uint32_t, t.s.mesh.vertex_count);
  uint32_t calls = 0, most = 0;
  for (uint32_t round = 0; round < 4; round++) {
    uint32_t count = deform(&t, 700 * round + 640, 6.0, 0.7, moved);
    th_charts_invalidate(&t.c, moved, count);
    most = t.c.backlog > most ? t.c.backlog : most;
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
  assert_true(most > 6 && calls > 2);
  assert_fresh(&t); /* also those that nobody renewed: the index has missed none */
  prepare(&t, t.all, t.p.count, NULL);
  assert_int_equal(t.c.built, 0);
  TH_GIVE(&t.s.mesh.allocator, moved, t.s.mesh.vertex_count);
  store_free(&t);
}

/* A chart that waits for its turn serves as it was. */
static void waiting_charts_serve(void **unused) {
  (void)unused;
  th_charts_def def = th_default_charts_def(4.0f);
  def.renewals = 0;
  store t;
  store_make(&t, CHARTING_HILLS, &def);
  prepare(&t, t.all, t.p.count, NULL);
  uint32_t *moved = TH_TAKE(&t.s.mesh.allocator, uint32_t, t.s.mesh.vertex_count);
  const th_chart **before = TH_TAKE(&t.s.mesh.allocator, const th_chart *, t.p.count);
  for (uint32_t k = 0; k < t.p.count; k++) before[k] = th_charts_get(&t.c, k);
  th_charts_invalidate(&t.c, moved, deform(&t, 640, 6.0, 0.7, moved));
  prepare(&t, t.all, t.p.count, NULL);
  for (uint32_t k = 0; k < t.p.count; k++) assert_ptr_equal(before[k], th_charts_get(&t.c, k));
  assert_true(t.c.backlog > 0);
  TH_GIVE(&t.s.mesh.allocator, before, t.p.count);
  TH_GIVE(&t.s.mesh.allocator, moved, t.s.mesh.vertex_count);
  store_free(&t);
}

typedef struct attempt {
  charting s;
  th_patches p;
} attempt;

static th_result prepare_once(const th_env *env, void *context) {
  attempt *a = context;
  th_charts c;
  th_charts_def def = th_default_charts_def(3.0f);
  def.chart.clearance_cell = 0.5f;
  const uint32_t first[] = {0, 1}, then[] = {1, 2, 3};
  th_result result = th_charts_make(&c, &env->allocator, &a->s.mesh, &a->p, &def, NULL);
  if (result != TH_OK) return result;
  result = th_charts_prepare(&c, &a->s.frames, first, 2, NULL, NULL);
  if (result == TH_OK) result = th_charts_prepare(&c, &a->s.frames, then, 3, NULL, NULL);
  if (result == TH_OK) assert_int_equal(c.kept, 4);
  th_charts_free(&c);
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
