/* tests/model/test_bvp_behaviour.c - behaviours set v and its strength; triggers choose between them. */
#include "support/bvp_reference.h"

static _Alignas(64) uint8_t scratch[TH_BVP_SCRATCH];
static one o;

/* As printed and per cell, so that tests read eps v directly. */
static th_bvp_behaviour *plain(int32_t kind) {
  one_make(&o, scratch);
  o.params.sense = TH_SENSE_LITERAL;
  o.params.behaviour[0].kind = kind;
  o.params.behaviour[0].strength = 1.0f / o.params.cell;
  return &o.params.behaviour[0];
}

/* shows: BVP-41, BVP-42, BVP-40 */
static void constant_and_harmonic(void **state) {
  (void)state;
  th_bvp_behaviour *b = plain(TH_BVP_CONSTANT);
  b->v = (th_vec2){0.3f, -0.4f};
  const th_bvp_state *s = one_decide(&o);
  ASSERT_NEAR((double)s->ex, 0.3, 1e-6);
  ASSERT_NEAR((double)s->ey, -0.4, 1e-6);
  b->strength *= 2.0f; /* edited while running: counts at the next decision */
  b->v = (th_vec2){-0.5f, 0.0f};
  one_decide(&o);
  ASSERT_NEAR((double)s->ex, -1.0, 1e-6);
  assert_true(s->ey == 0.0f);
  b->kind = TH_BVP_HARMONIC;
  one_decide(&o);
  assert_true(s->ex == 0.0f && s->ey == 0.0f);
}

/* The strength is per metre: cells of another size take eps = strength * cell. */
static void strength_is_per_metre(void **state) {
  (void)state;
  th_bvp_behaviour *b = plain(TH_BVP_CONSTANT);
  b->v = (th_vec2){1.0f, 0.0f};
  b->strength = 1.5f;
  for (int k = 1; k < 5; k++) {
    o.params.cell = 0.2f * (float)k;
    ASSERT_NEAR((double)one_decide(&o)->ex, 1.5 * 0.2 * k, 1e-6);
  }
}

/* A wave of 18 s at a decision each half second: 36 decisions, w = pi/18 a decision. */
/* shows: BVP-43, BVP-44, SBVP-63 */
static void sinusoids(void **state) {
  (void)state;
  const double w = 3.14159265358979 / 18.0;
  for (int32_t kind = TH_BVP_SINUSOID; kind <= TH_BVP_CROSS_SINUSOID; kind++) {
    plain(kind);
    for (int t = 0; t < 100; t++) {
      const th_bvp_state *s = one_decide(&o);
      double wave = sin(w * t), slow = sin(w / 2 * t);
      double y = kind == TH_BVP_DOUBLE_SINUSOID ? wave + slow : kind == TH_BVP_SINUSOID ? wave : 1.0;
      ASSERT_NEAR((double)s->ex, kind == TH_BVP_CROSS_SINUSOID ? wave : 1.0, 1e-5);
      ASSERT_NEAR((double)s->ey, y, 1e-5);
    }
  }
}

/* Along the guide's direction instead of the ground's axes. */
/* shows: BVP-45 */
static void axes_of_the_flow(void **state) {
  (void)state;
  th_bvp_behaviour *b = plain(TH_BVP_SINUSOID);
  b->axes = TH_BVP_AXES_FLOW;
  o.want[0].dx = 0.6f;
  o.want[0].dy = 0.8f;
  for (int t = 0; t < 40; t++) {
    const th_bvp_state *s = one_decide(&o);
    double wave = sin(3.14159265358979 / 18.0 * t);
    ASSERT_NEAR((double)s->ex, 0.6 - 0.8 * wave, 1e-5);
    ASSERT_NEAR((double)s->ey, 0.8 + 0.6 * wave, 1e-5);
  }
}

/* To a link, or along the guide when there is none; across it to either hand. */
/* shows: BVP-48 */
static void toward_and_across(void **state) {
  (void)state;
  th_bvp_behaviour *b = plain(TH_BVP_TOWARD);
  b->link = 2;
  const th_bvp_state *s = one_decide(&o);
  ASSERT_NEAR((double)s->ex, 1.0, 1e-6); /* the guide */
  o.link[2] = (th_link){.dx = -0.6f, .dy = 0.8f, .distance = 30.0f, .exists = true};
  one_decide(&o);
  ASSERT_NEAR((double)s->ex, -0.6, 1e-6);
  ASSERT_NEAR((double)s->ey, 0.8, 1e-6);
  b->kind = TH_BVP_ACROSS;
  b->hand = TH_BVP_LEFT;
  one_decide(&o);
  ASSERT_NEAR((double)s->ex, -0.8, 1e-6);
  ASSERT_NEAR((double)s->ey, -0.6, 1e-6);
  b->hand = TH_BVP_RIGHT;
  one_decide(&o);
  ASSERT_NEAR((double)s->ex, 0.8, 1e-6);
  ASSERT_NEAR((double)s->ey, 0.6, 1e-6);
}

