/* tests/people/test_headings.c - who stands, or is to stand, does not turn: plain arrays of sixteen. */
#include "people/walk.h"
#include "support/unit.h"
#include "throng/people.h"

/* Speeds to both sides of the limit, along x, along y and between: realised and advised. */
static void people_who_stand_keep_their_heading(void **state) {
  (void)state;
  const float limit = th_default_people_params().standing, part[4] = {0.0f, 0.9f, 1.1f, 9.0f};
  const float along[4][2] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {-0.6f, 0.8f}, {0.8f, -0.6f}};
  uint32_t kept = 0;
  for (int now = 0; now < 16; now++) {
    float vx[16], vy[16], ax[16], ay[16], hx[16], hy[16], ahx[16], ahy[16];
    th_people_walkers w = {16, {0.0f}, vx, vy, ax, ay, hx, hy, ahx, ahy};
    for (int k = 0; k < 16; k++) {
      w.standing[k] = k == 3 ? 0.0f : limit;
      vx[k] = limit * part[now / 4] * along[now % 4][0], vy[k] = limit * part[now / 4] * along[now % 4][1];
      ax[k] = limit * part[k / 4] * along[k % 4][0], ay[k] = limit * part[k / 4] * along[k % 4][1];
      hx[k] = 1.0f, hy[k] = 0.0f, ahx[k] = 0.0f, ahy[k] = 1.0f;
    }
    th_people_walk(&w);
    for (int k = 0; k < 16; k++) {
      const bool keeps = k != 3 && (now / 4 < 2 || k / 4 < 2);
      if (ahx[k] != (keeps ? 1.0f : 0.0f) || ahy[k] != (keeps ? 0.0f : 1.0f)) fail_msg("%d to %d", now, k);
      kept += keeps;
    }
  }
  assert_int_equal(kept, 8 * 15 + 8 * 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(people_who_stand_keep_their_heading),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
