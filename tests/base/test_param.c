/* Tests of throng/param.h: defaults, checks, values from text, and the words of the errors. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "support/unit.h"
#include "throng/param.h"

typedef struct thing {
  float radius, limit;
  int32_t period;
  bool keen;
  int32_t sense;
  th_vec2 pull;
} thing;

static const char *const senses[] = {"pull", "literal", NULL};

#define AT(field) (uint32_t) offsetof(thing, field)

static const th_param table[] = {
    {"radius", TH_PARAM_FLOAT, AT(radius), "m", 0.1, 2.5, 0.25, "Radius of the body.", NULL},
    {"limit", TH_PARAM_FLOAT, AT(limit), "", 0, 0.1, 0.1, "A limit that no float meets exactly.", NULL},
    {"period", TH_PARAM_INT, AT(period), "steps", 1, 100, 5, "Steps between decisions.", NULL},
    {"keen", TH_PARAM_BOOL, AT(keen), "", 0, 1, 1, "Hurries.", NULL},
    {"sense", TH_PARAM_ENUM, AT(sense), "", 0, 1, 1, "Which way it deviates.", senses},
    {"pull", TH_PARAM_VEC2, AT(pull), "m/s", -1, 1, 0.5, "Direction.", NULL},
};
#define COUNT (sizeof table / sizeof *table)

static thing fresh(void) {
  thing t;
  memset(&t, 0x33, sizeof t);
  th_param_defaults(table, COUNT, &t);
  return t;
}

static void defaults_come_from_the_table_and_pass_the_check(void **state) {
  (void)state;
  thing t = fresh();
  assert_true(t.radius == 0.25f && t.limit == 0.1f && t.period == 5 && t.keen && t.sense == 1);
  assert_true(t.pull.x == 0.5f && t.pull.y == 0.5f);
  th_error error = {.code = TH_OK};
  assert_int_equal(th_param_check(table, COUNT, &t, &error), TH_OK);
  assert_int_equal(error.code, TH_OK);
}

static void expect(const thing *t, const char *where, const char *text) {
  th_error error;
  assert_int_equal(th_param_check(table, COUNT, t, &error), TH_ERROR_RANGE);
  assert_string_equal(error.where, where);
  assert_string_equal(error.text, text);
  assert_int_equal(th_param_check(table, COUNT, t, NULL), TH_ERROR_RANGE);
}

static void checks_name_the_first_that_fails(void **state) {
  (void)state;
  thing t = fresh();
  t.radius = 3;
  t.period = 0;
  expect(&t, "radius", "expected 0.1 to 2.5 m, found 3");
  t.radius = NAN;
  assert_int_equal(th_param_check(table, COUNT, &t, NULL), TH_ERROR_RANGE);
  t.radius = 0.1f;
  expect(&t, "period", "expected a whole number from 1 to 100 steps, found 0");
  t.period = 100;
  t.sense = 2;
  expect(&t, "sense", "expected one of pull, literal, found 2");
  t.sense = -1;
  expect(&t, "sense", "expected one of pull, literal, found -1");
  t.sense = 0;
  t.pull.y = -1.5f;
  expect(&t, "pull", "expected two numbers from -1 to 1 m/s, found 0.5 -1.5");
  t.pull.y = INFINITY;
  assert_int_equal(th_param_check(table, COUNT, &t, NULL), TH_ERROR_RANGE);
  t.pull.y = 1;
  memset(&t.keen, 7, 1);
  expect(&t, "keen", "expected true or false, found the byte 7");
}

static void good_text_sets_values(void **state) {
  (void)state;
  thing t = fresh();
  static const char *const good[][2] = {{"radius", "1.5"}, {"limit", " .1 "}, {"period", "7"},
                                        {"keen", "false"}, {"sense", "pull"}, {"pull", "0.3, -1e-1"}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    assert_int_equal(th_param_set(table, COUNT, &t, good[i][0], good[i][1], NULL), TH_OK);
  assert_true(t.radius == 1.5f && t.limit == 0.1f && t.period == 7 && !t.keen && t.sense == 0);
  assert_true(t.pull.x == 0.3f && t.pull.y == -0.1f);
  assert_int_equal(th_param_set(table, COUNT, &t, "pull", "1 -1", NULL), TH_OK);
  assert_int_equal(th_param_set(table, COUNT, &t, "period", "1e2", NULL), TH_OK);
  assert_int_equal(th_param_set(table, COUNT, &t, "keen", "1", NULL), TH_OK);
  assert_true(t.pull.x == 1 && t.pull.y == -1 && t.period == 100 && t.keen);
}

static void refuse(const char *name, const char *text, th_result code, const char *message) {
  thing t = fresh(), before = t;
  th_error error;
  assert_int_equal(th_param_set(table, COUNT, &t, name, text, &error), code);
  assert_int_equal(error.code, code);
  assert_string_equal(error.where, name);
  assert_string_equal(error.text, message);
  assert_memory_equal(&t, &before, sizeof t);
  assert_int_equal(th_param_set(table, COUNT, &t, name, text, NULL), code);
}

static void bad_text_changes_nothing_and_is_explained(void **state) {
  (void)state;
  const char *radius = "expected 0.1 to 2.5 m, found ";
  static const struct {
    const char *text;
    th_result code;
  } bad[] = {{"2.6", TH_ERROR_RANGE},  {"-1", TH_ERROR_RANGE},   {"1e400", TH_ERROR_RANGE},  {"1e39", TH_ERROR_RANGE},
             {"nan", TH_ERROR_FORMAT}, {"inf", TH_ERROR_FORMAT}, {"0x1p0", TH_ERROR_FORMAT}, {"1.5m", TH_ERROR_FORMAT},
             {"1 2", TH_ERROR_FORMAT}, {"1,5", TH_ERROR_FORMAT}, {"--1", TH_ERROR_FORMAT},   {".", TH_ERROR_FORMAT},
             {"1e", TH_ERROR_FORMAT}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[100] = "";
    strcat(strcat(message, radius), bad[i].text);
    refuse("radius", bad[i].text, bad[i].code, message);
  }
  refuse("radius", "", TH_ERROR_FORMAT, "expected 0.1 to 2.5 m, found nothing");
  refuse("period", "1.5", TH_ERROR_FORMAT, "expected a whole number from 1 to 100 steps, found 1.5");
  refuse("period", "101", TH_ERROR_RANGE, "expected a whole number from 1 to 100 steps, found 101");
  refuse("period", "99999999999", TH_ERROR_RANGE, "expected a whole number from 1 to 100 steps, found 99999999999");
  refuse("keen", "maybe", TH_ERROR_FORMAT, "expected true or false, found maybe");
  refuse("sense", "push", TH_ERROR_FORMAT, "expected one of pull, literal, found push");
  refuse("pull", "0.5", TH_ERROR_FORMAT, "expected two numbers from -1 to 1 m/s, found 0.5");
  refuse("pull", "0.5 2", TH_ERROR_RANGE, "expected two numbers from -1 to 1 m/s, found 0.5 2");
}

static void unknown_names_get_the_nearest_known_one(void **state) {
  (void)state;
  refuse("radus", "1", TH_ERROR_FORMAT, "expected a known parameter, found \"radus\"; the nearest is \"radius\"");
  refuse("Period", "1", TH_ERROR_FORMAT, "expected a known parameter, found \"Period\"; the nearest is \"period\"");
  refuse("sence", "1", TH_ERROR_FORMAT, "expected a known parameter, found \"sence\"; the nearest is \"sense\"");
  refuse("bull", "1", TH_ERROR_FORMAT, "expected a known parameter, found \"bull\"; the nearest is \"pull\"");
  th_error error;
  assert_int_equal(th_param_set(table, 0, NULL, "radius", "1", &error), TH_ERROR_FORMAT);
  assert_string_equal(error.text, "no parameters are known here, found \"radius\"");
  char endless[500];
  memset(endless, 'z', sizeof endless - 1);
  endless[sizeof endless - 1] = 0;
  thing t = fresh();
  assert_int_equal(th_param_set(table, COUNT, &t, endless, "1", &error), TH_ERROR_FORMAT);
  assert_int_equal(th_param_set(table, COUNT, &t, "radius", endless, &error), TH_ERROR_FORMAT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_come_from_the_table_and_pass_the_check),
      cmocka_unit_test(checks_name_the_first_that_fails),
      cmocka_unit_test(good_text_sets_values),
      cmocka_unit_test(bad_text_changes_nothing_and_is_explained),
      cmocka_unit_test(unknown_names_get_the_nearest_known_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
