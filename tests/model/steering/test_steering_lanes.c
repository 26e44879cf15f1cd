/* tests/model/steering/test_steering_lanes.c - people avoidance of sixteen agents at once: each lane has the bits of
 * one agent alone, on every instruction set; whole worlds have the same bits for any workers and instruction set. */
#include "base/simd/scalar.h"
/* the operations of one lane come first */
#include "model/steering/people_kernel.h"
#include "model/steering/steer.h"
#include "support/mesh_worlds.h"
#include "throng/guide.h"

#define CROWD 40

typedef struct sight {
  float x[16], y[16], nx[CROWD], ny[CROWD], nvx[CROWD], nvy[CROWD];
  uint32_t slot[16], nslot[CROWD], pick[12 * 16], seen[12];
  th_view view;
  th_steer_crowd crowd;
} sight;

static void make(sight *s, uint64_t seed) {
  uint64_t random = seed;
  memset(s, 0, sizeof *s);
  for (uint32_t i = 0; i < CROWD; i++) {
    s->nx[i] = worlds_in(&random, -4, 4);
    s->ny[i] = worlds_in(&random, -4, 4);
    s->nvx[i] = i % 5 ? worlds_in(&random, -2, 2) : 0.0f;
    s->nvy[i] = i % 5 ? worlds_in(&random, -2, 2) : 0.0f;
    s->nslot[i] = i;
  }
  for (uint32_t lane = 0; lane < 16; lane++) {
    s->x[lane] = lane == 3 ? s->nx[20] : worlds_in(&random, -4, 4);
    s->y[lane] = lane == 3 ? s->ny[20] : worlds_in(&random, -4, 4);
    s->slot[lane] = worlds_below(&random, CROWD);
    s->crowd.vx[lane] = lane % 7 ? worlds_in(&random, -2, 2) : 0.0f;
    s->crowd.vy[lane] = lane % 7 ? worlds_in(&random, -2, 2) : 0.0f;
    s->crowd.a[lane] = worlds_in(&random, 1, 2);
    th_steering_people p = th_default_steering_params().people;
    p.on = lane != 5;
    p.circumvention = worlds_below(&random, 3) > 0;
    p.deceleration = worlds_below(&random, 3) > 0;
    p.acceleration = worlds_below(&random, 3) > 0;
    p.distance = worlds_in(&random, 0.5f, 4);
    p.projection = worlds_below(&random, 4) ? worlds_in(&random, 0.1f, 6) : 0.0f;
    p.nearest = 1 + (int32_t)worlds_below(&random, 12);
    p.reading = worlds_below(&random, 2) ? TH_STEER_PRINTED : TH_STEER_REPAIRED;
    th_steer_crowd_lane(&s->crowd, lane, &p, 0.25f, lane % 2 ? 1.0f : -1.0f);
    for (uint32_t k = 0; k < 12; k++) {
      s->pick[k * 16 + lane] = lane == 3 && k == 0 ? 20 : worlds_below(&random, CROWD);
      s->seen[k] |= (uint32_t)(worlds_below(&random, 4) > 0) << lane;
    }
  }
  s->view = (th_view){.lanes = 16,
                      .slot = s->slot,
                      .x = s->x,
                      .y = s->y,
                      .neighbours = {.count = CROWD,
                                     .x = s->nx,
                                     .y = s->ny,
                                     .vx = s->nvx,
                                     .vy = s->nvy,
                                     .slot = s->nslot,
                                     .pick = s->pick,
                                     .pick_count = 12}};
  s->crowd.view = &s->view;
  s->crowd.seen = s->seen;
  s->crowd.count = 12;
}

/* One agent by plain code. */
static bool alone(const sight *s, uint32_t lane, float *fx, float *fy) {
  const th_steer_crowd *c = &s->crowd;
  const float distance = c->distance[lane];
  const avoider a = {.vx = c->vx[lane],
                     .vy = c->vy[lane],
                     .a = c->a[lane],
                     .force = c->force[lane],
                     .distance = distance,
                     .inverse = 1.0f / (distance > 0.0f ? distance : 1.0f),
                     .projection = c->projection[lane],
                     .soon = c->soon[lane],
                     .tie = c->tie[lane],
                     .circumvents = c->circumvents[lane],
                     .slows = c->slows[lane],
                     .hurries = c->hurries[lane]};
  bool free = true;
  *fx = *fy = 0.0f;
  for (uint32_t k = 0; k < c->count; k++) {
    const uint32_t j = s->pick[k * 16 + lane];
    if (!(s->seen[k] >> lane & 1u) || (int32_t)k >= c->nearest[lane]) continue;
    const float r[2] = {s->nx[j] - s->x[lane], s->ny[j] - s->y[lane]}, u[2] = {s->nvx[j], s->nvy[j]};
    const push p = avoid_one(&a, r, u, s->slot[lane] < s->nslot[j]);
    *fx += p.x;
    *fy += p.y;
    free &= p.free;
  }
  return free;
}

