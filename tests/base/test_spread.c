/* Tests of throng/spread.h: moments and shapes of every kind, bounds, refusals. All figures hold for one seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/unit.h"
#include "throng/spread.h"

enum { DRAWS = 40000 };

typedef struct sample {
  double mean, deviation, least, most;
  float value[DRAWS];
} sample;

static int ascending(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static void take(sample *s, const th_spread *spread) {
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < DRAWS; i++) {
    s->value[i] = th_spread_draw(spread, th_spread_bits(7, 1, i));
    sum += (double)s->value[i];
    squares += (double)s->value[i] * (double)s->value[i];
  }
  qsort(s->value, DRAWS, sizeof *s->value, ascending);
  s->mean = sum / DRAWS;
  s->deviation = sqrt(squares / DRAWS - s->mean * s->mean);
  s->least = (double)s->value[0];
  s->most = (double)s->value[DRAWS - 1];
}

static const th_spread_kind drawn[] = {TH_SPREAD_UNIFORM, TH_SPREAD_NORMAL, TH_SPREAD_LOGNORMAL, TH_SPREAD_GAMMA,
                                       TH_SPREAD_WEIBULL};
enum { KINDS = sizeof drawn / sizeof *drawn };

/* With bounds that hold everything, each kind has the mean and the deviation that were asked for. */
static void kinds_have_their_moments(void **state) {
  (void)state;
  static sample s;
  static const float ratio[] = {0.1f, 0.5f, 1.3f};
  for (int k = 0; k < KINDS; k++) {
    for (int r = 0; r < 3; r++) {
      const float mean = 1.5f, deviation = ratio[r] * mean;
      th_spread spread = th_default_spread(drawn[k], mean, deviation);
      if (drawn[k] != TH_SPREAD_UNIFORM) spread.min = -1e6f, spread.max = 1e6f;
      take(&s, &spread);
      const double wide = drawn[k] >= TH_SPREAD_LOGNORMAL && r == 2 ? 0.12 : 0.02; /* heavy tails: few draws carry it */
      if (fabs(s.mean - (double)mean) > 4.0 * (double)deviation / sqrt(DRAWS) ||
          fabs(s.deviation / (double)deviation - 1.0) > wide)
        fail_msg("kind %d: mean %g, deviation %g of %g", (int)drawn[k], s.mean, s.deviation, (double)deviation);
    }
  }
}

/* The distribution function at the sample's quantiles, from formulas that the draws do not use. */
static double below(th_spread_kind kind, double x, double mean, double deviation) {
  const double ratio = deviation / mean;
  if (kind == TH_SPREAD_NORMAL) return 0.5 * erfc((mean - x) / deviation / sqrt(2.0));
  if (kind == TH_SPREAD_UNIFORM) return 0.5 + (x - mean) / (2.0 * sqrt(3.0) * deviation);
  if (kind == TH_SPREAD_LOGNORMAL) {
    const double variance = log(1.0 + ratio * ratio);
    return 0.5 * erfc(-(log(x / mean) + 0.5 * variance) / sqrt(2.0 * variance));
  }
  if (kind == TH_SPREAD_GAMMA) return 1.0 - exp(-x / mean); /* deviation = mean: the exponential distribution */
  const double shape = 2.0, scale = mean / tgamma(1.5);     /* Rayleigh */
  return 1.0 - exp(-pow(x / scale, shape));
}

static void kinds_have_their_shapes(void **state) {
  (void)state;
  static sample s;
  for (int k = 0; k < KINDS; k++) {
    const double mean = 2.0, rayleigh = sqrt(4.0 / 3.14159265358979 - 1.0);
    const double deviation = drawn[k] == TH_SPREAD_GAMMA     ? mean
                             : drawn[k] == TH_SPREAD_WEIBULL ? mean * rayleigh
                                                             : 0.3 * mean;
    th_spread spread = th_default_spread(drawn[k], (float)mean, (float)deviation);
    if (drawn[k] != TH_SPREAD_UNIFORM) spread.min = -1e6f, spread.max = 1e6f;
    take(&s, &spread);
    double worst = 0;
    for (uint32_t i = 0; i < DRAWS; i++)
      worst = fmax(worst, fabs(below(drawn[k], (double)s.value[i], mean, deviation) - (i + 0.5) / DRAWS));
    if (worst > 1.63 / sqrt(DRAWS)) /* Kolmogorov and Smirnov, 1 % */
      fail_msg("kind %d: the distribution functions differ by %g", (int)drawn[k], worst);
  }
}

