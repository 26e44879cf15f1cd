/* tests/model/steering/test_steering_walks.c - how agents with obstacle avoidance, target approaching, path and wall
 * following walk. Geometry in cm, y to the right; one decision a tick of 0.25 s. */
#include "support/steering_walk.h"

static float max_x(const walk *w, uint32_t agent) {
  float most = -INFINITY;
  for (uint32_t t = 0; t <= w->ticks; t++) most = fmaxf(most, w->at[agent][t].x);
  return most;
}

static uint32_t arrival(const walk *w, uint32_t agent, float x, float y, float within) {
  uint32_t t = 0;
  while (t <= w->ticks && walk_from(w, agent, t, x, y) >= within) t++;
  return t;
}

/* How often the agent goes round a point, from +x over +y. */
static float laps(const walk *w, uint32_t agent, float x, float y) {
  float sum = 0.0f;
  for (uint32_t t = 1; t <= w->ticks; t++) {
    const th_vec2 a = {w->at[agent][t - 1].x - x, w->at[agent][t - 1].y - y},
                  b = {w->at[agent][t].x - x, w->at[agent][t].y - y};
    sum += atan2f(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y) / 6.2831853f;
  }
  return sum;
}

/* ---------------------------------------------------------------- obstacle avoidance */

/* shows: STEER-18, STEER-20, STEER-21, STEER-22 */
static void a_wall_head_on(void **state) {
  (void)state;
  static walk w;
  const walk_box wall = {1000, -4000, 1010, 4000};
  for (int front = 0; front < 2; front++) {
    walk_begin(&w, &wall, 1);
    th_steering_params p = walk_params();
    p.obstacle.on = true;
    p.obstacle.front = front;
    walk_add(&w, 0, 0, 1000, 0, &p);
    walk_ticks(&w, 60);
    th_vec2 end = walk_now(&w, 0), before = w.at[0][55];
    if (!front) { /* slows down, turns round, walks back */
      assert_float_equal(max_x(&w, 0), 486.0f, 2.0f);
      assert_true(end.x < before.x - 100.0f && fabsf(end.y - before.y) < 1.0f);
    } else { /* goes on along the wall, to a side that the seed draws */
      assert_float_equal(max_x(&w, 0), 808.0f, 2.0f);
      assert_true(fabsf(end.y - before.y) > 11.4f * fabsf(end.x - before.x)); /* parallel within 5 degrees */
    }
    walk_end(&w);
  }
  /* beyond 3 degrees the basic mode turns by itself */
  walk_begin(&w, &wall, 1);
  th_steering_params p = walk_params();
  p.obstacle.on = true;
  p.obstacle.front = false;
  walk_add(&w, 0, 0, 1000, 70, &p);
  walk_ticks(&w, 60);
  assert_true(walk_now(&w, 0).y > 500.0f); /* one that walks back on its line stays below 70 */
  walk_end(&w);
  /* without a hit there is no force: it walks straight on and regains its speed */
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &p);
  walk_ticks(&w, 40);
  assert_float_equal(walk_now(&w, 0).y, 0.0f, 1e-3f);
  assert_float_equal(walk_speed(&w, 0, 40), 217.0f, 0.5f);
  walk_end(&w);
}

/* Twelve corners stand in for the circle of 30. */
/* shows: STEER-23 */
static void a_tree(void **state) {
  (void)state;
  static walk w;
  th_vec2 corner[4], point[12];
  th_polygon outline = th_box_polygon(-30, -30, 30, 30, corner), tree = {.point = point, .count = 12};
  for (int i = 0; i < 12; i++) {
    const float angle = 6.2831853f * (float)i / 12.0f;
    point[i] = (th_vec2){6.0f + 0.3f * cosf(angle), -0.8f + 0.3f * sinf(angle)};
  }
  for (int on = 0; on < 2; on++) {
    memset(&w, 0, sizeof w);
    th_flat_def flat = th_default_flat_def();
    flat.outline = &outline;
    flat.outline_count = 1;
    flat.obstacle = &tree;
    flat.obstacle_count = 1;
    th_world_def def = th_default_world_def();
    def.dt = 0.25f;
    assert_int_equal(th_ground_make_flat(&flat, &def.ground, NULL), TH_OK);
    assert_int_equal(th_world_make(&def, &w.world, NULL), TH_OK);
    th_ground_release(def.ground);
    th_steering_params p = walk_params();
    p.obstacle.on = true;
    p.obstacle.tree = on;
    walk_add(&w, 0, 0, 1000, 0, &p);
    walk_ticks(&w, 24);
    float right = -INFINITY, least = INFINITY;
    for (uint32_t t = 0; t <= w.ticks; t++) {
      right = fmaxf(right, w.at[0][t].y);
      least = fminf(least, walk_from(&w, 0, t, 600, 80));
    }
    if (on)
      assert_true(right <= 0.0f); /* the tree is to the right: never towards it */
    else
      assert_true(right > 25.0f); /* half a body at least: an error that is seen */
    assert_true(least > 55.0f);   /* neither touches it: 30 and half a body */
    walk_end(&w);
  }
}

