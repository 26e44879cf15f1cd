/* Tests of base/random.h: the quality of the bits, and the shapes. All figures hold for one printed seed. */
#include <math.h>
#include <stdio.h>

#include "base/bits.h"
#include "base/random.h"
#include "support/unit.h"

#define SEED 987654321u
#define AGREED 0x48f93d4a9952524fu

static double balance(uint64_t (*draw)(uint32_t i)) { /* worst deviation of any bit from 1/2, in deviations */
  enum { DRAWS = 1 << 16 };
  uint32_t ones[64] = {0};
  for (uint32_t i = 0; i < DRAWS; i++) {
    uint64_t x = draw(i);
    for (int b = 0; b < 64; b++) ones[b] += (uint32_t)(x >> b & 1u);
  }
  double worst = 0;
  for (int b = 0; b < 64; b++) worst = fmax(worst, fabs((double)ones[b] - DRAWS / 2.0) / sqrt(DRAWS / 4.0));
  return worst;
}

static uint64_t by_seed(uint32_t i) { return th_random(i, 0, 0, 0); }
static uint64_t by_stream(uint32_t i) { return th_random(SEED, i, 0, 0); }
static uint64_t by_agent(uint32_t i) { return th_random(SEED, 0, i, 0); }
static uint64_t by_step(uint32_t i) { return th_random(SEED, 0, 0, i); }
/* Neighbours in two arguments at once: a sum or product of the arguments would show as equal differences. */
static uint64_t by_pairs(uint32_t i) { return th_random(SEED, 0, i, 7) ^ th_random(SEED, 0, i + 1, 6); }

static uint64_t (*const draw[])(uint32_t i) = {by_seed, by_stream, by_agent, by_step, by_pairs};
static const char *const draw_name[] = {"seed", "stream", "agent", "step", "pairs"};
#define DRAWS_COUNT (sizeof draw / sizeof *draw)

static void every_bit_is_balanced(void **state) {
  (void)state;
  for (size_t i = 0; i < DRAWS_COUNT; i++) {
    double worst = balance(draw[i]);
    if (worst > 4.5) print_error("by %s: %.2f deviations (seed %u)\n", draw_name[i], worst, SEED);
    assert_true(worst <= 4.5);
  }
}

/* Flipping input bit a flips output bit b with probability 1/2, for all pairs. */
static double avalanche(int argument, int bits) {
  enum { TRIES = 1 << 12 };
  double worst = 0;
  for (int a = 0; a < bits; a++) {
    uint32_t flips[64] = {0};
    for (uint32_t i = 0; i < TRIES; i++) {
      uint64_t flip = (uint64_t)1 << a;
      uint64_t seed = SEED, step = i;
      uint32_t stream = 3, agent = i * 7 + 1;
      uint64_t before = th_random(seed, stream, agent, step);
      uint64_t after = th_random(argument == 0 ? seed ^ flip : seed, argument == 1 ? stream ^ (uint32_t)flip : stream,
                                 argument == 2 ? agent ^ (uint32_t)flip : agent, argument == 3 ? step ^ flip : step);
      for (int b = 0; b < 64; b++) flips[b] += (uint32_t)((before ^ after) >> b & 1u);
    }
    for (int b = 0; b < 64; b++) worst = fmax(worst, fabs(flips[b] / (double)TRIES - 0.5));
  }
  return worst;
}

static void every_input_bit_reaches_every_output_bit(void **state) {
  (void)state;
  static const int bits[] = {64, 32, 32, 64};
  for (int argument = 0; argument < 4; argument++) {
    double worst = avalanche(argument, bits[argument]);
    if (worst > 0.045) print_error("argument %d: %.4f from 1/2 (seed %u)\n", argument, worst, SEED);
    assert_true(worst <= 0.045); /* 5.8 deviations for 4096 tries */
  }
}

static double chi_square(const uint32_t *count, uint32_t bins, double expected) {
  double sum = 0;
  for (uint32_t i = 0; i < bins; i++) sum += (count[i] - expected) * (count[i] - expected) / expected;
  return sum;
}

static void values_and_successive_pairs_are_uniform(void **state) {
  (void)state;
  enum { SIDE = 32, BINS = SIDE * SIDE, EACH = 100 };
  for (size_t d = 0; d < DRAWS_COUNT; d++) {
    uint32_t high[BINS] = {0}, low[BINS] = {0}, pair[BINS] = {0};
    for (uint32_t i = 0; i < BINS * EACH; i++) {
      uint64_t x = draw[d](2 * i), y = draw[d](2 * i + 1);
      high[x >> 54]++;
      low[x & (BINS - 1)]++;
      pair[(x >> 59) * SIDE + (y >> 59)]++;
    }
    const uint32_t *const count[] = {high, low, pair};
    for (int k = 0; k < 3; k++) { /* mean 1023, deviation 45 */
      double chi = chi_square(count[k], BINS, EACH);
      if (chi < 820 || chi > 1240)
        print_error("by %s, kind %d: chi square %.0f (seed %u)\n", draw_name[d], k, chi, SEED);
      assert_true(chi >= 820 && chi <= 1240);
    }
  }
}

