/* tests/model/steering/test_steering_people.c - how people avoid each other: overtaking, head-on, crossing, characters.
 * Geometry in cm, y to the right; contact is centres closer than 50. */
#include "support/steering_stage.h"
#include "support/steering_walk.h"

enum { NONE, BASIC, CIRCUMVENTION, SPEEDS, FULL };

static void set_mode(th_steering_params *p, int mode) {
  p->people.on = mode != NONE;
  p->people.circumvention = mode == CIRCUMVENTION || mode == FULL;
  p->people.deceleration = p->people.acceleration = mode == SPEEDS || mode == FULL;
}

static float draw(uint64_t *state, float most) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return most * ((float)(*state >> 40) / 8388608.0f - 1.0f);
}

/* Two agents to their targets; how near they came, and whether both arrived. */
static float meet(walk *w, const float a[4], const float b[4], int mode, bool *arrived) {
  th_steering_params p = walk_to(a[2], a[3]), q = walk_to(b[2], b[3]);
  set_mode(&p, mode);
  set_mode(&q, mode);
  walk_begin(w, NULL, 0);
  walk_add(w, a[0], a[1], a[2], a[3], &p);
  walk_add(w, b[0], b[1], b[2], b[3], &q);
  walk_ticks(w, 160);
  *arrived = walk_from(w, 0, 160, a[2], a[3]) < 150.0f && walk_from(w, 1, 160, b[2], b[3]) < 150.0f;
  float least = walk_least(w, 0, 1);
  walk_end(w);
  return least;
}

/* shows: STEER-32 */
static void overtaking(void **state) {
  (void)state;
  static walk w;
  for (int on = 0; on < 2; on++) {
    th_steering_params rear = walk_to(6000, 0), front = rear;
    rear.target.force = 2.0f;
    rear.multiplier = 1.6f;
    front.multiplier = 0.6f;
    set_mode(&rear, on ? CIRCUMVENTION : BASIC);
    set_mode(&front, BASIC);
    walk_begin(&w, NULL, 0);
    walk_add(&w, 0, 0, 1000, 0, &rear);
    th_agent_def slow = walk_def(700, 0, 1000, 0, &front);
    slow.start_speed = 1.2f;
    walk_add_def(&w, &slow);
    walk_ticks(&w, 80);
    float aside = 0.0f;
    for (uint32_t t = 0; t <= 80; t++) aside = fmaxf(aside, fabsf(w.at[0][t].y));
    if (on) {
      assert_true(walk_now(&w, 0).x > walk_now(&w, 1).x + 300.0f);
      assert_true(walk_least(&w, 0, 1) > 250.0f); /* nearly the distance of 300 */
    } else {
      assert_true(aside < 1.0f);
      assert_true(walk_least(&w, 0, 1) < 50.0f);
    }
    walk_end(&w);
  }
}

/* shows: STEER-33 */
static void head_on(void **state) {
  (void)state;
  static walk w;
  uint32_t contacts[5] = {0}, failed[5] = {0};
  for (int mode = NONE; mode <= FULL; mode++) {
    uint64_t random = 7;
    if (mode == SPEEDS) continue;
    for (int seed = 0; seed < 40; seed++) {
      bool arrived;
      const float off = draw(&random, 40.0f);
      contacts[mode] += meet(&w, (float[]){0, 0, 3000, 0}, (float[]){3000, off, 0, off}, mode, &arrived) < 50.0f;
      failed[mode] += !arrived;
    }
  }
  assert_int_equal(contacts[NONE], 40);
  assert_true(contacts[BASIC] >= 10); /* many: a quarter at least */
  assert_int_equal(contacts[CIRCUMVENTION], 0);
  assert_int_equal(contacts[FULL], 0);
  assert_int_equal(failed[CIRCUMVENTION] + failed[FULL], 0);
}

