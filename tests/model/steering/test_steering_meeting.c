/* tests/model/steering/test_steering_meeting.c - people avoidance where the clauses of the specification differ from
 * what is near them: the side on which the other one will be, the limits of a crossing, distances of nothing. Geometry
 * in cm, y to the right. */
#include "support/steering_stage.h"

/* The first moment at which somebody at r with the relative velocity w is nearer than 300 [s]. */
static double first_near(const double r[2], const double w[2]) {
  const double ww = w[0] * w[0] + w[1] * w[1], rw = r[0] * w[0] + r[1] * w[1], rr = r[0] * r[0] + r[1] * r[1];
  return (-rw - sqrt(rw * rw - ww * (rr - 300.0 * 300.0))) / ww;
}

/* On one side now and on the other one when it comes near: the turn is away from the side where it will be. */
/* shows: STEER-27 */
static void the_side_where_the_other_will_be(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.people.on = s.params.people.circumvention = true;
  s.params.people.deceleration = s.params.people.acceleration = false;
  for (int right = 0; right < 2; right++) {
    const double sign = right ? 1.0 : -1.0, r[2] = {400, 60 * sign}, w[2] = {-220, -220 * sign};
    const double t = first_near(r, w), x = r[0] + w[0] * t, y = r[1] + w[1] * t;
    assert_true(y * r[1] < 0.0); /* it changes sides before it is near */
    const double k1 = (16.0 - 4.0 * t) / 15.0, k3 = 1.0 - atan2(fabs(y), x) / 1.5707963267948966;
    s.view.neighbours.count = 0;
    stage_person(&s, (float)r[0], (float)r[1], 0, -220.0f * (float)sign);
    const th_vec2 f = stage_ask(&s, th_steer_people).force;
    assert_float_equal(f.x, 0.0f, 0.1f);
    assert_float_equal(f.y, (float)(2.0 * 200.0 * k1 * k3 * sign), 0.1f); /* to the side where it stands now */
  }
}

/* shows: STEER-27 */
static void exactly_ahead_the_side_is_drawn(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.people.on = s.params.people.circumvention = true;
  s.params.people.deceleration = s.params.people.acceleration = false;
  uint32_t left = 0, right = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    s.work.seed = seed;
    s.view.neighbours.count = 0;
    stage_person(&s, 600, 0, -220, 0);
    const float y = stage_ask(&s, th_steer_people).force.y;
    left += y < -1.0f;
    right += y > 1.0f;
  }
  assert_true(left > 8 && right > 8 && left + right == 40); /* a fair draw fails once in 5,000 */
}

/* Force on somebody at (0, 0) who walks ahead with 220, of one who crosses to the right at x = 440. */
static float crossing_force(stage *s, float y, float vy) {
  s->view.neighbours.count = 0;
  stage_person(s, 440, y, 0, vy);
  return stage_ask(s, th_steer_people).force.x;
}

/* Speeds change only where the half-lines cross, the two come nearer than D, and that happens within P. */
/* shows: STEER-29 */
static void limits_of_a_crossing(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.people.on = true;
  s.params.people.circumvention = false;
  s.params.people.distance = 1.0f;
  /* the agent reaches the crossing after 2 s; the other one is then as far from it as it still has to walk */
  assert_true(crossing_force(&s, -540 + 2, 220) > 1.0f);
  assert_float_equal(crossing_force(&s, -540 - 2, 220), 0.0f, 1e-3f);
  /* the other one is there first, and the agent slows down; it is nearest at that moment */
  assert_true(crossing_force(&s, -345, 220) < -1.0f);
  assert_float_equal(crossing_force(&s, -335, 220), 0.0f, 1e-3f);
  /* the crossing lies behind the other one, or behind the agent */
  assert_float_equal(crossing_force(&s, -440, -220), 0.0f, 1e-3f);
  s.view.neighbours.count = 0;
  stage_person(&s, -440, -440, 0, 220);
  assert_float_equal(stage_ask(&s, th_steer_people).force.x, 0.0f, 1e-3f);
  s.view.neighbours.count = 0;
  stage_person(&s, -440, 440, 0, 220); /* both have passed it, at the same moment */
  assert_float_equal(stage_ask(&s, th_steer_people).force.x, 0.0f, 1e-3f);
  /* after 2 s: within P of 2.1 s, not within 1.9 s */
  s.params.people.projection = 2.1f;
  assert_true(crossing_force(&s, -460, 220) > 1.0f);
  s.params.people.projection = 1.9f;
  assert_float_equal(crossing_force(&s, -460, 220), 0.0f, 1e-3f);
}

static const th_steer_run runs[] = {th_steer_obstacle, th_steer_people, th_steer_target, th_steer_path,
                                    th_steer_wall,     th_steer_leader, th_steer_along};

/* Every distance of the table at its least, which is 0 for some; the agent walks, stands, and is where the others are.
 */
/* shows: STEER-14 */
static void distances_of_nothing(void **state) {
  (void)state;
  static stage s;
  uint32_t nothing = 0;
  stage_make(&s);
  s.params.obstacle.on = s.params.people.on = s.params.target.on = s.params.path.on = s.params.wall.on = true;
  s.params.leader.on = s.params.along.on = true;
  s.params.target.by = TH_STEER_PLACE;
  for (uint32_t i = 0; i < th_model_steering.param_count; i++) {
    const th_param *row = &th_model_steering.param[i];
    if (row->type != TH_PARAM_FLOAT || strcmp(row->unit, "m") || !strcmp(row->name, "sight")) continue;
    const float least = (float)row->min;
    memcpy((char *)&s.params + row->offset, &least, sizeof least);
    nothing += least == 0.0f;
  }
  assert_true(nothing >= 5); /* of target, path and partner */
  for (int k = 0; k < 8; k++) {
    const float at = k & 1 ? 100.0f : 0.0f, speed = k & 2 ? 220.0f : 0.0f;
    s.params.target.place = (th_vec3){k & 4 ? 50.0f : 0.0f, 0, 0};
    s.params.leader.type = k & 4 ? TH_FOLLOW_FORMATION : TH_FOLLOW_BASIC;
    s.view.neighbours.count = 0;
    stage_body(&s, 0, 0, speed, 0);
    stage_person(&s, at, 0, speed, 0);
    stage_link(&s, 0, TH_ROLE_LEADER, (float[]){at, 0, speed, 0}, true);
    stage_link(&s, 1, TH_ROLE_PARTNER, (float[]){at, 0, speed, 0}, true);
    for (uint32_t i = 0; i < 16; i++)
      s.path[i] = (th_view_path){.count = 1, .guide = 1, .number = 1, .x = {0.01f * at}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
      const th_steering_force f = stage_ask(&s, runs[i]);
      if (!isfinite(f.force.x) || !isfinite(f.force.y)) fail_msg("steering %zu, case %d: no number", i, k);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_side_where_the_other_will_be),
                                     cmocka_unit_test(exactly_ahead_the_side_is_drawn),
                                     cmocka_unit_test(limits_of_a_crossing), cmocka_unit_test(distances_of_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
