/* tests/ground/test_passages.c - passages that the raster closes or tells by few cells are found, with place and width.
 */
#include "support/allocator.h"
#include "support/floor_plans.h"

/* A room of 10 x 8 m, parted at x = 5.07 by a wall 0.2 m thick with gaps of given width. */
typedef struct gaps {
  th_vec2 outline_point[4], point[4][4];
  th_polygon outline, wall[4];
  th_flat_def def;
} gaps;

static void gaps_make(gaps *g, float y1, float width1, float y2, float width2) {
  g->outline = plan_box(g->outline_point, 0, 0, 10, 8);
  g->wall[0] = plan_box(g->point[0], 5.07f, -1, 5.27f, y1);
  g->wall[1] = plan_box(g->point[1], 5.07f, y1 + width1, 5.27f, y2);
  g->wall[2] = plan_box(g->point[2], 5.07f, y2 + width2, 5.27f, 9);
  g->def = th_default_flat_def();
  g->def.outline = &g->outline;
  g->def.outline_count = 1;
  g->def.obstacle = g->wall;
  g->def.obstacle_count = 3;
}

static uint32_t narrow_of(const th_flat_def *def, float cells, th_passage *out, uint32_t capacity) {
  th_ground *ground = NULL;
  assert_int_equal(th_ground_make_flat(def, &ground, NULL), TH_OK);
  uint32_t count = th_ground_passages(ground, cells, out, capacity);
  th_ground_release(ground);
  return count;
}

static uint32_t passages_of(const th_flat_def *def, th_passage *out, uint32_t capacity) {
  return narrow_of(def, 0.0f, out, capacity);
}

static void a_closed_gap_is_named(void **unused) {
  (void)unused;
  th_passage found[4];
  gaps g;
  gaps_make(&g, 3.225f, 0.55f, 7.0f, 0.02f);
  assert_int_equal(passages_of(&g.def, found, 4), 1);
  assert_float_equal(found[0].width, 0.55f, 0.005f);
  assert_float_equal(found[0].x, 5.17f, 0.15f);
  assert_float_equal(found[0].y, 3.5f, 0.01f);
  assert_int_equal(found[0].radius_class, 0);
}

static void a_gap_that_is_too_narrow_is_not(void **unused) {
  (void)unused;
  th_passage found[4];
  gaps g;
  gaps_make(&g, 3.225f, 0.49f, 7.0f, 0.02f);
  assert_int_equal(passages_of(&g.def, found, 4), 0);
}

static void a_gap_that_the_raster_keeps_is_not(void **unused) {
  (void)unused;
  th_passage found[4];
  gaps g;
  gaps_make(&g, 3.1f, 1.6f, 7.0f, 0.02f);
  assert_int_equal(passages_of(&g.def, found, 4), 0);
}

/* Connectivity alone would not see it: the rooms are joined by the wide gap. */
static void a_closed_gap_beside_an_open_one_is_named(void **unused) {
  (void)unused;
  th_passage found[4];
  gaps g;
  gaps_make(&g, 0.7f, 0.6f, 6.0f, 1.6f);
  assert_int_equal(passages_of(&g.def, found, 4), 1);
  assert_float_equal(found[0].width, 0.6f, 0.005f);
  assert_float_equal(found[0].y, 1.0f, 0.01f);
}

static void a_closed_corridor_is_named_once(void **unused) {
  (void)unused;
  th_vec2 point[3][4];
  th_polygon outline[3] = {plan_box(point[0], 0, 0, 4, 4), plan_box(point[1], 3.9f, 1.9f, 10.1f, 2.48f),
                           plan_box(point[2], 10, 0, 14, 4)};
  th_flat_def def = th_default_flat_def();
  def.outline = outline;
  def.outline_count = 3;
  def.class_count = 2;
  def.radius_class[1] = 0.28f;
  th_passage found[4];
  assert_int_equal(passages_of(&def, found, 4), 2); /* one for each class */
  assert_float_equal(found[0].width, 0.58f, 0.005f);
  assert_true(found[0].x > 3.9f && found[0].x < 10.1f);
  assert_int_equal(found[1].radius_class, 1);
  assert_int_equal(passages_of(&def, found, 1), 2);
  assert_int_equal(passages_of(&def, NULL, 0), 2);
}

/* A body without size fits through anything, but not through walls. */
static void a_thin_wall_is_no_passage(void **unused) {
  (void)unused;
  th_vec2 a[4], b[4];
  th_polygon outline = plan_box(a, 0, 0, 10, 8), wall = plan_box(b, 5.07f, -1, 5.08f, 9);
  th_flat_def def = th_default_flat_def();
  def.outline = &outline;
  def.outline_count = 1;
  def.obstacle = &wall;
  def.obstacle_count = 1;
  def.radius_class[0] = 0.0f;
  th_passage found[4];
  assert_int_equal(passages_of(&def, found, 4), 0);
  b[2].y = b[3].y = 7.8f; /* 0.2 m are left open, the top row of cells is touched */
  def.cell = 0.3f;
  assert_int_equal(passages_of(&def, found, 4), 1);
  assert_float_equal(found[0].width, 0.2f, 0.005f);
}

