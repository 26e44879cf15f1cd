/* io/scene/schema.c - the JSON schema of scene files, made from the tables of keys.
 *
 * The shipped scenes/schema.json is this text; a test compares them, so editors that read the schema and the reader
 * agree by construction. JSON schema draft 2020-12. Building the tree needs no checks in between: jansson's calls
 * accept NULL, so one failed allocation makes the whole text NULL. Cost: linear in the number of keys.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/scene/read.h"
#include "io/text.h"
#include "throng/model.h"

static json_t *number(double value) {
  return value == floor(value) && fabs(value) < 1e15 ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *typed(const char *type) { return json_pack("{s:s}", "type", type); }

static json_t *limited(const char *type, const th_key *key) {
  json_t *schema = typed(type);
  if (key->min > -HUGE_VAL) json_object_set_new(schema, "minimum", number(key->min));
  if (key->max < HUGE_VAL) json_object_set_new(schema, "maximum", number(key->max));
  return schema;
}

static json_t *reference(const char *name) {
  char path[80] = "#/$defs/";
  snprintf(path + strlen(path), sizeof path - strlen(path), "%s", name);
  for (char *c = path; *c; c++) {
    if (*c == ' ') *c = '_';
  }
  return json_pack("{s:s}", "$ref", path);
}

static json_t *pairs(uint32_t min, uint32_t max) {
  json_t *schema = json_pack("{s:s, s:o, s:i}", "type", "array", "items", reference("point"), "minItems", (int)min);
  if (max) json_object_set_new(schema, "maxItems", json_integer(max));
  return schema;
}

/* {first: ..., second: ...} and nothing else */
static json_t *closed_pair(const char *first, json_t *a, const char *second, json_t *b, bool both) {
  json_t *schema = json_pack("{s:s, s:{s:o, s:o}, s:b}", "type", "object", "properties", first, a, second, b,
                             "additionalProperties", 0);
  if (both)
    json_object_set_new(schema, "required", json_pack("[s, s]", first, second));
  else
    json_object_set_new(schema, "minProperties", json_integer(1));
  return schema;
}

/* ---------------------------------------------------------------- one function a kind */

static json_t *range_of_numbers(void) {
  return json_pack("{s:[o, o]}", "anyOf", typed("number"),
                   closed_pair("min", typed("number"), "max", typed("number"), false));
}

static json_t *number_of(const th_key *key) { return limited("number", key); }
static json_t *whole_of(const th_key *key) { return limited("integer", key); }
static json_t *pair_of(const th_key *key) { return (void)key, reference("pair"); }
static json_t *triple_of(const th_key *key) {
  return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", limited("number", key), "minItems", 3, "maxItems",
                   3);
}
static json_t *point_of(const th_key *key) { return (void)key, reference("point"); }
static json_t *points_of(const th_key *key) { return pairs((uint32_t)key->min, 0); }
static json_t *line_of(const th_key *key) { return (void)key, pairs(2, 0); }
static json_t *lines_of(const th_key *key) {
  return json_pack("{s:s, s:o, s:i}", "type", "array", "items", ((void)key, pairs(2, 2)), "minItems", 1);
}
static json_t *polygon_of(const th_key *key) { return (void)key, pairs(3, 0); }
static json_t *rectangle_of(const th_key *key) { return (void)key, pairs(2, 2); }
static json_t *bool_of(const th_key *key) { return (void)key, typed("boolean"); }
static json_t *true_of(const th_key *key) { return (void)key, json_pack("{s:b}", "const", 1); }
static json_t *range_of(const th_key *key) { return (void)key, range_of_numbers(); }
static json_t *object_of(const th_key *key) { return reference(key->table->name); }

/* Parameters: the table of the model, guide or made surface lists them. */
static json_t *params_of(const th_key *key) { return (void)key, typed("object"); }

static json_t *text_of(const th_key *key) {
  (void)key;
  return json_pack("{s:s, s:i}", "type", "string", "minLength", 1);
}

static json_t *texts_of(const th_key *key) { return json_pack("{s:s, s:o}", "type", "array", "items", text_of(key)); }

