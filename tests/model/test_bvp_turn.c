/* tests/model/test_bvp_turn.c - from the slope to heading and speed. */
#include <stdlib.h>

#include "support/bvp_reference.h"

static _Alignas(64) uint8_t scratch[TH_BVP_SCRATCH];

static double angle_of(th_vec2 d) { return atan2((double)d.y, (double)d.x) * DEGREES; }

static th_vec2 at_degrees(double degrees) {
  return (th_vec2){(float)cos(degrees / DEGREES), (float)sin(degrees / DEGREES)};
}

/* d = (1, 0), slope (0, 1): 45 degrees with mass 1, 14.04 with 4; mass 0 is the gradient, mass 1 the mean. */
/* shows: BVP-57, BVP-58, BVP-59, BVP-61 */
static void headings(void **state) {
  (void)state;
  th_bvp_params p = th_default_bvp_params(15);
  assert_int_equal(p.motion, TH_BVP_MASS);
  for (int k = 0; k < 360; k += 7) {
    th_vec2 g = at_degrees(k), by_mass = {1, 0}, by_gradient = {1, 0}, by_mean = {1, 0}, heavy = {1, 0};
    p.motion = TH_BVP_MASS;
    p.mass = 4.0f;
    th_bvp_steer(&p, g, 1.0f, &heavy);
    ASSERT_NEAR(angle_of(heavy), atan2(sin(k / DEGREES), 4.0 + cos(k / DEGREES)) * DEGREES, 1e-3);
    ASSERT_NEAR((double)(heavy.x * heavy.x + heavy.y * heavy.y), 1.0, 1e-6);
    p.mass = 0.0f;
    th_bvp_steer(&p, g, 1.0f, &by_mass);
    p.motion = TH_BVP_GRADIENT;
    th_bvp_steer(&p, g, 1.0f, &by_gradient);
    ASSERT_NEAR(remainder(angle_of(by_mass) - angle_of(by_gradient), 360), 0.0, 1e-3);
    p.motion = TH_BVP_MASS;
    p.mass = 1.0f;
    by_mass = (th_vec2){1, 0};
    th_bvp_steer(&p, g, 1.0f, &by_mass);
    p.motion = TH_BVP_MEAN;
    th_bvp_steer(&p, g, 1.0f, &by_mean);
    ASSERT_NEAR(angle_of(by_mass), angle_of(by_mean), 1e-3);
  }
  th_vec2 d = {1, 0};
  p.motion = TH_BVP_MASS;
  p.mass = 1.0f;
  th_bvp_steer(&p, (th_vec2){0, 1}, 1.0f, &d);
  ASSERT_NEAR(angle_of(d), 45.0, 1e-3);
  d = (th_vec2){1, 0};
  p.mass = 4.0f;
  th_bvp_steer(&p, (th_vec2){0, 1}, 1.0f, &d);
  ASSERT_NEAR(angle_of(d), 14.036, 1e-3);
}

/* eta and mass are one thing: mass = eta / (1 - eta). On angles the shorter arc is divided. */
/* shows: BVP-60, SBVP-67 */
static void blends(void **state) {
  (void)state;
  th_bvp_params p = th_default_bvp_params(15);
  static const float eta[] = {0.0f, 0.25f, 0.5f, 0.75f, 0.95f, 0.99f};
  for (int i = 0; i < 6; i++)
    for (int k = -175; k <= 175; k += 10) {
      th_vec2 g = at_degrees(170.0 + k), a = at_degrees(170.0), b = a, c = a;
      p.eta = eta[i];
      p.mass = eta[i] / (1.0f - eta[i]);
      p.motion = TH_BVP_BLEND;
      p.speed_rule = TH_BVP_COSINE;
      float speed = th_bvp_steer(&p, g, 1.0f, &a);
      ASSERT_NEAR((double)speed, fmax(0.0, cos(k / DEGREES)), 1e-5);
      p.motion = TH_BVP_MASS;
      th_bvp_steer(&p, g, 1.0f, &b);
      ASSERT_NEAR(remainder(angle_of(a) - angle_of(b), 360), 0.0, 1e-2);
      p.motion = TH_BVP_ANGLE;
      speed = th_bvp_steer(&p, g, 1.0f, &c);
      ASSERT_NEAR(remainder(angle_of(c) - 170.0 - (1.0 - (double)eta[i]) * k, 360), 0.0, 1e-3);
      if (abs(k) > 90) assert_true(speed == 0.0f); /* a turn of more than a quarter stops it */
    }
}

