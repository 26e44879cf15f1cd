/* Tests of base/exp_log.h against the C library in long double. */
#include <stdio.h>

#include "base/exp_log.h"
#include "base/random.h"
#include "support/ulp.h"
#include "support/unit.h"

#define SEED 20240607u
#define AGREED 0x062841d26d73be0bu

static void exp_is_near_for_every_float_sampled(void **state) {
  (void)state;
  double worst = 0;
  float at = 0;
  for (uint32_t bits = 0; bits < 0x42d00000u; bits += 1009) { /* up to 104 */
    for (int sign = 0; sign < 2; sign++) {
      float x = th_float_of_bits(bits | (uint32_t)sign << 31);
      double error = ulp_float(th_expf(x), expl((long double)x));
      if (error > worst) worst = error, at = x;
    }
  }
  printf("             exp: %.3f ulp at %a\n", worst, (double)at);
  assert_true(worst <= 2.0);
}

static void log_is_near_for_every_float_sampled(void **state) {
  (void)state;
  double worst = 0;
  float at = 0;
  for (uint32_t bits = 1; bits < 0x7f800000u; bits += 997) {
    float x = th_float_of_bits(bits);
    double error = ulp_float(th_logf(x), logl((long double)x));
    if (error > worst) worst = error, at = x;
  }
  for (uint32_t bits = 0x3f700000u; bits < 0x3f900000u; bits += 3) { /* around 1, where the result is small */
    float x = th_float_of_bits(bits);
    double error = ulp_float(th_logf(x), logl((long double)x));
    if (error > worst) worst = error, at = x;
  }
  printf("             log: %.3f ulp at %a\n", worst, (double)at);
  assert_true(worst <= 2.0);
}

static void special_values_are_exact(void **state) {
  (void)state;
  assert_true(th_expf(0.0f) == 1.0f && th_expf(-0.0f) == 1.0f);
  assert_true(th_expf(INFINITY) == INFINITY && th_expf(-INFINITY) == 0.0f && isnan(th_expf(NAN)));
  assert_true(th_expf(1000.0f) == INFINITY && th_expf(-1000.0f) == 0.0f);
  assert_true(th_expf(-103.0f) > 0.0f && th_expf(88.7f) < INFINITY);
  assert_true(th_logf(1.0f) == 0.0f && th_logf(0.0f) == -INFINITY && th_logf(-0.0f) == -INFINITY);
  assert_true(th_logf(INFINITY) == INFINITY && isnan(th_logf(-1.0f)) && isnan(th_logf(NAN)));
  assert_true(isnan(th_logf(-INFINITY)) && isnan(th_logf(-1e-40f)));
  assert_true(th_exp_double(0.0) == 1.0 && th_exp_double(INFINITY) == INFINITY && th_exp_double(-INFINITY) == 0.0);
  assert_true(isnan(th_exp_double((double)NAN)) && th_exp_double(-745.0) > 0.0 && th_exp_double(709.7) < INFINITY);
  assert_true(th_log_double(1.0) == 0.0 && th_log_double(0.0) == -INFINITY && th_log_double(INFINITY) == INFINITY);
  assert_true(isnan(th_log_double(-1.0)) && isnan(th_log_double((double)NAN)));
}

static void doubles_are_near(void **state) {
  (void)state;
  double worst_exp = 0, worst_log = 0;
  for (uint64_t i = 0; i < 400000; i++) {
    double u = th_random_unit_double(SEED, 1, 0, i);
    double x = i & 1 ? -746.0 + u * 1456.0 : (u - 0.5) * 4.0;
    double error = ulp_double(th_exp_double(x), expl((long double)x));
    if (error > worst_exp) worst_exp = error;
    uint64_t bits = th_random(SEED, 2, 0, i) % 0x7ff0000000000000u;
    double y = i & 1 ? th_double_of_bits(bits) : 0.5 + 1.5 * u;
    error = ulp_double(th_log_double(y), logl((long double)y));
    if (error > worst_log) worst_log = error;
  }
  printf("             double (seed %u): exp %.3f, log %.3f ulp\n", SEED, worst_exp, worst_log);
  assert_true(worst_exp <= 1.5);
  assert_true(worst_log <= 1.5);
}

static void expm1_is_near_where_exp_minus_1_is_not(void **state) {
  (void)state;
  double worst = 0;
  for (uint64_t i = 0; i < 400000; i++) {
    double u = th_random_unit_double(SEED, 3, 0, i) * 2 - 1;
    double x = i % 3 == 0   ? u * 60.0
               : i % 3 == 1 ? u * 2.0
                            : u * th_exp_double(-40.0 * th_random_unit_double(SEED, 4, 0, i));
    double error = ulp_double(th_expm1_double(x), expm1l((long double)x));
    if (error > worst) worst = error;
  }
  printf("             expm1 (seed %u): %.3f ulp\n", SEED, worst);
  assert_true(worst <= 2.0);
  assert_true(th_expm1_double(0.0) == 0.0 && th_expm1_double(-INFINITY) == -1.0);
  assert_true(th_expm1_double(INFINITY) == INFINITY && isnan(th_expm1_double((double)NAN)));
}

/* The bits themselves: a compiler that contracts or reorders would change them. */
static void bits_are_the_agreed_ones(void **state) {
  (void)state;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    float x = (float)i * 0.01f - 100.0f;
    sum = th_random_mix(sum ^ th_bits_of_float(th_expf(x)));
    sum = th_random_mix(sum ^ th_bits_of_float(th_logf(x + 100.5f)));
    sum = th_random_mix(sum ^ th_bits_of_double(th_exp_double((double)x)));
    sum = th_random_mix(sum ^ th_bits_of_double(th_log_double((double)x + 100.5)));
  }
  if (sum != AGREED) print_error("found 0x%016llx\n", (unsigned long long)sum);
  assert_true(sum == AGREED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exp_is_near_for_every_float_sampled),
      cmocka_unit_test(log_is_near_for_every_float_sampled),
      cmocka_unit_test(special_values_are_exact),
      cmocka_unit_test(doubles_are_near),
      cmocka_unit_test(expm1_is_near_where_exp_minus_1_is_not),
      cmocka_unit_test(bits_are_the_agreed_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
