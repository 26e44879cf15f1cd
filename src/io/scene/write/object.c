/* io/scene/write/object.c - writing objects and lists by tables of keys: the reverse of io/scene/read.c.
 *
 * A key is written when its value differs from the default of its table, when the table needs it, and, of tables that
 * know what was given, exactly when it was: what a change gives it changes, even to a default. Keys stand in the order
 * of their table, so a second writing gives the same bytes. A value that an object does not have (a polygon has no
 * radius) is taken back. Cost: linear in the keys of the scene.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/scene/read.h"
#include "io/scene/write/write.h"

void th_write_object_fail(th_scene_writer *writer, th_result code, const char *where, const char *text) {
  if (writer->result != TH_OK) return;
  writer->result = th_fail(writer->error, code, writer->scene->path, "%s: %s", where, text);
}

void th_write_object_name(th_scene_writer *writer, const char *name) {
  const th_text *text = &writer->text;
  if (!text->failed && text->text[text->length - 1] != '{') th_text_append(&writer->text, ", ");
  th_write_value_text(writer, name);
  th_text_append(&writer->text, ": ");
}

static const th_allocator *allocator_of(const th_scene_writer *writer) { return &writer->text.allocator; }

/* An object with the defaults of its table; NULL, and the writer has failed, when there is no memory. */
static uint8_t *take_initial(th_scene_writer *writer, const th_table *table) {
  uint8_t *initial = th_take(allocator_of(writer), table->size, 1);
  if (initial)
    th_read_initial(table, initial);
  else
    writer->text.failed = true;
  return initial;
}

/* ---------------------------------------------------------------- kinds that hold objects */

/* An object and what it is compared with. */
typedef struct pair {
  const uint8_t *object, *initial;
  bool there; /* so what its table needs is written, also where it is the default */
} pair;

static void write_members(th_scene_writer *writer, const th_table *table, const pair *of);

static void write_braced(th_scene_writer *writer, const th_table *table, const pair *of) {
  th_text_append(&writer->text, "{");
  write_members(writer, table, of);
  th_text_append(&writer->text, "}");
}

static void take_back(th_scene_writer *writer, uint32_t length) {
  if (writer->text.failed) return;
  writer->text.length = length;
  writer->text.text[length] = 0;
}

static bool write_object_key(th_scene_writer *writer, const th_write *write) {
  const uint8_t *object = write->object + write->key->offset;
  const uint32_t before = writer->text.length;
  if (write->key->flags & TH_KEY_AWAY) {
    memcpy(&object, write->object + write->key->offset, sizeof object);
    if (object) th_write_object(writer, write->key->table, object);
    return object != NULL;
  }
  pair of = {object, write->initial + write->key->offset, write->always};
  write_braced(writer, write->key->table, &of);
  if (of.there || writer->text.length <= before + 2) return of.there; /* it is {}: nothing was said about it */
  take_back(writer, before);
  of.there = true;
  write_braced(writer, write->key->table, &of);
  return true;
}

/* Entry i of the file. Lists are kept in the order of the file unless their table tells another one. */
static const uint8_t *entry_at(const th_table *table, const uint8_t *items, uint32_t count, uint32_t i) {
  if (!table->writing || !table->writing->order) return items + i * table->size;
  for (uint32_t k = 0; k < count; k++) { /* the one of this place: most often the first that is looked at */
    const uint8_t *item = items + (i + k) % count * table->size;
    if (table->writing->order(item) == i) return item;
  }
  return items + i * table->size;
}

static bool write_list_key(th_scene_writer *writer, const th_write *write) {
  const th_table *table = write->key->table;
  const uint8_t *items;
  uint32_t count;
  memcpy(&items, write->object + write->key->offset, sizeof items);
  memcpy(&count, write->object + write->key->count_offset, sizeof count);
  uint8_t *initial = count ? take_initial(writer, table) : NULL;
  th_text_append(&writer->text, "[");
  for (uint32_t i = 0; i < count && initial; i++) {
    if (i) th_text_append(&writer->text, ", ");
    write_braced(writer, table, &(pair){entry_at(table, items, count, i), initial, true});
  }
  if (table->writing && table->writing->more) count += table->writing->more(writer, count);
  th_text_append(&writer->text, "]");
  th_give(allocator_of(writer), initial, initial ? table->size : 0, 1);
  return count || write->always;
}

/* ---------------------------------------------------------------- members */