/* shows: STEER-13 */
static void each_lane_as_alone(void **state) {
  (void)state;
  uint32_t pushed = 0;
  for (uint64_t seed = 1; seed <= 500; seed++) {
    sight s;
    make(&s, seed);
    for (th_simd simd = TH_SIMD_FOUR; simd <= TH_SIMD_AVX512; simd++) {
      if (th_simd_choose(simd) != simd) continue;
      TH_LANES_PICK(simd, th_steer_avoid)(&s.crowd);
      for (uint32_t lane = 0; lane < 16; lane++) {
        float fx, fy;
        bool free = alone(&s, lane, &fx, &fy);
        assert_true(isfinite(fx) && isfinite(fy));
        assert_true(fx == s.crowd.fx[lane] && fy == s.crowd.fy[lane]);
        assert_int_equal(free, s.crowd.free >> lane & 1u);
        pushed += fx != 0.0f;
      }
    }
  }
  assert_true(pushed > 5000); /* most of the 8,000 of one instruction set */
}

/* ---------------------------------------------------------------- whole worlds */

/* People of every kind: avoid, follow walls and leaders, walk along, wander, flock. */
static th_steering_params kind_of(uint32_t i) {
  th_steering_params p = th_default_steering_params();
  p.period = i % 3 ? 0.25f : 0.0f;
  p.people.distance = 1.0f + 0.25f * (float)(i % 5);
  p.wall.on = i % 7 == 1;
  p.leader.on = i % 7 == 2 && i > 6;
  p.leader.type = i % 2 ? TH_FOLLOW_FORMATION : TH_FOLLOW_BASIC;
  p.leader.angle = 90.0f;
  p.classic.weight[TH_CLASSIC_WANDER] = i % 7 == 3;
  p.classic.weight[TH_CLASSIC_FLOCKING] = i % 7 == 4;
  p.classic.weight[TH_CLASSIC_CONTAINMENT] = i % 7 == 4;
  p.classic.weight[TH_CLASSIC_QUEUING] = i % 7 == 5;
  p.obstacle.front_ray = 2.0f + 0.5f * (float)(i % 4);
  return p;
}

static uint64_t hash_of(th_ground *ground, uint32_t workers, th_simd simd) {
  th_world_def def = th_default_world_def();
  th_world *world = NULL;
  def.ground = ground;
  def.workers = workers;
  def.simd = simd;
  def.dt = 0.1f;
  assert_int_equal(th_world_make(&def, &world, NULL), TH_OK);
  uint64_t random = 3;
  bool mesh = th_ground_mesh(ground) != NULL;
  th_goal_id goal = TH_NULL_GOAL;
  th_goal_def to = worlds_point_def_at(mesh ? (th_vec3){0, 20, 0} : (th_vec3){22, 12, 0});
  assert_int_equal(th_world_add_goal(world, &to, &goal, NULL), TH_OK);
  th_agent_id id[120];
  for (uint32_t i = 0; i < 120; i++) {
    th_steering_params p = kind_of(i);
    th_agent_def agent = th_default_body_def();
    const float a = worlds_in(&random, -1, 1), b = worlds_in(&random, -0.5f, 0.5f);
    agent.point = mesh ? (th_vec3){20.0f * cosf(a) * cosf(b), 20.0f * sinf(a) * cosf(b), 20.0f * sinf(b)}
                       : (th_vec3){1.0f + 1.8f * (float)(i % 12), 1.0f + 1.4f * (float)(i / 12), 0};
    agent.model = &th_model_steering;
    agent.params = &p;
    agent.speed_max = 4.0f;
    agent.route[0].goal = goal;
    agent.route_count = i % 4 ? 1 : 0;
    agent.link_count = i ? 1 : 0;
    agent.link[0] = th_default_link_def();
    if (i) agent.link[0].agent = id[i / 2], agent.link[0].role = TH_ROLE_LEADER;
    for (uint32_t tries = 0; th_world_add_agent(world, &agent, &id[i], NULL); tries++) { /* in a wall */
      assert_true(tries < 20);
      agent.point.x += 0.3f;
    }
  }
  for (int i = 0; i < 30; i++) th_world_step(world);
  worlds_saved half = worlds_save(world);
  for (int i = 0; i < 30; i++) th_world_step(world);
  uint64_t hash = th_world_hash(world);
  /* what agents remember is part of a snapshot */
  assert_int_equal(th_world_restore(world, half.memory, half.size, NULL), TH_OK);
  for (int i = 0; i < 30; i++) th_world_step(world);
  assert_true(hash == th_world_hash(world));
  free(half.memory);
  th_world_free(world);
  return hash;
}

/* shows: STEER-13 */
static void worlds_agree(void **state) {
  (void)state;
  log_capture h = {0};
  th_env env = worlds_env(&h);
  th_make_params planet = mesh_grounds_shape(TH_MAKE_SHAPE_PLANET);
  planet.radius = 20.0f;
  planet.edge = 1.5f;
  th_ground *ground[2] = {worlds_house(&env), mesh_grounds_make(&env, &planet)};
  for (int k = 0; k < 2; k++) {
    const uint64_t first = hash_of(ground[k], 1, TH_SIMD_FOUR);
    assert_true(first == hash_of(ground[k], 3, TH_SIMD_FOUR));
    assert_true(first == hash_of(ground[k], 2, TH_SIMD_AVX2));
    assert_true(first == hash_of(ground[k], 1, TH_SIMD_AVX512));
    th_ground_release(ground[k]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_lane_as_alone), cmocka_unit_test(worlds_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
