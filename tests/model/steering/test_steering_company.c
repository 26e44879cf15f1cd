/* tests/model/steering/test_steering_company.c - following a leader, keeping a formation, walking along with a partner.
 * Geometry in cm, y to the right. */
#include "support/steering_stage.h"
#include "support/steering_walk.h"

static th_steering_params follower(void) {
  th_steering_params p = walk_params();
  p.leader.on = true;
  return p;
}

/* A leader to (6000, 0) and one who follows from a place; links are set before the first step. */
static void lead(walk *w, const th_steering_params *leader, const th_steering_params *p, float x, float y) {
  const th_steering_params off = walk_params();
  walk_begin(w, NULL, 0);
  walk_add(w, 0, 0, 1000, 0, leader);
  walk_add(w, x, y, x + 100, y, &off);
  walk_link(w, 1, 0, TH_ROLE_LEADER, p);
}

/* shows: STEER-61, STEER-62, STEER-83, STEER-115 */
static void keeps_its_distance(void **state) {
  (void)state;
  static walk w;
  th_steering_params leader = walk_to(6000, 0), p = follower();
  lead(&w, &leader, &p, -800, 50);
  walk_ticks(&w, 100);
  for (uint32_t t = 60; t <= 100; t++) assert_float_equal(walk_apart(&w, 0, 1, t), 331.0f, 1.0f);
  walk_ticks(&w, 100); /* the leader stops; the follower looks at it */
  assert_float_equal(walk_apart(&w, 0, 1, 200), 300.0f, 80.0f);
  assert_float_equal(walk_speed(&w, 1, 200), 0.0f, 1e-3f);
  th_vec3 h = th_world_agent_heading(w.world, w.id[1]);
  th_vec2 a = walk_now(&w, 0), b = walk_now(&w, 1);
  assert_true((h.x * (a.x - b.x) - h.y * (a.y - b.y)) / walk_apart(&w, 0, 1, 200) > 0.99f);
  walk_end(&w);
}

/* Too near behind: the printed repulsion turns the follower round, the repaired one hardly opens the gap, braking does.
 */
/* shows: STEER-64, STEER-120 */
static void slows_down_instead_of_walking_back(void **state) {
  (void)state;
  static walk w;
  th_steering_params leader = walk_to(6000, 0), p = follower();
  float gap[3], turned[3];
  for (int mode = 0; mode < 3; mode++) {
    p.leader.deceleration = mode == 2;
    p.leader.reading = mode == 1 ? TH_STEER_PRINTED : TH_STEER_REPAIRED;
    lead(&w, &leader, &p, -120, 0);
    walk_ticks(&w, 60);
    gap[mode] = walk_apart(&w, 0, 1, mode == 2 ? 12 : 60);
    turned[mode] = walk_turning(&w, 1, 0, 60, NULL);
    walk_end(&w);
  }
  assert_true(gap[0] > 170.0f && gap[0] < 210.0f && turned[0] < 1.0f); /* the specification's range */
  assert_float_equal(turned[1], 360.0f, 1.0f); /* once round, then at the distance of one who came from afar */
  assert_float_equal(gap[1], 331.0f, 1.0f);
  assert_float_equal(gap[2], 300.0f, 10.0f);
  assert_true(turned[2] < 1.0f);
  /* behind a leader who stands it walks away, and turns to it */
  th_steering_params stands = walk_params();
  p.leader.deceleration = true;
  p.leader.reading = TH_STEER_REPAIRED;
  walk_begin(&w, NULL, 0);
  walk_add_at_rest(&w, 0, 0, &stands);
  walk_add(&w, -150, 0, 0, 0, &stands);
  walk_link(&w, 1, 0, TH_ROLE_LEADER, &p);
  walk_ticks(&w, 40);
  assert_float_equal(walk_apart(&w, 0, 1, 40), 300.0f, 80.0f);
  assert_true(th_world_agent_heading(w.world, w.id[1]).x > 0.99f);
  walk_end(&w);
}

