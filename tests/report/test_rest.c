/* tests/report/test_rest.c - who stands for ever and who remains at the end, of trajectories made by hand. */
#include <math.h>

#include "support/allocator.h"
#include "throng/metrics.h"

#define DT 0.1

/* One agent for some seconds: it walks for the first 10 s, then it stands at x = 10, in this state. */
typedef struct stay {
  uint8_t state;
  bool stuck;         /* the world once told that it makes no progress */
  double sway, every; /* it sways by this much from time to time [m], [s] */
  double seconds;
  bool leaves; /* it is gone in the last step */
} stay;

static th_summary end_of(const stay *s, th_vec3 *at) {
  th_metrics *metrics = NULL;
  th_metrics_def def = th_default_metrics_def();
  def.dt = DT;
  assert_int_equal(th_metrics_make(&def, &metrics, NULL), TH_OK);
  const uint32_t steps = (uint32_t)(s->seconds / DT + 0.5);
  for (uint32_t step = 0; step <= steps; step++) {
    const double t = step * DT;
    const th_agent_id id = {1, 1, 0};
    const float radius = 0.2f, y = 3.0f, one = 1.0f, zero = 0.0f;
    const double swayed = s->sway > 0.0 && fmod(t, 2.0 * s->every) < s->every ? s->sway : 0.0;
    const float x = (float)(t < 10.0 ? t : 10.0 + swayed), v = t < 10.0 ? 1.0f : 0.0f;
    const uint8_t state = t < 10.0 ? TH_AGENT_WALKING : s->state;
    const th_event event = {.kind = TH_EVENT_STUCK, .agent = id};
    th_agents agents = {.count = s->leaves && step == steps ? 0 : 1,
                        .id = &id,
                        .x = &x,
                        .y = &y,
                        .vx = &v,
                        .vy = &zero,
                        .hx = &one,
                        .hy = &zero,
                        .radius = &radius,
                        .state = &state};
    assert_int_equal(th_metrics_step(metrics, step, &agents, &event, s->stuck && step == 200, NULL), TH_OK);
  }
  const th_summary sum = th_metrics_summary(metrics);
  assert_int_equal(th_metrics_motionless(metrics, at, 1), sum.motionless);
  th_metrics_free(metrics);
  return sum;
}

static void who_stands_for_a_minute_is_told(void **state) {
  (void)state;
  th_vec3 at = {0};
  const stay still = {TH_AGENT_WALKING, true, 0.0, 0.0, 70.0, false};
  const th_summary sum = end_of(&still, &at);
  assert_int_equal(sum.motionless, 1);
  assert_int_equal(sum.remaining, 1);
  assert_true(fabsf(at.x - 10.0f) < 0.11f && at.y == 3.0f && at.z == 0.0f);
  const stay sways = {TH_AGENT_WALKING, true, 0.05, 3.0, 75.0, false};
  assert_int_equal(end_of(&sways, &at).motionless, 1);
}

/* Not yet a minute; 0.2 m to and fro; at a stop; with no goal to get nearer to; gone. */
static void others_are_not(void **state) {
  (void)state;
  th_vec3 at;
  const stay early = {TH_AGENT_WALKING, true, 0.0, 0.0, 68.0, false},
             moves = {TH_AGENT_WALKING, true, 0.2, 3.0, 90.0, false},
             waits = {TH_AGENT_WAITING, true, 0.0, 0.0, 90.0, false},
             idle = {TH_AGENT_WALKING, false, 0.0, 0.0, 90.0, false},
             gone = {TH_AGENT_WALKING, true, 0.0, 0.0, 90.0, true};
  assert_int_equal(end_of(&early, &at).motionless, 0);
  assert_int_equal(end_of(&moves, &at).motionless, 0);
  assert_int_equal(end_of(&waits, &at).motionless, 0);
  assert_int_equal(end_of(&waits, &at).remaining, 1); /* at a stop of its route: it has not arrived */
  assert_int_equal(end_of(&idle, &at).motionless, 0);
  assert_int_equal(end_of(&gone, &at).motionless, 0);
  assert_int_equal(end_of(&gone, &at).remaining, 0);
}

/* At its last stop it has arrived; without a path it remains. */
static void who_arrived_does_not_remain(void **state) {
  (void)state;
  th_vec3 at;
  const stay arrived = {TH_AGENT_ARRIVED, false, 0.0, 0.0, 90.0, false},
             lost = {TH_AGENT_LOST, false, 0.0, 0.0, 90.0, false};
  assert_int_equal(end_of(&arrived, &at).remaining, 0);
  assert_int_equal(end_of(&lost, &at).remaining, 1);
  assert_int_equal(end_of(&lost, &at).motionless, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_stands_for_a_minute_is_told),
      cmocka_unit_test(others_are_not),
      cmocka_unit_test(who_arrived_does_not_remain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
