/* io/scene/read_values.c - reading numbers, texts, choices and ranges.
 *
 * Each function reads one kind of value, checks it against the range in the key's table and says what was expected and
 * what was found. Cost: constant per value.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/scene/read.h"

th_result th_read_fail_number(th_scene_reader *reader, const json_t *value, const th_key *key, const char *kind) {
  char found[TH_FOUND], range[64] = "";
  if (key->max < HUGE_VAL)
    snprintf(range, sizeof range, " from %g to %g", key->min, key->max);
  else if (key->min > -HUGE_VAL)
    snprintf(range, sizeof range, " of at least %g", key->min);
  th_result code = json_is_number(value) ? TH_ERROR_RANGE : TH_ERROR_FORMAT;
  return th_reader_fail(reader, code, false, "expected %s%s%s%s, found %s", kind, range, *key->unit ? " " : "",
                        key->unit, th_reader_found(value, found));
}

th_result th_read_number(th_scene_reader *reader, const json_t *value, const th_key *key, double *number) {
  double found = json_number_value(value);
  if (!json_is_number(value) || !(found >= key->min && found <= key->max)) {
    return th_read_fail_number(reader, value, key, "a number");
  }
  *number = found;
  return TH_OK;
}

static th_result read_whole(th_scene_reader *reader, const th_read *read, uint64_t *whole) {
  json_int_t found = json_integer_value(read->value);
  bool inside = json_is_integer(read->value) && (double)found >= read->key->min && (double)found <= read->key->max;
  if (!inside || found < 0) return th_read_fail_number(reader, read->value, read->key, "a whole number");
  *whole = (uint64_t)found;
  return TH_OK;
}

th_result th_read_float_key(th_scene_reader *reader, const th_read *read) {
  double number = 0;
  th_result result = th_read_number(reader, read->value, read->key, &number);
  float narrow = (float)number;
  if (result == TH_OK && !isfinite(narrow))
    return th_read_fail_number(reader, read->value, read->key, "a smaller number");
  if (result == TH_OK) memcpy(read->object + read->key->offset, &narrow, sizeof narrow);
  return result;
}

th_result th_read_double_key(th_scene_reader *reader, const th_read *read) {
  double number = 0;
  th_result result = th_read_number(reader, read->value, read->key, &number);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &number, sizeof number);
  return result;
}

th_result th_read_count_key(th_scene_reader *reader, const th_read *read) {
  uint64_t whole = 0;
  th_result result = read_whole(reader, read, &whole);
  uint32_t narrow = (uint32_t)whole;
  if (result == TH_OK) memcpy(read->object + read->key->offset, &narrow, sizeof narrow);
  return result;
}

static th_result read_signed(th_scene_reader *reader, const json_t *value, const th_key *key, int32_t *whole) {
  json_int_t found = json_integer_value(value);
  bool inside = json_is_integer(value) && (double)found >= key->min && (double)found <= key->max;
  if (!inside) return th_read_fail_number(reader, value, key, "a whole number");
  *whole = (int32_t)found;
  return TH_OK;
}

th_result th_read_whole_key(th_scene_reader *reader, const th_read *read) {
  int32_t whole = 0;
  th_result result = read_signed(reader, read->value, read->key, &whole);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &whole, sizeof whole);
  return result;
}

th_result th_read_wholes_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  if (!json_is_array(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a list of whole numbers, found %s",
                          th_reader_found(read->value, found));
  }
  uint32_t count = (uint32_t)json_array_size(read->value);
  int32_t *whole = th_scene_memory_take(reader->memory, count, sizeof *whole);
  if (!whole) return th_reader_fail_memory(reader);
  for (uint32_t i = 0; i < count; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = read_signed(reader, json_array_get(read->value, i), read->key, &whole[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  memcpy(read->object + read->key->offset, &whole, sizeof whole);
  memcpy(read->object + read->key->count_offset, &count, sizeof count);
  return TH_OK;
}

th_result th_read_seed_key(th_scene_reader *reader, const th_read *read) {
  uint64_t whole = 0;
  th_result result = read_whole(reader, read, &whole);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &whole, sizeof whole);
  return result;
}

th_result th_read_bool_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  bool yes = json_is_true(read->value);
  if (!json_is_boolean(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected true or false, found %s",
                          th_reader_found(read->value, found));
  }
  memcpy(read->object + read->key->offset, &yes, sizeof yes);
  return TH_OK;
}

th_result th_read_text(th_scene_reader *reader, const json_t *value, const char **text) {
  char found[TH_FOUND];
  if (!json_is_string(value) || json_string_length(value) == 0) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a text, found %s",
                          json_is_string(value) ? "an empty one" : th_reader_found(value, found));
  }
  if (!th_is_printable(json_string_value(value)) && strcmp(reader->pointer, "/description") != 0) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a text without control characters, found %s",
                          th_reader_found(value, found));
  }
  *text = th_scene_memory_text(reader->memory, json_string_value(value));
  return *text ? TH_OK : th_reader_fail_memory(reader);
}

th_result th_read_text_key(th_scene_reader *reader, const th_read *read) {
  const char *text;
  th_result result = th_read_text(reader, read->value, &text);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &text, sizeof text);
  return result;
}

th_result th_read_long_text_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  if (!json_is_string(read->value))
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a text, found %s",
                          th_reader_found(read->value, found));
  const char *text = th_scene_memory_text(reader->memory, json_string_value(read->value));
  if (!text) return th_reader_fail_memory(reader);
  memcpy(read->object + read->key->offset, &text, sizeof text);
  return TH_OK;
}

th_result th_read_texts_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  if (!json_is_array(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a list of texts, found %s",
                          th_reader_found(read->value, found));
  }
  uint32_t count = (uint32_t)json_array_size(read->value);
  const char **text = th_scene_memory_take(reader->memory, count, sizeof *text);
  if (!text) return th_reader_fail_memory(reader);
  for (uint32_t i = 0; i < count; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = th_read_text(reader, json_array_get(read->value, i), &text[i]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  memcpy(read->object + read->key->offset, &text, sizeof text);
  memcpy(read->object + read->key->count_offset, &count, sizeof count);
  return TH_OK;
}

th_result th_read_choice_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND], known[120] = "";
  const char *text = json_string_value(read->value), *hint = NULL;
  uint32_t best = UINT32_MAX;
  for (int32_t i = 0; read->key->choice[i]; i++) {
    const char *name = read->key->choice[i];
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s\"%s\"", used ? ", " : "", name);
    uint32_t distance = text ? th_json_distance(text, name) : UINT32_MAX;
    if (distance == 0) {
      memcpy(read->object + read->key->offset, &i, sizeof i);
      return TH_OK;
    }
    if (!text || distance >= best || !th_json_similar(text, name, distance)) continue;
    best = distance;
    hint = name;
  }
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected one of %s, found %s%s%s%s", known,
                        th_reader_found(read->value, found), hint ? "; did you mean \"" : "", hint ? hint : "",
                        hint ? "\"?" : "");
}

th_result th_read_floats_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  size_t count = json_array_size(read->value);
  if (!json_is_array(read->value) || count == 0 || count > TH_MAX_CLASSES) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a list of 1 to %d numbers, found %s%s",
                          TH_MAX_CLASSES, th_reader_found(read->value, found), count ? "" : " that is empty");
  }
  float number[TH_MAX_CLASSES] = {0};
  for (size_t i = 0; i < count; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    double wide = 0;
    th_result result = th_read_number(reader, json_array_get(read->value, i), read->key, &wide);
    number[i] = (float)wide;
    if (result == TH_OK && i > 0 && number[i] <= number[i - 1]) {
      result = th_reader_fail(reader, TH_ERROR_RANGE, false, "expected ascending numbers, found %g after %g",
                              (double)number[i], (double)number[i - 1]);
    }
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  uint32_t narrow = (uint32_t)count;
  memcpy(read->object + read->key->offset, number, sizeof number);
  memcpy(read->object + read->key->count_offset, &narrow, sizeof narrow);
  return TH_OK;
}

/* ---------------------------------------------------------------- ranges */

