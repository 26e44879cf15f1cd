/* tests/io/test_json.c - positions in JSON text, limits, overrides, hints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/json.h"
#include "support/allocator.h"

static const char text[] =
    "{\n"
    "  \"name\": \"a \\\"quoted\\\" } name\",\n"
    "  \"list\": [1, {\"x\": [10, 20, [30]]}, \"t\"],\n"
    "  \"\\u006bey\": {\"a/b\": {\"c~d\": true}},\n"
    "  \"umlaut \xC3\xA4\": 1, \"after\": 2\n"
    "}\n";

static const th_json_text source = {"test.json", text, sizeof text - 1};

static void expect_at(const char *pointer, bool key, uint32_t line, uint32_t column) {
  uint32_t l = 0, c = 0;
  assert_true(th_json_locate(&source, pointer, key, &l, &c));
  if (l != line || c != column) fail_msg("%s: expected %u:%u, found %u:%u", pointer, line, column, l, c);
}

static void locates_values_and_keys(void **state) {
  (void)state;
  expect_at("", false, 1, 1);
  expect_at("/name", true, 2, 3);
  expect_at("/name", false, 2, 11);
  expect_at("/list/0", false, 3, 12);
  expect_at("/list/1/x/2/0", false, 3, 31);
  expect_at("/list/2", false, 3, 38);
  expect_at("/key/a~1b/c~0d", false, 4, 31);
  expect_at("/after", true, 5, 18); /* a character counts once, however many bytes it has */
}

static void says_when_a_pointer_leads_nowhere(void **state) {
  (void)state;
  uint32_t l, c;
  assert_false(th_json_locate(&source, "/nam", false, &l, &c));
  assert_false(th_json_locate(&source, "/list/3", false, &l, &c));
  assert_false(th_json_locate(&source, "/list/x", false, &l, &c));
  assert_false(th_json_locate(&source, "/name/0", false, &l, &c));
}

/* Every cut of a text is walked without reading past its end (seen by the address sanitizer). */
static void locates_in_truncated_text(void **state) {
  (void)state;
  for (size_t length = 0; length < sizeof text; length++) {
    char *exact = malloc(length + 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    th_json_text cut = {"cut", exact, length};
    uint32_t l, c;
    char pointer[TH_JSON_POINTER];
    th_json_locate(&cut, "/list/1/x/2/0", false, &l, &c);
    th_json_locate(&cut, "/key/a~1b/c~0d", true, &l, &c);
    th_json_pointer_at(&cut, length / 2, pointer, sizeof pointer);
    free(exact);
  }
}

static void goes_back_from_offset_to_pointer(void **state) {
  (void)state;
  char pointer[TH_JSON_POINTER];
  th_json_pointer_at(&source, (size_t)(strstr(text, "30") - text), pointer, sizeof pointer);
  assert_string_equal(pointer, "/list/1/x/2/0");
}

static void syntax_errors_have_positions(void **state) {
  (void)state;
  const char bad[] = "{\n  \"a\": 1,\n  \"b\": }\n";
  json_t *root;
  th_error error = {0};
  assert_int_equal(th_json_parse(&(th_json_text){"bad.json", bad, strlen(bad)}, &root, &error), TH_ERROR_FORMAT);
  assert_int_equal(error.line, 3);
  assert_string_equal(error.where, "bad.json");
  assert_int_equal(th_json_parse(&(th_json_text){"none.json", "", 0}, &root, &error), TH_ERROR_FORMAT);
  assert_non_null(strstr(error.text, "empty"));
}

static void duplicate_keys_are_refused_with_their_place(void **state) {
  (void)state;
  const char bad[] = "{\n  \"a\": [{\"speed\": 1,\n    \"speed\": 2}]\n}\n";
  json_t *root;
  th_error error = {0};
  assert_int_equal(th_json_parse(&(th_json_text){"bad.json", bad, strlen(bad)}, &root, &error), TH_ERROR_FORMAT);
  assert_int_equal(error.line, 3);
  assert_int_equal(error.column, 5);
  assert_non_null(strstr(error.text, "\"speed\""));
  assert_non_null(strstr(error.text, "/a/0"));
}

static void deep_nesting_is_an_error_and_no_crash(void **state) {
  (void)state;
  size_t depth = 1000000;
  char *deep = malloc(depth);
  assert_non_null(deep);
  memset(deep, '[', depth);
  json_t *root;
  th_error error = {0};
  assert_int_equal(th_json_parse(&(th_json_text){"deep.json", deep, depth}, &root, &error), TH_ERROR_FORMAT);
  free(deep);
}

static void a_file_of_100_mb_is_refused_before_it_is_read(void **state) {
  (void)state;
  char path[] = "/tmp/throng-large-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  assert_int_equal(ftruncate(file, 100 << 20), 0);
  close(file);
  failing f = {0};
  th_env env = failing_env(&f);
  th_json_file loaded;
  th_error error = {0};
  assert_int_equal(th_json_load(&env, path, &loaded, &error), TH_ERROR_CAPACITY);
  assert_non_null(strstr(error.text, "64 MB"));
  assert_int_equal(f.calls, 0);
  unlink(path);
}

static void folders_and_missing_files_are_errors(void **state) {
  (void)state;
  failing f = {0};
  th_env env = failing_env(&f);
  th_json_file loaded;
  th_error error = {0};
  assert_int_equal(th_json_load(&env, "/tmp", &loaded, &error), TH_ERROR_FILE);
  assert_int_equal(th_json_load(&env, "/tmp/no/such/file", &loaded, &error), TH_ERROR_FILE);
  assert_non_null(strstr(error.text, "No such file"));
}

static json_t *parse(const char *json) {
  json_t *root = json_loads(json, 0, NULL);
  assert_non_null(root);
  return root;
}

static void overrides_set_values_by_number_and_by_name(void **state) {
  (void)state;
  json_t *root = parse("{\"populations\": [{\"name\": \"red\", \"speed\": 1}, {\"name\": \"blue\"}]}");
  char pointer[TH_JSON_POINTER];
  th_error error = {0};
  assert_int_equal(th_json_set(root, "populations.0.speed=1.5", pointer, &error), TH_OK);
  assert_string_equal(pointer, "/populations/0/speed");
  assert_int_equal(th_json_set(root, "populations.blue.model=follow", pointer, &error), TH_OK);
  assert_string_equal(pointer, "/populations/1/model");
  assert_int_equal(th_json_set(root, "recording.every=0.5", pointer, &error), TH_OK);
  json_t *list = json_object_get(root, "populations");
  assert_true(json_real_value(json_object_get(json_array_get(list, 0), "speed")) == 1.5);
  assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "model")), "follow");
  assert_true(json_real_value(json_object_get(json_object_get(root, "recording"), "every")) == 0.5);
  json_decref(root);
}

