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

/* Floats of any bits: the text gives them back, by way of a float and of a double, and with a digit less nothing does.
 */
static void floats_are_written_in_few_digits(void **state) {
  (void)state;
  uint64_t seed = 3;
  for (int n = 0; n < 200000; n++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const uint32_t bits = (uint32_t)(seed >> 32);
    float value;
    char text[TH_NUMBER_ROOM], less[400];
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    th_number_of_float(text, value);
    assert_true(strtof(text, NULL) == value && (float)strtod(text, NULL) == value);
    const char *end = strpbrk(text, "e");
    int digits = 0;
    for (const char *c = text; *c && c != end; c++) digits += *c >= '0' && *c <= '9' && (digits || *c != '0');
    if (digits < 2 || digits > 9 || !strchr(text, '.')) continue; /* of whole numbers zeros at the end are no digits */
    snprintf(less, sizeof less, "%.*g", digits - 1, (double)value);
    assert_false(strtof(less, NULL) == value);
  }
}

static void doubles_are_written_in_few_digits(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } all[] = {{0.1, "0.1"}, {1.0 / 3.0, "0.3333333333333333"}, {1e300, "1e+300"}, {5e-324, "5e-324"}, {-2.5, "-2.5"}};
  char text[TH_NUMBER_ROOM];
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    assert_string_equal(th_number_of_double(text, all[i].value), all[i].text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_numbers_are_correctly_rounded), cmocka_unit_test(long_numbers_are_near),
      cmocka_unit_test(reading_stops_where_the_number_does), cmocka_unit_test(what_is_no_number_changes_nothing),
      cmocka_unit_test(floats_are_written_in_few_digits),    cmocka_unit_test(doubles_are_written_in_few_digits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
