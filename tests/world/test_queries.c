/* tests/world/test_queries.c - who is near, what a ray meets, how far a goal is: against brute force. */
#include "support/stage.h"

static void begin(stage *s, uint32_t count, uint64_t seed) {
  stage_begin(s, worlds_house, NULL);
  uint64_t random = seed;
  for (uint32_t i = 0; i < count;) {
    th_agent_def def = worlds_agent_def(worlds_in(&random, 0.3f, 23.7f), worlds_in(&random, 0.3f, 15.7f), NOWHERE);
    def.radius = worlds_in(&random, 0.05f, 0.4f);
    if (i % 10 == 9) def.delay = 100.0f;                    /* not in the world yet: no query sees it */
    if (i % 7 == 6) def.point.x = 4.0f, def.point.y = 4.0f; /* several at one place */
    if (th_world_add_agents(s->world, &def, 1, NULL, NULL) == TH_OK) i++;
  }
}

static float square_at(const th_agents *a, uint32_t i, float x, float y) {
  float dx = a->x[i] - x, dy = a->y[i] - y;
  return dx * dx + dy * dy;
}

static void check_within(const stage *s, float x, float y, float radius, uint32_t capacity) {
  static th_agent_id found[6000];
  th_agents a = th_world_agents(s->world);
  uint32_t expected = 0, count = th_world_within(s->world, (th_vec3){x, y, 7}, radius, NULL, found, capacity);
  for (uint32_t i = 0; i < a.count; i++)
    expected += a.state[i] != TH_AGENT_DELAYED && square_at(&a, i, x, y) <= radius * radius;
  assert_int_equal(count, expected);
  float last = -1.0f;
  uint32_t last_id = 0, held = count < capacity ? count : capacity, nearer = 0;
  for (uint32_t k = 0; k < held; k++) {
    float d = square_at(&a, th_world_row(s->world, found[k]), x, y);
    assert_true(d > last || (d == last && found[k].index > last_id)); /* nearest first, ties by id, no one twice */
    last = d;
    last_id = found[k].index;
  }
  for (uint32_t i = 0; held && i < a.count; i++)
    nearer += a.state[i] != TH_AGENT_DELAYED && square_at(&a, i, x, y) < last;
  assert_true(nearer <= held); /* the nearest ones, not just any */
}

static void within_finds_all(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    stage s;
    uint64_t random = seed * 77;
    begin(&s, 150, seed);
    for (int n = 0; n < 40; n++)
      check_within(&s, worlds_in(&random, -2, 26), worlds_in(&random, -2, 18), worlds_in(&random, 0, 12),
                   worlds_below(&random, 170));
    check_within(&s, 4.0f, 4.0f, 0.0f, 50);
    worlds_end(s.world, s.ground);
  }
}

/* A box finds those in it, nearest to its middle first; flat ground has no heights. */
static void check_box(const stage *s, th_vec3 low, th_vec3 high, uint32_t capacity) {
  static th_agent_id found[6000];
  const th_agents a = th_world_agents(s->world);
  const float x = 0.5f * (low.x + high.x), y = 0.5f * (low.y + high.y);
  uint32_t expected = 0, count = th_world_inside(s->world, low, high, NULL, found, capacity);
  for (uint32_t i = 0; i < a.count; i++)
    expected +=
        a.state[i] != TH_AGENT_DELAYED && a.x[i] >= low.x && a.x[i] <= high.x && a.y[i] >= low.y && a.y[i] <= high.y;
  assert_int_equal(count, expected);
  float last = -1.0f;
  uint32_t last_id = 0;
  for (uint32_t k = 0; k < count && k < capacity; k++) {
    const uint32_t row = th_world_row(s->world, found[k]);
    const float d = isfinite(x + y) ? square_at(&a, row, x, y) : (float)k;
    assert_true(a.x[row] >= low.x && a.x[row] <= high.x && a.y[row] >= low.y && a.y[row] <= high.y);
    assert_true(d > last || (d == last && found[k].index > last_id));
    last = d;
    last_id = found[k].index;
  }
}

