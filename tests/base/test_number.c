/* Tests of base/number.h against the C library in its own locale. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/number.h"
#include "base/random.h"
#include "support/unit.h"

#define SEED 31u

static void short_numbers_are_correctly_rounded(void **state) {
  (void)state;
  static const char *const format[] = {"%.15g", "%.9g", "%.3f", "%.6e", "%.12g", "%.0f"};
  for (uint32_t i = 0; i < 100000; i++) {
    double x = (th_random_unit_double(SEED, 0, i, 0) - 0.5) *
               pow(10, (int)th_random_to_below(th_random(SEED, 1, i, 0), 19) - 8);
    if (fabs(x) < 1e-6) continue; /* more than 22 places after the point */
    char text[64];
    snprintf(text, sizeof text, format[i % 6], x);
    const char *p = text;
    double found;
    assert_true(th_number_read(&p, &found));
    assert_int_equal(*p, 0);
    if (found != strtod(text, NULL)) print_error("%s (seed %u)\n", text, SEED);
    assert_true(found == strtod(text, NULL));
  }
}

static void long_numbers_are_near(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 100000; i++) {
    double x = th_double_of_bits(th_random(SEED, 2, i, 0));
    if (!isfinite(x) || fabs(x) < 1e-290) continue;
    char text[64];
    snprintf(text, sizeof text, "%.17g", x);
    const char *p = text;
    double found;
    assert_true(th_number_read(&p, &found));
    if (!(fabs(found - x) <= fabs(x) * 16 * 0x1p-53)) print_error("%s became %.17g (seed %u)\n", text, found, SEED);
    assert_true(fabs(found - x) <= fabs(x) * 16 * 0x1p-53);
  }
}

static void read(const char *text, double value, size_t length) {
  const char *p = text;
  double found = -77;
  assert_true(th_number_read(&p, &found));
  assert_true(found == value);
  assert_int_equal(p - text, length);
}

static void reading_stops_where_the_number_does(void **state) {
  (void)state;
  read("12abc", 12, 2);
  read("1.e2", 100, 4);
  read("+.5,", 0.5, 3);
  read("-0", 0, 2);
  read("3e", 3, 1);
  read("3e+x", 3, 1);
  read("1.2.3", 1.2, 3);
  read("0x10", 0, 1);
  read("1e400", (double)INFINITY, 5);
  read("-1e999999999999", -(double)INFINITY, 15);
  read("1e-999999999999", 0, 15);
  read("0e999999", 0, 8);
  read("100000000000000000000000000000000000000000e-41", 1, 46);
  read("0.00000000000000000000000000000000000000001e41", 1, 46);
}

static void what_is_no_number_changes_nothing(void **state) {
  (void)state;
  static const char *const bad[] = {"", " 1", "-", "+", ".", "-.", "e5", ".e5", "nan", "inf", "abc", "+-1"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *p = bad[i];
    double value = 42;
    assert_false(th_number_read(&p, &value));
    assert_ptr_equal(p, bad[i]);
    assert_true(value == 42);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_numbers_are_correctly_rounded),
      cmocka_unit_test(long_numbers_are_near),
      cmocka_unit_test(reading_stops_where_the_number_does),
      cmocka_unit_test(what_is_no_number_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