static void nothing_passes_the_bounds_or_piles_up_there(void **state) {
  (void)state;
  static sample s;
  for (int k = 1; k < KINDS; k++) {
    th_spread spread = th_default_spread(drawn[k], 1.34f, 0.26f);
    take(&s, &spread);
    assert_true(s.least >= 1.34 - 0.78 - 1e-5 && s.most <= 1.34 + 0.78 + 1e-5);
    spread.min = 1.2f, spread.max = 1.5f;
    take(&s, &spread);
    uint32_t at_bounds = 0;
    for (uint32_t i = 0; i < DRAWS; i++) at_bounds += s.value[i] <= 1.2001f || s.value[i] >= 1.4999f;
    assert_true(s.least >= (double)1.2f && s.most <= 1.5 && at_bounds < DRAWS / 200);
  }
  assert_true(th_default_spread(TH_SPREAD_NORMAL, 1, 1).min == 0.0f);
  assert_true(th_default_spread(TH_SPREAD_NORMAL, -1, 1).max == 0.0f);
  th_spread narrow = th_default_spread(TH_SPREAD_NORMAL, 1, 1e6f);
  narrow.min = narrow.mean, narrow.max = nextafterf(1, 2);
  assert_true(th_spread_draw(&narrow, 5) == 1.0f); /* next to nothing fits: the mean */
}

static void constants_and_uniform_ends_are_exact(void **state) {
  (void)state;
  const th_spread constant = th_constant_spread(0.7f), uniform = th_uniform_spread(0.2f, 0.25f);
  for (uint64_t i = 0; i < 1000; i++) {
    assert_true(th_spread_draw(&constant, i) == 0.7f);
    const float x = th_spread_draw(&uniform, th_spread_bits(i, 2, 3));
    assert_true(x >= 0.2f && x < 0.25f);
  }
  assert_true(uniform.min == 0.2f && uniform.max == 0.25f);
  assert_true(th_spread_bits(1, 2, 3) != th_spread_bits(1, 3, 3) && th_spread_bits(1, 2, 3) != th_spread_bits(1, 2, 4));
}

static void wrong_spreads_are_refused(void **state) {
  (void)state;
  th_spread wrong[8];
  for (int i = 0; i < 8; i++) wrong[i] = th_default_spread(TH_SPREAD_NORMAL, 1, 0.1f);
  wrong[0].kind = (th_spread_kind)99;
  wrong[1].deviation = -1;
  wrong[2].deviation = NAN;
  wrong[3].min = 1.1f;
  wrong[4].max = NAN;
  wrong[5].mean = NAN;
  wrong[6].max = 5;
  wrong[7] = th_default_spread(TH_SPREAD_GAMMA, 0, 0.1f);
  for (int i = 0; i < 8; i++) {
    th_error error = {0};
    assert_int_equal(th_spread_check(&wrong[i], "speed", 0, 4, &error), TH_ERROR_RANGE);
    assert_string_equal(error.where, "speed");
    assert_non_null(strstr(error.text, "found"));
  }
  const th_spread right = th_default_spread(TH_SPREAD_WEIBULL, 1, 0.1f), none = {0};
  assert_int_equal(th_spread_check(&right, "speed", 0, 4, NULL), TH_OK);
  assert_int_equal(th_spread_check(&none, "speed", 3, 4, NULL), TH_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_have_their_moments), cmocka_unit_test(kinds_have_their_shapes),
      cmocka_unit_test(nothing_passes_the_bounds_or_piles_up_there),
      cmocka_unit_test(constants_and_uniform_ends_are_exact), cmocka_unit_test(wrong_spreads_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