/* Held between the shortest and the longest time; the same for the same seed and agent, another for another. */
/* shows: BVP-49 */
static void random_vectors(void **state) {
  (void)state;
  float first[3][2];
  for (int run = 0; run < 3; run++) {
    th_bvp_behaviour *b = plain(TH_BVP_RANDOM);
    b->hold_min = 2.0f;
    b->hold_max = 4.0f;
    if (run == 2) o.work.seed = 8;
    int held = 0, changes = 0;
    float x = 2.0f, y = 2.0f, sum = 0.0f;
    for (int t = 0; t < 4000; t++) {
      const th_bvp_state *s = one_decide(&o);
      assert_true(fabsf(s->ex) <= 1.0f && fabsf(s->ey) <= 1.0f);
      if (s->ex == x && s->ey == y) {
        held++;
        continue;
      }
      if (changes++)
        assert_in_range(held + 1, 5, 9); /* 2 to 4 s at half a second, rounded up */
      else
        first[run][0] = s->ex, first[run][1] = s->ey;
      held = 0;
      x = s->ex;
      y = s->ey;
      sum += x + y;
    }
    assert_true(changes > 400 && fabsf(sum) < 0.1f * (float)changes);
  }
  assert_true(first[0][0] == first[1][0] && first[0][1] == first[1][1]);
  assert_true(first[0][0] != first[2][0]);
}

/* shows: BVP-50 */
static void later_behaviour(void **state) {
  (void)state;
  th_bvp_behaviour *b = plain(TH_BVP_CROSS_SINUSOID);
  o.params.later_after = 10.0f;
  o.params.behaviour[TH_BVP_LATER] = *b;
  o.params.behaviour[TH_BVP_LATER].kind = TH_BVP_CONSTANT;
  o.params.behaviour[TH_BVP_LATER].v = (th_vec2){0.707f, 0.707f};
  for (int t = 0; t < 40; t++) {
    const th_bvp_state *s = one_decide(&o);
    assert_int_equal(s->slot, t < 20 ? TH_BVP_FIRST : TH_BVP_LATER);
    ASSERT_NEAR((double)s->ey, t < 20 ? 1.0 : 0.707, 1e-6);
  }
}

static void choose(void *user, const th_bvp_moment *moment, th_vec2 *v, float *strength) {
  ++*(int *)user;
  assert_int_equal(moment->agent, 1);
  *v = (th_vec2){moment->flow.y, -moment->flow.x};
  *strength = moment->ahead ? 3.0f : 1.0f;
}

/* shows: BVP-51 */
static void host_chooses(void **state) {
  (void)state;
  int calls = 0;
  plain(TH_BVP_USER);
  o.params.choose = choose;
  o.params.user = &calls;
  o.params.trigger = TH_BVP_AHEAD;
  o.params.behaviour[TH_BVP_SIGHT] = o.params.behaviour[0];
  const th_bvp_state *s = one_decide(&o);
  ASSERT_NEAR((double)s->ey, -0.5, 1e-6); /* strength 1/m on cells of half a metre */
  one_sees(&o, 2.0f, 0.0f, 0.2f);
  one_decide(&o);
  ASSERT_NEAR((double)s->ey, -1.5, 1e-6);
  assert_int_equal(calls, 2);
}

/* The second slot exactly while somebody is ahead within sight, whatever that is, also beyond the map; one slot with no
 * trigger. */
/* shows: BVP-52, BVP-53, BVP-54 */
static void somebody_ahead(void **state) {
  (void)state;
  static const float sight[] = {0.0f, 4.0f, 7.5f, 20.0f}; /* the map ends at 3.75 */
  for (int trigger = 0; trigger <= 4; trigger++)
    for (int k = -60; k <= 60; k++) {
      plain(TH_BVP_HARMONIC);
      o.params.trigger = trigger ? TH_BVP_AHEAD : TH_BVP_NEVER;
      o.params.sight = trigger ? sight[trigger - 1] : 20.0f;
      o.params.behaviour[TH_BVP_SIGHT].v = (th_vec2){0.0f, 1.0f};
      o.params.behaviour[TH_BVP_SIGHT].strength = 1.0f;
      one_sees(&o, 0.5f * (float)k + 0.25f, 3.0f, 0.2f);
      float x = 0.5f * (float)k + 0.25f;
      bool ahead = trigger && x > 0.0f && sqrtf(x * x + 9.0f) < o.params.sight;
      const th_bvp_state *s = one_decide(&o);
      assert_int_equal(s->slot, ahead ? TH_BVP_SIGHT : TH_BVP_FIRST);
      assert_int_equal(s->ey != 0.0f, ahead);
    }
}