/* shows: STEER-81 */
static void speed_returns(void **state) {
  (void)state;
  static walk w;
  const walk_box box = {900, -60, 1000, 60};
  walk_begin(&w, &box, 1);
  th_steering_params p = walk_params();
  p.obstacle.on = true;
  walk_add(&w, 0, 0, 1000, 0, &p);
  walk_ticks(&w, 80);
  float least = INFINITY;
  for (uint32_t t = 1; t <= 40; t++) least = fminf(least, walk_speed(&w, 0, t));
  assert_true(least < 110.0f); /* half of walking: else there is nothing to return from */
  assert_float_equal(walk_speed(&w, 0, 80), 217.0f, 0.5f);
  walk_end(&w);
}

/* ---------------------------------------------------------------- target approaching */

/* shows: STEER-36, STEER-37, STEER-40, STEER-83 */
static void a_target(void **state) {
  (void)state;
  static walk w;
  walk_begin(&w, NULL, 0);
  th_steering_params slow = walk_to(2000, 1500), quick = slow;
  quick.target.force = 4.0f;
  walk_add(&w, 0, 0, 1000, 0, &slow);
  walk_add(&w, 0, 0, 1000, 0, &quick);
  walk_ticks(&w, 3);
  float most, turned[2] = {atan2f(w.at[0][3].y - w.at[0][2].y, w.at[0][3].x - w.at[0][2].x),
                           atan2f(w.at[1][3].y - w.at[1][2].y, w.at[1][3].x - w.at[1][2].x)};
  assert_true(turned[0] > 0.05f && turned[1] > turned[0]);
  walk_ticks(&w, 97);
  for (uint32_t i = 0; i < 2; i++) {
    assert_true(walk_from(&w, i, 100, 2000, 1500) < 150.0f);
    assert_float_equal(walk_speed(&w, i, 100), 0.0f, 1e-3f);
  }
  walk_turning(&w, 0, 0, 100, &most);
  assert_true(most < 15.0f); /* atan(100 / (2 * 187)): a pull straight across, weighed against the velocity */
  /* displaced, it comes back */
  assert_int_equal(th_world_place_agent(w.world, w.id[0], walk_point(1000, 1500), NULL), TH_OK);
  walk_ticks(&w, 60);
  assert_true(walk_from(&w, 0, w.ticks, 2000, 1500) < 150.0f);
  assert_float_equal(walk_speed(&w, 0, w.ticks), 0.0f, 1e-3f);
  walk_end(&w);
}

/* Steady speeds of the specification: no force 217; a pull of 100, 200, 400, 800: 187, 214, 238, 266; of 50: 228. */
/* shows: STEER-79, STEER-84, STEER-85 */
static void steady_speeds(void **state) {
  (void)state;
  static walk w;
  const float force[] = {0, 0.5f, 1, 2, 4, 8}, speed[] = {217, 228, 187, 214, 238, 266};
  for (int i = 0; i < 6; i++) {
    walk_begin(&w, NULL, 0);
    th_steering_params p = walk_to(7900, 0);
    p.target.force = force[i];
    walk_add(&w, -7900, 0, 0, 0, &p);
    walk_ticks(&w, 60);
    assert_float_equal(walk_speed(&w, 0, 60), speed[i], 0.5f);
    walk_end(&w);
  }
}