static void neighbouring_agents_are_uncorrelated(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  double sum = 0;
  for (uint32_t i = 0; i < COUNT; i++)
    sum += (th_random_unit_double(SEED, 1, i, 5) - 0.5) * (th_random_unit_double(SEED, 1, i + 1, 5) - 0.5);
  assert_true(fabs(sum / COUNT * 12) < 4.5 / sqrt(COUNT));
}

static void numbers_are_the_agreed_ones(void **state) {
  (void)state;
  assert_true(th_random_mix(0x9e3779b97f4a7c15u) == 0xe220a8397b1dcdafu); /* SplitMix64's first number for seed 0 */
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 1000; i++) {
    sum = th_random_mix(sum ^ th_random(i, i * 3, i * 5, (uint64_t)i << 33));
    sum = th_random_mix(sum ^ th_bits_of_double(th_random_normal(i, 1, 2, 3)));
  }
  if (sum != AGREED) print_error("found 0x%016llx\n", (unsigned long long)sum);
  assert_true(sum == AGREED);
}

static void units_stay_in_range(void **state) {
  (void)state;
  assert_true(th_random_to_float(0) == 0.0f && th_random_to_float(UINT64_MAX) == 1.0f - 0x1p-24f);
  assert_true(th_random_to_double(0) == 0.0 && th_random_to_double(UINT64_MAX) == 1.0 - 0x1p-53);
  assert_true(th_random_unit(1, 2, 3, 4) == th_random_to_float(th_random(1, 2, 3, 4)));
}

static void ranges_hold_their_ends(void **state) {
  (void)state;
  static const float end[][2] = {{0, 1}, {-3, 5}, {1, 1.0000001f}, {-3e38f, 3e38f}, {1e8f, 1.00000008e8f}};
  for (size_t k = 0; k < sizeof end / sizeof *end; k++) {
    assert_true(th_random_to_range(0, end[k][0], end[k][1]) == end[k][0]);
    assert_true(th_random_to_range(UINT64_MAX, end[k][0], end[k][1]) < end[k][1]);
    for (uint32_t i = 0; i < 1000; i++) {
      float x = th_random_range(SEED, 9, i, 0, end[k][0], end[k][1]);
      assert_true(x >= end[k][0] && x < end[k][1]);
    }
  }
  assert_true(th_random_to_range(123, 2.0f, 2.0f) == 2.0f && th_random_to_range(123, 2.0f, 1.0f) == 2.0f);
  assert_int_equal(th_random_to_below(UINT64_MAX, 0), 0);
  assert_int_equal(th_random_to_below(UINT64_MAX, 1), 0);
  assert_int_equal(th_random_to_below(UINT64_MAX, UINT32_MAX), UINT32_MAX - 1);
  assert_int_equal(th_random_to_below(0, 10), 0);
  uint32_t count[7] = {0};
  for (uint32_t i = 0; i < 70000; i++) count[th_random_to_below(th_random(SEED, 4, i, 0), 7)]++;
  assert_true(chi_square(count, 7, 10000) < 30);
}

static void normals_have_the_moments_and_tails(void **state) {
  (void)state;
  enum { COUNT = 200000 };
  double sum[5] = {0};
  uint32_t outside = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    double x = th_random_normal(SEED, 2, i, 1), power = 1;
    assert_true(isfinite(x) && fabs(x) < 6.8);
    for (int k = 1; k <= 4; k++) sum[k] += power *= x;
    if (fabs(x) > 1.959963985) outside++;
  }
  assert_true(fabs(sum[1] / COUNT) < 4.5 / sqrt(COUNT));
  assert_true(fabs(sum[2] / COUNT - 1) < 4.5 * sqrt(2.0 / COUNT));
  assert_true(fabs(sum[3] / COUNT) < 4.5 * sqrt(15.0 / COUNT));
  assert_true(fabs(sum[4] / COUNT - 3) < 4.5 * sqrt(96.0 / COUNT));
  assert_true(fabs(outside - 0.05 * COUNT) < 4.5 * sqrt(0.0475 * COUNT));
  assert_true(isfinite(th_random_to_normal(0)) && isfinite(th_random_to_normal(UINT64_MAX)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bit_is_balanced),
      cmocka_unit_test(every_input_bit_reaches_every_output_bit),
      cmocka_unit_test(values_and_successive_pairs_are_uniform),
      cmocka_unit_test(neighbouring_agents_are_uncorrelated),
      cmocka_unit_test(numbers_are_the_agreed_ones),
      cmocka_unit_test(units_stay_in_range),
      cmocka_unit_test(ranges_hold_their_ends),
      cmocka_unit_test(normals_have_the_moments_and_tails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