static json_t *floats_of(const th_key *key) {
  return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", number_of(key), "minItems", 1, "maxItems",
                   TH_MAX_CLASSES);
}

static json_t *wholes_of(const th_key *key) { return json_pack("{s:s, s:o}", "type", "array", "items", whole_of(key)); }

static json_t *ranges_of(const th_key *key) {
  (void)key;
  return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", range_of_numbers());
}

static json_t *list_of(const th_key *key) {
  json_t *list = json_pack("{s:s, s:o}", "type", "array", "items", reference(key->table->name));
  if (key->flags & TH_KEY_FEW) json_object_set_new(list, "minItems", json_integer(1));
  return list;
}

static json_t *choice_of(const th_key *key) {
  json_t *list = json_array();
  for (const char *const *name = key->choice; *name; name++) json_array_append_new(list, json_string(*name));
  return json_pack("{s:o}", "enum", list);
}

static json_t *spread_of(const th_key *key) {
  const th_key deviation = {.min = 0, .max = key->max}, distribution = {.choice = th_scene_distribution};
  json_t *drawn = closed_pair("mean", number_of(key), "spread", number_of(&deviation), true);
  json_t *member = json_object_get(drawn, "properties");
  json_object_set_new(member, "distribution", choice_of(&distribution));
  json_object_set_new(member, "min", number_of(key));
  json_object_set_new(member, "max", number_of(key));
  return json_pack("{s:[o, o, o]}", "anyOf", number_of(key), drawn,
                   closed_pair("from", number_of(key), "to", number_of(key), true));
}

static json_t *route_of(const th_key *key) {
  json_t *goal = text_of(key), *wait = json_pack("{s:s, s:i}", "type", "number", "minimum", 0);
  json_t *stop = json_pack("{s:s, s:{s:O, s:o}, s:[s], s:b}", "type", "object", "properties", "goal", goal, "wait",
                           wait, "required", "goal", "additionalProperties", 0);
  return json_pack("{s:s, s:{s:[o, o]}, s:i, s:i}", "type", "array", "items", "anyOf", goal, stop, "minItems", 1,
                   "maxItems", TH_MAX_STOPS);
}

static json_t *model_of(const th_key *key) {
  (void)key;
  json_t *list = json_array();
  for (const th_model *const *m = th_models(); *m; m++) {
    if (*m != &th_model_user) json_array_append_new(list, json_string((*m)->name));
  }
  return json_pack("{s:o}", "enum", list);
}

static json_t *people_of(const th_key *key) {
  uint32_t count;
  const th_param *table = th_people_table(&count);
  json_t *rows = json_object();
  for (uint32_t i = 0; i < count; i++) {
    const th_key number = {.min = table[i].min, .max = table[i].max};
    json_t *row = ((void)key, number_of(&number));
    json_object_set_new(row, "description", json_string(table[i].text));
    json_object_set_new(row, "default", json_real(table[i].initial));
    json_object_set_new(rows, table[i].name, row);
  }
  return json_pack("{s:[o, {s:s, s:o, s:b}]}", "anyOf", typed("boolean"), "type", "object", "properties", rows,
                   "additionalProperties", 0);
}

static json_t *disc_of(const th_key *key) {
  (void)key;
  th_key radius = {.min = 0.01, .max = 1e4};
  return closed_pair("centre", reference("point"), "radius", number_of(&radius), true);
}

