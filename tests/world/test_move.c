/* tests/world/test_move.c - limits of speed, acceleration and turning are kept by move, whatever the model advises. */
#include "base/simd/simd.h"
#include "support/stage.h"
#include "world/step/motion.h"
#include "world/world.h"

/* Advice that jumps about, different for every agent and step. */
static void restless(void *user, const th_work *work) {
  (void)user;
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) {
    uint64_t random = work->step * 977u + work->view->agent[lane];
    float angle = worlds_in(&random, 0, 6.28f), speed = worlds_in(&random, 0, 5);
    work->advice.vx[lane] = speed * cosf(angle);
    work->advice.vy[lane] = speed * sinf(angle);
    if (worlds_below(&random, 2)) {
      float look = worlds_in(&random, 0, 6.28f);
      work->advice.hx[lane] = cosf(look);
      work->advice.hy[lane] = sinf(look);
    }
    work->advice.gait[lane] = TH_GAIT_RUN;
  }
}

/* Coarse: nobody comes near its walls. */
static th_ground *field(const th_env *env) {
  worlds_rect rect = worlds_rectangle(0, 0, 400, 400);
  th_ground *ground = NULL;
  OK(worlds_try_ground(env, &(worlds_plan){&rect, 0, 0, 2.0f, 0}, &ground, &error));
  return ground;
}

static void begin(stage *s, float dt) {
  th_world_def def = th_default_world_def();
  def.dt = dt;
  stage_begin(s, field, &def);
}

static void limits(float dt) {
  enum { COUNT = 60 };
  stage s;
  begin(&s, dt);
  th_user_params host = {restless, NULL, 2.0f, 1};
  float acceleration[COUNT], turn[COUNT], max[COUNT], vx[COUNT], vy[COUNT], hx[COUNT], hy[COUNT];
  th_agent_id id[COUNT];
  for (int i = 0; i < COUNT; i++) {
    th_agent_def def = worlds_agent_def(100.0f + 20.0f * (float)(i % 10), 100.0f + 20.0f * (float)(i / 10), NOWHERE);
    uint64_t random = (uint64_t)i + 1;
    def.model = &th_model_user;
    def.params = &host;
    def.heading.x = 1.0f;
    def.speed = 1.0f;
    def.collide = false; /* a push is no step of its own */
    max[i] = def.speed_max = worlds_in(&random, 1, 4);
    acceleration[i] = def.acceleration_max = i % 7 == 0 ? INFINITY : worlds_in(&random, 0.5f, 10);
    turn[i] = def.turn_max = i % 5 == 0 ? INFINITY : worlds_in(&random, 0.1f, 8);
    id[i] = worlds_add(s.world, &def);
    vx[i] = vy[i] = hy[i] = 0.0f;
    hx[i] = 1.0f;
  }
  float fastest = 0.0f, sharpest = 0.0f;
  for (int n = 0; n < 80; n++) {
    th_world_step(s.world);
    th_agents a = th_world_agents(s.world);
    for (int i = 0; i < COUNT; i++) {
      uint32_t row = th_world_row(s.world, id[i]);
      float speed = hypotf(a.vx[row], a.vy[row]), change = hypotf(a.vx[row] - vx[i], a.vy[row] - vy[i]);
      float cosine = a.hx[row] * hx[i] + a.hy[row] * hy[i], angle = acosf(fminf(fmaxf(cosine, -1.0f), 1.0f));
      float slack = 1e-3f + 1e-4f / dt; /* places are floats: velocity is their difference over dt */
      if (speed > max[i] + slack) fail_msg("agent %d: %g m/s, at most %g", i, (double)speed, (double)max[i]);
      if (change > acceleration[i] * dt + slack)
        fail_msg("agent %d: changes by %g m/s, at most %g", i, (double)change, (double)(acceleration[i] * dt));
      if (angle > turn[i] * dt + 2e-3f)
        fail_msg("agent %d: turns by %g, at most %g", i, (double)angle, (double)(turn[i] * dt));
      assert_true(fabsf(hypotf(a.hx[row], a.hy[row]) - 1.0f) < 1e-4f);
      assert_true(fabsf(a.previous_x[row] + a.vx[row] * dt - a.x[row]) < 1e-3f);
      fastest = fmaxf(fastest, speed);
      sharpest = fmaxf(sharpest, angle);
      vx[i] = a.vx[row], vy[i] = a.vy[row], hx[i] = a.hx[row], hy[i] = a.hy[row];
    }
  }
  assert_true(fastest > 2.0f && sharpest > 0.5f); /* limits, not brakes */
  stage_end(&s);
}

static void limits_hold(void **state) {
  (void)state;
  limits(0.1f);
  limits(0.02f);
  limits(1.0f);
}

/* Turning on the spot: heading is kept apart from velocity. */
static void look_up(void *user, const th_work *work) {
  (void)user;
  for (uint32_t lane = 0; lane < work->view->lanes; lane++) work->advice.hy[lane] = 1.0f;
}

static void agents_turn_on_the_spot(void **state) {
  (void)state;
  stage s;
  begin(&s, 0.1f);
  th_user_params host = {look_up, NULL, 2.0f, 1};
  th_agent_def def = worlds_agent_def(100, 100, NOWHERE);
  def.model = &th_model_user;
  def.params = &host;
  def.heading.x = 1.0f;
  def.turn_max = 1.0f;
  th_agent_id id = worlds_add(s.world, &def);
  for (int n = 1; n <= 20; n++) {
    th_world_step(s.world);
    uint32_t row = th_world_row(s.world, id);
    th_agents a = th_world_agents(s.world);
    float expected = fminf(0.1f * (float)n, 1.5708f);
    assert_true(fabsf(atan2f(a.hy[row], a.hx[row]) - expected) < 5e-3f);
    assert_true(a.x[row] == 100 && a.y[row] == 100 && a.gait[row] == TH_GAIT_STAND);
  }
  stage_end(&s);
}

/* A fresh agent without a heading looks where its guide leads at once. */
static void fresh_agents_face_their_guide(void **state) {
  (void)state;
  stage s;
  begin(&s, 0.1f);
  th_goal_id goal = worlds_goal(s.world, 50, 200);
  th_agent_def def = worlds_agent_def(100, 200, goal);
  def.turn_max = 0.5f;
  th_agent_id id = worlds_add(s.world, &def);
  worlds_steps(s.world, 3);
  uint32_t row = th_world_row(s.world, id);
  assert_true(th_world_agents(s.world).hx[row] < -0.95f);
  stage_end(&s);
}

static void gaits_follow_speed(void **state) {
  (void)state;
  stage s;
  begin(&s, 0.1f);
  th_goal_id goal = worlds_goal(s.world, 200, 200);
  th_agent_id walker = worlds_walker(s.world, 190, 200, goal), idle = worlds_walker(s.world, 180, 200, NOWHERE);
  th_agent_def def = worlds_agent_def(185, 205, goal);
  def.speed = 4.0f;
  def.speed_max = 5.0f;
  th_agent_id runner = worlds_add(s.world, &def);
  worlds_steps(s.world, 8);
  th_agents a = th_world_agents(s.world);
  assert_int_equal(a.gait[th_world_row(s.world, walker)], TH_GAIT_WALK);
  assert_int_equal(a.gait[th_world_row(s.world, idle)], TH_GAIT_STAND);
  assert_int_equal(a.gait[th_world_row(s.world, runner)], TH_GAIT_RUN);
  stage_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(limits_hold), cmocka_unit_test(agents_turn_on_the_spot),
                                     cmocka_unit_test(fresh_agents_face_their_guide),
                                     cmocka_unit_test(gaits_follow_speed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
