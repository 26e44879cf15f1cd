/* tests/ground/test_walk.c - nobody crosses a wall, whatever the map and the step. */
#include "ground/walk.h"
#include "support/floor_plans.h"

/* Strict: the straight way from p to q comes from the walkable side of a wall and ends on the other. */
static bool crosses_wall(const th_ground *ground, th_place p, th_place q) {
  th_segment way = {p.x, p.y, q.x, q.y};
  for (uint32_t k = 0; k < ground->flat->wall_count; k++) {
    const th_segment *w = &ground->flat->wall[k];
    double s = th_segment_side(w, (double)p.x, (double)p.y), e = th_segment_side(w, (double)q.x, (double)q.y);
    if (s > 0.0 && e < 0.0 && th_segments_touch(w, &way)) return true;
  }
  return false;
}

static double depth(const th_ground *ground, th_place p, float radius) {
  double min = 1e9;
  for (uint32_t k = 0; k < ground->flat->wall_count; k++)
    min = fmin(min, th_segment_distance2(&ground->flat->wall[k], (double)p.x, (double)p.y));
  return (double)radius - sqrt(min);
}

static th_place clean_start(const plan *p, const th_ground *ground, uint64_t *state, float size, float radius) {
  for (;;) {
    th_place at = th_ground_locate(ground, plan_in(state, 0.0f, size), plan_in(state, 0.0f, size));
    if (at.cell != TH_NO_CELL && plan_walkable(p, (double)at.x, (double)at.y) && depth(ground, at, radius) < 0.0)
      return at;
  }
}

static void walk_plan(uint64_t seed, uint32_t obstacles, float step) {
  const float size = 14.0f;
  plan p;
  plan_make(&p, seed, obstacles, size);
  th_ground *ground = plan_ground(&p);
  uint64_t state = seed ^ 0x1234;
  double deepest = -1.0;
  for (uint32_t agent = 0; agent < 20; agent++) {
    float radius = plan_in(&state, 0.05f, 0.45f);
    th_place at = clean_start(&p, ground, &state, size, radius);
    float heading = plan_in(&state, 0.0f, 6.28f);
    for (uint32_t n = 0; n < 150; n++) {
      th_place before = at;
      if (n % 10 == 0) heading = plan_in(&state, 0.0f, 6.28f);
      float length = plan_in(&state, 0.0f, step);
      th_ground_walk(ground, &at, (th_vec2){length * cosf(heading), length * sinf(heading)}, radius, NULL);
      CHECK_SEED(!crosses_wall(ground, before, at), seed, "crossed from (%.9g, %.9g) to (%.9g, %.9g), radius %g",
                 (double)before.x, (double)before.y, (double)at.x, (double)at.y, (double)radius);
      CHECK_SEED(plan_walkable(&p, (double)at.x, (double)at.y), seed, "in solid at (%.9g, %.9g) from (%.9g, %.9g)",
                 (double)at.x, (double)at.y, (double)before.x, (double)before.y);
      assert_int_equal(at.cell, th_ground_cell(ground, at.x, at.y));
      deepest = fmax(deepest, depth(ground, at, radius));
      CHECK_SEED(deepest < (double)TH_WALK_TOLERANCE, seed, "%g m deep at (%g, %g)", deepest, (double)at.x,
                 (double)at.y);
      float moved = hypotf(at.x - before.x, at.y - before.y);
      CHECK_SEED(moved <= length + 0.021f, seed, "moved %g m in a step of %g", (double)moved, (double)length);
    }
  }
  th_ground_release(ground);
}

static void never_crosses_a_wall(void **unused) {
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; seed++) walk_plan(seed, (uint32_t)(seed % 40), seed % 2 ? 2.0f : 0.15f);
  walk_plan(1032, 32, 0.15f); /* a small body in a cell whose centre is solid */
}

static void is_free_in_the_open(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 1, 0, 30.0f);
  p.def.door_count = 0;
  p.def.outline_count = 1;
  th_ground *ground = plan_ground(&p);
  th_place at = th_ground_locate(ground, 15.0f, 15.0f);
  assert_false(th_ground_walk(ground, &at, (th_vec2){0.5f, -0.25f}, 0.3f, NULL));
  assert_true(at.x == 15.5f && at.y == 14.75f && at.cell == th_ground_cell(ground, 15.5f, 14.75f));
  assert_false(th_ground_walk(ground, &at, (th_vec2){0.0f, 0.0f}, 0.3f, NULL));
  assert_false(th_ground_walk(ground, &at, (th_vec2){NAN, 0.0f}, 0.3f, NULL));
  assert_false(th_ground_walk(ground, &at, (th_vec2){INFINITY, 0.0f}, 0.3f, NULL));
  assert_true(at.x == 15.5f && at.y == 14.75f);
  th_ground_release(ground);
}

static void slides_along_a_wall(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 1, 0, 30.0f);
  p.def.door_count = 0;
  p.def.outline_count = 1;
  th_ground *ground = plan_ground(&p);
  th_place at = th_ground_locate(ground, 10.0f, 0.5f);
  assert_true(th_ground_walk(ground, &at, (th_vec2){1.0f, -1.0f}, 0.3f, NULL));
  assert_float_equal(at.x, 11.0f, 1e-5f);
  assert_float_equal(at.y, 0.3f + TH_WALK_SKIN, 1e-5f);
  for (int n = 0; n < 100; n++) th_ground_walk(ground, &at, (th_vec2){0.1f, -0.1f}, 0.3f, NULL);
  assert_float_equal(at.x, 21.0f, 1e-3f);
  assert_float_equal(at.y, 0.3f + TH_WALK_SKIN, 1e-4f);
  for (int n = 0; n < 200; n++) th_ground_walk(ground, &at, (th_vec2){0.1f, -0.1f}, 0.3f, NULL);
  assert_float_equal(at.x, 30.0f - 0.3f - TH_WALK_SKIN, 1e-4f); /* the corner */
  th_ground_release(ground);
}

