/* tests/model/test_bvp_people.c - people of the model in company: whom they plan round, and how they get on. */
#include "base/random.h"
#include "io/scene/scene.h"
#include "support/bvp_reference.h"
#include "support/slow.h"

static _Alignas(64) uint8_t scratch[TH_BVP_SCRATCH];
static one o;

static void person_make(void) {
  one_make(&o, scratch);
  for (uint32_t lane = 0; lane < 16; lane++) o.people[lane] = &th_default_people;
}

/* Somebody who stands at (x, y) and wants to go along (wx, wy). */
static void one_meets(float x, float y, float wx, float wy) {
  one_sees(&o, x, y, 0.2f);
  o.wish[o.near_count - 1] = (th_guide_answer){.dx = wx, .dy = wy, .state = TH_ANSWER_LEAD};
  o.view.neighbours.pick_count = o.near_count;
}

static bool drawn_at(float x, float y) {
  return one_blocked(&o, (uint32_t)(7.5f + 2.0f * x), (uint32_t)(7.5f + 2.0f * y));
}

/* Those who go the same way are followed, not walked round; bare bodies and `others: all` draw everyone. */
static void those_ahead_are_followed(void **state) {
  (void)state;
  for (int form = 0; form < 3; form++) {
    person_make();
    if (form == 1) o.people[0] = NULL;
    if (form == 2) o.params.others = TH_BVP_OTHERS_ALL;
    one_meets(2.0f, 0.0f, 1.0f, 0.0f);
    one_meets(2.0f, 2.0f, -1.0f, 0.0f);
    one_meets(-1.0f, 2.0f, 0.0f, -1.0f);
    one_sees(&o, 0.0f, -2.0f, 0.2f);
    th_bvp_map(&o.work);
    assert_int_equal(drawn_at(2.0f, 0.0f), form != 0);
    assert_true(drawn_at(2.0f, 2.0f) && drawn_at(-1.0f, 2.0f) && drawn_at(0.0f, -2.0f));
  }
}

static th_vec2 aim_with(float gx, float gy) {
  th_bvp_map(&o.work);
  th_bvp_state *s = (th_bvp_state *)o.memory;
  th_guide_answer want[16];
  s->gx = gx, s->gy = gy;
  memcpy(want, o.want, sizeof want);
  th_bvp_people_aim(&o.work, want);
  return (th_vec2){want[0].dx, want[0].dy};
}

/* Alone the map leads; in company that goes the same way the guide does, and a map that leads back is not believed. */
static void the_map_counts_as_far_as_it_knows(void **state) {
  (void)state;
  person_make();
  o.params.motion = TH_BVP_GRADIENT;
  assert_true(aim_with(0.8f, 0.6f).y > 0.59f);
  assert_true(aim_with(-0.6f, 0.8f).x > 0.999f);
  assert_true(aim_with(0.0f, 0.0f).x > 0.999f);
  one_meets(1.0f, 0.5f, 1.0f, 0.0f);
  assert_true(aim_with(0.8f, 0.6f).x > 0.999f); /* walls alone: the guide knows them */
  o.wish[0].state = TH_ANSWER_WAIT;
  assert_true(aim_with(0.8f, 0.6f).y > 0.59f); /* somebody stands there */
  o.wish[0].state = TH_ANSWER_LEAD;
  o.wish[0].dx = -1.0f;
  assert_true(aim_with(0.8f, 0.6f).y > 0.59f); /* somebody comes */
  for (int k = 0; k < 6; k++) one_meets(1.0f, 0.6f + 0.1f * (float)k, -1.0f, 0.0f);
  const float y = aim_with(0.8f, 0.6f).y; /* many come */
  assert_true(y > 0.01f && y < 0.1f);
}

/* Whoever is touched is not pushed on; somebody who comes is passed on its left. */
static void nobody_is_run_into(void **state) {
  (void)state;
  person_make();
  th_bvp_map(&o.work);
  th_bvp_people_walk(&o.work, 0);
  ASSERT_NEAR((double)o.avx[0], 1.0, 1e-6);
  one_meets(0.4f, 0.0f, 1.0f, 0.0f);
  th_bvp_people_walk(&o.work, 0);
  assert_true(o.avx[0] < 0.2f && fabsf(o.avy[0]) < 1e-6f);
  o.wish[0].dx = -1.0f;
  th_bvp_people_walk(&o.work, 0);
  assert_true(o.avy[0] < -0.5f);
  o.nx[0] = 0.36f, o.ny[0] = -0.17f;
  th_bvp_people_walk(&o.work, 0);
  assert_true(o.avy[0] > 0.3f);
}