/* Two cross at a right angle and would meet: none, pushing (basic), more of it (circumvention), nearly none. */
/* shows: STEER-29, STEER-34 */
static void crossing(void **state) {
  (void)state;
  static walk w;
  uint32_t contacts[5] = {0};
  float aside[5] = {0};
  for (int mode = NONE; mode <= FULL; mode++) {
    uint64_t random = 11;
    for (int seed = 0; seed < 40; seed++) {
      const float e1 = draw(&random, 30.0f), e2 = draw(&random, 60.0f);
      bool arrived;
      contacts[mode] +=
          meet(&w, (float[]){0, 0, 3000, 0}, (float[]){1500 + e1, -1500 + e2, 1500, 1500}, mode, &arrived) < 50.0f;
      float off = 0.0f;
      for (uint32_t t = 0; t <= 160; t++) off = fmaxf(off, fabsf(w.at[0][t].y));
      aside[mode] += off / 40.0f;
    }
  }
  assert_true(contacts[NONE] >= 38); /* offsets of 30 and 60 add up to 64 across: a few just miss */
  assert_int_equal(contacts[BASIC] + contacts[SPEEDS] + contacts[FULL], 0);
  assert_true(aside[CIRCUMVENTION] > 2.0f * aside[BASIC]);
  assert_true(aside[SPEEDS] < 0.25f * aside[BASIC]); /* nearly straight */
}

/* shows: STEER-28, STEER-30, STEER-31 */
static void speed_changes(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.people.on = true;
  s.params.people.distance = 1.0f; /* nobody is that near: no repulsion */
  /* the other one reaches the crossing at (440, 0) at once with the agent, a little later, or a little earlier */
  const float at[] = {-460, -420}; /* y of the other one, who walks to the right at 220 */
  for (int earlier = 0; earlier < 2; earlier++) {
    for (int switches = 0; switches < 4; switches++) {
      s.params.people.acceleration = switches & 1;
      s.params.people.deceleration = switches >> 1;
      s.params.people.circumvention = false;
      s.view.neighbours.count = 0;
      stage_person(&s, 440, at[earlier], 0, 220);
      th_vec2 f = stage_ask(&s, th_steer_people).force;
      assert_float_equal(f.y, 0.0f, 1e-3f);
      if (!earlier && switches & 1)
        assert_true(f.x > 0.0f);
      else if (earlier && switches & 2)
        assert_true(f.x < 0.0f);
      else
        assert_float_equal(f.x, 0.0f, 1e-3f);
      if (switches == 3 && !earlier) { /* K1 = (P - tA)/P, K2 = (D - g)/D; three times, and twice for a */
        const float g = 20.0f, q = (4.0f - 2.0f) / 4.0f * (100.0f - g) / 100.0f;
        assert_float_equal(f.x, 3.0f * q * 2.0f * 220.0f, 0.2f);
      }
      /* circumvention acts only where the speed does not change */
      s.params.people.circumvention = true;
      th_vec2 both = stage_ask(&s, th_steer_people).force;
      bool changes = f.x != 0.0f;
      assert_int_equal(fabsf(both.y) > 1.0f, !changes);
    }
  }
  /* paths that cross at different times: nothing at all */
  s.params.people.acceleration = s.params.people.deceleration = true;
  s.view.neighbours.count = 0;
  stage_person(&s, 440, -900, 0, 220);
  th_vec2 f = stage_ask(&s, th_steer_people).force;
  assert_true(f.x == 0.0f && f.y == 0.0f);
  /* at the same time: one of the switches that are on, by the seed */
  uint32_t faster = 0, slower = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    s.work.seed = seed;
    s.view.neighbours.count = 0;
    stage_person(&s, 440, -440, 0, 220);
    f = stage_ask(&s, th_steer_people).force;
    faster += f.x > 0.0f;
    slower += f.x < 0.0f;
  }
  assert_true(faster > 8 && slower > 8 && faster + slower == 40); /* a fair draw fails once in 5,000 */
}