/* shows: STEER-63 */
static void a_hidden_leader(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.leader.on = true;
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){500, 0, 220, 0}, false); /* never seen: turns round, to the right */
  th_vec2 f = stage_ask(&s, th_steer_leader).force;
  assert_float_equal(f.x, 0.0f, 1e-3f);
  assert_float_equal(f.y, 220.0f, 1e-2f);
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){500, 0, 220, 0}, true);
  stage_ask(&s, th_steer_leader);
  stage_link(&s, 0, TH_ROLE_LEADER, (float[]){0, 900, 220, 0}, false); /* hidden now: goes by what it saw */
  f = stage_ask(&s, th_steer_leader).force;
  assert_float_equal(f.x, 200.0f * 200.0f / 50.0f, 0.1f);
  assert_float_equal(f.y, 0.0f, 1e-2f);
  stage_body(&s, 450, 0, 220, 0); /* it has come to that place: looks round again */
  f = stage_ask(&s, th_steer_leader).force;
  assert_float_equal(f.x, 0.0f, 1e-3f);
}

/* The side on which followers walk, as seen in the direction of walking. */
/* shows: STEER-65, STEER-66, STEER-69, STEER-70 */
static void a_cross_and_a_chain(void **state) {
  (void)state;
  static walk w;
  const float angle[] = {-90, 90, 180};
  float error[2] = {0}, turning[2] = {0};
  for (int smooth = 0; smooth < 2; smooth++) {
    th_steering_params leader = walk_to(6000, 3000), off = walk_params();
    walk_begin(&w, NULL, 0);
    walk_add(&w, 0, 0, 1000, 0, &leader);
    for (uint32_t i = 0; i < 3; i++) {
      th_steering_params p = follower();
      p.leader.type = TH_FOLLOW_FORMATION;
      p.leader.angle = angle[i];
      p.leader.force = smooth ? 2.0f : 2.4f;
      p.leader.force_distance = smooth ? 1.5f : 0.5f;
      walk_add(&w, i == 2 ? -300.0f : 0.0f, i == 2 ? 0.0f : i ? 300.0f : -300.0f, 1000, 0, &off);
      walk_link(&w, i + 1, 0, TH_ROLE_LEADER, &p);
    }
    walk_ticks(&w, 40);
    /* the leader turns right, then left again */
    const float corner[][2] = {{2000, 7900}, {7900, 3000}};
    for (int k = 0; k < 2; k++) {
      th_steering_params next = walk_to(corner[k][0], corner[k][1]);
      assert_int_equal(th_world_set_params(w.world, w.id[0], &next, NULL), TH_OK);
      walk_ticks(&w, 40);
    }
    for (uint32_t t = 1; t <= 120; t++) {
      th_vec2 v = {w.at[0][t].x - w.at[0][t - 1].x, w.at[0][t].y - w.at[0][t - 1].y};
      const float k = 300.0f / hypotf(v.x, v.y);
      const th_vec2 ahead = {k * v.x, k * v.y}, right = {-ahead.y, ahead.x};
      const th_vec2 want[3] = {{-right.x, -right.y}, right, {-ahead.x, -ahead.y}};
      for (uint32_t i = 0; i < 3; i++) {
        th_vec2 at = {w.at[i + 1][t].x - w.at[0][t].x, w.at[i + 1][t].y - w.at[0][t].y};
        error[smooth] += hypotf(at.x - want[i].x, at.y - want[i].y) / 360.0f;
        if (t == 35)
          assert_true(at.x * want[i].x + at.y * want[i].y > 0.9f * 300.0f * hypotf(at.x, at.y)); /* its side */
      }
    }
    for (uint32_t i = 1; i < 4; i++) turning[smooth] += walk_turning(&w, i, 0, 120, NULL);
    th_steering_params stop = walk_to(walk_now(&w, 0).x + 100.0f, walk_now(&w, 0).y);
    assert_int_equal(th_world_set_params(w.world, w.id[0], &stop, NULL), TH_OK);
    walk_ticks(&w, 80);
    for (uint32_t i = 0; i < 4; i++) assert_float_equal(walk_speed(&w, i, w.ticks), 0.0f, 1e-3f);
    walk_end(&w);
  }
  assert_true(error[0] < 60.0f && error[0] < error[1]); /* a fifth of the distance, bends included */
  assert_true(turning[1] < turning[0]);
  /* a chain: each follows the one before */
  th_steering_params leader = walk_to(6000, 0), off = walk_params(), p = follower();
  p.leader.force_distance = 1.0f;
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 1000, 0, &leader);
  for (uint32_t i = 1; i < 5; i++) {
    walk_add(&w, -300.0f * (float)i, 0, 0, 0, &off);
    walk_link(&w, i, i - 1, TH_ROLE_LEADER, &p);
  }
  walk_ticks(&w, 200);
  for (uint32_t i = 1; i < 5; i++) {
    assert_true(walk_least(&w, i, i - 1) > 50.0f);
    assert_float_equal(walk_apart(&w, i, i - 1, 100), 300.0f, 50.0f); /* D, kept by braking */
    assert_float_equal(walk_speed(&w, i, 200), 0.0f, 1e-3f);
  }
  walk_end(&w);
}

