/* tests/io/test_scene_schema.c - the shipped schema, the tables of keys and the shipped scenes agree.
 *
 * Beside the comparison with the generated text, a small validator (support/schema.h) judges scenes by
 * scenes/schema.json; what the reader accepts it must accept, and what breaks a rule of the schema the reader
 * must refuse.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/json.h"
#include "io/scene/keys.h"
#include "support/allocator.h"
#include "support/schema.h"
#include "throng/model.h"

static void the_shipped_schema_is_the_generated_one(void **state) {
  (void)state;
  char *text = th_scene_schema();
  assert_non_null(text);
  json_t *made = json_loads(text, 0, NULL), *shipped = schema_load("scenes/schema.json");
  if (!json_equal(made, shipped)) fail_msg("scenes/schema.json is stale: throng info --schema > scenes/schema.json");
  json_decref(made);
  json_decref(shipped);
  th_text_free(text);
}

/* ---------------------------------------------------------------- tables against the schema */

static uint32_t count_keys(const th_table *table) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < table->count; i++) {
    count += table->key[i].kind == TH_KEY_INCLUDE ? count_keys(table->key[i].table) : 1;
  }
  return count;
}

static bool is_required(const json_t *schema, const char *name) {
  size_t i;
  json_t *entry;
  json_array_foreach(json_object_get(schema, "required"), i, entry) {
    if (strcmp(json_string_value(entry), name) == 0) return true;
  }
  return false;
}

static void walk(const json_t *root, const json_t *schema, const th_table *table) {
  const json_t *properties = json_object_get(schema, "properties");
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    if (key->kind == TH_KEY_INCLUDE) {
      walk(root, schema, key->table);
      continue;
    }
    const json_t *property = json_object_get(properties, key->name);
    if (!property) fail_msg("%s.%s is not in the schema", table->name, key->name);
    assert_int_equal(is_required(schema, key->name), (key->flags & TH_KEY_NEEDED) != 0);
    assert_non_null(strstr(json_string_value(json_object_get(property, "description")), key->text));
    if (key->kind == TH_KEY_OBJECT) walk(root, schema_follow(root, property), key->table);
    if (key->kind == TH_KEY_LIST) walk(root, schema_follow(root, json_object_get(property, "items")), key->table);
  }
}

static void every_key_is_in_the_schema_and_none_else(void **state) {
  (void)state;
  json_t *root = schema_load("scenes/schema.json");
  walk(root, root, &th_scene_table);
  assert_int_equal(json_object_size(json_object_get(root, "properties")), count_keys(&th_scene_table));
  json_decref(root);
}

/* docs/scene.md has a row for each key, with its sentence. */
static void look_for_rows(const char *page, const th_table *table) {
  for (uint32_t i = 0; i < table->count; i++) {
    const th_key *key = &table->key[i];
    if (key->table) look_for_rows(page, key->table);
    if (key->kind == TH_KEY_INCLUDE) continue;
    char row[120];
    snprintf(row, sizeof row, "\n| `%s`", key->name);
    bool found = false;
    for (const char *at = strstr(page, row); at && !found; at = strstr(at + 1, row)) {
      const char *end = strchr(at + 1, '\n'), *text = strstr(at, key->text);
      found = end && text && text < end;
    }
    if (!found) fail_msg("docs/scene.md has no row for `%s` of %s: %s", key->name, table->name, key->text);
  }
}

static void every_key_is_documented(void **state) {
  (void)state;
  th_env env = th_env_complete(NULL);
  th_json_file page;
  th_error error = {0};
  assert_int_equal(th_json_load(&env, "docs/scene.md", &page, &error), TH_OK);
  assert_true(page.length < page.capacity); /* the block is zeroed: the text ends */
  look_for_rows(page.text, &th_scene_table);
  const char *row = strstr(page.text, "\n| `model`"), *end = row ? strchr(row + 1, '\n') : NULL;
  assert_non_null(end);
  for (const th_model *const *m = th_models(); *m; m++) {
    char name[64];
    snprintf(name, sizeof name, "`\"%s\"`", (*m)->name);
    const char *found = strstr(row, name);
    if (*m != &th_model_user && !(found && found < end)) fail_msg("docs/scene.md does not name the model %s", name);
  }
  th_json_unload(&env, &page);
}