/* The host's epsilon as a function of time: it falls from 1.5 to 0 within ten seconds and stays 0. */
static void fading(void *user, const th_bvp_moment *moment, th_vec2 *v, float *strength) {
  (void)user;
  *v = (th_vec2){0.6f, 0.8f};
  *strength = fmaxf(0.0f, 1.5f - 0.15f * moment->time);
}
/* shows: SBVP-63 */
static void strength_over_time(void **state) {
  (void)state;
  plain(TH_BVP_USER);
  o.params.choose = fading;
  double angle = 180.0;
  for (int t = 0; t < 30; t++) {
    const th_bvp_state *s = one_decide(&o);
    double eps = fmax(0.0, 1.5 - 0.15 * 0.5 * t) * (double)o.params.cell;
    ASSERT_NEAR((double)s->ex, 0.6 * eps, 1e-6);
    ASSERT_NEAR((double)s->ey, 0.8 * eps, 1e-6);
    assert_true(fabs(one_angle(&o)) <= angle); /* and the slope follows: ever nearer to the harmonic one */
    angle = fabs(one_angle(&o));
  }
  assert_true(angle < 0.5);
}

static bool told(void *user, const th_bvp_moment *moment) { return *(bool *)user && moment->time >= 0.0f; }

/* Other criteria: how many are ahead, a link in sight, the host's own. */
/* shows: BVP-55 */
static void other_triggers(void **state) {
  (void)state;
  plain(TH_BVP_HARMONIC);
  o.params.trigger = TH_BVP_CROWD;
  o.params.crowd = 3;
  for (uint32_t k = 0; k < 5; k++) {
    assert_int_equal(one_decide(&o)->slot, k >= 3 ? TH_BVP_SIGHT : TH_BVP_FIRST);
    one_sees(&o, 1.0f + 0.3f * (float)k, 1.0f, 0.2f);
  }
  plain(TH_BVP_HARMONIC);
  o.params.trigger = TH_BVP_LINKED;
  o.params.behaviour[TH_BVP_SIGHT].link = 1;
  assert_int_equal(one_decide(&o)->slot, TH_BVP_FIRST);
  o.link[1] = (th_link){.dx = 1.0f, .exists = true, .inside = true, .seen = true};
  assert_int_equal(one_decide(&o)->slot, TH_BVP_SIGHT);
  bool angry = false;
  plain(TH_BVP_HARMONIC);
  o.params.trigger = TH_BVP_TOLD;
  o.params.criterion = told;
  o.params.user = &angry;
  assert_int_equal(one_decide(&o)->slot, TH_BVP_FIRST);
  angry = true;
  assert_int_equal(one_decide(&o)->slot, TH_BVP_SIGHT);
}

/* By default v pulls to its own side; as printed it pushes to the other. */
/* shows: BVP-56, SBVP-62 */
static void sense_by_the_side_observed(void **state) {
  (void)state;
  for (int sense = 0; sense < 2; sense++)
    for (int side = -1; side <= 1; side += 2) {
      th_bvp_behaviour *b = plain(TH_BVP_CONSTANT);
      o.params.sense = sense;
      b->v = (th_vec2){0.0f, (float)side};
      b->strength = 0.7f / o.params.cell;
      one_decide(&o);
      double toward = one_angle(&o) * side;
      ASSERT_NEAR(toward, sense == TH_SENSE_PULL ? 33.2 : -33.2, 0.1);
    }
}

/* Everything is in the agent's own frame: a turned agent in a turned world decides the same. */
static void frames_turn_along(void **state) {
  (void)state;
  const float c = 0.8f, s = 0.6f;
  float gx = 0.0f, gy = 0.0f;
  for (int turned = 0; turned < 2; turned++) {
    th_bvp_behaviour *b = plain(TH_BVP_CONSTANT);
    b->v = (th_vec2){0.4f, 0.9f};
    one_sees(&o, turned ? c * 1.0f - s * 0.3f : 1.0f, turned ? s * 1.0f + c * 0.3f : 0.3f, 0.3f);
    if (turned) {
      o.frame[0] = (th_turn){c, s};
      o.want[0].dx = o.hx[0] = c;
      o.want[0].dy = o.hy[0] = s;
    }
    const th_bvp_state *one_state = one_decide(&o);
    if (turned) {
      ASSERT_NEAR((double)one_state->gx, (double)gx, 1e-5);
      ASSERT_NEAR((double)one_state->gy, (double)gy, 1e-5);
      ASSERT_NEAR((double)o.ahx[0], (double)(c * one_state->dx - s * one_state->dy), 1e-6);
    }
    gx = one_state->gx;
    gy = one_state->gy;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(constant_and_harmonic),
      cmocka_unit_test(strength_is_per_metre),
      cmocka_unit_test(sinusoids),
      cmocka_unit_test(axes_of_the_flow),
      cmocka_unit_test(toward_and_across),
      cmocka_unit_test(random_vectors),
      cmocka_unit_test(later_behaviour),
      cmocka_unit_test(host_chooses),
      cmocka_unit_test(somebody_ahead),
      cmocka_unit_test(strength_over_time),
      cmocka_unit_test(other_triggers),
      cmocka_unit_test(sense_by_the_side_observed),
      cmocka_unit_test(frames_turn_along),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
