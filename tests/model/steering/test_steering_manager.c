/* tests/model/steering/test_steering_manager.c - what blends the steerings of an agent: units, its commands, what it
 * may not do, what it costs, which readings of the thesis can be picked. Geometry in cm, y to the right. */
#include "support/steering_stage.h"
#include "support/steering_walk.h"

/* A force that goes on leads to the speed of its own size: 1 N_UT sustains 1 cm_UT/s, before speeds are scaled. */
/* shows: STEER-12 */
static void a_force_sustains_its_speed(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  const float force[][2] = {{100, 0}, {220, 0}, {300, 0}, {400, 0}, {120, -160}};
  for (int i = 0; i < 5; i++) {
    stage_body(&s, 0, 0, 187, 0);
    th_vec2 v = {0};
    for (int tick = 0; tick < 200; tick++) {
      v = stage_blend(&s, &(th_vec2){force[i][0], force[i][1]}, 1, false);
      stage_body(&s, 0, 0, v.x, v.y);
    }
    assert_float_equal(v.x, force[i][0], 0.1f);
    assert_float_equal(v.y, force[i][1], 0.1f);
  }
}

/* ---------------------------------------------------------------- one manager per agent */

typedef struct asked {
  uint32_t calls;
  th_steering_force force;
} asked;

static void count_call(void *user, const th_steering_moment *moment, th_steering_force *force) {
  asked *a = user;
  (void)moment;
  a->calls++;
  *force = a->force;
}

/* Each agent's steerings are asked once for a decision, whatever others do, and all that comes of them is one velocity:
 * while the host moves the bodies nothing else changes, neither a place nor a velocity. */
/* shows: STEER-02 */
static void one_manager_each_and_no_other_way_out(void **state) {
  (void)state;
  static walk w, alone;
  asked a[3] = {{.force = {.agrees = true}}, {.force = {.force = {0, 1}, .agrees = true}}, {.force = {.stop = true}}};
  walk_begin(&w, NULL, 0);
  for (int i = 0; i < 3; i++) {
    th_steering_params p = walk_to(7000, 0);
    p.behave = count_call;
    p.user = &a[i];
    walk_add(&w, 0, 1500.0f * (float)i, 1000, 1500.0f * (float)i, &p);
  }
  for (uint32_t tick = 1; tick <= 8; tick++) {
    const th_vec3 v = th_world_agent_velocity(w.world, w.id[1]);
    th_world_advise(w.world);
    th_vec3 to[3];
    const th_agents now = th_world_agents(w.world);
    for (uint32_t i = 0; i < 3; i++) {
      assert_int_equal(a[i].calls, tick);
      const th_vec3 at = th_world_agent_point(w.world, w.id[i]);
      assert_true(at.x == 0.0f && at.y == -15.0f * (float)i); /* nobody has moved */
      to[i] = at;
    }
    const th_vec3 same = th_world_agent_velocity(w.world, w.id[1]);
    assert_true(same.x == v.x && same.y == v.y);
    assert_true(now.advised_vx[0] > 1.0f && now.advised_vy[1] > 0.1f);
    th_world_accept(w.world, to, 3);
  }
  walk_end(&w);
  /* without the two others the first one decides the same, to the bit */
  th_vec3 end[2];
  for (int k = 0; k < 2; k++) {
    walk_begin(&alone, NULL, 0);
    const th_steering_params p = walk_to(3000, 2000), q = walk_to(-3000, 500);
    walk_add(&alone, 0, 0, 1000, 0, &p);
    for (int i = 0; k && i < 3; i++) walk_add(&alone, -6000, 1000.0f * (float)i, 0, 0, &q);
    walk_ticks(&alone, 40);
    end[k] = th_world_agent_point(alone.world, alone.id[0]);
    walk_end(&alone);
  }
  assert_true(end[0].x == end[1].x && end[0].y == end[1].y);
}

/* Stop, type of motion, direction and speed: each of the four as its steerings ask for it. */
/* shows: STEER-86 */
static void the_four_commands(void **state) {
  (void)state;
  static walk w;
  asked a[3] = {{.force = {.stop = true, .looks = true, .focus = {0, 100}, .agrees = true}},
                {.force = {.force = {0, -2}, .agrees = true}},
                {.force = {.force = {0, -8}, .agrees = true}}};
  walk_begin(&w, NULL, 0);
  for (int i = 0; i < 3; i++) {
    th_steering_params p = walk_params();
    p.behave = count_call;
    p.user = &a[i];
    p.multiplier = i == 2 ? 3.0f : 1.0f;
    walk_add(&w, 0, 1500.0f * (float)i, 1000, 1500.0f * (float)i, &p);
  }
  walk_ticks(&w, 24);
  const th_agents now = th_world_agents(w.world);
  const uint8_t gait[3] = {TH_GAIT_STAND, TH_GAIT_WALK, TH_GAIT_RUN};
  for (uint32_t i = 0; i < 3; i++) {
    const th_vec3 v = th_world_agent_velocity(w.world, w.id[i]), h = th_world_agent_heading(w.world, w.id[i]);
    const float speed = hypotf(v.x, v.y);
    assert_int_equal(now.gait[i], gait[i]);
    if (i == 0) assert_true(speed == 0.0f && h.y > 0.99f); /* stands and looks where it was asked to */
    if (i == 1) assert_float_equal(speed, 2.14f, 0.02f);   /* a pull of 200 */
    if (i == 2) assert_true(speed > 3.52f && speed <= 7.92f);
    if (i > 0) assert_true(v.y < -0.99f * speed); /* to the right, as the force */
  }
  walk_end(&w);
}

