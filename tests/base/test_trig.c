/* Tests of base/trig.h against the C library in long double. */
#include <stdio.h>

#include "base/random.h"
#include "base/trig.h"
#include "support/ulp.h"
#include "support/unit.h"

#define SEED 20240608u
#define AGREED 0x14f01b9fa9800d7bu

typedef struct worst {
  double error, at;
} worst;

static void note(worst *w, double error, double at) {
  if (error > w->error) *w = (worst){error, at};
}

static void check_float(worst *w, float x) {
  float s, c;
  th_sincosf(x, &s, &c);
  note(w, ulp_float(s, sinl((long double)x)), (double)x);
  note(w, ulp_float(c, cosl((long double)x)), (double)x);
}

/* Some C libraries leave long double to the processor's instructions, which are far off for large angles (msvcrt). */
static bool reference_is_exact(void) {
  volatile long double large = 1e22L;
  return fabsl(sinl(large) + 0.852200849767188801772705893753L) < 1e-18L;
}

static void sin_and_cos_are_near_for_every_float_sampled(void **state) {
  (void)state;
  if (!reference_is_exact()) skip();
  worst near = {0}, far = {0};
  for (uint32_t bits = 0x30000000u; bits <= 0x44800000u; bits += 1009) { /* 5e-10 to 1024 */
    check_float(&near, th_float_of_bits(bits));
    check_float(&near, -th_float_of_bits(bits));
  }
  for (int k = 1; k <= 651; k++) { /* the floats around multiples of pi/2, where sin or cos vanishes */
    float x = (float)(k * 1.5707963267948966);
    for (int i = -2; i <= 2; i++) check_float(&near, th_float_of_bits(th_bits_of_float(x) + (uint32_t)i));
  }
  for (uint32_t bits = 0x44800001u; bits < 0x7f800000u; bits += 7919) check_float(&far, th_float_of_bits(bits));
  printf("             sin, cos: %.3f ulp at %a; beyond 1024: %.3f ulp at %a\n", near.error, near.at, far.error,
         far.at);
  assert_true(near.error <= 2.0);
  assert_true(far.error <= 0.51);
}

static void check_double(worst *w, double x) {
  double s, c;
  th_sincos_double(x, &s, &c);
  note(w, ulp_double(s, sinl((long double)x)), x);
  note(w, ulp_double(c, cosl((long double)x)), x);
  assert_true(th_sin_double(x) == s && th_cos_double(x) == c);
}

static void doubles_are_near_at_any_size(void **state) {
  (void)state;
  if (!reference_is_exact()) skip();
  worst w = {0};
  for (uint64_t i = 0; i < 200000; i++) {
    double u = th_random_unit_double(SEED, 1, 0, i);
    check_double(&w, (u - 0.5) * 20.0);
    check_double(&w, (u - 0.5) * 4e6);
    check_double(&w, (double)(i + 1) * 1.5707963267948966);
  }
  for (uint64_t i = 0; i < 100000; i++) {
    double x = th_double_of_bits(th_random(SEED, 2, 0, i));
    if (fabs(x) < 1e15) check_double(&w, x); /* the C library's long double is itself sure there */
  }
  printf("             double (seed %u): %.3f ulp at %a\n", SEED, w.error, w.at);
  assert_true(w.error <= 1.5);
}

/* Values that need hundreds of bits of 2/pi, computed to 2000 bits; the third is the double nearest to a multiple of
 * pi/2, where libraries commonly lose digits. */
