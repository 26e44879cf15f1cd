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
  th_vec3 home;
  struct {
    uint32_t count;
    th_vec3 point[3];
  } force;
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
    {"home", TH_PARAM_PLACE, AT(home), "m", -9, 9, 1, "Where it lives.", NULL},
    {"force", TH_PARAM_POINTS, AT(force), "", -500, 4000, 3, "What draws it.", NULL},
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
  assert_true(t.home.x == 1.0f && t.home.y == 1.0f && t.home.z == 1.0f);
  assert_int_equal(t.force.count, 0);
  for (int i = 0; i < 3; i++) assert_true(t.force.point[i].x == 0.0f && t.force.point[i].z == 0.0f);
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

static void places_and_lists_come_from_text(void **state) {
  (void)state;
  thing t = fresh();
  assert_int_equal(th_param_set(table, COUNT, &t, "home", "1 -2", NULL), TH_OK);
  assert_true(t.home.x == 1.0f && t.home.y == -2.0f && t.home.z == 0.0f);
  assert_int_equal(th_param_set(table, COUNT, &t, "home", " 3, 4, 5.5 ", NULL), TH_OK);
  assert_true(t.home.x == 3.0f && t.home.y == 4.0f && t.home.z == 5.5f);
  assert_int_equal(th_param_set(table, COUNT, &t, "force", "0 -180 1; 1500,-100;4000 300 1 ;", NULL), TH_OK);
  const th_vec3 *p = t.force.point;
  assert_int_equal(t.force.count, 3);
  assert_true(p[0].y == -180.0f && p[0].z == 1.0f && p[1].x == 1500.0f && p[1].z == 0.0f && p[2].x == 4000.0f);
  assert_int_equal(th_param_set(table, COUNT, &t, "force", "7 8 9", NULL), TH_OK);
  assert_true(t.force.count == 1 && p[0].x == 7.0f && p[1].x == 0.0f && p[2].y == 0.0f); /* the rest is cleared */
  assert_int_equal(th_param_set(table, COUNT, &t, "force", " ", NULL), TH_OK);
  assert_true(t.force.count == 0 && p[0].x == 0.0f);
}

static void bad_places_and_lists_are_explained(void **state) {
  (void)state;
  const char *home = "expected two or three numbers from -9 to 9 m, found ";
  static const struct {
    const char *text;
    th_result code;
  } bad[] = {{"1", TH_ERROR_FORMAT},       {"1 2 3 4", TH_ERROR_FORMAT}, {"1 2;", TH_ERROR_FORMAT},
             {"1 2,", TH_ERROR_FORMAT},    {"1 nan", TH_ERROR_FORMAT},   {"1 2 9.5", TH_ERROR_RANGE},
             {"1 1e39 0", TH_ERROR_RANGE}, {"x", TH_ERROR_FORMAT}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[100] = "";
    strcat(strcat(message, home), bad[i].text);
    refuse("home", bad[i].text, bad[i].code, message);
  }
#define LIST "expected at most 3 points of two or three numbers from -500 to 4000, found "
  refuse("force", "1 2; 3", TH_ERROR_FORMAT, LIST "1 2; 3");
  refuse("force", "1 2; 3 4 5 6", TH_ERROR_FORMAT, LIST "1 2; 3 4 5 6");
  refuse("force", "1 2;; 3 4", TH_ERROR_FORMAT, LIST "1 2;; 3 4");
  refuse("force", "1 2; nan 0", TH_ERROR_FORMAT, LIST "1 2; nan 0");
  refuse("force", "1 2; 3 -501; 4 4", TH_ERROR_RANGE, LIST "3 -501 0 as point 2");
  refuse("force", "1 2;3 4;5 6;7 8", TH_ERROR_RANGE, LIST "4 points");
  char many[900] = "";
  for (int i = 0; i < 200; i++) strcat(many, "1 2;");
  refuse("force", many, TH_ERROR_RANGE, LIST "200 points");
  thing t = fresh();
  t.home.z = NAN;
  expect(&t, "home", "expected two or three numbers from -9 to 9 m, found 1 1 nan");
  t = fresh();
  t.force.count = 4;
  expect(&t, "force", LIST "4 points");
  t.force.count = UINT32_MAX;
  expect(&t, "force", LIST "4294967295 points");
  t.force.count = 2;
  t.force.point[1].y = INFINITY;
  expect(&t, "force", LIST "0 inf 0 as point 2");
  t.force.count = 1; /* what is not used does not count */
  assert_int_equal(th_param_check(table, COUNT, &t, NULL), TH_OK);
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

/* What th_param_get says th_param_set understands, to the bit. */
static void texts_of_values_give_them_back(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int n = 0; n < 3000; n++) {
    thing t = fresh(), back = fresh();
    char text[TH_PARAM_TEXT_MAX], few[4];
    for (uint32_t k = 0; k < 9; k++) {
      const uint32_t draw = (uint32_t)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33);
      const float part = (float)draw / 2147483648.0f;
      if (k == 0) t.radius = 0.1f + 2.4f * part;
      if (k == 1) t.pull.x = 2.0f * part - 1.0f;
      if (k == 2) t.pull.y = n % 9 ? part * 1e-30f : -0.0f;
      if (k == 3) t.home = (th_vec3){18.0f * part - 9.0f, part, n % 2 ? part : 0.0f};
      if (k == 4) t.force.count = draw % 4;
      if (k >= 5 && k - 5 < t.force.count) t.force.point[k - 5] = (th_vec3){part * 4000.0f, part, n % 3 ? 0.0f : -part};
      if (k == 8) t.keen = draw % 2, t.sense = (int32_t)(draw % 2), t.period = 1 + (int32_t)(draw % 100);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
      th_error error;
      const size_t length = th_param_get(&table[i], &t, text, sizeof text);
      assert_true(length == strlen(text) && length < sizeof text);
      assert_int_equal(th_param_get(&table[i], &t, few, sizeof few), length);
      assert_true(strlen(few) == (length < 3 ? length : 3) && strncmp(few, text, 3) == 0);
      if (th_param_set(table, COUNT, &back, table[i].name, text, &error)) fail_msg("%s: %s", text, error.text);
    }
    assert_memory_equal(&t.radius, &back.radius, sizeof t.radius);
    assert_memory_equal(&t.pull, &back.pull, sizeof t.pull);
    assert_memory_equal(&t.home, &back.home, sizeof t.home);
    assert_memory_equal(&t.force, &back.force, sizeof t.force);
    assert_true(t.keen == back.keen && t.sense == back.sense && t.period == back.period);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_come_from_the_table_and_pass_the_check),
      cmocka_unit_test(checks_name_the_first_that_fails),
      cmocka_unit_test(good_text_sets_values),
      cmocka_unit_test(bad_text_changes_nothing_and_is_explained),
      cmocka_unit_test(places_and_lists_come_from_text),
      cmocka_unit_test(bad_places_and_lists_are_explained),
      cmocka_unit_test(unknown_names_get_the_nearest_known_one),
      cmocka_unit_test(texts_of_values_give_them_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