/* shows: STEER-07, STEER-84 */
static void running(void **state) {
  (void)state;
  static walk w;
  walk_begin(&w, NULL, 0);
  th_steering_params p = walk_to(7900, 0), walks = p;
  p.multiplier = 3.0f;
  p.target.force = walks.target.force = 2.0f;
  walk_add(&w, -7900, 0, 0, 0, &p);
  walk_ticks(&w, 40);
  assert_true(walk_speed(&w, 0, 40) > 352.0f); /* the slowest run: 0.8 of 440 */
  assert_int_equal(th_world_agents(w.world).gait[0], TH_GAIT_RUN);
  assert_int_equal(th_world_set_params(w.world, w.id[0], &walks, NULL), TH_OK);
  walk_ticks(&w, 12); /* no force demands more: back to walking */
  assert_int_equal(th_world_agents(w.world).gait[0], TH_GAIT_WALK);
  walk_ticks(&w, 30);
  assert_float_equal(walk_speed(&w, 0, w.ticks), 214.0f, 0.5f);
  walk_end(&w);
}

/* shows: STEER-87, STEER-114 */
static void target_behind_a_box(void **state) {
  (void)state;
  static walk w;
  const walk_box box = {1000, -100, 1200, 100};
  for (int k = -2; k <= 2; k++) {
    walk_begin(&w, &box, 1);
    th_steering_params p = walk_to(2400, 0);
    p.obstacle.on = true;
    walk_add_at_rest(&w, 0, 20.0f * (float)k, &p);
    walk_ticks(&w, 90);
    assert_true(arrival(&w, 0, 2400, 0, 150) < 64);    /* 58 ticks and a tenth */
    assert_true(walk_clearance(&w, 0, 0, 90) > 25.0f); /* half a body: never touches */
    float most, turned = walk_turning(&w, 0, 0, 90, &most);
    assert_true(turned < 280.0f && most < 80.0f); /* 360 would be a spin, 90 in one tick a bounce */
    assert_float_equal(walk_speed(&w, 0, 90), 0.0f, 1e-3f);
    walk_end(&w);
  }
}

/* ---------------------------------------------------------------- path following */

static const float zigzag[][2] = {{0, 0}, {1500, 0}, {1500, 1500}, {3500, 1500}, {3500, 0}, {5000, 0}};

static th_guide_id add_path(walk *w, const float (*point)[2], uint32_t count) {
  static th_vec3 all[2][8]; /* they stay where they are as long as the guide */
  th_vec3 *corner = all[count == 2];
  th_path_params path = th_default_path_params();
  th_guide_id guide;
  for (uint32_t i = 0; i < count; i++) corner[i] = walk_point(point[i][0], point[i][1]);
  path.point = corner;
  path.count = count;
  assert_int_equal(th_world_add_guide(w->world, &th_guide_path, &path, &guide, NULL), TH_OK);
  return guide;
}

static void follow_path(walk *w, const th_steering_params *p, uint32_t ticks) {
  walk_begin(w, NULL, 0);
  th_agent_def def = walk_def(0, 0, 170, 50, p);
  def.guide = add_path(w, zigzag, 6);
  walk_add_def(w, &def);
  walk_ticks(w, ticks);
}

static float off_path(th_vec2 p) {
  float least = INFINITY;
  for (int i = 0; i < 5; i++) {
    float ex = zigzag[i + 1][0] - zigzag[i][0], ey = zigzag[i + 1][1] - zigzag[i][1];
    float t = fminf(fmaxf(((p.x - zigzag[i][0]) * ex + (p.y - zigzag[i][1]) * ey) / (ex * ex + ey * ey), 0.0f), 1.0f);
    least = fminf(least, hypotf(p.x - zigzag[i][0] - t * ex, p.y - zigzag[i][1] - t * ey));
  }
  return least;
}

