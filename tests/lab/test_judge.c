/* tests/lab/test_judge.c - no claim of a published experiment is beyond failing: neither a reason nor a pin makes one
 * so. */
#include "lab/judge.h"
#include "support/unit.h"

static th_claim claim(double value, double min, double max, const char *reason) {
  return (th_claim){"arrive", "", value, min, max, NAN, NAN, reason};
}

static th_verdict judged(double value, const th_pin *pin, double unit) {
  th_claim c = claim(value, 1.0, 2.0, "because");
  return th_judge(&c, pin, unit);
}

static void bands_decide(void **state) {
  (void)state;
  for (int reason = 0; reason < 2; reason++) {
    th_claim inside = claim(1.0, 1.0, 2.0, reason ? "because" : NULL), edge = inside, below = inside, none = inside;
    edge.value = 2.0;
    below.value = 0.999;
    none.value = NAN;
    assert_int_equal(th_judge(&inside, NULL, 1.0), TH_HOLDS);
    assert_int_equal(th_judge(&edge, NULL, 1.0), TH_HOLDS);
    assert_int_equal(th_judge(&below, NULL, 1.0), TH_FAILS);
    assert_int_equal(th_judge(&none, NULL, 1.0), TH_FAILS);
  }
}

/* It may be better than pinned, or worse by the slack; on the other side of the band as well. */
static void pins_hold_the_value(void **state) {
  (void)state;
  static const th_pin three = {"bvp.E1", "arrive", 3.0, 0.1, false};
  assert_int_equal(judged(3.0, &three, 1.0), TH_DIFFERS);
  assert_int_equal(judged(3.09, &three, 1.0), TH_DIFFERS);
  assert_int_equal(judged(3.11, &three, 1.0), TH_FAILS);
  assert_int_equal(judged(2.5, &three, 1.0), TH_DIFFERS);
  assert_int_equal(judged(1.5, &three, 1.0), TH_HOLDS);
  assert_int_equal(judged(-0.09, &three, 1.0), TH_DIFFERS);
  assert_int_equal(judged(-0.11, &three, 1.0), TH_FAILS);
  assert_int_equal(judged(INFINITY, &three, 1.0), TH_FAILS);
  assert_int_equal(judged(NAN, &three, 1.0), TH_FAILS);
  assert_int_equal(judged(6.0, &three, 2.0), TH_DIFFERS);
  assert_int_equal(judged(6.3, &three, 2.0), TH_FAILS);
}

/* Without slack another value fails, better or worse. */
static void exact_pins(void **state) {
  (void)state;
  static const th_pin exact = {"bvp.E1", "arrive", 3.0, 0.0, false};
  assert_int_equal(judged(3.0, &exact, 1.0), TH_DIFFERS);
  assert_int_equal(judged(nextafter(3.0, 4.0), &exact, 1.0), TH_FAILS);
  assert_int_equal(judged(nextafter(3.0, 2.0), &exact, 1.0), TH_FAILS);
  assert_int_equal(judged(1.5, &exact, 1.0), TH_FAILS);
}

/* A pin that was measured within the band, on a faster machine, still allows no more than its slack beyond it. */
static void pins_within_the_band(void **state) {
  (void)state;
  static const th_pin good = {"bvp.E1", "arrive", 1.5, 0.5, true};
  assert_int_equal(judged(2.4, &good, 1.0), TH_DIFFERS);
  assert_int_equal(judged(2.6, &good, 1.0), TH_FAILS);
}

/* A pin without a reason would be a way round the band. */
static void pins_need_a_reason(void **state) {
  (void)state;
  static const th_pin pin = {"bvp.E1", "arrive", 3.0, 0.0, false};
  th_claim c = claim(3.0, 1.0, 2.0, NULL);
  assert_int_equal(th_judge(&c, &pin, 1.0), TH_FAILS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bands_decide),         cmocka_unit_test(pins_hold_the_value), cmocka_unit_test(exact_pins),
      cmocka_unit_test(pins_within_the_band), cmocka_unit_test(pins_need_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
