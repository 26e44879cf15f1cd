/* tests/guide/test_explore.c - unknown maps: what is sensed, what is relaxed, what is found. */
#include "support/explorers.h"
#include "support/slow.h"
#include "throng/model.h"
#include "throng/model/bvp.h"

/* ---------------------------------------------------------------- sensing */

static void walls_end_sight(void **state) {
  (void)state;
  crew p;
  th_explore_params params = th_default_explore_params();
  crew_in_house(&p, &params, 1);
  uint32_t from = cell_at(&p, 6, 8);
  assert_true(th_explore_sees(p.ground, from, cell_at(&p, 2, 2)));
  assert_false(th_explore_sees(p.ground, from, cell_at(&p, 10, 8)));               /* behind the wall */
  assert_true(th_explore_sees(p.ground, cell_at(&p, 6, 4), cell_at(&p, 10, 4)));   /* through the door */
  assert_true(th_explore_sees(p.ground, cell_at(&p, 6, 8), cell_at(&p, 7.9f, 8))); /* the wall itself */
  uint64_t seed = 71;
  for (int n = 0; n < 4000; n++) { /* a line of sight has no direction, and exact walls agree with it */
    float ax = worlds_in(&seed, 0.5f, 23.5f), ay = worlds_in(&seed, 0.5f, 15.5f);
    float bx = ax + worlds_in(&seed, -5, 5), by = ay + worlds_in(&seed, -5, 5), d = hypotf(bx - ax, by - ay);
    if (th_ground_locate(p.ground, ax, ay).cell == TH_NO_CELL || th_ground_locate(p.ground, bx, by).cell == TH_NO_CELL)
      continue;
    uint32_t a = cell_at(&p, ax, ay), b = cell_at(&p, bx, by);
    if (p.ground->flat->solid[a] || p.ground->flat->solid[b] || a == b) continue;
    bool seen = th_explore_sees(p.ground, a, b);
    th_hit hit = th_ground_ray(p.ground, (th_place){0, ax, ay}, (th_vec2){(bx - ax) / d, (by - ay) / d}, d);
    /* cells are coarse near edges of walls: only a wall well inside the line counts */
    bool walled = hit.wall != UINT32_MAX && fabsf(hit.place.y - 3) > 0.6f && fabsf(hit.place.y - 5) > 0.6f &&
                  fabsf(hit.place.y - 7) > 0.6f && fabsf(hit.place.y - 9) > 0.6f && fabsf(hit.place.y - 11) > 0.6f &&
                  fabsf(hit.place.y - 13) > 0.6f && fabsf(hit.place.y - 15) > 0.6f;
    if (seen && walled) fail_msg("seed 71, case %d: (%g, %g) sees (%g, %g) through a wall", n, ax, ay, bx, by);
  }
  crew_end(&p);
}

static void the_first_look_is_what_is_seen(void **state) {
  (void)state;
  crew p;
  th_explore_params params = th_default_explore_params();
  crew_in_house(&p, &params, 1);
  crew_enter(&p, 1);
  th_explore_map map = th_explore_flat_open(memory_of(&p));
  assert_int_equal(explored(&p).sensed, 0);
  worlds_steps(p.world, 1);
  uint32_t cells = map.head->width * map.head->height, known = 0;
  for (uint32_t c = 0; c < cells; c++) {
    uint32_t i = c % map.head->width, j = c / map.head->width;
    bool ring = !i || !j || i + 1 == map.head->width || j + 1 == map.head->height;
    float x = p.ground->flat->x0 + ((float)i + 0.5f) * 0.25f, y = p.ground->flat->y0 + ((float)j + 0.5f) * 0.25f;
    bool is_known = map.mark[c] & TH_EXPLORE_KNOWN;
    if (!ring) known += is_known;
    if (!is_known) assert_true(map.u[c] == 1.0);
    if (is_known && (map.mark[c] & TH_EXPLORE_BLOCKED)) assert_true(map.u[c] == 0.0);
    assert_true(map.u[c] >= 0.0 && map.u[c] <= 1.0);
    if (is_known && !ring) assert_true(hypotf(x - 2, y - 3) < 4.0f + 0.5f);
    if (!ring && hypotf(x - 2, y - 3) < 3.6f) assert_true(is_known); /* nothing stands between */
  }
  assert_int_equal(explored(&p).sensed, known);
  uint8_t *copy = malloc(cells);
  assert_int_equal(th_explore_known(memory_of(&p), p.ground, copy, cells), cells);
  for (uint32_t c = 0; c < cells; c++) {
    bool blocked = map.mark[c] & TH_EXPLORE_BLOCKED, is_known = map.mark[c] & TH_EXPLORE_KNOWN;
    assert_int_equal(copy[c], blocked ? TH_EXPLORED_BLOCKED : is_known ? TH_EXPLORED_FREE : TH_EXPLORED_NOT);
  }
  free(copy);
  crew_end(&p);
}