/* shows: STEER-41, STEER-42, STEER-46, STEER-48 */
static void a_zigzag_path(void **state) {
  (void)state;
  static walk w;
  th_steering_params p = walk_params();
  p.path.on = true;
  follow_path(&w, &p, 260); /* recommended values */
  float most, far = 0.0f;
  for (uint32_t t = 0; t <= w.ticks; t++) far = fmaxf(far, off_path(w.at[0][t]));
  assert_true(walk_from(&w, 0, 260, 5000, 0) < 150.0f);
  assert_float_equal(walk_speed(&w, 0, 260), 0.0f, 1e-3f);
  assert_true(far < 400.0f); /* never leaves the corridor */
  walk_turning(&w, 0, 0, 260, &most);
  assert_true(most < 12.0f); /* 11 in the specification */
  walk_end(&w);
  /* without regulation, in a narrow corridor: a short projection winds, a huge one spins on the spot */
  p.path.regulation = 0.0f;
  p.path.distance = 2.0f;
  float turning[4];
  const float projection[] = {0.25f, 1.25f, 3.75f, 12.5f};
  for (int i = 0; i < 4; i++) {
    p.path.projection = projection[i];
    follow_path(&w, &p, 400);
    turning[i] = walk_turning(&w, 0, 0, 400, NULL);
    if (i < 3) assert_true(walk_from(&w, 0, 400, 5000, 0) < 150.0f);
    if (i == 3) assert_true(walk_from(&w, 0, 400, 5000, 0) > 500.0f);
    walk_end(&w);
  }
  assert_true(turning[0] > 2.0f * turning[1] && turning[2] < turning[0]);
  assert_true(turning[3] > 50.0f * turning[1]); /* 975, 429, 523 and 35,000 degrees in the specification */
}

/* shows: STEER-47, STEER-115 */
static void regulation_shortens_the_way(void **state) {
  (void)state;
  static walk w;
  th_steering_params p = walk_params();
  p.path.on = true;
  p.path.distance = 2.0f;
  p.path.projection = 1.25f;
  float length[3];
  const float regulation[] = {0.1f, 0.5f, 2.0f};
  for (int i = 0; i < 3; i++) {
    p.path.regulation = regulation[i];
    follow_path(&w, &p, 260);
    length[i] = 0.0f;
    for (uint32_t t = 1; t <= w.ticks; t++) length[i] += walk_speed(&w, 0, t) / 4.0f;
    assert_true(walk_from(&w, 0, 260, 5000, 0) < 150.0f);
    walk_end(&w);
  }
  assert_true(length[0] > length[1] && length[1] > length[2]);
}

/* shows: STEER-49 */
static void another_path_on_the_way(void **state) {
  (void)state;
  static walk w;
  static const float other[][2] = {{0, 0}, {0, -3000}};
  th_steering_params p = walk_params();
  p.path.on = true;
  follow_path(&w, &p, 30);
  assert_true(walk_now(&w, 0).x > 800.0f);
  assert_int_equal(th_world_set_guide(w.world, w.id[0], add_path(&w, other, 2), NULL), TH_OK);
  walk_ticks(&w, 150);
  assert_true(walk_from(&w, 0, w.ticks, 0, -3000) < 150.0f);
  walk_end(&w);
}

/* ---------------------------------------------------------------- wall following */

/* Closest and farthest from the boxes after the first ticks. */
static void distances(const walk *w, uint32_t agent, float *least, float *most) {
  *least = INFINITY, *most = 0.0f;
  for (uint32_t t = 10; t <= w->ticks; t++) {
    const float d = walk_clear(w, w->at[agent][t]);
    *least = fminf(*least, d);
    *most = fmaxf(*most, d);
  }
}

/* shows: STEER-51, STEER-53, STEER-54, STEER-60, STEER-115 */
static void round_a_building(void **state) {
  (void)state;
  static walk w;
  const walk_box house = {0, 0, 2000, 1500};
  walk_begin(&w, &house, 1);
  th_steering_params p = walk_params();
  p.wall.on = true;
  walk_add(&w, 500, -160, 1000, -160, &p);
  walk_ticks(&w, 260);
  float least, most, turn;
  distances(&w, 0, &least, &most);
  assert_true(least > 129.0f && most < 240.0f); /* the specification's range, corners included */
  /* half a ray's length on the straights, and no zigzag there */
  for (uint32_t t = 20; t <= 260; t++) {
    const th_vec2 at = w.at[0][t];
    if (at.y < 0.0f && at.x > 900.0f && at.x < 1700.0f) {
      assert_float_equal(-at.y, 150.0f, 1.0f);
      walk_turning(&w, 0, t - 2, t, &turn);
      assert_true(turn < 0.5f);
    }
  }
  assert_true(laps(&w, 0, 1000, 750) > 1.4f); /* keeps on, to the same side */
  walk_end(&w);
}

