/* tests/model/steering/test_steering_combined.c - every steering together with obstacle and people avoidance, all with
 * a weight of 1, as users combine them: nobody touches anything, and what each steering is for still happens. Geometry
 * in cm, y to the right. */
#include "support/steering_walk.h"

static th_steering_params careful(th_steering_params p) {
  p.obstacle.on = p.people.on = true;
  return p;
}

/* Two meet beside a wall that both follow, one on either hand. */
/* shows: STEER-87 */
static void wall_following_among_people(void **state) {
  (void)state;
  static walk w;
  const walk_box wall = {-7900, 0, 7900, 200};
  th_steering_params p = walk_params();
  p.wall.on = p.people.on = true;
  walk_begin(&w, &wall, 1);
  walk_add(&w, -2000, -150, 0, -150, &p);
  walk_add(&w, 2000, -140, 0, -140, &p);
  walk_ticks(&w, 120);
  assert_true(walk_least(&w, 0, 1) > 50.0f);
  assert_true(walk_now(&w, 0).x > 1500.0f && walk_now(&w, 1).x < -1500.0f);
  for (uint32_t i = 0; i < 2; i++) {
    assert_true(walk_clearance(&w, i, 0, 120) > 25.0f);
    assert_float_equal(walk_now(&w, i).y, -150.0f, 10.0f); /* both are back at their distance */
  }
  walk_end(&w);
}

/* A leader walks round a box, its follower after it; somebody stands in the way of both. */
/* shows: STEER-87 */
static void a_leader_past_obstacles_and_people(void **state) {
  (void)state;
  static walk w;
  const walk_box box = {1400, -100, 1600, 100};
  for (int type = 0; type < 2; type++) {
    th_steering_params leader = careful(walk_to(4500, 0)), off = walk_params(), p = careful(walk_params()),
                       stands = walk_params();
    p.leader.on = true;
    p.leader.type = type ? TH_FOLLOW_FORMATION : TH_FOLLOW_BASIC;
    p.people.distance = 2.0f; /* less than that to the leader */
    walk_begin(&w, &box, 1);
    walk_add(&w, 0, 20, 1000, 20, &leader);
    walk_add(&w, -300, 20, 0, 20, &off);
    walk_add_at_rest(&w, 3000, 30, &stands);
    walk_link(&w, 1, 0, TH_ROLE_LEADER, &p);
    walk_ticks(&w, 220);
    for (uint32_t i = 0; i < 2; i++) assert_true(walk_clearance(&w, i, 0, 220) > 25.0f);
    assert_true(walk_least(&w, 0, 1) > 50.0f && walk_least(&w, 0, 2) > 50.0f && walk_least(&w, 1, 2) > 50.0f);
    assert_true(walk_from(&w, 0, 220, 4500, 0) < 150.0f);
    assert_float_equal(walk_apart(&w, 0, 1, 220), 300.0f, 80.0f);
    walk_end(&w);
  }
}

/* Two partners with a box in their way and somebody who comes towards them. */
/* shows: STEER-87 */
static void partners_past_obstacles_and_people(void **state) {
  (void)state;
  static walk w;
  const walk_box box = {1400, 150, 1600, 350};
  th_steering_params p = careful(walk_to(4500, 0)), off = walk_params(), towards = careful(walk_to(-1000, 0));
  p.target.on = false;
  p.along.on = true;
  p.along.distance = 4.0f;
  p.people.distance = 2.0f;
  walk_begin(&w, &box, 1);
  walk_add(&w, 0, -200, 1000, -200, &off);
  walk_add(&w, 0, 200, 1000, 200, &off);
  walk_add(&w, 3500, 0, 0, 0, &towards);
  walk_link(&w, 0, 1, TH_ROLE_PARTNER, &p);
  walk_link(&w, 1, 0, TH_ROLE_PARTNER, &p);
  walk_ticks(&w, 260);
  for (uint32_t i = 0; i < 2; i++) assert_true(walk_clearance(&w, i, 0, 260) > 25.0f);
  assert_true(walk_least(&w, 0, 1) > 50.0f && walk_least(&w, 0, 2) > 50.0f && walk_least(&w, 1, 2) > 50.0f);
  for (uint32_t i = 0; i < 2; i++) assert_true(walk_from(&w, i, 260, 4500, 0) < 400.0f); /* 2 m beside, within 2 m */
  assert_true(walk_from(&w, 2, 260, -1000, 0) < 150.0f);
  walk_end(&w);
}

/* A path leads past a box, against somebody who follows it the other way. */
/* shows: STEER-87 */
static void a_path_past_obstacles_and_people(void **state) {
  (void)state;
  static walk w;
  static th_vec3 to[3], back[3];
  const walk_box box = {1400, -100, 1600, 100};
  const float point[3][2] = {{0, 0}, {1500, 20}, {3500, 0}};
  for (int i = 0; i < 3; i++) to[i] = back[2 - i] = walk_point(point[i][0], point[i][1]);
  th_steering_params p = careful(walk_params());
  p.path.on = true;
  walk_begin(&w, &box, 1);
  th_agent_def def = walk_def(0, 10, 1000, 10, &p);
  th_path_params path = th_default_path_params();
  path.count = 3;
  path.point = to;
  assert_int_equal(th_world_add_guide(w.world, &th_guide_path, &path, &def.guide, NULL), TH_OK);
  walk_add_def(&w, &def);
  def = walk_def(3500, -10, 0, -10, &p);
  path.point = back;
  assert_int_equal(th_world_add_guide(w.world, &th_guide_path, &path, &def.guide, NULL), TH_OK);
  walk_add_def(&w, &def);
  walk_ticks(&w, 200);
  for (uint32_t i = 0; i < 2; i++) assert_true(walk_clearance(&w, i, 0, 200) > 25.0f);
  assert_true(walk_least(&w, 0, 1) > 50.0f);
  assert_true(walk_from(&w, 0, 200, 3500, 0) < 150.0f && walk_from(&w, 1, 200, 0, 0) < 150.0f);
  walk_end(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wall_following_among_people), cmocka_unit_test(a_leader_past_obstacles_and_people),
      cmocka_unit_test(partners_past_obstacles_and_people), cmocka_unit_test(a_path_past_obstacles_and_people)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
