/* tests/report/test_motion.c - standing, walking backwards, turning and acceleration of trajectories made by hand. */
#include <math.h>
#include <string.h>

#include "support/allocator.h"
#include "throng/metrics.h"

enum { STEPS = 200 };
#define DT 0.1
#define PI 3.14159265358979

/* One agent, by a function of the step. */
typedef struct body {
  float x, y, vx, vy, hx, hy;
  uint8_t state;
} body;

static th_summary measure(body (*at)(uint32_t step)) {
  th_metrics *metrics = NULL;
  th_metrics_def def = th_default_metrics_def();
  def.dt = DT;
  assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_OK);
  for (uint32_t step = 0; step <= STEPS; step++) {
    body b = at(step);
    const th_agent_id id = {1, 1, 0};
    const float radius = 0.2f;
    th_agents agents = {.count = 1,
                        .id = &id,
                        .x = &b.x,
                        .y = &b.y,
                        .vx = &b.vx,
                        .vy = &b.vy,
                        .hx = &b.hx,
                        .hy = &b.hy,
                        .radius = &radius,
                        .state = &b.state};
    assert_int_equal(th_metrics_step(metrics, step, &agents, NULL, 0, NULL), TH_OK);
  }
  th_summary sum = th_metrics_summary(metrics);
  th_metrics_free(metrics);
  return sum;
}

static void assert_near(double found, double expected, double within) {
  if (!(fabs(found - expected) <= within)) fail_msg("%g, not %g", found, expected);
}

static body steady(uint32_t step) { return (body){0.1f * (float)step, 0, 1, 0, 1, 0, TH_AGENT_WALKING}; }

static void who_walks_steadily_does_nothing_odd(void **state) {
  (void)state;
  th_summary s = measure(steady);
  assert_near(s.standing, 0, 0);
  assert_near(s.backwards, 0, 0);
  assert_near(s.acceleration, 0, 1e-6);
  assert_true(isnan(s.standing_turning));
}

/* A quarter of the time it is pushed back at 0.5 m/s, looking forwards. */
static body pushed(uint32_t step) {
  body b = steady(step);
  if (step % 4 == 0) b.vx = -0.5f;
  if (step % 4 == 1) b.vx = -0.04f; /* a body that sways does not walk */
  return b;
}

static void walking_backwards_is_a_share_of_time(void **state) {
  (void)state;
  th_summary s = measure(pushed);
  assert_near(s.backwards, 0.25, 0.005);
  assert_near(s.standing, 0.25, 0.005);
}

/* Stands for half of the time and turns by 0.05 rad in each of these steps; turning while it walks does not count. */
static body turning(uint32_t step) {
  double angle = step <= STEPS / 2 ? 0.05 * step : 0.05 * STEPS / 2 + 0.2 * (step - STEPS / 2);
  body b = {0, 0, 0, 0, (float)cos(angle), (float)sin(angle), TH_AGENT_WALKING};
  if (step > STEPS / 2) b.vx = b.hx, b.vy = b.hy;
  return b;
}

static void turning_counts_while_standing(void **state) {
  (void)state;
  th_summary s = measure(turning);
  assert_near(s.standing, 0.5, 0.005);
  assert_near(s.standing_turning, 0.5, 0.01); /* 0.05 rad in 0.1 s */
  assert_near(s.backwards, 0, 0);
}

/* Its field is in force from the second step on: only then it turns to where it leads, and steps slowly. It waits, and
 * turns once more by 1 rad. */
static body setting_off(uint32_t step) {
  const float angle = step < 2 ? 3.0f : step < STEPS / 2 ? 0.0f : 1.0f;
  return (body){0, 0, step == 2 ? 0.05f : 0.0f, 0, cosf(angle), sinf(angle), TH_AGENT_WALKING};
}

static void the_first_turn_is_no_turning_while_standing(void **state) {
  (void)state;
  th_summary s = measure(setting_off);
  assert_near(s.standing, 1, 0);
  assert_near(s.standing_turning * DT * (STEPS + 1), 1.0, 1e-4);
}

/* Round a circle of 2 m at 1 m/s: v^2 / r = 0.5 m/s2, as far as chords show it. */
static body circling(uint32_t step) {
  double angle = 0.5 * DT * step;
  return (body){2 * (float)cos(angle), 2 * (float)sin(angle), -(float)sin(angle), (float)cos(angle),
                -(float)sin(angle),    (float)cos(angle),     TH_AGENT_WALKING};
}

static void a_circle_accelerates_to_its_centre(void **state) {
  (void)state;
  assert_near(measure(circling).acceleration, 0.5, 1e-3);
}

