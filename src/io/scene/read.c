/* io/scene/read.c - reading a JSON tree by tables of keys.
 *
 * The reader follows the tables of keys.c: every key is looked up, read by its kind and written at its offset. The
 * reader keeps the JSON pointer of the current value; only a failure turns it into line and column. For an unknown key
 * the error suggests the most similar known one. Cost: linear in the tree times the keys of a table.
 */
#include "io/scene/read.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

size_t th_reader_enter(th_scene_reader *reader, const char *key) {
  size_t mark = strlen(reader->pointer);
  th_json_join(reader->pointer, sizeof reader->pointer, key); /* too long: the parent stands for it */
  return mark;
}

size_t th_reader_enter_index(th_scene_reader *reader, size_t index) {
  char text[24];
  snprintf(text, sizeof text, "%zu", index);
  return th_reader_enter(reader, text);
}

void th_reader_back(th_scene_reader *reader, size_t mark) { reader->pointer[mark] = 0; }

/* The override that set the value at `pointer`, or NULL when the value is from the file. */
static const char *override_of(const th_scene_reader *reader) {
  for (uint32_t i = reader->set_count; i-- > 0;) {
    size_t length = strlen(reader->set_pointer[i]);
    bool inside = strncmp(reader->pointer, reader->set_pointer[i], length) == 0;
    if (inside && (reader->pointer[length] == 0 || reader->pointer[length] == '/')) return reader->set[i];
  }
  return NULL;
}

th_result th_reader_fail(th_scene_reader *reader, th_result code, bool at_key, const char *format, ...) {
  th_error *error = reader->error;
  if (!error) return code;
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *set = override_of(reader);
  char where[sizeof error->where];
  snprintf(where, sizeof where, "%s%s", set ? "--set " : "", set ? set : reader->source->name);
  th_fail(error, code, where, "%s: %s", *reader->pointer ? reader->pointer : "/", text);
  if (!set) th_json_locate(reader->source, reader->pointer, at_key, &error->line, &error->column);
  return code;
}

th_result th_reader_fail_memory(th_scene_reader *reader) { return th_fail_memory(reader->error, reader->source->name); }

const char *th_reader_found(const json_t *value, char text[TH_FOUND]) {
  if (json_is_string(value)) {
    snprintf(text, TH_FOUND, "the text \"%.*s\"", TH_FOUND - 16, json_string_value(value));
  } else if (json_is_integer(value)) {
    snprintf(text, TH_FOUND, "%lld", (long long)json_integer_value(value));
  } else if (json_is_real(value)) {
    snprintf(text, TH_FOUND, "%g", json_real_value(value));
  } else {
    snprintf(text, TH_FOUND, "%s", th_json_kind(value));
  }
  return text;
}

/* ---------------------------------------------------------------- keys */

static const th_key *find_key(const th_table *table, const char *name, uint32_t *base, const th_table **owner) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    if (key->kind == TH_KEY_INCLUDE) {
      uint32_t outer = *base;
      *base += key->offset;
      const th_key *found = find_key(key->table, name, base, owner);
      if (found) return found;
      *base = outer;
    } else if (strcmp(key->name, name) == 0) {
      *owner = table;
      return key;
    }
  }
  return NULL;
}

typedef struct nearest {
  const char *name;
  uint32_t distance;
} nearest;

static void find_nearest(const th_table *table, const char *name, nearest *best) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    if (key->kind == TH_KEY_INCLUDE) {
      find_nearest(key->table, name, best);
      continue;
    }
    uint32_t distance = th_json_distance(name, key->name);
    if (!th_json_similar(name, key->name, distance) || distance >= best->distance) continue;
    *best = (nearest){key->name, distance};
  }
}

static void list_keys(const th_table *table, char *text, size_t size) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    size_t used = strlen(text);
    if (key->kind == TH_KEY_INCLUDE) {
      list_keys(key->table, text, size);
    } else if (used + strlen(key->name) + 8 < size) {
      snprintf(text + used, size - used, "%s%s", used ? ", " : "", key->name);
    } else if (used + 5 < size && (used < 3 || strcmp(text + used - 3, "...") != 0)) {
      snprintf(text + used, size - used, " ...");
      return;
    }
  }
}

