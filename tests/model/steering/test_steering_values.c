/* tests/model/steering/test_steering_values.c - the formulas of the steerings at the values that the specification
 * lists, in its units: 1 cm_UT = 0.01 m, 1 N_UT = 0.01 m/s, 1 tick = 0.25 s. */
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

/* shows: STEER-19, STEER-24, STEER-100 */
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

/* A short wall half-way along the front ray, turned by this angle from straight across. */
static th_vec2 tilted_push(stage *s, float degrees) {
  const float x = 30.0f * sinf(degrees / 57.29578f), y = 30.0f * cosf(degrees / 57.29578f);
  s->view.wall_count = 0;
  stage_wall(s, 312.5f - x, -y, 312.5f + x, y);
  return stage_ask(s, th_steer_obstacle).force;
}

/* Within 3 degrees of head-on a push of half its size is added, to the side to which the wall leans, or to the chosen
 * one where it does not; beyond, nothing is. */
/* shows: STEER-22 */
static void a_wall_straight_ahead(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.obstacle.on = s.params.obstacle.front = true;
  s.params.obstacle.tree = false;
  for (int left = 0; left < 2; left++) {
    s.params.side = left ? TH_STEER_LEFT : TH_STEER_RIGHT;
    const th_vec2 exact = tilted_push(&s, 0.0f);
    SAME(exact.x, -240.0f);
    SAME(exact.y, (left ? -120.0f : 120.0f));
    for (int lean = -1; lean <= 1; lean += 2) {
      const th_vec2 near = tilted_push(&s, 2.0f * (float)lean), far = tilted_push(&s, 4.0f * (float)lean);
      const float leans = far.y > 0.0f ? 1.0f : -1.0f; /* as the push does where nothing is added */
      SAME(fabsf(far.y), 16.7f);
      SAME(near.y * leans, 120.0f + 8.4f);
    }
  }
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

/* A constant pull from anywhere, and a request to stop within 150. */
/* shows: STEER-36 */
static void a_target_stops(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.target.on = true;
  s.params.target.by = TH_STEER_PLACE;
  const float force = 100.0f * s.params.target.force, distance[] = {151, 400, 9000};
  for (int i = 0; i < 3; i++) {
    s.params.target.place = (th_vec3){0.01f * distance[i], 0, 0};
    const th_steering_force f = stage_ask(&s, th_steer_target);
    assert_false(f.stop);
    SAME(f.force.x, force);
  }
  s.params.target.place = (th_vec3){1.49f, 0, 0};
  assert_true(stage_ask(&s, th_steer_target).stop);
}

/* Where a guide gives the target, it says when the agent has arrived: there is no request to stop, but within 150 of
 * the end the force leads straight to a speed that falls with the distance left. */
/* shows: STEER-36 */
static void a_guide_decides_about_arrival(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.target.on = true;
  s.params.target.by = TH_STEER_GUIDE;
  const float left[] = {400, 151, 100, 20}, speed[] = {0, 0, 220.0f * 100.0f / 150.0f, 220.0f * 20.0f / 150.0f};
  for (int i = 0; i < 4; i++) {
    for (uint32_t k = 0; k < 16; k++)
      s.want[k] = (th_guide_answer){.dx = 1.0f, .left = 0.01f * left[i], .state = TH_ANSWER_LEAD};
    const th_steering_force f = stage_ask(&s, th_steer_target);
    assert_false(f.stop);
    assert_int_equal(f.agrees, i < 2);
    SAME(f.force.y, 0.0f);
    SAME(f.force.x, (i < 2 ? 100.0f : 3.0f * speed[i] - 2.0f * 220.0f)); /* a = 2: (a v + force) / 3 is that speed */
  }
}

/* A corner that is farther than the corridor is wide counts as passed beyond the line across the edge there. */
/* shows: STEER-42 */
static void a_corner_is_passed(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.path.on = true;
  for (int beyond = 0; beyond < 2; beyond++) {
    stage_body(&s, beyond ? 501 : 499, 100.0f * s.params.path.distance + 50, 220, 0);
    s.state.path_guide = s.state.path_next = 0;
    for (uint32_t i = 0; i < 16; i++)
      s.path[i] = (th_view_path){.count = 2, .guide = 1, .number = 1, .back_x = -10.0f, .x = {5, 5}, .y = {0, 40}};
    stage_ask(&s, th_steer_path);
    assert_int_equal(s.state.path_next, 1 + beyond);
  }
}

/* An edge along x of a path whose end is far away; the agent is off it to the right. */
static th_vec2 path_force(stage *s, float off, float vx, float vy, float last) {
  s->state.path_last = last;
  stage_body(s, 0, off, vx, vy);
  for (uint32_t i = 0; i < 16; i++)
    s->path[i] = (th_view_path){.count = 1, .guide = 1, .number = 1, .back_x = -10.0f, .x = {50.0f}};
  th_vec2 f = stage_ask(s, th_steer_path).force;
  return f;
}

/* shows: STEER-43, STEER-44, STEER-45, STEER-47 */
static void path_following(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  th_steering_basic(&s.params);
  s.params.path.on = true;
  s.params.path.projection = 0.0f;
  const float off[] = {400, 401, 600, 1200, 3000}, force[] = {0, 30.5f, 130, 430, 430};
  for (int i = 0; i < 5; i++) SAME(path_force(&s, off[i], 220, 0, 1e6f).y, -force[i]);
  s.params.path.reading = TH_STEER_UNCAPPED;
  SAME(path_force(&s, 3000, 220, 0, 1e6f).y, -1330.0f);
  s.params.path.reading = TH_STEER_PRINTED;
  SAME(path_force(&s, 3000, 220, 0, 1e6f).y, -30.0f);
  s.params.path.reading = TH_STEER_REPAIRED;
  s.params.path.regulation = 0.5f;
  SAME(path_force(&s, 0, 220, 0, 1e6f).x, 50.0f);
  SAME(path_force(&s, 0, 220, 0, 1e6f).y, 0.0f);
  s.params.path.regulation = 0.0f;
  /* farther from the corner than before: along the edge */
  SAME(path_force(&s, 0, -220, 0, 40).x, 200.0f);
  SAME(path_force(&s, 0, 0, 220, 40).x, 100.0f);
  /* the projection looks ahead: 5 ticks of 55 to the right leave the corridor */
  s.params.path.projection = 1.25f;
  SAME(path_force(&s, 325, 0.001f, 220, 1e6f).y, -(200.0f * 200.0f / 400.0f + 30.0f));
}

static th_vec2 wall_force(stage *s, float distance) {
  s->view.wall_count = 0;
  stage_wall(s, -0.1f * distance, distance, 0.1f * distance, distance); /* too short for the oblique ray */
  return stage_ask(s, th_steer_wall).force;
}

/* shows: STEER-52, STEER-119 */
static void wall_following(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.wall.on = true;
  const float distance[] = {299.99f, 200, 150, 100, 0.01f}, outward[] = {-100, -66.7f, 0, 66.7f, 200};
  for (int i = 0; i < 5; i++) SAME(wall_force(&s, distance[i]).y, -outward[i]);
  s.params.wall.order = 2;
  SAME(wall_force(&s, 150).y, -(25.0f - 25.0f));
  SAME(wall_force(&s, 200).y, 44.4f);
  SAME(wall_force(&s, 100).y, -(100.0f - 11.1f));
  s.params.wall.order = 1;
  s.params.wall.attract = 0.5f;
  SAME(wall_force(&s, 200).y, 33.3f);
  s.params.wall.repel = 3.0f;
  SAME(wall_force(&s, 100).y, -(300.0f - 16.7f));
  /* the ray ahead never attracts */
  s.view.wall_count = 0;
  stage_wall(&s, 400, -1, 400, 1);
  SAME(stage_ask(&s, th_steer_wall).force.x, 0.0f);
  /* its length: 300 sqrt(3); oblique 600; the ends of side and oblique ray lie on a line along the agent's way */
  SAME(100.0f * s.scratch.senses.wall[TH_RAY_FRONT].length[0], 519.6f);
  SAME(100.0f * s.scratch.senses.wall[TH_RAY_OBLIQUE_LEFT].length[0], 600.0f);
  const th_rays *oblique = &s.scratch.senses.wall[TH_RAY_OBLIQUE_LEFT];
  SAME(100.0f * oblique->dy[0] * oblique->length[0], 300.0f);
}

/* Walls along both sides: the right one is followed, and still when only the left one is there; without any wall for
 * ten decisions, and no longer. */
/* shows: STEER-53, STEER-56 */
static void a_side_is_kept(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.wall.on = true;
  stage_wall(&s, -2000, -200, 2000, -200);
  stage_wall(&s, 2000, 200, -2000, 200);
  stage_ask(&s, th_steer_wall);
  assert_int_equal(s.state.wall_side, TH_WALL_RIGHT);
  s.view.wall_count = 1;
  for (int i = 0; i < 5; i++) stage_ask(&s, th_steer_wall);
  assert_int_equal(s.state.wall_side, TH_WALL_RIGHT);
  s.view.wall_count = 2;
  stage_ask(&s, th_steer_wall);
  s.view.wall_count = 0;
  for (int i = 0; i < 10; i++) {
    stage_ask(&s, th_steer_wall);
    assert_int_equal(s.state.wall_side, TH_WALL_RIGHT);
  }
  stage_ask(&s, th_steer_wall);
  assert_int_equal(s.state.wall_side, TH_WALL_NONE);
}

/* Too near to a leader as quick as oneself: slows down; to a slower one, steps back as well. */
/* shows: STEER-64 */
static void a_slower_leader(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.leader.on = s.params.leader.deceleration = true;
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){150, 0, 220, 0}, true);
  SAME(stage_ask(&s, th_steer_leader).force.x, -220.0f);
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){150, 0, 110, 0}, true);
  SAME(stage_ask(&s, th_steer_leader).force.x, -220.0f - 50.0f);
}