/* 2 m/s2 in half of the steps, none in the others: rms sqrt(2). */
static body jerking(uint32_t step) {
  body b = steady(step);
  b.vx = step % 4 < 2 ? 1.0f : 1.2f;
  return b;
}

static void acceleration_is_a_root_mean_square(void **state) {
  (void)state;
  assert_near(measure(jerking).acceleration, sqrt(2.0), 0.01);
}

/* Before its time, and at a stop, nothing counts. */
static body waiting(uint32_t step) {
  body b = step < STEPS / 2 ? turning(step) : steady(step);
  b.state = step < STEPS / 2 ? TH_AGENT_PREMOVEMENT : TH_AGENT_WALKING;
  return b;
}

static void who_has_not_set_off_does_not_count(void **state) {
  (void)state;
  th_summary s = measure(waiting);
  assert_near(s.standing, 0, 0);
  assert_near(s.acceleration, 0, 1e-6);
  assert_near(s.speed_mean, s.path_mean / (DT * (STEPS / 2 + 1)), 1e-6);
}

/* On a roof of two planes, 60 degrees to each other: who walks straight over the ridge does not accelerate or turn. */
static void a_fold_of_the_ground_is_no_acceleration(void **state) {
  (void)state;
  th_metrics *metrics = NULL;
  th_metrics_def def = th_default_metrics_def();
  assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_OK);
  for (uint32_t step = 0; step <= 20; step++) {
    const th_agent_id id = {1, 1, 0};
    const float radius = 0.2f, zero = 0.0f, sign = step < 10 ? 1.0f : -1.0f;
    const uint8_t walking = TH_AGENT_WALKING;
    const float c = (float)cos(PI / 6), s = sign * (float)sin(PI / 6), at = 0.1f * ((float)step - 9.5f);
    th_vec3 point = {c * at, 0, -0.5f * fabsf(at)}, way = {c, 0, s}, normal = {-s, 0, c};
    th_points space = {.point = &point, .velocity = &way, .heading = &way, .normal = &normal};
    th_agents agents = {.count = 1,
                        .id = &id,
                        .x = &zero,
                        .y = &zero,
                        .vx = &zero,
                        .vy = &zero,
                        .hx = &zero,
                        .hy = &zero,
                        .radius = &radius,
                        .state = &walking,
                        .space = &space};
    assert_int_equal(th_metrics_step(metrics, step, &agents, NULL, 0, NULL), TH_OK);
  }
  th_summary sum = th_metrics_summary(metrics);
  assert_near(sum.acceleration, 0, 1e-5);
  assert_near(sum.turning_mean, 0, 1e-5);
  th_metrics_free(metrics);
}

/* Crossings after 1.0, 1.5, 4.7 and 5.0 s: the door stood still for 3.2 s. */
static void the_longest_gap_is_between_neighbours(void **state) {
  (void)state;
  static const uint32_t when[4] = {10, 15, 47, 50};
  th_metrics *metrics = NULL;
  th_metrics_def def = th_default_metrics_def();
  th_measure_line line[2] = {{"door", {0, 1}, {0, -9}}, {"nobody", {90, 1}, {90, -1}}};
  def.line = line, def.line_count = 2;
  assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_OK);
  for (uint32_t step = 0; step <= 60; step++) {
    float x[4], y[4], zero[4] = {0}, radius[4] = {0.2f, 0.2f, 0.2f, 0.2f};
    th_agent_id id[4];
    for (uint32_t i = 0; i < 4; i++)
      id[i] = (th_agent_id){i + 1, 1, 0}, x[i] = step < when[i] ? -1.0f : 1.0f, y[i] = -2.0f * (float)i;
    th_agents agents = {.count = 4, .id = id, .x = x, .y = y, .vx = zero, .vy = zero, .radius = radius};
    assert_int_equal(th_metrics_step(metrics, step, &agents, NULL, 0, NULL), TH_OK);
  }
  assert_near(th_metrics_line_gap(metrics, "door"), 3.2, 1e-9);
  assert_true(isnan(th_metrics_line_gap(metrics, "nobody")));
  assert_true(isnan(th_metrics_line_gap(metrics, "none")));
  th_metrics_free(metrics);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_walks_steadily_does_nothing_odd),
      cmocka_unit_test(walking_backwards_is_a_share_of_time),
      cmocka_unit_test(turning_counts_while_standing),
      cmocka_unit_test(the_first_turn_is_no_turning_while_standing),
      cmocka_unit_test(a_circle_accelerates_to_its_centre),
      cmocka_unit_test(acceleration_is_a_root_mean_square),
      cmocka_unit_test(who_has_not_set_off_does_not_count),
      cmocka_unit_test(a_fold_of_the_ground_is_no_acceleration),
      cmocka_unit_test(the_longest_gap_is_between_neighbours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