static void overlap_is_pushed_out_gently(void **unused) {
  (void)unused;
  plan p;
  plan_make(&p, 1, 0, 30.0f);
  p.def.door_count = 0;
  p.def.outline_count = 1;
  th_ground *ground = plan_ground(&p);
  th_place at = th_ground_locate(ground, 10.0f, 0.1f);
  float last = at.y;
  for (int n = 0; n < 60; n++) {
    th_ground_walk(ground, &at, (th_vec2){0.0f, -0.05f}, 0.4f, NULL);
    assert_true(at.y >= last && at.y <= last + 0.0201f);
    last = at.y;
  }
  assert_float_equal(at.y, 0.4f, 0.002f);
  assert_float_equal(at.x, 10.0f, 1e-5f);
  th_ground_release(ground);
}

/* Doors close onto agents; each gets out of the door and then stays out of solid space. */
static void doors_may_close_onto_agents(void **unused) {
  (void)unused;
  /* The last three: a corner shared with another solid, two acute corners. */
  const uint64_t found[3] = {1009, 1098, 1238};
  for (uint64_t n = 1; n <= 23; n++) {
    uint64_t seed = n <= 20 ? n : found[n - 21];
    plan p;
    plan_make(&p, seed, 3, 14.0f);
    for (uint32_t k = 0; k < 4; k++) p.door[k].closed = false;
    th_ground *open = plan_ground(&p), *closed = NULL;
    th_edit edit[4];
    for (uint32_t k = 0; k < 4; k++) edit[k] = (th_edit){.kind = TH_EDIT_CLOSE, .name = p.door[k].shape.name};
    assert_int_equal(th_ground_edit(open, edit, 4, &closed, NULL), TH_OK);
    for (uint32_t k = 0; k < 4; k++) p.door[k].closed = true;
    uint64_t state = seed;
    for (uint32_t agent = 0; agent < 60; agent++) {
      uint32_t k = agent % 4;
      float u = plan_in(&state, 0.01f, 0.99f), v = plan_in(&state, 0.01f, 0.99f);
      const th_vec2 *c = p.door_point[k];
      th_place at = {0, c[0].x + u * (c[1].x - c[0].x) + v * (c[3].x - c[0].x),
                     c[0].y + u * (c[1].y - c[0].y) + v * (c[3].y - c[0].y)};
      if (th_ground_locate(open, at.x, at.y).cell == TH_NO_CELL) continue;
      bool out = false;
      for (uint32_t step = 0; step < 200; step++) {
        th_place before = at;
        float angle = plan_in(&state, 0.0f, 6.28f);
        th_ground_walk(closed, &at, (th_vec2){0.3f * cosf(angle), 0.3f * sinf(angle)}, 0.25f, NULL);
        CHECK_SEED(!crosses_wall(closed, before, at), seed, "crossed at (%.9g, %.9g)", (double)at.x, (double)at.y);
        bool walkable = plan_walkable(&p, (double)at.x, (double)at.y);
        CHECK_SEED(walkable || !out, seed, "back in solid at (%.9g, %.9g)", (double)at.x, (double)at.y);
        out = walkable;
      }
      CHECK_SEED(out, seed, "never left the door, at (%.9g, %.9g)", (double)at.x, (double)at.y);
    }
    th_ground_release(open);
    th_ground_release(closed);
  }
}

/* An image of noise puts more walls near a body than the sweep holds. */
static void holds_among_countless_walls(void **unused) {
  (void)unused;
  static uint8_t grey[120 * 120];
  for (uint64_t seed = 1; seed <= 4; seed++) {
    uint64_t state = seed;
    for (uint32_t k = 0; k < sizeof grey; k++) grey[k] = plan_bits(&state) % 4 ? 255 : 0;
    for (uint32_t k = 0; k < 120 * 20; k++) grey[k] = 255;
    th_image image = th_default_image();
    image.grey = grey;
    image.width = image.height = 120;
    th_flat_def def = th_default_flat_def();
    def.image = &image;
    def.cell = 0.05f;
    th_ground *ground = NULL;
    assert_int_equal(th_ground_make_flat(&def, &ground, NULL), TH_OK);
    th_place at = th_ground_locate(ground, 3.0f, 5.5f);
    assert_int_not_equal(at.cell, TH_NO_CELL);
    for (uint32_t n = 0; n < 2000; n++) {
      th_place before = at;
      float angle = plan_in(&state, 0.0f, 6.28f), length = plan_in(&state, 0.0f, 2.0f);
      th_ground_walk(ground, &at, (th_vec2){length * cosf(angle), length * sinf(angle)}, 0.3f, NULL);
      CHECK_SEED(!crosses_wall(ground, before, at), seed, "crossed at (%.9g, %.9g)", (double)at.x, (double)at.y);
      CHECK_SEED(th_ground_locate(ground, at.x, at.y).cell != TH_NO_CELL, seed, "in solid at (%.9g, %.9g)",
                 (double)at.x, (double)at.y);
      CHECK_SEED(depth(ground, at, 0.3f) < (double)TH_WALK_TOLERANCE, seed, "deep at (%.9g, %.9g)", (double)at.x,
                 (double)at.y);
    }
    th_ground_release(ground);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_free_in_the_open),          cmocka_unit_test(slides_along_a_wall),
      cmocka_unit_test(overlap_is_pushed_out_gently), cmocka_unit_test(never_crosses_a_wall),
      cmocka_unit_test(doors_may_close_onto_agents),  cmocka_unit_test(holds_among_countless_walls),
  };
  return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
