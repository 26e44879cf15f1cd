/* Tests of base/simd/math.h: every lane of every instruction set gives the bits of the scalar function. */
#include <stdio.h>

#include "base/random.h"
#include "base/simd/math.h"
#include "support/unit.h"

#define SEED 20240609u
#define COUNT 4099 /* not a multiple of any width */
#define ROUNDS 200

typedef void (*map_one)(const float *x, float *y, uint32_t count);

static const float special[] = {0.0f,    -0.0f,          INFINITY, -INFINITY, NAN,   1e-45f,
                                -1e-45f, 1.1754944e-38f, 3.4e38f,  -3.4e38f,  88.8f, -87.4f,
                                -103.9f, -104.1f,        1024.0f,  1024.1f,   1e10f, 1.0f};

/* Random bits in odd rounds, so all exponents and NaNs; the useful range in even ones; special values in between. */
static void fill(float *x, uint64_t round) {
  for (uint32_t i = 0; i < COUNT; i++) {
    uint64_t bits = th_random(SEED, 0, i, round);
    x[i] = round & 1 ? th_float_of_bits((uint32_t)bits) : (th_random_to_float(bits) - 0.5f) * 200.0f;
    if (bits >> 8 & 1 && i % 16 == 5) x[i] = special[(bits & 0xffu) % (sizeof special / sizeof *special)];
  }
}

static void expect_bits(float found, float wanted, float x, const char *name, th_simd level) {
  if (th_bits_of_float(found) == th_bits_of_float(wanted)) return;
  print_error("%s(%a) on %s: %a instead of %a (seed %u)\n", name, (double)x, th_simd_name(level), (double)found,
              (double)wanted, SEED);
  fail();
}

static void check_one(map_one map, float (*scalar)(float x), const char *name, th_simd level) {
  static float x[COUNT], y[COUNT];
  for (uint64_t round = 0; round < ROUNDS; round++) {
    fill(x, round);
    map(x, y, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) expect_bits(y[i], scalar(x[i]), x[i], name, level);
  }
}

static float scalar_exp(float x) { return th_expf(x); }
static float scalar_log(float x) { return th_logf(x); }

static void check_sincos(th_simd level) {
  static float x[COUNT], s[COUNT], c[COUNT];
  for (uint64_t round = 0; round < ROUNDS; round++) {
    fill(x, round);
    TH_LANES_PICK(level, th_math_sincos_array)(x, s, c, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
      float sine, cosine;
      th_sincosf(x[i], &sine, &cosine);
      expect_bits(s[i], sine, x[i], "sin", level);
      expect_bits(c[i], cosine, x[i], "cos", level);
    }
  }
}

static void lanes_give_the_bits_of_the_scalar(void **state) {
  (void)state;
  int tried = 0;
  for (th_simd level = TH_SIMD_FOUR; level <= TH_SIMD_AVX512; level++) {
    if (!th_simd_has(level)) {
      printf("             this processor has no %s\n", th_simd_name(level));
      continue;
    }
    check_one(TH_LANES_PICK(level, th_math_exp_array), scalar_exp, "exp", level);
    check_one(TH_LANES_PICK(level, th_math_log_array), scalar_log, "log", level);
    check_sincos(level);
    tried++;
  }
  assert_true(tried > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_give_the_bits_of_the_scalar)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
