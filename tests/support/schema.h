/* tests/support/schema.h - a small validator of JSON schemas: the words that the schema of scenes uses. */
#ifndef TH_TESTS_SUPPORT_SCHEMA_H
#define TH_TESTS_SUPPORT_SCHEMA_H

#include <jansson.h>
#include <string.h>

#include "support/unit.h"

static inline json_t *schema_load(const char *path) {
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  if (!root) fail_msg("%s:%d: %s", path, error.line, error.text);
  return root;
}

static inline const json_t *schema_follow(const json_t *root, const json_t *schema) {
  const char *path = json_string_value(json_object_get(schema, "$ref"));
  if (!path) return schema;
  assert_true(strncmp(path, "#/$defs/", 8) == 0);
  const json_t *target = json_object_get(json_object_get(root, "$defs"), path + 8);
  if (!target) fail_msg("%s leads nowhere", path);
  return target;
}

static inline bool schema_valid(const json_t *root, const json_t *schema, const json_t *value);

static inline bool schema_has_type(const json_t *value, const char *type) {
  if (!strcmp(type, "object")) return json_is_object(value);
  if (!strcmp(type, "array")) return json_is_array(value);
  if (!strcmp(type, "string")) return json_is_string(value);
  if (!strcmp(type, "number")) return json_is_number(value);
  if (!strcmp(type, "integer")) return json_is_integer(value);
  return !strcmp(type, "boolean") && json_is_boolean(value);
}

static inline bool schema_valid_numbers(const json_t *schema, const json_t *value) {
  const json_t *min = json_object_get(schema, "minimum"), *max = json_object_get(schema, "maximum");
  double number = json_number_value(value);
  if (json_is_number(value) && min && number < json_number_value(min)) return false;
  if (json_is_number(value) && max && number > json_number_value(max)) return false;
  const json_t *few = json_object_get(schema, "minItems"), *many = json_object_get(schema, "maxItems");
  if (few && json_array_size(value) < (size_t)json_integer_value(few)) return false;
  if (many && json_array_size(value) > (size_t)json_integer_value(many)) return false;
  const json_t *shortest = json_object_get(schema, "minLength");
  return !shortest || !json_is_string(value) || json_string_length(value) >= (size_t)json_integer_value(shortest);
}

static inline uint32_t schema_count_valid(const json_t *root, const json_t *list, const json_t *value) {
  uint32_t count = 0;
  size_t i;
  json_t *entry;
  json_array_foreach(list, i, entry) count += schema_valid(root, entry, value);
  return count;
}

static inline bool schema_valid_members(const json_t *root, const json_t *schema, const json_t *value) {
  const json_t *properties = json_object_get(schema, "properties");
  const json_t *more = json_object_get(schema, "additionalProperties");
  const char *name;
  json_t *member;
  json_object_foreach((json_t *)value, name, member) {
    const json_t *rule = json_object_get(properties, name);
    if (!rule && json_is_false(more)) return false;
    if (!rule) rule = more;
    if (json_is_object(rule) && !schema_valid(root, rule, member)) return false;
  }
  size_t i;
  json_t *needed;
  json_array_foreach(json_object_get(schema, "required"), i, needed) {
    if (!json_object_get(value, json_string_value(needed))) return false;
  }
  const json_t *fewest = json_object_get(schema, "minProperties");
  return !fewest || json_object_size(value) >= (size_t)json_integer_value(fewest);
}

static inline bool schema_valid(const json_t *root, const json_t *schema, const json_t *value) {
  schema = schema_follow(root, schema);
  const char *type = json_string_value(json_object_get(schema, "type"));
  if ((type && !schema_has_type(value, type)) || !schema_valid_numbers(schema, value)) return false;
  const json_t *any = json_object_get(schema, "anyOf"), *one = json_object_get(schema, "oneOf");
  if (any && schema_count_valid(root, any, value) == 0) return false;
  if (one && schema_count_valid(root, one, value) != 1) return false;
  size_t i;
  json_t *entry;
  bool listed = !json_object_get(schema, "enum");
  json_array_foreach(json_object_get(schema, "enum"), i, entry) listed = listed || json_equal(entry, value);
  if (!listed) return false;
  const json_t *items = json_object_get(schema, "items");
  if (items) json_array_foreach(value, i, entry) if (!schema_valid(root, items, entry)) return false;
  return !json_is_object(value) || schema_valid_members(root, schema, value);
}

#endif
