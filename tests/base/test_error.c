/* Tests of base/error.h: texts, positions, truncation, faults. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "support/unit.h"

static void fail_fills_and_returns_its_code(void **state) {
  (void)state;
  th_error error;
  memset(&error, 0x5A, sizeof error);
  assert_int_equal(th_fail(&error, TH_ERROR_RANGE, "radius", "expected %d to %d m, found %g", 0, 1, 2.5),
                   TH_ERROR_RANGE);
  assert_int_equal(error.code, TH_ERROR_RANGE);
  assert_string_equal(error.where, "radius");
  assert_string_equal(error.text, "expected 0 to 1 m, found 2.5");
  assert_int_equal(error.element, TH_NO_ELEMENT);
  assert_int_equal(error.line, 0);
  assert_int_equal(error.column, 0);
}

static void an_element_is_named(void **state) {
  (void)state;
  th_error error;
  assert_int_equal(th_fail_at(&error, TH_ERROR_GEOMETRY, NULL, 7, "crosses itself"), TH_ERROR_GEOMETRY);
  assert_int_equal(error.element, 7);
  assert_string_equal(error.where, "");
  assert_string_equal(error.text, "crosses itself");
}

static void no_error_struct_is_needed(void **state) {
  (void)state;
  assert_int_equal(th_fail(NULL, TH_ERROR_FILE, "x", "y"), TH_ERROR_FILE);
  assert_int_equal(th_fail_at(NULL, TH_ERROR_FILE, "x", 1, "y"), TH_ERROR_FILE);
  assert_int_equal(th_fail_memory(NULL, "x"), TH_ERROR_MEMORY);
}

static void long_texts_are_cut_not_overrun(void **state) {
  (void)state;
  char longer[1000];
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = 0;
  th_error error;
  th_fail(&error, TH_ERROR_FORMAT, longer, "%s", longer);
  assert_int_equal(strlen(error.where), sizeof error.where - 1);
  assert_int_equal(strlen(error.text), sizeof error.text - 1);
}

typedef struct heard {
  th_log_level level;
  char text[300];
  int count;
} heard;

static void hear(void *user, th_log_level level, const char *text) {
  heard *h = user;
  h->level = level;
  h->count++;
  strncpy(h->text, text, sizeof h->text - 1);
}

static void faults_reach_the_log(void **state) {
  (void)state;
  heard h = {0};
  th_env env = {.log = {hear, &h}};
  th_fault(&env, "agent %u is gone", 5u);
  assert_int_equal(h.count, 1);
  assert_int_equal(h.level, TH_LOG_FAULT);
  assert_string_equal(h.text, "agent 5 is gone");
  th_fault(NULL, "nobody listens");
  th_env silent = {0};
  th_fault(&silent, "nobody listens");
  assert_int_equal(h.count, 1);
}

static void results_and_version_have_names(void **state) {
  (void)state;
  assert_string_equal(th_result_name(TH_OK), "ok");
  assert_string_equal(th_result_name(TH_ERROR_MEMORY), "memory");
  assert_string_equal(th_result_name(TH_ERROR_STOPPED), "stopped");
  assert_string_equal(th_result_name((th_result)(TH_ERROR_STOPPED + 1)), "unknown");
  assert_string_equal(th_result_name((th_result)-1), "unknown");
  for (int i = 0; i <= TH_ERROR_STOPPED; i++)
    for (int j = 0; j < i; j++) assert_string_not_equal(th_result_name((th_result)i), th_result_name((th_result)j));
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", TH_VERSION_MAJOR, TH_VERSION_MINOR, TH_VERSION_PATCH);
  assert_string_equal(th_version(), version);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fail_fills_and_returns_its_code),
      cmocka_unit_test(an_element_is_named),
      cmocka_unit_test(no_error_struct_is_needed),
      cmocka_unit_test(long_texts_are_cut_not_overrun),
      cmocka_unit_test(faults_reach_the_log),
      cmocka_unit_test(results_and_version_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