static void wrong_overrides_are_errors(void **state) {
  (void)state;
  static const char *const wrong[] = {"", "speed", "=3", "list.7=1", "list.none=1", "list.0.deep.x=1", "text.x.y=1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    json_t *root = parse("{\"list\": [1], \"text\": \"t\"}");
    char pointer[TH_JSON_POINTER];
    th_error error = {0};
    if (th_json_set(root, wrong[i], pointer, &error) == TH_OK) fail_msg("--set %s was taken", wrong[i]);
    assert_true(strncmp(error.where, "--set ", 6) == 0);
    json_decref(root);
  }
}

static void distance_counts_edits(void **state) {
  (void)state;
  assert_int_equal(th_json_distance("speed", "speed"), 0);
  assert_int_equal(th_json_distance("sped", "speed"), 1);
  assert_int_equal(th_json_distance("sepeed", "speed"), 1);
  assert_int_equal(th_json_distance("pseed", "speed"), 1); /* neighbours swapped */
  assert_int_equal(th_json_distance("", "speed"), 5);
  assert_true(th_json_similar("raduis", "radius", th_json_distance("raduis", "radius")));
  assert_false(th_json_similar("speed", "goals", th_json_distance("speed", "goals")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(locates_values_and_keys),
      cmocka_unit_test(says_when_a_pointer_leads_nowhere),
      cmocka_unit_test(locates_in_truncated_text),
      cmocka_unit_test(goes_back_from_offset_to_pointer),
      cmocka_unit_test(syntax_errors_have_positions),
      cmocka_unit_test(duplicate_keys_are_refused_with_their_place),
      cmocka_unit_test(deep_nesting_is_an_error_and_no_crash),
      cmocka_unit_test(a_file_of_100_mb_is_refused_before_it_is_read),
      cmocka_unit_test(folders_and_missing_files_are_errors),
      cmocka_unit_test(overrides_set_values_by_number_and_by_name),
      cmocka_unit_test(wrong_overrides_are_errors),
      cmocka_unit_test(distance_counts_edits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
