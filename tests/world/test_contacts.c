/* tests/world/test_contacts.c - bodies that overlap part; walls hold; who must not be pushed is not. */
#include "support/stage.h"

static void begin(stage *s, uint32_t rounds, th_simd simd) {
  th_world_def def = th_default_world_def();
  def.contact_rounds = rounds;
  def.simd = simd;
  stage_begin(s, worlds_house, &def);
}

/* Deepest overlap as a part of the sum of the two radii. */
static float worst_overlap(const th_world *world) {
  th_agents a = th_world_agents(world);
  float worst = 0.0f;
  for (uint32_t i = 0; i < a.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      float sum = a.radius[i] + a.radius[k], d = hypotf(a.x[i] - a.x[k], a.y[i] - a.y[k]);
      worst = fmaxf(worst, (sum - d) / sum);
    }
  return worst;
}

static void pairs_are_pushed_apart(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    stage s;
    uint64_t random = seed;
    begin(&s, 3, TH_SIMD_AUTO);
    th_agent_def a = worlds_agent_def(4, 8, NOWHERE), b = a;
    a.radius = worlds_in(&random, 0.1f, 0.5f);
    b.radius = worlds_in(&random, 0.1f, 0.5f);
    float angle = worlds_in(&random, 0, 6.28f),
          d = seed % 7 ? worlds_in(&random, 0, 0.6f) : 0.0f; /* also on one point */
    b.point.x += d * cosf(angle);
    b.point.y += d * sinf(angle);
    th_agent_id first = worlds_add(s.world, &a), second = worlds_add(s.world, &b);
    bool touching = d < a.radius + b.radius;
    worlds_steps(s.world, 1);
    if (!touching) {
      th_vec2 p = worlds_at(s.world, first), q = worlds_at(s.world, second);
      assert_true(p.x == a.point.x && p.y == a.point.y && q.x == b.point.x && q.y == b.point.y);
    }
    worlds_steps(s.world, 4);
    if (worst_overlap(s.world) > 0.02f)
      fail_msg("seed %llu: still %g inside each other", (unsigned long long)seed, (double)worst_overlap(s.world));
    stage_end(&s);
  }
}

/* A heap of bodies comes apart, in few steps, and nobody is pushed through a wall. */
static void a_heap_spreads(void **state) {
  (void)state;
  stage s;
  begin(&s, 3, TH_SIMD_AUTO);
  uint64_t random = 4;
  for (int i = 0; i < 60; i++)
    worlds_walker(s.world, worlds_in(&random, 6.2f, 7.6f), worlds_in(&random, 6.0f, 8.0f), NOWHERE);
  float first = worst_overlap(s.world), last = first;
  for (int n = 0; n < 60; n++) {
    th_world_step(s.world);
    th_agents a = th_world_agents(s.world);
    for (uint32_t i = 0; i < a.count; i++) {
      assert_true(a.x[i] < 7.9f && a.x[i] > 0.0f);
      assert_true(th_ground_clearance(s.ground, a.x[i], a.y[i]) > a.radius[i] - 0.02f);
    }
    last = worst_overlap(s.world);
  }
  assert_true(first > 0.5f);
  if (last > 0.05f) fail_msg("still %g inside each other", (double)last);
  stage_end(&s);
}

/* Two streams through each other: bodies touch, but never deeply after three rounds. */
static void a_walking_crowd_stays_apart(void **state) {
  (void)state;
  stage s;
  begin(&s, 3, TH_SIMD_AUTO);
  th_goal_id up = worlds_goal(s.world, 4, 15), down = worlds_goal(s.world, 4, 1);
  for (int i = 0; i < 40; i++)
    worlds_walker(s.world, 1.5f + 0.7f * (float)(i % 8), (i % 2 ? 2.0f : 10.0f) + 0.6f * (float)(i / 8),
                  i % 2 ? up : down);
  float worst = 0.0f;
  for (int n = 0; n < 80; n++) {
    th_world_step(s.world);
    worst = fmaxf(worst, worst_overlap(s.world));
  }
  if (worst > 0.45f) fail_msg("%g inside each other", (double)worst);
  print_message("worst overlap in a crossing after 3 rounds: %.3f of the radii\n", (double)worst);
  stage_end(&s);
}

/* External bodies stand fast and push others; those that take no part neither push nor are pushed. A push is no
 * momentum: whoever was pushed stops when there is room. */
static void external_bodies_stand_fast(void **state) {
  (void)state;
  stage s;
  begin(&s, 3, TH_SIMD_AUTO);
  th_agent_def def = worlds_agent_def(4, 4, NOWHERE);
  def.external = true;
  def.radius = 0.5f;
  th_agent_id player = worlds_add(s.world, &def), pushed = worlds_walker(s.world, 4.3f, 4.0f, NOWHERE);
  def = worlds_agent_def(4, 10, NOWHERE);
  def.collide = false;
  th_agent_id ghost = worlds_add(s.world, &def), other = worlds_walker(s.world, 4.1f, 10.0f, NOWHERE);
  worlds_steps(s.world, 5);
  th_vec2 p = worlds_at(s.world, player), q = worlds_at(s.world, pushed), g = worlds_at(s.world, ghost);
  assert_true(p.x == 4 && p.y == 4 && g.x == 4 && g.y == 10);
  assert_true(q.x > 4.67f && q.x < 4.72f && fabsf(q.y - 4.0f) < 1e-3f);
  assert_true(worlds_at(s.world, other).x == 4.1f && worlds_at(s.world, other).y == 10.0f);
  for (int n = 0; n < 20; n++) { /* a player that walks pushes people along */
    OK(th_world_drive_agent(s.world, player, (th_vec3){4.0f + 0.08f * (float)n, 4.0f, 0}, (th_vec3){0.8f, 0, 0},
                            (th_vec3){1, 0, 0}, &error));
    th_world_step(s.world);
  }
  assert_true(worlds_at(s.world, pushed).x > 5.4f);
  stage_end(&s);
}

static void without_rounds_nobody_is_pushed(void **state) {
  (void)state;
  stage s;
  begin(&s, 0, TH_SIMD_AUTO);
  th_agent_id a = worlds_walker(s.world, 4, 4, NOWHERE), b = worlds_walker(s.world, 4.1f, 4, NOWHERE);
  worlds_steps(s.world, 5);
  assert_true(worlds_at(s.world, a).x == 4 && worlds_at(s.world, b).x == 4.1f);
  stage_end(&s);
}

static void instruction_sets_change_nothing(void **state) {
  (void)state;
  uint64_t expected = 0;
  for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
    if (!th_simd_has(simd)) continue;
    stage s;
    begin(&s, 3, simd);
    uint64_t random = 9;
    for (int i = 0; i < 300; i++) {
      th_agent_def def = worlds_agent_def(worlds_in(&random, 2, 6), worlds_in(&random, 5, 9), NOWHERE);
      def.radius = worlds_in(&random, 0.05f, 0.4f);
      worlds_add(s.world, &def);
    }
    worlds_steps(s.world, 12);
    uint64_t hash = th_world_hash(s.world);
    if (simd == TH_SIMD_FOUR) expected = hash;
    assert_true(hash == expected);
    stage_end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_pushed_apart),          cmocka_unit_test(a_heap_spreads),
      cmocka_unit_test(a_walking_crowd_stays_apart),     cmocka_unit_test(external_bodies_stand_fast),
      cmocka_unit_test(without_rounds_nobody_is_pushed), cmocka_unit_test(instruction_sets_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