/* ---------------------------------------------------------------- scenes */

static bool reads(const json_t *scene) {
  char *text = json_dumps(scene, 0);
  th_scene *read = NULL;
  th_error error = {0};
  bool good = th_scene_parse(text, strlen(text), &read, &error) == TH_OK;
  th_scene_free(read);
  free(text);
  return good;
}

static void every_shipped_scene_is_valid_and_readable(void **state) {
  (void)state;
  json_t *root = schema_load("scenes/schema.json");
  DIR *folder = opendir("scenes");
  assert_non_null(folder);
  uint32_t count = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length < 5 || strcmp(entry->d_name + length - 5, ".json") || !strcmp(entry->d_name, "schema.json")) continue;
    char path[512];
    snprintf(path, sizeof path, "scenes/%s", entry->d_name);
    json_t *scene = schema_load(path);
    if (!schema_valid(root, root, scene)) fail_msg("%s does not follow the schema", path);
    if (!reads(scene)) fail_msg("%s is not read", path);
    if (!json_object_get(scene, "expect")) fail_msg("%s expects nothing", path);
    json_decref(scene);
    count++;
  }
  closedir(folder);
  json_decref(root);
  assert_true(count >= 5);
}

/* One value of a good scene is replaced by another kind of value: schema and reader must agree. */
static uint64_t draw(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

static json_t *strange(uint64_t *seed) {
  switch (draw(seed) % 9) {
    case 0:
      return json_null();
    case 1:
      return json_integer(-5);
    case 2:
      return json_real(2.5);
    case 3:
      return json_string("");
    case 4:
      return json_array();
    case 5:
      return json_object();
    case 6:
      return json_true();
    case 7:
      return json_pack("[i]", 1);
    default:
      return json_real(1e9);
  }
}

static void disturb(json_t *at, uint64_t *seed) {
  for (;;) {
    size_t size = json_is_object(at) ? json_object_size(at) : json_array_size(at);
    if (size == 0) return;
    size_t pick = (size_t)draw(seed) % size;
    if (json_is_array(at)) {
      json_t *next = json_array_get(at, pick);
      if (json_is_number(next) || json_is_string(next) || draw(seed) % 4 == 0) {
        json_array_set_new(at, pick, strange(seed));
        return;
      }
      at = next;
      continue;
    }
    void *member = json_object_iter(at);
    while (pick-- > 0) member = json_object_iter_next(at, member);
    json_t *next = json_object_iter_value(member);
    bool leaf = !json_is_object(next) && !json_is_array(next);
    if (draw(seed) % 12 == 0) {
      json_object_set_new(at, "unknown", strange(seed));
      return;
    }
    if (leaf || draw(seed) % 4 == 0) {
      json_object_iter_set_new(at, member, strange(seed));
      return;
    }
    at = next;
  }
}

static void what_the_schema_refuses_the_reader_refuses(void **state) {
  (void)state;
  json_t *root = schema_load("scenes/schema.json");
  static const char *const path[] = {"scenes/corridor.json", "scenes/rooms.json", "scenes/station.json"};
  uint32_t refused = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) {
    uint64_t number = seed * 977;
    json_t *scene = schema_load(path[seed % 3]);
    disturb(scene, &number);
    bool follows = schema_valid(root, root, scene), read = reads(scene);
    refused += !follows;
    if (read && !follows) {
      char *text = json_dumps(scene, 0);
      print_error("seed %llu: read, but against the schema: %s\n", (unsigned long long)seed, text);
      free(text);
      fail();
    }
    json_decref(scene);
  }
  assert_true(refused > 1000);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_shipped_schema_is_the_generated_one),
      cmocka_unit_test(every_key_is_in_the_schema_and_none_else),
      cmocka_unit_test(every_key_is_documented),
      cmocka_unit_test(every_shipped_scene_is_valid_and_readable),
      cmocka_unit_test(what_the_schema_refuses_the_reader_refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