static void huge_angles_are_reduced_exactly(void **state) {
  (void)state;
  static const struct {
    double x, sine, cosine;
  } known[] = {
      {0x1p1023, 0x1.205248cbdb760p-1, -0x1.a719f26c232bfp-1},
      {0x1.fffffffffffffp1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
      {0x1.6ac5b262ca1ffp849, 1.0, -0x1.14ae72e6ba22fp-61},
      {1e22, -0x1.b453ab76bf397p-1, 0x1.0be2cef01c8f4p-1},
      {1e300, -0x1.a2c16b010e385p-1, -0x1.2699022adc4c1p-1},
      {0x1p120, 0x1.82e34655e6fcbp-2, -0x1.da0cd0b66d8cep-1},
      {123456789e10, -0x1.f64c5615e5e6bp-1, 0x1.8ccc3b26c581dp-3},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    double s, c, t, d;
    th_sincos_double(known[i].x, &s, &c);
    assert_true(ulp_double(s, (long double)known[i].sine) <= 1.0);
    assert_true(ulp_double(c, (long double)known[i].cosine) <= 1.0);
    th_sincos_double(-known[i].x, &t, &d);
    assert_true(t == -s && d == c);
  }
}

static void special_angles(void **state) {
  (void)state;
  float s, c;
  th_sincosf(0.0f, &s, &c);
  assert_true(s == 0.0f && c == 1.0f);
  static const float bad[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    th_sincosf(bad[i], &s, &c);
    assert_true(isnan(s) && isnan(c));
    assert_true(isnan(th_sin_double((double)bad[i])) && isnan(th_cos_double((double)bad[i])));
  }
}

static void atan2_is_near_in_every_quadrant(void **state) {
  (void)state;
  worst w = {0}, f = {0};
  for (uint64_t i = 0; i < 400000; i++) {
    double x = th_random_unit_double(SEED, 3, 0, i) * 2 - 1, y = th_random_unit_double(SEED, 4, 0, i) * 2 - 1;
    if (i % 3 == 0) y *= 1e-9;
    if (i % 5 == 0) x *= 1e-7;
    if (i % 7 == 0) x *= 1e-300, y *= 1e-300;
    if (i % 11 == 0) x *= 1e-17, y *= 1e-17;
    if (x == 0 && y == 0) continue;
    note(&w, ulp_double(th_atan2_double(y, x), atan2l((long double)y, (long double)x)), y / x);
    float xf = (float)x, yf = (float)y;
    if (xf == 0 && yf == 0) continue;
    note(&f, ulp_float(th_atan2f(yf, xf), atan2l((long double)yf, (long double)xf)), y / x);
  }
  printf("             atan2 (seed %u): double %.3f ulp, float %.3f ulp\n", SEED, w.error, f.error);
  assert_true(w.error <= 2.0);
  assert_true(f.error <= 0.51);
}

static void atan2_special_values(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, inf = (double)INFINITY;
  assert_true(th_atan2_double(0, 1) == 0 && th_atan2_double(0, -1) == pi && th_atan2_double(-0.0, -1) == -pi);
  assert_true(th_atan2_double(1, 0) == pi / 2 && th_atan2_double(-1, 0) == -pi / 2);
  assert_true(th_atan2_double(0, 0) == 0 && th_atan2_double(0, -0.0) == 0);
  assert_true(th_atan2_double(inf, 1) == pi / 2 && th_atan2_double(1, inf) == 0 && th_atan2_double(1, -inf) == pi);
  assert_true(th_atan2_double(inf, inf) == pi / 4 && th_atan2_double(-inf, -inf) == -3 * pi / 4);
  assert_true(isnan(th_atan2_double((double)NAN, 1)) && isnan(th_atan2_double(1, (double)NAN)));
  assert_true(th_atan2_double(0x1p1023, 0x1p1023) == pi / 4 && th_atan2_double(0x1p-1074, 0x1p-1074) == pi / 4);
}

static void hypot_is_near_for_any_size(void **state) {
  (void)state;
  worst w = {0};
  for (uint64_t i = 0; i < 400000; i++) {
    double x = th_random_unit_double(SEED, 5, 0, i) * 2 - 1, y = th_random_unit_double(SEED, 6, 0, i) * 2 - 1;
    double size = i % 3 == 0 ? 1e-300 : i % 3 == 1 ? 1e300 : 1.0;
    if (i % 5 == 0) y *= 1e-9;
    note(&w, ulp_double(th_hypot_double(x * size, y * size), hypotl((long double)(x * size), (long double)(y * size))),
         x);
  }
  printf("             hypot (seed %u): %.3f ulp\n", SEED, w.error);
  assert_true(w.error <= 2.5);
  assert_true(th_hypot_double(3, -4) == 5 && th_hypot_double(0, -0.0) == 0 && th_hypot_double(0, -7) == 7);
}

/* The bits themselves: a compiler that contracts or reorders would change them. */
static void bits_are_the_agreed_ones(void **state) {
  (void)state;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    float x = (float)i * 0.61f - 6000.0f, s, c;
    th_sincosf(x, &s, &c);
    double a, b;
    th_sincos_double((double)x * 1e5, &a, &b);
    sum = th_random_mix(sum ^ ((uint64_t)th_bits_of_float(s) << 32 | th_bits_of_float(c)));
    sum = th_random_mix(sum ^ th_bits_of_double(a)) ^ th_bits_of_double(b);
    sum = th_random_mix(sum ^ th_bits_of_double(th_atan2_double(a + 0.3, (double)c)));
  }
  if (sum != AGREED) print_error("found 0x%016llx\n", (unsigned long long)sum);
  assert_true(sum == AGREED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sin_and_cos_are_near_for_every_float_sampled),
      cmocka_unit_test(doubles_are_near_at_any_size),
      cmocka_unit_test(huge_angles_are_reduced_exactly),
      cmocka_unit_test(special_angles),
      cmocka_unit_test(atan2_is_near_in_every_quadrant),
      cmocka_unit_test(atan2_special_values),
      cmocka_unit_test(hypot_is_near_for_any_size),
      cmocka_unit_test(bits_are_the_agreed_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