/* The leader swerves for three ticks: the follower beside it turns less with a memory. */
/* shows: STEER-67 */
static void a_memory_damps(void **state) {
  (void)state;
  static walk w;
  float most[2];
  for (int memory = 0; memory < 2; memory++) {
    th_steering_params leader = walk_to(7900, 0), swerve = leader, off = walk_params(), p = follower();
    swerve.target.targets.count = 1;
    swerve.target.targets.point[0] = walk_point(0, 100000);
    swerve.target.functions.count = 1;
    swerve.target.functions.point[0] = (th_vec3){0, 6, 1};
    p.leader.type = TH_FOLLOW_FORMATION;
    p.leader.angle = 90.0f;
    p.leader.force = 2.4f;
    p.leader.memory = memory;
    walk_begin(&w, NULL, 0);
    walk_add(&w, 0, 0, 1000, 0, &leader);
    walk_add(&w, 0, 300, 1000, 300, &off);
    walk_link(&w, 1, 0, TH_ROLE_LEADER, &p);
    walk_ticks(&w, 20);
    assert_int_equal(th_world_set_params(w.world, w.id[0], &swerve, NULL), TH_OK);
    walk_ticks(&w, 3);
    assert_int_equal(th_world_set_params(w.world, w.id[0], &leader, NULL), TH_OK);
    walk_ticks(&w, 30);
    walk_turning(&w, 1, 15, 53, &most[memory]);
    walk_end(&w);
  }
  assert_true(most[1] < 0.6f * most[0]); /* 82 and 165 degrees in the specification */
}

/* The angle changes from 180 to 0 on the way: the follower runs round the leader or through it. */
/* shows: STEER-05, STEER-68 */
static void round_the_leader(void **state) {
  (void)state;
  static walk w;
  for (int on = 0; on < 2; on++) {
    th_steering_params leader = walk_to(7900, 0), off = walk_params(), p = follower();
    p.leader.type = TH_FOLLOW_FORMATION;
    p.leader.force_distance = 1.0f;
    p.leader.circumvention = on;
    walk_begin(&w, NULL, 0);
    walk_add(&w, -3000, 0, 1000, 0, &leader);
    walk_add(&w, -3300, 0, 1000, 0, &off);
    walk_link(&w, 1, 0, TH_ROLE_LEADER, &p);
    walk_ticks(&w, 20);
    p.leader.angle = 0.0f;
    assert_int_equal(th_world_set_params(w.world, w.id[1], &p, NULL), TH_OK);
    walk_ticks(&w, 60);
    assert_float_equal(walk_now(&w, 1).x - walk_now(&w, 0).x, 300.0f, 80.0f); /* at its place: D within 80 */
    if (on)
      assert_true(walk_least(&w, 0, 1) > 100.0f);
    else
      assert_true(walk_least(&w, 0, 1) < 50.0f);
    walk_end(&w);
  }
}