/* ---------------------------------------------------------------- cost */

/* What a decision has to look at. */
typedef struct looked {
  uint32_t walls, candidates, picks;
} looked;

static void look(void *user, const th_steering_moment *moment, th_steering_force *force) {
  looked *l = user;
  const th_neighbours *near = &moment->view->neighbours;
  *force = (th_steering_force){.agrees = true};
  l->walls = moment->view->wall_count;
  l->candidates = near->count;
  l->picks = 0;
  for (uint32_t k = 0; k < near->pick_count; k++)
    l->picks += near->count && near->pick[k * TH_VIEW_LANES + moment->lane] != TH_NO_PICK;
}

/* One agent in the middle of `side` x `side` boxes, 20 m apart, with somebody at each. */
static looked look_round(uint32_t side, uint32_t near) {
  static th_vec2 corner[1024][4];
  static th_polygon box[1024];
  looked l = {0};
  const float half = 10.0f * (float)side;
  th_vec2 rim[4];
  th_polygon outline = th_box_polygon(-half, -half, half, half, rim);
  th_flat_def flat = th_default_flat_def();
  uint32_t count = 0;
  for (uint32_t i = 0; i < side * side; i++) {
    const float x = 20.0f * (float)(i % side) - half + 10.0f, y = 20.0f * (float)(i / side) - half + 10.0f;
    box[count] = th_box_polygon(x + 2.0f, y, x + 3.0f, y + 1.0f, corner[count]);
    count++;
  }
  flat.outline = &outline, flat.outline_count = 1;
  flat.obstacle = box, flat.obstacle_count = count;
  flat.cell = 0.5f;
  th_world_def def = th_default_world_def();
  def.dt = 0.25f;
  walk w = {0};
  assert_int_equal(th_ground_make_flat(&flat, &def.ground, NULL), TH_OK);
  assert_int_equal(th_world_make(&def, &w.world, NULL), TH_OK);
  th_ground_release(def.ground);
  th_steering_params p = walk_params(), stands = walk_params();
  p.obstacle.on = p.people.on = true;
  p.sight = stands.sight = 6.0f;
  p.behave = look;
  p.user = &l;
  for (uint32_t i = 0; i < side * side; i++) {
    const bool own = i == side * (side / 2) + side / 2;
    const th_agent_def other =
        walk_def(2000.0f * (float)(i % side) - 100.0f * half + 1000.0f,
                 -2000.0f * (float)(i / side) + 100.0f * half - 1000.0f, 1e5f, 0, own ? &p : &stands);
    assert_int_equal(th_world_add_agent(w.world, &other, NULL, NULL), TH_OK);
    for (uint32_t k = 0; own && k < near; k++) {
      th_agent_def beside = other;
      beside.point.y += 0.4f * (float)(k + 1);
      beside.params = &stands;
      assert_int_equal(th_world_add_agent(w.world, &beside, NULL, NULL), TH_OK);
    }
  }
  th_world_step(w.world);
  th_world_free(w.world);
  return l;
}

/* A decision looks at the walls and people within its reach, at each once, and at nothing else: in a world of 16 times
 * the walls and people it has the same to do. */
/* shows: STEER-118 */
static void a_decision_looks_at_what_is_near(void **state) {
  (void)state;
  const looked small = look_round(6, 4), large = look_round(24, 4);
  assert_int_equal(small.picks, 4);
  assert_true(small.walls >= 4 && small.walls <= 4 * TH_VIEW_LANES); /* those of the box beside each lane of the view */
  assert_int_equal(large.picks, small.picks);
  assert_int_equal(large.walls, small.walls);
  assert_true(large.candidates <= 2 * small.candidates); /* clusters of other sizes hold others by the way */
  for (uint32_t near = 0; near <= 9; near += 3) assert_int_equal(look_round(6, near).picks, near);
}