/* The table of the thesis, to the last bit of its limits; another table may take its place. */
/* shows: BVP-62, BVP-63, BVP-67 */
static void speeds(void **state) {
  (void)state;
  static const struct {
    float cosine, speed;
  } known[] = {{-1.0f, 0.0f}, {0.0099f, 0.0f}, {0.01f, 0.05f}, {0.2999f, 0.05f}, {0.3f, 0.2f},  {0.5999f, 0.2f},
               {0.6f, 0.5f},  {0.7099f, 0.5f}, {0.71f, 0.8f},  {0.9199f, 0.8f},  {0.92f, 1.0f}, {1.0f, 1.0f}};
  th_bvp_params p = th_default_bvp_params(15);
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    th_vec2 d = {1, 0}, g = {known[k].cosine, sqrtf(fmaxf(0.0f, 1.0f - known[k].cosine * known[k].cosine))};
    p.speed_rule = TH_BVP_TABLE;
    assert_true(th_bvp_steer(&p, g, 1.0f, &d) == known[k].speed);
    p.speed_rule = TH_BVP_STEADY;
    d = (th_vec2){1, 0};
    assert_true(th_bvp_steer(&p, g, 1.0f, &d) == 1.0f);
  }
  p.speed_rule = TH_BVP_TABLE;
  for (int i = 0; i < 5; i++) p.table_below[i] = 0.5f;
  for (int i = 0; i < 6; i++) p.table_speed[i] = i < 5 ? 0.25f : 0.75f;
  th_vec2 d = {1, 0};
  assert_true(th_bvp_steer(&p, at_degrees(61.0), 1.0f, &d) == 0.25f);
  d = (th_vec2){1, 0};
  assert_true(th_bvp_steer(&p, at_degrees(59.0), 1.0f, &d) == 0.75f);
}

static float lane_between_walls(float x, float y) { return (void)x, 0.6f - fabsf(y); }

/* Among obstacles the slope is weak: full speed in an empty map, less between walls. */
/* shows: BVP-58, BVP-63, BVP-64 */
static void whole_decisions(void **state) {
  (void)state;
  static one o;
  one_make(&o, scratch);
  o.params.speed_rule = TH_BVP_MODULUS;
  o.params.motion = TH_BVP_MEAN;
  one_decide(&o);
  ASSERT_NEAR((double)o.avx[0], 1.0, 1e-3);
  for (uint32_t j = 0; j < 81; j++)
    for (uint32_t i = 0; i < 81; i++) o.clearance[j * 81 + i] = lane_between_walls(0.0f, -10.0f + 0.25f * (float)j);
  one_decide(&o);
  assert_true(o.avx[0] > 0.0f && o.avx[0] < 0.5f);
  one_make(&o, scratch); /* the goal lies behind: it stands, turns, and says so */
  o.want[0].dx = -1.0f;
  o.want[0].dy = 0.05f;
  th_bvp_state *s = one_decide(&o);
  assert_true(o.avx[0] == 0.0f && o.avy[0] == 0.0f);
  assert_int_equal(o.gait[0], TH_GAIT_STAND);
  ASSERT_NEAR((double)(o.ahx[0] * o.ahx[0] + o.ahy[0] * o.ahy[0]), 1.0, 1e-6);
  for (int k = 0; k < 40; k++) s = one_decide(&o);
  assert_true(s->dx < -0.9f && o.avx[0] < -0.9f);
  assert_int_equal(o.gait[0], TH_GAIT_WALK);
}

/* Walled in, the slope is null: follow the guide, or stay. Nobody to follow: stand. */
static void flat_maps(void **state) {
  (void)state;
  static one o;
  for (int flat = 0; flat < 2; flat++) {
    one_make(&o, scratch);
    o.params.flat = flat;
    for (uint32_t k = 0; k < 81 * 81; k++) o.clearance[k] = -1.0f;
    one_decide(&o);
    assert_true(o.avx[0] == (flat == TH_BVP_FLAT_STAY ? 0.0f : 1.0f));
    o.want[0].state = TH_ANSWER_WAIT;
    o.avx[0] = o.ahx[0] = 0.0f;
    one_decide(&o);
    assert_true(o.avx[0] == 0.0f && o.ahx[0] == 0.0f);
  }
}

/* Far beyond |eps v| = 2 values explode; the decision stays a number, also when the map is kept. */
static void torn_fields_give_numbers(void **state) {
  (void)state;
  static one o;
  one_make(&o, scratch);
  o.params.start = TH_BVP_WARM;
  o.params.sweeps = 1000;
  o.params.behaviour[0].v = (th_vec2){1.0f, 1.0f};
  o.params.behaviour[0].strength = 20.0f;
  for (int k = 0; k < 30; k++) {
    one_decide(&o);
    assert_true(isfinite(o.avx[0]) && isfinite(o.avy[0]) && isfinite(o.ahx[0]));
  }
  o.params.behaviour[0].strength = 0.0f; /* and recovers */
  for (int k = 0; k < 3; k++) one_decide(&o);
  assert_true(fabs(one_angle(&o)) < 2.0 && ((th_bvp_state *)o.memory)->modulus > 1e-3f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(headings),        cmocka_unit_test(blends),    cmocka_unit_test(speeds),
      cmocka_unit_test(whole_decisions), cmocka_unit_test(flat_maps), cmocka_unit_test(torn_fields_give_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
