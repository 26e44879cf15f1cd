/* tests/model/steering/test_steering_walls.c - wall following: what each of its four weights does, and walls of other
 * kinds than those of a house: fences, a room with a wide door. Geometry in cm, y to the right. */
#include "support/steering_stage.h"
#include "support/steering_walk.h"

/* An outer corner: nothing is left of the wall on the right. An inner one: a wall across ahead. */
/* shows: STEER-54, STEER-55 */
static void corners_turn_by_their_weights(void **state) {
  (void)state;
  static stage s;
  const float weight[] = {0.0f, 0.5f, 1.0f, 2.5f};
  stage_make(&s);
  s.params.wall.on = true;
  for (int left = 0; left < 2; left++) {
    const float to_wall = left ? -1.0f : 1.0f;
    for (int i = 0; i < 4; i++) {
      for (int inner = 0; inner < 2; inner++) {
        s.params.wall.concave = inner ? 7.0f : weight[i];
        s.params.wall.convex = inner ? weight[i] : 7.0f;
        s.state.wall_side = left ? TH_WALL_LEFT : TH_WALL_RIGHT;
        s.state.wall_lost = 0;
        s.view.wall_count = 0;
        if (inner) stage_wall(&s, 300, -400, 300, 400);
        const th_vec2 f = stage_ask(&s, th_steer_wall).force;
        assert_float_equal(f.x, 0.0f, 1e-3f);
        assert_float_equal(f.y, (inner ? -220.0f : 220.0f) * to_wall * weight[i], 0.01f);
      }
    }
  }
}

/* Where both forces of the side ray balance: R 2 r / (a + 3 r). */
static float balance(float attract, float repel) { return 300.0f * 2.0f * repel / (attract + 3.0f * repel); }

/* From hugging the wall to keeping off it. */
/* shows: STEER-59 */
static void weights_set_the_distance(void **state) {
  (void)state;
  static walk w;
  const walk_box wall = {-7900, 0, 7900, 200};
  const float weight[][2] = {{1, 1}, {2, 1}, {0.5f, 1}, {1, 0.5f}, {1, 1.5f}, {0.8f, 1.2f}};
  for (int i = 0; i < 6; i++) {
    th_steering_params p = walk_params();
    p.wall.on = true;
    p.wall.attract = weight[i][0];
    p.wall.repel = weight[i][1];
    walk_begin(&w, &wall, 1);
    walk_add(&w, -7000, -160, 0, -160, &p);
    walk_ticks(&w, 240);
    assert_float_equal(-walk_now(&w, 0).y, balance(weight[i][0], weight[i][1]), 2.0f);
    walk_end(&w);
  }
}

/* How far round a point it has gone, in turns. */
static float laps(const walk *w, float x, float y) {
  float sum = 0.0f;
  for (uint32_t t = 1; t <= w->ticks; t++) {
    const th_vec2 a = {w->at[0][t - 1].x - x, w->at[0][t - 1].y - y}, b = {w->at[0][t].x - x, w->at[0][t].y - y};
    sum += atan2f(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y) / 6.2831853f;
  }
  return fabsf(sum);
}

/* Without the weight of outer corners it leaves the building at the first one; without that of inner corners it walks
 * up to the wall ahead before the rays push it back. */
/* shows: STEER-54, STEER-55, STEER-59 */
static void weights_of_corners_in_walks(void **state) {
  (void)state;
  static walk w;
  const walk_box house = {0, 0, 2000, 1500};
  const walk_box room[] = {{-100, -100, 2600, 0}, {-100, 2000, 2600, 2100}, {-100, 0, 0, 2000}, {2500, 0, 2600, 2000}};
  float round[2], least[2];
  for (int on = 0; on < 2; on++) {
    th_steering_params p = walk_params();
    p.wall.on = true;
    p.wall.concave = on ? 1.0f : 0.0f;
    walk_begin(&w, &house, 1);
    walk_add(&w, 500, -160, 1000, -160, &p);
    walk_ticks(&w, 200);
    round[on] = laps(&w, 1000, 750);
    walk_end(&w);
    p.wall.concave = 1.0f;
    p.wall.convex = on ? 1.0f : 0.0f;
    walk_begin(&w, room, 4);
    walk_add(&w, 500, 150, 1000, 150, &p);
    walk_ticks(&w, 200);
    least[on] = walk_clearance(&w, 0, 10, 200);
    walk_end(&w);
  }
  assert_true(round[0] < 0.5f && round[1] > 1.0f);
  assert_true(least[0] < 100.0f && least[1] > 145.0f);
}

/* A fence is a wall of two sides: it is followed along one, round its end and back along the other. */
/* shows: STEER-60 */
static void round_a_fence(void **state) {
  (void)state;
  static walk w;
  const walk_box fence = {0, 0, 2500, 10};
  th_steering_params p = walk_params();
  p.wall.on = true;
  walk_begin(&w, &fence, 1);
  walk_add(&w, 500, -160, 1000, -160, &p);
  walk_ticks(&w, 300);
  assert_true(laps(&w, 1250, 5) > 1.5f);
  assert_true(walk_clearance(&w, 0, 0, 300) > 25.0f);
  walk_end(&w);
}

/* Round a house, in by a door of 8 m, round the room inside, out again and on round the house. */
/* shows: STEER-60 */
static void through_a_wide_door(void **state) {
  (void)state;
  static walk w;
  const walk_box house[] = {
      {0, 0, 1000, 50}, {1800, 0, 3000, 50}, {0, 50, 50, 2500}, {2950, 50, 3000, 2500}, {50, 2450, 2950, 2500}};
  th_steering_params p = walk_params();
  p.wall.on = true;
  walk_begin(&w, house, 5);
  walk_add(&w, 300, -160, 1000, -160, &p);
  walk_ticks(&w, 700);
  uint32_t inside = 0, behind = 0, back = 0;
  for (uint32_t t = 0; t <= w.ticks; t++) {
    const th_vec2 at = w.at[0][t];
    const bool in = at.x > 100 && at.x < 2900 && at.y > 200 && at.y < 2400;
    inside += in;
    behind += inside && at.y > 2500;
    back += behind && at.y < 0;
  }
  assert_true(inside > 60); /* the walls inside are 70 m long: 120 ticks at 2.2 m/s */
  assert_true(behind && back);
  assert_true(walk_clearance(&w, 0, 0, w.ticks) > 25.0f);
  walk_end(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(corners_turn_by_their_weights),
                                     cmocka_unit_test(weights_set_the_distance),
                                     cmocka_unit_test(weights_of_corners_in_walks), cmocka_unit_test(round_a_fence),
                                     cmocka_unit_test(through_a_wide_door)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