/* ---------------------------------------------------------------- relaxing */

/* Gauss-Seidel as the spec writes it, on p = 1 - u, over known free cells of a box. */
static void reference(const th_explore_map *map, double *p, th_explore_box box, int sweeps) {
  int width = (int)map->head->width;
  for (int s = 0; s < sweeps; s++)
    for (int jj = 0; jj < (int)(box.j1 - box.j0); jj++)
      for (int ii = 0; ii < (int)(box.i1 - box.i0); ii++) {
        int i = s & 1 ? (int)box.i1 - 1 - ii : (int)box.i0 + ii, j = s & 2 ? (int)box.j1 - 1 - jj : (int)box.j0 + jj;
        int c = j * width + i;
        if ((map->mark[c] & (TH_EXPLORE_KNOWN | TH_EXPLORE_BLOCKED)) != TH_EXPLORE_KNOWN) continue;
        p[c] = (p[c + 1] + p[c - 1] + p[c + width] + p[c - width]) / 4.0;
      }
}

static double *copy_u(const th_explore_map *map) {
  size_t cells = (size_t)map->head->width * map->head->height;
  double *copy = malloc(cells * sizeof *copy);
  memcpy(copy, map->u, cells * sizeof *copy);
  return copy;
}

/* 30 sweeps in the window, with a model that relaxes its local map 30 sweeps in every step; what is unknown keeps
 * p = 0, what lies outside the window keeps its value. */
/* shows: BVP-78 */
static void the_window_is_relaxed(void **state) {
  (void)state;
  crew p;
  th_explore_params params = th_default_explore_params();
  assert_int_equal(params.sweeps, 30);
  params.through_walls = true; /* the sensed area is the window */
  crew_in_house(&p, &params, 1);
  th_bvp_params local;
  memset(&local, 0, sizeof local);
  th_param_defaults(th_model_bvp.param, th_model_bvp.param_count, &local);
  assert_int_equal(local.sweeps, 30);
  local.period = 0.1f; /* one decision a step */
  th_agent_def walker = crew_def(&p, 2, 3, 0);
  walker.model = &th_model_bvp;
  walker.params = &local;
  p.agent[0] = worlds_add(p.world, &walker);
  worlds_steps(p.world, 40);
  th_explore_map map = th_explore_flat_open(memory_of(&p));
  for (int s = 0; s < 5; s++) {
    double *before = copy_u(&map);
    size_t cells = (size_t)map.head->width * map.head->height;
    th_vec2 at = worlds_at(p.world, p.agent[0]);
    th_explore_box box = th_explore_window(&map, cell_at(&p, at.x, at.y), params.sight);
    worlds_steps(p.world, 1);
    for (size_t c = 0; c < cells; c++) /* in p; cells that were just seen and blocked are fixed first */
      before[c] = (map.mark[c] & TH_EXPLORE_BLOCKED) ? 1.0 : 1.0 - before[c];
    reference(&map, before, box, 30);
    uint32_t outside = 0;
    for (size_t c = 0; c < cells; c++) {
      uint32_t i = (uint32_t)(c % map.head->width), j = (uint32_t)(c / map.head->width);
      bool in = i >= box.i0 && i < box.i1 && j >= box.j0 && j < box.j1;
      if (fabs(1.0 - map.u[c] - before[c]) > 1e-12) fail_msg("cell %u, %u: %g, not %g", i, j, 1 - map.u[c], before[c]);
      outside += !in && (map.mark[c] & TH_EXPLORE_KNOWN) && map.u[c] > 0.0;
      if (!(map.mark[c] & TH_EXPLORE_KNOWN)) assert_true(map.u[c] == 1.0);
    }
    assert_true(outside > 10); /* the window has moved on */
    free(before);
  }
  crew_end(&p);
}