/* Who has been held up comes closer than who is at ease; a gap that is wide enough slows nobody down. */
static void distance_gives_way_under_pressure(void **state) {
  (void)state;
  person_make();
  one_meets(0.6f, 0.0f, 1.0f, 0.0f);
  th_bvp_map(&o.work);
  float speed[3];
  for (int k = 0; k < 3; k++) {
    o.pressure[0] = 0.5f * (float)k;
    th_bvp_people_walk(&o.work, 0);
    speed[k] = o.avx[0];
  }
  assert_true(speed[0] < speed[1] - 0.05f && speed[1] < speed[2] - 0.05f && speed[2] < 0.7f);
  o.nx[0] = 0.75f;
  th_bvp_people_walk(&o.work, 0);
  ASSERT_NEAR((double)o.avx[0], 1.0, 1e-6);
  o.pressure[0] = 0.0f;
  th_bvp_people_walk(&o.work, 0);
  assert_true(o.avx[0] < 0.8f);
}

/* Advice when somebody at (x, y) comes with velocity (vx, vy), and both want to go along those velocities. */
static th_vec2 meet_at(float x, float y, float vx, float vy) {
  o.nx[0] = x, o.ny[0] = y, o.nvx[0] = vx, o.nvy[0] = vy;
  th_bvp_people_walk(&o.work, 0);
  return (th_vec2){o.avx[0], o.avy[0]};
}

/* People step aside for those who come a second before they meet, the less the earlier, to the right if both are in
 * line and else to the side where there is more room, and without slowing down; not for those who pass anyway. */
static void who_comes_is_passed_in_time(void **state) {
  (void)state;
  person_make();
  one_meets(2.4f, 0.0f, -1.0f, 0.0f);
  th_bvp_map(&o.work);
  assert_true(meet_at(2.2f, 0.0f, -1.0f, 0.0f).y == 0.0f);
  const th_vec2 far = meet_at(1.8f, 0.0f, -1.0f, 0.0f), near = meet_at(1.0f, 0.0f, -1.0f, 0.0f);
  assert_true(far.y < -0.2f && far.y > -0.5f && far.x > 0.95f);
  assert_true(near.y < far.y - 0.1f && near.y > -0.9f && near.x > 0.8f);
  assert_true(meet_at(1.8f, -0.2f, -1.0f, 0.0f).y > 0.05f);
  assert_true(meet_at(1.8f, 0.2f, -1.0f, 0.0f).y < -0.05f);
  assert_true(meet_at(1.8f, 0.45f, -1.0f, 0.0f).y == 0.0f);
  assert_true(meet_at(-0.5f, 0.1f, -1.0f, 0.0f).y == 0.0f);
  assert_true(fabsf(meet_at(0.4f, 0.0f, -1.0f, 0.0f).y) < 1.51f * 2.0f);
}

/* Who is pushed back wants to walk faster, by which the push ends sooner; who is pushed on does not. */
static void who_is_pushed_back_leans_against_it(void **state) {
  (void)state;
  person_make();
  th_bvp_map(&o.work);
  for (int k = 0; k < 3; k++) {
    o.vx[0] = (float)(k - 1) * 0.1f;
    th_bvp_people_walk(&o.work, 0);
    assert_true(k ? fabsf(o.avx[0] - 1.0f) < 1e-6f : o.avx[0] > 1.3f);
  }
  float most[2];
  for (int k = 0; k < 2; k++) { /* nobody is pushed that fast: it walks there and turns round */
    o.vx[0] = -0.5f * (float)(k + 1);
    th_bvp_people_walk(&o.work, 0);
    most[k] = o.avx[0];
  }
  assert_true(most[0] == most[1]);
}

/* ---------------------------------------------------------------- crowds */

typedef struct result {
  uint64_t arrived;
  double last;              /* [s] */
  double walked, backwards; /* agents, steps */
  double squares, changes;  /* of accelerations [m2/s4] */
  float before[256][2];     /* velocity by the index of an agent */
  bool walks[256];          /* it has walked before */
  float nearest;            /* two bodies, by the sum of their radii */
} result;