/* n rays, people or targets push n times what one does: each is taken once. */
/* shows: STEER-118 */
static void everything_counts_once(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  th_steering_basic(&s.params);
  s.params.people.on = s.params.target.on = true;
  s.params.target.by = TH_STEER_NONE;
  s.params.target.functions.count = 1;
  s.params.target.functions.point[0] = (th_vec3){0, 1, 1};
  float people[9] = {0}, targets[9] = {0};
  for (uint32_t n = 1; n <= 8; n++) {
    stage_person(&s, 150, 0, 220, 0);
    people[n] = stage_ask(&s, th_steer_people).force.x;
    s.params.target.targets.count = n;
    s.params.target.targets.point[n - 1] = (th_vec3){20, 0, 0};
    targets[n] = stage_ask(&s, th_steer_target).force.x;
    assert_float_equal(people[n], (float)n * people[1], 0.01f);
    assert_float_equal(targets[n], (float)n * targets[1], 0.01f);
  }
  assert_float_equal(people[1], -100.0f, 0.1f);
  assert_float_equal(targets[1], 100.0f, 0.1f);
  /* five rays for obstacles, five for walls, none for what is off */
  for (int on = 0; on < 4; on++) {
    s.params.obstacle.on = on & 1;
    s.params.wall.on = on >> 1;
    memset(&s.scratch.senses, 0, sizeof s.scratch.senses);
    stage_ask(&s, th_steer_people);
    int rays = 0;
    for (int k = 0; k < TH_RAY_COUNT; k++)
      rays += (s.scratch.senses.obstacle[k].length[0] > 0.0f) + (s.scratch.senses.wall[k].length[0] > 0.0f);
    assert_int_equal(rays, 5 * ((on & 1) + (on >> 1)));
  }
}

/* ---------------------------------------------------------------- readings of the thesis */

/* Where two readings are plausible the parameter says which, names both, and each gives its own force. */
/* shows: STEER-120 */
static void both_readings_can_be_picked(void **state) {
  (void)state;
  static const char *const name[] = {"people_reading", "path_reading", "leader_reading", "along_reading"};
  static const th_steer_run run[] = {th_steer_people, th_steer_path, th_steer_leader, th_steer_along};
  static const float repaired[4] = {-400.0f, -430.0f, -112.5f, 200.0f * 1.00416f + 30.0f},
                     printed[4] = {-400.0f * 15.0f / 16.0f, -30.0f, -12.5f, 595.7f};
  static stage s;
  for (int k = 0; k < 4; k++) {
    const th_param *row = NULL;
    for (uint32_t i = 0; i < th_model_steering.param_count; i++)
      if (!strcmp(th_model_steering.param[i].name, name[k])) row = &th_model_steering.param[i];
    assert_non_null(row);
    assert_string_equal(row->choice[0], "repaired");
    assert_string_equal(row->choice[1], "printed");
    assert_non_null(strstr(row->text, "printed"));
    for (int as_printed = 0; as_printed < 2; as_printed++) {
      stage_make(&s);
      th_steering_basic(&s.params);
      s.params.side = TH_STEER_LEFT;
      s.params.people.on = k == 0, s.params.path.on = k == 1, s.params.leader.on = k == 2, s.params.along.on = k == 3;
      if (k == 0) { /* reached after one tick */
        s.params.people.circumvention = true;
        s.params.people.projection = 4.0f;
        stage_person(&s, 300 + 55, 0, 0, 0);
      } else if (k == 1) { /* 30 m off the path */
        s.params.path.projection = s.params.path.regulation = 0.0f;
        s.state.path_last = 1e6f;
        stage_body(&s, 0, 3000, 220, 0);
        for (uint32_t i = 0; i < 16; i++)
          s.path[i] = (th_view_path){.count = 1, .guide = 1, .number = 1, .back_x = -10.0f, .x = {50.0f}};
      } else if (k == 2) { /* too near behind */
        s.params.leader.deceleration = false;
        stage_link(&s, 0, TH_ROLE_LEADER, (float[]){75, 0, 220, 0}, true);
      } else { /* 3 cm behind the partner */
        s.params.target.by = TH_STEER_PLACE;
        s.params.target.place = (th_vec3){1e5f, 0, 0};
        s.params.along.distance = 5.0f;
        stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){3, sqrtf(500.0f * 500.0f - 9.0f), 0, 0}, true);
      }
      const int32_t reading = as_printed;
      memcpy((char *)&s.params + row->offset, &reading, sizeof reading);
      const th_vec2 f = stage_ask(&s, run[k]).force;
      assert_float_equal((k < 2 ? f.y : f.x), (as_printed ? printed[k] : repaired[k]), 0.1f);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_force_sustains_its_speed), cmocka_unit_test(one_manager_each_and_no_other_way_out),
      cmocka_unit_test(the_four_commands),          cmocka_unit_test(a_decision_looks_at_what_is_near),
      cmocka_unit_test(everything_counts_once),     cmocka_unit_test(both_readings_can_be_picked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
