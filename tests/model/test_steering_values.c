/* tests/model/test_steering_values.c - the formulas of the steerings at the values that the specification lists, in its
 * units: 1 cm_UT = 0.01 m, 1 N_UT = 0.01 m/s, 1 tick = 0.25 s. */
#include "support/steering_stage.h"

#define SAME(a, b) assert_float_equal(a, b, 0.051f) /* of the last digit of the table */

/* A wall ahead that buries the front ray by this share, seen by the front ray alone. */
static float front_push(stage *s, float buried) {
  const float hit = 625.0f * (1.0f - buried);
  s->view.wall_count = 0;
  stage_wall(s, hit, -0.1f * hit, hit, 0.1f * hit);
  th_steering_force f = stage_ask(s, th_steer_obstacle);
  assert_false(f.agrees);
  return -f.force.x;
}

/* shows: STEER-12, STEER-19, STEER-24, STEER-100 */
static void obstacle_avoidance(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.obstacle.on = true;
  s.params.obstacle.front = s.params.obstacle.tree = false;
  SAME(front_push(&s, 0.5f), 240.0f);
  SAME(front_push(&s, 0.99999f), 480.0f);
  s.params.obstacle.order = 2;
  SAME(front_push(&s, 0.25f), 60.0f);
  s.params.obstacle.order = 1;
  /* a short wall across the oblique ray, half of which it buries; then one across the side ray */
  const float c = cosf(0.26179939f), n = sinf(0.26179939f), half = 312.5f;
  s.view.wall_count = 0;
  stage_wall(&s, half * c - n, half * n + c, half * c + n, half * n - c);
  th_vec2 f = stage_ask(&s, th_steer_obstacle).force;
  SAME(sqrtf(f.x * f.x + f.y * f.y), 192.0f);
  s.view.wall_count = 0;
  stage_wall(&s, -1, -100, 1, -100);
  f = stage_ask(&s, th_steer_obstacle).force;
  SAME(f.y, 120.0f);
  SAME(f.x, 0.0f);
}

/* shows: STEER-25, STEER-26, STEER-27 */
static void people_avoidance(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  th_steering_basic(&s.params);
  s.params.people.on = true;
  const float distance[] = {150, 300, 0.001f}, repulsion[] = {100, 0, 200};
  for (int i = 0; i < 3; i++) {
    s.view.neighbours.count = 0;
    stage_person(&s, distance[i], 0, 220, 0);
    SAME(stage_ask(&s, th_steer_people).force.x, -repulsion[i]);
  }
  /* somebody stands ahead so that the distance of 300 is reached after t ticks of 55: 2 F K1 K3 to the left */
  s.params.people.circumvention = true;
  s.params.people.projection = 4.0f;
  s.params.side = TH_STEER_LEFT;
  const float tick[] = {1, 8.5f, 15.999f}, k1[] = {1, 0.5f, 0};
  for (int i = 0; i < 3; i++) {
    s.view.neighbours.count = 0;
    stage_person(&s, 300 + 55 * tick[i], 0, 0, 0);
    SAME(stage_ask(&s, th_steer_people).force.y, -400.0f * k1[i]);
  }
  /* printed: (P - t)/P */
  s.params.people.reading = TH_STEER_PRINTED;
  s.view.neighbours.count = 0;
  stage_person(&s, 300 + 55, 0, 0, 0);
  SAME(stage_ask(&s, th_steer_people).force.y, -400.0f * 15.0f / 16.0f);
  s.params.people.reading = TH_STEER_REPAIRED;
  /* at once: 45 degrees ahead to the right K3 = 0.5, at a right angle 0; K2 is 0 at the rim */
  const float angle[] = {0.7853982f, 1.5707964f, 2.0f}, k3[] = {0.5f, 0, 0};
  for (int i = 0; i < 3; i++) {
    s.view.neighbours.count = 0;
    stage_person(&s, 299.99f * cosf(angle[i]), 299.99f * sinf(angle[i]), 220, 0);
    SAME(stage_ask(&s, th_steer_people).force.y, -400.0f * k3[i]);
  }
}