/* shows: STEER-61, STEER-62 */
static void leader_following(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.leader.on = true;
  s.params.leader.deceleration = false;
  const float distance[] = {350, 325, 300, 150}, force[] = {200, 100, 0, -50};
  for (int i = 0; i < 4; i++) {
    stage_link(&s, 0, TH_ROLE_LEADER, (float[]){distance[i], 0, 220, 0}, true);
    SAME(stage_ask(&s, th_steer_leader).force.x, force[i]);
  }
  s.params.leader.reading = TH_STEER_PRINTED;
  SAME(stage_ask(&s, th_steer_leader).force.x, -50.0f);
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){75, 0, 220, 0}, true);
  SAME(stage_ask(&s, th_steer_leader).force.x, -12.5f);
  s.params.leader.reading = TH_STEER_REPAIRED;
  SAME(stage_ask(&s, th_steer_leader).force.x, -112.5f);
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){379, 0, 0, 0}, true);
  th_steering_force f = stage_ask(&s, th_steer_leader);
  assert_true(f.stop && f.looks);
  SAME(f.focus.x, 379.0f);
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){381, 0, 0, 0}, true);
  assert_false(stage_ask(&s, th_steer_leader).stop);
}

/* shows: STEER-65, STEER-66 */
static void formation(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.leader.on = true;
  s.params.leader.type = TH_FOLLOW_FORMATION;
  s.params.leader.memory = false;
  s.params.leader.angle = 90.0f;
  stage_body(&s, 0, 300, 220, 0); /* to the right of the leader */
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){0, 0, 200, 0}, true);
  th_vec2 f = stage_ask(&s, th_steer_leader).force;
  SAME(f.x, 200.0f);
  SAME(f.y, 0.0f);
  /* each angle has its place: ahead, right, left, behind */
  const float angle[] = {0, 90, -90, 180}, x[] = {350, 50, 50, -250}, y[] = {0, 300, -300, 0};
  for (int i = 0; i < 4; i++) {
    s.params.leader.angle = angle[i];
    stage_body(&s, x[i] - 50, y[i], 220, 0);
    stage_link(&s, 0, TH_ROLE_LEADER, (float[]){0, 0, 200, 0}, true);
    f = stage_ask(&s, th_steer_leader).force;
    SAME(f.x, 200.0f);
    SAME(f.y, 0.0f);
  }
}