static void look(th_world *world, result *r) {
  const th_agents a = th_world_agents(world);
  for (uint32_t i = 0; i < a.count; i++) {
    if (a.state[i] != TH_AGENT_WALKING) continue;
    r->walked += 1.0;
    const uint32_t at = a.id[i].index % 256;
    const double ax = 10.0 * (double)(a.vx[i] - r->before[at][0]), ay = 10.0 * (double)(a.vy[i] - r->before[at][1]);
    if (r->walks[at]) r->squares += ax * ax + ay * ay, r->changes += 1.0;
    r->before[at][0] = a.vx[i], r->before[at][1] = a.vy[i];
    r->walks[at] = true;
    r->backwards += a.vx[i] * a.hx[i] + a.vy[i] * a.hy[i] < -0.05f ? 1.0 : 0.0;
    for (uint32_t j = 0; j < a.count; j++) {
      const th_vec3 p = th_world_agent_point(world, a.id[i]), q = th_world_agent_point(world, a.id[j]);
      const float far = hypotf(hypotf(p.x - q.x, p.y - q.y), p.z - q.z) / (a.radius[i] + a.radius[j]);
      if (i != j) r->nearest = fminf(r->nearest, far);
    }
  }
}

static result run_scene(const char *text, uint64_t seed) {
  result r = {.nearest = INFINITY};
  th_error error = {0};
  th_scene *scene = NULL;
  th_run *run = NULL;
  if (th_scene_parse(text, strlen(text), &scene, &error)) fail_msg("%s: %s", error.where, error.text);
  if (th_run_make(&(th_run_def){.scene = scene, .seed = seed}, &run, &error)) fail_msg("%s", error.text);
  th_world *world = th_run_world(run);
  while (!th_run_done(run)) {
    const uint64_t before = th_world_counters(world).arrived;
    if (th_run_step(run, &error)) fail_msg("%s", error.text);
    r.arrived = th_world_counters(world).arrived;
    if (r.arrived > before) r.last = th_world_time(world);
    look(world, &r);
  }
  th_run_free(run);
  th_scene_free(scene);
  return r;
}

#define CORRIDOR(ground, others)                                                                               \
  "{\"version\": 1, \"name\": \"s\", \"duration\": 40, \"ground\": " ground                                    \
  ", \"goals\": [{\"name\": \"east\", \"line\": [[19, 0.3, 0], [19, 2.7, 0]], \"sink\": true, \"field\": "     \
  "\"geodesic\"}], \"populations\": [{\"name\": \"one\", \"positions\": [[1, 1.5, 0]], \"route\": [\"east\"]," \
  "\"model\": \"bvp\"}" others "]}"
#define FLAT "{\"outline\": [{\"rectangle\": [[0, 0], [20, 3]]}]}"
#define HILLS                                                                                                   \
  "{\"mesh\": {\"make\": {\"shape\": \"terrain\", \"length\": 20, \"width\": 3, \"edge\": 0.5, \"height\": 1, " \
  "\"wave\": 8}}}"
#define STANDS(places) ", {\"name\": \"standing\", \"positions\": [" places "], \"model\": \"bvp\"}"

/* Somebody who stands in the middle of a corridor costs less than half a second, on flat ground and on hills; so do
 * three who leave an open gap beside a wall. */
static void who_stands_is_walked_round(void **state) {
  (void)state;
  static const char *const alone[2] = {CORRIDOR(FLAT, ""), CORRIDOR(HILLS, "")};
  static const char *const others[2][2] = {
      {CORRIDOR(FLAT, STANDS("[10, 1.5, 0]")), CORRIDOR(FLAT, STANDS("[10, 2.7, 0], [10, 2.2, 0], [10, 1.7, 0]"))},
      {CORRIDOR(HILLS, STANDS("[10, 1.5, 0]")), CORRIDOR(HILLS, STANDS("[10, 2.7, 0], [10, 2.2, 0], [10, 1.7, 0]"))}};
  for (int hills = 0; hills < 2; hills++) {
    const result free = run_scene(alone[hills], 1);
    assert_int_equal(free.arrived, 1);
    for (int k = 0; k < 2; k++) {
      const result r = run_scene(others[hills][k], 1);
      print_message("%s: %g s, alone %g s, nearest %g\n", hills ? "hills" : "flat", r.last, free.last,
                    (double)r.nearest);
      assert_int_equal(r.arrived, 1);
      assert_true(r.last < free.last + (k ? 1.5 : 0.5));
      assert_true(r.nearest > 0.95f);
    }
  }
}

