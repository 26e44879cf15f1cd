/* tests/view/test_order.c - slots are sorted by (cluster, id) whatever the rows, the workers and the crowd. */
#include "support/plain_crowds.h"

static void check_sorted(const crowd *c, uint64_t seed) {
  const th_order *o = &c->order;
  uint32_t in = 0;
  for (uint32_t row = 0; row < c->count; row++) in += c->in[row];
  if (o->count != in || o->start[o->grid.cluster_count] != in)
    fail_msg("seed %llu: slots are missing", (unsigned long long)seed);
  for (uint32_t cluster = 0; cluster < o->grid.cluster_count; cluster++) {
    assert_true(o->start[cluster] <= o->start[cluster + 1]);
    for (uint32_t s = o->start[cluster]; s < o->start[cluster + 1]; s++) {
      uint32_t row = o->row[s];
      assert_int_equal(o->cluster[row], cluster);
      assert_int_equal(o->slot_of[row], s);
      assert_int_equal(o->agent[s], c->agent[row]);
      assert_true(o->x[s] == c->x[row] && o->y[s] == c->y[row] && o->vx[s] == c->vx[row] && o->vy[s] == c->vy[row]);
      assert_true(o->radius[s] == c->radius[row] && o->share[s] == c->share[row] && o->layers[s] == c->layers[row]);
      if (s > o->start[cluster]) assert_true(o->agent[s - 1] < o->agent[s]);
      float column = floorf((c->x[row] - o->grid.x0) / o->grid.side),
            line = floorf((c->y[row] - o->grid.y0) / o->grid.side);
      assert_true(fabsf((float)(cluster % o->grid.columns) - column) <= 1.0f); /* a border is a matter of rounding */
      assert_true(fabsf((float)(cluster / o->grid.columns) - line) <= 1.0f);
    }
  }
  for (uint32_t row = 0; row < c->count; row++)
    if (!c->in[row]) assert_int_equal(o->slot_of[row], UINT32_MAX);
}

static void slots_are_sorted(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40, 30);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    crowd c;
    crowd_make(&c, ground, 1 + (uint32_t)(seed * 97 % 1500), seed, (int)(seed % CROWD_KINDS));
    for (uint32_t i = 0; i < c.count; i++) c.in[i] = worlds_below(&c.state, 10) != 0;
    for (float area = 0.01f; area < 200.0f; area *= 20.0f) {
      crowd_order(&c, NULL, area);
      check_sorted(&c, seed);
    }
    crowd_free(&c);
  }
  th_ground_release(ground);
}

static void workers_agree(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 40, 30);
  crowd a, b;
  crowd_make(&a, ground, 5000, 7, CROWD_DENSE);
  crowd_make(&b, ground, 5000, 7, CROWD_DENSE);
  th_pool *pool = NULL;
  OK(th_pool_make(&env, 4, &pool, &error));
  crowd_order(&a, NULL, 0.3f);
  crowd_order(&b, pool, 0.3f);
  assert_memory_equal(a.order.row, b.order.row, sizeof(uint32_t) * a.order.count);
  assert_memory_equal(a.order.start, b.order.start, sizeof(uint32_t) * (a.order.grid.cluster_count + 1));
  assert_memory_equal(a.order.x, b.order.x, sizeof(float) * a.order.count);
  th_pool_free(pool);
  crowd_free(&a);
  crowd_free(&b);
  th_ground_release(ground);
}

/* Rows in any order give the same slots: history leaves no trace. */
static void rows_do_not_matter(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 20);
  crowd a, b;
  crowd_make(&a, ground, 800, 3, CROWD_STACKED);
  crowd_make(&b, ground, 800, 3, CROWD_STACKED);
  for (uint32_t i = 0; i < 800; i++) {
    uint32_t from = (i * 333u + 5u) % 800u; /* 333 and 800 share no factor */
    b.x[i] = a.x[from];
    b.y[i] = a.y[from];
    b.agent[i] = a.agent[from];
  }
  crowd_order(&a, NULL, 1.0f);
  crowd_order(&b, NULL, 1.0f);
  assert_memory_equal(a.order.agent, b.order.agent, sizeof(uint32_t) * 800);
  assert_memory_equal(a.order.x, b.order.x, sizeof(float) * 800);
  crowd_free(&a);
  crowd_free(&b);
  th_ground_release(ground);
}

static void patches_hold_all_clusters(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 300, 7);
  crowd c;
  crowd_make(&c, ground, 400, 5, CROWD_EVEN);
  crowd_order(&c, NULL, 0.2f);
  uint32_t next = 0;
  for (uint32_t patch = 0; patch < th_order_patches(&c.order); patch++) {
    uint32_t first, last;
    th_order_patch(&c.order, patch, &first, &last);
    assert_int_equal(first, next); /* patches cut the clusters without gap or overlap */
    assert_true(last > first && last - first <= TH_STRIP);
    assert_int_equal(first / c.order.grid.columns, (last - 1) / c.order.grid.columns);
    next = last;
  }
  assert_int_equal(next, c.order.grid.cluster_count);
  crowd_free(&c);
  th_ground_release(ground);
}

/* However large the ground and small the area, clusters stay within what was taken. */
static void clusters_stay_within_their_memory(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 20, 20);
  crowd c;
  crowd_make(&c, ground, 10, 1, CROWD_EVEN);
  for (float size = 0.5f; size < 1e6f; size *= 3.0f) {
    for (float area = 1e-6f; area < 1e6f; area *= 50.0f) {
      th_order_fit(&c.order, (th_vec2){-5, 3}, (th_vec2){-5 + size, 3 + size / 7.0f}, 10, area);
      assert_true(c.order.grid.cluster_count >= 1 && c.order.grid.cluster_count <= c.order.cluster_capacity);
      assert_int_equal(c.order.grid.cluster_count, c.order.grid.columns * c.order.grid.rows);
      assert_true((float)c.order.grid.columns * c.order.grid.side >= size &&
                  (float)c.order.grid.rows * c.order.grid.side >= size / 7.0f);
    }
  }
  crowd_free(&c);
  th_ground_release(ground);
}

static void the_area_per_agent_is_measured(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_box(&env, 50, 50);
  crowd c;
  crowd_make(&c, ground, 2500, 2, CROWD_EVEN);
  crowd_order(&c, NULL, 1.0f); /* one person a square metre fills nearly every cluster of ten */
  float area = th_order_area(&c.order);
  assert_true(area > 0.8f && area < 1.3f);
  crowd_free(&c);
  th_ground_release(ground);
}

static th_result make_order(const th_env *env, void *context) {
  (void)context;
  th_order order;
  if (!th_order_make(&order, &env->allocator, 100, 2, 0)) return TH_ERROR_MEMORY;
  th_order_free(&order);
  return TH_OK;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  assert_true(failing_every(make_order, NULL) >= 13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slots_are_sorted),
      cmocka_unit_test(workers_agree),
      cmocka_unit_test(rows_do_not_matter),
      cmocka_unit_test(patches_hold_all_clusters),
      cmocka_unit_test(clusters_stay_within_their_memory),
      cmocka_unit_test(the_area_per_agent_is_measured),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