static th_result fail_unknown(th_scene_reader *reader, const th_table *table, const char *name) {
  nearest best = {NULL, UINT32_MAX};
  find_nearest(table, name, &best);
  th_reader_enter(reader, name);
  if (best.name) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, true, "expected a key of %s, found \"%.60s\"; did you mean \"%s\"?",
                          table->name, name, best.name);
  }
  char known[180] = "";
  list_keys(table, known, sizeof known);
  return th_reader_fail(reader, TH_ERROR_FORMAT, true, "expected a key of %s (%s), found \"%.60s\"", table->name, known,
                        name);
}

/* ---------------------------------------------------------------- objects */

/* A key that is not in the table: one that the table knows by other means, or a mistake. */
static th_result read_other(th_scene_reader *reader, const th_table *table, const th_read *read) {
  bool known = false;
  th_result result = table->other ? table->other(reader, read, &known) : TH_OK;
  return result != TH_OK || known ? result : fail_unknown(reader, table, read->key->name);
}

static th_result read_members(th_scene_reader *reader, const th_table *table, const json_t *json, uint8_t *object) {
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)json, name, value) {
    uint32_t base = 0;
    const th_table *owner = NULL;
    const th_key *key = find_key(table, name, &base, &owner);
    if (!key) {
      const th_result other = read_other(reader, table, &(th_read){&(th_key){.name = name}, value, json, object});
      if (other != TH_OK) return other;
      continue;
    }
    size_t mark = th_reader_enter(reader, name);
    th_result result = th_read_value(reader, &(th_read){key, value, json, object + base});
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
    if (owner->given_offset == UINT32_MAX) continue;
    uint64_t given;
    memcpy(&given, object + base + owner->given_offset, sizeof given);
    given |= (uint64_t)1 << (key - owner->key);
    memcpy(object + base + owner->given_offset, &given, sizeof given);
  }
  return TH_OK;
}

static th_result check_one_of(th_scene_reader *reader, const th_table *table, const json_t *json) {
  char names[400] = "";
  uint32_t given = 0;
  const char *second = NULL;
  for (const char *const *name = table->one_of; *name; name++) {
    size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", *name);
    if (!json_object_get(json, *name)) continue;
    given++;
    second = *name;
  }
  if (given == 1) return TH_OK;
  if (given == 0) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected exactly one of %s, found none", names);
  }
  th_reader_enter(reader, second);
  return th_reader_fail(reader, TH_ERROR_FORMAT, true, "expected exactly one of %s, found %u", names, given);
}

static th_result check_needed(th_scene_reader *reader, const th_table *table, const json_t *json, uint8_t *object) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    th_result result = TH_OK;
    if (key->kind == TH_KEY_INCLUDE) {
      result = check_needed(reader, key->table, json, object + key->offset);
    } else if ((key->flags & TH_KEY_NEEDED) && !json_object_get(json, key->name)) {
      result = th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected the key \"%s\" (%s), found none", key->name,
                              key->text);
    }
    if (result != TH_OK) return result;
  }
  if (table->one_of) {
    th_result result = check_one_of(reader, table, json);
    if (result != TH_OK) return result;
  }
  return table->check ? table->check(reader, json, object) : TH_OK;
}

void th_read_initial(const th_table *table, void *object) {
  if (table->init) table->init(object);
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    bool inside = key->kind == TH_KEY_INCLUDE || (key->kind == TH_KEY_OBJECT && !(key->flags & TH_KEY_AWAY));
    if (inside) th_read_initial(key->table, (uint8_t *)object + key->offset);
  }
}

th_result th_read_object(th_scene_reader *reader, const th_table *table, const json_t *json, void *object) {
  char found[TH_FOUND];
  if (!json_is_object(json)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected an object (%s), found %s", table->name,
                          th_reader_found(json, found));
  }
  th_read_initial(table, object);
  th_result result = read_members(reader, table, json, object);
  return result == TH_OK ? check_needed(reader, table, json, object) : result;
}