/* A hundred leave by a door of 1 m: at least 1.3 per second, nobody through another, hardly anybody backwards. */
static void a_door_flows(void **state) {
  (void)state;
  static const char text[] =
      "{\"version\": 1, \"name\": \"door\", \"duration\": 120, \"ground\": {\"outline\": [{\"rectangle\": [[0, 0], "
      "[12, "
      "5]]}], \"obstacles\": [{\"rectangle\": [[8, 0], [8.2, 2]]}, {\"rectangle\": [[8, 3], [8.2, 5]]}], \"cell\": "
      "0.1}, \"goals\": [{\"name\": \"exit\", \"line\": [[11, 0.5], [11, 4.5]], \"sink\": true, \"field\": "
      "\"geodesic\"}], \"populations\": [{\"name\": \"people\", \"count\": 100, \"region\": {\"rectangle\": [[0.3, "
      "0.3], [7.7, 4.7]]}, \"route\": [\"exit\"], \"model\": \"bvp\", \"speed\": {\"mean\": 1.34, \"spread\": "
      "0.26}}]}";
  const uint64_t seeds = LONG_RUN(3, 1);
  double backwards = 0.0, walked = 0.0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const result r = run_scene(text, seed);
    print_message("seed %u: %g s, backwards %g %%, nearest %g\n", (unsigned)seed, r.last,
                  100.0 * r.backwards / r.walked, (double)r.nearest);
    assert_int_equal(r.arrived, 100);
    assert_true(r.last < 100.0 / 1.3);
    assert_true(r.nearest > 0.85f); /* narrowed bodies overlap by less than 10 % */
    backwards += r.backwards;
    walked += r.walked;
  }
  assert_true(backwards < 0.01 * walked);
}

/* A hundred against fifty through a corridor of 2 m: everyone gets through, nobody through another, and people do not
 * tremble. With steps aside that began 0.4 s before the meeting accelerations were 1.8 m/s2. */
static void two_streams_pass(void **state) {
  (void)state;
  static const char text[] =
      "{\"version\": 1, \"name\": \"counterflow\", \"duration\": 120, \"ground\": {\"outline\": [{\"polygon\": [[0, "
      "0], "
      "[10, 0], [10, 4], [20, 4], [20, 0], [30, 0], [30, 10], [20, 10], [20, 6], [10, 6], [10, 10], [0, 10]]}]}, "
      "\"goals\": [{\"name\": \"east\", \"line\": [[28.8, 0.5], [28.8, 9.5]], \"sink\": true, \"field\": "
      "\"geodesic\"}, {\"name\": \"west\", \"line\": [[1.2, 0.5], [1.2, 9.5]], \"sink\": true, \"field\": "
      "\"geodesic\"}], \"populations\": [{\"name\": \"a\", \"count\": 100, \"region\": {\"rectangle\": [[0.3, 0.3], "
      "[9.7, 9.7]]}, \"route\": [\"east\"], \"model\": \"bvp\"}, {\"name\": \"b\", \"count\": 50, \"region\": "
      "{\"rectangle\": [[20.3, 0.3], [29.7, 9.7]]}, \"route\": [\"west\"], \"model\": \"bvp\"}]}";
  const uint64_t seeds = LONG_RUN(3, 1);
  double last = 0.0, backwards = 0.0, walked = 0.0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    const result r = run_scene(text, seed);
    const double acceleration = sqrt(r.squares / r.changes);
    print_message("seed %u: %g s, backwards %g %%, nearest %g, acceleration %g m/s2\n", (unsigned)seed, r.last,
                  100.0 * r.backwards / r.walked, (double)r.nearest, acceleration);
    assert_int_equal(r.arrived, 150);
    assert_true(r.nearest > 0.85f);
    assert_true(acceleration < 1.2);
    backwards += r.backwards;
    walked += r.walked;
    last += r.last / (double)seeds;
  }
  assert_true(backwards < 0.01 * walked);
  assert_true(last < 80.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(those_ahead_are_followed),
      cmocka_unit_test(the_map_counts_as_far_as_it_knows),
      cmocka_unit_test(nobody_is_run_into),
      cmocka_unit_test(distance_gives_way_under_pressure),
      cmocka_unit_test(who_comes_is_passed_in_time),
      cmocka_unit_test(who_is_pushed_back_leans_against_it),
      cmocka_unit_test(who_stands_is_walked_round),
      cmocka_unit_test(a_door_flows),
      cmocka_unit_test(two_streams_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