static json_t *of_key(const th_key *key) {
  static json_t *(*const of_kind[TH_KEY_KINDS])(const th_key *) = {
      [TH_KEY_FLOAT] = number_of,    [TH_KEY_DOUBLE] = number_of,       [TH_KEY_COUNT] = whole_of,
      [TH_KEY_WHOLE] = whole_of,     [TH_KEY_WHOLES] = wholes_of,       [TH_KEY_SEED] = whole_of,
      [TH_KEY_BOOL] = bool_of,       [TH_KEY_TEXT] = text_of,           [TH_KEY_CHOICE] = choice_of,
      [TH_KEY_PAIR] = pair_of,       [TH_KEY_POINTS] = points_of,       [TH_KEY_FLOATS] = floats_of,
      [TH_KEY_TEXTS] = texts_of,     [TH_KEY_SPREAD] = spread_of,       [TH_KEY_RANGE] = range_of,
      [TH_KEY_RANGES] = ranges_of,   [TH_KEY_OBJECT] = object_of,       [TH_KEY_LIST] = list_of,
      [TH_KEY_ROUTE] = route_of,     [TH_KEY_MODEL] = model_of,         [TH_KEY_PARAMS] = params_of,
      [TH_KEY_GUIDE] = params_of,    [TH_KEY_MAKE] = params_of,         [TH_KEY_POINT] = point_of,
      [TH_KEY_LINE] = line_of,       [TH_KEY_DISC] = disc_of,           [TH_KEY_EVERYWHERE] = true_of,
      [TH_KEY_POLYGON] = polygon_of, [TH_KEY_RECTANGLE] = rectangle_of, [TH_KEY_TRIPLE] = triple_of,
      [TH_KEY_LINES] = lines_of,     [TH_KEY_PEOPLE] = people_of,       [TH_KEY_LONG_TEXT] = text_of};
  return of_kind[key->kind](key);
}

/* ---------------------------------------------------------------- tables */

static void describe(json_t *schema, const th_key *key) {
  char text[240];
  snprintf(text, sizeof text, "%s%s%s%s", key->text, *key->unit ? " [" : "", key->unit, *key->unit ? "]" : "");
  json_object_set_new(schema, "description", json_string(text));
}

static void add_properties(const th_table *table, json_t *properties, json_t *required, json_t *one_of) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    if (key->kind == TH_KEY_INCLUDE) {
      add_properties(key->table, properties, required, one_of);
      continue;
    }
    json_t *schema = of_key(key);
    describe(schema, key);
    json_object_set_new(properties, key->name, schema);
    if (key->flags & TH_KEY_NEEDED) json_array_append_new(required, json_string(key->name));
  }
  for (const char *const *name = table->one_of; name && *name; name++) {
    json_array_append_new(one_of, json_pack("{s:[s]}", "required", *name));
  }
}

static json_t *of_table(const th_table *table) {
  json_t *properties = json_object(), *required = json_array(), *one_of = json_array();
  add_properties(table, properties, required, one_of);
  json_t *schema = json_pack("{s:s, s:s, s:o, s:b}", "type", "object", "description", table->text, "properties",
                             properties, "additionalProperties", 0);
  if (json_array_size(required)) json_object_set(schema, "required", required);
  if (json_array_size(one_of)) json_object_set(schema, "oneOf", one_of);
  json_decref(required);
  json_decref(one_of);
  return schema;
}

static void add_definitions(const th_table *table, json_t *definitions) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    if (!key->table) continue;
    add_definitions(key->table, definitions);
    if (key->kind == TH_KEY_INCLUDE) continue;
    json_t *name = reference(key->table->name);
    const char *path = json_string_value(json_object_get(name, "$ref"));
    if (path) json_object_set_new(definitions, path + strlen("#/$defs/"), of_table(key->table));
    json_decref(name);
  }
}

char *th_scene_schema(void) {
  json_t *scene = of_table(&th_scene_table), *definitions = json_object();
  json_t *pair =
      json_pack("{s:s, s:{s:s}, s:i, s:i}", "type", "array", "items", "type", "number", "minItems", 2, "maxItems", 2);
  json_t *point =
      json_pack("{s:s, s:{s:s}, s:i, s:i}", "type", "array", "items", "type", "number", "minItems", 2, "maxItems", 3);
  json_object_set_new(definitions, "pair", pair);
  json_object_set_new(definitions, "point", point);
  add_definitions(&th_scene_table, definitions);
  json_t *root = json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                           "Throng scene, version 1");
  json_object_update(root, scene);
  json_object_set_new(root, "$defs", definitions);
  const th_env env = th_env_complete(NULL);
  char *text = th_text_of_json(&env.allocator, root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
  json_decref(scene);
  json_decref(root);
  return text;
}