/* ---------------------------------------------------------------- kinds that hold objects */

static th_result read_object_key(th_scene_reader *reader, const th_read *read) {
  void *target = read->object + read->key->offset;
  if (read->key->flags & TH_KEY_AWAY) {
    void *away = th_scene_memory_take(reader->memory, 1, read->key->table->size);
    if (!away) return th_reader_fail_memory(reader);
    memcpy(target, &away, sizeof away);
    target = away;
  }
  return th_read_object(reader, read->key->table, read->value, target);
}

static th_result read_list_key(th_scene_reader *reader, const th_read *read) {
  char found[TH_FOUND];
  size_t count = json_array_size(read->value);
  if (!json_is_array(read->value) || ((read->key->flags & TH_KEY_FEW) && count == 0)) {
    return th_reader_fail(reader, TH_ERROR_FORMAT, false, "expected a list of objects (%s), found %s",
                          read->key->table->name, count ? th_reader_found(read->value, found) : "an empty list");
  }
  const th_table *table = read->key->table;
  uint8_t *items = th_scene_memory_take(reader->memory, count, table->size);
  if (!items) return th_reader_fail_memory(reader);
  for (size_t i = 0; i < count; i++) {
    size_t mark = th_reader_enter_index(reader, i);
    th_result result = th_read_object(reader, table, json_array_get(read->value, i), items + i * table->size);
    if (result != TH_OK) return result;
    th_reader_back(reader, mark);
  }
  uint32_t small = (uint32_t)count;
  memcpy(read->object + read->key->offset, &items, sizeof items);
  memcpy(read->object + read->key->count_offset, &small, sizeof small);
  return TH_OK;
}

th_result th_read_value(th_scene_reader *reader, const th_read *read) {
  static const th_read_function function[TH_KEY_KINDS] = {
      [TH_KEY_FLOAT] = th_read_float_key,         [TH_KEY_DOUBLE] = th_read_double_key,
      [TH_KEY_COUNT] = th_read_count_key,         [TH_KEY_WHOLE] = th_read_whole_key,
      [TH_KEY_WHOLES] = th_read_wholes_key,       [TH_KEY_SEED] = th_read_seed_key,
      [TH_KEY_BOOL] = th_read_bool_key,           [TH_KEY_TEXT] = th_read_text_key,
      [TH_KEY_CHOICE] = th_read_choice_key,       [TH_KEY_PAIR] = th_read_pair_key,
      [TH_KEY_POINTS] = th_read_points_key,       [TH_KEY_FLOATS] = th_read_floats_key,
      [TH_KEY_TEXTS] = th_read_texts_key,         [TH_KEY_SPREAD] = th_read_spread_key,
      [TH_KEY_RANGE] = th_read_range_key,         [TH_KEY_RANGES] = th_read_ranges_key,
      [TH_KEY_OBJECT] = read_object_key,          [TH_KEY_LIST] = read_list_key,
      [TH_KEY_ROUTE] = th_read_route_key,         [TH_KEY_MODEL] = th_read_model_key,
      [TH_KEY_PARAMS] = th_read_params_key,       [TH_KEY_GUIDE] = th_read_guide_key,
      [TH_KEY_MAKE] = th_read_make_key,           [TH_KEY_EVERYWHERE] = th_read_everywhere_key,
      [TH_KEY_POINT] = th_read_point_key,         [TH_KEY_LINE] = th_read_line_key,
      [TH_KEY_DISC] = th_read_disc_key,           [TH_KEY_POLYGON] = th_read_polygon_key,
      [TH_KEY_RECTANGLE] = th_read_rectangle_key, [TH_KEY_TRIPLE] = th_read_triple_key,
      [TH_KEY_LINES] = th_read_lines_key,         [TH_KEY_PEOPLE] = th_read_people_key,
      [TH_KEY_LONG_TEXT] = th_read_long_text_key};
  return function[read->key->kind](reader, read);
}