/* shows: STEER-38, STEER-39 */
static void target_functions(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.target.on = true;
  s.params.target.by = TH_STEER_NONE;
  const th_vec3 f[] = {{0, -1.8f, 1}, {15, -1, 0}, {20, 1, 1}, {35, 1, 1}, {40, 3, 1}};
  memcpy(s.params.target.functions.point, f, sizeof f);
  s.params.target.functions.count = 5;
  s.params.target.targets.count = 1;
  const float distance[] = {4000, 3750, 3000, 1999, 1600, 750}, force[] = {300, 200, 100, 0, 0, -140};
  for (int i = 0; i < 6; i++) {
    s.params.target.targets.point[0] = (th_vec3){0.01f * distance[i], 0, 0};
    SAME(stage_ask(&s, th_steer_target).force.x, force[i]);
  }
  /* a second target, with a function of its own that begins where the distance falls */
  s.params.target.functions.point[5] = (th_vec3){0, -0.5f, 1};
  s.params.target.functions.count = 6;
  s.params.target.targets.point[0] = (th_vec3){30, 0, 0};
  s.params.target.targets.point[1] = (th_vec3){0, -7, 0}; /* to the right */
  s.params.target.targets.count = 2;
  th_vec2 both = stage_ask(&s, th_steer_target).force;
  SAME(both.x, 100.0f);
  SAME(both.y, -50.0f);
}

/* shows: STEER-10, STEER-11, STEER-79, STEER-80, STEER-82 */
static void combination(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  SAME(th_steer_weight(1e-3f, 2.2f), 2.0f);
  SAME(th_steer_weight(2.2f, 2.2f), 2.0f);
  SAME(th_steer_weight(3.3f, 2.2f), 1.5f);
  SAME(th_steer_weight(4.4f, 2.2f), 1.0f);
  SAME(th_steer_weight(0.0f, 2.2f), 0.0f);
  th_vec2 v = stage_blend(&s, &(th_vec2){0, 100}, 1, false);
  SAME(v.x, 146.7f);
  SAME(v.y, 33.3f);
  s.room.self[0] = th_steer_look_at(&s.work, &s.room.senses, 0);
  th_vec2 turn = th_steer_rotation(&s.room.self[0], -1.0f); /* to the right */
  v = stage_blend(&s, &(th_vec2){100.0f * turn.x, -100.0f * turn.y}, 1, false);
  SAME(v.x, 146.7f);
  SAME(v.y, 73.3f);
  assert_float_equal(atan2f(v.y, v.x) * 57.29578f, 26.6f, 0.05f);
  stage_body(&s, 0, 0, 200, 0);
  v = stage_blend(&s, NULL, 0, true);
  SAME(v.x, 0.0f);
  SAME(v.y, 0.0f);
  /* a stop beside another force: the force alone is left of the sum */
  v = stage_blend(&s, &(th_vec2){0, 100}, 1, true);
  SAME(v.x, 0.0f);
  SAME(v.y, 25.0f);
  /* a slow-down vector of a half leaves half of the velocity's part */
  s.room.self[0] = th_steer_look_at(&s.work, &s.room.senses, 0);
  th_vec2 brake = th_steer_brake(&s.room.self[0], 0.5f);
  SAME(100.0f * brake.x, -200.0f);
}

/* shows: STEER-85 */
static void scaling(void **state) {
  (void)state;
  bool runs;
  const float x[] = {0.0f, 0.8f, 1.0f, 2.5f}, factor[] = {0.25f, 0.85f, 0.991f, 1.262f};
  for (int i = 0; i < 4; i++) {
    assert_float_equal(th_steer_scale(2.2f * x[i], 2.2f, &runs) / 2.2f, factor[i], 5e-4f);
    assert_false(runs);
  }
  assert_float_equal(th_steer_scale(2.2f * 2.5001f, 2.2f, &runs) / 4.4f, 0.8f, 5e-4f);
  assert_true(runs);
  assert_float_equal(th_steer_scale(2.2f * 20.5f, 2.2f, &runs) / 4.4f, 1.8f, 5e-4f);
  assert_float_equal(th_steer_scale(2.2f * 90.0f, 2.2f, &runs) / 4.4f, 1.8f, 5e-4f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(obstacle_avoidance), cmocka_unit_test(people_avoidance),
                                     cmocka_unit_test(target_functions), cmocka_unit_test(combination),
                                     cmocka_unit_test(scaling)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