static void a_box_finds_all(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    stage s;
    uint64_t random = seed * 13;
    begin(&s, 150, seed);
    th_goal_id goal = worlds_goal(s.world, 20, 12);
    for (int n = 0; n < 60; n++) {
      th_vec3 low = {worlds_in(&random, -2, 24), worlds_in(&random, -2, 16), 3}, high = {0, 0, 2};
      high.x = low.x + worlds_in(&random, 0, 20), high.y = low.y + worlds_in(&random, 0, 4); /* its z does not count */
      check_box(&s, low, high, worlds_below(&random, 170));
      th_agents a = th_world_agents(s.world);
      th_agent_id someone = a.id[worlds_below(&random, a.count)];
      if (n % 4 == 0) th_world_step(s.world);
      if (n % 4 == 1) th_world_place_agent(s.world, someone, (th_vec3){low.x, low.y, 0}, NULL);
      if (n % 4 == 2 && a.count > 40) th_world_remove_agent(s.world, someone);
      if (n % 4 == 3) worlds_walker(s.world, 2, 2, goal);
    }
    check_box(&s, (th_vec3){-INFINITY, 4, 0}, (th_vec3){INFINITY, 8, 0}, 200);
    check_box(&s, (th_vec3){-INFINITY, -INFINITY, 0}, (th_vec3){INFINITY, INFINITY, 0}, 200);
    worlds_end(s.world, s.ground);
  }
}

/* More than any fixed list could hold. */
static void within_finds_many(void **state) {
  (void)state;
  stage s;
  begin(&s, 5500, 3);
  check_within(&s, 12, 8, 100.0f, 6000);
  check_within(&s, 12, 8, 5.0f, 4500);
  worlds_end(s.world, s.ground);
}

/* The clusters of the last step serve queries: agents walk on, leave, come, get an old index and are put elsewhere. */
static void within_finds_all_after_changes(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    stage s;
    uint64_t random = seed * 31;
    begin(&s, 120, seed);
    th_goal_id goal = worlds_goal(s.world, 20, 12);
    for (int n = 0; n < 60; n++) {
      th_agents a = th_world_agents(s.world);
      uint32_t act = worlds_below(&random, 6);
      th_agent_id someone = a.id[worlds_below(&random, a.count)];
      th_vec2 at = {worlds_in(&random, 1, 23), worlds_in(&random, 1, 15)};
      th_agent_def def = worlds_agent_def(at.x, at.y, goal);
      if (act < 2) th_world_step(s.world);
      if (act == 2 && a.count > 40) th_world_remove_agent(s.world, someone);
      if (act == 3) th_world_add_agents(s.world, &def, 1, NULL, NULL);
      if (act == 4) th_world_place_agent(s.world, someone, (th_vec3){at.x, at.y, 0}, NULL);
      if (act == 5 && a.count > 40) { /* the last row moves into a hole */
        th_world_add_agents(s.world, &def, 1, NULL, NULL);
        th_world_remove_agent(s.world, someone);
      }
      for (int k = 0; k < 4; k++)
        check_within(&s, worlds_in(&random, -1, 25), worlds_in(&random, -1, 17), worlds_in(&random, 0, 5), 200);
      check_within(&s, at.x, at.y, 0.5f, 200);
    }
    worlds_end(s.world, s.ground);
  }
}

static void wrong_numbers_find_nobody(void **state) {
  (void)state;
  stage s;
  begin(&s, 20, 1);
  th_agent_id id[4];
  float distance = -1.0f;
  th_vec3 at = {5, 5, 0};
  assert_int_equal(th_world_within(s.world, (th_vec3){NAN, 5, 0}, 5, NULL, id, 4), 0);
  assert_int_equal(th_world_within(s.world, at, -5, NULL, id, 4), 0);
  assert_int_equal(th_world_within(s.world, at, NAN, NULL, id, 4), 0);
  assert_true(th_world_within(s.world, at, 50, NULL, NULL, 0) > 10);
  const th_vec3 all[2] = {{-50, -50, 0}, {50, 50, 0}};
  assert_true(th_world_inside(s.world, all[0], all[1], NULL, NULL, 0) > 10);
  assert_int_equal(th_world_inside(s.world, all[1], all[0], NULL, id, 4), 0);
  assert_int_equal(th_world_inside(s.world, (th_vec3){NAN, -50, 0}, all[1], NULL, id, 4), 0);
  assert_int_equal(th_world_nearest(s.world, at, -1, NULL).index, 0);
  assert_int_equal(th_world_ray(s.world, at, (th_vec3){0, 0, 0}, 5, NULL, &distance).index, 0);
  assert_true(distance == 5.0f);
  assert_int_equal(th_world_ray(s.world, at, (th_vec3){NAN, 0, 0}, 5, NULL, &distance).index, 0);
  assert_int_equal(th_world_ray(s.world, at, (th_vec3){1, 0, 0}, -5, NULL, &distance).index, 0);
  assert_true(isinf(th_world_distance(s.world, at, NOWHERE, 0.2f)));
  assert_null(th_world_field(s.world, (th_goal_id){9, 9, 0}, 0.2f));
  assert_int_equal(th_world_path(s.world, at, NOWHERE, 0.2f, NULL, 0), 0);
  worlds_end(s.world, s.ground);
}