/* shows: BVP-79 */
static void everything_sensed_is_relaxed(void **state) {
  (void)state;
  uint32_t moved[2] = {0, 0};
  for (int relax = 0; relax < 2; relax++) {
    crew p;
    th_explore_params params = th_default_explore_params();
    params.relax = relax;
    crew_in_house(&p, &params, 1);
    crew_enter(&p, 1);
    worlds_steps(p.world, 60);
    th_explore_map map = th_explore_flat_open(memory_of(&p));
    double *before = copy_u(&map);
    th_vec2 at = worlds_at(p.world, p.agent[0]);
    th_explore_box box = th_explore_window(&map, cell_at(&p, at.x, at.y), params.sight);
    worlds_steps(p.world, 1);
    for (uint32_t c = 0; c < map.head->width * map.head->height; c++) {
      uint32_t i = c % map.head->width, j = c / map.head->width;
      bool in = i >= box.i0 && i < box.i1 && j >= box.j0 && j < box.j1;
      moved[relax] += !in && map.u[c] != before[c];
      if (!(map.mark[c] & TH_EXPLORE_KNOWN)) assert_true(map.u[c] == 1.0); /* never relaxed, still attracting */
    }
    free(before);
    crew_end(&p);
  }
  assert_int_equal(moved[TH_EXPLORE_WINDOW], 0);
  assert_true(moved[TH_EXPLORE_SENSED] > 100);
}

/* ---------------------------------------------------------------- searching */

/* The covered area only grows, ends with the whole house, and the explorer then has arrived. */
static void everything_is_explored(void **state) {
  (void)state;
  for (int relax = 0; relax < 2; relax++) {
    crew p;
    th_explore_params params = th_default_explore_params();
    params.relax = relax;
    crew_in_house(&p, &params, 1);
    crew_enter(&p, 1);
    float area = 0.0f;
    for (uint32_t s = 0; s < 4000 && !th_world_done(p.world); s++) {
      worlds_steps(p.world, 1);
      assert_true(explored(&p).area >= area);
      area = explored(&p).area;
    }
    assert_int_equal(worlds_state(p.world, p.agent[0]), TH_AGENT_ARRIVED);
    assert_true(area > 0.98f * 24.0f * 16.0f);
    crew_end(&p);
  }
}

/* In the middle of a hall no wall is in sight: what is unknown draws all the same. Later walls outweigh the last
 * corners for long, unless all of it fades. */
static void an_open_hall_is_explored(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    crew p = {0};
    th_env env = worlds_env(&p.h);
    p.ground = worlds_box(&env, 30, 30);
    p.world = worlds_make(p.ground, &env);
    th_explore_params params = th_default_explore_params();
    params.relax = k ? TH_EXPLORE_SENSED : TH_EXPLORE_WINDOW;
    params.fade = k == 2 ? 4.0f : 0.0f;
    OK(th_world_add_guide(p.world, &th_guide_explore, &params, &p.guide, &error));
    th_agent_def def = crew_def(&p, 15, 15, 0);
    p.agent[0] = worlds_add(p.world, &def);
    uint32_t s = 0;
    const float enough = LONG_RUN(0.95f, 0.15f) * 900.0f;
    while (s++ < 4000 && explored(&p).area < enough) th_world_step(p.world);
    print_message("hall, %s, fade %g: %.0f m2 seen after %u steps\n", k ? "sensed" : "window", (double)params.fade,
                  (double)explored(&p).area, s);
    assert_true(explored(&p).area >= enough);
    if (k == 2 && !SLOW_BUILD) walk_all(&p, 3000);
    crew_end(&p);
  }
}

/* An object in another room is found, the exploration stops and the way leads there; with the map at hand the way is
 * shorter. */