/* shows: STEER-55, STEER-59, STEER-60 */
static void round_a_room(void **state) {
  (void)state;
  static walk w;
  const walk_box room[] = {{-100, -100, 2600, 0}, {-100, 2000, 2600, 2100}, {-100, 0, 0, 2000}, {2500, 0, 2600, 2000}};
  float least, most, closest[2];
  for (int loose = 0; loose < 2; loose++) {
    walk_begin(&w, room, 4);
    th_steering_params p = walk_params();
    p.wall.on = true;
    if (loose) p.wall.attract = 0.5f, p.wall.repel = 1.5f; /* farther from the wall */
    walk_add(&w, 500, 150, 1000, 150, &p);
    walk_ticks(&w, 260);
    distances(&w, 0, &least, &most);
    assert_true(least > 145.0f && most < (loose ? 350.0f : 320.0f)); /* half a ray within 5; 319 in the corners */
    assert_true(laps(&w, 0, 1250, 1000) > 1.0f);
    closest[loose] = least;
    walk_end(&w);
  }
  assert_true(closest[1] > closest[0] + 10.0f);
}

/* shows: STEER-56, STEER-57, STEER-58 */
static void lost_walls_and_other_sides(void **state) {
  (void)state;
  static walk w;
  /* the wall vanishes: it circles for ten decisions to its side, then walks straight on */
  const walk_box house = {0, 0, 2000, 1500};
  walk_begin(&w, &house, 1);
  th_steering_params p = walk_params();
  p.wall.on = true;
  walk_add(&w, 500, -160, 1000, -160, &p);
  walk_ticks(&w, 4);
  assert_int_equal(th_world_place_agent(w.world, w.id[0], walk_point(0, -6000), NULL), TH_OK);
  walk_ticks(&w, 40);
  assert_float_equal(walk_turning(&w, 0, 6, 14, NULL), 7.0f * 26.57f, 1.0f); /* seven full rotation vectors */
  assert_float_equal(walk_turning(&w, 0, 24, 44, NULL), 0.0f, 1.0f);
  walk_end(&w);
  /* a corridor of 440: with its own side alone it keeps to 150 from the right wall, else both repel it to the middle */
  const walk_box both[] = {{-4000, 220, 6000, 320}, {-4000, -320, 6000, -220}};
  for (int mine = 0; mine < 2; mine++) {
    walk_begin(&w, both, 2);
    p.wall.my_side = mine;
    walk_add(&w, -3500, 60, 0, 60, &p);
    walk_ticks(&w, 100);
    assert_float_equal(walk_now(&w, 0).y, (mine ? 70.0f : 0.0f), 1.0f);
    walk_end(&w);
  }
  /* straight at a wall: without its front rule it cannot get along it */
  const walk_box wall = {1000, -4000, 1010, 4000};
  for (int front = 0; front < 2; front++) {
    walk_begin(&w, &wall, 1);
    p.wall.front = front;
    walk_add(&w, 0, 0, 1000, 0, &p);
    walk_ticks(&w, 80);
    if (front)
      assert_true(fabsf(walk_now(&w, 0).y) > 1000.0f && max_x(&w, 0) < 975.0f); /* half a body clear */
    else
      assert_true(fabsf(walk_now(&w, 0).y) < 1.0f);
    walk_end(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_wall_head_on),
                                     cmocka_unit_test(a_tree),
                                     cmocka_unit_test(speed_returns),
                                     cmocka_unit_test(a_target),
                                     cmocka_unit_test(steady_speeds),
                                     cmocka_unit_test(running),
                                     cmocka_unit_test(target_behind_a_box),
                                     cmocka_unit_test(a_zigzag_path),
                                     cmocka_unit_test(regulation_shortens_the_way),
                                     cmocka_unit_test(another_path_on_the_way),
                                     cmocka_unit_test(round_a_building),
                                     cmocka_unit_test(round_a_room),
                                     cmocka_unit_test(lost_walls_and_other_sides)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