/* Whatever the map: a named passage is as wide as said, and wide enough. */
static void widths_are_true(void **unused) {
  (void)unused;
  uint32_t total = 0;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    plan p;
    plan_make(&p, seed, 25, 14.0f);
    th_ground *ground = plan_ground(&p);
    th_passage found[64];
    uint32_t count = th_ground_passages(ground, 0.0f, found, 64);
    total += count;
    for (uint32_t k = 0; k < count && k < 64; k++) {
      CHECK_SEED(plan_walkable(&p, (double)found[k].x, (double)found[k].y), seed, "passage %u in solid", k);
      CHECK_SEED(found[k].width >= 0.4999f, seed, "passage %u of %g m", k, (double)found[k].width);
      float clearance = th_ground_clearance(ground, found[k].x, found[k].y);
      CHECK_SEED(fabsf(2.0f * clearance - found[k].width) < 1e-3f, seed, "passage %u: %g and %g m", k,
                 (double)found[k].width, (double)clearance);
    }
    th_ground_release(ground);
  }
  assert_true(total > 0);
}

/* A gap of 1 m leaves bodies of 0.5 m two cells of 0.25 m: narrow below three, not below one and a half. */
static void a_gap_of_few_cells_is_narrow(void **unused) {
  (void)unused;
  th_passage found[4];
  gaps g;
  gaps_make(&g, 3.0f, 1.0f, 7.0f, 0.02f);
  assert_int_equal(narrow_of(&g.def, 0.0f, found, 4), 0);
  assert_int_equal(narrow_of(&g.def, 1.5f, found, 4), 0);
  assert_int_equal(narrow_of(&g.def, 3.0f, found, 4), 1);
  assert_false(found[0].closed);
  assert_float_equal(found[0].width, 1.0f, 0.005f);
  assert_float_equal(found[0].x, 5.17f, 0.15f);
  assert_float_equal(found[0].y, 3.5f, 0.01f);
  g.def.cell = 0.125f; /* four cells */
  assert_int_equal(narrow_of(&g.def, 3.0f, found, 4), 0);
}

/* Wherever the raster falls. */
static void a_gap_is_narrow_wherever_it_lies(void **unused) {
  (void)unused;
  for (uint32_t k = 0; k < 10; k++) {
    th_passage found[4];
    gaps g;
    gaps_make(&g, 3.0f + 0.025f * (float)k, 0.9f, 7.0f, 0.02f);
    assert_int_equal(narrow_of(&g.def, 3.0f, found, 4), 1);
    assert_float_equal(found[0].width, 0.9f, 0.005f);
  }
}

/* A gap that the raster closes is told once, as closed, beside one that is only narrow. */
static void closed_and_narrow_gaps_are_told_apart(void **unused) {
  (void)unused;
  th_passage found[4];
  gaps g;
  gaps_make(&g, 0.7f, 0.6f, 6.0f, 1.0f);
  assert_int_equal(narrow_of(&g.def, 3.0f, found, 4), 2);
  assert_true(found[0].closed);
  assert_float_equal(found[0].width, 0.6f, 0.005f);
  assert_false(found[1].closed);
  assert_float_equal(found[1].width, 1.0f, 0.005f);
  assert_int_equal(narrow_of(&g.def, 3.0f, NULL, 0), 2);
}

static th_result look(const th_env *env, void *context) {
  const gaps *g = context;
  failing *f = env->allocator.user;
  th_flat_def def = g->def;
  def.env = *env;
  th_ground *ground = NULL;
  uint64_t fail_at = f->fail_at;
  f->fail_at = 0;
  assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
  f->fail_at = f->calls + fail_at;
  uint32_t count = th_ground_passages(ground, 3.0f, NULL, 0);
  th_ground_release(ground);
  assert_int_equal(count, f->failed ? UINT32_MAX : 1);
  return f->failed ? TH_ERROR_MEMORY : TH_OK;
}

static void failing_allocations_find_nothing(void **unused) {
  (void)unused;
  gaps g;
  gaps_make(&g, 3.225f, 0.55f, 7.0f, 0.02f);
  g.def.cell = 0.25f;
  assert_true(failing_every(look, &g) >= 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_closed_gap_is_named),
      cmocka_unit_test(a_gap_that_is_too_narrow_is_not),
      cmocka_unit_test(a_gap_that_the_raster_keeps_is_not),
      cmocka_unit_test(a_closed_gap_beside_an_open_one_is_named),
      cmocka_unit_test(a_closed_corridor_is_named_once),
      cmocka_unit_test(a_thin_wall_is_no_passage),
      cmocka_unit_test(widths_are_true),
      cmocka_unit_test(a_gap_of_few_cells_is_narrow),
      cmocka_unit_test(a_gap_is_narrow_wherever_it_lies),
      cmocka_unit_test(closed_and_narrow_gaps_are_told_apart),
      cmocka_unit_test(failing_allocations_find_nothing),
  };
  return cmocka_run_group_tests_name("passages", tests, NULL, NULL);
}
