/* tests/model/soak_biocrowds.c - ten million agent-steps of dense counterflow: nobody leaves its old cell, and with
 * `body` no two bodies overlap by a millimetre. */
#include "support/biocrowds_streams.h"

static void watch(bool body) {
  streams_seen all = {.closest = 1e9, .deepest = -1e9};
  for (uint64_t seed = 1; all.agent_steps < 10000000u; seed++) {
    const streams s = {60.0f, 10.0f, body ? 600u : 1000u, 1250, body, seed};
    streams_seen seen = streams_run(&s);
    all.agent_steps += seen.agent_steps;
    all.outside += seen.outside;
    all.deepest = fmax(all.deepest, seen.deepest);
    all.closest = fmin(all.closest, seen.closest);
  }
  print_message("%s: %llu agent-steps, %llu outside their cells (deepest %g m), closest pair %g mm\n",
                body ? "bodies" : "points", (unsigned long long)all.agent_steps, (unsigned long long)all.outside,
                all.deepest, 1e3 * all.closest);
  assert_int_equal(all.outside, 0);
  if (body) assert_true(all.closest > -1e-3);
}

static void cells_hold(void **unused) {
  (void)unused;
  watch(false);
}

static void bodies_hold(void **unused) {
  (void)unused;
  watch(true);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cells_hold), cmocka_unit_test(bodies_hold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