/* shows: BVP-80 */
static void targets_are_found(void **state) {
  (void)state;
  static const th_vec2 place[] = {{12, 2}, {12, 14}, {21, 3}, {22, 14}};
  for (int k = 0; k < 4; k++) {
    crew p;
    th_explore_params params = th_default_explore_params();
    params.target = TH_EXPLORE_FOR_POINT;
    params.point = (th_vec3){place[k].x, place[k].y, 0};
    params.arrive = 0.5f;
    crew_in_house(&p, &params, 1);
    crew_enter(&p, 1);

    float walked = 0.0f, found_area = 0.0f;
    uint64_t frozen = 0;
    for (uint32_t s = 0; s < 4000 && !th_world_done(p.world); s++) {
      th_vec2 a = worlds_at(p.world, p.agent[0]);
      bool found = explored(&p).found;
      th_explore_map map = th_explore_flat_open(memory_of(&p));
      double *before = copy_u(&map);
      worlds_steps(p.world, 1);
      th_vec2 b = worlds_at(p.world, p.agent[0]);
      walked += hypotf(b.x - a.x, b.y - a.y);
      if (found) { /* no more sweeps: known free cells keep their values */
        for (uint32_t c = 0; c < map.head->width * map.head->height; c++)
          if (!(map.mark[c] & TH_EXPLORE_BLOCKED)) assert_true(map.u[c] == before[c]);
        frozen++;
      }
      if (found_area == 0.0f && explored(&p).found) found_area = explored(&p).area;
      free(before);
    }
    th_vec2 end = worlds_at(p.world, p.agent[0]);
    assert_int_equal(worlds_state(p.world, p.agent[0]), TH_AGENT_ARRIVED);
    assert_true(hypotf(end.x - place[k].x, end.y - place[k].y) < 0.8f);
    assert_true(frozen > 5);
    assert_true(found_area < 0.98f * 24.0f * 16.0f); /* it need not see everything */

    float direct = hypotf(place[k].x - 2, place[k].y - 3);
    assert_true(walked > direct - 0.5f);
    print_message("object %d: %.1f m, %.1f m as the crow flies, %.0f m2 seen when found\n", k, walked, direct,
                  found_area);
    crew_end(&p);
  }
}

/* The same search with and without the map: a goal's field knows the way. */
static void explored_ways_are_longer_than_known_ones(void **state) {
  (void)state;
  crew p;
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_GOAL;
  crew_in_house(&p, &params, 1);
  th_goal_id goal = worlds_goal(p.world, 22, 14);
  float walked[2];
  for (int k = 0; k < 2; k++) {
    th_agent_def def = worlds_agent_def(2, 3, goal);
    def.remove = false;
    if (k == 1) def.guide = p.guide;
    p.agent[0] = worlds_add(p.world, &def);
    walked[k] = walk_all(&p, 4000);
    assert_int_equal(worlds_state(p.world, p.agent[0]), TH_AGENT_ARRIVED);
  }
  print_message("known %.1f m, explored %.1f m\n", walked[0], walked[1]);
  assert_true(walked[1] > walked[0]);
  crew_end(&p);
}

/* A person who walks round the house is searched and met; a goal that moves away after it was found is reached. */
/* shows: BVP-81 */
static void moving_targets_are_found(void **state) {
  (void)state;
  static const th_vec3 round[] = {{12, 8, 0}, {12, 14, 0}, {20, 14, 0}, {20, 8, 0}};
  crew p;
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_LINK;
  params.arrive = 0.6f;
  crew_in_house(&p, &params, 1);
  th_path_params path = {.point = round, .count = 4, .closed = true, .ahead = 1.0f};
  th_guide_id way;
  OK(th_world_add_guide(p.world, &th_guide_path, &path, &way, &error));
  th_agent_def guest = worlds_agent_def(20, 8, NOWHERE), seeker = crew_def(&p, 2, 3, 0);
  guest.guide = way;
  guest.speed = 1.1f;
  th_agent_id find_target = worlds_add(p.world, &guest);
  seeker.link[0].agent = find_target;
  seeker.link_count = 1;
  p.agent[0] = worlds_add(p.world, &seeker);
  uint32_t s = 0, cells = 0, last = TH_NO_CELL;
  for (; s < 4000 && worlds_state(p.world, p.agent[0]) == TH_AGENT_WALKING; s++) {
    worlds_steps(p.world, 1);
    th_explore_map map = th_explore_flat_open(memory_of(&p));
    if (!map.head->found) continue;
    uint32_t at = map.head->marked.j0 * map.head->width + map.head->marked.i0;
    if (at != last) cells++; /* the mark follows */
    last = at;
  }
  th_vec2 a = worlds_at(p.world, p.agent[0]), b = worlds_at(p.world, find_target);
  assert_int_equal(worlds_state(p.world, p.agent[0]), TH_AGENT_ARRIVED);
  assert_true(hypotf(a.x - b.x, a.y - b.y) < 1.2f);
  print_message("met after %u steps, the mark moved %u times\n", s, cells);
  assert_true(cells > 5);
  th_explored then = explored(&p);
  worlds_steps(p.world, 40); /* nobody searches any more: the map stays as it is */
  assert_int_equal(explored(&p).sensed, then.sensed);
  assert_int_equal(explored(&p).rounds, then.rounds);
  crew_end(&p);
}

