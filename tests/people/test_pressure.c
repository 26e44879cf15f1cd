/* tests/people/test_pressure.c - pressure and body width of one person, from one step to the next. */
#include "people/pressure.h"
#include "support/unit.h"

#define DT 0.1f

/* Somebody at ease who walks as quickly as wanted. */
static th_pressed walker(void) {
  return (th_pressed){
      .along = 1.3f, .speed = 1.3f, .led = true, .vx = 1.3f, .radius = 0.2f, .pressure = 0.5f, .body = 0.2f};
}

static float next(const th_people_params *people, th_pressed one) {
  th_people_press(people, DT, &one);
  return one.pressure;
}

/* It grows while one is held up, and falls when one walks. */
static void pressure_grows_and_falls(void **state) {
  (void)state;
  const th_people_params people = th_default_people_params();
  th_pressed one = walker();
  assert_float_equal(next(&people, one), 0.5f - DT / people.press_out, 1e-6f);
  one.along = 0.9f * people.hindered * one.speed;
  assert_float_equal(next(&people, one), 0.5f + DT / people.press_in, 1e-6f);
  one.pressure = 0.999f;
  assert_true(next(&people, one) == 1.0f);
  one.sets_off = true; /* about to walk faster: not held up */
  assert_true(next(&people, one) < 0.999f);
  one.sets_off = false;
  one.led = false; /* does not want to go anywhere */
  assert_true(next(&people, one) < 0.999f);
  one.pressure = 0.001f;
  assert_true(next(&people, one) == 0.0f);
}

/* Under full pressure shoulders turn by what speed allows, and turn back in the time in which pressure comes. */
static void shoulders_follow_speed_and_pressure(void **state) {
  (void)state;
  const th_people_params people = th_default_people_params();
  const float whole = 0.2f * (1.0f - people.shoulders);
  th_pressed one = walker();
  one.pressure = 1.0f;
  one.along = one.vx = 0.0f; /* stands and is held up */
  th_people_press(&people, DT, &one);
  assert_float_equal(one.body, 0.2f - whole, 1e-6f);
  th_pressed half = walker();
  half.pressure = 1.0f;
  half.along = half.vx = 0.5f * people.forwards;
  half.speed = 10.0f * half.along; /* held up all the same */
  th_people_press(&people, DT, &half);
  assert_float_equal(half.body, 0.2f - 0.5f * whole, 1e-6f);
  th_pressed back = walker(); /* the pressure is gone */
  back.pressure = 0.0f;
  back.body = 0.2f - whole;
  th_people_press(&people, 0.2f * people.press_in, &back);
  assert_float_equal(back.body, 0.2f - 0.8f * whole, 1e-6f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_grows_and_falls),
                                     cmocka_unit_test(shoulders_follow_speed_and_pressure)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
