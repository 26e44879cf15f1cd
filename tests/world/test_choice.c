/* tests/world/test_choice.c - choices among goals: shares, least time, what is known and seen, what changes. */
#include "support/halls.h"
#include "world/world.h"

static uint32_t total(const hall *s) { return s->left[0] + s->left[1] + s->left[2]; }

static void exits_of_three_widths_are_empty_together(void **state) {
  (void)state;
  hall s;
  const th_choice_def def = th_default_choice_def();
  hall_begin(&s, &def, 1);
  hall_people(&s, 300, 30, 3.0f, 3.0f);
  hall_run(&s, 600.0);
  print_message("left %u %u %u, last %.1f %.1f %.1f s\n", s.left[0], s.left[1], s.left[2], s.last[0], s.last[1],
                s.last[2]);
  assert_int_equal(total(&s), 300);
  const double first = fmin(s.last[0], fmin(s.last[1], s.last[2])), last = fmax(s.last[0], fmax(s.last[1], s.last[2]));
  assert_true(last - first <= 10.0);
  hall_end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exits_of_three_widths_are_empty_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
