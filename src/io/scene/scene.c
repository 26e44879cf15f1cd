/* io/scene/scene.c - from a file or text to a checked scene.
 *
 * The stages are text, tree (jansson), overrides in the tree, structs by the tables, names; each reports errors with
 * the position in the file. The tree is freed when the call returns; the scene owns one chain of memory blocks. Cost:
 * linear in the text.
 */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/platform/path.h"
#include "io/json.h"
#include "io/pack/pack.h"
#include "io/scene/read.h"
#include "world/goal_members.h"

/* The files beside a scene. */
static th_files *files_beside(struct th_scene_memory *memory, const char *path) {
  const char *slash = th_path_last_separator(path);
  const size_t length = slash == path || !slash ? 1 : (size_t)(slash - path);
  char *folder = th_scene_memory_take(memory, length + 1, 1);
  th_files *files = th_scene_memory_take(memory, 1, sizeof *files);
  if (!folder || !files) return NULL;
  memcpy(folder, slash ? path : ".", length);
  *files = th_files_of_disk(folder);
  return files;
}

static th_result apply_sets(th_scene_reader *reader, json_t *root, const th_scene_def *def) {
  reader->set = def->set;
  reader->set_pointer = th_scene_memory_take(reader->memory, def->set_count, sizeof *reader->set_pointer);
  if (!reader->set_pointer) return th_reader_fail_memory(reader);
  for (uint32_t i = 0; i < def->set_count; i++) {
    th_result result = th_json_set(root, def->set[i], reader->set_pointer[i], reader->error);
    if (result != TH_OK) return result;
    reader->set_count = i + 1;
  }
  return TH_OK;
}

static uint64_t hash_of(const th_json_text *source, const th_scene_def *def) {
  uint64_t hash = th_hash_fnv1a(TH_FNV1A_BEGIN, source->text, source->length);
  for (uint32_t i = 0; i < def->set_count; i++) hash = th_hash_fnv1a(hash, def->set[i], strlen(def->set[i]) + 1);
  return hash;
}

static th_result read_scene(th_scene_reader *reader, const th_scene_def *def, json_t *root, th_scene *scene) {
  th_result result = apply_sets(reader, root, def);
  if (result == TH_OK) result = th_read_object(reader, &th_scene_table, root, scene);
  if (result == TH_OK) result = th_scene_link(reader, scene);
  if (result != TH_OK) return result;
  scene->path = th_scene_memory_text(reader->memory, reader->source->name);
  if (!scene->files) scene->files = files_beside(reader->memory, reader->source->name);
  char *text = th_scene_memory_take(reader->memory, reader->source->length + 1, 1);
  if (!scene->path || !scene->files || !text) return th_reader_fail_memory(reader);
  memcpy(text, reader->source->text, reader->source->length);
  scene->text = text;
  scene->hash = hash_of(reader->source, def);
  scene->memory = reader->memory;
  return TH_OK;
}

/* A pack holds the text of its scene, which is read as if it stood alone. */
static th_result read_pack(th_scene_reader *reader, const th_scene_def *def, json_t *root, th_scene *scene) {
  th_json_text inner;
  json_t *tree;
  th_result result = th_pack_read(reader, root, &inner, &scene->files);
  if (result == TH_OK) result = th_json_parse(&inner, &tree, reader->error);
  if (result != TH_OK) return result;
  reader->source = &inner;
  reader->pointer[0] = 0;
  result = read_scene(reader, def, tree, scene);
  json_decref(tree);
  return result;
}

static th_result make(const th_scene_def *def, const th_json_text *source, th_scene **scene, th_error *error) {
  json_t *root;
  th_result result = th_json_parse(source, &root, error);
  if (result != TH_OK) return result;
  th_scene_reader reader = {.source = source, .memory = th_scene_memory_make(&def->env), .error = error};
  reader.planner = def->planner;
  *scene = reader.memory ? th_scene_memory_take(reader.memory, 1, sizeof **scene) : NULL;
  if (!*scene)
    result = th_reader_fail_memory(&reader);
  else
    result = (th_pack_is(root) ? read_pack : read_scene)(&reader, def, root, *scene);
  json_decref(root);
  if (result == TH_OK) return TH_OK;
  th_scene_memory_free(reader.memory);
  *scene = NULL;
  return result;
}