/* A wall between two people hides them from each other; one without a velocity or at the same place does no harm. */
/* shows: STEER-14, STEER-16 */
static void unseen_and_degenerate(void **state) {
  (void)state;
  static stage s;
  stage_make(&s);
  s.params.people.on = true;
  stage_person(&s, 200, 0, -220, 0);
  th_vec2 seen = stage_ask(&s, th_steer_people).force;
  assert_true(seen.x < -1.0f);
  stage_wall(&s, 100, -300, 100, 300);
  th_vec2 hidden = stage_ask(&s, th_steer_people).force;
  assert_true(hidden.x == 0.0f && hidden.y == 0.0f);
  s.view.wall_count = 0;
  s.params.sight = 1.5f;
  th_vec2 far = stage_ask(&s, th_steer_people).force;
  assert_true(far.x == 0.0f && far.y == 0.0f);
  s.params.sight = 10.0f;
  /* of several in sight the nearest ones count, as many as the parameter says */
  s.view.neighbours.count = 0;
  stage_person(&s, 200, 0, 220, 0);
  const float one = stage_ask(&s, th_steer_people).force.x;
  stage_person(&s, 250, 0, 220, 0);
  const float two = stage_ask(&s, th_steer_people).force.x;
  s.params.people.nearest = 1;
  assert_true(two < one && stage_ask(&s, th_steer_people).force.x == one);
  s.params.people.nearest = 10;
  const float body[][4] = {{0, 0, 0, 0}, {0, 0, 220, 0}, {100, 0, 0, 0}, {0, 100, 0, 0}};
  for (int i = 0; i < 4; i++) {
    for (int stands = 0; stands < 2; stands++) {
      stage_body(&s, 0, 0, stands ? 0 : 220, 0);
      s.view.neighbours.count = 0;
      stage_person(&s, body[i][0], body[i][1], body[i][2], body[i][3]);
      th_vec2 f = stage_ask(&s, th_steer_people).force;
      assert_true(isfinite(f.x) && isfinite(f.y));
      assert_true(hypotf(f.x, f.y) > 50.0f);
    }
  }
}

/* Somebody stands in full view ahead. However many stand behind the thin wall beside, all of them nearer, the agent
 * decides as if only those in sight were there. */
/* shows: STEER-16 */
static void hidden_people_take_no_places(void **state) {
  (void)state;
  static walk w;
  const walk_box wall = {-1000, 30, 1000, 40};
  const uint32_t hidden[] = {0, 5, 9, 12, 80};
  th_vec3 v[5];
  for (int k = 0; k < 5; k++) {
    th_steering_params p = walk_to(3000, 0), stands = walk_params();
    set_mode(&p, FULL);
    walk_begin(&w, &wall, 1);
    walk_add(&w, 0, 0, 1000, 0, &p);
    walk_add_at_rest(&w, 220, -10, &stands);
    for (uint32_t i = 0; i < hidden[k]; i++) {
      const float off = i % 2 ? 2.0f * (float)i : -2.0f * (float)i;
      const th_agent_def def = walk_def(off, 60.0f, 1000, 60, &stands);
      assert_int_equal(th_world_add_agent(w.world, &def, NULL, NULL), TH_OK);
    }
    walk_ticks(&w, 1);
    v[k] = th_world_agent_velocity(w.world, w.id[0]);
    walk_end(&w);
    assert_true(v[k].x == v[0].x && v[k].y == v[0].y);
  }
  assert_true(fabsf(v[0].y) > 0.1f); /* it steps aside; alone it would walk straight on */
}

/* Four come from four sides to one point, without any offset. With repulsion and circumvention they form a mill: all go
 * round the middle the same way, none touches another, and all arrive. */
/* shows: STEER-109 */
static void four_in_symmetry_form_a_mill(void **state) {
  (void)state;
  static walk w;
  const float from[4][2] = {{-1500, 0}, {0, -1500}, {1500, 0}, {0, 1500}};
  for (int side = TH_STEER_RIGHT; side <= TH_STEER_LEFT; side++) {
    float round[4] = {0}, least = INFINITY;
    walk_begin(&w, NULL, 0);
    for (int i = 0; i < 4; i++) {
      th_steering_params p = walk_to(-from[i][0], -from[i][1]);
      set_mode(&p, CIRCUMVENTION);
      p.side = side; /* exactly ahead nothing else decides */
      walk_add(&w, from[i][0], from[i][1], 0, 0, &p);
    }
    walk_ticks(&w, 200);
    for (uint32_t i = 0; i < 4; i++) {
      for (uint32_t t = 1; t <= 200; t++) {
        const th_vec2 a = w.at[i][t - 1], b = w.at[i][t];
        round[i] += atan2f(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y);
      }
      for (uint32_t j = 0; j < i; j++) least = fminf(least, walk_least(&w, i, j));
      assert_true(walk_from(&w, i, 200, -from[i][0], -from[i][1]) < 150.0f);
    }
    for (int i = 0; i < 4; i++) assert_true(round[i] * round[0] > 4.0f); /* half a turn each, to one side */
    assert_true(least > 300.0f);                                         /* 342 in the specification */
    walk_end(&w);
  }
}