th_result th_read_two(th_scene_reader *reader, const json_t *value, const th_two *names, const th_key *key,
                      double *pair) {
  const char *name;
  json_t *number;
  json_object_foreach((json_t *)value, name, number) {
    int which = strcmp(name, names->first) == 0 ? 0 : strcmp(name, names->second) == 0 ? 1 : -1;
    size_t mark = th_reader_enter(reader, name);
    if (which < 0) {
      return th_reader_fail(reader, TH_ERROR_FORMAT, true, "expected \"%s\" and \"%s\", found \"%.60s\"", names->first,
                            names->second, name);
    }
    th_result result = th_read_number(reader, number, key, &pair[which]);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  bool first = json_object_get(value, names->first), second = json_object_get(value, names->second);
  if (names->both ? first && second : first || second) return TH_OK;
  return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the key \"%s\", found none",
                        first ? names->second : names->first);
}

static th_result read_range(th_scene_reader *reader, const json_t *value, const th_key *key, th_range *range) {
  *range = (th_range){true, -HUGE_VAL, HUGE_VAL};
  if (json_is_number(value)) {
    range->min = range->max = json_number_value(value);
    return TH_OK;
  }
  if (!json_is_object(value)) return th_read_fail_number(reader, value, key, "a number, or {\"min\", \"max\"}");
  double pair[2] = {-HUGE_VAL, HUGE_VAL};
  th_result result = th_read_two(reader, value, &(th_two){"min", "max", false}, key, pair);
  range->min = pair[0];
  range->max = pair[1];
  if (result == TH_OK && range->min > range->max) {
    return th_reader_fail(reader, TH_ERROR_RANGE, false, "expected \"min\" not above \"max\", found %g and %g", pair[0],
                          pair[1]);
  }
  return result;
}

th_result th_read_range_key(th_scene_reader *reader, const th_read *read) {
  th_range range;
  th_result result = read_range(reader, read->value, read->key, &range);
  if (result == TH_OK) memcpy(read->object + read->key->offset, &range, sizeof range);
  return result;
}

th_result th_read_ranges_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  if (!json_is_object(read->value)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected an object with a range for each name, found %s",
                          th_reader_found(read->value, found));
  }
  uint32_t count = 0;
  th_named_range *range = th_scene_memory_take(reader->memory, json_object_size(read->value), sizeof *range);
  if (!range) return th_reader_fail_memory(reader);
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)read->value, name, value) {
    size_t mark = th_reader_enter(reader, name);
    range[count].name = th_scene_memory_text(reader->memory, name);
    if (!range[count].name) return th_reader_fail_memory(reader);
    th_result result = read_range(reader, value, read->key, &range[count].range);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
    count++;
  }
  memcpy(read->object + read->key->offset, &range, sizeof range);
  memcpy(read->object + read->key->count_offset, &count, sizeof count);
  return TH_OK;
}
