/* tests/view/test_sight.c - rays, sight and clearance in a view, against geometry done in double and against the
 * ground. */
#include "support/plain_crowds.h"

/* Metres along the ray to the segment in double; INFINITY when it misses. `slack` grows the segment at both ends. */
static double ray_meets(const th_segment *w, double x, double y, double dx, double dy, double slack) {
  double ex = (double)w->bx - (double)w->ax, ey = (double)w->by - (double)w->ay;
  double ax = (double)w->ax - x, ay = (double)w->ay - y, cross = dx * ey - dy * ex;
  if (fabs(cross) < 1e-12) return INFINITY;
  double t = (ax * ey - ay * ex) / cross, s = (ax * dy - ay * dx) / cross;
  return s >= -slack && s <= 1.0 + slack && t >= -slack ? t : INFINITY;
}

static uint32_t random_walls(th_segment *wall, uint64_t *state) {
  uint32_t count = 1 + worlds_below(state, 12);
  for (uint32_t i = 0; i < count; i++)
    wall[i] = (th_segment){worlds_in(state, -5, 5), worlds_in(state, -5, 5), worlds_in(state, -5, 5),
                           worlds_in(state, -5, 5)};
  return count;
}

static void rays_equal_brute_force(void **state) {
  (void)state;
  uint32_t hits = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t random = seed;
    th_segment wall[12];
    th_view view = {.wall = wall, .wall_count = random_walls(wall, &random)};
    float x = worlds_in(&random, -5, 5), y = worlds_in(&random, -5, 5), angle = worlds_in(&random, 0, 6.28f);
    float dx = cosf(angle), dy = sinf(angle), length = worlds_in(&random, 0, 12);
    double sure = (double)length, doubtful = sure;
    for (uint32_t i = 0; i < view.wall_count; i++) {
      sure = fmin(sure, ray_meets(&wall[i], (double)x, (double)y, (double)dx, (double)dy, -1e-4));
      doubtful = fmin(doubtful, ray_meets(&wall[i], (double)x, (double)y, (double)dx, (double)dy, 1e-4));
    }
    double found = (double)th_view_ray(&view, x, y, dx, dy, length);
    hits += found < (double)length;
    if (found < doubtful - 1e-3 || found > sure + 1e-3)
      fail_msg("seed %llu: %g, not %g", (unsigned long long)seed, found, sure);
  }
  assert_true(hits > 500);
}

static void sight_equals_brute_force(void **state) {
  (void)state;
  uint32_t yes = 0, no = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t random = seed;
    th_segment wall[12];
    th_view view = {.wall = wall, .wall_count = random_walls(wall, &random)};
    float ax = worlds_in(&random, -5, 5), ay = worlds_in(&random, -5, 5);
    float bx = worlds_in(&random, -5, 5), by = worlds_in(&random, -5, 5);
    bool avoids = th_view_sees(&view, ax, ay, bx, by), blocked = false, touched = false;
    double dx = (double)bx - (double)ax, dy = (double)by - (double)ay;
    for (uint32_t i = 0; i < view.wall_count; i++) {
      blocked |= ray_meets(&wall[i], (double)ax, (double)ay, dx, dy, -1e-3) < 1.0 - 1e-3;
      touched |= ray_meets(&wall[i], (double)ax, (double)ay, dx, dy, 1e-3) < 1.0 + 1e-3;
    }
    if (avoids && blocked) fail_msg("seed %llu: sees through a wall", (unsigned long long)seed);
    if (!avoids && !touched) fail_msg("seed %llu: blind without a wall", (unsigned long long)seed);
    if (!blocked && !touched) assert_int_equal(avoids, th_view_sees(&view, bx, by, ax, ay));
    yes += avoids;
    no += !avoids;
  }
  assert_true(yes > 300 && no > 300);
}

/* Inside a view, rays agree with those of the ground. */
static void rays_agree_with_those_of_the_ground(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_ground *ground = worlds_house(&env);
  crowd c;
  crowd_make(&c, ground, 40, 4, CROWD_EVEN);
  crowd_order(&c, NULL, 4.0f);
  static th_view_scratch room;
  assert_true(th_view_scratch_make(&room, &c.env.allocator));
  for (uint32_t slot = 0; slot < c.order.count; slot++) {
    th_view_need wish = {.see = TH_SEE_WALLS | TH_SEE_CLEARANCE, .reach = 6.0f};
    th_view_fill(&room, &c.source, &slot, 1, &wish);
    float x = room.x[0], y = room.y[0];
    if (th_ground_locate(ground, x, y).cell == TH_NO_CELL) continue;
    for (int i = 0; i < 24; i++) {
      float dx = cosf((float)i * 0.26f), dy = sinf((float)i * 0.26f);
      float a = th_view_ray(&room.view, x, y, dx, dy, 6.0f),
            b = th_ground_ray(ground, (th_place){0, x, y}, (th_vec2){dx, dy}, 6.0f).distance;
      if (fabsf(a - b) > 2e-3f) fail_msg("slot %u, ray %d: %g and %g", slot, i, (double)a, (double)b);
    }
    float clear = th_view_clearance(&room.view, x, y), real = fminf(th_ground_clearance(ground, x, y), 4.0f);
    assert_true(fabsf(clear - real) < 0.25f); /* bilinear over cells of 0.25 m */
  }
  th_view_scratch_free(&room, &c.env.allocator);
  crowd_free(&c);
  th_ground_release(ground);
}

static void clearance_is_interpolated(void **state) {
  (void)state;
  const float sample[6] = {0, 1, 2, 10, 11, 12};
  th_view view = {.clearance = {3, 2, 1.0f, 2.0f, 0.5f, sample}};
  assert_true(th_view_clearance(&view, 1.0f, 2.0f) == 0.0f);
  assert_true(fabsf(th_view_clearance(&view, 1.25f, 2.0f) - 0.5f) < 1e-6f);
  assert_true(fabsf(th_view_clearance(&view, 1.75f, 2.25f) - 6.5f) < 1e-5f);
  assert_true(th_view_clearance(&view, 0.9f, 2.0f) == 0.0f && th_view_clearance(&view, 1.2f, 2.6f) == 0.0f);
  assert_true(th_view_clearance(&view, NAN, 2.0f) == 0.0f && th_view_clearance(&view, 1e30f, 2.0f) == 0.0f);
  th_view none = {0};
  assert_true(th_view_clearance(&none, 0, 0) == 0.0f);
  assert_true(th_view_ray(&none, 0, 0, 1, 0, 7.0f) == 7.0f && th_view_sees(&none, 0, 0, 9, 9));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_equal_brute_force), cmocka_unit_test(sight_equals_brute_force),
      cmocka_unit_test(rays_agree_with_those_of_the_ground), cmocka_unit_test(clearance_is_interpolated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