/* The place is ahead of the leader, and the straight path there passes the leader at some distance: nearer than
 * max(150, D/2) it is bent, by K = 1 - distance / max(150, D/2), away from the leader. */
/* shows: STEER-68 */
static void how_near_the_leader_paths_are_bent(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.leader.on = true;
  s.params.leader.type = TH_FOLLOW_FORMATION;
  s.params.leader.memory = false;
  s.params.leader.angle = 0.0f;
  const float distance[] = {1, 3, 4, 6, 8};
  uint32_t bent_only_by_half = 0;
  for (int i = 0; i < 5; i++) {
    const double d = 100.0 * (double)distance[i], limit = fmax(150.0, 0.5 * d);
    s.params.leader.distance = distance[i];
    for (int k = -6; k <= 6; k++) {
      const double x = -400, y = 90.0 * k + 10.0, w[2] = {50 + d - x, -y}, m[2] = {25 - x, -y}; /* offsets */
      const double length = hypot(w[0], w[1]), u[2] = {w[0] / length, w[1] / length};
      const double along = m[0] * u[0] + m[1] * u[1], cross = u[0] * m[1] - u[1] * m[0], pass = fabs(cross);
      assert_true(along > 0 && along < length && length > hypot(m[0], m[1]));
      const double bend =
          fmax(0.0, (limit - pass) / limit) * (cross > 0 ? 1 : -1); /* the leader is right: to the left */
      const double bx = w[0] + bend * w[1], by = w[1] - bend * w[0], size = 200.0 * length / 50.0;
      stage_body(&s, (float)x, (float)y, 220, 0);
      stage_link(&s, 0, TH_ROLE_LEADER, (float[]){0, 0, 200, 0}, true);
      const th_vec2 f = stage_ask(&s, th_steer_leader).force;
      assert_float_equal(f.x, (float)(size * bx / hypot(bx, by)), 0.5f);
      assert_float_equal(f.y, (float)(size * by / hypot(bx, by)), 0.5f);
      bent_only_by_half += pass > 150 && pass < 0.5 * d;
    }
  }
  assert_true(bent_only_by_half > 4); /* D/2 is what decides there */
}

/* ---------------------------------------------------------------- walk along */

static void pair_up(walk *w, const float a[2], const float b[2], const th_steering_params *p, bool at_rest) {
  th_steering_params off = *p;
  off.along.on = false;
  walk_begin(w, NULL, 0);
  if (at_rest) {
    walk_add_at_rest(w, a[0], a[1], &off);
    walk_add_at_rest(w, b[0], b[1], &off);
  } else {
    walk_add(w, a[0], a[1], a[0] + 100, a[1], &off);
    walk_add(w, b[0], b[1], b[0] + 100, b[1], &off);
  }
  walk_link(w, 0, 1, TH_ROLE_PARTNER, p);
  walk_link(w, 1, 0, TH_ROLE_PARTNER, p);
}

static th_steering_params along(float x, float y) {
  th_steering_params p = walk_to(x, y);
  p.target.on = false;
  p.along.on = true;
  return p;
}