/* Somebody who walks with a partner to a target, in line or side by side. The force is a sum of three; with the partner
 * at the wanted distance and both beside the axis only the first is left. */
static float pull_of_lead(stage *s, float lead) {
  /* partner at (0, 500): distance 500 kept; the target is far away to the left ahead or behind, so the axis leans */
  const float apart = 500.0f, along = lead, across = sqrtf(apart * apart - along * along);
  s->params.along.distance = 5.0f;
  s->params.target.place = (th_vec3){1e5f, 0, 0};
  stage_link(s, 0, TH_ROLE_PARTNER, (float[]){along, across, 0, 0}, true);
  const th_steering_force f = stage_ask(s, th_steer_along);
  assert_false(f.agrees); /* the partner sets the speed */
  return f.force.x;
}

/* shows: STEER-71, STEER-72, STEER-73, STEER-75 */
static void walk_along(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  th_steering_basic(&s.params);
  s.params.along.on = true;
  s.params.target.by = TH_STEER_PLACE;
  SAME(pull_of_lead(&s, 0.0f), 200.0f);
  SAME(pull_of_lead(&s, 499.999f), 430.0f);
  SAME(pull_of_lead(&s, -499.999f), 100.0f);
  /* in line, 750 and 1000 apart: the pull to the partner, F (d - D)/D, is known and comes off */
  const float lead[] = {750, 900, -1000}, size[] = {595.7f, 595.7f, 50};
  for (int i = 0; i < 3; i++) {
    s.params.along.distance = 5.0f;
    s.params.target.place = (th_vec3){1e5f, 0, 0};
    stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){lead[i], 0, 0, 0}, true);
    const float pull = 200.0f * (fabsf(lead[i]) - 500.0f) / 500.0f;
    SAME(stage_ask(&s, th_steer_along).force.x - copysignf(pull, lead[i]), size[i]);
  }
  /* printed: a lead of 3 cm already saturates */
  s.params.along.reading = TH_STEER_PRINTED;
  SAME(pull_of_lead(&s, 3.0f), 595.7f);
  s.params.along.reading = TH_STEER_REPAIRED;
  /* to and from the partner, who is straight beside: F |d - D|/D */
  s.params.along.distance = 3.0f;
  stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){0, 450, 0, 0}, true);
  SAME(stage_ask(&s, th_steer_along).force.y, 100.0f);
  stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){0, 150, 0, 0}, true);
  SAME(stage_ask(&s, th_steer_along).force.y, -100.0f);
  /* give way: from the axis, which is half as far as the partner */
  s.params.along.give_way = true;
  const float axis[] = {0.001f, 75, 150}, push[] = {200, 100, 0};
  for (int i = 0; i < 3; i++) {
    const float back = 600.0f; /* also behind the partner, who does not push */
    stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){-back, 2.0f * axis[i], 0, 0}, true);
    const float d = sqrtf(back * back + 4.0f * axis[i] * axis[i]), pull = 200.0f * (d - 300.0f) / 300.0f;
    SAME(stage_ask(&s, th_steer_along).force.y - pull * 2.0f * axis[i] / d, -push[i]);
  }
}