/* shows: STEER-35 */
static void characters(void **state) {
  (void)state;
  th_steering_people own = th_default_steering_params().people;
  own.character = TH_CHARACTER_SHY;
  th_steering_people shy = th_steering_character_of(own);
  assert_float_equal(shy.distance, 6.0f, 1e-6f);
  assert_float_equal(shy.force, 2.5f, 1e-6f);
  own.character = TH_CHARACTER_OLD;
  assert_false(th_steering_character_of(own).acceleration);
  own.character = TH_CHARACTER_HURRIED;
  assert_true(th_steering_character_of(own).acceleration && !th_steering_character_of(own).deceleration);
  own.character = TH_CHARACTER_THOUGHTFUL;
  assert_float_equal(th_steering_character_of(own).projection, 0.75f, 1e-6f);
  for (int k = TH_CHARACTER_OWN + 1; k <= TH_CHARACTER_INDIVIDUAL; k++) { /* the columns of the thesis' table */
    const bool straight = k == TH_CHARACTER_DOMINANT || k == TH_CHARACTER_CROWD;
    own.character = k;
    const th_steering_people one = th_steering_character_of(own);
    assert_int_equal(one.circumvention, !straight);
    assert_int_equal(one.deceleration, !straight && k != TH_CHARACTER_HURRIED);
    assert_int_equal(one.acceleration, !straight && k != TH_CHARACTER_OLD);
  }
  /* a dominant one walks straight on; the other, in full mode, makes way for both */
  static walk w;
  float aside[2] = {0};
  th_steering_params boss = walk_to(3000, 0), polite = walk_to(0, 10);
  boss.people.on = polite.people.on = true;
  boss.people.character = TH_CHARACTER_DOMINANT;
  boss.people.distance = 1.0f;
  walk_begin(&w, NULL, 0);
  walk_add(&w, 0, 0, 3000, 0, &boss);
  walk_add(&w, 3000, 10, 0, 10, &polite);
  walk_ticks(&w, 90);
  for (uint32_t t = 0; t <= 90; t++)
    for (uint32_t i = 0; i < 2; i++) aside[i] = fmaxf(aside[i], fabsf(w.at[i][t].y - (i ? 10.0f : 0.0f)));
  assert_true(aside[0] < 1.0f && aside[1] > 50.0f);
  assert_true(walk_least(&w, 0, 1) > 50.0f);
  walk_end(&w);
}

/* shows: STEER-82, STEER-114 */
static void making_room_at_the_target(void **state) {
  (void)state;
  static walk w;
  th_steering_params stands = walk_to(50, 0), passes = walk_to(3000, 100);
  set_mode(&stands, BASIC);
  set_mode(&passes, BASIC);
  walk_begin(&w, NULL, 0);
  walk_add_at_rest(&w, 0, 0, &stands);
  walk_add(&w, -1500, 100, 0, 100, &passes);
  walk_ticks(&w, 120);
  float moved = 0.0f;
  for (uint32_t t = 0; t <= 120; t++) moved = fmaxf(moved, walk_from(&w, 0, t, 0, 0));
  assert_true(moved > 50.0f && moved < 157.0f); /* it makes room, no more than the specification saw */
  assert_true(walk_from(&w, 0, 120, 50, 0) < 150.0f);
  assert_float_equal(walk_speed(&w, 0, 120), 0.0f, 1e-3f);
  walk_end(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(overtaking),
                                     cmocka_unit_test(head_on),
                                     cmocka_unit_test(crossing),
                                     cmocka_unit_test(speed_changes),
                                     cmocka_unit_test(characters),
                                     cmocka_unit_test(unseen_and_degenerate),
                                     cmocka_unit_test(hidden_people_take_no_places),
                                     cmocka_unit_test(four_in_symmetry_form_a_mill),
                                     cmocka_unit_test(making_room_at_the_target)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