th_scene_def th_default_scene_def(void) { return (th_scene_def){0}; }

th_result th_scene_make(const th_scene_def *def, th_scene **scene, th_error *error) {
  th_env env = th_env_complete(&def->env);
  *scene = NULL;
  if (def->text) {
    th_json_text given = {def->path ? def->path : "scene", def->text, def->length};
    const char *name = given.name;
    th_json_skip_mark(&given);
    if (def->length <= TH_JSON_MAX_BYTES) return make(def, &given, scene, error);
    return th_fail(error, TH_ERROR_CAPACITY, name, "expected a text of at most %zu MB, found %zu MB",
                   TH_JSON_MAX_BYTES >> 20, def->length >> 20);
  }
  if (!def->path) return th_fail(error, TH_ERROR_STATE, "scene", "expected a path or a text, found neither");
  th_json_file file;
  th_result result = th_json_load(&env, def->path, &file, error);
  if (result != TH_OK) return result;
  th_json_text source = {def->path, file.text, file.length};
  th_json_skip_mark(&source);
  result = make(def, &source, scene, error);
  th_json_unload(&env, &file);
  return result;
}

th_result th_scene_load(const char *path, th_scene **scene, th_error *error) {
  return th_scene_make(&(th_scene_def){.path = path}, scene, error);
}

th_result th_scene_parse(const char *text, size_t length, th_scene **scene, th_error *error) {
  return th_scene_make(&(th_scene_def){.text = text, .length = length}, scene, error);
}

void th_scene_free(th_scene *scene) {
  if (scene) th_scene_memory_free(scene->memory);
}

uint32_t th_scene_agents(const th_scene *scene) {
  double agents = 0;
  for (uint32_t i = 0; i < scene->population_count; i++) {
    const th_scene_population *population = &scene->population[i];
    agents += population->position.count ? population->position.count : population->count;
  }
  for (uint32_t i = 0; i < scene->source_count; i++) {
    const th_source_def *source = &scene->source[i].def;
    double end = source->end < scene->duration ? source->end : scene->duration, begin = source->begin;
    double max = end > begin ? (end - begin) * (double)source->rate + 1 : 0;
    agents += source->total && source->total < max ? source->total : max;
  }
  return agents < 4e9 ? (uint32_t)agents : UINT32_MAX;
}

/* ---------------------------------------------------------------- what it says */

const char *th_scene_name(const th_scene *scene) { return scene->name; }
const char *th_scene_text(const th_scene *scene) { return scene->text; }
uint64_t th_scene_hash(const th_scene *scene) { return scene->hash; }
float th_scene_duration(const th_scene *scene) { return scene->duration; }
const th_world_def *th_scene_world_def(const th_scene *scene) { return &scene->world; }
uint32_t th_scene_goal_count(const th_scene *scene) { return scene->goal_count; }
uint32_t th_scene_population_count(const th_scene *scene) { return scene->population_count; }

const char *th_scene_goal_name(const th_scene *scene, uint32_t goal) {
  return goal < scene->goal_count ? scene->goal[goal].name : NULL;
}

const th_goal_def *th_scene_goal_def(const th_scene *scene, uint32_t goal) {
  return goal < scene->goal_count ? &scene->goal[goal].def : NULL;
}

const char *th_scene_population_name(const th_scene *scene, uint32_t population) {
  return population < scene->population_count ? scene->population[population].name : NULL;
}

th_field_def th_scene_goal_field(const th_scene *scene, uint32_t goal, const th_ground *ground, float radius) {
  if (goal >= scene->goal_count) return th_default_field_def();
  th_field_def def = th_field_def_of_goal(&scene->goal[goal].def);
  def.radius_class = th_ground_class(ground, radius);
  return def;
}