/* In line with the target the two take different sides, whichever of them is asked. */
/* shows: STEER-78 */
static void in_line_both_take_a_side(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  th_steering_basic(&s.params);
  s.params.along.on = true;
  s.params.target.by = TH_STEER_PLACE;
  s.params.target.place = (th_vec3){20, 0, 0};
  float to[2];
  for (int ahead = 0; ahead < 2; ahead++) {
    stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){ahead ? 400 : -400, 0, 0, 0}, true);
    to[ahead] = stage_ask(&s, th_steer_along).force.y;
  }
  assert_true(to[0] > 1.0f && to[1] < -1.0f); /* the one in front takes the right */
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
  v = stage_blend(&s, &(th_vec2){0, 65}, 1, false); /* negligible: it bends the way and does not slow down */
  SAME(v.x, 220.0f);
  SAME(v.y, 32.5f);
  v = stage_blend(&s, &(th_vec2){0, 67}, 1, false);
  SAME(v.x, 146.7f);
  s.scratch.self[0] = th_steer_look_at(&s.work, &s.scratch.senses, 0);
  th_vec2 turn = th_steer_rotation(&s.scratch.self[0], -1.0f); /* to the right */
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
  s.scratch.self[0] = th_steer_look_at(&s.work, &s.scratch.senses, 0);
  th_vec2 brake = th_steer_brake(&s.scratch.self[0], 0.5f);
  SAME(100.0f * brake.x, -200.0f);
}