/* shows: STEER-74, STEER-83, STEER-115 */
static void side_by_side(void **state) {
  (void)state;
  static walk w;
  th_steering_params p = along(5000, 0);
  pair_up(&w, (float[]){0, -250}, (float[]){0, 250}, &p, true);
  walk_ticks(&w, 160);
  for (uint32_t t = 10; t <= 160; t++) assert_float_equal(walk_apart(&w, 0, 1, t), 500.0f, 1.0f);
  for (uint32_t i = 0; i < 2; i++) {
    assert_true(walk_from(&w, i, 160, 5000, i ? 250 : -250) < 200.0f); /* the distance of arrival */
    assert_float_equal(walk_speed(&w, i, 160), 0.0f, 1e-3f);
    assert_true(th_world_agent_heading(w.world, w.id[i]).y * (i ? 1.0f : -1.0f) > 0.99f); /* they look at each other */
  }
  walk_end(&w);
  /* far apart they first come together */
  pair_up(&w, (float[]){0, -1500}, (float[]){0, 1500}, &p, true);
  walk_ticks(&w, 160);
  for (uint32_t t = 60; t <= 160; t++) assert_float_equal(walk_apart(&w, 0, 1, t), 500.0f, 1.0f);
  walk_end(&w);
}

/* The tick at which half of the lead of 250 is made up. */
static uint32_t abreast(const walk *w) {
  uint32_t t = 0;
  while (t < w->ticks && fabsf(w->at[0][t].x - w->at[1][t].x) > 125.0f) t++;
  return t;
}

/* shows: STEER-75, STEER-78 */
static void making_way(void **state) {
  (void)state;
  static walk w;
  uint32_t when[2];
  for (int on = 0; on < 2; on++) {
    th_steering_params p = along(5000, 0);
    p.along.distance = 3.0f;
    p.along.give_way = on;
    pair_up(&w, (float[]){0, 0}, (float[]){-250, 5}, &p, false);
    walk_ticks(&w, 120);
    when[on] = abreast(&w);
    walk_end(&w);
  }
  assert_true(2 * when[1] <= when[0]); /* 11 and 40 in the specification */
  /* exactly in line: the two take different sides */
  th_steering_params p = along(5000, 0);
  p.along.distance = 3.0f;
  pair_up(&w, (float[]){0, 0}, (float[]){-250, 0}, &p, false);
  walk_ticks(&w, 100);
  assert_float_equal(fabsf(walk_now(&w, 0).y - walk_now(&w, 1).y), 300.0f, 1.0f);
  assert_true(walk_least(&w, 0, 1) > 50.0f);
  walk_end(&w);
}

/* shows: STEER-76 */
static void waiting_for_a_partner(void **state) {
  (void)state;
  static walk w;
  float back[2];
  for (int on = 0; on < 2; on++) {
    th_steering_params p = along(6000, 0);
    p.along.distance = 4.0f;
    p.along.wait = on;
    pair_up(&w, (float[]){2500, 0}, (float[]){0, 0}, &p, false);
    float least = INFINITY, still = 0.0f, farthest = 0.0f, faces = 1.0f;
    for (uint32_t t = 1; t <= 250; t++) {
      walk_ticks(&w, 1);
      least = fminf(least, w.at[0][t].x);
      if (t > 60 || walk_speed(&w, 0, t) >= 1.0f || walk_speed(&w, 0, t - (t > 1)) >= 1.0f) continue;
      const th_vec3 h = th_world_agent_heading(w.world, w.id[0]);
      const th_vec2 to = {w.at[1][t].x - w.at[0][t].x, w.at[1][t].y - w.at[0][t].y};
      faces = fminf(faces, (h.x * to.x - h.y * to.y) / hypotf(to.x, to.y));
      farthest = fmaxf(farthest, fabsf(w.at[0][t].y));
      still += 1.0f;
    }
    back[on] = 2500.0f - least;
    if (on) assert_true(still > 10.0f && faces > 0.99f && farthest < 200.0f); /* facing it, within D/2 of the axis */
    assert_true(walk_now(&w, 0).y * walk_now(&w, 1).y < 0.0f); /* each at its own place beside the target */
    for (uint32_t i = 0; i < 2; i++)
      assert_true(walk_from(&w, i, 250, 6000, copysignf(200, walk_now(&w, i).y)) < 200.0f);
    walk_end(&w);
  }
  assert_true(back[1] < 0.5f * back[0]); /* 358 and 942 in the specification */
}