static void a_moved_goal_is_searched_again(void **state) {
  (void)state;
  crew p;
  th_explore_params params = th_default_explore_params();
  params.target = TH_EXPLORE_FOR_GOAL;
  crew_in_house(&p, &params, 1);
  th_goal_id goal = worlds_goal(p.world, 12, 4);
  th_agent_def def = crew_def(&p, 2, 4, 0);
  def.route[0].goal = goal;
  def.route_count = 1;
  p.agent[0] = worlds_add(p.world, &def);
  uint32_t s = 0;
  while (s++ < 2000 && !explored(&p).found) worlds_steps(p.world, 1);
  th_vec2 there = {20, 2};
  th_shape shape = th_point_shape(there.x, there.y);
  OK(th_world_move_goal(p.world, goal, &shape, &error));
  worlds_steps(p.world, 2);
  assert_false(explored(&p).found); /* nobody has been there */
  walk_all(&p, 4000);
  th_vec2 end = worlds_at(p.world, p.agent[0]);
  assert_int_equal(worlds_state(p.world, p.agent[0]), TH_AGENT_ARRIVED);
  assert_true(hypotf(end.x - 20, end.y - 2) < 0.9f);
  crew_end(&p);
}

/* Two who search share what they see: both arrive, and neither has to see the place of the object itself first. */
/* shows: BVP-82 */
static void several_explorers_share_what_they_see(void **state) {
  (void)state;
  uint32_t found[3] = {0, 0, 0};
  for (uint32_t n = 1; n <= 2; n++) {
    crew p;
    th_explore_params params = th_default_explore_params();
    params.target = TH_EXPLORE_FOR_POINT;
    params.point = (th_vec3){21, 3, 0};
    crew_in_house(&p, &params, 1);
    crew_enter(&p, 1);
    if (n == 2) { /* the second one starts in the room of the object */
      th_agent_def def = crew_def(&p, 18, 13, 0);
      p.agent[1] = worlds_add(p.world, &def);
    }
    bool led = false;
    for (uint32_t s = 0; s < 4000 && !th_world_done(p.world); s++) {
      worlds_steps(p.world, 1);
      if (explored(&p).found && !found[n]) found[n] = s + 1;
      th_vec2 at = worlds_at(p.world, p.agent[0]);
      th_agents all = th_world_agents(p.world);
      float left = all.left[th_world_row(p.world, p.agent[0])];
      led |= left < INFINITY && !th_explore_sees(p.ground, cell_at(&p, at.x, at.y), cell_at(&p, 21, 3));
    }
    for (uint32_t i = 0; i < n; i++) assert_int_equal(worlds_state(p.world, p.agent[i]), TH_AGENT_ARRIVED);
    if (n == 2) assert_true(led); /* told by the other */
    crew_end(&p);
  }
  print_message("one finds it after %u steps, two after %u\n", found[1], found[2]);
  assert_true(found[2] < found[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walls_end_sight),
      cmocka_unit_test(the_first_look_is_what_is_seen),
      cmocka_unit_test(the_window_is_relaxed),
      cmocka_unit_test(everything_sensed_is_relaxed),
      cmocka_unit_test(everything_is_explored),
      cmocka_unit_test(an_open_hall_is_explored),
      cmocka_unit_test(targets_are_found),
      cmocka_unit_test(explored_ways_are_longer_than_known_ones),
      cmocka_unit_test(moving_targets_are_found),
      cmocka_unit_test(a_moved_goal_is_searched_again),
      cmocka_unit_test(several_explorers_share_what_they_see),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