static const th_write_function function[TH_KEY_KINDS] = {
    [TH_KEY_FLOAT] = th_write_value_of_float,   [TH_KEY_DOUBLE] = th_write_value_of_double,
    [TH_KEY_COUNT] = th_write_value_of_count,   [TH_KEY_WHOLE] = th_write_value_of_whole,
    [TH_KEY_WHOLES] = th_write_value_of_wholes, [TH_KEY_SEED] = th_write_value_of_seed,
    [TH_KEY_BOOL] = th_write_value_of_bool,     [TH_KEY_TEXT] = th_write_value_of_text,
    [TH_KEY_TEXTS] = th_write_value_of_texts,   [TH_KEY_CHOICE] = th_write_value_of_choice,
    [TH_KEY_PAIR] = th_write_value_of_pair,     [TH_KEY_TRIPLE] = th_write_value_of_triple,
    [TH_KEY_FLOATS] = th_write_value_of_floats, [TH_KEY_SPREAD] = th_write_spread,
    [TH_KEY_RANGE] = th_write_spread_range,     [TH_KEY_RANGES] = th_write_spread_ranges,
    [TH_KEY_OBJECT] = write_object_key,         [TH_KEY_LIST] = write_list_key,
    [TH_KEY_POINTS] = th_write_shape_of_points, [TH_KEY_POINT] = th_write_shape_point,
    [TH_KEY_LINE] = th_write_shape_line,        [TH_KEY_LINES] = th_write_shape_lines,
    [TH_KEY_DISC] = th_write_shape_disc,        [TH_KEY_EVERYWHERE] = th_write_shape_everywhere,
    [TH_KEY_POLYGON] = th_write_shape_polygon,  [TH_KEY_RECTANGLE] = th_write_shape_rectangle,
    [TH_KEY_ROUTE] = th_write_param_route,      [TH_KEY_MODEL] = th_write_param_model,
    [TH_KEY_PARAMS] = th_write_param_params,    [TH_KEY_PEOPLE] = th_write_param_people,
    [TH_KEY_GUIDE] = th_write_param_guide,      [TH_KEY_MAKE] = th_write_param_make};

/* Bytes of the kinds that are compared with their default as they are; 0: their functions tell. */
static const size_t bytes_of[TH_KEY_KINDS] = {
    [TH_KEY_FLOAT] = sizeof(float),       [TH_KEY_DOUBLE] = sizeof(double),
    [TH_KEY_COUNT] = sizeof(uint32_t),    [TH_KEY_WHOLE] = sizeof(int32_t),
    [TH_KEY_SEED] = sizeof(uint64_t),     [TH_KEY_BOOL] = sizeof(bool),
    [TH_KEY_CHOICE] = sizeof(int32_t),    [TH_KEY_PAIR] = sizeof(th_vec2),
    [TH_KEY_TRIPLE] = 3 * sizeof(double), [TH_KEY_MODEL] = sizeof(const th_model *),
    [TH_KEY_SPREAD] = sizeof(th_spread)};

static void write_key(th_scene_writer *writer, const th_write *write) {
  const th_key *key = write->key;
  const size_t bytes = bytes_of[key->kind];
  if (bytes && !write->always && memcmp(write->object + key->offset, write->initial + key->offset, bytes) == 0) return;
  const uint32_t before = writer->text.length;
  th_write_object_name(writer, key->name);
  if (!function[key->kind](writer, write)) take_back(writer, before);
}

static void write_members(th_scene_writer *writer, const th_table *table, const pair *of) {
  const th_table_writing *writing = table->writing;
  const bool knows = table->given_offset != UINT32_MAX;
  uint64_t given = 0;
  if (knows) memcpy(&given, of->object + table->given_offset, sizeof given);
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    if (key->kind == TH_KEY_INCLUDE) {
      write_members(writer, key->table, &(pair){of->object + key->offset, of->initial + key->offset, of->there});
      continue;
    }
    const bool was_given = knows && (given >> i & 1u);
    if ((knows && !was_given) || (writing && writing->hides && writing->hides(of->object, key))) continue;
    const bool needed = of->there && (key->flags & TH_KEY_NEEDED);
    write_key(writer, &(th_write){key, of->object, of->initial, was_given || needed});
  }
  if (writing && writing->others) writing->others(writer, of->object);
}

void th_write_object(th_scene_writer *writer, const th_table *table, const void *object) {
  uint8_t *initial = take_initial(writer, table);
  if (!initial) return;
  write_braced(writer, table, &(pair){object, initial, true});
  th_give(allocator_of(writer), initial, table->size, 1);
}
