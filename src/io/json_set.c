/* io/json_set.c - overrides one value: populations.0.speed=1.2.
 *
 * The change is made in the parsed tree before it is read, so a wrong name or a value out of range gives the same
 * message as in the file. The value is JSON when it parses as JSON, else a text. Entries of a list may be named by
 * number or by their "name". Missing objects along the path are created. Cost: one walk down the tree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json.h"

static bool find_entry(const json_t *list, const char *key, size_t *index) {
  char *end;
  unsigned long number = strtoul(key, &end, 10);
  if (*key >= '0' && *key <= '9' && !*end) {
    *index = number;
    return number < json_array_size(list);
  }
  for (*index = 0; *index < json_array_size(list); (*index)++) {
    const char *name = json_string_value(json_object_get(json_array_get(list, *index), "name"));
    if (name && strcmp(name, key) == 0) return true;
  }
  return false;
}

static bool join_index(char *pointer, size_t index) {
  char text[24];
  snprintf(text, sizeof text, "%zu", index);
  return th_json_join(pointer, TH_JSON_POINTER, text);
}

/* The name of an entry that was probably meant, or NULL. */
static const char *entry_like(const json_t *list, const char *key) {
  const char *hint = NULL;
  uint32_t best = UINT32_MAX;
  for (size_t k = 0; k < json_array_size(list); k++) {
    const char *name = json_string_value(json_object_get(json_array_get(list, k), "name"));
    const uint32_t distance = name ? th_json_distance(key, name) : UINT32_MAX;
    if (distance >= best || !th_json_similar(key, name, distance)) continue;
    best = distance;
    hint = name;
  }
  return hint;
}

/* One step down; makes an object where the key is missing. */
static json_t *descend(json_t *at, const char *key, char *pointer, const char *where, th_error *error) {
  if (json_is_array(at)) {
    size_t index;
    if (!find_entry(at, key, &index) || !join_index(pointer, index)) {
      const char *hint = entry_like(at, key);
      th_fail(error, TH_ERROR_RANGE, where,
              "%s: expected a number below %zu or the name of an entry, found \"%s\"%s%.60s%s", pointer,
              json_array_size(at), key, hint ? "; did you mean \"" : "", hint ? hint : "", hint ? "\"?" : "");
      return NULL;
    }
    return json_array_get(at, index);
  }
  if (!json_is_object(at) || !th_json_join(pointer, TH_JSON_POINTER, key)) {
    th_fail(error, TH_ERROR_FORMAT, where, "%s: \"%s\" expects an object or a list here, found %s", pointer, key,
            th_json_kind(at));
    return NULL;
  }
  json_t *next = json_object_get(at, key);
  if (!next && json_object_set_new(at, key, next = json_object()) != 0) {
    th_fail_memory(error, where);
    return NULL;
  }
  return next;
}

static th_result put(json_t *at, const char *key, json_t *value, char *pointer, const char *where, th_error *error) {
  if (!value) return th_fail_memory(error, where);
  int failed = -1;
  size_t index;
  if (json_is_object(at) && th_json_join(pointer, TH_JSON_POINTER, key)) {
    failed = json_object_set(at, key, value);
  } else if (json_is_array(at) && find_entry(at, key, &index) && join_index(pointer, index)) {
    failed = json_array_set(at, index, value);
  }
  json_decref(value);
  if (failed == 0) return TH_OK;
  return th_fail(error, TH_ERROR_RANGE, where, "%s: expected a key or an entry that can be set, found \"%s\"", pointer,
                 key);
}

static json_t *value_of(const char *text) {
  json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
  return value ? value : json_string(text);
}

th_result th_json_set(json_t *root, const char *assignment, char *pointer, th_error *error) {
  char where[160], key[TH_JSON_POINTER];
  snprintf(where, sizeof where, "--set %s", assignment);
  const char *equal = strchr(assignment, '=');
  size_t length = equal ? (size_t)(equal - assignment) : 0;
  *pointer = 0;
  if (length == 0 || length >= sizeof key) {
    return th_fail(error, TH_ERROR_FORMAT, where, "expected key=value such as populations.0.speed=1.2");
  }
  memcpy(key, assignment, length);
  key[length] = 0;
  json_t *at = root;
  char *name = key;
  for (char *dot = strchr(name, '.'); dot; dot = strchr(name, '.')) {
    *dot = 0;
    at = descend(at, name, pointer, where, error);
    if (!at) return error ? error->code : TH_ERROR_FORMAT;
    name = dot + 1;
  }
  return put(at, name, value_of(equal + 1), pointer, where, error);
}