/* Who asks does not find itself, and layers are told apart. */
static void a_filter_leaves_agents_out(void **state) {
  (void)state;
  stage s;
  stage_begin(&s, worlds_house, NULL);
  th_agent_id id[3], found[3];
  for (uint32_t i = 0; i < 3; i++) {
    th_agent_def def = worlds_agent_def(2.0f + (float)i, 8, NOWHERE);
    def.layers = i == 1 ? 2 : 1;
    id[i] = worlds_add(s.world, &def);
  }
  const th_vec3 at = {2, 8, 0}, east = {1, 0, 0};
  const th_agent_filter others = {.except = id[0]}, first_layer = {.except = id[0], .layers = 1}, gone = {{9, 9, 9}, 0};
  float distance;
  assert_int_equal(th_world_within(s.world, at, 5, NULL, found, 3), 3);
  assert_int_equal(th_world_within(s.world, at, 5, &gone, found, 3), 3);
  assert_int_equal(th_world_within(s.world, at, 5, &others, found, 3), 2);
  assert_true(th_same_agent(found[0], id[1]) && th_same_agent(found[1], id[2]));
  assert_int_equal(th_world_within(s.world, at, 5, &first_layer, found, 3), 1);
  assert_true(th_same_agent(th_world_nearest(s.world, at, 5, NULL), id[0]));
  assert_true(th_same_agent(th_world_nearest(s.world, at, 5, &others), id[1]));
  assert_true(th_same_agent(th_world_nearest(s.world, at, 5, &first_layer), id[2]));
  assert_true(th_same_agent(th_world_ray(s.world, at, east, 5, NULL, &distance), id[0]) && distance == 0.0f);
  assert_true(th_same_agent(th_world_ray(s.world, at, east, 5, &others, &distance), id[1]));
  assert_true(fabsf(distance - 0.8f) < 1e-4f);
  assert_true(th_same_agent(th_world_ray(s.world, at, east, 5, &first_layer, &distance), id[2]));
  assert_true(fabsf(distance - 1.8f) < 1e-4f);
  worlds_end(s.world, s.ground);
}

static void nearest_is_the_nearest(void **state) {
  (void)state;
  stage s;
  uint64_t random = 5;
  begin(&s, 100, 5);
  th_agents a = th_world_agents(s.world);
  for (int n = 0; n < 100; n++) {
    float x = worlds_in(&random, 0, 24), y = worlds_in(&random, 0, 16), reach = worlds_in(&random, 0.1f, 4),
          best = reach * reach;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < a.count; i++) {
      if (a.state[i] == TH_AGENT_DELAYED || square_at(&a, i, x, y) > best) continue;
      if (square_at(&a, i, x, y) == best && expected && expected < a.id[i].index) continue;
      best = square_at(&a, i, x, y);
      expected = a.id[i].index;
    }
    assert_int_equal(th_world_nearest(s.world, (th_vec3){x, y, 0}, reach, NULL).index, expected);
  }
  worlds_end(s.world, s.ground);
}