/* Far ahead of its partner: near the axis it stands and faces the partner; farther from it than D/2 it walks to the
 * axis and towards the partner, by F da / D, as well as to its own place. */
/* shows: STEER-76 */
static void where_one_waits(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.along.on = s.params.along.wait = true;
  s.params.along.give_way = false;
  s.params.along.distance = 4.0f;
  s.params.target.by = TH_STEER_PLACE;
  s.params.target.place = walk_point(6000, 0);
  const float off[] = {0, 200, -200, 500, -500};
  for (int i = 0; i < 5; i++) {
    stage_body(&s, 2500, off[i], 220, 0);
    stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){0, 0, 220, 0}, true);
    const th_steering_force f = stage_ask(&s, th_steer_along);
    const double mx = 1250, my = 0.5 * (double)off[i], length = hypot(6000 - mx, my), ax = (6000 - mx) / length,
                 ay = -my / length;
    const double across = ax * (0.5 * (double)off[i]) - ay * 1250, da = fabs(across);
    assert_int_equal(f.stop, da <= 200);
    if (f.stop) {
      assert_true(f.looks);
      assert_float_equal(f.focus.x, 0.0f, 0.1f);
      assert_float_equal(f.focus.y, 0.0f, 0.1f);
      continue;
    }
    const double side = across > 0 ? 1 : -1, nx = -ay * side, ny = ax * side; /* from the axis to the agent */
    const double tx = 6000 + 200 * nx, ty = 200 * ny, px = 6000 - 200 * nx, py = -200 * ny;
    const double dm = hypot(tx - 2500, ty - (double)off[i]), dp = hypot(px, py), apart = hypot(2500, (double)off[i]);
    const double own = 200 * exp2((dm - dp) / 500), by = 200 * da / 400;
    assert_float_equal(f.force.x, (float)(own * (tx - 2500) / dm + by * (-2500 / apart - nx)), 0.5f);
    assert_float_equal(f.force.y, (float)(own * (ty - (double)off[i]) / dm + by * (-(double)off[i] / apart - ny)),
                       0.5f);
  }
}

/* shows: STEER-73, STEER-77 */
static void an_unseen_partner(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.along.on = true;
  s.params.target.by = TH_STEER_PLACE;
  s.params.target.place = (th_vec3){50, 0, 0};
  stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){0, 500, 220, 0}, false);
  th_vec2 f = stage_ask(&s, th_steer_along).force;
  assert_float_equal(f.x, 0.0f, 1e-3f);
  assert_float_equal(f.y, 220.0f, 1e-2f); /* turns to the right */
  /* the one behind is pulled harder than the one in front */
  stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){300, 400, 220, 0}, true);
  float behind = stage_ask(&s, th_steer_along).force.x;
  stage_link(&s, 0, TH_ROLE_PARTNER, (float[]){-300, 400, 220, 0}, true);
  float front = stage_ask(&s, th_steer_along).force.x;
  assert_true(behind > 230.0f && front < 200.0f); /* F + 30 and F: what two abreast would feel */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_its_distance),
                                     cmocka_unit_test(slows_down_instead_of_walking_back),
                                     cmocka_unit_test(a_hidden_leader),
                                     cmocka_unit_test(a_cross_and_a_chain),
                                     cmocka_unit_test(a_memory_damps),
                                     cmocka_unit_test(round_the_leader),
                                     cmocka_unit_test(side_by_side),
                                     cmocka_unit_test(making_way),
                                     cmocka_unit_test(waiting_for_a_partner),
                                     cmocka_unit_test(an_unseen_partner),
                                     cmocka_unit_test(how_near_the_leader_paths_are_bent),
                                     cmocka_unit_test(where_one_waits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