/* Beside a stop request a force of 0.3 of walking speed, 66, at most does not keep an agent on its feet. */
/* shows: STEER-82 */
static void a_stop_beside_small_forces(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  const float force[] = {50, 65, 70, 133};
  for (int i = 0; i < 4; i++) {
    stage_body(&s, 0, 0, i % 2 ? 0 : 220, 0);
    s.scratch.self[0] = th_steer_look_at(&s.work, &s.scratch.senses, 0);
    const th_steer_self *self = &s.scratch.self[0];
    th_steer_sum sum = th_steer_combine_begin(self);
    th_steer_combine_add(self, &sum, &(th_steering_force){.force = stage_vector(0, force[i])}, 1.0f);
    th_steer_combine_add(self, &sum, &(th_steering_force){.stop = true, .looks = true, .focus = {3, 4}}, 1.0f);
    const th_steer_result r = th_steer_combine_finish(self, &sum);
    assert_int_equal(r.gait, i < 2 ? TH_GAIT_STAND : TH_GAIT_WALK);
    assert_int_equal(r.looks, i < 2);
    assert_true(i < 2 ? r.velocity.y == 0.0f && r.look.y == 4.0f : r.velocity.y < 0.0f);
  }
  /* without a request the same force walks */
  th_steer_sum sum = th_steer_combine_begin(&s.scratch.self[0]);
  th_steer_combine_add(&s.scratch.self[0], &sum, &(th_steering_force){.force = stage_vector(0, 50)}, 1.0f);
  assert_int_equal(th_steer_combine_finish(&s.scratch.self[0], &sum).gait, TH_GAIT_WALK);
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

/* Below 5 cm/s an agent stands: it has no velocity, and looks where it looked. */
static void who_is_slow_stands(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  stage_body(&s, 0, 0, 4.1f, 3.1f); /* the length of (4, 3) is the limit */
  th_steer_self self = th_steer_look_at(&s.work, &s.scratch.senses, 0);
  assert_true(self.speed > 0.0f && self.v.x > 0.0f);
  stage_body(&s, 0, 0, 3.9f, 2.9f);
  self = th_steer_look_at(&s.work, &s.scratch.senses, 0);
  assert_true(self.speed == 0.0f && self.v.x == 0.0f && self.v.y == 0.0f && self.h.x == s.hx[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(obstacle_avoidance),
                                     cmocka_unit_test(people_avoidance),
                                     cmocka_unit_test(target_functions),
                                     cmocka_unit_test(path_following),
                                     cmocka_unit_test(wall_following),
                                     cmocka_unit_test(leader_following),
                                     cmocka_unit_test(formation),
                                     cmocka_unit_test(walk_along),
                                     cmocka_unit_test(combination),
                                     cmocka_unit_test(a_stop_beside_small_forces),
                                     cmocka_unit_test(who_is_slow_stands),
                                     cmocka_unit_test(scaling),
                                     cmocka_unit_test(a_wall_straight_ahead),
                                     cmocka_unit_test(a_target_stops),
                                     cmocka_unit_test(a_guide_decides_about_arrival),
                                     cmocka_unit_test(a_corner_is_passed),
                                     cmocka_unit_test(a_side_is_kept),
                                     cmocka_unit_test(a_slower_leader),
                                     cmocka_unit_test(in_line_both_take_a_side)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