/* Walks along the ray in small steps: the first body or wall met is the answer. */
static void rays_hit_the_first_body(void **state) {
  (void)state;
  stage s;
  uint64_t random = 8;
  uint32_t bodies = 0, walls = 0;
  begin(&s, 60, 8);
  th_agents a = th_world_agents(s.world);
  for (int n = 0; n < 200; n++) {
    th_vec2 from = {worlds_in(&random, 0.5f, 23.5f), worlds_in(&random, 0.5f, 15.5f)};
    float angle = worlds_in(&random, 0, 6.28f), length = worlds_in(&random, 1, 15), distance;
    th_vec2 d = {cosf(angle), sinf(angle)};
    if (th_ground_locate(s.ground, from.x, from.y).cell == TH_NO_CELL) continue;
    th_agent_id hit =
        th_world_ray(s.world, (th_vec3){from.x, from.y, 1}, (th_vec3){3 * d.x, 3 * d.y, 1}, length, NULL, &distance);
    float wall = th_ground_ray(s.ground, (th_place){0, from.x, from.y}, (th_vec2){d.x, d.y}, length).distance,
          best = INFINITY;
    for (float t = 0.0f; t < length && best == INFINITY; t += 0.002f)
      for (uint32_t i = 0; i < a.count; i++)
        if (a.state[i] != TH_AGENT_DELAYED &&
            square_at(&a, i, from.x + t * d.x, from.y + t * d.y) < a.radius[i] * a.radius[i])
          best = t;
    if (best < wall - 0.01f) {
      if (!hit.index || fabsf(distance - best) > 0.01f)
        fail_msg("ray %d: %g, not %g", n, (double)distance, (double)best);
      bodies++;
    } else if (best > wall + 0.01f) { /* grazing contacts may be found by one and not by the other */
      if (hit.index)
        assert_true(distance < wall);
      else
        assert_true(fabsf(distance - fminf(wall, length)) < 1e-3f);
      walls++;
    }
  }
  assert_true(bodies > 20 && walls > 20);
  worlds_end(s.world, s.ground);
}

static void paths_lead_to_goals(void **state) {
  (void)state;
  stage s;
  begin(&s, 0, 1);
  th_goal_id goal = worlds_goal(s.world, 22, 2);
  th_vec3 from = {2, 2, 0};
  th_place point[2000];
  assert_null(th_world_field(s.world, goal, 0.2f)); /* nobody asked for it yet */
  th_agent_id id = worlds_walker(s.world, 2, 2, goal);
  worlds_steps(s.world, 2);
  assert_non_null(th_world_field(s.world, goal, 0.2f));
  float left = th_world_distance(s.world, from, goal, 0.2f);
  assert_true(left > 20.0f && left < 35.0f);
  uint32_t count = th_world_path(s.world, from, goal, 0.2f, point, 2000);
  assert_true(count > 10 && count <= 2000);
  assert_true(hypotf(point[count - 1].x - 22, point[count - 1].y - 2) < 1.0f);
  float length = 0.0f;
  for (uint32_t i = 1; i < count; i++) {
    length += hypotf(point[i].x - point[i - 1].x, point[i].y - point[i - 1].y);
    assert_true(th_ground_locate(s.ground, point[i].x, point[i].y).cell != TH_NO_CELL);
  }
  assert_true(length > left * 0.9f && length < left * 1.6f);
  assert_int_equal(th_world_path(s.world, from, goal, 0.2f, point, 5), count); /* tells how many there are */
  assert_int_equal(th_world_path(s.world, (th_vec3){8, 1, 0}, goal, 0.2f, point, 5), 0);
  assert_true(isinf(th_world_distance(s.world, (th_vec3){8, 1, 0}, goal, 0.2f)));
  assert_true(fabsf(th_world_agents(s.world).left[th_world_row(s.world, id)] - left) < 2.0f);
  worlds_end(s.world, s.ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(within_finds_all),          cmocka_unit_test(within_finds_many),
      cmocka_unit_test(a_box_finds_all),           cmocka_unit_test(within_finds_all_after_changes),
      cmocka_unit_test(wrong_numbers_find_nobody), cmocka_unit_test(a_filter_leaves_agents_out),
      cmocka_unit_test(nearest_is_the_nearest),    cmocka_unit_test(rays_hit_the_first_body),
      cmocka_unit_test(paths_lead_to_goals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
